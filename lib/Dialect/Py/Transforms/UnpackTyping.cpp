// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The abstract interpreter: items of values, one by one. A star stands for as
// many as there are, which is known once the value's type is; from then on the
// items stand in its place.

#include "UnpackTyping.h"
#include "ItemTyping.h"
#include "OperandTyping.h"
#include "mlir/IR/Builders.h"
#include "pyk/Dialect/Py/IR/Indexing.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Support/Diagnostics.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

void UnpackTyping::interpret(UnpackOp op) {
  if (op.getStarred())
    return interpretStarred(op);
  // `a, b = x, y` gives what is known of each, whatever the others are.
  auto display = op.getValue().getDefiningOp<TupleOp>();
  if (display && display.getItems().size() == op.getNumResults()) {
    for (auto [item, source] : llvm::zip(op.getItems(), display.getItems()))
      inference.record(item, inference.get(source));
    return;
  }
  Fact value = inference.operands().getPlain(op.getValueMutable());
  if (!value.type)
    return;
  auto tuple = dyn_cast<TupleType>(value.type);
  if (Type element = tuple ? Type() : getElementOf(value.type)) {
    for (Value item : op.getItems())
      inference.record(item, makeTyped(element));
    return;
  }
  if (!tuple) {
    emitTypingError(op.getValue().getLoc())
        << "expects a tuple or an array to unpack but got "
        << describe(value.type);
    return;
  }
  if (tuple.size() != op.getNumResults()) {
    emitTypingError(op.getLoc())
        << "expects " << op.getNumResults() << " values to unpack but got "
        << tuple.size();
    return;
  }
  for (auto [position, item] : llvm::enumerate(op.getItems()))
    inference.record(item, getTupleItem(value, position));
}

void UnpackTyping::interpretStarred(UnpackOp op) {
  Fact value = inference.operands().getPlain(op.getValueMutable());
  if (!value.type)
    return;
  auto tuple = dyn_cast<TupleType>(value.type);
  if (!tuple) {
    emitTypingError(op.getValue().getLoc())
        << "expects a tuple to unpack into a starred target but got "
        << describe(value.type);
    return;
  }
  size_t others = op.getNumResults() - 1, first = *op.getStarred();
  if (tuple.size() < others) {
    emitTypingError(op.getLoc())
        << "expects at least " << others << " values to unpack but got "
        << tuple.size();
    return;
  }
  OpBuilder builder(op);
  SmallVector<Type> types(tuple.size(), ObjectType::get(context));
  auto all = UnpackOp::create(builder, op.getLoc(), types, op.getValue(),
                              IntegerAttr());
  interpret(all);
  SmallVector<Value> items(all.getItems());
  size_t count = items.size() - others;
  auto rest =
      TupleOp::create(builder, op.getLoc(), ObjectType::get(context),
                      ArrayRef(items).slice(first, count), DenseI64ArrayAttr());
  if (FailureOr<Fact> fact = inference.items().evaluate(rest); succeeded(fact))
    inference.record(rest, *fact);
  items.erase(items.begin() + first, items.begin() + first + count);
  items.insert(items.begin() + first, rest);
  op.replaceAllUsesWith(items);
  op.erase();
}

FailureOr<bool> UnpackTyping::expandStarred(MutableOperandRange operands,
                                            DenseI64ArrayAttr starred) {
  SmallVector<Value> items;
  OpBuilder builder(operands.getOwner());
  for (int64_t position : starred.asArrayRef()) {
    Type type = inference.operands().getPlain(operands[position]).type;
    if (!type)
      return false;
    if (!isa<TupleType>(type))
      return emitTypingError(operands[position].get().getLoc())
             << "expects a tuple after '*' but got " << describe(type);
  }
  for (auto [position, operand] : llvm::enumerate(OperandRange(operands))) {
    if (!llvm::is_contained(starred.asArrayRef(),
                            static_cast<int64_t>(position))) {
      items.push_back(operand);
      continue;
    }
    auto tuple = cast<TupleType>(inference.get(operand).type);
    SmallVector<Type> types(tuple.size(), ObjectType::get(context));
    auto unpack = UnpackOp::create(builder, operand.getLoc(), types, operand,
                                   IntegerAttr());
    interpret(unpack);
    llvm::append_range(items, unpack.getItems());
  }
  operands.assign(items);
  return true;
}
