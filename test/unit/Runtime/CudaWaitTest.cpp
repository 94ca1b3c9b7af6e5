// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Waits for a GPU end when the interrupt check says so, on the stand-in driver
// while its work does not end.

#include "ConformanceSupport.h"
#include "StandInSupport.h"

#include "pyk/runtime/CpuLaunch.h"

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <thread>
#include <utility>

using namespace pyk::runtime;
using namespace pyk::runtime::test;

namespace {

std::atomic<int> questions{0};
std::atomic<bool> asksToStop{false};

class CudaWaitTest : public testing::Test {
protected:
  void SetUp() override {
    device = valueOf(standIn.freshDevice());
    stream = valueOf(device->createStream(StreamOrder::WithDefault));
    event = valueOf(device->createEvent(EventTiming::None));
    buffer = valueOf(device->allocate(MemoryKind::Device, 8, nullptr));
    EXPECT_OK(event->record(*stream));
    questions = 0;
    asksToStop = true;
    setInterruptCheck([] {
      ++questions;
      return asksToStop.load();
    });
  }
  void TearDown() override {
    setInterruptCheck(nullptr);
    standIn.setBusy(false);
    buffer.reset();
    event.reset();
    stream.reset();
    device.reset();
    EXPECT_EQ(standIn.misuses(), "");
    EXPECT_EQ(standIn.live(), 0);
  }

  CopyRows rows(CopyDirection direction) {
    DeviceAddress host = reinterpret_cast<uintptr_t>(memory);
    DeviceAddress there = buffer->deviceAddress();
    return direction == CopyDirection::ToHost
               ? CopyRows{direction, host, there, 4, 4, 4, 2}
               : CopyRows{direction, there, host, 4, 4, 4, 2};
  }

  StandIn &standIn = StandIn::get();
  std::shared_ptr<Device> device;
  std::unique_ptr<Stream> stream;
  std::unique_ptr<Event> event;
  std::unique_ptr<Buffer> buffer;
  int32_t memory[2] = {7, 8};
  const std::function<Status()> waits[6] = {
      [&] { return stream->synchronize(); },
      [&] { return event->synchronize(); },
      [&] { return device->synchronize(); },
      [&] {
        return stream->copyToDevice(buffer->deviceAddress(), memory, 8,
                                    Completion::Done);
      },
      [&] {
        return stream->copyToHost(memory, buffer->deviceAddress(), 8,
                                  Completion::Done);
      },
      [&] {
        return stream->copyRows(rows(CopyDirection::ToHost), Completion::Done);
      },
  };
};

} // namespace

TEST_F(CudaWaitTest, EndsWhenTheProgramAsks) {
  const char *doing[] = {"waiting for a stream on cuda device 0",
                         "waiting for an event on cuda device 0",
                         "waiting for all work on cuda device 0",
                         "copying to the device on cuda device 0",
                         "copying to the host on cuda device 0",
                         "copying rows on cuda device 0"};
  standIn.setBusy(true);
  for (int i = 0; i < 6; ++i) {
    auto begin = std::chrono::steady_clock::now();
    Status status = waits[i]();
    auto took = std::chrono::steady_clock::now() - begin;
    EXPECT_EQ(status.code(), StatusCode::Cancelled);
    EXPECT_EQ(status.message(),
              std::string(doing[i]) +
                  ": the program asked to stop; wait again; what the GPU runs "
                  "cannot be stopped and goes on");
    EXPECT_GE(took, std::chrono::milliseconds(25));
    EXPECT_LT(took, std::chrono::seconds(10));
    EXPECT_EQ(questions, i + 1);
  }
  EXPECT_EQ(memory[0], 7);
  // Nothing was called that waits in the driver.
  for (const char *call :
       {"cuStreamSynchronize", "cuEventSynchronize", "cuCtxSynchronize",
        "cuMemcpyHtoDAsync", "cuMemcpyDtoHAsync", "cuMemcpy2DAsync"})
    EXPECT_EQ(standIn.calls(call), 0) << call;
  standIn.setBusy(false);
  for (const std::function<Status()> &wait : waits)
    EXPECT_OK(wait());
  EXPECT_EQ(questions, 6);
}

TEST_F(CudaWaitTest, GoesOnUntilAsked) {
  asksToStop = false;
  for (const std::function<Status()> &wait : waits) {
    standIn.setBusy(true);
    questions = 0;
    std::thread ends([&] {
      while (questions < 2)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      standIn.setBusy(false);
    });
    EXPECT_OK(wait());
    ends.join();
    EXPECT_GE(questions, 2);
  }
}

// Without a check there is one call of the driver, as there always was.
TEST_F(CudaWaitTest, AsksNobodyWithoutACheck) {
  setInterruptCheck(nullptr);
  int32_t before = standIn.calls();
  EXPECT_OK(stream->synchronize());
  EXPECT_OK(event->synchronize());
  EXPECT_OK(device->synchronize());
  EXPECT_EQ(standIn.calls("cuEventQuery"), 0);
  EXPECT_EQ(standIn.calls("cuEventCreate"), 1);
  EXPECT_EQ(standIn.calls("cuStreamSynchronize"), 1);
  EXPECT_GT(standIn.calls(), before + 2);
}

// Work that failed is reported by the wait itself.
TEST_F(CudaWaitTest, FailedWorkIsReportedByTheDriversWait) {
  asksToStop = false;
  const char *calls[] = {"cuStreamSynchronize", "cuEventSynchronize",
                         "cuCtxSynchronize",    "cuMemcpyHtoDAsync",
                         "cuMemcpyDtoHAsync",   "cuMemcpy2DAsync"};
  for (int i = 0; i < 6; ++i) {
    TearDown();
    SetUp();
    asksToStop = false;
    standIn.failWork(700);
    Status status = waits[i]();
    ASSERT_NE(status.native(), nullptr) << status.message();
    EXPECT_EQ(status.native()->call, calls[i]);
    EXPECT_EQ(status.native()->code, 700);
    EXPECT_OK(device->reset());
  }
}

// So is what keeps the wait from asking.
TEST_F(CudaWaitTest, AnEventThatCannotBeAskedIsAFailure) {
  for (const char *call : {"cuEventCreate", "cuEventRecord", "cuEventQuery"}) {
    standIn.fail(call, 1, 999);
    Status status = stream->synchronize();
    ASSERT_NE(status.native(), nullptr) << status.message();
    EXPECT_EQ(status.native()->call, call);
    EXPECT_EQ(status.native()->code, 999);
  }
}

// The default stream does not tell of streams that keep no order with it.
TEST_F(CudaWaitTest, AsksForStreamsThatKeepNoOrder) {
  standIn.setBusyAlone();
  EXPECT_OK(stream->synchronize());
  EXPECT_EQ(questions, 0);
  EXPECT_EQ(device->synchronize().code(), StatusCode::Cancelled);
  EXPECT_EQ(standIn.calls("cuCtxSynchronize"), 0);
  auto alone = valueOf(device->createStream(StreamOrder::Alone));
  EXPECT_EQ(alone->synchronize().code(), StatusCode::Cancelled);
  alone.reset();
  standIn.setBusy(false);
  EXPECT_OK(device->synchronize());
}

// An older driver has no event of all work; the default stream's is asked for.
TEST_F(CudaWaitTest, AnOlderDriverAsksForTheDefaultStream) {
  TearDown();
  standIn.reset();
  asksToStop = true;
  setInterruptCheck([] { return asksToStop.load(); });
  standIn.setVersion(12040);
  device = valueOf(standIn.registry()->device(Backend::Cuda, 0));
  EXPECT_OK(device->synchronize());
  standIn.setBusy(true);
  EXPECT_EQ(device->synchronize().code(), StatusCode::Cancelled);
  EXPECT_EQ(standIn.calls("cuCtxRecordEvent"), 0);
  EXPECT_EQ(standIn.calls("cuEventRecord"), 2);
  EXPECT_EQ(standIn.calls("cuCtxSynchronize"), 1);
}

// What the driver would wait for all work to free.
TEST_F(CudaWaitTest, FreesLaterWhileThereIsWork) {
  int32_t registered = 0;
  DeviceImage image;
  image.name = "everything";
  image.code = kernelsAsPtx;
  const std::pair<const char *, std::function<std::shared_ptr<void>()>> made[] =
      {{"cuMemFreeHost",
        [&]() -> std::shared_ptr<void> {
          return valueOf(device->allocate(MemoryKind::Pinned, 8, nullptr));
        }},
       {"cuMemFree",
        [&]() -> std::shared_ptr<void> {
          return valueOf(device->allocate(MemoryKind::Managed, 8, nullptr));
        }},
       {"cuMemHostUnregister",
        [&]() -> std::shared_ptr<void> {
          return valueOf(
              device->registerHost(MemoryKind::Pinned, &registered, 4));
        }},
       {"cuModuleUnload", [&]() -> std::shared_ptr<void> {
          return valueOf(device->loadImage(image));
        }}};
  asksToStop = false;
  for (const auto &[call, make] : made) {
    // At once, if nothing runs.
    make();
    EXPECT_EQ(standIn.calls(call), 1) << call;
    auto first = make(), second = make();
    standIn.setBusy(true);
    first.reset();
    second.reset();
    EXPECT_EQ(standIn.calls(call), 1) << call;
    standIn.setBusy(false);
    // The next object of any kind does it.
    buffer = valueOf(device->allocate(MemoryKind::Device, 8, nullptr));
    EXPECT_EQ(standIn.calls(call), 3) << call;
    standIn.setBusy(true);
    first = make();
    first.reset();
    standIn.setBusy(false);
    EXPECT_OK(device->synchronize());
    EXPECT_EQ(standIn.calls(call), 4) << call;
  }
  // The end of the device does, too.
  auto last = made[0].second();
  standIn.setBusy(true);
  last.reset();
  standIn.setBusy(false);
  EXPECT_EQ(standIn.calls("cuMemFreeHost"), 4);
}

// Memory that waits to be freed is there for those that need it.
TEST_F(CudaWaitTest, WhatWaitsToBeFreedCanBeAllocated) {
  asksToStop = false;
  standIn.setMemory(1 << 20);
  auto most = valueOf(device->allocate(MemoryKind::Managed, 1 << 19, nullptr));
  standIn.setBusy(true);
  most.reset();
  asksToStop = true;
  Result<std::unique_ptr<Buffer>> refused =
      device->allocate(MemoryKind::Device, 1 << 19, nullptr);
  EXPECT_EQ(refused.status().code(), StatusCode::Cancelled);
  asksToStop = false;
  questions = 0;
  std::thread ends([&] {
    while (questions < 2)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    standIn.setBusy(false);
  });
  most = valueOf(device->allocate(MemoryKind::Device, 1 << 19, nullptr));
  ends.join();
}

TEST_F(CudaWaitTest, AResetAsks) {
  standIn.setBusyAlone();
  Status status = device->reset();
  EXPECT_EQ(status.code(), StatusCode::Cancelled);
  EXPECT_EQ(status.message(),
            "resetting on cuda device 0: the program asked to stop; wait "
            "again; what the GPU runs cannot be stopped and goes on");
  EXPECT_EQ(standIn.calls("cuDevicePrimaryCtxReset"), 0);
  // The device is as before.
  EXPECT_OK(stream->synchronize());
  standIn.setBusy(false);
  buffer.reset();
  event.reset();
  stream.reset();
  EXPECT_OK(device->reset());
  EXPECT_EQ(standIn.calls("cuDevicePrimaryCtxReset"), 1);
}
