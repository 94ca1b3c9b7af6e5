// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranges of integers, as the bounds of a kernel are computed with: by a launch,
// and by the compiler as far as it knows the numbers.

#ifndef PYK_RUNTIME_INTERVAL_H
#define PYK_RUNTIME_INTERVAL_H

#include "pyk/runtime/Arguments.h"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace pyk::runtime {

/// The integers from `lo` to `hi`; none if `lo` is more.
struct Interval {
  static constexpr int64_t least = std::numeric_limits<int64_t>::min();
  static constexpr int64_t most = std::numeric_limits<int64_t>::max();

  static constexpr Interval all() { return {least, most}; }
  static constexpr Interval none() { return {1, 0}; }
  static constexpr Interval one(int64_t number) { return {number, number}; }

  /// All integers of `bits` bits, at most 64.
  static Interval ofBits(int64_t bits) {
    return {least >> (64 - bits), most >> (64 - bits)};
  }

  /// From `low` to `high`, or all if 64 bits do not hold both.
  static Interval ofWide(__int128 low, __int128 high) {
    if (low < least || high > most)
      return all();
    return {int64_t(low), int64_t(high)};
  }

  bool isEmpty() const { return lo > hi; }
  bool isOne() const { return lo == hi; }
  bool isWithin(const Interval &other) const {
    return isEmpty() || (lo >= other.lo && hi <= other.hi);
  }

  int64_t lo, hi;
};

/// What `op` makes of the corners of two ranges that it grows or shrinks along.
template <typename Op>
Interval ofCorners(const Interval &a, const Interval &b, Op op) {
  __int128 corners[] = {op(a.lo, b.lo), op(a.lo, b.hi), op(a.hi, b.lo),
                        op(a.hi, b.hi)};
  return Interval::ofWide(*std::min_element(corners, corners + 4),
                          *std::max_element(corners, corners + 4));
}

/// The remainders, with the sign of the dividend.
inline Interval ofRemainders(const Interval &a, const Interval &b) {
  if (b.lo < 1)
    return Interval::all();
  if (a.lo >= 0 && a.hi < b.lo)
    return a;
  return {a.lo < 0 ? std::max(a.lo, -(b.hi - 1)) : 0,
          a.hi < 0 ? 0 : std::min(a.hi, b.hi - 1)};
}

/// The least number of the form 2^n - 1 that is not less than `number`, which
/// is not negative.
inline int64_t fillBits(int64_t number) {
  auto bits = uint64_t(number);
  for (int shift = 1; shift < 64; shift *= 2)
    bits |= bits >> shift;
  return int64_t(bits);
}

/// The range of a term whose operands have the ranges `a` and `b`, none of
/// which is empty; `value` is the term's. Of the kinds from PYK_RT_BOUND_ADD to
/// PYK_RT_BOUND_UNSIGNED, PYK_RT_BOUND_FLOOR_REM and PYK_RT_BOUND_DIFFERENCE.
inline Interval combine(int32_t kind, const Interval &a, const Interval &b,
                        int64_t value) {
  using Wide = __int128;
  Interval result;
  bool isWidth = kind == PYK_RT_BOUND_SIGNED || kind == PYK_RT_BOUND_UNSIGNED;
  // Without a sign, what is below 0 here is above all else.
  if (!isWidth && value == PYK_RT_BOUND_NO_SIGN && (a.lo < 0 || b.lo < 0))
    return Interval::all();
  switch (kind) {
  case PYK_RT_BOUND_ADD:
    if (__builtin_add_overflow(a.lo, b.lo, &result.lo) ||
        __builtin_add_overflow(a.hi, b.hi, &result.hi))
      return Interval::all();
    return result;
  case PYK_RT_BOUND_SUB:
  case PYK_RT_BOUND_DIFFERENCE:
    // What wraps need not be what conditions say.
    if (__builtin_sub_overflow(a.lo, b.hi, &result.lo) ||
        __builtin_sub_overflow(a.hi, b.lo, &result.hi))
      return Interval::all();
    if (kind == PYK_RT_BOUND_DIFFERENCE)
      result.lo = std::max(result.lo, value);
    return result;
  case PYK_RT_BOUND_MUL:
    // Nearly all that kernels multiply.
    if (a.lo >= 0 && b.lo >= 0 &&
        !__builtin_mul_overflow(a.hi, b.hi, &result.hi))
      return {a.lo * b.lo, result.hi};
    return ofCorners(a, b, [](Wide x, Wide y) { return x * y; });
  case PYK_RT_BOUND_DIV:
    if (b.lo < 1)
      return Interval::all();
    return ofCorners(a, b, [](Wide x, Wide y) { return x / y; });
  case PYK_RT_BOUND_REM:
    return ofRemainders(a, b);
  case PYK_RT_BOUND_FLOOR_REM:
    if (b.lo < 1)
      return Interval::all();
    return a.lo >= 0 ? ofRemainders(a, b) : Interval{0, b.hi - 1};
  case PYK_RT_BOUND_MIN:
    return {std::min(a.lo, b.lo), std::min(a.hi, b.hi)};
  case PYK_RT_BOUND_MAX:
    return {std::max(a.lo, b.lo), std::max(a.hi, b.hi)};
  case PYK_RT_BOUND_AND:
    if (a.lo < 0 && b.lo < 0)
      return Interval::all();
    return {0, a.lo < 0 ? b.hi : b.lo < 0 ? a.hi : std::min(a.hi, b.hi)};
  case PYK_RT_BOUND_OR:
    if (a.lo < 0 || b.lo < 0)
      return Interval::all();
    return {0, fillBits(a.hi | b.hi)};
  case PYK_RT_BOUND_SHL:
    if (b.lo < 0 || b.hi > 62)
      return Interval::all();
    return ofCorners(a, b, [](Wide x, Wide y) { return x * (Wide(1) << y); });
  case PYK_RT_BOUND_SHR:
    if (b.lo < 0 || b.hi > 63)
      return Interval::all();
    return ofCorners(a, b, [](Wide x, Wide y) { return x >> y; });
  case PYK_RT_BOUND_SIGNED:
    return a.isWithin(Interval::ofBits(value)) ? a : Interval::ofBits(value);
  case PYK_RT_BOUND_UNSIGNED:
    if (value == 64)
      return a.lo >= 0 ? a : Interval::all();
    if (a.lo >= 0 && a.hi < (int64_t(1) << value))
      return a;
    return {0, (int64_t(1) << value) - 1};
  default:
    return Interval::all();
  }
}

/// What of `a` is at most the largest number of `bound`, plus `delta`.
inline Interval cutAbove(const Interval &a, const Interval &bound,
                         int64_t delta) {
  int64_t limit;
  if (bound.isEmpty() || __builtin_add_overflow(bound.hi, delta, &limit))
    return a;
  return {a.lo, std::min(a.hi, limit)};
}

/// What of `a` is at least the least number of `bound`, plus `delta`.
inline Interval cutBelow(const Interval &a, const Interval &bound,
                         int64_t delta) {
  int64_t limit;
  if (bound.isEmpty() || __builtin_add_overflow(bound.lo, delta, &limit))
    return a;
  return {std::max(a.lo, limit), a.hi};
}

/// What a loop counts.
inline Interval countFrom(const Interval &first, const Interval &end,
                          const Interval &step) {
  if (step.lo < 1 || end.hi == Interval::least)
    return Interval::all();
  int64_t last = end.hi - 1;
  if (first.isOne() && step.isOne() && last >= first.lo) {
    uint64_t iterations =
        (uint64_t(last) - uint64_t(first.lo)) / uint64_t(step.lo);
    last = int64_t(uint64_t(first.lo) + iterations * uint64_t(step.lo));
  }
  return {first.lo, last};
}

} // namespace pyk::runtime

#endif // PYK_RUNTIME_INTERVAL_H
