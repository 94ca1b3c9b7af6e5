// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A float's bits without the sign are an integer that grows with the number, in
// the short format as in the long one. So a normal number is rounded by adding
// to that integer and shifting it, which carries into the exponent where it
// must; a subnormal one of the short format is a multiple of the least.

#include "ExpandFloat8.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "pyk/Dialect/Pyk/IR/PykNumericOps.h"

using namespace mlir;
using namespace pyk;

using IntPredicate = arith::CmpIPredicate;

namespace {

/// A format with a sign, some bits of exponent and the rest of mantissa.
struct Layout8 {
  /// Bits in all, the low ones of a byte, and those of mantissa.
  unsigned width, mantissa;
  int64_t bias;
  /// The largest number, and what larger ones and NaN become, as bits.
  int64_t largest, beyond, nan;

  int64_t getSign() const { return int64_t(1) << (width - 1); }
  /// False if all bits stand for numbers.
  bool hasNaN() const { return nan > largest; }
};

/// Builds operations on integers of one width.
struct BitsBuilder : ImplicitLocOpBuilder {
  BitsBuilder(Operation *op, unsigned width)
      : ImplicitLocOpBuilder(op->getLoc(), op), type(getIntegerType(width)) {}

  Value integer(int64_t value) {
    return arith::ConstantOp::create(*this, getIntegerAttr(type, value));
  }
  Value real(Type real, double value) {
    return arith::ConstantOp::create(*this, getFloatAttr(real, value));
  }
  template <typename Op>
  Value make(Value a, Value b) {
    return Op::create(*this, a, b);
  }
  Value compare(IntPredicate predicate, Value a, int64_t b) {
    return arith::CmpIOp::create(*this, predicate, a, integer(b));
  }
  Value select(Value condition, Value a, Value b) {
    return arith::SelectOp::create(*this, condition, a, b);
  }

  Type type;
};

} // namespace

/// Bits of a NaN of e8m0.
static constexpr int64_t kNoExponent = 0xff;
static constexpr int64_t kBias32 = 127, kBias64 = 1023;
static constexpr unsigned kMantissa32 = 23, kMantissa64 = 52;

static Layout8 getLayout(Float8Format format) {
  if (format == Float8Format::E5M2)
    return {8, 2, 15, 0x7b, 0x7c, 0x7f};
  // As CUDA has it, the largest number stands for what is none.
  if (format == Float8Format::E2M1)
    return {4, 1, 1, 0x7, 0x7, 0x7};
  return {8, 3, 7, 0x7e, 0x7f, 0x7f};
}

//===----------------------------------------------------------------------===//
// From 8 bits
//===----------------------------------------------------------------------===//

static Value extend(ExtendFloat8Op op) {
  BitsBuilder b(op, 32);
  Type f32 = b.getF32Type();
  auto toFloat = [&](Value bits) -> Value {
    return arith::BitcastOp::create(b, f32, bits);
  };
  Value bits = arith::ExtUIOp::create(b, b.type, op.getOperand());
  auto shift = [&](Value value, int64_t count) {
    return b.make<arith::ShLIOp>(value, b.integer(count));
  };
  if (op.getFormat() == Float8Format::E8M0) {
    // The least is subnormal, and what is no number would be infinity.
    Value found = shift(bits, kMantissa32);
    found = b.select(b.compare(IntPredicate::eq, bits, 0),
                     b.integer(int64_t(1) << (kMantissa32 - 1)), found);
    return toFloat(b.select(b.compare(IntPredicate::eq, bits, kNoExponent),
                            b.integer(0x7fffffff), found));
  }
  if (op.getFormat() == Float8Format::E5M2) {
    // The upper half of an f16.
    Value half =
        arith::TruncIOp::create(b, b.getIntegerType(16), shift(bits, 8));
    return arith::ExtFOp::create(
        b, f32, arith::BitcastOp::create(b, b.getF16Type(), half).getResult());
  }
  Layout8 layout = getLayout(op.getFormat());
  Value magnitude =
      b.make<arith::AndIOp>(bits, b.integer(layout.getSign() - 1));
  Value normal =
      b.make<arith::AddIOp>(shift(magnitude, kMantissa32 - layout.mantissa),
                            b.integer((kBias32 - layout.bias) << kMantissa32));
  Value subnormal = arith::BitcastOp::create(
      b, b.type,
      b.make<arith::MulFOp>(
          arith::UIToFPOp::create(b, f32, magnitude),
          b.real(f32, std::ldexp(1.0, 1 - int(layout.bias) -
                                          int(layout.mantissa)))));
  Value found = b.select(
      b.compare(IntPredicate::ult, magnitude, int64_t(1) << layout.mantissa),
      subnormal, normal);
  if (layout.hasNaN())
    found = b.select(b.compare(IntPredicate::eq, magnitude, layout.nan),
                     b.integer(0x7fffffff), found);
  Value sign = shift(b.make<arith::AndIOp>(bits, b.integer(layout.getSign())),
                     32 - layout.width);
  return toFloat(b.make<arith::OrIOp>(found, sign));
}

//===----------------------------------------------------------------------===//
// To 8 bits
//===----------------------------------------------------------------------===//

/// The exponent of a number, with the bias of an f32, rounded up or not.
static Value roundExponent(RoundToFloat8Op op) {
  BitsBuilder b(op, 64);
  Value wide = op.getOperand();
  if (!wide.getType().isF64())
    wide = arith::ExtFOp::create(b, b.getF64Type(), wide);
  Value magnitude = b.make<arith::AndIOp>(
      arith::BitcastOp::create(b, b.type, wide), b.integer(INT64_MAX));
  Value exponent = b.make<arith::SubIOp>(
      b.make<arith::ShRUIOp>(magnitude, b.integer(kMantissa64)),
      b.integer(kBias64 - kBias32));
  if (op.getRounding() == Float8Rounding::Up) {
    Value rest = b.make<arith::AndIOp>(
        magnitude, b.integer((int64_t(1) << kMantissa64) - 1));
    Value isMore = b.compare(IntPredicate::ne, rest, 0);
    exponent = b.make<arith::AddIOp>(exponent,
                                     arith::ExtUIOp::create(b, b.type, isMore));
  }
  exponent = b.make<arith::MaxSIOp>(exponent, b.integer(0));
  bool saturates = op.getOverflow() == Float8Overflow::Saturate;
  Value most = b.integer(saturates ? kNoExponent - 1 : kNoExponent);
  exponent = b.make<arith::MinSIOp>(exponent, most);
  Value isNaN = b.compare(IntPredicate::ugt, magnitude,
                          int64_t(2 * kBias64 + 1) << kMantissa64);
  Value found = b.select(isNaN, b.integer(kNoExponent), exponent);
  return arith::TruncIOp::create(b, b.getI8Type(), found);
}

static Value round(RoundToFloat8Op op) {
  if (op.getFormat() == Float8Format::E8M0)
    return roundExponent(op);
  Layout8 layout = getLayout(op.getFormat());
  Type real = op.getOperand().getType();
  bool isDouble = real.isF64();
  unsigned width = real.getIntOrFloatBitWidth(),
           mantissa = isDouble ? kMantissa64 : kMantissa32,
           dropped = mantissa - layout.mantissa;
  int64_t bias = isDouble ? kBias64 : kBias32;
  BitsBuilder b(op, width);
  Value bits = arith::BitcastOp::create(b, b.type, op.getOperand());
  Value magnitude =
      b.make<arith::AndIOp>(bits, b.integer(isDouble ? INT64_MAX : INT32_MAX));
  // Half of the last digit that stays, less where that is even.
  Value last = b.make<arith::AndIOp>(
      b.make<arith::ShRUIOp>(magnitude, b.integer(dropped)), b.integer(1));
  Value half =
      b.make<arith::AddIOp>(last, b.integer((int64_t(1) << (dropped - 1)) - 1));
  Value normal = b.make<arith::SubIOp>(
      b.make<arith::ShRUIOp>(b.make<arith::AddIOp>(magnitude, half),
                             b.integer(dropped)),
      b.integer((bias - layout.bias) << layout.mantissa));
  Value isSubnormal = b.compare(IntPredicate::ult, magnitude,
                                (bias - layout.bias + 1) << mantissa);
  // Of others, the multiple would not fit; zero does.
  Value small = b.select(isSubnormal, magnitude, b.integer(0));
  Value multiple = b.make<arith::MulFOp>(
      arith::BitcastOp::create(b, real, small),
      b.real(real,
             std::ldexp(1.0, int(layout.bias) - 1 + int(layout.mantissa))));
  Value subnormal = arith::FPToSIOp::create(
      b, b.type, math::RoundEvenOp::create(b, multiple));
  Value found = b.select(isSubnormal, subnormal, normal);
  bool saturates = op.getOverflow() == Float8Overflow::Saturate;
  found =
      b.select(b.compare(IntPredicate::ugt, found, layout.largest),
               b.integer(saturates ? layout.largest : layout.beyond), found);
  Value sign = b.make<arith::AndIOp>(
      b.make<arith::ShRUIOp>(bits, b.integer(width - layout.width)),
      b.integer(layout.getSign()));
  found = b.make<arith::OrIOp>(found, sign);
  Value isNaN =
      b.compare(IntPredicate::ugt, magnitude, (2 * bias + 1) << mantissa);
  found = b.select(isNaN, b.integer(layout.nan), found);
  return arith::TruncIOp::create(b, b.getI8Type(), found);
}

bool pyk::expandFloat8(Operation *op) {
  Value found;
  if (auto extension = dyn_cast<ExtendFloat8Op>(op))
    found = extend(extension);
  else if (auto rounding = dyn_cast<RoundToFloat8Op>(op))
    found = round(rounding);
  else
    return false;
  op->getResult(0).replaceAllUsesWith(found);
  op->erase();
  return true;
}
