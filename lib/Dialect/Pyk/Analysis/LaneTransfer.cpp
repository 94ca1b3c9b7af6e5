// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums, products and conversions keep strides; of any other function of a value
// that depends on an axis, nothing is known on that axis. Arithmetic wraps, so
// a stride holds modulo the width, and a conversion to more bits loses it
// unless flags say that nothing wrapped.

#include "LaneTransfer.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "pyk/Dialect/Pyk/Analysis/KnownRange.h"
#include "pyk/Dialect/Pyk/Analysis/LaneShapeAnalysis.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace pyk;

/// Something that follows from all operands in an unknown way.
static LaneShape getFunctionOf(ArrayRef<LaneShape> operands) {
  LaneShape shape;
  for (const LaneShape &operand : operands)
    shape.dependOn(operand);
  return shape;
}

/// The shape of a product with `factor`, whose value is `value` if it is known.
static LaneShape multiply(LaneShape shape, const LaneShape &factor,
                          std::optional<int64_t> value) {
  if (!factor.hasNoAxis())
    return getFunctionOf({shape, factor});
  for (unsigned axis = 0; axis != LaneShape::kAxes; ++axis) {
    LaneStride stride = shape.getStride(axis);
    if (stride.kind == LaneStride::Constant && value)
      stride.value = static_cast<int64_t>(static_cast<uint64_t>(stride.value) *
                                          static_cast<uint64_t>(*value));
    else if (!stride.isZero() && !stride.isVarying())
      stride = {LaneStride::Alike, 0};
    shape.setStride(axis, stride);
  }
  shape.dependOn(factor);
  return shape;
}

static std::optional<int64_t> getConstant(Value value) {
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)) &&
      number.getSignificantBits() <= 64)
    return number.getSExtValue();
  return std::nullopt;
}

static LaneShape getProduct(Operation *op, ArrayRef<LaneShape> operands) {
  if (operands[0].hasNoAxis())
    return multiply(operands[1], operands[0], getConstant(op->getOperand(0)));
  return multiply(operands[0], operands[1], getConstant(op->getOperand(1)));
}

/// Whether the operands of `op` are too small for it to wrap, with or without a
/// sign: sums and products of places in 64 bits have no flags.
static bool hasRoom(Operation *op) {
  if (!isa<arith::AddIOp, arith::MulIOp>(op))
    return false;
  ConstantIntRanges lhs = getKnownRange(op->getOperand(0));
  ConstantIntRanges rhs = getKnownRange(op->getOperand(1));
  if (lhs.smin().isNegative() || rhs.smin().isNegative())
    return false;
  bool wraps = false;
  (void)(isa<arith::AddIOp>(op) ? lhs.smax().sadd_ov(rhs.smax(), wraps)
                                : lhs.smax().smul_ov(rhs.smax(), wraps));
  return !wraps;
}

/// Says of the shape of an arithmetic op whether it may have wrapped.
static LaneShape withFlags(LaneShape shape, Operation *op) {
  auto flags = cast<arith::ArithIntegerOverflowFlagsInterface>(op);
  bool fits = flags.hasNoSignedWrap() && flags.hasNoUnsignedWrap();
  if (!fits && !shape.hasNoAxis() && !hasRoom(op))
    shape.setMayWrap();
  return shape;
}

/// Whether `value` is 0 or more in every lane, given that all that this adds to
/// `needed` is.
static bool isNonNegativeGiven(Value value, SetVector<Value> &needed) {
  if (std::optional<int64_t> number = getConstant(value))
    return *number >= 0;
  auto need = [&](ValueRange values) {
    needed.insert(values.begin(), values.end());
    return true;
  };
  Operation *op = value.getDefiningOp();
  if (!op) {
    auto loop = dyn_cast<scf::ForOp>(value.getParentBlock()->getParentOp());
    if (loop && value == loop.getInductionVar())
      return need(loop.getLowerBound());
    return getKnownRange(value).smin().isNonNegative();
  }
  // Places and extents fit in 31 bits.
  if (isa<arith::IndexCastUIOp, arith::IndexCastOp>(op))
    return isa_and_nonnull<gpu::ThreadIdOp, gpu::BlockIdOp, gpu::BlockDimOp,
                           gpu::GridDimOp>(op->getOperand(0).getDefiningOp()) &&
           !value.getType().isIndex() &&
           value.getType().getIntOrFloatBitWidth() >= 32;
  if (isa<arith::ExtUIOp>(op))
    return true;
  auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op);
  if (!flags || !flags.hasNoSignedWrap())
    return getKnownRange(value).smin().isNonNegative();
  // The number is the same with and without a sign.
  if (isa<arith::TruncIOp>(op))
    return flags.hasNoUnsignedWrap();
  if (isa<arith::SubIOp>(op))
    return flags.hasNoUnsignedWrap() && need(op->getOperand(0));
  if (isa<arith::ShLIOp>(op))
    return need(op->getOperand(0));
  return isa<arith::AddIOp, arith::MulIOp>(op) && need(op->getOperands());
}

bool pyk::isNonNegativeInLanes(Value value) {
  // What values share is looked at once; long ones are given up.
  constexpr size_t kMostValues = 64;
  SetVector<Value> needed;
  needed.insert(value);
  for (size_t i = 0; i < needed.size(); ++i)
    if (i == kMostValues || !isNonNegativeGiven(needed[i], needed))
      return false;
  return true;
}

/// The same number in more bits.
static LaneShape getWidened(const LaneShape &shape) {
  return shape.mayWrap() ? shape.getDependence() : shape;
}

/// The same number in `bits`, which may be less than it has. The index of a
/// thread in its block always fits in 32.
static LaneShape getNarrowed(LaneShape shape, Value operand, unsigned bits) {
  Operation *op = operand.getDefiningOp();
  if (bits < 32 || !op || getLaneClass(op) != LaneClass::Position ||
      shape.differsByBlock())
    shape.setMayWrap();
  return shape;
}

static LaneShape getCast(Operation *op, const LaneShape &shape) {
  // An index has 64 bits.
  constexpr unsigned kIndexBits = 64;
  Type type = op->getResult(0).getType();
  unsigned bits = type.isIndex() ? kIndexBits : type.getIntOrFloatBitWidth();
  return bits < kIndexBits ? getNarrowed(shape, op->getOperand(0), bits)
                           : getWidened(shape);
}

static LaneShape inferElementwise(Operation *op, ArrayRef<LaneShape> operands) {
  if (!llvm::all_of(op->getResultTypes(),
                    llvm::IsaPred<IntegerType, IndexType>))
    return getFunctionOf(operands);
  return TypeSwitch<Operation *, LaneShape>(op)
      .Case<arith::AddIOp, arith::SubIOp>([&](auto) {
        LaneShape sum = operands[0];
        sum.add(operands[1], isa<arith::SubIOp>(op));
        return withFlags(sum, op);
      })
      .Case([&](arith::MulIOp) {
        return withFlags(getProduct(op, operands), op);
      })
      .Case([&](arith::ShLIOp shift) {
        std::optional<int64_t> bits = getConstant(shift.getRhs());
        if (!bits || *bits < 0 || *bits > 62)
          return getFunctionOf(operands);
        return withFlags(
            multiply(operands[0], operands[1], int64_t{1} << *bits), op);
      })
      .Case([&](arith::SelectOp) {
        LaneShape either = operands[1];
        either.join(operands[2]);
        either.dependOn(operands[0]);
        return either;
      })
      .Case([&](arith::ExtSIOp) { return getWidened(operands[0]); })
      .Case([&](arith::ExtUIOp extension) {
        return isNonNegativeInLanes(extension.getIn())
                   ? getWidened(operands[0])
                   : operands[0].getDependence();
      })
      .Case([&](arith::TruncIOp truncation) {
        // The same number.
        if (truncation.hasNoSignedWrap() && truncation.hasNoUnsignedWrap())
          return operands[0];
        return getNarrowed(operands[0], truncation.getIn(),
                           truncation.getType().getIntOrFloatBitWidth());
      })
      .Case<arith::IndexCastOp, arith::IndexCastUIOp>(
          [&](auto) { return getCast(op, operands[0]); })
      .Default([&](Operation *) { return getFunctionOf(operands); });
}

static bool isOfThread(ArrayType type) {
  return type.getSpace() == Space::Local || type.getSpace() == Space::Generic;
}

static LaneShape inferMemory(Operation *op, ArrayRef<LaneShape> operands) {
  // Which array it is: each thread has a local one of its own.
  if (auto made = dyn_cast<ArrayType>(op->getResult(0).getType()))
    return made.getSpace() == Space::Shared ? LaneShape::getOfBlock()
                                            : LaneShape();
  if (auto address = dyn_cast<AddressOp>(op))
    return isOfThread(address.getArray().getType()) ? LaneShape::getVarying()
                                                    : operands[0];
  // Each thread gets another old value of what several change.
  auto load = dyn_cast<LoadOp>(op);
  if (!load || load.getIsVolatile() || isOfThread(load.getArray().getType()))
    return LaneShape::getVarying();
  LaneShape shape = getFunctionOf(operands);
  if (!load.getArray().getType().isReadOnly())
    shape.setDiffersByBlock();
  return shape;
}

LaneShape pyk::inferLaneShape(Operation *op, ArrayRef<LaneShape> operands) {
  switch (getLaneClass(op)) {
  case LaneClass::Uniform:
  case LaneClass::Position:
  case LaneClass::Collective:
    return cast<LaneOpInterface>(op).getLaneShape();
  case LaneClass::Elementwise:
    return inferElementwise(op, operands);
  case LaneClass::Memory:
    return inferMemory(op, operands);
  case LaneClass::Control:
  case LaneClass::Serial:
    return LaneShape::getVarying();
  }
  llvm_unreachable("a class of ops");
}
