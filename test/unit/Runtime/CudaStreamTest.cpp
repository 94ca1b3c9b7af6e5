// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What streams ask of CUDA's driver: no more than is needed for a launch, what
// is needed for a copy of nothing, and what becomes of a callback and of a
// context when it refuses.

#include "ConformanceSupport.h"
#include "StandInSupport.h"

#include <chrono>
#include <memory>
#include <thread>

using namespace pyk::runtime;
using namespace pyk::runtime::test;

namespace {

class CudaStreamTest : public testing::Test {
protected:
  void SetUp() override {
    device = valueOf(standIn.freshDevice());
    stream = valueOf(device->defaultStream(DefaultStream::Unnamed));
    buffer = valueOf(device->allocate(MemoryKind::Device, 8, nullptr));
  }
  void TearDown() override {
    standIn.setBusy(false);
    buffer.reset();
    stream.reset();
    device.reset();
    EXPECT_EQ(standIn.misuses(), "");
    EXPECT_EQ(standIn.live(), 0);
    standIn.reset();
  }

  Status fill() { return stream->fill(buffer->deviceAddress(), 0, 4, 1); }

  /// Copies nothing, in each way that there is.
  std::vector<Status> copyNothing(Completion completion) {
    DeviceAddress there = buffer->deviceAddress();
    DeviceAddress host = reinterpret_cast<uintptr_t>(&memory);
    CopyRows rows = {CopyDirection::ToHost, host, there, 4, 4, 4, 0};
    return {stream->copyToHost(&memory, there, 0, completion),
            stream->copyToDevice(there, &memory, 0, completion),
            stream->copyRows(rows, completion)};
  }

  StandIn &standIn = StandIn::get();
  std::shared_ptr<Device> device;
  std::unique_ptr<Stream> stream;
  std::unique_ptr<Buffer> buffer;
  int32_t memory = 7;
};

} // namespace

// A program waits for what it has queued by any copy.
TEST_F(CudaStreamTest, CopyOfNothingWaitsLikeAnother) {
  for (const Status &status : copyNothing(Completion::Queued))
    EXPECT_OK(status);
  EXPECT_EQ(standIn.calls("cuStreamSynchronize"), 0);
  for (const Status &status : copyNothing(Completion::Done))
    EXPECT_OK(status);
  EXPECT_EQ(standIn.calls("cuStreamSynchronize"), 3);
  EXPECT_EQ(memory, 7);
}

TEST_F(CudaStreamTest, CopyOfNothingFailsOnALostDevice) {
  standIn.fail("cuMemsetD32Async", 1, 700);
  EXPECT_FALSE(fill().ok());
  for (Completion completion : {Completion::Queued, Completion::Done})
    for (const Status &status : copyNothing(completion))
      expectFailure(status, StatusCode::DeviceLost,
                    "an earlier failure has made the device unusable: ");
}

// Two calls of the driver may find out, each on a thread of its own; what came
// first is the cause.
TEST_F(CudaStreamTest, TheFirstFailureIsTheOneThatLosesTheDevice) {
  standIn.setBusy(true);
  Status later;
  std::thread waits([&] { later = stream->synchronize(); });
  while (standIn.calls("cuStreamSynchronize") == 0)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  standIn.fail("cuMemsetD32Async", 1, 700);
  Status first = fill();
  standIn.setBusy(false);
  waits.join();
  expectFailure(first, StatusCode::LaunchFailed, "Call to cuMemsetD32Async");
  expectFailure(later, StatusCode::LaunchFailed,
                "[700] Call to cuStreamSynchronize");
  Status last = fill();
  expectFailure(last, StatusCode::DeviceLost, first.message());
  EXPECT_EQ(last.native()->call, "cuMemsetD32Async");
}

// Nor is it what goes wrong when the thread gets its own context back.
TEST_F(CudaStreamTest, TheCallIsTheCauseAndNotItsEnd) {
  standIn.setDevices(2);
  auto other = valueOf(standIn.registry()->device(Backend::Cuda, 1));
  auto own = valueOf(other->defaultStream(DefaultStream::Unnamed));
  auto memory = valueOf(other->allocate(MemoryKind::Device, 8, nullptr));
  EXPECT_OK(fill());
  standIn.fail("cuMemsetD32Async", 1, 700);
  standIn.fail("cuCtxPopCurrent", 1, 719);
  Status first = own->fill(memory->deviceAddress(), 0, 4, 1);
  expectFailure(first, StatusCode::LaunchFailed, "Call to cuMemsetD32Async");
  expectFailure(own->fill(memory->deviceAddress(), 0, 4, 1),
                StatusCode::DeviceLost, first.message());
}

TEST_F(CudaStreamTest, CallbackThatIsRefusedIsDestroyed) {
  auto alive = std::make_shared<int>(0);
  std::weak_ptr<int> watch = alive;
  standIn.fail("cuStreamAddCallback", 1, 999);
  expectFailure(
      stream->addCallback([alive = std::move(alive)](const Status &) {}),
      StatusCode::DriverFailed, "Call to cuStreamAddCallback");
  EXPECT_TRUE(watch.expired());
}

// Permission for much shared memory is asked for when a launch is the first to
// need as much.
TEST_F(CudaStreamTest, SharedMemoryIsAskedForOnce) {
  DeviceImage image;
  image.name = "kernels";
  image.code = kernelsAsPtx;
  auto module = valueOf(device->loadImage(image));
  auto kernel = valueOf(module->kernel("shared_bytes"));
  auto launch = [&](int64_t kibibytes) {
    EXPECT_OK(launchOn(*stream, *kernel, launchOf(1, 1, kibibytes * 1024),
                       buffer->deviceAddress()));
    return standIn.calls("cuFuncSetAttribute");
  };
  EXPECT_EQ(launch(48), 0);
  EXPECT_EQ(launch(100), 1);
  EXPECT_EQ(launch(100), 1);
  EXPECT_EQ(launch(64), 1);
  EXPECT_EQ(launch(101), 2);
}
