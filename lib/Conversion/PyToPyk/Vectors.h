// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compact vectors, such as float32x4.

#ifndef PYK_LIB_CONVERSION_PYTOPYK_VECTORS_H
#define PYK_LIB_CONVERSION_PYTOPYK_VECTORS_H

#include "FunctionLowering.h"

namespace pyk::py {

/// Lowers what makes vectors of a few numbers, and what computes with them.
class VectorLowering : public LoweringPart {
public:
  using LoweringPart::LoweringPart;

  /// A vector of the components of `arguments`.
  Binding makeVector(ShortVectorType type, llvm::ArrayRef<Binding> arguments,
                     mlir::Location loc);
  /// `lhs kind rhs` by component; one of them may be a number.
  Binding makeVectorBinary(BinaryOperator kind, const Binding &lhs,
                           const Binding &rhs, ShortVectorType type,
                           mlir::Location loc);
  /// The vector at `indices`.
  Binding loadVector(mlir::Value array, mlir::ValueRange indices,
                     ShortVectorType type, mlir::Location loc);
  /// Stores into an element of vectors, or of records with their fields.
  void storeVector(const Binding &vector, mlir::Value array,
                   mlir::ValueRange indices, mlir::Location loc);
};

} // namespace pyk::py

#endif // PYK_LIB_CONVERSION_PYTOPYK_VECTORS_H
