// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The abstract interpreter: expressions. The types of operators follow
// Promotion.h; this is where constants are followed, names are looked up and
// what cannot be typed is reported.

#include "Inference.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Dialect/Pyk/IR/PykTypes.h"
#include "pyk/Support/Diagnostics.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

Fact py::makeConstant(Attribute value) {
  MLIRContext *context = value.getContext();
  Fact fact;
  fact.constant = value;
  fact.decides = true;
  if (auto integer = dyn_cast<IntAttr>(value)) {
    fact.type = integer.getValue().getType();
  } else if (isa<NoneAttr>(value)) {
    fact.type = NoneType::get(context);
  } else if (auto tuple = dyn_cast<ArrayAttr>(value)) {
    SmallVector<Type> items;
    for (Attribute item : tuple)
      items.push_back(makeConstant(item).type);
    fact.type = TupleType::get(context, items);
  } else if (isa<FloatAttr, IntegerAttr>(value)) {
    // A NumPy scalar keeps its type; it is no constant where Python's ints are
    // required, but decides branches.
    fact.type = cast<TypedAttr>(value).getType();
  } else if (auto array = dyn_cast<DenseElementsAttr>(value)) {
    fact.type =
        ArrayType::get(context, array.getType().getShape(),
                       array.getElementType(), Layout::C, Space::Constant);
    fact.decides = false;
  } else {
    fact.type = StaticType::get(context, value);
  }
  return fact;
}

std::optional<bool> py::getTruth(Attribute constant) {
  if (!constant)
    return std::nullopt;
  return llvm::TypeSwitch<Attribute, std::optional<bool>>(constant)
      .Case([](IntAttr value) { return !value.getValue().getValue().isZero(); })
      .Case([](NoneAttr) { return false; })
      .Case([](IntegerAttr value) { return !value.getValue().isZero(); })
      .Case([](FloatAttr value) { return !value.getValue().isZero(); })
      .Case([](StringAttr value) { return !value.empty(); })
      .Case([](ArrayAttr value) { return !value.empty(); })
      .Default(std::nullopt);
}

/// The number that `constant` is, in 65 bits; nothing for other objects.
static std::optional<APInt> getWideInteger(Attribute constant) {
  IntegerAttr value;
  if (auto integer = dyn_cast_if_present<IntAttr>(constant))
    value = integer.getValue();
  else
    value = dyn_cast_if_present<IntegerAttr>(constant);
  if (!value)
    return std::nullopt;
  bool isUnsigned =
      value.getType().isUnsignedInteger() || isBool(value.getType());
  return isUnsigned ? value.getValue().zext(65) : value.getValue().sext(65);
}

static std::optional<APFloat> getDouble(Attribute constant) {
  if (auto real = dyn_cast_if_present<FloatAttr>(constant)) {
    APFloat value = real.getValue();
    bool losesInfo;
    value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
    return value;
  }
  if (std::optional<APInt> integer = getWideInteger(constant)) {
    APFloat value(APFloat::IEEEdouble());
    value.convertFromAPInt(*integer, /*IsSigned=*/true,
                           APFloat::rmNearestTiesToEven);
    return value;
  }
  return std::nullopt;
}

/// Result of comparing two numbers that order as `order` says.
static bool holds(CompareOperator kind, int order) {
  switch (kind) {
  case CompareOperator::Eq:
  case CompareOperator::Is:
    return order == 0;
  case CompareOperator::Ne:
  case CompareOperator::IsNot:
    return order != 0;
  case CompareOperator::Lt:
    return order < 0;
  case CompareOperator::Le:
    return order <= 0;
  case CompareOperator::Gt:
    return order > 0;
  case CompareOperator::Ge:
    return order >= 0;
  case CompareOperator::In:
  case CompareOperator::NotIn:
    break;
  }
  llvm_unreachable("membership has no order");
}

static bool isIdentity(CompareOperator kind) {
  return kind == CompareOperator::Is || kind == CompareOperator::IsNot;
}

static bool isEquality(CompareOperator kind) {
  return kind == CompareOperator::Eq || kind == CompareOperator::Ne ||
         isIdentity(kind);
}

/// The comparison of two compile-time objects; nothing if it is not known.
static std::optional<bool> foldCompare(CompareOperator kind, Attribute lhs,
                                       Attribute rhs) {
  if (!lhs || !rhs || kind == CompareOperator::In ||
      kind == CompareOperator::NotIn)
    return std::nullopt;
  std::optional<APInt> a = getWideInteger(lhs), b = getWideInteger(rhs);
  if (a && b)
    return holds(kind, a->slt(*b) ? -1 : a->sgt(*b) ? 1 : 0);
  std::optional<APFloat> x = getDouble(lhs), y = getDouble(rhs);
  if (x && y) {
    APFloat::cmpResult order = x->compare(*y);
    if (order == APFloat::cmpUnordered)
      return kind == CompareOperator::Ne || kind == CompareOperator::IsNot;
    return holds(kind, order == APFloat::cmpLessThan      ? -1
                       : order == APFloat::cmpGreaterThan ? 1
                                                          : 0);
  }
  if (isEquality(kind))
    return holds(kind, lhs == rhs ? 0 : 1);
  return std::nullopt;
}

/// Integer arithmetic on Python ints, where a shape or an index is computed;
/// null if it is not known or does not fit.
static Attribute foldBinary(BinaryOperator kind, Attribute lhs, Attribute rhs) {
  auto left = dyn_cast_if_present<IntAttr>(lhs);
  auto right = dyn_cast_if_present<IntAttr>(rhs);
  if (!left || !right || !left.getValue().getType().isSignedInteger() ||
      !right.getValue().getType().isSignedInteger())
    return {};
  int64_t a = left.getValue().getSInt(), b = right.getValue().getSInt();
  int64_t result;
  switch (kind) {
  case BinaryOperator::Add:
    if (llvm::AddOverflow(a, b, result))
      return {};
    break;
  case BinaryOperator::Sub:
    if (llvm::SubOverflow(a, b, result))
      return {};
    break;
  case BinaryOperator::Mul:
    if (llvm::MulOverflow(a, b, result))
      return {};
    break;
  case BinaryOperator::FloorDiv:
    if (b == 0 || (a == INT64_MIN && b == -1))
      return {};
    result = a / b - (a % b != 0 && (a % b < 0) != (b < 0));
    break;
  case BinaryOperator::Mod:
    if (b == 0 || b == -1)
      return {};
    result = a % b + (a % b != 0 && (a % b < 0) != (b < 0) ? b : 0);
    break;
  case BinaryOperator::LShift:
    if (a < 0 || b < 0 || b > 62 || a > (INT64_MAX >> b))
      return {};
    result = a << b;
    break;
  default:
    return {};
  }
  Type type = left.getValue().getType();
  return IntAttr::get(lhs.getContext(), IntegerAttr::get(type, result));
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

static StringRef getSpelling(BinaryOperator kind) {
  static constexpr StringLiteral spellings[] = {
      "+", "-", "*", "/", "//", "%", "**", "<<", ">>", "&", "|", "^", "@"};
  return spellings[static_cast<unsigned>(kind)];
}

static StringRef getSpelling(UnaryOperator kind) {
  static constexpr StringLiteral spellings[] = {"+", "-", "~", "not"};
  return spellings[static_cast<unsigned>(kind)];
}

static StringRef getSpelling(CompareOperator kind) {
  static constexpr StringLiteral spellings[] = {
      "==", "!=", "<", "<=", ">", ">=", "is", "is not", "in", "not in"};
  return spellings[static_cast<unsigned>(kind)];
}

FailureOr<Fact> FunctionInference::evaluate(BinaryOp op) {
  Fact lhs = get(op.getLhs()), rhs = get(op.getRhs());
  if (!lhs.type || !rhs.type)
    return Fact();
  auto leftTuple = dyn_cast<TupleType>(lhs.type);
  auto rightTuple = dyn_cast<TupleType>(rhs.type);
  if (leftTuple && rightTuple && op.getKind() == BinaryOperator::Add) {
    SmallVector<Type> items(leftTuple.getTypes());
    llvm::append_range(items, rightTuple.getTypes());
    return makeTyped(TupleType::get(context, items));
  }
  Type type = getBinaryType(op.getKind(), lhs.type, rhs.type);
  if (!type) {
    InFlightDiagnostic error = emitTypingError(op.getLoc());
    error << "operator '" << getSpelling(op.getKind()) << "' cannot take "
          << describe(lhs.type) << " and " << describe(rhs.type);
    if (isa<ArrayType>(lhs.type) || isa<ArrayType>(rhs.type))
      error.attachNote() << "a kernel computes with elements of an array, such "
                            "as a[i]";
    return error;
  }
  Fact result = makeTyped(type);
  result.constant = foldBinary(op.getKind(), lhs.constant, rhs.constant);
  return result;
}

FailureOr<Fact> FunctionInference::evaluate(UnaryOp op) {
  Fact operand = get(op.getOperand());
  if (!operand.type)
    return Fact();
  Type type = getUnaryType(op.getKind(), operand.type);
  if (!type)
    return emitTypingError(op.getLoc())
           << "operator '" << getSpelling(op.getKind()) << "' cannot take "
           << describe(operand.type);
  Fact result = makeTyped(type);
  if (op.getKind() == UnaryOperator::Not) {
    if (std::optional<bool> truth = getTruth(operand.constant)) {
      result.constant = BoolAttr::get(context, !*truth);
      result.decides = operand.decides;
      result.isComparison = operand.isComparison;
    }
  } else if (op.getKind() == UnaryOperator::Minus) {
    // A negative literal is one constant, as it is for CPython.
    auto zero = IntAttr::get(
        context, IntegerAttr::get(
                     IntegerType::get(context, 64, IntegerType::Signed), 0));
    result.constant = foldBinary(BinaryOperator::Sub, zero, operand.constant);
    result.decides =
        result.constant && op.getOperand().getDefiningOp<ConstantOp>();
  }
  return result;
}

FailureOr<Fact> FunctionInference::evaluate(CompareOp op) {
  Fact lhs = get(op.getLhs()), rhs = get(op.getRhs());
  if (!lhs.type || !rhs.type)
    return Fact();
  CompareOperator kind = op.getKind();
  Fact result = makeTyped(IntegerType::get(context, 1));
  bool isNone = isa<NoneType>(lhs.type) || isa<NoneType>(rhs.type);
  if (std::optional<bool> known =
          foldCompare(kind, lhs.constant, rhs.constant)) {
    result.constant = BoolAttr::get(context, *known);
    result.decides = result.isComparison =
        lhs.decides && rhs.decides && !lhs.isComparison && !rhs.isComparison;
    return result;
  }
  // Whether a value is None follows from its type.
  if (isNone && isEquality(kind)) {
    result.constant =
        BoolAttr::get(context, holds(kind, lhs.type == rhs.type ? 0 : 1));
    return result;
  }
  auto leftTuple = dyn_cast<TupleType>(lhs.type);
  auto rightTuple = dyn_cast<TupleType>(rhs.type);
  bool isComparable =
      kind != CompareOperator::In && kind != CompareOperator::NotIn &&
      (leftTuple && rightTuple
           ? leftTuple.size() == rightTuple.size() && isEquality(kind) &&
                 !isIdentity(kind) &&
                 llvm::all_of_zip(leftTuple.getTypes(), rightTuple.getTypes(),
                                  [](Type a, Type b) {
                                    return getCompareType(a, b) != Type();
                                  })
           : getCompareType(lhs.type, rhs.type) != Type());
  if (!isComparable)
    return emitTypingError(op.getLoc())
           << "operator '" << getSpelling(kind) << "' cannot take "
           << describe(lhs.type) << " and " << describe(rhs.type);
  return result;
}

/// True if `value` is only asked whether it is true.
static bool isOnlyTested(Value value) {
  return llvm::all_of(value.getUsers(), [&](Operation *user) {
    if (auto unary = dyn_cast<UnaryOp>(user))
      return unary.getKind() == UnaryOperator::Not;
    if (auto conditional = dyn_cast<ConditionalOp>(user))
      return conditional.getCondition() == value;
    if (auto yield = dyn_cast<YieldOp>(user)) {
      if (auto logical = dyn_cast<LogicalOp>(yield->getParentOp()))
        return isOnlyTested(logical.getResult());
      return isa<WhileOp>(yield->getParentOp());
    }
    if (auto logical = dyn_cast<LogicalOp>(user))
      return isOnlyTested(logical.getResult());
    return isa<IfOp>(user);
  });
}

FailureOr<Fact> FunctionInference::evaluateYield(Region &region,
                                                 Environment &environment) {
  Flow flow;
  flow.next = environment;
  for (Operation &op : region.front().without_terminator())
    if (isa<SetOp>(op) && !isa<WhileOp>(region.getParentOp()))
      return emitUnsupportedError(op.getLoc())
             << "an assignment within 'and', 'or' or a conditional expression "
                "cannot be used in a kernel";
    else if (failed(interpret(op, flow)))
      return failure();
  environment = *flow.next;
  return get(cast<YieldOp>(region.front().back()).getValue());
}

FailureOr<Fact> FunctionInference::evaluate(LogicalOp op,
                                            Environment &environment) {
  Fact lhs = get(op.getLhs());
  if (!lhs.type)
    return Fact();
  bool isAnd = op.getKind() == LogicalOperator::And;
  std::optional<bool> truth;
  if (lhs.decides)
    truth = getTruth(lhs.constant);
  // The right operand does not run: the left one is the result.
  if (truth && *truth != isAnd)
    return lhs;
  Environment after = environment;
  FailureOr<Fact> rhs = evaluateYield(op.getRhs(), after);
  if (failed(rhs))
    return failure();
  environment = truth ? after : join(environment, after);
  if (!rhs->type || truth)
    return rhs;
  Type type = unify(lhs.type, rhs->type);
  if (!type && isOnlyTested(op.getResult()))
    type = IntegerType::get(context, 1);
  if (!type)
    return emitTypingError(op.getLoc())
           << "cannot unify " << describe(lhs.type) << " and "
           << describe(rhs->type) << ", between which '"
           << (isAnd ? "and" : "or") << "' chooses";
  Fact result = makeTyped(type);
  // A right operand that decides ends the condition whatever the left one is.
  if (isBool(type) && rhs->decides && isOnlyTested(op.getResult()))
    if (std::optional<bool> known = getTruth(rhs->constant))
      if (*known != isAnd) {
        result.constant = BoolAttr::get(context, *known);
        result.decides = true;
        result.isComparison = true;
      }
  return result;
}

FailureOr<Fact> FunctionInference::evaluate(ConditionalOp op,
                                            Environment &environment) {
  Fact condition = get(op.getCondition());
  std::optional<bool> way;
  if (condition.decides)
    way = getTruth(condition.constant);
  taken[op] = way;
  Fact values[2];
  std::optional<Environment> after;
  for (auto [value, region, isReached] :
       {std::tuple(&values[0], &op.getThenRegion(), way != false),
        std::tuple(&values[1], &op.getElseRegion(), way != true)}) {
    if (!isReached)
      continue;
    Environment inner = environment;
    FailureOr<Fact> fact = evaluateYield(*region, inner);
    if (failed(fact))
      return failure();
    *value = *fact;
    after = join(after, std::optional(inner));
  }
  environment = *after;
  if (way)
    return values[*way ? 0 : 1];
  if (!values[0].type || !values[1].type)
    return makeTyped(values[0].type ? values[0].type : values[1].type);
  Fact result = join(values[0], values[1]);
  if (result.conflict)
    return emitTypingError(op.getLoc())
           << "cannot unify " << describe(values[0].type) << " and "
           << describe(values[1].type)
           << ", between which the conditional expression chooses";
  result.decides = false;
  return result;
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

FailureOr<Fact> FunctionInference::evaluate(ConstantOp op) {
  StringRef name = op.getName().value_or("");
  if (auto unresolved = dyn_cast<UnresolvedAttr>(op.getValue()))
    return emitTypingError(op.getLoc())
           << "name '" << unresolved.getName() << "' is not defined";
  if (auto object = dyn_cast<ObjectAttr>(op.getValue())) {
    InFlightDiagnostic error = emitTypingError(op.getLoc());
    if (!name.empty())
      error << "'" << name << "' is ";
    else
      error << "this is ";
    error << "an object of type " << object.getName()
          << ", which a kernel cannot use";
    if (object.getName() == "function")
      error.attachNote() << "decorate the function with @cuda.jit(device=True)";
    return error;
  }
  if (auto intrinsic = dyn_cast<IntrinsicAttr>(op.getValue()))
    if (const Intrinsic *row = lookupIntrinsic(intrinsic.getName());
        row && row->typing == intrinsics::IndexValue)
      return makeTyped(IntegerType::get(context, 32, IntegerType::Signed));
  return makeConstant(op.getValue());
}

FailureOr<Fact> FunctionInference::evaluate(GetOp op,
                                            Environment &environment) {
  auto found = environment.find(op.getNameAttr());
  if (found == environment.end()) {
    // No path to here assigns it. Numba then takes the first assignment that
    // stands above; the value is undefined, and ours is zero.
    if (Operation *first = firstAssignment.lookup(op.getNameAttr()))
      return makeTyped(assigned.lookup(first));
    return emitTypingError(op.getLoc())
           << "variable '" << op.getName() << "' is read before it is assigned";
  }
  Fact fact = found->second;
  if (fact.conflict) {
    InFlightDiagnostic error = emitTypingError(op.getLoc());
    error << "cannot unify " << describe(fact.type) << " and "
          << describe(fact.conflict) << " for variable '" << op.getName()
          << "'";
    if (fact.definition)
      error.attachNote(fact.definition->getLoc())
          << "assigned " << describe(fact.type) << " here";
    if (fact.conflictDefinition)
      error.attachNote(fact.conflictDefinition->getLoc())
          << "assigned " << describe(fact.conflict) << " here";
    return error;
  }
  // A variable of one assignment is a constant everywhere; one of several only
  // where it is known which one reaches.
  if (!fact.definition)
    fact.decides = false;
  return fact;
}

//===----------------------------------------------------------------------===//
// Parts of values
//===----------------------------------------------------------------------===//

FailureOr<Fact> FunctionInference::evaluate(AttributeOp op) {
  Fact object = get(op.getObject());
  if (!object.type)
    return Fact();
  auto int64 = IntegerType::get(context, 64, IntegerType::Signed);
  StringRef name = op.getName();
  if (auto array = dyn_cast<ArrayType>(object.type)) {
    int64_t rank = array.getRank();
    if (name == "size" || name == "itemsize" || name == "nbytes")
      return makeTyped(int64);
    if (name == "ndim")
      return makeConstant(IntAttr::get(context, IntegerAttr::get(int64, rank)));
    if (name == "shape" || name == "strides")
      return makeTyped(TupleType::get(context, SmallVector<Type>(rank, int64)));
    if (name == "dtype")
      return makeConstant(TypeAttr::get(array.getElementType()));
  }
  if (auto known = dyn_cast<StaticType>(object.type))
    if (auto intrinsic = dyn_cast<IntrinsicAttr>(known.getValue())) {
      std::string member = (intrinsic.getName() + "." + name).str();
      if (const Intrinsic *row = lookupIntrinsic(member)) {
        if (row->typing == intrinsics::IndexValue)
          return makeTyped(IntegerType::get(context, 32, IntegerType::Signed));
        return makeConstant(IntrinsicAttr::get(context, member));
      }
    }
  return emitTypingError(op.getLoc())
         << describe(object.type) << " has no attribute '" << name << "'";
}

FailureOr<Type> FunctionInference::getElement(Location loc, ArrayType array,
                                              Type index) {
  SmallVector<Type> indices{index};
  if (auto tuple = dyn_cast<TupleType>(index))
    indices.assign(tuple.begin(), tuple.end());
  for (Type type : indices)
    if (!isInteger(type))
      return emitTypingError(loc)
             << "expects integers as indices of " << describe(array)
             << " but got " << describe(type);
  if (static_cast<int64_t>(indices.size()) != array.getRank())
    return emitTypingError(loc)
           << "expects " << array.getRank() << " indices for "
           << describe(array) << " but got " << indices.size();
  return array.getElementType();
}

FailureOr<Fact> FunctionInference::evaluate(SubscriptOp op) {
  Fact object = get(op.getObject()), index = get(op.getIndex());
  if (!object.type || !index.type)
    return Fact();
  if (auto array = dyn_cast<ArrayType>(object.type)) {
    FailureOr<Type> element = getElement(op.getLoc(), array, index.type);
    return failed(element) ? FailureOr<Fact>(failure())
                           : FailureOr<Fact>(makeTyped(*element));
  }
  auto tuple = dyn_cast<TupleType>(object.type);
  if (!tuple)
    return emitTypingError(op.getLoc())
           << "expects an array or a tuple to index but got "
           << describe(object.type);
  if (!isInteger(index.type))
    return emitTypingError(op.getLoc())
           << "expects an integer as index of a tuple but got "
           << describe(index.type);
  int64_t size = tuple.size();
  positions.erase(op);
  if (auto position = dyn_cast_if_present<IntAttr>(index.constant)) {
    int64_t value = position.getValue().getValue().getSExtValue();
    if (value < -size || value >= size)
      return emitTypingError(op.getLoc())
             << "expects an index from " << -size << " to " << size - 1
             << " for " << describe(tuple) << " but got " << value;
    value += value < 0 ? size : 0;
    positions[op] = value;
    Fact item = makeTyped(tuple.getType(value));
    if (auto items = dyn_cast_if_present<ArrayAttr>(object.constant)) {
      item = makeConstant(items[value]);
      item.decides = false;
    }
    return item;
  }
  if (size == 0 || !llvm::all_equal(tuple.getTypes()))
    return emitTypingError(op.getLoc())
           << "expects a constant index for " << describe(tuple)
           << ", whose items differ in type";
  return makeTyped(tuple.getType(0));
}

FailureOr<Fact> FunctionInference::evaluate(TupleOp op) {
  SmallVector<Type> types;
  SmallVector<Attribute> constants;
  for (Value item : op.getItems()) {
    Fact fact = get(item);
    if (!fact.type)
      return Fact();
    types.push_back(fact.type);
    if (fact.constant)
      constants.push_back(fact.constant);
  }
  Fact result = makeTyped(TupleType::get(context, types));
  if (constants.size() == types.size())
    result.constant = ArrayAttr::get(context, constants);
  return result;
}

FailureOr<Fact> FunctionInference::evaluate(Operation &op,
                                            Environment &environment) {
  return llvm::TypeSwitch<Operation *, FailureOr<Fact>>(&op)
      .Case<GetOp, LogicalOp, ConditionalOp>(
          [&](auto concrete) { return evaluate(concrete, environment); })
      .Case<ConstantOp, BinaryOp, UnaryOp, CompareOp, AttributeOp, SubscriptOp,
            TupleOp, CallOp>([&](auto concrete) { return evaluate(concrete); })
      .Case([&](SliceOp) -> FailureOr<Fact> {
        return emitUnsupportedError(op.getLoc())
               << "a slice cannot be used in a kernel";
      })
      .Default([](Operation *unknown) -> FailureOr<Fact> {
        return unknown->emitOpError("is no op of the py dialect");
      });
}
