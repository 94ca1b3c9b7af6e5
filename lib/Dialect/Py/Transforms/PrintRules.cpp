// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The abstract interpreter: what print can write.

#include "IntrinsicTyping.h"
#include "Remedies.h"
#include "pyk/Dialect/Py/IR/Chars.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Support/Diagnostics.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

/// True for a number, or a tuple of them.
static bool isOfNumbers(Type type) {
  if (auto tuple = dyn_cast<TupleType>(type))
    return llvm::all_of(tuple.getTypes(), isOfNumbers);
  return isScalar(type);
}

FailureOr<Fact> py::inferPrint(IntrinsicCall &call) {
  for (auto [input, type] : llvm::zip_equal(call.op.getInputs(), call.types)) {
    if (isOfNumbers(type))
      continue;
    auto known = dyn_cast<StaticType>(type);
    if (auto text =
            known ? dyn_cast<StringAttr>(known.getValue()) : StringAttr()) {
      if (text.getValue().contains('\0'))
        return emitTypingError(input.getLoc())
               << "'print' expects text without null characters";
      continue;
    }
    auto name =
        known ? dyn_cast<IntrinsicAttr>(known.getValue()) : IntrinsicAttr();
    const Intrinsic *row = name ? lookupIntrinsic(name.getName()) : nullptr;
    if (row && row->typing == intrinsics::TypingRule::Object)
      continue;
    InFlightDiagnostic error = emitTypingError(input.getLoc());
    error << "'print' expects numbers, tuples of them and constant strings but "
             "got "
          << describe(type);
    if (isa<ArrayType, TupleType>(type))
      error.attachNote() << "print its items one by one";
    if (isa<TimeType>(type))
      error.attachNote() << kCountOfTime;
    if (isText(type))
      error.attachNote() << "print a constant string for each text that it "
                            "may be, or ord(...) of its characters";
    return error;
  }
  return makeTyped(NoneType::get(call.context));
}
