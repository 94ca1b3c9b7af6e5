// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counting loops whose last step might wrap around.
//
// scf.for is lowered to an addition and a comparison: where the sum leaves the
// type's range, the comparison starts anew and the loop never ends. pyk.for is
// flattened to a form that cannot wrap and costs as much, so it takes over.

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "pyk/Dialect/Pyk/Analysis/KnownRange.h"
#include "pyk/Dialect/Pyk/IR/PykControlOps.h"
#include "pyk/Dialect/Pyk/Transforms/Passes.h"

namespace pyk {
#define GEN_PASS_DEF_BOUNDLOOPSPASS
#include "pyk/Dialect/Pyk/Transforms/Passes.h.inc"
} // namespace pyk

using namespace mlir;
using namespace pyk;

/// True if adding the step may leave the type's range although the loop goes
/// on.
static bool mayWrap(scf::ForOp loop) {
  if (matchPattern(loop.getStep(), m_One()) || loop.getUnsignedCmp() ||
      !loop.getStep().getType().isSignlessInteger())
    return false;
  // The last value is less than the bound.
  bool overflows;
  (void)getKnownRange(loop.getUpperBound())
      .smax()
      .sadd_ov(getKnownRange(loop.getStep()).smax(), overflows);
  return overflows;
}

static void takeOver(scf::ForOp loop, RewriterBase &rewriter) {
  rewriter.setInsertionPoint(loop);
  auto counted =
      ForOp::create(rewriter, loop.getLoc(), loop.getLowerBound(),
                    loop.getUpperBound(), loop.getStep(), loop.getInitArgs());
  Operation *yield = loop.getBody()->getTerminator();
  rewriter.setInsertionPoint(yield);
  rewriter.replaceOpWithNewOp<ContinueOp>(yield, yield->getOperands());
  rewriter.mergeBlocks(loop.getBody(), &counted.getBody().front(),
                       counted.getBody().getArguments());
  rewriter.replaceOp(loop, counted);
}

namespace {

struct BoundLoopsPass : pyk::impl::BoundLoopsPassBase<BoundLoopsPass> {
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation()->walk([&](scf::ForOp loop) {
      if (mayWrap(loop))
        loops.push_back(loop);
    });
    IRRewriter rewriter(&getContext());
    for (scf::ForOp loop : loops)
      takeOver(loop, rewriter);
  }
};

} // namespace
