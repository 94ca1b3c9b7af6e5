// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stand-in's launches.

#include "Entry.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

using namespace standin;
using namespace pyk::runtime::driver;

namespace {

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

/// The bytes of a kernel's arguments, which the driver copies at the call; 0 up
/// to 8, so that a host function reads any integer as one of 64 bits.
std::vector<std::vector<char>> copyArguments(const ptxmachine::Function &kernel,
                                             void *const *arguments) {
  std::vector<std::vector<char>> copies;
  for (size_t i = 0; i < kernel.parameters.size(); ++i) {
    const auto *from = static_cast<const char *>(arguments[i]);
    copies.emplace_back(from, from + kernel.parameters[i].bytes);
    copies.back().resize(std::max<size_t>(copies.back().size(), 8));
  }
  return copies;
}

/// Runs a kernel's PTX. Throws what the machine does.
void execute(State &state, const ptxmachine::Launch &described) {
  std::unique_lock<std::recursive_mutex> lock(state.mutex);
  ptxmachine::Memory memory(state.getRegions(), state.heap, state.reachesHost);
  ptxmachine::Settings settings = state.machine;
  settings.stop = &state.stops;
  if (settings.seed != 0)
    settings.seed += 1000003 * state.launched++;
  state.isRunning = true;
  lock.unlock();
  ptxmachine::Launch launch = described;
  // The size of the workspace, and the word of the grid's barrier.
  constexpr uint32_t workspace[2] = {sizeof(workspace), 0};
  if (launch.isCooperative) {
    launch.workspace = memory.allocate(sizeof(workspace));
    if (!launch.workspace)
      throw ptxmachine::Fault(ptxmachine::FaultKind::LaunchFailed,
                              "no memory for the barrier of a grid");
    std::memcpy(memory.find(launch.workspace, sizeof(workspace), true),
                workspace, sizeof(workspace));
  }
  ptxmachine::Machine(settings, memory, state.executed).run(launch);
  if (launch.isCooperative)
    memory.release(launch.workspace);
}

/// The same; a failure loses the context `context`.
void runKernel(State &state, const ptxmachine::Launch &launch,
               uintptr_t context) {
  // One kernel runs at a time.
  std::lock_guard<std::mutex> running(state.running);
  CuResult failure = Success;
  std::string text;
  try {
    execute(state, launch);
  } catch (const ptxmachine::Fault &fault) {
    failure = CuResult(int(fault.kind));
    text = fault.what();
  } catch (const std::exception &error) {
    failure = LaunchFailed;
    text = error.what();
  }
  std::lock_guard<std::recursive_mutex> lock(state.mutex);
  state.isRunning = false;
  for (char *memory : state.freedLater)
    std::free(memory);
  state.freedLater.clear();
  state.changed.notify_all();
  if (failure == Success)
    return;
  if (!state.stops && !state.machine.isSilent)
    std::fprintf(stderr, "PTX machine: %s\n", text.c_str());
  state.failWork(failure, context);
}

CuResult launch(State &state, std::unique_lock<std::recursive_mutex> &lock,
                const char *call, const CuLaunchConfig &config,
                CuFunction handle, void **arguments, bool cooperative) {
  Object *launched = state.find(Kind::Function, handle, call);
  if (!launched)
    return InvalidHandle;
  if (!state.isStream(config.hStream, call))
    return InvalidHandle;
  const ptxmachine::Function &kernel = *launched->kernel->text;
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
  std::shared_ptr<Stream> stream = state.getStream(config.hStream);
  if (!addressesAreAlive(state, kernel, arguments)) {
    state.failWork(IllegalAddress, stream->context);
    return Success;
  }
  auto copies = copyArguments(kernel, arguments);
  auto run = state.kernels.find(kernel.name);
  if (run != state.kernels.end() && run->second) {
    state.enqueue(lock, stream,
                  [body = run->second, copies, config](CuResult lost) {
                    std::vector<void *> values;
                    values.reserve(copies.size());
                    for (const std::vector<char> &copy : copies)
                      values.push_back(const_cast<char *>(copy.data()));
                    standin_launch described = {
                        {config.gridDimX, config.gridDimY, config.gridDimZ},
                        {config.blockDimX, config.blockDimY, config.blockDimZ},
                        config.sharedMemBytes,
                        values.data()};
                    if (lost == Success)
                      body(&described);
                  });
    return Success;
  }
  if (!state.executes)
    return Success;
  ptxmachine::Launch described;
  described.program = launched->code->program.get();
  described.kernel = launched->kernel;
  described.grid = {config.gridDimX, config.gridDimY, config.gridDimZ};
  described.block = block;
  described.dynamicShared = config.sharedMemBytes;
  described.isCooperative = cooperative;
  for (size_t i = 0; i < copies.size(); ++i)
    described.addParameter(copies[i].data(), kernel.parameters[i]);
  // The module may be unloaded before its kernel runs.
  state.enqueue(lock, stream,
                [&state, described, context = stream->context,
                 module = launched->code](CuResult lost) {
                  if (lost == Success)
                    runKernel(state, described, context);
                });
  return Success;
}

} // namespace

extern "C" {

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
