// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers of pyk that take a builder and nothing else.

#include "Scalars.h"
#include "ComplexNumbers.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

bool py::isUnsigned(Type type) {
  return type.isUnsignedInteger() || isBool(type);
}

Value py::makeInteger(OpBuilder &builder, int64_t value, Type type,
                      Location loc) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getIntegerAttr(type, value));
}

Value py::makeFloat(OpBuilder &builder, double value, Type type, Location loc) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getFloatAttr(type, value));
}

Value py::makeZero(OpBuilder &builder, Type type, Location loc) {
  // No path gives the array, so there is nothing to read.
  if (isa<ArrayType>(type))
    return ub::PoisonOp::create(builder, loc, type);
  if (auto number = dyn_cast<ComplexType>(type))
    return makeComplexConstant(builder, complex::NumberAttr::get(number, 0, 0),
                               loc);
  return arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
}

Binding py::makeUndefined(OpBuilder &builder, Type type, Location loc) {
  SmallVector<Type> parts;
  appendPartTypes(type, parts);
  Binding result{type, {}};
  for (Type part : parts)
    result.parts.push_back(makeZero(builder, part, loc));
  return result;
}

Value py::makeNot(OpBuilder &builder, Value truth, Location loc) {
  return builder.createOrFold<arith::XOrIOp>(
      loc, truth, makeInteger(builder, 1, builder.getI1Type(), loc));
}

static arith::CmpIPredicate getPredicate(CompareOperator kind,
                                         bool isUnsigned) {
  switch (kind) {
  case CompareOperator::Ne:
  case CompareOperator::IsNot:
    return arith::CmpIPredicate::ne;
  case CompareOperator::Lt:
    return isUnsigned ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt;
  case CompareOperator::Le:
    return isUnsigned ? arith::CmpIPredicate::ule : arith::CmpIPredicate::sle;
  case CompareOperator::Gt:
    return isUnsigned ? arith::CmpIPredicate::ugt : arith::CmpIPredicate::sgt;
  case CompareOperator::Ge:
    return isUnsigned ? arith::CmpIPredicate::uge : arith::CmpIPredicate::sge;
  default:
    return arith::CmpIPredicate::eq;
  }
}

Value py::compareIntegers(OpBuilder &builder, CompareOperator kind, Value a,
                          Value b, bool areUnsigned, Location loc) {
  return builder.createOrFold<arith::CmpIOp>(
      loc, getPredicate(kind, areUnsigned), a, b);
}
