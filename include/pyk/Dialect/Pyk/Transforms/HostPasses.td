// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes of the pyk dialect that lead from stage gpu to stage checked.

#ifndef PYK_DIALECT_PYK_TRANSFORMS_HOSTPASSES_TD
#define PYK_DIALECT_PYK_TRANSFORMS_HOSTPASSES_TD

include "mlir/Pass/PassBase.td"

def InlineCallsPass : Pass<"pyk-inline-calls", "::mlir::gpu::GPUModuleOp"> {
  let summary = "puts the bodies of device functions in place of calls";
  let description = [{
    Replaces each call of a function with the attribute `always_inline`, which all
    device functions have that do not call themselves, callees first. A function
    that returns from within a loop or condition gives a `pyk.scope`. What nothing
    calls any more is erased. Foreign calls become calls of what the CPU has.

    Shared memory that a device function allocates is the same for each call, so
    kernels allocate it, and functions get it as parameters. A function that has
    such memory and is reached from an exported one stays a call: code of other
    languages may come to it by several ways, and it is one array for all.

    Requires: stage gpu. Guarantees: calls are left of recursive functions, of
    functions without a body, of those just named, and of those with an op whose
    dialect does not let it be inlined.

    Example: `test/Dialect/Pyk/Transforms/inline-calls.mlir`
  }];
  let dependentDialects = ["::pyk::PykDialect"];
}

def ResolveViewsPass : Pass<"pyk-resolve-views", "::mlir::gpu::GPUModuleOp"> {
  let summary = "makes elements of views those of the arrays that are viewed";
  let description = [{
    Replaces the array of a `pyk.element` that is a part of another array, its
    transpose, a cast or a reshape, by that one, and the offset by the element's
    offset there. Views that nothing uses any more are erased. Threads that choose
    parts of an array then choose elements of it, which vectors can do, and what
    keeps an access in memory is a comparison of numbers, not of addresses.

    Requires: `pyk-expand-addresses`. Guarantees: an element is one of a view only
    if that was chosen between several, has elements of another type, or strides
    that are no sums of the array's.

    Example: `test/Dialect/Pyk/Transforms/resolve-views.mlir`
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::pyk::PykDialect"];
}

def GuardAccessesPass : Pass<"pyk-guard-accesses",
                             "::mlir::gpu::GPUModuleOp"> {
  let summary = "keeps accesses within the memory of their arrays";
  let description = [{
    Puts accesses of functions with `pyk.guarded` behind a condition: that the element
    lies in the memory which its array is part of. Outside, a `pyk.outside` tells the
    host, reads give 0, and nothing is written. What constants and ranges prove stays
    as it is, and so does, in kernels with `pyk.bounds`, what follows from arguments
    and the shapes of grid and blocks: the terms by which launches prove it are put
    there. The memory of an argument comes as parameters, that of other arrays is the
    array; functions that are called get it from their callers.

    Requires: `pyk-expand-addresses`. Guarantees: no access of guarded kernels leaves
    memory where launches keep `pyk.bounds`; no function has `pyk.guarded` any more.

    Example: `test/Dialect/Pyk/Transforms/guard-accesses.mlir`
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
    "::mlir::complex::ComplexDialect", "::mlir::scf::SCFDialect"];
}

#endif // PYK_DIALECT_PYK_TRANSFORMS_HOSTPASSES_TD
