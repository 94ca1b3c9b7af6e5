// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Iterators: what a loop can run over, and a number in memory of the thread,
// which says how many elements have been taken. Where nothing but loops and
// next(...) in the same function use one, LLVM keeps the number in a register.

#include "Ranges.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

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

/// What is left of `iterator`, which is at `place` of `sources`. If it is
/// another of them, too, they take elements in turn.
FunctionLowering::CountedRange
FunctionLowering::countIterator(const Binding &iterator,
                                ArrayRef<Binding> sources, size_t place,
                                Value turn, Location loc) {
  Type wide = builder.getI64Type();
  auto isSame = [&](const Binding &other) {
    return isa<IteratorType>(other.type) &&
           other.parts.back() == iterator.parts.back();
  };
  int64_t shares = llvm::count_if(sources, isSame);
  int64_t before = llvm::count_if(sources.take_front(place), isSame);
  Value taken = getTaken(iterator, loc);
  CountedRange result;
  result.start = makeInteger(0, wide, loc);
  result.step = makeInteger(1, wide, loc);
  // The iterators that it runs over have moved on with it.
  result.sources = {countFromZero(getSources(iterator).front(), loc, taken)};
  result.stop = result.sources.front().stop;
  if (result.stop.getType() != wide)
    result.stop = arith::ExtUIOp::create(builder, loc, wide, result.stop);
  result.stop = arith::SubIOp::create(builder, loc, result.stop, taken);
  result.stop = builder.createOrFold<arith::DivUIOp>(
      loc, result.stop, makeInteger(shares, wide, loc));
  if (turn)
    result.stop = arith::AddIOp::create(builder, loc, result.stop, turn);
  result.each = turn ? 0 : shares;
  result.taken = builder.createOrFold<arith::AddIOp>(
      loc, taken, makeInteger(before, wide, loc));
  return result;
}

Binding FunctionLowering::takeNext(const Binding &iterator, Location loc) {
  CountedRange range = count(iterator, loc);
  Value zero = makeInteger(0, builder.getI64Type(), loc);
  Value hasNext = builder.createOrFold<arith::CmpIOp>(
      loc, arith::CmpIPredicate::sgt, range.stop, zero);
  require(hasNext, "StopIteration", "", loc);
  return getElement(iterator, range, zero, loc);
}
