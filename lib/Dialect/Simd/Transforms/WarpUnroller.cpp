// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What threads find out together. Lanes of a warp are those of one vector or
// several. Shuffles whose lanes are constants are instructions; others go by
// way of memory.

#include "WarpUnroller.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include <numeric>

using namespace mlir;
using namespace pyk;
using namespace pyk::simd;

/// The elements of `vectors`, as many as a power of 2, in one.
static Value concatenate(OpBuilder &builder, ArrayRef<Value> vectors) {
  if (vectors.size() == 1)
    return vectors.front();
  Value low = concatenate(builder, vectors.take_front(vectors.size() / 2));
  Value high = concatenate(builder, vectors.drop_front(vectors.size() / 2));
  SmallVector<int32_t> order(2 *
                             cast<VectorType>(low.getType()).getNumElements());
  std::iota(order.begin(), order.end(), 0);
  return LLVM::ShuffleVectorOp::create(builder, low.getLoc(), low, high, order);
}

/// The instances of `value` of the warp whose first one is `first`; zeros where
/// it has no thread.
Values WarpUnroller::getOfWarp(Value value, size_t first) {
  const Values &all = values.get(value);
  size_t count = kWarp / getDimensions(value.getType())[2];
  size_t there = std::min(count, all.size() - first);
  Values own(ArrayRef(all).slice(first, there));
  while (own.size() < count)
    own.push_back(
        LLVM::ZeroOp::create(builder, value.getLoc(), all.front().getType()));
  return own;
}

void WarpUnroller::visit(ShuffleOp op) {
  Location loc = op.getLoc();
  Type element = getElementTypeOrSelf(op.getType());
  Type held = getHeldType(element);
  int64_t lanes = getDimensions(op.getType())[2];
  Type type = VectorType::get(lanes, held);
  auto known = getConstantElements<int32_t>(op.getSource());
  size_t count = values.get(op.getValue()).size(), vectors = kWarp / lanes;
  Values results;
  for (size_t first = 0; first < count; first += vectors) {
    Values own = getOfWarp(op.getValue(), first);
    size_t end = std::min(first + vectors, count);
    if (known) {
      Value warp = concatenate(builder, own);
      for (size_t position = first; position < end; ++position)
        results.push_back(LLVM::ShuffleVectorOp::create(
            builder, loc, warp, warp,
            ArrayRef(*known).slice(position * lanes, lanes)));
      continue;
    }
    Value buffer = buffers.get(held, /*number=*/0, kWarp);
    for (auto [position, vector] : llvm::enumerate(own)) {
      Value to = LLVM::GEPOp::create(
          builder, loc, buffer.getType(), held, buffer,
          ArrayRef<LLVM::GEPArg>(static_cast<int32_t>(position * lanes)));
      LLVM::StoreOp::create(builder, loc, toHeld(builder, vector), to);
    }
    Value all = arith::ConstantOp::create(
        builder, loc,
        DenseElementsAttr::get(VectorType::get(lanes, builder.getI1Type()),
                               true));
    auto bytes = static_cast<int32_t>(held.getIntOrFloatBitWidth() / 8);
    for (size_t position = first; position < end; ++position) {
      Value source = values.get(op.getSource())[position];
      Value from = LLVM::GEPOp::create(
          builder, loc, VectorType::get(lanes, buffer.getType()), held, buffer,
          ArrayRef<LLVM::GEPArg>(source));
      Value value = LLVM::masked_gather::create(
          builder, loc, type, from, all,
          ValueRange(LLVM::PoisonOp::create(builder, loc, type)),
          builder.getI32IntegerAttr(bytes));
      results.push_back(fromHeld(builder, value, element));
    }
  }
  values.set(op.getResult(), std::move(results));
}

void WarpUnroller::visit(BallotOp op) {
  Location loc = op.getLoc();
  int64_t lanes = getDimensions(op.getType())[2];
  Type word = builder.getI32Type();
  size_t count = values.get(op.getPredicate()).size(), vectors = kWarp / lanes;
  Values results;
  for (size_t first = 0; first < count; first += vectors) {
    Value all;
    for (auto [position, vector] :
         llvm::enumerate(getOfWarp(op.getPredicate(), first))) {
      Value bits = makeBits(builder, vector);
      if (bits.getType() != word)
        bits = arith::ExtUIOp::create(builder, loc, word, bits);
      if (position != 0) {
        Value by = arith::ConstantIntOp::create(
            builder, loc, word, static_cast<int64_t>(position) * lanes);
        bits = arith::ShLIOp::create(builder, loc, bits, by);
      }
      all = all ? Value(arith::OrIOp::create(builder, loc, all, bits)) : bits;
    }
    results.append(std::min(vectors, count - first),
                   makeSplat(builder, all, lanes));
  }
  values.set(op.getResult(), std::move(results));
}

void WarpUnroller::reduce(Operation *op, bool all) {
  Value mask = op->getOperand(0), result = op->getResult(0);
  Location loc = op->getLoc();
  Dimensions from = getDimensions(mask.getType());
  Dimensions to = getDimensions(result.getType());
  Values instances(to[0] * to[1]);
  for (int64_t row = 0; row < from[0]; ++row)
    for (int64_t strip = 0; strip < from[1]; ++strip) {
      Value &sum =
          instances[(to[0] == 1 ? 0 : row) * to[1] + (to[1] == 1 ? 0 : strip)];
      Value own = values.getInstance(mask, row, strip);
      if (!sum)
        sum = own;
      else if (all)
        sum = arith::AndIOp::create(builder, loc, sum, own);
      else
        sum = arith::OrIOp::create(builder, loc, sum, own);
    }
  if (from[2] != to[2])
    for (Value &sum : instances) {
      Value bits = makeBits(builder, sum);
      Value limit = arith::ConstantIntOp::create(builder, loc, bits.getType(),
                                                 all ? -1 : 0);
      sum = arith::CmpIOp::create(builder, loc,
                                  all ? arith::CmpIPredicate::eq
                                      : arith::CmpIPredicate::ne,
                                  bits, limit);
    }
  values.set(result, std::move(instances));
}

void WarpUnroller::visit(CountOp op) {
  Location loc = op.getLoc();
  Type i32 = builder.getI32Type();
  Value sum;
  for (Value own : Values(values.get(op.getMask()))) {
    Value bits = isa<VectorType>(own.getType()) ? makeBits(builder, own) : own;
    Value number = math::CtPopOp::create(builder, loc, bits);
    unsigned width = bits.getType().getIntOrFloatBitWidth();
    if (width < 32)
      number = arith::ExtUIOp::create(builder, loc, i32, number);
    else if (width > 32)
      number = arith::TruncIOp::create(builder, loc, i32, number);
    sum =
        sum ? Value(arith::AddIOp::create(builder, loc, sum, number)) : number;
  }
  values.set(op.getResult(), {sum});
}
