// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fields of records, and records as elements. A record is the array without
// dimensions that lies where it does, so that assigning to its fields changes
// the array that it is taken from.

#include "Records.h"
#include "Arrays.h"
#include "pyk/Dialect/Py/IR/Indexing.h"
#include "pyk/Dialect/Pyk/IR/PykRecordOps.h"
#include "pyk/Dialect/Pyk/IR/PykViewOps.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

Value RecordLowering::getRecord(Value array, ValueRange indices, Location loc) {
  if (indices.empty())
    return array;
  SmallVector<Axis> axes(indices.size(), Axis::Index);
  return pyk::ViewOp::create(builder, loc, array, indices, axes, Layout::C);
}

Binding RecordLowering::getField(const Binding &records, unsigned position,
                                 Location loc) {
  auto array = cast<ArrayType>(records.type);
  Binding field{
      array.getFieldType(position),
      {pyk::FieldOp::create(builder, loc, records.parts.front(), position)}};
  Type value = getFieldValue(array, position);
  return isa<ArrayType>(value) ? field : lowering.arrays().load(field, {}, loc);
}

void RecordLowering::setField(const Binding &value, const Binding &records,
                              unsigned position, Location loc) {
  Type element =
      cast<ArrayType>(records.type).getFieldType(position).getElementType();
  lowering.arrays().store(
      value,
      pyk::FieldOp::create(builder, loc, records.parts.front(), position),
      element, loc);
}

void RecordLowering::lower(SetAttributeOp op) {
  if (isComputedInplace(op.getValue()))
    return;
  const Binding records = lowering.get(op.getObject());
  setField(lowering.get(op.getValue()), records,
           *getAttributeField(cast<ArrayType>(records.type), op.getName()),
           op.getLoc());
}
