// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a `for` runs over, as a loop that counts. An array and a tuple are
// counted by their elements, and so is what zip and enumerate run over.
// Python's range allows any step but 0. A signed range whose step is known to
// be positive is a counting loop as it stands; any other is counted from 0 to
// its number of elements. A step of 0, an error in Python, gives no element.

#include "Ranges.h"
#include "Arrays.h"
#include "NdRanges.h"
#include "Scalars.h"
#include "Text.h"
#include "Tuples.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "pyk/Dialect/Py/IR/Chars.h"
#include "pyk/Dialect/Py/IR/Indexing.h"
#include "pyk/Dialect/Pyk/Analysis/KnownRange.h"
#include "pyk/Dialect/Pyk/IR/PykNumericOps.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

SmallVector<Binding> py::getSources(const Binding &iterable) {
  SmallVector<Type> types;
  if (auto zip = dyn_cast<ZipType>(iterable.type))
    types.assign(zip.getSources().begin(), zip.getSources().end());
  else if (auto iterator = dyn_cast<IteratorType>(iterable.type))
    types.push_back(iterator.getSource());
  else
    types.push_back(cast<EnumerateType>(iterable.type).getSource());
  ArrayRef<Value> values(iterable.parts);
  SmallVector<Binding> sources;
  for (Type type : types) {
    SmallVector<Type> parts;
    appendPartTypes(type, parts);
    ArrayRef<Value> own = values.take_front(parts.size());
    sources.push_back({type, {own.begin(), own.end()}});
    values = values.drop_front(parts.size());
  }
  return sources;
}

Binding RangeLowering::getElement(const Binding &iterable,
                                  const CountedRange &range, Value counter,
                                  Location loc) {
  if (isa<ArrayType>(iterable.type))
    return lowering.arrays().getRow(iterable, counter, loc);
  if (isa<StaticType>(iterable.type))
    return lowering.arrays().getRow(lowering.texts().getBytesArray(iterable),
                                    counter, loc);
  if (isa<TupleType>(iterable.type))
    return lowering.tuples().selectItem(iterable, counter, loc);
  if (auto numbers = dyn_cast<RangeType>(iterable.type)) {
    Type element = numbers.getElementType();
    if (!range.first)
      return {element, {counter}};
    Type own = range.first.getType();
    if (counter.getType() != own)
      counter = arith::TruncIOp::create(builder, loc, own, counter);
    Value offset = arith::MulIOp::create(builder, loc, counter, range.stride);
    return {element,
            {arith::AddIOp::create(builder, loc, range.first, offset)}};
  }
  if (isa<NdIndexType, NdIterType, FlatType>(iterable.type))
    return lowering.ndRanges().getNdElement(iterable, range.extents, counter,
                                            loc);
  Binding result{getElementOf(iterable.type), {}};
  if (isa<EnumerateType>(iterable.type))
    result.parts.push_back(
        arith::AddIOp::create(builder, loc, iterable.parts.back(), counter));
  for (auto [source, own] : llvm::zip(getSources(iterable), range.sources))
    llvm::append_range(result.parts,
                       getElement(source, own, counter, loc).parts);
  return result;
}

CountedRange RangeLowering::count(const Binding &iterable, Location loc) {
  if (isa<RangeType>(iterable.type))
    return countRange(iterable, /*fromZero=*/false, loc);
  Type wide = builder.getI64Type();
  CountedRange result;
  result.start = makeInteger(builder, 0, wide, loc);
  result.step = makeInteger(builder, 1, wide, loc);
  if (isText(iterable.type)) {
    result.stop = lowering.texts().getTextLength(iterable, loc);
    return result;
  }
  if (auto tuple = dyn_cast<TupleType>(iterable.type)) {
    result.stop = makeInteger(builder, tuple.size(), wide, loc);
    return result;
  }
  if (isa<ArrayType>(iterable.type)) {
    result.stop = getDim(builder, iterable.parts.front(), 0, loc);
    return result;
  }
  if (isa<NdIndexType, NdIterType, FlatType>(iterable.type)) {
    result.extents = lowering.ndRanges().getNdExtents(iterable, loc);
    result.stop = result.step;
    for (Value extent : result.extents)
      result.stop =
          builder.createOrFold<arith::MulIOp>(loc, result.stop, extent);
    return result;
  }
  for (const Binding &source : getSources(iterable)) {
    result.sources.push_back(countFromZero(source, loc));
    Value size = result.sources.back().stop;
    // A range of int32 has less than 2^32 elements.
    if (size.getType() != wide)
      size = arith::ExtUIOp::create(builder, loc, wide, size);
    if (result.stop)
      size = arith::MinUIOp::create(builder, loc, result.stop, size);
    result.stop = size;
  }
  return result;
}

CountedRange RangeLowering::countFromZero(const Binding &iterable,
                                          Location loc) {
  return isa<RangeType>(iterable.type)
             ? countRange(iterable, /*fromZero=*/true, loc)
             : count(iterable, loc);
}

Binding RangeLowering::getBound(const Binding &object, unsigned position,
                                Location loc) {
  if (auto range = dyn_cast<RangeType>(object.type))
    return {range.getElementType(), {object.parts[position]}};
  auto slice = cast<SliceType>(object.type);
  Type number = IntegerType::get(context, 64, IntegerType::Signed);
  Binding bounds{TupleType::get(context, {slice.getLower(), slice.getUpper(),
                                          slice.getStep()}),
                 object.parts};
  Binding bound = getItem(bounds, position), step = getItem(bounds, 2);
  if (!isa<NoneType>(bound.type))
    return lowering.convert(bound, number, loc);
  auto make = [&](int64_t value) {
    return makeInteger(builder, value, builder.getI64Type(), loc);
  };
  if (position == 2)
    return {number, {make(1)}};
  // Where a slice begins or ends depends on its direction.
  int64_t up = position == 0 ? 0 : INT64_MAX,
          down = position == 0 ? INT64_MAX : INT64_MIN;
  if (isa<NoneType>(step.type))
    return {number, {make(up)}};
  Value isDown = builder.createOrFold<arith::CmpIOp>(
      loc, arith::CmpIPredicate::slt,
      lowering.convert(step, number, loc).parts.front(), make(0));
  return {number,
          {builder.createOrFold<arith::SelectOp>(loc, isDown, make(down),
                                                 make(up))}};
}

CountedRange RangeLowering::countRange(const Binding &range, bool fromZero,
                                       Location loc) {
  Value start = range.parts[0], stop = range.parts[1], step = range.parts[2];
  Type type = start.getType();
  bool isUnsigned = cast<RangeType>(range.type).getElementType().isUnsigned();
  APInt known;
  bool isKnown = matchPattern(step, m_ConstantInt(&known));
  bool goesUp = isKnownPositive(step);
  if (goesUp && !isUnsigned && !fromZero)
    return {start, stop, step, {}, {}};

  Value zero = makeInteger(builder, 0, type, loc),
        one = makeInteger(builder, 1, type, loc);
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
  if (isUnsigned || goesUp) {
    count = countUp(start, stop, step);
  } else if (isKnown && known.isNegative()) {
    count = countUp(stop, start,
                    makeInteger(builder, -known.getSExtValue(), type, loc));
  } else {
    Value isDown = arith::CmpIOp::create(builder, loc,
                                         arith::CmpIPredicate::slt, step, zero);
    Value negated = arith::SubIOp::create(builder, loc, zero, step);
    Value low = arith::SelectOp::create(builder, loc, isDown, stop, start);
    Value high = arith::SelectOp::create(builder, loc, isDown, start, stop);
    Value by = arith::SelectOp::create(builder, loc, isDown, negated, step);
    count = countUp(low, high, by);
  }
  if (isKnown ? known.isZero() : !goesUp) {
    Value isStuck = arith::CmpIOp::create(builder, loc,
                                          arith::CmpIPredicate::eq, step, zero);
    count = arith::SelectOp::create(builder, loc, isStuck, zero, count);
  }
  return {zero, count, one, start, step};
}

Value RangeLowering::makeNextCounter(Value counter, const CountedRange &range,
                                     Location loc) {
  Value next = arith::AddIOp::create(builder, loc, counter, range.step);
  if (matchPattern(range.step, m_One()))
    return next;
  Value rest = arith::SubIOp::create(builder, loc, range.stop, counter);
  Value isMore = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ugt,
                                       rest, range.step);
  return arith::SelectOp::create(builder, loc, isMore, next, range.stop);
}
