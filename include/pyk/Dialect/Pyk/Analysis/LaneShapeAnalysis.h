// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How each value of a program depends on the place of a thread in its block,
// and which threads come by each op. "Uniform in the warp, the block, the grid"
// are questions to it. python-dialect-docs/rationale/lane-shape.md says more.

#ifndef PYK_DIALECT_PYK_ANALYSIS_LANESHAPEANALYSIS_H
#define PYK_DIALECT_PYK_ANALYSIS_LANESHAPEANALYSIS_H

#include "pyk/Dialect/Pyk/IR/PykInterfaces.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace pyk {

/// Lets the ops of `gpu` that say where a thread is have LaneOpInterface.
void registerLaneModels(mlir::DialectRegistry &registry);

/// The shapes of the values of a module in stage pyk or gpu.
class LaneShapeAnalysis {
public:
  explicit LaneShapeAnalysis(mlir::Operation *module);

  /// How `value` depends on the place of a thread, among the threads that
  /// compute it at one time: in one iteration of each loop around it.
  LaneShape getShape(mlir::Value value) const;

  /// What decides whether a thread comes by `op`, beside the kernel's end: no
  /// axis if all threads of a block do, as often.
  LaneShape getControl(mlir::Operation *op) const;

  /// True if `value` is the same for all threads of each group that compute it
  /// at one time.
  bool isUniform(mlir::Value value, LaneGroup group) const {
    return getShape(value).isUniform(group);
  }

private:
  llvm::DenseMap<mlir::Value, LaneShape> shapes;
  llvm::DenseMap<mlir::Operation *, LaneShape> controls;
};

/// Whether `value`, an integer, is 0 or more for each thread that computes it,
/// as its ops and their flags say. For others, which vectors compute, too, it
/// is right only in more bits as a signed number: neighbours of index 0 are at
/// -1.
bool isNonNegativeInLanes(mlir::Value value);

} // namespace pyk

#endif // PYK_DIALECT_PYK_ANALYSIS_LANESHAPEANALYSIS_H
