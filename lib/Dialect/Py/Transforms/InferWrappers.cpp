// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The abstract interpreter: values that stand for others. Where an operation
// takes plain values only, `py.unwrap` is put before it, so the rules for that
// operation know no others.

#include "Inference.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Dialect/Py/IR/Wrappers.h"
#include "pyk/Support/Diagnostics.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

FailureOr<Fact> FunctionInference::evaluate(UnwrapOp op) {
  Fact fact = get(op.getValue());
  // What is known of the value is known of what it stands for.
  if (fact.type)
    fact.type = getUnwrapped(fact.type);
  return fact;
}

/// Gives the operation what `operand` stands for.
Fact FunctionInference::unwrap(OpOperand &operand) {
  OpBuilder builder(operand.getOwner());
  Value value = operand.get();
  auto op = UnwrapOp::create(builder, value.getLoc(), ObjectType::get(context),
                             value);
  record(op.getResult(), *evaluate(op));
  operand.set(op.getResult());
  return get(op.getResult());
}

Fact FunctionInference::getPlain(OpOperand &operand) {
  Fact fact = get(operand.get());
  while (fact.type && unwrapOnce(fact.type))
    fact = unwrap(operand);
  return fact;
}

Fact FunctionInference::getPlainItems(OpOperand &operand) {
  Fact fact = getPlain(operand);
  return fact.type && unwrapAll(fact.type) != fact.type ? unwrap(operand)
                                                        : fact;
}

Fact FunctionInference::getElement(OpOperand &operand) {
  Fact fact = get(operand.get());
  auto array = dyn_cast_if_present<ArrayType>(fact.type);
  if (!array || array.getRank() != 0 || array.getRecord())
    return fact;
  OpBuilder builder(operand.getOwner());
  Location loc = operand.get().getLoc();
  Type object = ObjectType::get(context);
  auto index =
      TupleOp::create(builder, loc, object, ValueRange(), DenseI64ArrayAttr());
  record(index, *evaluate(index));
  auto element = SubscriptOp::create(builder, loc, object, operand.get(), index,
                                     IntegerAttr(), DenseI64ArrayAttr());
  record(element, *evaluate(element));
  operand.set(element);
  return get(element);
}

Fact FunctionInference::getNumber(OpOperand &operand) {
  getPlain(operand);
  return getElement(operand);
}

Fact FunctionInference::getIndex(OpOperand &operand) {
  getElement(operand);
  auto isElement = [&](Value item) {
    auto array = dyn_cast_if_present<ArrayType>(get(item).type);
    return array && array.getRank() == 0 && !array.getRecord();
  };
  auto display = operand.get().getDefiningOp<TupleOp>();
  if (display && llvm::any_of(display.getItems(), isElement)) {
    OpBuilder builder(operand.getOwner());
    auto own = cast<TupleOp>(builder.clone(*display));
    for (OpOperand &item : own.getItemsMutable())
      getElement(item);
    record(own, *evaluate(own));
    operand.set(own);
  }
  return getPlainItems(operand);
}

Fact FunctionInference::getPresent(OpOperand &operand) {
  Fact fact = get(operand.get());
  return isa_and_present<OptionalType>(fact.type) ? unwrap(operand) : fact;
}

//===----------------------------------------------------------------------===//
// Named tuples and members of enumerations
//===----------------------------------------------------------------------===//

Fact py::getTupleItem(const Fact &tuple, unsigned position) {
  Fact item = makeTyped(getTuple(tuple.type).getType(position));
  auto items = dyn_cast_if_present<ArrayAttr>(tuple.constant);
  if (items && !isa<UnitAttr>(items[position])) {
    item.constant = items[position];
    item.isLiteral = tuple.isLiteral;
  }
  return item;
}

FailureOr<Fact> FunctionInference::getNamedItem(AttributeOp op,
                                                const Fact &object) {
  auto type = cast<NamedTupleType>(object.type);
  if (std::optional<unsigned> position = type.find(op.getName()))
    return getTupleItem(object, *position);
  InFlightDiagnostic error = emitTypingError(op.getLoc());
  error << describe(type) << " has no attribute '" << op.getName() << "'";
  auto names =
      llvm::map_to_vector(type.getFields().getAsRange<StringAttr>(),
                          [](StringAttr name) { return name.getValue(); });
  StringRef nearest = findNearest(op.getName(), names);
  if (!nearest.empty())
    error.attachNote() << "did you mean '" << nearest << "'?";
  return error;
}

FailureOr<Fact> FunctionInference::makeNamedTuple(CallOp op,
                                                  NamedTupleClassAttr own,
                                                  ArrayRef<Fact> arguments) {
  StringRef name = getShortName(own.getName());
  auto names =
      llvm::map_to_vector(own.getFields().getAsRange<StringAttr>(),
                          [](StringAttr field) { return field.getValue(); });
  FailureOr<Bound> bound =
      bindArguments(op, name, names, arguments, 0, std::nullopt);
  if (failed(bound))
    return failure();
  for (auto [field, fact, value, given] :
       llvm::zip_equal(names, bound->facts, bound->values, own.getDefaults())) {
    if (value)
      continue;
    if (isa<UnitAttr>(given))
      return emitTypingError(op.getLoc())
             << "'" << name << "' is called without argument '" << field << "'";
    fact = makeConstant(given);
  }
  Fact result = makeTuple(context, bound->facts);
  result.type = NamedTupleType::get(context, own.getName(), own.getFields(),
                                    cast<TupleType>(result.type));
  return result;
}
