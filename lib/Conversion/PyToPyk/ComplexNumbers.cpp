// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Complex numbers: their parts, operators and functions. Sums, products and
// comparisons are computed with the parts, because the folds of the complex
// dialect's ops take rounding for exact: `(a - b) + b` for `a`.

#include "ComplexNumbers.h"
#include "IntrinsicLowering.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Dialect/Py/IR/Static.h"
#include "pyk/Dialect/Pyk/IR/PykComplexOps.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

Value py::getReal(OpBuilder &builder, Value number, Location loc) {
  return builder.createOrFold<complex::ReOp>(loc, number);
}

Value py::getImag(OpBuilder &builder, Value number, Location loc) {
  return builder.createOrFold<complex::ImOp>(loc, number);
}

Value py::makeComplex(OpBuilder &builder, Value real, Value imag,
                      Location loc) {
  return builder.createOrFold<complex::CreateOp>(
      loc, ComplexType::get(real.getType()), real, imag);
}

Value py::makeComplexConstant(OpBuilder &builder, complex::NumberAttr number,
                              Location loc) {
  auto type = cast<ComplexType>(number.getType());
  Type part = type.getElementType();
  return complex::ConstantOp::create(
      builder, loc, type,
      builder.getArrayAttr({FloatAttr::get(part, number.getReal()),
                            FloatAttr::get(part, number.getImag())}));
}

Value ComplexLowering::multiply(Value a, Value b, Location loc) {
  auto product = [&](Value x, Value y) {
    return arith::MulFOp::create(builder, loc, x, y, lowering.getFlags())
        .getResult();
  };
  if (!isa<ComplexType>(a.getType()))
    return product(a, b);
  Value ar = getReal(builder, a, loc), ai = getImag(builder, a, loc);
  Value br = getReal(builder, b, loc), bi = getImag(builder, b, loc);
  Value real = arith::SubFOp::create(builder, loc, product(ar, br),
                                     product(ai, bi), lowering.getFlags());
  Value imag = arith::AddFOp::create(builder, loc, product(ar, bi),
                                     product(ai, br), lowering.getFlags());
  return makeComplex(builder, real, imag, loc);
}

Value ComplexLowering::makeComplexBinary(BinaryOperator kind, Value a, Value b,
                                         Location loc) {
  auto add = [&](Value x, Value y) -> Value {
    if (kind == BinaryOperator::Add)
      return arith::AddFOp::create(builder, loc, x, y, lowering.getFlags());
    return arith::SubFOp::create(builder, loc, x, y, lowering.getFlags());
  };
  if (kind == BinaryOperator::Mul)
    return multiply(a, b, loc);
  if (kind == BinaryOperator::TrueDiv)
    return pyk::ComplexDivOp::create(builder, loc, a, b);
  return makeComplex(
      builder, add(getReal(builder, a, loc), getReal(builder, b, loc)),
      add(getImag(builder, a, loc), getImag(builder, b, loc)), loc);
}

Value ComplexLowering::negate(Value number, Location loc) {
  auto negated = [&](Value part) -> Value {
    return arith::NegFOp::create(builder, loc, part);
  };
  if (!isa<ComplexType>(number.getType()))
    return negated(number);
  return makeComplex(builder, negated(getReal(builder, number, loc)),
                     negated(getImag(builder, number, loc)), loc);
}

Value py::areEqual(OpBuilder &builder, Value a, Value b, Location loc) {
  auto equal = [&](Value x, Value y) -> Value {
    return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ, x, y);
  };
  return arith::AndIOp::create(
      builder, loc, equal(getReal(builder, a, loc), getReal(builder, b, loc)),
      equal(getImag(builder, a, loc), getImag(builder, b, loc)));
}

//===----------------------------------------------------------------------===//
// Intrinsics
//===----------------------------------------------------------------------===//

static Binding lowerComplex(LoweredCall &call) {
  if (call.arguments.size() == 1)
    return call.lowering.convert(call.arguments[0], call.type, call.loc);
  Type part = getPartType(call.type);
  return {call.type,
          {makeComplex(call.builder, call.convert(0, part),
                       call.convert(1, part), call.loc)}};
}

static Binding lowerLogarithm(LoweredCall &call) {
  SmallVector<Value> results;
  for (Value operand : call.getOperands())
    results.push_back(call.makeOp(operand, operand.getType())->getResult(0));
  if (results.size() == 1)
    return call.yield(results);
  return call.yield(
      pyk::ComplexDivOp::create(call.builder, call.loc, results[0], results[1])
          .getResult());
}

/// What the op says of both parts, as one truth.
template <typename Joint>
static Binding lowerParts(LoweredCall &call) {
  Value number = call.getOperands().front();
  auto test = [&](Value part) {
    return call.makeOp(part, call.builder.getI1Type())->getResult(0);
  };
  Value real = test(getReal(call.builder, number, call.loc));
  Value imag = test(getImag(call.builder, number, call.loc));
  return call.yield(
      Joint::create(call.builder, call.loc, real, imag).getResult());
}

static Binding lowerPolar(LoweredCall &call) {
  Value number = call.getOperands().front();
  Type part = getPartType(number.getType());
  Value size = complex::AbsOp::create(call.builder, call.loc, part, number);
  Value phase = complex::AngleOp::create(call.builder, call.loc, part, number);
  return call.yield({size, phase});
}

static Binding lowerRect(LoweredCall &call) {
  SmallVector<Value> operands = call.getOperands();
  Value pair = makeComplex(call.builder, operands[0], operands[1], call.loc);
  return call.yield(
      pyk::ComplexRectOp::create(call.builder, call.loc, pair).getResult());
}

void py::addComplexLowering(LoweringRules &rules) {
  using intrinsics::LoweringRule;
  rules.add(LoweringRule::Complex, lowerComplex);
  rules.add(LoweringRule::Logarithm, lowerLogarithm);
  rules.add(LoweringRule::Any, lowerParts<arith::OrIOp>);
  rules.add(LoweringRule::Both, lowerParts<arith::AndIOp>);
  rules.add(LoweringRule::Polar, lowerPolar);
  rules.add(LoweringRule::Rect, lowerRect);
}
