// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of libdevice that libm lacks, and those whose corner cases differ
// from libm's. Names are libdevice's with `host_` for `__nv_`. Unless said
// otherwise the `float` ones compute in double and round once. Private to
// HostMath.cpp and its test.

#ifndef PYK_LIB_TARGET_CPU_HOSTMATHFUNCTIONS_H
#define PYK_LIB_TARGET_CPU_HOSTMATHFUNCTIONS_H

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/bit.h"

#include <cfenv>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <tuple>
#include <type_traits>

// The names are libdevice's.
// NOLINTBEGIN(readability-identifier-naming)
namespace pyk {

constexpr double hostPi = 3.14159265358979323846;
constexpr double hostSqrtHalf = 0.70710678118654752440;
constexpr double hostTwoOverSqrtPi = 1.12837916709551257390;
constexpr double hostInfinity = std::numeric_limits<double>::infinity();
constexpr double hostNaN = std::numeric_limits<double>::quiet_NaN();

//===----------------------------------------------------------------------===//
// Roots and powers
//===----------------------------------------------------------------------===//

inline double host_rsqrt(double x) { return 1 / std::sqrt(x); }
inline float host_rsqrtf(float x) { return float(host_rsqrt(x)); }
inline double host_rcbrt(double x) { return 1 / std::cbrt(x); }
inline float host_rcbrtf(float x) { return float(host_rcbrt(x)); }
inline double host_powi(double x, int n) { return std::pow(x, double(n)); }
inline float host_powif(float x, int n) { return float(host_powi(x, n)); }
inline float host_fdividef(float x, float y) { return x / y; }

/// Clamps to 0..1; NaN becomes 0.
inline float host_saturatef(float x) { return x > 0 ? (x < 1 ? x : 1) : 0; }

inline int host_signbitd(double x) { return std::signbit(x); }
inline int host_signbitf(float x) { return std::signbit(x); }

//===----------------------------------------------------------------------===//
// Trigonometric functions of multiples of pi
//===----------------------------------------------------------------------===//

/// Each step before the last is exact.
inline double host_sinpi(double x) {
  double r = std::fmod(x, 2.0);
  if (r > 1)
    r -= 2;
  else if (r < -1)
    r += 2;
  double a = std::fabs(r);
  if (a > 0.5)
    a = 1 - a;
  double s = a <= 0.25 ? std::sin(hostPi * a) : std::cos(hostPi * (0.5 - a));
  return a == 0 ? std::copysign(0.0, x) : std::copysign(s, r);
}
inline float host_sinpif(float x) { return float(host_sinpi(x)); }

inline double host_cospi(double x) {
  double a = std::fabs(std::fmod(x, 2.0));
  if (a > 1)
    a = 2 - a;
  if (a <= 0.25)
    return std::cos(hostPi * a);
  if (a <= 0.75)
    return a == 0.5 ? 0.0 : std::sin(hostPi * (0.5 - a));
  return -std::cos(hostPi * (1 - a));
}
inline float host_cospif(float x) { return float(host_cospi(x)); }

inline void host_sincospi(double x, double *s, double *c) {
  *s = host_sinpi(x);
  *c = host_cospi(x);
}
inline void host_sincospif(float x, float *s, float *c) {
  *s = host_sinpif(x);
  *c = host_cospif(x);
}

//===----------------------------------------------------------------------===//
// The error function's relatives
//===----------------------------------------------------------------------===//

inline double host_erfcinv(double y);

/// Winitzki's approximation, refined twice by Halley's method.
inline double host_erfinv(double v) {
  if (std::fabs(v) > 0.75)
    return v < 0 ? -host_erfcinv(1 + v) : host_erfcinv(1 - v);
  if (v == 0 || std::isnan(v))
    return v;
  constexpr double a = 0.147;
  double l = std::log1p(-v * v);
  double t = 2 / (hostPi * a) + l / 2;
  double x = std::sqrt(-l / a / (std::sqrt(t * t - l / a) + t));
  if (std::fabs(v) < 1e-8) // Where v * v vanishes.
    return v / hostTwoOverSqrtPi;
  x = std::copysign(x, v);
  for (int i = 0; i < 2; ++i) {
    double error = std::erf(x) - v;
    x -= error / (hostTwoOverSqrtPi * std::exp(-x * x) + x * error);
  }
  return x;
}
inline float host_erfinvf(float v) { return float(host_erfinv(v)); }

/// A rational approximation (Abramowitz and Stegun 26.2.22), refined by
/// Halley's method.
inline double host_erfcinv(double y) {
  if (!(y >= 0 && y <= 2))
    return hostNaN;
  if (y == 0 || y == 2)
    return y == 0 ? hostInfinity : -hostInfinity;
  if (y >= 0.25 && y <= 1.75)
    return host_erfinv(1 - y);
  double p = y < 1 ? y : 2 - y;
  double t = std::sqrt(-2 * std::log(p / 2));
  double x = hostSqrtHalf *
             (t - (2.30753 + t * 0.27061) / (1 + t * (0.99229 + t * 0.04481)));
  for (int i = 0; i < 3; ++i) {
    double error = std::erfc(x) - p;
    x += error / (hostTwoOverSqrtPi * std::exp(-x * x) - x * error);
  }
  return y < 1 ? x : -x;
}
inline float host_erfcinvf(float y) { return float(host_erfcinv(y)); }

/// exp(x * x) * erfc(x); by its continued fraction where the product would lose
/// digits.
inline double host_erfcx(double x) {
  if (std::isnan(x))
    return x;
  if (x < 2) {
    double square = x * x;
    double rest = std::fma(x, x, -square);
    double power = std::exp(square);
    return std::isinf(power) ? power : power * (1 + rest) * std::erfc(x);
  }
  double tail = x;
  for (int n = x < 4 ? 120 : 40; n > 0; --n)
    tail = x + n / (2 * tail);
  return hostTwoOverSqrtPi / (2 * tail);
}
inline float host_erfcxf(float x) { return float(host_erfcx(x)); }

/// The argument's rounding error, which the tails enlarge, is put back.
inline double host_normcdf(double x) {
  constexpr double sqrtHalfRest = -4.8336466567264567e-17;
  double t = -x * hostSqrtHalf;
  if (!(std::fabs(t) < 40))
    return std::erfc(t) / 2;
  double rest = std::fma(-x, hostSqrtHalf, -t) - x * sqrtHalfRest;
  return (std::erfc(t) - rest * hostTwoOverSqrtPi * std::exp(-t * t)) / 2;
}
inline float host_normcdff(float x) { return float(host_normcdf(x)); }

inline double host_normcdfinv(double p) {
  return -host_erfcinv(2 * p) / hostSqrtHalf;
}
inline float host_normcdfinvf(float p) { return float(host_normcdfinv(p)); }

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

inline int host_abs(int x) { return int(x < 0 ? 0u - unsigned(x) : x); }
inline long long host_llabs(long long x) {
  return x < 0 ? static_cast<long long>(0ull - static_cast<uint64_t>(x)) : x;
}

/// Byte k of the result is byte (s >> 4 * k) % 8 of y:x.
inline int host_byte_perm(int x, int y, int s) {
  uint64_t bytes = uint64_t(unsigned(y)) << 32 | unsigned(x);
  unsigned result = 0;
  for (int k = 0; k < 4; ++k)
    result |= unsigned(bytes >> 8 * (s >> 4 * k & 7) & 0xff) << 8 * k;
  return int(result);
}

inline int host_clz(int x) { return llvm::countl_zero(unsigned(x)); }
inline int host_clzll(long long x) { return llvm::countl_zero(uint64_t(x)); }
inline int host_ffs(int x) {
  return x == 0 ? 0 : llvm::countr_zero(unsigned(x)) + 1;
}
inline int host_ffsll(long long x) {
  return x == 0 ? 0 : llvm::countr_zero(uint64_t(x)) + 1;
}
inline int host_popcll(long long x) { return llvm::popcount(uint64_t(x)); }

inline int host_hadd(int x, int y) { return int((int64_t(x) + y) >> 1); }
inline int host_rhadd(int x, int y) { return int((int64_t(x) + y + 1) >> 1); }
inline int host_uhadd(int x, int y) {
  return int((uint64_t(unsigned(x)) + unsigned(y)) >> 1);
}
inline int host_urhadd(int x, int y) {
  return int((uint64_t(unsigned(x)) + unsigned(y) + 1) >> 1);
}

inline int host_mul24(int x, int y) {
  int64_t a = int64_t(int32_t(unsigned(x) << 8) >> 8);
  int64_t b = int64_t(int32_t(unsigned(y) << 8) >> 8);
  return int(a * b);
}
inline int host_umul24(int x, int y) {
  return int(uint64_t(x & 0xffffff) * uint64_t(y & 0xffffff));
}
inline int host_mulhi(int x, int y) { return int(int64_t(x) * y >> 32); }
inline int host_umulhi(int x, int y) {
  return int(uint64_t(unsigned(x)) * unsigned(y) >> 32);
}
inline long long host_mul64hi(long long x, long long y) {
  return static_cast<long long>(static_cast<__int128>(x) * y >> 64);
}
inline long long host_umul64hi(long long x, long long y) {
  return static_cast<long long>(
      static_cast<unsigned __int128>(uint64_t(x)) * uint64_t(y) >> 64);
}

inline int host_sad(int x, int y, int z) {
  unsigned distance =
      x < y ? unsigned(y) - unsigned(x) : unsigned(x) - unsigned(y);
  return int(distance + unsigned(z));
}
inline int host_usad(int x, int y, int z) {
  unsigned a = unsigned(x), b = unsigned(y);
  return int((a < b ? b - a : a - b) + unsigned(z));
}

//===----------------------------------------------------------------------===//
// Bits of numbers
//===----------------------------------------------------------------------===//

inline long long host_double_as_longlong(double x) {
  return llvm::bit_cast<long long>(x);
}
inline double host_longlong_as_double(long long x) {
  return llvm::bit_cast<double>(x);
}
inline int host_float_as_int(float x) { return llvm::bit_cast<int>(x); }
inline float host_int_as_float(int x) { return llvm::bit_cast<float>(x); }
inline int host_double2hiint(double x) {
  return int(host_double_as_longlong(x) >> 32);
}
inline int host_double2loint(double x) {
  return int(host_double_as_longlong(x));
}
inline double host_hiloint2double(int high, int low) {
  return llvm::bit_cast<double>(uint64_t(unsigned(high)) << 32 | unsigned(low));
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

/// PTX's cvt of a number without fraction: saturates, and gives for NaN 0 if
/// both sides have 32 bits and else the integer whose top bit alone is set.
template <typename To, typename From>
inline To saturatingConvert(From x) {
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

#define PYK_HOST_CONVERT(FROM, TO, RESULT, INTEGER)                            \
  inline RESULT host_##FROM##2##TO##_rd(FROM x) {                              \
    return RESULT(saturatingConvert<INTEGER>(std::floor(x)));                  \
  }                                                                            \
  inline RESULT host_##FROM##2##TO##_rn(FROM x) {                              \
    return RESULT(saturatingConvert<INTEGER>(std::nearbyint(x)));              \
  }                                                                            \
  inline RESULT host_##FROM##2##TO##_ru(FROM x) {                              \
    return RESULT(saturatingConvert<INTEGER>(std::ceil(x)));                   \
  }                                                                            \
  inline RESULT host_##FROM##2##TO##_rz(FROM x) {                              \
    return RESULT(saturatingConvert<INTEGER>(std::trunc(x)));                  \
  }
using HostLongLong = long long;
PYK_HOST_CONVERT(double, int, int, int32_t)
PYK_HOST_CONVERT(double, ll, HostLongLong, int64_t)
PYK_HOST_CONVERT(double, uint, int, uint32_t)
PYK_HOST_CONVERT(double, ull, HostLongLong, uint64_t)
PYK_HOST_CONVERT(float, int, int, int32_t)
PYK_HOST_CONVERT(float, ll, HostLongLong, int64_t)
PYK_HOST_CONVERT(float, uint, int, uint32_t)
PYK_HOST_CONVERT(float, ull, HostLongLong, uint64_t)
#undef PYK_HOST_CONVERT

inline long long host_llrint(double x) { return host_double2ll_rn(x); }
inline long long host_llrintf(float x) { return host_float2ll_rn(x); }
inline long long host_llround(double x) {
  return host_double2ll_rz(std::round(x));
}
inline long long host_llroundf(float x) {
  return host_float2ll_rz(std::round(x));
}

//===----------------------------------------------------------------------===//
// Rounding towards a side
//===----------------------------------------------------------------------===//

/// What `compute` yields of its operands under the rounding mode `Mode`. The
/// operands are read after the mode is set and the result is written before it
/// is reset, as volatile: the compiler knows nothing of modes.
template <int Mode, typename F, typename... Args>
inline auto roundTowards(F compute, Args... args) {
  int before = std::fegetround();
  std::tuple<volatile Args...> operands(args...);
  std::fesetround(Mode);
  volatile auto result = std::apply(
      [&](const volatile Args &...operand) {
        return compute(Args(operand)...);
      },
      operands);
  std::fesetround(before);
  return decltype(compute(args...))(result);
}

/// A function for each mode; TYPE of the result, then parameters in
/// parentheses, then their names, then the result in terms of them.
#define PYK_HOST_ROUNDED(NAME, TYPE, PARAMETERS, ...)                          \
  inline TYPE host_##NAME##_rd PARAMETERS {                                    \
    return roundTowards<FE_DOWNWARD>(__VA_ARGS__);                             \
  }                                                                            \
  inline TYPE host_##NAME##_rn PARAMETERS {                                    \
    return roundTowards<FE_TONEAREST>(__VA_ARGS__);                            \
  }                                                                            \
  inline TYPE host_##NAME##_ru PARAMETERS {                                    \
    return roundTowards<FE_UPWARD>(__VA_ARGS__);                               \
  }                                                                            \
  inline TYPE host_##NAME##_rz PARAMETERS {                                    \
    return roundTowards<FE_TOWARDZERO>(__VA_ARGS__);                           \
  }
#define PYK_HOST_ROUNDED_REAL(LETTER, TYPE, FMA)                               \
  PYK_HOST_ROUNDED(LETTER##add, TYPE, (TYPE x, TYPE y), std::plus<TYPE>(), x,  \
                   y)                                                          \
  PYK_HOST_ROUNDED(LETTER##sub, TYPE, (TYPE x, TYPE y), std::minus<TYPE>(), x, \
                   y)                                                          \
  PYK_HOST_ROUNDED(LETTER##mul, TYPE, (TYPE x, TYPE y),                        \
                   std::multiplies<TYPE>(), x, y)                              \
  PYK_HOST_ROUNDED(LETTER##div, TYPE, (TYPE x, TYPE y), std::divides<TYPE>(),  \
                   x, y)                                                       \
  PYK_HOST_ROUNDED(LETTER##rcp, TYPE, (TYPE x), std::divides<TYPE>(), TYPE(1), \
                   x)                                                          \
  PYK_HOST_ROUNDED(                                                            \
      LETTER##sqrt, TYPE, (TYPE x), [](TYPE a) { return std::sqrt(a); }, x)    \
  PYK_HOST_ROUNDED(                                                            \
      FMA, TYPE, (TYPE x, TYPE y, TYPE z),                                     \
      [](TYPE a, TYPE b, TYPE c) { return std::fma(a, b, c); }, x, y, z)
PYK_HOST_ROUNDED_REAL(d, double, fma)
PYK_HOST_ROUNDED_REAL(f, float, fmaf)
#undef PYK_HOST_ROUNDED_REAL

/// The bits of an unsigned number are passed as those of a signed one. Code for
/// 64 bits without a sign may make -0 of 0 when it rounds down.
template <typename To, typename From>
inline To convertInteger(From x) {
  volatile To converted = To(x);
  To result = converted;
  return result == 0 ? To(0) : result;
}
#define PYK_HOST_ROUNDED_CONVERSION(FROM, TO, PARAMETER, NUMBER)               \
  PYK_HOST_ROUNDED(FROM##2##TO, TO, (PARAMETER x),                             \
                   (convertInteger<TO, NUMBER>), NUMBER(x))
PYK_HOST_ROUNDED(
    double2float, float, (double x), [](double a) { return float(a); }, x)
PYK_HOST_ROUNDED_CONVERSION(int, float, int, int)
PYK_HOST_ROUNDED_CONVERSION(uint, float, int, unsigned)
PYK_HOST_ROUNDED_CONVERSION(ll, double, HostLongLong, HostLongLong)
PYK_HOST_ROUNDED_CONVERSION(ll, float, HostLongLong, HostLongLong)
PYK_HOST_ROUNDED_CONVERSION(ull, double, HostLongLong, uint64_t)
PYK_HOST_ROUNDED_CONVERSION(ull, float, HostLongLong, uint64_t)
#undef PYK_HOST_ROUNDED_CONVERSION
#undef PYK_HOST_ROUNDED

/// The bits of the nearest float of 16 bits.
inline short host_float2half_rn(float x) {
  llvm::APFloat value(x);
  bool isInexact;
  value.convert(llvm::APFloat::IEEEhalf(), llvm::APFloat::rmNearestTiesToEven,
                &isInexact);
  return short(value.bitcastToAPInt().getZExtValue());
}
inline float host_half2float(short bits) {
  llvm::APFloat value(llvm::APFloat::IEEEhalf(),
                      llvm::APInt(16, uint16_t(bits)));
  bool isInexact;
  value.convert(llvm::APFloat::IEEEsingle(), llvm::APFloat::rmNearestTiesToEven,
                &isInexact);
  return value.convertToFloat();
}

inline float host_double2float(double x) { return float(x); }
inline double host_int2double(int x) { return x; }
inline float host_int2float(int x) { return float(x); }
inline double host_ll2double(long long x) { return double(x); }
inline float host_ll2float(long long x) { return float(x); }
inline double host_uint2double(int x) { return double(unsigned(x)); }
inline float host_uint2float(int x) { return float(unsigned(x)); }
inline double host_ull2double(long long x) { return double(uint64_t(x)); }
inline float host_ull2float(long long x) { return float(uint64_t(x)); }

/// The exponent; CUDA's results for 0, NaN and infinity, which libm's differ in
/// from host to host.
inline int host_ilogb(double x) {
  if (x == 0 || std::isnan(x))
    return std::numeric_limits<int>::min();
  return std::isinf(x) ? std::numeric_limits<int>::max() : std::ilogb(x);
}
inline int host_ilogbf(float x) { return host_ilogb(x); }

} // namespace pyk
// NOLINTEND(readability-identifier-naming)

#endif // PYK_LIB_TARGET_CPU_HOSTMATHFUNCTIONS_H
