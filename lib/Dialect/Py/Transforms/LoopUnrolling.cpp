// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The abstract interpreter: loops over tuples whose items differ in type.
//
// `for x in t: B else: E` becomes `for x in (t[0],): B`, `for x in (t[1],): B`
// and so on, then E. Each of these loops runs once, so `continue` goes on with
// the next copy. If B has a `break`, each loop stands in the `else` of the one
// before it, so that `break` leaves all of them and passes E by.

#include "LoopUnrolling.h"
#include "Folding.h"
#include "IntrinsicTyping.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Dialect/Py/IR/Wrappers.h"
#include "pyk/Support/Diagnostics.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;
using intrinsics::TypingRule;

/// Most operations that the copies of a loop's body may have together. The time
/// of compilation grows with them.
static constexpr uint64_t kMaxOperations = 50000;

/// Most copies that stand in each other. The compiler's stack is limited.
static constexpr uint64_t kMaxNested = 200;

/// The rule of the intrinsic that yields `value`; none if something else does.
static std::optional<TypingRule> getRule(Value value) {
  auto call = value.getDefiningOp<CallOp>();
  const Intrinsic *row = call && !call.getStarred() && !call.getInputs().empty()
                             ? getCalledIntrinsic(call)
                             : nullptr;
  return row ? std::optional(row->typing) : std::nullopt;
}

/// The arguments of the call that yields `value`.
static OperandRange getInputs(Value value) {
  return value.getDefiningOp<CallOp>().getInputs();
}

//===----------------------------------------------------------------------===//
// Which loops, and how many items
//===----------------------------------------------------------------------===//

/// The int that `value` is in each walk. Facts may lose their constants as they
/// grow; the constants of the text, and how many items a tuple has, stay.
std::optional<int64_t> LoopUnrolling::getKnownInt(Value value) const {
  if (getRule(value) == TypingRule::Len)
    return countItems(getInputs(value).front());
  auto known = dyn_cast_if_present<IntAttr>(
      inference.getBranches().getReachingConstant(value));
  if (auto binary = value.getDefiningOp<BinaryOp>(); binary && !known) {
    std::optional<int64_t> lhs = getKnownInt(binary.getLhs()),
                           rhs = getKnownInt(binary.getRhs());
    if (!lhs || !rhs)
      return std::nullopt;
    Type type = IntegerType::get(context, 64, IntegerType::Signed);
    known = dyn_cast_if_present<IntAttr>(foldBinary(
        binary.getKind(), IntAttr::get(context, IntegerAttr::get(type, *lhs)),
        IntAttr::get(context, IntegerAttr::get(type, *rhs))));
  }
  // Sums of what fits into 32 bits fit into 64.
  if (!known || !known.getValue().getValue().isSignedIntN(32))
    return std::nullopt;
  return known.getValue().getValue().getSExtValue();
}

std::optional<LoopUnrolling::KnownRange>
LoopUnrolling::getKnownRange(Value range) const {
  SmallVector<int64_t> numbers;
  for (Value input : getInputs(range)) {
    std::optional<int64_t> number = getKnownInt(input);
    if (!number)
      return std::nullopt;
    numbers.push_back(*number);
  }
  if (numbers.size() == 1)
    numbers.insert(numbers.begin(), 0);
  if (numbers.size() == 2)
    numbers.push_back(1);
  int64_t start = numbers[0], stop = numbers[1], step = numbers[2];
  if (step == 0)
    return std::nullopt;
  int64_t distance = step > 0 ? stop - start : start - stop;
  uint64_t count =
      distance <= 0
          ? 0
          : llvm::divideCeil(static_cast<uint64_t>(distance),
                             static_cast<uint64_t>(step > 0 ? step : -step));
  return KnownRange{start, step, count};
}

std::optional<uint64_t> LoopUnrolling::countItems(Value iterable) const {
  std::optional<TypingRule> rule = getRule(iterable);
  if (rule == TypingRule::LiteralUnroll || rule == TypingRule::Enumerate)
    return countItems(getInputs(iterable).front());
  if (rule == TypingRule::Range) {
    std::optional<KnownRange> range = getKnownRange(iterable);
    return range ? std::optional(range->count) : std::nullopt;
  }
  if (rule == TypingRule::Zip) {
    std::optional<uint64_t> least;
    for (Value input : getInputs(iterable)) {
      std::optional<uint64_t> count = countItems(input);
      if (!count)
        return std::nullopt;
      least = std::min(least.value_or(*count), *count);
    }
    return least;
  }
  Type type = inference.get(iterable).type;
  TupleType tuple = type ? getTuple(type) : TupleType();
  return tuple ? std::optional(uint64_t{tuple.size()}) : std::nullopt;
}

/// True if a loop over `iterable` has to give each item its own type.
bool LoopUnrolling::hasMixedItems(Value iterable) const {
  std::optional<TypingRule> rule = getRule(iterable);
  if (rule == TypingRule::LiteralUnroll)
    return true;
  if (rule == TypingRule::Enumerate || rule == TypingRule::Zip)
    return llvm::any_of(getInputs(iterable),
                        [&](Value input) { return hasMixedItems(input); });
  Type type = inference.get(iterable).type;
  TupleType tuple = type ? getTuple(type) : TupleType();
  return tuple && !isEmptyTuple(tuple) && !getCommonItem(tuple);
}

bool LoopUnrolling::mustUnroll(ForOp op) {
  Value iterable = op.getIterable();
  if (!hasMixedItems(iterable))
    return false;
  if (countItems(iterable))
    loops.insert(op);
  else if (inference.get(iterable).type)
    emitTypingError(iterable.getLoc())
        << "expects what is run over beside 'numba.literal_unroll' to be a "
           "tuple, or a range of constants";
  return true;
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

Value LoopUnrolling::makeInt(OpBuilder &builder, int64_t number, Type type,
                             Location loc) const {
  return ConstantOp::create(
      builder, loc, ObjectType::get(context),
      IntAttr::get(context, IntegerAttr::get(type, number)), StringAttr());
}

/// The item of `iterable` at `position`.
Value LoopUnrolling::makeItem(OpBuilder &builder, Value iterable,
                              uint64_t position) const {
  Location loc = iterable.getLoc();
  Type object = ObjectType::get(context);
  Type wide = IntegerType::get(context, 64, IntegerType::Signed);
  auto number = static_cast<int64_t>(position);
  auto makeItems = [&](ValueRange sources) {
    return llvm::map_to_vector(sources, [&](Value source) {
      return makeItem(builder, source, position);
    });
  };
  auto makeTuple = [&](ValueRange items) -> Value {
    return TupleOp::create(builder, loc, object, items, DenseI64ArrayAttr());
  };
  std::optional<TypingRule> rule = getRule(iterable);
  if (rule == TypingRule::LiteralUnroll)
    return makeItem(builder, getInputs(iterable).front(), position);
  if (rule == TypingRule::Range) {
    KnownRange range = *getKnownRange(iterable);
    Type element =
        cast<RangeType>(inference.get(iterable).type).getElementType();
    return makeInt(builder, range.start + range.step * number, element, loc);
  }
  if (rule == TypingRule::Enumerate) {
    OperandRange inputs = getInputs(iterable);
    Value counter = makeInt(builder, number, wide, loc);
    if (inputs.size() == 2)
      counter = BinaryOp::create(builder, loc, object, BinaryOperator::Add,
                                 inputs[1], counter, /*inplace=*/false);
    return makeTuple({counter, makeItem(builder, inputs.front(), position)});
  }
  if (rule == TypingRule::Zip)
    return makeTuple(makeItems(getInputs(iterable)));
  if (auto display = iterable.getDefiningOp<TupleOp>())
    return display.getItems()[position];
  // Branches on what the text or a name gives are decided in each copy.
  Value source = iterable;
  while (auto unwrap = source.getDefiningOp<UnwrapOp>())
    source = unwrap.getValue();
  auto constant = source.getDefiningOp<ConstantOp>();
  Attribute value = constant ? constant.getValue() : Attribute();
  if (auto named = dyn_cast_if_present<NamedTupleAttr>(value))
    value = named.getItems();
  auto items = dyn_cast_if_present<ArrayAttr>(value);
  // What kernels cannot use is an error only where it is used.
  if (items && !isa<UnresolvedAttr, ObjectAttr>(items[position]))
    return ConstantOp::create(builder, loc, object, items[position],
                              StringAttr());
  return SubscriptOp::create(builder, loc, object, iterable,
                             makeInt(builder, number, wide, loc), IntegerAttr(),
                             DenseI64ArrayAttr());
}

/// True if a `break` in `block`, of the body of a loop, leaves that loop.
static bool hasBreak(Block &block) {
  return llvm::any_of(block, [](Operation &op) {
    // In loops within the body, `else` alone is not theirs.
    MutableArrayRef<Region> regions = op.getRegions();
    if (isa<ForOp, WhileOp>(op))
      regions = regions.take_back();
    else if (!isa<IfOp>(op))
      return isa<BreakOp>(op);
    return llvm::any_of(regions, [](Region &region) {
      return !region.empty() && hasBreak(region.front());
    });
  });
}

/// Erases the call that yields `value`, and those that yield its arguments, if
/// nothing uses what they yield.
static void eraseUnused(Value value) {
  auto call = value.getDefiningOp<CallOp>();
  if (!call || !call->use_empty() || !getRule(value))
    return;
  SmallVector<Value> inputs(call.getInputs());
  call.erase();
  llvm::for_each(inputs, eraseUnused);
}

LogicalResult LoopUnrolling::unroll(ForOp loop) {
  Value iterable = loop.getIterable();
  uint64_t count = *countItems(iterable), size = 0;
  loop.getBody().walk([&](Operation *) { ++size; });
  bool isLeft = hasBreak(loop.getBody().front());
  uint64_t most = kMaxOperations / (size + 1);
  if (isLeft)
    most = std::min(most, kMaxNested);
  if (count > most)
    return emitTypingError(iterable.getLoc())
           << "cannot compile the body of this loop for each of " << count
           << " items: a body of its length"
           << (isLeft ? ", with 'break'," : "") << " is compiled " << most
           << " times at most";
  OpBuilder builder(loop);
  SmallVector<Value> items;
  for (uint64_t position = 0; position != count; ++position)
    items.push_back(makeItem(builder, iterable, position));
  for (auto [position, item] : llvm::enumerate(items)) {
    Value tuple =
        TupleOp::create(builder, iterable.getLoc(), ObjectType::get(context),
                        item, DenseI64ArrayAttr());
    auto copy =
        ForOp::create(builder, loop.getLoc(), tuple,
                      builder.getI64IntegerAttr(static_cast<int64_t>(position)),
                      DictionaryAttr(), DictionaryAttr(), DictionaryAttr());
    IRMapping mapping;
    loop.getBody().cloneInto(&copy.getBody(), mapping);
    bool isLast = position + 1 == count && loop.getOrelse().empty();
    if (isLeft && !isLast)
      builder.createBlock(&copy.getOrelse());
  }
  if (!loop.getOrelse().empty()) {
    Block &orelse = loop.getOrelse().front();
    builder.getInsertionBlock()->getOperations().splice(
        builder.getInsertionPoint(), orelse.getOperations());
  }
  loop.erase();
  eraseUnused(iterable);
  return success();
}

LogicalResult LoopUnrolling::unroll() {
  // Inner loops first, so that each is replaced once, and before the one around
  // it is erased. Walks find them in any order, as their types become known.
  SmallVector<ForOp> inner;
  inference.getFunction()->walk<WalkOrder::PostOrder>([&](ForOp loop) {
    if (loops.contains(loop))
      inner.push_back(loop);
  });
  for (ForOp loop : inner)
    if (failed(unroll(loop)))
      return failure();
  loops.clear();
  return success();
}
