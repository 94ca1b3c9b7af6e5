// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How much code phases are, and how large the parts are that they are written
// for.

#include "Phases.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "pyk/Dialect/Pyk/IR/PykNumericOps.h"
#include "pyk/Dialect/Pyk/IR/PykViewOps.h"
#include "pyk/Dialect/Simd/IR/SimdOps.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::simd;

using SimdLoadOp = pyk::simd::LoadOp;
using SimdStoreOp = pyk::simd::StoreOp;

/// Ops of a vector of a transposed access, about; rows of a part that has such
/// accesses, at least, and its strips at most.
static constexpr int64_t kTransposedOps = 9, kFewestRows = 4, kMostStrips = 4;

/// The array of `op`, if that is a transposed access; else null.
static Value getTransposed(Operation *op) {
  if (auto load = dyn_cast<SimdLoadOp>(op))
    return load.getTransposed() ? load.getArray() : Value();
  auto store = dyn_cast<SimdStoreOp>(op);
  return store && store.getTransposed() ? store.getArray() : Value();
}

/// The ops that `op` becomes, without those in it.
static int64_t countOp(Operation *op) {
  if (isa<arith::ConstantOp, vector::BroadcastOp, ElementOp>(op))
    return 0;
  Dimensions size = {1, 1, 1};
  for (Value value : op->getResults())
    size = join(size, getDimensions(value.getType()));
  if (op->getNumResults() == 0)
    for (Value value : op->getOperands())
      size = join(size, getDimensions(value.getType()));
  bool isOffset = op->getNumResults() == 1 &&
                  getElementTypeOrSelf(op->getResult(0)).isInteger(64);
  int64_t each = hasFormula(op) ? static_cast<int64_t>(kFormulaCost)
                 : isOffset     ? 0
                                : 1;
  // Elements here and there are read and written one by one.
  auto load = dyn_cast<SimdLoadOp>(op);
  auto store = dyn_cast<SimdStoreOp>(op);
  if (getTransposed(op))
    each *= kTransposedOps;
  else if ((load && !load.getContiguous() && !load.getStep()) ||
           (store && !store.getContiguous()))
    each *= size[2];
  return each * size[0] * size[1];
}

int64_t pyk::simd::countOps(Operation *op) {
  int64_t count = 0;
  op->walk([&](Operation *inner) { count += countOp(inner); });
  return count;
}

Split pyk::simd::choosePart(Dimensions tile, int64_t rowsTogether) {
  if (rowsTogether != 0 && tile[0] % rowsTogether == 0 &&
      tile[1] <= kMostStrips)
    return {tile, rowsTogether, tile[1]};
  if (tile[1] <= kVectorsOfPhase) {
    int64_t rows = std::min(tile[0], kVectorsOfPhase / tile[1]);
    while (tile[0] % rows != 0)
      --rows;
    return {tile, rows, tile[1]};
  }
  // As many as there should be, or else a few more.
  for (int64_t strips : {4, 3, 5, 7, 2})
    if (tile[1] % strips == 0)
      return {tile, 1, strips};
  return {tile, 1, 1};
}

int64_t pyk::simd::getRowsOfParts(Block &body) {
  int64_t rows = 0;
  body.walk([&](Operation *op) {
    Value array = getTransposed(op);
    if (!array)
      return;
    int64_t bits = 8 * cast<ArrayType>(array.getType()).getElementBytes();
    rows = std::max({rows, kFewestRows, kExchangedBits / bits});
  });
  return rows;
}

static int64_t countParts(const Split &split) {
  return split.countRowParts() * split.countStripParts();
}

/// As countOps, but loops by parts are as short as these.
static int64_t countWithLoops(Operation *op, Dimensions tile) {
  int64_t count = 0;
  op->walk<WalkOrder::PreOrder>([&](Operation *inner) {
    auto loop = dyn_cast<scf::ForOp>(inner);
    std::optional<Split> split = loop ? chooseSplit(loop, tile) : std::nullopt;
    count += split ? countOps(loop) / countParts(*split) : countOp(inner);
    return split ? WalkResult::skip() : WalkResult::advance();
  });
  return count;
}

bool pyk::simd::isMoreCode(Block &body, Dimensions tile, int64_t most) {
  int64_t code = 0;
  for (Operation &op : body)
    code += countOps(&op);
  // Of most kernels nothing more has to be found out.
  if (code <= most)
    return false;
  code = 0;
  for (Operation &op : body)
    code += countWithLoops(&op, tile);
  const Split split = choosePart(tile, getRowsOfParts(body));
  PhasePlan plan(body, split);
  for (const Phase &phase : plan.getPhases())
    for (Operation *op : phase) {
      int64_t whole = countWithLoops(op, tile);
      code -= whole - whole / countParts(split);
    }
  return code > most;
}
