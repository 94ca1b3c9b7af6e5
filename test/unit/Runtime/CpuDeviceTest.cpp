// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the CPU's device says of itself and of kernels, what is behind its
// memory, and what its streams refuse before they queue it.

#include "ConformanceSupport.h"
#include "Sanitizers.h"

#include "pyk/runtime/CpuLaunch.h"

#include <unistd.h>

#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>

using namespace pyk::runtime;
using namespace pyk::runtime::test;

namespace {

class CpuDeviceTest : public testing::Test {
protected:
  std::unique_ptr<Module> load(const pyk_rt_kernel &kernel,
                               std::vector<uint32_t> parameterBytes = {}) {
    HostImage image;
    image.kernels = {{"kernel", &kernel, std::move(parameterBytes)}};
    return valueOf(device->loadHost(std::move(image)));
  }

  const std::shared_ptr<Device> device =
      valueOf(Registry::ofProcess().device(Backend::Cpu, 0));
};

void doNothing(pyk_rt_block *, void *const *) {}

} // namespace

// Small arrays have zeros behind them, as on a GPU: programs read one element
// too many.
TEST_F(CpuDeviceTest, ZerosAreBehindMemory) {
  // What was freed before is not what is read.
  for (int round = 0; round < 2; ++round)
    for (size_t bytes : {size_t(1), size_t(256), size_t(1000)}) {
      auto buffer =
          valueOf(device->allocate(MemoryKind::Device, bytes, nullptr));
      auto *memory = static_cast<volatile char *>(buffer->hostAddress());
      for (size_t i = 0; i < bytes + 512; ++i)
        ASSERT_EQ(memory[i], 0) << i << " of " << bytes;
      for (size_t i = 0; i < bytes; ++i)
        memory[i] = 7;
    }
}

/// What the system knows of the memory at `address`, in two letters each; none
/// if it has no large pages.
static std::string getFlags(uint64_t address) {
  if (access("/sys/kernel/mm/transparent_hugepage/enabled", F_OK) != 0)
    return "";
  std::ifstream maps("/proc/self/smaps");
  bool isInside = false;
  for (std::string line; std::getline(maps, line);) {
    uint64_t start = 0, end = 0;
    if (std::sscanf(line.c_str(), "%" SCNx64 "-%" SCNx64, &start, &end) == 2)
      isInside = start <= address && address < end;
    else if (isInside && line.rfind("VmFlags:", 0) == 0)
      return line + " ";
  }
  return "";
}

// From 4 MiB on, where the system has them.
TEST_F(CpuDeviceTest, LargePagesAreAskedFor) {
  constexpr size_t mega = size_t(1) << 20;
  for (size_t bytes : {4 * mega, 9 * mega, 40 * mega}) {
    auto buffer = valueOf(device->allocate(MemoryKind::Device, bytes, nullptr));
    std::string flags = getFlags(buffer->deviceAddress() + bytes / 2);
    if (!flags.empty() && !underAddressSanitizer && !underThreadSanitizer)
      EXPECT_NE(flags.find(" hg "), std::string::npos) << bytes << flags;
  }
}

// Large ones end, up to the alignment, where pages do that nobody may access.
TEST_F(CpuDeviceTest, NothingIsBehindLargeMemory) {
  auto page = uint64_t(sysconf(_SC_PAGESIZE));
  constexpr size_t large = size_t(32) << 20;
  for (size_t bytes : {large, large + 4, large + 257}) {
    auto buffer = valueOf(device->allocate(MemoryKind::Device, bytes, nullptr));
    EXPECT_EQ(buffer->deviceAddress() % 256, 0u);
    uint64_t end = buffer->deviceAddress() + (bytes + 255) / 256 * 256;
    EXPECT_EQ(end % page, 0u) << bytes;
    auto *memory = static_cast<char *>(buffer->hostAddress());
    EXPECT_EQ(memory[0], 0);
    EXPECT_EQ(memory[bytes - 1], 0);
    if (underAddressSanitizer || underThreadSanitizer)
      continue;
    static volatile char *behind;
    behind = reinterpret_cast<volatile char *>(static_cast<uintptr_t>(end));
    Status status = launchOnCpu(
        loopKernel([](pyk_rt_block *, void *const *) { *behind = 1; }),
        shapeOf(1, 1), nullptr);
    EXPECT_EQ(status.code(), StatusCode::IllegalAddress) << status.message();
  }
}

// Static arrays take whole units of 16 bytes of what a launch may ask for.
TEST_F(CpuDeviceTest, KernelsSayWhatTheyNeed) {
  pyk_rt_kernel kernel = loopKernel<doNothing>(1001);
  kernel.max_threads = 96;
  kernel.local_bytes = 24;
  auto loaded = valueOf(load(kernel)->kernel("kernel"));
  KernelInfo info = valueOf(loaded->info());
  EXPECT_EQ(info.maxThreadsPerBlock, 96);
  EXPECT_EQ(info.staticSharedBytes, 1001);
  EXPECT_EQ(info.localBytesPerThread, 24);
  EXPECT_EQ(info.maxDynamicSharedBytes, 232448 - 1008);
  EXPECT_OK(loaded->setMaxDynamicShared(info.maxDynamicSharedBytes));
  expectFailure(loaded->setMaxDynamicShared(info.maxDynamicSharedBytes + 1),
                StatusCode::InvalidArgument,
                "setting the dynamic shared memory of kernel 'kernel': shared "
                "memory per block is 1008 bytes static");
  // What needs more than there is has nothing left.
  pyk_rt_kernel greedy = loopKernel<doNothing>(300000);
  EXPECT_EQ(valueOf(valueOf(load(greedy)->kernel("kernel"))->info())
                .maxDynamicSharedBytes,
            0);
  expectFailure(loaded->setCarveout(-2), StatusCode::InvalidArgument,
                "-2 is not from -1 to 100");
}

TEST_F(CpuDeviceTest, BlocksThatRunAtATime) {
  ScopedThreadCount count(3);
  pyk_rt_kernel kernel = loopKernel<doNothing>();
  auto loaded = valueOf(load(kernel)->kernel("kernel"));
  EXPECT_EQ(valueOf(loaded->activeBlocks(256, 0)), 64);
  EXPECT_EQ(valueOf(loaded->activeBlocks(1000, 0)), 16);
  BestBlock best = valueOf(loaded->bestBlock(0, 0));
  EXPECT_EQ(best.minGrid, 3);
  EXPECT_EQ(best.blockThreads, 256);
  EXPECT_EQ(valueOf(loaded->bestBlock(0, 100)).blockThreads, 100);
  EXPECT_EQ(valueOf(loaded->bestBlock(0, 300)).blockThreads, 256);
  kernel.max_threads = 96;
  EXPECT_EQ(valueOf(loaded->bestBlock(0, 100)).blockThreads, 96);
  expectFailure(loaded->activeBlocks(97, 0), StatusCode::InvalidArgument,
                "more than the 96 of the kernel's launch bounds");
  expectFailure(loaded->bestBlock(232449, 0), StatusCode::InvalidArgument,
                "232449 bytes dynamic");
  // A fiber that runs a block as a whole is one.
  pyk_rt_kernel whole = fiberKernel(
      [](pyk_rt_block *, int32_t, int32_t, int32_t, void *const *) {});
  whole.thread_runs_block = 1;
  auto together = valueOf(load(whole)->kernel("kernel"));
  EXPECT_EQ(valueOf(together->activeBlocks(256, 0)), 16384);
  EXPECT_EQ(valueOf(device->attribute(DeviceAttribute::MultiprocessorCount)),
            3);
}

// A stream that queues says at once what is wrong with a launch, and goes on.
TEST_F(CpuDeviceTest, LaunchesAreRefusedBeforeTheyAreQueued) {
  pyk_rt_kernel kernel = loopKernel<doNothing>();
  auto loaded = valueOf(load(kernel, {8, 8})->kernel("kernel"));
  auto own = valueOf(device->createStream(StreamOrder::WithDefault));
  auto always = valueOf(device->defaultStream(DefaultStream::Unnamed));
  uint64_t value = 0;
  for (Stream *stream : {own.get(), always.get()}) {
    expectFailure(launchOn(*stream, *loaded, launchOf(1, 1025), value, value),
                  StatusCode::InvalidArgument, "blockDim.x is 1025");
    expectFailure(stream->launch(*loaded, launchOf(1, 1), nullptr),
                  StatusCode::InvalidArgument,
                  "launching a kernel on the CPU: kernel 'kernel' has 2 "
                  "parameters, and there are no arguments; pass the address of "
                  "each argument");
    LaunchConfig config = launchOf(1 << 20, 32);
    config.cooperative = true;
    expectFailure(launchOn(*stream, *loaded, config, value, value),
                  StatusCode::InvalidArgument, "; launch fewer blocks");
    EXPECT_OK(stream->synchronize());
    EXPECT_OK(launchOn(*stream, *loaded, launchOf(1, 1024), value, value));
    EXPECT_OK(stream->synchronize());
  }
}

TEST_F(CpuDeviceTest, KernelsOfAModuleHaveNames) {
  static const pyk_rt_kernel kernel = loopKernel<doNothing>();
  auto make = [&](std::vector<HostKernel> kernels) {
    HostImage image;
    image.kernels = std::move(kernels);
    return device->loadHost(std::move(image));
  };
  expectFailure(
      make({{"a", &kernel, {}}, {"b", &kernel, {}}, {"a", &kernel, {}}}),
      StatusCode::InvalidArgument, "kernel 'a' is there twice");
  expectFailure(make({{"a", &kernel, {}}, {"b", nullptr, {}}}),
                StatusCode::InvalidArgument, "kernel 'b' has no description");
  auto module = valueOf(make({{"a", &kernel, {}}, {"b", &kernel, {}}}));
  EXPECT_EQ(valueOf(module->kernel("b"))->name(), "b");
  expectFailure(module->kernel("c"), StatusCode::NotFound,
                "looking for kernel 'c': the module has none of that name; ask "
                "for one of 'a', 'b'");
  expectFailure(valueOf(make({}))->kernel("c"), StatusCode::NotFound,
                "; load a module with kernels");
}

// Both events must have a time, whichever of them is asked.
TEST_F(CpuDeviceTest, TimeTakesTwoEvents) {
  auto stream = valueOf(device->createStream(StreamOrder::WithDefault));
  auto timed = valueOf(device->createEvent(EventTiming::Taken));
  auto other = valueOf(device->createEvent(EventTiming::Taken));
  auto timeless = valueOf(device->createEvent(EventTiming::None));
  EXPECT_OK(timed->record(*stream));
  EXPECT_OK(timeless->record(*stream));
  EXPECT_OK(stream->synchronize());
  constexpr StatusCode code = StatusCode::FailedPrecondition;
  expectFailure(timed->millisecondsUntil(*other), code, "was never recorded");
  expectFailure(other->millisecondsUntil(*timed), code, "was never recorded");
  expectFailure(timed->millisecondsUntil(*timeless), code, "takes no time");
  expectFailure(timeless->millisecondsUntil(*timed), code, "takes no time");
}
