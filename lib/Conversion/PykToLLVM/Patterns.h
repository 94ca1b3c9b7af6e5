// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of populatePykToLLVMPatterns.

#ifndef PYK_LIB_CONVERSION_PYKTOLLVM_PATTERNS_H
#define PYK_LIB_CONVERSION_PYKTOLLVM_PATTERNS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mlir {
class LLVMTypeConverter;
class RewriterBase;
class RewritePatternSet;
} // namespace mlir

namespace pyk {

/// A name for a global that no symbol of the module of `op` has.
std::string getUniqueName(mlir::Operation *op, llvm::StringRef prefix);

/// Adds a global to the module of `op`, aligned for every vector access.
mlir::LLVM::GlobalOp addGlobal(mlir::Operation *op, llvm::StringRef name,
                               mlir::Type type, bool isConstant,
                               mlir::LLVM::Linkage linkage,
                               mlir::Attribute value, unsigned addressSpace,
                               mlir::RewriterBase &rewriter);

/// Room on the stack for a value of `type`, made in the first block of the
/// function of `op`: its size is fixed.
mlir::Value addRoom(mlir::Operation *op, mlir::Type type,
                    mlir::RewriterBase &rewriter);

/// Adds patterns for calls of code of other languages.
void populateForeignCallPatterns(mlir::LLVMTypeConverter &converter,
                                 mlir::RewritePatternSet &patterns);

/// Adds patterns for allocations, dynamic shared memory and constant arrays.
void populateOwnedArrayPatterns(mlir::LLVMTypeConverter &converter,
                                mlir::RewritePatternSet &patterns);

/// Adds patterns for what the host is told.
void populateHostPatterns(mlir::LLVMTypeConverter &converter,
                          mlir::RewritePatternSet &patterns);

/// Adds patterns for kernels that a kernel launches.
void populateLaunchPatterns(mlir::LLVMTypeConverter &converter,
                            mlir::RewritePatternSet &patterns);

/// Adds patterns for what debuggers are told.
void populateDebuggerPatterns(mlir::LLVMTypeConverter &converter,
                              mlir::RewritePatternSet &patterns);

/// Adds patterns for reading and writing elements.
void populateAccessPatterns(mlir::LLVMTypeConverter &converter,
                            mlir::RewritePatternSet &patterns);

/// Adds patterns for what the threads of a warp do together.
void populateWarpPatterns(mlir::LLVMTypeConverter &converter,
                          mlir::RewritePatternSet &patterns);

/// Adds patterns for atomic operations and fences.
void populateAtomicPatterns(mlir::LLVMTypeConverter &converter,
                            mlir::RewritePatternSet &patterns);

/// Adds patterns for views, reshaping and casts of arrays.
void populateViewPatterns(mlir::LLVMTypeConverter &converter,
                          mlir::RewritePatternSet &patterns);

} // namespace pyk

#endif // PYK_LIB_CONVERSION_PYKTOLLVM_PATTERNS_H
