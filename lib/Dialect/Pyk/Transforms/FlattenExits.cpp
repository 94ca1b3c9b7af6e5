// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops, conditions and scopes with exits, as blocks and branches. Those
// without exits, the ops of scf, go first, by upstream's patterns; they and ops
// with exits may be nested in each other.
//
// One walk from the inside out is enough: when an op's turn comes, everything
// inside it is flat, so that the exits that mean it are terminators of its own
// blocks, and its body can be spliced into the enclosing region. Exits that
// mean something further out move out with the body and are met again there.
//
// A loop with an induction value is tested once in front and then in one block
// that counts, which every `pyk.continue` reaches: the rotated form that LLVM
// brings loops into anyway.

#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Iterators.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"
#include "mlir/Rewrite/PatternApplicator.h"
#include "mlir/Transforms/RegionUtils.h"
#include "pyk/Dialect/Pyk/IR/PykControlOps.h"
#include "pyk/Dialect/Pyk/Transforms/Passes.h"

namespace pyk {
#define GEN_PASS_DEF_FLATTENEXITSPASS
#include "pyk/Dialect/Pyk/Transforms/Passes.h.inc"
} // namespace pyk

using namespace mlir;
using namespace pyk;

/// Splits the block of `op` in front of it. What follows goes to a block whose
/// arguments stand for the results of `op`, which is left at the end of the
/// first half.
static Block *splitAfter(Operation *op, RewriterBase &rewriter) {
  Block *after =
      rewriter.splitBlock(op->getBlock(), std::next(op->getIterator()));
  for (Value result : op->getResults())
    rewriter.replaceAllUsesWith(
        result, after->addArgument(result.getType(), op->getLoc()));
  return after;
}

/// Replaces each terminator of type `Exit` in `region` by a branch to `target`
/// that carries its operands.
template <typename Exit>
static void branchFrom(Region &region, Block *target, RewriterBase &rewriter) {
  for (Block &block : region)
    if (auto exit = dyn_cast<Exit>(block.getTerminator())) {
      rewriter.setInsertionPoint(exit);
      rewriter.replaceOpWithNewOp<cf::BranchOp>(exit, exit.getOperands(),
                                                target);
    }
}

static void flatten(IfOp op, RewriterBase &rewriter) {
  Block *after = splitAfter(op, rewriter);
  Block *targets[] = {after, after};
  for (auto [region, target] :
       llvm::zip(op->getRegions(), MutableArrayRef(targets))) {
    if (region.empty())
      continue;
    target = &region.front();
    branchFrom<YieldOp>(region, after, rewriter);
    rewriter.inlineRegionBefore(region, after);
  }
  rewriter.setInsertionPoint(op);
  rewriter.replaceOpWithNewOp<cf::CondBranchOp>(op, op.getCondition(),
                                                targets[0], targets[1]);
}

static void flatten(LoopOp op, RewriterBase &rewriter) {
  Block *after = splitAfter(op, rewriter);
  Block *body = &op.getBody().front();
  branchFrom<ContinueOp>(op.getBody(), body, rewriter);
  branchFrom<BreakOp>(op.getBody(), after, rewriter);
  rewriter.inlineRegionBefore(op.getBody(), after);
  rewriter.setInsertionPoint(op);
  rewriter.replaceOpWithNewOp<cf::BranchOp>(op, op.getInitialValues(), body);
}

/// Whether a pyk.for whose induction value is `induction` takes another
/// iteration, and the value it then has. No sum wraps: a step of 1 stays within
/// the type, since the value was below the upper bound, and any other step is
/// first compared with what is left.
static std::pair<Value, Value> getNextIteration(ForOp op, Value induction,
                                                RewriterBase &rewriter) {
  Location loc = op.getLoc();
  if (matchPattern(op.getStep(), m_One())) {
    Value next = arith::AddIOp::create(rewriter, loc, induction, op.getStep(),
                                       arith::IntegerOverflowFlags::nsw);
    return {arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::slt,
                                  next, op.getUpperBound()),
            next};
  }
  Value rest =
      arith::SubIOp::create(rewriter, loc, op.getUpperBound(), induction);
  Value more = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ugt,
                                     rest, op.getStep());
  return {more, arith::AddIOp::create(rewriter, loc, induction, op.getStep())};
}

static void flatten(ForOp op, RewriterBase &rewriter) {
  Location loc = op.getLoc();
  Block *after = splitAfter(op, rewriter);
  Block *body = &op.getBody().front();
  SmallVector<Type> types(op.getResultTypes());
  SmallVector<Location> locs(types.size(), loc);

  // The latch: another iteration, or the carried values as results.
  Block *latch = rewriter.createBlock(after, types, locs);
  ValueRange carried = latch->getArguments();
  auto [more, next] = getNextIteration(op, op.getInductionValue(), rewriter);
  SmallVector<Value> iteration{next};
  llvm::append_range(iteration, carried);
  cf::CondBranchOp::create(rewriter, loc, more, body, iteration, after,
                           carried);

  branchFrom<ContinueOp>(op.getBody(), latch, rewriter);
  branchFrom<BreakOp>(op.getBody(), after, rewriter);
  rewriter.inlineRegionBefore(op.getBody(), latch);

  rewriter.setInsertionPoint(op);
  Value any = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::slt,
                                    op.getLowerBound(), op.getUpperBound());
  iteration.assign({op.getLowerBound()});
  llvm::append_range(iteration, op.getInitialValues());
  rewriter.replaceOpWithNewOp<cf::CondBranchOp>(op, any, body, iteration, after,
                                                op.getInitialValues());
}

static void flatten(ScopeOp op, RewriterBase &rewriter) {
  Block *after = splitAfter(op, rewriter);
  Block *body = &op.getBody().front();
  branchFrom<ReturnOp>(op.getBody(), after, rewriter);
  rewriter.inlineRegionBefore(op.getBody(), after);
  rewriter.setInsertionPoint(op);
  rewriter.replaceOpWithNewOp<cf::BranchOp>(op, body);
}

/// Makes `exit`, which stands at the top level of a function, that function's
/// own return.
static void makeReturn(ReturnOp exit, RewriterBase &rewriter) {
  rewriter.setInsertionPoint(exit);
  if (isa<gpu::GPUFuncOp>(exit->getParentOp()))
    rewriter.replaceOpWithNewOp<gpu::ReturnOp>(exit, exit.getOperands());
  else if (isa<func::FuncOp>(exit->getParentOp()))
    rewriter.replaceOpWithNewOp<func::ReturnOp>(exit, exit.getOperands());
}

/// Lets all `exits`, the returns of one function, leave through one block at
/// its end. LLVM would merge them too, but where the first one happens to
/// stand.
static void flatten(ArrayRef<ReturnOp> exits, RewriterBase &rewriter) {
  ReturnOp first = exits.front();
  if (exits.size() == 1)
    return makeReturn(first, rewriter);
  Region *body = first->getParentRegion();
  SmallVector<Location> locs(first.getNumOperands(), first.getLoc());
  Block *end =
      rewriter.createBlock(body, body->end(), first->getOperandTypes(), locs);
  auto last = ReturnOp::create(rewriter, first.getLoc(),
                               ValueRange(end->getArguments()));
  for (ReturnOp exit : exits) {
    rewriter.setInsertionPoint(exit);
    rewriter.replaceOpWithNewOp<cf::BranchOp>(exit, exit.getOperands(), end);
  }
  makeReturn(last, rewriter);
}

/// True if `op` stands where its blocks can go: in a function, or in an op that
/// will be flat too.
static bool canFlatten(Operation *op) {
  if (isa<FunctionOpInterface, IfOp, ForOp, LoopOp, ScopeOp>(op->getParentOp()))
    return true;
  op->emitOpError("cannot be flattened within '")
      << op->getParentOp()->getName() << "'";
  return false;
}

/// Flattens the ops of scf in `root` by `patterns`, in each block the last one
/// first: each split of a block then moves only what lies before the next one.
/// A conversion goes from the front, and moves all the rest of a block each
/// time. An op goes before those in it: upstream's patterns look for conditions
/// at the end of the first block of a region.
static LogicalResult flattenScf(Operation *root,
                                const FrozenRewritePatternSet &patterns) {
  PatternApplicator applicator(patterns);
  applicator.applyDefaultCostModel();
  PatternRewriter rewriter(root->getContext());
  for (;;) {
    SmallVector<Operation *> ops;
    root->walk<WalkOrder::PreOrder, ReverseIterator>([&](Operation *op) {
      // The ends of their regions go with them.
      if (isa_and_present<scf::SCFDialect>(op->getDialect()) &&
          !op->hasTrait<OpTrait::IsTerminator>())
        ops.push_back(op);
    });
    if (ops.empty())
      return success();
    for (Operation *op : ops) {
      // Becomes another op of scf, which goes before those in it, too.
      bool isReplaced = isa<scf::ForallOp>(op);
      rewriter.setInsertionPoint(op);
      if (failed(applicator.matchAndRewrite(op, rewriter)))
        return op->emitOpError("cannot be flattened");
      if (isReplaced)
        break;
    }
  }
}

namespace {

struct FlattenExitsPass : pyk::impl::FlattenExitsPassBase<FlattenExitsPass> {
  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet upstream(context);
    populateSCFToControlFlowConversionPatterns(upstream);
    patterns = std::move(upstream);
    return success();
  }

  void runOnOperation() override {
    if (failed(flattenScf(getOperation(), patterns)))
      return signalPassFailure();
    SmallVector<Operation *> structures;
    llvm::MapVector<Operation *, SmallVector<ReturnOp>> returns;
    getOperation()->walk([&](Operation *op) {
      if (isa<IfOp, ForOp, LoopOp, ScopeOp>(op))
        structures.push_back(op);
      else if (auto exit = dyn_cast<ReturnOp>(op))
        if (Operation *exited = exit.getExitedOp(); !isa<ScopeOp>(exited))
          returns[exited].push_back(exit);
    });
    if (!llvm::all_of(structures, canFlatten))
      return signalPassFailure();
    IRRewriter rewriter(&getContext());
    for (Operation *op : structures)
      TypeSwitch<Operation *>(op).Case<IfOp, ForOp, LoopOp, ScopeOp>(
          [&](auto op) { flatten(op, rewriter); });
    for (auto &[function, exits] : returns)
      flatten(exits, rewriter);
    // The end of an endless loop, or of an iteration that always exits, is
    // reached by nothing; conversions skip such blocks, so they must not stay.
    for (auto &[function, exits] : returns)
      (void)eraseUnreachableBlocks(rewriter, function->getRegions());
  }

  FrozenRewritePatternSet patterns;
};

} // namespace
