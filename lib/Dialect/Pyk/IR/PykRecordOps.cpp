// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Records: fields, verification.

#include "pyk/Dialect/Pyk/IR/PykRecordOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace pyk;

#define GET_OP_CLASSES
#include "pyk/Dialect/Pyk/IR/PykRecordOps.cpp.inc"

void PykDialect::registerRecordOps() {
  addOperations<
#define GET_OP_LIST
#include "pyk/Dialect/Pyk/IR/PykRecordOps.cpp.inc"
      >();
}

void FieldOp::build(OpBuilder &builder, OperationState &state, Value array,
                    unsigned position) {
  auto type = cast<ArrayType>(array.getType());
  build(builder, state, type.getFieldType(position), array,
        type.getFields()[position].getName());
}

FieldAttr FieldOp::getField() {
  SmallVector<FieldAttr> fields = getArray().getType().getFields();
  auto *found = llvm::find_if(
      fields, [&](FieldAttr field) { return field.getName() == getName(); });
  return found == fields.end() ? FieldAttr() : *found;
}

/// After the dimensions of the records come those within each.
ViewedDimension FieldOp::getViewedDimension(int64_t dimension) {
  ViewedDimension from;
  int64_t rank = getArray().getType().getRank();
  if (dimension < rank) {
    from.extent = from.stride = dimension;
    return from;
  }
  FieldAttr field = getField();
  from.bytes = ArrayType::getBytes(field.getType());
  for (int64_t inner : field.getShape().drop_front(dimension - rank + 1))
    from.bytes *= inner;
  return from;
}

LogicalResult FieldOp::verify() {
  // field_c1
  ArrayType source = getArray().getType();
  FieldAttr field = getField();
  if (!field || !ArrayType::isElement(field.getType()))
    return emitOpError("expects records with a field of numbers or records '")
           << getName() << "' but got " << source;
  // field_c2, field_c3
  SmallVector<FieldAttr> fields = source.getFields();
  unsigned position = llvm::find(fields, field) - fields.begin();
  ArrayType expected = source.getFieldType(position);
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
