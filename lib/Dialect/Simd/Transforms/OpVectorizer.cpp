// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all threads have alike is done once. Constants are folded, and what has
// no vectors goes through the threads.

#include "OpVectorizer.h"
#include "LaneMath.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "pyk/Dialect/Pyk/IR/PykNumericOps.h"
#include "pyk/Dialect/Pyk/IR/PykRecordOps.h"
#include "pyk/Dialect/Simd/IR/SimdOps.h"
#include "pyk/Libdevice/Libdevice.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::simd;

void OpVectorizer::clone(Operation *op) {
  IRMapping mapping;
  for (Value operand : op->getOperands())
    mapping.map(operand, values.get(operand));
  Operation *copy = builder.clone(*op, mapping);
  values.set(op->getResults(), foldConstants(builder, copy));
}

void OpVectorizer::visit(Operation *op) {
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(op))
    return visitIndexCast(op);
  if (getLaneClass(op) == LaneClass::Serial ||
      isa<AccessOpInterface, CopyRecordOp>(op))
    return visitSerial(op);
  if (llvm::all_of(op->getOperands(),
                   [&](Value operand) { return values.isUniform(operand); })) {
    clone(op);
    return;
  }
  // Neighbours of threads at 0 that are off are at -1.
  if (isa<arith::ExtUIOp>(op) && isNonNegativeInLanes(op->getOperand(0))) {
    Value operand = values.get(op->getOperand(0));
    Type type = getTypeWith(op->getResult(0).getType(),
                            getDimensions(operand.getType()));
    return values.set(op->getResult(0), builder.createOrFold<arith::ExtSIOp>(
                                            op->getLoc(), type, operand));
  }
  visitElementwise(op);
}

/// The positions of threads are i32 here.
void OpVectorizer::visitIndexCast(Operation *op) {
  Value operand = values.get(op->getOperand(0));
  if (operand.getType().isIndex()) {
    clone(op);
    return;
  }
  Value result = op->getResult(0);
  unsigned bits = result.getType().getIntOrFloatBitWidth();
  Type type = getTypeWith(result.getType(), getDimensions(operand.getType()));
  if (bits > 32)
    operand = builder.createOrFold<arith::ExtUIOp>(op->getLoc(), type, operand);
  else if (bits < 32)
    operand =
        builder.createOrFold<arith::TruncIOp>(op->getLoc(), type, operand);
  values.set(result, operand);
}

bool pyk::simd::hasVectorForm(Operation *op) {
  if (isVectorCall(op))
    return true;
  if (!OpTrait::hasElementwiseMappableTraits(op))
    return false;
  // The CPU's back end expands what processors have no vectors for, such as
  // divisions of integers (Target/CPU/BindVectors.cpp). Of the functions of
  // math, stage nvvm makes intrinsics of these, and of others calls.
  return !isa<math::MathDialect>(op->getDialect()) ||
         isa<math::AbsFOp, math::AbsIOp, math::CeilOp, math::CopySignOp,
             math::CountLeadingZerosOp, math::CtPopOp, math::FloorOp,
             math::FmaOp, math::IsFiniteOp, math::IsInfOp, math::IsNaNOp,
             math::IsNormalOp, math::RoundEvenOp, math::RoundOp, math::SqrtOp,
             math::TruncOp>(op);
}

void OpVectorizer::visitElementwise(Operation *op) {
  Dimensions size = {1, 1, 1};
  for (Value operand : op->getOperands())
    size = join(size, values.getOwn(operand));
  bool isSelect = isa<arith::SelectOp>(op);
  if (isSelect)
    return values.set(op->getResult(0),
                      values.makeSelect(values.get(op->getOperand(0)),
                                        values.get(op->getOperand(1)),
                                        values.get(op->getOperand(2))));
  if (!hasVectorForm(op))
    return visitSerial(op);
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(values.stretch(values.get(operand), size));
  // A thread that is off costs the others nothing.
  const LibdeviceOverload *function = getLibdeviceOverload(op);
  if (Value on = masks.get(size); on && function && function->host.isPartial)
    for (Value &operand : operands)
      operand = values.makeSelect(
          on, operand, makeZero(builder, op->getLoc(), operand.getType()));
  // A row of one scalar is divided by an instruction that traps, so rows
  // without active lanes divide by 1. Vectors are divided by multiplications,
  // which do not trap (Target/CPU/BindVectors.cpp).
  if (Value on = masks.get(size);
      on && size[2] == 1 &&
      isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(op))
    operands[1] = values.makeSelect(
        on, operands[1],
        arith::ConstantOp::create(builder, op->getLoc(),
                                  builder.getOneAttr(operands[1].getType())));
  SmallVector<Type> types;
  for (Type type : op->getResultTypes())
    types.push_back(getTypeWith(type, size));
  Operation *wide = mlir::clone(builder, op, types, operands);
  // What a condition says of numbers holds for threads that are on.
  if (auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(wide);
      flags && masks.get())
    wide->setAttr(flags.getIntegerOverflowAttrName(),
                  arith::IntegerOverflowFlagsAttr::get(
                      wide->getContext(), arith::IntegerOverflowFlags::none));
  SmallVector<Value> results = foldConstants(builder, wide);
  for (auto [old, result] : llvm::zip(op->getResults(), results)) {
    Value made = result;
    // Strides may have cancelled each other.
    if (isScalar(values.getExpected(old)) && !isScalar(size))
      made = extractOfParts(builder, op->getLoc(), result, {0, 0, 0});
    values.set(old, made);
  }
}

void OpVectorizer::visitSerial(Operation *op) {
  if (isMemoryEffectFree(op) && op->use_empty())
    return;
  Dimensions size = isMemoryEffectFree(op) ? Dimensions{1, 1, 1}
                                           : values.getTile().getDimensions();
  // Elements that differ are made in the body.
  SmallVector<Operation *> own;
  for (Value operand : op->getOperands())
    if (auto array = dyn_cast<ArrayType>(operand.getType());
        array && !values.contains(operand))
      own.push_back(operand.getDefiningOp());
  own.push_back(op);
  SmallVector<Value> inputs;
  IRMapping mapping;
  SmallVector<Value> originals;
  for (Operation *inner : own)
    for (Value operand : inner->getOperands()) {
      if (!values.contains(operand) || mapping.contains(operand))
        continue;
      Value mapped = values.get(operand);
      if (values.isUniform(operand)) {
        mapping.map(operand, mapped);
        continue;
      }
      size = join(size, getDimensions(mapped.getType()));
      if (!llvm::is_contained(originals, operand))
        originals.push_back(operand);
    }
  if (isScalar(size)) {
    clone(op);
    return;
  }
  for (Value operand : originals)
    inputs.push_back(values.stretch(values.get(operand), size));
  Value on = isPure(op) ? Value() : masks.get(size);
  SmallVector<Type> types;
  SmallVector<Value> used;
  for (Value result : op->getResults())
    if (!result.use_empty()) {
      used.push_back(result);
      types.push_back(getTypeWith(result.getType(), size));
    }
  // Something says how many threads there are.
  if (!on && inputs.empty() && types.empty())
    on = makeConstant(builder, true, size);
  auto serial = SerialOp::create(builder, op->getLoc(), types, inputs, on);
  OpBuilder::InsertionGuard guard(builder);
  Block *body = builder.createBlock(&serial.getBody());
  for (Value operand : originals)
    mapping.map(operand,
                body->addArgument(operand.getType(), operand.getLoc()));
  for (Operation *inner : own)
    builder.clone(*inner, mapping);
  SmallVector<Value> yields;
  for (Value result : used)
    yields.push_back(mapping.lookup(result));
  YieldOp::create(builder, op->getLoc(), yields);
  values.set(used, serial.getResults());
}
