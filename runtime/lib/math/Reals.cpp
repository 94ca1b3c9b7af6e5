// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Real functions of libdevice that libm lacks, or has with errors of more than
// 4 units in the last place. Unless said otherwise the `float` ones compute in
// double and round once.

#include "pyk/runtime/HostMath.h"

#include <cmath>
#include <limits>

// The names are libdevice's.
// NOLINTBEGIN(readability-identifier-naming)

constexpr double kPi = 3.14159265358979323846;
constexpr double kSqrtHalf = 0.70710678118654752440;
constexpr double kTwoOverSqrtPi = 1.12837916709551257390;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

//===----------------------------------------------------------------------===//
// Roots and powers
//===----------------------------------------------------------------------===//

double pyk_rt_math_rsqrt(double x) { return 1 / std::sqrt(x); }
float pyk_rt_math_rsqrtf(float x) { return float(pyk_rt_math_rsqrt(x)); }
double pyk_rt_math_rcbrt(double x) { return 1 / std::cbrt(x); }
float pyk_rt_math_rcbrtf(float x) { return float(pyk_rt_math_rcbrt(x)); }
double pyk_rt_math_powi(double x, int n) { return std::pow(x, double(n)); }
float pyk_rt_math_powif(float x, int n) {
  return float(pyk_rt_math_powi(x, n));
}
float pyk_rt_math_fdividef(float x, float y) { return x / y; }

/// Clamps to 0..1; NaN becomes 0.
float pyk_rt_math_saturatef(float x) { return x > 0 ? (x < 1 ? x : 1) : 0; }

int pyk_rt_math_signbitd(double x) { return std::signbit(x); }
int pyk_rt_math_signbitf(float x) { return std::signbit(x); }

//===----------------------------------------------------------------------===//
// Trigonometric functions of multiples of pi
//===----------------------------------------------------------------------===//

/// Each step before the last is exact.
double pyk_rt_math_sinpi(double x) {
  double r = std::fmod(x, 2.0);
  if (r > 1)
    r -= 2;
  else if (r < -1)
    r += 2;
  double a = std::fabs(r);
  if (a > 0.5)
    a = 1 - a;
  double s = a <= 0.25 ? std::sin(kPi * a) : std::cos(kPi * (0.5 - a));
  return a == 0 ? std::copysign(0.0, x) : std::copysign(s, r);
}
float pyk_rt_math_sinpif(float x) { return float(pyk_rt_math_sinpi(x)); }

double pyk_rt_math_cospi(double x) {
  double a = std::fabs(std::fmod(x, 2.0));
  if (a > 1)
    a = 2 - a;
  if (a <= 0.25)
    return std::cos(kPi * a);
  if (a <= 0.75)
    return a == 0.5 ? 0.0 : std::sin(kPi * (0.5 - a));
  return -std::cos(kPi * (1 - a));
}
float pyk_rt_math_cospif(float x) { return float(pyk_rt_math_cospi(x)); }

//===----------------------------------------------------------------------===//
// The error function's relatives
//===----------------------------------------------------------------------===//

/// Winitzki's approximation, refined twice by Halley's method.
double pyk_rt_math_erfinv(double v) {
  if (std::fabs(v) > 0.75)
    return v < 0 ? -pyk_rt_math_erfcinv(1 + v) : pyk_rt_math_erfcinv(1 - v);
  if (v == 0 || std::isnan(v))
    return v;
  constexpr double a = 0.147;
  double l = std::log1p(-v * v);
  double t = 2 / (kPi * a) + l / 2;
  double x = std::sqrt(-l / a / (std::sqrt(t * t - l / a) + t));
  if (std::fabs(v) < 1e-8) // Where v * v vanishes.
    return v / kTwoOverSqrtPi;
  x = std::copysign(x, v);
  for (int i = 0; i < 2; ++i) {
    double error = std::erf(x) - v;
    x -= error / (kTwoOverSqrtPi * std::exp(-x * x) + x * error);
  }
  return x;
}
float pyk_rt_math_erfinvf(float v) { return float(pyk_rt_math_erfinv(v)); }

/// A rational approximation (Abramowitz and Stegun 26.2.22), refined by
/// Halley's method.
double pyk_rt_math_erfcinv(double y) {
  if (!(y >= 0 && y <= 2))
    return kNaN;
  if (y == 0 || y == 2)
    return y == 0 ? kInfinity : -kInfinity;
  if (y >= 0.25 && y <= 1.75)
    return pyk_rt_math_erfinv(1 - y);
  double p = y < 1 ? y : 2 - y;
  double t = std::sqrt(-2 * std::log(p / 2));
  double x = kSqrtHalf *
             (t - (2.30753 + t * 0.27061) / (1 + t * (0.99229 + t * 0.04481)));
  for (int i = 0; i < 3; ++i) {
    double error = std::erfc(x) - p;
    x += error / (kTwoOverSqrtPi * std::exp(-x * x) - x * error);
  }
  return y < 1 ? x : -x;
}
float pyk_rt_math_erfcinvf(float y) { return float(pyk_rt_math_erfcinv(y)); }

/// exp(x * x) * erfc(x); by its continued fraction where the product would lose
/// digits.
double pyk_rt_math_erfcx(double x) {
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
  return kTwoOverSqrtPi / (2 * tail);
}
float pyk_rt_math_erfcxf(float x) { return float(pyk_rt_math_erfcx(x)); }

/// The argument's rounding error, which the tails enlarge, is put back.
double pyk_rt_math_normcdf(double x) {
  constexpr double sqrtHalfRest = -4.8336466567264567e-17;
  double t = -x * kSqrtHalf;
  if (!(std::fabs(t) < 40))
    return std::erfc(t) / 2;
  double rest = std::fma(-x, kSqrtHalf, -t) - x * sqrtHalfRest;
  return (std::erfc(t) - rest * kTwoOverSqrtPi * std::exp(-t * t)) / 2;
}
float pyk_rt_math_normcdff(float x) { return float(pyk_rt_math_normcdf(x)); }

double pyk_rt_math_normcdfinv(double p) {
  // +0 for 1/2.
  return 0 - pyk_rt_math_erfcinv(2 * p) / kSqrtHalf;
}
float pyk_rt_math_normcdfinvf(float p) {
  return float(pyk_rt_math_normcdfinv(p));
}

//===----------------------------------------------------------------------===//
// Gamma and Bessel functions
//===----------------------------------------------------------------------===//

// Those of libm for double are off by 5 units in the last place between the
// poles, and by thousands near zeros: longer numbers have bits to lose.
double pyk_rt_math_tgamma(double x) { return double(::tgammal(x)); }
float pyk_rt_math_tgammaf(float x) { return float(pyk_rt_math_tgamma(x)); }
double pyk_rt_math_lgamma(double x) { return double(::lgammal(x)); }
float pyk_rt_math_lgammaf(float x) { return float(pyk_rt_math_lgamma(x)); }

double pyk_rt_math_j0(double x) { return double(::j0l(x)); }
float pyk_rt_math_j0f(float x) { return float(pyk_rt_math_j0(x)); }
double pyk_rt_math_j1(double x) { return double(::j1l(x)); }
float pyk_rt_math_j1f(float x) { return float(pyk_rt_math_j1(x)); }
// NaN for negative orders, as in CUDA.
double pyk_rt_math_jn(int n, double x) {
  return n < 0 ? kNaN : double(::jnl(n, x));
}
float pyk_rt_math_jnf(int n, float x) { return float(pyk_rt_math_jn(n, x)); }
double pyk_rt_math_y0(double x) { return double(::y0l(x)); }
float pyk_rt_math_y0f(float x) { return float(pyk_rt_math_y0(x)); }
double pyk_rt_math_y1(double x) { return double(::y1l(x)); }
float pyk_rt_math_y1f(float x) { return float(pyk_rt_math_y1(x)); }
double pyk_rt_math_yn(int n, double x) {
  return n < 0 ? kNaN : double(::ynl(n, x));
}
float pyk_rt_math_ynf(int n, float x) { return float(pyk_rt_math_yn(n, x)); }

// NOLINTEND(readability-identifier-naming)
