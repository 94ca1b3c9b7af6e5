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

    Example:
    ```mlir
    gpu.func @kernel(%a: !pyk.array<f32, c>, %x: f32) kernel {
      %y = func.call @square(%x) : (f32) -> f32
      pyk.store %y, %a[] : !pyk.array<f32, c>
      pyk.return
    }
    func.func private @square(%x: f32) -> f32 attributes {always_inline} {
      %y = arith.mulf %x, %x : f32
      pyk.return %y : f32
    }
    ```
    becomes
    ```mlir
    gpu.func @kernel(%a: !pyk.array<f32, c>, %x: f32) kernel {
      %y = arith.mulf %x, %x : f32
      pyk.store %y, %a[] : !pyk.array<f32, c>
      pyk.return
    }
    ```

    More examples: `test/Dialect/Pyk/Transforms/inline-calls.mlir`
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

    Example:
    ```mlir
    gpu.func @kernel(%a: !pyk.array<?xf32, c>, %start: i64, %n: i64, %i: i64,
                     %x: f32) kernel {
      %part = pyk.view %a[%start : %n]
          : !pyk.array<?xf32, c> to !pyk.array<?xf32, c>
      %element = pyk.element %part + %i : !pyk.array<?xf32, c>
      pyk.store %x, %element[] : !pyk.array<f32, c>
      pyk.return
    }
    ```
    becomes
    ```mlir
    gpu.func @kernel(%a: !pyk.array<?xf32, c>, %start: i64, %n: i64, %i: i64,
                     %x: f32) kernel {
      %offset = arith.addi %start, %i : i64
      %element = pyk.element %a + %offset : !pyk.array<?xf32, c>
      pyk.store %x, %element[] : !pyk.array<f32, c>
      pyk.return
    }
    ```

    More examples: `test/Dialect/Pyk/Transforms/resolve-views.mlir`
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

    Example:
    ```mlir
    gpu.func @kernel(%i: i64, %x: f32) kernel attributes {pyk.guarded} {
      %a = pyk.alloc : !pyk.array<8xf32, c, local>
      %element = pyk.element %a + %i : !pyk.array<8xf32, c, local>
      pyk.store %x, %element[] : !pyk.array<f32, c, local> loc("a.py":7:1)
      pyk.return
    }
    ```
    becomes, where `%thread` is the number of the thread within its block,
    ```mlir
    gpu.func @kernel(%i: i64, %x: f32) kernel {
      %a = pyk.alloc : !pyk.array<8xf32, c, local>
      %zero = arith.constant 0 : i64
      %length = arith.constant 8 : i64
      %inside = arith.cmpi ult, %i, %length : i64
      %element = pyk.element %a + %i : !pyk.array<8xf32, c, local>
      scf.if %inside {
        pyk.store %x, %element[] : !pyk.array<f32, c, local>
      } else {
        %thread_z = gpu.thread_id z
        %z = arith.index_castui %thread_z : index to i32
        %block_y = gpu.block_dim y
        %rows = arith.index_castui %block_y : index to i32
        %planes = arith.muli %z, %rows : i32
        %thread_y = gpu.thread_id y
        %y = arith.index_castui %thread_y : index to i32
        %row = arith.addi %planes, %y : i32
        %block_x = gpu.block_dim x
        %columns = arith.index_castui %block_x : index to i32
        %first = arith.muli %row, %columns : i32
        %thread_x = gpu.thread_id x
        %column = arith.index_castui %thread_x : index to i32
        %thread = arith.addi %first, %column : i32
        pyk.outside "writes an array at [{0\7D], outside of the array's memory; such writes are dropped"
            at "a.py" : 7 thread %thread(%i)
      }
      pyk.return
    }
    ```

    More examples: `test/Dialect/Pyk/Transforms/guard-accesses.mlir`
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
    "::mlir::complex::ComplexDialect", "::mlir::scf::SCFDialect"];
}

def HoistGuardsPass : Pass<"pyk-hoist-guards", "::mlir::gpu::GPUModuleOp"> {
  let summary = "asks once for all iterations of a loop whether accesses are inside";
  let description = [{
    Of what `pyk-guard-accesses` has put around accesses, takes these out of the
    way of threads:

    - of a loop that counts, in whose iterations an offset is the counter and
      something that does not change, the first and the last offset are
      compared before it: if both are inside, a version without these guards
      runs, else the loop as it was. Loops with loops in them, and those of more
      than 200 ops, stay as they are.
    - an index that counts from the end if it is negative is compared first with
      where that is inside ends: an index that is below needs neither its length
      added nor a second comparison.

    Nothing else changes: what is outside is reported by the same op.

    Requires: functions of stage checked, or of stage simd after `simd-unroll`.
    Guarantees: an access happens where it has happened before.

    Example: with `--canonicalize` behind it,
    ```mlir
    func.func @fill(%p: !llvm.ptr<1>, %n: i64, %length: i64, %x: f32) {
      %thread = arith.constant 3 : i32
      %zero = arith.constant 0 : i64
      %one = arith.constant 1 : i64
      %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<8xf32, c>
      scf.for %i = %zero to %n step %one : i64 {
        %inside = arith.cmpi ult, %i, %length : i64
        scf.if %inside {
          %element = pyk.element %a + %i : !pyk.array<8xf32, c>
          pyk.store %x, %element[] : !pyk.array<f32, c>
        } else {
          pyk.outside "writes a at {0}" at "a.py" : 7 thread %thread(%i)
        }
      }
      func.return
    }
    ```
    becomes
    ```mlir
    func.func @fill(%p: !llvm.ptr<1>, %n: i64, %length: i64, %x: f32) {
      %true = arith.constant true
      %thread = arith.constant 3 : i32
      %zero = arith.constant 0 : i64
      %one = arith.constant 1 : i64
      %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<8xf32, c>
      %last = arith.subi %n, %one : i64
      %last_inside = arith.cmpi ult, %last, %length : i64
      %in_order = arith.cmpi uge, %last, %zero : i64
      %all = arith.andi %last_inside, %in_order : i1
      %frozen = llvm.freeze %all : i1
      %likely = llvm.intr.expect %frozen, %true : i1
      scf.if %likely {
        scf.for %i = %zero to %n step %one : i64 {
          %element = pyk.element %a + %i : !pyk.array<8xf32, c>
          pyk.store %x, %element[] : !pyk.array<f32, c>
        }
      } else {
        scf.for %i = %zero to %n step %one : i64 {
          %inside = arith.cmpi ult, %i, %length : i64
          scf.if %inside {
            %element = pyk.element %a + %i : !pyk.array<8xf32, c>
            pyk.store %x, %element[] : !pyk.array<f32, c>
          } else {
            pyk.outside "writes a at {0}" at "a.py" : 7 thread %thread(%i)
          }
        }
      }
      func.return
    }
    ```

    More examples: `test/Dialect/Pyk/Transforms/hoist-guards.mlir`
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // PYK_DIALECT_PYK_TRANSFORMS_HOSTPASSES_TD
