// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which functions of a module call which.

#ifndef PYK_DIALECT_PYK_IR_PYKCALLS_H
#define PYK_DIALECT_PYK_IR_PYKCALLS_H

#include "pyk/Dialect/Pyk/IR/PykFuncOps.h"

namespace pyk {

/// The calls in the functions of `module` itself: modules in it have names of
/// their own.
llvm::SmallVector<CallOp> getCalls(mlir::ModuleOp module);

/// The calls of a module as they were when this was made.
class CallGraph {
public:
  explicit CallGraph(mlir::ModuleOp module);

  /// True if a call of `from` may lead to one of `to`.
  bool leadsTo(FuncOp from, FuncOp to) const;

  /// True if `function` may call itself, by itself or through others.
  bool isRecursive(FuncOp function) const {
    return leadsTo(function, function);
  }

private:
  llvm::DenseMap<mlir::StringAttr, llvm::SetVector<mlir::StringAttr>> callees;
};

/// Erases the kernels with `pyk.child` that no other entry of `module` reaches,
/// whose functions are its ops.
void eraseUnlaunchedChildren(mlir::Operation *module);

} // namespace pyk

#endif // PYK_DIALECT_PYK_IR_PYKCALLS_H
