// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Complex numbers, and what they share with floats.

#ifndef PYK_LIB_CONVERSION_PYTOPYK_COMPLEXNUMBERS_H
#define PYK_LIB_CONVERSION_PYTOPYK_COMPLEXNUMBERS_H

#include "FunctionLowering.h"
#include "mlir/Dialect/Complex/IR/Complex.h"

namespace pyk::py {

/// The parts of `number`, a complex number.
mlir::Value getReal(mlir::OpBuilder &builder, mlir::Value number,
                    mlir::Location loc);
mlir::Value getImag(mlir::OpBuilder &builder, mlir::Value number,
                    mlir::Location loc);
mlir::Value makeComplex(mlir::OpBuilder &builder, mlir::Value real,
                        mlir::Value imag, mlir::Location loc);
mlir::Value makeComplexConstant(mlir::OpBuilder &builder,
                                mlir::complex::NumberAttr number,
                                mlir::Location loc);
/// Whether both parts are equal.
mlir::Value areEqual(mlir::OpBuilder &builder, mlir::Value a, mlir::Value b,
                     mlir::Location loc);

/// Lowers arithmetic of complex numbers.
class ComplexLowering : public LoweringPart {
public:
  using LoweringPart::LoweringPart;

  /// `a kind b` of two complex numbers of one type.
  mlir::Value makeComplexBinary(BinaryOperator kind, mlir::Value a,
                                mlir::Value b, mlir::Location loc);
  /// The product of two floats or complex numbers.
  mlir::Value multiply(mlir::Value a, mlir::Value b, mlir::Location loc);
  mlir::Value negate(mlir::Value number, mlir::Location loc);
};

} // namespace pyk::py

#endif // PYK_LIB_CONVERSION_PYTOPYK_COMPLEXNUMBERS_H
