// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every message of a launch that is refused, and the value next to each limit
// that is accepted. What the environment does is in ThreadPoolTest.cpp.

#include "TestSupport.h"

#include <sys/resource.h>

#include <cstdlib>
#include <string>
#include <thread>

using namespace pyk::runtime;
using namespace pyk::runtime::test;

namespace {

void doNothing(pyk_rt_block *, void *const *) {}

void waitOnce(pyk_rt_block *block, int32_t, int32_t, int32_t, void *const *) {
  pyk_rt_barrier(block);
}

void expectRefused(const pyk_rt_kernel &kernel, const LaunchShape &shape,
                   const std::string &message) {
  Status status = launchOnCpu(kernel, shape, nullptr);
  EXPECT_EQ(status.code(), StatusCode::InvalidArgument);
  EXPECT_EQ(status.message(), "launching a kernel on the CPU: " + message);
}

} // namespace

TEST(CpuLaunchErrorsTest, OtherVersionOfTheAbi) {
  pyk_rt_kernel kernel = loopKernel<doNothing>();
  kernel.abi_version = 1;
  expectRefused(kernel, shapeOf(1, 1),
                "the kernel was compiled for version 1 of the runtime's ABI, "
                "and this is version 13; compile the kernel again with this "
                "version of PyK");
}

TEST(CpuLaunchErrorsTest, KernelWithoutCode) {
  pyk_rt_kernel kernel = loopKernel<doNothing>();
  kernel.thread = nullptr;
  kernel.blocks = nullptr;
  expectRefused(kernel, shapeOf(1, 1),
                "the kernel has no code; pass a kernel whose `thread` or "
                "`blocks` is set");
}

TEST(CpuLaunchErrorsTest, TooMuchLocalMemory) {
  pyk_rt_kernel kernel = fiberKernel(waitOnce, 0, 524289);
  expectRefused(kernel, shapeOf(1, 1),
                "the kernel needs 524289 bytes of local memory per thread, "
                "more than CUDA's limit of 524288; use smaller local arrays in "
                "the kernel");
  kernel.local_bytes = 524288;
  expectLaunch(kernel, shapeOf(2, 1024));
  // One stack that has the arrays of a whole block.
  kernel.thread_runs_block = 1;
  kernel.local_bytes = 4 << 20;
  expectLaunch(kernel, shapeOf(2, 1024));
}

TEST(CpuLaunchErrorsTest, MoreThreadsThanTheKernelBounds) {
  pyk_rt_kernel kernel = loopKernel<doNothing>();
  kernel.max_threads = 128;
  expectLaunch(kernel, shapeOf(2, 128));
  expectRefused(
      kernel, shapeOf(2, 129),
      "a block has 129 threads, more than the 128 of the kernel's "
      "launch bounds; use smaller blocks and more of them, or compile "
      "with larger launch bounds (launch_bounds)");
}

TEST(CpuLaunchErrorsTest, DimensionLessThanOne) {
  pyk_rt_kernel kernel = loopKernel<doNothing>();
  const char *remedy =
      ", less than 1; launch at least one block of at least one thread";
  expectRefused(kernel, {{0, 1, 1}, {1, 1, 1}, 0},
                std::string("gridDim.x is 0") + remedy);
  expectRefused(kernel, {{1, -5, 1}, {1, 1, 1}, 0},
                std::string("gridDim.y is -5") + remedy);
  expectRefused(kernel, {{1, 1, 0}, {1, 1, 1}, 0},
                std::string("gridDim.z is 0") + remedy);
  expectRefused(kernel, {{1, 1, 1}, {0, 1, 1}, 0},
                std::string("blockDim.x is 0") + remedy);
  expectRefused(kernel, {{1, 1, 1}, {1, 0, 1}, 0},
                std::string("blockDim.y is 0") + remedy);
  expectRefused(kernel, {{1, 1, 1}, {1, 1, -1}, 0},
                std::string("blockDim.z is -1") + remedy);
}

TEST(CpuLaunchErrorsTest, GridTooLarge) {
  pyk_rt_kernel kernel = loopKernel<doNothing>();
  const char *remedy =
      "; spread the blocks over more dimensions, or let each thread do more";
  expectRefused(kernel, {{2147483648, 1, 1}, {1, 1, 1}, 0},
                std::string("gridDim.x is 2147483648, more than CUDA's limit "
                            "of 2147483647") +
                    remedy);
  expectRefused(kernel, {{1, 65536, 1}, {1, 1, 1}, 0},
                std::string("gridDim.y is 65536, more than CUDA's limit of "
                            "65535") +
                    remedy);
  expectRefused(kernel, {{1, 1, 65536}, {1, 1, 1}, 0},
                std::string("gridDim.z is 65536, more than CUDA's limit of "
                            "65535") +
                    remedy);
  expectLaunch(kernel, {{1, 65535, 1}, {1, 1, 1}, 0});
  expectLaunch(kernel, {{1, 1, 65535}, {1, 1, 1}, 0});
}

TEST(CpuLaunchErrorsTest, BlockTooLarge) {
  pyk_rt_kernel kernel = loopKernel<doNothing>();
  const char *remedy = "; use smaller blocks and more of them";
  expectRefused(kernel, {{1, 1, 1}, {1025, 1, 1}, 0},
                std::string("blockDim.x is 1025, more than CUDA's limit of "
                            "1024") +
                    remedy);
  expectRefused(kernel, {{1, 1, 1}, {1, 1025, 1}, 0},
                std::string("blockDim.y is 1025, more than CUDA's limit of "
                            "1024") +
                    remedy);
  expectRefused(kernel, {{1, 1, 1}, {1, 1, 65}, 0},
                std::string("blockDim.z is 65, more than CUDA's limit of 64") +
                    remedy);
  expectRefused(kernel, {{1, 1, 1}, {32, 33, 1}, 0},
                std::string("a block has 1056 threads (32 x 33 x 1), more than "
                            "CUDA's limit of 1024") +
                    remedy);
  expectLaunch(kernel, {{1, 1, 1}, {32, 32, 1}, 0});
  expectLaunch(kernel, {{1, 1, 1}, {4, 4, 64}, 0});
}

TEST(CpuLaunchErrorsTest, SharedMemoryLessThanNone) {
  expectRefused(loopKernel<doNothing>(), shapeOf(1, 1, -1),
                "dynamic shared memory is -1 bytes, less than 0; pass the "
                "number of bytes that each block needs, or 0");
}

TEST(CpuLaunchErrorsTest, TooMuchSharedMemory) {
  // 1001 bytes static take 1008; both kinds count together.
  expectRefused(loopKernel<doNothing>(1001), shapeOf(1, 1, 231441),
                "shared memory per block is 1008 bytes static and 231441 bytes "
                "dynamic, more than CUDA's limit of 232448 bytes together; use "
                "smaller shared arrays");
  expectRefused(loopKernel<doNothing>(4294967295u), shapeOf(1, 1),
                "shared memory per block is 4294967296 bytes static and 0 "
                "bytes dynamic, more than CUDA's limit of 232448 bytes "
                "together; use smaller shared arrays");
  expectLaunch(loopKernel<doNothing>(1001), shapeOf(1, 1, 231440));
}

TEST(CpuLaunchErrorsTest, AddressSpaceForStacksRunsOut) {
  if (underAddressSanitizer || underThreadSanitizer)
    GTEST_SKIP() << "a sanitizer needs address space without limit";
  EXPECT_TRUE(holdsInChild([] {
    (void)setCpuThreadCount(2);
    // The workers' own stacks come out of the limit too.
    (void)launchOnCpu(fiberKernel(waitOnce), shapeOf(64, 64), nullptr);
    rlimit limit = {addressSpace() + (256u << 20), RLIM_INFINITY};
    if (setrlimit(RLIMIT_AS, &limit) != 0)
      return false;
    Status status = launchOnCpu(fiberKernel(waitOnce, 0, 524288),
                                shapeOf(8, 1024), nullptr);
    return status.code() == StatusCode::OutOfMemory &&
           status.message() ==
               "launching a kernel on the CPU: the system gave no address "
               "space for stacks of 2097152 bytes for each thread of a block; "
               "launch smaller blocks, or use less local memory in the "
               "kernel" &&
           launchOnCpu(fiberKernel(waitOnce), shapeOf(64, 64), nullptr).ok();
  }));
}

TEST(CpuLaunchErrorsTest, MemoryForABlockRunsOut) {
  if (underAddressSanitizer || underThreadSanitizer)
    GTEST_SKIP() << "a sanitizer needs address space without limit";
  EXPECT_TRUE(holdsInChild([] {
    (void)setCpuThreadCount(1);
    Status status;
    // A new thread has no shared memory yet.
    std::thread([&status] {
      rlimit limit = {addressSpace(), RLIM_INFINITY};
      if (setrlimit(RLIMIT_AS, &limit) != 0)
        return;
      // What the allocator has in reserve goes first.
      void *volatile taken;
      do
        taken = std::malloc(64 * 1024);
      while (taken);
      status =
          launchOnCpu(loopKernel<doNothing>(), shapeOf(1, 1, 232448), nullptr);
    }).join();
    return status.code() == StatusCode::OutOfMemory &&
           status.message() ==
               "launching a kernel on the CPU: the system gave no memory for a "
               "block; free memory, or set PYK_CPU_THREADS to a smaller "
               "number";
  }));
}

TEST(CpuLaunchErrorsTest, WorkersCannotBeStarted) {
  if (underAddressSanitizer || underThreadSanitizer)
    GTEST_SKIP() << "a sanitizer needs address space without limit";
  EXPECT_TRUE(holdsInChild([] {
    (void)setCpuThreadCount(1024);
    rlimit limit = {addressSpace() + (64u << 20), RLIM_INFINITY};
    if (setrlimit(RLIMIT_AS, &limit) != 0)
      return false;
    Status status =
        launchOnCpu(loopKernel<doNothing>(), shapeOf(64, 64), nullptr);
    return status.code() == StatusCode::Unavailable &&
           status.message().find(
               "launching a kernel on the CPU: the system refused worker "
               "thread ") == 0 &&
           status.message().find("; set PYK_CPU_THREADS to a smaller number") !=
               std::string::npos;
  }));
}
