// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants of Python as values.

#ifndef PYK_LIB_CONVERSION_PYTOPYK_CONSTANTS_H
#define PYK_LIB_CONVERSION_PYTOPYK_CONSTANTS_H

#include "FunctionLowering.h"

namespace pyk::py {

/// The constant `value`.
Binding makeConstant(mlir::OpBuilder &builder, mlir::Attribute value,
                     mlir::Location loc);

} // namespace pyk::py

#endif // PYK_LIB_CONVERSION_PYTOPYK_CONSTANTS_H
