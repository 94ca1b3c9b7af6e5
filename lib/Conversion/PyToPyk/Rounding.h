// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Python's `round(x, digits)`.

#ifndef PYK_LIB_CONVERSION_PYTOPYK_ROUNDING_H
#define PYK_LIB_CONVERSION_PYTOPYK_ROUNDING_H

#include "FunctionLowering.h"

namespace pyk::py {

/// `value` rounded to `digits` after the point, as a number of `type`.
mlir::Value makeRounded(FunctionLowering &lowering, const Binding &value,
                        const Binding &digits, mlir::Type type,
                        mlir::Location loc);

} // namespace pyk::py

#endif // PYK_LIB_CONVERSION_PYTOPYK_ROUNDING_H
