// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What functions give back, for those that call them.

#ifndef PYK_LIB_DIALECT_PYK_TRANSFORMS_RETURNEDRANGES_H
#define PYK_LIB_DIALECT_PYK_TRANSFORMS_RETURNEDRANGES_H

#include "pyk/Dialect/Pyk/Analysis/RangeEnvironment.h"
#include "pyk/Dialect/Pyk/IR/PykControlOps.h"
#include "pyk/Dialect/Pyk/IR/PykFuncOps.h"

namespace pyk {

/// The ranges of the results of functions, whatever their arguments are.
class ReturnedRanges {
public:
  /// Those of the functions of `root`, if that is a module.
  explicit ReturnedRanges(mlir::Operation *root);

  /// The functions with bodies, each behind those that it calls, as far as none
  /// calls itself.
  llvm::ArrayRef<FuncOp> getFunctions() const { return functions; }

  /// Adds what `end` returns, if it leaves a function.
  void add(ReturnOp end, const RangeEnvironment &known);

  /// Says that all returns of `function` have been added.
  void finish(FuncOp function) { finished.insert(function); }

  /// Defines the results of `call`; they may be anything if its function is not
  /// finished.
  void define(CallOp call, RangeEnvironment &known) const;

private:
  llvm::SmallVector<FuncOp> functions;
  llvm::DenseSet<mlir::Operation *> finished;
  llvm::DenseMap<mlir::Operation *, FuncOp> callees;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::IntegerValueRange>>
      results;
};

} // namespace pyk

#endif // PYK_LIB_DIALECT_PYK_TRANSFORMS_RETURNEDRANGES_H
