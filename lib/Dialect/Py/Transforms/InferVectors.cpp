// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The abstract interpreter: what is peculiar to CUDA's vectors.

#include "IntrinsicTyping.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Dialect/Py/IR/Vectors.h"
#include "pyk/Support/Diagnostics.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

FailureOr<Fact> FunctionInference::makeVector(CallOp op, ShortVectorType vector,
                                              ArrayRef<Fact> arguments) {
  if (op.getKeywords())
    return emitTypingError(op.getInputs().back().getLoc())
           << "'" << describe(vector) << "' takes no keywords";
  size_t count = 0;
  for (auto [argument, value] : llvm::zip_equal(arguments, op.getInputs())) {
    SmallVector<Type> components = getComponents(argument.type);
    if (components.empty())
      return emitTypingError(value.getLoc())
             << "'" << describe(vector) << "' expects numbers, vectors and "
             << "records of numbers but got " << describe(argument.type);
    count += components.size();
  }
  if (count != vector.getLength())
    return emitTypingError(op.getLoc())
           << "'" << describe(vector) << "' expects " << vector.getLength()
           << (vector.getLength() == 1 ? " component" : " components")
           << " in all but got " << count;
  return makeTyped(vector);
}

LogicalResult FunctionInference::checkVector(Location loc, Type from, Type to) {
  if (from == to)
    return success();
  InFlightDiagnostic error = emitTypingError(loc);
  error << "cannot convert " << describe(from) << " to " << describe(to);
  if (isa<ShortVectorType>(to))
    error.attachNote() << "make one with " << describe(to) << "(...)";
  else
    error.attachNote() << "take a component of it, such as .x";
  return error;
}

static FailureOr<Fact> inferComponent(AttributeRead &read) {
  auto vector = cast<ShortVectorType>(read.object.type);
  if (read.getNumber("component") < vector.getLength())
    return makeTyped(vector.getBase());
  return read.inference.emitUnknownAttribute(read.op, vector);
}

void py::addVectorTyping(TypingRules &rules) {
  rules.add(intrinsics::TypingRule::VectorComponent, inferComponent);
}
