// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts of arrays, and what is stored into them.
// Negative indices and the bounds of slices become explicit here; everything
// else that a view may mean is the business of pyk.view.

#include "Arrays.h"
#include "Checks.h"
#include "NdRanges.h"
#include "Operators.h"
#include "Records.h"
#include "Scalars.h"
#include "SliceStores.h"
#include "Text.h"
#include "Tuples.h"
#include "Vectors.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "pyk/Dialect/Py/IR/Indexing.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"
#include "pyk/Dialect/Pyk/IR/PykNumericOps.h"
#include "pyk/Dialect/Pyk/IR/PykRecordOps.h"
#include "pyk/Dialect/Pyk/IR/PykViewOps.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

/// What an index selects: the element at `numbers`, or the view `view`.
struct ArrayLowering::Selection {
  Indexed indexed;
  SmallVector<Value> numbers;
  Value view;
};

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

Value py::getDim(OpBuilder &builder, Value array, int64_t dimension,
                 Location loc, unsigned width) {
  return builder.createOrFold<pyk::DimOp>(loc, builder.getIntegerType(width),
                                          array, dimension);
}

Value py::getSize(OpBuilder &builder, Value array, Location loc,
                  unsigned width) {
  Value size = makeInteger(builder, 1, builder.getIntegerType(width), loc);
  int64_t rank = cast<ArrayType>(array.getType()).getRank();
  for (int64_t dimension = 0; dimension != rank; ++dimension)
    size = builder.createOrFold<arith::MulIOp>(
        loc, size, getDim(builder, array, dimension, loc, width));
  return size;
}

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

/// The 64-bit integer type with the sign of `type`.
static Type getWide(Type type) {
  return IntegerType::get(type.getContext(), 64,
                          type.isUnsignedInteger() ? IntegerType::Unsigned
                                                   : IntegerType::Signed);
}

Binding ArrayLowering::evaluate(SliceOp op) {
  Binding result{op.getType(), {}};
  for (Value bound : op->getOperands())
    llvm::append_range(result.parts, lowering.get(bound).parts);
  return result;
}

Value ArrayLowering::getIndex(const Binding &index, Value array,
                              int64_t dimension, StringRef name, Location loc) {
  Value given = lowering.convert(index.parts.front(), index.type,
                                 getWide(index.type), loc);
  Value position = given;
  if (cast<ArrayType>(array.getType()).isPointer())
    return position;
  // A signed index counts from the end where it is negative.
  if (index.type.isSignedInteger())
    position = builder.createOrFold<pyk::WrapIndexOp>(
        loc, position, getDim(builder, array, dimension, loc));
  if (lowering.getOptions().checkBounds)
    lowering.checks().checkInside(
        position, getDim(builder, array, dimension, loc), given,
        "index {0} is out of bounds for axis " + Twine(dimension) + " of " +
            name + " with size {1}",
        loc);
  return position;
}

ArrayLowering::Selection ArrayLowering::select(const Binding &array,
                                               const Binding &index,
                                               StringRef name, Location loc) {
  Value value = array.parts.front();
  SmallVector<Type> types = getIndexItems(index.type);
  Selection selection{indexArray(cast<ArrayType>(array.type), types), {}, {}};
  Type wide = IntegerType::get(context, 64, IntegerType::Signed);
  SmallVector<Value> &numbers = selection.numbers;
  int64_t dimension = 0;
  for (IndexedAxis &indexed : selection.indexed.axes) {
    Axis axis = indexed.axis;
    if (axis == Axis::New)
      continue;
    int64_t own = dimension++;
    if (!indexed.item || axis == Axis::Whole)
      continue;
    Binding item =
        isa<TupleType>(index.type) ? getItem(index, *indexed.item) : index;
    if (axis == Axis::Index) {
      numbers.push_back(getIndex(item, value, own, name, loc));
      continue;
    }
    auto slice = cast<SliceType>(item.type);
    ArrayRef<Value> parts = item.parts;
    auto take = [&](Type type) -> Value {
      if (isa<NoneType>(type))
        return {};
      Value bound = lowering.convert(parts.front(), type, wide, loc);
      parts = parts.drop_front();
      return bound;
    };
    Value lower = take(slice.getLower()), upper = take(slice.getUpper()),
          step = take(slice.getStep());
    if (step)
      lowering.checks().checkNotZero(step, "ValueError",
                                     "slice step cannot be zero",
                                     lowering.getOptions().checkBounds, loc);
    if (step)
      step = boundStep(step, getDim(builder, value, own, loc), loc);
    SmallVector<Value> bounds;
    builder.createOrFold<pyk::SliceBoundsOp>(
        bounds, loc, getDim(builder, value, own, loc), lower, upper, step);
    llvm::append_range(numbers, bounds);
    if (step)
      numbers.push_back(step);
  }
  if (!selection.indexed.isElement())
    selection.view = pyk::ViewOp::create(
        builder, loc, value, numbers, selection.indexed.getAxisList(),
        cast<ArrayType>(selection.indexed.result).getLayout());
  return selection;
}

/// `step` of a slice of `extent` elements, or one that takes the same elements
/// and whose product with a stride fits in 64 bits: steps beyond the extent
/// take one element at most.
Value ArrayLowering::boundStep(Value step, Value extent, Location loc) {
  constexpr unsigned smallBits = 16;
  APInt constant;
  if (matchPattern(step, m_ConstantInt(&constant)) &&
      constant.isSignedIntN(smallBits))
    return step;
  Type wide = builder.getI64Type();
  Value most = builder.createOrFold<arith::MaxSIOp>(
      loc, extent, makeInteger(builder, 1, wide, loc));
  Value least = builder.createOrFold<arith::SubIOp>(
      loc, makeInteger(builder, 0, wide, loc), most);
  step = builder.createOrFold<arith::MinSIOp>(loc, step, most);
  return builder.createOrFold<arith::MaxSIOp>(loc, step, least);
}

Binding ArrayLowering::load(const Binding &array, ValueRange indices,
                            Location loc) {
  Value value = array.parts.front();
  auto type = cast<ArrayType>(array.type);
  if (type.getRecord())
    return {type.getElement(),
            {lowering.records().getRecord(value, indices, loc)}};
  if (auto chars = dyn_cast<CharsType>(type.getElementType()))
    return lowering.texts().loadText(value, indices, chars, loc);
  if (auto vector = dyn_cast<ShortVectorType>(type.getElementType()))
    return lowering.vectors().loadVector(value, indices, vector, loc);
  return {type.getElementType(),
          {pyk::LoadOp::create(builder, loc, value, indices)}};
}

SmallVector<Value> ArrayLowering::getElementIndices(const Binding &array,
                                                    const Binding &index,
                                                    StringRef name,
                                                    Location loc) {
  return select(array, index, name, loc).numbers;
}

Binding ArrayLowering::getIndexed(const Binding &array, const Binding &index,
                                  StringRef name, Location loc) {
  Selection selection = select(array, index, name, loc);
  if (selection.indexed.isElement())
    return load(array, selection.numbers, loc);
  return {selection.indexed.result, {selection.view}};
}

Binding ArrayLowering::getRow(const Binding &array, Value position,
                              Location loc) {
  auto type = cast<ArrayType>(array.type);
  if (type.getRank() == 1)
    return load(array, position, loc);
  SmallVector<Axis> axes(type.getRank(), Axis::Whole);
  axes.front() = Axis::Index;
  Type row = getIterated(type);
  return {row,
          {pyk::ViewOp::create(builder, loc, array.parts.front(), position,
                               axes, cast<ArrayType>(row).getLayout())}};
}

/// Whether two arrays of one type have the same elements, in the same order.
Value ArrayLowering::areOneArray(Value a, Value b, Location loc) {
  Type wide = builder.getI64Type();
  Value result = makeInteger(builder, 1, builder.getI1Type(), loc);
  auto compare = [&](Value left, Value right) {
    Value isEqual = builder.createOrFold<arith::CmpIOp>(
        loc, arith::CmpIPredicate::eq, left, right);
    result = builder.createOrFold<arith::AndIOp>(loc, result, isEqual);
  };
  compare(pyk::DistanceOp::create(builder, loc, a, b),
          makeInteger(builder, 0, builder.getI64Type(), loc));
  for (int64_t dimension = 0;
       dimension != cast<ArrayType>(a.getType()).getRank(); ++dimension) {
    compare(getDim(builder, a, dimension, loc),
            getDim(builder, b, dimension, loc));
    compare(pyk::StrideOp::create(builder, loc, wide, a, dimension),
            pyk::StrideOp::create(builder, loc, wide, b, dimension));
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Stores
//===----------------------------------------------------------------------===//

bool py::isComputedInplace(Value value) {
  auto op = value.getDefiningOp<BinaryOp>();
  return op && isa<ArrayType>(op.getType());
}

void ArrayLowering::lower(SetSubscriptOp op) {
  if (isComputedInplace(op.getValue()))
    return;
  const Binding value = lowering.get(op.getValue()),
                array = lowering.get(op.getObject());
  Location loc = op.getLoc();
  if (std::optional<uint64_t> field = op.getPosition())
    return lowering.records().setField(value, array, *field, loc);
  if (auto flat = dyn_cast<FlatType>(array.type))
    return storeElement(value, array.parts.front(),
                        lowering.ndRanges().getFlatIndices(
                            array, lowering.get(op.getIndex()), loc),
                        cast<ArrayType>(flat.getArray()).getElementType(), loc);
  const Binding &index = lowering.get(op.getIndex());
  std::string name = lowering.checks().describeArray(op.getObject());
  if (auto item = findArrayItem(index.type, cast<ArrayType>(array.type)))
    return scatter(value, array, index, *item, name, loc);
  storeAt(value, array, index, name, loc);
}

void ArrayLowering::storeAt(const Binding &value, const Binding &array,
                            const Binding &index, StringRef name,
                            Location loc) {
  Type element = cast<ArrayType>(array.type).getElementType();
  Selection selection = select(array, index, name, loc);
  if (!selection.indexed.isElement())
    return store(value, selection.view, element, loc);
  // An array without dimensions is as good as its element.
  Binding scalar = isa<ArrayType>(value.type) ? load(value, {}, loc) : value;
  storeElement(scalar, array.parts.front(), selection.numbers, element, loc);
}

/// Stores a number wherever the array says that is the item `selector` of the
/// index: at each of its numbers, or where it is true.
void ArrayLowering::scatter(const Binding &value, const Binding &array,
                            const Binding &index, unsigned selector,
                            StringRef name, Location loc) {
  OpBuilder::InsertionGuard guard(builder);
  Binding items = index;
  items.type = TupleType::get(context, getIndexItems(index.type));
  Binding positions = getItem(items, selector);
  Type wide = builder.getI64Type();
  auto loop =
      scf::ForOp::create(builder, loc, makeInteger(builder, 0, wide, loc),
                         getDim(builder, positions.parts.front(), 0, loc),
                         makeInteger(builder, 1, wide, loc));
  builder.setInsertionPointToStart(loop.getBody());
  Binding position = load(positions, loop.getInductionVar(), loc);
  if (isBool(position.type)) {
    auto test = scf::IfOp::create(builder, loc, position.parts.front(),
                                  /*withElseRegion=*/false);
    builder.setInsertionPointToStart(test.thenBlock());
    position = {IntegerType::get(context, 64, IntegerType::Signed),
                {loop.getInductionVar()}};
  }
  Binding own{Type(), {}};
  SmallVector<Type> types;
  for (unsigned item = 0; item != cast<TupleType>(items.type).size(); ++item) {
    Binding part = item == selector ? position : getItem(items, item);
    types.push_back(part.type);
    llvm::append_range(own.parts, part.parts);
  }
  own.type = TupleType::get(context, types);
  storeAt(value, array, own, name, loc);
}

void ArrayLowering::storeElement(const Binding &value, Value array,
                                 ValueRange indices, Type element,
                                 Location loc) {
  if (isa<ShortVectorType>(value.type))
    lowering.vectors().storeVector(value, array, indices, loc);
  else if (isa<RecordType>(element))
    pyk::CopyRecordOp::create(builder, loc, value.parts.front(),
                              lowering.records().getRecord(array, indices, loc),
                              /*is_volatile=*/false);
  else if (auto chars = dyn_cast<CharsType>(element))
    lowering.texts().storeText(value, array, indices, chars, loc);
  else
    pyk::StoreOp::create(builder, loc,
                         lowering.convert(value, element, loc).parts.front(),
                         array, indices);
}

void ArrayLowering::store(
    const Binding &value, Value target, Type element, Location loc,
    function_ref<Binding(const Binding &, const Binding &)> combine) {
  if (auto tuple = dyn_cast<TupleType>(value.type)) {
    Type wide = builder.getI64Type();
    int64_t length = tuple.size();
    lowering.checks().checkFits(
        makeInteger(builder, length, wide, loc),
        makeInteger(builder, 0, builder.getI1Type(), loc),
        getDim(builder, target, 0, loc),
        /*dimension=*/0, loc);
    for (int64_t item = 0; item != length; ++item)
      storeElement(getItem(value, item), target,
                   makeInteger(builder, item, wide, loc), element, loc);
    return;
  }
  SliceStore(lowering, value, target, element, combine, loc).run();
}

Binding ArrayLowering::computeInplace(BinaryOp op) {
  const Binding array = lowering.get(op.getLhs()),
                operand = lowering.get(op.getRhs());
  Location loc = op.getLoc();
  Type element = cast<ArrayType>(array.type).getElementType();
  store(operand, array.parts.front(), element, loc,
        [&](const Binding &old, const Binding &number) {
          Type type = getInplaceType(op.getKind(), old.type, number.type,
                                     lowering.getTyping());
          return lowering.operators().makeBinary(op.getKind(), old, number,
                                                 type, loc);
        });
  return array;
}

Value ArrayLowering::reshape(Value array, ArrayType type,
                             ArrayRef<Value> extents, Location loc) {
  SmallVector<Value> open;
  for (auto [position, extent] : llvm::enumerate(type.getShape()))
    if (ShapedType::isDynamic(extent))
      open.push_back(extents[position]);
  return pyk::ReshapeOp::create(
      builder, loc,
      cast<ArrayType>(array.getType()).withShape(type.getShape(), Layout::C),
      array, open);
}
