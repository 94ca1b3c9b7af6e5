// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values that stand for others. An instance of a namedtuple has the parts of
// its tuple, a member of an enumeration those of its value, and an optional
// those of its value and, as the last part, whether there is one.

#include "pyk/Dialect/Py/IR/Wrappers.h"
#include "Lowering.h"
#include "mlir/IR/Matchers.h"
#include "pyk/Dialect/Py/IR/Chars.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

/// Whether `binding` is not None.
Value FunctionLowering::isPresent(const Binding &binding, Location loc) {
  if (isa<OptionalType>(binding.type))
    return binding.parts.back();
  return makeInteger(!isa<NoneType>(binding.type), builder.getI1Type(), loc);
}

/// What stands below the outermost type of `binding`, which stands for it.
static Binding getInner(const Binding &binding) {
  ArrayRef<Value> parts = binding.parts;
  if (isa<OptionalType>(binding.type))
    parts = parts.drop_back();
  return {unwrapOnce(binding.type), {parts.begin(), parts.end()}};
}

Binding FunctionLowering::convertToOptional(const Binding &binding,
                                            OptionalType to, Location loc) {
  Binding result;
  if (isa<NoneType>(binding.type))
    result = makeUndefined(to.getValue(), loc);
  else
    result =
        convert(isa<OptionalType>(binding.type) ? getInner(binding) : binding,
                to.getValue(), loc);
  result.type = to;
  result.parts.push_back(isPresent(binding, loc));
  return result;
}

/// `binding` as `to`, for which it stands.
Binding FunctionLowering::unwrap(const Binding &binding, Type to,
                                 Location loc) {
  if (binding.type == to)
    return binding;
  if (Type inner = unwrapOnce(binding.type)) {
    require(isPresent(binding, loc), "TypeError",
            "expected " + describe(inner) + " but got None", loc);
    return unwrap(getInner(binding), to, loc);
  }
  Binding result{to, {}};
  for (auto [position, type] : llvm::enumerate(cast<TupleType>(to).getTypes()))
    llvm::append_range(result.parts,
                       unwrap(getItem(binding, position), type, loc).parts);
  return result;
}

Binding FunctionLowering::evaluate(UnwrapOp op) {
  return unwrap(get(op.getValue()), op.getType(), op.getLoc());
}

Binding FunctionLowering::makeNamedTuple(CallOp op, NamedTupleClassAttr own,
                                         ArrayRef<Binding> arguments) {
  Location loc = op.getLoc();
  Binding result{op.getType(), {}};
  TupleType items = getTuple(op.getType());
  size_t positional = arguments.size();
  if (op.getKeywords())
    positional -= op.getKeywords()->size();
  for (auto [position, field, given, type] :
       llvm::enumerate(own.getFields(), own.getDefaults(), items.getTypes())) {
    size_t index = position;
    if (position >= positional) {
      auto keywords = op.getKeywords().value_or(ArrayAttr::get(context, {}));
      index = positional + (llvm::find(keywords, field) - keywords.begin());
    }
    Binding item =
        index < arguments.size() ? arguments[index] : makeConstant(given, loc);
    llvm::append_range(result.parts, convert(item, type, loc).parts);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

Value FunctionLowering::makeEquality(const Binding &lhs, const Binding &rhs,
                                     bool isIdentity, Location loc) {
  auto makeAnd = [&](Value a, Value b) {
    return builder.createOrFold<arith::AndIOp>(loc, a, b);
  };
  bool isOptional = isa<OptionalType>(lhs.type) || isa<OptionalType>(rhs.type);
  if (isOptional) {
    Value left = isPresent(lhs, loc), right = isPresent(rhs, loc);
    Value both = makeAnd(left, right);
    Value none = makeAnd(makeNot(left, loc), makeNot(right, loc));
    if (isa<NoneType>(lhs.type) || isa<NoneType>(rhs.type))
      return none;
    Value equal = makeEquality(
        isa<OptionalType>(lhs.type) ? getInner(lhs) : lhs,
        isa<OptionalType>(rhs.type) ? getInner(rhs) : rhs, isIdentity, loc);
    return builder.createOrFold<arith::OrIOp>(loc, none, makeAnd(both, equal));
  }
  auto left = dyn_cast<EnumType>(lhs.type),
       right = dyn_cast<EnumType>(rhs.type);
  bool areOfTwoClasses = left && right && left.getName() != right.getName();
  if (isIdentity && areOfTwoClasses)
    return makeInteger(0, builder.getI1Type(), loc);
  if (auto are = compareDtypes(CompareOperator::Eq, lhs.type, rhs.type, typing))
    return makeInteger(*are, builder.getI1Type(), loc);
  if (isText(lhs.type) && isText(rhs.type))
    return compareTexts(CompareOperator::Eq, lhs, rhs, loc);
  // A member is no text, though its value may be one, unless its class says so.
  bool isOwn = (left && left.getInteger()) || (right && right.getInteger());
  if ((isText(lhs.type) || isText(rhs.type)) && !isOwn)
    return makeInteger(0, builder.getI1Type(), loc);
  if (left || right) {
    auto getValue = [](const Binding &binding) -> Binding {
      auto member = dyn_cast<EnumType>(binding.type);
      return {member ? member.getValue() : binding.type, binding.parts};
    };
    return makeEquality(getValue(lhs), getValue(rhs), isIdentity, loc);
  }
  if (isNumberOrTime(lhs.type) && isNumberOrTime(rhs.type))
    return makeComparison(CompareOperator::Eq, lhs, rhs, loc);
  if (isa<ArrayType>(lhs.type) && lhs.type == rhs.type)
    return areOneArray(lhs.parts.front(), rhs.parts.front(), loc);
  TupleType tuple = getTuple(lhs.type);
  if (!tuple || !getTuple(rhs.type))
    // None and compile-time objects are equal if their types are.
    return makeInteger(lhs.type == rhs.type, builder.getI1Type(), loc);
  // Members of one enumeration may have tuples of different lengths.
  bool haveOneSize = tuple.size() == getTuple(rhs.type).size();
  Value result = makeInteger(haveOneSize, builder.getI1Type(), loc);
  if (!haveOneSize)
    return result;
  for (unsigned position = 0; position != tuple.size(); ++position)
    result =
        makeAnd(result, makeEquality(getItem(lhs, position),
                                     getItem(rhs, position), isIdentity, loc));
  return result;
}
