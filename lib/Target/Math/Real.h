// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Formulas of real numbers as C++ expressions that build LLVM instructions, of
// numbers and of vectors of them alike.

#ifndef PYK_LIB_TARGET_MATH_REAL_H
#define PYK_LIB_TARGET_MATH_REAL_H

#include "llvm/IR/IRBuilder.h"

namespace pyk {

/// A condition, one for each lane.
struct Truth {
  llvm::IRBuilderBase *b;
  llvm::Value *value;

  Truth operator&&(Truth other) const {
    return {b, b->CreateAnd(value, other.value)};
  }
  Truth operator||(Truth other) const {
    return {b, b->CreateOr(value, other.value)};
  }
  /// Whether one of both is true and the other is not.
  Truth operator!=(Truth other) const {
    return {b, b->CreateXor(value, other.value)};
  }
  Truth operator!() const { return {b, b->CreateNot(value)}; }
};

struct Real;

/// A whole number with as many bits as the real numbers beside it.
struct Whole {
  llvm::IRBuilderBase *b;
  llvm::Value *value;

  Whole constant(int64_t number) const {
    return {b, llvm::ConstantInt::getSigned(value->getType(), number)};
  }
  Whole operator+(Whole other) const {
    return {b, b->CreateAdd(value, other.value)};
  }
  Whole operator-(Whole other) const {
    return {b, b->CreateSub(value, other.value)};
  }
  Whole operator+(int64_t number) const { return *this + constant(number); }
  Whole operator-(int64_t number) const { return *this - constant(number); }
  Whole operator&(int64_t number) const {
    return {b, b->CreateAnd(value, constant(number).value)};
  }
  Whole operator<<(int64_t number) const {
    return {b, b->CreateShl(value, constant(number).value)};
  }
  /// With the sign's bit from the left.
  Whole operator>>(int64_t number) const {
    return {b, b->CreateAShr(value, constant(number).value)};
  }
  Truth operator==(int64_t number) const {
    return {b, b->CreateICmpEQ(value, constant(number).value)};
  }
  Truth operator<(int64_t number) const {
    return {b, b->CreateICmpSLT(value, constant(number).value)};
  }
  /// The real numbers with these bits, and with these values.
  Real asReal() const;
  Real toReal() const;
};

/// A number of float32 or float64, or a vector of them.
struct Real {
  llvm::IRBuilderBase *b;
  llvm::Value *value;

  bool isWide() const {
    return value->getType()->getScalarType()->isDoubleTy();
  }
  /// How many bits the fraction has.
  int64_t getFractionBits() const { return isWide() ? 52 : 23; }
  /// What is added to exponents.
  int64_t getBias() const { return isWide() ? 1023 : 127; }

  /// `number` of the same type.
  Real constant(double number) const {
    return {b, llvm::ConstantFP::get(value->getType(), number)};
  }
  /// `narrow` for float32, `wide` for float64.
  Real constant(double narrow, double wide) const {
    return constant(isWide() ? wide : narrow);
  }

  Real operator+(Real other) const {
    return {b, b->CreateFAdd(value, other.value)};
  }
  Real operator-(Real other) const {
    return {b, b->CreateFSub(value, other.value)};
  }
  Real operator*(Real other) const {
    return {b, b->CreateFMul(value, other.value)};
  }
  Real operator/(Real other) const {
    return {b, b->CreateFDiv(value, other.value)};
  }
  Real operator-() const { return {b, b->CreateFNeg(value)}; }
  Real operator+(double number) const { return *this + constant(number); }
  Real operator-(double number) const { return *this - constant(number); }
  Real operator*(double number) const { return *this * constant(number); }
  Real operator/(double number) const { return *this / constant(number); }

  /// False of NaN.
  Truth operator<(Real other) const {
    return {b, b->CreateFCmpOLT(value, other.value)};
  }
  Truth operator>(Real other) const {
    return {b, b->CreateFCmpOGT(value, other.value)};
  }
  Truth operator==(Real other) const {
    return {b, b->CreateFCmpOEQ(value, other.value)};
  }
  Truth operator<(double number) const { return *this < constant(number); }
  Truth operator>(double number) const { return *this > constant(number); }
  Truth operator==(double number) const { return *this == constant(number); }
  Truth isNaN() const { return {b, b->CreateFCmpUNO(value, value)}; }

  Real call(llvm::Intrinsic::ID intrinsic) const {
    return {b, b->CreateUnaryIntrinsic(intrinsic, value)};
  }
  Real abs() const { return call(llvm::Intrinsic::fabs); }
  Real sqrt() const { return call(llvm::Intrinsic::sqrt); }
  Real trunc() const { return call(llvm::Intrinsic::trunc); }
  Real withSignOf(Real other) const {
    return {b, b->CreateBinaryIntrinsic(llvm::Intrinsic::copysign, value,
                                        other.value)};
  }

  /// Its bits.
  Whole asWhole() const {
    llvm::Type *type = value->getType();
    return {b, b->CreateBitCast(value, type->getWithNewType(
                                           b->getIntNTy(isWide() ? 64 : 32)))};
  }
  Real toWide() const {
    return {b, b->CreateFPExt(
                   value, value->getType()->getWithNewType(b->getDoubleTy()))};
  }
  Real toNarrow() const {
    return {b, b->CreateFPTrunc(
                   value, value->getType()->getWithNewType(b->getFloatTy()))};
  }
};

inline Real operator+(double number, Real x) { return x.constant(number) + x; }
inline Real operator-(double number, Real x) { return x.constant(number) - x; }
inline Real operator*(double number, Real x) { return x.constant(number) * x; }
inline Real operator/(double number, Real x) { return x.constant(number) / x; }

inline Real Whole::asReal() const {
  llvm::Type *type = value->getType();
  bool isWide = type->getScalarSizeInBits() == 64;
  return {b, b->CreateBitCast(value,
                              type->getWithNewType(isWide ? b->getDoubleTy()
                                                          : b->getFloatTy()))};
}

inline Real Whole::toReal() const {
  llvm::Type *type = value->getType();
  bool isWide = type->getScalarSizeInBits() == 64;
  return {b, b->CreateSIToFP(value,
                             type->getWithNewType(isWide ? b->getDoubleTy()
                                                         : b->getFloatTy()))};
}

/// A number as the sum of two.
struct Pair {
  Real high, low;
};

/// x * y + z, rounded once.
inline Real fma(Real x, Real y, Real z) {
  return {x.b, x.b->CreateIntrinsic(llvm::Intrinsic::fma, {x.value->getType()},
                                    {x.value, y.value, z.value})};
}
inline Real fma(Real x, double y, Real z) { return fma(x, x.constant(y), z); }
inline Real fma(Real x, Real y, double z) { return fma(x, y, x.constant(z)); }

inline Real select(Truth condition, Real yes, Real no) {
  return {yes.b, yes.b->CreateSelect(condition.value, yes.value, no.value)};
}
inline Real select(Truth condition, double yes, Real no) {
  return select(condition, no.constant(yes), no);
}
inline Real select(Truth condition, Real yes, double no) {
  return select(condition, yes, yes.constant(no));
}
inline Whole select(Truth condition, Whole yes, Whole no) {
  return {yes.b, yes.b->CreateSelect(condition.value, yes.value, no.value)};
}

/// The smaller or larger one; NaN stays.
inline Real limitAbove(Real x, double limit) {
  return select(x > limit, limit, x);
}
inline Real limitBelow(Real x, double limit) {
  return select(x < limit, limit, x);
}

/// The polynomial with these coefficients, the constant one first, those for
/// float32 or float64. Even and odd powers are summed at once, which halves
/// what waits for each other.
inline Real evaluate(Real x, llvm::ArrayRef<double> coefficients) {
  auto sum = [&](Real power, size_t first) {
    size_t last = first + (coefficients.size() - 1 - first) / 2 * 2;
    Real result = x.constant(coefficients[last]);
    for (size_t i = last; i > first; i -= 2)
      result = fma(result, power, coefficients[i - 2]);
    return result;
  };
  if (coefficients.size() == 1)
    return x.constant(coefficients[0]);
  Real square = x * x;
  return fma(sum(square, 1), x, sum(square, 0));
}
inline Real evaluate(Real x, llvm::ArrayRef<double> narrow,
                     llvm::ArrayRef<double> wide) {
  return evaluate(x, x.isWide() ? wide : narrow);
}

/// A constant that is the sum of its parts, for the type of a number.
class Parts {
public:
  Parts(Real like, llvm::ArrayRef<double> narrow, llvm::ArrayRef<double> wide)
      : like(like), parts(like.isWide() ? wide : narrow) {}
  Real operator[](size_t i) const { return like.constant(parts[i]); }

private:
  Real like;
  llvm::ArrayRef<double> parts;
};

} // namespace pyk

#endif // PYK_LIB_TARGET_MATH_REAL_H
