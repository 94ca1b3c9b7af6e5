// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What MLIR's inliner asks of the dialect. All ops may stand in any function:
// what a call owns has been settled before (`pyk-extend-lifetimes`,
// `pyk-inline-calls`).

#include "mlir/Transforms/InliningUtils.h"
#include "pyk/Dialect/Pyk/IR/PykControlOps.h"

using namespace mlir;
using namespace pyk;

namespace {

struct PykInlinerInterface : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *, Operation *, bool) const override {
    return true;
  }
  /// A body moves as a whole; one that is left early only as a scope.
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const override {
    return true;
  }
  bool isLegalToInline(Operation *op, Region *, bool,
                       IRMapping &) const override {
    auto exit = dyn_cast<ReturnOp>(op);
    return !exit || isa<ScopeOp>(exit.getExitedOp()) ||
           exit->getParentOp() == exit.getExitedOp();
  }
  void handleTerminator(Operation *op, ValueRange results) const override {
    for (auto [result, value] :
         llvm::zip_equal(results, cast<ReturnOp>(op).getOperands()))
      result.replaceAllUsesWith(value);
  }
};

} // namespace

void PykDialect::registerInliner() { addInterfaces<PykInlinerInterface>(); }
