// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The abstract interpreter: parts of arrays. What an index selects is decided
// by Indexing.h.

#include "ArrayTyping.h"
#include "OperandTyping.h"
#include "RecordFields.h"
#include "VariableTyping.h"
#include "pyk/Dialect/Py/IR/Indexing.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Support/Diagnostics.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

FailureOr<Fact> ArrayTyping::evaluate(SliceOp op) {
  SmallVector<Type, 3> types;
  for (OpOperand &operand : op->getOpOperands()) {
    types.push_back(inference.operands().getPlain(operand).type);
    if (!types.back())
      return Fact();
    if (!isReal(types.back()) && !isa<NoneType>(types.back()))
      return emitTypingError(operand.get().getLoc())
             << "expects integers as bounds of a slice but got "
             << describe(types.back());
  }
  auto step =
      dyn_cast_if_present<IntAttr>(inference.get(op.getStep()).constant);
  if (step && step.getValue().getValue().isZero())
    return emitTypingError(op.getStep().getLoc())
           << "expects the step of a slice to be other than 0";
  return makeTyped(SliceType::get(context, types[0], types[1], types[2]));
}

FailureOr<Type> ArrayTyping::getIndexed(Value index, ArrayType array) {
  SmallVector<Type> items = getIndexItems(inference.get(index).type);
  if (array.isPointer() && !(items.size() == 1 && isInteger(items.front())))
    return emitTypingError(index.getLoc())
           << "expects one integer as the index of " << describe(array)
           << ", a pointer, but got " << describe(inference.get(index).type);
  auto display = index.getDefiningOp<TupleOp>();
  for (auto [position, item] : llvm::enumerate(items)) {
    if (isIndexItem(item))
      continue;
    Location loc =
        display ? display.getItems()[position].getLoc() : index.getLoc();
    InFlightDiagnostic error = emitTypingError(loc);
    error << "expects integers and slices as indices of " << describe(array)
          << " but got " << describe(item);
    if (isReal(item)) {
      error.attachNote() << "convert it with int(...)";
      inference.variables().noteFloat(
          error, display ? display.getItems()[position] : index);
    } else if (isa<ArrayType>(item))
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

FailureOr<std::optional<unsigned>>
ArrayTyping::getIndexedField(Value index, ArrayType array) {
  RecordType record = array.getRecord();
  if (!record)
    return std::optional<unsigned>();
  Fact fact = inference.get(index);
  auto text = dyn_cast<StaticType>(fact.type);
  if (auto name = text ? dyn_cast<StringAttr>(text.getValue()) : StringAttr()) {
    if (std::optional<unsigned> position = record.find(name))
      return position;
    return emitUnknownField(index.getLoc(), array, name);
  }
  if (!array.isRecord() || !isInteger(fact.type))
    return std::optional<unsigned>();
  Attribute known = fact.constant ? fact.constant
                                  : inference.getBranches().getConstant(index);
  auto number = dyn_cast_if_present<IntAttr>(known);
  if (!number)
    return emitTypingError(index.getLoc())
           << "expects a constant or a name as index of " << describe(array)
           << ", whose fields differ in type";
  int64_t size = record.getFields().size();
  int64_t position = number.getValue().getValue().getSExtValue();
  if (position < -size || position >= size)
    return emitTypingError(index.getLoc())
           << "expects the number of a field from " << -size << " to "
           << size - 1 << " for " << describe(array) << " but got " << position;
  return std::optional<unsigned>(position + (position < 0 ? size : 0));
}

FailureOr<Type> ArrayTyping::getSelected(Operation *op, Value index,
                                         ArrayType array) {
  FailureOr<std::optional<unsigned>> field = getIndexedField(index, array);
  if (failed(field))
    return failure();
  inference.getAnnotations().setPosition(op, *field);
  if (!*field)
    return getIndexed(index, array);
  return getField(op->getLoc(), array, **field);
}
