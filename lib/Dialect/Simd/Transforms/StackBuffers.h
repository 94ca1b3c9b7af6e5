// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory through which a kernel passes vectors.

#ifndef PYK_LIB_DIALECT_SIMD_TRANSFORMS_STACKBUFFERS_H
#define PYK_LIB_DIALECT_SIMD_TRANSFORMS_STACKBUFFERS_H

#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"
#include <tuple>

namespace pyk::simd {

/// Buffers on the stack, each made once, at the entry of the kernel.
class StackBuffers {
public:
  /// `builder` stands in the block that is the entry.
  explicit StackBuffers(mlir::OpBuilder &builder)
      : builder(builder), entry(builder.getInsertionBlock()) {}

  /// A buffer for `count` of `element`; there is one for each `number`.
  mlir::Value get(mlir::Type element, unsigned number, int64_t count);

private:
  mlir::OpBuilder &builder;
  mlir::Block *entry;
  llvm::DenseMap<std::tuple<mlir::Type, unsigned, int64_t>, mlir::Value>
      buffers;
};

/// Where `buffer`, memory for elements of `type`, has element `index`.
mlir::Value getAddressAt(mlir::OpBuilder &builder, mlir::Value buffer,
                         mlir::Type type, mlir::Value index);

} // namespace pyk::simd

#endif // PYK_LIB_DIALECT_SIMD_TRANSFORMS_STACKBUFFERS_H
