// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The meeting of lanes. Lanes of one mask are complete together, whoever of
// them finds it out.

#include "WarpExchange.h"

#include <algorithm>

using namespace pyk::runtime;

/// After so many rounds a lane that can go on is not waited for: it may wait
/// for what those do that gather.
static constexpr uint32_t mostPatience = 64;

/// So often in a row groups go on and leave other lanes behind: those may be
/// what they wait for.
static constexpr uint32_t mostPasses = 1024;

static bool isIn(uint32_t mask, uint32_t lane) { return mask >> lane & 1; }

void WarpExchange::arrive(uint32_t lane, uint32_t mask, uint64_t value,
                          uint64_t *values) {
  gifts[lane] = {mask, value, values};
  waiting |= uint32_t(1) << lane;
}

bool WarpExchange::hasCompleted(uint32_t lane) {
  if (!isIn(waiting, lane))
    return true;
  uint32_t mask = gifts[lane].mask, here = mask & waiting;
  if (mask & ~ended & ~waiting)
    return false;
  uint64_t values[laneCount];
  for (uint32_t other = 0; other != laneCount; ++other) {
    if (isIn(here, other) && gifts[other].mask != mask)
      return false;
    values[other] = isIn(here, other) ? gifts[other].value : 0;
  }
  for (uint32_t other = 0; other != laneCount; ++other)
    if (isIn(here, other))
      for (uint32_t i = 0; i != laneCount; ++i)
        gifts[other].values[i] = values[i];
  waiting &= ~mask;
  return true;
}

void WarpExchange::formGroup(uint32_t stopped) {
  if (!gathering)
    return;
  // Who they exchange with may have ended since.
  for (uint32_t lane = 0; lane != laneCount; ++lane)
    hasCompleted(lane);
  if (stopped & ~waiting & ~gathering && ++patience != mostPatience)
    return;
  patience = 0;
  releaseLeast();
  while (gathering && passes == mostPasses)
    releaseLeast();
  passes = gathering ? passes + 1 : 0;
}

/// Lets the lanes at the least site go on.
void WarpExchange::releaseLeast() {
  uint32_t site = ~uint32_t(0), group = 0;
  for (uint32_t lane = 0; lane != laneCount; ++lane)
    if (isGathering(lane))
      site = std::min(site, groups[lane]);
  for (uint32_t lane = 0; lane != laneCount; ++lane)
    if (isGathering(lane) && groups[lane] == site)
      group |= uint32_t(1) << lane;
  for (uint32_t lane = 0; lane != laneCount; ++lane)
    if (isIn(group, lane))
      groups[lane] = group;
  gathering &= ~group;
}
