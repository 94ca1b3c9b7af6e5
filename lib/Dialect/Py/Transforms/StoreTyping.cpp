// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The abstract interpreter: stores into arrays and records.

#include "StoreTyping.h"
#include "ArrayTyping.h"
#include "Conversions.h"
#include "ItemTyping.h"
#include "OperandTyping.h"
#include "RecordFields.h"
#include "pyk/Dialect/Py/IR/Chars.h"
#include "pyk/Dialect/Py/IR/Indexing.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Dialect/Py/IR/Times.h"
#include "pyk/Dialect/Py/IR/Vectors.h"
#include "pyk/Support/Diagnostics.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

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

LogicalResult StoreTyping::checkStore(Value stored, ArrayType object,
                                      Type target) {
  Type value = inference.get(stored).type;
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

LogicalResult StoreTyping::interpret(SetSubscriptOp op) {
  OperandTyping &operands = inference.operands();
  Fact value = operands.getPlain(op.getValueMutable()),
       object = operands.getPlain(op.getObjectMutable()),
       index = operands.getIndex(op.getIndexMutable());
  if (!value.type || !object.type || !index.type)
    return success();
  if (auto flat = dyn_cast<FlatType>(object.type)) {
    auto array = cast<ArrayType>(flat.getArray());
    if (failed(checkWritable(op.getLoc(), array)) ||
        failed(inference.items().checkFlatIndex(op.getIndex())))
      return failure();
    return checkStore(op.getValue(), array, array.getElement());
  }
  auto array = dyn_cast<ArrayType>(object.type);
  if (!array)
    return emitTypingError(op.getLoc())
           << "expects an array to assign to an element of but got "
           << describe(object.type);
  if (failed(checkWritable(op.getLoc(), array)))
    return failure();
  if (findArrayItem(index.type, array)) {
    value = operands.getElement(op.getValueMutable());
    if (isNumberOrTime(value.type) || isText(value.type))
      return checkStore(op.getValue(), array, array.getElementType());
    return emitTypingError(op.getValue().getLoc())
           << "expects a number to store where an array says but got "
           << describe(value.type);
  }
  FailureOr<Type> target =
      inference.arrays().getSelected(op, op.getIndex(), array);
  return failed(target) ? failure() : checkStore(op.getValue(), array, *target);
}

LogicalResult StoreTyping::interpret(SetAttributeOp op) {
  Fact value = inference.operands().getPlain(op.getValueMutable()),
       object = inference.operands().getPresent(op.getObjectMutable());
  if (!value.type || !object.type)
    return success();
  auto array = dyn_cast<ArrayType>(object.type);
  std::optional<unsigned> position =
      array ? getAttributeField(array, op.getName()) : std::nullopt;
  if (!position && array && array.isRecord())
    return emitUnknownField(op.getLoc(), array, op.getName());
  if (!position)
    return emitTypingError(op.getLoc())
           << "cannot assign to attribute '" << op.getName() << "' of "
           << describe(object.type);
  FailureOr<Type> target = getField(op.getLoc(), array, *position);
  if (failed(target) || failed(checkWritable(op.getLoc(), array)))
    return failure();
  return checkStore(op.getValue(), array, *target);
}
