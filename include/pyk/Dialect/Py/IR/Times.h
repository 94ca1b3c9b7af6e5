// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Units of NumPy's datetime64 and timedelta64: which convert to which, and the
// types of operators, which are those of Numba.

#ifndef PYK_DIALECT_PY_IR_TIMES_H
#define PYK_DIALECT_PY_IR_TIMES_H

#include "pyk/Dialect/Py/IR/PyAttributes.h"
#include <optional>

namespace pyk::py {

/// True for numbers and times: what an array may hold besides records.
bool isNumberOrTime(mlir::Type type);

/// True for times of `kind`.
bool isTime(mlir::Type type, TimeKind kind);

/// How many `to` one `from` is, which is no finer; nothing if that is not
/// always the same number, or more than 64 bits hold.
std::optional<int64_t> getFactor(TimeUnit from, TimeUnit to);

/// True if each time of type `from` is one of type `to`.
bool isExact(TimeType from, TimeType to);

/// True if a cast makes an integer of a time, or the other way round.
bool isCount(mlir::Type from, mlir::Type to);

/// The type, one of the two, to which times of both convert; null if there is
/// none.
TimeType getCommonTime(TimeType a, TimeType b);

/// The type of `kind` applied to `lhs` and `rhs`, one of which is a time; null
/// if the operator does not take them.
mlir::Type getTimeType(BinaryOperator kind, mlir::Type lhs, mlir::Type rhs);

/// Why times of units `a` and `b` cannot be computed with, in a few words;
/// empty if that is not the matter.
std::string explainUnits(mlir::Type a, mlir::Type b);

} // namespace pyk::py

#endif // PYK_DIALECT_PY_IR_TIMES_H
