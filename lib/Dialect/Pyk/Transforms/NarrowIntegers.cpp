// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a loop counts in 64 bits stays so, with all that is computed from it:
// LLVM steps pointers by such numbers, and finds none behind a conversion.
// Numbers thus begin to be narrow where they are read: extents, places of
// threads, parameters, and what was extended from 32 bits.

#include "NarrowIntegers.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "pyk/Dialect/Pyk/Analysis/StructuredFlow.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace pyk;
using arith::IntegerOverflowFlags;

static constexpr unsigned kWide = 64;
static constexpr unsigned kNarrow = 32;

/// Iterations of a loop whose counter is narrow, too: as many as the neighbours
/// of a place along an axis. LLVM writes them out, and steps no pointer by it.
/// With 4, a transposition of tiles took more registers.
static constexpr unsigned kMaxNarrowIterations = 3;

static bool fits(const ConstantIntRanges &range) {
  return range.smin().isSignedIntN(kNarrow) &&
         range.smax().isSignedIntN(kNarrow);
}

static bool isNonNegative(Value value, const RangeEnvironment &known) {
  return known.get(value).smin().isNonNegative();
}

/// Whether `op` reads a number and computes it from no other.
static bool isRead(Operation *op) {
  return op->getNumRegions() == 0 &&
         llvm::none_of(op->getOperandTypes(),
                       [](Type type) { return type.isIntOrIndex(); });
}

static bool isExtension(Operation *op) {
  return isa_and_present<arith::ExtSIOp, arith::ExtUIOp>(op) &&
         op->getOperand(0).getType().getIntOrFloatBitWidth() <= kNarrow;
}

static bool isParameter(BlockArgument argument) {
  return argument.getOwner()->isEntryBlock() &&
         isa<FunctionOpInterface>(argument.getOwner()->getParentOp());
}

//===----------------------------------------------------------------------===//
// What is found
//===----------------------------------------------------------------------===//

/// Whether `value`, in 64 bits, is or will be at hand in 32.
bool NarrowIntegers::isNarrow(Value value,
                              const RangeEnvironment &known) const {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.isSignedIntN(kNarrow);
  ConstantIntRanges range = known.get(value);
  if (!fits(range))
    return false;
  // A value whose range is one number is folded to a constant.
  if (range.getConstantValue())
    return true;
  if (auto argument = dyn_cast<BlockArgument>(value))
    return isParameter(argument) ||
           countsIterations(argument, kMaxNarrowIterations);
  Operation *op = value.getDefiningOp();
  return isExtension(op) || found.contains(op) || isRead(op);
}

bool NarrowIntegers::canNarrow(Operation *op,
                               const RangeEnvironment &known) const {
  // A comparison or a select has other types, too.
  SmallVector<Value> numbers;
  for (Value operand : op->getOperands())
    if (!operand.getType().isSignlessInteger(1))
      numbers.push_back(operand);
  return !numbers.empty() && llvm::all_of(numbers, [&](Value number) {
    return number.getType().isSignlessInteger(kWide) && isNarrow(number, known);
  });
}

/// Whether a quotient or remainder is the same number in 32 bits.
static bool dividesAlike(Operation *op, const RangeEnvironment &known) {
  if (isa<arith::DivUIOp, arith::RemUIOp>(op))
    return isNonNegative(op->getOperand(0), known) &&
           isNonNegative(op->getOperand(1), known);
  // The least number divided by -1 overflows.
  ConstantIntRanges divisor = known.get(op->getOperand(1));
  return divisor.smin().isNonNegative() ||
         !known.get(op->getOperand(0)).smin().trunc(kNarrow).isMinSignedValue();
}

bool pyk::neverWraps(Operation *op, const RangeEnvironment &known) {
  ConstantIntRanges lhs = known.get(op->getOperand(0));
  ConstantIntRanges rhs = known.get(op->getOperand(1));
  bool wraps[4] = {};
  if (isa<arith::AddIOp>(op)) {
    (void)lhs.smin().sadd_ov(rhs.smin(), wraps[0]);
    (void)lhs.smax().sadd_ov(rhs.smax(), wraps[1]);
  } else if (isa<arith::SubIOp>(op)) {
    (void)lhs.smin().ssub_ov(rhs.smax(), wraps[0]);
    (void)lhs.smax().ssub_ov(rhs.smin(), wraps[1]);
  } else {
    (void)lhs.smin().smul_ov(rhs.smin(), wraps[0]);
    (void)lhs.smin().smul_ov(rhs.smax(), wraps[1]);
    (void)lhs.smax().smul_ov(rhs.smin(), wraps[2]);
    (void)lhs.smax().smul_ov(rhs.smax(), wraps[3]);
  }
  return llvm::none_of(wraps, [](bool wraps) { return wraps; });
}

/// The flags of a sum, difference or product that does not wrap as a signed
/// number.
static IntegerOverflowFlags getFlags(Operation *op,
                                     const RangeEnvironment &known) {
  if (cast<arith::ArithIntegerOverflowFlagsInterface>(op).hasNoUnsignedWrap() &&
      op->getResult(0).getType().isSignlessInteger(kNarrow))
    return IntegerOverflowFlags::nsw | IntegerOverflowFlags::nuw;
  bool isUnsigned = isNonNegative(op->getOperand(0), known) &&
                    isNonNegative(op->getOperand(1), known) &&
                    isNonNegative(op->getResult(0), known);
  return isUnsigned ? IntegerOverflowFlags::nsw | IntegerOverflowFlags::nuw
                    : IntegerOverflowFlags::nsw;
}

void NarrowIntegers::visit(Operation *op, const RangeEnvironment &known) {
  bool isArithmetic = isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op);
  bool isDivision =
      isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(op);
  bool isFound = false;
  auto flags = IntegerOverflowFlags::none;
  if (isa<arith::CmpIOp>(op)) {
    isFound = canNarrow(op, known);
  } else if (isa<arith::ExtSIOp>(op)) {
    isFound = op->getOperand(0).getType().isSignlessInteger() &&
              isNonNegative(op->getOperand(0), known);
  } else if (isArithmetic &&
             op->getResult(0).getType().isSignlessInteger(kNarrow)) {
    isFound = neverWraps(op, known);
  } else if (isArithmetic || isDivision ||
             isa<arith::SelectOp, arith::AndIOp, arith::OrIOp, arith::XOrIOp>(
                 op)) {
    isFound = op->getResult(0).getType().isSignlessInteger(kWide) &&
              fits(known.get(op->getResult(0))) && canNarrow(op, known) &&
              (!isDivision || dividesAlike(op, known));
  }
  if (!isFound) {
    found.erase(op);
    return;
  }
  // The sign of what will be extended is kept in the same way.
  if (isArithmetic)
    flags = getFlags(op, known);
  else if (!isa<arith::CmpIOp>(op) && isNonNegative(op->getResult(0), known))
    flags = IntegerOverflowFlags::nuw;
  found[op] = flags;
}

//===----------------------------------------------------------------------===//
// What becomes of it
//===----------------------------------------------------------------------===//

/// The flags of a conversion of `wide`, which fits, to 32 bits.
static IntegerOverflowFlags getTruncation(Value wide,
                                          const RangeEnvironment &known) {
  APInt constant;
  bool isUnsigned = matchPattern(wide, m_ConstantInt(&constant))
                        ? constant.isNonNegative()
                        : isNonNegative(wide, known);
  return isUnsigned ? IntegerOverflowFlags::nsw | IntegerOverflowFlags::nuw
                    : IntegerOverflowFlags::nsw;
}

/// `wide`, which fits, in 32 bits.
static Value makeNarrow(Value wide, const RangeEnvironment &known,
                        ImplicitLocOpBuilder &b) {
  Operation *op = wide.getDefiningOp();
  if (!isExtension(op))
    return b.createOrFold<arith::TruncIOp>(b.getI32Type(), wide,
                                           getTruncation(wide, known));
  Value source = op->getOperand(0);
  if (source.getType().isSignlessInteger(kNarrow))
    return source;
  return isa<arith::ExtUIOp>(op)
             ? arith::ExtUIOp::create(b, b.getI32Type(), source).getResult()
             : arith::ExtSIOp::create(b, b.getI32Type(), source).getResult();
}

static void setFlags(Operation *op, IntegerOverflowFlags flags) {
  TypeSwitch<Operation *>(op).Case<arith::AddIOp, arith::SubIOp, arith::MulIOp>(
      [&](auto arithmetic) { arithmetic.setOverflowFlags(flags); });
}

static void narrow(Operation *op, IntegerOverflowFlags flags,
                   const RangeEnvironment &known) {
  ImplicitLocOpBuilder b(op->getLoc(), op);
  for (OpOperand &operand : op->getOpOperands())
    if (operand.get().getType().isSignlessInteger(kWide))
      operand.set(makeNarrow(operand.get(), known, b));
  setFlags(op, flags);
  OpResult result = op->getResult(0);
  if (!result.getType().isSignlessInteger(kWide))
    return;
  result.setType(b.getI32Type());
  b.setInsertionPointAfter(op);
  bool isUnsigned = bitEnumContainsAll(flags, IntegerOverflowFlags::nuw);
  Operation *extended = isUnsigned
                            ? arith::ExtUIOp::create(b, b.getI64Type(), result)
                            : arith::ExtSIOp::create(b, b.getI64Type(), result);
  result.replaceAllUsesExcept(extended->getResult(0), extended);
}

void NarrowIntegers::apply(Operation *root, const RangeEnvironment &known) {
  root->walk([&](Operation *op) {
    auto flags = found.find(op);
    if (flags == found.end() || op->use_empty())
      return;
    if (!isa<arith::ExtSIOp>(op)) {
      narrow(op, flags->second, known);
      return;
    }
    OpBuilder b(op);
    op->getResult(0).replaceAllUsesWith(arith::ExtUIOp::create(
        b, op->getLoc(), op->getResult(0).getType(), op->getOperand(0)));
    op->erase();
  });
}
