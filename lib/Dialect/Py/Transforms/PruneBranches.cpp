// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numba's dead branch pruning, on structured code. No types are needed: a value
// stands for a *symbol*, which is found by going from the value to the
// operation that yields it, and from a read of a variable to the assignment.

#include "Branches.h"
#include "Folding.h"
#include "IntrinsicTyping.h"
#include "pyk/Dialect/Py/IR/Members.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Dialect/Py/IR/Wrappers.h"
#include "pyk/Dialect/Pyk/IR/PykTypes.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;
using intrinsics::TypingRule;

/// Longest chain of names that is followed.
static constexpr unsigned kMaxChain = 100;

/// Most targets of `a, b = x, y` that CPython assigns without making a tuple.
static constexpr unsigned kMaxSwapped = 3;

static Value getYielded(Region &region) {
  return cast<YieldOp>(region.front().back()).getValue();
}

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

Branches::Symbol Branches::resolveAssigned(Operation *op, StringAttr name,
                                           Copy copy, Stage stage,
                                           unsigned depth) const {
  Symbol result;
  if (op == function) {
    for (auto [parameter, argument] :
         llvm::zip(FuncOp(function).getParameters(), arguments))
      if (parameter == name) {
        result.kind = Symbol::Argument;
        result.argument = argument;
      }
    return result;
  }
  auto set = dyn_cast<SetOp>(op);
  return set ? resolve(set.getValue(), copy, stage, depth + 1) : result;
}

/// Collects the assignments below `definition`; false if some path brings no
/// value.
static bool flatten(Definition *definition,
                    llvm::SmallSetVector<Definition *, 4> &found,
                    llvm::SmallPtrSet<Definition *, 8> &seen) {
  if (!seen.insert(definition).second)
    return true;
  if (!definition->isJoin()) {
    found.insert(definition);
    return true;
  }
  return !definition->isPartial &&
         llvm::all_of(definition->sources, [&](Definition *source) {
           return flatten(source, found, seen);
         });
}

Branches::Symbol Branches::resolveRead(GetOp op, Copy copy, Stage stage,
                                       unsigned depth) const {
  StringAttr name = op.getNameAttr();
  if (stage == Stage::Early) {
    auto found = assignments.find({name, readVersion.lookup(op)});
    if (found == assignments.end() || found->second.size() != 1)
      return {};
    Operation *only = found->second.front();
    Copy own = getTestedLoop(only) ? Copy::First : Copy::Only;
    return resolveAssigned(only, name, own, stage, depth);
  }
  Definition *definition = reads.lookup(key(op, copy));
  llvm::SmallSetVector<Definition *, 4> found;
  llvm::SmallPtrSet<Definition *, 8> seen;
  if (!definition || !flatten(definition, found, seen) || found.size() != 1)
    return {};
  return resolveAssigned(found[0]->op, name, found[0]->copy, stage, depth);
}

/// True if pruning can know `constant`, which a name or the text gives.
static bool isKnownObject(ConstantOp constant) {
  if (isa<UnresolvedAttr, ObjectAttr, DenseElementsAttr, StoredArrayAttr,
          DeviceArrayAttr>(constant.getValue()))
    return false;
  // Attributes such as `math.pi` are no names, and tuples are made at run time.
  if (std::optional<StringRef> name = constant.getName())
    return !name->contains('.');
  return !isa<ArrayAttr>(constant.getValue());
}

/// The type of the class, or of the tuple of classes, that `value` names; null
/// if it does not.
static Type getClasses(Value value) {
  if (auto constant = value.getDefiningOp<ConstantOp>())
    return makeConstant(constant.getValue()).type;
  auto tuple = value.getDefiningOp<TupleOp>();
  if (!tuple)
    return {};
  auto types = llvm::map_to_vector(tuple.getItems(), getClasses);
  return llvm::is_contained(types, Type())
             ? Type()
             : TupleType::get(value.getContext(), types);
}

Branches::Symbol Branches::makeSymbol(Attribute constant) {
  Symbol result;
  result.kind = Symbol::Constant;
  result.constant = constant;
  return result;
}

/// A constant of Python of that value.
static Attribute makeInt(MLIRContext *context, int64_t number) {
  Type type = IntegerType::get(context, 64, IntegerType::Signed);
  return IntAttr::get(context, IntegerAttr::get(type, number));
}

Fact Branches::findArgument(Value value, Copy copy, unsigned depth) const {
  Symbol symbol = resolve(value, copy, Stage::Early, depth + 1);
  if (symbol.kind == Symbol::Argument)
    return symbol.argument;
  // A loop's variable has an assignment in each copy of the body.
  symbol = resolve(value, copy, Stage::Late, depth + 1);
  if (symbol.isItem && symbol.kind == Symbol::Argument)
    return symbol.argument;
  return symbol.isItem && symbol.kind == Symbol::Constant
             ? makeConstant(symbol.constant)
             : Fact();
}

/// The item that a copy of a loop's body is for: an item of a tuple argument,
/// or what it is by its name.
Branches::Symbol Branches::resolveItem(BlockArgument variable, Copy copy,
                                       Stage stage, unsigned depth) const {
  auto loop = dyn_cast<ForOp>(variable.getOwner()->getParentOp());
  auto tuple = loop && loop.getItem()
                   ? loop.getIterable().getDefiningOp<TupleOp>()
                   : TupleOp();
  if (!tuple || tuple.getItems().size() != 1)
    return {};
  Value item = tuple.getItems().front();
  Symbol result;
  auto subscript = item.getDefiningOp<SubscriptOp>();
  auto index = subscript ? subscript.getIndex().getDefiningOp<ConstantOp>()
                         : ConstantOp();
  auto position = index ? dyn_cast<IntAttr>(index.getValue()) : IntAttr();
  if (position) {
    Symbol source =
        resolve(subscript.getObject(), copy, Stage::Late, depth + 1);
    TupleType type = source.kind == Symbol::Argument
                         ? getTuple(source.argument.type)
                         : TupleType();
    uint64_t value = position.getValue().getValue().getZExtValue();
    if (type && value < type.size()) {
      result.kind = Symbol::Argument;
      result.argument = getTupleItem(source.argument, value);
    }
  } else {
    result = resolve(item, copy, stage, depth + 1);
  }
  result.isItem = true;
  return result;
}

/// The rank of an array argument is known.
Branches::Symbol Branches::resolveAttribute(AttributeOp op, Copy copy,
                                            unsigned depth) const {
  Type object = findArgument(op.getObject(), copy, depth).type;
  const Intrinsic *member =
      object ? lookupMember(object, op.getName()) : nullptr;
  if (!member || member->typing != TypingRule::ArrayRank)
    return {};
  return makeSymbol(
      makeInt(op->getContext(), cast<ArrayType>(object).getRank()));
}

/// So are the length of a tuple argument, and whether an argument is of a
/// class.
Branches::Symbol Branches::resolveCall(CallOp op, Copy copy,
                                       unsigned depth) const {
  const Intrinsic *row = getCalledIntrinsic(op);
  size_t count = op.getInputs().size();
  bool isLen = row && row->typing == TypingRule::Len && count == 1;
  bool isInstanceOf =
      row && row->typing == TypingRule::IsInstance && count == 2;
  if (!isLen && !isInstanceOf)
    return {};
  Type object = findArgument(op.getInputs().front(), copy, depth).type;
  if (!object)
    return {};
  MLIRContext *context = op->getContext();
  if (isLen) {
    TupleType tuple = getTuple(object);
    return tuple ? makeSymbol(makeInt(context, tuple.size())) : Symbol();
  }
  Type classes = getClasses(op.getInputs().back());
  std::optional<bool> is =
      classes ? isInstance(object, classes, typing) : std::nullopt;
  return is ? makeSymbol(BoolAttr::get(context, *is)) : Symbol();
}

/// The only value that a choice leaves: an operand that early pruning has left
/// alone passes its value on. Null if there are more.
Value Branches::getChosen(Value value, Copy copy) const {
  Operation *op = value.getDefiningOp();
  if (isa<LogicalOp>(op)) {
    SmallVector<Value, 2> values = getOutcomes(value, nullptr, copy).getAll();
    return values.size() == 1 ? values.front() : Value();
  }
  auto conditional = dyn_cast<ConditionalOp>(op);
  if (!conditional)
    return {};
  Paths paths = getPaths(conditional.getCondition(), conditional, copy);
  std::optional<bool> only = paths.getOnly();
  if (!only)
    return {};
  return getYielded(*only ? conditional.getThenRegion()
                          : conditional.getElseRegion());
}

/// Whether the value of `op` may decide a branch.
static bool mayDecide(Operation *op) {
  if (auto compare = dyn_cast<CompareOp>(op))
    return compare.getKind() != CompareOperator::In &&
           compare.getKind() != CompareOperator::NotIn;
  auto binary = dyn_cast<BinaryOp>(op);
  return binary && !binary.getInplace();
}

/// The value that another one, which is unwrapped or an item of several that
/// are assigned at once, has for sure; null if there is none.
static Value getSource(Value value) {
  Operation *op = value.getDefiningOp();
  if (auto unwrap = dyn_cast<UnwrapOp>(op))
    return unwrap.getValue();
  auto unpack = dyn_cast<UnpackOp>(op);
  auto tuple = unpack ? unpack.getValue().getDefiningOp<TupleOp>() : TupleOp();
  if (!tuple || tuple.getItems().size() != unpack.getNumResults() ||
      unpack.getNumResults() > kMaxSwapped)
    return {};
  return tuple.getItems()[cast<OpResult>(value).getResultNumber()];
}

Branches::Symbol Branches::resolve(Value value, Copy copy, Stage stage,
                                   unsigned depth) const {
  if (depth > kMaxChain)
    return {};
  if (auto variable = dyn_cast<BlockArgument>(value))
    return resolveItem(variable, copy, stage, depth);
  Operation *op = value.getDefiningOp();
  if (auto get = dyn_cast<GetOp>(op))
    return resolveRead(get, copy, stage, depth);
  if (auto constant = dyn_cast<ConstantOp>(op))
    return isKnownObject(constant) ? makeSymbol(constant.getValue()) : Symbol();
  if (mayDecide(op)) {
    Symbol result;
    result.constant = lookup(decided, op, copy);
    result.kind = result.constant ? Symbol::Constant : Symbol::Operation;
    result.op = op;
    result.copy = copy;
    return result;
  }
  if (auto attribute = dyn_cast<AttributeOp>(op))
    return resolveAttribute(attribute, copy, depth);
  if (auto call = dyn_cast<CallOp>(op))
    return resolveCall(call, copy, depth);
  Value source = getSource(value);
  if (!source && stage == Stage::Late)
    source = getChosen(value, copy);
  return source ? resolve(source, copy, stage, depth + 1) : Symbol();
}

//===----------------------------------------------------------------------===//
// Decisions
//===----------------------------------------------------------------------===//

std::optional<bool> Branches::decide(const Symbol &condition, Stage stage,
                                     Attribute &value) const {
  if (condition.kind == Symbol::Constant)
    return getTruth(condition.constant);
  if (condition.kind != Symbol::Operation)
    return std::nullopt;
  MLIRContext *context = condition.op->getContext();
  auto compare = dyn_cast<CompareOp>(condition.op);
  Attribute operands[2];
  bool isByType = false, hasLiteral = false;
  for (auto [source, operand] :
       llvm::zip(condition.op->getOperands(), operands)) {
    Symbol symbol = resolve(source, condition.copy, stage);
    if (symbol.kind == Symbol::Constant) {
      operand = symbol.constant;
    } else if (symbol.kind == Symbol::Argument) {
      isByType = true;
      if (isa<NoneType>(symbol.argument.type)) {
        operand = NoneAttr::get(context);
      } else if (symbol.argument.isLiteral && !symbol.argument.isOmitted) {
        // Its value plays no part, only that it is not None.
        operand = UnitAttr::get(context);
        hasLiteral = true;
      } else {
        return std::nullopt;
      }
    } else {
      return std::nullopt;
    }
  }
  bool hasNone = llvm::any_of(
      operands, [](Attribute operand) { return isa<NoneAttr>(operand); });
  if (isByType && !hasNone)
    return std::nullopt;
  if (compare) {
    std::optional<bool> result =
        foldCompare(compare.getKind(), operands[0], operands[1]);
    if (result)
      value = BoolAttr::get(context, *result);
    return result;
  }
  if (hasNone || hasLiteral)
    return std::nullopt;
  value = foldBinary(cast<BinaryOp>(condition.op).getKind(), operands[0],
                     operands[1]);
  // An int of too many bits is true, and an error where it is typed.
  if (isa_and_present<ObjectAttr>(value))
    return true;
  return value ? getTruth(value) : std::nullopt;
}

void Branches::prune(Stage stage) {
  // What is decided now decides nothing more before the next time.
  SmallVector<std::pair<Key, bool>> paths;
  SmallVector<std::pair<Key, Attribute>> values;
  for (auto &[key, condition] : reached) {
    if (taken.lookup(key))
      continue;
    Copy copy = static_cast<Copy>(key.second);
    Symbol symbol = resolve(condition, copy, stage);
    Attribute value;
    std::optional<bool> way = decide(symbol, stage, value);
    if (!way)
      continue;
    paths.push_back({key, *way});
    if (value)
      values.push_back(
          {{symbol.op, static_cast<unsigned>(symbol.copy)}, value});
  }
  for (auto [key, way] : paths)
    taken[key] = way;
  for (auto [key, value] : values)
    decided[key] = value;
}

void Branches::pruneEarly() {
  // Conditions that the first round decides are constants in the second.
  prune(Stage::Early);
  prune(Stage::Early);
}

void Branches::pruneLate() { prune(Stage::Late); }
