// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Follows an address back to the counter of its loop.

#include "PrefetchRows.h"
#include "AccessUnroller.h"
#include "Parts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/Matchers.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"
#include "pyk/Dialect/Pyk/IR/PykViewOps.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::simd;

/// How many ops back an address is followed to a loop's counter.
static constexpr unsigned kMostSteps = 12;

/// `value`, which `loop` computes, as it is `by` later by the counter, in which
/// arithmetic may wrap; what does not depend on the counter as it is.
static Value makeLater(Value value, scf::ForOp loop, Value by, unsigned steps,
                       OpBuilder &builder) {
  if (value == loop.getInductionVar())
    return arith::AddIOp::create(builder, value.getLoc(), value, by);
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != loop.getBody() || steps == kMostSteps)
    return value;
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(makeLater(operand, loop, by, steps + 1, builder));
  if (llvm::equal(operands, op->getOperands()))
    return value;
  Operation *later = mlir::clone(builder, op, op->getResultTypes(), operands);
  if (auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(later))
    later->setAttr(
        flags.getIntegerOverflowAttrName(),
        arith::IntegerOverflowFlagsAttr::get(
            builder.getContext(), arith::IntegerOverflowFlags::none));
  return later->getResult(0);
}

namespace {

/// How a number changes from iteration to iteration of a loop; ordered by size.
enum class Growth { None, Steady, ByRows, Unknown };

} // namespace

/// That of `value` in `loop`: by rows if the counter is multiplied by what is
/// no constant on its way there, unknown if it is not computed from numbers
/// alone.
static Growth getGrowth(Value value, scf::ForOp loop, unsigned steps) {
  if (value == loop.getInductionVar())
    return Growth::Steady;
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != loop.getBody())
    return Growth::None;
  if (steps == kMostSteps || !isa<arith::ArithDialect>(op->getDialect()) ||
      !isPure(op) || op->getNumResults() != 1)
    return Growth::Unknown;
  auto growth = Growth::None;
  bool hasConstant = false;
  for (Value operand : op->getOperands()) {
    growth = std::max(growth, getGrowth(operand, loop, steps + 1));
    hasConstant |= matchPattern(operand, m_Constant());
  }
  bool isScaled = isa<arith::MulIOp>(op) && !hasConstant;
  return growth == Growth::Steady && isScaled ? Growth::ByRows : growth;
}

void pyk::simd::prefetchRow(OpBuilder &builder, LoadOp op, Value array,
                            Value offset) {
  // Rows whose length is a power of two have few places in the first cache.
  constexpr int64_t rowsAhead = 8;
  int64_t turnsAhead =
      std::max<int64_t>(1, rowsAhead / getDimensions(op.getType())[0]);
  auto loop = dyn_cast<scf::ForOp>(builder.getInsertionBlock()->getParentOp());
  if (!loop || loop->hasAttr(kPartsAttrName) ||
      !array.getDefiningOp<FromPointerOp>() ||
      getGrowth(offset, loop, 0) != Growth::ByRows)
    return;
  std::optional<APInt> iterations = loop.getStaticTripCount();
  if (iterations && iterations->ule(rowsAhead))
    return;
  Location loc = op.getLoc();
  Value step = loop.getStep();
  Value by = arith::MulIOp::create(
      builder, loc, step,
      arith::ConstantIntOp::create(builder, loc, step.getType(), turnsAhead));
  Value later = makeLater(offset, loop, by, 0, builder);
  // Not the address of an element: there may be none.
  Value first = ToPointerOp::create(builder, loc, getPointerType(array), array);
  auto type = cast<ArrayType>(array.getType());
  Type unit = type.getLayout() == Layout::Any
                  ? Type(builder.getI8Type())
                  : getHeldType(type.getElementType());
  Value address = LLVM::GEPOp::create(builder, loc, first.getType(), unit,
                                      first, ArrayRef<LLVM::GEPArg>(later));
  LLVM::Prefetch::create(builder, loc, address, /*rw=*/0, /*hint=*/3,
                         /*cache=*/1);
}
