// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a kernel that the CPU target compiled: the counterpart of cuLaunchKernel
// and of the limits that CUDA puts on a launch, which hold here too so that a
// program that runs on the CPU also launches on a GPU.

#ifndef PYK_RUNTIME_CPULAUNCH_H
#define PYK_RUNTIME_CPULAUNCH_H

#include "pyk/runtime/ABI.h"
#include "pyk/runtime/Export.h"
#include "pyk/runtime/Limits.h"
#include "pyk/runtime/Status.h"

#include <cstdint>

namespace pyk::runtime {

/// How many threads a launch has and what each block gets. The numbers are wide
/// and signed so that a value that came out of range from elsewhere is reported
/// as it was. Dimensions are in the order x, y, z.
struct LaunchShape {
  /// Blocks of the grid.
  int64_t grid[3] = {1, 1, 1};
  /// Threads of one block.
  int64_t block[3] = {1, 1, 1};
  /// Bytes of dynamic shared memory of one block.
  int64_t dynamicSharedBytes = 0;
};

/// Runs `kernel` for every thread of `shape` and returns when all have ended.
/// `kernel`, and `arguments` with what it points at, stay the caller's and must
/// live until the return; `arguments` may be null for a kernel without
/// parameters.
///
/// Fails without running anything if the kernel has another ABI version or the
/// shape exceeds a limit (InvalidArgument), if `PYK_CPU_THREADS` is not a
/// positive integer (InvalidArgument), if called from inside a kernel
/// (FailedPrecondition), or if no worker can be started (Unavailable). If
/// memory for stacks or shared memory runs out (OutOfMemory), a thread accesses
/// memory that is not the program's (IllegalAddress), or the interrupt check
/// asks to stop (Cancelled), some blocks may have run.
///
/// May be called from any thread at any time. Launches that use the workers run
/// one after the other; a small launch runs on its calling thread at once,
/// beside others. A child process made by fork() starts workers of its own;
/// fork() must not be called inside a kernel.
PYK_RUNTIME_EXPORT Status launchOnCpu(const pyk_rt_kernel &kernel,
                                      const LaunchShape &shape,
                                      void *const *arguments);

/// Returns on how many OS threads, the calling one included, a launch runs:
/// what `setCpuThreadCount` set, or else `PYK_CPU_THREADS`, or else what the
/// process may use of the machine. The environment is read once. Fails with
/// InvalidArgument if `PYK_CPU_THREADS` is not a positive integer of at most
/// 1024. May be called from any thread.
PYK_RUNTIME_EXPORT Result<int32_t> cpuThreadCount();

/// Lets later launches run on `count` OS threads, 1 to 1024; 0 goes back to
/// reading the environment. Launches under way keep what they have. Fails with
/// InvalidArgument for any other count. May be called from any thread.
PYK_RUNTIME_EXPORT Status setCpuThreadCount(int32_t count);

/// Lets each later launch or wait call `check`, about every 25 ms and on the
/// thread that launches or waits, and end with Cancelled once it returns true.
/// Blocks that have begun are left where they are, and so is the work of a CPU
/// stream that is waited for. Null, as at first, asks nobody. May be called
/// from any thread.
PYK_RUNTIME_EXPORT void setInterruptCheck(bool (*check)());

} // namespace pyk::runtime

#endif // PYK_RUNTIME_CPULAUNCH_H
