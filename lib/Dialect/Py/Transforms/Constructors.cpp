// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of classes: what the values are that they make.

#include "Constructors.h"
#include "Binding.h"
#include "Conversions.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Dialect/Py/IR/Times.h"
#include "pyk/Dialect/Py/IR/Vectors.h"
#include "pyk/Dialect/Py/IR/Wrappers.h"
#include "pyk/Support/Diagnostics.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

FailureOr<Fact> py::makeNumber(CallOp op, Type target,
                               ArrayRef<Fact> arguments) {
  if (arguments.size() == 1 && (isNumberOrTime(arguments[0].type) ||
                                isa<Float8Type>(arguments[0].type))) {
    Type own = arguments[0].type;
    bool isTruth = isBool(target) && isScalar(own);
    if (!isTruth && !isCount(own, target) &&
        failed(checkConvertible(op.getInputs()[0].getLoc(), own, target)))
      return failure();
    return makeTyped(target);
  }
  InFlightDiagnostic error = emitTypingError(op.getLoc());
  error << "expects one number to convert to " << describe(target)
        << " but got ";
  if (arguments.size() == 1)
    error << describe(arguments[0].type);
  else
    error << arguments.size() << " arguments";
  return error;
}

FailureOr<Fact> py::makeVector(CallOp op, ShortVectorType vector,
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

FailureOr<Fact> py::makeNamedTuple(CallOp op, NamedTupleClassAttr own,
                                   ArrayRef<Fact> arguments) {
  MLIRContext *context = op.getContext();
  StringRef name = getShortName(own.getName());
  auto names =
      llvm::map_to_vector(own.getFields().getAsRange<StringAttr>(),
                          [](StringAttr field) { return field.getValue(); });
  FailureOr<Bound> bound =
      bindArguments(op, name, names, arguments, 0, std::nullopt);
  if (failed(bound))
    return failure();
  for (auto [field, fact, value, given] :
       llvm::zip_equal(names, bound->facts, bound->values, own.getDefaults())) {
    if (value)
      continue;
    if (isa<UnitAttr>(given))
      return emitTypingError(op.getLoc())
             << "'" << name << "' is called without argument '" << field << "'";
    fact = makeConstant(given);
  }
  Fact result = makeTuple(context, bound->facts);
  result.type = NamedTupleType::get(context, own.getName(), own.getFields(),
                                    cast<TupleType>(result.type));
  return result;
}
