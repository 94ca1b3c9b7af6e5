// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The abstract interpreter: parts of arrays, stores into them, their attributes
// and methods. What an index selects is decided by Indexing.h.

#include "Inference.h"
#include "pyk/Dialect/Py/IR/Chars.h"
#include "pyk/Dialect/Py/IR/Indexing.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Dialect/Py/IR/Static.h"
#include "pyk/Dialect/Py/IR/Vectors.h"
#include "pyk/Dialect/Pyk/IR/PykTypes.h"
#include "pyk/Support/Diagnostics.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

FailureOr<Fact> FunctionInference::evaluate(SliceOp op) {
  SmallVector<Type, 3> types;
  for (OpOperand &operand : op->getOpOperands()) {
    types.push_back(getPlain(operand).type);
    if (!types.back())
      return Fact();
    if (!isReal(types.back()) && !isa<NoneType>(types.back()))
      return emitTypingError(operand.get().getLoc())
             << "expects integers as bounds of a slice but got "
             << describe(types.back());
  }
  auto step = dyn_cast_if_present<IntAttr>(get(op.getStep()).constant);
  if (step && step.getValue().getValue().isZero())
    return emitTypingError(op.getStep().getLoc())
           << "expects the step of a slice to be other than 0";
  return makeTyped(SliceType::get(context, types[0], types[1], types[2]));
}

FailureOr<Type> FunctionInference::getIndexed(Value index, ArrayType array) {
  SmallVector<Type> items = getIndexItems(get(index).type);
  if (array.isPointer() && !(items.size() == 1 && isInteger(items.front())))
    return emitTypingError(index.getLoc())
           << "expects one integer as the index of " << describe(array)
           << ", a pointer, but got " << describe(get(index).type);
  auto display = index.getDefiningOp<TupleOp>();
  for (auto [position, item] : llvm::enumerate(items)) {
    if (isIndexItem(item))
      continue;
    Location loc =
        display ? display.getItems()[position].getLoc() : index.getLoc();
    InFlightDiagnostic error = emitTypingError(loc);
    error << "expects integers and slices as indices of " << describe(array)
          << " but got " << describe(item);
    if (isReal(item))
      error.attachNote() << "convert it with int(...)";
    else if (isa<ArrayType>(item))
      error.attachNote() << "an array cannot be an index; loop over its items";
    return error;
  }
  if (llvm::count_if(items, isEllipsis) > 1)
    return emitTypingError(index.getLoc())
           << "expects at most one '...' in the index of an array";
  int64_t rank = array.getRank(), given = countNamed(items);
  if (given > rank)
    return emitTypingError(index.getLoc())
           << "expects at most " << rank << (rank == 1 ? " index" : " indices")
           << " for " << describe(array) << " but got " << given;
  return indexArray(array, items).result;
}

bool py::canBroadcast(ArrayType value, ArrayType target) {
  ArrayRef<int64_t> extents = value.getShape();
  return llvm::all_of_zip(extents, target.getShape().take_back(extents.size()),
                          [](int64_t extent, int64_t wanted) {
                            return ShapedType::isDynamic(extent) ||
                                   ShapedType::isDynamic(wanted) ||
                                   extent == wanted || extent == 1;
                          });
}

LogicalResult py::checkWritable(Location loc, ArrayType array) {
  if (!array.isReadOnly())
    return success();
  return emitTypingError(loc)
         << "expects " << (array.isRecord() ? "a record" : "an array")
         << " that can be written but got "
         << (array.getReadonly() ? describe(array) : "one in constant memory");
}

/// What `type` is, or what its elements are, if they are records.
static RecordType getRecordOf(Type type) {
  auto array = dyn_cast<ArrayType>(type);
  return array ? array.getRecord() : RecordType();
}

LogicalResult FunctionInference::checkStore(Value stored, ArrayType object,
                                            Type target) {
  Type value = get(stored).type;
  RecordType record = getRecordOf(target);
  if (auto vector = dyn_cast<ShortVectorType>(value);
      vector && record && isRecordOf(record, vector))
    return success();
  if (record != getRecordOf(value)) {
    InFlightDiagnostic error = emitTypingError(stored.getLoc());
    if (record)
      return error << "expects " << describe(record) << " to store in "
                   << describe(object) << " but got " << describe(value);
    error << "expects a number to store in " << describe(object) << " but got "
          << describe(value);
    error.attachNote() << "a number is in a field of it";
    return error;
  }
  auto view = dyn_cast<ArrayType>(target);
  Type element = view ? view.getElementType() : target;
  // A text is stored in text alone, and a number in anything else.
  auto isItem = [&](Type type) {
    return isNumberOrTime(type) || isa<Float8Type>(type) ||
           (isText(type) && isText(element)) ||
           (isa<ShortVectorType>(type) && isa<ShortVectorType>(element));
  };
  if (isItem(value))
    return checkConvertible(stored.getLoc(), value, element);
  int64_t rank = view ? view.getRank() : 0;
  if (auto tuple = dyn_cast<TupleType>(value); tuple && rank == 1) {
    int64_t length = tuple.size();
    int64_t extent = view.getShape().front();
    if (extent != ArrayType::kDynamic && extent != length)
      return emitTypingError(stored.getLoc())
             << "cannot store a tuple of " << length << " items in "
             << describe(view) << ", which has " << extent;
    for (Type item : tuple.getTypes()) {
      if (!isItem(item))
        return emitTypingError(stored.getLoc())
               << "expects a tuple of numbers to store in " << describe(object)
               << " but got " << describe(value);
      if (failed(checkConvertible(stored.getLoc(), item, element)))
        return failure();
    }
    return success();
  }
  auto source = dyn_cast<ArrayType>(value);
  if (isa<ShortVectorType>(value))
    return checkVector(stored.getLoc(), value, element);
  if (!source || (rank == 0 && source.getRank() != 0))
    return emitTypingError(stored.getLoc())
           << (view ? "expects a number or an array to store in "
                    : "expects a number to store in ")
           << describe(object) << " but got " << describe(value);
  if (source.getRank() > rank)
    return emitTypingError(stored.getLoc())
           << "expects an array of at most " << rank
           << (rank == 1 ? " dimension" : " dimensions") << " to store in "
           << describe(target) << " but got " << describe(value);
  if (view && !canBroadcast(source, view)) {
    InFlightDiagnostic error = emitTypingError(stored.getLoc());
    error << "cannot store an array of shape (";
    llvm::interleaveComma(source.getShape(), error);
    error << ") in one of shape (";
    llvm::interleaveComma(view.getShape(), error);
    return error << ")";
  }
  return checkConvertible(stored.getLoc(), source.getElementType(), element);
}
