// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What threads of a block do between places where they meet.

#ifndef PYK_LIB_DIALECT_SIMD_TRANSFORMS_PHASES_H
#define PYK_LIB_DIALECT_SIMD_TRANSFORMS_PHASES_H

#include "Parts.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

namespace pyk::simd {

/// Ops of one block that follow each other, but for those that all threads
/// share, and that threads do without each other.
using Phase = llvm::SmallVector<mlir::Operation *>;

/// Which phases of a kernel are written for one part of the tile after the
/// other, and what lives across them.
class PhasePlan {
public:
  /// Of what a kernel does in `body`, which moves constants to its beginning.
  /// There are none if it would take too much memory.
  PhasePlan(mlir::Block &body, const Split &split);

  mlir::Block &getBody() const { return body; }
  const Split &getSplit() const { return split; }
  llvm::ArrayRef<Phase> getPhases() const { return phases; }
  bool isInPhase(mlir::Operation *op) const { return phaseOf.contains(op); }
  /// Vectors that are in memory, because phases need them that do not make
  /// them, and cannot by themselves.
  llvm::ArrayRef<mlir::Value> getKept() const { return kept.getArrayRef(); }
  /// Whether `value` is had from numbers that all threads share, by few ops.
  bool isComputedAnew(mlir::Value value) const;
  /// Uses of `result`, of an op in a phase, by ops that are in none and want it
  /// of all of the tile, which is not computed anew.
  llvm::ArrayRef<mlir::OpOperand *> getUsesOutside(mlir::Value result) const;

private:
  void collect(mlir::Block &block);
  void close(Phase &phase);
  bool needsOthers(mlir::Operation *op) const;
  bool canBeSplit(const Phase &phase) const;
  bool isComputedAnew(mlir::Value value, unsigned &budget) const;
  bool isFoundAgain(mlir::Value value) const;
  mlir::Operation *getOuter(mlir::Operation *op) const;
  void collectKept(mlir::Value value);
  void findKept();
  bool removeOne();

  mlir::Block &body;
  const Split &split;
  /// Arrays that registers hold.
  llvm::DenseSet<mlir::Value> promoted;
  llvm::SmallVector<Phase> phases;
  /// The phase of each op of one, by its number.
  llvm::DenseMap<mlir::Operation *, unsigned> phaseOf;
  llvm::SetVector<mlir::Value> kept;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::OpOperand *>> usesOutside;
};

/// The ops that `op` becomes if it is written for the whole tile.
int64_t countOps(mlir::Operation *op);

/// How many rows parts of a tile with `body` have for its transposed accesses;
/// 0 if there are none.
int64_t getRowsOfParts(mlir::Block &body);

/// The parts of a tile that phases are written for: of a row, or of whole rows,
/// so that threads come in their order; of `rowsTogether` if that is not 0.
Split choosePart(Dimensions tile, int64_t rowsTogether);

/// Whether `body`, which is a tile as large as a block, becomes more than
/// `most` ops on vectors, with loops and phases by parts where they can be.
bool isMoreCode(mlir::Block &body, Dimensions tile, int64_t most);

} // namespace pyk::simd

#endif // PYK_LIB_DIALECT_SIMD_TRANSFORMS_PHASES_H
