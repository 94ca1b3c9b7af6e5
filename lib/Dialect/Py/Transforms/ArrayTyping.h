// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts of arrays, as an index selects them.

#ifndef PYK_LIB_DIALECT_PY_TRANSFORMS_ARRAYTYPING_H
#define PYK_LIB_DIALECT_PY_TRANSFORMS_ARRAYTYPING_H

#include "FunctionInference.h"
#include "pyk/Dialect/Pyk/IR/PykTypes.h"

namespace pyk::py {

/// Types what indices select of arrays and records.
class ArrayTyping : public InferencePart {
public:
  explicit ArrayTyping(FunctionInference &inference)
      : InferencePart(inference) {}

  mlir::FailureOr<Fact> evaluate(SliceOp op);
  /// The elements of `array` that `index` selects, or the one.
  mlir::FailureOr<mlir::Type> getIndexed(mlir::Value index, ArrayType array);
  /// What `index` selects of `array`, for `op`: a field, elements, one element.
  mlir::FailureOr<mlir::Type> getSelected(mlir::Operation *op,
                                          mlir::Value index, ArrayType array);

private:
  mlir::FailureOr<std::optional<unsigned>> getIndexedField(mlir::Value index,
                                                           ArrayType array);
};

} // namespace pyk::py

#endif // PYK_LIB_DIALECT_PY_TRANSFORMS_ARRAYTYPING_H
