// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every thread comes by, and what barriers keep apart, as far as structure
// tells without a look at values: it is asked before loads of what threads wait
// for are known, on which LaneShapeAnalysis rests.

#ifndef PYK_DIALECT_PYK_ANALYSIS_BARRIERS_H
#define PYK_DIALECT_PYK_ANALYSIS_BARRIERS_H

#include "pyk/Dialect/Pyk/IR/PykInterfaces.h"

namespace pyk {

/// True if each run of `scope`, a function or an iteration of a loop that
/// another follows, comes by `op`. Loops that count are taken to have an
/// iteration.
bool isAlwaysReached(mlir::Operation *op, mlir::Operation *scope);

/// True if all threads of a block come to `op` as often: it stands in a kernel
/// and only within counted loops without exits, which are taken to have as many
/// iterations for each thread.
bool isReachedByBlock(mlir::Operation *op);

/// True if all threads of a block meet at a barrier between `a` and `b`,
/// whichever comes first. Requires that all threads of a block
/// come to each barrier as often.
bool areApart(mlir::Operation *a, mlir::Operation *b);

} // namespace pyk

#endif // PYK_DIALECT_PYK_ANALYSIS_BARRIERS_H
