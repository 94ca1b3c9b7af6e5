// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How facts unify, and how definitions meet.

#include "Definitions.h"
#include "Folding.h"
#include "Inference.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Support/Diagnostics.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

Fact py::makeConstant(Attribute value) {
  MLIRContext *context = value.getContext();
  Fact fact;
  if (auto integer = dyn_cast<IntAttr>(value)) {
    fact.type = integer.getValue().getType();
    fact.constant = value;
    fact.isLiteral = true;
  } else if (isa<BoolAttr>(value)) {
    fact.type = IntegerType::get(context, 1);
    fact.constant = value;
    fact.isLiteral = true;
  } else if (isa<NoneAttr>(value)) {
    fact.type = NoneType::get(context);
  } else if (auto tuple = dyn_cast<ArrayAttr>(value)) {
    SmallVector<Type> types;
    SmallVector<Attribute> items;
    for (Attribute item : tuple) {
      Fact known = makeConstant(item);
      types.push_back(known.type);
      items.push_back(known.constant ? known.constant : UnitAttr::get(context));
    }
    fact.type = TupleType::get(context, types);
    fact.constant = makeTupleConstant(context, items);
    fact.isLiteral = fact.constant != nullptr;
  } else if (auto named = dyn_cast<NamedTupleAttr>(value)) {
    fact = makeConstant(named.getItems());
    fact.type = NamedTupleType::get(context, named.getName(), named.getFields(),
                                    cast<TupleType>(fact.type));
  } else if (auto member = dyn_cast<EnumMemberAttr>(value)) {
    // Its value is known, but to Numba it is no literal.
    fact = makeConstant(member.getValue());
    fact.type = EnumType::get(context, member.getName(), fact.type,
                              member.getInteger());
    fact.isLiteral = false;
  } else if (isa<FloatAttr, IntegerAttr, complex::NumberAttr>(value)) {
    // A NumPy scalar keeps its type and is no literal; nor are floats and
    // complex numbers.
    fact.type = cast<TypedAttr>(value).getType();
  } else if (auto array = dyn_cast<DenseElementsAttr>(value)) {
    fact.type =
        ArrayType::get(context, array.getType().getShape(),
                       array.getElementType(), Layout::C, Space::Constant);
  } else if (auto array = dyn_cast<DeviceArrayAttr>(value)) {
    fact.type = array.getType();
  } else if (auto stored = dyn_cast<StoredAttr>(value)) {
    fact.type = stored.getType();
  } else if (auto stored = dyn_cast<StoredArrayAttr>(value)) {
    fact.type = stored.getArrayType();
  } else {
    fact.type = StaticType::get(context, value);
  }
  return fact;
}

Attribute py::makeTupleConstant(MLIRContext *context,
                                ArrayRef<Attribute> items) {
  return llvm::all_of(items, llvm::IsaPred<UnitAttr>)
             ? Attribute()
             : ArrayAttr::get(context, items);
}

Fact py::makeTuple(MLIRContext *context, ArrayRef<Fact> items) {
  SmallVector<Type> types;
  SmallVector<Attribute> constants;
  Fact result;
  result.isLiteral = true;
  for (const Fact &item : items) {
    types.push_back(item.type);
    constants.push_back(item.constant ? item.constant : UnitAttr::get(context));
    result.isLiteral &= !item.constant || item.isLiteral;
  }
  result.type = TupleType::get(context, types);
  result.constant = makeTupleConstant(context, constants);
  result.isLiteral &= result.constant != nullptr;
  return result;
}

/// What two values known while compiling have in common; null for nothing.
static Attribute meetConstants(Attribute a, Attribute b) {
  if (a == b)
    return a;
  auto left = dyn_cast_if_present<ArrayAttr>(a);
  auto right = dyn_cast_if_present<ArrayAttr>(b);
  if (!left || !right || left.size() != right.size())
    return {};
  SmallVector<Attribute> items;
  for (auto [x, y] : llvm::zip(left, right)) {
    Attribute item = meetConstants(x, y);
    items.push_back(item ? item : UnitAttr::get(x.getContext()));
  }
  return makeTupleConstant(a.getContext(), items);
}

Fact py::unify(const Fact &a, const Fact &b) {
  if (!a.type || !b.type)
    return a.type ? a : b;
  Fact result = makeTyped(unify(a.type, b.type));
  if (a.type == b.type) {
    result.constant = meetConstants(a.constant, b.constant);
    result.isLiteral = result.constant && a.isLiteral && b.isLiteral;
  }
  return result;
}

bool FunctionInference::grow(Fact &known, const Fact &fact) {
  if (!fact.type || known == fact)
    return true;
  Fact grown = unify(known, fact);
  if (!grown.type)
    return false;
  if (!(grown == known)) {
    known = grown;
    changed = true;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Definitions
//===----------------------------------------------------------------------===//

Definition *FunctionInference::getDefinition(Operation *op, StringAttr name,
                                             Place place) {
  Copy own = place == Place::Assignment ? copy : Copy::Only;
  Definition *&known = definitionOf[{
      {op, name}, {static_cast<unsigned>(place), static_cast<unsigned>(own)}}];
  if (!known) {
    definitions.emplace_back(op, name, place, own);
    known = &definitions.back();
  }
  return known;
}

void FunctionInference::define(Operation *op, StringAttr name, const Fact &fact,
                               Environment &environment) {
  Definition *definition = getDefinition(op, name, Place::Assignment);
  if (phase == Phase::Types) {
    definition->isReached = true;
    Fact before = definition->fact;
    if (!grow(definition->fact, fact))
      emitTypingError(op->getLoc())
          << "cannot unify " << describe(before.type) << " and "
          << describe(fact.type) << " for variable '" << name.getValue() << "'";
  } else if (auto set = dyn_cast<SetOp>(op)) {
    // What is assigned a constant has its type from the start. An attribute
    // such as math.pi is none.
    Value source = set.getValue();
    unsigned position = 0;
    // Else the source is a tuple, of which the variable gets one item.
    bool isWhole = true;
    if (auto unpack = source.getDefiningOp<UnpackOp>()) {
      position = cast<OpResult>(source).getResultNumber();
      source = unpack.getValue();
      auto tuple = source.getDefiningOp<TupleOp>();
      isWhole = tuple && position < tuple.getItems().size();
      if (isWhole)
        source = tuple.getItems()[position];
    }
    // Where a star takes several, positions are not those of the items.
    auto constant = source.getDefiningOp<ConstantOp>();
    auto unpacked = set.getValue().getDefiningOp<UnpackOp>();
    if (constant && !(unpacked && unpacked.getStarred()))
      if (!constant.getName() || !constant.getName()->contains('.')) {
        Attribute value = constant.getValue();
        auto items = dyn_cast<ArrayAttr>(value);
        // What kernels cannot use is an error where it stands.
        if ((isWhole || !items) && !isa<UnresolvedAttr, ObjectAttr>(value))
          definition->fact = makeConstant(value);
        else if (items && isLiteralText(source) && position < items.size())
          definition->fact = makeConstant(items[position]);
      }
  }
  if (isFirstWalk) {
    firstAssignment.try_emplace(name, op);
    branches.assign(op, name, nested == 0 && !hasReturned);
  }
  environment[name] = definition;
}

/// The first assignment below `definition` of a value of `type`.
static Operation *findAssignment(Definition *definition, Type type,
                                 llvm::SmallPtrSetImpl<Definition *> &seen) {
  if (!seen.insert(definition).second)
    return nullptr;
  if (!definition->isJoin())
    return definition->fact.type == type ? definition->op : nullptr;
  for (Definition *source : definition->sources)
    if (Operation *found = findAssignment(source, type, seen))
      return found;
  return nullptr;
}

void FunctionInference::form(Definition *join) {
  // Types that clash do so for ever: what they are only grows.
  if (phase == Phase::Names || !join->isWanted || join->clash[0])
    return;
  for (Definition *source : join->sources) {
    Fact before = join->fact;
    if (source->clash[0]) {
      llvm::copy(source->clash, join->clash);
      llvm::copy(source->clashing, join->clashing);
    } else if (!grow(join->fact, source->fact)) {
      llvm::SmallPtrSet<Definition *, 8> seen, seenSource;
      join->clash[0] = before.type;
      join->clash[1] = source->fact.type;
      join->clashing[0] = findAssignment(join, before.type, seen);
      join->clashing[1] = findAssignment(source, source->fact.type, seenSource);
    }
    if (join->clash[0]) {
      changed = true;
      return;
    }
  }
}

InFlightDiagnostic FunctionInference::emitClash(Location loc,
                                                const Definition &definition) {
  InFlightDiagnostic error = emitTypingError(loc);
  StringRef name = definition.name.getValue();
  Type first = definition.clash[0], second = definition.clash[1];
  error << "cannot unify " << describe(first) << " and " << describe(second)
        << " for variable '" << name << "'";
  for (auto [assignment, type] :
       llvm::zip(definition.clashing, definition.clash))
    if (assignment)
      error.attachNote(assignment->getLoc())
          << (isa<FuncOp>(assignment) ? "given " : "assigned ")
          << describe(type) << " here";
  noteTexts(error, first, second);
  return error;
}

void FunctionInference::want(Definition *definition) {
  SmallVector<Definition *> waiting{definition};
  while (!waiting.empty()) {
    Definition *next = waiting.pop_back_val();
    if (!next->isJoin() || next->isWanted)
      continue;
    next->isWanted = true;
    changed = true;
    waiting.append(next->sources);
    if (next->head)
      waiting.push_back(next->head);
  }
}

std::optional<Environment>
FunctionInference::meet(Operation *op, Place place,
                        ArrayRef<const Environment *> environments) {
  if (environments.empty())
    return std::nullopt;
  // Names in the order in which the paths bring them.
  llvm::SmallSetVector<StringAttr, 8> names;
  for (const Environment *environment : environments)
    for (const auto &entry : *environment)
      names.insert(entry.first);
  Environment result;
  for (StringAttr name : names) {
    SmallVector<Definition *> sources;
    for (const Environment *environment : environments)
      sources.push_back(environment->lookup(name));
    bool isOfLoop =
        place == Place::Exit && llvm::is_contained(loopNames.lookup(op), name);
    if (llvm::all_equal(sources) && !isOfLoop) {
      result[name] = sources.front();
      continue;
    }
    Definition *join = getDefinition(op, name, place);
    join->isPartial = llvm::is_contained(sources, nullptr);
    llvm::erase(sources, nullptr);
    join->sources.assign(sources.begin(), sources.end());
    // Control gets here from the head of the loop, whatever Numba makes of it.
    if (isOfLoop)
      join->head = getDefinition(op, name, Place::Head);
    form(join);
    result[name] = join;
  }
  return result;
}

SmallVector<StringAttr>
FunctionInference::getAssigned(MutableArrayRef<Region> regions) {
  llvm::SmallSetVector<StringAttr, 8> names;
  for (Region &region : regions)
    region.walk([&](SetOp set) { names.insert(set.getNameAttr()); });
  return SmallVector<StringAttr>(names.begin(), names.end());
}

DictionaryAttr FunctionInference::getSlots(MutableArrayRef<Region> regions,
                                           const Environment &environment) {
  SmallVector<NamedAttribute> entries;
  for (StringAttr name : getAssigned(regions)) {
    Definition *definition = environment.lookup(name);
    if (definition && definition->fact.type && !definition->clash[0])
      entries.emplace_back(name, TypeAttr::get(definition->fact.type));
  }
  return DictionaryAttr::get(context, entries);
}
