// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Complex numbers: their parts, operators and functions. Sums, products and
// comparisons are computed with the parts, because the folds of the complex
// dialect's ops take rounding for exact: `(a - b) + b` for `a`.

#include "Lowering.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Dialect/Py/IR/Static.h"

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

Binding FunctionLowering::getNumberAttribute(const Binding &number,
                                             StringRef name, Location loc) {
  Value value = number.parts.front();
  Type part = getPartType(number.type);
  if (name != "real" && name != "imag")
    return {MethodType::get(context, number.type, name), number.parts};
  if (!isComplex(number.type))
    return name == "real" ? number
                          : Binding{part, {makeZero(value.getType(), loc)}};
  return {part, {name == "real" ? getReal(value, loc) : getImag(value, loc)}};
}

Binding FunctionLowering::evaluateNumberMethod(CallOp op, MethodType method,
                                               const Binding &callee) {
  Location loc = op.getLoc();
  Binding number{method.getObject(), callee.parts};
  if (method.getName() == "view") {
    Type type = getNamedDtype(get(op.getInputs().front()).type);
    SmallVector<Type, 1> target;
    appendPartTypes(type, target);
    return {type,
            {builder.createOrFold<arith::BitcastOp>(loc, target.front(),
                                                    number.parts.front())}};
  }
  if (method.getName() == "item" || !isComplex(number.type))
    return number;
  Value value = number.parts.front();
  Value imag = arith::NegFOp::create(builder, loc, getImag(value, loc));
  return {number.type, {makeComplex(getReal(value, loc), imag, loc)}};
}

/// What `cmath` computes `argument` in.
static Type getComplexType(const Binding &argument) {
  MLIRContext *context = argument.type.getContext();
  Type narrow = ComplexType::get(Float32Type::get(context)),
       wide = ComplexType::get(Float64Type::get(context));
  return *selectOverload({{narrow}, {wide}}, argument.type) == 0 ? narrow
                                                                 : wide;
}

Binding FunctionLowering::evaluateComplex(const Intrinsic &intrinsic,
                                          ArrayRef<Binding> arguments,
                                          Type type, Location loc) {
  using namespace intrinsics;
  auto convertTo = [&](const Binding &binding, Type target) {
    return convert(binding.parts.front(), binding.type, target, loc);
  };
  /// The op that the table names.
  auto build = [&](Value operand, Type result) {
    OperationState state(loc, intrinsic.lowering);
    state.addOperands(operand);
    state.addTypes(result);
    return builder.create(state)->getResult(0);
  };
  switch (intrinsic.typing) {
  case ToComplex: {
    if (arguments.size() == 1)
      return convert(arguments[0], type, loc);
    Type part = getPartType(type);
    return {type,
            {makeComplex(convertTo(arguments[0], part),
                         convertTo(arguments[1], part), loc)}};
  }
  case ComplexUnary:
  case ComplexUnaryWide:
    return {type, {build(convertTo(arguments[0], type), type)}};
  case ComplexLog: {
    Value result = build(convertTo(arguments[0], type), type);
    if (arguments.size() == 2)
      result = pyk::ComplexDivOp::create(
          builder, loc, result, build(convertTo(arguments[1], type), type));
    return {type, {result}};
  }
  case ComplexPredicate: {
    Value number = convertTo(arguments[0], getComplexType(arguments[0]));
    Type boolean = builder.getI1Type();
    Value real = build(getReal(number, loc), boolean);
    Value imag = build(getImag(number, loc), boolean);
    bool needsBoth = intrinsic.name == "cmath.isfinite";
    return {type,
            {needsBoth
                 ? arith::AndIOp::create(builder, loc, real, imag).getResult()
                 : arith::OrIOp::create(builder, loc, real, imag).getResult()}};
  }
  case ComplexPhase:
  case ComplexPolar: {
    Value number = convertTo(arguments[0], getComplexType(arguments[0]));
    Type part = getPartType(number.getType());
    Binding phase{part, {complex::AngleOp::create(builder, loc, part, number)}};
    if (intrinsic.typing == ComplexPhase)
      return convert(phase, type, loc);
    Value size = complex::AbsOp::create(builder, loc, part, number);
    return convert(Binding{TupleType::get(context, {part, part}),
                           {size, phase.parts.front()}},
                   type, loc);
  }
  case ComplexRect: {
    Type part = getPartType(type);
    Value size = convertTo(arguments[0], part);
    Value angle = convertTo(arguments[1], part);
    return {type,
            {pyk::ComplexRectOp::create(builder, loc,
                                        makeComplex(size, angle, loc))}};
  }
  default:
    llvm_unreachable("a rule of complex numbers");
  }
}
