// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Special registers: which threads these are, and where they run.

#include "Decoder.h"
#include "Machine.h"

#include <chrono>

using namespace ptxmachine;

namespace {

enum Special : uint32_t {
  TidX,
  TidY,
  TidZ,
  NtidX,
  NtidY,
  NtidZ,
  CtaidX,
  CtaidY,
  CtaidZ,
  NctaidX,
  NctaidY,
  NctaidZ,
  LaneId,
  WarpId,
  NWarpId,
  SmId,
  NSmId,
  GridId,
  LanemaskEq,
  LanemaskLt,
  LanemaskLe,
  LanemaskGt,
  LanemaskGe,
  DynamicShared,
  TotalShared,
  Envreg1,
  Envreg2,
  WarpSize,
  /// Those from here on change from one instruction to the next.
  Clock,
  ClockHigh,
  Clock64,
  Timer,
  TimerLow,
  TimerHigh,
};

const std::map<std::string, Special> names = {
    {"%tid.x", TidX},
    {"%tid.y", TidY},
    {"%tid.z", TidZ},
    {"%ntid.x", NtidX},
    {"%ntid.y", NtidY},
    {"%ntid.z", NtidZ},
    {"%ctaid.x", CtaidX},
    {"%ctaid.y", CtaidY},
    {"%ctaid.z", CtaidZ},
    {"%nctaid.x", NctaidX},
    {"%nctaid.y", NctaidY},
    {"%nctaid.z", NctaidZ},
    {"%laneid", LaneId},
    {"%warpid", WarpId},
    {"%nwarpid", NWarpId},
    {"%smid", SmId},
    {"%nsmid", NSmId},
    {"%gridid", GridId},
    {"%lanemask_eq", LanemaskEq},
    {"%lanemask_lt", LanemaskLt},
    {"%lanemask_le", LanemaskLe},
    {"%lanemask_gt", LanemaskGt},
    {"%lanemask_ge", LanemaskGe},
    {"%dynamic_smem_size", DynamicShared},
    {"%total_smem_size", TotalShared},
    {"%envreg1", Envreg1},
    {"%envreg2", Envreg2},
    {"WARP_SZ", WarpSize},
    {"%clock", Clock},
    {"%clock_hi", ClockHigh},
    {"%clock64", Clock64},
    {"%globaltimer", Timer},
    {"%globaltimer_lo", TimerLow},
    {"%globaltimer_hi", TimerHigh},
};

} // namespace

uint32_t ptxmachine::parseSpecial(const std::string &name, int line) {
  auto found = names.find(name);
  if (found == names.end())
    throw TextError(line,
                    "error   : the PTX machine does not know '" + name + "'");
  return found->second;
}

void Warp::fillSpecials() {
  const Launch &launch = block.launch;
  specials.resize(Clock);
  auto all = [&](Special special, uint64_t value) {
    specials[special].fill(value);
  };
  for (unsigned i = 0; i < 3; ++i) {
    all(Special(NtidX + i), launch.block[i]);
    all(Special(CtaidX + i), block.index[i]);
    all(Special(NctaidX + i), launch.grid[i]);
  }
  all(WarpId, index);
  all(NWarpId, (block.threads + kLanes - 1) / kLanes);
  all(SmId, block.index[0] % 4);
  all(NSmId, 4);
  all(GridId, block.machine.counts.launches);
  all(DynamicShared, launch.dynamicShared);
  all(TotalShared, launch.kernel->sharedBytes + launch.dynamicShared);
  all(Envreg1, launch.workspace >> 32);
  all(Envreg2, launch.workspace & 0xffffffff);
  all(WarpSize, kLanes);
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    unsigned thread = index * kLanes + lane;
    specials[TidX][lane] = thread % launch.block[0];
    specials[TidY][lane] = thread / launch.block[0] % launch.block[1];
    specials[TidZ][lane] = thread / (launch.block[0] * launch.block[1]);
    specials[LaneId][lane] = lane;
    uint32_t bit = uint32_t(1) << lane;
    specials[LanemaskEq][lane] = bit;
    specials[LanemaskLt][lane] = bit - 1;
    specials[LanemaskLe][lane] = bit | (bit - 1);
    specials[LanemaskGt][lane] = uint32_t(~(bit | (bit - 1)));
    specials[LanemaskGe][lane] = uint32_t(~(bit - 1));
  }
}

const uint64_t *Warp::readSpecial(uint32_t special, Row &into) {
  if (special < Clock)
    return specials[special].data();
  uint64_t value = block.machine.counts.laneSteps;
  if (special >= Timer)
    value = uint64_t(std::chrono::duration_cast<std::chrono::nanoseconds>(
                         std::chrono::system_clock::now().time_since_epoch())
                         .count());
  if (special == ClockHigh || special == TimerHigh)
    value >>= 32;
  if (special == Clock || special == TimerLow)
    value &= 0xffffffff;
  into.fill(value);
  return into.data();
}
