// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The book-keeping of the stand-in. Handles and addresses are numbers that are
// never used again and that no host pointer equals, so that what is stale or
// mixed up is found.

#include "State.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <utility>

using namespace standin;
using namespace pyk::runtime::driver;

namespace standin {
thread_local std::vector<uintptr_t> currentContexts;
} // namespace standin

namespace {

/// Above what a process can map and below what iterations negative.
constexpr CuAddress firstAddress = 0x5a00000000000000;
constexpr uintptr_t firstHandle = 0x5b00000000000000;

CuAddress nextAddress = firstAddress;
uintptr_t nextHandle = firstHandle;

} // namespace

State &State::get() {
  static State *state = [] {
    auto *created = new State;
    created->readEnvironment();
    return created;
  }();
  return *state;
}

bool standin::isSticky(CuResult result) {
  return result == Deinitialized || result == EccUncorrectable ||
         result == IllegalAddress || result == LaunchTimeout ||
         (result >= ContextIsDestroyed && result <= Assert) ||
         (result >= HardwareStackError && result <= LaunchFailed);
}

void State::misuse(const std::string &what) { misuses += what + "\n"; }

CuResult State::begin(const char *call) {
  calls.push_back(call);
  ++counts[call];
  for (size_t i = 0; i < failures.size(); ++i) {
    if (failures[i].call != call && failures[i].call != "*")
      continue;
    if (--failures[i].occurrence > 0)
      continue;
    CuResult result = failures[i].result;
    failures.erase(failures.begin() + std::ptrdiff_t(i));
    if (isSticky(result))
      loseContext(result);
    return result;
  }
  if (!initialized && std::string(call) != "cuInit" &&
      std::string(call) != "cuDriverGetVersion")
    return NotInitialized;
  return Success;
}

CuResult State::beginInContext(const char *call, bool waits) {
  if (CuResult result = begin(call); result != Success)
    return result;
  if (currentContexts.empty() || !objects.count(currentContexts.back()))
    return InvalidContext;
  return waits ? getLost() : objects[currentContexts.back()].lost;
}

void State::loseContext(CuResult result) {
  if (!currentContexts.empty())
    if (auto found = objects.find(currentContexts.back());
        found != objects.end() && found->second.lost == Success)
      found->second.lost = result;
}

void State::failWork(CuResult result, uintptr_t context) {
  workFailures.try_emplace(context, result);
}

CuResult State::getFailure(uintptr_t context) const {
  for (uintptr_t key : {uintptr_t(0), context})
    if (auto failed = workFailures.find(key); failed != workFailures.end())
      return failed->second;
  auto found = objects.find(context);
  return found == objects.end() ? ContextIsDestroyed : found->second.lost;
}

CuResult State::getLost() {
  if (currentContexts.empty())
    return Success;
  uintptr_t context = currentContexts.back();
  for (uintptr_t key : {uintptr_t(0), context})
    if (auto failed = workFailures.find(key); failed != workFailures.end()) {
      loseContext(failed->second);
      workFailures.erase(failed);
    }
  auto found = objects.find(context);
  return found == objects.end() ? Success : found->second.lost;
}

Object *State::find(Kind kind, const void *handle, const char *call) {
  auto found = objects.find(reinterpret_cast<uintptr_t>(handle));
  if (found != objects.end() && found->second.kind == kind &&
      (currentContexts.empty() ||
       found->second.context == currentContexts.back()))
    return &found->second;
  std::ostringstream text;
  text << call << " was given " << handle
       << (found == objects.end() ? ", which is no handle or ended before"
                                  : ", which is of another kind or context");
  misuse(text.str());
  return nullptr;
}

bool State::isStream(const void *stream, const char *call) {
  return reinterpret_cast<uintptr_t>(stream) <= 2 ||
         find(Kind::Stream, stream, call);
}

uintptr_t State::add(Object object) {
  uintptr_t handle = nextHandle;
  nextHandle += 64;
  if (object.kind == Kind::Context)
    object.context = handle;
  else
    object.context = currentContexts.back();
  objects.emplace(handle, std::move(object));
  return handle;
}

uint64_t State::used() const {
  uint64_t bytes = 0;
  for (const auto &[address, allocation] : memories)
    if (allocation.source <= Source::Managed && !allocation.isFreed)
      bytes += allocation.bytes;
  return bytes;
}

CuResult State::allocate(Source source, size_t bytes, CuAddress &address) {
  if (bytes == 0)
    return InvalidValue;
  if (bytes > memory || (source <= Source::Managed && used() + bytes > memory))
    return OutOfMemory;
  auto *host = static_cast<char *>(
      std::aligned_alloc(4096, (bytes + 4095) / 4096 * 4096));
  if (host)
    ptxmachine::poison(host, bytes);
  if (source == Source::Managed) {
    address = reinterpret_cast<uintptr_t>(host);
  } else {
    address = nextAddress;
    // A gap after each, so that running over the end is found.
    nextAddress += (bytes / 4096 + 2) * 4096;
  }
  memories[address] = {source, bytes, host, true, currentContexts.back(),
                       0,      false};
  return Success;
}

bool State::canRelease(CuAddress address, std::initializer_list<Source> sources,
                       const char *call) {
  auto found = memories.find(address);
  bool right = false;
  if (found != memories.end() && !found->second.isFreed)
    for (Source source : sources)
      right |= found->second.source == source;
  if (!right)
    misuse(std::string(call) + " was given memory that it cannot free");
  return right;
}

CuResult State::release(CuAddress address,
                        std::initializer_list<Source> sources,
                        const char *call) {
  if (!canRelease(address, sources, call))
    return InvalidValue;
  auto found = memories.find(address);
  if (found->second.ownsHost)
    std::free(found->second.host);
  memories.erase(found);
  return Success;
}

char *State::translate(CuAddress address, size_t bytes, bool isQueued) {
  auto found = memories.upper_bound(address);
  if (found == memories.begin())
    return nullptr;
  --found;
  CuAddress offset = address - found->first;
  if ((found->second.isFreed && !isQueued) || offset > found->second.bytes ||
      bytes > found->second.bytes - offset)
    return nullptr;
  return found->second.host + offset;
}

void State::endContext(std::unique_lock<std::recursive_mutex> &lock,
                       uintptr_t context, bool checked) {
  bool lost = objects[context].lost != Success;
  // From now on no call queues work in it, and what is queued is dropped.
  objects[context].lost = ContextIsDestroyed;
  waitForAll(lock);
  workFailures.erase(context);
  streams.erase(std::remove_if(streams.begin(), streams.end(),
                               [&](const std::shared_ptr<Stream> &stream) {
                                 return stream->context == context;
                               }),
                streams.end());
  for (auto it = objects.begin(); it != objects.end();) {
    if (it->second.context != context) {
      ++it;
      continue;
    }
    if (checked && !lost && it->second.kind != Kind::Context &&
        it->second.kind != Kind::Function)
      misuse("a context was released with an object of kind " +
             std::to_string(int(it->second.kind)) + " in it");
    it = objects.erase(it);
  }
  for (auto it = memories.begin(); it != memories.end();) {
    if (it->second.context != context) {
      ++it;
      continue;
    }
    if (checked && !lost)
      misuse("a context was released with " + std::to_string(it->second.bytes) +
             " bytes in it");
    if (it->second.ownsHost)
      std::free(it->second.host);
    it = memories.erase(it);
  }
}

void State::readEnvironment() {
  const char *settings = std::getenv("PYK_STANDIN");
  if (!settings)
    return;
  std::istringstream text(settings);
  for (std::string setting; std::getline(text, setting, ',');)
    if (size_t equals = setting.find('='); equals != std::string::npos)
      set(setting.substr(0, equals), setting.substr(equals + 1));
}

void State::set(const std::string &name, const std::string &value) {
  uint64_t number = std::strtoull(value.c_str(), nullptr, 10);
  if (name == "devices")
    devices = int(number);
  else if (name == "version")
    version = int(number);
  else if (name == "memory")
    memory = number;
  else if (name == "hide")
    hidden.insert(value);
  else if (name == "seed")
    machine.seed = number;
  else if (name == "limit")
    machine.limit = number;
  else if (name == "capability")
    machine.capability = unsigned(number);
  else if (name == "async")
    isAsync = number != 0;
  else if (name == "execute")
    executes = number != 0;
  else if (name == "reach-host")
    reachesHost = number != 0;
  else if (name == "record")
    record = value;
  else if (name == "fail") {
    std::istringstream parts(value);
    std::string call, occurrence, result;
    std::getline(parts, call, ':');
    std::getline(parts, occurrence, ':');
    std::getline(parts, result);
    failures.push_back(
        {call, int(std::strtol(occurrence.c_str(), nullptr, 10)),
         CuResult(int(std::strtol(result.c_str(), nullptr, 10)))});
  }
}

std::vector<ptxmachine::Region> State::getRegions() const {
  std::vector<ptxmachine::Region> regions;
  regions.reserve(memories.size());
  for (const auto &[address, allocation] : memories)
    regions.push_back({address, allocation.bytes, allocation.host,
                       allocation.isReadOnly,
                       allocation.source == Source::Registered});
  return regions;
}

namespace {

/// Adds what a process did to a file that several may share.
struct Recorder {
  ~Recorder() {
    State &state = State::get();
    if (state.record.empty())
      return;
    std::ostringstream text;
    text << "launches " << state.executed.launches << "\nsteps "
         << state.executed.steps << "\nlane-steps " << state.executed.laneSteps
         << "\n";
    for (const std::string &opcode : state.opcodes)
      text << "instruction " << opcode << "\n";
    if (FILE *file = std::fopen(state.record.c_str(), "a")) {
      std::fwrite(text.str().data(), 1, text.str().size(), file);
      std::fclose(file);
    }
  }
} recorder;

} // namespace

//===----------------------------------------------------------------------===//
// Control
//===----------------------------------------------------------------------===//

#define LOCK                                                                   \
  State &state = State::get();                                                 \
  std::lock_guard<std::recursive_mutex> lock(state.mutex)

void standin_reset() {
  State &state = State::get();
  std::unique_lock<std::recursive_mutex> lock(state.mutex);
  state.stop(lock);
  for (auto &[address, allocation] : state.memories)
    if (allocation.ownsHost)
      std::free(allocation.host);
  state.devices = 1;
  state.version = 13000;
  state.memory = uint64_t(1) << 30;
  state.initialized = false;
  state.hidden.clear();
  state.failures.clear();
  state.workFailures.clear();
  state.streams.clear();
  state.calls.clear();
  state.counts.clear();
  state.misuses.clear();
  state.objects.clear();
  state.primary.clear();
  state.memories.clear();
  state.kernels.clear();
  state.jitOptions.clear();
  state.machine = {};
  state.heap = {};
  state.reachesHost = false;
  state.executes = true;
  state.isAsync = false;
  state.launched = 0;
  currentContexts.clear();
  state.readEnvironment();
}

void standin_set_devices(int32_t count) {
  LOCK;
  state.devices = count;
}

void standin_set_version(int32_t version) {
  LOCK;
  state.version = version;
}

void standin_set_memory(uint64_t bytes) {
  LOCK;
  state.memory = bytes;
}

void standin_hide(const char *symbol) {
  LOCK;
  state.hidden.insert(symbol);
}

void standin_fail(const char *call, int32_t occurrence, int32_t result) {
  LOCK;
  state.failures.push_back({call, occurrence, CuResult(result)});
}

void standin_fail_work(int32_t result) {
  LOCK;
  state.workFailures[0] = CuResult(result);
}

void standin_set_busy(int32_t on) {
  State &state = State::get();
  std::unique_lock<std::recursive_mutex> lock(state.mutex);
  state.busy = on;
  state.changed.notify_all();
  if (!state.isAsync && on == 0)
    state.waitForAll(lock);
}

uint64_t standin_set_seed(uint64_t seed) {
  LOCK;
  state.launched = 0;
  return std::exchange(state.machine.seed, seed);
}

void standin_set_silent(int32_t on) {
  LOCK;
  state.machine.isSilent = on != 0;
}

int32_t standin_calls(const char *call) {
  LOCK;
  if (!call)
    return int32_t(state.calls.size());
  auto found = state.counts.find(call);
  return found == state.counts.end() ? 0 : found->second;
}

const char *standin_call(int32_t index) {
  LOCK;
  if (index < 0 || size_t(index) >= state.calls.size())
    return nullptr;
  return state.calls[size_t(index)].c_str();
}

int32_t standin_live() {
  LOCK;
  int32_t live = 0;
  for (const auto &[handle, object] : state.objects)
    live += object.kind != Kind::Function;
  for (const auto &[address, allocation] : state.memories)
    live += allocation.source != Source::Variable && !allocation.isFreed;
  return live;
}

const char *standin_misuses() {
  LOCK;
  return state.misuses.c_str();
}

int64_t standin_jit_option(int32_t option) {
  LOCK;
  auto found = state.jitOptions.find(option);
  return found == state.jitOptions.end() ? -1 : int64_t(found->second);
}

void standin_set_kernel(const char *name, void (*run)(const standin_launch *)) {
  LOCK;
  state.kernels[name] = run;
}

void *standin_memory(uint64_t address) {
  LOCK;
  return state.translate(address, 1, /*isQueued=*/true);
}
