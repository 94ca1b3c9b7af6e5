// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of populatePykToLLVMPatterns.

#ifndef PYK_LIB_CONVERSION_PYKTOLLVM_PATTERNS_H
#define PYK_LIB_CONVERSION_PYKTOLLVM_PATTERNS_H

namespace mlir {
class LLVMTypeConverter;
class RewritePatternSet;
} // namespace mlir

namespace pyk {

/// Adds patterns for allocations, dynamic shared memory and constant arrays.
void populateOwnedArrayPatterns(mlir::LLVMTypeConverter &converter,
                                mlir::RewritePatternSet &patterns);

/// Adds patterns for views, reshaping and casts of arrays.
void populateViewPatterns(mlir::LLVMTypeConverter &converter,
                          mlir::RewritePatternSet &patterns);

} // namespace pyk

#endif // PYK_LIB_CONVERSION_PYKTOLLVM_PATTERNS_H
