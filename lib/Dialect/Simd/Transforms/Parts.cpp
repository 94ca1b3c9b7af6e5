// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements of a tile in memory, and of constants; ops for one part.

#include "Parts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"
#include "pyk/Dialect/Simd/IR/SimdOps.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::simd;

using SimdLoadOp = pyk::simd::LoadOp;
using SimdStoreOp = pyk::simd::StoreOp;

Value pyk::simd::makeI64(OpBuilder &builder, Location loc, int64_t number) {
  return arith::ConstantIntOp::create(builder, loc, builder.getI64Type(),
                                      number);
}

VectorType pyk::simd::getTypeInMemory(Value value) {
  auto type = cast<VectorType>(value.getType());
  return type.getElementType().isInteger(1)
             ? VectorType::get(type.getShape(),
                               IntegerType::get(value.getContext(), 8))
             : type;
}

int64_t pyk::simd::countBytes(ArrayRef<Value> values) {
  int64_t bytes = 0;
  for (Value value : values) {
    VectorType type = getTypeInMemory(value);
    bytes += type.getNumElements() *
             static_cast<int64_t>(type.getElementTypeBitWidth() / 8);
  }
  return bytes;
}

static Value makeOffsetVector(OpBuilder &builder, Location loc,
                              Dimensions dimensions,
                              ArrayRef<int64_t> offsets) {
  return arith::ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(VectorType::get(dimensions, builder.getI64Type()),
                             offsets));
}

Scratch::Scratch(VectorType type, const Split &split, gpu::GPUFuncOp kernel)
    : type(type), split(split) {
  OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
  array = AllocOp::create(
      builder, kernel.getLoc(),
      ArrayType::get(builder.getContext(), {type.getNumElements()},
                     type.getElementType(), Layout::C, Space::Local),
      /*alignment=*/nullptr);
}

Value Scratch::makeOffsets(OpBuilder &builder, Location loc) const {
  return makeOffsetVector(builder, loc, getDimensions(type),
                          llvm::to_vector(llvm::seq(type.getNumElements())));
}

Value Scratch::makeOffsets(OpBuilder &builder, Location loc,
                           const Part &part) const {
  Dimensions all = getDimensions(type), own = split.narrow(all);
  Value number = makeI64(builder, loc, 0);
  auto add = [&](Value index, int64_t step) {
    number = builder.createOrFold<arith::AddIOp>(
        loc, number,
        builder.createOrFold<arith::MulIOp>(loc, index,
                                            makeI64(builder, loc, step)));
  };
  if (all[0] != own[0])
    add(part.row, own[0] * all[1] * all[2]);
  if (all[1] != own[1])
    add(part.strip, own[1] * all[2]);
  SmallVector<int64_t> offsets;
  for (int64_t row = 0; row < own[0]; ++row)
    for (int64_t position = 0; position < own[1] * own[2]; ++position)
      offsets.push_back(row * all[1] * all[2] + position);
  Value positions = makeOffsetVector(builder, loc, own, offsets);
  Value first =
      vector::BroadcastOp::create(builder, loc, positions.getType(), number);
  return arith::AddIOp::create(builder, loc, first, positions);
}

void Scratch::store(OpBuilder &builder, Value all) const {
  SimdStoreOp::create(builder, all.getLoc(), all, array,
                      makeOffsets(builder, all.getLoc()), /*mask=*/nullptr,
                      /*contiguous=*/true, /*transposed=*/false);
}

Value Scratch::load(OpBuilder &builder, Location loc) const {
  return SimdLoadOp::create(builder, loc, type, array,
                            makeOffsets(builder, loc), /*mask=*/nullptr,
                            /*contiguous=*/true, /*step=*/IntegerAttr(),
                            /*transposed=*/false);
}

void Scratch::store(OpBuilder &builder, const Part &part, Value own) const {
  SimdStoreOp::create(builder, own.getLoc(), own, array,
                      makeOffsets(builder, own.getLoc(), part),
                      /*mask=*/nullptr, /*contiguous=*/true,
                      /*transposed=*/false);
}

Value Scratch::load(OpBuilder &builder, Location loc, const Part &part) const {
  return SimdLoadOp::create(builder, loc, split.narrow(type), array,
                            makeOffsets(builder, loc, part), /*mask=*/nullptr,
                            /*contiguous=*/true, /*step=*/IntegerAttr(),
                            /*transposed=*/false);
}

std::optional<ConstantParts> pyk::simd::divide(DenseElementsAttr constant,
                                               const Split &split) {
  auto type = cast<VectorType>(constant.getType());
  Dimensions all = getDimensions(type), own = split.narrow(all);
  auto narrowed = cast<VectorType>(split.narrow(type));
  // Of another tile, or a part already.
  for (auto [count, size] : llvm::zip(all, split.tile))
    if (count != 1 && count != size)
      return std::nullopt;
  if (constant.isSplat())
    return ConstantParts{constant.resizeSplat(narrowed), 0, 0};
  if (all == own)
    return ConstantParts{constant, 0, 0};
  auto integers = dyn_cast<DenseIntElementsAttr>(constant);
  if (!integers)
    return std::nullopt;
  SmallVector<APInt> values(integers.getValues<APInt>());
  auto at = [&](int64_t row, int64_t strip, int64_t lane) {
    return values[(row * all[1] + strip) * all[2] + lane].getSExtValue();
  };
  ConstantParts parts{{},
                      all[0] == own[0] ? 0 : at(own[0], 0, 0) - at(0, 0, 0),
                      all[1] == own[1] ? 0 : at(0, own[1], 0) - at(0, 0, 0)};
  SmallVector<APInt> first;
  for (int64_t row = 0; row < all[0]; ++row)
    for (int64_t strip = 0; strip < all[1]; ++strip)
      for (int64_t lane = 0; lane < all[2]; ++lane) {
        if (row < own[0] && strip < own[1])
          first.push_back(values[(row * all[1] + strip) * all[2] + lane]);
        if (at(row, strip, lane) != at(row % own[0], strip % own[1], lane) +
                                        row / own[0] * parts.rowStep +
                                        strip / own[1] * parts.stripStep)
          return std::nullopt;
      }
  parts.first = DenseElementsAttr::get(narrowed, first);
  return parts;
}

std::optional<SmallVector<int64_t>>
pyk::simd::narrowPosition(ArrayRef<int64_t> position, Dimensions all,
                          const Split &split) {
  if (position.size() != all.size())
    return std::nullopt;
  SmallVector<int64_t> result;
  for (auto [at, count, own] : llvm::zip(position, all, split.narrow(all)))
    if (at == 0 || count == own)
      result.push_back(at);
    else if (at == count - 1)
      result.push_back(own - 1);
    else
      return std::nullopt;
  return result;
}

bool pyk::simd::canDividePositions(Operation *op, const Split &split) {
  auto visit = [&](vector::ExtractOp extraction) {
    Dimensions all = getDimensions(extraction.getSource().getType());
    return extraction->hasAttr(kOfPartsAttrName) &&
                   narrowPosition(extraction.getStaticPosition(), all, split)
               ? WalkResult::advance()
               : WalkResult::interrupt();
  };
  return !op->walk(visit).wasInterrupted();
}

bool pyk::simd::canDivide(Operation *op, const Split &split) {
  auto visit = [&](Operation *inner) {
    SmallVector<Value> all(inner->getOperands());
    llvm::append_range(all, inner->getResults());
    for (Value value : all) {
      DenseElementsAttr constant;
      if (isCompact(value.getType()) &&
          matchPattern(value, m_Constant(&constant)) &&
          !divide(constant, split))
        return WalkResult::interrupt();
    }
    return WalkResult::advance();
  };
  return canDividePositions(op, split) && !op->walk(visit).wasInterrupted();
}

/// The part's elements of `constant`.
Value PartWriter::getConstant(Location loc, DenseElementsAttr constant) {
  ConstantParts parts = *divide(constant, split);
  Value own = arith::ConstantOp::create(builder, loc, parts.first);
  auto add = [&](Value index, int64_t step) {
    if (step == 0)
      return;
    Type element = parts.first.getElementType();
    Value number = builder.createOrFold<arith::MulIOp>(
        loc, index, makeI64(builder, loc, step));
    unsigned bits = element.getIntOrFloatBitWidth();
    if (bits < 64)
      number = arith::TruncIOp::create(builder, loc, element, number);
    own = arith::AddIOp::create(
        builder, loc, own,
        vector::BroadcastOp::create(builder, loc, own.getType(), number));
  };
  add(part.row, parts.rowStep);
  add(part.strip, parts.stripStep);
  return own;
}

Value PartWriter::get(Value value) {
  if (Value known = values.lookupOrNull(value))
    return known;
  DenseElementsAttr constant;
  if (isCompact(value.getType()) && matchPattern(value, m_Constant(&constant)))
    return getConstant(value.getLoc(), constant);
  return value;
}

void PartWriter::clone(Operation *op) {
  DenseElementsAttr constant;
  if (matchPattern(op, m_Constant(&constant)) &&
      isCompact(op->getResult(0).getType())) {
    values.map(op->getResult(0), getConstant(op->getLoc(), constant));
    return;
  }
  if (auto extraction = dyn_cast<vector::ExtractOp>(op)) {
    Value source = extraction.getSource();
    values.map(extraction.getResult(),
               extractOfParts(builder, op->getLoc(), get(source),
                              *narrowPosition(extraction.getStaticPosition(),
                                              getDimensions(source.getType()),
                                              split)));
    return;
  }
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(get(operand));
  SmallVector<Type> types;
  for (Type type : op->getResultTypes())
    types.push_back(split.narrow(type));
  Operation *copy = cloneWithoutRegions(builder, op, types, operands);
  for (auto [from, to] : llvm::zip(op->getRegions(), copy->getRegions())) {
    if (from.empty())
      continue;
    OpBuilder::InsertionGuard guard(builder);
    Block *block = builder.createBlock(&to);
    for (BlockArgument argument : from.getArguments())
      values.map(argument, block->addArgument(split.narrow(argument.getType()),
                                              argument.getLoc()));
    for (Operation &inner : from.front())
      clone(&inner);
  }
  for (auto [own, result] : llvm::zip(op->getResults(), copy->getResults()))
    values.map(own, result);
}

SmallVector<Value> pyk::simd::forEachPart(
    OpBuilder &builder, Location loc, const Split &split, ValueRange init,
    function_ref<SmallVector<Value>(const Part &, ValueRange)> inner) {
  auto loopOver =
      [&](int64_t count, ValueRange before,
          function_ref<SmallVector<Value>(Value, ValueRange)> iteration) {
        if (count == 1)
          return iteration(makeI64(builder, loc, 0), before);
        auto parts = scf::ForOp::create(builder, loc, makeI64(builder, loc, 0),
                                        makeI64(builder, loc, count),
                                        makeI64(builder, loc, 1), before);
        parts->setAttr(kPartsAttrName, builder.getUnitAttr());
        OpBuilder::InsertionGuard guard(builder);
        if (before.empty())
          parts.getBody()->getTerminator()->erase();
        builder.setInsertionPointToEnd(parts.getBody());
        scf::YieldOp::create(
            builder, loc,
            iteration(parts.getInductionVar(), parts.getRegionIterArgs()));
        return SmallVector<Value>(parts.getResults());
      };
  return loopOver(split.countRowParts(), init, [&](Value row, ValueRange own) {
    return loopOver(split.countStripParts(), own,
                    [&](Value strip, ValueRange last) {
                      return inner({row, strip}, last);
                    });
  });
}
