// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which values become others by themselves, and what to write for those that do
// not.

#include "Conversions.h"
#include "Remedies.h"
#include "pyk/Dialect/Py/IR/Chars.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Dialect/Py/IR/Times.h"
#include "pyk/Support/Diagnostics.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

static LogicalResult checkTime(Location loc, Type from, Type to) {
  auto a = dyn_cast<TimeType>(from), b = dyn_cast<TimeType>(to);
  if (a && b && isExact(a, b))
    return success();
  InFlightDiagnostic error = emitTypingError(loc);
  error << "cannot convert " << describe(from) << " to " << describe(to);
  if (!b) {
    error.attachNote() << kCountOfTime;
  } else if (!a) {
    error.attachNote() << "an integer times np.timedelta64(1, 'D') is a "
                          "timedelta64[D]";
  } else if (a.getKind() == b.getKind()) {
    std::string reason = explainUnits(a, b);
    if (reason.empty() && a.getKind() == TimeKind::Timedelta)
      reason = "the other unit is coarser; '//' by one of it, such as "
               "np.timedelta64(1, 'D'), counts whole ones";
    else if (reason.empty())
      reason = "the other unit is coarser, so that the date would be cut off";
    error.attachNote() << reason;
  }
  return error;
}

LogicalResult py::checkVector(Location loc, Type from, Type to) {
  if (from == to)
    return success();
  InFlightDiagnostic error = emitTypingError(loc);
  error << "cannot convert " << describe(from) << " to " << describe(to);
  if (isa<ShortVectorType>(to))
    error.attachNote() << "make one with " << describe(to) << "(...)";
  else
    error.attachNote() << "take a component of it, such as .x";
  return error;
}

static LogicalResult checkFloat8(Location loc, Type from, Type to) {
  Type other = isa<Float8Type>(from) ? to : from;
  if (from == to || isReal(other))
    return success();
  return emitTypingError(loc)
         << "cannot convert " << describe(from) << " to " << describe(to);
}

static LogicalResult checkText(Location loc, Type from, Type to) {
  if (getCharsKind(from) == getCharsKind(to))
    return success();
  InFlightDiagnostic error = emitTypingError(loc);
  error << "cannot convert " << describe(from) << " to " << describe(to);
  if (isText(from) && isText(to))
    error.attachNote() << "S holds bytes, such as b\"text\", and U holds str, "
                          "such as \"text\"";
  return error;
}

LogicalResult py::checkConvertible(Location loc, Type from, Type to) {
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
