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

int32_t pyk_rt_print(pyk_rt_block *block, const char *format,
                     const void *values) {
  return BlockScheduler::print(*reinterpret_cast<OpenBlock *>(block), format,
                               values);
}
