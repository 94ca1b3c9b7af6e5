// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory: addresses, loads and stores.

#include "AccessUnroller.h"
#include "AccessVectorizer.h"
#include "Parts.h"
#include "PrefetchRows.h"
#include "TransposedAccesses.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"
#include "pyk/Dialect/Pyk/IR/PykSpaces.h"
#include "pyk/Dialect/Pyk/IR/PykViewOps.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::simd;

// Not those of pyk.
using SimdLoadOp = pyk::simd::LoadOp;
using SimdStoreOp = pyk::simd::StoreOp;

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

Type pyk::simd::getPointerType(Value array) {
  auto type = cast<ArrayType>(array.getType());
  return LLVM::LLVMPointerType::get(type.getContext(),
                                    getAddressSpace(type.getSpace()));
}

Value pyk::simd::makePointer(OpBuilder &builder, Value array, Value offset) {
  Location loc = array.getLoc();
  Value element = ElementOp::create(builder, loc, array, offset);
  return ToPointerOp::create(builder, loc, getPointerType(array), element);
}

/// A vector of pointers to the elements at `offsets`.
static Value makePointers(OpBuilder &builder, Value array, Value offsets) {
  Location loc = array.getLoc();
  auto type = cast<ArrayType>(array.getType());
  Type pointer = getPointerType(array);
  Value first = ToPointerOp::create(builder, loc, pointer, array);
  Type element = type.getElementType();
  Type unit = type.getLayout() == Layout::Any || element.isInteger(1)
                  ? Type(builder.getI8Type())
                  : element;
  int64_t lanes = cast<VectorType>(offsets.getType()).getNumElements();
  return LLVM::GEPOp::create(builder, loc, VectorType::get(lanes, pointer),
                             unit, first, ArrayRef<LLVM::GEPArg>(offsets));
}

/// The number of the buffer that nobody reads.
static constexpr unsigned kNowhere = ~0U;

/// `pointers` of the lanes that are `on`; others store where nobody reads. A
/// branch for each lane costs more: masks that data decide have no pattern.
Value AccessUnroller::divert(Value pointers, Value on, Type held) {
  Location loc = pointers.getLoc();
  auto type = cast<VectorType>(pointers.getType());
  Value nowhere = buffers.get(held, kNowhere, /*count=*/1);
  if (nowhere.getType() != type.getElementType())
    nowhere = LLVM::AddrSpaceCastOp::create(builder, loc, type.getElementType(),
                                            nowhere);
  return LLVM::SelectOp::create(
      builder, loc, on, pointers,
      makeSplat(builder, nowhere, type.getNumElements()));
}

Value pyk::simd::toElements(OpBuilder &builder, Value held, Type element) {
  auto type = cast<VectorType>(held.getType());
  if (type.getElementType() == element)
    return held;
  Value zero = arith::ConstantOp::create(
      builder, held.getLoc(),
      DenseElementsAttr::get(type, builder.getI8IntegerAttr(0)));
  return arith::CmpIOp::create(builder, held.getLoc(), arith::CmpIPredicate::ne,
                               held, zero);
}

/// Runs `make` if `condition`, which may be null, holds; the result, if it has
/// one, is 0 else.
static Value makeIf(OpBuilder &builder, Location loc, Value condition,
                    TypeRange types, llvm::function_ref<Value()> make) {
  if (!condition)
    return make();
  auto op = scf::IfOp::create(builder, loc, types, condition,
                              /*withElseRegion=*/!types.empty());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&op.getThenRegion().front());
  Value made = make();
  if (types.empty())
    return {};
  scf::YieldOp::create(builder, loc, made);
  builder.setInsertionPointToStart(&op.getElseRegion().front());
  scf::YieldOp::create(
      builder, loc,
      ValueRange(LLVM::ZeroOp::create(builder, loc, types.front())));
  return op.getResult(0);
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

static Value makeAllLanes(OpBuilder &builder, Location loc, int64_t lanes) {
  auto type = VectorType::get(lanes, builder.getI1Type());
  return arith::ConstantOp::create(builder, loc,
                                   DenseElementsAttr::get(type, true));
}

/// What `mask`, an instance, says of all lanes if it is a constant.
static std::optional<bool> getOfAll(Value mask) {
  if (!mask)
    return true;
  DenseElementsAttr constant;
  if (!matchPattern(mask, m_Constant(&constant)) || !constant.isSplat())
    return std::nullopt;
  return constant.getSplatValue<bool>();
}

static constexpr int64_t kAvx2Lanes = 8;

/// Whether LLVM writes a branch for each lane of an access to elements of
/// `bits` under a mask, on machines whose vectors have `lanes`: AVX2 has masks
/// for whole words alone, AVX-512 for all.
static bool isMaskedByBranches(int64_t lanes, unsigned bits) {
  return lanes == kAvx2Lanes && bits < 32;
}

/// Whether machines whose vectors have `lanes` can store elements of `bits`
/// here and there: AVX-512 can, whole words. Others store lane by lane.
static bool hasScatter(int64_t lanes, unsigned bits) {
  return lanes > kAvx2Lanes && bits >= 32;
}

/// Whether `mask` is there and no constant.
static bool isMasked(Value mask) {
  return mask && !matchPattern(mask, m_Constant());
}

/// What `op`, a load or store of `array` at `offset`, does for one thread after
/// the other.
static SerialOp makeSerial(Operation *op, Value array, Value offset,
                           Value stored, Value mask) {
  OpBuilder b(op);
  Location loc = op->getLoc();
  SmallVector<Value> inputs = {offset};
  if (stored)
    inputs.push_back(stored);
  auto serial = SerialOp::create(b, loc, op->getResultTypes(), inputs, mask);
  Block *body = b.createBlock(&serial.getBody());
  for (Value input : inputs)
    body->addArgument(getElementTypeOrSelf(input.getType()), loc);
  Value address = ElementOp::create(b, loc, array, body->getArgument(0));
  SmallVector<Value> yields;
  if (stored)
    pyk::StoreOp::create(b, loc, body->getArgument(1), address, ValueRange());
  else
    yields.push_back(pyk::LoadOp::create(b, loc, address, ValueRange()));
  YieldOp::create(b, loc, yields);
  return serial;
}

/// Loads a vector of `held` of which neighbouring lanes are `step` elements
/// apart in `array`, the first at `offset` in memory: with what lies between
/// them, which is memory of the array too. Each load begins at the last element
/// of the one before, so that none goes beyond the last of all.
Value AccessUnroller::loadSteps(SimdLoadOp op, Value array, int64_t row,
                                int64_t strip, VectorType type) {
  Location loc = op.getLoc();
  auto arrayType = cast<ArrayType>(array.getType());
  const auto step = static_cast<int64_t>(*op.getStep());
  const int64_t lanes = type.getNumElements(), count = std::abs(step);
  Value first =
      values.getElement(op.getOffset(), {row, strip, step > 0 ? 0 : lanes - 1});
  const int64_t unit = getUnit(array);
  auto load = [&](int64_t part) -> Value {
    Value by = makeI64(builder, loc, part * (lanes - 1) * unit);
    Value offset = builder.createOrFold<arith::AddIOp>(loc, first, by);
    return LLVM::LoadOp::create(
        builder, loc, type, makePointer(builder, array, offset),
        static_cast<unsigned>(arrayType.getAlignment()));
  };
  // Which load has the element of a lane, and where.
  auto find = [&](int64_t lane) {
    int64_t place = count * (step > 0 ? lane : lanes - 1 - lane);
    int64_t part = std::min(place / (lanes - 1), count - 1);
    return std::pair(part, place - part * (lanes - 1));
  };
  Value result = load(0);
  for (int64_t part = count == 1 ? 0 : 1; part < count; ++part) {
    SmallVector<int32_t> lanesOfBoth;
    for (int64_t lane = 0; lane < lanes; ++lane) {
      auto [own, place] = find(lane);
      bool isDone = own < part && part > 1;
      lanesOfBoth.push_back(static_cast<int32_t>(isDone ? lane
                                                 : own == part && part != 0
                                                     ? lanes + place
                                                 : own > part ? 0
                                                              : place));
    }
    Value next = part == 0 ? result : load(part);
    result =
        LLVM::ShuffleVectorOp::create(builder, loc, result, next, lanesOfBoth);
  }
  return result;
}

void AccessUnroller::visit(SimdLoadOp op) {
  Location loc = op.getLoc();
  Dimensions size = getDimensions(op.getType());
  Value array = values.get(op.getArray()).front();
  auto arrayType = cast<ArrayType>(array.getType());
  Type element = arrayType.getElementType(), held = getHeldType(element);
  auto alignment = static_cast<unsigned>(arrayType.getAlignment());
  auto alignmentAttr = builder.getI32IntegerAttr(alignment);
  if (size[2] != 1 && isMasked(op.getMask()) &&
      isMaskedByBranches(size[2], held.getIntOrFloatBitWidth())) {
    SerialOp serial =
        makeSerial(op, op.getArray(), op.getOffset(), {}, op.getMask());
    serials.visit(serial);
    return values.set(op.getResult(), values.get(serial.getResult(0)));
  }
  if (Values loaded = loadTransposed(builder, values, op, array);
      !loaded.empty())
    return values.set(op.getResult(), std::move(loaded));
  Values results;
  for (int64_t row = 0; row < size[0]; ++row)
    for (int64_t strip = 0; strip < size[1]; ++strip) {
      Value on =
          op.getMask() ? values.getInstance(op.getMask(), row, strip) : Value();
      if (size[2] == 1) {
        Value offset = values.getInstance(op.getOffset(), row, strip);
        results.push_back(makeIf(builder, loc, on, element, [&]() -> Value {
          Value address = ElementOp::create(builder, loc, array, offset);
          return pyk::LoadOp::create(builder, loc, address, ValueRange());
        }));
        continue;
      }
      Type type = VectorType::get(size[2], held);
      Value value;
      std::optional<bool> all = getOfAll(on);
      if (all == true)
        on = {};
      if (all == false) {
        value = LLVM::ZeroOp::create(builder, loc, type);
      } else if (op.getContiguous()) {
        Value offset = values.getElement(op.getOffset(), {row, strip, 0});
        Value pointer = makePointer(builder, array, offset);
        if (!on && !fetchesRows)
          prefetchRow(builder, op, array, offset);
        if (on)
          value = LLVM::MaskedLoadOp::create(
              builder, loc, type, pointer, on,
              LLVM::ZeroOp::create(builder, loc, type), alignmentAttr,
              UnitAttr());
        else
          value = LLVM::LoadOp::create(builder, loc, type, pointer, alignment);
      } else if (op.getStep() && !on) {
        value = loadSteps(op, array, row, strip, cast<VectorType>(type));
      } else {
        Value pointers = makePointers(
            builder, array, values.getInstance(op.getOffset(), row, strip));
        if (!on)
          on = makeAllLanes(builder, loc, size[2]);
        value = LLVM::masked_gather::create(
            builder, loc, type, pointers, on,
            ValueRange(LLVM::ZeroOp::create(builder, loc, type)),
            alignmentAttr);
      }
      results.push_back(toElements(builder, value, element));
    }
  values.set(op.getResult(), std::move(results));
}

void AccessUnroller::visit(SimdStoreOp op) {
  Location loc = op.getLoc();
  Dimensions size = getDimensions(op.getValue().getType());
  Value array = values.get(op.getArray()).front();
  auto arrayType = cast<ArrayType>(array.getType());
  auto alignment = static_cast<unsigned>(arrayType.getAlignment());
  auto alignmentAttr = builder.getI32IntegerAttr(alignment);
  Type held = getHeldType(arrayType.getElementType());
  if (size[2] != 1 && isMasked(op.getMask()) &&
      isMaskedByBranches(size[2], held.getIntOrFloatBitWidth()))
    return serials.visit(makeSerial(op, op.getArray(), op.getOffset(),
                                    op.getValue(), op.getMask()));
  if (storeTransposed(builder, values, op, array))
    return;
  for (int64_t row = 0; row < size[0]; ++row)
    for (int64_t strip = 0; strip < size[1]; ++strip) {
      Value on =
          op.getMask() ? values.getInstance(op.getMask(), row, strip) : Value();
      Value value = values.getInstance(op.getValue(), row, strip);
      if (size[2] == 1) {
        Value offset = values.getInstance(op.getOffset(), row, strip);
        makeIf(builder, loc, on, {}, [&]() -> Value {
          Value address = ElementOp::create(builder, loc, array, offset);
          pyk::StoreOp::create(builder, loc, value, address, ValueRange());
          return {};
        });
        continue;
      }
      std::optional<bool> all = getOfAll(on);
      if (all == false)
        continue;
      if (all == true)
        on = {};
      value = toHeld(builder, value);
      if (!op.getContiguous()) {
        Value pointers = makePointers(
            builder, array, values.getInstance(op.getOffset(), row, strip));
        if (isMasked(on) &&
            !hasScatter(size[2], held.getIntOrFloatBitWidth())) {
          pointers = divert(pointers, on, held);
          on = {};
        }
        if (!on)
          on = makeAllLanes(builder, loc, size[2]);
        LLVM::masked_scatter::create(builder, loc, value, pointers, on,
                                     alignmentAttr);
        continue;
      }
      Value pointer = makePointer(
          builder, array, values.getElement(op.getOffset(), {row, strip, 0}));
      if (on)
        LLVM::MaskedStoreOp::create(builder, loc, value, pointer, on,
                                    alignmentAttr);
      else
        LLVM::StoreOp::create(builder, loc, value, pointer, alignment);
    }
}
