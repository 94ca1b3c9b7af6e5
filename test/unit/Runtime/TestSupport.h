// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the runtime's tests share: kernels are functions written by hand in the
// form that the CPU target compiles to, without captures, so that all they know
// comes through their arguments.

#ifndef PYK_TEST_UNIT_RUNTIME_TESTSUPPORT_H
#define PYK_TEST_UNIT_RUNTIME_TESTSUPPORT_H

#include "pyk/runtime/CpuLaunch.h"

#include "gtest/gtest.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <type_traits>

#if defined(__has_feature)
#define PYK_HAS_FEATURE(name) __has_feature(name)
#else
#define PYK_HAS_FEATURE(name) 0
#endif

namespace pyk::runtime::test {

#if defined(__SANITIZE_ADDRESS__) || PYK_HAS_FEATURE(address_sanitizer)
inline constexpr bool underAddressSanitizer = true;
#else
inline constexpr bool underAddressSanitizer = false;
#endif

#if defined(__SANITIZE_THREAD__) || PYK_HAS_FEATURE(thread_sanitizer)
inline constexpr bool underThreadSanitizer = true;
#else
inline constexpr bool underThreadSanitizer = false;
#endif

/// A kernel whose threads may wait.
inline pyk_rt_kernel fiberKernel(pyk_rt_thread_fn thread,
                                 uint32_t staticSharedBytes = 0,
                                 uint64_t localBytes = 0) {
  return {
      PYK_RT_ABI_VERSION,      staticSharedBytes, localBytes, thread, nullptr,
      /*max_threads=*/0,
      /*parameter_count=*/0,   nullptr,           "hand",
      /*waits_for_grid=*/0,
      /*thread_runs_block=*/0,
      /*is_reversed=*/0,       /*reserved=*/0};
}

/// Runs one block of a kernel that a test writes by hand.
using BlockFunction = void (*)(pyk_rt_block *block, void *const *arguments);

/// Runs `function` for each block from `begin` to before `end`, as compiled
/// code does.
template <typename Function>
void runBlocks(Function function, pyk_rt_block *block, uint64_t begin,
               uint64_t end, void *const *arguments) {
  for (; begin < end; ++begin) {
    uint64_t rest = begin;
    for (int i = 0; i < 3; ++i) {
      block->block_id[i] = int32_t(rest % uint64_t(block->grid_dim[i]));
      rest /= uint64_t(block->grid_dim[i]);
    }
    function(block, arguments);
  }
}

/// A kernel whose threads do not wait. `thread` is not called.
inline pyk_rt_kernel rangeKernel(pyk_rt_blocks_fn blocks,
                                 uint32_t staticSharedBytes = 0) {
  pyk_rt_thread_fn thread = [](pyk_rt_block *, int32_t, int32_t, int32_t,
                               void *const *) {};
  return {PYK_RT_ABI_VERSION,      staticSharedBytes, 0,      thread, blocks,
          /*max_threads=*/0,
          /*parameter_count=*/0,   nullptr,           "hand",
          /*waits_for_grid=*/0,
          /*thread_runs_block=*/0,
          /*is_reversed=*/0,       /*reserved=*/0};
}

/// One that runs a function for each block.
template <BlockFunction function>
pyk_rt_kernel loopKernel(uint32_t staticSharedBytes = 0) {
  return rangeKernel(
      [](pyk_rt_block *block, uint64_t begin, uint64_t end,
         void *const *arguments) {
        runBlocks(function, block, begin, end, arguments);
      },
      staticSharedBytes);
}

/// The same with a function that has a type of its own: a lambda.
template <typename Function>
pyk_rt_kernel loopKernel(Function function, uint32_t staticSharedBytes = 0) {
  static_assert(std::is_class_v<Function>, "one type, one function");
  static const Function kept = function;
  return rangeKernel(
      [](pyk_rt_block *block, uint64_t begin, uint64_t end,
         void *const *arguments) {
        runBlocks(kept, block, begin, end, arguments);
      },
      staticSharedBytes);
}

/// A one-dimensional launch.
inline LaunchShape shapeOf(int64_t blocks, int64_t threads,
                           int64_t dynamicSharedBytes = 0) {
  return {{blocks, 1, 1}, {threads, 1, 1}, dynamicSharedBytes};
}

/// The `index`-th argument of a kernel, as compiled code reads it.
template <typename T>
T argument(void *const *arguments, int index) {
  return *static_cast<T *>(arguments[index]);
}

/// Launches and expects success; each further argument is one of the kernel's.
template <typename... Arguments>
void expectLaunch(const pyk_rt_kernel &kernel, const LaunchShape &shape,
                  Arguments... arguments) {
  void *addresses[] = {static_cast<void *>(&arguments)..., nullptr};
  Status status = launchOnCpu(kernel, shape, addresses);
  EXPECT_TRUE(status.ok()) << status.message();
}

/// Sets the number of workers for a scope.
class ScopedThreadCount {
public:
  explicit ScopedThreadCount(int32_t count) {
    EXPECT_TRUE(setCpuThreadCount(count).ok());
  }
  ~ScopedThreadCount() { EXPECT_TRUE(setCpuThreadCount(0).ok()); }
};

/// The size of this process's address space in bytes.
inline size_t addressSpace() {
  size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * size_t(sysconf(_SC_PAGESIZE));
}

/// Whether `check()` is true in a child process.
template <typename Check>
bool holdsInChild(Check check) {
  pid_t child = fork();
  if (child == 0)
    _exit(check() ? 0 : 1);
  int status = 0;
  return child > 0 && waitpid(child, &status, 0) == child &&
         WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

} // namespace pyk::runtime::test

#undef PYK_HAS_FEATURE

#endif // PYK_TEST_UNIT_RUNTIME_TESTSUPPORT_H
