// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What only the CPU's streams do: they go on after a failure, survive a fork()
// of the process as far as a child can use them, and queue without allocating.

#include "ConformanceSupport.h"
#include "Sanitizers.h"

#include <sys/resource.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <new>
#include <numeric>
#include <thread>
#include <vector>

using namespace pyk::runtime;
using namespace pyk::runtime::test;

namespace {

/// Allocations of this thread.
[[maybe_unused]] thread_local int64_t allocations = 0;

std::shared_ptr<Device> cpu() {
  return valueOf(Registry::ofProcess().device(Backend::Cpu, 0));
}

void waitOnce(pyk_rt_block *block, int32_t, int32_t, int32_t, void *const *) {
  pyk_rt_barrier(block);
}

HostImage imageOf(const pyk_rt_kernel &kernel) {
  HostImage image;
  image.kernels = {{"kernel", &kernel, {}}};
  return image;
}

/// How many threads the process has.
ptrdiff_t countThreads() {
  std::filesystem::directory_iterator threads("/proc/self/task");
  return std::distance(begin(threads), end(threads));
}

} // namespace

// Sanitizers have operators of their own.
#if !PYK_HAS_SANITIZER
void *operator new(size_t bytes) {
  ++allocations;
  if (void *memory = std::malloc(bytes))
    return memory;
  throw std::bad_alloc();
}

void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, size_t) noexcept { std::free(memory); }
#endif

TEST(CpuStreamTest, WarmLaunchAllocatesNothing) {
  if (PYK_HAS_SANITIZER)
    GTEST_SKIP() << "a sanitizer counts allocations itself";
  auto device = cpu();
  auto module = valueOf(device->loadHost(kernelsAsHostImage()));
  auto kernel = valueOf(module->kernel("add_one"));
  auto buffer = valueOf(device->allocate(MemoryKind::Device, 256, nullptr));
  auto always = valueOf(device->defaultStream(DefaultStream::Unnamed));
  auto own = valueOf(device->createStream(StreamOrder::WithDefault));
  for (Stream *stream : {always.get(), own.get()}) {
    auto launchAndWait = [&] {
      EXPECT_OK(launchOn(*stream, *kernel, launchOf(1, 64),
                         buffer->deviceAddress(), int32_t(64)));
      EXPECT_OK(stream->synchronize());
    };
    for (int round = 0; round < 10; ++round)
      launchAndWait();
    int64_t before = allocations;
    for (int round = 0; round < 10; ++round)
      launchAndWait();
    EXPECT_EQ(allocations, before);
  }
}

TEST(CpuStreamTest, DoesNothingMoreUntilAFailureIsSeen) {
  if (underAddressSanitizer || underThreadSanitizer)
    GTEST_SKIP() << "a sanitizer needs address space without limit";
  EXPECT_TRUE(holdsInChild([] {
    (void)setCpuThreadCount(1);
    auto device = cpu();
    auto stream = valueOf(device->createStream(StreamOrder::WithDefault));
    static const pyk_rt_kernel greedy = fiberKernel(waitOnce, 0, 524288);
    auto module = valueOf(device->loadHost(imageOf(greedy)));
    auto kernel = valueOf(module->kernel("kernel"));
    int32_t value = 1;
    bool heard = false;
    // The stream's thread must be there before memory gets short.
    EXPECT_OK(stream->fill(reinterpret_cast<uintptr_t>(&value), 2, 4, 1));
    EXPECT_OK(stream->synchronize());
    rlimit limit = {addressSpace() + (256u << 20), RLIM_INFINITY};
    if (setrlimit(RLIMIT_AS, &limit) != 0)
      return false;
    EXPECT_OK(stream->launch(*kernel, launchOf(8, 1024), nullptr));
    EXPECT_OK(stream->fill(reinterpret_cast<uintptr_t>(&value), 3, 4, 1));
    EXPECT_OK(stream->addCallback([&](const Status &status) {
      heard = status.code() == StatusCode::OutOfMemory;
    }));
    Status status = stream->synchronize();
    bool dropped = value == 2;
    EXPECT_OK(stream->fill(reinterpret_cast<uintptr_t>(&value), 4, 4, 1));
    return status.code() == StatusCode::OutOfMemory && heard && dropped &&
           stream->synchronize().ok() && value == 4 &&
           !::testing::Test::HasFailure();
  }));
}

TEST(CpuStreamTest, ChildOfAForkHasStreamsOfItsOwn) {
  if (underThreadSanitizer)
    GTEST_SKIP() << "ThreadSanitizer lets no forked child start threads";
  auto device = cpu();
  auto parents = valueOf(device->createStream(StreamOrder::WithDefault));
  Gate gate(*parents);
  EXPECT_TRUE(holdsInChild([&] {
    auto always = valueOf(device->defaultStream(DefaultStream::Unnamed));
    int32_t value = 1;
    auto address = uint64_t(reinterpret_cast<uintptr_t>(&value));
    // Work of the parent does not hold the child up.
    EXPECT_OK(always->fill(address, 2, 4, 1));
    expectFailure(parents->fill(address, 3, 4, 1),
                  StatusCode::FailedPrecondition,
                  "filling memory: the stream was made before the process "
                  "forked; make a stream in the child process");
    auto own = valueOf(device->createStream(StreamOrder::WithDefault));
    EXPECT_OK(own->fill(address, 4, 4, 1));
    EXPECT_OK(own->synchronize());
    return value == 4 && !::testing::Test::HasFailure();
  }));
}

// It can neither be waited for nor end: a child has none.
TEST(CpuStreamTest, ParentsWorkIsNotAChilds) {
  auto device = cpu();
  auto always = valueOf(device->defaultStream(DefaultStream::Unnamed));
  auto parents = valueOf(device->createStream(StreamOrder::WithDefault));
  Gate gate(*parents);
  EXPECT_FALSE(valueOf(always->query()));
  EXPECT_TRUE(holdsInChild([&] {
    EXPECT_TRUE(valueOf(always->query()));
    EXPECT_OK(always->synchronize());
    EXPECT_OK(device->synchronize());
    EXPECT_TRUE(valueOf(always->query()));
    return !::testing::Test::HasFailure();
  }));
}

// Memory so large is given back to the system when it is freed.
TEST(CpuStreamTest, FreedMemoryWaitsForWorkThatUsesIt) {
  auto device = cpu();
  for (StreamOrder order : {StreamOrder::WithDefault, StreamOrder::Alone}) {
    auto stream = valueOf(device->createStream(order));
    constexpr size_t bytes = size_t(32) << 20;
    auto buffer = valueOf(device->allocate(MemoryKind::Device, bytes, nullptr));
    {
      Gate gate(*stream);
      EXPECT_OK(stream->fill(buffer->deviceAddress(), 7, 4, bytes / 4));
      buffer.reset();
    }
    EXPECT_OK(stream->synchronize());
  }
}

// Who waits for a launch that has not begun runs it, instead of a thread that
// has to wake up; callbacks, which may wait for anything, are left to that.
TEST(CpuStreamTest, WhoWaitsHelps) {
  static std::atomic<int> launches{0}, helped{0};
  static const std::thread::id host = std::this_thread::get_id();
  launches = helped = 0;
  auto device = cpu();
  pyk_rt_kernel kernel = loopKernel([](pyk_rt_block *, void *const *) {
    ++launches;
    helped += std::this_thread::get_id() == host;
  });
  HostImage image;
  image.kernels = {{"kernel", &kernel, {}}};
  auto module = valueOf(device->loadHost(image));
  auto loaded = valueOf(module->kernel("kernel"));
  auto stream = valueOf(device->createStream(StreamOrder::Alone));
  auto event = valueOf(device->createEvent(EventTiming::None));
  std::atomic<int> callbacks{0}, ofHost{0};
  constexpr int rounds = 200;
  for (int round = 0; round < rounds; ++round) {
    // Now and then the queue's thread sleeps, and does not look for work.
    if (round % 20 == 0)
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    EXPECT_OK(stream->launch(*loaded, LaunchConfig(), nullptr));
    EXPECT_OK(stream->synchronize());
    EXPECT_EQ(launches, 2 * round + 1);
    EXPECT_OK(stream->addCallback([&](const Status &) {
      ++callbacks;
      ofHost += std::this_thread::get_id() == host;
    }));
    EXPECT_OK(stream->launch(*loaded, LaunchConfig(), nullptr));
    EXPECT_OK(event->record(*stream));
    EXPECT_OK(event->synchronize());
    EXPECT_EQ(launches, 2 * round + 2);
    EXPECT_EQ(callbacks, round + 1);
  }
  EXPECT_GT(helped, 0);
  EXPECT_EQ(ofHost, 0);
}

TEST(CpuStreamTest, SeveralMayHelp) {
  auto device = cpu();
  auto stream = valueOf(device->createStream(StreamOrder::Alone));
  auto buffer = valueOf(device->allocate(MemoryKind::Device, 4096, nullptr));
  constexpr int rounds = 300, hosts = 4;
  std::vector<std::thread> threads;
  threads.reserve(hosts);
  for (int i = 0; i < hosts; ++i)
    threads.emplace_back([&] {
      for (int32_t round = 0; round < rounds; ++round) {
        EXPECT_OK(
            stream->fill(buffer->deviceAddress(), uint32_t(round), 4, 1024));
        EXPECT_OK(stream->synchronize());
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  auto *values = static_cast<const uint32_t *>(buffer->hostAddress());
  for (int i = 0; i < 1024; ++i)
    ASSERT_EQ(values[i], uint32_t(rounds - 1));
}

TEST(CpuStreamTest, CallbackCannotWaitForStreams) {
  auto device = cpu();
  auto own = valueOf(device->createStream(StreamOrder::WithDefault));
  auto always = valueOf(device->defaultStream(DefaultStream::Unnamed));
  Status ofDefault, ofDevice, ofOwn;
  EXPECT_OK(own->addCallback([&](const Status &) {
    ofDefault = always->synchronize();
    ofDevice = device->synchronize();
    ofOwn = own->synchronize();
  }));
  EXPECT_OK(own->synchronize());
  for (const Status &status : {ofDefault, ofDevice, ofOwn})
    expectFailure(status, StatusCode::FailedPrecondition,
                  "the calling thread runs a stream's callback");
}

// What has happened needs no wait; what comes after the callback never would.
TEST(CpuStreamTest, CallbackCanAskForEventsThatHaveHappened) {
  auto device = cpu();
  auto own = valueOf(device->createStream(StreamOrder::WithDefault));
  auto before = valueOf(device->createEvent(EventTiming::None));
  auto after = valueOf(device->createEvent(EventTiming::None));
  EXPECT_OK(before->record(*own));
  EXPECT_OK(own->synchronize());
  bool called = false;
  Status ofBefore, ofAfter;
  Gate gate(*own);
  EXPECT_OK(own->addCallback([&](const Status &) {
    ofBefore = before->synchronize();
    ofAfter = after->synchronize();
    called = true;
  }));
  EXPECT_OK(after->record(*own));
  gate.open();
  EXPECT_OK(own->synchronize());
  EXPECT_TRUE(called);
  EXPECT_TRUE(ofBefore.ok()) << ofBefore.message();
  expectFailure(ofAfter, StatusCode::FailedPrecondition,
                "the calling thread runs a stream's callback");
}

// The next work of the default stream, which has nothing to do with it, is none
// the worse; an event behind it has seen it.
TEST(CpuStreamTest, FailureOfAStreamAloneIsItsOwn) {
  static const pyk_rt_kernel strays = fiberKernel(
      [](pyk_rt_block *block, int32_t, int32_t, int32_t, void *const *) {
        uint64_t values[32];
        pyk_rt_exchange(block, /*mask=*/2, 0, values);
      });
  auto device = cpu();
  auto module = valueOf(device->loadHost(imageOf(strays)));
  auto kernel = valueOf(module->kernel("kernel"));
  auto alone = valueOf(device->createStream(StreamOrder::Alone));
  auto always = valueOf(device->defaultStream(DefaultStream::Unnamed));
  auto event = valueOf(device->createEvent(EventTiming::None));
  EXPECT_OK(alone->launch(*kernel, launchOf(1, 1), nullptr));
  EXPECT_OK(event->record(*alone));
  EXPECT_EQ(event->synchronize().code(), StatusCode::LaunchFailed);
  EXPECT_EQ(event->query().status().code(), StatusCode::LaunchFailed);
  int32_t value = 1;
  EXPECT_OK(always->fill(reinterpret_cast<uintptr_t>(&value), 2, 4, 1));
  EXPECT_EQ(value, 2);
  EXPECT_EQ(alone->synchronize().code(), StatusCode::LaunchFailed);
  // Who asks is told, too, and has heard it then.
  EXPECT_OK(alone->launch(*kernel, launchOf(1, 1), nullptr));
  Status told;
  for (int i = 0; i < 500 && told.ok(); ++i) {
    told = alone->query().status();
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_EQ(told.code(), StatusCode::LaunchFailed);
  EXPECT_OK(alone->synchronize());
}

// The other is held up until the work is done, or for some seconds.
TEST(CpuStreamTest, DefaultStreamOfAThreadWaitsForNoOther) {
  auto device = cpu();
  auto slow = valueOf(device->createStream(StreamOrder::WithDefault));
  auto own = valueOf(device->defaultStream(DefaultStream::PerThread));
  Gate gate(*slow);
  std::atomic<bool> isDone{false}, isLate{false};
  std::thread opener([&] {
    for (int i = 0; i < 500 && !isDone; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    isLate = !isDone;
    gate.open();
  });
  int32_t value = 1;
  EXPECT_OK(own->fill(reinterpret_cast<uintptr_t>(&value), 2, 4, 1));
  EXPECT_OK(own->synchronize());
  isDone = true;
  opener.join();
  EXPECT_FALSE(isLate);
  EXPECT_EQ(value, 2);
  EXPECT_OK(slow->synchronize());
}

// By pieces, of which one would change what the next one reads.
TEST(CpuStreamTest, LargeCopyMayOverlapItself) {
  constexpr size_t count = size_t(9) << 20, distance = 1000;
  auto device = cpu();
  auto stream = valueOf(device->defaultStream(DefaultStream::Unnamed));
  std::vector<uint32_t> values(count + distance);
  std::iota(values.begin(), values.end(), 0);
  auto address = reinterpret_cast<uintptr_t>(values.data());
  uint64_t behind = address + distance * sizeof(uint32_t);
  auto countWrong = [&](size_t from) {
    size_t wrong = 0;
    for (size_t i = 0; i != count; ++i)
      wrong += values[from + i] != i;
    return wrong;
  };
  EXPECT_OK(stream->copyOnDevice(behind, address, count * sizeof(uint32_t)));
  EXPECT_EQ(countWrong(distance), 0u);
  EXPECT_OK(stream->copyOnDevice(address, behind, count * sizeof(uint32_t)));
  EXPECT_EQ(countWrong(0), 0u);
}

TEST(CpuStreamTest, MemoryLivesUntilTheLastStreamIsThrough) {
  auto device = cpu();
  auto slow = valueOf(device->createStream(StreamOrder::WithDefault));
  int32_t seen = 0;
  Gate gate(*slow);
  {
    auto buffer = valueOf(device->allocate(MemoryKind::Device, 4, nullptr));
    EXPECT_OK(slow->fill(buffer->deviceAddress(), 9, 4, 1));
    EXPECT_OK(slow->copyToHost(&seen, buffer->deviceAddress(), 4,
                               Completion::Queued));
  }
  gate.open();
  EXPECT_OK(slow->synchronize());
  EXPECT_EQ(seen, 9);
}

TEST(CpuStreamTest, ModuleLivesUntilItsLastLaunchIsThrough) {
  auto device = cpu();
  auto slow = valueOf(device->createStream(StreamOrder::WithDefault));
  std::weak_ptr<void> code;
  int32_t value = 0;
  Gate gate(*slow);
  {
    HostImage image = kernelsAsHostImage();
    image.owner = std::make_shared<int>();
    code = image.owner;
    auto module = valueOf(device->loadHost(std::move(image)));
    auto kernel = valueOf(module->kernel("add_one"));
    EXPECT_OK(launchOn(*slow, *kernel, launchOf(1, 1),
                       uint64_t(reinterpret_cast<uintptr_t>(&value)),
                       int32_t(1)));
  }
  EXPECT_FALSE(code.expired());
  gate.open();
  EXPECT_OK(slow->synchronize());
  EXPECT_EQ(value, 1);
  EXPECT_TRUE(code.expired());
}

TEST(CpuStreamTest, ThreadsOfStreamsEndWithThem) {
  constexpr ptrdiff_t count = 32;
  auto device = cpu();
  std::vector<std::unique_ptr<Stream>> streams;
  uint32_t word = 0;
  for (ptrdiff_t i = 0; i < count; ++i) {
    streams.push_back(valueOf(device->createStream(StreamOrder::WithDefault)));
    EXPECT_OK(streams.back()->fill(uint64_t(reinterpret_cast<uintptr_t>(&word)),
                                   uint32_t(i), 4, 1));
    EXPECT_OK(streams.back()->synchronize());
  }
  EXPECT_EQ(word, uint32_t(count - 1));
  // Those of tests before may end meanwhile.
  ptrdiff_t most = countThreads() - count;
  streams.clear();
  auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (countThreads() > most && std::chrono::steady_clock::now() < deadline)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_LE(countThreads(), most);
}
