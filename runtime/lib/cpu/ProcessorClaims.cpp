// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread that may no longer run where it does is moved at once; it is then
// allowed to come back, which systems do not make it do.

#include "ProcessorClaims.h"

#include <sched.h>

using namespace pyk::runtime;

void ProcessorClaims::begin() {
  for (std::atomic<uint64_t> &word : taken)
    if (word.load(std::memory_order_relaxed) != 0)
      word.store(0, std::memory_order_relaxed);
  (void)claim(sched_getcpu());
}

bool ProcessorClaims::claim(int processor) {
  if (processor < 0 || processor >= limit)
    return true;
  uint64_t bit = uint64_t(1) << (processor % bits);
  return (taken[size_t(processor / bits)].fetch_or(bit,
                                                   std::memory_order_relaxed) &
          bit) == 0;
}

void ProcessorClaims::settle() {
  if (claim(sched_getcpu()))
    return;
  cpu_set_t allowed;
  // Fails where there are more processors than the set holds.
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
    return;
  cpu_set_t open = allowed;
  static_assert(CPU_SETSIZE == limit);
  for (int processor = 0; processor < limit; ++processor)
    if (taken[size_t(processor / bits)].load(std::memory_order_relaxed) >>
            (processor % bits) &
        1)
      CPU_CLR(processor, &open);
  if (CPU_COUNT(&open) == 0 || sched_setaffinity(0, sizeof open, &open) != 0)
    return;
  // It was allowed to before, so this does not fail.
  (void)sched_setaffinity(0, sizeof allowed, &allowed);
  (void)claim(sched_getcpu());
}
