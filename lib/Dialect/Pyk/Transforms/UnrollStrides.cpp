// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops whose step only the launch knows, four iterations at a time.
//
// `for i in range(cuda.grid(1), n, cuda.gridsize(1))` has a body of few
// instructions, and as many again count. What unrolls loops elsewhere needs the
// number of iterations, which is a division here. But an iteration has three
// more behind it as long as the counter is less than the bound by more than
// three steps, and that is as cheap to compare as the counter with the bound. A
// loop of one iteration at a time does what is left, or all where copies do not
// pay.
//
// All of it counts in 32 bits without sign: the bound is less than 2^31, and so
// is a step, because none needs to be more to end the loop. So no sum can wrap.
// It does not say that it cannot, on purpose: LLVM would have a pointer for
// each access then, and step all of them, where the first of several iterations
// makes its addresses by one multiply-add each, and so does each other from
// those of the iteration before. A loop of one iteration at a time, where there
// are no copies, carries them.

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "pyk/Dialect/Pyk/Analysis/KnownRange.h"
#include "pyk/Dialect/Pyk/IR/PykAtomicOps.h"
#include "pyk/Dialect/Pyk/IR/PykLanes.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"
#include "pyk/Dialect/Pyk/IR/PykOpAttributes.h"
#include "pyk/Dialect/Pyk/IR/PykViewOps.h"
#include "pyk/Dialect/Pyk/Transforms/Passes.h"

namespace pyk {
#define GEN_PASS_DEF_UNROLLSTRIDESPASS
#include "pyk/Dialect/Pyk/Transforms/Passes.h.inc"
} // namespace pyk

using namespace mlir;
using namespace pyk;

static constexpr unsigned kIterations = 4;

/// Ops of a body that has so much other work that counting is none.
static constexpr size_t kMaxOps = 24;

/// Whether copies of the body do what the body does, in less time. What threads
/// do together they would not do together if some did it in a copy, and an
/// array that the body makes would be several. Atomic operations take longer
/// than counting, and nothing moves across them.
static bool shouldCopy(scf::ForOp loop) {
  size_t count = 0;
  return !loop.getBody()
              ->walk([&](Operation *op) {
                LaneClass part = getLaneClass(op);
                bool isRefused = part == LaneClass::Collective ||
                                 part == LaneClass::Serial ||
                                 isa<AllocOp, AtomicOp, AtomicCasOp,
                                     CallOpInterface, LoopLikeOpInterface>(op);
                count += !op->hasTrait<OpTrait::ConstantLike>();
                return isRefused || count > kMaxOps ? WalkResult::interrupt()
                                                    : WalkResult::advance();
              })
              .wasInterrupted();
}

/// Whether all iterations have numbers from 0 to 2^31.
static bool canNarrow(scf::ForOp loop) {
  return getKnownRange(loop.getLowerBound()).smin().isNonNegative() &&
         getKnownRange(loop.getUpperBound()).smax().isSignedIntN(32);
}

static bool isWorthwhile(scf::ForOp loop) {
  Type type = loop.getStep().getType();
  return (type.isSignlessInteger(32) || type.isSignlessInteger(64)) &&
         !loop.getUnsignedCmp() &&
         !matchPattern(loop.getStep(), m_Constant()) && canNarrow(loop);
}

/// Whether `offset` grows from iteration to iteration as the counter of `loop`
/// does.
static bool followsCounter(scf::ForOp loop, Value offset) {
  Operation *op = offset.getDefiningOp();
  if (offset == loop.getInductionVar() ||
      (isa_and_nonnull<arith::ExtSIOp, arith::ExtUIOp>(op) &&
       op->getOperand(0) == loop.getInductionVar()))
    return true;
  auto sum = dyn_cast_or_null<arith::AddIOp>(op);
  if (!sum)
    return false;
  Value left = sum.getLhs(), right = sum.getRhs();
  return (loop.isDefinedOutsideOfLoop(left) && followsCounter(loop, right)) ||
         (loop.isDefinedOutsideOfLoop(right) && followsCounter(loop, left));
}

/// The elements that each iteration names, a step behind those of the iteration
/// before.
static SmallVector<ElementOp> getElements(scf::ForOp loop) {
  auto elements = loop.getBody()->getOps<ElementOp>();
  return llvm::to_vector(llvm::make_filter_range(elements, [&](ElementOp op) {
    return op.getArray().getType().getLayout() != Layout::Any &&
           loop.isDefinedOutsideOfLoop(op.getArray()) &&
           followsCounter(loop, op.getOffset());
  }));
}

static Value getConstant(ImplicitLocOpBuilder &b, int64_t value) {
  return arith::ConstantOp::create(b, b.getI64IntegerAttr(value));
}

/// The signed number `value` in 64 bits.
static Value widen(ImplicitLocOpBuilder &b, Value value) {
  if (value.getType() == b.getI64Type())
    return value;
  return arith::ExtSIOp::create(b, b.getI64Type(), value);
}

/// The number `value`, of 64 bits and not negative, as a counter.
static Value narrow(ImplicitLocOpBuilder &b, Value value) {
  return arith::TruncIOp::create(b, b.getI32Type(), value);
}

namespace {

/// Makes the loops that do the iterations of one, if they do them in less time.
class StrideLoops {
public:
  explicit StrideLoops(scf::ForOp loop)
      : loop(loop), copies(shouldCopy(loop)), elements(getElements(loop)),
        b(loop.getLoc(), loop) {}

  void replaceLoop();

private:
  Value getFirst(Value offset, Value start);
  SmallVector<Value> copyBody(Value counter, ValueRange carried,
                              SmallVector<Value> &addresses);
  SmallVector<Value> stepAddresses(ValueRange addresses);
  SmallVector<Value> count(unsigned iterations, ValueRange carried,
                           Value bound);

  scf::ForOp loop;
  // Whether several iterations become one.
  bool copies;
  // Where there are no copies, the loop carries them.
  SmallVector<ElementOp> elements;
  ImplicitLocOpBuilder b;
  // Of 64 bits, and in 32 one step, two and so on.
  Value step;
  SmallVector<Value> steps;
};

} // namespace

/// The number that `offset`, which follows the counter, has at `start`.
Value StrideLoops::getFirst(Value offset, Value start) {
  auto sum = offset.getDefiningOp<arith::AddIOp>();
  if (!sum || offset == loop.getInductionVar())
    return start;
  auto getPart = [&](Value part) {
    return loop.isDefinedOutsideOfLoop(part) ? part : getFirst(part, start);
  };
  return arith::AddIOp::create(b, getPart(sum.getLhs()), getPart(sum.getRhs()));
}

/// The elements of the iteration behind that of `addresses`.
SmallVector<Value> StrideLoops::stepAddresses(ValueRange addresses) {
  return llvm::map_to_vector(addresses, [&](Value address) -> Value {
    return ElementOp::create(b, address, step);
  });
}

/// What an iteration hands on whose number is `counter`, by what the body does.
/// `addresses` are its elements; where there are none yet, they become those
/// that the iteration makes.
SmallVector<Value> StrideLoops::copyBody(Value counter, ValueRange carried,
                                         SmallVector<Value> &addresses) {
  Value own = loop.getInductionVar();
  Value wide = arith::ExtUIOp::create(b, b.getI64Type(), counter);
  IRMapping map;
  map.map(own, own.getType() == wide.getType() ? wide : counter);
  map.map(loop.getRegionIterArgs(), carried);
  for (auto [element, address] : llvm::zip(elements, addresses))
    map.map(element.getResult(), address);
  for (Operation &op : loop.getBody()->without_terminator()) {
    // It has no sign, but an index that is wider than it would ask.
    if (auto extended = dyn_cast<arith::ExtSIOp>(op);
        extended && extended.getIn() == own &&
        extended.getType() == wide.getType())
      map.map(extended.getOut(), wide);
    else if (addresses.empty() || !llvm::is_contained(elements, &op))
      b.clone(op, map);
  }
  auto find = [&](Value value) { return map.lookupOrDefault(value); };
  addresses = llvm::map_to_vector(
      elements, [&](ElementOp op) { return find(op.getResult()); });
  return llvm::map_to_vector(loop.getYieldedValues(), find);
}

/// Makes a loop that does `iterations` iterations at a time as long as its
/// counter is less than `bound`. It carries the counter, what the old loop
/// carries and the elements of an iteration; what it leaves of these.
SmallVector<Value> StrideLoops::count(unsigned iterations, ValueRange carried,
                                      Value bound) {
  auto test = [&](OpBuilder &, Location, ValueRange values) {
    Value goesOn = arith::CmpIOp::create(b, arith::CmpIPredicate::ult,
                                         values.front(), bound);
    scf::ConditionOp::create(b, goesOn, values);
  };
  auto body = [&](OpBuilder &, Location, ValueRange values) {
    Value counter = values.front();
    auto getBehind = [&](unsigned iteration) {
      return arith::AddIOp::create(b, counter, steps[iteration]).getResult();
    };
    size_t count = loop.getNumRegionIterArgs();
    SmallVector<Value> results(values.slice(1, count));
    SmallVector<Value> addresses(values.drop_front(1 + count));
    results = copyBody(counter, results, addresses);
    for (unsigned iteration = 1; iteration < iterations; ++iteration) {
      addresses = stepAddresses(addresses);
      results = copyBody(getBehind(iteration - 1), results, addresses);
    }
    results.insert(results.begin(), getBehind(iterations - 1));
    if (!copies)
      llvm::append_range(results, stepAddresses(addresses));
    scf::YieldOp::create(b, results);
  };
  return scf::WhileOp::create(b, carried.getTypes(), carried, test, body)
      .getResults();
}

void StrideLoops::replaceLoop() {
  if (!copies && elements.empty())
    return;
  Value none = getConstant(b, 0);
  Value stop = arith::MaxSIOp::create(b, widen(b, loop.getUpperBound()), none);
  Value start = arith::MinSIOp::create(b, widen(b, loop.getLowerBound()), stop);
  step = arith::MinSIOp::create(
      b, widen(b, loop.getStep()),
      getConstant(b, std::numeric_limits<int32_t>::max()));
  steps = {narrow(b, step)};
  // That it has 32 bits is seen where it is multiplied by an element's size.
  step = arith::ExtUIOp::create(b, b.getI64Type(), steps.front());
  Value last = narrow(b, stop), bound;
  SmallVector<Value> carried = {narrow(b, start)};
  llvm::append_range(carried, loop.getInitArgs());
  if (!copies) {
    for (ElementOp element : elements)
      carried.push_back(ElementOp::create(
          b, element.getArray(), getFirst(element.getOffset(), start)));
  } else {
    // No number is less than a bound of 0, so that this one never iterates; and
    // a step that has no room three times in 32 bits is longer than the way.
    auto number = [&](uint32_t value) -> Value {
      return arith::ConstantOp::create(b, b.getI32IntegerAttr(value));
    };
    Value most =
        number(std::numeric_limits<uint32_t>::max() / (kIterations - 1));
    Value others =
        arith::MulIOp::create(b, arith::MinUIOp::create(b, steps.front(), most),
                              number(kIterations - 1));
    bound = arith::SubIOp::create(b, arith::MaxUIOp::create(b, last, others),
                                  others);
    for (unsigned iterations = 2; iterations <= kIterations; ++iterations)
      steps.push_back(narrow(
          b, arith::MulIOp::create(b, step, getConstant(b, iterations))));
    carried = count(kIterations, carried, bound);
  }
  carried = count(1, carried, last);
  loop.replaceAllUsesWith(ValueRange(carried).slice(1, loop.getNumResults()));
  loop.erase();
}

namespace {

struct UnrollStridesPass : pyk::impl::UnrollStridesPassBase<UnrollStridesPass> {
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      // What runs whole blocks has as many iterations at a time as it should.
      if (kTile.isOn(op))
        return WalkResult::skip();
      if (auto loop = dyn_cast<scf::ForOp>(op); loop && isWorthwhile(loop))
        loops.push_back(loop);
      return WalkResult::advance();
    });
    for (scf::ForOp loop : loops)
      StrideLoops(loop).replaceLoop();
  }
};

} // namespace
