// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Work in order: copies, fills, callbacks, and how streams stand to each other.

#include "ConformanceSupport.h"

#include <atomic>
#include <thread>

using namespace pyk::runtime;
using namespace pyk::runtime::test;

using ConformanceStreamTest = ConformanceTest;

TEST_P(ConformanceStreamTest, CopiesThereAndBack) {
  std::vector<int32_t> values = {1, 2, 3, 4, 5};
  auto first = integers(5), second = integers(5);
  EXPECT_OK(stream->copyToDevice(first->deviceAddress(), values.data(), 20,
                                 Completion::Done));
  EXPECT_OK(stream->copyOnDevice(second->deviceAddress(),
                                 first->deviceAddress() + 4, 16));
  EXPECT_OK(stream->fill(second->deviceAddress() + 16, 77, 4, 1));
  EXPECT_EQ(contents(*second), (std::vector<int32_t>{2, 3, 4, 5, 77}));
  // Nothing is copied from nowhere to nowhere.
  EXPECT_OK(stream->copyToDevice(0, nullptr, 0, Completion::Done));
  EXPECT_OK(stream->copyToHost(nullptr, 0, 0, Completion::Done));
}

TEST_P(ConformanceStreamTest, CopiesRows) {
  // The middle two columns of a 3 x 4 matrix, there and back.
  std::vector<int32_t> matrix = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  auto dense = integers(6), spread = integers(12);
  EXPECT_OK(
      stream->copyRows({CopyDirection::ToDevice, dense->deviceAddress(),
                        reinterpret_cast<uintptr_t>(&matrix[1]), 8, 16, 8, 3},
                       Completion::Done));
  EXPECT_EQ(contents(*dense), (std::vector<int32_t>{1, 2, 5, 6, 9, 10}));
  EXPECT_OK(stream->fill(spread->deviceAddress(), 0, 4, 12));
  EXPECT_OK(
      stream->copyRows({CopyDirection::OnDevice, spread->deviceAddress() + 8,
                        dense->deviceAddress(), 16, 8, 8, 3},
                       Completion::Queued));
  EXPECT_EQ(contents(*spread),
            (std::vector<int32_t>{0, 0, 1, 2, 0, 0, 5, 6, 0, 0, 9, 10}));
  EXPECT_OK(stream->copyRows({CopyDirection::ToHost,
                              reinterpret_cast<uintptr_t>(matrix.data()),
                              dense->deviceAddress(), 16, 8, 8, 2},
                             Completion::Done));
  EXPECT_EQ(matrix,
            (std::vector<int32_t>{1, 2, 2, 3, 5, 6, 6, 7, 8, 9, 10, 11}));
}

TEST_P(ConformanceStreamTest, FillsElementsOfEachSize) {
  auto buffer = integers(3);
  EXPECT_OK(stream->fill(buffer->deviceAddress(), 0xdeadbe01, 1, 4));
  EXPECT_OK(stream->fill(buffer->deviceAddress() + 4, 0xdead0102, 2, 2));
  EXPECT_OK(stream->fill(buffer->deviceAddress() + 8, 0x01020304, 4, 1));
  EXPECT_EQ(contents(*buffer),
            (std::vector<int32_t>{0x01010101, 0x01020102, 0x01020304}));
}

TEST_P(ConformanceStreamTest, RefusesWorkThatCannotBe) {
  auto buffer = integers(4);
  int32_t value = 0;
  constexpr StatusCode invalid = StatusCode::InvalidArgument;
  expectFailure(stream->copyToDevice(0, &value, 4, Completion::Done), invalid,
                "copying to the device: the destination of 4 bytes has no "
                "address; pass memory that is there");
  expectFailure(stream->copyToDevice(buffer->deviceAddress(), nullptr, 4,
                                     Completion::Done),
                invalid, "the source of 4 bytes has no address");
  expectFailure(
      stream->copyRows({CopyDirection::OnDevice, buffer->deviceAddress(),
                        buffer->deviceAddress() + 8, 4, 2, 4, 2},
                       Completion::Done),
      invalid,
      "copying rows: rows of 4 bytes overlap at distances of 2 and "
      "4 bytes; pass distances of at least a row");
  expectFailure(stream->fill(buffer->deviceAddress(), 0, 3, 1), invalid,
                "filling memory: elements have 3 bytes; fill with elements of "
                "1, 2 or 4 bytes");
  expectFailure(stream->fill(buffer->deviceAddress() + 2, 0, 4, 1), invalid,
                "the address is not a multiple of 4 bytes; fill with smaller "
                "elements, or from another address");
}

TEST_P(ConformanceStreamTest, RunsInOrder) {
  auto own = newStream();
  auto buffer = integers(1000);
  auto addOne = kernelNamed("add_one");
  EXPECT_OK(own->fill(buffer->deviceAddress(), 0, 4, 1000));
  for (int round = 0; round < 100; ++round)
    EXPECT_OK(launchOn(*own, *addOne, launchOf(4, 256), buffer->deviceAddress(),
                       int32_t(1000)));
  EXPECT_EQ(contents(*buffer, *own), std::vector<int32_t>(1000, 100));
  EXPECT_TRUE(valueOf(own->query()));
}

TEST_P(ConformanceStreamTest, RunsBesideTheHost) {
  auto own = newStream();
  auto buffer = integers(1);
  Gate gate(*own);
  EXPECT_OK(own->fill(buffer->deviceAddress(), 3, 4, 1));
  EXPECT_FALSE(valueOf(own->query()));
  gate.open();
  EXPECT_OK(own->synchronize());
  EXPECT_TRUE(valueOf(own->query()));
  EXPECT_EQ(contents(*buffer), std::vector<int32_t>{3});
}

TEST_P(ConformanceStreamTest, RunsBesideOtherStreams) {
  auto stuck = newStream(), free = newStream();
  auto buffer = integers(1);
  EXPECT_OK(stream->synchronize());
  Gate gate(*stuck);
  EXPECT_OK(free->fill(buffer->deviceAddress(), 4, 4, 1));
  EXPECT_OK(free->synchronize());
  EXPECT_FALSE(valueOf(stuck->query()));
}

TEST_P(ConformanceStreamTest, DefaultStreamWaitsForOrdinaryStreams) {
  auto own = newStream();
  auto buffer = integers(1);
  EXPECT_OK(stream->fill(buffer->deviceAddress(), 0, 4, 1));
  Gate gate(*own);
  EXPECT_OK(own->fill(buffer->deviceAddress(), 8, 4, 1));
  std::thread opener([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    gate.open();
  });
  EXPECT_EQ(contents(*buffer, *stream), std::vector<int32_t>{8});
  opener.join();
}

TEST_P(ConformanceStreamTest, DefaultStreamDoesNotWaitForStreamsThatAreAlone) {
  auto buffer = integers(1);
  auto alone = valueOf(device->createStream(StreamOrder::Alone));
  EXPECT_OK(stream->synchronize());
  Gate gate(*alone);
  EXPECT_OK(stream->fill(buffer->deviceAddress(), 6, 4, 1));
  EXPECT_EQ(contents(*buffer, *stream), std::vector<int32_t>{6});
  EXPECT_FALSE(valueOf(alone->query()));
}

TEST_P(ConformanceStreamTest, ArgumentsAreCopiedByTheLaunch) {
  auto own = newStream();
  auto buffer = integers(2);
  auto kernel = kernelNamed("write_index");
  {
    Gate gate(*own);
    DeviceAddress out = buffer->deviceAddress();
    int32_t count = 2, factor = 5;
    void *arguments[] = {&out, &count, &factor};
    EXPECT_OK(own->launch(*kernel, launchOf(1, 2), arguments));
    out = 0;
    count = factor = -1;
  }
  EXPECT_EQ(contents(*buffer, *own), (std::vector<int32_t>{0, 5}));
}

TEST_P(ConformanceStreamTest, DestroyedStreamFinishesItsWork) {
  auto buffer = integers(1);
  {
    auto own = newStream();
    for (uint32_t i = 0; i < 100; ++i)
      EXPECT_OK(own->fill(buffer->deviceAddress(), i, 4, 1));
  }
  EXPECT_OK(device->synchronize());
  EXPECT_EQ(contents(*buffer), std::vector<int32_t>{99});
}

TEST_P(ConformanceStreamTest, CallbackComesAfterTheWorkBefore) {
  auto own = newStream();
  auto buffer = integers(1);
  int32_t seen = 0;
  EXPECT_OK(own->fill(buffer->deviceAddress(), 21, 4, 1));
  EXPECT_OK(
      own->copyToHost(&seen, buffer->deviceAddress(), 4, Completion::Queued));
  std::atomic<int32_t> called{0};
  EXPECT_OK(own->addCallback([&](const Status &status) {
    EXPECT_TRUE(status.ok()) << status.message();
    called = seen;
  }));
  EXPECT_OK(own->synchronize());
  EXPECT_EQ(called, 21);
}

TEST_P(ConformanceStreamTest, CallbackIsDestroyed) {
  auto alive = std::make_shared<int>(0);
  std::weak_ptr<int> watch = alive;
  auto own = newStream();
  EXPECT_OK(own->addCallback([alive = std::move(alive)](const Status &) {}));
  EXPECT_OK(own->synchronize());
  EXPECT_TRUE(watch.expired());
}

TEST_P(ConformanceStreamTest, HandleNamesTheSameStream) {
  auto own = newStream();
  EXPECT_GT(own->handle(), 2u);
  auto other = valueOf(device->externalStream(own->handle()));
  EXPECT_EQ(other->handle(), own->handle());
  auto buffer = integers(1);
  EXPECT_OK(own->fill(buffer->deviceAddress(), 1, 4, 1));
  EXPECT_OK(other->fill(buffer->deviceAddress(), 2, 4, 1));
  EXPECT_OK(own->synchronize());
  EXPECT_EQ(contents(*buffer), std::vector<int32_t>{2});
  // Only its maker ends it.
  other.reset();
  EXPECT_OK(own->fill(buffer->deviceAddress(), 3, 4, 1));
  EXPECT_EQ(contents(*buffer, *own), std::vector<int32_t>{3});
}

TEST_P(ConformanceStreamTest, StreamOfAHandleOutlivesItsMakersOnTheCpu) {
  if (device->backend() != Backend::Cpu)
    GTEST_SKIP() << "CUDA's handles are dead without their stream";
  auto own = newStream();
  auto buffer = integers(1);
  EXPECT_OK(own->fill(buffer->deviceAddress(), 1, 4, 1));
  auto other = valueOf(device->externalStream(own->handle()));
  for (int32_t value = 2; value < 20; ++value) {
    own.reset();
    // The first stream's thread ends now, or soon.
    EXPECT_OK(other->fill(buffer->deviceAddress(), value, 4, 1));
    EXPECT_OK(other->synchronize());
    EXPECT_EQ(contents(*buffer), std::vector<int32_t>{value});
  }
}

TEST_P(ConformanceStreamTest, StreamsThatAreAlwaysThereWork) {
  uint64_t number = 0;
  for (DefaultStream which : {DefaultStream::Unnamed, DefaultStream::Legacy,
                              DefaultStream::PerThread}) {
    auto always = valueOf(device->defaultStream(which));
    EXPECT_EQ(always->handle(), number++);
    auto buffer =
        valueOf(device->allocate(MemoryKind::Device, 4, always.get()));
    EXPECT_OK(always->fill(buffer->deviceAddress(), 30, 4, 1));
    EXPECT_EQ(contents(*buffer, *always), std::vector<int32_t>{30});
    EXPECT_TRUE(valueOf(always->query()));
    EXPECT_OK(always->synchronize());
  }
}

TEST_P(ConformanceStreamTest, ManyThreadsUseOneStream) {
  auto own = newStream();
  auto buffer = integers(64);
  auto addOne = kernelNamed("add_one");
  EXPECT_OK(own->fill(buffer->deviceAddress(), 0, 4, 64));
  std::thread threads[4];
  for (std::thread &thread : threads)
    thread = std::thread([&] {
      for (int round = 0; round < 50; ++round)
        EXPECT_OK(launchOn(*own, *addOne, launchOf(1, 64),
                           buffer->deviceAddress(), int32_t(64)));
      EXPECT_OK(own->synchronize());
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(contents(*buffer, *own), std::vector<int32_t>(64, 200));
}

PYK_INSTANTIATE_CONFORMANCE(ConformanceStreamTest);
