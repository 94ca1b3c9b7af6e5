// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What values are computed from, within a loop or function.

#ifndef PYK_LIB_DIALECT_PYK_TRANSFORMS_SLICES_H
#define PYK_LIB_DIALECT_PYK_TRANSFORMS_SLICES_H

#include "pyk/Dialect/Pyk/Analysis/UnderlyingObjects.h"
#include "pyk/Dialect/Pyk/IR/PykFuncOps.h"

namespace pyk {

using Read = Reached;
using Write = Reached;

/// True if `value` is computed within `scope`, not handed in.
bool isWithin(mlir::Value value, mlir::Operation *scope);

/// The values within a loop or function that some others are computed from.
struct Slice {
  llvm::SetVector<mlir::Value> values;
  /// The elements that are read, also in functions called.
  llvm::SmallVector<Read> reads;
};

/// Computes slices. Those of functions are computed once.
class Slicer {
public:
  explicit Slicer(UnderlyingObjects &objects) : objects(objects) {}

  Slice slice(mlir::Operation *scope, llvm::ArrayRef<mlir::Value> start);

private:
  void followRead(mlir::Operation *read, mlir::Value array,
                  llvm::ArrayRef<Write> writes, Slice &slice);
  void followCall(CallOp call, Slice &slice);
  llvm::ArrayRef<Read> getCalleeReads(FuncOp callee);

  UnderlyingObjects &objects;
  /// What results depend on; nothing for a function under way.
  llvm::DenseMap<mlir::Operation *, std::unique_ptr<llvm::SmallVector<Read>>>
      calleeReads;
};

} // namespace pyk

#endif // PYK_LIB_DIALECT_PYK_TRANSFORMS_SLICES_H
