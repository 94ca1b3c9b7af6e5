// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// arc4random, which LLVM takes from the C library since glibc 2.36: with it,
// the library runs where there is only glibc 2.34. Nobody sees it outside.

#include <cstdint>
#include <cstdlib>
#include <sys/random.h>

extern "C" __attribute__((visibility("hidden"))) uint32_t
arc4random() noexcept {
  uint32_t value;
  if (getrandom(&value, sizeof(value), 0) != sizeof(value))
    std::abort();
  return value;
}
