// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computes ranges in the order of control, with the conditions that hold at
// each op, and folds what follows from them. A loop is visited until the ranges
// of its carried values are stable; the last visit counts. Of regions of ops
// without StructuredFlowOpInterface, the arguments have no known range.

#include "NarrowIntegers.h"
#include "ReturnedRanges.h"
#include "WrapRemainders.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "pyk/Dialect/Pyk/Analysis/KnownRange.h"
#include "pyk/Dialect/Pyk/Analysis/RangeEnvironment.h"
#include "pyk/Dialect/Pyk/Analysis/StructuredFlow.h"
#include "pyk/Dialect/Pyk/Transforms/Passes.h"

namespace pyk {
#define GEN_PASS_DEF_FOLDRANGESPASS
#include "pyk/Dialect/Pyk/Transforms/Passes.h.inc"
} // namespace pyk

using namespace mlir;
using namespace pyk;
using arith::CmpIPredicate;

/// After so many iterations the carried values of a loop may be anything.
static constexpr unsigned kMaxIterations = 4;

//===----------------------------------------------------------------------===//
// Widening
//===----------------------------------------------------------------------===//

/// The next bound below one that sinks from iteration to iteration: around 0,
/// where the sign changes, or the least of all.
static APInt widenDown(const APInt &bound) {
  for (int64_t stop : {1, 0, -1})
    if (APInt limit(bound.getBitWidth(), stop, /*isSigned=*/true,
                    /*implicitTrunc=*/true);
        bound.sge(limit))
      return limit;
  return APInt::getSignedMinValue(bound.getBitWidth());
}

static APInt widenUp(const APInt &bound) {
  for (int64_t stop : {-1, 0})
    if (APInt limit(bound.getBitWidth(), stop, /*isSigned=*/true,
                    /*implicitTrunc=*/true);
        bound.sle(limit))
      return limit;
  return APInt::getSignedMaxValue(bound.getBitWidth());
}

/// A range for the next iteration of a loop: of `all`, bounds that are not in
/// `last` have moved and are going to move on.
static IntegerValueRange widen(const ConstantIntRanges &last,
                               const ConstantIntRanges &all) {
  APInt least = all.smin(), most = all.smax();
  if (least.slt(last.smin()))
    least = widenDown(least);
  if (most.sgt(last.smax()))
    most = widenUp(most);
  // Unsigned bounds follow from the signed ones where those keep their sign.
  return ConstantIntRanges::fromSigned(least, most);
}

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

namespace {

class RangeWalk {
public:
  explicit RangeWalk(Operation *root) : returned(root) {}

  /// Walks all of `root`.
  void visit(Operation *root);
  /// Walks the regions of an op of which nothing is known.
  void visitRegions(Operation *op);

  const RangeEnvironment &getRanges() const { return known; }

  /// Remainders that are their dividends.
  ArrayRef<Operation *> getIdleRemainders() const { return idle.getArrayRef(); }

  NarrowIntegers &getNarrowIntegers() { return narrow; }
  WrapRemainders &getWrappedRemainders() { return wrapped; }

private:
  /// Each returns whether control goes on behind what it has visited.
  bool visitOps(Block &block);
  bool visitBlock(Block &block);
  bool visitOperation(Operation *op);
  bool visitFlow(StructuredFlowOpInterface op, ArrayRef<FlowEdge> edges);
  bool visitArms(Operation *op);
  void visitLoop(StructuredFlowOpInterface loop, ArrayRef<FlowEdge> edges);
  void visitBody(StructuredFlowOpInterface loop);
  void visitWhile(scf::WhileOp loop);
  bool enterCounted(StructuredFlowOpInterface loop);

  void handOn(const FlowEdge &edge);
  void handOnFrom(Operation *end);
  void defineArrived(ValueRange targets);
  void findIdleRemainder(Operation *op);
  ArrayRef<FlowEdge> getEdges(StructuredFlowOpInterface op);

  RangeEnvironment known;
  ReturnedRanges returned;
  llvm::DenseMap<Operation *, SmallVector<FlowEdge>> edgesOf, edgesFrom;
  /// What came to the targets of edges so far.
  llvm::DenseMap<Value, IntegerValueRange> arrived;
  /// What loops were last found to carry. Inner loops begin there again.
  llvm::DenseMap<Value, IntegerValueRange> carried;
  llvm::SetVector<Operation *> idle;
  NarrowIntegers narrow;
  WrapRemainders wrapped;
};

} // namespace

ArrayRef<FlowEdge> RangeWalk::getEdges(StructuredFlowOpInterface op) {
  auto [known, isNew] = edgesOf.try_emplace(op);
  if (isNew) {
    known->second = op.getEdges();
    for (const FlowEdge &edge : known->second)
      if (edge.from)
        edgesFrom[edge.from].push_back(edge);
  }
  return known->second;
}

void RangeWalk::handOn(const FlowEdge &edge) {
  for (auto [value, target] : llvm::zip(edge.values, edge.targets)) {
    IntegerValueRange &range = arrived[target];
    range = IntegerValueRange::join(range, known.find(value));
  }
}

void RangeWalk::handOnFrom(Operation *end) {
  auto edges = edgesFrom.find(end);
  if (edges == edgesFrom.end())
    return;
  auto condition = dyn_cast<scf::ConditionOp>(end);
  for (const FlowEdge &edge : edges->second) {
    size_t before = known.mark();
    if (!condition || known.assume(condition.getCondition(), edge.to))
      handOn(edge);
    known.forget(before);
  }
}

void RangeWalk::defineArrived(ValueRange targets) {
  for (Value target : targets)
    known.define(target, arrived.lookup(target));
}

void RangeWalk::findIdleRemainder(Operation *op) {
  bool isIdle = false;
  if (op->getResult(0).getType().isSignlessIntOrIndex()) {
    ConstantIntRanges dividend = known.get(op->getOperand(0));
    ConstantIntRanges divisor = known.get(op->getOperand(1));
    isIdle = isa<arith::RemUIOp>(op) ? dividend.umax().ult(divisor.umin())
                                     : dividend.smin().isNonNegative() &&
                                           dividend.smax().slt(divisor.smin());
  }
  if (isIdle)
    idle.insert(op);
  else
    idle.remove(op);
}

bool RangeWalk::visitOperation(Operation *op) {
  if (auto end = dyn_cast<ReturnOp>(op))
    returned.add(end, known);
  if (op->hasTrait<OpTrait::IsTerminator>()) {
    handOnFrom(op);
    return !isa<ExitOpInterface>(op);
  }
  if (auto flow = dyn_cast<StructuredFlowOpInterface>(op)) {
    // A copy: visits of inner ops may reallocate what getEdges refers to.
    return visitFlow(flow, SmallVector<FlowEdge>(getEdges(flow)));
  }
  if (isa<arith::RemSIOp, arith::RemUIOp>(op))
    findIdleRemainder(op);
  if (auto call = dyn_cast<CallOp>(op))
    returned.define(call, known);
  else
    known.defineResults(op);
  narrow.visit(op, known);
  wrapped.visit(op, known);
  visitRegions(op);
  return true;
}

bool RangeWalk::visitOps(Block &block) {
  return llvm::all_of(block,
                      [&](Operation &op) { return visitOperation(&op); });
}

bool RangeWalk::visitBlock(Block &block) {
  size_t before = known.mark();
  bool goesOn = visitOps(block);
  known.forget(before);
  return goesOn;
}

void RangeWalk::visit(Operation *root) {
  for (FuncOp function : returned.getFunctions()) {
    visitRegions(function);
    returned.finish(function);
  }
  if (returned.getFunctions().empty())
    visitRegions(root);
}

void RangeWalk::visitRegions(Operation *op) {
  for (Region &region : op->getRegions()) {
    // Of several blocks one may come before another whose values it uses.
    if (!region.empty() && !region.hasOneBlock())
      region.walk([&](Operation *inner) {
        for (Value result : inner->getResults())
          known.define(result, IntegerValueRange());
      });
    for (Block &block : region) {
      for (BlockArgument argument : block.getArguments())
        if (argument.getType().isSignlessInteger())
          known.define(argument, IntegerValueRange(getStatedRange(argument)));
      (void)visitBlock(block);
    }
  }
}

bool RangeWalk::visitFlow(StructuredFlowOpInterface op,
                          ArrayRef<FlowEdge> edges) {
  for (const FlowEdge &edge : edges)
    for (Value target : edge.targets)
      arrived.erase(target);
  bool goesOn = true;
  if (isLoop(op))
    visitLoop(op, edges);
  else if (op.getConditions().size() == 1)
    goesOn = visitArms(op);
  else
    (void)visitBlock(op->getRegion(0).front());
  defineArrived(op->getResults());
  return goesOn;
}

/// Visits the arms of a condition. Behind one that leaves, the condition is
/// what leads to the other.
bool RangeWalk::visitArms(Operation *op) {
  Value condition = op->getOperand(0);
  bool goOn[2];
  for (unsigned arm : {0, 1}) {
    Region &region = op->getRegion(arm);
    size_t before = known.mark();
    goOn[arm] = known.assume(condition, arm == 0) &&
                (region.empty() || visitBlock(region.front()));
    known.forget(before);
  }
  if (goOn[0] != goOn[1])
    (void)known.assume(condition, goOn[0]);
  return goOn[0] || goOn[1];
}

void RangeWalk::visitLoop(StructuredFlowOpInterface loop,
                          ArrayRef<FlowEdge> edges) {
  // The first edge enters the loop.
  ValueRange targets = edges.front().targets;
  for (auto [value, target] : llvm::zip(edges.front().values, targets))
    carried[target] =
        IntegerValueRange::join(carried.lookup(target), known.find(value));
  for (unsigned iteration = 0;; ++iteration) {
    for (const FlowEdge &edge : edges)
      for (Value target : edge.targets)
        arrived.erase(target);
    for (const FlowEdge &edge : edges)
      if (!edge.from)
        handOn(edge);
    for (Value target : targets)
      known.define(target, carried.lookup(target));
    visitBody(loop);
    bool isAtRest = true;
    for (Value target : targets) {
      IntegerValueRange &last = carried[target];
      IntegerValueRange all =
          IntegerValueRange::join(last, arrived.lookup(target));
      if (all == last)
        continue;
      isAtRest = false;
      last = widen(last.getValue(), all.getValue());
    }
    if (isAtRest)
      return;
    if (iteration >= kMaxIterations)
      for (Value target : targets)
        carried[target] = IntegerValueRange::getMaxRange(target);
  }
}

void RangeWalk::visitBody(StructuredFlowOpInterface loop) {
  size_t before = known.mark();
  if (auto whileLoop = dyn_cast<scf::WhileOp>(loop.getOperation()))
    visitWhile(whileLoop);
  else if (!loop.getCountedValue() || enterCounted(loop))
    (void)visitBlock(loop->getRegion(0).front());
  known.forget(before);
}

void RangeWalk::visitWhile(scf::WhileOp loop) {
  if (!visitOps(*loop.getBeforeBody()) ||
      !known.assume(loop.getConditionOp().getCondition(), true))
    return;
  defineArrived(loop.getAfterArguments());
  (void)visitBlock(*loop.getAfterBody());
}

/// Says what the counter may be, and that the loop has an iteration at all.
bool RangeWalk::enterCounted(StructuredFlowOpInterface loop) {
  Value counter = loop.getCountedValue();
  auto upstream = dyn_cast<scf::ForOp>(loop.getOperation());
  if (upstream && upstream.getUnsignedCmp()) {
    known.define(counter, IntegerValueRange());
    return true;
  }
  SmallVector<Value> conditions = loop.getConditions();
  Value lower = conditions[0], upper = conditions[1], step = conditions[2];
  if (!known.assume(CmpIPredicate::slt, lower, upper))
    return false;
  APInt least = known.get(lower).smin(), most = known.get(upper).smax() - 1;
  APInt first, stride;
  // From a constant by constant steps the last one ends short of the bound.
  if (matchPattern(lower, m_ConstantInt(&first)) &&
      matchPattern(step, m_ConstantInt(&stride)) &&
      stride.isStrictlyPositive()) {
    bool overflows;
    APInt span = most.ssub_ov(first, overflows);
    if (!overflows)
      most = first + span.udiv(stride) * stride;
  }
  known.define(counter, ConstantIntRanges::fromSigned(least, most));
  return true;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Replaces `value` by a constant if it can only be one.
static void foldConstant(Value value, OpBuilder &builder,
                         const RangeEnvironment &known) {
  if (!value.getType().isSignlessIntOrIndex() || value.use_empty())
    return;
  std::optional<APInt> constant = known.get(value).getConstantValue();
  if (!constant)
    return;
  value.replaceAllUsesWith(arith::ConstantOp::create(
      builder, value.getLoc(),
      builder.getIntegerAttr(value.getType(), *constant)));
}

static void foldConstants(Operation *root, const RangeEnvironment &known) {
  OpBuilder builder(root->getContext());
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == root || op->hasTrait<OpTrait::ConstantLike>())
      return;
    builder.setInsertionPointAfter(op);
    for (Value result : op->getResults())
      foldConstant(result, builder, known);
    for (Region &region : op->getRegions())
      for (Block &block : region) {
        builder.setInsertionPointToStart(&block);
        for (BlockArgument argument : block.getArguments())
          foldConstant(argument, builder, known);
      }
  });
}

namespace {

struct FoldRangesPass : pyk::impl::FoldRangesPassBase<FoldRangesPass> {
  void runOnOperation() override {
    RangeWalk walk(getOperation());
    walk.visit(getOperation());
    foldConstants(getOperation(), walk.getRanges());
    for (Operation *remainder : walk.getIdleRemainders()) {
      remainder->getResult(0).replaceAllUsesWith(remainder->getOperand(0));
      walk.getNarrowIntegers().forget(remainder);
      walk.getWrappedRemainders().forget(remainder);
      remainder->erase();
    }
    walk.getNarrowIntegers().apply(getOperation(), walk.getRanges());
    walk.getWrappedRemainders().apply();
  }
};

} // namespace
