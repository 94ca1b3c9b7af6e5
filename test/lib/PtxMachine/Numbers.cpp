// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rounds once: sums and products of halves are made in float64, rounded to odd.

#include "Numbers.h"

#include "Decoder.h"

#include <algorithm>

using namespace ptxmachine;

FloatMode FloatMode::take(Modifiers &modifiers) {
  FloatMode mode;
  int rounding = modifiers.takeOneOf({"rn", "rz", "rm", "rp", "rna"});
  mode.rounding = rounding < 0 ? Rounding::Nearest : Rounding(rounding);
  mode.flushes = modifiers.take("ftz");
  mode.saturates = modifiers.take("sat");
  mode.isRelu = modifiers.take("relu");
  mode.keepsNan = modifiers.take("NaN");
  return mode;
}

uint32_t FloatMode::pack() const {
  return uint32_t(rounding) | uint32_t(flushes) << 3 |
         uint32_t(saturates) << 4 | uint32_t(isRelu) << 5 |
         uint32_t(keepsNan) << 6;
}

FloatMode FloatMode::unpack(uint32_t packed) {
  return {Rounding(packed & 7), (packed & 8) != 0, (packed & 16) != 0,
          (packed & 32) != 0, (packed & 64) != 0};
}

double ptxmachine::decode(uint32_t bits, const Format &format) {
  uint32_t mantissa = bits & ((uint32_t(1) << format.mantissaBits) - 1);
  uint32_t exponent = (bits & (format.sign() - 1)) >> format.mantissaBits;
  uint32_t highest = (uint32_t(1) << format.exponentBits) - 1;
  double value;
  if (format.hasInfinity && exponent == highest)
    value = mantissa ? NAN : INFINITY;
  else if (!format.hasInfinity && (bits & (format.sign() - 1)) == format.nan)
    value = NAN;
  else if (exponent == 0)
    value = std::ldexp(mantissa, 1 - format.bias() - int(format.mantissaBits));
  else
    value =
        std::ldexp(mantissa + (uint32_t(1) << format.mantissaBits),
                   int(exponent) - format.bias() - int(format.mantissaBits));
  return bits & format.sign() ? -value : value;
}

uint32_t ptxmachine::encode(double value, const Format &format,
                            Rounding rounding, bool saturates) {
  if (std::isnan(value))
    return format.nan;
  uint32_t sign = std::signbit(value) ? format.sign() : 0;
  uint32_t infinity = format.largest() + 1;
  bool roundsAway = rounding == Rounding::Nearest ||
                    rounding == Rounding::NearestAway ||
                    rounding == (sign ? Rounding::Down : Rounding::Up);
  uint32_t tooLarge = saturates || !roundsAway ? format.largest() : infinity;
  if (std::isinf(value))
    return sign | (saturates ? format.largest() : infinity);
  // In units of the last place, an integer that is exact in a double.
  int exponent;
  std::frexp(value, &exponent);
  int lowest = 1 - format.bias() - int(format.mantissaBits);
  int unit = std::max(exponent - 1 - int(format.mantissaBits), lowest);
  double rounded = roundToInteger(std::ldexp(value, -unit), rounding);
  double result = std::fabs(std::ldexp(rounded, unit));
  if (result > decode(format.largest(), format))
    return sign | tooLarge;
  if (result == 0)
    return sign;
  std::frexp(result, &exponent);
  unit = std::max(exponent - 1 - int(format.mantissaBits), lowest);
  auto mantissa = uint32_t(std::ldexp(result, -unit));
  // The leading one of a normal number adds one to the exponent.
  return sign | ((uint32_t(unit - lowest) << format.mantissaBits) + mantissa);
}

double ptxmachine::addToOdd(double a, double b) {
  double sum = a + b;
  if (!std::isfinite(sum))
    return sum;
  // The error of the sum, which is exact.
  double part = sum - a;
  double error = (a - (sum - part)) + (b - part);
  if (error == 0)
    return sum;
  uint64_t bits;
  std::memcpy(&bits, &sum, sizeof(bits));
  if (bits & 1)
    return sum;
  // The odd neighbour on the side of what was lost.
  return std::nextafter(sum, error > 0 ? INFINITY : -INFINITY);
}

double ptxmachine::multiplyAddToOdd(double a, double b, double c) {
  // Products of halves have 22 bits at most.
  return addToOdd(a * b, c);
}
