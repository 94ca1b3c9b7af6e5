// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Canonicalizes NaNs in reproducible functions, and reports what has other bits
// on other targets (rationale/reproducible.md). A list names the ops that pass
// NaNs on, so operands of any other op are canonicalized.

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
           << "': its bits differ between targets; compute it otherwise, or on "
              "the host, or leave 'reproducible' out";
  auto update = dyn_cast<AtomicOp>(op);
  if (update && update.getKind() == AtomicKind::Add &&
      isa<FloatType>(update.getValue().getType()))
    return update.emitError(
        "reproducible kernels cannot add floats atomically: the sum depends on "
        "the order of the threads; add integers, or let one thread add up, or "
        "leave 'reproducible' out");
  return success();
}

//===----------------------------------------------------------------------===//
// NaNs and zeros
//===----------------------------------------------------------------------===//

/// Whether no result of `op` depends on the bits of a NaN, other than those of
/// a NaN.
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

/// `value`, or the canonical NaN if it is any NaN.
static Value canonicalizeNaN(ImplicitLocOpBuilder &b, Value value) {
  if (auto type = dyn_cast<ComplexType>(value.getType())) {
    Type part = type.getElementType();
    Value real = complex::ReOp::create(b, part, value);
    Value imaginary = complex::ImOp::create(b, part, value);
    return complex::CreateOp::create(b, type, canonicalizeNaN(b, real),
                                     canonicalizeNaN(b, imaginary));
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
  // On integers: LLVM 22 replaces `x < 0 ? nan : sqrt(x)` by `sqrt(x)`, though
  // that may be another NaN.
  Value bits = arith::BitcastOp::create(b, whole, value);
  Value magnitude = arith::AndIOp::create(
      b, bits, makeConstant(APInt::getSignedMaxValue(width)));
  Value isNaN = arith::CmpIOp::create(b, arith::CmpIPredicate::ugt, magnitude,
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

/// `value`, or +0 if it is -0.
static Value canonicalizeZero(ImplicitLocOpBuilder &b, Value value) {
  Type type = value.getType();
  Type whole = b.getIntegerType(type.getIntOrFloatBitWidth());
  Value zero = arith::ConstantOp::create(b, b.getIntegerAttr(whole, 0));
  Value negative = arith::ConstantOp::create(
      b, b.getIntegerAttr(whole,
                          APInt::getSignMask(type.getIntOrFloatBitWidth())));
  Value bits = arith::BitcastOp::create(b, whole, value);
  Value isNegative =
      arith::CmpIOp::create(b, arith::CmpIPredicate::eq, bits, negative);
  return arith::BitcastOp::create(
      b, type, arith::SelectOp::create(b, isNegative, zero, bits));
}

static bool isExtreme(AtomicKind kind) {
  return kind == AtomicKind::Max || kind == AtomicKind::Min ||
         kind == AtomicKind::NanMax || kind == AtomicKind::NanMin;
}

/// Replaces libdevice's conversion to the bits of an f16, which are another NaN
/// in PTX.
static bool expandHalf(LibdeviceOp op) {
  if (op.getFunction() != "float2half_rn")
    return false;
  ImplicitLocOpBuilder b(op.getLoc(), op);
  Value half = arith::TruncFOp::create(b, b.getF16Type(), op->getOperand(0));
  op->getResult(0).replaceAllUsesWith(
      arith::BitcastOp::create(b, b.getI16Type(), canonicalizeNaN(b, half)));
  op->erase();
  return true;
}

static void canonicalizeOperands(Operation *op) {
  if (auto call = dyn_cast<LibdeviceOp>(op); call && expandHalf(call))
    return;
  if (onlyPassesNaNs(op))
    return;
  ImplicitLocOpBuilder b(op->getLoc(), op);
  // Which of two equal numbers is stored depends on the order of the threads.
  if (auto update = dyn_cast<AtomicOp>(op);
      update && isExtreme(update.getKind()) &&
      isa<FloatType>(update.getValue().getType()))
    update.getValueMutable().assign(canonicalizeZero(b, update.getValue()));
  for (OpOperand &operand : op->getOpOperands())
    if (isa<FloatType, ComplexType>(operand.get().getType()) &&
        !isNumber(operand.get()))
      operand.set(canonicalizeNaN(b, operand.get()));
}

namespace {

struct MakeReproduciblePass
    : pyk::impl::MakeReproduciblePassBase<MakeReproduciblePass> {
  void runOnOperation() override {
    // Collected first, so that ops which are added are not visited.
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
    llvm::for_each(ops, canonicalizeOperands);
  }
};

} // namespace
