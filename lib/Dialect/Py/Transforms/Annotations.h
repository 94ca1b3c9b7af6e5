// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What inference writes into the IR besides the types of values.

#ifndef PYK_LIB_DIALECT_PY_TRANSFORMS_ANNOTATIONS_H
#define PYK_LIB_DIALECT_PY_TRANSFORMS_ANNOTATIONS_H

#include "Branches.h"

namespace pyk::py {

/// What walks have found of operations. Later walks replace what they find
/// anew.
class Annotations {
public:
  /// Which way the only test of `loop` goes, if it goes only one.
  void setTaken(WhileOp loop, std::optional<bool> way) { taken[loop] = way; }
  /// The types of the variables that control carries: into the arms of a
  /// branch or around a loop, into the `else` of a loop, and past it.
  void setSlots(mlir::Operation *op, mlir::DictionaryAttr types) {
    slots[op] = types;
  }
  void setElseSlots(mlir::Operation *loop, mlir::DictionaryAttr types) {
    elseSlots[loop] = types;
  }
  void setAfter(mlir::Operation *loop, mlir::DictionaryAttr types) {
    after[loop] = types;
  }
  /// The item of a tuple or the field of a record that an index names, if it
  /// names one.
  void setPosition(mlir::Operation *op, std::optional<int64_t> position);
  /// Positions of the items that a slice takes of a tuple, or the order in
  /// which a method takes dimensions.
  void setSelection(mlir::Operation *op, mlir::ArrayRef<int64_t> order) {
    selections[op].assign(order.begin(), order.end());
  }
  /// The specialized function that `op` calls.
  void setTarget(mlir::Operation *op, FuncOp target) { targets[op] = target; }
  /// What the address of the array that `op` makes is a multiple of, in bytes.
  void setAlignment(CallOp op, int64_t bytes) { alignments[op] = bytes; }
  /// What `op`, a call of an intrinsic, converts its arguments to and what it
  /// yields then.
  void setSignature(CallOp op, mlir::FunctionType signature) {
    signatures[op] = signature;
  }

  /// Writes down what was found of `op`, and what `branches` say of it.
  void write(mlir::Operation *op, const Branches &branches) const;

private:
  llvm::DenseMap<mlir::Operation *, std::optional<bool>> taken;
  llvm::DenseMap<mlir::Operation *, mlir::DictionaryAttr> slots, elseSlots,
      after;
  llvm::DenseMap<mlir::Operation *, int64_t> positions, alignments;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<int64_t>> selections;
  llvm::DenseMap<mlir::Operation *, FuncOp> targets;
  llvm::DenseMap<mlir::Operation *, mlir::FunctionType> signatures;
};

} // namespace pyk::py

#endif // PYK_LIB_DIALECT_PY_TRANSFORMS_ANNOTATIONS_H
