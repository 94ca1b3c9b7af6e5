// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Unrolls loops with barriers if constants say how many iterations they have:
// the strides of sums by halves are constants then, and so is which threads
// take part. Unrolls short loops over local arrays and tuples, too: all indices
// of such arrays are constants then, and LLVM keeps the arrays in registers.

#include "LaneAxis.h"
#include "Meetings.h"
#include "Tile.h"
#include "UnrolledLoops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/FoldUtils.h"
#include "pyk/Dialect/Pyk/Analysis/LaneShapeAnalysis.h"
#include "pyk/Dialect/Pyk/IR/PykNumericOps.h"
#include "pyk/Dialect/Pyk/IR/PykOpAttributes.h"
#include "pyk/Dialect/Pyk/IR/PykSyncOps.h"
#include "pyk/Dialect/Pyk/IR/PykViewOps.h"
#include "pyk/Dialect/Simd/Transforms/Passes.h"

namespace pyk::simd {
#define GEN_PASS_DEF_UNROLLTRIPSPASS
#include "pyk/Dialect/Simd/Transforms/Passes.h.inc"
} // namespace pyk::simd

using namespace mlir;
using namespace pyk;
using namespace pyk::simd;

/// Iterations of a loop at most.
static constexpr unsigned kMostIterations = 64;
/// Ops of vectors at most that iterations become, in all loops of a kernel.
static constexpr double kMostOps = 7000;
/// The ops that loops over items become, in a kernel without barriers.
static constexpr double kMostOpsOfItems = 500;
/// What an op counts that only some threads run, nobody knows how many.
static constexpr double kShareOfSome = 0.5;

/// Replaces extents of blocks by numbers, and what follows from them.
static void replaceExtents(gpu::GPUFuncOp kernel, ArrayRef<int32_t> block) {
  kernel.walk([&](gpu::BlockDimOp extent) {
    OpBuilder builder(extent);
    auto axis = static_cast<unsigned>(extent.getDimension());
    Value known =
        arith::ConstantIndexOp::create(builder, extent.getLoc(), block[axis]);
    extent.replaceAllUsesWith(known);
    extent.erase();
  });
  SmallVector<Operation *> ops;
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isFoldable(op))
      ops.push_back(op);
  });
  OperationFolder folder(kernel.getContext());
  for (Operation *op : ops)
    (void)folder.tryToFold(op);
}

namespace {

/// Writes the iterations of loops of one kernel.
class TripUnroller {
public:
  /// An op that all threads of a tile run is as many as it has `vectors`.
  TripUnroller(const LaneShapeAnalysis &shapes, ArrayRef<int32_t> block,
               double vectors, double budget)
      : shapes(shapes), block(block), vectors(vectors), budget(budget) {}

  /// Replaces `loop` by its iterations, and does so with each such loop in it.
  /// If their number is not known, or they are too many, `loop` stays as it is.
  void run(Operation *loop);

private:
  using Results = std::optional<SmallVector<Value>>;

  Results writeIterations(Operation *loop);
  Results writeIterations(scf::ForOp loop, OpBuilder &builder);
  Results writeIterations(scf::WhileOp loop, OpBuilder &builder);
  Results write(Block &block, ValueRange arguments, OpBuilder &builder);
  Results write(Block &block, IRMapping &mapping, OpBuilder &builder);
  double getShare(Operation *op, const IRMapping &mapping) const;
  void count(Operation *op, double share);

  const LaneShapeAnalysis &shapes;
  ArrayRef<int32_t> block;
  double vectors;
  double budget;
};

struct UnrollTripsPass : simd::impl::UnrollTripsPassBase<UnrollTripsPass> {
  using Base::Base;

  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<gpu::GPUFuncOp>())
      if (auto block = kBlockShape.get(kernel); block && kernel.isKernel()) {
        replaceExtents(kernel, block);
        unrollLoops(kernel, block);
      }
  }

  void unrollLoops(gpu::GPUFuncOp kernel, ArrayRef<int32_t> block);
};

} // namespace

/// The share of threads that run what is in `op`, of the kernel as it was. Of a
/// condition on one index constants tell it, as in a sum by halves.
double TripUnroller::getShare(Operation *op, const IRMapping &mapping) const {
  auto condition = dyn_cast<scf::IfOp>(op);
  if (!condition)
    return kShareOfSome;
  auto compare = mapping.lookupOrDefault(condition.getCondition())
                     .getDefiningOp<arith::CmpIOp>();
  std::optional<APInt> bound =
      compare ? getConstant(compare.getRhs()) : std::nullopt;
  if (!bound)
    return kShareOfSome;
  Value index = compare.getLhs();
  while (Operation *from = index.getDefiningOp()) {
    if (auto thread = dyn_cast<gpu::ThreadIdOp>(from)) {
      int32_t extent = block[static_cast<unsigned>(thread.getDimension())];
      double below =
          std::clamp(bound->signedRoundToDouble() / extent, 0.0, 1.0);
      switch (compare.getPredicate()) {
      case arith::CmpIPredicate::slt:
      case arith::CmpIPredicate::sle:
      case arith::CmpIPredicate::ult:
      case arith::CmpIPredicate::ule:
        return below;
      case arith::CmpIPredicate::eq:
        return 1.0 / extent;
      case arith::CmpIPredicate::ne:
        return 1;
      default:
        return 1 - below;
      }
    }
    if (!isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp,
             arith::ExtUIOp, arith::TruncIOp>(from))
      break;
    index = from->getOperand(0);
  }
  return kShareOfSome;
}

/// Takes what `op`, of the kernel as it was, becomes from the budget; `share`
/// of the threads run it, if not all do.
void TripUnroller::count(Operation *op, double share) {
  bool isOfAll = isa<BarrierOp, ElementOp>(op) ||
                 (op->getNumResults() != 0 &&
                  llvm::all_of(op->getResults(), [&](Value value) {
                    return shapes.getShape(value).hasNoAxis();
                  }));
  bool isOfSome = !shapes.getControl(op).hasNoAxis();
  double code = (isOfSome ? share : 1) * vectors;
  budget -= isOfAll ? 1 : code * (hasFormula(op) ? kFormulaCost : 1);
}

/// Writes what `block` does with `arguments` in one iteration; yields the
/// operands of its terminator.
TripUnroller::Results TripUnroller::write(Block &block, ValueRange arguments,
                                          OpBuilder &builder) {
  IRMapping mapping;
  mapping.map(block.getArguments(), arguments);
  // Of the iteration itself.
  if (--budget < 0)
    return std::nullopt;
  return write(block, mapping, builder);
}

/// Writes the ops of `block`, whose arguments are mapped, and likewise those of
/// the arm of a condition that is a constant.
TripUnroller::Results TripUnroller::write(Block &block, IRMapping &mapping,
                                          OpBuilder &builder) {
  for (Operation &op : block.without_terminator()) {
    auto condition = dyn_cast<scf::IfOp>(op);
    std::optional<APInt> known =
        condition
            ? getConstant(mapping.lookupOrDefault(condition.getCondition()))
            : std::nullopt;
    if (known) {
      Region &arm = known->isZero() ? condition.getElseRegion()
                                    : condition.getThenRegion();
      Results results = arm.empty() ? SmallVector<Value>()
                                    : write(arm.front(), mapping, builder);
      if (!results)
        return std::nullopt;
      mapping.map(op.getResults(), *results);
      continue;
    }
    if (isUnrolled(&op)) {
      Operation *copy = builder.clone(op, mapping);
      Results results = writeIterations(copy);
      if (!results)
        return std::nullopt;
      mapping.map(op.getResults(), *results);
      copy->erase();
      continue;
    }
    double share = getShare(&op, mapping);
    op.walk([&](Operation *inner) { count(inner, share); });
    if (budget < 0)
      return std::nullopt;
    Operation *copy = builder.clone(op, mapping);
    for (Operation *inner : getUnrolledLoops(copy))
      if (isOverItems(inner))
        run(inner);
    SmallVector<Value> folded;
    // One that is changed in place has no other results.
    if (!isFoldable(copy) || failed(builder.tryFold(copy, folded)) ||
        folded.empty())
      continue;
    mapping.map(op.getResults(), folded);
    if (isOpTriviallyDead(copy))
      copy->erase();
  }
  SmallVector<Value> values;
  for (Value value : block.getTerminator()->getOperands())
    values.push_back(mapping.lookupOrDefault(value));
  return values;
}

TripUnroller::Results TripUnroller::writeIterations(scf::ForOp loop,
                                                    OpBuilder &builder) {
  std::optional<APInt> trips = loop.getStaticTripCount(),
                       counter = getConstant(loop.getLowerBound()),
                       step = getConstant(loop.getStep());
  if (!trips || !counter || !step || trips->ugt(kMostIterations))
    return std::nullopt;
  Results state = SmallVector<Value>(loop.getInitArgs());
  for (uint64_t iteration = 0; state && iteration < trips->getZExtValue();
       ++iteration) {
    SmallVector<Value> arguments = {arith::ConstantOp::create(
        builder, loop.getLoc(),
        builder.getIntegerAttr(loop.getInductionVar().getType(), *counter))};
    llvm::append_range(arguments, *state);
    state = write(*loop.getBody(), arguments, builder);
    *counter += *step;
  }
  return state;
}

TripUnroller::Results TripUnroller::writeIterations(scf::WhileOp loop,
                                                    OpBuilder &builder) {
  Results state = SmallVector<Value>(loop.getInits());
  for (unsigned iteration = 0; state && iteration <= kMostIterations;
       ++iteration) {
    Results values = write(*loop.getBeforeBody(), *state, builder);
    std::optional<APInt> goesOn =
        values ? getConstant(values->front()) : std::nullopt;
    if (!goesOn)
      return std::nullopt;
    values->erase(values->begin());
    if (goesOn->isZero())
      return values;
    state = write(*loop.getAfterBody(), *values, builder);
  }
  return std::nullopt;
}

/// Writes the iterations of `loop` before it; what it leaves is not whole if it
/// yields nothing.
TripUnroller::Results TripUnroller::writeIterations(Operation *loop) {
  OpBuilder builder(loop);
  if (auto counted = dyn_cast<scf::ForOp>(loop))
    return writeIterations(counted, builder);
  return writeIterations(cast<scf::WhileOp>(loop), builder);
}

void TripUnroller::run(Operation *loop) {
  Operation *before = loop->getPrevNode();
  double left = budget;
  if (Results results = writeIterations(loop)) {
    loop->replaceAllUsesWith(*results);
    loop->erase();
    return;
  }
  budget = left;
  while (loop->getPrevNode() != before)
    loop->getPrevNode()->erase();
  // Those in it may be shorter.
  for (Operation *inner : getUnrolledLoops(loop))
    run(inner);
}

void UnrollTripsPass::unrollLoops(gpu::GPUFuncOp kernel,
                                  ArrayRef<int32_t> block) {
  SmallVector<Operation *> loops = getUnrolledLoops(kernel);
  if (loops.empty())
    return;
  LaneShapeAnalysis shapes(getOperation());
  // Where threads meet, a tile is the whole block.
  bool meets = hasMeeting(kernel);
  double vectors = static_cast<double>(block[0]) * block[1] * block[2] /
                   getLanes(kernel, lanes);
  TripUnroller unroller(shapes, block, meets ? std::max(1.0, vectors) : 1,
                        meets ? kMostOps : kMostOpsOfItems);
  for (Operation *loop : loops)
    unroller.run(loop);
}
