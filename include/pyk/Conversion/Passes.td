// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes from one dialect to another.

#ifndef PYK_CONVERSION_PASSES_TD
#define PYK_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"
include "pyk/Pipelines/CompileOptions.td"

def ConvertPyToPykPass : Pass<"convert-py-to-pyk", "::mlir::ModuleOp"> {
  let summary = "makes Python's semantics explicit";
  let description = [{
    Turns each specialized `py.func` into a `pyk.func` in SSA form: promotion
    becomes conversions, variables become values carried through `scf` and
    `pyk` structures, tuples become their items, guards are nested, negative
    indices wrap. A `kernel` stays one. What exported functions reach checks
    nothing and reports nothing: nobody would hear of it.

    Requires: `py-infer-types` has run. Guarantees: no op and no type of the py
    dialect is left.

    Example: `test/Conversion/py-to-pyk.mlir`
  }];
  let options = [
    CheckBoundsOption, DebugInfoOption, FmaOption, ReportErrorsOption];
  let dependentDialects = [
    "::pyk::PykDialect", "::mlir::arith::ArithDialect",
    "::mlir::complex::ComplexDialect", "::mlir::math::MathDialect",
    "::mlir::scf::SCFDialect", "::mlir::ub::UBDialect"];
}

def ConvertPykToGPUPass : Pass<"convert-pyk-to-gpu", "::mlir::ModuleOp"> {
  let summary = "gives kernels their parameters and a place in a gpu.module";
  let description = [{
    Puts all functions into one `gpu.module`. Each kernel becomes a `gpu.func` whose
    parameters are pointers, the extents and strides that it uses, and scalars,
    as its `pyk.abi` attribute says, and last the address of a record if its
    threads may fail; a device function becomes a `func.func`. One with
    `pyk.export` gets another one beside it that code
    of other languages calls.
    Index ops expand to `gpu` and `arith`. Array access, exits, barriers and
    `pyk.float_to_int` stay.

    Requires: stage pyk with a kernel or an exported function, after
    `pyk-expand-numerics`. Guarantees: of the pyk dialect only memory ops, control flow,
    barriers, `pyk.spin_hint` and `pyk.float_to_int` are left.

    Example: `test/Conversion/pyk-to-gpu.mlir`
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::ub::UBDialect"];
}

def ConvertPykToNVVMPass : Pass<"convert-pyk-to-nvvm", "::mlir::gpu::GPUModuleOp"> {
  let summary = "converts what is left in stage gpu to the NVVM dialect";
  let description = [{
    Converts functions, arithmetic, branches, gpu and pyk ops to the LLVM and
    NVVM dialects. Functions of `math` become instructions where NVPTX has them
    and calls of libdevice where it has not.

    Requires: stage gpu without regions (`convert-scf-to-cf` and
    `pyk-flatten-exits` have run). Guarantees: only ops of LLVM and NVVM are left.

    Example: `test/Conversion/pyk-to-nvvm.mlir`
  }];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect"];
}

#endif // PYK_CONVERSION_PASSES_TD
