// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Floating-point numbers of fewer than 32 bits, and rounding.

#ifndef PYK_TEST_LIB_PTXMACHINE_NUMBERS_H
#define PYK_TEST_LIB_PTXMACHINE_NUMBERS_H

#include "Types.h"

#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace ptxmachine {

class Modifiers;

enum class Rounding : uint8_t { Nearest, Zero, Down, Up, NearestAway };

/// The processor rounds so as long as one of these lives.
class RoundingScope {
public:
  explicit RoundingScope(Rounding rounding) : old(std::fegetround()) {
    static constexpr int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD,
                                    FE_UPWARD, FE_TONEAREST};
    if (modes[int(rounding)] != old)
      std::fesetround(modes[int(rounding)]);
  }
  RoundingScope(const RoundingScope &) = delete;
  RoundingScope &operator=(const RoundingScope &) = delete;
  ~RoundingScope() { std::fesetround(old); }

private:
  int old;
};

/// How an instruction of floats computes; kept in the step's `extra`.
struct FloatMode {
  Rounding rounding = Rounding::Nearest;
  bool flushes = false, saturates = false, isRelu = false, keepsNan = false;

  /// Takes .rn, .ftz and their like.
  static FloatMode take(Modifiers &modifiers);
  static FloatMode unpack(uint32_t packed);
  uint32_t pack() const;
};

constexpr uint32_t kNan32 = 0x7fffffff;

inline float asFloat(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}
inline uint32_t asBits(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

/// Zero of the same sign instead of a subnormal number.
inline float flush(float value) {
  uint32_t bits = asBits(value);
  return (bits & 0x7f800000) == 0 ? asFloat(bits & 0x80000000) : value;
}
inline double flush(double value) { return value; }

/// The NaN that GPUs give, for any NaN.
inline float canonical(float value) {
  return std::isnan(value) ? asFloat(kNan32) : value;
}
inline double canonical(double value) { return value; }

/// A format of floating-point numbers of up to 16 bits.
struct Format {
  unsigned exponentBits, mantissaBits;
  /// Whether the highest exponent is that of infinities, as in IEEE 754.
  bool hasInfinity;
  uint32_t nan;

  int bias() const { return (1 << (exponentBits - 1)) - 1; }
  unsigned bits() const { return 1 + exponentBits + mantissaBits; }
  uint32_t sign() const { return uint32_t(1) << (bits() - 1); }
  uint32_t largest() const {
    uint32_t all = sign() - 1;
    // All ones are a NaN, or an exponent of infinities.
    return hasInfinity ? all - (uint32_t(1) << mantissaBits) : all - 1;
  }
};

constexpr Format kHalf = {5, 10, true, 0x7fff};
constexpr Format kBfloat = {8, 7, true, 0x7fff};
constexpr Format kE4M3 = {4, 3, false, 0x7f};
constexpr Format kE5M2 = {5, 2, true, 0x7f};

/// The number of these bits; exact.
double decode(uint32_t bits, const Format &format);

/// The bits of a number, rounded once. It may itself be rounded to odd. What is
/// too large is infinite, or the largest number if it `saturates`, or if
/// rounding goes that way.
uint32_t encode(double value, const Format &format, Rounding rounding,
                bool saturates = false);

/// a + b and a * b + c, rounded to odd: what is not exact ends in a one, so
/// that a further rounding is right.
double addToOdd(double a, double b);
double multiplyAddToOdd(double a, double b, double c);

/// The lesser or greater number; -0 is less than 0. Of a number and a NaN it is
/// the number, or the NaN if that is kept.
template <typename T, bool IsMinimum>
T chooseNumber(T a, T b, bool keepsNan) {
  if (std::isnan(a) || std::isnan(b)) {
    if (keepsNan)
      return T(NAN);
    return std::isnan(a) ? b : a;
  }
  if (a == b)
    return std::signbit(a) == IsMinimum ? a : b;
  return (a < b) == IsMinimum ? a : b;
}

/// Rounds to an integer that is a float.
template <typename T>
T roundToInteger(T value, Rounding rounding) {
  if (rounding == Rounding::NearestAway)
    return std::round(value);
  RoundingScope scope(rounding);
  return std::nearbyint(value);
}

} // namespace ptxmachine

#endif // PYK_TEST_LIB_PTXMACHINE_NUMBERS_H
