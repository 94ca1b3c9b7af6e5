// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What CUDA's driver is told and asked for, on the stand-in: the numbers of a
// launch by each of its functions, a device's own limits, the kinds of its
// errors, and from where memory comes.

#include "ConformanceSupport.h"
#include "StandInSupport.h"

#include <array>
#include <cstring>
#include <utility>

using namespace pyk::runtime;
using namespace pyk::runtime::test;

namespace {

/// The last launch of kernel `shared_bytes`.
standin_launch launched;
DeviceAddress argumentOfLaunch;

class CudaLaunchTest : public testing::Test {
protected:
  void SetUp() override { standIn.reset(); }
  void TearDown() override {
    kernel.reset();
    stream.reset();
    device.reset();
    EXPECT_EQ(standIn.misuses(), "");
    EXPECT_EQ(standIn.live(), 0);
    standIn.reset();
  }

  /// Begins with a driver for CUDA `version`.
  void begin(int32_t version = 13000) {
    standIn.setVersion(version);
    device = valueOf(standIn.registry()->device(Backend::Cuda, 0));
    stream = valueOf(device->createStream(StreamOrder::WithDefault));
    standIn.setKernel("shared_bytes", [](const standin_launch *launch) {
      launched = *launch;
      std::memcpy(&argumentOfLaunch, launch->arguments[0],
                  sizeof(argumentOfLaunch));
    });
    kernel = load(kernelsAsPtx, "shared_bytes");
  }

  std::unique_ptr<Kernel> load(const char *ptx, const char *name) {
    DeviceImage image;
    image.name = "kernels";
    image.code = ptx;
    return valueOf(valueOf(device->loadImage(image))->kernel(name));
  }

  StandIn &standIn = StandIn::get();
  std::shared_ptr<Device> device;
  std::unique_ptr<Stream> stream;
  std::unique_ptr<Kernel> kernel;
};

} // namespace

// A driver of before CUDA 12 has a function for each kind of launch.
TEST_F(CudaLaunchTest, NumbersOfALaunchReachTheDriver) {
  using Numbers = std::array<uint32_t, 7>;
  for (auto [version, ordinary, cooperative] :
       {std::tuple(13000, "cuLaunchKernelEx", "cuLaunchKernelEx"),
        std::tuple(11020, "cuLaunchKernel", "cuLaunchCooperativeKernel")})
    for (bool together : {false, true}) {
      begin(version);
      SCOPED_TRACE(together ? cooperative : ordinary);
      LaunchConfig config;
      config.cooperative = together;
      for (int i = 0; i < 3; ++i) {
        config.grid[i] = 2 + i;
        config.block[i] = 5 + i;
      }
      config.dynamicSharedBytes = 48;
      DeviceAddress out = 77;
      EXPECT_OK(launchOn(*stream, *kernel, config, out));
      EXPECT_EQ(standIn.calls(together ? cooperative : ordinary), 1);
      EXPECT_EQ((Numbers{launched.grid[0], launched.grid[1], launched.grid[2],
                         launched.block[0], launched.block[1],
                         launched.block[2], launched.dynamic_shared_bytes}),
                (Numbers{2, 3, 4, 5, 6, 7, 48}));
      EXPECT_EQ(argumentOfLaunch, out);
      TearDown();
    }
}

// Grids that cannot all run at a time are refused by those that need it alone.
TEST_F(CudaLaunchTest, OnlyCooperativeGridsMustFit) {
  for (int32_t version : {13000, 11020}) {
    begin(version);
    LaunchConfig config = launchOf(100000, 32);
    EXPECT_OK(launchOn(*stream, *kernel, config, DeviceAddress(0)));
    config.cooperative = true;
    expectFailure(launchOn(*stream, *kernel, config, DeviceAddress(0)),
                  StatusCode::InvalidArgument, "; launch fewer blocks");
    TearDown();
  }
}

// Each axis has the limit that the device tells for it.
TEST_F(CudaLaunchTest, EachAxisHasItsLimit) {
  begin();
  const int64_t grid[] = {2147483647, 65535, 65535}, block[] = {1024, 1024, 64};
  for (int axis = 0; axis < 3; ++axis) {
    std::string name(1, "xyz"[axis]);
    LaunchConfig config;
    config.grid[axis] = grid[axis];
    EXPECT_OK(launchOn(*stream, *kernel, config, DeviceAddress(0)));
    ++config.grid[axis];
    expectFailure(launchOn(*stream, *kernel, config, DeviceAddress(0)),
                  StatusCode::InvalidArgument,
                  "gridDim." + name + " is " + std::to_string(grid[axis] + 1) +
                      ", more than the device's limit of " +
                      std::to_string(grid[axis]) + ";");
    config.grid[axis] = 1;
    config.block[axis] = block[axis];
    EXPECT_OK(launchOn(*stream, *kernel, config, DeviceAddress(0)));
    ++config.block[axis];
    expectFailure(launchOn(*stream, *kernel, config, DeviceAddress(0)),
                  StatusCode::InvalidArgument,
                  "blockDim." + name + " is " +
                      std::to_string(block[axis] + 1) +
                      ", more than the device's limit of " +
                      std::to_string(block[axis]) + ";");
  }
  LaunchConfig config = launchOf(1, 32);
  config.block[1] = 32;
  EXPECT_OK(launchOn(*stream, *kernel, config, DeviceAddress(0)));
  config.block[1] = 33;
  expectFailure(launchOn(*stream, *kernel, config, DeviceAddress(0)),
                StatusCode::InvalidArgument, "a block has 1056 threads");
}

// What the code has of shared memory counts with what the launch asks for, from
// the next multiple of 16 bytes on.
TEST_F(CudaLaunchTest, SharedMemoryOfTheCodeCounts) {
  begin();
  auto own = load(".version 6.0\n.target sm_60\n.address_size 64\n"
                  ".visible .entry k() {\n"
                  ".shared .align 4 .b8 tile[1001];\nret;\n}\n",
                  "k");
  KernelInfo info = valueOf(own->info());
  EXPECT_EQ(info.staticSharedBytes, 1001);
  EXPECT_EQ(info.maxDynamicSharedBytes, 48 * 1024);
  constexpr int64_t most = 232448 - 1008;
  EXPECT_OK(launchOn(*stream, *own, launchOf(1, 1, most)));
  EXPECT_EQ(valueOf(own->info()).maxDynamicSharedBytes, most);
  expectFailure(launchOn(*stream, *own, launchOf(1, 1, most + 1)),
                StatusCode::InvalidArgument,
                "shared memory per block is 1008 bytes static and " +
                    std::to_string(most + 1) + " bytes dynamic");
}

// What a program is told of an error tells what it can do, and whether the
// device is lost.
TEST_F(CudaLaunchTest, ErrorsHaveTheirKinds) {
  struct Kind {
    int32_t code;
    StatusCode status;
    bool isSticky;
  };
  using Code = StatusCode;
  const Kind kinds[] = {
      {1, Code::InvalidArgument, false},   {2, Code::OutOfMemory, false},
      {4, Code::LaunchFailed, true},       {34, Code::Unavailable, false},
      {46, Code::Unavailable, false},      {100, Code::Unavailable, false},
      {101, Code::Unavailable, false},     {200, Code::InvalidImage, false},
      {209, Code::InvalidImage, false},    {214, Code::LaunchFailed, true},
      {218, Code::InvalidImage, false},    {220, Code::LaunchFailed, true},
      {221, Code::InvalidImage, false},    {222, Code::InvalidImage, false},
      {300, Code::InvalidImage, false},    {400, Code::InvalidArgument, false},
      {500, Code::NotFound, false},        {700, Code::LaunchFailed, true},
      {701, Code::LaunchFailed, false},    {702, Code::LaunchFailed, true},
      {709, Code::LaunchFailed, true},     {710, Code::LaunchFailed, true},
      {714, Code::LaunchFailed, true},     {715, Code::LaunchFailed, true},
      {716, Code::LaunchFailed, true},     {717, Code::LaunchFailed, true},
      {718, Code::LaunchFailed, true},     {719, Code::LaunchFailed, true},
      {720, Code::InvalidArgument, false}, {801, Code::Unsupported, false},
      {999, Code::DriverFailed, false}};
  for (const Kind &kind : kinds) {
    SCOPED_TRACE(kind.code);
    standIn.reset();
    auto used = valueOf(standIn.registry()->device(Backend::Cuda, 0));
    {
      auto buffer = valueOf(used->allocate(MemoryKind::Device, 4, nullptr));
      auto always = valueOf(used->defaultStream(DefaultStream::Unnamed));
      auto fill = [&] {
        return always->fill(buffer->deviceAddress(), 0, 4, 1);
      };
      standIn.fail("cuMemsetD32Async", 1, kind.code);
      expectFailure(fill(), kind.status,
                    "[" + std::to_string(kind.code) +
                        "] Call to cuMemsetD32Async");
      Status later = fill();
      EXPECT_EQ(later.code() == Code::DeviceLost, kind.isSticky)
          << later.message();
      EXPECT_EQ(later.ok(), !kind.isSticky);
    }
    EXPECT_OK(used->reset());
  }
}

TEST_F(CudaLaunchTest, ProfilingBeginsAndEnds) {
  begin();
  EXPECT_OK(device->setProfiling(true));
  EXPECT_EQ(standIn.calls("cuProfilerStart"), 1);
  EXPECT_EQ(standIn.calls("cuProfilerStop"), 0);
  EXPECT_OK(device->setProfiling(false));
  EXPECT_EQ(standIn.calls("cuProfilerStart"), 1);
  EXPECT_EQ(standIn.calls("cuProfilerStop"), 1);
}

TEST_F(CudaLaunchTest, NameIsThatOfNvidiasTools) {
  begin();
  EXPECT_EQ(device->uuid(), "GPU-00010203-0405-0607-0809-0a0b0c0d0e0f");
}

// The memory may live longer than a stream of somebody else, in the order of
// which it would have to be freed.
TEST_F(CudaLaunchTest, StreamsOfOthersOrderNoMemory) {
  begin();
  auto external = valueOf(device->externalStream(stream->handle()));
  EXPECT_EQ(standIn.calls("cuStreamGetCtx"), 1);
  valueOf(device->allocate(MemoryKind::Device, 8, external.get()));
  EXPECT_EQ(standIn.calls("cuMemAlloc"), 1);
  EXPECT_EQ(standIn.calls("cuMemAllocFromPoolAsync"), 0);
  EXPECT_EQ(standIn.calls("cuMemFree"), 1);
  for (Stream *own : {stream.get(), static_cast<Stream *>(nullptr)})
    valueOf(device->allocate(MemoryKind::Device, 8, own));
  EXPECT_EQ(standIn.calls("cuMemAllocFromPoolAsync"), 2);
  EXPECT_EQ(standIn.calls("cuMemFreeAsync"), 2);
  // The streams that are always there are nobody's.
  auto always = valueOf(device->externalStream(1));
  EXPECT_EQ(standIn.calls("cuStreamGetCtx"), 1);
  valueOf(device->allocate(MemoryKind::Device, 8, always.get()));
  EXPECT_EQ(standIn.calls("cuMemAllocFromPoolAsync"), 3);
}

// It goes with the context, and what the driver says of it tells nothing new.
TEST_F(CudaLaunchTest, NothingOfALostDeviceIsReleased) {
  begin();
  auto pinned = valueOf(device->allocate(MemoryKind::Pinned, 8, nullptr));
  auto memory = valueOf(device->allocate(MemoryKind::Device, 8, nullptr));
  standIn.fail("cuMemsetD32Async", 1, 700);
  EXPECT_FALSE(stream->fill(memory->deviceAddress(), 0, 4, 1).ok());
  pinned.reset();
  EXPECT_EQ(standIn.calls("cuMemFreeHost"), 0);
  EXPECT_EQ(standIn.calls("cuEventCreate"), 0);
  memory.reset();
  EXPECT_OK(device->reset());
  EXPECT_OK(device->synchronize());
}

// Only what code for debuggers is asked for must not be optimized.
TEST_F(CudaLaunchTest, CodeWithLinesIsOptimizedAsMuchAsAsked) {
  // CUDA's numbers of what is asked for.
  constexpr int32_t optimizationLevel = 7, debugInfo = 11, lineInfo = 13;
  begin();
  DeviceImage image;
  image.name = "kernels";
  image.code = kernelsAsPtx;
  image.lineInfo = true;
  for (int32_t level : {-1, 0, 1, 4}) {
    image.optimizationLevel = level;
    EXPECT_OK(device->loadImage(image).status());
    EXPECT_EQ(standIn.jitOption(optimizationLevel), level);
    EXPECT_EQ(standIn.jitOption(lineInfo), 1);
    EXPECT_EQ(standIn.jitOption(debugInfo), -1);
  }
}

// Both events must have a time, whichever of them is asked.
TEST_F(CudaLaunchTest, TimeTakesTwoEvents) {
  begin();
  auto timed = valueOf(device->createEvent(EventTiming::Taken));
  auto other = valueOf(device->createEvent(EventTiming::Taken));
  auto timeless = valueOf(device->createEvent(EventTiming::None));
  EXPECT_OK(timed->record(*stream));
  EXPECT_OK(timeless->record(*stream));
  constexpr StatusCode code = StatusCode::FailedPrecondition;
  expectFailure(timed->millisecondsUntil(*other), code, "was never recorded");
  expectFailure(other->millisecondsUntil(*timed), code, "was never recorded");
  expectFailure(timed->millisecondsUntil(*timeless), code, "takes no time");
  expectFailure(timeless->millisecondsUntil(*timed), code, "takes no time");
  EXPECT_EQ(standIn.calls("cuEventElapsedTime"), 0);
}
