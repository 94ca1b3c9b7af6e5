// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a float32 meets a float64, or an integer that a float32 cannot hold,
// both become float64, as in Numba. Few programs want that.

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "pyk/Dialect/Pyk/IR/PykFuncOps.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"
#include "pyk/Dialect/Pyk/Transforms/Passes.h"
#include "pyk/Support/Remarks.h"

namespace pyk {
#define GEN_PASS_DEF_EXPLAINPRECISIONPASS
#include "pyk/Dialect/Pyk/Transforms/Passes.h.inc"
} // namespace pyk

using namespace mlir;
using namespace pyk;

/// What makes `value`, a float64, one; empty if it was computed from others,
/// where the reason lies further back.
static std::string getReason(Value value) {
  FloatAttr constant;
  if (matchPattern(value, m_Constant(&constant))) {
    // What no float32 holds needs to be one.
    APFloat number = constant.getValue();
    bool losesDigits;
    number.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven,
                   &losesDigits);
    return number.isFinite() ? "a literal makes it so" : "";
  }
  Operation *op = value.getDefiningOp();
  if (!op)
    return isa<FuncOp>(cast<BlockArgument>(value).getOwner()->getParentOp())
               ? "an argument is a float64"
               : "";
  if (isa<LoadOp>(op))
    return "an element of an array is a float64";
  if (isa<arith::SIToFPOp, arith::UIToFPOp>(op) &&
      op->getOperand(0).getType().getIntOrFloatBitWidth() >= 32)
    return "an integer of 32 or 64 bits makes it so";
  return "";
}

namespace {

struct ExplainPrecisionPass
    : pyk::impl::ExplainPrecisionPassBase<ExplainPrecisionPass> {
  void runOnOperation() override {
    if (!isExplained(&getContext()))
      return;
    getOperation()->walk([](arith::ExtFOp widened) {
      if (!widened.getType().isF64())
        return;
      for (Operation *user : widened->getUsers())
        explain(widened, user);
    });
  }

private:
  static void explain(arith::ExtFOp widened, Operation *user) {
    auto function = user->getParentOfType<FuncOp>();
    if (!function || user->getNumOperands() != 2)
      return;
    Value other = user->getOperand(user->getOperand(0) == widened ? 1 : 0);
    if (other == widened || !other.getType().isF64())
      return;
    std::string reason = getReason(other);
    if (reason.empty())
      return;
    remark::missed(user->getLoc(),
                   remarkOn(function.getName(), "precision", kAnyTarget))
        << "this is computed in float64" << remark::reason("{0}", reason)
        << remark::suggest("np.float32(...) of it keeps to float32");
  }
};

} // namespace
