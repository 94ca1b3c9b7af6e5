// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements of a tile in memory, and of constants.

#include "Parts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
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
  Dimensions all = getDimensions(type), own = split.narrow(all);
  SmallVector<int64_t> offsets;
  for (int64_t row = 0; row < all[0]; ++row)
    for (int64_t strip = 0; strip < all[1]; ++strip)
      for (int64_t lane = 0; lane < all[2]; ++lane) {
        int64_t part = row / own[0] * (all[1] / own[1]) + strip / own[1];
        int64_t vector =
            (part * own[0] + row % own[0]) * own[1] + strip % own[1];
        offsets.push_back(vector * all[2] + lane);
      }
  return makeOffsetVector(builder, loc, all, offsets);
}

Value Scratch::makeOffsets(OpBuilder &builder, Location loc,
                           const Part &part) const {
  Dimensions all = getDimensions(type), own = split.narrow(all);
  int64_t size = own[0] * own[1] * own[2];
  Value number = makeI64(builder, loc, 0);
  auto add = [&](Value index, int64_t step) {
    number = builder.createOrFold<arith::AddIOp>(
        loc, number,
        builder.createOrFold<arith::MulIOp>(loc, index,
                                            makeI64(builder, loc, step)));
  };
  if (all[0] != own[0])
    add(part.row, size * (all[1] / own[1]));
  if (all[1] != own[1])
    add(part.strip, size);
  Value places =
      makeOffsetVector(builder, loc, own, llvm::to_vector(llvm::seq(size)));
  Value first =
      vector::BroadcastOp::create(builder, loc, places.getType(), number);
  return arith::AddIOp::create(builder, loc, first, places);
}

void Scratch::store(OpBuilder &builder, Value all) const {
  SimdStoreOp::create(builder, all.getLoc(), all, array,
                      makeOffsets(builder, all.getLoc()), /*mask=*/nullptr,
                      /*contiguous=*/true);
}

Value Scratch::load(OpBuilder &builder, Location loc) const {
  return SimdLoadOp::create(builder, loc, type, array,
                            makeOffsets(builder, loc), /*mask=*/nullptr,
                            /*contiguous=*/true);
}

void Scratch::store(OpBuilder &builder, const Part &part, Value own) const {
  SimdStoreOp::create(builder, own.getLoc(), own, array,
                      makeOffsets(builder, own.getLoc(), part),
                      /*mask=*/nullptr, /*contiguous=*/true);
}

Value Scratch::load(OpBuilder &builder, Location loc, const Part &part) const {
  return SimdLoadOp::create(builder, loc, split.narrow(type), array,
                            makeOffsets(builder, loc, part), /*mask=*/nullptr,
                            /*contiguous=*/true);
}

std::optional<ConstantParts> pyk::simd::divide(DenseElementsAttr constant,
                                               const Split &split) {
  auto type = cast<VectorType>(constant.getType());
  Dimensions all = getDimensions(type), own = split.narrow(all);
  auto narrowed = cast<VectorType>(split.narrow(type));
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
