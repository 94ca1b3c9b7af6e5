// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The abstract interpreter: what is peculiar to complex numbers.

#include "Inference.h"
#include "pyk/Dialect/Py/IR/Chars.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Support/Diagnostics.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

Type py::getComplexResult(intrinsics::TypingRules rule,
                          ArrayRef<Type> arguments) {
  MLIRContext *context = arguments[0].getContext();
  SmallVector<SmallVector<Type, 3>> overloads;
  for (Type part :
       {Type(Float32Type::get(context)), Type(Float64Type::get(context))})
    overloads.emplace_back(arguments.size(), ComplexType::get(part));
  auto number =
      cast<ComplexType>(overloads[*selectOverload(overloads, arguments)][0]);
  Type part = number.getElementType();
  switch (rule) {
  case intrinsics::ComplexUnaryWide:
    return ComplexType::get(Float64Type::get(context));
  case intrinsics::ComplexPredicate:
    return IntegerType::get(context, 1);
  case intrinsics::ComplexPhase:
    return part;
  case intrinsics::ComplexPolar:
    return TupleType::get(context, {part, part});
  default:
    return number;
  }
}

LogicalResult FunctionInference::checkConvertible(Location loc, Type from,
                                                  Type to) {
  if (isa<TimeType>(from) || isa<TimeType>(to))
    return checkTime(loc, from, to);
  if (isText(from) || isText(to))
    return checkText(loc, from, to);
  if (!isComplex(from) || isComplex(to))
    return success();
  InFlightDiagnostic error = emitTypingError(loc);
  error << "cannot convert " << describe(from) << " to " << describe(to);
  error.attachNote()
      << (isBool(to) ? "bool(...) tells whether it is not 0"
                     : "take a part of it, .real or .imag, or abs(...)");
  return error;
}
