// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The abstract interpreter: variables, constants and names from outside; what
// to say of names that stand for nothing that kernels can use.

#include "Inference.h"
#include "pyk/Support/Diagnostics.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

StringRef py::findNearest(StringRef name, ArrayRef<StringRef> candidates) {
  StringRef best;
  // A third of the letters may be wrong, but not all.
  // Nor do those of the module count, which are right.
  unsigned length = name.size() - (name.rfind('.') + 1);
  unsigned distance =
      std::min<unsigned>(std::max<unsigned>(1, (length + 2) / 3) + 1, length);
  for (StringRef candidate : candidates)
    if (unsigned own = name.edit_distance(candidate);
        own != 0 && own < distance) {
      best = candidate;
      distance = own;
    }
  return best;
}

/// Whether control gets from `op` to the next turn of a loop that has `read` in
/// it, too.
static bool isBeforeNextTurn(Operation *op, Operation *read) {
  for (; !isa<FuncOp>(op); op = op->getParentOp()) {
    if (isa<ForOp, WhileOp>(op) && op->isProperAncestor(read))
      return true;
    if (isa<BreakOp, ReturnOp, RaiseOp>(op->getBlock()->back()))
      return false;
  }
  return false;
}

FailureOr<Fact> FunctionInference::evaluate(GetOp op,
                                            Environment &environment) {
  Definition *definition = environment.lookup(op.getNameAttr());
  branches.read(op, copy, definition, isFirstWalk);
  Operation *first = firstAssignment.lookup(op.getNameAttr());
  if (!definition) {
    // Without an assignment above it, a read is an error at once; below one
    // only if it is not pruned.
    if (phase == Phase::Names && (first || hasUnsupported))
      return Fact();
    // No path from an assignment leads here. It reads as zero, of the type that
    // the first assignment gives, as in Numba.
    Definition *other =
        first ? getDefinition(first, op.getNameAttr(), Place::Assignment)
              : nullptr;
    if (other && other->isReached)
      return makeTyped(other->fact.type);
    InFlightDiagnostic error = emitTypingError(op.getLoc());
    error << "variable '" << op.getName() << "' is read before it is assigned";
    function.walk([&](SetOp set) {
      if (set.getName() != op.getName())
        return WalkResult::advance();
      bool isNextTurn = isBeforeNextTurn(set, op);
      error.attachNote(set.getLoc())
          << "it is assigned here, "
          << (isNextTurn
                  ? "which the first turn of the loop does after the read"
                  : "from where control does not get to the read");
      return WalkResult::interrupt();
    });
    return error;
  }
  return readDefinition(definition, op.getLoc());
}

FailureOr<Fact> FunctionInference::readDefinition(Definition *definition,
                                                  Location loc) {
  read.insert(definition);
  if (phase == Phase::Names)
    return Fact();
  if (definition->isJoin() && !definition->isWanted)
    want(definition);
  if (definition->clash[0])
    return emitClash(loc, *definition);
  return definition->fact;
}

/// Says what to write in place of an object of class `kind` that kernels cannot
/// use, if something is likely.
static void noteRemedy(InFlightDiagnostic &error, StringRef kind,
                       StringRef name) {
  if (kind == "function")
    error.attachNote() << "decorate the function with @cuda.jit(device=True)";
  else if (kind == "list" || kind == "dict" || kind == "set")
    error.attachNote() << "make it a tuple or a NumPy array";
  else if (kind == "type")
    error.attachNote() << "of classes, kernels make named tuples; records are "
                          "arguments and elements of arrays";
  else if (name.starts_with("random."))
    error.attachNote() << kRandomNumbers;
}

/// What kernels can use that is `attribute` of another module than `owner`, or
/// `owner` of `cuda`, as Numba's own tutorials import it; empty if nothing is.
static StringRef findElsewhere(StringRef owner, StringRef attribute) {
  if (attribute.empty()) {
    const Intrinsic *row = lookupIntrinsic(("cuda." + owner).str());
    return row ? StringRef(row->name) : StringRef();
  }
  // Members of arrays and of parts of `cuda` are other things.
  if (owner.contains('.'))
    return {};
  for (StringRef module : {"builtins.", "math.", "cuda.libdevice."})
    if (const Intrinsic *row = lookupIntrinsic((module + attribute).str())) {
      StringRef found = row->name;
      found.consume_front("builtins.");
      return found;
    }
  return {};
}

FailureOr<Fact> FunctionInference::evaluate(ConstantOp op) {
  StringRef name = op.getName().value_or("");
  if (auto unresolved = dyn_cast<UnresolvedAttr>(op.getValue())) {
    // Said once, however often it is used.
    if (!unresolvedNames.insert(unresolved.getName()).second)
      return failure();
    InFlightDiagnostic error = emitTypingError(op.getLoc());
    auto [owner, attribute] = unresolved.getName().rsplit('.');
    if (attribute.empty())
      error << "name '" << owner << "' is not defined";
    else
      error << "'" << owner << "' has no '" << attribute << "'";
    SmallVector<StringRef> known;
    for (const auto &entry : firstAssignment)
      known.push_back(entry.first.getValue());
    llvm::sort(known);
    for (const Intrinsic &row : getIntrinsics())
      known.push_back(row.name);
    StringRef nearest = findElsewhere(owner, attribute);
    if (nearest.empty())
      nearest = findNearest(unresolved.getName(), known);
    if (!nearest.empty())
      error.attachNote() << "did you mean '" << nearest << "'?";
    return error;
  }
  if (auto object = dyn_cast<ObjectAttr>(op.getValue())) {
    InFlightDiagnostic error = emitTypingError(op.getLoc());
    if (!name.empty())
      error << "'" << name << "' is ";
    else
      error << "this is ";
    error << "of type " << object.getName() << ", which a kernel cannot use";
    noteRemedy(error, object.getName(), name);
    return error;
  }
  if (auto intrinsic = dyn_cast<IntrinsicAttr>(op.getValue()))
    if (const Intrinsic *row = lookupIntrinsic(intrinsic.getName()))
      if (Type type = getValueType(*row, context))
        return makeTyped(type);
  return makeConstant(op.getValue());
}
