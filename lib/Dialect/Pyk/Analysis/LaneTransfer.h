// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the shapes of operands to those of results.

#ifndef PYK_LIB_DIALECT_PYK_ANALYSIS_LANETRANSFER_H
#define PYK_LIB_DIALECT_PYK_ANALYSIS_LANETRANSFER_H

#include "pyk/Dialect/Pyk/IR/PykInterfaces.h"

namespace pyk {

/// The shape of the results of `op`, which has no regions and hands nothing on.
LaneShape inferLaneShape(mlir::Operation *op,
                         llvm::ArrayRef<LaneShape> operands);

} // namespace pyk

#endif // PYK_LIB_DIALECT_PYK_ANALYSIS_LANETRANSFER_H
