// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The abstract interpreter: what is peculiar to complex numbers.

#include "Inference.h"
#include "pyk/Dialect/Py/IR/Chars.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Support/Diagnostics.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

LogicalResult FunctionInference::checkConvertible(Location loc, Type from,
                                                  Type to) {
  if (isa<TimeType>(from) || isa<TimeType>(to))
    return checkTime(loc, from, to);
  if (isa<ShortVectorType>(from) || isa<ShortVectorType>(to))
    return checkVector(loc, from, to);
  if (isa<Float8Type>(from) || isa<Float8Type>(to))
    return checkFloat8(loc, from, to);
  if (isText(from) || isText(to))
    return checkText(loc, from, to);
  if (!isComplex(from) || isComplex(to))
    return success();
  InFlightDiagnostic error = emitTypingError(loc);
  error << "cannot convert " << describe(from) << " to " << describe(to);
  error.attachNote()
      << (isBool(to) ? "bool(...) tells whether it is not 0"
                     : "take a part of it, .real or .imag, or abs(...)");
  return error;
}
