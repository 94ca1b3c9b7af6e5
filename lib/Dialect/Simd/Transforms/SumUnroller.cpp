// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic additions of all threads of a tile to one element: one addition of
// their sum.

#include "SumUnroller.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::simd;

AtomicOp pyk::simd::getCommonSum(SerialOp op) {
  Block &body = op.getBody().front();
  Operation *last = body.getTerminator()->getPrevNode();
  auto update = dyn_cast_if_present<AtomicOp>(last);
  if (!update || update.getKind() != AtomicKind::Add ||
      update.getOrder() != Order::Relaxed || !update->use_empty() ||
      op.getNumResults() != 0)
    return {};
  // What differs by thread may be added, but not say where.
  for (BlockArgument argument : body.getArguments())
    for (OpOperand &use : argument.getUses())
      if (&use != &update.getValueMutable())
        return {};
  return update;
}

/// What may be added to numbers of `type` without changing them: of floats, -0.
static Value makeNeutral(OpBuilder &builder, Location loc, Type type) {
  auto element = dyn_cast<FloatType>(getElementTypeOrSelf(type));
  if (!element)
    return LLVM::ZeroOp::create(builder, loc, type);
  TypedAttr number = builder.getFloatAttr(
      element,
      APFloat::getZero(element.getFloatSemantics(), /*Negative=*/true));
  if (auto vector = dyn_cast<VectorType>(type))
    number = SplatElementsAttr::get(vector, cast<Attribute>(number));
  return arith::ConstantOp::create(builder, loc, number);
}

/// The sum of `value`, an argument of the body, of the threads that run it.
Value SumUnroller::sumUp(SerialOp op, Value value) {
  Location loc = op.getLoc();
  Value input = op.getInputs()[cast<BlockArgument>(value).getArgNumber()];
  auto [rows, strips, lanes] = getDimensions(input.getType());
  bool isFloat = isa<FloatType>(value.getType());
  Value sum;
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t strip = 0; strip < strips; ++strip) {
      Value part = values.getInstance(input, row, strip);
      if (op.getMask())
        part = arith::SelectOp::create(
            builder, loc, values.getInstance(op.getMask(), row, strip), part,
            makeNeutral(builder, loc, part.getType()));
      if (!sum)
        sum = part;
      else if (isFloat)
        sum = arith::AddFOp::create(builder, loc, sum, part);
      else
        sum = arith::AddIOp::create(builder, loc, sum, part);
    }
  if (lanes == 1)
    return sum;
  if (!isFloat)
    return LLVM::vector_reduce_add::create(builder, loc, value.getType(), sum);
  return LLVM::vector_reduce_fadd::create(
      builder, loc, value.getType(), makeNeutral(builder, loc, value.getType()),
      sum, LLVM::FastmathFlags::reassoc);
}

/// How many threads run the body, as a number of `type`.
Value SumUnroller::countThreads(SerialOp op, Type type) {
  Location loc = op.getLoc();
  Type wide = builder.getI64Type();
  Value any = op.getMask() ? op.getMask() : op.getInputs().front();
  auto [rows, strips, lanes] = getDimensions(any.getType());
  Value count = makeNumber(builder, op.getMask() ? 0 : rows * strips * lanes);
  for (int64_t i = 0; op.getMask() && i < rows * strips; ++i) {
    Value on = values.getInstance(op.getMask(), i / strips, i % strips);
    if (lanes != 1)
      on = LLVM::CtPopOp::create(builder, loc, makeBits(builder, on));
    if (on.getType() != wide)
      on = arith::ExtUIOp::create(builder, loc, wide, on);
    count = builder.createOrFold<arith::AddIOp>(loc, count, on);
  }
  if (isa<FloatType>(type))
    return arith::UIToFPOp::create(builder, loc, type, count);
  return type == wide
             ? count
             : arith::TruncIOp::create(builder, loc, type, count).getResult();
}

void SumUnroller::add(SerialOp op, AtomicOp update) {
  Location loc = op.getLoc();
  Value value = update.getValue(), sum;
  if (auto argument = dyn_cast<BlockArgument>(value);
      argument && argument.getOwner() == &op.getBody().front()) {
    sum = sumUp(op, value);
  } else {
    Value own = values.get(value).front();
    Value count = countThreads(op, own.getType());
    sum = isa<FloatType>(own.getType())
              ? arith::MulFOp::create(builder, loc, own, count).getResult()
              : arith::MulIOp::create(builder, loc, own, count).getResult();
  }
  Value isAny;
  if (op.getMask())
    isAny = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne,
                                  countThreads(op, builder.getI64Type()),
                                  makeNumber(builder, 0));
  runIf(builder, isAny, loc, {}, [&] {
    IRMapping mapping = values.getCaptured(op.getBody());
    for (Operation &inner : op.getBody().front().without_terminator())
      if (&inner != update)
        builder.clone(inner, mapping);
    mapping.map(value, sum);
    builder.clone(*update, mapping);
    return Values();
  });
}
