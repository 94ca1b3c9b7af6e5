// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Iterators: what a loop can run over, and a number in memory of the thread,
// which says how many elements have been taken. Where nothing but loops and
// next(...) in the same function use one, LLVM keeps the number in a register.

#include "Ranges.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "pyk/Dialect/Py/IR/Indexing.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

Binding FunctionLowering::makeIterator(const Binding &source, Location loc) {
  auto type = IteratorType::get(context, source.type);
  SmallVector<Type> parts;
  appendPartTypes(type, parts);
  Binding result{type, source.parts};
  result.parts.push_back(
      pyk::AllocOp::create(builder, loc, cast<ArrayType>(parts.back())));
  setTaken(result, makeInteger(0, builder.getI64Type(), loc), loc);
  return result;
}

Value FunctionLowering::getTaken(const Binding &iterator, Location loc) {
  Value zero = makeInteger(0, builder.getI64Type(), loc);
  return pyk::LoadOp::create(builder, loc, builder.getI64Type(),
                             iterator.parts.back(), zero,
                             /*is_volatile=*/false);
}

void FunctionLowering::setTaken(const Binding &iterator, Value count,
                                Location loc) {
  Value zero = makeInteger(0, builder.getI64Type(), loc);
  pyk::StoreOp::create(builder, loc, count, iterator.parts.back(), zero);
}

bool FunctionLowering::hasIterator(const Binding &iterable) {
  return isa<IteratorType>(iterable.type) ||
         (isa<ZipType, EnumerateType>(iterable.type) &&
          llvm::any_of(getSources(iterable), [&](const Binding &source) {
            return hasIterator(source);
          }));
}

/// The next element of what has iterators in it, or element `counter` of what
/// has none. As in Python, each source gives its own before the next one is
/// asked; `leave` ends all unless the condition holds that it is given.
Binding FunctionLowering::takeElement(const Binding &iterable, Value counter,
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
    CountedRange range = countFromZero(source, loc);
    Value size = range.stop;
    if (size.getType() != wide)
      size = arith::ExtUIOp::create(builder, loc, wide, size);
    leave(builder.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::slt,
                                              position, size));
    element = getElement(source, range, position, loc);
  }
  if (iterator)
    setTaken(iterable,
             builder.createOrFold<arith::AddIOp>(loc, position,
                                                 makeInteger(1, wide, loc)),
             loc);
  return element;
}

Binding FunctionLowering::takeNext(const Binding &iterator, Location loc) {
  Value zero = makeInteger(0, builder.getI64Type(), loc);
  return takeElement(
      iterator, zero,
      [&](Value hasNext) { require(hasNext, "StopIteration", "", loc); }, loc);
}
