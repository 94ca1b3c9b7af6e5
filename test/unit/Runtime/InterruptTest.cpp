// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch ends when the program asks for it, even if its kernel never would.
// A failure here is a test that never ends.

#include "TestSupport.h"

#include <atomic>
#include <chrono>
#include <string>
#include <thread>

using namespace pyk::runtime;
using namespace pyk::runtime::test;

namespace {

std::atomic<int> questions{0};
std::atomic<bool> asksToStop{false};
std::thread::id askedThread;

class InterruptTestBase : public testing::Test {
protected:
  void SetUp() override {
    questions = 0;
    asksToStop = false;
    setInterruptCheck([] {
      ++questions;
      askedThread = std::this_thread::get_id();
      return asksToStop.load();
    });
  }
  void TearDown() override { setInterruptCheck(nullptr); }
};

/// How many OS threads a launch has.
class InterruptTest : public InterruptTestBase,
                      public testing::WithParamInterface<int32_t> {
protected:
  ScopedThreadCount count{GetParam()};
};

class InterruptOfHelpersTest : public InterruptTestBase {
protected:
  ScopedThreadCount count{2};
};

/// Its threads wait for a flag that nobody sets.
pyk_rt_kernel waitingForever() {
  return fiberKernel([](pyk_rt_block *block, int32_t, int32_t, int32_t,
                        void *const *arguments) {
    auto *flag = argument<int32_t *>(arguments, 0);
    while (__atomic_load_n(flag, __ATOMIC_ACQUIRE) == 0)
      pyk_rt_yield(block);
  });
}

} // namespace

INSTANTIATE_TEST_SUITE_P(Workers, InterruptTest, testing::Values(1, 2, 5),
                         [](const testing::TestParamInfo<int32_t> &info) {
                           return std::to_string(info.param);
                         });

TEST_P(InterruptTest, EndsALaunchThatWaitsForEver) {
  asksToStop = true;
  int32_t flag = 0;
  int32_t *address = &flag;
  void *arguments[] = {&address};
  Status status = launchOnCpu(waitingForever(), shapeOf(8, 100), arguments);
  EXPECT_EQ(status.code(), StatusCode::Cancelled);
  EXPECT_EQ(status.message(), "running a kernel on the CPU: the program asked "
                              "to stop; launch it again to run all of it");
  EXPECT_EQ(questions, 1);
  EXPECT_EQ(askedThread, std::this_thread::get_id());
}

TEST_P(InterruptTest, KernelGoesOnUntilAsked) {
  auto waitingForQuestions = fiberKernel(
      [](pyk_rt_block *block, int32_t, int32_t, int32_t, void *const *) {
        while (questions < 2)
          pyk_rt_yield(block);
      });
  expectLaunch(waitingForQuestions, shapeOf(8, 100));
  EXPECT_GE(questions, 2);
}

TEST_P(InterruptTest, LaterLaunchesRun) {
  asksToStop = true;
  int32_t flag = 0;
  int32_t *address = &flag;
  void *arguments[] = {&address};
  ASSERT_EQ(launchOnCpu(waitingForever(), shapeOf(8, 100), arguments).code(),
            StatusCode::Cancelled);
  asksToStop = false;
  flag = 1;
  expectLaunch(waitingForever(), shapeOf(8, 100), &flag);
}

TEST_F(InterruptOfHelpersTest, AsksWhileOthersWork) {
  // A helper works long, so that the launching thread has to wait for it; it
  // may come too late for one launch, but not for ten.
  auto longForHelpers = loopKernel([](pyk_rt_block *, void *const *arguments) {
    auto *launcher = argument<std::thread::id *>(arguments, 0);
    bool isHelper = std::this_thread::get_id() != *launcher;
    auto end = std::chrono::steady_clock::now() +
               std::chrono::milliseconds(isHelper ? 300 : 5);
    while (std::chrono::steady_clock::now() < end)
      std::this_thread::yield();
  });
  std::thread::id self = std::this_thread::get_id();
  for (int i = 0; i < 10 && questions < 2; ++i)
    expectLaunch(longForHelpers, shapeOf(2, 256), &self);
  EXPECT_GE(questions, 2);
}
