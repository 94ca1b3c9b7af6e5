// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `pyk-expand-addresses` computes in 32 bits what is enough for elements of the
// array; a check needs to know of all others, too, and computes in 64 bits.
//
// Those are sums of products of i64, which wrap around for indices that are
// large enough: element 2^62 of elements of 12 bytes would be element 0. What
// ranges do not prove is computed once more as a sum of absolute values in
// float64. It is at least as large as every partial result, up to rounding, and
// the limit leaves a factor of 8 for that.

#include "ExactOffsets.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "pyk/Dialect/Pyk/Analysis/KnownRange.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"
#include "pyk/Dialect/Pyk/IR/PykNumericOps.h"
#include "pyk/Dialect/Pyk/IR/PykOpAttributes.h"
#include "pyk/Dialect/Pyk/IR/PykRecordOps.h"

using namespace mlir;
using namespace pyk;

//===----------------------------------------------------------------------===//
// Offsets in 64 bits
//===----------------------------------------------------------------------===//

static constexpr auto kFits =
    arith::IntegerOverflowFlags::nsw | arith::IntegerOverflowFlags::nuw;

/// Whether the flags of `op` state that it does not wrap around, whatever sign
/// its operands have.
static bool fits(Operation *op) {
  auto flags =
      dyn_cast_if_present<arith::ArithIntegerOverflowFlagsInterface>(op);
  return flags && flags.getOverflowAttr().getValue() == kFits;
}

bool pyk::isNarrowOffset(Value offset) {
  Operation *op = offset.getDefiningOp();
  if (isa_and_present<arith::ExtUIOp>(op))
    return fits(op->getOperand(0).getDefiningOp());
  return isa_and_present<arith::AddIOp, arith::SubIOp>(op) &&
         (isNarrowOffset(op->getOperand(0)) ||
          isNarrowOffset(op->getOperand(1)));
}

/// `number`, an i32 of an offset, in 64 bits, computed without truncation.
static Value widenNumber(Value number, ImplicitLocOpBuilder &b) {
  Operation *op = number.getDefiningOp();
  if (isa_and_present<arith::AddIOp, arith::MulIOp>(op) && fits(op)) {
    Value lhs = widenNumber(op->getOperand(0), b);
    Value rhs = widenNumber(op->getOperand(1), b);
    return isa<arith::AddIOp>(op) ? b.createOrFold<arith::AddIOp>(lhs, rhs)
                                  : b.createOrFold<arith::MulIOp>(lhs, rhs);
  }
  if (isa_and_present<arith::TruncIOp>(op) && fits(op) &&
      op->getOperand(0).getType().isInteger(64))
    return op->getOperand(0);
  return b.createOrFold<arith::ExtUIOp>(b.getI64Type(), number);
}

Value pyk::widenOffset(Value offset, ImplicitLocOpBuilder &b) {
  Operation *op = offset.getDefiningOp();
  if (isa_and_present<arith::ExtUIOp>(op) &&
      fits(op->getOperand(0).getDefiningOp()))
    return widenNumber(op->getOperand(0), b);
  if (!isa_and_present<arith::AddIOp, arith::SubIOp>(op))
    return offset;
  Value lhs = widenOffset(op->getOperand(0), b);
  Value rhs = widenOffset(op->getOperand(1), b);
  if (lhs == op->getOperand(0) && rhs == op->getOperand(1))
    return offset;
  return isa<arith::AddIOp>(op) ? b.createOrFold<arith::AddIOp>(lhs, rhs)
                                : b.createOrFold<arith::SubIOp>(lhs, rhs);
}

//===----------------------------------------------------------------------===//
// Sums that fit in 64 bits
//===----------------------------------------------------------------------===//

/// Bits in which bounds of sums are computed, saturating: those of
/// two-dimensional arrays come close to 2^63, so no rounding may be added.
static constexpr unsigned kBoundBits = 256;

/// What sums are less than that are computed; no memory reaches as far.
static constexpr double kComputedLimit = 0x1p60;

/// Terms below this may be left out of a computed sum: 16 of them are not more
/// than its limit.
static constexpr double kSmallTerm = 0x1p56;

/// How far from its array a view begins whose index would wrap around.
static constexpr double kFarBytes = 0x1p58;

/// The largest absolute value that `number` may have.
static APInt getBound(Value number) {
  ConstantIntRanges range = getKnownRange(number);
  APInt least = range.smin().sext(kBoundBits).abs();
  APInt most = range.smax().sext(kBoundBits).abs();
  return llvm::APIntOps::umax(least, most);
}

static Value makeMagnitude(Value number, ImplicitLocOpBuilder &b) {
  Value real = b.createOrFold<arith::SIToFPOp>(b.getF64Type(), number);
  return b.createOrFold<math::AbsFOp>(real);
}

static Value makeReal(double number, ImplicitLocOpBuilder &b) {
  return arith::ConstantOp::create(b, b.getF64FloatAttr(number));
}

Value pyk::makeFits(ArrayRef<OffsetTerm> terms, ImplicitLocOpBuilder &b) {
  APInt most(kBoundBits, 0);
  SmallVector<ArrayRef<Value>> large;
  for (const OffsetTerm &term : terms) {
    APInt bound(kBoundBits, 1), constant = bound;
    for (Value factor : term) {
      bound = bound.umul_sat(getBound(factor));
      if (matchPattern(factor, m_Constant()))
        constant = constant.umul_sat(getBound(factor));
    }
    // Folded already, around the end of 64 bits.
    if (constant.roundToDouble() >= kComputedLimit)
      return arith::ConstantIntOp::create(b, b.getI1Type(), 0);
    most = most.uadd_sat(bound);
    if (bound.roundToDouble() >= kSmallTerm)
      large.push_back(term);
  }
  if (most.isIntN(63))
    return {};
  Value sum;
  for (ArrayRef<Value> term : large) {
    Value product;
    for (Value factor : term) {
      Value magnitude = makeMagnitude(factor, b);
      product = product ? b.createOrFold<arith::MulFOp>(product, magnitude)
                        : magnitude;
    }
    sum = sum ? b.createOrFold<arith::AddFOp>(sum, product) : product;
  }
  return b.createOrFold<arith::CmpFOp>(arith::CmpFPredicate::OLT, sum,
                                       makeReal(kComputedLimit, b));
}

/// Adds the factors of the stride of a dimension of `array`, in bytes, to
/// `term`. Those of a view are taken from the array that is viewed, whose
/// extents have known ranges.
static void addStride(OffsetTerm &term, Value array, int64_t dimension,
                      ImplicitLocOpBuilder &b) {
  while (auto view = array.getDefiningOp<ArrayViewOpInterface>()) {
    ViewedDimension from = view.getViewedDimension(dimension);
    if (from.stride < 0)
      break;
    if (from.step)
      term.push_back(from.step);
    array = view->getOperand(0);
    dimension = from.stride;
  }
  auto type = cast<ArrayType>(array.getType());
  if (type.getLayout() == Layout::Any) {
    term.push_back(b.createOrFold<StrideOp>(b.getI64Type(), array, dimension));
    return;
  }
  bool isC = type.getLayout() == Layout::C;
  for (int64_t inner = isC ? dimension + 1 : 0,
               end = isC ? type.getRank() : dimension;
       inner < end; ++inner)
    term.push_back(b.createOrFold<DimOp>(b.getI64Type(), array, inner));
  term.push_back(
      arith::ConstantIntOp::create(b, b.getI64Type(), type.getElementBytes()));
}

Value pyk::makeExact(ElementOp element, ImplicitLocOpBuilder &b) {
  ArrayType type = element.getArray().getType();
  ValueRange indices = element.getIndices();
  if (indices.size() != static_cast<size_t>(type.getRank()))
    return {};
  auto rank = static_cast<int64_t>(indices.size());
  SmallVector<OffsetTerm> terms;
  for (int64_t dimension = 0; dimension < rank; ++dimension) {
    OffsetTerm &term = terms.emplace_back();
    term.push_back(indices[dimension]);
    if (type.getLayout() == Layout::Any) {
      addStride(term, element.getArray(), dimension, b);
      continue;
    }
    bool isC = type.getLayout() == Layout::C;
    for (int64_t inner = isC ? dimension + 1 : 0, end = isC ? rank : dimension;
         inner < end; ++inner)
      term.push_back(
          b.createOrFold<DimOp>(b.getI64Type(), element.getArray(), inner));
    // The index that is no product is added to a sum that fits. If that wraps
    // around, the result still is no offset in memory.
    if (term.size() == 1)
      terms.pop_back();
  }
  return makeFits(terms, b);
}

Value pyk::makeAnd(Value first, Value second, ImplicitLocOpBuilder &b) {
  if (!first || !second)
    return first ? first : second;
  return b.createOrFold<arith::AndIOp>(first, second);
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

/// `number`, an index of elements `bytes` apart, or if its product with them
/// does not fit or `exact` is false, one of an element that is far away.
static Value boundNumber(Value number, Value bytes, Value exact,
                         ImplicitLocOpBuilder &b) {
  exact = makeAnd(exact, makeFits(OffsetTerm{number, bytes}, b), b);
  if (!exact)
    return number;
  Value stride = b.createOrFold<arith::SIToFPOp>(b.getF64Type(), bytes);
  Value count = b.createOrFold<arith::DivFOp>(makeReal(kFarBytes, b), stride);
  Value far = b.createOrFold<FloatToIntOp>(b.getI64Type(), count,
                                           /*is_unsigned=*/false);
  return b.createOrFold<arith::SelectOp>(exact, number, far);
}

/// Keeps the address of `op` from wrapping around.
static void boundView(Operation *op) {
  ImplicitLocOpBuilder b(op->getLoc(), op);
  if (auto element = dyn_cast<ElementOp>(op)) {
    ArrayType type = element.getArray().getType();
    int64_t step = type.getLayout() == Layout::Any ? 1 : type.getElementBytes();
    Value bytes = arith::ConstantIntOp::create(b, b.getI64Type(), step);
    element.getOffsetMutable().assign(boundNumber(
        widenOffset(element.getOffset(), b), bytes, element.getExact(), b));
    return;
  }
  auto view = cast<ViewOp>(op);
  unsigned position = 0;
  for (const ViewOp::Part &part : view.getParts()) {
    if (part.axis == Axis::Index)
      view.getNumbersMutable()[position].set(
          boundNumber(part.first,
                      b.createOrFold<StrideOp>(b.getI64Type(), view.getArray(),
                                               part.source),
                      /*exact=*/{}, b));
    position += bool(part.first) + bool(part.count) + bool(part.step);
  }
}

/// Whether `view` is the element that each access to it accesses, or a part of
/// it: its guard then compares its offset.
static bool isAccessedAlone(Operation *view) {
  return llvm::all_of(view->getUsers(), [&](Operation *user) {
    if (isa<AccessOpInterface, CopyRecordOp>(user))
      return true;
    return isa<FieldOp, CastOp>(user) &&
           cast<ArrayType>(user->getResult(0).getType()).getRank() == 0 &&
           isAccessedAlone(user);
  });
}

/// Keeps the addresses of views, from which guards compute where an element
/// is, from wrapping around.
void pyk::boundViews(gpu::GPUModuleOp module) {
  module.walk([](Operation *op) {
    if (!isa<ViewOp, ElementOp>(op) ||
        (isa<ElementOp>(op) && isAccessedAlone(op)))
      return;
    auto function = op->getParentOfType<FunctionOpInterface>();
    if (kGuarded.isOn(function) &&
        !function->hasAttr(PykDialect::kExportAttrName))
      boundView(op);
  });
}

/// Erases those of `ops` that are dead, and what only they use.
void pyk::eraseDead(llvm::SetVector<Operation *> ops) {
  while (!ops.empty()) {
    Operation *op = ops.pop_back_val();
    if (!isOpTriviallyDead(op))
      continue;
    for (Value operand : op->getOperands())
      if (Operation *definition = operand.getDefiningOp())
        ops.insert(definition);
    op->erase();
  }
}
