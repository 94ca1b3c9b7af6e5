// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stand-in's streams, events, modules and launches.

#include "Entry.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

using namespace standin;
using namespace pyk::runtime::driver;

namespace {

Object *function(State &state, const void *handle, const char *call) {
  return state.find(Kind::Function, handle, call);
}

const ptxmachine::Function &kernelOf(const Object &function) {
  return *function.kernel->text;
}

/// A parameter of 8 bytes that is an address of ours must be alive.
bool addressesAreAlive(State &state, const ptxmachine::Function &kernel,
                       void *const *arguments) {
  for (size_t i = 0; i < kernel.parameters.size(); ++i) {
    CuAddress value;
    if (kernel.parameters[i].bytes != sizeof(value))
      continue;
    std::memcpy(&value, arguments[i], sizeof(value));
    if (value >> 56 == 0x5a && !state.translate(value, 0)) {
      state.misuse("kernel " + kernel.name +
                   " was given memory that is not there");
      return false;
    }
  }
  return true;
}

/// Runs a kernel's PTX. Its failure is told by the next call that waits.
CuResult execute(State &state, std::unique_lock<std::recursive_mutex> &lock,
                 const Object &launched, const CuLaunchConfig &config,
                 void *const *arguments, bool cooperative) {
  // The module may be unloaded meanwhile.
  std::shared_ptr<Module> module = launched.code;
  ptxmachine::Launch launch;
  launch.program = module->program.get();
  launch.kernel = launched.kernel;
  launch.grid = {config.gridDimX, config.gridDimY, config.gridDimZ};
  launch.block = {config.blockDimX, config.blockDimY, config.blockDimZ};
  launch.dynamicShared = config.sharedMemBytes;
  launch.isCooperative = cooperative;
  const std::vector<ptxmachine::Variable> &parameters =
      launched.kernel->text->parameters;
  for (size_t i = 0; i < parameters.size(); ++i)
    launch.addParameter(static_cast<const char *>(arguments[i]), parameters[i]);
  // Work of one stream is in order, whoever queues it; and nobody frees memory
  // or code while a kernel runs.
  lock.unlock();
  std::lock_guard<std::recursive_mutex> running(state.running);
  lock.lock();
  ptxmachine::Memory memory(state.getRegions(), state.heap, state.reachesHost);
  // The size of the workspace, and the word of the grid's barrier.
  constexpr uint32_t workspace[2] = {sizeof(workspace), 0};
  if (cooperative) {
    launch.workspace = memory.allocate(sizeof(workspace));
    if (!launch.workspace)
      return OutOfMemory;
    std::memcpy(memory.find(launch.workspace, sizeof(workspace), true),
                workspace, sizeof(workspace));
  }
  ptxmachine::Settings settings = state.machine;
  if (settings.seed != 0)
    settings.seed += 1000003 * state.launched++;
  try {
    ptxmachine::Machine(settings, memory, state.executed).run(launch);
  } catch (const ptxmachine::Fault &fault) {
    std::fprintf(stderr, "PTX machine: %s\n", fault.what());
    state.workFailure = CuResult(int(fault.kind));
  } catch (const std::exception &error) {
    std::fprintf(stderr, "PTX machine: %s\n", error.what());
    state.workFailure = LaunchFailed;
  }
  if (cooperative)
    memory.release(launch.workspace);
  return Success;
}

CuResult launch(State &state, std::unique_lock<std::recursive_mutex> &lock,
                const char *call, const CuLaunchConfig &config,
                CuFunction handle, void **arguments, bool cooperative) {
  Object *launched = function(state, handle, call);
  if (!launched)
    return InvalidHandle;
  if (!state.isStream(config.hStream, call))
    return InvalidHandle;
  const ptxmachine::Function &kernel = kernelOf(*launched);
  unsigned threads = config.blockDimX * config.blockDimY * config.blockDimZ;
  if (threads == 0 || threads > unsigned(kernel.maxThreads) ||
      config.gridDimX == 0 || config.gridDimY == 0 || config.gridDimZ == 0 ||
      config.sharedMemBytes > unsigned(launched->maxDynamicShared))
    return InvalidValue;
  if (!arguments && !kernel.parameters.empty())
    return InvalidValue;
  const std::array<unsigned, 3> block = {config.blockDimX, config.blockDimY,
                                         config.blockDimZ};
  if (kernel.requiredThreads[0] != 0 && kernel.requiredThreads != block)
    return InvalidValue;
  if (cooperative &&
      uint64_t(config.gridDimX) * config.gridDimY * config.gridDimZ >
          4 * (2048 / threads))
    return CooperativeLaunchTooLarge;
  if (!addressesAreAlive(state, kernel, arguments)) {
    state.workFailure = IllegalAddress;
    return Success;
  }
  auto run = state.kernels.find(kernel.name);
  if (run == state.kernels.end() || !run->second)
    return state.executes
               ? execute(state, lock, *launched, config, arguments, cooperative)
               : Success;
  standin_launch described = {
      {config.gridDimX, config.gridDimY, config.gridDimZ},
      {config.blockDimX, config.blockDimY, config.blockDimZ},
      config.sharedMemBytes,
      arguments};
  void (*body)(const standin_launch *) = run->second;
  lock.unlock();
  std::lock_guard<std::recursive_mutex> running(state.running);
  body(&described);
  return Success;
}

void writeLog(const std::string &log, unsigned count, const int32_t *options,
              void *const *values) {
  char *buffer = nullptr;
  size_t bytes = 0;
  for (unsigned i = 0; i < count; ++i) {
    if (options[i] == jitErrorLog)
      buffer = static_cast<char *>(values[i]);
    if (options[i] == jitErrorLogBytes)
      bytes = reinterpret_cast<uintptr_t>(values[i]);
  }
  if (!buffer || bytes == 0)
    return;
  size_t length = std::min(log.size(), bytes - 1);
  std::memcpy(buffer, log.data(), length);
  buffer[length] = '\0';
}

std::vector<const ptxmachine::Variable *>
getVariables(const ptxmachine::Function &function) {
  std::vector<const ptxmachine::Variable *> variables;
  variables.reserve(function.variables.size());
  for (const ptxmachine::Variable &variable : function.variables)
    variables.push_back(&variable);
  return variables;
}

/// The bytes of those that are in a space.
uint64_t countBytes(const std::vector<const ptxmachine::Variable *> &variables,
                    ptxmachine::Space space) {
  uint64_t bytes = 0;
  for (const ptxmachine::Variable *variable : variables)
    if (variable->space == space)
      bytes += variable->bytes;
  return bytes;
}

/// Forgets a module, its functions and its variables.
void unload(State &state, uintptr_t handle) {
  for (auto it = state.objects.begin(); it != state.objects.end();)
    it = it->first == handle || it->second.module == handle
             ? state.objects.erase(it)
             : std::next(it);
  for (auto it = state.memories.begin(); it != state.memories.end();) {
    if (it->second.module != handle) {
      ++it;
      continue;
    }
    std::free(it->second.host);
    it = state.memories.erase(it);
  }
}

/// Links a text, and gives its variables memory.
void loadProgram(State &state, Module &module, uintptr_t handle,
                 const std::string &text) {
  module.program = ptxmachine::Program::link({text});
  ptxmachine::Program &program = *module.program;
  for (const ptxmachine::Variable *variable : program.getVariables()) {
    CuAddress address;
    if (state.allocate(Source::Variable, std::max<size_t>(variable->bytes, 1),
                       address) != Success)
      throw ptxmachine::TextError(0, "error   : no memory for variables");
    state.memories[address].module = handle;
    state.memories[address].isReadOnly =
        variable->space == ptxmachine::Space::Const;
    program.place(variable->name, address);
    module.variables[variable->name] = address;
  }
  program.prepare();
  for (const ptxmachine::Variable *variable : program.getVariables())
    program.initialize(
        *variable,
        state.translate(module.variables[variable->name], variable->bytes));
  if (program.getKernels().empty())
    throw ptxmachine::TextError(1, "fatal   : no .entry in the text");
  for (const std::string &opcode : program.getOpcodes())
    state.opcodes.insert(opcode);
}

} // namespace

extern "C" {

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

STANDIN_API CuResult cuStreamCreate(CuStream *stream, unsigned flags) {
  STANDIN_BEGIN_IN_CONTEXT(cuStreamCreate);
  if (flags > 1)
    return InvalidValue;
  Object made = {};
  made.kind = Kind::Stream;
  made.flags = flags;
  *stream = reinterpret_cast<CuStream>(state.add(made));
  return Success;
}

STANDIN_API CuResult cuStreamDestroy_v2(CuStream stream) {
  STANDIN_BEGIN_IN_CONTEXT(cuStreamDestroy);
  if (!state.find(Kind::Stream, stream, "cuStreamDestroy"))
    return InvalidHandle;
  state.objects.erase(reinterpret_cast<uintptr_t>(stream));
  return Success;
}

STANDIN_API CuResult cuStreamGetCtx(CuStream stream, CuContext *context) {
  STANDIN_BEGIN_IN_CONTEXT(cuStreamGetCtx);
  auto found = state.objects.find(reinterpret_cast<uintptr_t>(stream));
  if (found == state.objects.end() || found->second.kind != Kind::Stream)
    return InvalidHandle;
  *context = reinterpret_cast<CuContext>(found->second.context);
  return Success;
}

STANDIN_API CuResult cuStreamSynchronize(CuStream stream) {
  STANDIN_BEGIN_WAITING(cuStreamSynchronize);
  STANDIN_CHECK_STREAM(cuStreamSynchronize, stream);
  STANDIN_WAIT_FOR_WORK(state.isAlone(stream));
  return state.getLost();
}

STANDIN_API CuResult cuStreamQuery(CuStream stream) {
  STANDIN_BEGIN_WAITING(cuStreamQuery);
  STANDIN_CHECK_STREAM(cuStreamQuery, stream);
  STANDIN_CHECK_READY(state.isAlone(stream));
  return Success;
}

STANDIN_API CuResult cuStreamWaitEvent(CuStream stream, CuEvent event,
                                       unsigned) {
  STANDIN_BEGIN_IN_CONTEXT(cuStreamWaitEvent);
  STANDIN_CHECK_STREAM(cuStreamWaitEvent, stream);
  return state.find(Kind::Event, event, "cuStreamWaitEvent") ? Success
                                                             : InvalidHandle;
}

STANDIN_API CuResult cuStreamAddCallback(CuStream stream,
                                         CuStreamCallback callback, void *data,
                                         unsigned) {
  STANDIN_BEGIN_IN_CONTEXT(cuStreamAddCallback);
  STANDIN_CHECK_STREAM(cuStreamAddCallback, stream);
  CuResult status = state.workFailure;
  lock.unlock();
  callback(stream, status, data);
  return Success;
}

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

STANDIN_API CuResult cuEventCreate(CuEvent *event, unsigned flags) {
  STANDIN_BEGIN_IN_CONTEXT(cuEventCreate);
  Object made = {};
  made.kind = Kind::Event;
  made.flags = flags;
  *event = reinterpret_cast<CuEvent>(state.add(made));
  return Success;
}

STANDIN_API CuResult cuEventDestroy_v2(CuEvent event) {
  STANDIN_BEGIN_IN_CONTEXT(cuEventDestroy);
  if (!state.find(Kind::Event, event, "cuEventDestroy"))
    return InvalidHandle;
  state.objects.erase(reinterpret_cast<uintptr_t>(event));
  return Success;
}

STANDIN_API CuResult cuEventRecord(CuEvent event, CuStream stream) {
  STANDIN_BEGIN_IN_CONTEXT(cuEventRecord);
  STANDIN_CHECK_STREAM(cuEventRecord, stream);
  Object *recorded = state.find(Kind::Event, event, "cuEventRecord");
  if (!recorded)
    return InvalidHandle;
  recorded->recorded = true;
  recorded->alone = state.isAlone(stream);
  recorded->time = std::chrono::steady_clock::now();
  return Success;
}

#ifndef PYK_STANDIN_OLD
STANDIN_API CuResult cuCtxRecordEvent(CuContext context, CuEvent event) {
  STANDIN_BEGIN_IN_CONTEXT(cuCtxRecordEvent);
  Object *recorded = state.find(Kind::Event, event, "cuCtxRecordEvent");
  if (!recorded || recorded->context != reinterpret_cast<uintptr_t>(context))
    return InvalidHandle;
  recorded->recorded = recorded->alone = true;
  recorded->time = std::chrono::steady_clock::now();
  return Success;
}
#endif

STANDIN_API CuResult cuEventQuery(CuEvent event) {
  STANDIN_BEGIN_WAITING(cuEventQuery);
  Object *asked = state.find(Kind::Event, event, "cuEventQuery");
  if (!asked)
    return InvalidHandle;
  STANDIN_CHECK_READY(asked->alone);
  return Success;
}

STANDIN_API CuResult cuEventSynchronize(CuEvent event) {
  STANDIN_BEGIN_WAITING(cuEventSynchronize);
  Object *awaited = state.find(Kind::Event, event, "cuEventSynchronize");
  if (!awaited)
    return InvalidHandle;
  STANDIN_WAIT_FOR_WORK(awaited->alone);
  return state.getLost();
}

STANDIN_API CuResult cuEventElapsedTime(float *milliseconds, CuEvent start,
                                        CuEvent end) {
  STANDIN_BEGIN_IN_CONTEXT(cuEventElapsedTime);
  Object *begun = state.find(Kind::Event, start, "cuEventElapsedTime");
  Object *ended = state.find(Kind::Event, end, "cuEventElapsedTime");
  if (!begun || !ended || !begun->recorded || !ended->recorded ||
      ((begun->flags | ended->flags) & eventDisableTiming))
    return InvalidHandle;
  *milliseconds =
      std::chrono::duration<float, std::milli>(ended->time - begun->time)
          .count();
  return Success;
}

//===----------------------------------------------------------------------===//
// Modules and functions
//===----------------------------------------------------------------------===//

STANDIN_API CuResult cuModuleLoadDataEx(CuModule *module, const void *image,
                                        unsigned count, int32_t *options,
                                        void **values) {
  STANDIN_BEGIN_IN_CONTEXT(cuModuleLoadDataEx);
  if (std::memcmp(image, "\177ELF", 4) == 0)
    return NoBinaryForGpu;
  state.jitOptions.clear();
  for (unsigned i = 0; i < count; ++i)
    state.jitOptions[options[i]] = reinterpret_cast<uintptr_t>(values[i]);
  auto asks = [&](int32_t option, uintptr_t value) {
    auto found = state.jitOptions.find(option);
    return found != state.jitOptions.end() && found->second == value;
  };
  if (asks(jitDebugInfo, 1) && !asks(jitOptimizationLevel, 0)) {
    writeLog("Optimized debugging not supported", count, options, values);
    return InvalidPtx;
  }
  auto code = std::make_shared<Module>();
  Object made = {};
  made.kind = Kind::Module;
  made.code = code;
  uintptr_t handle = state.add(std::move(made));
  try {
    loadProgram(state, *code, handle, static_cast<const char *>(image));
  } catch (const std::exception &error) {
    unload(state, handle);
    writeLog(error.what(), count, options, values);
    return InvalidPtx;
  }
  *module = reinterpret_cast<CuModule>(handle);
  return Success;
}

STANDIN_API CuResult cuModuleUnload(CuModule module) {
  STANDIN_BEGIN_IN_CONTEXT(cuModuleUnload);
  STANDIN_WAIT_FOR_WORK(true);
  if (!state.find(Kind::Module, module, "cuModuleUnload"))
    return InvalidHandle;
  unload(state, reinterpret_cast<uintptr_t>(module));
  return Success;
}

STANDIN_API CuResult cuModuleGetFunction(CuFunction *result, CuModule module,
                                         const char *name) {
  STANDIN_BEGIN_IN_CONTEXT(cuModuleGetFunction);
  Object *loaded = state.find(Kind::Module, module, "cuModuleGetFunction");
  if (!loaded)
    return InvalidHandle;
  const ptxmachine::Code *kernel = loaded->code->program->find(name);
  if (!kernel || !kernel->text->isKernel)
    return NotFound;
  Object made = {};
  made.kind = Kind::Function;
  made.code = loaded->code;
  made.kernel = kernel;
  made.module = reinterpret_cast<uintptr_t>(module);
  *result = reinterpret_cast<CuFunction>(state.add(std::move(made)));
  return Success;
}

STANDIN_API CuResult cuModuleGetGlobal_v2(CuAddress *address, size_t *bytes,
                                          CuModule module, const char *name) {
  STANDIN_BEGIN_IN_CONTEXT(cuModuleGetGlobal);
  Object *loaded = state.find(Kind::Module, module, "cuModuleGetGlobal");
  if (!loaded)
    return InvalidHandle;
  auto found = loaded->code->variables.find(name);
  if (found == loaded->code->variables.end())
    return NotFound;
  *address = found->second;
  *bytes = state.memories[found->second].bytes;
  return Success;
}

STANDIN_API CuResult cuFuncGetAttribute(int *value, int32_t attribute,
                                        CuFunction handle) {
  STANDIN_BEGIN_IN_CONTEXT(cuFuncGetAttribute);
  Object *asked = function(state, handle, "cuFuncGetAttribute");
  if (!asked)
    return InvalidHandle;
  switch (attribute) {
  case functionMaxThreads:
    *value = kernelOf(*asked).maxThreads;
    return Success;
  case functionSharedBytes:
    *value = int(asked->kernel->sharedBytes);
    return Success;
  case functionConstBytes:
    *value = int(countBytes(asked->code->program->getVariables(),
                            ptxmachine::Space::Const));
    return Success;
  case functionLocalBytes:
    *value = int(countBytes(getVariables(*asked->kernel->text),
                            ptxmachine::Space::Local));
    return Success;
  case functionRegisters:
    *value = 16;
    return Success;
  case functionMaxDynamicShared:
    *value = asked->maxDynamicShared;
    return Success;
  default:
    return InvalidValue;
  }
}

STANDIN_API CuResult cuFuncSetAttribute(CuFunction handle, int32_t attribute,
                                        int value) {
  STANDIN_BEGIN_IN_CONTEXT(cuFuncSetAttribute);
  Object *changed = function(state, handle, "cuFuncSetAttribute");
  if (!changed)
    return InvalidHandle;
  if (attribute == functionMaxDynamicShared && value >= 0 && value <= 232448)
    changed->maxDynamicShared = value;
  else if (attribute != functionCarveout || value < -1 || value > 100)
    return InvalidValue;
  return Success;
}

STANDIN_API CuResult cuFuncSetCacheConfig(CuFunction handle,
                                          int32_t preference) {
  STANDIN_BEGIN_IN_CONTEXT(cuFuncSetCacheConfig);
  if (!function(state, handle, "cuFuncSetCacheConfig"))
    return InvalidHandle;
  return preference >= 0 && preference <= 3 ? Success : InvalidValue;
}

STANDIN_API CuResult cuOccupancyMaxActiveBlocksPerMultiprocessor(
    int *blocks, CuFunction handle, int blockThreads, size_t) {
  STANDIN_BEGIN_IN_CONTEXT(cuOccupancyMaxActiveBlocksPerMultiprocessor);
  if (!function(state, handle, "cuOccupancyMaxActiveBlocksPerMultiprocessor"))
    return InvalidHandle;
  if (blockThreads < 1)
    return InvalidValue;
  *blocks = std::min(32, 2048 / blockThreads);
  return Success;
}

STANDIN_API CuResult cuOccupancyMaxPotentialBlockSize(int *minGrid,
                                                      int *blockThreads,
                                                      CuFunction handle,
                                                      CuBlockToShared, size_t,
                                                      int limit) {
  STANDIN_BEGIN_IN_CONTEXT(cuOccupancyMaxPotentialBlockSize);
  Object *asked = function(state, handle, "cuOccupancyMaxPotentialBlockSize");
  if (!asked)
    return InvalidHandle;
  *blockThreads = kernelOf(*asked).maxThreads;
  if (limit > 0)
    *blockThreads = std::min(*blockThreads, limit);
  *minGrid = 4 * std::min(32, 2048 / *blockThreads);
  return Success;
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

STANDIN_API CuResult cuLaunchKernel(CuFunction handle, unsigned gridX,
                                    unsigned gridY, unsigned gridZ,
                                    unsigned blockX, unsigned blockY,
                                    unsigned blockZ, unsigned sharedBytes,
                                    CuStream stream, void **arguments,
                                    void **) {
  STANDIN_BEGIN_IN_CONTEXT(cuLaunchKernel);
  return launch(state, lock, "cuLaunchKernel",
                {gridX, gridY, gridZ, blockX, blockY, blockZ, sharedBytes,
                 stream, nullptr, 0},
                handle, arguments, /*cooperative=*/false);
}

STANDIN_API CuResult cuLaunchCooperativeKernel(
    CuFunction handle, unsigned gridX, unsigned gridY, unsigned gridZ,
    unsigned blockX, unsigned blockY, unsigned blockZ, unsigned sharedBytes,
    CuStream stream, void **arguments) {
  STANDIN_BEGIN_IN_CONTEXT(cuLaunchCooperativeKernel);
  return launch(state, lock, "cuLaunchCooperativeKernel",
                {gridX, gridY, gridZ, blockX, blockY, blockZ, sharedBytes,
                 stream, nullptr, 0},
                handle, arguments, /*cooperative=*/true);
}

#ifndef PYK_STANDIN_OLD
STANDIN_API CuResult cuLaunchKernelEx(const CuLaunchConfig *config,
                                      CuFunction handle, void **arguments,
                                      void **) {
  STANDIN_BEGIN_IN_CONTEXT(cuLaunchKernelEx);
  bool cooperative = false;
  for (unsigned i = 0; i < config->numAttrs; ++i)
    if (config->attrs[i].id == launchCooperative)
      cooperative = config->attrs[i].value.cooperative != 0;
  return launch(state, lock, "cuLaunchKernelEx", *config, handle, arguments,
                cooperative);
}
#endif

} // extern "C"
