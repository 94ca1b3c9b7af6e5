// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Modules, kernels and launches.

#include "ConformanceSupport.h"

using namespace pyk::runtime;
using namespace pyk::runtime::test;

using ConformanceLaunchTest = ConformanceTest;

TEST_P(ConformanceLaunchTest, RunsEveryThread) {
  auto buffer = integers(1000);
  auto kernel = kernelNamed("write_index");
  EXPECT_OK(launchOn(*stream, *kernel, launchOf(4, 256),
                     buffer->deviceAddress(), int32_t(1000), int32_t(3)));
  std::vector<int32_t> got = contents(*buffer);
  for (int32_t i = 0; i < 1000; ++i)
    ASSERT_EQ(got[size_t(i)], 3 * i);
}

TEST_P(ConformanceLaunchTest, KernelKeepsItsModule) {
  auto module = loadKernels();
  auto kernel = valueOf(module->kernel("add_one"));
  module.reset();
  auto buffer = integers(8);
  EXPECT_OK(stream->fill(buffer->deviceAddress(), 41, 4, 8));
  EXPECT_OK(launchOn(*stream, *kernel, launchOf(1, 8), buffer->deviceAddress(),
                     int32_t(8)));
  EXPECT_EQ(contents(*buffer), std::vector<int32_t>(8, 42));
  EXPECT_EQ(kernel->name(), "add_one");
}

TEST_P(ConformanceLaunchTest, ModuleWithoutTheKernelSaysSo) {
  expectFailure(loadKernels()->kernel("substract_one"), StatusCode::NotFound,
                "looking for kernel 'substract_one'");
}

TEST_P(ConformanceLaunchTest, SymbolIsFoundByName) {
  auto module = loadKernels();
  ModuleSymbol symbol = valueOf(module->symbol("marker"));
  EXPECT_NE(symbol.address, 0u);
  EXPECT_EQ(symbol.bytes, 16u);
  EXPECT_OK(stream->fill(symbol.address, 1, 4, 4));
  expectFailure(module->symbol("nothing"), StatusCode::NotFound,
                "looking for variable 'nothing'");
}

TEST_P(ConformanceLaunchTest, BrokenImageIsRefusedWithItsLog) {
  DeviceImage image;
  image.name = "broken";
  image.code = ".version 6.0\n.target sm_60\n.address_size 64\n"
               ".visible .entry k() { nonsense; }\n";
  Result<std::unique_ptr<Module>> loaded = device->loadImage(image);
  expectFailure(loaded, StatusCode::InvalidImage, "loading module 'broken'");
  expectFailure(loaded, StatusCode::InvalidImage, "nonsense");
  ASSERT_NE(loaded.status().native(), nullptr);
  EXPECT_EQ(loaded.status().native()->call, "cuModuleLoadDataEx");
  EXPECT_EQ(loaded.status().native()->code, 218);
}

TEST_P(ConformanceLaunchTest, CodeForTheOtherKindOfDeviceIsRefused) {
  Status status;
  if (device->backend() == Backend::Cpu) {
    DeviceImage image;
    image.name = "foreign";
    image.code = kernelsAsPtx;
    status = device->loadImage(image).status();
  } else {
    status = device->loadHost(kernelsAsHostImage()).status();
  }
  expectFailure(status, StatusCode::Unsupported, "; compile the kernels for");
}

TEST_P(ConformanceLaunchTest, SaysWhatItNeeds) {
  KernelInfo info = valueOf(kernelNamed("write_index")->info());
  EXPECT_EQ(info.maxThreadsPerBlock, 1024);
  EXPECT_EQ(info.staticSharedBytes, 0);
  EXPECT_EQ(info.localBytesPerThread, 0);
  EXPECT_GE(info.maxDynamicSharedBytes, 48 * 1024);
}

TEST_P(ConformanceLaunchTest, GetsItsDynamicSharedMemory) {
  auto buffer = integers(1);
  auto kernel = kernelNamed("shared_bytes");
  int64_t most =
      valueOf(device->attribute(DeviceAttribute::MaxSharedMemoryPerBlockOptin));
  for (int64_t bytes : {int64_t(0), int64_t(1024), most}) {
    EXPECT_OK(launchOn(*stream, *kernel, launchOf(1, 1, bytes),
                       buffer->deviceAddress()));
    EXPECT_EQ(contents(*buffer), std::vector<int32_t>{int32_t(bytes)});
  }
  EXPECT_OK(kernel->setMaxDynamicShared(most));
  expectFailure(kernel->setMaxDynamicShared(most + 1),
                StatusCode::InvalidArgument, "setting the dynamic shared");
}

TEST_P(ConformanceLaunchTest, HintsAreAccepted) {
  auto kernel = kernelNamed("write_index");
  EXPECT_OK(kernel->setCarveout(-1));
  EXPECT_OK(kernel->setCarveout(100));
  EXPECT_OK(kernel->setCache(CachePreference::Shared));
  expectFailure(kernel->setCarveout(101), StatusCode::InvalidArgument,
                "setting the carve-out of kernel 'write_index': 101 is not "
                "from -1 to 100; pass percent of shared memory, or -1 for the "
                "default");
}

TEST_P(ConformanceLaunchTest, TellsHowManyBlocksRunAtATime) {
  auto kernel = kernelNamed("write_index");
  EXPECT_GE(valueOf(kernel->activeBlocks(256, 0)), 1);
  BestBlock best = valueOf(kernel->bestBlock(0, 0));
  EXPECT_GE(best.minGrid, 1);
  EXPECT_GE(best.blockThreads, 32);
  EXPECT_LE(best.blockThreads, 1024);
  EXPECT_LE(valueOf(kernel->bestBlock(0, 64)).blockThreads, 64);
}

TEST_P(ConformanceLaunchTest, RefusesShapesThatExceedALimit) {
  auto kernel = kernelNamed("shared_bytes");
  auto buffer = integers(1);
  auto refused = [&](const LaunchConfig &config, const std::string &message) {
    expectFailure(launchOn(*stream, *kernel, config, buffer->deviceAddress()),
                  StatusCode::InvalidArgument, message);
  };
  refused(launchOf(0, 1), "gridDim.x is 0, less than 1; launch at least one "
                          "block of at least one thread");
  refused(launchOf(1, 1025), "blockDim.x is 1025, more than ");
  refused(launchOf(int64_t(1) << 31, 1), "gridDim.x is 2147483648, more than ");
  LaunchConfig deep = launchOf(1, 64);
  deep.block[2] = 32;
  refused(deep, "a block has 2048 threads (64 x 1 x 32), more than ");
  refused(launchOf(1, 1, -1), "dynamic shared memory is -1 bytes");
  refused(launchOf(1, 1, 1 << 20),
          "shared memory per block is 0 bytes static and 1048576 bytes "
          "dynamic, more than ");
}

TEST_P(ConformanceLaunchTest, CooperativeGridsRunIfTheyFit) {
  auto buffer = integers(64);
  auto kernel = kernelNamed("write_index");
  LaunchConfig config = launchOf(2, 32);
  config.cooperative = true;
  EXPECT_OK(launchOn(*stream, *kernel, config, buffer->deviceAddress(),
                     int32_t(64), int32_t(1)));
  EXPECT_EQ(contents(*buffer)[63], 63);
  config.grid[0] = 1 << 30;
  expectFailure(launchOn(*stream, *kernel, config, buffer->deviceAddress(),
                         int32_t(64), int32_t(1)),
                StatusCode::InvalidArgument, "; launch fewer blocks");
}

PYK_INSTANTIATE_CONFORMANCE(ConformanceLaunchTest);
