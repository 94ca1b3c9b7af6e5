// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All indices of a shape, and all elements of arrays of any layout, counted by
// one number: it is divided by the extents to find the index.

#include "NdRanges.h"
#include "Arrays.h"
#include "Checks.h"
#include "Ranges.h"
#include "Scalars.h"
#include "pyk/Dialect/Py/IR/Indexing.h"
#include "pyk/Dialect/Pyk/IR/PykNumericOps.h"
#include "pyk/Dialect/Pyk/IR/PykViewOps.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

/// True if nditer changes the first index first: as Numba, if more arrays of
/// the rank of the shape have layout F than C.
static bool isFirstFastest(NdIterType iteration, size_t rank) {
  int more = 0;
  for (Type type : iteration.getArrays()) {
    auto array = cast<ArrayType>(type);
    if (array.getRank() == static_cast<int64_t>(rank) && rank > 1)
      more +=
          (array.getLayout() == Layout::F) - (array.getLayout() == Layout::C);
  }
  return more > 0;
}

/// The index with `number` in a shape, the last one fastest.
static SmallVector<Value> splitNumber(Value number, ArrayRef<Value> extents,
                                      OpBuilder &builder, Location loc) {
  SmallVector<Value> index;
  for (size_t dimension = extents.size(); dimension-- > 1;) {
    Value extent = extents[dimension];
    Value outer = builder.createOrFold<pyk::FloorDivOp>(loc, number, extent,
                                                        /*is_unsigned=*/true);
    Value whole = builder.createOrFold<arith::MulIOp>(loc, outer, extent);
    index.push_back(builder.createOrFold<arith::SubIOp>(loc, number, whole));
    number = outer;
  }
  if (!extents.empty())
    index.push_back(number);
  std::reverse(index.begin(), index.end());
  return index;
}

SmallVector<Value> NdRangeLowering::getNdExtents(const Binding &iterable,
                                                 Location loc) {
  if (isa<NdIndexType>(iterable.type))
    return {iterable.parts.begin(), iterable.parts.end()};
  // From the last dimension on, where shapes begin to meet.
  SmallVector<Value> extents;
  Value one = makeInteger(builder, 1, builder.getI64Type(), loc);
  for (Value array : iterable.parts) {
    size_t rank = cast<ArrayType>(array.getType()).getRank();
    for (size_t position = 0; position != rank; ++position) {
      Value own = getDim(builder, array, rank - 1 - position, loc);
      if (position == extents.size()) {
        extents.push_back(own);
        continue;
      }
      Value &extent = extents[position];
      Value isOne = builder.createOrFold<arith::CmpIOp>(
          loc, arith::CmpIPredicate::eq, extent, one);
      extent = builder.createOrFold<arith::SelectOp>(loc, isOne, own, extent);
    }
  }
  std::reverse(extents.begin(), extents.end());
  for (Value array : iterable.parts) {
    size_t rank = cast<ArrayType>(array.getType()).getRank();
    for (auto [dimension, extent] :
         llvm::enumerate(ArrayRef(extents).take_back(rank)))
      lowering.checks().checkStretches(getDim(builder, array, dimension, loc),
                                       extent, loc);
  }
  return extents;
}

Binding NdRangeLowering::getNdElement(const Binding &iterable,
                                      ArrayRef<Value> extents, Value counter,
                                      Location loc) {
  auto iteration = dyn_cast<NdIterType>(iterable.type);
  bool isReversed = iteration && isFirstFastest(iteration, extents.size());
  SmallVector<Value> ordered(extents);
  if (isReversed)
    std::reverse(ordered.begin(), ordered.end());
  SmallVector<Value> index = splitNumber(counter, ordered, builder, loc);
  if (isReversed)
    std::reverse(index.begin(), index.end());
  if (auto flat = dyn_cast<FlatType>(iterable.type))
    return lowering.arrays().load({flat.getArray(), iterable.parts}, index,
                                  loc);
  Binding result{getElementOf(iterable.type), {}};
  if (!iteration) {
    result.parts.append(index.begin(), index.end());
    return result;
  }
  Value zero = makeInteger(builder, 0, builder.getI64Type(), loc);
  Value one = makeInteger(builder, 1, builder.getI64Type(), loc);
  for (Value array : iterable.parts) {
    size_t rank = cast<ArrayType>(array.getType()).getRank();
    SmallVector<Value> own(ArrayRef(index).take_back(rank));
    for (size_t dimension = 0; iterable.parts.size() > 1 && dimension != rank;
         ++dimension) {
      Value isOne = builder.createOrFold<arith::CmpIOp>(
          loc, arith::CmpIPredicate::eq, getDim(builder, array, dimension, loc),
          one);
      own[dimension] = builder.createOrFold<arith::SelectOp>(loc, isOne, zero,
                                                             own[dimension]);
    }
    result.parts.push_back(
        pyk::ViewOp::create(builder, loc, array, own,
                            SmallVector<Axis>(rank, Axis::Index), Layout::C));
  }
  return result;
}

SmallVector<Value> NdRangeLowering::getFlatIndices(const Binding &flat,
                                                   const Binding &index,
                                                   Location loc) {
  Value array = flat.parts.front(), size = getSize(builder, array, loc);
  Type wide = IntegerType::get(context, 64, IntegerType::Signed);
  Value given = lowering.convert(index.parts.front(), index.type, wide, loc);
  Value number = builder.createOrFold<pyk::WrapIndexOp>(loc, given, size);
  if (lowering.getOptions().checkBounds)
    lowering.checks().checkInside(
        number, size, given,
        "index {0} is out of bounds for 'flat' with size {1}", loc);
  return splitNumber(number, getNdExtents(flat, loc), builder, loc);
}
