// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which arrays of the whole program an array may be: through views, control
// flow and calls.

#ifndef PYK_DIALECT_PYK_ANALYSIS_UNDERLYINGOBJECTS_H
#define PYK_DIALECT_PYK_ANALYSIS_UNDERLYINGOBJECTS_H

#include "pyk/Dialect/Pyk/IR/PykFuncOps.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"

namespace pyk {

/// The array whose memory `value` is a view of; null if it is no view.
mlir::Value getViewedArray(mlir::Value value);

/// The array that `array` is a part of, through all views of its function.
mlir::Value getWholeArray(mlir::Value array);

/// The array that `op` writes to; null if it writes to none.
mlir::Value getStoredArray(mlir::Operation *op);

/// The arrays of which `op`, a store or a call of a foreign function, may write
/// elements.
llvm::SmallVector<mlir::Value> getStoredArrays(mlir::Operation *op);

/// An access of a function, or of what it calls.
struct Reached {
  mlir::Operation *op;
  /// The array that `op` accesses, as far as known to the caller.
  mlir::Value array;
  /// `op`, or the call in the function at hand that leads to it.
  mlir::Operation *site;
};

/// Which arrays the functions of a module store to, and what values that come
/// from calls may be.
class UnderlyingObjects {
public:
  explicit UnderlyingObjects(mlir::Operation *module);

  /// The arrays that `array` may be: arguments of kernels, allocations.
  llvm::SetVector<mlir::Value> getRoots(mlir::Value array) const;

  /// True if both may be the same array.
  bool mayBeSame(mlir::Value a, mlir::Value b) const;

  /// True if a function of the module may store to `array`.
  bool isStored(mlir::Value array) const;

  /// The stores within `scope`, a function or loop, and in what it calls.
  llvm::SmallVector<Reached> getStores(mlir::Operation *scope);

  FuncOp getCallee(CallOp call) const;

  /// The calls of `callee` in the module.
  llvm::ArrayRef<CallOp> getCallers(FuncOp callee) const;

private:
  llvm::ArrayRef<Reached> getCalleeStores(FuncOp callee);

  mlir::SymbolTable symbols;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<CallOp>> callers;
  llvm::SetVector<mlir::Value> storedRoots;
  /// Found so far; empty for a function under way, which calls itself.
  llvm::DenseMap<mlir::Operation *, std::unique_ptr<llvm::SmallVector<Reached>>>
      calleeStores;
  /// Stands for all: they are views of the same bytes.
  DynamicSharedOp dynamicShared;
};

/// `value`, seen from the caller: an argument becomes the operand of `call`.
mlir::Value toCaller(mlir::Value value, CallOp call);

} // namespace pyk

#endif // PYK_DIALECT_PYK_ANALYSIS_UNDERLYINGOBJECTS_H
