// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The abstract interpreter: attributes, and items of tuples.

#include "Inference.h"
#include "pyk/Dialect/Py/IR/Chars.h"
#include "pyk/Dialect/Py/IR/Indexing.h"
#include "pyk/Dialect/Py/IR/Members.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Dialect/Py/IR/Static.h"
#include "pyk/Dialect/Py/IR/Wrappers.h"
#include "pyk/Dialect/Pyk/IR/PykViewOps.h"
#include "pyk/Support/Diagnostics.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

FailureOr<Fact> FunctionInference::evaluate(AttributeOp op) {
  Fact object = getPresent(op.getObjectMutable());
  if (!object.type)
    return Fact();
  StringRef name = op.getName();
  if (isa<NamedTupleType>(object.type))
    return getNamedItem(op, object);
  if (auto member = dyn_cast<EnumType>(object.type)) {
    if (name == "value") {
      object.type = member.getValue();
      return object;
    }
    object = getPlain(op.getObjectMutable());
  }
  if (auto array = dyn_cast<ArrayType>(object.type))
    if (std::optional<unsigned> field = getAttributeField(array, name)) {
      FailureOr<Type> type = getField(op.getLoc(), array, *field);
      return failed(type) ? FailureOr<Fact>(failure())
                          : FailureOr<Fact>(makeTyped(*type));
    }
  if (const Intrinsic *row = lookupMember(object.type, name))
    return evaluateAttribute(op, *row, object);
  if (getLibraryMethod(op, object.type, name))
    return makeTyped(MethodType::get(context, object.type, name));
  if (auto known = dyn_cast<StaticType>(object.type)) {
    if (auto intrinsic = dyn_cast<IntrinsicAttr>(known.getValue())) {
      std::string member = (intrinsic.getName() + "." + name).str();
      if (const Intrinsic *row = lookupIntrinsic(member)) {
        if (Type type = getValueType(*row, context))
          return makeTyped(type);
        return makeConstant(IntrinsicAttr::get(context, member));
      }
    }
  }
  return emitUnknownAttribute(op, object.type);
}

InFlightDiagnostic FunctionInference::emitUnknownAttribute(AttributeOp op,
                                                           Type type) {
  StringRef name = op.getName();
  auto array = dyn_cast<ArrayType>(type);
  if (array && array.isRecord())
    return emitUnknownField(op.getLoc(), array, name);
  InFlightDiagnostic error = emitTypingError(op.getLoc());
  auto known = dyn_cast<StaticType>(type);
  if (auto module =
          known ? dyn_cast<ModuleAttr>(known.getValue()) : ModuleAttr()) {
    error << describe(type) << " is in a variable, of which '" << name
          << "' cannot be read";
    error.attachNote() << "a module is known by its own name: "
                       << module.getName() << "." << name;
    return error;
  }
  error << describe(type) << " has no attribute '" << name << "'";
  if (isText(type))
    error.attachNote() << kNoTextMade;
  if (!array)
    return error;
  SmallVector<StringRef> members = getMembers(array);
  if (RecordType record = array.getRecord())
    for (FieldAttr field : record.getFields())
      members.push_back(field.getName());
  StringRef nearest = findNearest(name, members);
  if (!nearest.empty())
    error.attachNote() << "did you mean '" << nearest << "'?";
  return error;
}

FailureOr<Fact> FunctionInference::evaluate(SubscriptOp op) {
  Fact object = getPlain(op.getObjectMutable()),
       index = getIndex(op.getIndexMutable());
  if (!object.type || !index.type)
    return Fact();
  if (auto array = dyn_cast<ArrayType>(object.type)) {
    FailureOr<Type> indexed = getSelected(op, op.getIndex(), array);
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
    return configure(op, kernel, index);
  if (isText(object.type))
    return getCharacter(op, object.type);
  if (!isa<TupleType>(object.type))
    return emitTypingError(op.getObject().getLoc())
           << "expects an array or a tuple to index but got "
           << describe(object.type);
  return isa<SliceType>(index.type) ? getItems(op, object)
                                    : getItem(op, object);
}

LogicalResult FunctionInference::checkFlatIndex(Value index) {
  Type type = get(index).type;
  if (isInteger(type))
    return success();
  return emitTypingError(index.getLoc())
         << "expects an integer as index of 'flat' but got " << describe(type);
}

FailureOr<Fact> FunctionInference::getItems(SubscriptOp op,
                                            const Fact &object) {
  auto tuple = cast<TupleType>(object.type);
  auto slice = op.getIndex().getDefiningOp<SliceOp>();
  IntegerAttr bounds[3];
  for (auto [position, bound] : llvm::enumerate(bounds)) {
    Value operand = slice ? slice->getOperand(position) : Value();
    if (operand && isa<NoneType>(get(operand).type))
      continue;
    auto known =
        operand ? dyn_cast_if_present<IntAttr>(get(operand).constant) : nullptr;
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
  SmallVector<int64_t> &taken = selections[op];
  taken.clear();
  for (int64_t turn = 0; turn != count; ++turn) {
    taken.push_back(first + turn * step);
    types.push_back(tuple.getType(taken.back()));
    constants.push_back(known ? known[taken.back()]
                              : Attribute(UnitAttr::get(context)));
  }
  Fact result = makeTyped(TupleType::get(context, types));
  result.constant = makeTupleConstant(context, constants);
  result.isLiteral = result.constant && object.isLiteral;
  return result;
}

FailureOr<Fact> FunctionInference::getItem(SubscriptOp op, const Fact &object) {
  Fact index = get(op.getIndex());
  auto tuple = cast<TupleType>(object.type);
  if (!isInteger(index.type))
    return emitTypingError(op.getIndex().getLoc())
           << "expects an integer as index of a tuple but got "
           << describe(index.type);
  positions.erase(op);
  // A name with one assignment is a constant here too.
  Attribute known =
      index.constant ? index.constant : branches.getConstant(op.getIndex());
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
    positions[op] = value;
    return getTupleItem(object, value);
  }
  Type common = getCommonItem(tuple);
  if (!common)
    return emitTypingError(op.getIndex().getLoc())
           << "expects a constant index for " << describe(tuple)
           << ", whose items differ in type";
  return makeTyped(common);
}

FailureOr<Fact> FunctionInference::evaluate(TupleOp op) {
  if (DenseI64ArrayAttr starred = op.getStarredAttr()) {
    FailureOr<bool> isKnown = expandStarred(op.getItemsMutable(), starred);
    if (failed(isKnown))
      return failure();
    if (!*isKnown)
      return Fact();
    op.removeStarredAttr();
  }
  SmallVector<Fact> items;
  for (Value item : op.getItems()) {
    items.push_back(get(item));
    if (!items.back().type)
      return Fact();
  }
  return makeTuple(context, items);
}
