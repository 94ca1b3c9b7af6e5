// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that a kernel launches.

#ifndef PYK_LIB_CONVERSION_PYTOPYK_LAUNCHES_H
#define PYK_LIB_CONVERSION_PYTOPYK_LAUNCHES_H

#include "FunctionLowering.h"

namespace pyk::py {

/// What `kernel[shape]` carries: the extents of the grid and of a block, 1
/// where none is given, the stream and the bytes of shared memory.
Binding configureKernel(FunctionLowering &lowering, ConfiguredKernelType kernel,
                        const Binding &shape, mlir::Location loc);

/// Launches `target` with the parts of its arguments.
void makeLaunch(mlir::OpBuilder &builder, FuncOp target,
                const Binding &configured, mlir::ValueRange arguments,
                mlir::Location loc);

} // namespace pyk::py

#endif // PYK_LIB_CONVERSION_PYTOPYK_LAUNCHES_H
