// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch ends when the program asks for it, even if its kernel never would.
// A failure here is a test that never ends.

#include "ConformanceSupport.h"
#include "InterruptSupport.h"

#include <atomic>
#include <chrono>
#include <csignal>
#include <functional>
#include <string>
#include <thread>
#include <unistd.h>

using namespace pyk::runtime;
using namespace pyk::runtime::test;

namespace {

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

} // namespace

INSTANTIATE_TEST_SUITE_P(Workers, InterruptTest, testing::Values(1, 2, 5),
                         [](const testing::TestParamInfo<int32_t> &info) {
                           return std::to_string(info.param);
                         });

TEST_P(InterruptTest, EndsALaunchThatWaitsForEver) {
  asksToStop = true;
  int32_t flag = 0;
  int32_t *address = &flag;
  void *arguments[] = {static_cast<void *>(&address)};
  Status status = launchOnCpu(waitingForever(), shapeOf(8, 100), arguments);
  EXPECT_EQ(status.code(), StatusCode::Cancelled);
  EXPECT_EQ(status.message(),
            "running kernel 'hand' on the CPU: the program asked "
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
  void *arguments[] = {static_cast<void *>(&address)};
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

TEST_P(InterruptTest, EndsAKernelThatAsksNobody) {
  PYK_SKIP_WITHOUT_SIGNALS();
  asksToStop = true;
  int32_t flag = 0;
  int32_t *address = &flag;
  void *arguments[] = {static_cast<void *>(&address)};
  for (const pyk_rt_kernel &kernel : {spinningForever(), spinningOnAFiber()})
    for (int blocks : {1, 100}) {
      auto begin = std::chrono::steady_clock::now();
      Status status = launchOnCpu(kernel, shapeOf(blocks, 16), arguments);
      EXPECT_EQ(status.code(), StatusCode::Cancelled);
      EXPECT_EQ(askedThread, std::this_thread::get_id());
      EXPECT_LT(std::chrono::steady_clock::now() - begin,
                std::chrono::seconds(10));
    }
}

TEST_P(InterruptTest, AKernelThatIsAskedGoesOnWhereItWas) {
  PYK_SKIP_WITHOUT_SIGNALS();
  // Values of all kinds of registers, which the question must leave alone.
  auto body = [](int32_t *done) {
    uint64_t whole = 1;
    double real = 1;
    while (questions < 3) {
      whole = whole * 6364136223846793005u + 1442695040888963407u;
      real = real * 0.5 + double(whole >> 40) * 0.25;
      if (real < 0 || (whole & 1) == (questions > 100 ? 1u : 2u))
        return;
    }
    __atomic_fetch_add(done, 1, __ATOMIC_RELAXED);
  };
  static auto run = body;
  int32_t done = 0;
  expectLaunch(loopKernel([](pyk_rt_block *, void *const *arguments) {
                 run(argument<int32_t *>(arguments, 0));
               }),
               shapeOf(8, 1), &done);
  EXPECT_EQ(done, 8);
  questions = 0;
  done = 0;
  expectLaunch(fiberKernel([](pyk_rt_block *block, int32_t, int32_t, int32_t,
                              void *const *arguments) {
                 pyk_rt_barrier(block);
                 run(argument<int32_t *>(arguments, 0));
                 pyk_rt_barrier(block);
               }),
               shapeOf(8, 4), &done);
  EXPECT_EQ(done, 32);
}

namespace {
std::atomic<int> otherSignals{0};
} // namespace

TEST_P(InterruptTest, SignalsOfOthersGoToTheirHandler) {
  PYK_SKIP_WITHOUT_SIGNALS();
  struct sigaction theirs = {}, before = {};
  theirs.sa_handler = [](int) { ++otherSignals; };
  sigaction(SIGURG, &theirs, &before);
  asksToStop = true;
  int32_t flag = 0;
  int32_t *address = &flag;
  void *arguments[] = {static_cast<void *>(&address)};
  EXPECT_EQ(launchOnCpu(spinningForever(), shapeOf(4, 16), arguments).code(),
            StatusCode::Cancelled);
  EXPECT_EQ(otherSignals, 0);
  kill(getpid(), SIGURG);
  for (int i = 0; i < 1000 && otherSignals == 0; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(otherSignals, 1);
  otherSignals = 0;
  sigaction(SIGURG, &before, nullptr);
}

TEST_P(InterruptTest, SignalsThatTheProgramIgnoresAreIgnored) {
  PYK_SKIP_WITHOUT_SIGNALS();
  struct sigaction ignored = {}, before = {};
  ignored.sa_handler = SIG_IGN;
  sigaction(SIGURG, &ignored, &before);
  asksToStop = true;
  int32_t flag = 0;
  int32_t *address = &flag;
  void *arguments[] = {static_cast<void *>(&address)};
  EXPECT_EQ(launchOnCpu(spinningForever(), shapeOf(4, 16), arguments).code(),
            StatusCode::Cancelled);
  // The handler is there now; a failure ends the process.
  kill(getpid(), SIGURG);
  sigaction(SIGURG, &before, nullptr);
}

TEST_F(InterruptOfHelpersTest, AWaitCancelsWhatItWaitsFor) {
  PYK_SKIP_WITHOUT_SIGNALS();
  auto device = valueOf(Registry::ofProcess().device(Backend::Cpu, 0));
  auto stream = valueOf(device->createStream(StreamOrder::WithDefault));
  auto always = valueOf(device->defaultStream(DefaultStream::Unnamed));
  auto event = valueOf(device->createEvent(EventTiming::None));
  pyk_rt_kernel kernel = spinningForever();
  HostImage image;
  image.kernels = {{"kernel", &kernel, {8}}};
  auto module = valueOf(device->loadHost(image));
  auto loaded = valueOf(module->kernel("kernel"));
  int32_t flag = 0, copied = 7;
  int32_t *address = &flag;
  void *arguments[] = {static_cast<void *>(&address)};
  LaunchConfig config;
  config.grid[0] = 10;
  const std::function<Status()> waits[] = {
      [&] { return stream->synchronize(); },
      [&] { return device->synchronize(); },
      [&] { return always->synchronize(); },
      [&] { return event->synchronize(); },
      [&] { return always->launch(*loaded, config, arguments); },
      [&] {
        return stream->copyToHost(&copied, reinterpret_cast<uintptr_t>(&flag),
                                  4, Completion::Done);
      },
  };
  for (const std::function<Status()> &wait : waits) {
    asksToStop = false;
    int callbacks = 0;
    ASSERT_TRUE(stream->launch(*loaded, config, arguments).ok());
    ASSERT_TRUE(stream
                    ->addCallback([&](const Status &status) {
                      callbacks += status.code() == StatusCode::Cancelled;
                    })
                    .ok());
    ASSERT_TRUE(event->record(*stream).ok());
    asksToStop = true;
    Status status = wait();
    EXPECT_EQ(status.code(), StatusCode::Cancelled);
    EXPECT_NE(status.message().find("the program asked to stop; queue the work "
                                    "again to have it done"),
              std::string::npos)
        << status.message();
    asksToStop = false;
    // The stream is good again, and what was queued is gone.
    EXPECT_TRUE(stream->synchronize().ok());
    EXPECT_EQ(callbacks, 1);
    EXPECT_EQ(copied, 7);
  }
}

// Another stream's work is none of the business of one that gives up its turn.
TEST_F(InterruptOfHelpersTest, AWaitForTheWorkersCanBeGivenUp) {
  PYK_SKIP_WITHOUT_SIGNALS();
  static std::atomic<int32_t> begun{0};
  begun = 0;
  static std::atomic<bool> mayEnd{false};
  mayEnd = false;
  auto busy = loopKernel([](pyk_rt_block *, void *const *) {
    ++begun;
    while (!mayEnd) {
    }
  });
  static std::thread::id other;
  std::thread thread([&] {
    other = std::this_thread::get_id();
    expectLaunch(busy, shapeOf(4, 100));
  });
  setInterruptCheck([] { return std::this_thread::get_id() != other; });
  while (begun < 2)
    std::this_thread::yield();
  EXPECT_EQ(launchOnCpu(busy, shapeOf(4, 100), nullptr).code(),
            StatusCode::Cancelled);
  mayEnd = true;
  thread.join();
  EXPECT_EQ(begun, 4);
}
