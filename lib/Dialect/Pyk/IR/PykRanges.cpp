// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known of the integers that the dialect's ops yield. The limits are
// CUDA's, the same for every compute capability that PyK supports.

#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/Utils/InferIntRangeCommon.h"
#include "pyk/Dialect/Pyk/IR/PykLimits.h"
#include "pyk/Dialect/Pyk/IR/PykOps.h"

using namespace mlir;
using namespace pyk;

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

// An array and a float have no range, and the analysis would not ask an op that
// has one as operand for ranges of its results. It asks for lattice values.

void DimOp::inferResultRangesFromOptional(ArrayRef<IntegerValueRange>,
                                          SetIntLatticeFn setResultRanges) {
  setResultRanges(getResult(), ConstantIntRanges::fromSigned(
                                   APInt(64, 0), APInt(64, INT64_MAX)));
}

void ForOp::inferResultRangesFromOptional(ArrayRef<IntegerValueRange>,
                                          SetIntLatticeFn setResultRanges) {
  // Within the loop, lower <= i < upper. Only constant bounds count: the
  // analysis asks once, when it reaches the body, and not again when it learns
  // more of the operands.
  unsigned width = getLowerBound().getType().getIntOrFloatBitWidth();
  APInt min = APInt::getSignedMinValue(width);
  APInt max = APInt::getSignedMaxValue(width);
  matchPattern(getLowerBound(), m_ConstantInt(&min));
  if (matchPattern(getUpperBound(), m_ConstantInt(&max)) && max.sgt(min))
    --max;
  // Where the range is empty the loop does not run and any range will do.
  setResultRanges(getInductionValue(),
                  ConstantIntRanges::fromSigned(min, max.sge(min) ? max : min));
  // A break may leave with any value, and the analysis does not see it: a value
  // that nothing is said about would count as one that never is.
  auto setUnknown = [&](Value value) {
    if (unsigned width = ConstantIntRanges::getStorageBitwidth(value.getType()))
      setResultRanges(value, ConstantIntRanges::maxRange(width));
  };
  llvm::for_each(getCarriedValues(), setUnknown);
  llvm::for_each(getResults(), setUnknown);
}
