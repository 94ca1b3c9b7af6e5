// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sizes that launches compute: from values of a function to terms over its
// arguments, and back.

#ifndef PYK_LIB_DIALECT_PYK_TRANSFORMS_SHAREDSIZES_H
#define PYK_LIB_DIALECT_PYK_TRANSFORMS_SHAREDSIZES_H

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "pyk/Dialect/Pyk/IR/PykAttributes.h"

namespace pyk {

/// How an integer is computed from what a launch knows, as terms on a stack.
using SizeTerms = llvm::SmallVector<SizeTermAttr, 4>;

/// Terms that one size may have.
inline constexpr size_t kMaxSizeTerms = 256;

/// Appends to `terms` those that compute `value` in 64 bits. On failure
/// `unknown` is what no launch knows; null if there are too many terms.
mlir::LogicalResult readSize(mlir::Value value, SizeTerms &terms,
                             mlir::Value &unknown);

/// The value of `terms` where `arguments` are those of the function, as an i64.
mlir::Value makeSize(llvm::ArrayRef<SizeTermAttr> terms,
                     mlir::ValueRange arguments,
                     mlir::ImplicitLocOpBuilder &builder);

} // namespace pyk

#endif // PYK_LIB_DIALECT_PYK_TRANSFORMS_SHAREDSIZES_H
