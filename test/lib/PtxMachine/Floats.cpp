// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic of float32 and float64 that is rounded once. Names that integers
// and halves have, too, are looked up here.

#include "Lanes.h"
#include "Numbers.h"

#include <algorithm>

using namespace ptxmachine;

namespace {

struct Add {
  template <typename T>
  T operator()(T a, T b) const {
    return a + b;
  }
};
struct Subtract {
  template <typename T>
  T operator()(T a, T b) const {
    return a - b;
  }
};
struct Multiply {
  template <typename T>
  T operator()(T a, T b) const {
    return a * b;
  }
};
struct Divide {
  template <typename T>
  T operator()(T a, T b) const {
    return a / b;
  }
};
struct MultiplyAdd {
  template <typename T>
  T operator()(T a, T b, T c) const {
    return std::fma(a, b, c);
  }
};
struct Reciprocal {
  template <typename T>
  T operator()(T a) const {
    return T(1) / a;
  }
};
struct SquareRoot {
  template <typename T>
  T operator()(T a) const {
    return std::sqrt(a);
  }
};

/// What an instruction reads.
template <typename T>
T input(uint64_t bits, const FloatMode &mode) {
  T value = get<T>(bits);
  return mode.flushes ? flush(value) : value;
}

/// What it writes.
template <typename T>
uint64_t output(T value, const FloatMode &mode) {
  if (mode.saturates)
    value = value >= 0 ? std::min(value, T(1)) : T(0);
  if (mode.flushes)
    value = flush(value);
  return put<T>(canonical(value));
}

/// d = Function(operands), of floats of type T.
template <typename Function, typename T, unsigned Operands>
void compute(Warp &warp, const Step &step) {
  FloatMode mode = FloatMode::unpack(step.extra);
  RoundingScope scope(mode.rounding);
  const uint64_t *a = warp.read(step, 1),
                 *b = Operands > 1 ? warp.read(step, 2) : nullptr,
                 *c = Operands > 2 ? warp.read(step, 3) : nullptr;
  uint64_t *d = warp.write(step, 0);
  forEachLane(warp.mask, [&](unsigned lane) {
    T result;
    if constexpr (Operands == 1)
      result = Function()(input<T>(a[lane], mode));
    else if constexpr (Operands == 2)
      result = Function()(input<T>(a[lane], mode), input<T>(b[lane], mode));
    else
      result = Function()(input<T>(a[lane], mode), input<T>(b[lane], mode),
                          input<T>(c[lane], mode));
    d[lane] = output<T>(result, mode);
  });
}

template <typename Function, unsigned Operands>
void build(Modifiers &modifiers, Step &step) {
  step.extra = FloatMode::take(modifiers).pack();
  if (modifiers.take("f32"))
    step.run = compute<Function, float, Operands>;
  else if (modifiers.take("f64"))
    step.run = compute<Function, double, Operands>;
  else
    modifiers.fail();
}

//===----------------------------------------------------------------------===//
// Minima and maxima
//===----------------------------------------------------------------------===//

template <typename T, bool IsMinimum>
void choose(Warp &warp, const Step &step) {
  FloatMode mode = FloatMode::unpack(step.extra);
  const uint64_t *a = warp.read(step, 1), *b = warp.read(step, 2);
  uint64_t *d = warp.write(step, 0);
  forEachLane(warp.mask, [&](unsigned lane) {
    d[lane] = output<T>(chooseNumber<T, IsMinimum>(input<T>(a[lane], mode),
                                                   input<T>(b[lane], mode),
                                                   mode.keepsNan),
                        mode);
  });
}

template <bool IsMinimum>
void buildChoice(Modifiers &modifiers, Step &step) {
  step.extra = FloatMode::take(modifiers).pack();
  if (modifiers.take("f32"))
    step.run = choose<float, IsMinimum>;
  else if (modifiers.take("f64"))
    step.run = choose<double, IsMinimum>;
  else
    modifiers.fail();
}

//===----------------------------------------------------------------------===//
// Signs
//===----------------------------------------------------------------------===//

enum class Sign { Clear, Flip };

template <typename T, Sign How>
void changeSign(Warp &warp, const Step &step) {
  FloatMode mode = FloatMode::unpack(step.extra);
  constexpr uint64_t sign = uint64_t(1) << (8 * sizeof(T) - 1);
  const uint64_t *a = warp.read(step, 1);
  uint64_t *d = warp.write(step, 0);
  forEachLane(warp.mask, [&](unsigned lane) {
    uint64_t bits = put<T>(input<T>(a[lane], mode));
    d[lane] = How == Sign::Clear ? bits & ~sign : bits ^ sign;
  });
}

template <Sign How>
void buildSign(Modifiers &modifiers, Step &step) {
  step.extra = FloatMode::take(modifiers).pack();
  if (modifiers.take("f32"))
    step.run = changeSign<float, How>;
  else if (modifiers.take("f64"))
    step.run = changeSign<double, How>;
  else
    modifiers.fail();
}

/// b with the sign of a.
template <typename T>
struct CopySign {
  T operator()(T a, T b) const {
    constexpr T sign = T(T(1) << (8 * sizeof(T) - 1));
    return T((b & ~sign) | (a & sign));
  }
};

void buildCopySign(Modifiers &modifiers, Step &step) {
  if (modifiers.take("f32"))
    step.run = binary<CopySign<uint32_t>, uint32_t, uint32_t, uint32_t>;
  else if (modifiers.take("f64"))
    step.run = binary<CopySign<uint64_t>, uint64_t, uint64_t, uint64_t>;
  else
    modifiers.fail();
}

template <typename T>
void testProperty(Warp &warp, const Step &step) {
  const uint64_t *a = warp.read(step, 1);
  uint64_t *d = warp.write(step, 0);
  forEachLane(warp.mask, [&](unsigned lane) {
    T value = get<T>(a[lane]);
    int kind = std::fpclassify(value);
    bool results[] = {std::isfinite(value) != 0,
                      kind == FP_INFINITE,
                      kind != FP_NAN,
                      kind == FP_NAN,
                      kind == FP_NORMAL || kind == FP_ZERO,
                      kind == FP_SUBNORMAL};
    d[lane] = results[step.extra];
  });
}

void buildTest(Modifiers &modifiers, Step &step) {
  int property = modifiers.takeOneOf(
      {"finite", "infinite", "number", "notanumber", "normal", "subnormal"});
  if (property < 0)
    modifiers.fail();
  step.extra = uint32_t(property);
  if (modifiers.take("f32"))
    step.run = testProperty<float>;
  else if (modifiers.take("f64"))
    step.run = testProperty<double>;
  else
    modifiers.fail();
}

//===----------------------------------------------------------------------===//
// Names of several types
//===----------------------------------------------------------------------===//

using Maker = Handler (*)(Modifiers &);

/// Of integers, of halves, or of floats.
template <Maker OfIntegers, Builder OfHalves, Builder OfFloats>
void dispatch(Modifiers &modifiers, Step &step) {
  if (!modifiers.isOfFloats())
    step.run = OfIntegers(modifiers);
  else if (modifiers.has("f32") || modifiers.has("f64"))
    OfFloats(modifiers, step);
  else
    OfHalves(modifiers, step);
}

void buildFma(Modifiers &modifiers, Step &step) {
  if (modifiers.has("f32") || modifiers.has("f64"))
    build<MultiplyAdd, 3>(modifiers, step);
  else
    buildHalfFma(modifiers, step);
}

/// Division, reciprocal or root, unless it is approximate.
template <typename Function, unsigned Operands, Builder Approximate>
void buildQuotient(Modifiers &modifiers, Step &step) {
  if (modifiers.take("approx") || modifiers.take("full"))
    Approximate(modifiers, step);
  else
    build<Function, Operands>(modifiers, step);
}

} // namespace

void ptxmachine::buildFloatMad(Modifiers &modifiers, Step &step) {
  build<MultiplyAdd, 3>(modifiers, step);
}

void ptxmachine::addFloats(Table &table) {
  table["add"] = dispatch<makeIntegerAdd, buildHalfAdd, build<Add, 2>>;
  table["sub"] =
      dispatch<makeIntegerSubtract, buildHalfSubtract, build<Subtract, 2>>;
  table["mul"] =
      dispatch<makeIntegerMultiply, buildHalfMultiply, build<Multiply, 2>>;
  table["min"] =
      dispatch<makeIntegerMinimum, buildHalfMinimum, buildChoice<true>>;
  table["max"] =
      dispatch<makeIntegerMaximum, buildHalfMaximum, buildChoice<false>>;
  table["abs"] =
      dispatch<makeIntegerAbsolute, buildHalfAbsolute, buildSign<Sign::Clear>>;
  table["neg"] =
      dispatch<makeIntegerNegate, buildHalfNegate, buildSign<Sign::Flip>>;
  table["fma"] = buildFma;
  table["div"] = [](Modifiers &modifiers, Step &step) {
    if (modifiers.isOfFloats())
      buildQuotient<Divide, 2, buildApproximateDivide>(modifiers, step);
    else
      step.run = makeIntegerDivide(modifiers);
  };
  table["rcp"] = buildQuotient<Reciprocal, 1, buildApproximateReciprocal>;
  table["sqrt"] = buildQuotient<SquareRoot, 1, buildApproximateRoot>;
  table["copysign"] = buildCopySign;
  table["testp"] = buildTest;
}
