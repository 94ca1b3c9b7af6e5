// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of libdevice on integers that C has no name for.

#include "pyk/runtime/HostMath.h"

#include <cstdint>

// The names are libdevice's.
// NOLINTBEGIN(readability-identifier-naming)

int pyk_rt_math_abs(int x) { return int(x < 0 ? 0u - unsigned(x) : x); }
long long pyk_rt_math_llabs(long long x) {
  return x < 0 ? static_cast<long long>(0ull - static_cast<uint64_t>(x)) : x;
}

/// Byte k of the result is byte (s >> 4 * k) % 8 of y:x.
int pyk_rt_math_byte_perm(int x, int y, int s) {
  uint64_t bytes = uint64_t(unsigned(y)) << 32 | unsigned(x);
  unsigned result = 0;
  for (int k = 0; k < 4; ++k)
    result |= unsigned(bytes >> 8 * (s >> 4 * k & 7) & 0xff) << 8 * k;
  return int(result);
}

int pyk_rt_math_clz(int x) { return x == 0 ? 32 : __builtin_clz(unsigned(x)); }
int pyk_rt_math_clzll(long long x) {
  return x == 0 ? 64 : __builtin_clzll(uint64_t(x));
}
int pyk_rt_math_ffs(int x) { return __builtin_ffs(x); }
int pyk_rt_math_ffsll(long long x) { return __builtin_ffsll(x); }
int pyk_rt_math_popcll(long long x) {
  return __builtin_popcountll(uint64_t(x));
}

int pyk_rt_math_hadd(int x, int y) { return int((int64_t(x) + y) >> 1); }
int pyk_rt_math_rhadd(int x, int y) { return int((int64_t(x) + y + 1) >> 1); }
int pyk_rt_math_uhadd(int x, int y) {
  return int((uint64_t(unsigned(x)) + unsigned(y)) >> 1);
}
int pyk_rt_math_urhadd(int x, int y) {
  return int((uint64_t(unsigned(x)) + unsigned(y) + 1) >> 1);
}

int pyk_rt_math_mul24(int x, int y) {
  int64_t a = int64_t(int32_t(unsigned(x) << 8) >> 8);
  int64_t b = int64_t(int32_t(unsigned(y) << 8) >> 8);
  return int(a * b);
}
int pyk_rt_math_umul24(int x, int y) {
  return int(uint64_t(x & 0xffffff) * uint64_t(y & 0xffffff));
}
int pyk_rt_math_mulhi(int x, int y) { return int(int64_t(x) * y >> 32); }
int pyk_rt_math_umulhi(int x, int y) {
  return int(uint64_t(unsigned(x)) * unsigned(y) >> 32);
}
long long pyk_rt_math_mul64hi(long long x, long long y) {
  return static_cast<long long>(static_cast<__int128>(x) * y >> 64);
}
long long pyk_rt_math_umul64hi(long long x, long long y) {
  return static_cast<long long>(
      static_cast<unsigned __int128>(uint64_t(x)) * uint64_t(y) >> 64);
}

int pyk_rt_math_sad(int x, int y, int z) {
  unsigned distance =
      x < y ? unsigned(y) - unsigned(x) : unsigned(x) - unsigned(y);
  return int(distance + unsigned(z));
}
int pyk_rt_math_usad(int x, int y, int z) {
  unsigned a = unsigned(x), b = unsigned(y);
  return int((a < b ? b - a : a - b) + unsigned(z));
}

// NOLINTEND(readability-identifier-naming)
