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
  void check(mlir::Value condition, mlir::StringRef error,
             const llvm::Twine &message, mlir::ValueRange recorded,
             mlir::Location loc);
  void require(mlir::Value condition, mlir::StringRef error,
               const llvm::Twine &message, mlir::Location loc);
  /// How messages call `array`.
  std::string describeArray(mlir::Value array);
  void checkInside(mlir::Value position, mlir::Value extent, mlir::Value given,
                   const llvm::Twine &message, mlir::Location loc);
  void checkCount(mlir::Value extent, size_t count, mlir::Location loc);
  void checkFits(mlir::Value extent, mlir::Value isOne, mlir::Value wanted,
                 int64_t dimension, mlir::Location loc);
  void checkReshape(mlir::Value size, llvm::ArrayRef<mlir::Value> extents,
                    mlir::Location loc);
  void checkSingle(mlir::Value array, mlir::Location loc);
  void checkStretches(mlir::Value extent, mlir::Value wanted,
                      mlir::Location loc);
  void checkNotZero(mlir::Value number, mlir::StringRef error,
                    const llvm::Twine &message, bool isWanted,
                    mlir::Location loc);
  void checkDivisor(BinaryOperator kind, mlir::Value divisor,
                    mlir::Location loc);
  void checkPower(mlir::Value base, mlir::Value exponent, mlir::Location loc);

private:
  FailureAttr makeFailure(mlir::StringRef error, const llvm::Twine &message,
                          mlir::Location loc, int64_t exception = -1);
};

} // namespace pyk::py

#endif // PYK_LIB_CONVERSION_PYTOPYK_CHECKS_H
