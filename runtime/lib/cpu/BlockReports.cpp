// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What threads tell the host while they run: text, and accesses outside of
// memory. Both are kept by the launch until it has ended.

#include "BlockScheduler.h"

#include <string>

// Compiled code looks these up by name.
#pragma GCC visibility push(default)
extern "C" int32_t pyk_rt_print(pyk_rt_block *block, const char *format,
                                const void *values);
extern "C" void pyk_rt_outside(pyk_rt_block *block, const char *text,
                               uint32_t thread, int64_t first, int64_t second,
                               int64_t third);
extern "C" void pyk_rt_outside_lanes(pyk_rt_block *block, const char *text,
                                     pyk_rt_lanes lanes, const int64_t *values);
#pragma GCC visibility pop

using namespace pyk::runtime;

void BlockScheduler::noteOutside(OpenBlock &block, const char *text,
                                 uint32_t thread,
                                 const OutsideLog::Indices &indices) {
  // Its list is locked.
  block.scheduler->leaveKernel();
  Launch &launch = *block.launch;
  launch.outside.add(text, {launch.getNumber(block.abi.block_id), thread},
                     indices);
  block.scheduler->enterKernel();
}

int32_t BlockScheduler::print(OpenBlock &block, const char *format,
                              const void *values) {
  // Text is allocated, and its list locked.
  block.scheduler->leaveKernel();
  int32_t printed;
  std::string text = formatPrinted(format, values, printed);
  Launch &launch = *block.launch;
  launch.printed.add(launch.getNumber(block.abi.block_id), text);
  block.scheduler->enterKernel();
  return printed;
}

void pyk_rt_outside(pyk_rt_block *block, const char *text, uint32_t thread,
                    int64_t first, int64_t second, int64_t third) {
  BlockScheduler::noteOutside(*reinterpret_cast<OpenBlock *>(block), text,
                              thread, {first, second, third});
}

namespace {

/// A number of each lane, in one of the forms of ABI.h.
struct LaneNumbers {
  uint8_t form;
  const int64_t *values;

  int64_t of(size_t lane) const {
    switch (form) {
    case PYK_RT_ABSENT:
      return 0;
    case PYK_RT_UNIFORM:
      return values[0];
    case PYK_RT_CONSECUTIVE:
      // Indices may wrap around.
      return int64_t(uint64_t(values[0]) + lane);
    default:
      return values[lane];
    }
  }
};

} // namespace

void pyk_rt_outside_lanes(pyk_rt_block *block, const char *text,
                          pyk_rt_lanes lanes, const int64_t *values) {
  size_t count = size_t(lanes.lanes) * lanes.vectors;
  const int64_t *masks = values;
  if (lanes.masked)
    values += lanes.vectors;
  LaneNumbers numbers[4];
  for (size_t i = 0; i < 4; ++i) {
    numbers[i] = {lanes.forms[i], values};
    if (lanes.forms[i] != PYK_RT_ABSENT)
      values += lanes.forms[i] == PYK_RT_BY_LANE ? count : 1;
  }
  for (size_t lane = 0; lane < count; ++lane) {
    if (lanes.masked && !(masks[lane / lanes.lanes] >> lane % lanes.lanes & 1))
      continue;
    BlockScheduler::noteOutside(
        *reinterpret_cast<OpenBlock *>(block), text,
        uint32_t(numbers[0].of(lane)),
        {numbers[1].of(lane), numbers[2].of(lane), numbers[3].of(lane)});
  }
}

int32_t pyk_rt_print(pyk_rt_block *block, const char *format,
                     const void *values) {
  return BlockScheduler::print(*reinterpret_cast<OpenBlock *>(block), format,
                               values);
}
