// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The abstract interpreter: what print can write.

#include "Inference.h"
#include "pyk/Dialect/Py/IR/Chars.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Dialect/Pyk/IR/PykLimits.h"
#include "pyk/Support/Diagnostics.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

/// How many numbers one of `type`, or a tuple of them, has; nothing for others.
static std::optional<size_t> countNumbers(Type type) {
  if (isScalar(type))
    return isComplex(type) ? 2 : 1;
  if (!isa<TupleType>(type))
    return std::nullopt;
  size_t count = 0;
  for (Type item : cast<TupleType>(type).getTypes()) {
    std::optional<size_t> own = countNumbers(item);
    if (!own)
      return std::nullopt;
    count += *own;
  }
  return count;
}

LogicalResult FunctionInference::checkPrinted(CallOp op) {
  size_t numbers = 0;
  for (Value input : op.getInputs()) {
    Type type = get(input).type;
    if (std::optional<size_t> count = countNumbers(type)) {
      numbers += *count;
      continue;
    }
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
    if (row && row->typing == intrinsics::Dim3) {
      numbers += 3;
      continue;
    }
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
  if (numbers > kMaxPrintedValues)
    return emitTypingError(op.getLoc())
           << "'print' writes at most " << kMaxPrintedValues
           << " numbers but got " << numbers
           << ", two for each complex number and three for each x, y, z";
  return success();
}
