// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Iterators: what a loop can run over, and a number in memory of the thread,
// which says how many elements have been taken. Where nothing but loops and
// next(...) in the same function use one, LLVM keeps the number in a register.

#include "Iterators.h"
#include "Checks.h"
#include "IntrinsicLowering.h"
#include "Ranges.h"
#include "Scalars.h"
#include "Tuples.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "pyk/Dialect/Py/IR/Indexing.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

Binding IteratorLowering::makeIterator(const Binding &source, Location loc) {
  auto type = IteratorType::get(context, source.type);
  SmallVector<Type> parts;
  appendPartTypes(type, parts);
  Binding result{type, source.parts};
  result.parts.push_back(
      pyk::AllocOp::create(builder, loc, cast<ArrayType>(parts.back())));
  setTaken(result, makeInteger(builder, 0, builder.getI64Type(), loc), loc);
  return result;
}

Value IteratorLowering::getTaken(const Binding &iterator, Location loc) {
  Value zero = makeInteger(builder, 0, builder.getI64Type(), loc);
  return pyk::LoadOp::create(builder, loc, iterator.parts.back(), zero);
}

void IteratorLowering::setTaken(const Binding &iterator, Value count,
                                Location loc) {
  Value zero = makeInteger(builder, 0, builder.getI64Type(), loc);
  pyk::StoreOp::create(builder, loc, count, iterator.parts.back(), zero);
}

bool IteratorLowering::hasIterator(const Binding &iterable) {
  return isa<IteratorType>(iterable.type) ||
         (isa<ZipType, EnumerateType>(iterable.type) &&
          llvm::any_of(getSources(iterable), [&](const Binding &source) {
            return hasIterator(source);
          }));
}

/// The next element of what has iterators in it, or element `counter` of what
/// has none. As in Python, each source gives its own before the next one is
/// asked; `leave` ends all unless the condition holds that it is given.
Binding IteratorLowering::takeElement(const Binding &iterable, Value counter,
                                      function_ref<void(Value)> leave,
                                      Location loc) {
  Type wide = builder.getI64Type();
  if (!isa<IteratorType>(iterable.type) && hasIterator(iterable)) {
    Binding result{getElementOf(iterable.type), {}};
    if (isa<EnumerateType>(iterable.type))
      result.parts.push_back(builder.createOrFold<arith::AddIOp>(
          loc, iterable.parts.back(), counter));
    for (const Binding &source : getSources(iterable))
      llvm::append_range(result.parts,
                         takeElement(source, counter, leave, loc).parts);
    return result;
  }
  auto iterator = dyn_cast<IteratorType>(iterable.type);
  Binding source = iterator ? getSources(iterable).front() : iterable;
  Value position = iterator ? getTaken(iterable, loc) : counter;
  Binding element;
  if (iterator && hasIterator(source)) {
    element = takeElement(source, position, leave, loc);
  } else {
    CountedRange range = lowering.ranges().countFromZero(source, loc);
    Value size = range.stop;
    if (size.getType() != wide)
      size = arith::ExtUIOp::create(builder, loc, wide, size);
    leave(builder.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::slt,
                                              position, size));
    element = lowering.ranges().getElement(source, range, position, loc);
  }
  if (iterator)
    setTaken(iterable,
             builder.createOrFold<arith::AddIOp>(
                 loc, position, makeInteger(builder, 1, wide, loc)),
             loc);
  return element;
}

Binding IteratorLowering::takeNext(const Binding &iterator, Location loc) {
  Value zero = makeInteger(builder, 0, builder.getI64Type(), loc);
  return takeElement(
      iterator, zero,
      [&](Value hasNext) {
        lowering.checks().require(hasNext, "StopIteration", "", loc);
      },
      loc);
}

//===----------------------------------------------------------------------===//
// Intrinsics
//===----------------------------------------------------------------------===//

/// What zip or enumerate yields, made of `parts`; an iterator if the program
/// keeps it.
static Binding makeKept(LoweredCall &call, SmallVector<Value, 1> parts) {
  Binding result{call.type, std::move(parts)};
  auto iterator = dyn_cast<IteratorType>(call.type);
  if (!iterator)
    return result;
  result.type = iterator.getSource();
  return call.lowering.iterators().makeIterator(result, call.loc);
}

static Binding lowerZip(LoweredCall &call) {
  SmallVector<Value, 1> parts;
  for (const Binding &argument : call.arguments)
    llvm::append_range(parts, argument.parts);
  return makeKept(call, std::move(parts));
}

static Binding lowerEnumerate(LoweredCall &call) {
  SmallVector<Value, 1> parts(call.arguments[0].parts);
  Type number = IntegerType::get(call.context, 64, IntegerType::Signed);
  parts.push_back(
      call.arguments.size() == 2
          ? call.convert(1, number)
          : makeInteger(call.builder, 0, call.builder.getI64Type(), call.loc));
  return makeKept(call, std::move(parts));
}

static Binding lowerRange(LoweredCall &call) {
  IntegerType element = cast<RangeType>(call.type).getElementType();
  Type part = IntegerType::get(call.context, element.getWidth());
  FunctionLowering &lowering = call.lowering;
  SmallVector<Value> given;
  for (size_t position = 0; position != call.arguments.size(); ++position)
    given.push_back(call.convert(position, element));
  Value start = makeInteger(lowering.getBuilder(), 0, part, call.loc),
        step = makeInteger(lowering.getBuilder(), 1, part, call.loc);
  if (given.size() == 3)
    lowering.checks().checkNotZero(
        given[2], "ValueError", "range() arg 3 must not be zero",
        lowering.getOptions().reportErrors, call.loc);
  if (given.size() == 1)
    return {call.type, {start, given[0], step}};
  return {call.type, {given[0], given[1], given.size() == 3 ? given[2] : step}};
}

static Binding lowerIter(LoweredCall &call) {
  const Binding &source = call.arguments[0];
  return source.type == call.type
             ? source
             : call.lowering.iterators().makeIterator(source, call.loc);
}

static Binding lowerNext(LoweredCall &call) {
  return call.lowering.iterators().takeNext(call.arguments[0], call.loc);
}

static Binding lowerNdIndex(LoweredCall &call) {
  Type number = IntegerType::get(call.context, 64, IntegerType::Signed);
  Value zero =
      makeInteger(call.builder, 0, call.builder.getI64Type(), call.loc);
  Binding result{call.type, {}};
  auto add = [&](const Binding &extent) {
    Value count = call.lowering.convert(extent.parts.front(), extent.type,
                                        number, call.loc);
    result.parts.push_back(
        call.builder.createOrFold<arith::MaxSIOp>(call.loc, count, zero));
  };
  auto tuple = call.arguments.size() == 1
                   ? dyn_cast<TupleType>(call.arguments[0].type)
                   : TupleType();
  for (unsigned item = 0; tuple && item != tuple.size(); ++item)
    add(getItem(call.arguments[0], item));
  if (!tuple)
    llvm::for_each(call.arguments, add);
  return result;
}

static Binding lowerNdIter(LoweredCall &call) {
  return {call.type, call.arguments[0].parts};
}

void py::addIterationLowering(LoweringRules &rules) {
  using intrinsics::LoweringRule;
  rules.add(LoweringRule::Range, lowerRange);
  rules.add(LoweringRule::Zip, lowerZip);
  rules.add(LoweringRule::Enumerate, lowerEnumerate);
  rules.add(LoweringRule::Iter, lowerIter);
  rules.add(LoweringRule::Next, lowerNext);
  rules.add(LoweringRule::NdIndex, lowerNdIndex);
  rules.add(LoweringRule::NdIter, lowerNdIter);
}
