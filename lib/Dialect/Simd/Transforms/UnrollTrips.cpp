// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes loops in which threads meet once for each iteration, if constants say
// how many there are: the strides of sums by halves are constants then, and so
// is which threads take part.

#include "LaneAxis.h"
#include "Meetings.h"
#include "Tile.h"
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
/// What an op counts that only some threads run, nobody knows how many.
static constexpr double kShareOfSome = 0.5;

/// Whether numbers of iterations may follow from `op`. Floats are left to the
/// machine, whose results have the bits of the reference.
static bool isFoldable(Operation *op) {
  return op->getNumRegions() == 0 && op->getNumResults() != 0 &&
         llvm::all_of(op->getResultTypes(),
                      [](Type type) { return type.isIntOrIndex(); });
}

static std::optional<APInt> getConstant(Value value) {
  APInt number;
  return matchPattern(value, m_ConstantInt(&number)) ? std::optional(number)
                                                     : std::nullopt;
}

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

/// The loops in `op` in which threads meet, but not those in them.
static SmallVector<Operation *> getLoopsOfMeetings(Operation *op) {
  SmallVector<Operation *> loops;
  op->walk<WalkOrder::PreOrder>([&](Operation *inner) {
    if (inner == op || !isa<scf::ForOp, scf::WhileOp>(inner) ||
        !hasMeeting(inner))
      return WalkResult::advance();
    loops.push_back(inner);
    return WalkResult::skip();
  });
  return loops;
}

namespace {

/// Writes the iterations of loops of one kernel.
class TripUnroller {
public:
  /// An op that all threads of `block` run is as many as there are vectors.
  TripUnroller(const LaneShapeAnalysis &shapes, ArrayRef<int32_t> block,
               unsigned lanes)
      : shapes(shapes), block(block),
        vectors(std::max(1.0, static_cast<double>(block[0]) * block[1] *
                                  block[2] / lanes)) {}

  /// Replaces `loop` by its iterations, and does so with each such loop in it.
  /// If their number is not known, or they are too many, `loop` stays as it is.
  void run(Operation *loop);

private:
  using Results = std::optional<SmallVector<Value>>;

  Results writeIterations(Operation *loop);
  Results writeIterations(scf::ForOp loop, OpBuilder &builder);
  Results writeIterations(scf::WhileOp loop, OpBuilder &builder);
  Results write(Block &block, ValueRange arguments, OpBuilder &builder);
  double getShare(Operation *op, const IRMapping &mapping) const;
  void count(Operation *op, double share);

  const LaneShapeAnalysis &shapes;
  ArrayRef<int32_t> block;
  double vectors;
  double budget = kMostOps;
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
  for (Operation &op : block.without_terminator()) {
    if (isa<scf::ForOp, scf::WhileOp>(op) && hasMeeting(&op)) {
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
  for (Operation *inner : getLoopsOfMeetings(loop))
    run(inner);
}

void UnrollTripsPass::unrollLoops(gpu::GPUFuncOp kernel,
                                  ArrayRef<int32_t> block) {
  SmallVector<Operation *> loops = getLoopsOfMeetings(kernel);
  if (loops.empty())
    return;
  LaneShapeAnalysis shapes(getOperation());
  TripUnroller unroller(shapes, block, getLanes(kernel, lanes));
  for (Operation *loop : loops)
    unroller.run(loop);
}
