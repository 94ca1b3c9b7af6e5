// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which OS threads run a launch: how many, from the environment or set, beside
// other launches, inside a kernel, and in a child process.

#include "TestSupport.h"

#include <atomic>
#include <cstdlib>
#include <set>
#include <thread>
#include <vector>

using namespace pyk::runtime;
using namespace pyk::runtime::test;

namespace {

void count(pyk_rt_block *block, int32_t, int32_t, int32_t,
           void *const *arguments) {
  pyk_rt_barrier(block);
  __atomic_fetch_add(argument<int32_t *>(arguments, 0), 1, __ATOMIC_RELAXED);
}

/// Whether a launch on several workers counts its threads right.
bool launchCounts() {
  int32_t threads = 0;
  int32_t *address = &threads;
  void *arguments[] = {&address};
  return launchOnCpu(fiberKernel(count), shapeOf(100, 40), arguments).ok() &&
         threads == 4000;
}

/// What `cpuThreadCount` says with `PYK_CPU_THREADS` set to `value`.
Result<int32_t> threadCountWith(const char *value) {
  setenv("PYK_CPU_THREADS", value, 1);
  (void)setCpuThreadCount(0);
  Result<int32_t> result = cpuThreadCount();
  unsetenv("PYK_CPU_THREADS");
  (void)setCpuThreadCount(0);
  return result;
}

} // namespace

TEST(ThreadPoolTest, EnvironmentSetsTheNumberOfThreads) {
  Result<int32_t> three = threadCountWith("3");
  ASSERT_TRUE(three.ok());
  EXPECT_EQ(three.value(), 3);
  ASSERT_TRUE(cpuThreadCount().ok());
  EXPECT_GE(cpuThreadCount().value(), 1);
}

TEST(ThreadPoolTest, EnvironmentThatIsNoPositiveIntegerIsRefused) {
  for (const char *value :
       {"", "0", "-1", "2 ", "four", "0x2", "1025", "99999999999999999999"}) {
    Result<int32_t> result = threadCountWith(value);
    ASSERT_FALSE(result.ok()) << value;
    EXPECT_EQ(result.status().code(), StatusCode::InvalidArgument);
    EXPECT_EQ(result.status().message(),
              "reading the environment variable PYK_CPU_THREADS: '" +
                  std::string(value) +
                  "' is not an integer from 1 to 1024; set it to the number of "
                  "OS threads on which kernels may run, or unset it");
  }
}

TEST(ThreadPoolTest, LaunchReportsTheEnvironmentToo) {
  setenv("PYK_CPU_THREADS", "many", 1);
  (void)setCpuThreadCount(0);
  Status status = launchOnCpu(fiberKernel(count), shapeOf(1, 1), nullptr);
  unsetenv("PYK_CPU_THREADS");
  EXPECT_EQ(status.code(), StatusCode::InvalidArgument);
  EXPECT_TRUE(launchCounts());
}

TEST(ThreadPoolTest, NumberOfThreadsOutOfRangeIsRefused) {
  for (int32_t number : {-1, 1025}) {
    Status status = setCpuThreadCount(number);
    EXPECT_EQ(status.code(), StatusCode::InvalidArgument);
    EXPECT_EQ(status.message(),
              "setting the number of CPU threads: " + std::to_string(number) +
                  " is not an integer from 0 to 1024; pass the number of OS "
                  "threads on which kernels may run, or 0 for the default");
  }
}

TEST(ThreadPoolTest, OneThreadIsTheCaller) {
  ScopedThreadCount one(1);
  auto kernel = loopKernel([](pyk_rt_block *, void *const *arguments) {
    if (std::this_thread::get_id() != argument<std::thread::id>(arguments, 0))
      ++*argument<int32_t *>(arguments, 1);
  });
  int32_t wrong = 0;
  expectLaunch(kernel, shapeOf(1000, 256), std::this_thread::get_id(), &wrong);
  EXPECT_EQ(wrong, 0);
}

TEST(ThreadPoolTest, SmallLaunchRunsOnTheCaller) {
  ScopedThreadCount four(4);
  auto kernel = loopKernel([](pyk_rt_block *, void *const *arguments) {
    if (std::this_thread::get_id() != argument<std::thread::id>(arguments, 0))
      ++*argument<int32_t *>(arguments, 1);
  });
  int32_t wrong = 0;
  for (int i = 0; i < 100; ++i) {
    expectLaunch(kernel, shapeOf(1, 1024), std::this_thread::get_id(), &wrong);
    expectLaunch(kernel, shapeOf(8, 32), std::this_thread::get_id(), &wrong);
  }
  EXPECT_EQ(wrong, 0);
}

TEST(ThreadPoolTest, AllThreadsTakePart) {
  // Blocks wait (asleep, no fibers) until four are under way at once.
  ScopedThreadCount four(4);
  auto kernel = loopKernel([](pyk_rt_block *, void *const *arguments) {
    auto *present = argument<std::atomic<int32_t> *>(arguments, 0);
    present->fetch_add(1);
    while (present->load() < 4)
      std::this_thread::yield();
  });
  for (int i = 0; i < 20; ++i) {
    std::atomic<int32_t> present{0};
    expectLaunch(kernel, shapeOf(4, 256), &present);
    EXPECT_EQ(present.load(), 4);
  }
}

TEST(ThreadPoolTest, SleepingWorkersWakeForTheNextLaunch) {
  ScopedThreadCount four(4);
  for (int i = 0; i < 20; ++i) {
    EXPECT_TRUE(launchCounts());
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

TEST(ThreadPoolTest, ManyHostThreadsLaunchAtOnce) {
  ScopedThreadCount three(3);
  std::atomic<int> wrong{0};
  std::vector<std::thread> hosts;
  for (int i = 0; i < 6; ++i)
    hosts.emplace_back([&wrong] {
      for (int j = 0; j < 50; ++j)
        wrong += !launchCounts();
    });
  for (std::thread &host : hosts)
    host.join();
  EXPECT_EQ(wrong.load(), 0);
}

TEST(ThreadPoolTest, NumberOfThreadsMayChangeDuringLaunches) {
  ScopedThreadCount restored(2);
  std::atomic<int> wrong{0};
  std::thread host([&wrong] {
    for (int j = 0; j < 200; ++j)
      wrong += !launchCounts();
  });
  for (int32_t i = 0; i < 50; ++i) {
    EXPECT_TRUE(setCpuThreadCount(1 + i % 5).ok());
    wrong += !launchCounts();
  }
  host.join();
  EXPECT_EQ(wrong.load(), 0);
}

TEST(ThreadPoolTest, LaunchInsideAKernelIsRefused) {
  auto kernel = fiberKernel(
      [](pyk_rt_block *, int32_t, int32_t, int32_t, void *const *arguments) {
        *argument<Status *>(arguments, 0) =
            launchOnCpu(fiberKernel(count), shapeOf(1, 1), nullptr);
      });
  Status status;
  expectLaunch(kernel, shapeOf(1, 1), &status);
  EXPECT_EQ(status.code(), StatusCode::FailedPrecondition);
  EXPECT_EQ(status.message(),
            "launching a kernel on the CPU: the calling thread is inside a "
            "kernel; launch from host code");
}

TEST(ThreadPoolTest, ChildProcessStartsItsOwnWorkers) {
  if (underThreadSanitizer)
    GTEST_SKIP() << "ThreadSanitizer lets no forked child start threads";
  ScopedThreadCount three(3);
  EXPECT_TRUE(launchCounts());
  EXPECT_TRUE(holdsInChild([] { return launchCounts() && launchCounts(); }));
  EXPECT_TRUE(holdsInChild([] {
    return launchCounts() && holdsInChild([] { return launchCounts(); });
  }));
  EXPECT_TRUE(launchCounts());
}

TEST(ThreadPoolTest, ChildMayBeMadeWhileAnotherThreadLaunches) {
  if (underThreadSanitizer)
    GTEST_SKIP() << "ThreadSanitizer lets no forked child start threads";
  ScopedThreadCount three(3);
  std::atomic<bool> ending{false};
  std::thread host([&ending] {
    while (!ending)
      EXPECT_TRUE(launchCounts());
  });
  for (int i = 0; i < 10; ++i)
    EXPECT_TRUE(holdsInChild([] { return launchCounts(); }));
  ending = true;
  host.join();
}
