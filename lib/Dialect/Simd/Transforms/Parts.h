// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts of a tile: some rows and strips, which run one after the other while
// the rest of the tile is in memory.

#ifndef PYK_LIB_DIALECT_SIMD_TRANSFORMS_PARTS_H
#define PYK_LIB_DIALECT_SIMD_TRANSFORMS_PARTS_H

#include "Tile.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"

#include <optional>

namespace pyk::simd {

/// How a tile is split: all parts have as many rows and strips.
struct Split {
  Dimensions tile;
  int64_t rows, strips;

  int64_t countRowParts() const { return tile[0] / rows; }
  int64_t countStripParts() const { return tile[1] / strips; }

  /// The dimensions in one part of values with `all` in the tile.
  Dimensions narrow(Dimensions all) const {
    return {all[0] == 1 ? 1 : rows, all[1] == 1 ? 1 : strips, all[2]};
  }
  mlir::Type narrow(mlir::Type type) const {
    return isCompact(type)
               ? mlir::VectorType::get(narrow(getDimensions(type)),
                                       mlir::getElementTypeOrSelf(type))
               : type;
  }
  /// Whether parts have different elements of values of `type`, each its own.
  bool isDivided(mlir::Type type) const {
    if (!isCompact(type))
      return false;
    Dimensions all = getDimensions(type);
    return (countRowParts() == 1 || all[0] != 1) &&
           (countStripParts() == 1 || all[1] != 1);
  }
};

/// Which part runs: numbers of type i64.
struct Part {
  mlir::Value row, strip;
};

/// Elements of the tile in memory, of one part after the other.
class Scratch {
public:
  Scratch(mlir::VectorType type, const Split &split,
          mlir::gpu::GPUFuncOp kernel);

  void store(mlir::OpBuilder &builder, mlir::Value all) const;
  mlir::Value load(mlir::OpBuilder &builder, mlir::Location loc) const;
  void store(mlir::OpBuilder &builder, const Part &part, mlir::Value own) const;
  mlir::Value load(mlir::OpBuilder &builder, mlir::Location loc,
                   const Part &part) const;

private:
  mlir::Value makeOffsets(mlir::OpBuilder &builder, mlir::Location loc) const;
  mlir::Value makeOffsets(mlir::OpBuilder &builder, mlir::Location loc,
                          const Part &part) const;

  mlir::VectorType type;
  const Split &split;
  mlir::Value array;
};

/// The first part's elements of `constant`, and how much those of the next part
/// along rows and along strips are larger. None if these are no such numbers.
struct ConstantParts {
  mlir::DenseElementsAttr first;
  int64_t rowStep, stripStep;
};
std::optional<ConstantParts> divide(mlir::DenseElementsAttr constant,
                                    const Split &split);

/// Vectors of before `loop` that are used in it, but for what it begins with.
llvm::SmallVector<mlir::Value> getTaken(mlir::scf::ForOp loop);

/// How `loop` of a tile is to be split; none if it is left as it is.
std::optional<Split> chooseSplit(mlir::scf::ForOp loop, Dimensions tile);

/// The bytes of memory that `loop` takes if it runs by parts.
int64_t countScratchBytes(mlir::scf::ForOp loop);

/// A number of type i64.
mlir::Value makeI64(mlir::OpBuilder &builder, mlir::Location loc,
                    int64_t number);

} // namespace pyk::simd

#endif // PYK_LIB_DIALECT_SIMD_TRANSFORMS_PARTS_H
