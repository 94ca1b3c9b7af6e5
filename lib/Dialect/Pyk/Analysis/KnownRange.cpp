// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asks the ops behind a value, as upstream's analysis does, on demand.

#include "pyk/Dialect/Pyk/Analysis/KnownRange.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "pyk/Dialect/Pyk/IR/PykFacts.h"
#include "pyk/Dialect/Pyk/IR/PykLimits.h"

using namespace mlir;
using namespace pyk;

/// Ops that are looked back. What a program writes for a step or a bound takes
/// few: products of places, conversions.
static constexpr unsigned kDepth = 6;

static IntegerValueRange getRange(Value value, unsigned depth);

std::optional<ConstantIntRanges> pyk::getStatedRange(BlockArgument argument) {
  auto function =
      dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
  if (!function || !argument.getOwner()->isEntryBlock() ||
      !argument.getType().isSignlessInteger())
    return std::nullopt;
  unsigned width = argument.getType().getIntOrFloatBitWidth();
  if (width >= 32 && bitEnumContainsAll(getFacts(argument), LaunchFact::Small))
    return ConstantIntRanges::fromSigned(APInt(width, 0),
                                         APInt(width, kSmallLimit - 1));
  auto range = function.getArgAttrOfType<LLVM::ConstantRangeAttr>(
      argument.getArgNumber(), LLVM::LLVMDialect::getRangeAttrName());
  // One that wraps around says nothing of the sign.
  if (!range || range.getLower().sge(range.getUpper()))
    return std::nullopt;
  return ConstantIntRanges::fromSigned(range.getLower(), range.getUpper() - 1);
}

static IntegerValueRange inferRange(InferIntRangeInterface op, Value value,
                                    unsigned depth) {
  SmallVector<IntegerValueRange> operands;
  for (Value operand : op->getOperands())
    operands.push_back(getRange(operand, depth));
  IntegerValueRange found = IntegerValueRange::getMaxRange(value);
  op.inferResultRangesFromOptional(
      operands, [&](Value result, const IntegerValueRange &range) {
        if (result == value && !range.isUninitialized())
          found = range;
      });
  return found;
}

static IntegerValueRange getRange(Value value, unsigned depth) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return IntegerValueRange(ConstantIntRanges::constant(constant));
  if (auto argument = dyn_cast<BlockArgument>(value))
    if (auto range = getStatedRange(argument))
      return IntegerValueRange(*range);
  auto op = value.getDefiningOp<InferIntRangeInterface>();
  if (op && op->getNumRegions() == 0 && depth > 0)
    return inferRange(op, value, depth - 1);
  return IntegerValueRange::getMaxRange(value);
}

ConstantIntRanges pyk::getKnownRange(Value value) {
  return getRange(value, kDepth).getValue();
}

bool pyk::isKnownPositive(Value value) {
  return getKnownRange(value).smin().isStrictlyPositive();
}
