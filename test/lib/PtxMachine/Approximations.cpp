// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that GPUs approximate. They are computed in float64 and rounded,
// which is within the bounds of the PTX ISA, but not the bits of a GPU.

#include "Lanes.h"
#include "Numbers.h"

using namespace ptxmachine;

namespace {

struct Sine {
  double operator()(double a) const { return std::sin(a); }
};
struct Cosine {
  double operator()(double a) const { return std::cos(a); }
};
struct Logarithm {
  double operator()(double a) const { return std::log2(a); }
};
struct Power {
  double operator()(double a) const { return std::exp2(a); }
};
struct HyperbolicTangent {
  double operator()(double a) const { return std::tanh(a); }
};
struct Reciprocal {
  double operator()(double a) const { return 1 / a; }
};
struct Root {
  double operator()(double a) const { return std::sqrt(a); }
};
struct ReciprocalRoot {
  double operator()(double a) const { return 1 / std::sqrt(a); }
};

template <typename Function>
void compute32(Warp &warp, const Step &step) {
  FloatMode mode = FloatMode::unpack(step.extra);
  const uint64_t *a = warp.read(step, 1);
  uint64_t *d = warp.write(step, 0);
  forEachLane(warp.mask, [&](unsigned lane) {
    auto value = get<float>(a[lane]);
    if (mode.flushes)
      value = flush(value);
    auto result = float(Function()(value));
    if (mode.flushes)
      result = flush(result);
    d[lane] = put<float>(canonical(result));
  });
}

/// The upper word of a float64, whose lower one is zero; subnormal numbers are
/// zero.
template <typename Function>
void compute64(Warp &warp, const Step &step) {
  const uint64_t *a = warp.read(step, 1);
  uint64_t *d = warp.write(step, 0);
  constexpr uint64_t upper = ~uint64_t(0) << 32;
  auto flushed = [](double value) {
    return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0, value)
                                                  : value;
  };
  forEachLane(warp.mask, [&](unsigned lane) {
    double value = flushed(get<double>(a[lane] & upper));
    double result = flushed(Function()(value));
    d[lane] = std::isnan(result) ? uint64_t(kNan32) << 32
                                 : put<double>(result) & upper;
  });
}

/// All of a float64.
template <typename Function>
void computeWhole64(Warp &warp, const Step &step) {
  const uint64_t *a = warp.read(step, 1);
  uint64_t *d = warp.write(step, 0);
  forEachLane(warp.mask, [&](unsigned lane) {
    d[lane] = put<double>(Function()(get<double>(a[lane])));
  });
}

template <typename Function, const Format &F, unsigned Count>
void computeHalf(Warp &warp, const Step &step) {
  const uint64_t *a = warp.read(step, 1);
  uint64_t *d = warp.write(step, 0);
  bool flushes = FloatMode::unpack(step.extra).flushes;
  auto flushed = [&](uint32_t bits) {
    bool isSubnormal = (bits & (F.sign() - 1)) >> F.mantissaBits == 0;
    return flushes && isSubnormal ? bits & F.sign() : bits;
  };
  forEachLane(warp.mask, [&](unsigned lane) {
    uint64_t results = 0;
    for (unsigned shift = 0; shift < 16 * Count; shift += 16) {
      double value = decode(flushed(a[lane] >> shift & 0xffff), F);
      uint32_t bits = encode(Function()(value), F, Rounding::Nearest);
      results |= uint64_t(flushed(bits)) << shift;
    }
    d[lane] = results;
  });
}

template <typename Function>
void build32(Modifiers &modifiers, Step &step) {
  modifiers.take("approx");
  step.extra = FloatMode::take(modifiers).pack();
  if (!modifiers.take("f32"))
    modifiers.fail();
  step.run = compute32<Function>;
}

/// ex2 and tanh, which halves have, too.
template <typename Function>
void buildAny(Modifiers &modifiers, Step &step) {
  if (modifiers.has("f32")) {
    build32<Function>(modifiers, step);
    return;
  }
  modifiers.take("approx");
  step.extra = FloatMode::take(modifiers).pack();
  switch (modifiers.takeType()) {
  case Type::F16:
    step.run = computeHalf<Function, kHalf, 1>;
    return;
  case Type::F16x2:
    step.run = computeHalf<Function, kHalf, 2>;
    return;
  case Type::BF16:
    step.run = computeHalf<Function, kBfloat, 1>;
    return;
  case Type::BF16x2:
    step.run = computeHalf<Function, kBfloat, 2>;
    return;
  default:
    modifiers.fail();
  }
}

/// rcp and rsqrt, which float64 has, too.
template <typename Function>
void buildWide(Modifiers &modifiers, Step &step) {
  if (modifiers.has("f32")) {
    build32<Function>(modifiers, step);
    return;
  }
  modifiers.take("approx");
  bool isUpperOnly = modifiers.take("ftz");
  if (!modifiers.take("f64"))
    modifiers.fail();
  step.run = isUpperOnly ? compute64<Function> : computeWhole64<Function>;
}

/// a / b, by the product with a reciprocal: 0 for a divisor above 2**126,
/// unless all of the range is asked for.
template <bool IsFull>
void divide(Warp &warp, const Step &step) {
  FloatMode mode = FloatMode::unpack(step.extra);
  const uint64_t *a = warp.read(step, 1), *b = warp.read(step, 2);
  uint64_t *d = warp.write(step, 0);
  forEachLane(warp.mask, [&](unsigned lane) {
    auto x = get<float>(a[lane]), y = get<float>(b[lane]);
    if (mode.flushes) {
      x = flush(x);
      y = flush(y);
    }
    auto result = float(double(x) / double(y));
    bool isHuge = std::fabs(y) > 0x1p126F && std::isfinite(y);
    if (!IsFull && isHuge && !std::isnan(x))
      result =
          std::isinf(x) ? NAN : std::copysign(0.0F, x * std::copysign(1.0F, y));
    if (mode.flushes)
      result = flush(result);
    d[lane] = put<float>(canonical(result));
  });
}

} // namespace

void ptxmachine::buildApproximateDivide(Modifiers &modifiers, Step &step) {
  // What stood in front of it is taken: without "approx" it is "full".
  bool isFull = modifiers.wasTaken("full");
  step.extra = FloatMode::take(modifiers).pack();
  if (!modifiers.take("f32"))
    modifiers.fail();
  step.run = isFull ? divide<true> : divide<false>;
}
void ptxmachine::buildApproximateReciprocal(Modifiers &modifiers, Step &step) {
  buildWide<Reciprocal>(modifiers, step);
}
void ptxmachine::buildApproximateRoot(Modifiers &modifiers, Step &step) {
  build32<Root>(modifiers, step);
}

void ptxmachine::addApproximations(Table &table) {
  table["sin"] = build32<Sine>;
  table["cos"] = build32<Cosine>;
  table["lg2"] = build32<Logarithm>;
  table["ex2"] = buildAny<Power>;
  table["tanh"] = buildAny<HyperbolicTangent>;
  table["rsqrt"] = buildWide<ReciprocalRoot>;
}
