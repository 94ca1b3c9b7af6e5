// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lanes of a warp are those of one vector or several. Shuffles whose lanes are
// constants are instructions; others go by way of memory.

#include "Unroller.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include <numeric>

using namespace mlir;
using namespace pyk;
using namespace pyk::simd;

static constexpr int64_t kWarp = 32;

/// The elements of `vectors`, as many as a power of 2, in one.
Value Unroller::join(ArrayRef<Value> vectors) {
  if (vectors.size() == 1)
    return vectors.front();
  Value low = join(vectors.take_front(vectors.size() / 2));
  Value high = join(vectors.drop_front(vectors.size() / 2));
  SmallVector<int32_t> order(2 *
                             cast<VectorType>(low.getType()).getNumElements());
  std::iota(order.begin(), order.end(), 0);
  return LLVM::ShuffleVectorOp::create(builder, low.getLoc(), low, high, order);
}

Value Unroller::makeBuffer(Type element, unsigned number) {
  Value &buffer = buffers[{element, number}];
  if (!buffer) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(entry);
    Value count = makeNumber(kWarp);
    constexpr unsigned kAlignment = 64;
    buffer =
        LLVM::AllocaOp::create(builder, builder.getUnknownLoc(),
                               LLVM::LLVMPointerType::get(builder.getContext()),
                               element, count, kAlignment);
  }
  return buffer;
}

/// The lanes that `source` names, if they are constants.
static std::optional<SmallVector<int32_t>> getLanes(Value source) {
  auto constant = source.getDefiningOp<arith::ConstantOp>();
  if (!constant)
    return std::nullopt;
  auto value = cast<DenseElementsAttr>(constant.getValue());
  return SmallVector<int32_t>(value.getValues<int32_t>());
}

void Unroller::visitShuffle(ShuffleOp op) {
  Location loc = op.getLoc();
  Dimensions size = getDimensions(op.getType());
  int64_t lanes = size[2], strips = kWarp / lanes;
  Type element = getElementTypeOrSelf(op.getType());
  Type held = element.isInteger(1) ? Type(builder.getI8Type()) : element;
  Type type = VectorType::get(lanes, held);
  auto known = getLanes(op.getSource());
  Values results;
  for (int64_t row = 0; row < size[0]; ++row)
    for (int64_t first = 0; first < size[1]; first += strips) {
      Values own;
      for (int64_t strip = first; strip < first + strips; ++strip)
        own.push_back(getInstance(op.getValue(), row, strip));
      if (known) {
        Value warp = join(own);
        for (int64_t strip = first; strip < first + strips; ++strip)
          results.push_back(LLVM::ShuffleVectorOp::create(
              builder, loc, warp, warp,
              ArrayRef(*known).slice((row * size[1] + strip) * lanes, lanes)));
        continue;
      }
      Value buffer = makeBuffer(held);
      for (auto [strip, vector] : llvm::enumerate(own)) {
        Value stored = vector;
        if (held != element)
          stored = arith::ExtUIOp::create(builder, loc, type, stored);
        Value place = LLVM::GEPOp::create(
            builder, loc, buffer.getType(), held, buffer,
            ArrayRef<LLVM::GEPArg>(static_cast<int32_t>(strip * lanes)));
        LLVM::StoreOp::create(builder, loc, stored, place);
      }
      Value all = arith::ConstantOp::create(
          builder, loc,
          DenseElementsAttr::get(VectorType::get(lanes, builder.getI1Type()),
                                 true));
      auto bytes = static_cast<int32_t>(held.getIntOrFloatBitWidth() / 8);
      for (int64_t strip = first; strip < first + strips; ++strip) {
        Value source = getInstance(op.getSource(), row, strip);
        Value from = LLVM::GEPOp::create(
            builder, loc, VectorType::get(lanes, buffer.getType()), held,
            buffer, ArrayRef<LLVM::GEPArg>(source));
        Value value = LLVM::masked_gather::create(
            builder, loc, type, from, all,
            ValueRange(LLVM::PoisonOp::create(builder, loc, type)),
            builder.getI32IntegerAttr(bytes));
        if (held != element)
          value = arith::TruncIOp::create(
              builder, loc, VectorType::get(lanes, element), value);
        results.push_back(value);
      }
    }
  set(op.getResult(), std::move(results));
}

void Unroller::visitBallot(BallotOp op) {
  Location loc = op.getLoc();
  Dimensions size = getDimensions(op.getType());
  int64_t lanes = size[2], strips = kWarp / lanes;
  Type word = builder.getI32Type();
  Values results;
  for (int64_t row = 0; row < size[0]; ++row)
    for (int64_t first = 0; first < size[1]; first += strips) {
      Value all;
      for (int64_t strip = 0; strip < strips; ++strip) {
        Value bits =
            makeBits(getInstance(op.getPredicate(), row, first + strip));
        if (bits.getType() != word)
          bits = arith::ExtUIOp::create(builder, loc, word, bits);
        if (strip != 0) {
          Value by =
              arith::ConstantIntOp::create(builder, loc, word, strip * lanes);
          bits = arith::ShLIOp::create(builder, loc, bits, by);
        }
        all = all ? Value(arith::OrIOp::create(builder, loc, all, bits)) : bits;
      }
      results.append(strips, makeSplat(all, lanes));
    }
  set(op.getResult(), std::move(results));
}
