// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic and conversions of libdevice that round towards a side.

#include "pyk/runtime/HostMath.h"

#include <cfenv>
#include <cmath>
#include <cstdint>
#include <functional>
#include <tuple>

// The names are libdevice's.
// NOLINTBEGIN(readability-identifier-naming)

/// What `compute` yields of its operands under the rounding mode `Mode`. The
/// operands are read after the mode is set and the result is written before it
/// is reset, as volatile: the compiler knows nothing of modes.
template <int Mode, typename F, typename... Args>
static auto roundTowards(F compute, Args... args) {
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

/// A function for each side; TYPE of the result, then parameters in
/// parentheses, then what computes the result, then its operands.
#define PYK_MATH_ROUNDED_TO_SIDES(NAME, TYPE, PARAMETERS, ...)                 \
  TYPE pyk_rt_math_##NAME##_rd PARAMETERS {                                    \
    return roundTowards<FE_DOWNWARD>(__VA_ARGS__);                             \
  }                                                                            \
  TYPE pyk_rt_math_##NAME##_ru PARAMETERS {                                    \
    return roundTowards<FE_UPWARD>(__VA_ARGS__);                               \
  }                                                                            \
  TYPE pyk_rt_math_##NAME##_rz PARAMETERS {                                    \
    return roundTowards<FE_TOWARDZERO>(__VA_ARGS__);                           \
  }
#define PYK_MATH_ROUNDED(NAME, TYPE, PARAMETERS, ...)                          \
  PYK_MATH_ROUNDED_TO_SIDES(NAME, TYPE, PARAMETERS, __VA_ARGS__)               \
  TYPE pyk_rt_math_##NAME##_rn PARAMETERS {                                    \
    return roundTowards<FE_TONEAREST>(__VA_ARGS__);                            \
  }
#define PYK_MATH_ROUNDED_REAL(LETTER, TYPE, FMA)                               \
  PYK_MATH_ROUNDED(LETTER##add, TYPE, (TYPE x, TYPE y), std::plus<TYPE>(), x,  \
                   y)                                                          \
  PYK_MATH_ROUNDED(LETTER##mul, TYPE, (TYPE x, TYPE y),                        \
                   std::multiplies<TYPE>(), x, y)                              \
  PYK_MATH_ROUNDED(LETTER##div, TYPE, (TYPE x, TYPE y), std::divides<TYPE>(),  \
                   x, y)                                                       \
  PYK_MATH_ROUNDED(LETTER##rcp, TYPE, (TYPE x), std::divides<TYPE>(), TYPE(1), \
                   x)                                                          \
  PYK_MATH_ROUNDED_TO_SIDES(                                                   \
      LETTER##sqrt, TYPE, (TYPE x), [](TYPE a) { return std::sqrt(a); }, x)    \
  PYK_MATH_ROUNDED_TO_SIDES(                                                   \
      FMA, TYPE, (TYPE x, TYPE y, TYPE z),                                     \
      [](TYPE a, TYPE b, TYPE c) { return std::fma(a, b, c); }, x, y, z)
PYK_MATH_ROUNDED_REAL(d, double, fma)
PYK_MATH_ROUNDED_REAL(f, float, fmaf)
// There is none for double.
PYK_MATH_ROUNDED(fsub, float, (float x, float y), std::minus<float>(), x, y)
#undef PYK_MATH_ROUNDED_REAL
#undef PYK_MATH_ROUNDED

/// The bits of an unsigned number are passed as those of a signed one. Code for
/// 64 bits without a sign may make -0 of 0 when it rounds down.
template <typename To, typename From>
static To convertInteger(From x) {
  volatile To converted = To(x);
  To result = converted;
  return result == 0 ? To(0) : result;
}
using LongLong = long long;
#define PYK_MATH_ROUNDED_CONVERSION(FROM, TO, PARAMETER, NUMBER)               \
  PYK_MATH_ROUNDED_TO_SIDES(FROM##2##TO, TO, (PARAMETER x),                    \
                            (convertInteger<TO, NUMBER>), NUMBER(x))
PYK_MATH_ROUNDED_TO_SIDES(
    double2float, float, (double x), [](double a) { return float(a); }, x)
PYK_MATH_ROUNDED_CONVERSION(int, float, int, int)
PYK_MATH_ROUNDED_CONVERSION(uint, float, int, unsigned)
PYK_MATH_ROUNDED_CONVERSION(ll, double, LongLong, LongLong)
PYK_MATH_ROUNDED_CONVERSION(ll, float, LongLong, LongLong)
PYK_MATH_ROUNDED_CONVERSION(ull, double, LongLong, uint64_t)
PYK_MATH_ROUNDED_CONVERSION(ull, float, LongLong, uint64_t)
#undef PYK_MATH_ROUNDED_CONVERSION
#undef PYK_MATH_ROUNDED_TO_SIDES

// NOLINTEND(readability-identifier-naming)
