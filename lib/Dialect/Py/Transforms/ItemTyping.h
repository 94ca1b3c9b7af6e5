// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Items of tuples, of text and of whatever else has an index.

#ifndef PYK_LIB_DIALECT_PY_TRANSFORMS_ITEMTYPING_H
#define PYK_LIB_DIALECT_PY_TRANSFORMS_ITEMTYPING_H

#include "FunctionInference.h"

namespace pyk::py {

/// Types tuples and indexed values.
class ItemTyping : public InferencePart {
public:
  explicit ItemTyping(FunctionInference &inference)
      : InferencePart(inference) {}

  mlir::FailureOr<Fact> evaluate(SubscriptOp op);
  mlir::FailureOr<Fact> evaluate(TupleOp op);
  /// Emits an error unless `index`, one of `array.flat`, is an integer.
  mlir::LogicalResult checkFlatIndex(mlir::Value index);

private:
  mlir::FailureOr<Fact> getItem(SubscriptOp op, const Fact &tuple);
  mlir::FailureOr<Fact> getItems(SubscriptOp op, const Fact &tuple);
  mlir::FailureOr<Fact> getCharacter(SubscriptOp op, mlir::Type text);
};

} // namespace pyk::py

#endif // PYK_LIB_DIALECT_PY_TRANSFORMS_ITEMTYPING_H
