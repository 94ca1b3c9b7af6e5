// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// f32 has more than twice the digits of bf16, so what + - * / and the square
// root give there, rounded to nearest, rounds to what they give in bf16. A
// product and a sum together do not, hence `math.fma` is left to the targets.

#include "ExpandBFloats.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "pyk/Dialect/Pyk/IR/PykNumericOps.h"

using namespace mlir;
using namespace pyk;

/// Digits of an f32.
static constexpr unsigned kFloatDigits = 24;

/// `integer` with 24 digits at most, the last of which is 1 if it or one behind
/// it was: bf16 has too few to tell the difference, and f32 holds it, by way of
/// which targets convert.
static Value keepDigits(ImplicitLocOpBuilder &b, Value integer,
                        bool isUnsigned) {
  Type type = integer.getType();
  unsigned width = type.getIntOrFloatBitWidth();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(b, b.getIntegerAttr(type, value));
  };
  Value zero = constant(0), one = constant(1), digits = integer;
  if (!isUnsigned) {
    Value sign = arith::ShRSIOp::create(b, integer, constant(width - 1));
    digits = arith::XOrIOp::create(b, integer, sign);
  }
  Value leading = math::CountLeadingZerosOp::create(b, digits);
  Value dropped = arith::MaxSIOp::create(
      b, zero,
      arith::SubIOp::create(b, constant(width - kFloatDigits), leading));
  Value mask =
      arith::SubIOp::create(b, arith::ShLIOp::create(b, one, dropped), one);
  Value rest = arith::AndIOp::create(b, integer, mask);
  Value isInexact =
      arith::CmpIOp::create(b, arith::CmpIPredicate::ne, rest, zero);
  Value kept = arith::SubIOp::create(b, integer, rest);
  Value last = arith::ShLIOp::create(
      b, arith::ExtUIOp::create(b, type, isInexact), dropped);
  return arith::OrIOp::create(b, kept, last);
}

void pyk::expandBFloats(Operation *op) {
  auto isBFloat = [](Type type) { return type.isBF16(); };
  if (!llvm::any_of(op->getOperandTypes(), isBFloat) &&
      !llvm::any_of(op->getResultTypes(), isBFloat))
    return;
  bool computes =
      isa<FloatToIntOp>(op) ||
      isa_and_present<arith::ArithDialect, math::MathDialect>(op->getDialect());
  if (!computes || isa<arith::BitcastOp, arith::ConstantOp, arith::ExtFOp,
                       arith::SelectOp, arith::TruncFOp, math::FmaOp>(op))
    return;
  ImplicitLocOpBuilder b(op->getLoc(), op);
  if (isa<arith::SIToFPOp, arith::UIToFPOp>(op)) {
    Value integer = op->getOperand(0);
    if (integer.getType().getIntOrFloatBitWidth() > kFloatDigits)
      op->setOperand(0, keepDigits(b, integer, isa<arith::UIToFPOp>(op)));
    return;
  }
  for (OpOperand &operand : op->getOpOperands())
    if (isBFloat(operand.get().getType()))
      operand.set(arith::ExtFOp::create(b, b.getF32Type(), operand.get()));
  // Contraction would skip the rounding in between.
  if (auto arithmetic = dyn_cast<arith::ArithFastMathInterface>(op))
    op->setAttr(arithmetic.getFastMathAttrName(),
                arith::FastMathFlagsAttr::get(b.getContext(),
                                              arith::FastMathFlags::none));
  b.setInsertionPointAfter(op);
  for (Value result : op->getResults())
    if (isBFloat(result.getType())) {
      result.setType(b.getF32Type());
      auto rounded = arith::TruncFOp::create(b, b.getBF16Type(), result);
      result.replaceAllUsesExcept(rounded, rounded);
    }
}
