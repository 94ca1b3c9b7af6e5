// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All threads of a tile do an op before any does the next, so no access moves
// over another and nothing needs to be known of which arrays may be the same.

#include "AccessVectorizer.h"
#include "MachineVectors.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "pyk/Dialect/Simd/IR/SimdOps.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::simd;

// Not those of pyk.
using SimdLoadOp = pyk::simd::LoadOp;
using SimdStoreOp = pyk::simd::StoreOp;

AllocOp pyk::simd::getLocalArray(Value element) {
  auto op = element.getDefiningOp<ElementOp>();
  auto alloc = op ? op.getArray().getDefiningOp<AllocOp>() : AllocOp();
  return alloc && alloc.getType().getSpace() == Space::Local ? alloc
                                                             : AllocOp();
}

std::optional<Address> pyk::simd::findAddress(Value array,
                                              const LaneShapeAnalysis &shapes) {
  auto element = array.getDefiningOp<ElementOp>();
  if (AllocOp local = getLocalArray(array))
    return Address{local, element.getOffset(), /*isLocal=*/true};
  if (shapes.getShape(array).hasNoAxis())
    return Address{array, {}};
  if (!element || !shapes.getShape(element.getArray()).hasNoAxis())
    return std::nullopt;
  return Address{element.getArray(), element.getOffset()};
}

int64_t pyk::simd::getUnit(Value array) {
  auto type = cast<ArrayType>(array.getType());
  return type.getLayout() == Layout::Any ? type.getElementBytes() : 1;
}

/// Elements that are further apart are loaded one by one: each step is a load,
/// and four of them with what picks from them take a third to two thirds of
/// that.
static constexpr int64_t kMostLoads = 4;

int64_t pyk::simd::getStep(const Tile &tile, const LaneShape &offset,
                           Value array) {
  for (int64_t step = 1; step <= kMostLoads; ++step)
    for (int64_t signedStep : {step, -step})
      if (tile.isContiguous(offset, getUnit(array) * signedStep))
        return signedStep;
  return 0;
}

int64_t pyk::simd::getRowsTogether(const Tile &tile, const LaneShape &offset,
                                   Value array) {
  if (offset.getStride(0).isZero() ||
      !tile.hasNeighboursInRows(offset, getUnit(array)))
    return 0;
  Type element = cast<ArrayType>(array.getType()).getElementType();
  return getRowsTogether(tile.getDimensions()[0], tile.getLanes(),
                         getHeldType(element).getIntOrFloatBitWidth());
}

/// One array for all threads of the tile: elements with one index lie side by
/// side, as the vectors that hold them.
void AccessVectorizer::visitLocalArray(AllocOp op) {
  ArrayType type = op.getType();
  auto [rows, strips, lanes] = values.getTile().getDimensions();
  int64_t elements = type.getNumElements() * rows * strips * lanes;
  auto shared = ArrayType::get(op.getContext(), {elements},
                               type.getElementType(), Layout::C, Space::Local);
  values.set(op.getResult(), AllocOp::create(builder, op.getLoc(), shared,
                                             op.getAlignmentAttr()));
}

/// Where the elements that `offset` names are in such an array.
Value AccessVectorizer::makeLocalOffset(Value offset) {
  Location loc = offset.getLoc();
  Dimensions size = values.getTile().getDimensions();
  int64_t threads = size[0] * size[1] * size[2];
  Value own = values.get(offset);
  auto type = cast<VectorType>(getTypeWith(builder.getI64Type(), size));
  Value factor = arith::ConstantOp::create(
      builder, loc,
      isa<VectorType>(own.getType())
          ? TypedAttr(DenseElementsAttr::get(cast<VectorType>(own.getType()),
                                             APInt(64, threads)))
          : TypedAttr(builder.getI64IntegerAttr(threads)));
  Value start = arith::MulIOp::create(builder, loc, own, factor);
  Value places = arith::ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(
          type, ArrayRef<int64_t>(llvm::to_vector(llvm::seq(threads)))));
  return arith::AddIOp::create(builder, loc, values.stretch(start, size),
                               places);
}

void AccessVectorizer::visit(pyk::LoadOp op) {
  Address address = *findAddress(op.getArray(), values.getShapes());
  if (address.isLocal) {
    Dimensions size = values.getTile().getDimensions();
    bool isContiguous = values.getOwn(address.offset)[2] == 1;
    Value loaded = SimdLoadOp::create(
        builder, op.getLoc(), getTypeWith(op.getType(), size),
        values.get(address.array), makeLocalOffset(address.offset),
        masks.get(size), isContiguous, /*step=*/IntegerAttr(),
        /*transposed=*/false);
    // That of a thread who is alone.
    if (isScalar(values.getExpected(op.getResult())) && !isScalar(size))
      loaded = vector::ExtractOp::create(builder, op.getLoc(), loaded,
                                         ArrayRef<int64_t>{0, 0, 0});
    return values.set(op.getResult(), loaded);
  }
  if (!address.offset || values.isUniform(address.offset)) {
    if (!values.contains(op.getArray()))
      ops.clone(op.getArray().getDefiningOp());
    ops.clone(op);
    return;
  }
  Dimensions size = values.getOwn(address.offset);
  Value on = masks.get(size);
  const LaneShape &shape = values.getShapes().getShape(address.offset);
  int64_t step = getStep(values.getTile(), shape, address.array);
  bool isContiguous = step == 1, hasStep = step != 0 && step != 1;
  bool isTransposed =
      step == 0 && getRowsTogether(values.getTile(), shape, address.array) != 0;
  values.set(op.getResult(),
             SimdLoadOp::create(
                 builder, op.getLoc(), getTypeWith(op.getType(), size),
                 values.get(address.array), values.get(address.offset), on,
                 isContiguous,
                 hasStep ? builder.getI64IntegerAttr(step) : IntegerAttr(),
                 isTransposed));
}

/// An element whose offset all threads share is made here; of others, accesses
/// read the offset.
void AccessVectorizer::visit(ElementOp op) {
  if (!getLocalArray(op) && values.contains(op.getArray()) &&
      values.isUniform(op.getOffset()))
    ops.clone(op);
}

void AccessVectorizer::visit(pyk::StoreOp op) {
  Address address = *findAddress(op.getArray(), values.getShapes());
  if (address.isLocal) {
    Dimensions size = values.getTile().getDimensions();
    bool isContiguous = values.getOwn(address.offset)[2] == 1;
    SimdStoreOp::create(
        builder, op.getLoc(), values.stretch(values.get(op.getValue()), size),
        values.get(address.array), makeLocalOffset(address.offset),
        masks.get(size), isContiguous, /*transposed=*/false);
    return;
  }
  Dimensions size = {1, 1, 1};
  if (address.offset)
    size = values.getOwn(address.offset);
  // Several threads write to one element.
  if (!isWithin(values.getOwn(op.getValue()), size))
    return ops.visitSerial(op);
  if (isScalar(size)) {
    if (!values.contains(op.getArray()))
      ops.clone(op.getArray().getDefiningOp());
    ops.clone(op);
    return;
  }
  Value on = masks.get(size);
  Value value = values.stretch(values.get(op.getValue()), size);
  const LaneShape &shape = values.getShapes().getShape(address.offset);
  int64_t step = getStep(values.getTile(), shape, address.array);
  bool isTransposed =
      step == 0 && getRowsTogether(values.getTile(), shape, address.array) != 0;
  SimdStoreOp::create(builder, op.getLoc(), value, values.get(address.array),
                      values.get(address.offset), on, /*contiguous=*/step == 1,
                      isTransposed);
}
