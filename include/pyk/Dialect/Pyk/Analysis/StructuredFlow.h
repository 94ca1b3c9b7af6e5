// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where values come from and what decides which ops run: through conditions and
// loops with and without exits. Upstream's analyses ask
// RegionBranchOpInterface, which has no notion of exits.

#ifndef PYK_DIALECT_PYK_ANALYSIS_STRUCTUREDFLOW_H
#define PYK_DIALECT_PYK_ANALYSIS_STRUCTUREDFLOW_H

#include "pyk/Dialect/Pyk/IR/PykInterfaces.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace pyk {

/// Lets the ops of `scf` have StructuredFlowOpInterface.
void registerStructuredFlowModels(mlir::DialectRegistry &registry);

/// True for a loop, with exits or without.
bool isLoop(mlir::Operation *op);

/// True for a loop that counts up to a bound and so ends at some time.
bool isCountedLoop(mlir::Operation *op);

/// True if `number` is what a loop counts, between constants and in constant
/// steps, for `most` iterations at most.
bool countsIterations(mlir::Value number, unsigned most);

/// What a value that control flow hands on may be.
struct IncomingValues {
  /// It is one of these; none if control flow does not hand it on.
  llvm::SmallVector<mlir::Value> values;
  /// On these it depends which.
  llvm::SmallVector<mlir::Value> conditions;
};

/// The origins of a result or block argument of a condition or loop, or of a
/// select.
IncomingValues getIncomingValues(mlir::Value value);

/// What decides within `scope` whether `op` is reached: the conditions and the
/// loops around it.
llvm::SmallVector<mlir::Value> getConditions(mlir::Operation *op,
                                             mlir::Operation *scope);

/// What decides whether `loop` goes on.
llvm::SmallVector<mlir::Value> getExitConditions(mlir::Operation *loop);

/// The exits that end an iteration of a loop or leave it, those from loops
/// within it included.
llvm::SmallVector<mlir::Operation *> getExits(mlir::Operation *loop);

/// True if `exit` begins the next iteration of the loop that it names.
bool isRepeating(mlir::Operation *exit);

} // namespace pyk

#endif // PYK_DIALECT_PYK_ANALYSIS_STRUCTUREDFLOW_H
