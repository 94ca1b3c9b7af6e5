// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the ops of pyk that stage gpu still has to the LLVM dialect.

#ifndef PYK_CONVERSION_PYKTOLLVM_H
#define PYK_CONVERSION_PYKTOLLVM_H

namespace mlir {
class DialectRegistry;
class LLVMTypeConverter;
class RewritePatternSet;
} // namespace mlir

namespace pyk {

/// Teaches `converter` that an array becomes its pointer, or a struct of the
/// pointer (in the address space of the array's), each dynamic extent and, for
/// layout any, each stride.
void populatePykToLLVMTypeConversions(mlir::LLVMTypeConverter &converter);

/// Adds patterns for memory ops, barriers, spin hints and `pyk.float_to_int`.
void populatePykToLLVMPatterns(mlir::LLVMTypeConverter &converter,
                               mlir::RewritePatternSet &patterns);

/// Fails with an error at the first shared array that a block has no memory
/// left for.
mlir::LogicalResult checkSharedMemory(mlir::Operation *module);

/// Lets passes that ask dialects for their patterns (convert-to-llvm,
/// convert-gpu-to-nvvm) convert the pyk dialect.
void registerConvertPykToLLVMInterface(mlir::DialectRegistry &registry);

} // namespace pyk

#endif // PYK_CONVERSION_PYKTOLLVM_H
