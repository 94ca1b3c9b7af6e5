// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An array after conversion: its pointer alone, or a struct of the pointer, the
// dynamic extents and, for layout any, the strides.

#ifndef PYK_LIB_CONVERSION_PYKTOLLVM_ARRAYVALUE_H
#define PYK_LIB_CONVERSION_PYKTOLLVM_ARRAYVALUE_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "pyk/Dialect/Pyk/IR/PykInterfaces.h"
#include "pyk/Dialect/Pyk/IR/PykSpaces.h"

namespace pyk {

/// The LLVM type of `type`.
mlir::Type convertArrayType(ArrayType type);

/// The type of an `element` in memory: a bool takes a byte, the parts of a
/// complex number are a vector, a record is bytes.
mlir::Type getMemoryType(mlir::Type element);

/// The address that `access` means, whose converted array is `array`; an error
/// unless `pyk-expand-addresses` has run.
mlir::FailureOr<mlir::Value> getAddress(AccessOpInterface access,
                                        mlir::Value array);

/// Reads a converted array; the ops go to the place of `builder`.
class ArrayValue {
public:
  ArrayValue(ArrayType type, mlir::Value value,
             mlir::ImplicitLocOpBuilder &builder)
      : type(type), value(value), builder(builder) {}

  mlir::Value getPointer();
  /// Number of elements along `dimension`.
  mlir::Value getExtent(int64_t dimension);
  /// Bytes from one element to the next along `dimension`.
  mlir::Value getStride(int64_t dimension);
  /// The address `offset` elements from the first one, or bytes if the layout
  /// is any.
  mlir::Value getElement(mlir::Value offset);
  /// The address `index` elements along `dimension` from `pointer`.
  mlir::Value advance(mlir::Value pointer, int64_t dimension,
                      mlir::Value index);

  /// The converted array of these parts.
  static mlir::Value make(ArrayType type, mlir::Value pointer,
                          mlir::ValueRange extents, mlir::ValueRange strides,
                          mlir::ImplicitLocOpBuilder &builder);

private:
  mlir::Value getField(int64_t position);
  mlir::Value getConstant(int64_t value);

  ArrayType type;
  mlir::Value value;
  mlir::ImplicitLocOpBuilder &builder;
};

} // namespace pyk

#endif // PYK_LIB_CONVERSION_PYKTOLLVM_ARRAYVALUE_H
