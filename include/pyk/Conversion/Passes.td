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

    Example:
    ```mlir
    py.func @fill(["a", "n"]) kernel arguments [!pyk.array<?xf32, c>, si64]
        returns none {
      %a = py.get "a" : !pyk.array<?xf32, c>
      %n = py.get "n" : si64
      py.set_subscript %n, %a[%n] : si64, !pyk.array<?xf32, c>, si64
    }
    ```
    becomes
    ```mlir
    pyk.func @fill(%a: !pyk.array<?xf32, c>, %n: i64) attributes {kernel} {
      %length = pyk.dim %a, 0 : !pyk.array<?xf32, c>
      %i = pyk.wrap_index %n of %length : i64
      %x = arith.sitofp %n : i64 to f32
      pyk.store %x, %a[%i] : !pyk.array<?xf32, c>
      pyk.return
    }
    ```

    More examples: `test/Conversion/py-to-pyk.mlir`
  }];
  let options = [
    CheckBoundsOption, DebugInfoOption, FmaOption, ReportErrorsOption,
    ReproducibleOption];
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

    Example:
    ```mlir
    pyk.func @length(%a: !pyk.array<?xf32, c>, %b: !pyk.array<i64, c>)
        attributes {kernel} {
      %n = pyk.dim %a, 0 : !pyk.array<?xf32, c>
      pyk.store %n, %b[] : !pyk.array<i64, c>
      pyk.return
    }
    ```
    becomes
    ```mlir
    gpu.module @pyk {
      gpu.func @length(
          %p: !llvm.ptr<1>,
          %extent: i64
              {llvm.range = #llvm.constant_range<i64, 0, 281474976710656>},
          %q: !llvm.ptr<1>) kernel attributes {
          pyk.abi = #pyk.abi<[<data, 0>, <extent, 0>, <data, 1>]>} {
        %a = pyk.from_pointer %p extents(%extent)
            : !llvm.ptr<1> to !pyk.array<?xf32, c>
        %b = pyk.from_pointer %q : !llvm.ptr<1> to !pyk.array<i64, c>
        %n = pyk.dim %a, 0 : !pyk.array<?xf32, c>
        pyk.store %n, %b[] : !pyk.array<i64, c>
        pyk.return
      }
    }
    ```

    More examples: `test/Conversion/pyk-to-gpu.mlir`
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

    Requires: stage gpu without regions (`pyk-flatten-exits`
    has run). Guarantees: only ops of LLVM and NVVM are left.

    Example:
    ```mlir
    gpu.func @double(%p: !llvm.ptr<1>, %x: f32) kernel {
      %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<f32, c>
      %y = arith.addf %x, %x : f32
      pyk.store %y, %a[] : !pyk.array<f32, c>
      gpu.return
    }
    ```
    becomes
    ```mlir
    llvm.func @double(%p: !llvm.ptr<1>, %x: f32)
        attributes {gpu.kernel, nvvm.kernel} {
      %y = llvm.fadd %x, %x : f32
      llvm.store %y, %p {alignment = 4} : f32, !llvm.ptr<1>
      llvm.return
    }
    ```

    More examples: `test/Conversion/pyk-to-nvvm.mlir`
  }];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect"];
}

#endif // PYK_CONVERSION_PASSES_TD
