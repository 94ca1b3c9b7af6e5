// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The limits of a launch, for everyone who knows them: the compiler, which
// takes them for granted, the runtime, which refuses what exceeds them, and
// Python. What the arguments of a launch must be less than is in Arguments.h.

#ifndef PYK_RUNTIME_LIMITS_H
#define PYK_RUNTIME_LIMITS_H

#include <cstdint>

namespace pyk::runtime {

/// The limits of a launch. All but the last are CUDA's (compute capability
/// 9.0), and those of grids and blocks are the same for every compute
/// capability that PyK compiles for.
struct LaunchLimits {
  /// Blocks of a grid along x, y and z.
  static constexpr int64_t grid[3] = {(int64_t(1) << 31) - 1, 65535, 65535};
  /// Threads of a block along x, y and z.
  static constexpr int64_t block[3] = {1024, 1024, 64};
  static constexpr int64_t threadsPerBlock = 1024;
  /// Bytes; static shared memory, rounded up to 16, and dynamic together.
  static constexpr int64_t sharedBytesPerBlock = 227 * 1024;
  /// Bytes; of these, what static shared memory may take.
  static constexpr int64_t staticSharedBytesPerBlock = 48 * 1024;
  /// Bytes.
  static constexpr int64_t localBytesPerThread = 512 * 1024;
  /// Bytes of constant memory.
  static constexpr int64_t constantBytesPerModule = 64 * 1024;
  /// How deep grids may be that kernels launch; those of the host are at 0.
  static constexpr int64_t nestedLaunches = 24;
  /// Grids of one launch by the host that kernels have launched and that have
  /// not begun.
  static constexpr int64_t waitingLaunches = 2048;
  /// Threads whose blocks can have begun and not ended at a time on each worker
  /// when blocks wait for each other by memory; one block is always possible.
  /// A launch whose blocks all wait for the last one so ends only if this times
  /// `cpuThreadCount()` covers it. Barriers of the grid have no such limit.
  static constexpr int64_t residentThreadsPerWorker = 16384;
};

} // namespace pyk::runtime

#endif // PYK_RUNTIME_LIMITS_H
