// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fields of records in arrays.

#ifndef PYK_LIB_CONVERSION_PYTOPYK_RECORDS_H
#define PYK_LIB_CONVERSION_PYTOPYK_RECORDS_H

#include "FunctionLowering.h"

namespace pyk::py {

/// Lowers what reads and sets fields of records.
class RecordLowering : public LoweringPart {
public:
  using LoweringPart::LoweringPart;

  void lower(SetAttributeOp op);
  /// The record at `indices`, as the array without dimensions that lies there.
  mlir::Value getRecord(mlir::Value array, mlir::ValueRange indices,
                        mlir::Location loc);
  /// What the field at `position` holds; of several records, an array.
  Binding getField(const Binding &records, unsigned position,
                   mlir::Location loc);
  /// Stores `value` into that field of all `records`.
  void setField(const Binding &value, const Binding &records, unsigned position,
                mlir::Location loc);
};

} // namespace pyk::py

#endif // PYK_LIB_CONVERSION_PYTOPYK_RECORDS_H
