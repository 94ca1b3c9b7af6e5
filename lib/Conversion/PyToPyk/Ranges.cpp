// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a `for` runs over, as a loop that counts. An array and a tuple are
// counted by their elements. Python's range allows any step but 0. A signed
// range with a constant positive step is a counting loop as it stands; any
// other is counted from 0 to its number of elements. A step of 0, an error in
// Python, gives no element.

#include "Ranges.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

Binding FunctionLowering::getElement(const Binding &iterable,
                                     const CountedRange &range, Value counter,
                                     Location loc) {
  if (isa<ArrayType>(iterable.type))
    return getRow(iterable, counter, loc);
  if (isa<TupleType>(iterable.type))
    return selectItem(iterable, counter, loc);
  Type element = cast<RangeType>(iterable.type).getElementType();
  if (!range.first)
    return {element, {counter}};
  Value offset = arith::MulIOp::create(builder, loc, counter, range.stride);
  return {element, {arith::AddIOp::create(builder, loc, range.first, offset)}};
}

FunctionLowering::CountedRange FunctionLowering::count(const Binding &range,
                                                       Location loc) {
  if (!isa<RangeType>(range.type)) {
    Type wide = builder.getI64Type();
    auto tuple = dyn_cast<TupleType>(range.type);
    Value size = tuple ? makeInteger(tuple.size(), wide, loc)
                       : getDim(range.parts.front(), 0, loc);
    return {makeInteger(0, wide, loc), size, makeInteger(1, wide, loc), {}, {}};
  }
  Value start = range.parts[0], stop = range.parts[1], step = range.parts[2];
  Type type = start.getType();
  bool isUnsigned = cast<RangeType>(range.type).getElementType().isUnsigned();
  APInt known;
  bool isKnown = matchPattern(step, m_ConstantInt(&known));
  if (isKnown && !isUnsigned && known.isStrictlyPositive())
    return {start, stop, step, {}, {}};

  Value zero = makeInteger(0, type, loc), one = makeInteger(1, type, loc);
  // Elements of a range that goes up from `low` to `high` by `by`.
  auto countUp = [&](Value low, Value high, Value by) -> Value {
    Value isEmpty = arith::CmpIOp::create(
        builder, loc,
        isUnsigned ? arith::CmpIPredicate::uge : arith::CmpIPredicate::sge, low,
        high);
    // high - low - 1 fits an unsigned number where the range is not empty.
    Value span = arith::SubIOp::create(builder, loc, high, low);
    span = arith::SubIOp::create(builder, loc, span, one);
    Value count = pyk::FloorDivOp::create(builder, loc, span, by,
                                          /*is_unsigned=*/true);
    count = arith::AddIOp::create(builder, loc, count, one);
    return arith::SelectOp::create(builder, loc, isEmpty, zero, count);
  };
  Value count;
  if (isUnsigned) {
    count = countUp(start, stop, step);
  } else if (isKnown && known.isNegative()) {
    count = countUp(stop, start, makeInteger(-known.getSExtValue(), type, loc));
  } else {
    Value isDown = arith::CmpIOp::create(builder, loc,
                                         arith::CmpIPredicate::slt, step, zero);
    Value negated = arith::SubIOp::create(builder, loc, zero, step);
    Value low = arith::SelectOp::create(builder, loc, isDown, stop, start);
    Value high = arith::SelectOp::create(builder, loc, isDown, start, stop);
    Value by = arith::SelectOp::create(builder, loc, isDown, negated, step);
    count = countUp(low, high, by);
  }
  if (!isKnown) {
    Value isStuck = arith::CmpIOp::create(builder, loc,
                                          arith::CmpIPredicate::eq, step, zero);
    count = arith::SelectOp::create(builder, loc, isStuck, zero, count);
  }
  return {zero, count, one, start, step};
}
