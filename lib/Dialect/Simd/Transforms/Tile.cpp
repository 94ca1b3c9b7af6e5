// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places of threads are constants, of the tile's first thread on: what varies
// from tile to tile is one number for each axis.

#include "Tile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::simd;

//===----------------------------------------------------------------------===//
// Dimensions
//===----------------------------------------------------------------------===//

bool pyk::simd::isCompact(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector && vector.getRank() == 3;
}

Dimensions pyk::simd::getDimensions(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  if (!vector)
    return {1, 1, 1};
  ArrayRef<int64_t> shape = vector.getShape();
  return {shape[0], shape[1], shape[2]};
}

Type pyk::simd::getTypeWith(Type type, Dimensions dimensions) {
  Type element = getElementTypeOrSelf(type);
  return isScalar(dimensions) ? element : VectorType::get(dimensions, element);
}

Dimensions pyk::simd::join(Dimensions a, Dimensions b) {
  for (auto [mine, theirs] : llvm::zip(a, b))
    mine = std::max(mine, theirs);
  return a;
}

bool pyk::simd::isScalar(Dimensions dimensions) {
  return dimensions == Dimensions{1, 1, 1};
}

bool pyk::simd::isWithin(Dimensions inner, Dimensions outer) {
  return llvm::all_of(llvm::zip(inner, outer), [](auto pair) {
    auto [mine, theirs] = pair;
    return mine == 1 || mine == theirs;
  });
}

/// The elements of `constant` as a vector of `type`, which it can be stretched
/// to.
static DenseElementsAttr stretchConstant(DenseElementsAttr constant,
                                         VectorType type) {
  auto from = getDimensions(constant.getType()), to = getDimensions(type);
  SmallVector<Attribute> elements(constant.getValues<Attribute>()), all;
  for (int64_t row = 0; row < to[0]; ++row)
    for (int64_t strip = 0; strip < to[1]; ++strip)
      for (int64_t lane = 0; lane < to[2]; ++lane)
        all.push_back(elements[((from[0] == 1 ? 0 : row) * from[1] +
                                (from[1] == 1 ? 0 : strip)) *
                                   from[2] +
                               (from[2] == 1 ? 0 : lane)]);
  return DenseElementsAttr::get(type, all);
}

Value pyk::simd::extractOfParts(OpBuilder &builder, Location loc, Value vector,
                                ArrayRef<int64_t> position) {
  auto element = vector::ExtractOp::create(builder, loc, vector, position);
  element->setAttr(kOfPartsAttrName, builder.getUnitAttr());
  return element;
}

Value pyk::simd::makeStretched(OpBuilder &builder, Value value,
                               Dimensions dimensions) {
  Type type = getTypeWith(value.getType(), dimensions);
  if (value.getType() == type)
    return value;
  Location loc = value.getLoc();
  if (DenseElementsAttr constant; matchPattern(value, m_Constant(&constant)))
    return arith::ConstantOp::create(
        builder, loc, stretchConstant(constant, cast<VectorType>(type)));
  return builder.createOrFold<vector::BroadcastOp>(loc, type, value);
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// Of 32 registers, as vectors of 16 lanes have, and of 16, some are for what
/// passes by.
int64_t pyk::simd::getRegisters(int64_t lanes) { return lanes < 16 ? 12 : 26; }

int64_t pyk::simd::getRowsTogether(int64_t rows, int64_t lanes, unsigned bits) {
  int64_t together = std::min(rows & -rows, lanes);
  return together > 1 && together * bits >= kExchangedBits ? together : 0;
}

Tile::Tile(std::array<int64_t, 3> block, int64_t lanes) : block(block) {
  auto [x, y, z] = block;
  if (x < lanes && lanes % x == 0 && x * y * z % lanes == 0) {
    rowsOfVector = lanes / x;
    blockRows = x * y * z / lanes;
    blockStrips = 1;
  } else {
    blockRows = y * z;
    blockStrips = (x + lanes - 1) / lanes;
  }
  dimensions = {blockRows, blockStrips, lanes};
}

Tile Tile::makeLinear(std::array<int64_t, 3> block, int64_t lanes) {
  Tile tile(block, lanes);
  tile.linear = true;
  tile.rowsOfVector = 0;
  tile.blockRows = 1;
  tile.blockStrips = (block[0] * block[1] * block[2] + lanes - 1) / lanes;
  tile.dimensions = {1, tile.blockStrips, lanes};
  return tile;
}

void Tile::setSize(int64_t rows, int64_t strips) {
  dimensions[0] = rows;
  dimensions[1] = strips;
}

bool Tile::mayHaveRows(int64_t rows) const {
  if (rows == blockRows || block[2] == 1)
    return blockRows % rows == 0;
  // All rows of a tile have one z.
  return rowsOfVector == 0 && block[1] % rows == 0;
}

Dimensions Tile::getDimensions(const LaneShape &shape) const {
  return getDimensionsOf([&](unsigned axis) {
    return block[axis] != 1 && !shape.getStride(axis).isZero();
  });
}

Dimensions Tile::getVaryingDimensions(const LaneShape &shape) const {
  return getDimensionsOf([&](unsigned axis) {
    return block[axis] != 1 && shape.getStride(axis).isVarying();
  });
}

Dimensions
Tile::getDimensionsOf(llvm::function_ref<bool(unsigned)> depends) const {
  bool x = depends(0), rest = depends(1) || depends(2);
  if (linear)
    return x || rest ? dimensions : Dimensions{1, 1, 1};
  bool lanes = x || (rowsOfVector != 0 && rest);
  return {rest ? dimensions[0] : 1, x ? dimensions[1] : 1,
          lanes ? dimensions[2] : 1};
}

WarpLayout Tile::getWarpLayout() const {
  if (kWarp % dimensions[2] != 0)
    return WarpLayout::None;
  if (rowsOfVector == 0 && block[0] % kWarp == 0)
    return WarpLayout::InRows;
  bool followEachOther = linear || rowsOfVector != 0 ||
                         block[0] % dimensions[2] == 0 ||
                         block[1] * block[2] == 1;
  return followEachOther ? WarpLayout::InOrder : WarpLayout::None;
}

bool Tile::hasWholeWarps() const {
  int64_t vectors = kWarp / dimensions[2];
  if (isWholeBlock())
    return getWarpLayout() != WarpLayout::None;
  if (getWarpLayout() == WarpLayout::InRows)
    return dimensions[1] % vectors == 0;
  return rowsOfVector != 0 && dimensions[0] % vectors == 0;
}

bool Tile::hasPartialWarp() const {
  return block[0] * block[1] * block[2] % kWarp != 0;
}

Dimensions Tile::getOfWarps(Dimensions own) const {
  return getWarpLayout() == WarpLayout::InRows
             ? Dimensions{own[0], dimensions[1], dimensions[2]}
             : dimensions;
}

/// The thread at `position` of the tile at the beginning of the block.
std::array<int64_t, 3> Tile::getThread(Dimensions position) const {
  auto [row, strip, lane] = position;
  if (linear) {
    int64_t number = strip * dimensions[2] + lane;
    return {number % block[0], number / block[0] % block[1],
            number / (block[0] * block[1])};
  }
  if (rowsOfVector == 0)
    return {strip * dimensions[2] + lane, row % block[1], row / block[1]};
  int64_t line = row * rowsOfVector + lane / block[0];
  return {lane % block[0], line % block[1], line / block[1]};
}

Value Tile::makeThreadIndex(OpBuilder &builder, Location loc, unsigned axis,
                            Value row, Value strip) const {
  Type i32 = builder.getI32Type();
  auto makeNumber = [&](int64_t number) -> Value {
    return arith::ConstantIntOp::create(builder, loc, i32, number);
  };
  if (block[axis] == 1)
    return makeNumber(0);
  LaneShape own;
  own.setStride(axis, {LaneStride::Constant, 1});
  Dimensions size = getDimensions(own);
  // The first index of the tile.
  Value first;
  if (axis == 0 && blockStrips != dimensions[1]) {
    first =
        arith::MulIOp::create(builder, loc, strip, makeNumber(dimensions[2]));
  } else if (axis != 0 && blockRows != dimensions[0]) {
    first = row;
    if (rowsOfVector != 0)
      first =
          arith::MulIOp::create(builder, loc, row, makeNumber(rowsOfVector));
    else if (axis == 1 && block[2] != 1)
      first = arith::RemUIOp::create(builder, loc, row, makeNumber(block[1]));
    else if (axis == 2)
      return arith::DivUIOp::create(builder, loc, row, makeNumber(block[1]));
  }
  SmallVector<int32_t> numbers;
  for (int64_t q = 0; q < size[0]; ++q)
    for (int64_t p = 0; p < size[1]; ++p)
      for (int64_t lane = 0; lane < size[2]; ++lane)
        numbers.push_back(static_cast<int32_t>(getThread({q, p, lane})[axis]));
  if (isScalar(size))
    return first ? first : makeNumber(numbers.front());
  auto type = cast<VectorType>(getTypeWith(i32, size));
  Value index = arith::ConstantOp::create(
      builder, loc, DenseElementsAttr::get(type, ArrayRef(numbers)));
  if (!first)
    return index;
  constexpr auto kFits =
      arith::IntegerOverflowFlags::nsw | arith::IntegerOverflowFlags::nuw;
  return arith::AddIOp::create(
      builder, loc, vector::BroadcastOp::create(builder, loc, type, first),
      index, kFits);
}

Value Tile::makeMask(OpBuilder &builder, Location loc, Value row,
                     Value strip) const {
  const int64_t threads = linear ? block[0] * block[1] * block[2] : block[0];
  if (rowsOfVector != 0 || threads % dimensions[2] == 0)
    return {};
  Dimensions size = {1, dimensions[1], dimensions[2]};
  if (blockStrips == dimensions[1]) {
    SmallVector<bool> isThread;
    for (int64_t number = 0; number < size[1] * size[2]; ++number)
      isThread.push_back(number < threads);
    return arith::ConstantOp::create(
        builder, loc,
        DenseElementsAttr::get(
            cast<VectorType>(getTypeWith(builder.getI1Type(), size)),
            isThread));
  }
  Value x = makeThreadIndex(builder, loc, 0, row, strip);
  Value extent = arith::ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(cast<VectorType>(x.getType()),
                             static_cast<int32_t>(block[0])));
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, x,
                               extent);
}

static bool isConstant(const LaneStride &stride, int64_t value) {
  return stride.kind == LaneStride::Constant && stride.value == value;
}

bool Tile::isContiguous(const LaneShape &shape, int64_t unit) const {
  if (!isConstant(shape.getStride(0), unit) && block[0] != 1)
    return false;
  return (rowsOfVector == 0 && !linear) ||
         ((block[1] == 1 || isConstant(shape.getStride(1), unit * block[0])) &&
          (block[2] == 1 ||
           isConstant(shape.getStride(2), unit * block[0] * block[1])));
}

bool Tile::hasNeighboursInRows(const LaneShape &shape, int64_t unit) const {
  // All rows have one z.
  return rowsOfVector == 0 && !linear && dimensions[0] > 1 &&
         block[1] % dimensions[0] == 0 && isConstant(shape.getStride(1), unit);
}

std::optional<Dimensions> Tile::getCorner(const LaneShape &shape,
                                          bool greatest) const {
  if (shape.mayWrap())
    return std::nullopt;
  Dimensions corner = {0, 0, 0};
  // 1 if the end, and 0 if the beginning of the lanes was chosen.
  std::optional<bool> chosen;
  for (unsigned axis = 0; axis != LaneShape::kAxes; ++axis) {
    const LaneStride &stride = shape.getStride(axis);
    if (stride.isZero() || block[axis] == 1)
      continue;
    if (stride.kind != LaneStride::Constant || (axis == 2 && !linear))
      return std::nullopt;
    bool atEnd = (stride.value > 0) == greatest;
    bool usesLanes = axis == 0 || rowsOfVector != 0 || linear;
    if (usesLanes && chosen && *chosen != atEnd)
      return std::nullopt;
    if (usesLanes)
      chosen = atEnd;
    if (!atEnd)
      continue;
    if (linear) {
      int64_t last = block[0] * block[1] * block[2] - 1;
      corner = {0, last / dimensions[2], last % dimensions[2]};
      continue;
    }
    if (axis == 0)
      corner[1] = dimensions[1] - 1;
    else
      corner[0] = dimensions[0] - 1;
    if (usesLanes)
      corner[2] = dimensions[2] - 1;
  }
  return corner;
}

DenseIntElementsAttr Tile::getSteps(Type type, const LaneShape &shape,
                                    Dimensions from) const {
  Dimensions size = getDimensions(shape);
  unsigned bits = type.getIntOrFloatBitWidth();
  auto getValueAt = [&](Dimensions position) {
    int64_t value = 0;
    for (auto [axis, index] : llvm::enumerate(getThread(position)))
      if (!shape.getStride(axis).isZero())
        value += shape.getStride(axis).value * index;
    return value;
  };
  int64_t first = getValueAt(from);
  SmallVector<APInt> steps;
  for (int64_t row = 0; row < size[0]; ++row)
    for (int64_t strip = 0; strip < size[1]; ++strip)
      for (int64_t lane = 0; lane < size[2]; ++lane)
        steps.emplace_back(bits, getValueAt({row, strip, lane}) - first,
                           /*isSigned=*/true);
  auto vector = cast<VectorType>(getTypeWith(type, size));
  return cast<DenseIntElementsAttr>(DenseElementsAttr::get(vector, steps));
}
