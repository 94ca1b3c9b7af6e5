// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that may begin below 0, as two: up to 0, and from there on.
//
// `for k in range(ptr[r], ptr[r + 1])` begins wherever data say, so each index
// `k` would be compared with 0, as Python counts a negative one from the end.
// Of the two loops the first has negative indices alone and the second none, so
// that ranges decide what is left of the comparisons; the first hardly ever
// runs.

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "pyk/Dialect/Pyk/Analysis/KnownRange.h"
#include "pyk/Dialect/Pyk/IR/PykLanes.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"
#include "pyk/Dialect/Pyk/Transforms/Passes.h"

namespace pyk {
#define GEN_PASS_DEF_SPLITLOOPSPASS
#include "pyk/Dialect/Pyk/Transforms/Passes.h.inc"
} // namespace pyk

using namespace mlir;
using namespace pyk;

/// Ops of a body that is not worth a second copy: it has other work to do.
static constexpr size_t kMaxOps = 100;

/// Whether `value` is compared with 0 to see if it is less, itself or wider.
static bool isTestedForSign(Value value) {
  return llvm::any_of(value.getUsers(), [](Operation *user) {
    if (auto wide = dyn_cast<arith::ExtSIOp>(user))
      return isTestedForSign(wide.getOut());
    auto test = dyn_cast<arith::CmpIOp>(user);
    return test && test.getPredicate() == arith::CmpIPredicate::slt &&
           matchPattern(test.getRhs(), m_Zero());
  });
}

/// Whether `op` makes an array that is one for all threads and iterations.
static bool allocatesShared(Operation *op) {
  auto alloc = dyn_cast<AllocOp>(op);
  return alloc && alloc.getResult().getType().getSpace() == Space::Shared;
}

/// Whether the body may stand twice. What threads do together must not: some
/// would do it here, and some there.
static bool canCopy(scf::ForOp loop) {
  size_t count = 0;
  return !loop->walk([&](Operation *op) {
                LaneClass part = getLaneClass(op);
                bool isOwn = op == loop || (part != LaneClass::Collective &&
                                            part != LaneClass::Serial &&
                                            !isa<CallOpInterface>(op) &&
                                            !allocatesShared(op));
                bool isInner = op == loop || !isa<LoopLikeOpInterface>(op);
                return isOwn && isInner && ++count <= kMaxOps
                           ? WalkResult::advance()
                           : WalkResult::interrupt();
              })
              .wasInterrupted();
}

static bool isWorthwhile(scf::ForOp loop) {
  Value start = loop.getLowerBound();
  return start.getType().isSignlessInteger() && !loop.getUnsignedCmp() &&
         matchPattern(loop.getStep(), m_One()) &&
         isTestedForSign(loop.getInductionVar()) &&
         getKnownRange(start).smin().isNegative() && canCopy(loop);
}

/// What tells LLVM not to unroll a loop. Conversions hand it down to the branch
/// that ends an iteration.
static Attribute getNoUnroll(MLIRContext *context) {
  auto unroll = LLVM::LoopUnrollAttr::get(
      context, /*disable=*/BoolAttr::get(context, true), {}, {}, {}, {}, {},
      {});
  return LLVM::LoopAnnotationAttr::get(context, {}, {}, {}, unroll, {}, {}, {},
                                       {}, {}, {}, {}, {}, {}, {}, {});
}

static void split(scf::ForOp loop) {
  ImplicitLocOpBuilder b(loop.getLoc(), loop);
  Value start = loop.getLowerBound(), stop = loop.getUpperBound();
  Value zero =
      arith::ConstantOp::create(b, b.getIntegerAttr(start.getType(), 0));
  auto first = cast<scf::ForOp>(b.clone(*loop));
  first->setAttr("loop_annotation", getNoUnroll(b.getContext()));
  b.setInsertionPoint(first);
  first.getUpperBoundMutable().assign(arith::MinSIOp::create(b, stop, zero));
  b.setInsertionPoint(loop);
  loop.getLowerBoundMutable().assign(arith::MaxSIOp::create(b, start, zero));
  loop.getInitArgsMutable().assign(first.getResults());
}

namespace {

struct SplitLoopsPass : pyk::impl::SplitLoopsPassBase<SplitLoopsPass> {
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation()->walk([&](scf::ForOp loop) {
      if (isWorthwhile(loop))
        loops.push_back(loop);
    });
    llvm::for_each(loops, split);
  }
};

} // namespace
