// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The abstract interpreter: constants and names from outside; what to say of
// names that stand for nothing that kernels can use.

#include "ConstantTyping.h"
#include "IntrinsicTyping.h"
#include "Remedies.h"
#include "VariableTyping.h"
#include "pyk/Support/Diagnostics.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

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
  else if (name.starts_with("time."))
    error.attachNote() << kClocks;
  else if (!name.empty() && kind.contains('.') && !kind.starts_with("numpy."))
    error.attachNote() << "assign what the kernel needs of '" << name
                       << "' to a variable before the kernel, such as c = "
                       << name << ".c, and use that";
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

FailureOr<Fact> ConstantTyping::evaluate(ConstantOp op) {
  StringRef name = op.getName().value_or("");
  if (auto missing = dyn_cast<UnresolvedAttr>(op.getValue())) {
    // Said once, however often it is used.
    if (!unresolved.insert(missing.getName()).second)
      return failure();
    InFlightDiagnostic error = emitTypingError(op.getLoc());
    auto [owner, attribute] = missing.getName().rsplit('.');
    if (attribute.empty())
      error << "name '" << owner << "' is not defined";
    else
      error << "'" << owner << "' has no '" << attribute << "'";
    SmallVector<StringRef> known = inference.variables().getNames();
    llvm::sort(known);
    for (const Intrinsic &row : getIntrinsics())
      known.push_back(row.name);
    StringRef nearest = findElsewhere(owner, attribute);
    if (nearest.empty())
      nearest = findNearest(missing.getName(), known);
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
