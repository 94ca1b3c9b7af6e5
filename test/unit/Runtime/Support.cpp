// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels of the conformance tests in each backend's form, and the
// backends.

#include "ConformanceSupport.h"
#include "StandInSupport.h"

#include <cstring>

using namespace pyk::runtime;
using namespace pyk::runtime::test;

const char *const pyk::runtime::test::kernelsAsPtx = R"(
.version 6.0
.target sm_60
.address_size 64

.visible .global .align 4 .b8 marker[16];

.visible .entry write_index(
  .param .u64 out,
  .param .u32 count,
  .param .u32 factor
)
{
  .reg .pred %p<2>;
  .reg .b32 %r<8>;
  .reg .b64 %rd<4>;
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.s32 %r4, %r1, %r2, %r3;
  ld.param.u32 %r5, [count];
  setp.ge.s32 %p1, %r4, %r5;
  @%p1 bra DONE;
  ld.param.u32 %r6, [factor];
  mul.lo.s32 %r7, %r4, %r6;
  ld.param.u64 %rd1, [out];
  cvta.to.global.u64 %rd1, %rd1;
  mul.wide.s32 %rd2, %r4, 4;
  add.s64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], %r7;
DONE:
  ret;
}

.visible .entry add_one(
  .param .u64 data,
  .param .u32 count
)
{
  .reg .pred %p<2>;
  .reg .b32 %r<8>;
  .reg .b64 %rd<4>;
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.s32 %r4, %r1, %r2, %r3;
  ld.param.u32 %r5, [count];
  setp.ge.s32 %p1, %r4, %r5;
  @%p1 bra DONE;
  ld.param.u64 %rd1, [data];
  cvta.to.global.u64 %rd1, %rd1;
  mul.wide.s32 %rd2, %r4, 4;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.u32 %r6, [%rd3];
  add.s32 %r7, %r6, 1;
  st.global.u32 [%rd3], %r7;
DONE:
  ret;
}

.visible .entry shared_bytes(
  .param .u64 out
)
{
  .reg .b32 %r<2>;
  .reg .b64 %rd<2>;
  mov.u32 %r1, %dynamic_smem_size;
  ld.param.u64 %rd1, [out];
  cvta.to.global.u64 %rd1, %rd1;
  st.global.u32 [%rd1], %r1;
  ret;
}
)";

namespace {

void writeIndex(pyk_rt_block *block, void *const *arguments) {
  auto *out = argument<int32_t *>(arguments, 0);
  for (int32_t thread = 0; thread < block->block_dim[0]; ++thread) {
    int32_t i = block->block_id[0] * block->block_dim[0] + thread;
    if (i < argument<int32_t>(arguments, 1))
      out[i] = i * argument<int32_t>(arguments, 2);
  }
}

void addOne(pyk_rt_block *block, void *const *arguments) {
  auto *data = argument<int32_t *>(arguments, 0);
  for (int32_t thread = 0; thread < block->block_dim[0]; ++thread) {
    int32_t i = block->block_id[0] * block->block_dim[0] + thread;
    if (i < argument<int32_t>(arguments, 1))
      ++data[i];
  }
}

void sharedBytes(pyk_rt_block *block, void *const *arguments) {
  *argument<int32_t *>(arguments, 0) = block->dynamic_shared_bytes;
}

/// A kernel for the CPU as a host function of the stand-in, which hands out
/// addresses that no host pointer equals.
template <BlockFunction function, int parameters>
void runOnStandIn(const standin_launch *launch) {
  uint64_t address;
  std::memcpy(&address, launch->arguments[0], sizeof(address));
  void *host = StandIn::get().memory(address);
  void *arguments[parameters] = {static_cast<void *>(&host)};
  for (int i = 1; i < parameters; ++i)
    arguments[i] = launch->arguments[i];
  for (uint32_t x = 0; x < launch->grid[0]; ++x) {
    pyk_rt_block block = {{int32_t(x), 0, 0},
                          {int32_t(launch->block[0]), 1, 1},
                          {int32_t(launch->grid[0]), 1, 1},
                          int32_t(launch->dynamic_shared_bytes),
                          nullptr,
                          nullptr,
                          0};
    function(&block, arguments);
  }
}

Result<std::unique_ptr<Module>> loadPtx(Device &device) {
  DeviceImage image;
  image.name = "conformance";
  image.code = kernelsAsPtx;
  return device.loadImage(image);
}

} // namespace

HostImage pyk::runtime::test::kernelsAsHostImage() {
  static const pyk_rt_kernel kernels[] = {loopKernel<writeIndex>(),
                                          loopKernel<addOne>(),
                                          loopKernel<sharedBytes>()};
  HostImage image;
  image.kernels = {{"write_index", &kernels[0], {8, 4, 4}},
                   {"add_one", &kernels[1], {8, 4}},
                   {"shared_bytes", &kernels[2], {8}}};
  return image;
}

const std::vector<const ConformanceBackend *> &
pyk::runtime::test::conformanceBackends() {
  static const ConformanceBackend cpu = {
      "cpu",
      [] { return Registry::ofProcess().device(Backend::Cpu, 0); },
      [](Device &device) { return device.loadHost(kernelsAsHostImage()); },
      {{"SymbolIsFoundByName", "host code tells of no variables"},
       {"BrokenImageIsRefusedWithItsLog", "host code is not loaded as text"},
       {"ReleasedMemoryIsFreeAgain", "the system's memory has other users"}}};
  static const char *atOnce = "the stand-in runs work at once";
  static const ConformanceBackend standIn = {
      "standin",
      [] { return StandIn::get().freshDevice(); },
      loadPtx,
      {{"RunsBesideTheHost", atOnce},
       {"RunsBesideOtherStreams", atOnce},
       {"DefaultStreamWaitsForOrdinaryStreams", atOnce},
       {"DefaultStreamDoesNotWaitForStreamsThatAreAlone", atOnce},
       {"ArgumentsAreCopiedByTheLaunch", atOnce},
       {"HappensWhenTheWorkBeforeHasEnded", atOnce},
       {"LetsAnotherStreamWait", atOnce},
       {"WaitIsForWhatWasRecordedThen", atOnce},
       {"NotHappenedHasNoTime", atOnce}}};
  static const ConformanceBackend cuda = {
      "cuda",
      [] { return Registry::ofProcess().device(Backend::Cuda, 0); },
      loadPtx,
      {}};
  static const std::vector<const ConformanceBackend *> all = {&cpu, &standIn,
                                                              &cuda};
  return all;
}

void pyk::runtime::test::setKernelsOfStandIn() {
  StandIn &standIn = StandIn::get();
  standIn.setKernel("write_index", runOnStandIn<writeIndex, 3>);
  standIn.setKernel("add_one", runOnStandIn<addOne, 2>);
  standIn.setKernel("shared_bytes", runOnStandIn<sharedBytes, 1>);
}
