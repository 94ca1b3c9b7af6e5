// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a launch must pass, read from the kernel in the stage that it came in:
// later stages say less.

#ifndef PYK_LIB_COMPILER_SIGNATURE_H
#define PYK_LIB_COMPILER_SIGNATURE_H

#include "pyk/Compiler/KernelInterface.h"
#include "pyk/Dialect/Py/IR/PyOps.h"
#include "pyk/Dialect/Pyk/IR/PykFuncOps.h"

namespace pyk {

/// The types that `kernel`, which has them, is specialized on.
std::vector<ArgumentType> getArgumentTypes(py::FuncOp kernel);

/// The types of the arguments of `kernel`.
std::vector<ArgumentType> getArgumentTypes(FuncOp kernel);

/// What the parameters `abi` of `kernel` reveal about its arguments. An error
/// if the two do not fit.
mlir::FailureOr<std::vector<ArgumentType>>
getArgumentTypes(mlir::gpu::GPUFuncOp kernel, AbiAttr abi);

} // namespace pyk

#endif // PYK_LIB_COMPILER_SIGNATURE_H
