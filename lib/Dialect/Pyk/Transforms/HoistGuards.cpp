// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What pyk-guard-accesses asks of each access is asked once for all iterations
// of a loop, or by one comparison, and as before only where that fails. For
// threads: of vectors, the conditions are masks.

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/ControlFlowSinkUtils.h"
#include "pyk/Dialect/Pyk/IR/PykHostOps.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"
#include "pyk/Dialect/Pyk/IR/PykViewOps.h"
#include "pyk/Dialect/Pyk/Transforms/Passes.h"

namespace pyk {
#define GEN_PASS_DEF_HOISTGUARDSPASS
#include "pyk/Dialect/Pyk/Transforms/Passes.h.inc"
} // namespace pyk

using namespace mlir;
using namespace pyk;
using arith::CmpIPredicate;

//===----------------------------------------------------------------------===//
// Guards
//===----------------------------------------------------------------------===//

namespace {

/// Accesses the element at `offset` if that is one of `count` from `first` on.
struct Guard {
  scf::IfOp op;
  Value offset;
  /// Null if it is 0.
  Value first;
  Value count;

  explicit operator bool() const { return op != nullptr; }
};

} // namespace

/// The guard that `op` is, if it is one of a single element.
static Guard matchGuard(scf::IfOp op) {
  auto inside = op.getCondition().getDefiningOp<arith::CmpIOp>();
  if (!inside || inside.getPredicate() != CmpIPredicate::ult ||
      !inside.getLhs().getType().isInteger(64) || op.getElseRegion().empty() ||
      op.getElseRegion().front().getOps<OutsideOp>().empty())
    return {};
  if (auto place = inside.getLhs().getDefiningOp<arith::SubIOp>())
    return {op, place.getLhs(), place.getRhs(), inside.getRhs()};
  return {op, inside.getLhs(), Value(), inside.getRhs()};
}

/// Replaces `op` by what it does if its condition holds.
static void takeThen(scf::IfOp op) {
  IRRewriter rewriter(op);
  Operation *end = op.thenBlock()->getTerminator();
  rewriter.inlineBlockBefore(op.thenBlock(), op);
  rewriter.replaceOp(op, end->getOperands());
  rewriter.eraseOp(end);
}

//===----------------------------------------------------------------------===//
// Indices that count from the end
//===----------------------------------------------------------------------===//

static Value widen(Value value, bool isUnsigned, ImplicitLocOpBuilder &b) {
  if (value.getType().isInteger(64))
    return value;
  return isUnsigned ? b.createOrFold<arith::ExtUIOp>(b.getI64Type(), value)
                    : b.createOrFold<arith::ExtSIOp>(b.getI64Type(), value);
}

/// The index that is the offset of `guard` unless it is negative; null if it is
/// none.
static Value matchIndex(const Guard &guard) {
  auto wrapped = guard.offset.getDefiningOp<arith::SelectOp>();
  auto isNegative = wrapped
                        ? wrapped.getCondition().getDefiningOp<arith::CmpIOp>()
                        : arith::CmpIOp();
  if (!isNegative || isNegative.getPredicate() != CmpIPredicate::slt ||
      !matchPattern(isNegative.getRhs(), m_Zero()))
    return {};
  Value index = isNegative.getLhs(), offset = wrapped.getFalseValue();
  auto wide = offset.getDefiningOp<arith::ExtSIOp>();
  return offset == index || (wide && wide.getIn() == index) ? index : Value();
}

namespace {

/// Below `limit`, an index that is not negative is inside, if `isUsable`: null
/// if it always is.
struct Limit {
  Value limit, isUsable;
};

} // namespace

/// The limit of an index of `type`.
static Limit makeLimit(const Guard &guard, Type type, ImplicitLocOpBuilder &b) {
  Limit result = {guard.count, {}};
  auto makeNumber = [&](const APInt &number) {
    return arith::ConstantOp::create(b, b.getI64Type(),
                                     b.getIntegerAttr(b.getI64Type(), number));
  };
  if (guard.first) {
    Value zero = makeNumber(APInt::getZero(64));
    result.limit = arith::AddIOp::create(b, guard.first, guard.count);
    Value begins =
        arith::CmpIOp::create(b, CmpIPredicate::sle, guard.first, zero);
    Value ends =
        arith::CmpIOp::create(b, CmpIPredicate::sge, result.limit, zero);
    result.isUsable = arith::AndIOp::create(b, begins, ends);
  }
  unsigned bits = type.getIntOrFloatBitWidth();
  result.limit = b.createOrFold<arith::MinUIOp>(
      result.limit, makeNumber(APInt::getSignedMaxValue(bits).zext(64)));
  if (bits < 64)
    result.limit = b.createOrFold<arith::TruncIOp>(type, result.limit);
  return result;
}

/// Moves what only one of `regions` uses into it.
static void sinkInto(RegionRange regions) {
  DominanceInfo dominance;
  controlFlowSink(
      regions, dominance, [](Operation *op, Region *) { return isPure(op); },
      [](Operation *op, Region *region) {
        op->moveBefore(&region->front(), region->front().begin());
      });
}

/// `condition`, which mostly holds.
static Value expectTrue(Value condition, ImplicitLocOpBuilder &b) {
  Value isTrue = arith::ConstantIntOp::create(b, b.getI1Type(), 1);
  return LLVM::ExpectOp::create(b, condition, isTrue);
}

/// Lets what `guard` does for an `index` that is not negative and below `limit`
/// come first; it stays as it is for others.
static void compareIndexFirst(Guard guard, Value index, const Limit &limit) {
  ImplicitLocOpBuilder b(guard.op.getLoc(), guard.op);
  Value isInside =
      arith::CmpIOp::create(b, CmpIPredicate::ult, index, limit.limit);
  if (limit.isUsable)
    isInside = arith::AndIOp::create(b, isInside, limit.isUsable);
  auto choice = scf::IfOp::create(b, guard.op->getResultTypes(),
                                  expectTrue(isInside, b), /*withElse=*/true);
  guard.op->replaceAllUsesWith(choice.getResults());

  b.setInsertionPointToStart(&choice.getThenRegion().front());
  IRMapping mapping;
  mapping.map(guard.offset, widen(index, /*isUnsigned=*/true, b));
  Region &region = guard.op.getThenRegion();
  region.walk([&](Operation *inner) {
    for (Value operand : inner->getOperands()) {
      auto element = operand.getDefiningOp<ElementOp>();
      if (element && element.getOffset() == guard.offset &&
          !region.isAncestor(element->getParentRegion()) &&
          !mapping.contains(operand))
        b.clone(*element, mapping);
    }
  });
  for (Operation &inner : region.front().without_terminator())
    b.clone(inner, mapping);
  Block &other = choice.getElseRegion().front();
  guard.op->moveBefore(&other, other.begin());
  if (choice.getNumResults() != 0) {
    b.clone(*region.front().getTerminator(), mapping);
    b.setInsertionPointToEnd(&other);
    scf::YieldOp::create(b, guard.op->getResults());
  }
  // What the wrapped index is computed by is needed there alone, and the place
  // of the element where it is read.
  sinkInto(guard.op->getRegions());
  sinkInto(&choice.getElseRegion());
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Ops of a loop, at most, that is written twice.
static constexpr size_t kMostOps = 200;

namespace {

/// An offset that is a sum of a loop's counter and of what does not change.
struct CounterSum {
  /// Added to the counter, each as an i64.
  SmallVector<std::pair<Value, bool>> others;
  /// Whether it is the offset only if the counter is not negative.
  bool isUnsigned = false;
};

/// The versions of one loop.
class LoopGuards {
public:
  explicit LoopGuards(scf::ForOp loop) : loop(loop) {}

  /// Adds to `done` guards that compare their index first from now on.
  void run(DenseSet<Operation *> &done);

private:
  bool isToHoist();
  bool matchSum(Value value, bool isUnsigned, CounterSum &sum);
  void findGuards();
  Value compare(const Guard &guard, const CounterSum &sum,
                ImplicitLocOpBuilder &b);
  Value makeCondition(SmallVectorImpl<Limit> &limits, ImplicitLocOpBuilder &b);

  scf::ForOp loop;
  /// Those that are asked before the loop.
  SmallVector<std::pair<Guard, CounterSum>> hoisted;
  /// Those of indices that wrap.
  SmallVector<Guard> ofIndices;
};

} // namespace

/// Whether `value` is such a sum; `isUnsigned` tells how it is widened.
bool LoopGuards::matchSum(Value value, bool isUnsigned, CounterSum &sum) {
  if (value == loop.getInductionVar()) {
    sum.isUnsigned = isUnsigned;
    return true;
  }
  Operation *op = value.getDefiningOp();
  if (isa_and_present<arith::ExtSIOp, arith::ExtUIOp>(op))
    return matchSum(op->getOperand(0), isa<arith::ExtUIOp>(op), sum);
  auto add = dyn_cast_if_present<arith::AddIOp>(op);
  if (!add)
    return false;
  arith::IntegerOverflowFlags needed = isUnsigned
                                           ? arith::IntegerOverflowFlags::nuw
                                           : arith::IntegerOverflowFlags::nsw;
  if (!add.getType().isInteger(64) &&
      !bitEnumContainsAll(add.getOverflowFlags(), needed))
    return false;
  Value lhs = add.getLhs(), rhs = add.getRhs();
  if (loop.isDefinedOutsideOfLoop(lhs))
    std::swap(lhs, rhs);
  if (!loop.isDefinedOutsideOfLoop(rhs))
    return false;
  sum.others.emplace_back(rhs, isUnsigned);
  return matchSum(lhs, isUnsigned, sum);
}

/// Whether the offsets of the first and of the last iteration, and so of all,
/// are inside. What it says of a loop without iterations does not matter.
Value LoopGuards::compare(const Guard &guard, const CounterSum &sum,
                          ImplicitLocOpBuilder &b) {
  Value begin = widen(loop.getLowerBound(), /*isUnsigned=*/false, b);
  Value end = widen(loop.getUpperBound(), /*isUnsigned=*/false, b);
  Value one = arith::ConstantIntOp::create(b, b.getI64Type(), 1);
  Value first = begin, last = b.createOrFold<arith::SubIOp>(end, one);
  auto move = [&](Value by, auto makeOp) {
    first = makeOp(first, by);
    last = makeOp(last, by);
  };
  for (auto [other, isUnsigned] : sum.others)
    move(widen(other, isUnsigned, b), [&](Value place, Value by) {
      return b.createOrFold<arith::AddIOp>(place, by);
    });
  if (guard.first)
    move(guard.first, [&](Value place, Value by) {
      return b.createOrFold<arith::SubIOp>(place, by);
    });
  Value isInside =
      arith::CmpIOp::create(b, CmpIPredicate::ult, last, guard.count);
  auto require = [&](CmpIPredicate predicate, Value lhs, Value rhs) {
    Value holds = arith::CmpIOp::create(b, predicate, lhs, rhs);
    isInside = arith::AndIOp::create(b, isInside, holds);
  };
  // The last one is inside, and no offset between them wraps.
  require(CmpIPredicate::ule, first, last);
  if (sum.isUnsigned)
    require(CmpIPredicate::sge, begin,
            arith::ConstantIntOp::create(b, b.getI64Type(), 0));
  return isInside;
}

/// Whether the loop counts upward and is one that may be written twice.
bool LoopGuards::isToHoist() {
  APInt step;
  if (!matchPattern(loop.getStep(), m_ConstantInt(&step)) ||
      !step.isStrictlyPositive() || loop.getUnsignedCmp())
    return false;
  size_t ops = 0;
  bool isInnermost = true;
  loop.getBody()->walk([&](Operation *op) {
    ++ops;
    isInnermost &= !isa<LoopLikeOpInterface>(op);
  });
  return isInnermost && ops <= kMostOps;
}

void LoopGuards::findGuards() {
  for (auto op : loop.getBody()->getOps<scf::IfOp>()) {
    Guard guard = matchGuard(op);
    CounterSum sum;
    if (!guard || !loop.isDefinedOutsideOfLoop(guard.count) ||
        (guard.first && !loop.isDefinedOutsideOfLoop(guard.first)))
      continue;
    if (matchSum(guard.offset, /*isUnsigned=*/false, sum))
      hoisted.emplace_back(guard, sum);
    else if (matchIndex(guard))
      ofIndices.push_back(guard);
  }
}

/// Whether the version without guards is right, and the `limits` of its
/// indices, which need no other condition.
Value LoopGuards::makeCondition(SmallVectorImpl<Limit> &limits,
                                ImplicitLocOpBuilder &b) {
  Value holds;
  auto require = [&](Value condition) {
    if (condition)
      holds =
          holds ? b.createOrFold<arith::AndIOp>(holds, condition) : condition;
  };
  for (auto &[guard, sum] : hoisted)
    require(compare(guard, sum, b));
  for (const Guard &guard : ofIndices) {
    limits.push_back(makeLimit(guard, matchIndex(guard).getType(), b));
    require(std::exchange(limits.back().isUsable, Value()));
  }
  // A loop without iterations may stand beside numbers that are poison.
  return expectTrue(LLVM::FreezeOp::create(b, holds), b);
}

void LoopGuards::run(DenseSet<Operation *> &done) {
  if (isToHoist())
    findGuards();
  if (hoisted.empty())
    return;
  ImplicitLocOpBuilder b(loop.getLoc(), loop);
  SmallVector<Limit> limits;
  Value holds = makeCondition(limits, b);
  auto choice = scf::IfOp::create(b, loop->getResultTypes(), holds,
                                  /*withElse=*/true);
  loop->replaceAllUsesWith(choice.getResults());
  b = ImplicitLocOpBuilder::atBlockBegin(loop.getLoc(),
                                         &choice.getThenRegion().front());
  IRMapping mapping;
  Operation *proven = b.clone(*loop, mapping);
  auto getCopy = [&](scf::IfOp op) {
    return cast<scf::IfOp>(mapping.lookup(op.getOperation()));
  };
  for (auto [guard, limit] : llvm::zip_equal(ofIndices, limits)) {
    Guard copy = matchGuard(getCopy(guard.op));
    compareIndexFirst(copy, matchIndex(copy), limit);
    done.insert(copy.op);
  }
  for (auto &[guard, sum] : hoisted)
    takeThen(getCopy(guard.op));
  Block &other = choice.getElseRegion().front();
  loop->moveBefore(&other, other.begin());
  if (loop.getNumResults() == 0)
    return;
  scf::YieldOp::create(b, proven->getResults());
  b.setInsertionPointToEnd(&other);
  scf::YieldOp::create(b, loop.getResults());
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {

struct HoistGuardsPass : pyk::impl::HoistGuardsPassBase<HoistGuardsPass> {
  void runOnOperation() override {
    DenseSet<Operation *> done;
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) { loops.push_back(loop); });
    for (scf::ForOp loop : loops)
      LoopGuards(loop).run(done);
    SmallVector<Guard> guards;
    getOperation().walk([&](scf::IfOp op) {
      Guard guard = matchGuard(op);
      if (guard && matchIndex(guard) && !done.contains(op))
        guards.push_back(guard);
    });
    for (const Guard &guard : guards) {
      ImplicitLocOpBuilder b(guard.op->getLoc(), guard.op);
      Value index = matchIndex(guard);
      compareIndexFirst(guard, index, makeLimit(guard, index.getType(), b));
    }
  }
};

} // namespace
