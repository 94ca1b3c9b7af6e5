// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops on numbers, and memory. All threads of a tile do an op before any does
// the next, so no access moves over another and nothing needs to be known of
// which arrays may be the same.

#include "Meetings.h"
#include "Vectorizer.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "pyk/Dialect/Pyk/IR/PykNumericOps.h"
#include "pyk/Dialect/Pyk/IR/PykRecordOps.h"
#include "pyk/Dialect/Pyk/IR/PykSyncOps.h"
#include "pyk/Dialect/Pyk/IR/PykViewOps.h"
#include "pyk/Dialect/Simd/IR/SimdOps.h"
#include "pyk/Libdevice/Libdevice.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::simd;

// Not those of pyk.
using SimdLoadOp = pyk::simd::LoadOp;
using SimdStoreOp = pyk::simd::StoreOp;

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

void Vectorizer::clone(Operation *op) {
  IRMapping mapping;
  for (Value operand : op->getOperands())
    mapping.map(operand, get(operand));
  Operation *copy = builder.clone(*op, mapping);
  for (auto [old, result] : llvm::zip(op->getResults(), foldConstants(copy)))
    set(old, result);
}

void Vectorizer::visitBlock(Block &block) {
  for (Operation &op : block.without_terminator())
    visit(&op);
}

Obstacle Vectorizer::run(Block &body, Value firstRow, Value firstStrip,
                         Value ownBlockX) {
  row = firstRow;
  strip = firstStrip;
  blockX = ownBlockX;
  for (BlockArgument argument : body.getArguments())
    set(argument, argument);
  mask = tile.makeMask(builder, body.getParentOp()->getLoc(), row, strip);
  visitBlock(body);
  return failure;
}

/// Zeros of `type`, a number or a compact vector.
Value Vectorizer::makeZero(Location loc, Type type) {
  return arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
}

void Vectorizer::visit(Operation *op) {
  if (auto condition = dyn_cast<scf::IfOp>(op))
    return visitIf(condition);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return visitFor(loop);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return visitWhile(loop);
  if (auto alloc = dyn_cast<AllocOp>(op);
      alloc && alloc.getType().getSpace() == Space::Local)
    return visitLocalArray(alloc);
  if (auto load = dyn_cast<pyk::LoadOp>(op))
    return visitLoad(load);
  if (auto store = dyn_cast<pyk::StoreOp>(op))
    return visitStore(store);
  if (auto index = dyn_cast<gpu::ThreadIdOp>(op))
    return set(index,
               tile.makeThreadIndex(builder, op->getLoc(),
                                    static_cast<unsigned>(index.getDimension()),
                                    row, strip));
  if (auto block = dyn_cast<gpu::BlockIdOp>(op);
      block && blockX && block.getDimension() == gpu::Dimension::x)
    return set(block, blockX);
  if (isOfWarp(op))
    return visitWarp(op);
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(op))
    return visitIndexCast(op);
  // The tile is the block, and its threads are in step.
  if (auto barrier = dyn_cast<BarrierOp>(op))
    return visitBarrier(barrier);
  // What is chosen for threads that are off should be harmless.
  if (auto poison = dyn_cast<ub::PoisonOp>(op);
      poison && poison.getType().isIntOrFloat())
    return set(poison, makeZero(op->getLoc(), poison.getType()));
  if (auto element = dyn_cast<ElementOp>(op)) {
    // Accesses look for its offset.
    if (!getLocalArray(element) && values.contains(element.getArray()) &&
        isUniform(element.getOffset()))
      clone(op);
    return;
  }
  if (getLaneClass(op) == LaneClass::Serial ||
      isa<AccessOpInterface, CopyRecordOp>(op))
    return visitSerial(op);
  if (llvm::all_of(op->getOperands(),
                   [&](Value operand) { return isUniform(operand); })) {
    clone(op);
    return;
  }
  // Neighbours of threads at 0 that are off are at -1.
  if (isa<arith::ExtUIOp>(op) && isNonNegativeInLanes(op->getOperand(0))) {
    Value operand = get(op->getOperand(0));
    Type type = getTypeWith(op->getResult(0).getType(),
                            getDimensions(operand.getType()));
    return set(op->getResult(0), builder.createOrFold<arith::ExtSIOp>(
                                     op->getLoc(), type, operand));
  }
  visitElementwise(op);
}

/// The places of threads are i32 here.
void Vectorizer::visitIndexCast(Operation *op) {
  Value operand = get(op->getOperand(0));
  if (operand.getType().isIndex()) {
    clone(op);
    return;
  }
  Value result = op->getResult(0);
  unsigned bits = result.getType().getIntOrFloatBitWidth();
  Type type = getTypeWith(result.getType(), getDimensions(operand.getType()));
  if (bits > 32)
    operand = builder.createOrFold<arith::ExtUIOp>(op->getLoc(), type, operand);
  else if (bits < 32)
    operand =
        builder.createOrFold<arith::TruncIOp>(op->getLoc(), type, operand);
  set(result, operand);
}

static bool isDivision(Operation *op) {
  return isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(
      op);
}

bool pyk::simd::hasVectorForm(Operation *op) {
  // Of functions, those that processors have instructions for, beside these.
  if (isVectorCall(op))
    return true;
  if (!OpTrait::hasElementwiseMappableTraits(op))
    return false;
  // Processors divide one number after the other, unless they can multiply.
  if (isDivision(op))
    return matchPattern(op->getOperand(1), m_Constant());
  return !isa<math::MathDialect>(op->getDialect()) ||
         isa<math::AbsFOp, math::AbsIOp, math::CeilOp, math::CopySignOp,
             math::CountLeadingZerosOp, math::CtPopOp, math::FloorOp,
             math::FmaOp, math::RoundEvenOp, math::RoundOp, math::SqrtOp,
             math::TruncOp>(op);
}

void Vectorizer::visitElementwise(Operation *op) {
  Dimensions size = {1, 1, 1};
  for (Value operand : op->getOperands())
    size = join(size, getOwn(operand));
  bool isSelect = isa<arith::SelectOp>(op);
  if (isSelect)
    return set(op->getResult(0),
               makeSelect(get(op->getOperand(0)), get(op->getOperand(1)),
                          get(op->getOperand(2))));
  if (!hasVectorForm(op))
    return visitSerial(op);
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(stretch(get(operand), size));
  // A thread that is off costs the others nothing.
  const LibdeviceOverload *function = getLibdeviceOverload(op);
  if (Value on = getMask(size); on && function && function->host.isPartial)
    for (Value &operand : operands)
      operand =
          makeSelect(on, operand, makeZero(op->getLoc(), operand.getType()));
  SmallVector<Type> types;
  for (Type type : op->getResultTypes())
    types.push_back(getTypeWith(type, size));
  Operation *wide = mlir::clone(builder, op, types, operands);
  // What a condition says of numbers holds for threads that are on.
  if (auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(wide);
      flags && mask)
    wide->setAttr(flags.getIntegerOverflowAttrName(),
                  arith::IntegerOverflowFlagsAttr::get(
                      wide->getContext(), arith::IntegerOverflowFlags::none));
  SmallVector<Value> results = foldConstants(wide);
  for (auto [old, result] : llvm::zip(op->getResults(), results)) {
    Value made = result;
    // Strides may have cancelled each other.
    if (isScalar(getExpected(old)) && !isScalar(size))
      made = extractOfParts(builder, op->getLoc(), result, {0, 0, 0});
    set(old, made);
  }
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

AllocOp pyk::simd::getLocalArray(Value element) {
  auto op = element.getDefiningOp<ElementOp>();
  auto alloc = op ? op.getArray().getDefiningOp<AllocOp>() : AllocOp();
  return alloc && alloc.getType().getSpace() == Space::Local ? alloc
                                                             : AllocOp();
}

std::optional<Place> pyk::simd::findPlace(Value array,
                                          const LaneShapeAnalysis &shapes) {
  auto element = array.getDefiningOp<ElementOp>();
  if (AllocOp local = getLocalArray(array))
    return Place{local, element.getOffset(), /*isLocal=*/true};
  if (shapes.getShape(array).hasNoAxis())
    return Place{array, {}};
  if (!element || !shapes.getShape(element.getArray()).hasNoAxis())
    return std::nullopt;
  return Place{element.getArray(), element.getOffset()};
}

/// By how much offsets of neighbours in memory differ.
static int64_t getUnit(Value array) {
  auto type = cast<ArrayType>(array.getType());
  return type.getLayout() == Layout::Any ? type.getElementBytes() : 1;
}

/// One array for all threads of the tile: elements with one index lie side by
/// side, as the vectors that hold them.
void Vectorizer::visitLocalArray(AllocOp op) {
  ArrayType type = op.getType();
  auto [rows, strips, lanes] = tile.getDimensions();
  int64_t elements = type.getNumElements() * rows * strips * lanes;
  auto shared = ArrayType::get(op.getContext(), {elements},
                               type.getElementType(), Layout::C, Space::Local);
  set(op.getResult(),
      AllocOp::create(builder, op.getLoc(), shared, op.getAlignmentAttr()));
}

/// Where the elements that `offset` names are in such an array.
Value Vectorizer::makeLocalOffset(Value offset) {
  Location loc = offset.getLoc();
  Dimensions size = tile.getDimensions();
  int64_t threads = size[0] * size[1] * size[2];
  Value own = get(offset);
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
  return arith::AddIOp::create(builder, loc, stretch(start, size), places);
}

void Vectorizer::visitLoad(pyk::LoadOp op) {
  Place place = *findPlace(op.getArray(), shapes);
  if (place.isLocal) {
    Dimensions size = tile.getDimensions();
    bool isContiguous = getOwn(place.offset)[2] == 1;
    Value loaded = SimdLoadOp::create(
        builder, op.getLoc(), getTypeWith(op.getType(), size), get(place.array),
        makeLocalOffset(place.offset), getMask(size), isContiguous);
    // That of a thread who is alone.
    if (isScalar(getExpected(op.getResult())) && !isScalar(size))
      loaded = vector::ExtractOp::create(builder, op.getLoc(), loaded,
                                         ArrayRef<int64_t>{0, 0, 0});
    return set(op.getResult(), loaded);
  }
  if (!place.offset || isUniform(place.offset)) {
    if (!values.contains(op.getArray()))
      clone(op.getArray().getDefiningOp());
    clone(op);
    return;
  }
  Dimensions size = getOwn(place.offset);
  Value on = getMask(size);
  bool isContiguous =
      tile.isContiguous(shapes.getShape(place.offset), getUnit(place.array));
  set(op.getResult(),
      SimdLoadOp::create(builder, op.getLoc(), getTypeWith(op.getType(), size),
                         get(place.array), get(place.offset), on,
                         isContiguous));
}

void Vectorizer::visitStore(pyk::StoreOp op) {
  Place place = *findPlace(op.getArray(), shapes);
  if (place.isLocal) {
    Dimensions size = tile.getDimensions();
    bool isContiguous = getOwn(place.offset)[2] == 1;
    SimdStoreOp::create(builder, op.getLoc(), stretch(get(op.getValue()), size),
                        get(place.array), makeLocalOffset(place.offset),
                        getMask(size), isContiguous);
    return;
  }
  Dimensions size = {1, 1, 1};
  if (place.offset)
    size = getOwn(place.offset);
  // Several threads write to one element.
  if (!isWithin(getOwn(op.getValue()), size))
    return visitSerial(op);
  if (isScalar(size)) {
    if (!values.contains(op.getArray()))
      clone(op.getArray().getDefiningOp());
    clone(op);
    return;
  }
  Value on = getMask(size);
  Value value = stretch(get(op.getValue()), size);
  bool isContiguous =
      tile.isContiguous(shapes.getShape(place.offset), getUnit(place.array));
  SimdStoreOp::create(builder, op.getLoc(), value, get(place.array),
                      get(place.offset), on, isContiguous);
}

/// Runs `op` for one thread after the other, or, if it has no effects, for as
/// many as its operands tell apart.
void Vectorizer::visitSerial(Operation *op) {
  if (isMemoryEffectFree(op) && op->use_empty())
    return;
  Dimensions size =
      isMemoryEffectFree(op) ? Dimensions{1, 1, 1} : tile.getDimensions();
  // Elements that differ are made in the body.
  SmallVector<Operation *> own;
  for (Value operand : op->getOperands())
    if (auto array = dyn_cast<ArrayType>(operand.getType());
        array && !values.contains(operand))
      own.push_back(operand.getDefiningOp());
  own.push_back(op);
  SmallVector<Value> inputs;
  IRMapping mapping;
  SmallVector<Value> originals;
  for (Operation *inner : own)
    for (Value operand : inner->getOperands()) {
      if (!values.contains(operand) || mapping.contains(operand))
        continue;
      Value mapped = get(operand);
      if (isUniform(operand)) {
        mapping.map(operand, mapped);
        continue;
      }
      size = join(size, getDimensions(mapped.getType()));
      if (!llvm::is_contained(originals, operand))
        originals.push_back(operand);
    }
  if (isScalar(size)) {
    clone(op);
    return;
  }
  for (Value operand : originals)
    inputs.push_back(stretch(get(operand), size));
  // Threads that are off may divide by 0, which traps, remainders included.
  bool runsForAll = isPure(op) && !isDivision(op);
  Value on = runsForAll ? Value() : getMask(size);
  SmallVector<Type> types;
  SmallVector<Value> used;
  for (Value result : op->getResults())
    if (!result.use_empty()) {
      used.push_back(result);
      types.push_back(getTypeWith(result.getType(), size));
    }
  // Something says how many threads there are.
  if (!on && inputs.empty() && types.empty())
    on = makeConstant(true, size);
  auto serial = SerialOp::create(builder, op->getLoc(), types, inputs, on);
  OpBuilder::InsertionGuard guard(builder);
  Block *body = builder.createBlock(&serial.getBody());
  for (Value operand : originals)
    mapping.map(operand,
                body->addArgument(operand.getType(), operand.getLoc()));
  for (Operation *inner : own)
    builder.clone(*inner, mapping);
  SmallVector<Value> yields;
  for (Value result : used)
    yields.push_back(mapping.lookup(result));
  YieldOp::create(builder, op->getLoc(), yields);
  for (auto [old, result] : llvm::zip(used, serial.getResults()))
    set(old, result);
}
