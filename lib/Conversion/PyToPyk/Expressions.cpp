// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants, names, parts of values, and the expressions that choose. Arrays
// are in Arrays.cpp.

#include "Expressions.h"
#include "Arrays.h"
#include "Checks.h"
#include "Constants.h"
#include "IntrinsicLowering.h"
#include "Iterators.h"
#include "Launches.h"
#include "NdRanges.h"
#include "Ranges.h"
#include "Records.h"
#include "Scalars.h"
#include "Statements.h"
#include "Text.h"
#include "Tuples.h"
#include "Variables.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "pyk/Dialect/Py/IR/Chars.h"
#include "pyk/Dialect/Py/IR/Indexing.h"
#include "pyk/Dialect/Py/IR/Members.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Dialect/Pyk/IR/PykNumericOps.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

//===----------------------------------------------------------------------===//
// Constants and names
//===----------------------------------------------------------------------===//

Binding ExpressionLowering::evaluate(ConstantOp op) {
  if (auto intrinsic = dyn_cast<IntrinsicAttr>(op.getValue()))
    if (isScalar(op.getType()))
      return {op.getType(),
              {makeIndexValue(builder, *lookupIntrinsic(intrinsic.getName()),
                              op.getLoc())}};
  return makeConstant(builder, op.getValue(), op.getLoc());
}

Binding ExpressionLowering::evaluate(GetOp op) {
  const Binding *held = lowering.variables().find(op.getNameAttr());
  if (!held)
    return makeUndefined(builder, op.getType(), op.getLoc());
  return lowering.convert(*held, op.getType(), op.getLoc());
}

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

Value ExpressionLowering::testCondition(Value condition) {
  return lowering.getTruth(lowering.get(condition), condition.getLoc());
}

Value ExpressionLowering::lowerRegion(Region &region, Binding &result) {
  for (Operation &op : region.front().without_terminator())
    lowering.statements().lower(op);
  Value value = cast<YieldOp>(region.front().back()).getValue();
  result = lowering.get(value);
  return value;
}

/// What the expression `op` yields, one of two values that `evaluateArm`
/// computes.
Binding ExpressionLowering::choose(Operation *op, DictionaryAttr slots,
                                   Value condition,
                                   function_ref<Binding(bool)> evaluateArm) {
  Location loc = op->getLoc();
  Type type = op->getResult(0).getType();
  SmallVector<Type> parts;
  appendPartTypes(type, parts);
  size_t own = parts.size();
  SmallVector<Slot> assigned;
  if (slots)
    assigned = lowering.variables().getSlotsAfter(op, slots);
  for (const Slot &slot : assigned)
    appendPartTypes(slot.type, parts);
  auto choice = scf::IfOp::create(builder, loc, parts, condition,
                                  /*addThenBlock=*/true, /*addElseBlock=*/true);
  Variables::Bindings before;
  if (slots)
    before = lowering.variables().save();
  for (Region *region : {&choice.getThenRegion(), &choice.getElseRegion()}) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(&region->front());
    SmallVector<Value> yielded(
        evaluateArm(region == &choice.getThenRegion()).parts);
    llvm::append_range(yielded, lowering.variables().gather(assigned, loc));
    scf::YieldOp::create(builder, loc, yielded);
    if (slots)
      lowering.variables().restore(before);
  }
  lowering.variables().bind(assigned, choice.getResults().drop_front(own));
  return {type, SmallVector<Value, 1>(choice.getResults().take_front(own))};
}

Binding ExpressionLowering::evaluate(LogicalOp op) {
  Location loc = op.getLoc();
  Binding lhs = lowering.get(op.getLhs());
  Type type = op.getType();
  bool isAnd = op.getKind() == LogicalOperator::And;
  auto convertTo = [&](const Binding &binding) {
    return isBool(type) ? Binding{type, {lowering.getTruth(binding, loc)}}
                        : lowering.convert(binding, type, loc);
  };
  if (std::optional<bool> taken = op.getTaken()) {
    // Inference has not looked at an operand that never runs.
    Binding result = lhs;
    if (*taken)
      lowerRegion(op.getRhs(), result);
    return convertTo(result);
  }
  return choose(op, op.getSlotsAttr(), lowering.getTruth(lhs, loc),
                [&](bool isThen) {
                  Binding result = lhs;
                  if (isThen == isAnd)
                    lowerRegion(op.getRhs(), result);
                  return convertTo(result);
                });
}

Binding ExpressionLowering::evaluate(ConditionalOp op) {
  Location loc = op.getLoc();
  Type type = op.getType();
  Binding result;
  // A condition may choose between values that have no common type.
  auto convertTo = [&](const Binding &binding) {
    return isBool(type) ? Binding{type, {lowering.getTruth(binding, loc)}}
                        : lowering.convert(binding, type, loc);
  };
  if (std::optional<bool> taken = op.getTaken()) {
    lowerRegion(*taken ? op.getThenRegion() : op.getElseRegion(), result);
    return convertTo(result);
  }
  return choose(op, op.getSlotsAttr(), testCondition(op.getCondition()),
                [&](bool isThen) {
                  lowerRegion(isThen ? op.getThenRegion() : op.getElseRegion(),
                              result);
                  return convertTo(result);
                });
}

//===----------------------------------------------------------------------===//
// Parts of values
//===----------------------------------------------------------------------===//

Binding ExpressionLowering::evaluate(TupleOp op) {
  Binding result{op.getType(), {}};
  auto types = cast<TupleType>(op.getType()).getTypes();
  for (auto [item, type] : llvm::zip(op.getItems(), types))
    llvm::append_range(
        result.parts,
        lowering.convert(lowering.get(item), type, op.getLoc()).parts);
  return result;
}

void ExpressionLowering::lower(UnpackOp op) {
  const Binding value = lowering.get(op.getValue());
  Location loc = op.getLoc();
  if (isa<TupleType>(value.type)) {
    for (auto [position, item] : llvm::enumerate(op.getItems()))
      lowering.set(item, lowering.convert(getItem(value, position),
                                          item.getType(), loc));
    return;
  }
  if (lowering.iterators().hasIterator(value)) {
    auto leave = [&](Value hasNext) {
      lowering.checks().require(hasNext, "ValueError",
                                "not enough values to unpack", loc);
    };
    for (auto [position, item] : llvm::enumerate(op.getItems())) {
      Value counter = makeInteger(builder, static_cast<int64_t>(position),
                                  builder.getI64Type(), loc);
      lowering.set(item, lowering.convert(lowering.iterators().takeElement(
                                              value, counter, leave, loc),
                                          item.getType(), loc));
    }
    return;
  }
  CountedRange range = lowering.ranges().countFromZero(value, loc);
  lowering.checks().checkCount(range.stop, op.getNumResults(), loc);
  for (auto [position, item] : llvm::enumerate(op.getItems())) {
    Value counter = makeInteger(builder, static_cast<int64_t>(position),
                                builder.getI64Type(), loc);
    lowering.set(item, lowering.convert(lowering.ranges().getElement(
                                            value, range, counter, loc),
                                        item.getType(), loc));
  }
}

Binding ExpressionLowering::evaluate(AttributeOp op) {
  const Binding &object = lowering.get(op.getObject());
  Location loc = op.getLoc();
  Type type = op.getType();
  if (auto array = dyn_cast<ArrayType>(object.type))
    if (std::optional<unsigned> field = getAttributeField(array, op.getName()))
      return lowering.convert(lowering.records().getField(object, *field, loc),
                              type, loc);
  if (const Intrinsic *row = lookupMember(object.type, op.getName()))
    return evaluateAttribute(lowering, op, *row, object);
  // A method of the library.
  if (isa<MethodType>(type))
    return {type, object.parts};
  if (auto known = dyn_cast<StaticType>(object.type)) {
    std::string name =
        (cast<IntrinsicAttr>(known.getValue()).getName() + "." + op.getName())
            .str();
    const Intrinsic *row = lookupIntrinsic(name);
    if (isScalar(type))
      return {type, {makeIndexValue(builder, *row, loc)}};
    return {type, {}};
  }
  if (auto named = dyn_cast<NamedTupleType>(object.type))
    return lowering.convert(getItem(object, *named.find(op.getName())), type,
                            loc);
  // The value of a member.
  auto member = cast<EnumType>(object.type);
  return lowering.convert(Binding{member.getValue(), object.parts}, type, loc);
}

Binding ExpressionLowering::evaluate(SubscriptOp op) {
  const Binding &object = lowering.get(op.getObject()),
                &index = lowering.get(op.getIndex());
  Location loc = op.getLoc();
  Type type = op.getType();
  if (isa<ArrayType>(object.type))
    return lowering.convert(
        op.getPosition()
            ? lowering.records().getField(object, *op.getPosition(), loc)
            : lowering.arrays().getIndexed(
                  object, index,
                  lowering.checks().describeArray(op.getObject()), loc),
        type, loc);
  if (auto flat = dyn_cast<FlatType>(object.type))
    return lowering.arrays().load(
        {flat.getArray(), object.parts},
        lowering.ndRanges().getFlatIndices(object, index, loc), loc);
  if (auto kernel = dyn_cast<ConfiguredKernelType>(type))
    return configureKernel(lowering, kernel, index, loc);
  if (isText(object.type))
    return lowering.convert(
        lowering.texts().getCharacter(object, index, type, loc), type, loc);
  if (std::optional<ArrayRef<int64_t>> selection = op.getSelection()) {
    Binding result;
    SmallVector<Type> types;
    for (int64_t position : *selection) {
      Binding item = getItem(object, position);
      types.push_back(item.type);
      llvm::append_range(result.parts, item.parts);
    }
    result.type = TupleType::get(context, types);
    return lowering.convert(result, type, loc);
  }
  if (std::optional<uint64_t> position = op.getPosition())
    return lowering.convert(getItem(object, *position), type, loc);
  Type wide = IntegerType::get(context, 64, IntegerType::Signed);
  Value position = lowering.convert(index.parts.front(), index.type, wide, loc);
  Value extent = makeInteger(builder, cast<TupleType>(object.type).size(),
                             builder.getI64Type(), loc);
  Value wrapped = builder.createOrFold<pyk::WrapIndexOp>(loc, position, extent);
  lowering.checks().checkInside(wrapped, extent, position,
                                "index {0} is out of range for a tuple of {1}",
                                loc);
  position = wrapped;
  return lowering.convert(lowering.tuples().selectItem(object, position, loc),
                          type, loc);
}
