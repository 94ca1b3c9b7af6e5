// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The clocks that kernels read.

#include "pyk/runtime/ABI.h"

#include <chrono>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

// Compiled code looks these up by name.
#pragma GCC visibility push(default)
extern "C" uint64_t pyk_rt_clock();
extern "C" uint64_t pyk_rt_global_timer();
#pragma GCC visibility pop

uint64_t pyk_rt_clock() {
#if defined(__x86_64__)
  return __rdtsc();
#elif defined(__aarch64__)
  uint64_t count;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(count));
  return count;
#else
  return uint64_t(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
}

uint64_t pyk_rt_global_timer() {
  auto now = std::chrono::system_clock::now().time_since_epoch();
  return uint64_t(
      std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}
