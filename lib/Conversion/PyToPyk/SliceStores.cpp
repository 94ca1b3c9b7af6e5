// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Python reads all of `a[:-1]` in `a[1:] = a[:-1]` before it writes. Where both
// arrays may share memory, the kernel compares their addresses. Overlapping
// arrays with equal strides are copied as memmove does: along the dimensions
// from the largest stride to the least, in the order of addresses, or against
// it where the target lies behind the source. A reversed array of one dimension
// (`a[:] = a[::-1]`) is exchanged in pairs. What else overlaps would take a
// copy: an error with debug=True, and copied in the order of indices without.
// Arrays whose ends enclose each other, as a row and a column, may have no
// element in common. Only debug=True asks: the order does not matter then.

#include "SliceStores.h"
#include "Arrays.h"
#include "Checks.h"
#include "Scalars.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "pyk/Dialect/Pyk/Analysis/UnderlyingObjects.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"
#include "pyk/Dialect/Pyk/IR/PykNumericOps.h"
#include "pyk/Dialect/Pyk/IR/PykViewOps.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;
using arith::CmpIPredicate;

SliceStore::SliceStore(FunctionLowering &lowering, const Binding &value,
                       Value target, Type element, Combination combine,
                       Location loc)
    : LoweringPart(lowering), value(value), target(target), element(element),
      combine(combine), loc(loc),
      rank(cast<pyk::ArrayType>(target.getType()).getRank()),
      isBroadcast(rank) {
  if (auto type = dyn_cast<ArrayType>(value.type)) {
    source = value.parts.front();
    missing = rank - type.getRank();
  }
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

Value SliceStore::number(int64_t value) {
  return makeInteger(builder, value, builder.getI64Type(), loc);
}

Value SliceStore::compare(CmpIPredicate predicate, Value a, Value b) {
  return builder.createOrFold<arith::CmpIOp>(loc, predicate, a, b);
}

Value SliceStore::choose(Value condition, Value a, Value b) {
  return builder.createOrFold<arith::SelectOp>(loc, condition, a, b);
}

Value SliceStore::getExtent(int64_t dimension) {
  return getDim(builder, target, dimension, loc);
}

Value SliceStore::getStride(int64_t dimension) {
  return builder.createOrFold<pyk::StrideOp>(loc, builder.getI64Type(), target,
                                             dimension);
}

/// How far the element read moves along a dimension of the target.
Value SliceStore::getSourceStride(int64_t dimension) {
  if (!isBroadcast[dimension])
    return number(0);
  Value stride = builder.createOrFold<pyk::StrideOp>(
      loc, builder.getI64Type(), source, dimension - missing);
  return choose(isBroadcast[dimension], number(0), stride);
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

/// What is stored at `indices`.
Binding SliceStore::compute(Indices indices) {
  Binding stored = value;
  if (source) {
    SmallVector<Value> places;
    for (int64_t dimension = missing; dimension < rank; ++dimension)
      places.push_back(
          choose(isBroadcast[dimension], number(0), indices[dimension]));
    stored = lowering.arrays().load(value, places, loc);
  }
  if (!combine)
    return stored;
  auto type = cast<ArrayType>(target.getType()).withElementType(element);
  return combine(lowering.arrays().load({type, {target}}, indices, loc),
                 stored);
}

void SliceStore::write(const Binding &stored, Indices indices) {
  lowering.arrays().storeElement(stored, target, indices, element, loc);
}

/// Writes `body` in loops over `extents`.
void SliceStore::loop(Indices extents, function_ref<void(Indices)> body) {
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Value> indices;
  for (Value extent : extents) {
    auto nested =
        scf::ForOp::create(builder, loc, number(0), extent, number(1));
    builder.setInsertionPointToStart(nested.getBody());
    indices.push_back(nested.getInductionVar());
  }
  body(indices);
}

/// Does `first` where `condition` holds, and `second` elsewhere.
void SliceStore::branch(Value condition, function_ref<void()> first,
                        function_ref<void()> second) {
  OpBuilder::InsertionGuard guard(builder);
  auto choice =
      scf::IfOp::create(builder, loc, condition, /*withElseRegion=*/true);
  builder.setInsertionPointToStart(choice.thenBlock());
  first();
  builder.setInsertionPointToStart(choice.elseBlock());
  second();
}

/// Whether the broadcast value has the shape of the target.
void SliceStore::checkShapes() {
  for (int64_t dimension = missing; source && dimension < rank; ++dimension) {
    Value extent = getDim(builder, source, dimension - missing, loc);
    isBroadcast[dimension] = compare(CmpIPredicate::eq, extent, number(1));
    lowering.checks().checkFits(extent, isBroadcast[dimension],
                                getExtent(dimension), dimension, loc);
  }
}

void SliceStore::storeInOrder() {
  SmallVector<Value> all;
  for (int64_t dimension = 0; dimension < rank; ++dimension)
    all.push_back(getExtent(dimension));
  loop(all, [&](Indices indices) { write(compute(indices), indices); });
}

//===----------------------------------------------------------------------===//
// Overlaps
//===----------------------------------------------------------------------===//

/// Whether both arrays may share memory. One that the function makes itself is
/// apart from others that it makes and from those that it is given; what a
/// choice or a call results in may be either.
bool SliceStore::mayOverlap() {
  if (!source)
    return false;
  Value first = getWholeArray(source), second = getWholeArray(target);
  if (first == second)
    return true;
  auto isOwn = [](Value array) {
    return isa_and_present<AllocOp, ConstantArrayOp>(array.getDefiningOp());
  };
  auto isGiven = [](Value array) {
    auto argument = dyn_cast<BlockArgument>(array);
    return argument && argument.getOwner()->isEntryBlock() &&
           isa<FunctionOpInterface>(argument.getOwner()->getParentOp());
  };
  bool areApart = (isOwn(first) && (isOwn(second) || isGiven(second))) ||
                  (isOwn(second) && isGiven(first));
  Space one = cast<ArrayType>(first.getType()).getSpace(),
        other = cast<ArrayType>(second.getType()).getSpace();
  bool mayBeOne =
      one == other || one == Space::Generic || other == Space::Generic;
  return mayBeOne && !areApart;
}

/// Whether the strides of both arrays are equal in dimensions of more than one
/// element.
Value SliceStore::makeSameStrides() {
  Value same = makeInteger(builder, 1, builder.getI1Type(), loc);
  for (int64_t dimension = 0; dimension < rank; ++dimension) {
    Value isEqual = compare(CmpIPredicate::eq, getStride(dimension),
                            getSourceStride(dimension));
    Value isSingle =
        compare(CmpIPredicate::sle, getExtent(dimension), number(1));
    same = make<arith::AndIOp>(same, make<arith::OrIOp>(isEqual, isSingle));
  }
  return same;
}

/// Fills `numbers`, `extents` and `strides`.
void SliceStore::sortDimensions() {
  auto getSize = [&](Value stride) -> Value {
    return make<arith::MaxSIOp>(stride, make<arith::SubIOp>(number(0), stride));
  };
  for (int64_t dimension = 0; dimension < rank; ++dimension) {
    numbers.push_back(number(dimension));
    extents.push_back(getExtent(dimension));
    Value isSingle = compare(CmpIPredicate::sle, extents.back(), number(1));
    strides.push_back(choose(isSingle, number(0), getStride(dimension)));
  }
  for (int64_t end = rank - 1; end > 0; --end)
    for (int64_t i = 0; i < end; ++i) {
      Value isLess = compare(CmpIPredicate::slt, getSize(strides[i]),
                             getSize(strides[i + 1]));
      for (SmallVector<Value> *list : {&numbers, &extents, &strides}) {
        Value first = (*list)[i], second = (*list)[i + 1];
        (*list)[i] = choose(isLess, second, first);
        (*list)[i + 1] = choose(isLess, first, second);
      }
    }
}

/// Whether the elements of the target follow each other in memory in the order
/// of its sorted dimensions.
Value SliceStore::makeNested() {
  Value nested = makeInteger(builder, 1, builder.getI1Type(), loc);
  Value bytes = number(cast<ArrayType>(target.getType()).getElementBytes());
  for (int64_t i = rank - 1; i >= 0; --i) {
    Value size = make<arith::MaxSIOp>(
        strides[i], make<arith::SubIOp>(number(0), strides[i]));
    Value isSingle = compare(CmpIPredicate::sle, extents[i], number(1));
    Value isApart = compare(CmpIPredicate::sge, size, bytes);
    nested = make<arith::AndIOp>(nested, make<arith::OrIOp>(isApart, isSingle));
    Value last = make<arith::SubIOp>(extents[i], number(1));
    bytes = make<arith::AddIOp>(bytes, make<arith::MulIOp>(last, size));
  }
  return nested;
}

/// Whether the byte `offset` behind the first one of the target, which is
/// nested, is of one of its elements.
Value SliceStore::makeContains(Value offset) {
  Value contains = compare(CmpIPredicate::sge, offset, number(0));
  for (int64_t i = 0; i < rank; ++i) {
    Value size = make<arith::MaxSIOp>(
        strides[i], make<arith::SubIOp>(number(0), strides[i]));
    Value isSingle = compare(CmpIPredicate::sle, extents[i], number(1));
    Value place = builder.createOrFold<pyk::FloorDivOp>(
        loc, offset, choose(isSingle, number(1), size),
        /*is_unsigned=*/false);
    place = choose(isSingle, number(0), place);
    contains = make<arith::AndIOp>(
        contains, compare(CmpIPredicate::slt, place, extents[i]));
    offset = make<arith::SubIOp>(offset, make<arith::MulIOp>(place, size));
  }
  int64_t bytes = cast<ArrayType>(target.getType()).getElementBytes();
  return make<arith::AndIOp>(
      contains, compare(CmpIPredicate::slt, offset, number(bytes)));
}

/// Whether no element of the source lies in the target, which is nested and has
/// elements of the same size. Looks at each of them.
Value SliceStore::makeDisjoint() {
  OpBuilder::InsertionGuard guard(builder);
  // Bytes behind the first of the target in the order of memory.
  Value offset = distance;
  for (int64_t i = 0; i < rank; ++i) {
    Value last = make<arith::SubIOp>(extents[i], number(1));
    offset = make<arith::SubIOp>(
        offset,
        make<arith::MinSIOp>(make<arith::MulIOp>(last, strides[i]), number(0)));
  }
  Value disjoint = makeInteger(builder, 1, builder.getI1Type(), loc);
  SmallVector<scf::ForOp> loops;
  for (int64_t dimension = missing; dimension < rank; ++dimension) {
    Value stride = getSourceStride(dimension);
    Value extent =
        choose(isBroadcast[dimension], number(1), getExtent(dimension));
    auto nested = scf::ForOp::create(builder, loc, number(0), extent, number(1),
                                     ValueRange{disjoint});
    builder.setInsertionPointToStart(nested.getBody());
    disjoint = nested.getRegionIterArg(0);
    offset = make<arith::AddIOp>(
        offset, make<arith::MulIOp>(nested.getInductionVar(), stride));
    loops.push_back(nested);
  }
  // Intervals of one length overlap where an end of one is in the other.
  int64_t bytes = cast<ArrayType>(target.getType()).getElementBytes();
  Value last = make<arith::AddIOp>(offset, number(bytes - 1));
  Value isShared = make<arith::OrIOp>(makeContains(offset), makeContains(last));
  disjoint = choose(isShared, makeInteger(builder, 0, builder.getI1Type(), loc),
                    disjoint);
  for (scf::ForOp nested : llvm::reverse(loops)) {
    builder.setInsertionPointToEnd(nested.getBody());
    scf::YieldOp::create(builder, loc, disjoint);
    disjoint = nested.getResult(0);
  }
  return disjoint;
}

/// Refuses what would take a copy: arrays that share elements, in an order that
/// no way to store them is right for.
void SliceStore::checkOverlap(Value overlap, Value isNested, Value isInOrder) {
  Value isApart = make<arith::XOrIOp>(
      overlap, makeInteger(builder, 1, builder.getI1Type(), loc));
  Value isRight =
      make<arith::OrIOp>(isApart, make<arith::OrIOp>(makeAligned(), isInOrder));
  bool hasOneSize = cast<ArrayType>(target.getType()).getElementBytes() ==
                    cast<ArrayType>(source.getType()).getElementBytes();
  if (hasOneSize) {
    OpBuilder::InsertionGuard guard(builder);
    // Rows and columns of a matrix may have no element in common, though their
    // ends enclose each other. Nothing but that takes a look at all elements.
    auto looks = scf::IfOp::create(
        builder, loc, builder.getI1Type(),
        make<arith::AndIOp>(
            isNested,
            compare(CmpIPredicate::eq, isRight,
                    makeInteger(builder, 0, builder.getI1Type(), loc))),
        /*withElseRegion=*/true);
    builder.setInsertionPointToStart(looks.thenBlock());
    scf::YieldOp::create(builder, loc, makeDisjoint());
    builder.setInsertionPointToStart(looks.elseBlock());
    scf::YieldOp::create(builder, loc, isRight);
    isRight = looks.getResult(0);
  }
  lowering.checks().check(
      isRight, "ValueError",
      "cannot assign a slice to one that it may overlap with other strides; "
      "assign a copy of it",
      {}, loc);
}

/// Whether the source is a part of the target that is stored into itself, too:
/// `m[:, :] = m[1]` changes no element that it reads.
Value SliceStore::makeAligned() {
  Value aligned = makeInteger(builder, 1, builder.getI1Type(), loc);
  Value rest = distance;
  for (int64_t dimension = 0; dimension < rank; ++dimension) {
    Value stride = getStride(dimension), extent = getExtent(dimension);
    Value isSame =
        compare(CmpIPredicate::eq, stride, getSourceStride(dimension));
    Value isSingle = compare(CmpIPredicate::sle, extent, number(1));
    Value place = builder.createOrFold<pyk::FloorDivOp>(loc, rest, stride,
                                                        /*is_unsigned=*/false);
    Value isInside = compare(CmpIPredicate::ult, place, extent);
    Value left = make<arith::SubIOp>(rest, make<arith::MulIOp>(place, stride));
    Value isWhole = isSingle, isPlaced = isInside;
    if (Value isOne = isBroadcast[dimension]) {
      isWhole = make<arith::OrIOp>(isSame, isSingle);
      isPlaced = make<arith::AndIOp>(isOne, isInside);
    }
    rest = choose(isWhole, rest, left);
    aligned =
        make<arith::AndIOp>(aligned, make<arith::OrIOp>(isWhole, isPlaced));
  }
  return make<arith::AndIOp>(aligned,
                             compare(CmpIPredicate::eq, rest, number(0)));
}

/// Stores in the order of addresses if the target lies in front of the source,
/// and against it if not.
void SliceStore::storeSorted() {
  Value isBehind = compare(CmpIPredicate::slt, distance, number(0));
  loop(extents, [&](Indices positions) {
    SmallVector<Value> along;
    for (int64_t i = 0; i < rank; ++i) {
      Value isUp = compare(CmpIPredicate::sge, strides[i], number(0));
      Value isDescending = compare(CmpIPredicate::eq, isBehind, isUp);
      Value last = make<arith::SubIOp>(extents[i], number(1));
      along.push_back(choose(
          isDescending, make<arith::SubIOp>(last, positions[i]), positions[i]));
    }
    SmallVector<Value> indices;
    for (int64_t dimension = 0; dimension < rank; ++dimension) {
      Value index = along[0];
      for (int64_t i = 1; i < rank; ++i)
        index =
            choose(compare(CmpIPredicate::eq, numbers[i], number(dimension)),
                   along[i], index);
      indices.push_back(index);
    }
    write(compute(indices), indices);
  });
}

/// Stores a source of one dimension that runs against the target. Where index
/// `i` of the target is index `j` of the source, `i` is where `j` is stored:
/// both are read before either is written.
void SliceStore::storeReversed() {
  Value extent = getExtent(0);
  Value stride = getStride(0);
  Value sum = builder.createOrFold<pyk::FloorDivOp>(loc, distance, stride,
                                                    /*is_unsigned=*/false);
  Value isWhole =
      compare(CmpIPredicate::eq, make<arith::MulIOp>(sum, stride), distance);
  loop(extent, [&](Indices indices) {
    Value other = make<arith::SubIOp>(sum, indices[0]);
    Value isPair = make<arith::AndIOp>(
        isWhole, compare(CmpIPredicate::ult, other, extent));
    Value isFirst = make<arith::AndIOp>(
        isPair, compare(CmpIPredicate::slt, indices[0], other));
    Value isSecond = make<arith::AndIOp>(
        isPair, compare(CmpIPredicate::sgt, indices[0], other));
    branch(
        isFirst,
        [&] {
          Binding here = compute(indices), there = compute(other);
          write(here, indices);
          write(there, other);
        },
        [&] {
          branch(isSecond, [] {}, [&] { write(compute(indices), indices); });
        });
  });
}

void SliceStore::storeOverlapping() {
  distance = pyk::DistanceOp::create(builder, loc, target, source);
  sortDimensions();
  Value overlap = pyk::OverlapsOp::create(builder, loc, target, source);
  Value isNested = makeNested();
  Value isMove = make<arith::AndIOp>(makeSameStrides(), isNested);
  // What is read of a record is where it is, so pairs of them cannot wait.
  bool isValue = !isa<RecordType>(element) && missing == 0 && rank == 1;
  Value isReversed = makeInteger(builder, 0, builder.getI1Type(), loc);
  if (isValue)
    isReversed = compare(CmpIPredicate::eq, getSourceStride(0),
                         make<arith::SubIOp>(number(0), getStride(0)));
  if (lowering.getOptions().checkBounds)
    checkOverlap(overlap, isNested, make<arith::OrIOp>(isMove, isReversed));
  branch(
      make<arith::AndIOp>(overlap, isMove), [&] { storeSorted(); },
      [&] {
        if (!isValue)
          return storeInOrder();
        branch(
            make<arith::AndIOp>(overlap, isReversed), [&] { storeReversed(); },
            [&] { storeInOrder(); });
      });
}

void SliceStore::run() {
  OpBuilder::InsertionGuard guard(builder);
  if (!source && !combine && !isa<RecordType>(element))
    value = lowering.convert(value, element, loc);
  checkShapes();
  if (rank != 0 && mayOverlap())
    storeOverlapping();
  else
    storeInOrder();
}
