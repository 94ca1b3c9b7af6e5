// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the parts of the unroller write alike. Memory has no masks, so bools
// take a byte there.

#include "MachineVectors.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::simd;

Value pyk::simd::makeNumber(OpBuilder &builder, int64_t number) {
  return arith::ConstantIntOp::create(builder, builder.getUnknownLoc(),
                                      builder.getI64Type(), number);
}

Value pyk::simd::makeSplat(OpBuilder &builder, Value number, int64_t lanes) {
  if (lanes == 1)
    return number;
  Location loc = number.getLoc();
  Type type = VectorType::get(lanes, number.getType());
  Value none = LLVM::PoisonOp::create(builder, loc, type);
  Value first = insert(builder, none, number, 0);
  SmallVector<int32_t> zeros(lanes, 0);
  return LLVM::ShuffleVectorOp::create(builder, loc, first, none, zeros);
}

Value pyk::simd::extract(OpBuilder &builder, Value vector, int64_t lane) {
  if (!isa<VectorType>(vector.getType()))
    return vector;
  return LLVM::ExtractElementOp::create(builder, vector.getLoc(), vector,
                                        makeNumber(builder, lane));
}

Value pyk::simd::insert(OpBuilder &builder, Value vector, Value number,
                        int64_t lane) {
  return LLVM::InsertElementOp::create(builder, number.getLoc(), vector, number,
                                       makeNumber(builder, lane));
}

Value pyk::simd::makeBits(OpBuilder &builder, Value mask) {
  auto type = cast<VectorType>(mask.getType());
  return LLVM::BitcastOp::create(
      builder, mask.getLoc(),
      builder.getIntegerType(static_cast<unsigned>(type.getNumElements())),
      mask);
}

Type pyk::simd::getHeldType(Type element) {
  return element.isInteger(1) ? Type(IntegerType::get(element.getContext(), 8))
                              : element;
}

Value pyk::simd::toHeld(OpBuilder &builder, Value value) {
  Type element = getElementTypeOrSelf(value.getType());
  Type held = getHeldType(element);
  if (held == element)
    return value;
  if (auto vector = dyn_cast<VectorType>(value.getType()))
    held = vector.clone(held);
  return arith::ExtUIOp::create(builder, value.getLoc(), held, value);
}

Value pyk::simd::fromHeld(OpBuilder &builder, Value value, Type element) {
  if (getElementTypeOrSelf(value.getType()) == element)
    return value;
  Type type = element;
  if (auto vector = dyn_cast<VectorType>(value.getType()))
    type = vector.clone(element);
  return arith::TruncIOp::create(builder, value.getLoc(), type, value);
}

Values pyk::simd::runIf(OpBuilder &builder, Value on, Location loc,
                        ValueRange others, llvm::function_ref<Values()> run) {
  if (!on)
    return run();
  bool hasResults = !others.empty();
  auto condition =
      scf::IfOp::create(builder, loc, others.getTypes(), on, hasResults);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&condition.getThenRegion().front());
  Values made = run();
  if (hasResults) {
    scf::YieldOp::create(builder, loc, made);
    builder.setInsertionPointToStart(&condition.getElseRegion().front());
    scf::YieldOp::create(builder, loc, others);
  }
  return Values(condition.getResults());
}
