// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads and stores of vectors.

#ifndef PYK_LIB_DIALECT_SIMD_TRANSFORMS_ACCESSUNROLLER_H
#define PYK_LIB_DIALECT_SIMD_TRANSFORMS_ACCESSUNROLLER_H

#include "SerialUnroller.h"

namespace pyk::simd {

/// The type of pointers to elements of `array`.
mlir::Type getPointerType(mlir::Value array);

/// A pointer to the element of `array` at `offset`, as `pyk.element` counts.
mlir::Value makePointer(mlir::OpBuilder &builder, mlir::Value array,
                        mlir::Value offset);

/// `held`, a vector that memory had, as elements of `element`: any byte but 0
/// is true.
mlir::Value toElements(mlir::OpBuilder &builder, mlir::Value held,
                       mlir::Type element);

/// Writes loads and stores as those of the machine, one for each instance.
class AccessUnroller {
public:
  /// Those for which masks would be branches, `serials` runs thread by thread.
  /// Rows that loops go down are fetched ahead, unless the processor does so by
  /// itself, which `fetchesRows` tells.
  AccessUnroller(mlir::OpBuilder &builder, UnrolledValues &values,
                 StackBuffers &buffers, SerialUnroller &serials,
                 bool fetchesRows)
      : builder(builder), values(values), buffers(buffers), serials(serials),
        fetchesRows(fetchesRows) {}

  void visit(LoadOp op);
  void visit(StoreOp op);

private:
  mlir::Value loadSteps(LoadOp op, mlir::Value array, int64_t row,
                        int64_t strip, mlir::VectorType type);
  mlir::Value divert(mlir::Value pointers, mlir::Value on, mlir::Type held);

  mlir::OpBuilder &builder;
  UnrolledValues &values;
  StackBuffers &buffers;
  SerialUnroller &serials;
  bool fetchesRows;
};

} // namespace pyk::simd

#endif // PYK_LIB_DIALECT_SIMD_TRANSFORMS_ACCESSUNROLLER_H
