// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every device says of itself, and what a reset does.

#include "ConformanceSupport.h"

#include <atomic>
#include <chrono>
#include <thread>

using namespace pyk::runtime;
using namespace pyk::runtime::test;

using ConformanceDeviceTest = ConformanceTest;

TEST_P(ConformanceDeviceTest, SaysWhatItIs) {
  EXPECT_FALSE(device->name().empty());
  EXPECT_EQ(device->index(), 0);
  EXPECT_EQ(device->label().find(backendName(device->backend())), 0u);
  EXPECT_EQ(device->uuid().size(), 40u);
  EXPECT_EQ(device->uuid().substr(3, 1), "-");
}

TEST_P(ConformanceDeviceTest, AttributesHaveCudasMeaning) {
  EXPECT_EQ(valueOf(device->attribute(DeviceAttribute::WarpSize)), 32);
  EXPECT_GE(valueOf(device->attribute(DeviceAttribute::MultiprocessorCount)),
            1);
  EXPECT_EQ(valueOf(device->attribute(DeviceAttribute::MaxThreadsPerBlock)),
            1024);
  EXPECT_EQ(valueOf(device->attribute(DeviceAttribute::MaxGridDimX)),
            2147483647);
  EXPECT_GE(
      valueOf(device->attribute(DeviceAttribute::MaxSharedMemoryPerBlockOptin)),
      48 * 1024);
  EXPECT_GE(valueOf(device->attribute(DeviceAttribute::ComputeCapabilityMajor)),
            5);
}

TEST_P(ConformanceDeviceTest, AttributesAreFoundByName) {
  for (int32_t i = 0; deviceAttributeAt(i).name; ++i)
    EXPECT_EQ(valueOf(deviceAttributeNamed(deviceAttributeAt(i).name)),
              deviceAttributeAt(i).attribute);
  expectFailure(deviceAttributeNamed("SMELL"), StatusCode::NotFound,
                "asking for a device attribute: there is none named 'SMELL'; "
                "use one of CUDA's names without its prefix");
  EXPECT_EQ(deviceAttributeAt(-1).name, nullptr);
}

TEST_P(ConformanceDeviceTest, UnknownAttributeIsUnsupported) {
  expectFailure(device->attribute(DeviceAttribute(100000)),
                device->backend() == Backend::Cpu ? StatusCode::Unsupported
                                                  : StatusCode::InvalidArgument,
                "asking for an attribute of the ");
}

TEST_P(ConformanceDeviceTest, MemoryInfoIsPlausible) {
  MemoryInfo info = valueOf(device->memoryInfo());
  EXPECT_GT(info.freeBytes, 0u);
  EXPECT_LE(info.freeBytes, info.totalBytes);
}

TEST_P(ConformanceDeviceTest, ProfilingNeedsNoProfiler) {
  EXPECT_OK(device->setProfiling(true));
  EXPECT_OK(device->setProfiling(false));
}

TEST_P(ConformanceDeviceTest, ReleasedMemoryIsFreeAgain) {
  uint64_t before = valueOf(device->memoryInfo()).freeBytes;
  {
    auto buffer = integers(size_t(1) << 20);
    EXPECT_LT(valueOf(device->memoryInfo()).freeBytes, before);
  }
  EXPECT_OK(device->synchronize());
  EXPECT_EQ(valueOf(device->memoryInfo()).freeBytes, before);
}

// Those that keep no order with the default stream are streams, too.
TEST_P(ConformanceDeviceTest, WaitsForTheWorkOfAllStreams) {
  for (StreamOrder order : {StreamOrder::WithDefault, StreamOrder::Alone}) {
    auto own = valueOf(device->createStream(order));
    std::atomic<bool> done{false};
    EXPECT_OK(own->addCallback([&](const Status &) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      done = true;
    }));
    EXPECT_OK(device->synchronize());
    EXPECT_TRUE(done);
    EXPECT_OK(own->synchronize());
  }
}

TEST_P(ConformanceDeviceTest, ObjectsOfBeforeAResetAreDead) {
  auto own = newStream();
  auto event = valueOf(device->createEvent(EventTiming::Taken));
  auto buffer = integers(4);
  auto kernel = kernelNamed("shared_bytes");
  auto module = loadKernels();
  EXPECT_OK(event->record(*own));
  EXPECT_OK(device->reset());

  const char *dead = "was reset since the object was made; make it anew";
  constexpr StatusCode code = StatusCode::FailedPrecondition;
  expectFailure(own->synchronize(), code, dead);
  expectFailure(own->query(), code, dead);
  expectFailure(own->fill(buffer->deviceAddress(), 0, 4, 1), code, dead);
  expectFailure(
      own->copyToDevice(buffer->deviceAddress(), &code, 1, Completion::Done),
      code, dead);
  expectFailure(own->addCallback([](const Status &) {}), code, dead);
  expectFailure(event->query(), code, dead);
  expectFailure(event->synchronize(), code, dead);
  expectFailure(event->millisecondsUntil(*event), code, dead);
  expectFailure(module->kernel("add_one"), code, dead);
  expectFailure(kernel->info(), code, dead);

  stream = valueOf(device->defaultStream(DefaultStream::Unnamed));
  expectFailure(
      launchOn(*stream, *kernel, launchOf(1, 1), buffer->deviceAddress()), code,
      dead);
  expectFailure(event->record(*stream), code, dead);

  // And the device works.
  auto fresh = integers(1);
  auto reloaded = kernelNamed("shared_bytes");
  EXPECT_OK(
      launchOn(*stream, *reloaded, launchOf(1, 1, 64), fresh->deviceAddress()));
  EXPECT_EQ(contents(*fresh), std::vector<int32_t>{64});
}

TEST_P(ConformanceDeviceTest, OutlivesItsRegistryAndObjectsItsHandle) {
  auto buffer = integers(2);
  auto own = newStream();
  device.reset();
  EXPECT_OK(own->fill(buffer->deviceAddress(), 7, 4, 2));
  EXPECT_EQ(contents(*buffer, *own), (std::vector<int32_t>{7, 7}));
}

PYK_INSTANTIATE_CONFORMANCE(ConformanceDeviceTest);
