// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a kernel takes in stage gpu for its arguments.

#ifndef PYK_LIB_CONVERSION_PYKTOGPU_KERNELPARAMETERS_H
#define PYK_LIB_CONVERSION_PYKTOGPU_KERNELPARAMETERS_H

#include "pyk/Dialect/Pyk/IR/PykAttributes.h"
#include "pyk/Dialect/Pyk/IR/PykFuncOps.h"

namespace pyk {

/// The parameters of a kernel, in order.
struct KernelParameters {
  llvm::SmallVector<ParameterAttr> abi;
  llvm::SmallVector<mlir::Type> types;
  llvm::SmallVector<mlir::DictionaryAttr> attributes;
  /// The facts of all arguments; null if there are none.
  mlir::ArrayAttr facts;
};

/// Gives the first block of `kernel` parameters in place of arguments, which it
/// rebuilds from them; one for the record of a failure comes last if it
/// `mayFail`.
KernelParameters replaceArguments(FuncOp kernel, bool mayFail);

} // namespace pyk

#endif // PYK_LIB_CONVERSION_PYKTOGPU_KERNELPARAMETERS_H
