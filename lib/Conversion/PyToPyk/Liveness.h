// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which variables of a structured py.func are read later. Only those become
// values that conditions yield and loops carry.

#ifndef PYK_LIB_CONVERSION_PYTOPYK_LIVENESS_H
#define PYK_LIB_CONVERSION_PYTOPYK_LIVENESS_H

#include "pyk/Dialect/Py/IR/PyOps.h"
#include "llvm/ADT/DenseSet.h"

namespace pyk::py {

/// Names of variables.
using Names = llvm::DenseSet<mlir::StringAttr>;

/// Live variables of one typed function.
class Liveness {
public:
  explicit Liveness(FuncOp function);

  /// Variables that may be read after `op`, an if, a loop, or an expression
  /// that chooses.
  const Names &getLiveAfter(mlir::Operation *op) const {
    return liveAfter.find(op)->second;
  }
  /// Variables that an iteration of the loop `op`, or what follows it, may
  /// read.
  const Names &getLiveAtHead(mlir::Operation *op) const {
    return liveAtHead.find(op)->second;
  }
  /// Variables that may be read after the test of the loop `op` has failed.
  const Names &getLiveAtEnd(mlir::Operation *op) const {
    return liveAtEnd.find(op)->second;
  }

private:
  /// Where the exits of the innermost loop lead.
  struct Exits {
    const Names *breaks, *continues;
  };

  Names before(mlir::Block &block, Names live, Exits exits);
  void transfer(mlir::Operation &op, Names &live, Exits exits);
  template <typename Loop, typename Iteration>
  void transferLoop(Loop op, Names &live, Exits exits, Iteration iteration);

  llvm::DenseMap<mlir::Operation *, Names> liveAfter, liveAtHead, liveAtEnd;
  /// Variables that nested functions capture. Whatever takes a closure out of
  /// the function counts as reading them all.
  Names captured;
};

} // namespace pyk::py

#endif // PYK_LIB_CONVERSION_PYTOPYK_LIVENESS_H
