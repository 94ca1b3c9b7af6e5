// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the threads of a block lie in tiles of vectors.

#ifndef PYK_LIB_DIALECT_SIMD_TRANSFORMS_TILE_H
#define PYK_LIB_DIALECT_SIMD_TRANSFORMS_TILE_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Matchers.h"
#include "pyk/Dialect/Pyk/IR/PykLanes.h"
#include "pyk/Dialect/Simd/IR/SimdOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <array>
#include <optional>

namespace pyk::simd {

/// The ops that the formula of a function is, in time and code.
inline constexpr double kFormulaCost = 30;

/// The vectors of a large tile that code between two barriers is written for,
/// at most, but for rows that change places with lanes: it is a loop over all.
inline constexpr int64_t kVectorsOfPhase = 4;

/// The dimensions of a compact vector: rows, strips, lanes.
using Dimensions = std::array<int64_t, 3>;

bool isCompact(mlir::Type type);

/// The dimensions of `type`, 1 in each position if it is no compact vector.
Dimensions getDimensions(mlir::Type type);

/// `type`, a number or a compact vector, as a value with `dimensions` has it.
mlir::Type getTypeWith(mlir::Type type, Dimensions dimensions);

/// The larger one in each position.
Dimensions join(Dimensions a, Dimensions b);

bool isScalar(Dimensions dimensions);

/// Whether a value with `inner` can be stretched to `outer`.
bool isWithin(Dimensions inner, Dimensions outer);

/// The elements of `value`, a compact vector, if it is a constant.
template <typename T>
std::optional<llvm::SmallVector<T>> getConstantElements(mlir::Value value) {
  mlir::DenseElementsAttr constant;
  if (!mlir::matchPattern(value, mlir::m_Constant(&constant)))
    return std::nullopt;
  return llvm::SmallVector<T>(constant.getValues<T>());
}

/// `value`, a number or a compact vector, with `dimensions`, which it must be
/// within. A constant stays one.
mlir::Value makeStretched(mlir::OpBuilder &builder, mlir::Value value,
                          Dimensions dimensions);

/// Where the warps of a block lie.
enum class WarpLayout {
  /// Vectors hold lanes of several warps.
  None,
  /// In a row, which is one warp or several.
  InRows,
  /// In vectors that follow each other, whatever their rows; the last one may
  /// not be whole.
  InOrder
};

/// How many vectors may be live before some are spilled, where vectors have
/// `lanes`.
int64_t getRegisters(int64_t lanes);

/// Marks elements of vectors of which parts of the tile may take their own: the
/// least or the greatest, or one that is as all others are.
inline constexpr llvm::StringLiteral kOfPartsAttrName = "simd.of_parts";

/// Element `position` of `vector`, which is such a one.
mlir::Value extractOfParts(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::Value vector,
                           llvm::ArrayRef<int64_t> position);

/// The bits that processors exchange elements within, by one instruction.
inline constexpr int64_t kExchangedBits = 128;

/// How many rows, of `rows`, are moved together by an access of `lanes` to
/// elements of `bits` if neighbouring rows, and not lanes, are neighbours in
/// memory: a power of two that divides them. 0 if they are too few: below
/// `kExchangedBits` more is exchanged than loaded.
int64_t getRowsTogether(int64_t rows, int64_t lanes, unsigned bits);

/// The tiles of a block. Lanes are threads that follow each other along x. If
/// there are fewer of these than lanes, and they divide the lanes, lanes hold
/// whole rows of the block one after the other; else the last strip of a row
/// may have lanes without a thread. In a linear tile, which is the whole block,
/// lanes are all its threads in their order, wherever rows end.
class Tile {
public:
  /// Numbers of rows and strips that a tile may have are divisors of those of
  /// the block. The tile is the block until told otherwise.
  Tile(std::array<int64_t, 3> block, int64_t lanes);

  static Tile makeLinear(std::array<int64_t, 3> block, int64_t lanes);

  /// Sets how many rows and strips one tile has.
  void setSize(int64_t rows, int64_t strips);
  /// Whether it could have `rows`.
  bool mayHaveRows(int64_t rows) const;

  int64_t getRowsOfBlock() const { return blockRows; }
  int64_t getStripsOfBlock() const { return blockStrips; }
  Dimensions getDimensions() const { return dimensions; }
  int64_t getLanes() const { return dimensions[2]; }
  bool isLinear() const { return linear; }
  bool isWholeBlock() const {
    return dimensions[0] == blockRows && dimensions[1] == blockStrips;
  }
  std::array<int64_t, 3> getBlock() const { return block; }

  WarpLayout getWarpLayout() const;
  /// Whether all threads of a warp are in one tile.
  bool hasWholeWarps() const;
  /// Whether lanes of the block's last warp have no thread.
  bool hasPartialWarp() const;
  /// The dimensions that values have of which threads of a warp see each
  /// other's, and which have at least `dimensions`.
  Dimensions getOfWarps(Dimensions dimensions) const;

  /// The dimensions of a value of this shape.
  Dimensions getDimensions(const LaneShape &shape) const;

  /// Those on which such values differ otherwise than by steps.
  Dimensions getVaryingDimensions(const LaneShape &shape) const;

  /// The index of each thread on `axis` in its block, as i32, in the tile whose
  /// first row and strip are `row` and `strip`, of type i32.
  mlir::Value makeThreadIndex(mlir::OpBuilder &builder, mlir::Location loc,
                              unsigned axis, mlir::Value row,
                              mlir::Value strip) const;

  /// The lanes with a thread; null if all have one.
  mlir::Value makeMask(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value row, mlir::Value strip) const;

  /// Whether neighbouring lanes have neighbouring values, one `unit` apart, of
  /// a value of this shape.
  bool isContiguous(const LaneShape &shape, int64_t unit) const;

  /// Whether neighbouring rows have neighbouring values, one `unit` apart, of a
  /// value of this shape.
  bool hasNeighboursInRows(const LaneShape &shape, int64_t unit) const;

  /// The position in the tile at which a value of this shape is greatest, or
  /// least; none if that is not known.
  std::optional<Dimensions> getCorner(const LaneShape &shape,
                                      bool greatest) const;

  /// By how much a value of `type` and this shape, which depends on some axis
  /// and whose strides are constants, differs in each thread from that at
  /// `from`.
  mlir::DenseIntElementsAttr getSteps(mlir::Type type, const LaneShape &shape,
                                      Dimensions from) const;

private:
  std::array<int64_t, 3> getThread(Dimensions position) const;
  /// The dimensions of a value that depends on some axes.
  Dimensions getDimensionsOf(llvm::function_ref<bool(unsigned)> depends) const;

  std::array<int64_t, 3> block;
  Dimensions dimensions;
  int64_t blockRows, blockStrips;
  /// Rows of the block that the lanes of one vector hold; 0 if a row takes one
  /// or more vectors.
  int64_t rowsOfVector = 0;
  bool linear = false;
};

/// Where a tile is.
struct TilePosition {
  /// Its first row and strip in the block, of type i32.
  mlir::Value row, strip;
  /// The index of the block along x; null if that is one for all.
  mlir::Value blockX;
};

} // namespace pyk::simd

#endif // PYK_LIB_DIALECT_SIMD_TRANSFORMS_TILE_H
