// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments in the order of parameters.

#include "Binding.h"
#include "Remedies.h"
#include "pyk/Support/Diagnostics.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

FailureOr<Bound> py::bindArguments(CallOp op, StringRef name,
                                   ArrayRef<StringRef> names,
                                   ArrayRef<Fact> arguments, size_t surplus,
                                   std::optional<Location> callee) {
  auto noteCallee = [&](InFlightDiagnostic &error) {
    if (callee)
      error.attachNote(callee) << "'" << name << "' is defined here";
    return failure();
  };
  size_t positional =
      arguments.size() - (op.getKeywords() ? op.getKeywords()->size() : 0);
  if (positional > names.size() + surplus) {
    InFlightDiagnostic error =
        emitTypingError(op.getInputs()[names.size()].getLoc());
    error << "'" << name << "' takes " << names.size()
          << (names.size() == 1 ? " argument but " : " arguments but ")
          << positional << (positional == 1 ? " was given" : " were given");
    return noteCallee(error);
  }
  Bound bound;
  bound.facts.resize(names.size());
  bound.values.resize(names.size());
  auto give = [&](size_t parameter, size_t argument) {
    bound.facts[parameter] = arguments[argument];
    bound.values[parameter] = op.getInputs()[argument];
  };
  for (size_t position = 0; position != positional - surplus; ++position)
    give(position, position);
  for (size_t position = positional; position != arguments.size(); ++position) {
    auto keyword =
        cast<StringAttr>((*op.getKeywords())[position - positional]).getValue();
    Location loc = op.getInputs()[position].getLoc();
    size_t parameter = llvm::find(names, keyword) - names.begin();
    if (parameter == names.size()) {
      InFlightDiagnostic error = emitTypingError(loc);
      error << "'" << name << "' has no parameter '" << keyword << "'";
      StringRef nearest = findNearest(keyword, names);
      if (!nearest.empty())
        error.attachNote() << "did you mean '" << nearest << "'?";
      return noteCallee(error);
    }
    if (bound.values[parameter])
      return emitTypingError(loc)
             << "'" << name << "' is given two values for '" << keyword << "'";
    give(parameter, position);
  }
  return bound;
}
