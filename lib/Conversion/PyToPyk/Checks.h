// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks of what a program does, and the failures that it raises.

#ifndef PYK_LIB_CONVERSION_PYTOPYK_CHECKS_H
#define PYK_LIB_CONVERSION_PYTOPYK_CHECKS_H

#include "FunctionLowering.h"

namespace pyk::py {

/// Makes checks, each of which is left out unless it is asked for.
class Checks : public LoweringPart {
public:
  using LoweringPart::LoweringPart;

  void lower(RaiseOp op);
  /// Ends the thread with `error` unless `condition` holds. `message` has `{0}`
  /// and so on for the numbers that are `recorded`.
  void check(mlir::Value condition, mlir::StringRef error,
             const llvm::Twine &message, mlir::ValueRange recorded,
             mlir::Location loc);
  /// As `check`, whether errors are reported or not: no thread goes on.
  void require(mlir::Value condition, mlir::StringRef error,
               const llvm::Twine &message, mlir::Location loc);
  /// How messages call `array`.
  std::string describeArray(mlir::Value array);
  /// That `position`, which `given` became, is in 0 .. `extent`.
  void checkInside(mlir::Value position, mlir::Value extent, mlir::Value given,
                   const llvm::Twine &message, mlir::Location loc);
  /// That there are `count` values to unpack.
  void checkCount(mlir::Value extent, size_t count, mlir::Location loc);
  /// That what has `extent` elements can be stored into `wanted`, or `isOne`.
  void checkFits(mlir::Value extent, mlir::Value isOne, mlir::Value wanted,
                 int64_t dimension, mlir::Location loc);
  /// That `extents` make `size` elements.
  void checkReshape(mlir::Value size, llvm::ArrayRef<mlir::Value> extents,
                    mlir::Location loc);
  /// That `array` has one element.
  void checkSingle(mlir::Value array, mlir::Location loc);
  /// That what has `extent` elements runs beside `wanted`: it has as many or 1.
  void checkStretches(mlir::Value extent, mlir::Value wanted,
                      mlir::Location loc);
  /// That `number` is not 0, if that `isWanted`.
  void checkNotZero(mlir::Value number, mlir::StringRef error,
                    const llvm::Twine &message, bool isWanted,
                    mlir::Location loc);
  /// That `kind` can divide by `divisor`, if errors are reported; so below.
  void checkDivisor(BinaryOperator kind, mlir::Value divisor,
                    mlir::Location loc);
  /// That `base` is not 0 where `exponent` is negative.
  void checkPower(mlir::Value base, mlir::Value exponent, mlir::Location loc);

private:
  FailureAttr makeFailure(mlir::StringRef error, const llvm::Twine &message,
                          mlir::Location loc, int64_t exception = -1);
};

} // namespace pyk::py

#endif // PYK_LIB_CONVERSION_PYTOPYK_CHECKS_H
