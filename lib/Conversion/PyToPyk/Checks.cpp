// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a kernel that is being debugged checks, and what it raises. Messages are
// those of NumPy and Python where they have one.

#include "Checks.h"
#include "Arrays.h"
#include "Scalars.h"
#include "mlir/IR/Matchers.h"
#include "pyk/Dialect/Pyk/IR/PykHostOps.h"
#include "pyk/Support/Diagnostics.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

//===----------------------------------------------------------------------===//
// Failures
//===----------------------------------------------------------------------===//

FailureAttr Checks::makeFailure(StringRef error, const Twine &message,
                                Location loc, int64_t exception) {
  FileLineColRange range = findSourceRange(loc);
  // A specialization has a name of its own; its location has the program's.
  StringRef name = lowering.getSource().getSymName();
  if (auto named = dyn_cast<NameLoc>(lowering.getSource().getLoc()))
    name = named.getName();
  return FailureAttr::get(context, error, message.str(), name,
                          range ? range.getFilename().getValue() : "",
                          range ? range.getStartLine() : 0, exception);
}

void Checks::check(Value condition, StringRef error, const Twine &message,
                   ValueRange recorded, Location loc) {
  if (!matchPattern(condition, m_One()))
    pyk::CheckOp::create(builder, loc, condition,
                         makeFailure(error, message, loc), recorded);
}

void Checks::require(Value condition, StringRef error, const Twine &message,
                     Location loc) {
  if (matchPattern(condition, m_One()))
    return;
  FailureAttr failure;
  if (lowering.getOptions().reportErrors)
    failure = makeFailure(error, message, loc);
  pyk::CheckOp::create(builder, loc, condition, failure, ValueRange());
}

void Checks::lower(RaiseOp op) {
  Location loc = op.getLoc();
  FailureAttr failure;
  if (lowering.getOptions().reportErrors)
    failure = makeFailure(op.getError(), "", loc, op.getException());
  pyk::CheckOp::create(builder, loc,
                       makeInteger(builder, 0, builder.getI1Type(), loc),
                       failure, ValueRange());
}

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

std::string Checks::describeArray(Value array) {
  if (auto variable = array.getDefiningOp<GetOp>())
    return ("'" + variable.getName() + "'").str();
  if (auto constant = array.getDefiningOp<ConstantOp>())
    if (StringAttr name = constant.getNameAttr())
      return ("'" + name.getValue() + "'").str();
  return "the array";
}

void Checks::checkInside(Value position, Value extent, Value given,
                         const Twine &message, Location loc) {
  if (!lowering.getOptions().checkBounds)
    return;
  // Unsigned, so that what is negative is too large.
  Value isInside = builder.createOrFold<arith::CmpIOp>(
      loc, arith::CmpIPredicate::ult, position, extent);
  check(isInside, "IndexError", message, {given, extent}, loc);
}

void Checks::checkCount(Value extent, size_t count, Location loc) {
  if (!lowering.getOptions().checkBounds)
    return;
  Value wanted =
      makeInteger(builder, static_cast<int64_t>(count), extent.getType(), loc);
  Value fits = builder.createOrFold<arith::CmpIOp>(
      loc, arith::CmpIPredicate::eq, extent, wanted);
  check(fits, "ValueError",
        "expected " + Twine(count) + " values to unpack but got {0}", extent,
        loc);
}

void Checks::checkFits(Value extent, Value isOne, Value wanted,
                       int64_t dimension, Location loc) {
  if (!lowering.getOptions().checkBounds)
    return;
  Value isEqual = builder.createOrFold<arith::CmpIOp>(
      loc, arith::CmpIPredicate::eq, extent, wanted);
  Value fits = builder.createOrFold<arith::OrIOp>(loc, isEqual, isOne);
  check(fits, "ValueError",
        "cannot assign {0} elements to {1} along axis " + Twine(dimension),
        {extent, wanted}, loc);
}

void Checks::checkStretches(Value extent, Value wanted, Location loc) {
  if (!lowering.getOptions().checkBounds)
    return;
  auto isEqual = [&](Value other) {
    return builder.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::eq,
                                               extent, other);
  };
  Value isOne = isEqual(makeInteger(builder, 1, builder.getI64Type(), loc));
  Value fits = builder.createOrFold<arith::OrIOp>(loc, isEqual(wanted), isOne);
  check(fits, "ValueError", "cannot run over {0} and {1} elements together",
        {wanted, extent}, loc);
}

void Checks::checkReshape(Value size, ArrayRef<Value> extents, Location loc) {
  if (!lowering.getOptions().checkBounds)
    return;
  Type real = builder.getF64Type();
  auto makeReal = [&](Value number) {
    return builder.createOrFold<arith::SIToFPOp>(loc, real, number);
  };
  Value product = makeInteger(builder, 1, builder.getI64Type(), loc);
  Value exact = makeReal(product);
  for (Value extent : extents) {
    product = builder.createOrFold<arith::MulIOp>(loc, product, extent);
    exact = builder.createOrFold<arith::MulFOp>(loc, exact, makeReal(extent));
  }
  // The integers may wrap around. Below 2^48, as sizes are, floats are exact.
  Value fits = builder.createOrFold<arith::CmpFOp>(
      loc, arith::CmpFPredicate::OEQ, makeReal(size), exact);
  check(fits, "ValueError", "cannot reshape {0} elements into {1}",
        {size, product}, loc);
}

void Checks::checkSingle(Value array, Location loc) {
  if (!lowering.getOptions().checkBounds)
    return;
  Value size = getSize(builder, array, loc);
  Value isOne = builder.createOrFold<arith::CmpIOp>(
      loc, arith::CmpIPredicate::eq, size,
      makeInteger(builder, 1, builder.getI64Type(), loc));
  check(isOne, "ValueError", "expected one element but got {0}", size, loc);
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

void Checks::checkNotZero(Value number, StringRef error, const Twine &message,
                          bool isWanted, Location loc) {
  if (!isWanted)
    return;
  Value zero = makeZero(builder, number.getType(), loc);
  Value isGood;
  if (isa<FloatType>(number.getType()))
    isGood = builder.createOrFold<arith::CmpFOp>(loc, arith::CmpFPredicate::UNE,
                                                 number, zero);
  else
    isGood = builder.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::ne,
                                                 number, zero);
  check(isGood, error, message, ValueRange(), loc);
}

void Checks::checkDivisor(BinaryOperator kind, Value divisor, Location loc) {
  bool isFloat = isa<FloatType>(divisor.getType());
  StringRef message;
  if (isComplex(divisor.getType())) {
    if (lowering.getOptions().reportErrors && kind == BinaryOperator::TrueDiv)
      check(lowering.getTruth({divisor.getType(), {divisor}}, loc),
            "ZeroDivisionError", "complex division by zero", ValueRange(), loc);
    return;
  }
  if (kind == BinaryOperator::TrueDiv && divisor.getType().isF32() &&
      lowering.isApproximate())
    return;
  if (kind == BinaryOperator::Mod)
    message = isFloat ? "float modulo by zero" : "integer modulo by zero";
  else if (kind == BinaryOperator::FloorDiv && !isFloat)
    message = "integer division by zero";
  else if (kind == BinaryOperator::FloorDiv || kind == BinaryOperator::TrueDiv)
    message = "division by zero";
  checkNotZero(divisor, "ZeroDivisionError", message,
               lowering.getOptions().reportErrors && !message.empty(), loc);
}

void Checks::checkPower(Value base, Value exponent, Location loc) {
  if (!lowering.getOptions().reportErrors)
    return;
  Value zero = makeZero(builder, base.getType(), loc);
  Value isNonzero = builder.createOrFold<arith::CmpIOp>(
      loc, arith::CmpIPredicate::ne, base, zero);
  Value isWhole = builder.createOrFold<arith::CmpIOp>(
      loc, arith::CmpIPredicate::sge, exponent, zero);
  check(builder.createOrFold<arith::OrIOp>(loc, isNonzero, isWhole),
        "ZeroDivisionError", "0.0 cannot be raised to a negative power",
        ValueRange(), loc);
}
