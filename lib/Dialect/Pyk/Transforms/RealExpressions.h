// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Formulas of real numbers as C++ expressions that build arith and math ops.

#ifndef PYK_LIB_DIALECT_PYK_TRANSFORMS_REALEXPRESSIONS_H
#define PYK_LIB_DIALECT_PYK_TRANSFORMS_REALEXPRESSIONS_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include <cmath>
#include <limits>

namespace pyk {

using Predicate = mlir::arith::CmpFPredicate;

/// A condition that is being built.
struct Truth {
  mlir::ImplicitLocOpBuilder *b;
  mlir::Value value;

  Truth operator&&(Truth other) const {
    return {b, mlir::arith::AndIOp::create(*b, value, other.value)};
  }
  Truth operator!() const {
    mlir::Value one = mlir::arith::ConstantOp::create(*b, b->getBoolAttr(true));
    return {b, mlir::arith::XOrIOp::create(*b, value, one)};
  }
  Truth operator||(Truth other) const {
    return {b, mlir::arith::OrIOp::create(*b, value, other.value)};
  }
};

/// A real number that is being computed.
struct Real {
  mlir::ImplicitLocOpBuilder *b;
  mlir::Value value;

  /// A constant of the same type.
  Real constant(double number) const {
    return {b, mlir::arith::ConstantOp::create(
                   *b, b->getFloatAttr(value.getType(), number))};
  }
  template <typename Op>
  Real make() const {
    return {b, Op::create(*b, value)};
  }
  template <typename Op>
  Real make(Real other) const {
    return {b, Op::create(*b, value, other.value)};
  }
  template <typename Op>
  Truth test() const {
    return {b, Op::create(*b, value)};
  }
  Truth compare(Predicate predicate, Real other) const {
    return {b, mlir::arith::CmpFOp::create(*b, predicate, value, other.value)};
  }

  Real operator-() const { return make<mlir::arith::NegFOp>(); }
  Real operator+(Real other) const { return make<mlir::arith::AddFOp>(other); }
  Real operator-(Real other) const { return make<mlir::arith::SubFOp>(other); }
  Real operator*(Real other) const { return make<mlir::arith::MulFOp>(other); }
  Real operator/(Real other) const { return make<mlir::arith::DivFOp>(other); }
  Real operator+(double other) const { return *this + constant(other); }
  Real operator-(double other) const { return *this - constant(other); }
  Real operator*(double other) const { return *this * constant(other); }
  Real operator/(double other) const { return *this / constant(other); }
  Truth operator>(Real other) const { return compare(Predicate::OGT, other); }
  Truth operator>=(Real other) const { return compare(Predicate::OGE, other); }
  Truth operator>(double other) const { return *this > constant(other); }
  Truth operator>=(double other) const { return *this >= constant(other); }
  Truth operator<(double other) const {
    return compare(Predicate::OLT, constant(other));
  }
  Truth operator<=(double other) const {
    return compare(Predicate::OLE, constant(other));
  }
  Truth operator==(Real other) const { return compare(Predicate::OEQ, other); }
  Truth operator==(double other) const { return *this == constant(other); }
};

/// A complex number that is being computed.
struct Number {
  Real re, im;
};

/// Where functions of numbers of one width must take care.
struct Limits {
  template <typename Float>
  static Limits make() {
    using limits = std::numeric_limits<Float>;
    Limits made;
    made.largest = double(limits::max()) / 4;
    made.least = limits::min();
    made.digits = limits::digits & 1 ? limits::digits : limits::digits - 1;
    made.wide = std::ldexp(1.0, limits::max_exponent / 2 - 4);
    made.narrow = std::ldexp(1.0, -limits::max_exponent / 3);
    made.rescale = std::ldexp(1.0, limits::max_exponent * 3 / 4);
    return made;
  }

  /// A quarter of the largest number, and the least with all its digits.
  double largest, least;
  /// An odd power of two that makes the least numbers have all their digits.
  int digits;
  /// Beyond these a square loses digits, unless divided or multiplied by
  /// `rescale` before.
  double wide, narrow, rescale;
};

inline Limits getLimits(Real x) {
  return x.value.getType().isF32() ? Limits::make<float>()
                                   : Limits::make<double>();
}

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kHalfPi = 1.57079632679489661923;
inline constexpr double kLn2 = 0.69314718055994530942;
inline constexpr double kLn10 = 2.30258509299404568402;
inline constexpr double kE = 2.71828182845904523536;

inline Real select(Truth condition, Real a, Real b) {
  return {a.b, mlir::arith::SelectOp::create(*a.b, condition.value, a.value,
                                             b.value)};
}
inline Real select(Truth condition, double a, Real b) {
  return select(condition, b.constant(a), b);
}
inline Real select(Truth condition, Real a, double b) {
  return select(condition, a, a.constant(b));
}

inline Real abs(Real x) { return x.make<mlir::math::AbsFOp>(); }
inline Real sqrt(Real x) { return x.make<mlir::math::SqrtOp>(); }
inline Real exp(Real x) { return x.make<mlir::math::ExpOp>(); }
inline Real log(Real x) { return x.make<mlir::math::LogOp>(); }
inline Real sin(Real x) { return x.make<mlir::math::SinOp>(); }
inline Real cos(Real x) { return x.make<mlir::math::CosOp>(); }
inline Real sinh(Real x) { return x.make<mlir::math::SinhOp>(); }
inline Real cosh(Real x) { return x.make<mlir::math::CoshOp>(); }
inline Real asinh(Real x) { return x.make<mlir::math::AsinhOp>(); }
inline Real atan2(Real y, Real x) { return y.make<mlir::math::Atan2Op>(x); }
inline Real copysign(Real x, Real sign) {
  return x.make<mlir::math::CopySignOp>(sign);
}
inline Truth isInf(Real x) { return abs(x) == kInfinity; }
inline Truth isNaN(Real x) { return x.test<mlir::math::IsNaNOp>(); }
inline Truth isFinite(Real x) { return x.test<mlir::math::IsFiniteOp>(); }

/// `a * b + c`, rounded once.
inline Real fma(Real a, Real b, Real c) {
  return {a.b, mlir::math::FmaOp::create(*a.b, a.value, b.value, c.value)};
}

/// The length of the vector (x, y); infinite if either is.
inline Real hypot(Real x, Real y) {
  Limits limits = getLimits(x);
  Real ax = abs(x), ay = abs(y);
  Truth isFirst = ax > ay;
  Real more = select(isFirst, ax, ay), less = select(isFirst, ay, ax);
  Truth isWide = more > limits.wide, isNarrow = more < limits.narrow;
  Real up = x.constant(limits.rescale), down = x.constant(1 / limits.rescale);
  Real scale = select(isWide, down, select(isNarrow, up, 1.0));
  Real back = select(isWide, up, select(isNarrow, down, 1.0));
  Real a = more * scale, b = less * scale;
  return select(ax == kInfinity || ay == kInfinity, kInfinity,
                sqrt(fma(a, a, b * b)) * back);
}

} // namespace pyk

#endif // PYK_LIB_DIALECT_PYK_TRANSFORMS_REALEXPRESSIONS_H
