// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stands for the values of a kernel in one tile.

#ifndef PYK_LIB_DIALECT_SIMD_TRANSFORMS_LANEVALUES_H
#define PYK_LIB_DIALECT_SIMD_TRANSFORMS_LANEVALUES_H

#include "Obstacle.h"
#include "Tile.h"
#include "pyk/Dialect/Pyk/Analysis/LaneShapeAnalysis.h"

namespace pyk::simd {

/// A number for each value that all threads of the tile have alike, a compact
/// vector for another.
class LaneValues {
public:
  /// Where values depend on threads in more ways than `shapes` says,
  /// `obstacle` is set.
  LaneValues(const Tile &tile, const LaneShapeAnalysis &shapes,
             mlir::OpBuilder &builder, Obstacle &obstacle)
      : tile(tile), shapes(shapes), builder(builder), obstacle(obstacle) {}

  const Tile &getTile() const { return tile; }
  const LaneShapeAnalysis &getShapes() const { return shapes; }

  bool contains(mlir::Value value) const { return values.contains(value); }
  mlir::Value get(mlir::Value value) const;
  void set(mlir::Value value, mlir::Value mapped);
  void set(mlir::ValueRange all, mlir::ValueRange mapped);
  bool isUniform(mlir::Value value) const { return isScalar(getOwn(value)); }
  /// The dimensions of what stands for `value`.
  Dimensions getOwn(mlir::Value value) const;

  /// The dimensions that `value` will have, by its shape.
  Dimensions getExpected(mlir::Value value) const;
  mlir::Type getExpectedType(mlir::Value value) const;
  /// What stands for `given`, each as wide as the argument of a block that it
  /// is given to.
  llvm::SmallVector<mlir::Value> getFor(mlir::ValueRange arguments,
                                        mlir::ValueRange given);
  /// Whether `argument` of a loop is carried for threads that have left, too,
  /// as if they had not: the address of neighbours is that of the first.
  bool movesWithThreads(mlir::Value argument) const;

  /// How `mapped`, which stands for some value, depends on positions.
  LaneShape getShapeOf(mlir::Value mapped) const;
  mlir::Value stretch(mlir::Value mapped, Dimensions dimensions);
  mlir::Value stretch(mlir::Value mapped, mlir::Type type) {
    return stretch(mapped, getDimensions(type));
  }
  mlir::Value makeSelect(mlir::Value condition, mlir::Value ifTrue,
                         mlir::Value ifFalse);

private:
  const Tile &tile;
  const LaneShapeAnalysis &shapes;
  mlir::OpBuilder &builder;
  Obstacle &obstacle;
  llvm::DenseMap<mlir::Value, mlir::Value> values;
  /// Of what is made, how it depends on positions.
  llvm::DenseMap<mlir::Value, LaneShape> made;
};

} // namespace pyk::simd

#endif // PYK_LIB_DIALECT_SIMD_TRANSFORMS_LANEVALUES_H
