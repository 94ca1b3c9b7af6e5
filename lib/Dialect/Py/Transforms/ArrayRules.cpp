// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types of attributes and methods of arrays.

#include "AttributeTyping.h"
#include "Conversions.h"
#include "IntrinsicTyping.h"
#include "StoreTyping.h"
#include "pyk/Dialect/Py/IR/Chars.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Dialect/Py/IR/Static.h"
#include "pyk/Dialect/Py/IR/Times.h"
#include "pyk/Dialect/Pyk/IR/PykLimits.h"
#include "pyk/Dialect/Pyk/IR/PykViewOps.h"
#include "pyk/Support/Diagnostics.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

/// The type of `array` with its dimensions reversed.
static ArrayType reverse(ArrayType array) {
  if (array.getRank() < 2)
    return array;
  SmallVector<int64_t> shape(llvm::reverse(array.getShape()));
  Layout layout = array.getLayout();
  if (layout != Layout::Any)
    layout = layout == Layout::C ? Layout::F : Layout::C;
  return array.withShape(shape, layout);
}

/// True if the elements of `array` follow each other in the order of its
/// indices.
static bool isInOrder(ArrayType array) {
  return array.getLayout() == Layout::C ||
         (array.getLayout() == Layout::F && array.getRank() < 2);
}

/// The type of the elements of `array` in one dimension.
static ArrayType flatten(ArrayType array) {
  if (array.getRank() == 1)
    return array;
  int64_t count =
      array.hasStaticShape() ? array.getNumElements() : ArrayType::kDynamic;
  return array.withShape(count, Layout::C);
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

static ArrayType getArray(const AttributeRead &read) {
  return cast<ArrayType>(read.object.type);
}

static FailureOr<Fact> inferElement(AttributeRead &read) {
  return makeConstant(TypeAttr::get(getArray(read).getElementType()));
}

static FailureOr<Fact> inferRank(AttributeRead &read) {
  auto int64 = IntegerType::get(read.context, 64, IntegerType::Signed);
  Fact result = makeConstant(IntAttr::get(
      read.context, IntegerAttr::get(int64, getArray(read).getRank())));
  result.isLiteral =
      read.inference.getBranches().isArgument(read.op.getObject());
  return result;
}

Type py::getSizeType(const FunctionInference &inference, Type object) {
  bool isNarrow = inference.getTyping() == Typing::Narrow;
  auto array = dyn_cast<ArrayType>(object);
  if (isNarrow && array && array.hasStaticShape()) {
    int64_t elements = 1;
    for (int64_t extent : array.getShape())
      isNarrow &=
          extent <= INT32_MAX && !llvm::MulOverflow(elements, extent, elements);
    isNarrow &= elements <= INT32_MAX;
  }
  return IntegerType::get(object.getContext(), isNarrow ? 32 : 64,
                          IntegerType::Signed);
}

static FailureOr<Fact> inferSize(AttributeRead &read) {
  return makeTyped(getSizeType(read.inference, getArray(read)));
}

static FailureOr<Fact> inferExtents(AttributeRead &read) {
  ArrayType array = getArray(read);
  SmallVector<Type> extents(array.getRank(),
                            getSizeType(read.inference, array));
  return makeTyped(TupleType::get(read.context, extents));
}

static FailureOr<Fact> inferStrides(AttributeRead &read) {
  Type int64 = IntegerType::get(read.context, 64, IntegerType::Signed);
  SmallVector<Type> strides(getArray(read).getRank(), int64);
  return makeTyped(TupleType::get(read.context, strides));
}

static FailureOr<Fact> inferReversed(AttributeRead &read) {
  return makeTyped(reverse(getArray(read)));
}

static FailureOr<Fact> inferFlat(AttributeRead &read) {
  ArrayType array = getArray(read);
  if (array.getRank() == 1 || isInOrder(array))
    return makeTyped(flatten(array));
  return makeTyped(FlatType::get(read.context, array));
}

static FailureOr<Fact> inferPart(AttributeRead &read) {
  ArrayType array = getArray(read);
  bool isImag = read.getNumber("part") == 1;
  if (isComplex(array.getElementType()))
    return makeTyped(array.getFieldType(isImag));
  if (isImag)
    return emitTypingError(read.op.getLoc())
           << "expects an array of complex numbers for 'imag' but got "
           << describe(array);
  if (array.getRecord())
    return emitUnknownAttribute(read.op, array);
  return makeTyped(array);
}

static FailureOr<Fact> inferMemory(AttributeRead &read) {
  return makeTyped(
      MethodType::get(read.context, getArray(read), read.row.getMember()));
}

//===----------------------------------------------------------------------===//
// Methods
//===----------------------------------------------------------------------===//

static ArrayType getArray(const IntrinsicCall &call) {
  return cast<ArrayType>(call.types[0]);
}

static FailureOr<Fact> inferFill(IntrinsicCall &call) {
  ArrayType array = getArray(call);
  Type value = call.types[1];
  if (failed(checkWritable(call.locate(0), array)))
    return failure();
  if (array.getRecord())
    return emitTypingError(call.op.getLoc())
           << "'fill' expects an array of numbers but got " << describe(array);
  if (!isNumberOrTime(value) && !isText(value) &&
      !isa<Float8Type, ShortVectorType>(value))
    return call.refuse(1, "a number");
  if (failed(checkConvertible(call.locate(1), value, array.getElementType())))
    return failure();
  return makeTyped(NoneType::get(call.context));
}

static FailureOr<Fact> inferItem(IntrinsicCall &call) {
  return makeTyped(getArray(call).getElement());
}

static FailureOr<Fact> inferRavel(IntrinsicCall &call) {
  ArrayType array = getArray(call);
  if (isInOrder(array))
    return makeTyped(flatten(array));
  return emitTypingError(call.op.getLoc())
         << "expects an array of layout C for 'ravel' but got "
         << describe(array);
}

/// The numbers that a method is given one by one or as one tuple, with what is
/// known of them.
static SmallVector<std::pair<Type, Attribute>>
spread(ArrayRef<Fact> arguments) {
  SmallVector<std::pair<Type, Attribute>> numbers;
  auto tuple = arguments.size() == 1 ? dyn_cast<TupleType>(arguments[0].type)
                                     : TupleType();
  if (!tuple) {
    for (const Fact &argument : arguments)
      numbers.push_back({argument.type, argument.constant});
    return numbers;
  }
  auto known = dyn_cast_if_present<ArrayAttr>(arguments[0].constant);
  for (auto [position, type] : llvm::enumerate(tuple.getTypes()))
    numbers.push_back({type, known ? known[position] : Attribute()});
  return numbers;
}

/// That an array may have the extents of `shape` that are known, of which one
/// may be 0. Emits an error if not.
static LogicalResult checkSize(Location loc, ArrayRef<int64_t> shape) {
  int64_t size = 1;
  for (int64_t extent : shape)
    if (extent > 0 &&
        (llvm::MulOverflow(size, extent, size) || size >= kExtentLimit))
      return emitTypingError(loc)
             << "expects less than 2^48 elements in a shape";
  return success();
}

static FailureOr<Fact> inferReshape(IntrinsicCall &call) {
  ArrayType array = getArray(call);
  Location loc = call.op.getLoc();
  if (!isInOrder(array))
    return emitTypingError(loc)
           << "expects an array of layout C to reshape but got "
           << describe(array);
  if (call.arguments.size() == 1)
    return emitTypingError(loc) << "'reshape' takes a shape";
  SmallVector<int64_t> shape;
  int64_t open = 0;
  for (auto [type, constant] : spread(call.arguments.drop_front())) {
    if (!isInteger(type))
      return emitTypingError(loc)
             << "expects integers as a shape but got " << describe(type);
    auto known = dyn_cast_if_present<IntAttr>(constant);
    int64_t extent = known ? known.getValue().getValue().getSExtValue()
                           : ArrayType::kDynamic;
    open += known && extent < 0;
    shape.push_back(extent < 0 ? ArrayType::kDynamic : extent);
  }
  if (open > 1)
    return emitTypingError(loc)
           << "expects at most one extent of -1 in a shape";
  if (failed(checkSize(loc, shape)))
    return failure();
  return makeTyped(array.withShape(shape, Layout::C));
}

static FailureOr<Fact> inferTranspose(IntrinsicCall &call) {
  ArrayType array = getArray(call);
  if (call.arguments.size() == 1)
    return makeTyped(reverse(array));
  int64_t rank = array.getRank();
  SmallVector<int64_t> order;
  for (auto [type, constant] : spread(call.arguments.drop_front())) {
    auto known = dyn_cast_if_present<IntAttr>(constant);
    int64_t axis = known ? known.getValue().getValue().getSExtValue() : rank;
    order.push_back(axis < 0 ? axis + rank : axis);
  }
  SmallVector<int64_t> sorted(order);
  llvm::sort(sorted);
  if (!llvm::equal(sorted, llvm::seq<int64_t>(rank)))
    return emitTypingError(call.op.getLoc())
           << "expects each dimension of " << describe(array)
           << " once, as constants, to transpose it";
  call.inference.getAnnotations().setSelection(call.op, order);
  SmallVector<int64_t> shape;
  for (int64_t dimension : order)
    shape.push_back(array.getShape()[dimension]);
  return makeTyped(
      array.withShape(shape, rank < 2 ? array.getLayout() : Layout::Any));
}

static FailureOr<Fact> inferView(IntrinsicCall &call) {
  ArrayType array = getArray(call);
  Type element = getNamedDtype(call.types[1]);
  if (!element)
    return call.refuse(1, "a dtype");
  ArrayType result = pyk::ReinterpretOp::getReinterpretedType(array, element);
  if (result)
    return makeTyped(result);
  InFlightDiagnostic error = emitTypingError(call.op.getLoc());
  error << "cannot view " << describe(array) << " as " << describe(element);
  error.attachNote() << "elements of another size have to be a multiple of the "
                        "other in an array of layout C";
  return error;
}

void py::addArrayRules(TypingRules &rules) {
  using intrinsics::TypingRule;
  rules.add(TypingRule::ArrayElement, inferElement);
  rules.add(TypingRule::ArrayRank, inferRank);
  rules.add(TypingRule::ArraySize, inferSize);
  rules.add(TypingRule::ArrayExtents, inferExtents);
  rules.add(TypingRule::ArrayStrides, inferStrides);
  rules.add(TypingRule::ArrayReversed, inferReversed);
  rules.add(TypingRule::ArrayFlat, inferFlat);
  rules.add(TypingRule::ArrayPart, inferPart);
  rules.add(TypingRule::ArrayMemory, inferMemory);
  rules.add(TypingRule::ArrayFill, inferFill);
  rules.add(TypingRule::ArrayItem, inferItem);
  rules.add(TypingRule::ArrayRavel, inferRavel);
  rules.add(TypingRule::ArrayReshape, inferReshape);
  rules.add(TypingRule::ArrayTranspose, inferTranspose);
  rules.add(TypingRule::ArrayView, inferView);
}
