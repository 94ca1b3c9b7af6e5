// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shapes are compared by the strides of their axes: constants are all alike a
// step below "the same for all", and that is one below "varying". So a value
// has at most three shapes while an analysis looks for the one that lasts.

#include "pyk/Dialect/Pyk/IR/PykLanes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "pyk/Dialect/Pyk/IR/PykInterfaces.h"

using namespace mlir;
using namespace pyk;

static constexpr LaneStride kVarying = {LaneStride::Varying, 0};

LaneShape LaneShape::getVarying() {
  LaneShape shape;
  shape.strides.fill(kVarying);
  shape.variesByBlock = shape.variesInWarp = true;
  return shape;
}

LaneShape LaneShape::getOfThread(Dimension axis) {
  LaneShape shape;
  shape.strides[static_cast<unsigned>(axis)].value = 1;
  shape.variesInWarp = true;
  return shape;
}

LaneShape LaneShape::getOfGrid(Dimension axis) {
  LaneShape shape = getOfThread(axis);
  shape.variesByBlock = true;
  return shape;
}

LaneShape LaneShape::getOfBlock() {
  LaneShape shape;
  shape.variesByBlock = true;
  return shape;
}

LaneShape LaneShape::getOfWarp() {
  LaneShape shape = getVarying();
  shape.variesInWarp = false;
  return shape;
}

bool LaneShape::hasNoAxis() const {
  return llvm::all_of(strides,
                      [](const LaneStride &stride) { return stride.isZero(); });
}

bool LaneShape::isUniform(LaneGroup group) const {
  if (group == LaneGroup::Warp)
    return hasNoAxis() || !variesInWarp;
  return hasNoAxis() && (group == LaneGroup::Block || !variesByBlock);
}

void LaneShape::joinGroups(const LaneShape &other) {
  variesByBlock |= other.variesByBlock;
  variesInWarp |= other.variesInWarp && !other.hasNoAxis();
}

void LaneShape::join(const LaneShape &other) {
  for (auto [mine, theirs] : llvm::zip(strides, other.strides))
    if (mine.isVarying() || theirs.isVarying())
      mine = kVarying;
    else if (!(mine == theirs))
      mine = {LaneStride::Alike, 0};
  wraps |= other.wraps;
  joinGroups(other);
}

void LaneShape::dependOn(const LaneShape &other) {
  for (auto [mine, theirs] : llvm::zip(strides, other.strides))
    if (!theirs.isZero())
      mine = kVarying;
  joinGroups(other);
}

LaneShape LaneShape::getDependence() const {
  LaneShape shape;
  shape.dependOn(*this);
  return shape;
}

void LaneShape::add(const LaneShape &other, bool subtract) {
  for (auto [mine, theirs] : llvm::zip(strides, other.strides)) {
    if (theirs.isZero())
      continue;
    if (mine.isVarying() || theirs.isVarying())
      mine = kVarying;
    else if (mine.kind == LaneStride::Alike || theirs.kind == LaneStride::Alike)
      mine = {LaneStride::Alike, 0};
    else
      mine.value = static_cast<int64_t>(
          static_cast<uint64_t>(mine.value) +
          (subtract ? -static_cast<uint64_t>(theirs.value)
                    : static_cast<uint64_t>(theirs.value)));
  }
  wraps = (wraps || other.wraps) && !hasNoAxis();
  joinGroups(other);
}

void LaneShape::print(raw_ostream &os) const {
  SmallVector<std::string> parts;
  for (auto [axis, stride] : llvm::enumerate(strides)) {
    if (stride.isZero())
      continue;
    std::string text = stride.kind == LaneStride::Constant
                           ? std::to_string(stride.value)
                       : stride.isVarying() ? "*"
                                            : "?";
    parts.push_back(std::string(1, "xyz"[axis]) + ":" + text);
  }
  if (!parts.empty() && !variesInWarp)
    parts.push_back("warp");
  if (variesByBlock)
    parts.push_back("block");
  if (parts.empty())
    parts.push_back("uniform");
  llvm::interleave(parts, os, " ");
}

static bool isNumber(Type type) {
  return isa<IntegerType, FloatType, IndexType, ComplexType>(type);
}

LaneClass pyk::getLaneClass(Operation *op) {
  if (auto lanes = dyn_cast<LaneOpInterface>(op))
    return lanes.getLaneClass();
  if (op->hasTrait<OpTrait::IsTerminator>() ||
      isa<StructuredFlowOpInterface, FunctionOpInterface, CallOpInterface>(op))
    return LaneClass::Control;
  // What is chosen may be an array.
  if (op->hasTrait<OpTrait::ConstantLike>() || isa<arith::SelectOp>(op))
    return LaneClass::Elementwise;
  // Nothing says what an op without operands depends on.
  if (op->getNumRegions() == 0 && op->getNumOperands() != 0 &&
      op->getNumResults() != 0 && isMemoryEffectFree(op) &&
      llvm::all_of(op->getOperandTypes(), isNumber) &&
      llvm::all_of(op->getResultTypes(), isNumber))
    return LaneClass::Elementwise;
  return LaneClass::Serial;
}

StringRef pyk::stringifyLaneClass(LaneClass value) {
  switch (value) {
  case LaneClass::Uniform:
    return "uniform";
  case LaneClass::Position:
    return "position";
  case LaneClass::Elementwise:
    return "elementwise";
  case LaneClass::Memory:
    return "memory";
  case LaneClass::Control:
    return "control";
  case LaneClass::Collective:
    return "collective";
  case LaneClass::Serial:
    return "serial";
  }
  llvm_unreachable("a class of ops");
}
