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
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/TypeUtilities.h"

#include <optional>

namespace pyk::simd {

/// Marks loops whose iterations are parts of the tile.
inline constexpr llvm::StringLiteral kPartsAttrName = "simd.parts";

/// The memory of all loops of a kernel by parts, and again of all phases, at
/// most.
inline constexpr int64_t kMostScratchBytes = 256 << 10;

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

/// The type of `value`, a compact vector, in memory, where masks are bytes.
mlir::VectorType getTypeInMemory(mlir::Value value);

/// The bytes that vectors take there.
int64_t countBytes(llvm::ArrayRef<mlir::Value> values);

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

/// The position in a part of what stands at `position` in vectors with
/// dimensions `all`: first and last ones stay that. None if it is another.
std::optional<llvm::SmallVector<int64_t>>
narrowPosition(llvm::ArrayRef<int64_t> position, Dimensions all,
               const Split &split);

/// Whether positions in vectors, in `op`, can be those of parts.
bool canDividePositions(mlir::Operation *op, const Split &split);

/// Whether these can, and so can the constants in `op` and those that it takes.
bool canDivide(mlir::Operation *op, const Split &split);

/// Writes for one part what ops do for the tile.
class PartWriter {
public:
  PartWriter(mlir::OpBuilder &builder, const Split &split)
      : builder(builder), split(split) {}

  /// Begins with another part.
  void begin(const Part &next) {
    part = next;
    values.clear();
  }
  void map(mlir::Value value, mlir::Value own) { values.map(value, own); }
  /// What the part has of `value`.
  mlir::Value get(mlir::Value value);
  mlir::Value lookup(mlir::Value value) const { return values.lookup(value); }
  bool has(mlir::Value value) const { return values.contains(value); }
  void clone(mlir::Operation *op);

private:
  mlir::Value getConstant(mlir::Location loc, mlir::DenseElementsAttr constant);

  mlir::OpBuilder &builder;
  const Split &split;
  Part part;
  mlir::IRMapping values;
};

/// Runs `inner` for each part after the other, with what the one before has
/// yielded, at first `init`. Yields what the last one has.
llvm::SmallVector<mlir::Value>
forEachPart(mlir::OpBuilder &builder, mlir::Location loc, const Split &split,
            mlir::ValueRange init,
            llvm::function_ref<llvm::SmallVector<mlir::Value>(const Part &,
                                                              mlir::ValueRange)>
                inner);

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
