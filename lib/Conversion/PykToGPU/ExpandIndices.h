// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The step of convert-pyk-to-gpu that works op by op.

#ifndef PYK_LIB_CONVERSION_PYKTOGPU_EXPANDINDICES_H
#define PYK_LIB_CONVERSION_PYKTOGPU_EXPANDINDICES_H

#include "mlir/IR/Operation.h"

namespace pyk {

/// Replaces the ops that say where a thread is below `root` by gpu and arith.
void expandIndexOps(mlir::Operation *root);

} // namespace pyk

#endif // PYK_LIB_CONVERSION_PYKTOGPU_EXPANDINDICES_H
