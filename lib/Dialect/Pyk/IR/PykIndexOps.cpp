// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known of the place of a thread. The limits are CUDA's, the same for
// every compute capability that PyK supports.

#include "pyk/Dialect/Pyk/IR/PykIndexOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"
#include "pyk/Dialect/Pyk/IR/PykFacts.h"
#include "pyk/Dialect/Pyk/IR/PykLimits.h"

using namespace mlir;
using namespace pyk;

#define GET_OP_CLASSES
#include "pyk/Dialect/Pyk/IR/PykIndexOps.cpp.inc"

void PykDialect::registerIndexOps() {
  addOperations<
#define GET_OP_LIST
#include "pyk/Dialect/Pyk/IR/PykIndexOps.cpp.inc"
      >();
}

/// Says that `value` lies in [min, max]; both are not negative.
static void setRange(Value value, int64_t min, int64_t max,
                     SetIntRangeFn setResultRanges) {
  unsigned width = value.getType().getIntOrFloatBitWidth();
  setResultRanges(value, ConstantIntRanges::fromSigned(APInt(width, min),
                                                       APInt(width, max)));
}

void ThreadIdOp::inferResultRanges(ArrayRef<ConstantIntRanges>,
                                   SetIntRangeFn setResultRanges) {
  setRange(getResult(), 0, getMaxBlockDim(getDimension()) - 1, setResultRanges);
}

/// Most blocks along `dimension` of a launch of the function that `op` is in.
static int64_t getMaxBlocks(Operation *op, Dimension dimension) {
  int64_t max = getMaxGridDim(dimension);
  return hasSmallGrid(op) ? std::min(max, kSmallGridLimit - 1) : max;
}

void BlockIdOp::inferResultRanges(ArrayRef<ConstantIntRanges>,
                                  SetIntRangeFn setResultRanges) {
  setRange(getResult(), 0, getMaxBlocks(*this, getDimension()) - 1,
           setResultRanges);
}

void BlockDimOp::inferResultRanges(ArrayRef<ConstantIntRanges>,
                                   SetIntRangeFn setResultRanges) {
  setRange(getResult(), 1, getMaxBlockDim(getDimension()), setResultRanges);
}

void GridDimOp::inferResultRanges(ArrayRef<ConstantIntRanges>,
                                  SetIntRangeFn setResultRanges) {
  setRange(getResult(), 1, getMaxBlocks(*this, getDimension()),
           setResultRanges);
}

/// The largest of numbers that count the threads of a grid along `dimension`,
/// if they have the type of `value`.
static int64_t getMaxGridSize(Value value, Dimension dimension) {
  int64_t max = getMaxBlocks(value.getDefiningOp(), dimension) *
                getMaxBlockDim(dimension);
  return value.getType().isInteger(64) ? max : std::min(max, kNarrowLimit - 1);
}

void GridOp::inferResultRanges(ArrayRef<ConstantIntRanges>,
                               SetIntRangeFn setResultRanges) {
  setRange(getResult(), 0, getMaxGridSize(getResult(), getDimension()) - 1,
           setResultRanges);
}

void GridSizeOp::inferResultRanges(ArrayRef<ConstantIntRanges>,
                                   SetIntRangeFn setResultRanges) {
  setRange(getResult(), 1, getMaxGridSize(getResult(), getDimension()),
           setResultRanges);
}

void LaneIdOp::inferResultRanges(ArrayRef<ConstantIntRanges>,
                                 SetIntRangeFn setResultRanges) {
  setRange(getResult(), 0, 31, setResultRanges);
}
