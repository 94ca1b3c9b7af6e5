// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Remainders by one multiply-add: the integer part of a rounded quotient is
// that of the true one, or one more, as long as it has no more digits than a
// float; and what it leaves is a multiple of the divisor's last digit, so it is
// exact. Both are as C's fmod, to the bit. Longer quotients take a loop.

#include "Functions.h"

#include <limits>

using namespace llvm;
using namespace pyk;

Formula pyk::computeFmod(Real x, Real y) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Real size = x.abs(), divisor = y.abs();
  Real quotient = (size / divisor).trunc();
  Real rest = fma(-quotient, divisor, size);
  rest = select(rest < 0.0, rest + divisor, rest);
  // Infinite numbers divided, and all divided by 0, leave NaN above.
  rest = select(size < divisor, size, rest).withSignOf(x);
  Real limit = x.constant(0x1p24, 0x1p53);
  Truth isLong =
      !(quotient < limit) && size < x.constant(infinity) && divisor > 0.0;
  return {rest, isLong};
}

namespace {

/// A number of float64, which is finite: mantissa * 2^(exponent - 1075).
struct Unpacked {
  Value *mantissa, *exponent;
};

} // namespace

static Unpacked unpack(IRBuilderBase &b, Value *bits) {
  Value *exponent = b.CreateLShr(bits, 52);
  Value *fraction = b.CreateAnd(bits, (uint64_t(1) << 52) - 1);
  // Numbers without an exponent have no bit in front, and the least one.
  Value *isTiny = b.CreateICmpEQ(exponent, b.getInt64(0));
  return {
      b.CreateSelect(isTiny, fraction, b.CreateOr(fraction, uint64_t(1) << 52)),
      b.CreateSelect(isTiny, b.getInt64(1), exponent)};
}

/// 2^(exponent - 1075), as the product of two numbers.
static Pair scaleOf(IRBuilderBase &b, Value *exponent) {
  Value *half = b.CreateLShr(exponent, 1);
  auto power = [&](Value *part) {
    // The exponents of both, whose sum is that of 2 * 1023 - 1075.
    return Whole{&b, b.CreateShl(b.CreateAdd(part, b.getInt64(485)), 52)}
        .asReal();
  };
  return {power(half),
          power(b.CreateSub(b.CreateAdd(exponent, b.getInt64(1)), half))};
}

/// Of finite scalars, of which y is not 0. Shifts the remainder to
/// the left by as many bits as a word has in front of a mantissa, as often as
/// the exponents differ.
Real pyk::computeLongFmod(Real x, Real y) {
  IRBuilderBase &b = *x.b;
  Real size = x.abs(), divisor = y.abs();
  if (!x.isWide()) {
    size = size.toWide();
    divisor = divisor.toWide();
  }
  Unpacked dividend = unpack(b, size.asWhole().value);
  Unpacked unit = unpack(b, divisor.asWhole().value);
  // Inactive lanes may have any number, and 0 would end the process.
  unit.mantissa =
      b.CreateBinaryIntrinsic(Intrinsic::umax, unit.mantissa, b.getInt64(1));
  Value *first = b.CreateURem(dividend.mantissa, unit.mantissa);
  Value *shifts = b.CreateSub(dividend.exponent, unit.exponent);

  BasicBlock *before = b.GetInsertBlock();
  auto makeBlock = [&](StringRef name) {
    return BasicBlock::Create(b.getContext(), name, before->getParent());
  };
  BasicBlock *head = makeBlock("head"), *body = makeBlock("body"),
             *end = makeBlock("end");
  b.CreateBr(head);
  b.SetInsertPoint(head);
  PHINode *rest = b.CreatePHI(b.getInt64Ty(), 2);
  PHINode *left = b.CreatePHI(b.getInt64Ty(), 2);
  b.CreateCondBr(b.CreateICmpSGT(left, b.getInt64(0)), body, end);
  b.SetInsertPoint(body);
  Value *step = b.CreateBinaryIntrinsic(Intrinsic::umin, left, b.getInt64(11));
  Value *next = b.CreateURem(b.CreateShl(rest, step), unit.mantissa);
  Value *then = b.CreateSub(left, step);
  b.CreateBr(head);
  rest->addIncoming(first, before);
  rest->addIncoming(next, body);
  left->addIncoming(shifts, before);
  left->addIncoming(then, body);
  b.SetInsertPoint(end);
  Pair scale = scaleOf(b, unit.exponent);
  Real result = Whole{&b, rest}.toReal() * scale.high * scale.low;
  if (!x.isWide())
    result = result.toNarrow();
  return result.withSignOf(x);
}

/// Of a remainder of twice y, which is no less than 0, the one nearest to 0; of
/// two the one of an even quotient.
static Real getNearest(Real rest, Real y) {
  // Where half of y has not all of its bits, sums are finite.
  Truth isTiny = y < y.constant(0x1p-125, 0x1p-1021);
  Real half = y * 0.5;
  auto isAbove = [&](Real part) {
    return Truth{y.b, y.b->CreateSelect(isTiny.value, (part + part > y).value,
                                        (part > half).value)};
  };
  auto isBelow = [&](Real part) {
    return Truth{y.b, y.b->CreateSelect(isTiny.value, (part + part < y).value,
                                        (part < half).value)};
  };
  Real less = rest - y;
  Real least = select(isBelow(less), less, less - y);
  return select(isAbove(rest), least, rest);
}

/// The remainder by y where `rest` is that by 2 y.
static Real finishRemainder(Real rest, Real x, Real y) {
  Real nearest = getNearest(rest.abs(), y.abs());
  Truth isNegative = x.asWhole() < 0;
  // A remainder of 0 has the sign of x, as in C.
  Real result = select(isNegative, -nearest, nearest);
  return select(nearest == 0.0, nearest.abs().withSignOf(x), result);
}

Formula pyk::computeRemainder(Real x, Real y) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  // Twice as much is no number then, and x less than that.
  Truth isHuge = !(y.abs() < y.constant(0x1p127, 0x1p1023));
  Formula formula = computeFmod(x, y + y);
  Real rest = select(isHuge, x, formula.value);
  Real result = finishRemainder(rest, x, y);
  Truth isUndefined = !(x.abs() < infinity) || y.isNaN() || y == 0.0;
  result = select(y.abs() == infinity, x, result);
  result = select(isUndefined,
                  x.constant(std::numeric_limits<double>::quiet_NaN()), result);
  return {result, *formula.fails && !isHuge};
}

Real pyk::computeLongRemainder(Real x, Real y) {
  return finishRemainder(computeLongFmod(x, y + y), x, y);
}
