// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which arrays a thread may read or write several neighbouring elements of at
// once.

#ifndef PYK_DIALECT_PYK_ANALYSIS_WIDEACCESSES_H
#define PYK_DIALECT_PYK_ANALYSIS_WIDEACCESSES_H

#include "mlir/IR/Value.h"

namespace pyk {

class UnderlyingObjects;

/// Whether accesses to the array `argument`, of a kernel of stage pyk, could be
/// wider if its address were a multiple of more bytes than its type says.
bool hasWideAccesses(mlir::BlockArgument argument,
                     const UnderlyingObjects &objects);

} // namespace pyk

#endif // PYK_DIALECT_PYK_ANALYSIS_WIDEACCESSES_H
