// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dialect of stage simd and its ops.

#ifndef PYK_DIALECT_SIMD_IR_SIMDOPS_H
#define PYK_DIALECT_SIMD_IR_SIMDOPS_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "pyk/Dialect/Pyk/IR/PykTypes.h"
#include "pyk/Support/InFunction.h"

#include "pyk/Dialect/Simd/IR/SimdDialect.h.inc"

namespace pyk::simd {

/// How many lanes a warp has.
inline constexpr int64_t kWarp = 32;

/// The compact vector type of `element` with the dimensions of `shape`.
mlir::VectorType getCompactType(llvm::ArrayRef<int64_t> shape,
                                mlir::Type element);

} // namespace pyk::simd

#define GET_OP_CLASSES
#include "pyk/Dialect/Simd/IR/SimdOps.h.inc"

#endif // PYK_DIALECT_SIMD_IR_SIMDOPS_H
