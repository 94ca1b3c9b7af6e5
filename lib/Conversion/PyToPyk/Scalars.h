// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers of pyk that take a builder and nothing else.

#ifndef PYK_LIB_CONVERSION_PYTOPYK_SCALARS_H
#define PYK_LIB_CONVERSION_PYTOPYK_SCALARS_H

#include "FunctionLowering.h"
#include "mlir/Dialect/Complex/IR/Complex.h"

namespace pyk::py {

/// True if integers of the type `type` of py have no sign.
bool isUnsigned(mlir::Type type);

/// Constants of a type of pyk.
mlir::Value makeInteger(mlir::OpBuilder &builder, int64_t value,
                        mlir::Type type, mlir::Location loc);
mlir::Value makeFloat(mlir::OpBuilder &builder, double value, mlir::Type type,
                      mlir::Location loc);
/// Zero of a type of pyk; of an array's, one that nothing reads.
mlir::Value makeZero(mlir::OpBuilder &builder, mlir::Type type,
                     mlir::Location loc);
/// A value of the type `type` of py where no path gives one.
Binding makeUndefined(mlir::OpBuilder &builder, mlir::Type type,
                      mlir::Location loc);
mlir::Value makeNot(mlir::OpBuilder &builder, mlir::Value truth,
                    mlir::Location loc);
/// Whether `a kind b` holds for two integers of one width.
mlir::Value compareIntegers(mlir::OpBuilder &builder, CompareOperator kind,
                            mlir::Value a, mlir::Value b, bool areUnsigned,
                            mlir::Location loc);

} // namespace pyk::py

#endif // PYK_LIB_CONVERSION_PYTOPYK_SCALARS_H
