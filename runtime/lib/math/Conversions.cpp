// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions of libdevice: between numbers, with PTX's results where C leaves
// them open, and between a number and its bits.

#include "pyk/runtime/HostMath.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

// The names are libdevice's.
// NOLINTBEGIN(readability-identifier-naming)

//===----------------------------------------------------------------------===//
// Bits of numbers
//===----------------------------------------------------------------------===//

/// std::bit_cast comes with C++20.
template <typename To, typename From>
static To bitCast(From x) {
  static_assert(sizeof(To) == sizeof(From));
  To bits;
  std::memcpy(&bits, &x, sizeof(To));
  return bits;
}

int pyk_rt_math_double2hiint(double x) {
  return int(bitCast<int64_t>(x) >> 32);
}
int pyk_rt_math_double2loint(double x) { return int(bitCast<int64_t>(x)); }
double pyk_rt_math_hiloint2double(int high, int low) {
  return bitCast<double>(uint64_t(unsigned(high)) << 32 | unsigned(low));
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

/// PTX's cvt of a number without fraction: saturates, and gives for NaN 0 if
/// both sides have 32 bits and else the integer whose top bit alone is set.
template <typename To, typename From>
static To saturatingConvert(From x) {
  using Limits = std::numeric_limits<To>;
  constexpr int digits = Limits::digits;
  if (std::isnan(x)) {
    bool narrow = sizeof(From) == 4 && sizeof(To) == 4;
    return narrow ? To(0) : To(uint64_t(1) << (8 * sizeof(To) - 1));
  }
  if (x >= std::ldexp(From(1), digits))
    return Limits::max();
  if (x <= From(Limits::min()))
    return Limits::min();
  return To(x);
}

#define PYK_MATH_CONVERT(FROM, TO, RESULT, INTEGER)                            \
  RESULT pyk_rt_math_##FROM##2##TO##_rd(FROM x) {                              \
    return RESULT(saturatingConvert<INTEGER>(std::floor(x)));                  \
  }                                                                            \
  RESULT pyk_rt_math_##FROM##2##TO##_rn(FROM x) {                              \
    return RESULT(saturatingConvert<INTEGER>(std::nearbyint(x)));              \
  }                                                                            \
  RESULT pyk_rt_math_##FROM##2##TO##_ru(FROM x) {                              \
    return RESULT(saturatingConvert<INTEGER>(std::ceil(x)));                   \
  }                                                                            \
  RESULT pyk_rt_math_##FROM##2##TO##_rz(FROM x) {                              \
    return RESULT(saturatingConvert<INTEGER>(std::trunc(x)));                  \
  }
using LongLong = long long;
PYK_MATH_CONVERT(double, int, int, int32_t)
PYK_MATH_CONVERT(double, ll, LongLong, int64_t)
PYK_MATH_CONVERT(double, uint, int, uint32_t)
PYK_MATH_CONVERT(double, ull, LongLong, uint64_t)
PYK_MATH_CONVERT(float, int, int, int32_t)
PYK_MATH_CONVERT(float, ll, LongLong, int64_t)
PYK_MATH_CONVERT(float, uint, int, uint32_t)
PYK_MATH_CONVERT(float, ull, LongLong, uint64_t)
#undef PYK_MATH_CONVERT

long long pyk_rt_math_llrint(double x) { return pyk_rt_math_double2ll_rn(x); }
long long pyk_rt_math_llrintf(float x) { return pyk_rt_math_float2ll_rn(x); }
long long pyk_rt_math_llround(double x) {
  return pyk_rt_math_double2ll_rz(std::round(x));
}
long long pyk_rt_math_llroundf(float x) {
  return pyk_rt_math_float2ll_rz(std::round(x));
}

float pyk_rt_math_double2float_rn(double x) { return float(x); }
double pyk_rt_math_int2double_rn(int x) { return x; }
float pyk_rt_math_int2float_rn(int x) { return float(x); }
double pyk_rt_math_ll2double_rn(long long x) { return double(x); }
float pyk_rt_math_ll2float_rn(long long x) { return float(x); }
double pyk_rt_math_uint2double_rn(int x) { return double(unsigned(x)); }
float pyk_rt_math_uint2float_rn(int x) { return float(unsigned(x)); }
double pyk_rt_math_ull2double_rn(long long x) { return double(uint64_t(x)); }
float pyk_rt_math_ull2float_rn(long long x) { return float(uint64_t(x)); }

/// The exponent; CUDA's results for 0, NaN and infinity, which libm's differ in
/// from host to host.
int pyk_rt_math_ilogb(double x) {
  if (x == 0 || std::isnan(x))
    return std::numeric_limits<int>::min();
  return std::isinf(x) ? std::numeric_limits<int>::max() : std::ilogb(x);
}
int pyk_rt_math_ilogbf(float x) { return pyk_rt_math_ilogb(x); }

//===----------------------------------------------------------------------===//
// Half precision
//===----------------------------------------------------------------------===//

/// The bits of the nearest float of 16 bits, ties to even. A NaN keeps its sign
/// and the upper bits of its payload and becomes quiet. On bits, because no C++
/// of today promises a type of 16 bits.
short pyk_rt_math_float2half_rn(float x) {
  uint32_t bits = bitCast<uint32_t>(x);
  uint32_t sign = bits >> 16 & 0x8000;
  uint32_t magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000)
    return short(sign | 0x7e00 | (magnitude >> 13 & 0x3ff));
  // From the number halfway between 65504 and 65536.
  if (magnitude >= 0x477ff000)
    return short(sign | 0x7c00);
  // From 2^-14 the exponent is rebased and 13 bits are rounded away; a carry
  // out of the fraction counts the exponent up.
  if (magnitude >= 0x38800000) {
    uint32_t rebased = magnitude - (uint32_t(127 - 15) << 23);
    return short(sign | (rebased + 0xfff + (rebased >> 13 & 1)) >> 13);
  }
  // Below, the result counts units of 2^-24, which dividing finds exactly; the
  // fraction of what is left decides the rounding.
  uint32_t exponent = magnitude >> 23;
  if (exponent < 127 - 25)
    return short(sign);
  uint32_t fraction = (magnitude & 0x7fffff) | 0x800000;
  uint32_t shift = 126 - exponent;
  uint32_t units = fraction >> shift;
  uint32_t rest = fraction & ((uint32_t(1) << shift) - 1);
  uint32_t halfway = uint32_t(1) << (shift - 1);
  units += rest > halfway || (rest == halfway && (units & 1));
  return short(sign | units);
}

float pyk_rt_math_half2float(short half) {
  uint32_t bits = uint16_t(half);
  uint32_t sign = (bits & 0x8000) << 16;
  uint32_t exponent = bits >> 10 & 0x1f, fraction = bits & 0x3ff;
  if (exponent == 0x1f) {
    uint32_t quiet = fraction ? 0x400000 : 0;
    return bitCast<float>(sign | 0x7f800000 | quiet | fraction << 13);
  }
  if (exponent == 0) {
    float magnitude = std::ldexp(float(fraction), -24);
    return sign ? -magnitude : magnitude;
  }
  return bitCast<float>(sign | (exponent + 127 - 15) << 23 | fraction << 13);
}

// NOLINTEND(readability-identifier-naming)
