// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One walk over a kernel, of which each op is written by the part for its kind.

#include "Vectorizer.h"
#include "LaneMath.h"
#include "Meetings.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "pyk/Dialect/Pyk/IR/PykSyncOps.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::simd;

Obstacle Vectorizer::run(Block &body) {
  conditions.begin(body);
  values.set(body.getArguments(), body.getArguments());
  Masks::Scope threads(masks,
                       tile.makeMask(builder, body.getParentOp()->getLoc(),
                                     position.row, position.strip));
  visitBlock(body);
  return obstacle;
}

void Vectorizer::visitBlock(Block &block) {
  for (Operation &op : block.without_terminator())
    visit(&op);
}

SmallVector<Value> Vectorizer::visitArm(Region &arm, ArrayRef<Type> types) {
  SmallVector<Value> yields;
  if (arm.empty())
    return yields;
  visitBlock(arm.front());
  for (auto [value, type] :
       llvm::zip(arm.front().getTerminator()->getOperands(), types))
    yields.push_back(values.stretch(values.get(value), type));
  return yields;
}

void Vectorizer::visit(Operation *op) {
  if (auto condition = dyn_cast<scf::IfOp>(op))
    return conditions.visit(condition);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return counted.visit(loop);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return whiles.visit(loop);
  if (auto alloc = dyn_cast<AllocOp>(op);
      alloc && alloc.getType().getSpace() == Space::Local)
    return accesses.visitLocalArray(alloc);
  if (auto load = dyn_cast<pyk::LoadOp>(op))
    return accesses.visit(load);
  if (auto store = dyn_cast<pyk::StoreOp>(op))
    return accesses.visit(store);
  if (auto index = dyn_cast<gpu::ThreadIdOp>(op))
    return values.set(
        index, tile.makeThreadIndex(builder, op->getLoc(),
                                    static_cast<unsigned>(index.getDimension()),
                                    position.row, position.strip));
  if (auto block = dyn_cast<gpu::BlockIdOp>(op);
      block && position.blockX && block.getDimension() == gpu::Dimension::x)
    return values.set(block, position.blockX);
  if (isOfWarp(op))
    return warps.visit(op);
  // The tile is the block, and its threads are in step.
  if (auto barrier = dyn_cast<BarrierOp>(op))
    return barriers.visit(barrier);
  // What is chosen for threads that are off should be harmless.
  if (auto poison = dyn_cast<ub::PoisonOp>(op);
      poison && poison.getType().isIntOrFloat())
    return values.set(poison,
                      makeZero(builder, op->getLoc(), poison.getType()));
  if (auto element = dyn_cast<ElementOp>(op))
    return accesses.visit(element);
  ops.visit(op);
}

Value pyk::simd::beginLoop(OpBuilder &builder, Location loc, Value first,
                           Value end, int64_t step) {
  Value by = arith::ConstantIntOp::create(builder, loc, first.getType(), step);
  auto loop = scf::ForOp::create(builder, loc, first, end, by);
  builder.setInsertionPointToStart(loop.getBody());
  return loop.getInductionVar();
}
