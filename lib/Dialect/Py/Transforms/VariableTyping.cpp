// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The abstract interpreter: how definitions meet, and what reads of variables
// see.

#include "VariableTyping.h"
#include "Folding.h"
#include "Remedies.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Support/Diagnostics.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

SmallVector<StringAttr> py::getAssigned(MutableArrayRef<Region> regions) {
  llvm::SmallSetVector<StringAttr, 8> names;
  for (Region &region : regions)
    region.walk([&](SetOp set) { names.insert(set.getNameAttr()); });
  return SmallVector<StringAttr>(names.begin(), names.end());
}

DictionaryAttr py::getSlots(MutableArrayRef<Region> regions,
                            const Environment &environment,
                            MLIRContext *context) {
  SmallVector<NamedAttribute> entries;
  for (StringAttr name : getAssigned(regions)) {
    Definition *definition = environment.lookup(name);
    if (definition && definition->fact.type && !definition->clash[0])
      entries.emplace_back(name, TypeAttr::get(definition->fact.type));
  }
  return DictionaryAttr::get(context, entries);
}

//===----------------------------------------------------------------------===//
// Definitions
//===----------------------------------------------------------------------===//

Definition *VariableTyping::find(Operation *op, StringAttr name,
                                 DefinitionKind kind) {
  Copy own = kind == DefinitionKind::Assignment ? walk.copy : Copy::Only;
  Definition *&known = definitionOf[{
      {op, name}, {static_cast<unsigned>(kind), static_cast<unsigned>(own)}}];
  if (!known) {
    definitions.emplace_back(op, name, kind, own);
    known = &definitions.back();
  }
  return known;
}

void VariableTyping::define(Operation *op, StringAttr name, const Fact &fact,
                            Environment &environment) {
  Definition *definition = find(op, name, DefinitionKind::Assignment);
  if (walk.phase == Phase::Types) {
    definition->isReached = true;
    Fact before = definition->fact;
    if (!inference.grow(definition->fact, fact))
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
        if (isWhole && !isa<UnresolvedAttr, ObjectAttr>(value))
          definition->fact = makeConstant(value);
        else if (items && isLiteralText(source) && position < items.size())
          definition->fact = makeConstant(items[position]);
      }
  }
  if (walk.isFirst) {
    firstAssignment.try_emplace(name, op);
    inference.getBranches().assign(op, name,
                                   walk.nested == 0 && !walk.hasReturned);
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

void VariableTyping::form(Definition *join) {
  // Types that clash do so for ever: what they are only grows.
  if (walk.phase == Phase::Names || !join->isWanted || join->clash[0])
    return;
  for (Definition *source : join->sources) {
    Fact before = join->fact;
    if (source->clash[0]) {
      llvm::copy(source->clash, join->clash);
      llvm::copy(source->clashing, join->clashing);
    } else if (!inference.grow(join->fact, source->fact)) {
      llvm::SmallPtrSet<Definition *, 8> seen, seenSource;
      join->clash[0] = before.type;
      join->clash[1] = source->fact.type;
      join->clashing[0] = findAssignment(join, before.type, seen);
      join->clashing[1] = findAssignment(source, source->fact.type, seenSource);
    }
    if (join->clash[0]) {
      walk.changed = true;
      return;
    }
  }
}

void VariableTyping::want(Definition *definition) {
  SmallVector<Definition *> waiting{definition};
  while (!waiting.empty()) {
    Definition *next = waiting.pop_back_val();
    if (!next->isJoin() || next->isWanted)
      continue;
    next->isWanted = true;
    walk.changed = true;
    waiting.append(next->sources);
    if (next->head)
      waiting.push_back(next->head);
  }
}

void VariableTyping::wantReads() {
  for (Definition *definition : reads)
    want(definition);
}

std::optional<Environment>
VariableTyping::meet(Operation *op, DefinitionKind kind,
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
    bool isOfLoop = kind == DefinitionKind::Exit &&
                    llvm::is_contained(loopNames.lookup(op), name);
    if (llvm::all_equal(sources) && !isOfLoop) {
      result[name] = sources.front();
      continue;
    }
    Definition *join = find(op, name, kind);
    join->isPartial = llvm::is_contained(sources, nullptr);
    llvm::erase(sources, nullptr);
    join->sources.assign(sources.begin(), sources.end());
    // Control gets here from the head of the loop, whatever Numba makes of it.
    if (isOfLoop)
      join->head = find(op, name, DefinitionKind::Head);
    form(join);
    result[name] = join;
  }
  return result;
}

Environment VariableTyping::enterLoop(Operation *op, const Environment &entry) {
  auto [names, isNew] = loopNames.try_emplace(op);
  // What its `else` assigns does not come around.
  if (isNew)
    names->second = getAssigned(op->getRegions().drop_back());
  Environment head = entry;
  for (StringAttr name : names->second) {
    Definition *join = find(op, name, DefinitionKind::Head);
    Definition *before = entry.lookup(name);
    // What came around last time stays; what enters comes first.
    llvm::erase(join->sources, before);
    if (before)
      join->sources.insert(join->sources.begin(), before);
    join->isPartial = !before;
    form(join);
    if (!join->sources.empty())
      head[name] = join;
  }
  return head;
}

void VariableTyping::closeLoop(Operation *op, const Environment &entry,
                               ArrayRef<const Environment *> around) {
  for (StringAttr name : loopNames.lookup(op)) {
    Definition *join = find(op, name, DefinitionKind::Head);
    llvm::SmallSetVector<Definition *, 4> sources;
    sources.insert(entry.lookup(name));
    for (const Environment *environment : around)
      sources.insert(environment->lookup(name));
    join->isPartial = sources.contains(nullptr);
    sources.remove(nullptr);
    sources.remove(join);
    if (!llvm::equal(sources, join->sources)) {
      join->sources.assign(sources.begin(), sources.end());
      walk.changed = true;
    }
    if (join->isWanted)
      for (Definition *source : join->sources)
        want(source);
  }
}

//===----------------------------------------------------------------------===//
// Reads
//===----------------------------------------------------------------------===//

SmallVector<StringRef> VariableTyping::getNames() const {
  SmallVector<StringRef> names;
  for (const auto &entry : firstAssignment)
    names.push_back(entry.first.getValue());
  return names;
}

static InFlightDiagnostic emitClash(Location loc,
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

FailureOr<Fact> VariableTyping::read(Definition *definition, Location loc) {
  reads.insert(definition);
  if (walk.phase == Phase::Names)
    return Fact();
  if (definition->isJoin() && !definition->isWanted)
    want(definition);
  if (definition->clash[0])
    return emitClash(loc, *definition);
  return definition->fact;
}

/// Whether control gets from `op` to the next iteration of a loop that has
/// `read` in it, too.
static bool isBeforeNextIteration(Operation *op, Operation *read) {
  for (; !isa<FuncOp>(op); op = op->getParentOp()) {
    if (isa<ForOp, WhileOp>(op) && op->isProperAncestor(read))
      return true;
    if (isa<BreakOp, ReturnOp, RaiseOp>(op->getBlock()->back()))
      return false;
  }
  return false;
}

FailureOr<Fact> VariableTyping::evaluate(GetOp op, Environment &environment) {
  Definition *definition = environment.lookup(op.getNameAttr());
  inference.getBranches().read(op, walk.copy, definition, walk.isFirst);
  Operation *first = firstAssignment.lookup(op.getNameAttr());
  if (!definition) {
    // Without an assignment above it, a read is an error at once; below one
    // only if it is not pruned.
    if (walk.phase == Phase::Names && (first || walk.hasUnsupported))
      return Fact();
    // No path from an assignment leads here. It reads as zero, of the type that
    // the first assignment gives, as in Numba.
    Definition *other =
        first ? find(first, op.getNameAttr(), DefinitionKind::Assignment)
              : nullptr;
    if (other && other->isReached)
      return makeTyped(other->fact.type);
    InFlightDiagnostic error = emitTypingError(op.getLoc());
    error << "variable '" << op.getName() << "' is read before it is assigned";
    inference.getFunction().walk([&](SetOp set) {
      if (set.getName() != op.getName())
        return WalkResult::advance();
      bool isNextIteration = isBeforeNextIteration(set, op);
      error.attachNote(set.getLoc())
          << "it is assigned here, "
          << (isNextIteration
                  ? "which the first iteration of the loop does after the read"
                  : "from where control does not get to the read");
      return WalkResult::interrupt();
    });
    return error;
  }
  seenBy[op] = definition;
  return read(definition, op.getLoc());
}

//===----------------------------------------------------------------------===//
// Where floats come from
//===----------------------------------------------------------------------===//

/// The assignments below `definition`, one for each type.
static void
collectAssignments(Definition *definition,
                   llvm::SmallMapVector<Type, Operation *, 4> &found,
                   llvm::SmallPtrSetImpl<Definition *> &seen) {
  if (!seen.insert(definition).second)
    return;
  if (!definition->isJoin() && definition->fact.type)
    found.insert({definition->fact.type, definition->op});
  for (Definition *source : definition->sources)
    collectAssignments(source, found, seen);
}

void VariableTyping::noteFloat(InFlightDiagnostic &error, Value value,
                               unsigned depth) {
  // Of chains of assignments, the nearest ones tell enough.
  constexpr unsigned mostSteps = 8;
  Operation *op = value.getDefiningOp();
  if (!op || depth == mostSteps)
    return;
  if (auto binary = dyn_cast<BinaryOp>(op)) {
    if (binary.getKind() == BinaryOperator::TrueDiv)
      error.attachNote(op->getLoc())
          << "'/' gives a float; '//' of integers gives an integer";
    else
      for (Value operand : {binary.getLhs(), binary.getRhs()})
        if (isa_and_present<FloatType>(inference.get(operand).type))
          return noteFloat(error, operand, depth + 1);
    return;
  }
  auto get = dyn_cast<GetOp>(op);
  Definition *definition = get ? seenBy.lookup(op) : nullptr;
  if (!definition)
    return;
  llvm::SmallMapVector<Type, Operation *, 4> assigned;
  llvm::SmallPtrSet<Definition *, 8> seen;
  collectAssignments(definition, assigned, seen);
  for (auto [type, assignment] : assigned)
    if (isa<FloatType>(type)) {
      if (auto set = dyn_cast<SetOp>(assignment))
        noteFloat(error, set.getValue(), depth + 1);
      return;
    }
  if (assigned.size() < 2)
    return;
  for (auto [type, assignment] : assigned)
    error.attachNote(assignment->getLoc())
        << "'" << get.getName() << "' is "
        << (isa<FuncOp>(assignment) ? "given " : "assigned ") << describe(type)
        << " here";
  error.attachNote() << "both together are a float; convert one of them, as in "
                        "int64(x)";
}

void VariableTyping::noteFloat(InFlightDiagnostic &error, Value value) {
  noteFloat(error, value, 0);
}
