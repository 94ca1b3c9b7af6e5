// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic of float16 and bfloat16, one or two in a register.

#include "Lanes.h"
#include "Numbers.h"

#include <algorithm>

using namespace ptxmachine;

namespace {

struct Add {
  double operator()(double a, double b) const { return addToOdd(a, b); }
};
struct Subtract {
  double operator()(double a, double b) const { return addToOdd(a, -b); }
};
struct Multiply {
  double operator()(double a, double b) const { return a * b; }
};
struct MultiplyAdd {
  double operator()(double a, double b, double c) const {
    return multiplyAddToOdd(a, b, c);
  }
};

template <const Format &F>
uint32_t flushHalf(uint32_t bits) {
  uint32_t exponent = (bits & (F.sign() - 1)) >> F.mantissaBits;
  return exponent == 0 ? bits & F.sign() : bits;
}

template <const Format &F>
double input(uint32_t bits, const FloatMode &mode) {
  return decode(mode.flushes ? flushHalf<F>(bits) : bits, F);
}

template <const Format &F>
uint32_t output(double value, const FloatMode &mode) {
  if (mode.saturates)
    value = value >= 0 ? std::min(value, 1.0) : 0;
  if (mode.isRelu && value < 0)
    value = 0;
  uint32_t bits = encode(value, F, mode.rounding);
  return mode.flushes ? flushHalf<F>(bits) : bits;
}

/// d = Function(operands), of `Count` halves in each register.
template <typename Function, const Format &F, unsigned Count, unsigned Operands>
void compute(Warp &warp, const Step &step) {
  FloatMode mode = FloatMode::unpack(step.extra);
  const uint64_t *a = warp.read(step, 1), *b = warp.read(step, 2),
                 *c = Operands > 2 ? warp.read(step, 3) : a;
  uint64_t *d = warp.write(step, 0);
  forEachLane(warp.mask, [&](unsigned lane) {
    uint64_t results = 0;
    for (unsigned shift = 0; shift < 16 * Count; shift += 16) {
      double x = input<F>(a[lane] >> shift & 0xffff, mode);
      double y = input<F>(b[lane] >> shift & 0xffff, mode);
      double result;
      if constexpr (Operands == 2)
        result = Function()(x, y);
      else
        result = Function()(x, y, input<F>(c[lane] >> shift & 0xffff, mode));
      results |= uint64_t(output<F>(result, mode)) << shift;
    }
    d[lane] = results;
  });
}

template <const Format &F, unsigned Count, bool IsMinimum>
void choose(Warp &warp, const Step &step) {
  FloatMode mode = FloatMode::unpack(step.extra);
  const uint64_t *a = warp.read(step, 1), *b = warp.read(step, 2);
  uint64_t *d = warp.write(step, 0);
  forEachLane(warp.mask, [&](unsigned lane) {
    uint64_t results = 0;
    for (unsigned shift = 0; shift < 16 * Count; shift += 16) {
      double chosen = chooseNumber<double, IsMinimum>(
          input<F>(a[lane] >> shift & 0xffff, mode),
          input<F>(b[lane] >> shift & 0xffff, mode), mode.keepsNan);
      results |= uint64_t(output<F>(chosen, mode)) << shift;
    }
    d[lane] = results;
  });
}

template <const Format &F, unsigned Count, bool Flips>
void changeSign(Warp &warp, const Step &step) {
  FloatMode mode = FloatMode::unpack(step.extra);
  const uint64_t *a = warp.read(step, 1);
  uint64_t *d = warp.write(step, 0);
  forEachLane(warp.mask, [&](unsigned lane) {
    uint64_t results = 0;
    for (unsigned shift = 0; shift < 16 * Count; shift += 16) {
      uint32_t bits = a[lane] >> shift & 0xffff;
      if (mode.flushes)
        bits = flushHalf<F>(bits);
      bits = Flips ? bits ^ F.sign() : bits & ~F.sign();
      results |= uint64_t(bits) << shift;
    }
    d[lane] = results;
  });
}

/// Calls `make` with a type that names the format, and the count of halves.
template <const Format &F, unsigned N>
struct Shape {
  static constexpr const Format &format = F;
  static constexpr unsigned count = N;
};

template <typename Make>
Handler withShape(Modifiers &modifiers, Make make) {
  switch (modifiers.takeType()) {
  case Type::F16:
    return make(Shape<kHalf, 1>());
  case Type::F16x2:
    return make(Shape<kHalf, 2>());
  case Type::BF16:
    return make(Shape<kBfloat, 1>());
  case Type::BF16x2:
    return make(Shape<kBfloat, 2>());
  default:
    modifiers.fail();
  }
}

template <typename Function, unsigned Operands>
void build(Modifiers &modifiers, Step &step) {
  // Sums of float16 are never flushed unless they say so; atomics say this.
  modifiers.take("noftz");
  step.extra = FloatMode::take(modifiers).pack();
  step.run = withShape(modifiers, [](auto shape) -> Handler {
    using S = decltype(shape);
    return compute<Function, S::format, S::count, Operands>;
  });
}

template <bool IsMinimum>
void buildChoice(Modifiers &modifiers, Step &step) {
  step.extra = FloatMode::take(modifiers).pack();
  step.run = withShape(modifiers, [](auto shape) -> Handler {
    using S = decltype(shape);
    return choose<S::format, S::count, IsMinimum>;
  });
}

template <bool Flips>
void buildSign(Modifiers &modifiers, Step &step) {
  step.extra = FloatMode::take(modifiers).pack();
  step.run = withShape(modifiers, [](auto shape) -> Handler {
    using S = decltype(shape);
    return changeSign<S::format, S::count, Flips>;
  });
}

} // namespace

void ptxmachine::buildHalfAdd(Modifiers &modifiers, Step &step) {
  build<Add, 2>(modifiers, step);
}
void ptxmachine::buildHalfSubtract(Modifiers &modifiers, Step &step) {
  build<Subtract, 2>(modifiers, step);
}
void ptxmachine::buildHalfMultiply(Modifiers &modifiers, Step &step) {
  build<Multiply, 2>(modifiers, step);
}
void ptxmachine::buildHalfFma(Modifiers &modifiers, Step &step) {
  build<MultiplyAdd, 3>(modifiers, step);
}
void ptxmachine::buildHalfMinimum(Modifiers &modifiers, Step &step) {
  buildChoice<true>(modifiers, step);
}
void ptxmachine::buildHalfMaximum(Modifiers &modifiers, Step &step) {
  buildChoice<false>(modifiers, step);
}
void ptxmachine::buildHalfAbsolute(Modifiers &modifiers, Step &step) {
  buildSign<false>(modifiers, step);
}
void ptxmachine::buildHalfNegate(Modifiers &modifiers, Step &step) {
  buildSign<true>(modifiers, step);
}
