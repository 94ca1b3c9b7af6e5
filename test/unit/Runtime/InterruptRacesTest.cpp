// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Interrupts that come at a bad moment: between blocks, inside a barrier, at
// the very end, beside work of others, or from the check itself.

#include "ConformanceSupport.h"
#include "InterruptSupport.h"

#include <atomic>
#include <chrono>
#include <csignal>
#include <memory>
#include <pthread.h>
#include <string>
#include <thread>
#include <unistd.h>

using namespace pyk::runtime;
using namespace pyk::runtime::test;

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

class InterruptRacesTest : public InterruptTestBase,
                           public testing::WithParamInterface<int32_t> {
protected:
  ScopedThreadCount count{GetParam()};
};

class InterruptBesideOthersTest : public InterruptTestBase {
protected:
  ScopedThreadCount count{2};
};

/// Works for as many microseconds as its second argument says, and then counts
/// its first one up.
pyk_rt_kernel workingFor() {
  return loopKernel([](pyk_rt_block *, void *const *arguments) {
    auto *ended = argument<std::atomic<int> *>(arguments, 0);
    auto end = Clock::now() +
               std::chrono::microseconds(argument<int32_t>(arguments, 1));
    while (Clock::now() < end) {
    }
    ++*ended;
  });
}

/// The same with a barrier before and after the work.
pyk_rt_kernel workingBetweenBarriers() {
  return fiberKernel([](pyk_rt_block *block, int32_t, int32_t, int32_t,
                        void *const *arguments) {
    auto *ended = argument<std::atomic<int> *>(arguments, 0);
    auto end = Clock::now() +
               std::chrono::microseconds(argument<int32_t>(arguments, 1));
    pyk_rt_barrier(block);
    while (Clock::now() < end) {
    }
    pyk_rt_barrier(block);
    ++*ended;
  });
}

template <typename... Arguments>
Status tryLaunch(const pyk_rt_kernel &kernel, const LaunchShape &shape,
                 Arguments... arguments) {
  void *addresses[] = {static_cast<void *>(&arguments)..., nullptr};
  return launchOnCpu(kernel, shape, addresses);
}

} // namespace

INSTANTIATE_TEST_SUITE_P(Workers, InterruptRacesTest, testing::Values(1, 2, 5),
                         [](const testing::TestParamInfo<int32_t> &info) {
                           return std::to_string(info.param);
                         });

// Nothing of the launch may run any more when the caller is told.
TEST_P(InterruptRacesTest, EndsBetweenManyBlocks) {
  asksToStop = true;
  std::atomic<int> ended{0};
  auto begin = Clock::now();
  Status status =
      tryLaunch(workingFor(), shapeOf(20000, 1), &ended, int32_t(5000));
  EXPECT_EQ(status.code(), StatusCode::Cancelled);
  EXPECT_LT(Clock::now() - begin, std::chrono::seconds(10));
  int then = ended;
  EXPECT_LT(then, 20000);
  std::this_thread::sleep_for(milliseconds(30));
  EXPECT_EQ(ended, then);
}

TEST_P(InterruptRacesTest, EndsInsideABarrier) {
  asksToStop = true;
  int32_t flag = 0;
  for (int blocks : {1, 100})
    EXPECT_EQ(tryLaunch(meetingForever(), shapeOf(blocks, 64), &flag).code(),
              StatusCode::Cancelled);
  flag = 1;
  asksToStop = false;
  expectLaunch(meetingForever(), shapeOf(100, 64), &flag);
}

// The kernel takes about as long as the check is not asked.
TEST_P(InterruptRacesTest, MayComeAtTheVeryEnd) {
  int cancelled = 0;
  for (int i = 0; i < 40; ++i) {
    const bool onFibers = i % 2 == 1;
    const pyk_rt_kernel kernel =
        onFibers ? workingBetweenBarriers() : workingFor();
    const int threads = onFibers ? 4 : 1;
    std::atomic<int> ended{0};
    asksToStop = true;
    Status status = tryLaunch(kernel, shapeOf(2, threads), &ended,
                              int32_t(24000 + 100 * i));
    if (status.ok()) {
      EXPECT_EQ(ended, 2 * threads);
    } else {
      EXPECT_EQ(status.code(), StatusCode::Cancelled);
      ++cancelled;
    }
    asksToStop = false;
    ended = 0;
    expectLaunch(kernel, shapeOf(2, threads), &ended, int32_t(10));
    EXPECT_EQ(ended, 2 * threads);
  }
  if (!underThreadSanitizer) {
    EXPECT_GT(cancelled, 0);
  }
}

// The signal comes to any place of a launch, of the runtime as of the kernel.
TEST_P(InterruptRacesTest, SignalsMayComeAnywhere) {
  PYK_SKIP_WITHOUT_SIGNALS();
  // The handler is there once a signal was sent.
  asksToStop = true;
  int32_t flag = 0;
  ASSERT_EQ(tryLaunch(spinningForever(), shapeOf(1, 1), &flag).code(),
            StatusCode::Cancelled);
  std::atomic<bool> isEnd{false};
  std::thread sender([&isEnd, self = pthread_self()] {
    while (!isEnd) {
      pthread_kill(self, SIGURG);
      std::this_thread::sleep_for(std::chrono::microseconds(20));
    }
  });
  auto end = Clock::now() + milliseconds(1000);
  for (int i = 0; Clock::now() < end; ++i) {
    const bool onFibers = i % 2 == 1;
    const int threads = onFibers ? 7 : 1;
    std::atomic<int> ended{0};
    asksToStop = i % 50 == 0;
    Status status = tryLaunch(
        onFibers ? workingBetweenBarriers() : workingFor(), shapeOf(5, threads),
        &ended, int32_t(asksToStop ? 20000 : 20));
    if (status.ok())
      ASSERT_EQ(ended, 5 * threads);
    else
      ASSERT_EQ(status.code(), StatusCode::Cancelled);
  }
  isEnd = true;
  sender.join();
}

// A thread that is interrupted while it makes a stream must not keep what those
// need that launch: they would wait for ever, and so would this test.
TEST_F(InterruptBesideOthersTest, StreamsAreMadeToTheEnd) {
  PYK_SKIP_WITHOUT_SIGNALS();
  static const pyk_rt_kernel nothing =
      loopKernel([](pyk_rt_block *, void *const *) {});
  pyk_rt_kernel kernel = loopKernel([](pyk_rt_block *block, void *const *) {
    // Of all blocks no more than may wait to begin.
    for (int launches = 0;; ++launches) {
      if (block->block_id[0] == 0)
        pyk_rt_new_stream(block);
      else if (launches < 2)
        pyk_rt_launch(block, &nothing, 1, 1, 1, 1, 1, 1, 0, 0, nullptr);
      auto end = Clock::now() + std::chrono::nanoseconds(300);
      while (block->block_id[0] != 0 && Clock::now() < end) {
      }
    }
  });
  asksToStop = true;
  // As many blocks as two OS threads share.
  for (int i = 0; i < 20; ++i)
    EXPECT_EQ(tryLaunch(kernel, shapeOf(1000, 1)).code(),
              StatusCode::Cancelled);
}

// Handlers of a program are code like any other: they may launch.
TEST_F(InterruptBesideOthersTest, TheCheckMayUseTheRuntime) {
  PYK_SKIP_WITHOUT_SIGNALS();
  static std::atomic<int> refused{0}, done{0};
  static Stream *other = nullptr;
  static Kernel *counting = nullptr;
  refused = done = 0;
  auto device = valueOf(Registry::ofProcess().device(Backend::Cpu, 0));
  auto stream = valueOf(device->createStream(StreamOrder::Alone));
  auto kernel = loopKernel([](pyk_rt_block *, void *const *) { ++done; });
  HostImage image;
  image.kernels = {{"kernel", &kernel, {}}};
  auto module = valueOf(device->loadHost(image));
  auto loaded = valueOf(module->kernel("kernel"));
  other = stream.get();
  counting = loaded.get();
  static bool isAsking;
  isAsking = false;
  setInterruptCheck([] {
    // Asked again where its own wait takes long.
    if (isAsking)
      return false;
    isAsking = true;
    ++questions;
    auto nothing = loopKernel([](pyk_rt_block *, void *const *) {});
    refused += launchOnCpu(nothing, shapeOf(1, 1), nullptr).code() ==
               StatusCode::FailedPrecondition;
    EXPECT_TRUE(other->launch(*counting, LaunchConfig(), nullptr).ok());
    EXPECT_TRUE(other->synchronize().ok());
    isAsking = false;
    return questions >= 3;
  });
  int32_t flag = 0;
  EXPECT_EQ(tryLaunch(spinningForever(), shapeOf(1, 1), &flag).code(),
            StatusCode::Cancelled);
  EXPECT_EQ(questions, 3);
  EXPECT_EQ(refused, 3);
  EXPECT_EQ(done, 3);
  // On a fiber too.
  questions = 0;
  EXPECT_EQ(tryLaunch(spinningOnAFiber(), shapeOf(1, 4), &flag).code(),
            StatusCode::Cancelled);
  EXPECT_EQ(done, 6);
}

// Who waits for a stream runs its kernel, and may be interrupted there: then it
// cannot wait for the same stream, but for others.
TEST_F(InterruptBesideOthersTest, TheCheckCannotWaitForWhatItInterrupts) {
  PYK_SKIP_WITHOUT_SIGNALS();
  static Stream *own = nullptr, *other = nullptr;
  static Kernel *counting = nullptr;
  static std::atomic<int> done{0};
  static Status ofOwn, ofDevice, ofOther;
  static Device *all = nullptr;
  static bool isAsking = false;
  static const std::thread::id host = std::this_thread::get_id();
  done = 0;
  auto device = valueOf(Registry::ofProcess().device(Backend::Cpu, 0));
  all = device.get();
  auto stream = valueOf(device->createStream(StreamOrder::WithDefault));
  auto second = valueOf(device->createStream(StreamOrder::Alone));
  pyk_rt_kernel spinning = spinningForever();
  auto kernel = loopKernel([](pyk_rt_block *, void *const *) { ++done; });
  HostImage image;
  image.kernels = {{"spinning", &spinning, {8}}, {"counting", &kernel, {}}};
  auto module = valueOf(device->loadHost(image));
  auto loaded = valueOf(module->kernel("spinning"));
  auto small = valueOf(module->kernel("counting"));
  own = stream.get();
  other = second.get();
  counting = small.get();
  setInterruptCheck([] {
    if (std::this_thread::get_id() != host || isAsking)
      return isAsking;
    ++questions;
    isAsking = true;
    ofOwn = own->synchronize();
    ofDevice = all->synchronize();
    isAsking = false;
    EXPECT_TRUE(other->launch(*counting, LaunchConfig(), nullptr).ok());
    ofOther = other->synchronize();
    return true;
  });
  int32_t flag = 0;
  int32_t *address = &flag;
  void *arguments[] = {static_cast<void *>(&address)};
  // Until the host is the first to come to the kernel.
  for (int round = 0; round < 100; ++round) {
    ASSERT_TRUE(stream->launch(*loaded, LaunchConfig(), arguments).ok());
    EXPECT_EQ(stream->synchronize().code(), StatusCode::Cancelled);
    EXPECT_TRUE(ofOther.ok()) << ofOther.message();
    EXPECT_EQ(done, round + 1);
    if (ofOwn.code() == StatusCode::FailedPrecondition)
      break;
  }
  for (const Status &status : {ofOwn, ofDevice})
    EXPECT_NE(status.message().find("the calling thread was interrupted in "
                                    "work of the stream, which cannot end "
                                    "before"),
              std::string::npos)
        << status.message();
}

// A signal that comes while another one ends the launch does not jump out of
// what that one does, which allocates.
TEST_F(InterruptBesideOthersTest, SignalsComeWhileOneEndsTheLaunch) {
  PYK_SKIP_WITHOUT_SIGNALS();
  auto device = valueOf(Registry::ofProcess().device(Backend::Cpu, 0));
  auto stream = valueOf(device->createStream(StreamOrder::Alone));
  pyk_rt_kernel kernel = loopKernel([](pyk_rt_block *, void *const *arguments) {
    auto *thread = argument<std::atomic<pthread_t> *>(arguments, 0);
    *thread = pthread_self();
    while (true)
      thread->load();
  });
  HostImage image;
  image.kernels = {{"kernel", &kernel, {8}}};
  auto module = valueOf(device->loadHost(image));
  auto loaded = valueOf(module->kernel("kernel"));
  for (int i = 0; i < 50; ++i) {
    std::atomic<pthread_t> thread{0};
    std::atomic<pthread_t> *address = &thread;
    void *arguments[] = {static_cast<void *>(&address)};
    asksToStop = false;
    ASSERT_TRUE(stream->launch(*loaded, LaunchConfig(), arguments).ok());
    while (!thread)
      std::this_thread::yield();
    std::atomic<bool> isDone{false};
    std::thread sender([&] {
      while (!isDone) {
        pthread_kill(thread, SIGURG);
        // Much longer than a handler takes: handlers that nest take stack.
        for (auto end = Clock::now() + std::chrono::microseconds(40 + i);
             Clock::now() < end;)
          continue;
      }
    });
    asksToStop = true;
    EXPECT_EQ(stream->synchronize().code(), StatusCode::Cancelled);
    isDone = true;
    sender.join();
  }
}

// A stream that keeps no order with the default one is left alone.
TEST_F(InterruptBesideOthersTest, WorkOfAnotherStreamGoesOn) {
  PYK_SKIP_WITHOUT_SIGNALS();
  auto device = valueOf(Registry::ofProcess().device(Backend::Cpu, 0));
  auto stream = valueOf(device->createStream(StreamOrder::Alone));
  pyk_rt_kernel kernel = spinningForever();
  HostImage image;
  image.kernels = {{"kernel", &kernel, {8}}};
  auto module = valueOf(device->loadHost(image));
  auto loaded = valueOf(module->kernel("kernel"));
  int32_t mayEnd = 0;
  int32_t *address = &mayEnd;
  void *arguments[] = {static_cast<void *>(&address)};
  ASSERT_TRUE(stream->launch(*loaded, LaunchConfig(), arguments).ok());
  asksToStop = true;
  int32_t flag = 0;
  for (int blocks : {1, 50})
    EXPECT_EQ(tryLaunch(spinningForever(), shapeOf(blocks, 4), &flag).code(),
              StatusCode::Cancelled);
  asksToStop = false;
  EXPECT_FALSE(valueOf(stream->query()));
  __atomic_store_n(&mayEnd, 1, __ATOMIC_RELEASE);
  EXPECT_TRUE(stream->synchronize().ok());
}

// The program may free what a stream used once it is told of the interrupt.
TEST_F(InterruptBesideOthersTest, NothingRunsOnceAWaitHasCancelledIt) {
  auto device = valueOf(Registry::ofProcess().device(Backend::Cpu, 0));
  auto stream = valueOf(device->createStream(StreamOrder::WithDefault));
  // Mostly in the runtime, where the signal is missed.
  auto kernel = fiberKernel([](pyk_rt_block *block, int32_t, int32_t, int32_t,
                               void *const *arguments) {
    auto *beats = argument<std::atomic<int> *>(arguments, 0);
    for (;;) {
      ++*beats;
      pyk_rt_barrier(block);
    }
  });
  HostImage image;
  image.kernels = {{"kernel", &kernel, {8}}};
  auto module = valueOf(device->loadHost(image));
  auto loaded = valueOf(module->kernel("kernel"));
  std::atomic<int> beats{0};
  std::atomic<int> *address = &beats;
  void *arguments[] = {static_cast<void *>(&address)};
  LaunchConfig config;
  config.block[0] = 64;
  for (int i = 0; i < 5; ++i) {
    asksToStop = false;
    ASSERT_TRUE(stream->launch(*loaded, config, arguments).ok());
    asksToStop = true;
    EXPECT_EQ(stream->synchronize().code(), StatusCode::Cancelled);
    int then = beats;
    std::this_thread::sleep_for(milliseconds(5));
    EXPECT_EQ(beats, then);
  }
}

TEST_F(InterruptBesideOthersTest, OneThreadEndsAndTheOtherGoesOn) {
  PYK_SKIP_WITHOUT_SIGNALS();
  static std::thread::id stopped;
  stopped = std::this_thread::get_id();
  setInterruptCheck([] { return std::this_thread::get_id() == stopped; });
  std::atomic<int> ended{0};
  std::atomic<bool> isBegun{false};
  std::thread other([&] {
    isBegun = true;
    expectLaunch(workingFor(), shapeOf(1, 1), &ended, int32_t(400000));
    expectLaunch(workingBetweenBarriers(), shapeOf(1, 8), &ended,
                 int32_t(400000));
  });
  while (!isBegun)
    std::this_thread::yield();
  int32_t flag = 0;
  for (const pyk_rt_kernel &kernel : {spinningForever(), spinningOnAFiber()})
    for (int i = 0; i < 5; ++i)
      EXPECT_EQ(tryLaunch(kernel, shapeOf(1, 16), &flag).code(),
                StatusCode::Cancelled);
  other.join();
  EXPECT_EQ(ended, 9);
}

TEST_F(InterruptBesideOthersTest, BothThreadsEnd) {
  PYK_SKIP_WITHOUT_SIGNALS();
  asksToStop = true;
  int32_t flag = 0;
  auto launches = [&flag] {
    for (int blocks : {1, 20, 1, 20})
      EXPECT_EQ(tryLaunch(spinningForever(), shapeOf(blocks, 16), &flag).code(),
                StatusCode::Cancelled);
  };
  std::thread other(launches);
  launches();
  other.join();
}

// Its watcher is not the parent's, which does not exist there.
TEST_F(InterruptBesideOthersTest, AChildIsInterruptedAsItsParent) {
  PYK_SKIP_WITHOUT_SIGNALS();
  asksToStop = true;
  auto isCancelled = [] {
    int32_t flag = 0;
    return tryLaunch(spinningForever(), shapeOf(1, 1), &flag).code() ==
           StatusCode::Cancelled;
  };
  EXPECT_TRUE(isCancelled());
  EXPECT_TRUE(holdsInChild([&] {
    alarm(30);
    return isCancelled();
  }));
}

// As threads of libraries do that leave signals to others.
TEST_F(InterruptBesideOthersTest, EndsOnAThreadThatBlocksSignals) {
  PYK_SKIP_WITHOUT_SIGNALS();
  asksToStop = true;
  std::thread([] {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, nullptr);
    int32_t flag = 0;
    EXPECT_EQ(tryLaunch(spinningForever(), shapeOf(1, 1), &flag).code(),
              StatusCode::Cancelled);
  }).join();
}
