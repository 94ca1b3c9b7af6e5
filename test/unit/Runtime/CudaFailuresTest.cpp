// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CUDA backend when the driver fails: one program that uses everything is
// run as often as it calls the driver, and each time another call fails. The
// failure must name the call and what was being done, nothing may leak, and
// what comes after must work, unless the context is lost.

#include "ConformanceSupport.h"
#include "StandInSupport.h"
#include "pyk/runtime/Artifact.h"
#include "pyk/runtime/CpuImage.h"

#include <atomic>
#include <memory>
#include <set>

using namespace pyk::runtime;
using namespace pyk::runtime::test;

namespace {

/// Ends the program with the failure of `expression`, if it is one.
#define TRY(expression)                                                        \
  do {                                                                         \
    if (Status tried = (expression); !tried.ok())                              \
      return tried;                                                            \
  } while (false)

/// The same, and otherwise declares `name` with the value.
// NOLINTBEGIN(bugprone-macro-parentheses)
#define TRY_VALUE(name, expression)                                            \
  auto name##Result = (expression);                                            \
  if (!name##Result.ok())                                                      \
    return name##Result.status();                                              \
  auto name = std::move(name##Result.value())
// NOLINTEND(bugprone-macro-parentheses)

Status useMemory(Device &device, Stream &stream) {
  // After a failure a copy may still be queued.
  static int32_t host[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  TRY_VALUE(buffer, device.allocate(MemoryKind::Device, 32, nullptr));
  TRY_VALUE(other, device.allocate(MemoryKind::Device, 32, &stream));
  TRY_VALUE(pinned, device.allocate(MemoryKind::Pinned, 32, nullptr));
  TRY_VALUE(mapped, device.allocate(MemoryKind::Mapped, 32, nullptr));
  TRY_VALUE(managed, device.allocate(MemoryKind::Managed, 32, nullptr));
  TRY_VALUE(registered, device.registerHost(MemoryKind::Mapped, host, 32));
  TRY_VALUE(info, device.memoryInfo());
  EXPECT_LT(info.freeBytes, info.totalBytes);
  TRY(device.setProfiling(true));
  TRY(device.setProfiling(false));
  DeviceAddress to = buffer->deviceAddress(), from = other->deviceAddress();
  TRY(stream.fill(to, 1, 1, 4));
  TRY(stream.fill(to, 1, 2, 4));
  TRY(stream.fill(to, 1, 4, 4));
  TRY(stream.copyToDevice(to, host, 32, Completion::Queued));
  TRY(stream.copyOnDevice(from, to, 32));
  TRY(stream.copyRows({CopyDirection::OnDevice, to, from, 8, 8, 4, 4},
                      Completion::Queued));
  return stream.copyToHost(host, from, 32, Completion::Done);
}

Status useKernels(Device &device, Stream &stream) {
  DeviceImage image;
  image.name = "everything";
  image.code = kernelsAsPtx;
  image.maxRegisters = 64;
  image.optimizationLevel = 3;
  image.lineInfo = true;
  // In one file with another.
  std::string path = testing::TempDir() + "pyk-linked.ptx";
  std::ofstream(path) << ".version 8.0\n.target sm_50\n.address_size 64\n";
  image.links = {path};
  TRY_VALUE(module, device.loadImage(image));
  TRY_VALUE(symbol, module->symbol("marker"));
  EXPECT_EQ(symbol.bytes, 16u);
  TRY_VALUE(kernel, module->kernel("shared_bytes"));
  TRY_VALUE(info, kernel->info());
  EXPECT_EQ(info.registersPerThread, 16);
  TRY(kernel->setCarveout(50));
  TRY(kernel->setCache(CachePreference::L1));
  TRY_VALUE(blocks, kernel->activeBlocks(128, 0));
  EXPECT_EQ(blocks, 16);
  TRY_VALUE(best, kernel->bestBlock(0, 256));
  EXPECT_EQ(best.blockThreads, 256);
  TRY_VALUE(buffer, device.allocate(MemoryKind::Device, 4, nullptr));
  DeviceAddress out = buffer->deviceAddress();
  TRY(launchOn(stream, *kernel, launchOf(1, 1), out));
  LaunchConfig cooperative = launchOf(1, 1, 100 * 1024);
  cooperative.cooperative = true;
  TRY(launchOn(stream, *kernel, cooperative, out));
  int32_t got = 0;
  TRY(stream.copyToHost(&got, out, 4, Completion::Done));
  EXPECT_EQ(got, 100 * 1024);
  return Status();
}

Status useEvents(Device &device, Stream &stream) {
  TRY_VALUE(begin, device.createEvent(EventTiming::Taken));
  TRY_VALUE(end, device.createEvent(EventTiming::Taken));
  TRY_VALUE(external, device.externalStream(stream.handle()));
  TRY(begin->record(stream));
  TRY(external->wait(*begin));
  TRY(end->record(*external));
  TRY(end->synchronize());
  TRY_VALUE(happened, end->query());
  EXPECT_TRUE(happened);
  TRY_VALUE(milliseconds, begin->millisecondsUntil(*end));
  EXPECT_GE(milliseconds, 0);
  // After a failure the callback may still be queued.
  auto called = std::make_shared<std::atomic<bool>>(false);
  TRY(stream.addCallback([called](const Status &) { *called = true; }));
  TRY(stream.synchronize());
  EXPECT_TRUE(*called);
  TRY_VALUE(done, stream.query());
  EXPECT_TRUE(done);
  return Status();
}

/// Uses everything that a device has.
Status useDevice(Device &device) {
  TRY_VALUE(warp, device.attribute(DeviceAttribute::WarpSize));
  EXPECT_EQ(warp, 32);
  TRY_VALUE(context, device.context());
  EXPECT_NE(context, 0u);
  {
    TRY_VALUE(stream, device.createStream(StreamOrder::WithDefault));
    TRY(useMemory(device, *stream));
    TRY(useKernels(device, *stream));
    TRY(useEvents(device, *stream));
  }
  return device.synchronize();
}

/// The program: two devices in turns, so that contexts are pushed and popped.
Status useEverything(Registry &registry) {
  TRY_VALUE(first, registry.device(Backend::Cuda, 0));
  TRY_VALUE(second, registry.device(Backend::Cuda, 1));
  TRY(useDevice(*first));
  TRY(useDevice(*second));
  TRY(second->reset());
  return first->reset();
}

/// Whether `failure` is of a release: then nobody can give the object back.
bool isRelease(const Status &failure) {
  for (const char *doing : {"freeing ", "unregistering ", "destroying ",
                            "unloading ", "releasing ", "giving a thread "})
    if (failure.message().find(doing) == 0)
      return true;
  return false;
}

class CudaFailuresTest : public ::testing::Test {
protected:
  void SetUp() override { restart(); }

  void TearDown() override {
    EXPECT_EQ(standIn.misuses(), "");
    EXPECT_EQ(standIn.live(), 0);
    standIn.reset();
  }

  void restart() {
    standIn.reset();
    setKernelsOfStandIn();
    standIn.setDevices(2);
  }

  std::shared_ptr<Device> device() {
    return valueOf(standIn.registry()->device(Backend::Cuda, 0));
  }

  StandIn &standIn = StandIn::get();
};

} // namespace

TEST_F(CudaFailuresTest, EveryCallFailsOnce) {
  ASSERT_TRUE(useEverything(*standIn.registry()).ok());
  EXPECT_EQ(standIn.misuses(), "");
  EXPECT_EQ(standIn.live(), 0);
  int32_t calls = standIn.calls();
  ASSERT_GT(calls, 150);

  std::set<std::string> seen;
  for (int32_t i = 1; i <= calls; ++i) {
    restart();
    auto registry = standIn.registry();
    standIn.fail("*", i, 999);
    Status status = useEverything(*registry);
    std::string call = standIn.callAt(i - 1);
    SCOPED_TRACE("call " + std::to_string(i) + ", " + call + ": " +
                 status.message());
    seen.insert(call);

    ASSERT_FALSE(status.ok());
    ASSERT_NE(status.native(), nullptr);
    EXPECT_EQ(status.native()->call, call);
    EXPECT_EQ(status.native()->code, 999);
    EXPECT_EQ(status.native()->name, "CUDA_ERROR_UNKNOWN");
    std::string said = ": [999] Call to " + call +
                       " results in CUDA_ERROR_UNKNOWN (unknown error)";
    size_t place = status.message().find(said);
    ASSERT_NE(place, std::string::npos);
    EXPECT_GT(place, 5u);

    // A driver that did not start is not started again; a registry is.
    bool started = registry->deviceCount(Backend::Cuda).ok();
    if (!started)
      registry = standIn.registry();
    Status later = useEverything(*registry);
    EXPECT_TRUE(later.ok()) << later.message();
    registry.reset();
    if (isRelease(status))
      continue;
    EXPECT_EQ(standIn.misuses(), "");
    EXPECT_EQ(standIn.live(), 0);
  }
  // The program calls everything but what only other drivers are asked for.
  EXPECT_EQ(seen.count("cuLaunchKernelEx"), 1u);
  EXPECT_GE(seen.size(), 50u);
  restart();
}

TEST_F(CudaFailuresTest, EveryCallLosesItsContextOnce) {
  ASSERT_TRUE(useEverything(*standIn.registry()).ok());
  int32_t calls = standIn.calls();
  int32_t lost = 0;
  for (int32_t i = 1; i <= calls; ++i) {
    restart();
    auto registry = standIn.registry();
    standIn.fail("*", i, 700);
    Status status = useEverything(*registry);
    std::string call = standIn.callAt(i - 1);
    SCOPED_TRACE("call " + std::to_string(i) + ", " + call);
    ASSERT_NE(status.native(), nullptr) << status.message();
    EXPECT_EQ(status.native()->call, call);
    EXPECT_EQ(status.native()->code, 700);

    // Whatever is tried on the lost device names the first failure.
    if (registry->deviceCount(Backend::Cuda).ok()) {
      for (int32_t index : {0, 1}) {
        auto device = valueOf(registry->device(Backend::Cuda, index));
        Status again = device->synchronize();
        if (again.code() != StatusCode::DeviceLost)
          continue;
        ++lost;
        EXPECT_EQ(again.native()->call, call);
        EXPECT_NE(again.message().find(
                      "an earlier failure has made the device unusable: "),
                  std::string::npos);
        EXPECT_NE(again.message().find("[700] Call to " + call),
                  std::string::npos);
        // Only a reset helps.
        EXPECT_OK(device->reset());
        EXPECT_OK(device->synchronize());
      }
    }
    registry.reset();
    if (!isRelease(status))
      EXPECT_EQ(standIn.live(), 0);
  }
  EXPECT_GT(lost, 100);
  restart();
}

TEST_F(CudaFailuresTest, FailedKernelLosesTheDevice) {
  auto used = device();
  auto stream = valueOf(used->defaultStream(DefaultStream::Unnamed));
  auto buffer = valueOf(used->allocate(MemoryKind::Device, 4, nullptr));
  standIn.failWork(719);
  Status first = stream->synchronize();
  expectFailure(first, StatusCode::LaunchFailed,
                "waiting for a stream on cuda device 0: [719] Call to "
                "cuStreamSynchronize results in CUDA_ERROR_LAUNCH_FAILED "
                "(unspecified launch failure); look for the cause in the "
                "kernels launched before, and start the process again");
  Status second = stream->fill(buffer->deviceAddress(), 0, 4, 1);
  expectFailure(second, StatusCode::DeviceLost,
                "filling 4 bytes on cuda device 0: an earlier failure has made "
                "the device unusable: " +
                    first.message());
  EXPECT_EQ(second.native()->call, "cuStreamSynchronize");
}

TEST_F(CudaFailuresTest, KernelWithFreedMemoryIsFoundOut) {
  auto used = device();
  auto stream = valueOf(used->defaultStream(DefaultStream::Unnamed));
  DeviceImage image;
  image.name = "kernels";
  image.code = kernelsAsPtx;
  auto module = valueOf(used->loadImage(image));
  auto kernel = valueOf(module->kernel("shared_bytes"));
  auto buffer = valueOf(used->allocate(MemoryKind::Device, 4, nullptr));
  DeviceAddress stale = buffer->deviceAddress();
  buffer.reset();
  EXPECT_OK(launchOn(*stream, *kernel, launchOf(1, 1), stale));
  expectFailure(stream->synchronize(), StatusCode::LaunchFailed,
                "CUDA_ERROR_ILLEGAL_ADDRESS (an illegal memory access was "
                "encountered); look for an index out of range");
  EXPECT_EQ(standIn.misuses(),
            "kernel shared_bytes was given memory that is not there\n");
  module.reset();
  kernel.reset();
  stream.reset();
  used.reset();
  standIn.reset();
}

// Another thread may end a context while an object of it is destroyed.
TEST_F(CudaFailuresTest, WhatEndsWithItsContextIsNoFailure) {
  auto used = device();
  for (int32_t code : {709, 4}) {
    auto event = valueOf(used->createEvent(EventTiming::Taken));
    standIn.fail("cuEventDestroy", 1, code);
    event.reset();
    EXPECT_OK(used->reset());
    // The object is left behind here.
    restart();
    used = device();
  }
  // An invalid context is a failure unless the context ends.
  auto event = valueOf(used->createEvent(EventTiming::Taken));
  standIn.fail("cuEventDestroy", 1, 201);
  event.reset();
  expectFailure(used->reset(), StatusCode::DriverFailed,
                "destroying an event on cuda device 0: [201]");
  restart();
}

TEST_F(CudaFailuresTest, CallbackHearsOfFailedWork) {
  auto used = device();
  auto stream = valueOf(used->defaultStream(DefaultStream::Unnamed));
  standIn.failWork(719);
  Status heard;
  EXPECT_OK(stream->addCallback([&](const Status &status) { heard = status; }));
  expectFailure(heard, StatusCode::LaunchFailed,
                "calling back from a stream on cuda device 0: [719]");
}

TEST_F(CudaFailuresTest, MemoryRunsOutAndComesBack) {
  standIn.setMemory(1 << 20);
  auto used = device();
  auto most = valueOf(used->allocate(MemoryKind::Device, 1 << 20, nullptr));
  auto refused = used->allocate(MemoryKind::Device, 16, nullptr);
  expectFailure(refused, StatusCode::OutOfMemory,
                "allocating 16 bytes of device memory on cuda device 0: [2] "
                "Call to cuMemAllocFromPoolAsync results in "
                "CUDA_ERROR_OUT_OF_MEMORY (out of memory); free arrays or use "
                "smaller ones");
  // What the pool kept was given back before the second try.
  EXPECT_EQ(standIn.calls("cuMemPoolTrimTo"), 1);
  EXPECT_EQ(standIn.calls("cuMemAllocFromPoolAsync"), 3);
  most.reset();
  EXPECT_EQ(valueOf(used->allocate(MemoryKind::Device, 16, nullptr))->bytes(),
            16u);
}

TEST_F(CudaFailuresTest, NotReadyIsNoFailure) {
  auto used = device();
  auto stream = valueOf(used->defaultStream(DefaultStream::Unnamed));
  auto event = valueOf(used->createEvent(EventTiming::Taken));
  EXPECT_OK(event->record(*stream));
  for (const char *call :
       {"cuStreamQuery", "cuEventQuery", "cuEventElapsedTime"})
    standIn.fail(call, 1, 600);
  EXPECT_FALSE(valueOf(stream->query()));
  EXPECT_FALSE(valueOf(event->query()));
  expectFailure(event->millisecondsUntil(*event),
                StatusCode::FailedPrecondition,
                "an event has not happened yet");
  EXPECT_TRUE(valueOf(stream->query()));
}

TEST_F(CudaFailuresTest, ReleaseThatFailsIsReportedOnce) {
  auto used = device();
  auto event = valueOf(used->createEvent(EventTiming::None));
  standIn.fail("cuEventDestroy", 1, 999);
  event.reset();
  expectFailure(used->synchronize(), StatusCode::DriverFailed,
                "destroying an event on cuda device 0: [999] Call to "
                "cuEventDestroy");
  EXPECT_OK(used->synchronize());
  EXPECT_OK(used->reset());
  EXPECT_EQ(standIn.misuses(),
            "a context was released with an object of kind 2 in it\n");
  standIn.reset();
}

TEST_F(CudaFailuresTest, ObjectsOfAnotherDeviceAreRefused) {
  auto registry = standIn.registry();
  auto first = valueOf(registry->device(Backend::Cuda, 0));
  auto second = valueOf(registry->device(Backend::Cuda, 1));
  auto stream = valueOf(first->createStream(StreamOrder::WithDefault));
  auto foreign = valueOf(second->createStream(StreamOrder::WithDefault));
  auto event = valueOf(second->createEvent(EventTiming::Taken));
  DeviceImage image;
  image.name = "kernels";
  image.code = kernelsAsPtx;
  auto module = valueOf(second->loadImage(image));
  auto kernel = valueOf(module->kernel("shared_bytes"));
  constexpr StatusCode invalid = StatusCode::InvalidArgument;
  expectFailure(launchOn(*stream, *kernel, launchOf(1, 1), DeviceAddress(0)),
                invalid,
                "launching a kernel: the kernel belongs to cuda device 1, and "
                "the work is for cuda device 0; use one of cuda device 0");
  expectFailure(stream->wait(*event), invalid,
                "the event belongs to cuda device 1");
  expectFailure(event->record(*stream), invalid,
                "the stream belongs to cuda device 0");
  expectFailure(first->allocate(MemoryKind::Device, 4, foreign.get()), invalid,
                "the stream belongs to cuda device 1");
  expectFailure(first->externalStream(foreign->handle()), invalid,
                "the stream does not belong to the primary context of cuda "
                "device 0; pass a stream of this device");
}

TEST_F(CudaFailuresTest, CodeForDebuggersIsNotOptimized) {
  auto used = device();
  DeviceImage image;
  image.name = "axpy";
  image.code = kernelsAsPtx;
  image.debugInfo = true;
  // The driver refuses any other level.
  for (int32_t level : {-1, 0}) {
    image.optimizationLevel = level;
    EXPECT_TRUE(used->loadImage(image).ok());
  }
}

TEST_F(CudaFailuresTest, JitOptionsOutOfRangeAreRefused) {
  auto used = device();
  DeviceImage image;
  image.name = "axpy";
  image.code = kernelsAsPtx;
  image.optimizationLevel = 5;
  expectFailure(used->loadImage(image), StatusCode::InvalidArgument,
                "loading module 'axpy': the register limit is 0 and the "
                "optimization level 5; pass a limit of at least 0, and a level "
                "from 0 to 4 or -1");
  image.optimizationLevel = 1;
  image.debugInfo = true;
  expectFailure(used->loadImage(image), StatusCode::InvalidArgument,
                "loading module 'axpy': the optimization level is 1, and code "
                "for debuggers is not optimized; pass level 0 or -1");
  expectFailure(used->loadHost(HostImage()), StatusCode::Unsupported,
                "making a module of host code: cuda device 0 runs no code for "
                "the CPU; compile the kernels for PTX");
  image.optimizationLevel = -1;
  uint64_t number = CpuImageHeader::number;
  image.code = {reinterpret_cast<const char *>(&number), sizeof(number)};
  expectFailure(used->loadImage(image), StatusCode::Unsupported,
                "loading module 'axpy': cuda device 0 runs no code for the "
                "CPU; compile the kernels for PTX");
  std::string artifact = writeArtifact({"{}", kernelsAsPtx});
  image.code = artifact;
  EXPECT_OK(used->loadImage(image).status());
  image.code = std::string_view(artifact).substr(0, 100);
  expectFailure(used->loadImage(image), StatusCode::InvalidImage,
                "reading an artifact");
  image.code = "\177ELF";
  expectFailure(used->loadImage(image), StatusCode::InvalidImage,
                "CUDA_ERROR_NO_BINARY_FOR_GPU");
}

TEST_F(CudaFailuresTest, BlocksBeyondTheKernelsOwnLimitAreRefused) {
  auto used = device();
  auto stream = valueOf(used->defaultStream(DefaultStream::Unnamed));
  DeviceImage image;
  image.name = "bounded";
  image.code = ".version 6.0\n.target sm_60\n.address_size 64\n"
               ".visible .entry k() .maxntid 128, 1, 1 { ret; }\n";
  auto module = valueOf(used->loadImage(image));
  auto kernel = valueOf(module->kernel("k"));
  expectFailure(launchOn(*stream, *kernel, launchOf(1, 129)),
                StatusCode::InvalidArgument,
                "launching kernel 'k' on cuda device 0: a block has 129 "
                "threads, more than the 128 that the kernel can have with its "
                "16 registers per thread and its launch bounds; use smaller "
                "blocks and more of them");
  EXPECT_OK(launchOn(*stream, *kernel, launchOf(1, 128)));
}

TEST_F(CudaFailuresTest, FilesThatCannotBeLinkedAreNamed) {
  DeviceImage image;
  image.name = "linked";
  image.code = kernelsAsPtx;
  image.links = {"helper.cu"};
  Status status = device()->loadImage(image).status();
  EXPECT_EQ(status.code(), StatusCode::InvalidArgument);
  EXPECT_EQ(status.message(),
            "loading module 'linked': 'helper.cu', which it is to be linked "
            "with, has an unknown ending; pass files that end in .ptx, .cubin, "
            ".fatbin, .o or .a");
  image.links = {"/nowhere/helper.ptx"};
  status = device()->loadImage(image).status();
  EXPECT_EQ(status.code(), StatusCode::NotFound);
  EXPECT_EQ(status.message(),
            "loading module 'linked': '/nowhere/helper.ptx', which it is to be "
            "linked with, cannot be read; check the path");
}

TEST_F(CudaFailuresTest, WhatTheLinkerSaysIsInTheError) {
  std::string code = std::string(kernelsAsPtx) +
                     "\n.extern .func missing\n(\n.param .b64 a\n)\n;\n";
  std::string path = testing::TempDir() + "pyk-empty.ptx";
  std::ofstream(path) << "\n";
  DeviceImage image;
  image.name = "linked";
  image.code = code;
  image.links = {path};
  Status status = device()->loadImage(image).status();
  EXPECT_EQ(status.code(), StatusCode::InvalidImage);
  EXPECT_NE(status.message().find("Undefined reference to 'missing'"),
            std::string::npos)
      << status.message();
}
