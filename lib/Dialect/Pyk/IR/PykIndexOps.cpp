// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known of the place of a thread. The limits are CUDA's, the same for
// every compute capability that PyK supports.

#include "pyk/Dialect/Pyk/IR/PykIndexOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"
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
  max = std::min(max, APInt::getSignedMaxValue(width).getSExtValue());
  setResultRanges(value, ConstantIntRanges::fromSigned(APInt(width, min),
                                                       APInt(width, max)));
}

void ThreadIdOp::inferResultRanges(ArrayRef<ConstantIntRanges>,
                                   SetIntRangeFn setResultRanges) {
  setRange(getResult(), 0, getMaxBlockDim(getDimension()) - 1, setResultRanges);
}

void BlockIdOp::inferResultRanges(ArrayRef<ConstantIntRanges>,
                                  SetIntRangeFn setResultRanges) {
  setRange(getResult(), 0, getMaxGridDim(getDimension()) - 1, setResultRanges);
}

void BlockDimOp::inferResultRanges(ArrayRef<ConstantIntRanges>,
                                   SetIntRangeFn setResultRanges) {
  setRange(getResult(), 1, getMaxBlockDim(getDimension()), setResultRanges);
}

void GridDimOp::inferResultRanges(ArrayRef<ConstantIntRanges>,
                                  SetIntRangeFn setResultRanges) {
  setRange(getResult(), 1, getMaxGridDim(getDimension()), setResultRanges);
}

void GridOp::inferResultRanges(ArrayRef<ConstantIntRanges>,
                               SetIntRangeFn setResultRanges) {
  Dimension d = getDimension();
  setRange(getResult(), 0, getMaxGridDim(d) * getMaxBlockDim(d) - 1,
           setResultRanges);
}

void GridSizeOp::inferResultRanges(ArrayRef<ConstantIntRanges>,
                                   SetIntRangeFn setResultRanges) {
  Dimension d = getDimension();
  setRange(getResult(), 1, getMaxGridDim(d) * getMaxBlockDim(d),
           setResultRanges);
}

void LaneIdOp::inferResultRanges(ArrayRef<ConstantIntRanges>,
                                 SetIntRangeFn setResultRanges) {
  setRange(getResult(), 0, 31, setResultRanges);
}
