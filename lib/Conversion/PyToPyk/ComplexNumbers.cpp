// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Complex numbers: their parts, operators and functions. Sums, products and
// comparisons are computed with the parts, because the folds of the complex
// dialect's ops take rounding for exact: `(a - b) + b` for `a`.

#include "IntrinsicLowering.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Dialect/Py/IR/Static.h"
#include "pyk/Dialect/Pyk/IR/PykComplexOps.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

Value FunctionLowering::getReal(Value number, Location loc) {
  return builder.createOrFold<complex::ReOp>(loc, number);
}

Value FunctionLowering::getImag(Value number, Location loc) {
  return builder.createOrFold<complex::ImOp>(loc, number);
}

Value FunctionLowering::makeComplex(Value real, Value imag, Location loc) {
  return builder.createOrFold<complex::CreateOp>(
      loc, ComplexType::get(real.getType()), real, imag);
}

Value FunctionLowering::makeComplexConstant(complex::NumberAttr number,
                                            Location loc) {
  auto type = cast<ComplexType>(number.getType());
  Type part = type.getElementType();
  return complex::ConstantOp::create(
      builder, loc, type,
      builder.getArrayAttr({FloatAttr::get(part, number.getReal()),
                            FloatAttr::get(part, number.getImag())}));
}

Value FunctionLowering::multiply(Value a, Value b, Location loc) {
  auto product = [&](Value x, Value y) {
    return arith::MulFOp::create(builder, loc, x, y, flags).getResult();
  };
  if (!isa<ComplexType>(a.getType()))
    return product(a, b);
  Value ar = getReal(a, loc), ai = getImag(a, loc);
  Value br = getReal(b, loc), bi = getImag(b, loc);
  Value real = arith::SubFOp::create(builder, loc, product(ar, br),
                                     product(ai, bi), flags);
  Value imag = arith::AddFOp::create(builder, loc, product(ar, bi),
                                     product(ai, br), flags);
  return makeComplex(real, imag, loc);
}

Value FunctionLowering::makeComplexBinary(BinaryOperator kind, Value a, Value b,
                                          Location loc) {
  auto add = [&](Value x, Value y) -> Value {
    if (kind == BinaryOperator::Add)
      return arith::AddFOp::create(builder, loc, x, y, flags);
    return arith::SubFOp::create(builder, loc, x, y, flags);
  };
  if (kind == BinaryOperator::Mul)
    return multiply(a, b, loc);
  if (kind == BinaryOperator::TrueDiv)
    return pyk::ComplexDivOp::create(builder, loc, a, b);
  return makeComplex(add(getReal(a, loc), getReal(b, loc)),
                     add(getImag(a, loc), getImag(b, loc)), loc);
}

Value FunctionLowering::negate(Value number, Location loc) {
  auto negated = [&](Value part) -> Value {
    return arith::NegFOp::create(builder, loc, part);
  };
  if (!isa<ComplexType>(number.getType()))
    return negated(number);
  return makeComplex(negated(getReal(number, loc)),
                     negated(getImag(number, loc)), loc);
}

Value FunctionLowering::areEqual(Value a, Value b, Location loc) {
  auto equal = [&](Value x, Value y) -> Value {
    return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ, x, y);
  };
  return arith::AndIOp::create(builder, loc,
                               equal(getReal(a, loc), getReal(b, loc)),
                               equal(getImag(a, loc), getImag(b, loc)));
}

//===----------------------------------------------------------------------===//
// Intrinsics
//===----------------------------------------------------------------------===//

static Binding lowerComplex(LoweredCall &call) {
  if (call.arguments.size() == 1)
    return call.lowering.convert(call.arguments[0], call.type, call.loc);
  Type part = getPartType(call.type);
  return {call.type,
          {call.lowering.makeComplex(call.convert(0, part),
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
  Value real = test(call.lowering.getReal(number, call.loc));
  Value imag = test(call.lowering.getImag(number, call.loc));
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
  Value pair = call.lowering.makeComplex(operands[0], operands[1], call.loc);
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
