// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fields of records, and what to say of those that are not there.

#include "RecordFields.h"
#include "Remedies.h"
#include "pyk/Dialect/Py/IR/Indexing.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Support/Diagnostics.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

/// Most dimensions that an array has.
static constexpr int64_t kMaxRank = 32;

FailureOr<Type> py::getField(Location loc, ArrayType records,
                             unsigned position) {
  FieldAttr field = records.getRecord().getFields()[position];
  if (isa<NoneType>(field.getType()))
    return emitTypingError(loc)
           << "field '" << field.getName() << "' of " << describe(records)
           << " is of a kind that a kernel cannot use";
  int64_t rank =
      records.getRank() + static_cast<int64_t>(field.getShape().size());
  if (rank > kMaxRank)
    return emitTypingError(loc)
           << "expects at most " << kMaxRank << " dimensions but field '"
           << field.getName() << "' of " << describe(records) << " has "
           << rank;
  return getFieldValue(records, position);
}

InFlightDiagnostic py::emitUnknownField(Location loc, ArrayType records,
                                        StringRef name) {
  InFlightDiagnostic error = emitTypingError(loc);
  error << describe(records) << " has no field '" << name << "'";
  auto names =
      llvm::map_to_vector(records.getRecord().getFields(),
                          [](FieldAttr field) { return field.getName(); });
  StringRef nearest = findNearest(name, names);
  if (!nearest.empty())
    error.attachNote() << "did you mean '" << nearest << "'?";
  Diagnostic &note = error.attachNote() << "its fields are ";
  llvm::interleaveComma(names, note,
                        [&](StringRef own) { note << "'" << own << "'"; });
  return error;
}
