// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Neighbours are one access only if the first of them lies at a multiple of
// their size: at `4 * i`, but not at `i`. So indices are looked at for the
// numbers that they are multiples of. Which accesses become one is LLVM's
// business; here doubt says yes where a loop counts by ones, which may be
// unrolled.

#include "pyk/Dialect/Pyk/Analysis/WideAccesses.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "pyk/Dialect/Pyk/Analysis/UnderlyingObjects.h"
#include "pyk/Dialect/Pyk/IR/PykControlOps.h"
#include "pyk/Dialect/Pyk/IR/PykFuncOps.h"
#include "pyk/Dialect/Pyk/IR/PykIndexOps.h"
#include "pyk/Dialect/Pyk/IR/PykInterfaces.h"
#include "pyk/Dialect/Pyk/IR/PykLimits.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"
#include "pyk/Dialect/Pyk/IR/PykNumericOps.h"
#include "pyk/Dialect/Pyk/IR/PykViewOps.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace pyk;

/// The most bytes that one access takes.
static constexpr int64_t kWidest = kLaunchAlignment;
/// How often a loop may be unrolled.
static constexpr int64_t kIterations = 4;
/// How far an index is looked into.
static constexpr unsigned kMaxDepth = 8;

namespace {

/// What an index is known to be a multiple of: a power of two, up to kWidest.
/// With constants left out, which neighbours differ in.
struct Multiple {
  int64_t of = 1;
  /// Whether iterations of a loop are the neighbours.
  bool isCounted = false;
};

} // namespace

static Multiple multiply(Multiple a, Multiple b) {
  return {std::min(a.of * b.of, kWidest), a.isCounted || b.isCounted};
}

static Multiple add(Multiple a, Multiple b) {
  return {std::min(a.of, b.of), a.isCounted || b.isCounted};
}

static Multiple getMultiple(const APInt &number) {
  if (number.isZero())
    return {kWidest};
  return {std::min(int64_t(1) << std::min(number.countTrailingZeros(), 4u),
                   kWidest)};
}

static Multiple getMultiple(Value index, unsigned depth);

/// That of what a loop counts from `start` in steps of `step`.
static Multiple getCounted(Value start, Value step, unsigned depth) {
  Multiple from = getMultiple(start, depth + 1);
  if (matchPattern(step, m_One()))
    return {std::min(from.of, kIterations), true};
  return {add(from, getMultiple(step, depth + 1)).of, false};
}

static Multiple getMultiple(Value index, unsigned depth) {
  if (depth == kMaxDepth)
    return {};
  APInt constant;
  if (matchPattern(index, m_ConstantInt(&constant)))
    return getMultiple(constant);
  auto of = [&](Value operand) { return getMultiple(operand, depth + 1); };
  Operation *op = index.getDefiningOp();
  if (!op) {
    op = index.getParentBlock()->getParentOp();
    if (auto loop = dyn_cast<scf::ForOp>(op);
        loop && loop.getInductionVar() == index)
      return getCounted(loop.getLowerBound(), loop.getStep(), depth);
    if (auto loop = dyn_cast<pyk::ForOp>(op);
        loop && loop.getInductionValue() == index)
      return getCounted(loop.getLowerBound(), loop.getStep(), depth);
    return {};
  }
  return llvm::TypeSwitch<Operation *, Multiple>(op)
      .Case([&](arith::AddIOp sum) {
        return add(of(sum.getLhs()), of(sum.getRhs()));
      })
      .Case([&](arith::SubIOp difference) {
        return add(of(difference.getLhs()), of(difference.getRhs()));
      })
      .Case([&](arith::MulIOp product) {
        return multiply(of(product.getLhs()), of(product.getRhs()));
      })
      .Case([&](arith::AndIOp masked) {
        Multiple lhs = of(masked.getLhs()), rhs = of(masked.getRhs());
        return lhs.of < rhs.of ? rhs : lhs;
      })
      .Case([&](ShiftLeftOp shifted) {
        Multiple multiple = of(shifted.getLhs());
        APInt amount;
        if (matchPattern(shifted.getRhs(), m_ConstantInt(&amount)))
          multiple.of = std::min(
              multiple.of << amount.getLimitedValue(kIterations), kWidest);
        return multiple;
      })
      .Case<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp>(
          [&](auto cast) { return of(cast.getIn()); })
      .Case([&](WrapIndexOp wrapped) { return of(wrapped.getIndex()); })
      .Default(Multiple());
}

/// `index` without what a constant adds to it; null if it is one.
static Value getBase(Value index) {
  if (auto wrapped = index.getDefiningOp<WrapIndexOp>())
    index = wrapped.getIndex();
  if (matchPattern(index, m_Constant()))
    return {};
  while (auto sum = index.getDefiningOp<arith::AddIOp>()) {
    if (matchPattern(sum.getRhs(), m_Constant()))
      index = sum.getLhs();
    else if (matchPattern(sum.getLhs(), m_Constant()))
      index = sum.getRhs();
    else
      break;
  }
  return index;
}

/// That of the offset of an element in its array, which is contiguous.
static Multiple getOffset(ArrayType type, OperandRange indices) {
  Multiple offset{kWidest}, pitch{1};
  int64_t rank = type.getRank();
  for (int64_t i = 0; i < rank; ++i) {
    // From the dimension whose neighbours are neighbours in memory.
    int64_t dimension = type.getLayout() == Layout::F ? i : rank - 1 - i;
    Value index = indices[dimension];
    if (i == 0)
      index = getBase(index);
    if (index)
      offset = add(offset, multiply(pitch, getMultiple(index, /*depth=*/0)));
    int64_t extent = type.getShape()[dimension];
    pitch = ShapedType::isDynamic(extent)
                ? Multiple()
                : multiply(pitch, getMultiple(APInt(64, extent)));
  }
  return offset;
}

/// Whether an element of `type` has parts that could be read at once.
static bool hasParts(ArrayType type) {
  Type element = type.getElementType();
  if (auto record = dyn_cast<RecordType>(element);
      record && record.getFields().size() < 2)
    return false;
  return isa<RecordType, ComplexType>(element) &&
         type.getElementBytes() % (2 * type.getAlignment()) == 0;
}

bool pyk::hasWideAccesses(BlockArgument argument,
                          const UnderlyingObjects &objects) {
  auto type = cast<ArrayType>(argument.getType());
  // The step from one element to the next is not known.
  if (type.getLayout() == Layout::Any)
    return false;
  if (hasParts(type))
    return true;
  if (isa<RecordType>(type.getElementType()) ||
      type.getElementBytes() > kWidest / 2)
    return false;
  llvm::SetVector<Value> arrays;
  arrays.insert(argument);
  unsigned loads = 0, stores = 0;
  for (size_t next = 0; next < arrays.size(); ++next)
    for (OpOperand &use : arrays[next].getUses()) {
      if (auto call = dyn_cast<CallOp>(use.getOwner())) {
        FuncOp callee = objects.getCallee(call);
        if (!callee.isExternal())
          arrays.insert(callee.getArgument(use.getOperandNumber()));
        continue;
      }
      // Numbers that are taken as vectors or complex numbers.
      if (auto view = dyn_cast<ReinterpretOp>(use.getOwner());
          view && hasParts(view.getType()))
        return true;
      auto access = dyn_cast<AccessOpInterface>(use.getOwner());
      if (!isa_and_present<LoadOp, StoreOp>(use.getOwner()) ||
          &access.getArrayMutable() != &use)
        continue;
      Multiple offset =
          getOffset(access.getArray().getType(), access.getIndices());
      if (offset.of < 2)
        continue;
      ++(isa<LoadOp>(use.getOwner()) ? loads : stores);
      if (offset.isCounted || loads > 1 || stores > 1)
        return true;
    }
  return false;
}
