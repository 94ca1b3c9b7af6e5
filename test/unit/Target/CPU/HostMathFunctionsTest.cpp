// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the runtime computes itself because libm does not, against long double,
// LLVM's arithmetic or known values.

#include "pyk/runtime/HostMath.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/bit.h"
#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

static constexpr double kTwoOverSqrtPi = 1.12837916709551257390;
static constexpr double kInfinity = std::numeric_limits<double>::infinity();
static constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// The distance of `got` from `expected` in units of its last place.
static double ulps(double got, long double expected) {
  if (std::isnan(got) || std::isnan(expected))
    return std::isnan(got) && std::isnan(expected) ? 0 : 1e300;
  if (got == double(expected))
    return 0;
  int exponent = std::max(std::ilogb(double(expected)), -1022);
  return double(std::fabs((got - expected) / std::ldexp(1.0L, exponent - 52)));
}

TEST(HostMathFunctionsTest, RootsAndPowers) {
  for (double x : {1e-300, 0.1, 1.0, 2.0, 3.7, 1e10, 1e300}) {
    EXPECT_LE(ulps(pyk_rt_math_rsqrt(x), 1 / std::sqrt((long double)x)), 1.5);
    EXPECT_LE(ulps(pyk_rt_math_rcbrt(x), 1 / std::cbrt((long double)x)), 2);
    EXPECT_LE(ulps(pyk_rt_math_rcbrt(-x), -1 / std::cbrt((long double)x)), 2);
  }
  EXPECT_EQ(pyk_rt_math_rsqrt(0.0), kInfinity);
  EXPECT_EQ(pyk_rt_math_rsqrt(-0.0), -kInfinity);
  EXPECT_TRUE(std::isnan(pyk_rt_math_rsqrt(-1)));
  EXPECT_EQ(pyk_rt_math_rsqrtf(4), 0.5f);
  EXPECT_EQ(pyk_rt_math_powi(3, 4), 81);
  EXPECT_EQ(pyk_rt_math_powi(2, -2), 0.25);
  EXPECT_EQ(pyk_rt_math_powi(kNaN, 0), 1);
  EXPECT_EQ(pyk_rt_math_powif(-2, 3), -8);
  EXPECT_EQ(pyk_rt_math_fdividef(1, 4), 0.25f);
  EXPECT_EQ(pyk_rt_math_saturatef(1.5f), 1);
  EXPECT_EQ(pyk_rt_math_saturatef(-1), 0);
  EXPECT_EQ(pyk_rt_math_saturatef(float(kNaN)), 0);
  EXPECT_EQ(pyk_rt_math_saturatef(0.3f), 0.3f);
}

TEST(HostMathFunctionsTest, MultiplesOfPi) {
  constexpr long double pi = 3.14159265358979323846264338327950288L;
  for (int i = -300; i <= 300; ++i) {
    double x = i * 0.01;
    EXPECT_NEAR(pyk_rt_math_sinpi(x), double(std::sin(pi * x)), 4e-16) << x;
    EXPECT_NEAR(pyk_rt_math_cospi(x), double(std::cos(pi * x)), 4e-16) << x;
  }
  for (int n = -5; n <= 5; ++n) {
    EXPECT_EQ(pyk_rt_math_sinpi(n), 0) << n;
    EXPECT_EQ(std::signbit(pyk_rt_math_sinpi(n)), n < 0) << n;
    EXPECT_EQ(pyk_rt_math_cospi(n), n % 2 ? -1 : 1) << n;
    EXPECT_EQ(pyk_rt_math_sinpi(n + 0.5), n % 2 ? -1 : 1) << n;
    EXPECT_EQ(pyk_rt_math_cospi(n + 0.5), 0) << n;
  }
  EXPECT_TRUE(std::signbit(pyk_rt_math_sinpi(-0.0)));
  EXPECT_EQ(pyk_rt_math_sinpi(1e300), 0);
  EXPECT_EQ(pyk_rt_math_cospi(1e300), 1);
  EXPECT_LE(ulps(pyk_rt_math_sinpi(1e-10), pi * 1e-10), 1);
  EXPECT_TRUE(std::isnan(pyk_rt_math_sinpi(kInfinity)));
  EXPECT_TRUE(std::isnan(pyk_rt_math_cospi(kInfinity)));
  EXPECT_TRUE(std::isnan(pyk_rt_math_cospi(kNaN)));
  EXPECT_EQ(pyk_rt_math_sinpif(0.5f), 1);
  EXPECT_EQ(pyk_rt_math_cospif(0.5f), 0);
}

TEST(HostMathFunctionsTest, ErfcxAgainstItsDefinition) {
  for (double x : {-5.0, -1.0, -0.1, 0.0, 0.1, 0.5, 1.0, 1.9, 2.0, 2.1, 3.9,
                   4.0, 6.0, 10.0, 26.0}) {
    long double expected =
        std::exp((long double)x * x) * std::erfc((long double)x);
    EXPECT_LE(ulps(pyk_rt_math_erfcx(x), expected), 8) << x;
  }
  EXPECT_LE(ulps(pyk_rt_math_erfcx(1e8), kTwoOverSqrtPi / 2 / 1e8L), 4);
  EXPECT_EQ(pyk_rt_math_erfcx(kInfinity), 0);
  EXPECT_EQ(pyk_rt_math_erfcx(-kInfinity), kInfinity);
  EXPECT_EQ(pyk_rt_math_erfcx(-30), kInfinity);
  EXPECT_TRUE(std::isnan(pyk_rt_math_erfcx(kNaN)));
}

// Going back through the function itself; its slope is allowed for.
TEST(HostMathFunctionsTest, InversesOfTheErrorFunction) {
  for (double v : {-0.999, -0.76, -0.75, -0.5, -0.1, -1e-5, -1e-12, 1e-12,
                   1e-300, 0.001, 0.3, 0.74, 0.75, 0.751, 0.9, 0.999999}) {
    long double x = pyk_rt_math_erfinv(v);
    long double slope = kTwoOverSqrtPi * std::exp(-x * x);
    EXPECT_LE(std::fabs((std::erf(x) - v) / slope), 4e-16L * std::fabs(x)) << v;
  }
  for (double y : {1e-300, 1e-100, 1e-10, 0.01, 0.2, 0.25, 0.5, 0.9999, 1.3,
                   1.75, 1.76, 1.99}) {
    long double x = pyk_rt_math_erfcinv(y);
    long double slope = kTwoOverSqrtPi * std::exp(-x * x);
    EXPECT_LE(std::fabs((std::erfc(x) - y) / slope), 8e-16L * std::fabs(x))
        << y;
  }
  EXPECT_EQ(pyk_rt_math_erfinv(1), kInfinity);
  EXPECT_EQ(pyk_rt_math_erfinv(-1), -kInfinity);
  EXPECT_TRUE(std::isnan(pyk_rt_math_erfinv(1.1)));
  EXPECT_TRUE(std::isnan(pyk_rt_math_erfinv(kNaN)));
  EXPECT_TRUE(std::signbit(pyk_rt_math_erfinv(-0.0)));
  EXPECT_EQ(pyk_rt_math_erfcinv(0), kInfinity);
  EXPECT_EQ(pyk_rt_math_erfcinv(2), -kInfinity);
  EXPECT_EQ(pyk_rt_math_erfcinv(1), 0);
  EXPECT_TRUE(std::isnan(pyk_rt_math_erfcinv(2.5)));
}

TEST(HostMathFunctionsTest, NormalDistribution) {
  constexpr long double sqrtHalf = 0.707106781186547524400844362104849039L;
  for (double x : {-37.0, -20.0, -8.0, -1.0, -1e-9, 0.0, 0.5, 2.0, 8.0})
    EXPECT_LE(ulps(pyk_rt_math_normcdf(x), std::erfc(-x * sqrtHalf) / 2), 8)
        << x;
  EXPECT_EQ(pyk_rt_math_normcdf(kInfinity), 1);
  EXPECT_EQ(pyk_rt_math_normcdf(-kInfinity), 0);
  EXPECT_TRUE(std::isnan(pyk_rt_math_normcdf(kNaN)));
  EXPECT_NEAR(pyk_rt_math_normcdfinv(0.975), 1.959963984540054, 1e-15);
  EXPECT_EQ(pyk_rt_math_normcdfinv(0.5), 0);
  EXPECT_EQ(pyk_rt_math_normcdfinv(0), -kInfinity);
  EXPECT_EQ(pyk_rt_math_normcdfinv(1), kInfinity);
}

TEST(HostMathFunctionsTest, Integers) {
  EXPECT_EQ(pyk_rt_math_abs(-5), 5);
  EXPECT_EQ(pyk_rt_math_abs(INT32_MIN), INT32_MIN);
  EXPECT_EQ(pyk_rt_math_llabs(INT64_MIN), INT64_MIN);
  EXPECT_EQ(pyk_rt_math_byte_perm(0x33221100, 0x77665544, 0x0123), 0x00112233);
  EXPECT_EQ(pyk_rt_math_byte_perm(0x33221100, 0x77665544, 0x7654), 0x77665544);
  EXPECT_EQ(pyk_rt_math_byte_perm(0x33221100, 0x77665544, 0xfedc), 0x77665544);
  EXPECT_EQ(pyk_rt_math_clz(0), 32);
  EXPECT_EQ(pyk_rt_math_clz(1), 31);
  EXPECT_EQ(pyk_rt_math_clz(-1), 0);
  EXPECT_EQ(pyk_rt_math_clzll(0), 64);
  EXPECT_EQ(pyk_rt_math_ffs(0), 0);
  EXPECT_EQ(pyk_rt_math_ffs(8), 4);
  EXPECT_EQ(pyk_rt_math_ffsll(INT64_MIN), 64);
  EXPECT_EQ(pyk_rt_math_popcll(-1), 64);
  EXPECT_EQ(pyk_rt_math_hadd(INT32_MAX, 1), 1 << 30);
  EXPECT_EQ(pyk_rt_math_hadd(-3, 0), -2);
  EXPECT_EQ(pyk_rt_math_rhadd(-3, 0), -1);
  EXPECT_EQ(pyk_rt_math_uhadd(-1, -1), -1);
  EXPECT_EQ(pyk_rt_math_urhadd(-1, 0), INT32_MIN);
  EXPECT_EQ(pyk_rt_math_mul24(0xffffff, 3), -3);
  EXPECT_EQ(pyk_rt_math_umul24(0x1ffffff, 2), 0x1fffffe);
  EXPECT_EQ(pyk_rt_math_mulhi(INT32_MIN, 2), -1);
  EXPECT_EQ(pyk_rt_math_umulhi(-1, 2), 1);
  EXPECT_EQ(pyk_rt_math_mul64hi(INT64_MIN, 2), -1);
  EXPECT_EQ(pyk_rt_math_umul64hi(-1, 2), 1);
  EXPECT_EQ(pyk_rt_math_sad(INT32_MIN, INT32_MAX, 1), 0);
  EXPECT_EQ(pyk_rt_math_sad(3, 5, 10), 12);
  EXPECT_EQ(pyk_rt_math_usad(-1, 0, 1), 0);
}

TEST(HostMathFunctionsTest, BitsOfNumbers) {
  EXPECT_EQ(pyk_rt_math_double2hiint(-2), int(0xc0000000));
  EXPECT_EQ(pyk_rt_math_double2loint(
                llvm::bit_cast<double>(int64_t(0x3ff0000012345678))),
            0x12345678);
  EXPECT_EQ(pyk_rt_math_hiloint2double(0x3ff00000, -1),
            llvm::bit_cast<double>(int64_t(0x3ff00000ffffffff)));
  EXPECT_EQ(pyk_rt_math_signbitd(-0.0), 1);
  EXPECT_EQ(pyk_rt_math_signbitf(0), 0);
}

// PTX's rules, among them those for NaN, which depend on the widths.
TEST(HostMathFunctionsTest, Conversions) {
  EXPECT_EQ(pyk_rt_math_double2int_rz(-2.7), -2);
  EXPECT_EQ(pyk_rt_math_double2int_rd(-2.2), -3);
  EXPECT_EQ(pyk_rt_math_double2int_ru(2.2), 3);
  EXPECT_EQ(pyk_rt_math_double2int_rn(2.5), 2);
  EXPECT_EQ(pyk_rt_math_float2int_rn(3.5f), 4);
  EXPECT_EQ(pyk_rt_math_double2int_rz(1e10), INT32_MAX);
  EXPECT_EQ(pyk_rt_math_double2int_rz(-1e10), INT32_MIN);
  EXPECT_EQ(pyk_rt_math_double2int_rz(2147483647.0), INT32_MAX);
  EXPECT_EQ(pyk_rt_math_float2int_rz(2147483648.0f), INT32_MAX);
  EXPECT_EQ(pyk_rt_math_float2uint_rz(-5), 0);
  EXPECT_EQ(pyk_rt_math_float2uint_rz(4e9f), int(4000000000u));
  EXPECT_EQ(pyk_rt_math_float2uint_rz(1e20f), -1);
  EXPECT_EQ(pyk_rt_math_double2ll_rz(1e19), INT64_MAX);
  EXPECT_EQ(uint64_t(pyk_rt_math_double2ull_rz(1e19)), uint64_t(1e19));
  EXPECT_EQ(pyk_rt_math_float2int_rz(float(kNaN)), 0);
  EXPECT_EQ(pyk_rt_math_float2uint_rz(float(kNaN)), 0);
  EXPECT_EQ(pyk_rt_math_double2int_rz(kNaN), INT32_MIN);
  EXPECT_EQ(pyk_rt_math_float2ll_rz(float(kNaN)), INT64_MIN);
  EXPECT_EQ(pyk_rt_math_double2ull_rz(kNaN), INT64_MIN);
  EXPECT_EQ(pyk_rt_math_llrint(2.5), 2);
  EXPECT_EQ(pyk_rt_math_llround(2.5), 3);
  EXPECT_EQ(pyk_rt_math_llroundf(-2.5f), -3);
  EXPECT_EQ(pyk_rt_math_uint2double_rn(-1), 4294967295.0);
  EXPECT_EQ(pyk_rt_math_ull2float_rn(-1), 0x1p64f);
  EXPECT_EQ(pyk_rt_math_int2float_rn(16777217), 16777216);
  EXPECT_EQ(pyk_rt_math_ilogb(0), INT32_MIN);
  EXPECT_EQ(pyk_rt_math_ilogb(kNaN), INT32_MIN);
  EXPECT_EQ(pyk_rt_math_ilogb(kInfinity), INT32_MAX);
  EXPECT_EQ(pyk_rt_math_ilogbf(8), 3);
}

namespace {

template <typename T>
using Unary = T (*)(T);
template <typename T>
using Binary = T (*)(T, T);
template <typename T>
using Ternary = T (*)(T, T, T);

} // namespace

static constexpr llvm::RoundingMode modes[] = {
    llvm::RoundingMode::TowardNegative,
    llvm::RoundingMode::NearestTiesToEven,
    llvm::RoundingMode::TowardPositive,
    llvm::RoundingMode::TowardZero,
};

/// Numbers with all kinds of exponents, and all kinds of neighbours.
template <typename T>
static std::vector<T> numbers() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> found = {T(0),
                          T(1),
                          T(3),
                          T(0.1),
                          T(1e-3),
                          T(1e20),
                          T(7.75),
                          Limits::max(),
                          Limits::min(),
                          Limits::denorm_min(),
                          Limits::infinity(),
                          Limits::quiet_NaN()};
  found.push_back(std::nextafter(T(1), T(2)));
  found.push_back(std::nextafter(T(1), T(0)));
  for (size_t i = 0, count = found.size(); i != count; ++i)
    found.push_back(-found[i]);
  return found;
}

/// Equal bits, or both NaN.
template <typename T>
static void expectSame(T got, const llvm::APFloat &expected) {
  if (expected.isNaN())
    EXPECT_TRUE(std::isnan(got));
  else
    EXPECT_TRUE(llvm::APFloat(got).bitwiseIsEqual(expected))
        << got << " for " << expected.convertToDouble();
}

template <typename T>
static void checkRounded(const Binary<T> (&add)[4], const Binary<T> (&mul)[4],
                         const Binary<T> (&div)[4], const Unary<T> (&rcp)[4],
                         const Ternary<T> (&fma)[4]) {
  for (int m = 0; m < 4; ++m)
    for (T x : numbers<T>()) {
      llvm::APFloat inverse(T(1));
      inverse.divide(llvm::APFloat(x), modes[m]);
      expectSame(rcp[m](x), inverse);
      for (T y : numbers<T>()) {
        llvm::APFloat sum(x), product(x), ratio(x);
        sum.add(llvm::APFloat(y), modes[m]);
        expectSame(add[m](x, y), sum);
        product.multiply(llvm::APFloat(y), modes[m]);
        expectSame(mul[m](x, y), product);
        ratio.divide(llvm::APFloat(y), modes[m]);
        expectSame(div[m](x, y), ratio);
        for (T z : {T(0.3), T(-1e-30), std::numeric_limits<T>::max()}) {
          llvm::APFloat fused(x);
          fused.fusedMultiplyAdd(llvm::APFloat(y), llvm::APFloat(z), modes[m]);
          expectSame(fma[m](x, y, z), fused);
        }
      }
    }
}

#define ALL_MODES(NAME)                                                        \
  {pyk_rt_math_##NAME##_rd, pyk_rt_math_##NAME##_rn, pyk_rt_math_##NAME##_ru,  \
   pyk_rt_math_##NAME##_rz}

TEST(HostMathFunctionsTest, ArithmeticThatRoundsTowardsASide) {
  checkRounded<double>(
      ALL_MODES(dadd), ALL_MODES(dmul), ALL_MODES(ddiv), ALL_MODES(drcp),
      {pyk_rt_math_fma_rd, std::fma, pyk_rt_math_fma_ru, pyk_rt_math_fma_rz});
  checkRounded<float>(ALL_MODES(fadd), ALL_MODES(fmul), ALL_MODES(fdiv),
                      ALL_MODES(frcp),
                      {pyk_rt_math_fmaf_rd, std::fma, pyk_rt_math_fmaf_ru,
                       pyk_rt_math_fmaf_rz});
  EXPECT_EQ(pyk_rt_math_fsub_rd(1, 1e-9f), std::nextafter(1.0f, 0.0f));
  EXPECT_EQ(pyk_rt_math_fsub_rn(1, 1e-9f), 1);
  EXPECT_EQ(pyk_rt_math_fsub_ru(-1, 1e-9f), -1);
  EXPECT_EQ(pyk_rt_math_fsub_rz(-1, -1e-9f), std::nextafter(-1.0f, 0.0f));
  // The mode is what it was.
  EXPECT_EQ(std::fegetround(), FE_TONEAREST);
}

// Exact squares bound the root.
TEST(HostMathFunctionsTest, RootsThatRoundTowardsASide) {
  for (double x : {2.0, 3.0, 0.1, 1e300, 5e-320}) {
    double below = pyk_rt_math_dsqrt_rd(x), above = pyk_rt_math_dsqrt_ru(x);
    EXPECT_LT(below, above);
    EXPECT_EQ(above, std::nextafter(below, kInfinity));
    EXPECT_EQ(pyk_rt_math_dsqrt_rz(x), below);
    if (x > 1e-300) {
      EXPECT_LT(std::fma(below, below, -x), 0);
      EXPECT_GT(std::fma(above, above, -x), 0);
    }
  }
  EXPECT_EQ(pyk_rt_math_fsqrt_rd(2), 1.41421354f);
  EXPECT_EQ(pyk_rt_math_fsqrt_ru(2), 1.41421366f);
  EXPECT_EQ(pyk_rt_math_fsqrt_rz(4), 2);
  EXPECT_TRUE(std::isnan(pyk_rt_math_fsqrt_ru(-1)));
}

template <typename To>
static void checkConverted(To (*const (&convert)[4])(long long),
                           bool isSigned) {
  const llvm::fltSemantics &semantics = llvm::APFloat(To(0)).getSemantics();
  for (uint64_t x : {uint64_t(0), uint64_t(1), uint64_t(1) << 24 | 1,
                     uint64_t(1) << 53 | 1, uint64_t(1) << 63 | 1,
                     uint64_t(1) << 63 | 1025, UINT64_MAX, UINT64_MAX >> 1})
    for (int m = 0; m < 4; ++m) {
      llvm::APFloat expected(semantics);
      expected.convertFromAPInt(llvm::APInt(64, x), isSigned, modes[m]);
      expectSame(convert[m](static_cast<long long>(x)), expected);
    }
}

TEST(HostMathFunctionsTest, ConversionsThatRoundTowardsASide) {
  checkConverted<double>(ALL_MODES(ll2double), true);
  checkConverted<float>(ALL_MODES(ll2float), true);
  checkConverted<double>(ALL_MODES(ull2double), false);
  checkConverted<float>(ALL_MODES(ull2float), false);
  EXPECT_EQ(pyk_rt_math_int2float_rd(-16777217), -16777218);
  EXPECT_EQ(pyk_rt_math_int2float_ru(-16777217), -16777216);
  EXPECT_EQ(pyk_rt_math_int2float_rz(16777219), 16777218);
  EXPECT_EQ(pyk_rt_math_uint2float_ru(-1), 4294967296.0f);
  EXPECT_EQ(pyk_rt_math_uint2float_rd(-1), 4294967040.0f);
  EXPECT_EQ(pyk_rt_math_uint2float_rz(-1), 4294967040.0f);
  EXPECT_EQ(pyk_rt_math_double2float_rd(0.1), 0.099999994f);
  EXPECT_EQ(pyk_rt_math_double2float_ru(0.1), 0.1f);
  EXPECT_EQ(pyk_rt_math_double2float_rz(-0.1), -0.099999994f);
  EXPECT_TRUE(std::signbit(pyk_rt_math_double2float_rd(-0.0)));
}

TEST(HostMathFunctionsTest, HalfFloats) {
  EXPECT_EQ(pyk_rt_math_float2half_rn(1.5f), 0x3e00);
  EXPECT_EQ(pyk_rt_math_float2half_rn(1 + 0x1p-11f), 0x3c00);
  EXPECT_EQ(pyk_rt_math_float2half_rn(65520), 0x7c00);
  EXPECT_EQ(pyk_rt_math_half2float(0x0001), 0x1p-24f);
  EXPECT_EQ(pyk_rt_math_half2float(short(0xfc00)), -kInfinity);
  EXPECT_TRUE(std::isnan(pyk_rt_math_half2float(0x7e00)));
}

/// LLVM's conversion, by bits.
static uint64_t convertBits(const llvm::fltSemantics &from, unsigned width,
                            uint64_t bits, const llvm::fltSemantics &to) {
  llvm::APFloat value(from, llvm::APInt(width, bits));
  bool isInexact;
  value.convert(to, llvm::APFloat::rmNearestTiesToEven, &isInexact);
  return value.bitcastToAPInt().getZExtValue();
}

static void checkToHalf(uint32_t bits) {
  float x;
  std::memcpy(&x, &bits, sizeof(x));
  EXPECT_EQ(uint16_t(pyk_rt_math_float2half_rn(x)),
            convertBits(llvm::APFloat::IEEEsingle(), 32, bits,
                        llvm::APFloat::IEEEhalf()))
      << bits;
}

// NaN keeps its payload. Every float of 16 bits, and around each, and around
// where rounding changes to the next, the floats that become one.
TEST(HostMathFunctionsTest, HalfFloatsBitByBit) {
  for (uint32_t half = 0; half <= 0xffff; ++half) {
    uint32_t bits =
        llvm::bit_cast<uint32_t>(pyk_rt_math_half2float(short(half)));
    EXPECT_EQ(bits, convertBits(llvm::APFloat::IEEEhalf(), 16, half,
                                llvm::APFloat::IEEEsingle()));
    for (uint32_t offset : {0u, 0x1000u})
      for (uint32_t step : {0u, 1u, ~0u})
        checkToHalf(bits + offset + step);
  }
  for (uint64_t bits = 0; bits <= UINT32_MAX; bits += 9973)
    checkToHalf(uint32_t(bits));
}
