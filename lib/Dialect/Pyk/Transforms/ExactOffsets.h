// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Offsets of elements that may lie anywhere: in 64 bits, and whether these are
// enough.

#ifndef PYK_LIB_DIALECT_PYK_TRANSFORMS_EXACTOFFSETS_H
#define PYK_LIB_DIALECT_PYK_TRANSFORMS_EXACTOFFSETS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "pyk/Dialect/Pyk/IR/PykViewOps.h"
#include "llvm/ADT/SetVector.h"

namespace pyk {

/// Whether `offset`, of a `pyk.element`, is computed in 32 bits.
bool isNarrowOffset(mlir::Value offset);

/// `offset`, computed in 64 bits: in 32 bits it is right for elements of the
/// array's memory alone.
mlir::Value widenOffset(mlir::Value offset, mlir::ImplicitLocOpBuilder &b);

/// Factors of a term of an offset: an index, and what it is multiplied by.
using OffsetTerm = llvm::SmallVector<mlir::Value>;

/// Whether the sum of `terms` fits in 64 bits, as an i1 that is conservative
/// for sums far beyond any memory; null if ranges prove it.
mlir::Value makeFits(llvm::ArrayRef<OffsetTerm> terms,
                     mlir::ImplicitLocOpBuilder &b);

/// Whether the offset of `element` is the sum of its indices times the strides
/// of its array; null if ranges prove it, or it has no indices.
mlir::Value makeExact(ElementOp element, mlir::ImplicitLocOpBuilder &b);

/// `first` and `second`, either of which may be null for true.
mlir::Value makeAnd(mlir::Value first, mlir::Value second,
                    mlir::ImplicitLocOpBuilder &b);

/// Keeps the addresses of views, from which guards compute where an element
/// is, from wrapping around: those of `pyk.view`, and of `pyk.element` that
/// other views are made of, then begin far outside any memory.
void boundViews(mlir::gpu::GPUModuleOp module);

/// Erases those of `ops` that are dead, and what only they use.
void eraseDead(llvm::SetVector<mlir::Operation *> ops);

} // namespace pyk

#endif // PYK_LIB_DIALECT_PYK_TRANSFORMS_EXACTOFFSETS_H
