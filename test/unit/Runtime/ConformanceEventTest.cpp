// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Events: that they happen in order, make streams wait, and take the time.

#include "ConformanceSupport.h"

#include <chrono>
#include <thread>

using namespace pyk::runtime;
using namespace pyk::runtime::test;

using ConformanceEventTest = ConformanceTest;

TEST_P(ConformanceEventTest, HasHappenedBeforeItIsRecorded) {
  auto event = valueOf(device->createEvent(EventTiming::None));
  EXPECT_TRUE(valueOf(event->query()));
  EXPECT_OK(event->synchronize());
  EXPECT_OK(stream->wait(*event));
}

TEST_P(ConformanceEventTest, HappensWhenTheWorkBeforeHasEnded) {
  auto own = newStream();
  auto event = valueOf(device->createEvent(EventTiming::None));
  Gate gate(*own);
  EXPECT_OK(event->record(*own));
  EXPECT_FALSE(valueOf(event->query()));
  gate.open();
  EXPECT_OK(event->synchronize());
  EXPECT_TRUE(valueOf(event->query()));
}

TEST_P(ConformanceEventTest, LetsAnotherStreamWait) {
  auto before = newStream(), after = newStream();
  auto buffer = integers(1);
  auto event = valueOf(device->createEvent(EventTiming::None));
  EXPECT_OK(stream->synchronize());
  {
    Gate gate(*before);
    EXPECT_OK(before->fill(buffer->deviceAddress(), 1, 4, 1));
    EXPECT_OK(event->record(*before));
    EXPECT_OK(after->wait(*event));
    EXPECT_OK(after->fill(buffer->deviceAddress(), 2, 4, 1));
    EXPECT_FALSE(valueOf(after->query()));
  }
  EXPECT_OK(after->synchronize());
  EXPECT_EQ(contents(*buffer), std::vector<int32_t>{2});
}

TEST_P(ConformanceEventTest, WaitIsForWhatWasRecordedThen) {
  auto first = newStream(), second = newStream(), waiting = newStream();
  auto event = valueOf(device->createEvent(EventTiming::None));
  EXPECT_OK(event->record(*first));
  EXPECT_OK(waiting->wait(*event));
  Gate gate(*second);
  EXPECT_OK(event->record(*second));
  EXPECT_OK(waiting->synchronize());
  EXPECT_FALSE(valueOf(event->query()));
}

TEST_P(ConformanceEventTest, TakesTheTime) {
  auto begin = valueOf(device->createEvent(EventTiming::Taken));
  auto end = valueOf(device->createEvent(EventTiming::Taken));
  EXPECT_OK(begin->record(*stream));
  EXPECT_OK(stream->synchronize());
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_OK(end->record(*stream));
  EXPECT_OK(end->synchronize());
  double milliseconds = valueOf(begin->millisecondsUntil(*end));
  EXPECT_GE(milliseconds, 4.9);
  EXPECT_LT(milliseconds, 5000);
  EXPECT_LE(valueOf(end->millisecondsUntil(*begin)), -4.9);
}

TEST_P(ConformanceEventTest, WithoutTimingHasNoTime) {
  auto event = valueOf(device->createEvent(EventTiming::None));
  EXPECT_OK(event->record(*stream));
  EXPECT_OK(event->synchronize());
  expectFailure(event->millisecondsUntil(*event),
                StatusCode::FailedPrecondition,
                "taking the time between events: an event takes no time; "
                "record both events, with timing, and wait for them");
}

TEST_P(ConformanceEventTest, NotRecordedHasNoTime) {
  auto event = valueOf(device->createEvent(EventTiming::Taken));
  expectFailure(event->millisecondsUntil(*event),
                StatusCode::FailedPrecondition, "an event was never recorded");
}

TEST_P(ConformanceEventTest, NotHappenedHasNoTime) {
  auto own = newStream();
  auto event = valueOf(device->createEvent(EventTiming::Taken));
  Gate gate(*own);
  EXPECT_OK(event->record(*own));
  expectFailure(event->millisecondsUntil(*event),
                StatusCode::FailedPrecondition,
                "an event has not happened yet");
}

PYK_INSTANTIATE_CONFORMANCE(ConformanceEventTest);
