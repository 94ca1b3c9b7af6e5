// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Items of values, one by one.

#ifndef PYK_LIB_DIALECT_PY_TRANSFORMS_UNPACKTYPING_H
#define PYK_LIB_DIALECT_PY_TRANSFORMS_UNPACKTYPING_H

#include "FunctionInference.h"

namespace pyk::py {

/// Types unpacking, and expands what has a star.
class UnpackTyping : public InferencePart {
public:
  explicit UnpackTyping(FunctionInference &inference)
      : InferencePart(inference) {}

  void interpret(UnpackOp op);
  /// Replaces the operands at the positions `starred` by their items. Yields
  /// false if it is not known yet how many they are.
  mlir::FailureOr<bool> expandStarred(mlir::MutableOperandRange operands,
                                      mlir::DenseI64ArrayAttr starred);

private:
  void interpretStarred(UnpackOp op);
};

} // namespace pyk::py

#endif // PYK_LIB_DIALECT_PY_TRANSFORMS_UNPACKTYPING_H
