// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The abstract interpreter: items of tuples and text, and what else has an
// index.

#include "ItemTyping.h"
#include "ArrayTyping.h"
#include "LaunchTyping.h"
#include "OperandTyping.h"
#include "UnpackTyping.h"
#include "pyk/Dialect/Py/IR/Chars.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Dialect/Pyk/IR/PykViewOps.h"
#include "pyk/Support/Diagnostics.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

FailureOr<Fact> ItemTyping::evaluate(SubscriptOp op) {
  Fact object = inference.operands().getPlain(op.getObjectMutable()),
       index = inference.operands().getIndex(op.getIndexMutable());
  if (!object.type || !index.type)
    return Fact();
  if (auto array = dyn_cast<ArrayType>(object.type)) {
    FailureOr<Type> indexed =
        inference.arrays().getSelected(op, op.getIndex(), array);
    return failed(indexed) ? FailureOr<Fact>(failure())
                           : FailureOr<Fact>(makeTyped(*indexed));
  }
  if (auto flat = dyn_cast<FlatType>(object.type)) {
    if (failed(checkFlatIndex(op.getIndex())))
      return failure();
    return makeTyped(cast<ArrayType>(flat.getArray()).getElement());
  }
  auto callee = dyn_cast<StaticType>(object.type);
  if (auto kernel = callee ? dyn_cast<FlatSymbolRefAttr>(callee.getValue())
                           : FlatSymbolRefAttr())
    return inference.launches().configure(op, kernel, index);
  if (isText(object.type))
    return getCharacter(op, object.type);
  if (!isa<TupleType>(object.type))
    return emitTypingError(op.getObject().getLoc())
           << "expects an array or a tuple to index but got "
           << describe(object.type);
  return isa<SliceType>(index.type) ? getItems(op, object)
                                    : getItem(op, object);
}

LogicalResult ItemTyping::checkFlatIndex(Value index) {
  Type type = inference.get(index).type;
  if (isInteger(type))
    return success();
  return emitTypingError(index.getLoc())
         << "expects an integer as index of 'flat' but got " << describe(type);
}

FailureOr<Fact> ItemTyping::getItems(SubscriptOp op, const Fact &object) {
  auto tuple = cast<TupleType>(object.type);
  auto slice = op.getIndex().getDefiningOp<SliceOp>();
  IntegerAttr bounds[3];
  for (auto [position, bound] : llvm::enumerate(bounds)) {
    Value operand = slice ? slice->getOperand(position) : Value();
    if (operand && isa<NoneType>(inference.get(operand).type))
      continue;
    auto known =
        operand ? dyn_cast_if_present<IntAttr>(inference.get(operand).constant)
                : nullptr;
    if (!known)
      return emitTypingError(op.getIndex().getLoc())
             << "expects a slice with constant bounds for " << describe(tuple);
    bound = known.getValue();
  }
  auto [first, count] = getSliceBounds(static_cast<int64_t>(tuple.size()),
                                       bounds[0], bounds[1], bounds[2]);
  int64_t step = bounds[2] ? bounds[2].getValue().getSExtValue() : 1;
  auto known = dyn_cast_if_present<ArrayAttr>(object.constant);
  SmallVector<Type> types;
  SmallVector<Attribute> constants;
  SmallVector<int64_t> taken;
  for (int64_t iteration = 0; iteration != count; ++iteration) {
    taken.push_back(first + iteration * step);
    types.push_back(tuple.getType(taken.back()));
    constants.push_back(known ? known[taken.back()]
                              : Attribute(UnitAttr::get(context)));
  }
  inference.getAnnotations().setSelection(op, taken);
  Fact result = makeTyped(TupleType::get(context, types));
  result.constant = makeTupleConstant(context, constants);
  result.isLiteral = result.constant && object.isLiteral;
  return result;
}

FailureOr<Fact> ItemTyping::getItem(SubscriptOp op, const Fact &object) {
  Fact index = inference.get(op.getIndex());
  auto tuple = cast<TupleType>(object.type);
  if (!isInteger(index.type))
    return emitTypingError(op.getIndex().getLoc())
           << "expects an integer as index of a tuple but got "
           << describe(index.type);
  inference.getAnnotations().setPosition(op, std::nullopt);
  // A name with one assignment is a constant here too.
  Attribute known = index.constant
                        ? index.constant
                        : inference.getBranches().getConstant(op.getIndex());
  IntegerAttr position = dyn_cast_if_present<IntegerAttr>(known);
  if (auto integer = dyn_cast_if_present<IntAttr>(known))
    position = integer.getValue();
  int64_t size = tuple.size();
  if (position && !isa<BoolAttr>(position)) {
    int64_t value = position.getValue().getSExtValue();
    if (value < -size || value >= size)
      return emitTypingError(op.getIndex().getLoc())
             << "expects an index from " << -size << " to " << size - 1
             << " for " << describe(tuple) << " but got " << value;
    value += value < 0 ? size : 0;
    inference.getAnnotations().setPosition(op, value);
    return getTupleItem(object, value);
  }
  Type common = getCommonItem(tuple);
  if (!common) {
    InFlightDiagnostic error = emitTypingError(op.getIndex().getLoc());
    error << "expects a constant index for " << describe(tuple)
          << ", whose items differ in type";
    error.attachNote() << "numba.literal_unroll makes it one in a loop: 'for i "
                          "in literal_unroll(range("
                       << size << "))', or 'for item in literal_unroll(...)'";
    return error;
  }
  return makeTyped(common);
}

FailureOr<Fact> ItemTyping::getCharacter(SubscriptOp op, Type text) {
  Fact index = inference.get(op.getIndex());
  Location loc = op.getIndex().getLoc();
  if (!isInteger(index.type)) {
    InFlightDiagnostic error = emitTypingError(loc);
    error << "expects an integer as index of " << describe(text) << " but got "
          << describe(index.type);
    if (isa<SliceType>(index.type))
      error.attachNote() << "compare its characters one by one";
    return error;
  }
  auto chars = dyn_cast<CharsType>(text);
  bool isStr = getCharsKind(text) == CharsKind::Str;
  SmallVector<uint32_t> codes;
  if (!chars)
    codes = getCodes(text);
  int64_t length = chars ? chars.getLength() : codes.size();
  Attribute known = index.constant
                        ? index.constant
                        : inference.getBranches().getConstant(op.getIndex());
  auto position = dyn_cast_if_present<IntAttr>(known);
  int64_t value = position ? position.getValue().getValue().getSExtValue() : 0;
  if (length == 0 || value < -length || value >= length)
    return emitTypingError(loc) << "index " << value << " is out of range for "
                                << describe(text) << " of length " << length;
  if (isStr)
    return makeTyped(CharsType::get(context, CharsKind::Str, 1));
  // Numba's type of the items of bytes is that of an array's.
  return makeTyped(
      IntegerType::get(context, chars ? 32 : 8, IntegerType::Unsigned));
}

FailureOr<Fact> ItemTyping::evaluate(TupleOp op) {
  if (DenseI64ArrayAttr starred = op.getStarredAttr()) {
    FailureOr<bool> isKnown =
        inference.unpacking().expandStarred(op.getItemsMutable(), starred);
    if (failed(isKnown))
      return failure();
    if (!*isKnown)
      return Fact();
    op.removeStarredAttr();
  }
  SmallVector<Fact> items;
  for (Value item : op.getItems()) {
    items.push_back(inference.get(item));
    if (!items.back().type)
      return Fact();
  }
  return makeTuple(context, items);
}
