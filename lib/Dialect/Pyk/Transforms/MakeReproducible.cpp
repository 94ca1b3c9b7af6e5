// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What lets a kernel compute the same bits on all targets, and what keeps it
// from that (rationale/reproducible.md).

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "pyk/Dialect/Pyk/IR/PykAtomicOps.h"
#include "pyk/Dialect/Pyk/IR/PykControlOps.h"
#include "pyk/Dialect/Pyk/IR/PykFuncOps.h"
#include "pyk/Dialect/Pyk/IR/PykNumericOps.h"
#include "pyk/Dialect/Pyk/IR/PykOpAttributes.h"
#include "pyk/Dialect/Pyk/IR/PykSyncOps.h"
#include "pyk/Dialect/Pyk/Transforms/Passes.h"
#include "pyk/Libdevice/Libdevice.h"

namespace pyk {
#define GEN_PASS_DEF_MAKEREPRODUCIBLEPASS
#include "pyk/Dialect/Pyk/Transforms/Passes.h.inc"
} // namespace pyk

using namespace mlir;
using namespace pyk;

//===----------------------------------------------------------------------===//
// What has other bits on other targets
//===----------------------------------------------------------------------===//

static LogicalResult check(Operation *op) {
  if (const LibdeviceOverload *function = getLibdeviceOverload(op);
      function && !function->isReproducible)
    return op->emitError("reproducible kernels cannot call '")
           << function->symbol
           << "', which has no formula that is the same on all targets; write "
              "the function out, or leave 'reproducible' out";
  auto update = dyn_cast<AtomicOp>(op);
  if (update && update.getKind() == AtomicKind::Add &&
      isa<FloatType>(update.getValue().getType()))
    return update.emitError(
        "reproducible kernels cannot add floats atomically: the sum depends on "
        "the order of the threads; add integers, or let one thread add in an "
        "order of its own, or leave 'reproducible' out");
  return success();
}

//===----------------------------------------------------------------------===//
// NaNs
//===----------------------------------------------------------------------===//

/// Whether `op` does no more with a NaN than to pass it on among floats, so
/// that its bits decide nothing.
static bool onlyPassesNaNs(Operation *op) {
  if (isa<LibdeviceOp, math::CopySignOp>(op)) {
    const LibdeviceOverload *function = getLibdeviceOverload(op);
    return function && function->symbol != "copysign" &&
           function->symbol != "copysignf" &&
           llvm::all_of(op->getResultTypes(), llvm::IsaPred<FloatType>);
  }
  if (isa<arith::BitcastOp>(op))
    return false;
  // Other languages call exported functions.
  if (isa<ReturnOp>(op))
    return !kExport.isOn(op->getParentOfType<FuncOp>());
  return isa<arith::ArithDialect, math::MathDialect, complex::ComplexDialect,
             scf::SCFDialect>(op->getDialect()) ||
         isa<IfOp, ForOp, LoopOp, ScopeOp, BreakOp, ContinueOp, YieldOp, CallOp,
             ShuffleOp, FloatToIntOp>(op);
}

/// `value`, or the one NaN if it is any.
static Value replaceNaN(ImplicitLocOpBuilder &b, Value value) {
  if (auto type = dyn_cast<ComplexType>(value.getType())) {
    Type part = type.getElementType();
    Value real = complex::ReOp::create(b, part, value);
    Value imaginary = complex::ImOp::create(b, part, value);
    return complex::CreateOp::create(b, type, replaceNaN(b, real),
                                     replaceNaN(b, imaginary));
  }
  auto type = cast<FloatType>(value.getType());
  unsigned width = type.getWidth();
  Type whole = b.getIntegerType(width);
  auto makeConstant = [&](const APInt &bits) -> Value {
    return arith::ConstantOp::create(b, b.getIntegerAttr(whole, bits));
  };
  const llvm::fltSemantics &semantics = type.getFloatSemantics();
  APInt infinity = APFloat::getInf(semantics).bitcastToAPInt();
  APInt nan = APFloat::getQNaN(semantics).bitcastToAPInt();
  // As whole numbers: to LLVM 22 one NaN is as good as another, and it takes
  // `sqrt(x)` for what is that, or NaN if `x` is less than 0.
  Value bits = arith::BitcastOp::create(b, whole, value);
  Value size = arith::AndIOp::create(
      b, bits, makeConstant(APInt::getSignedMaxValue(width)));
  Value isNaN = arith::CmpIOp::create(b, arith::CmpIPredicate::ugt, size,
                                      makeConstant(infinity));
  Value result = arith::SelectOp::create(b, isNaN, makeConstant(nan), bits);
  return arith::BitcastOp::create(b, type, result);
}

/// Whether `value` is no NaN, whatever its operands are.
static bool isNumber(Value value) {
  if (auto constant = value.getDefiningOp<arith::ConstantOp>()) {
    auto number = dyn_cast<FloatAttr>(constant.getValue());
    return number && !number.getValue().isNaN();
  }
  return value.getDefiningOp<arith::SIToFPOp>() ||
         value.getDefiningOp<arith::UIToFPOp>();
}

static void replaceNaNs(Operation *op) {
  if (onlyPassesNaNs(op))
    return;
  ImplicitLocOpBuilder b(op->getLoc(), op);
  for (OpOperand &operand : op->getOpOperands())
    if (isa<FloatType, ComplexType>(operand.get().getType()) &&
        !isNumber(operand.get()))
      operand.set(replaceNaN(b, operand.get()));
}

namespace {

struct MakeReproduciblePass
    : pyk::impl::MakeReproduciblePassBase<MakeReproduciblePass> {
  void runOnOperation() override {
    // What is added here is none of the program's.
    SmallVector<Operation *> ops;
    bool fails = false;
    getOperation()->walk([&](FunctionOpInterface function) {
      if (kReproducible.isOn(function))
        function->walk([&](Operation *op) {
          fails |= failed(check(op));
          if (op != function)
            ops.push_back(op);
        });
    });
    if (fails)
      return signalPassFailure();
    llvm::for_each(ops, replaceNaNs);
  }
};

} // namespace
