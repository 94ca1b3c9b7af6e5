// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes around LLVM IR and PTX.

#ifndef PYK_TARGET_PTX_PASSES_TD
#define PYK_TARGET_PTX_PASSES_TD

include "mlir/Pass/PassBase.td"
include "pyk/Pipelines/CompileOptions.td"

def PrintPTXPass : Pass<"pyk-print-ptx", "::mlir::ModuleOp"> {
  let summary = "prints the PTX of a module";
  let description = [{
    Translates the module to LLVM IR, compiles that to PTX and writes the text
    to standard output, byte for byte what `pyk-run --emit=ptx` writes. The last
    step of the command that `pyk-run --reproduce` prints.

    Requires: stage nvvm. Guarantees: the module does not change.

    Example: `test/Target/PTX/print-ptx.mlir`
  }];
  let options = [
    ChipOption, DebugInfoOption, OptimizationOption,
    Option<"ptxVersion", "ptx-version", "unsigned", /*default=*/"0",
           "Version of PTX times ten; 0 for the chip's own, which the oldest "
           "drivers accept">];
}

#endif // PYK_TARGET_PTX_PASSES_TD
