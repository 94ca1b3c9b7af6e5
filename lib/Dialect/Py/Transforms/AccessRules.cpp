// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The abstract interpreter: functions of cuda that access an element.

#include "ArrayTyping.h"
#include "Conversions.h"
#include "IntrinsicTyping.h"
#include "StoreTyping.h"
#include "pyk/Dialect/Py/IR/Indexing.h"
#include "pyk/Support/Diagnostics.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

FailureOr<ArrayType> py::expectArray(IntrinsicCall &call) {
  if (auto array = dyn_cast<ArrayType>(call.types[0]))
    return array;
  return emitTypingError(call.locate(0))
         << "'" << call.row.name << "' expects an array but got "
         << describe(call.types[0]);
}

LogicalResult py::expectElement(IntrinsicCall &call, ArrayType array) {
  // Numbers of any type are converted, as in Numba.
  SmallVector<Type> items = getIndexItems(call.types[1]);
  if (items.size() == static_cast<size_t>(array.getRank()) &&
      llvm::all_of(items, isReal))
    return success();
  Value index = call.op.getInputs()[1];
  FailureOr<Type> element = call.inference.arrays().getIndexed(index, array);
  if (failed(element))
    return failure();
  if (isa<ArrayType>(*element))
    return emitTypingError(index.getLoc())
           << "'" << call.row.name << "' expects the index of an element of "
           << describe(array) << " but got " << describe(call.types[1]);
  return success();
}

LogicalResult py::expectNumber(IntrinsicCall &call, size_t position,
                               ArrayType array) {
  Location loc = call.locate(position);
  Type type = call.types[position];
  if (!isScalar(type))
    return emitTypingError(loc)
           << "'" << call.row.name << "' expects a number but got "
           << describe(type);
  return checkConvertible(loc, type, array.getElementType());
}

/// The array of a call with a hint for caches, checked.
static FailureOr<ArrayType> expectHinted(IntrinsicCall &call) {
  FailureOr<ArrayType> array = expectArray(call);
  if (failed(array))
    return failure();
  StringRef name = call.row.name;
  Location loc = call.locate(0);
  Space space = array->getSpace();
  if (space != Space::Global && space != Space::Generic)
    return emitTypingError(loc)
           << "'" << name << "' expects an array in global memory but got "
           << describe(*array);
  Type element = array->getElementType();
  if (!isInteger(element) && !isa<FloatType>(element) &&
      !element.isInteger(1)) {
    InFlightDiagnostic error = emitTypingError(loc);
    error << "'" << name << "' cannot work on " << describe(*array);
    error.attachNote() << "its elements must be integers, bool or floats";
    return error;
  }
  if (array->getAlignment() < array->getElementBytes())
    return emitTypingError(loc)
           << "'" << name << "' cannot work on fields of packed records";
  if (failed(expectElement(call, *array)))
    return failure();
  return *array;
}

static FailureOr<Fact> inferHintedLoad(IntrinsicCall &call) {
  FailureOr<ArrayType> array = expectHinted(call);
  if (failed(array))
    return failure();
  return makeTyped(array->getElementType());
}

static FailureOr<Fact> inferHintedStore(IntrinsicCall &call) {
  FailureOr<ArrayType> array = expectHinted(call);
  if (failed(array) || failed(checkWritable(call.locate(0), *array)) ||
      failed(expectNumber(call, 2, *array)))
    return failure();
  return makeTyped(NoneType::get(call.context));
}

void py::addAccessRules(TypingRules &rules) {
  using intrinsics::TypingRule;
  rules.add(TypingRule::HintedLoad, inferHintedLoad);
  rules.add(TypingRule::HintedStore, inferHintedStore);
}
