// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times and differences of times.

#ifndef PYK_LIB_CONVERSION_PYTOPYK_TIMES_H
#define PYK_LIB_CONVERSION_PYTOPYK_TIMES_H

#include "FunctionLowering.h"
#include "pyk/Dialect/Py/IR/Times.h"

namespace pyk::py {

/// Lowers arithmetic and comparisons of times, which are counts of their units.
class TimeLowering : public LoweringPart {
public:
  using LoweringPart::LoweringPart;

  /// Whether `count`, of a time, is NaT.
  mlir::Value isNat(mlir::Value count, mlir::Location loc);
  /// The time as one of `to`; NaT stays NaT.
  mlir::Value convertTime(mlir::Value count, TimeType from, TimeType to,
                          mlir::Location loc);
  /// `lhs kind rhs`, of which at least one is a time, as a value of `type`.
  mlir::Value makeTimeBinary(BinaryOperator kind, const Binding &lhs,
                             const Binding &rhs, mlir::Type type,
                             mlir::Location loc);
  /// Whether `a kind b` holds for two times of one unit; NaT equals nothing.
  mlir::Value makeTimeComparison(CompareOperator kind, mlir::Value a,
                                 mlir::Value b, mlir::Location loc);

private:
  mlir::Value getDays(mlir::Value months, mlir::Location loc);
  /// `count` of `from` in units of `to`; of NaT what the arithmetic yields.
  mlir::Value scale(mlir::Value count, TimeType from, TimeType to,
                    mlir::Location loc);
  mlir::Value makeTimeProduct(BinaryOperator kind, mlir::Value count,
                              const Binding &number, mlir::Location loc);
};

} // namespace pyk::py

#endif // PYK_LIB_CONVERSION_PYTOPYK_TIMES_H
