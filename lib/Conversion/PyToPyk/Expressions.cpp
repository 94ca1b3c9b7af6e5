// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants, names, parts of values, and the expressions that choose. Arrays
// are in Arrays.cpp.

#include "Ranges.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "pyk/Dialect/Py/IR/Chars.h"
#include "pyk/Dialect/Py/IR/Indexing.h"
#include "pyk/Dialect/Py/IR/Members.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Dialect/Py/IR/Wrappers.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"
#include "pyk/Dialect/Pyk/IR/PykNumericOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

//===----------------------------------------------------------------------===//
// Constants and names
//===----------------------------------------------------------------------===//

/// What kernels know of an array of `type`, which `make` makes of its part.
static Binding makeArray(ArrayType type,
                         llvm::function_ref<Value(ArrayType)> make) {
  SmallVector<Type, 1> parts;
  appendPartTypes(type, parts);
  return {type, {make(cast<ArrayType>(parts.front()))}};
}

/// `elements` as an array of type `own` has them: of records their bytes, in
/// one more dimension.
static DenseElementsAttr getElements(DenseElementsAttr elements,
                                     ArrayType own) {
  if (own.getRecord())
    return elements;
  auto tensor = RankedTensorType::get(own.getShape(), own.getElementType());
  if (elements.getType() == tensor)
    return elements;
  ArrayRef<char> data = elements.getRawData();
  bool isOfBytes = elements.getType().getRank() != tensor.getRank();
  if (!isOfBytes || !elements.isSplat())
    return DenseElementsAttr::getFromRawBuffer(tensor, data);
  // Bytes that are all equal are kept as one.
  SmallVector<char> all(elements.getNumElements(), data.front());
  return DenseElementsAttr::getFromRawBuffer(tensor, all);
}

Binding FunctionLowering::makeConstant(Attribute value, Location loc) {
  auto makeTyped = [&](Type type, TypedAttr typed) -> Binding {
    return {type, {arith::ConstantOp::create(builder, loc, typed)}};
  };
  auto signless = [&](IntegerAttr integer) {
    return builder.getIntegerAttr(
        IntegerType::get(context, integer.getValue().getBitWidth()),
        integer.getValue());
  };
  if (auto integer = dyn_cast<IntAttr>(value))
    return makeTyped(integer.getValue().getType(),
                     signless(integer.getValue()));
  if (auto integer = dyn_cast<IntegerAttr>(value))
    return makeTyped(integer.getType(), signless(integer));
  if (auto real = dyn_cast<FloatAttr>(value))
    return makeTyped(real.getType(), real);
  if (auto number = dyn_cast<complex::NumberAttr>(value))
    return {number.getType(), {makeComplexConstant(number, loc)}};
  if (auto stored = dyn_cast<StoredAttr>(value))
    return {stored.getType(), makeConstant(stored.getValue(), loc).parts};
  if (isa<NoneAttr>(value))
    return {NoneType::get(context), {}};
  if (auto named = dyn_cast<NamedTupleAttr>(value)) {
    Binding items = makeConstant(named.getItems(), loc);
    items.type =
        NamedTupleType::get(context, named.getName(), named.getFields(),
                            cast<TupleType>(items.type));
    return items;
  }
  if (auto member = dyn_cast<EnumMemberAttr>(value)) {
    Binding result = makeConstant(member.getValue(), loc);
    result.type = EnumType::get(context, member.getName(), result.type,
                                member.getInteger());
    return result;
  }
  if (auto items = dyn_cast<ArrayAttr>(value)) {
    Binding result;
    SmallVector<Type> types;
    for (Attribute item : items) {
      Binding part = makeConstant(item, loc);
      types.push_back(part.type);
      llvm::append_range(result.parts, part.parts);
    }
    result.type = TupleType::get(context, types);
    return result;
  }
  if (auto array = dyn_cast<DeviceArrayAttr>(value))
    return makeArray(array.getType(), [&](ArrayType own) {
      return pyk::DeviceArrayOp::create(builder, loc, own, array.getAddress(),
                                        array.getStrides());
    });
  auto makeTable = [&](DenseElementsAttr elements, ArrayType type) {
    return makeArray(type, [&](ArrayType own) {
      return pyk::ConstantArrayOp::create(builder, loc, own,
                                          getElements(elements, own));
    });
  };
  if (auto stored = dyn_cast<StoredArrayAttr>(value))
    return makeTable(stored.getBytes(), stored.getArrayType());
  if (auto array = dyn_cast<DenseElementsAttr>(value))
    return makeTable(array, ArrayType::get(context, array.getType().getShape(),
                                           array.getElementType(), Layout::C,
                                           Space::Constant));
  return {StaticType::get(context, value), {}};
}

Binding FunctionLowering::evaluate(ConstantOp op) {
  if (auto intrinsic = dyn_cast<IntrinsicAttr>(op.getValue()))
    if (isScalar(op.getType()))
      return {
          op.getType(),
          {makeIndexValue(*lookupIntrinsic(intrinsic.getName()), op.getLoc())}};
  return makeConstant(op.getValue(), op.getLoc());
}

Binding FunctionLowering::evaluate(GetOp op) {
  auto found = variables.find(op.getNameAttr());
  if (found == variables.end())
    return makeUndefined(op.getType(), op.getLoc());
  return convert(found->second, op.getType(), op.getLoc());
}

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

Value FunctionLowering::lowerRegion(Region &region, Binding &result) {
  for (Operation &op : region.front().without_terminator())
    lower(op);
  Value value = cast<YieldOp>(region.front().back()).getValue();
  result = get(value);
  return value;
}

/// What the expression `op` yields, one of two values that `evaluateArm`
/// computes.
Binding FunctionLowering::choose(Operation *op, DictionaryAttr slots,
                                 Value condition,
                                 function_ref<Binding(bool)> evaluateArm) {
  Location loc = op->getLoc();
  Type type = op->getResult(0).getType();
  SmallVector<Type> parts;
  appendPartTypes(type, parts);
  size_t own = parts.size();
  SmallVector<Slot> assigned;
  if (slots)
    assigned = getSlots(slots, liveness.getLiveAfter(op));
  for (const Slot &slot : assigned)
    appendPartTypes(slot.type, parts);
  auto choice = scf::IfOp::create(builder, loc, parts, condition,
                                  /*addThenBlock=*/true, /*addElseBlock=*/true);
  Bindings before = slots ? variables : Bindings();
  for (Region *region : {&choice.getThenRegion(), &choice.getElseRegion()}) {
    OpBuilder::InsertionGuard guard(builder);
    region->front().clear();
    builder.setInsertionPointToEnd(&region->front());
    SmallVector<Value> yielded(
        evaluateArm(region == &choice.getThenRegion()).parts);
    llvm::append_range(yielded, gather(assigned, loc));
    scf::YieldOp::create(builder, loc, yielded);
    if (slots)
      variables = before;
  }
  bind(assigned, choice.getResults().drop_front(own));
  return {type, SmallVector<Value, 1>(choice.getResults().take_front(own))};
}

Binding FunctionLowering::evaluate(LogicalOp op) {
  Location loc = op.getLoc();
  Binding lhs = get(op.getLhs());
  Type type = op.getType();
  bool isAnd = op.getKind() == LogicalOperator::And;
  auto convertTo = [&](const Binding &binding) {
    return isBool(type) ? Binding{type, {getTruth(binding, loc)}}
                        : convert(binding, type, loc);
  };
  if (std::optional<bool> taken = op.getTaken()) {
    // Inference has not looked at an operand that never runs.
    Binding result = lhs;
    if (*taken)
      lowerRegion(op.getRhs(), result);
    return convertTo(result);
  }
  return choose(op, op.getSlotsAttr(), getTruth(lhs, loc), [&](bool isThen) {
    Binding result = lhs;
    if (isThen == isAnd)
      lowerRegion(op.getRhs(), result);
    return convertTo(result);
  });
}

Binding FunctionLowering::evaluate(ConditionalOp op) {
  Location loc = op.getLoc();
  Type type = op.getType();
  Binding result;
  // A condition may choose between values that have no common type.
  auto convertTo = [&](const Binding &binding) {
    return isBool(type) ? Binding{type, {getTruth(binding, loc)}}
                        : convert(binding, type, loc);
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

Binding FunctionLowering::getItem(const Binding &tuple, unsigned position) {
  auto types = getTuple(tuple.type).getTypes();
  SmallVector<Type> before, own;
  for (Type type : types.take_front(position))
    appendPartTypes(type, before);
  appendPartTypes(types[position], own);
  ArrayRef<Value> parts =
      ArrayRef(tuple.parts).slice(before.size(), own.size());
  return {types[position], {parts.begin(), parts.end()}};
}

Binding FunctionLowering::evaluate(TupleOp op) {
  Binding result{op.getType(), {}};
  auto types = cast<TupleType>(op.getType()).getTypes();
  for (auto [item, type] : llvm::zip(op.getItems(), types))
    llvm::append_range(result.parts,
                       convert(get(item), type, op.getLoc()).parts);
  return result;
}

void FunctionLowering::lower(UnpackOp op) {
  const Binding value = get(op.getValue());
  Location loc = op.getLoc();
  if (isa<TupleType>(value.type)) {
    for (auto [position, item] : llvm::enumerate(op.getItems()))
      values[item] = convert(getItem(value, position), item.getType(), loc);
    return;
  }
  if (hasIterator(value)) {
    auto leave = [&](Value hasNext) {
      require(hasNext, "ValueError", "not enough values to unpack", loc);
    };
    for (auto [position, item] : llvm::enumerate(op.getItems())) {
      Value counter = makeInteger(static_cast<int64_t>(position),
                                  builder.getI64Type(), loc);
      values[item] =
          convert(takeElement(value, counter, leave, loc), item.getType(), loc);
    }
    return;
  }
  CountedRange range = countFromZero(value, loc);
  checkCount(range.stop, op.getNumResults(), loc);
  for (auto [position, item] : llvm::enumerate(op.getItems())) {
    Value counter =
        makeInteger(static_cast<int64_t>(position), builder.getI64Type(), loc);
    values[item] =
        convert(getElement(value, range, counter, loc), item.getType(), loc);
  }
}

Binding FunctionLowering::evaluate(AttributeOp op) {
  const Binding &object = get(op.getObject());
  Location loc = op.getLoc();
  Type type = op.getType();
  if (auto array = dyn_cast<ArrayType>(object.type))
    if (std::optional<unsigned> field = getAttributeField(array, op.getName()))
      return convert(getField(object, *field, loc), type, loc);
  if (const Intrinsic *row = lookupMember(object.type, op.getName()))
    return evaluateAttribute(op, *row, object);
  // A method of the library.
  if (isa<MethodType>(type))
    return {type, object.parts};
  if (auto known = dyn_cast<StaticType>(object.type)) {
    std::string name =
        (cast<IntrinsicAttr>(known.getValue()).getName() + "." + op.getName())
            .str();
    const Intrinsic *row = lookupIntrinsic(name);
    if (isScalar(type))
      return {type, {makeIndexValue(*row, loc)}};
    return {type, {}};
  }
  if (auto named = dyn_cast<NamedTupleType>(object.type))
    return convert(getItem(object, *named.find(op.getName())), type, loc);
  // The value of a member.
  auto member = cast<EnumType>(object.type);
  return convert(Binding{member.getValue(), object.parts}, type, loc);
}

Binding FunctionLowering::evaluate(SubscriptOp op) {
  const Binding &object = get(op.getObject()), &index = get(op.getIndex());
  Location loc = op.getLoc();
  Type type = op.getType();
  if (isa<ArrayType>(object.type))
    return convert(
        op.getPosition()
            ? getField(object, *op.getPosition(), loc)
            : getIndexed(object, index, describeArray(op.getObject()), loc),
        type, loc);
  if (auto flat = dyn_cast<FlatType>(object.type))
    return load({flat.getArray(), object.parts},
                getFlatIndices(object, index, loc), loc);
  if (auto kernel = dyn_cast<ConfiguredKernelType>(type))
    return configureKernel(kernel, index, loc);
  if (isText(object.type))
    return convert(getCharacter(object, index, type, loc), type, loc);
  if (std::optional<ArrayRef<int64_t>> selection = op.getSelection()) {
    Binding result;
    SmallVector<Type> types;
    for (int64_t position : *selection) {
      Binding item = getItem(object, position);
      types.push_back(item.type);
      llvm::append_range(result.parts, item.parts);
    }
    result.type = TupleType::get(context, types);
    return convert(result, type, loc);
  }
  if (std::optional<uint64_t> position = op.getPosition())
    return convert(getItem(object, *position), type, loc);
  Type wide = IntegerType::get(context, 64, IntegerType::Signed);
  Value position = convert(index.parts.front(), index.type, wide, loc);
  Value extent = makeInteger(cast<TupleType>(object.type).size(),
                             builder.getI64Type(), loc);
  Value wrapped = builder.createOrFold<pyk::WrapIndexOp>(loc, position, extent);
  checkInside(wrapped, extent, position,
              "index {0} is out of range for a tuple of {1}", loc);
  position = wrapped;
  return convert(selectItem(object, position, loc), type, loc);
}

Binding FunctionLowering::selectItem(const Binding &object, Value position,
                                     Location loc) {
  auto tuple = cast<TupleType>(object.type);
  int64_t size = tuple.size();
  Type common = getCommonItem(tuple);
  if (canBeTable(tuple))
    return loadItem(object, position, loc);
  Binding result = convert(getItem(object, 0), common, loc);
  for (int64_t item = 1; item < size; ++item) {
    Binding candidate = convert(getItem(object, item), common, loc);
    Value isThis =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, position,
                              makeInteger(item, builder.getI64Type(), loc));
    for (auto [part, other] : llvm::zip(result.parts, candidate.parts))
      part = arith::SelectOp::create(builder, loc, isThis, other, part);
  }
  return result;
}

Binding FunctionLowering::findItem(const Binding &tuple, const Binding &wanted,
                                   Location loc) {
  Type number = IntegerType::get(context, 64, IntegerType::Signed);
  Value found = makeInteger(0, builder.getI1Type(), loc);
  Value result = makeInteger(0, builder.getI64Type(), loc);
  // From the last, so that the first one that is equal decides.
  for (auto item = cast<TupleType>(tuple.type).size(); item-- != 0;) {
    Value isEqual = makeEquality(getItem(tuple, item), wanted,
                                 /*isIdentity=*/false, loc);
    Value position =
        makeInteger(static_cast<int64_t>(item), builder.getI64Type(), loc);
    result =
        builder.createOrFold<arith::SelectOp>(loc, isEqual, position, result);
    found = builder.createOrFold<arith::OrIOp>(loc, found, isEqual);
  }
  require(found, "ValueError", "tuple.index(x): x not in tuple", loc);
  return {number, {result}};
}

//===----------------------------------------------------------------------===//
// All statements and expressions without exits
//===----------------------------------------------------------------------===//

/// Lets messages call arrays that a function makes as its program does: by the
/// first variable that holds one.
static void nameArrays(const Binding &binding, StringAttr name) {
  for (Value part : binding.parts) {
    Operation *op = part.getDefiningOp();
    if (isa_and_present<AllocOp, DynamicSharedOp, LaunchSharedOp,
                        ConstantArrayOp>(op) &&
        !isa<NameLoc>(op->getLoc()))
      op->setLoc(NameLoc::get(name, op->getLoc()));
  }
}

void FunctionLowering::lower(Operation &op) {
  llvm::TypeSwitch<Operation *>(&op)
      .Case([&](py::SetOp set) {
        Type type = set.getType() ? *set.getType() : get(set.getValue()).type;
        variables[set.getNameAttr()] =
            convert(get(set.getValue()), type, op.getLoc());
        nameArrays(variables[set.getNameAttr()], set.getNameAttr());
        tellDebugger(*this, set.getNameAttr(), variables[set.getNameAttr()],
                     op.getLoc());
      })
      .Case<RaiseOp, SetSubscriptOp, SetAttributeOp, UnpackOp>(
          [&](auto concrete) { lower(concrete); })
      .Case([&](py::IfOp branch) { lowerIf(branch); })
      .Case([&](py::ForOp inner) { lowerFor(inner); })
      .Case([&](py::WhileOp inner) { lowerWhile(inner); })
      .Case<ConstantOp, GetOp, BinaryOp, UnaryOp, CompareOp, LogicalOp,
            ConditionalOp, AttributeOp, SubscriptOp, SliceOp, TupleOp,
            ClosureOp, CallOp, UnwrapOp>([&](auto concrete) {
        Binding result = evaluate(concrete);
        values[concrete.getResult()] = std::move(result);
      })
      .Default([](Operation *) {
        llvm_unreachable("inference refuses the statement");
      });
}
