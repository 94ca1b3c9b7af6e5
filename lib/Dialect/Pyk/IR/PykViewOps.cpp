// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Syntax and verification of views. Their folds are in PykViewFolds.cpp.

#include "pyk/Dialect/Pyk/IR/PykViewOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace pyk;

#define GET_OP_CLASSES
#include "pyk/Dialect/Pyk/IR/PykViewOps.cpp.inc"

void PykDialect::registerViewOps() {
  addOperations<
#define GET_OP_LIST
#include "pyk/Dialect/Pyk/IR/PykViewOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Axes
//===----------------------------------------------------------------------===//

/// How many numbers an axis has.
static unsigned countNumbers(Axis axis) {
  switch (axis) {
  case Axis::Index:
    return 1;
  case Axis::Part:
    return 2;
  case Axis::Strided:
    return 3;
  case Axis::Whole:
  case Axis::New:
    return 0;
  }
  llvm_unreachable("an axis of the enumeration");
}

ParseResult
pyk::parseAxes(OpAsmParser &parser,
               SmallVectorImpl<OpAsmParser::UnresolvedOperand> &numbers,
               ArrayAttr &axes) {
  SmallVector<Attribute> parsed;
  auto add = [&](Axis axis) {
    parsed.push_back(AxisAttr::get(parser.getContext(), axis));
    return success();
  };
  auto parseAxis = [&]() -> ParseResult {
    if (succeeded(parser.parseOptionalStar()))
      return add(Axis::Whole);
    if (succeeded(parser.parseOptionalKeyword("new")))
      return add(Axis::New);
    if (parser.parseOperand(numbers.emplace_back()))
      return failure();
    if (failed(parser.parseOptionalColon()))
      return add(Axis::Index);
    if (parser.parseOperand(numbers.emplace_back()))
      return failure();
    if (failed(parser.parseOptionalColon()))
      return add(Axis::Part);
    if (parser.parseOperand(numbers.emplace_back()))
      return failure();
    return add(Axis::Strided);
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseAxis))
    return failure();
  axes = parser.getBuilder().getArrayAttr(parsed);
  return success();
}

void pyk::printAxes(OpAsmPrinter &printer, Operation *, OperandRange numbers,
                    ArrayAttr axes) {
  printer << '[';
  llvm::interleaveComma(axes.getAsRange<AxisAttr>(), printer, [&](AxisAttr a) {
    Axis axis = a.getValue();
    if (axis == Axis::Whole)
      printer << '*';
    if (axis == Axis::New)
      printer << "new";
    unsigned count = countNumbers(axis);
    llvm::interleave(numbers.take_front(count), printer, " : ");
    numbers = numbers.drop_front(count);
  });
  printer << ']';
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

ArrayType ViewOp::getViewType(ArrayType source, ArrayRef<Axis> axes,
                              Layout layout) {
  SmallVector<int64_t> shape;
  int64_t dimension = 0;
  for (Axis axis : axes) {
    if (axis == Axis::New)
      shape.push_back(1);
    else if (axis == Axis::Whole)
      shape.push_back(source.getShape()[dimension]);
    else if (axis != Axis::Index)
      shape.push_back(ArrayType::kDynamic);
    dimension += axis != Axis::New;
  }
  return source.withShape(shape, layout);
}

bool ViewOp::canHaveLayout(ArrayType source, ArrayRef<Axis> axes,
                           Layout layout) {
  auto isKept = [](Axis axis) {
    return axis != Axis::Index && axis != Axis::New;
  };
  if (llvm::none_of(axes, [](Axis axis) { return axis != Axis::Index; }))
    return layout == Layout::C;
  if (layout == Layout::Any)
    return true;
  if (source.getLayout() != layout)
    return false;
  // From the dimension with the largest stride on.
  SmallVector<Axis> order(axes);
  if (layout == Layout::F)
    std::reverse(order.begin(), order.end());
  auto *first = llvm::find_if(order, isKept);
  return first == order.end() ||
         (*first != Axis::Strided &&
          std::all_of(std::next(first), order.end(), [](Axis axis) {
            return axis == Axis::Whole || axis == Axis::New;
          }));
}

void ViewOp::build(OpBuilder &builder, OperationState &state, Value array,
                   ValueRange numbers, ArrayRef<Axis> axes, Layout layout) {
  SmallVector<Attribute> attributes;
  for (Axis axis : axes)
    attributes.push_back(AxisAttr::get(builder.getContext(), axis));
  build(builder, state,
        getViewType(cast<ArrayType>(array.getType()), axes, layout), array,
        numbers, builder.getArrayAttr(attributes));
}

SmallVector<Axis> ViewOp::getAxisList() {
  return llvm::map_to_vector(getAxes().getAsRange<AxisAttr>(),
                             [](AxisAttr axis) { return axis.getValue(); });
}

SmallVector<ViewOp::Part> ViewOp::getParts() {
  SmallVector<Part> parts;
  int64_t source = 0, result = 0;
  OperandRange numbers = getNumbers();
  for (Axis axis : getAxisList()) {
    Part part{axis,
              axis == Axis::New ? -1 : source++,
              axis == Axis::Index ? -1 : result++,
              {},
              {},
              {}};
    Value *fields[] = {&part.first, &part.count, &part.step};
    unsigned count = countNumbers(axis);
    for (unsigned position = 0; position != count; ++position)
      *fields[position] = numbers[position];
    numbers = numbers.drop_front(count);
    parts.push_back(part);
  }
  return parts;
}

ViewedDimension ViewOp::getViewedDimension(int64_t dimension) {
  SmallVector<Part> parts = getParts();
  const Part &part = *llvm::find_if(
      parts, [&](const Part &part) { return part.result == dimension; });
  ViewedDimension from;
  from.extent = part.count ? -1 : part.source;
  from.count = part.count;
  from.stride = part.source;
  from.step = part.step;
  return from;
}

SmallVector<int64_t> ViewOp::getPlacingDimensions() {
  SmallVector<int64_t> dimensions;
  for (const Part &part : getParts())
    if (part.first)
      dimensions.push_back(part.source);
  return dimensions;
}

LogicalResult ViewOp::verify() {
  ArrayType source = getArray().getType(), result = getResult().getType();
  SmallVector<Axis> axes = getAxisList();
  // view_c1
  int64_t given =
      llvm::count_if(axes, [](Axis axis) { return axis != Axis::New; });
  if (given != source.getRank())
    return emitOpError("expects an axis for each of ")
           << source.getRank() << " dimensions but got " << given;
  // view_c2
  size_t numbers = 0;
  for (Axis axis : axes)
    numbers += countNumbers(axis);
  if (numbers != getNumbers().size())
    return emitOpError("expects ")
           << numbers << " numbers for its axes but got "
           << getNumbers().size();
  // view_c3
  ArrayType expected = getViewType(source, axes, result.getLayout());
  if (result != expected)
    return emitOpError("expects a view of type ")
           << expected << " but got " << result;
  // view_c4
  if (!canHaveLayout(source, axes, result.getLayout()))
    return emitOpError("cannot yield a view of layout ")
           << stringifyLayout(result.getLayout()) << " of " << source;
  return success();
}

//===----------------------------------------------------------------------===//
// Transposition
//===----------------------------------------------------------------------===//

/// True if `order` is the dimensions in order, counted by `step` from `first`.
static bool countsFrom(ArrayRef<int64_t> order, int64_t first, int64_t step) {
  return llvm::all_of(llvm::enumerate(order), [&](auto entry) {
    return entry.value() == first + step * static_cast<int64_t>(entry.index());
  });
}

ArrayType TransposeOp::getTransposedType(ArrayType source,
                                         ArrayRef<int64_t> order,
                                         Layout layout) {
  auto shape = llvm::map_to_vector(
      order, [&](int64_t dimension) { return source.getShape()[dimension]; });
  return source.withShape(shape, layout);
}

bool TransposeOp::canHaveLayout(ArrayType source, ArrayRef<int64_t> order,
                                Layout layout) {
  Layout own = source.getLayout();
  if (layout == Layout::Any)
    return true;
  if (countsFrom(order, 0, 1) && layout == own)
    return true;
  return countsFrom(order, source.getRank() - 1, -1) && own != Layout::Any &&
         layout == (own == Layout::C ? Layout::F : Layout::C);
}

void TransposeOp::build(OpBuilder &builder, OperationState &state, Value array,
                        ArrayRef<int64_t> order, Layout layout) {
  build(builder, state,
        getTransposedType(cast<ArrayType>(array.getType()), order, layout),
        array, order);
}

ViewedDimension TransposeOp::getViewedDimension(int64_t dimension) {
  ViewedDimension from;
  from.extent = from.stride = getOrder()[dimension];
  return from;
}

std::optional<SmallVector<Value>>
TransposeOp::getViewedIndices(ValueRange indices, OpBuilder &, Location) {
  SmallVector<Value> viewed(indices.size());
  for (auto [index, dimension] : llvm::zip(indices, getOrder()))
    viewed[dimension] = index;
  return viewed;
}

LogicalResult TransposeOp::verify() {
  ArrayType source = getArray().getType(), result = getResult().getType();
  // transpose_c1
  SmallVector<int64_t> sorted(getOrder());
  llvm::sort(sorted);
  if (static_cast<int64_t>(sorted.size()) != source.getRank() ||
      !countsFrom(sorted, 0, 1))
    return emitOpError("expects each of ")
           << source.getRank() << " dimensions once but got [" << getOrder()
           << "]";
  // transpose_c2
  ArrayType expected =
      getTransposedType(source, getOrder(), result.getLayout());
  if (result != expected)
    return emitOpError("expects a result of type ")
           << expected << " but got " << result;
  // transpose_c3
  if (!canHaveLayout(source, getOrder(), result.getLayout()))
    return emitOpError("cannot yield layout ")
           << stringifyLayout(result.getLayout()) << " of " << source;
  return success();
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

void ElementOp::build(OpBuilder &builder, OperationState &state, Value array,
                      Value offset, ValueRange indices) {
  build(builder, state, cast<ArrayType>(array.getType()).getElementView(),
        array, offset, indices, /*exact=*/Value());
}

ViewedDimension ElementOp::getViewedDimension(int64_t) {
  llvm_unreachable("an element has no dimensions");
}

//===----------------------------------------------------------------------===//
// Reshaping and casts
//===----------------------------------------------------------------------===//

/// Its strides follow from its own extents.
ViewedDimension ReshapeOp::getViewedDimension(int64_t dimension) {
  ViewedDimension from;
  ArrayRef<int64_t> shape = getType().getShape();
  if (ShapedType::isDynamic(shape[dimension]))
    from.count = getExtents()[llvm::count_if(shape.take_front(dimension),
                                             ShapedType::isDynamic)];
  return from;
}

LogicalResult ReshapeOp::verify() {
  ArrayType source = getArray().getType(), result = getResult().getType();
  // reshape_c1
  bool isInOrder = source.getLayout() == Layout::C ||
                   (source.getLayout() == Layout::F && source.getRank() < 2);
  if (!isInOrder || result != source.withShape(result.getShape(), Layout::C))
    return emitOpError("expects arrays of layout c that differ in shape only "
                       "but got ")
           << source << " and " << result;
  // reshape_c2
  size_t dynamic = llvm::count_if(result.getShape(), ShapedType::isDynamic);
  if (getExtents().size() != dynamic)
    return emitOpError("expects ") << dynamic << " extents for " << result
                                   << " but got " << getExtents().size();
  return success();
}

ViewedDimension CastOp::getViewedDimension(int64_t dimension) {
  ViewedDimension from;
  from.extent = from.stride = dimension;
  return from;
}

std::optional<SmallVector<Value>>
CastOp::getViewedIndices(ValueRange indices, OpBuilder &, Location) {
  return SmallVector<Value>(indices);
}

LogicalResult CastOp::verify() {
  ArrayType source = getArray().getType(), result = getResult().getType();
  // cast_c1
  if (source.getElementType() != result.getElementType() ||
      source.getRank() != result.getRank())
    return emitOpError("expects the element type and rank of ")
           << source << " but got " << result;
  // cast_c2, cast_c3: nothing is learned where both have no more in common than
  // the result says.
  if (source.unifyWith(result) != result)
    return emitOpError("expects a type that says less than ")
           << source << " but got " << result;
  return success();
}

//===----------------------------------------------------------------------===//
// Other elements
//===----------------------------------------------------------------------===//

ArrayType ReinterpretOp::getReinterpretedType(ArrayType source,
                                              Type elementType) {
  int64_t from = source.getElementBytes(),
          to = ArrayType::getBytes(elementType);
  SmallVector<int64_t> shape(source.getShape());
  if (from != to) {
    if (shape.empty() || source.getLayout() != Layout::C ||
        (from % to != 0 && to % from != 0))
      return {};
    int64_t &last = shape.back();
    if (!ShapedType::isDynamic(last))
      last = last * from / to;
  }
  int64_t alignment = std::min(source.getAlignment(),
                               ArrayType::getNaturalAlignment(elementType));
  return ArrayType::get(source.getContext(), shape, elementType,
                        source.getLayout(), source.getSpace(),
                        source.getReadonly(), alignment);
}

/// Of elements of another size the layout is c. Strides then follow from its
/// own extents, of which the last may be rounded.
ViewedDimension ReinterpretOp::getViewedDimension(int64_t dimension) {
  ViewedDimension from;
  from.extent = dimension;
  int64_t own = getArray().getType().getElementBytes(),
          other = getType().getElementBytes();
  if (own == other) {
    from.stride = dimension;
  } else if (dimension + 1 == getType().getRank()) {
    from.multiplier = std::max<int64_t>(own / other, 1);
    from.divisor = std::max<int64_t>(other / own, 1);
  }
  return from;
}

LogicalResult ReinterpretOp::verify() {
  ArrayType source = getArray().getType(), result = getType();
  ArrayType expected = getReinterpretedType(source, result.getElementType());
  // reinterpret_c1, reinterpret_c2
  if (!expected)
    return emitOpError("cannot take ")
           << source << " as elements of " << result.getElementType();
  if (result != expected)
    return emitOpError("expects elements in an array of type ")
           << expected << " but got " << result;
  return success();
}
