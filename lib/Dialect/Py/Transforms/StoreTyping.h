// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What may be stored in arrays and records.

#ifndef PYK_LIB_DIALECT_PY_TRANSFORMS_STORETYPING_H
#define PYK_LIB_DIALECT_PY_TRANSFORMS_STORETYPING_H

#include "FunctionInference.h"
#include "pyk/Dialect/Pyk/IR/PykTypes.h"

namespace pyk::py {

/// True if extents of `value`, at the end of those of `target`, can be theirs.
bool canBroadcast(ArrayType value, ArrayType target);

/// Emits an error at `loc` unless `array` can be written.
mlir::LogicalResult checkWritable(mlir::Location loc, ArrayType array);

/// Types assignments to elements and fields.
class StoreTyping : public InferencePart {
public:
  explicit StoreTyping(FunctionInference &inference)
      : InferencePart(inference) {}

  mlir::LogicalResult interpret(SetSubscriptOp op);
  mlir::LogicalResult interpret(SetAttributeOp op);

private:
  mlir::LogicalResult checkStore(mlir::Value value, ArrayType object,
                                 mlir::Type target);
};

} // namespace pyk::py

#endif // PYK_LIB_DIALECT_PY_TRANSFORMS_STORETYPING_H
