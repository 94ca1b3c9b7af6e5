// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The abstract interpreter: fields of records. A record is an array without
// dimensions, and its fields are arrays of one dimension less than those of an
// array of records.

#include "Inference.h"
#include "pyk/Dialect/Py/IR/Indexing.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Support/Diagnostics.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

/// Most dimensions that an array has.
static constexpr int64_t kMaxRank = 32;

FailureOr<Type> FunctionInference::getField(Location loc, ArrayType records,
                                            unsigned position) {
  FieldAttr field = records.getRecord().getFields()[position];
  if (isa<NoneType>(field.getType()))
    return emitTypingError(loc)
           << "field '" << field.getName() << "' of " << describe(records)
           << " is of a kind that a kernel cannot use";
  int64_t rank =
      records.getRank() + static_cast<int64_t>(field.getShape().size());
  if (rank > kMaxRank)
    return emitTypingError(loc)
           << "expects at most " << kMaxRank << " dimensions but field '"
           << field.getName() << "' of " << describe(records) << " has "
           << rank;
  return getFieldValue(records, position);
}

InFlightDiagnostic FunctionInference::emitUnknownField(Location loc,
                                                       ArrayType records,
                                                       StringRef name) {
  InFlightDiagnostic error = emitTypingError(loc);
  error << describe(records) << " has no field '" << name << "'";
  auto names =
      llvm::map_to_vector(records.getRecord().getFields(),
                          [](FieldAttr field) { return field.getName(); });
  StringRef nearest = findNearest(name, names);
  if (!nearest.empty())
    error.attachNote() << "did you mean '" << nearest << "'?";
  Diagnostic &note = error.attachNote() << "its fields are ";
  llvm::interleaveComma(names, note,
                        [&](StringRef own) { note << "'" << own << "'"; });
  return error;
}

FailureOr<std::optional<unsigned>>
FunctionInference::getIndexedField(Value index, ArrayType array) {
  RecordType record = array.getRecord();
  if (!record)
    return std::optional<unsigned>();
  Fact fact = get(index);
  auto text = dyn_cast<StaticType>(fact.type);
  if (auto name = text ? dyn_cast<StringAttr>(text.getValue()) : StringAttr()) {
    if (std::optional<unsigned> position = record.find(name))
      return position;
    return emitUnknownField(index.getLoc(), array, name);
  }
  if (!array.isRecord() || !isInteger(fact.type))
    return std::optional<unsigned>();
  Attribute known = fact.constant ? fact.constant : branches.getConstant(index);
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

FailureOr<Type> FunctionInference::getSelected(Operation *op, Value index,
                                               ArrayType array) {
  FailureOr<std::optional<unsigned>> field = getIndexedField(index, array);
  if (failed(field))
    return failure();
  positions.erase(op);
  if (!*field)
    return getIndexed(index, array);
  positions[op] = **field;
  return getField(op->getLoc(), array, **field);
}

LogicalResult FunctionInference::interpret(SetAttributeOp op) {
  Fact value = getPlain(op.getValueMutable()),
       object = getPresent(op.getObjectMutable());
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
