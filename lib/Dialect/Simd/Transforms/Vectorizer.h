// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes what one tile of threads does, op by op.

#ifndef PYK_LIB_DIALECT_SIMD_TRANSFORMS_VECTORIZER_H
#define PYK_LIB_DIALECT_SIMD_TRANSFORMS_VECTORIZER_H

#include "AccessVectorizer.h"
#include "BarrierVectorizer.h"
#include "ConditionVectorizer.h"
#include "ForVectorizer.h"
#include "WarpVectorizer.h"
#include "WhileVectorizer.h"

namespace pyk::simd {

/// The work on one tile of a kernel, which must have passed `checkKernel`. Each
/// kind of op has a part that writes it; parts that write control flow come
/// back for what is in blocks.
class Vectorizer {
public:
  /// For the tile at `position`. `isEdge` says that not all of its threads do
  /// what the kernel does.
  Vectorizer(const Tile &tile, const TilePosition &position,
             const LaneShapeAnalysis &shapes, mlir::OpBuilder &builder,
             bool isEdge = false)
      : tile(tile), position(position), builder(builder),
        values(tile, shapes, builder, obstacle), masks(values, builder),
        ops(values, masks, builder), accesses(values, masks, ops, builder),
        warps(values, masks, position, builder, obstacle),
        barriers(values, masks, builder),
        conditions(*this, values, masks, position, isEdge, builder, obstacle),
        counted(*this, values, masks, builder),
        whiles(*this, values, masks, builder) {}

  /// Writes `body`, that of the kernel. Returns why it cannot be done, and what
  /// was written is of no use; false if it is done.
  Obstacle run(mlir::Block &body);

  /// Writes what `block`, of the kernel, does.
  void visitBlock(mlir::Block &block);
  /// The same of `arm`; what it yields, as wide as `types`. Nothing if there is
  /// no such arm.
  llvm::SmallVector<mlir::Value> visitArm(mlir::Region &arm,
                                          llvm::ArrayRef<mlir::Type> types);

private:
  void visit(mlir::Operation *op);

  const Tile &tile;
  const TilePosition &position;
  mlir::OpBuilder &builder;
  Obstacle obstacle;
  LaneValues values;
  Masks masks;
  OpVectorizer ops;
  AccessVectorizer accesses;
  WarpVectorizer warps;
  BarrierVectorizer barriers;
  ConditionVectorizer conditions;
  ForVectorizer counted;
  WhileVectorizer whiles;
};

/// Begins a loop through numbers, in which `builder` then stands; its counter.
mlir::Value beginLoop(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value first, mlir::Value end, int64_t step);

} // namespace pyk::simd

#endif // PYK_LIB_DIALECT_SIMD_TRANSFORMS_VECTORIZER_H
