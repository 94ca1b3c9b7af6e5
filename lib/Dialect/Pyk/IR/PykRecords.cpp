// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verification of the ops on records.

#include "pyk/Dialect/Pyk/IR/PykOps.h"

using namespace mlir;
using namespace pyk;

void FieldOp::build(OpBuilder &builder, OperationState &state, Value array,
                    unsigned position) {
  auto type = cast<ArrayType>(array.getType());
  build(builder, state, type.getFieldType(position), array,
        type.getRecord().getFields()[position].getName());
}

FieldAttr FieldOp::getField() {
  RecordType record = getArray().getType().getRecord();
  return record.getFields()[*record.find(getName())];
}

LogicalResult FieldOp::verify() {
  // field_c1
  ArrayType source = getArray().getType();
  RecordType record = source.getRecord();
  std::optional<unsigned> position =
      record ? record.find(getName()) : std::nullopt;
  if (!position || !ArrayType::isElement(getField().getType()))
    return emitOpError("expects records with a field of numbers or records '")
           << getName() << "' but got " << source;
  // field_c2, field_c3
  ArrayType expected = source.getFieldType(*position);
  if (getType() != expected)
    return emitOpError("expects a field of type ")
           << expected << " but got " << getType();
  return success();
}

LogicalResult CopyRecordOp::verify() {
  ArrayType source = getSource().getType(), target = getTarget().getType();
  // copy_record_c1
  if (!source.isRecord() || !target.isRecord() ||
      source.getRecord() != target.getRecord())
    return emitOpError("expects two records of one type but got ")
           << source << " and " << target;
  // copy_record_c2
  if (target.isReadOnly())
    return emitOpError("expects a record that can be written but got ")
           << target;
  return success();
}
