// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Drivers that are not there, not drivers, too old, or older than what we would
// like: each is a machine that somebody has.

#include "ConformanceSupport.h"
#include "StandInSupport.h"

#include <cstdlib>

using namespace pyk::runtime;
using namespace pyk::runtime::test;

namespace {

std::unique_ptr<Registry> registryFor(const std::string &library) {
  RegistryOptions options;
  options.cudaLibrary = library;
  return std::make_unique<Registry>(std::move(options));
}

void expectUnavailable(Registry &registry, const std::string &message) {
  expectFailure(registry.deviceCount(Backend::Cuda), StatusCode::Unavailable,
                message);
  expectFailure(registry.device(Backend::Cuda, 0), StatusCode::Unavailable,
                message);
  expectFailure(registry.driverVersion(Backend::Cuda), StatusCode::Unavailable,
                message);
  // The CPU does not mind.
  EXPECT_EQ(valueOf(registry.deviceCount(Backend::Cpu)), 1);
}

class DriverTest : public ::testing::Test {
protected:
  void SetUp() override {
    StandIn::get().reset();
    StandIn::old().reset();
  }
  void TearDown() override { SetUp(); }
};

/// Runs a kernel on `device` and expects that it did something.
void useDevice(Device &device) {
  DeviceImage image;
  image.name = "kernels";
  image.code = kernelsAsPtx;
  auto module = valueOf(device.loadImage(image));
  auto kernel = valueOf(module->kernel("shared_bytes"));
  auto stream = valueOf(device.createStream(StreamOrder::WithDefault));
  auto buffer = valueOf(device.allocate(MemoryKind::Device, 64, stream.get()));
  LaunchConfig config = launchOf(1, 1);
  EXPECT_OK(launchOn(*stream, *kernel, config, buffer->deviceAddress()));
  config.cooperative = true;
  EXPECT_OK(launchOn(*stream, *kernel, config, buffer->deviceAddress()));
  EXPECT_OK(stream->synchronize());
  EXPECT_LT(valueOf(device.memoryInfo()).freeBytes,
            valueOf(device.memoryInfo()).totalBytes);
}

} // namespace

TEST_F(DriverTest, MissingLibraryIsSaid) {
  expectUnavailable(*registryFor("/nowhere/libcuda.so.1"),
                    "loading the CUDA driver: /nowhere/libcuda.so.1: cannot "
                    "open shared object file: No such file or directory; "
                    "install NVIDIA's driver, name its library in PYK_LIBCUDA, "
                    "or use the CPU");
}

TEST_F(DriverTest, OtherLibraryIsNoDriver) {
  expectUnavailable(*registryFor("libm.so.6"),
                    "loading the CUDA driver: 'libm.so.6' lacks "
                    "cuGetErrorName, which CUDA 6.0 brought; install a driver "
                    "for CUDA 11.0 or later");
}

TEST_F(DriverTest, EnvironmentNamesTheLibrary) {
  ASSERT_EQ(setenv("PYK_LIBCUDA", StandIn::get().path.c_str(), 1), 0);
  Registry registry;
  EXPECT_EQ(valueOf(registry.deviceCount(Backend::Cuda)), 1);
  unsetenv("PYK_LIBCUDA");
  EXPECT_EQ(valueOf(registry.driverVersion(Backend::Cuda)), 13000);
}

TEST_F(DriverTest, TooOldDriverIsSaid) {
  StandIn::old().setVersion(10020);
  expectUnavailable(*StandIn::old().registry(),
                    "supports CUDA 10.2, and PyK needs CUDA 11.0; update the "
                    "driver");
}

TEST_F(DriverTest, MissingSymbolIsNamedWithItsVersion) {
  StandIn::get().hide("cuStreamGetCtx");
  expectUnavailable(*StandIn::get().registry(),
                    "lacks cuStreamGetCtx, which CUDA 9.2 brought; install a "
                    "driver for CUDA 11.0 or later");
}

TEST_F(DriverTest, DriverThatDoesNotStartIsSaid) {
  StandIn::get().fail("cuInit", 1, 803);
  expectUnavailable(*StandIn::get().registry(),
                    "starting the CUDA driver: [803] Call to cuInit results in "
                    "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH");
}

TEST_F(DriverTest, DriverWithoutDevicesHasNone) {
  StandIn::get().setDevices(0);
  auto registry = StandIn::get().registry();
  EXPECT_EQ(valueOf(registry->deviceCount(Backend::Cuda)), 0);
  EXPECT_EQ(valueOf(registry->driverVersion(Backend::Cuda)), 13000);
  expectFailure(registry->device(Backend::Cuda, 0), StatusCode::NotFound,
                "choosing a cuda device: there is none with index 0, only 0 "
                "devices; use the CPU");
}

TEST_F(DriverTest, DeviceThatDoesNotExistIsNotFound) {
  StandIn::get().setDevices(2);
  auto registry = StandIn::get().registry();
  EXPECT_EQ(valueOf(registry->device(Backend::Cuda, 1))->index(), 1);
  for (int32_t index : {-1, 2})
    expectFailure(registry->device(Backend::Cuda, index), StatusCode::NotFound,
                  "only 2 devices; choose an index from 0 to 1");
}

TEST_F(DriverTest, DriverOfBeforeStreamOrderedMemoryDoesWithout) {
  StandIn &old = StandIn::old();
  old.setVersion(11000);
  {
    auto registry = old.registry();
    useDevice(*valueOf(registry->device(Backend::Cuda, 0)));
  }
  EXPECT_EQ(old.calls("cuMemAlloc"), 1);
  EXPECT_EQ(old.calls("cuMemFree"), 1);
  EXPECT_EQ(old.calls("cuLaunchKernel"), 1);
  EXPECT_EQ(old.calls("cuLaunchCooperativeKernel"), 1);
  EXPECT_EQ(old.misuses(), "");
  EXPECT_EQ(old.live(), 0);
}

TEST_F(DriverTest, PresentDriverGetsThePresentCalls) {
  StandIn &present = StandIn::get();
  {
    auto registry = present.registry();
    useDevice(*valueOf(registry->device(Backend::Cuda, 0)));
  }
  EXPECT_EQ(present.calls("cuMemAllocFromPoolAsync"), 1);
  EXPECT_EQ(present.calls("cuMemFreeAsync"), 1);
  EXPECT_EQ(present.calls("cuLaunchKernelEx"), 2);
  EXPECT_EQ(present.calls("cuLaunchKernel"), 0);
  EXPECT_EQ(present.misuses(), "");
  EXPECT_EQ(present.live(), 0);
}

TEST_F(DriverTest, DriverOfCuda112HasPoolsButLaunchesTheOldWay) {
  StandIn &present = StandIn::get();
  present.setVersion(11020);
  {
    auto registry = present.registry();
    useDevice(*valueOf(registry->device(Backend::Cuda, 0)));
  }
  EXPECT_EQ(present.calls("cuMemAllocFromPoolAsync"), 1);
  EXPECT_EQ(present.calls("cuLaunchKernel"), 1);
  EXPECT_EQ(present.calls("cuLaunchCooperativeKernel"), 1);
}

TEST_F(DriverTest, DeviceThatOnlySaysItHasPoolsDoesWithout) {
  StandIn &present = StandIn::get();
  present.fail("cuMemPoolCreate", 1, 801);
  {
    auto registry = present.registry();
    useDevice(*valueOf(registry->device(Backend::Cuda, 0)));
  }
  EXPECT_EQ(present.calls("cuMemAlloc"), 1);
  EXPECT_EQ(present.misuses(), "");
}

TEST_F(DriverTest, LaunchMakesTwoCalls) {
  auto registry = StandIn::get().registry();
  auto device = valueOf(registry->device(Backend::Cuda, 0));
  DeviceImage image;
  image.name = "kernels";
  image.code = kernelsAsPtx;
  auto module = valueOf(device->loadImage(image));
  auto kernel = valueOf(module->kernel("shared_bytes"));
  auto stream = valueOf(device->defaultStream(DefaultStream::Unnamed));
  int32_t before = StandIn::get().calls();
  EXPECT_OK(launchOn(*stream, *kernel, launchOf(1, 1), DeviceAddress(0)));
  EXPECT_EQ(StandIn::get().calls(), before + 2);
  EXPECT_STREQ(StandIn::get().callAt(before), "cuCtxGetCurrent");
  EXPECT_STREQ(StandIn::get().callAt(before + 1), "cuLaunchKernelEx");
}

TEST_F(DriverTest, ContextOfSomebodyElseIsGivenBack) {
  StandIn &present = StandIn::get();
  present.setDevices(2);
  auto registry = present.registry();
  auto first = valueOf(registry->device(Backend::Cuda, 0));
  auto second = valueOf(registry->device(Backend::Cuda, 1));
  EXPECT_OK(first->synchronize());
  EXPECT_EQ(present.calls("cuCtxSetCurrent"), 1);
  EXPECT_OK(second->synchronize());
  EXPECT_EQ(present.calls("cuCtxPushCurrent"),
            present.calls("cuCtxPopCurrent"));
  EXPECT_GT(present.calls("cuCtxPushCurrent"), 0);
  int32_t pushes = present.calls("cuCtxPushCurrent");
  EXPECT_OK(first->synchronize());
  EXPECT_EQ(present.calls("cuCtxPushCurrent"), pushes);
}

TEST_F(DriverTest, ContextThatCannotBeGivenBackIsReported) {
  StandIn &present = StandIn::get();
  present.setDevices(2);
  auto registry = present.registry();
  auto first = valueOf(registry->device(Backend::Cuda, 0));
  auto second = valueOf(registry->device(Backend::Cuda, 1));
  EXPECT_OK(first->synchronize());
  present.fail("cuCtxPopCurrent", 1, 999);
  auto event = valueOf(second->createEvent(EventTiming::None));
  expectFailure(second->synchronize(), StatusCode::DriverFailed,
                "giving a thread its context back on cuda device 1: [999] Call "
                "to cuCtxPopCurrent");
}
