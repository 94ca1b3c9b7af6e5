// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tuples are values without a place in memory. Where an index that is not known
// selects one of many items, they are written to a table: known ones to
// constant memory, others to memory of the thread, once, where the last of them
// is computed.

#include "Tuples.h"
#include "Checks.h"
#include "Operators.h"
#include "Scalars.h"
#include "mlir/IR/Matchers.h"
#include "pyk/Dialect/Py/IR/Indexing.h"
#include "pyk/Dialect/Py/IR/Wrappers.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

Binding py::getItem(const Binding &tuple, unsigned position) {
  auto types = getTuple(tuple.type).getTypes();
  SmallVector<Type> before, own;
  for (Type type : types.take_front(position))
    appendPartTypes(type, before);
  appendPartTypes(types[position], own);
  ArrayRef<Value> parts =
      ArrayRef(tuple.parts).slice(before.size(), own.size());
  return {types[position], {parts.begin(), parts.end()}};
}

/// Most items between which conditions select. Longer chains of conditions cost
/// the compiler time that grows with their square.
static constexpr size_t kMaxSelectedItems = 32;

static bool canBeTable(TupleType tuple) {
  return tuple.size() > kMaxSelectedItems &&
         llvm::all_of(getPartTypes(getCommonItem(tuple)), ArrayType::isElement);
}

/// The item of `tuple` at `position`, or the first where there is none.
Binding TupleLowering::loadItem(const Binding &tuple, Value position,
                                Location loc) {
  auto type = cast<TupleType>(tuple.type);
  Type common = getCommonItem(type);
  SmallVector<SmallVector<Value>> columns(getPartTypes(common).size());
  ArrayRef<Value> rest = tuple.parts;
  for (Type own : type.getTypes()) {
    ArrayRef<Value> parts = rest.take_front(getPartTypes(own).size());
    rest = rest.drop_front(parts.size());
    Binding item = lowering.convert(Binding{own, {parts.begin(), parts.end()}},
                                    common, loc);
    for (auto [column, part] : llvm::zip(columns, item.parts))
      column.push_back(part);
  }
  Type wide = builder.getI64Type();
  Value isInside = builder.createOrFold<arith::CmpIOp>(
      loc, arith::CmpIPredicate::ult, position,
      makeInteger(builder, static_cast<int64_t>(type.size()), wide, loc));
  Value place = builder.createOrFold<arith::SelectOp>(
      loc, isInside, position, makeInteger(builder, 0, wide, loc));
  Binding result{common, {}};
  for (ArrayRef<Value> column : columns)
    result.parts.push_back(
        pyk::LoadOp::create(builder, loc, makeTable(column, loc), place));
  return result;
}

/// Puts the insertion point behind the last of `values`, which one op could
/// use.
static void setInsertionPointAfterAll(OpBuilder &builder,
                                      ArrayRef<Value> values) {
  Value last = values.front();
  for (Value value : values.drop_front()) {
    Block *block = last.getParentBlock(), *other = value.getParentBlock();
    Operation *op = last.getDefiningOp(), *otherOp = value.getDefiningOp();
    bool isLater =
        block == other
            ? otherOp && (!op || op->isBeforeInBlock(otherOp))
            : block->getParent()->isProperAncestor(other->getParent());
    if (isLater)
      last = value;
  }
  builder.setInsertionPointAfterValue(last);
}

Value TupleLowering::makeTable(ArrayRef<Value> values, Location loc) {
  Type element = values.front().getType();
  auto size = static_cast<int64_t>(values.size());
  SmallVector<Attribute> constants;
  for (Value value : values)
    if (Attribute constant; matchPattern(value, m_Constant(&constant)))
      constants.push_back(constant);
  OpBuilder::InsertionGuard guard(builder);
  if (constants.size() == values.size() && element.isIntOrFloat()) {
    auto elements =
        DenseElementsAttr::get(RankedTensorType::get(size, element), constants);
    Value &table = constantTables[elements];
    if (!table) {
      builder.setInsertionPointToStart(
          &lowering.getFunction().getFunctionBody().front());
      table = pyk::ConstantArrayOp::create(
          builder, loc,
          ArrayType::get(context, size, element, Layout::C, Space::Constant),
          elements);
    }
    return table;
  }
  for (const Table &known : tables)
    if (ArrayRef(known.values) == values)
      return known.array;
  setInsertionPointAfterAll(builder, values);
  Value table = pyk::AllocOp::create(
      builder, loc,
      ArrayType::get(context, size, element, Layout::C, Space::Local));
  for (auto [position, value] : llvm::enumerate(values))
    pyk::StoreOp::create(builder, loc, value, table,
                         makeInteger(builder, static_cast<int64_t>(position),
                                     builder.getI64Type(), loc));
  tables.push_back({SmallVector<Value, 0>(values), table});
  return table;
}

Binding TupleLowering::selectItem(const Binding &object, Value position,
                                  Location loc) {
  auto tuple = cast<TupleType>(object.type);
  int64_t size = tuple.size();
  Type common = getCommonItem(tuple);
  if (canBeTable(tuple))
    return loadItem(object, position, loc);
  Binding result = lowering.convert(getItem(object, 0), common, loc);
  for (int64_t item = 1; item < size; ++item) {
    Binding candidate = lowering.convert(getItem(object, item), common, loc);
    Value isThis = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::eq, position,
        makeInteger(builder, item, builder.getI64Type(), loc));
    for (auto [part, other] : llvm::zip(result.parts, candidate.parts))
      part = arith::SelectOp::create(builder, loc, isThis, other, part);
  }
  return result;
}

Binding TupleLowering::findItem(const Binding &tuple, const Binding &wanted,
                                Location loc) {
  Type number = IntegerType::get(context, 64, IntegerType::Signed);
  Value found = makeInteger(builder, 0, builder.getI1Type(), loc);
  Value result = makeInteger(builder, 0, builder.getI64Type(), loc);
  // From the last, so that the first one that is equal decides.
  for (auto item = cast<TupleType>(tuple.type).size(); item-- != 0;) {
    Value isEqual =
        lowering.operators().makeEquality(getItem(tuple, item), wanted,
                                          /*isIdentity=*/false, loc);
    Value position = makeInteger(builder, static_cast<int64_t>(item),
                                 builder.getI64Type(), loc);
    result =
        builder.createOrFold<arith::SelectOp>(loc, isEqual, position, result);
    found = builder.createOrFold<arith::OrIOp>(loc, found, isEqual);
  }
  lowering.checks().require(found, "ValueError",
                            "tuple.index(x): x not in tuple", loc);
  return {number, {result}};
}
