// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which loops of a tile run by parts, and how large these are.

#include "Parts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "pyk/Dialect/Pyk/IR/PykNumericOps.h"
#include "pyk/Dialect/Pyk/IR/PykViewOps.h"
#include "pyk/Dialect/Simd/IR/SimdOps.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::simd;

using SimdLoadOp = pyk::simd::LoadOp;

/// How often a loop in the loop is taken to run.
static constexpr double kIterations = 8;
/// What a division takes, in ops; what a value does that has no register; and
/// the counting of an iteration.
static constexpr double kDivisionCost = 5;
static constexpr double kSpillCost = 1.5;
static constexpr double kIterationCost = 2;
/// How many ops run while a sum is waited for, and while a chain of them is
/// that all threads share.
static constexpr double kWait = 8;
static constexpr double kSharedWait = 16;

/// Whether threads do `op` on their own and nobody sees when.
static bool isDoneByParts(Operation *op) {
  if (isa<scf::ForOp, scf::IfOp, scf::YieldOp, SimdLoadOp, arith::ConstantOp,
          vector::BroadcastOp>(op))
    return true;
  if (op->getNumRegions() != 0)
    return false;
  if (llvm::any_of(op->getOperandTypes(), isCompact) ||
      llvm::any_of(op->getResultTypes(), isCompact))
    return op->hasTrait<OpTrait::Elementwise>() && isMemoryEffectFree(op);
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  return isMemoryEffectFree(op) ||
         (effects && effects.onlyHasEffect<MemoryEffects::Read>());
}

/// The vectors of the machine that values of `type` take, if they have those
/// dimensions.
static int64_t countRegisters(Type type, Dimensions dimensions) {
  unsigned bits = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  return dimensions[0] * dimensions[1] * (bits > 32 ? 2 : 1);
}

SmallVector<Value> pyk::simd::getTaken(scf::ForOp loop) {
  llvm::SetVector<Value> taken;
  loop.getBody()->walk([&](Operation *op) {
    for (Value operand : op->getOperands())
      if (isCompact(operand.getType()) && loop.isDefinedOutsideOfLoop(operand))
        taken.insert(operand);
  });
  return taken.takeVector();
}

/// How many vectors `loop` keeps from iteration to iteration if it runs by
/// parts. Those of 64-bit integers from before it are addresses, which remain
/// scalars.
static int64_t countKept(scf::ForOp loop, ArrayRef<Value> taken,
                         const Split &split) {
  int64_t count = 0;
  auto add = [&](Type type) {
    if (isCompact(type))
      count += countRegisters(type, split.narrow(getDimensions(type)));
  };
  for (Value argument : loop.getRegionIterArgs())
    add(argument.getType());
  for (Value value : taken)
    if (!matchPattern(value, m_Constant()) &&
        !getElementTypeOrSelf(value).isInteger(64))
      add(value.getType());
  return count;
}

/// Whether `loop` can run by parts, and what it takes be had by them.
static bool canSplit(scf::ForOp loop, ArrayRef<Value> taken,
                     const Split &split) {
  // Masks are no numbers in memory.
  for (Value value : taken)
    if (!matchPattern(value, m_Constant()) &&
        split.narrow(value.getType()) != value.getType() &&
        getElementTypeOrSelf(value).isInteger(1))
      return false;
  for (Type type : loop.getResultTypes())
    if (isCompact(type) &&
        (!split.isDivided(type) || getElementTypeOrSelf(type).isInteger(1)))
      return false;
  return llvm::all_of(*loop.getBody(),
                      [&](Operation &op) { return canDivide(&op, split); });
}

/// What an iteration of `block` costs one part, in vector ops. Addresses cost
/// nothing: they become parts of addresses.
static double countOps(Block &block, const Split &split) {
  double ops = 0;
  for (Operation &op : block) {
    for (Region &region : op.getRegions())
      for (Block &inner : region)
        ops += countOps(inner, split) * (isa<scf::ForOp>(op) ? kIterations : 1);
    if (op.getNumResults() == 0 || op.getNumRegions() != 0 ||
        isa<arith::ConstantOp, vector::BroadcastOp, ElementOp>(op))
      continue;
    Type type = op.getResult(0).getType();
    bool isOffset = isCompact(type) && getElementTypeOrSelf(type).isInteger(64);
    double each = hasFormula(&op) ? kFormulaCost
                  : isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp,
                        arith::RemUIOp, arith::DivFOp, math::SqrtOp>(op)
                      ? kDivisionCost
                  : isOffset ? 0
                             : 1;
    Dimensions size = split.narrow(getDimensions(type));
    ops += each * static_cast<double>(size[0] * size[1]);
  }
  return ops;
}

int64_t pyk::simd::countScratchBytes(scf::ForOp loop) {
  SmallVector<Value> all = getTaken(loop);
  llvm::append_range(all, loop.getInitArgs());
  llvm::erase_if(all, [](Value value) { return !isCompact(value.getType()); });
  return countBytes(all);
}

std::optional<Split> pyk::simd::chooseSplit(scf::ForOp loop, Dimensions tile) {
  SmallVector<Value> taken = getTaken(loop);
  const int64_t registers = getRegisters(tile[2]);
  const Split whole = {tile, tile[0], tile[1]};
  int64_t spilled = countKept(loop, taken, whole) - registers;
  if (spilled <= 0 || loop.getBody()
                          ->walk([&](Operation *op) {
                            return isDoneByParts(op) ? WalkResult::advance()
                                                     : WalkResult::interrupt();
                          })
                          .wasInterrupted())
    return std::nullopt;
  // What rows share is done again for each part of them, and so is what strips
  // share. In the whole, what has no register is loaded, and may be stored.
  double best = countOps(*loop.getBody(), whole) +
                kSpillCost * static_cast<double>(spilled);
  // Each part waits for its sums of the iteration before, and for all that the
  // parts have in common.
  bool isShared = llvm::any_of(loop.getResultTypes(), llvm::IsaPred<FloatType>);
  const double wait = isShared ? kSharedWait : kWait;
  std::optional<Split> chosen;
  for (int64_t rows = 1; rows <= tile[0]; ++rows)
    for (int64_t strips = 1; strips <= tile[1]; ++strips) {
      Split split = {tile, rows, strips};
      if (tile[0] % rows != 0 || tile[1] % strips != 0 ||
          countKept(loop, taken, split) > registers)
        continue;
      double ops =
          std::max(countOps(*loop.getBody(), split) + kIterationCost, wait) *
          static_cast<double>(split.countRowParts() * split.countStripParts());
      if (ops >= best || !canSplit(loop, taken, split))
        continue;
      best = ops;
      chosen = split;
    }
  return chosen;
}
