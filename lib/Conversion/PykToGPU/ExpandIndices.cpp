// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a thread is, in gpu ops. These yield `index` and carry CUDA's limits as
// upper bounds, from which the final reads of special registers get their
// ranges; wider numbers are built from zero-extended 32-bit ones, so that
// multiplications stay 32 by 32 bits.

#include "ExpandIndices.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "pyk/Dialect/Pyk/IR/PykFacts.h"
#include "pyk/Dialect/Pyk/IR/PykIndexOps.h"
#include "pyk/Dialect/Pyk/IR/PykLimits.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace pyk;

namespace {

/// Builds gpu ops in front of one op.
struct IndexBuilder : ImplicitLocOpBuilder {
  explicit IndexBuilder(Operation *op)
      : ImplicitLocOpBuilder(op->getLoc(), op), isSmall(hasSmallGrid(op)) {}

  /// The gpu op's value as i32. `limit` is its upper bound, 0 for none.
  template <typename Op>
  Value read(Dimension dimension, int64_t limit) {
    auto axis = static_cast<gpu::Dimension>(dimension);
    IntegerAttr bound = limit ? getIndexAttr(limit) : nullptr;
    return toI32(Op::create(*this, getIndexType(), axis, bound));
  }
  Value toI32(Value index) {
    return arith::IndexCastUIOp::create(*this, getI32Type(), index);
  }
  Value threadId(Dimension d) {
    return read<gpu::ThreadIdOp>(d, getMaxBlockDim(d));
  }
  Value blockId(Dimension d) {
    return read<gpu::BlockIdOp>(d, getMaxBlocks(d));
  }
  Value blockDim(Dimension d) {
    return read<gpu::BlockDimOp>(d, getMaxBlockDim(d));
  }
  // Upstream turns a bound of 2^31 - 1 into a range that excludes it.
  Value gridDim(Dimension d) {
    int64_t limit = getMaxBlocks(d);
    return read<gpu::GridDimOp>(d, limit == INT32_MAX ? 0 : limit);
  }
  int64_t getMaxBlocks(Dimension d) {
    return isSmall ? std::min(getMaxGridDim(d), kSmallGridLimit - 1)
                   : getMaxGridDim(d);
  }
  Value laneId() {
    return toI32(gpu::LaneIdOp::create(*this, getIndexAttr(32)));
  }

  /// Product in `type` of two numbers below 2^31, neither negative.
  Value multiply(Value a, Value b, Type type) {
    return arith::MulIOp::create(*this, to(type, a), to(type, b), noWrap());
  }
  Value add(Value a, Value b) {
    return arith::AddIOp::create(*this, a, b, noWrap());
  }
  Value to(Type type, Value value) {
    return type == value.getType()
               ? value
               : arith::ExtUIOp::create(*this, type, value).getResult();
  }
  static arith::IntegerOverflowFlags noWrap() {
    return arith::IntegerOverflowFlags::nsw | arith::IntegerOverflowFlags::nuw;
  }
  /// The type in which threads are counted that have numbers of `type`.
  Type getCounted(Type type) { return isSmall ? Type(getI32Type()) : type; }

  bool isSmall;
};

} // namespace

/// The value that replaces `op`; null if it says nothing of the thread's place.
static Value expand(Operation *op) {
  IndexBuilder b(op);
  return TypeSwitch<Operation *, Value>(op)
      .Case([&](ThreadIdOp id) { return b.threadId(id.getDimension()); })
      .Case([&](BlockIdOp id) { return b.blockId(id.getDimension()); })
      .Case([&](BlockDimOp dim) { return b.blockDim(dim.getDimension()); })
      .Case([&](GridDimOp dim) { return b.gridDim(dim.getDimension()); })
      .Case([&](LaneIdOp) { return b.laneId(); })
      .Case([&](GridOp grid) {
        Dimension d = grid.getDimension();
        Type type = b.getCounted(grid.getType());
        Value first = b.multiply(b.blockId(d), b.blockDim(d), type);
        return b.to(grid.getType(), b.add(first, b.to(type, b.threadId(d))));
      })
      .Case([&](GridSizeOp size) {
        Dimension d = size.getDimension();
        Type type = b.getCounted(size.getType());
        return b.to(size.getType(),
                    b.multiply(b.gridDim(d), b.blockDim(d), type));
      })
      .Default(Value());
}

void pyk::expandIndexOps(Operation *root) {
  root->walk([](Operation *op) {
    if (Value value = expand(op)) {
      op->getResult(0).replaceAllUsesWith(value);
      op->erase();
    }
  });
}
