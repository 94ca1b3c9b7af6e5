// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The abstract interpreter: values that stand for others. Where an operation
// takes plain values only, `py.unwrap` is put before it, so the rules for that
// operation know no others.

#include "OperandTyping.h"
#include "ItemTyping.h"
#include "mlir/IR/Builders.h"
#include "pyk/Dialect/Py/IR/Wrappers.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

FailureOr<Fact> OperandTyping::evaluate(UnwrapOp op) {
  Fact fact = inference.get(op.getValue());
  // What is known of the value is known of what it stands for.
  if (fact.type)
    fact.type = getUnwrapped(fact.type);
  return fact;
}

/// Gives the operation what `operand` stands for.
Fact OperandTyping::unwrap(OpOperand &operand) {
  OpBuilder builder(operand.getOwner());
  Value value = operand.get();
  auto op = UnwrapOp::create(builder, value.getLoc(), ObjectType::get(context),
                             value);
  inference.record(op.getResult(), *evaluate(op));
  operand.set(op.getResult());
  return inference.get(op.getResult());
}

Fact OperandTyping::getPlain(OpOperand &operand) {
  Fact fact = inference.get(operand.get());
  while (fact.type && unwrapOnce(fact.type))
    fact = unwrap(operand);
  return fact;
}

Fact OperandTyping::getPlainItems(OpOperand &operand) {
  Fact fact = getPlain(operand);
  return fact.type && unwrapAll(fact.type) != fact.type ? unwrap(operand)
                                                        : fact;
}

Fact OperandTyping::getElement(OpOperand &operand) {
  Fact fact = inference.get(operand.get());
  auto array = dyn_cast_if_present<ArrayType>(fact.type);
  if (!array || array.getRank() != 0 || array.getRecord())
    return fact;
  OpBuilder builder(operand.getOwner());
  Location loc = operand.get().getLoc();
  Type object = ObjectType::get(context);
  auto index =
      TupleOp::create(builder, loc, object, ValueRange(), DenseI64ArrayAttr());
  inference.record(index, *inference.items().evaluate(index));
  auto element = SubscriptOp::create(builder, loc, object, operand.get(), index,
                                     IntegerAttr(), DenseI64ArrayAttr());
  inference.record(element, *inference.items().evaluate(element));
  operand.set(element);
  return inference.get(element);
}

Fact OperandTyping::getNumber(OpOperand &operand) {
  getPlain(operand);
  return getElement(operand);
}

Fact OperandTyping::getIndex(OpOperand &operand) {
  getElement(operand);
  auto isElement = [&](Value item) {
    auto array = dyn_cast_if_present<ArrayType>(inference.get(item).type);
    return array && array.getRank() == 0 && !array.getRecord();
  };
  auto display = operand.get().getDefiningOp<TupleOp>();
  if (display && llvm::any_of(display.getItems(), isElement)) {
    OpBuilder builder(operand.getOwner());
    auto own = cast<TupleOp>(builder.clone(*display));
    for (OpOperand &item : own.getItemsMutable())
      getElement(item);
    inference.record(own, *inference.items().evaluate(own));
    operand.set(own);
  }
  return getPlainItems(operand);
}

Fact OperandTyping::getPresent(OpOperand &operand) {
  Fact fact = inference.get(operand.get());
  return isa_and_present<OptionalType>(fact.type) ? unwrap(operand) : fact;
}
