// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a program registers to work with PyK's IR.

#ifndef PYK_INITALL_H
#define PYK_INITALL_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace pyk {

/// All dialects that occur in any stage, with their translations to LLVM IR;
/// those of stages that only a registered back end has, too.
void registerAllDialects(mlir::DialectRegistry &registry);

/// All passes of PyK, and those of MLIR that its pipelines use.
void registerAllPasses();

/// The pipelines, one for each stage of MLIR.
void registerAllPipelines();

/// The back ends that PyK has itself. Whoever compiles need not call it; again
/// it does nothing.
void registerAllBackends();

} // namespace pyk

#endif // PYK_INITALL_H
