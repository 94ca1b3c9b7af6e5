// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Quotients and remainders of vectors of integers, which processors have
// instructions for only one number at a time. By a constant of 64 bits: the
// high half of a product with its inverse, from products of 32 bits. By other
// divisors: a floating-point quotient, whose integer part is exact for 32 bits
// and less, and for 64 bits is corrected by the remainder that it leaves.
//
// No lane traps: one that divides by 0 has any number as its result, which is
// that of a thread that is not active.

#include "VectorDivision.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/DivisionByConstantInfo.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace pyk;

/// `element`, or a vector of as many as `value` has.
static Type *like(Value *value, Type *element) {
  return value->getType()->getWithNewType(element);
}

static Constant *like(Value *value, uint64_t number) {
  return ConstantInt::get(value->getType(), number);
}

//===----------------------------------------------------------------------===//
// Conversions between 64 bits and double
//===----------------------------------------------------------------------===//

/// The bits of 1.5 * 2^52 plus `value`, a double that is an integer of at most
/// 51 bits and a sign: the last ones are the integer's.
static Value *getLowBits(IRBuilderBase &b, Value *value) {
  Value *sum = b.CreateFAdd(value, ConstantFP::get(value->getType(), 0x1.8p52));
  return b.CreateBitCast(sum, like(value, b.getInt64Ty()));
}

Value *pyk::convertToWide(IRBuilderBase &b, Value *value, bool isSigned,
                          bool hasConversions) {
  Type *wide = like(value, b.getInt64Ty());
  if (hasConversions)
    return isSigned ? b.CreateFPToSI(value, wide) : b.CreateFPToUI(value, wide);
  // Two halves of 32 bits, each exact.
  if (!value->getType()->getScalarType()->isDoubleTy())
    value = b.CreateFPExt(value, like(value, b.getDoubleTy()));
  Value *whole = b.CreateUnaryIntrinsic(Intrinsic::trunc, value);
  Type *type = whole->getType();
  Value *high = b.CreateUnaryIntrinsic(
      Intrinsic::floor, b.CreateFMul(whole, ConstantFP::get(type, 0x1p-32)));
  Value *low =
      b.CreateFSub(whole, b.CreateFMul(high, ConstantFP::get(type, 0x1p32)));
  Value *highBits = b.CreateShl(getLowBits(b, high), 32);
  Value *lowBits = getLowBits(b, low);
  return b.CreateOr(highBits, b.CreateAnd(lowBits, like(lowBits, 0xffffffff)));
}

//===----------------------------------------------------------------------===//
// By constants of 64 bits
//===----------------------------------------------------------------------===//

/// The high half of the product of `x` and `factor`, both unsigned.
static Value *multiplyHigh(IRBuilderBase &b, Value *x, uint64_t factor) {
  Constant *mask = like(x, 0xffffffff);
  Value *xLow = b.CreateAnd(x, mask), *xHigh = b.CreateLShr(x, 32);
  Value *low = like(x, factor & 0xffffffff), *high = like(x, factor >> 32);
  Value *carried = b.CreateLShr(b.CreateMul(xLow, low), 32);
  Value *middle = b.CreateAdd(b.CreateMul(xHigh, low), carried);
  Value *other =
      b.CreateAdd(b.CreateMul(xLow, high), b.CreateAnd(middle, mask));
  return b.CreateAdd(
      b.CreateAdd(b.CreateMul(xHigh, high), b.CreateLShr(middle, 32)),
      b.CreateLShr(other, 32));
}

/// `x` divided by `divisor`, as unsigned numbers.
static Value *divideByConstant(IRBuilderBase &b, Value *x,
                               const APInt &divisor) {
  auto magic = UnsignedDivisionByConstantInfo::get(divisor);
  Value *shifted = b.CreateLShr(x, magic.PreShift);
  Value *quotient = multiplyHigh(b, shifted, magic.Magic.getZExtValue());
  if (magic.IsAdd)
    quotient = b.CreateAdd(b.CreateLShr(b.CreateSub(x, quotient), 1), quotient);
  return b.CreateLShr(quotient, magic.PostShift);
}

/// `x` divided by `divisor`, as signed numbers, towards zero.
static Value *divideBySignedConstant(IRBuilderBase &b, Value *x,
                                     const APInt &divisor) {
  auto magic = SignedDivisionByConstantInfo::get(divisor);
  Value *sign = b.CreateAShr(x, 63);
  Value *quotient = multiplyHigh(b, x, magic.Magic.getZExtValue());
  // As unsigned numbers, a negative factor is 2^64 too large, so the product
  // has the other factor too much. If the magic number is negative and the
  // divisor is not, or the other way round, it stands for one that is 2^64 off,
  // too.
  quotient = b.CreateSub(
      quotient, b.CreateAnd(sign, like(x, magic.Magic.getZExtValue())));
  if (divisor.isNegative())
    quotient = b.CreateSub(quotient, x);
  quotient = b.CreateAShr(quotient, magic.ShiftAmount);
  return b.CreateAdd(quotient, b.CreateLShr(quotient, 63));
}

//===----------------------------------------------------------------------===//
// By other divisors
//===----------------------------------------------------------------------===//

/// The most bits of a number with a sign whose quotients double has: three less
/// than its digits, for half a unit more and two errors of rounding.
static constexpr unsigned kBitsOfDouble = 50;

/// `value`, an integer of that many bits in a number of 64, as a double, by
/// `getLowBits` the other way round.
static Value *convertToReal(IRBuilderBase &b, Value *value) {
  Type *real = like(value, b.getDoubleTy());
  Constant *magic = ConstantFP::get(real, 0x1.8p52);
  Value *bits = b.CreateAdd(value, b.CreateBitCast(magic, value->getType()));
  return b.CreateFSub(b.CreateBitCast(bits, real), magic);
}

/// The quotient or the remainder of numbers of 64 bits that need fewer. Double
/// holds both, and all products of the divisor up to the dividend. A quotient
/// that is no integer is farther from the next one than the division's
/// rounding. By a constant, the dividend is taken half a unit larger, by
/// magnitude: its product with the inverse then lies at least half of the
/// inverse from the next integer, and is off by half of that at most.
static Value *divideShort(IRBuilderBase &b, Value *x, Value *y,
                          bool isRemainder, bool hasConversions) {
  Type *real = like(x, b.getDoubleTy());
  auto convert = [&](Value *number) {
    return hasConversions ? b.CreateSIToFP(number, real)
                          : convertToReal(b, number);
  };
  Value *dividend = convert(x), *quotient, *divisor;
  if (const APInt *constant; match(y, m_APInt(constant))) {
    auto number = static_cast<double>(constant->getSExtValue());
    divisor = ConstantFP::get(real, number);
    Value *half = b.CreateBinaryIntrinsic(Intrinsic::copysign,
                                          ConstantFP::get(real, 0.5), dividend);
    quotient = b.CreateFMul(b.CreateFAdd(dividend, half),
                            ConstantFP::get(real, 1 / number));
  } else {
    divisor = convert(y);
    quotient = b.CreateFDiv(dividend, divisor);
  }
  if (hasConversions && !isRemainder)
    return b.CreateFPToSI(quotient, x->getType());
  Value *result = b.CreateUnaryIntrinsic(Intrinsic::trunc, quotient);
  if (isRemainder)
    result = b.CreateFSub(dividend, b.CreateFMul(result, divisor));
  if (hasConversions)
    return b.CreateFPToSI(result, x->getType());
  return b.CreateSub(
      getLowBits(b, result),
      b.CreateBitCast(ConstantFP::get(real, 0x1.8p52), x->getType()));
}

/// The quotient of numbers of at most 32 bits. A float or double holds both,
/// and a quotient that is no integer is farther from the next one than the
/// division's rounding: by 2^-16 or 2^-32 of it, or more.
static Value *divideNarrow(IRBuilderBase &b, Value *x, Value *y,
                           bool isSigned) {
  Type *real =
      like(x, x->getType()->getScalarSizeInBits() <= 16 ? b.getFloatTy()
                                                        : b.getDoubleTy());
  auto convert = [&](Value *number) {
    return isSigned ? b.CreateSIToFP(number, real)
                    : b.CreateUIToFP(number, real);
  };
  Value *quotient = b.CreateFDiv(convert(x), convert(y));
  return isSigned ? b.CreateFPToSI(quotient, x->getType())
                  : b.CreateFPToUI(quotient, x->getType());
}

namespace {
struct Division {
  Value *quotient, *remainder;
};
} // namespace

/// Of unsigned numbers of 64 bits. A product with the divisor's inverse is off
/// by at most 2^-51 of it, and made smaller by 2^-50, so it is never too
/// large. Its integer part leaves less than 2^-49 times the dividend and one
/// divisor more, of which the same again leaves less than two divisors.
static Division divideWide(IRBuilderBase &b, Value *x, Value *y,
                           bool hasConversions) {
  Type *real = like(x, b.getDoubleTy());
  Value *inverse =
      b.CreateFDiv(ConstantFP::get(real, 1 - 0x1p-50), b.CreateUIToFP(y, real));
  auto estimate = [&](Value *dividend) {
    return convertToWide(b,
                         b.CreateFMul(b.CreateUIToFP(dividend, real), inverse),
                         /*isSigned=*/false, hasConversions);
  };
  Value *first = estimate(x);
  Value *rest = b.CreateSub(x, b.CreateMul(first, y));
  Value *second = estimate(rest);
  rest = b.CreateSub(rest, b.CreateMul(second, y));
  Value *isOneMore = b.CreateICmpUGE(rest, y);
  Value *quotient = b.CreateAdd(b.CreateAdd(first, second),
                                b.CreateZExt(isOneMore, x->getType()));
  Value *remainder = b.CreateSelect(isOneMore, b.CreateSub(rest, y), rest);
  return {quotient, remainder};
}

/// Of signed numbers: of their magnitudes, the least number's included.
static Division divideSignedWide(IRBuilderBase &b, Value *x, Value *y,
                                 bool hasConversions) {
  auto getMagnitude = [&](Value *number) {
    return b.CreateBinaryIntrinsic(Intrinsic::abs, number, b.getFalse());
  };
  Division result =
      divideWide(b, getMagnitude(x), getMagnitude(y), hasConversions);
  Constant *zero = Constant::getNullValue(x->getType());
  auto negateIf = [&](Value *sign, Value *number) {
    return b.CreateSelect(b.CreateICmpSLT(sign, zero), b.CreateNeg(number),
                          number);
  };
  return {negateIf(b.CreateXor(x, y), result.quotient),
          negateIf(x, result.remainder)};
}

//===----------------------------------------------------------------------===//
// All
//===----------------------------------------------------------------------===//

/// The leading bits of `value` that are 0 at least. `x ^ (x >> 63)`, of which
/// floored quotients are made, has as many as there are bits equal to the sign.
static unsigned countLeadingZeros(Value *value, const DataLayout &layout) {
  Value *number;
  if (match(value, m_c_Xor(m_Value(number),
                           m_AShr(m_Deferred(number), m_SpecificInt(63)))))
    return ComputeNumSignBits(number, layout);
  return computeKnownBits(value, layout).countMinLeadingZeros();
}

/// Whether LLVM has vectors for divisions by `divisor`, a constant.
static bool hasShortForm(const APInt &divisor) {
  return divisor.isZero() || divisor.isPowerOf2() ||
         divisor.isNegatedPowerOf2() || divisor.getBitWidth() <= 32;
}

/// The division `op` in 32 bits, if its operands have no more; null otherwise.
static Value *divideIn32Bits(BinaryOperator &op, bool isSigned,
                             bool hasConversions) {
  IRBuilder<> b(&op);
  const DataLayout &layout = op.getDataLayout();
  Value *x = op.getOperand(0), *y = op.getOperand(1);
  // The least number divided by -1 takes one bit more.
  auto fits = [&](Value *value, unsigned spare) {
    return isSigned ? ComputeNumSignBits(value, layout) > 32 + spare
                    : countLeadingZeros(value, layout) >= 32;
  };
  if (!fits(x, /*spare=*/1) || !fits(y, 0))
    return nullptr;
  Type *narrow = like(x, b.getInt32Ty());
  Value *result = b.CreateBinOp(op.getOpcode(), b.CreateTrunc(x, narrow),
                                b.CreateTrunc(y, narrow));
  if (auto *made = dyn_cast<BinaryOperator>(result))
    if (Value *expanded = expandDivision(*made, hasConversions)) {
      made->eraseFromParent();
      result = expanded;
    }
  return isSigned ? b.CreateSExt(result, x->getType())
                  : b.CreateZExt(result, x->getType());
}

/// The quotient of numbers of 64 bits.
static Value *divideWideByConstant(IRBuilderBase &b, Value *x,
                                   const APInt &divisor, bool isSigned) {
  return isSigned ? divideBySignedConstant(b, x, divisor)
                  : divideByConstant(b, x, divisor);
}

Value *pyk::expandDivision(BinaryOperator &op, bool hasConversions) {
  auto code = op.getOpcode();
  bool isSigned = code == Instruction::SDiv || code == Instruction::SRem;
  bool isRemainder = code == Instruction::URem || code == Instruction::SRem;
  Value *x = op.getOperand(0), *y = op.getOperand(1);
  const APInt *divisor = nullptr;
  bool isConstant = match(y, m_APInt(divisor));
  if (isConstant && hasShortForm(*divisor))
    return nullptr;
  IRBuilder<> b(&op);
  Value *quotient;
  if (x->getType()->getScalarSizeInBits() == 64) {
    if (Value *result = divideIn32Bits(op, isSigned, hasConversions))
      return result;
    const DataLayout &layout = op.getDataLayout();
    auto isShort = [&](Value *value) {
      return (isSigned
                  ? ComputeNumSignBits(value, layout)
                  : countLeadingZeros(value, layout)) >= 64 - kBitsOfDouble;
    };
    if (isShort(x) && isShort(y))
      return b.CreateFreeze(divideShort(b, x, y, isRemainder, hasConversions));
    if (isConstant) {
      quotient = divideWideByConstant(b, x, *divisor, isSigned);
    } else {
      Division all = isSigned ? divideSignedWide(b, x, y, hasConversions)
                              : divideWide(b, x, y, hasConversions);
      return b.CreateFreeze(isRemainder ? all.remainder : all.quotient);
    }
  } else {
    quotient = b.CreateFreeze(divideNarrow(b, x, y, isSigned));
  }
  return isRemainder ? b.CreateSub(x, b.CreateMul(quotient, y)) : quotient;
}
