// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Addresses as arithmetic that all targets share. A contiguous array counts
// elements, so that neighbours differ by 1 whatever their size, and LLVM sees
// one index; a strided one adds up bytes. What is the same for several accesses
// is one value after CSE.

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "pyk/Dialect/Pyk/Analysis/KnownRange.h"
#include "pyk/Dialect/Pyk/Analysis/StructuredFlow.h"
#include "pyk/Dialect/Pyk/IR/PykFacts.h"
#include "pyk/Dialect/Pyk/IR/PykLimits.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"
#include "pyk/Dialect/Pyk/IR/PykOpAttributes.h"
#include "pyk/Dialect/Pyk/IR/PykViewOps.h"
#include "pyk/Dialect/Pyk/Transforms/Passes.h"

namespace pyk {
#define GEN_PASS_DEF_EXPANDADDRESSESPASS
#include "pyk/Dialect/Pyk/Transforms/Passes.h.inc"
} // namespace pyk

using namespace mlir;
using namespace pyk;

/// Bytes from the first element of a strided array to the one at `indices`.
static Value countBytes(Value array, ValueRange indices,
                        ImplicitLocOpBuilder &b) {
  Value offset;
  for (auto [dimension, index] : llvm::enumerate(indices)) {
    Value stride = b.createOrFold<StrideOp>(b.getI64Type(), array, dimension);
    Value bytes = b.createOrFold<arith::MulIOp>(index, stride);
    offset = offset ? b.createOrFold<arith::AddIOp>(offset, bytes) : bytes;
  }
  return offset;
}

/// Whether `countElements` may compute in 32 bits, for elements of the array's
/// memory: their indices are not negative, so that no partial sum is more than
/// the last one, which is less than 2^31. A partial sum that is known to be
/// 2^31 or more leads to no such element; truncated, it might.
static bool addsUp(Value array, ValueRange indices) {
  if (indices.size() < 2 || !hasFewElements(array))
    return false;
  auto type = cast<ArrayType>(array.getType());
  bool isC = type.getLayout() == Layout::C;
  double least = 0;
  for (size_t position = 0; position < indices.size(); ++position) {
    size_t dimension = isC ? position : indices.size() - 1 - position;
    int64_t extent = type.getShape()[dimension];
    APInt index = getKnownRange(indices[dimension]).smin();
    if (index.isNegative())
      return false;
    least *= ShapedType::isDynamic(extent) ? 0 : static_cast<double>(extent);
    least += index.roundToDouble();
    if (least >= static_cast<double>(kSmallLimit))
      return false;
  }
  return true;
}

/// A number that `index` is the extension of.
static Value getExtended(Value index) {
  Operation *op = index.getDefiningOp();
  bool isExtended = isa_and_present<arith::ExtSIOp, arith::ExtUIOp>(op) &&
                    op->getOperand(0).getType().isInteger(32);
  return isExtended ? op->getOperand(0) : Value();
}

/// Whether `index` changes from iteration to iteration of the loop around
/// `access` and counts in 64 bits. LLVM steps pointers by such a number, but
/// does not look for it behind a conversion to 32.
static bool isWideCounter(Value index, Operation *access) {
  if (getExtended(index))
    return false;
  Operation *loop = access->getParentOp();
  while (loop && !isLoop(loop))
    loop = loop->getParentOp();
  return loop && loop->isAncestor(index.getParentRegion()->getParentOp());
}

static constexpr auto kFits =
    arith::IntegerOverflowFlags::nsw | arith::IntegerOverflowFlags::nuw;

/// `number`, which fits, in 32 bits.
static Value makeNarrow(Value number, ImplicitLocOpBuilder &b) {
  Value extended = getExtended(number);
  return extended
             ? extended
             : b.createOrFold<arith::TruncIOp>(b.getI32Type(), number, kFits);
}

/// Whether a place `constant` elements in front of one in `array` still has a
/// number below 2^31.
static bool leavesRoom(Value array, const APInt &constant) {
  int64_t bytes = cast<ArrayType>(array.getType()).getElementBytes();
  int64_t limit = isSmallArray(array)
                      ? kSmallLimit / std::max<int64_t>(bytes, 1)
                      : kNarrowLimit;
  return constant.sle(kSmallLimit - limit);
}

/// What is left of `index`, which was extended from a sum in 32 bits, without a
/// constant that is added to it or subtracted from it. Adds the constant to
/// `displacement`. Neighbours then differ by it alone, and share an address. If
/// `isNarrow`, what is left is an index of `array` in 32 bits, too.
static Value takeConstant(Value array, Value index, bool isNarrow,
                          int64_t &displacement, ImplicitLocOpBuilder &b) {
  Value sum = getExtended(index);
  Operation *op = sum ? sum.getDefiningOp() : nullptr;
  APInt constant;
  if (!isa_and_present<arith::AddIOp, arith::SubIOp>(op) ||
      !matchPattern(op->getOperand(1), m_ConstantInt(&constant)) ||
      constant.isNegative())
    return index;
  auto flags = cast<arith::ArithIntegerOverflowFlagsInterface>(op);
  bool isUnsigned = isa<arith::ExtUIOp>(index.getDefiningOp());
  bool isSum = isa<arith::AddIOp>(op);
  if (!flags.hasNoSignedWrap() || (isUnsigned && !flags.hasNoUnsignedWrap()))
    return index;
  if (isNarrow && !(isUnsigned && (isSum || leavesRoom(array, constant))))
    return index;
  displacement += isSum ? constant.getSExtValue() : -constant.getSExtValue();
  Value rest = op->getOperand(0);
  if (auto truncation = rest.getDefiningOp<arith::TruncIOp>();
      truncation && truncation.getIn().getType().isInteger(64) &&
      (isUnsigned ? truncation.hasNoUnsignedWrap()
                  : truncation.hasNoSignedWrap()))
    return truncation.getIn();
  return isUnsigned ? b.createOrFold<arith::ExtUIOp>(b.getI64Type(), rest)
                    : b.createOrFold<arith::ExtSIOp>(b.getI64Type(), rest);
}

/// Iterations of a loop that LLVM writes out, so that its counter is a
/// constant.
static constexpr unsigned kMaxConstantIterations = 16;

/// Whether `number`, maybe converted, will be a constant in each iteration of a
/// loop.
static bool becomesConstant(Value number) {
  if (auto truncation = number.getDefiningOp<arith::TruncIOp>())
    number = truncation.getIn();
  return countsIterations(number, kMaxConstantIterations);
}

/// What is left of `index`, an unsigned sum in 32 bits, without the counter of
/// a loop with few iterations, which is added to `counters`. Its product with a
/// stride leads from row to row; the address of the first is computed once.
static Value takeCounter(Value index, Value &counters,
                         ImplicitLocOpBuilder &b) {
  auto extension = index.getDefiningOp<arith::ExtUIOp>();
  auto sum = extension ? extension.getIn().getDefiningOp<arith::AddIOp>()
                       : arith::AddIOp();
  if (!sum || !sum.getType().isInteger(32) || !sum.hasNoUnsignedWrap())
    return index;
  Value rest = sum.getLhs(), counted = sum.getRhs();
  if (becomesConstant(rest))
    std::swap(rest, counted);
  if (!becomesConstant(counted) || becomesConstant(rest))
    return index;
  Value counter = b.createOrFold<arith::ExtUIOp>(b.getI64Type(), counted);
  counters =
      counters ? b.createOrFold<arith::AddIOp>(counters, counter) : counter;
  return b.createOrFold<arith::ExtUIOp>(b.getI64Type(), rest);
}

/// `offset` and a constant, which together are not negative.
static Value displace(Value offset, int64_t displacement,
                      ImplicitLocOpBuilder &b) {
  if (displacement == 0)
    return offset;
  Value constant =
      arith::ConstantIntOp::create(b, b.getI64Type(), std::abs(displacement));
  return displacement > 0 ? b.createOrFold<arith::AddIOp>(offset, constant)
                          : b.createOrFold<arith::SubIOp>(offset, constant);
}

/// How many elements of a contiguous array lie in memory in front of the one at
/// `indices`, which `access` is about. In 32 bits as far as they are enough.
static Value countElements(Value array, ValueRange indices, Operation *access,
                           ImplicitLocOpBuilder &b) {
  bool isC = cast<ArrayType>(array.getType()).getLayout() == Layout::C;
  bool isNarrow = addsUp(array, indices);
  int64_t displacement = 0;
  Value offset, counters;
  auto widen = [&] {
    if (offset && isNarrow)
      offset = b.createOrFold<arith::ExtUIOp>(b.getI64Type(), offset);
    isNarrow = false;
  };
  auto getFlags = [&] {
    return isNarrow ? kFits : arith::IntegerOverflowFlags::none;
  };
  for (size_t position = 0; position < indices.size(); ++position) {
    size_t dimension = isC ? position : indices.size() - 1 - position;
    if (offset) {
      Value extent = b.createOrFold<DimOp>(b.getI64Type(), array, dimension);
      if (counters)
        counters = b.createOrFold<arith::MulIOp>(counters, extent);
      if (isNarrow)
        extent = makeNarrow(extent, b);
      offset = b.createOrFold<arith::MulIOp>(offset, extent, getFlags());
    }
    Value index = indices[dimension];
    if (isWideCounter(index, access))
      widen();
    if (position + 1 == indices.size())
      index = takeConstant(array, index, isNarrow, displacement, b);
    else if (isNarrow)
      index = takeCounter(index, counters, b);
    if (isNarrow)
      index = makeNarrow(index, b);
    offset = offset ? b.createOrFold<arith::AddIOp>(offset, index, getFlags())
                    : index;
  }
  widen();
  if (counters)
    offset = b.createOrFold<arith::AddIOp>(offset, counters);
  return displace(offset, displacement, b);
}

/// The element of `array` at `indices`, of which there is one at least.
static Value makeElement(Value array, ValueRange indices, Operation *access,
                         ImplicitLocOpBuilder &b) {
  bool isStrided = cast<ArrayType>(array.getType()).getLayout() == Layout::Any;
  Value offset = isStrided ? countBytes(array, indices, b)
                           : countElements(array, indices, access, b);
  // What is told of an access that leaves the array's memory.
  bool isTold =
      (isStrided || indices.size() > 1) &&
      access->getParentOfType<FunctionOpInterface>()->hasAttr(kGuarded.name);
  return ElementOp::create(b, array, offset, isTold ? indices : ValueRange());
}

static void expand(AccessOpInterface access) {
  if (access.getIndices().empty())
    return;
  ImplicitLocOpBuilder b(access.getLoc(), access);
  access.getArrayMutable().assign(
      makeElement(access.getArray(), access.getIndices(), access, b));
  access.getIndicesMutable().clear();
}

static void expand(ViewOp view) {
  if (view.getAxes().empty() ||
      !llvm::all_of(view.getAxisList(),
                    [](Axis axis) { return axis == Axis::Index; }))
    return;
  ImplicitLocOpBuilder b(view.getLoc(), view);
  view.replaceAllUsesWith(
      makeElement(view.getArray(), view.getNumbers(), view, b));
  view.erase();
}

namespace {

struct ExpandAddressesPass
    : pyk::impl::ExpandAddressesPassBase<ExpandAddressesPass> {
  void runOnOperation() override {
    getOperation()->walk([](Operation *op) {
      if (auto access = dyn_cast<AccessOpInterface>(op))
        expand(access);
      else if (auto view = dyn_cast<ViewOp>(op))
        expand(view);
    });
  }
};

} // namespace
