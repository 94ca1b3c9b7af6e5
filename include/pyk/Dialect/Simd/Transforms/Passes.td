// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes to stage simd, and from it to vectors of the machine.

#ifndef PYK_DIALECT_SIMD_TRANSFORMS_PASSES_TD
#define PYK_DIALECT_SIMD_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"
include "pyk/Dialect/Simd/Transforms/MachinePasses.td"

def StructureExitsPass : Pass<"simd-structure-exits", "::mlir::gpu::GPUModuleOp"> {
  let summary = "turns exits into conditions";
  let description = [{
    Replaces `pyk.if`, `pyk.for`, `pyk.loop` and `pyk.scope` in kernels by the
    conditions and loops of `scf`: what stands behind an exit runs under the
    condition that no thread has taken it, and loops go on as long as none has
    left them. Under vectors these conditions are masks.

    Requires: stage gpu. Guarantees: each thread does the same in the same order.

    Example:
    ```mlir
    gpu.func @kernel(%a: !pyk.array<f32, c>, %x: f32, %outside: i1) kernel {
      pyk.if %outside {
        pyk.return
      } else {
        pyk.yield
      }
      pyk.store %x, %a[] : !pyk.array<f32, c>
      pyk.return
    }
    ```
    becomes
    ```mlir
    gpu.func @kernel(%a: !pyk.array<f32, c>, %x: f32, %outside: i1) kernel {
      scf.if %outside {
      } else {
        pyk.store %x, %a[] : !pyk.array<f32, c>
      }
      pyk.return
    }
    ```

    More examples: `test/Dialect/Simd/Transforms/structure-exits.mlir`
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
    "::mlir::ub::UBDialect"];
}

def CountLoopsPass : Pass<"simd-count-loops", "::mlir::gpu::GPUModuleOp"> {
  let summary = "makes counting loops of conditions on counters";
  let description = [{
    Replaces `scf.while` whose condition is that a value is less than a bound, and
    which adds to it in each iteration, by `scf.for`, where the step is known to be
    more than 0 and the sum not to wrap. What the condition is made of and is the same in all
    iterations is computed before the loop.

    Requires: stage gpu without exits. Guarantees: each thread does the same in the
    same order.

    Example:
    ```mlir
    func.func @iterations(%n: i16) {
      %zero = arith.constant 0 : i32
      %two = arith.constant 2 : i32
      %bound = arith.extui %n : i16 to i32
      %end = scf.while (%i = %zero) : (i32) -> i32 {
        %less = arith.cmpi slt, %i, %bound : i32
        scf.condition(%less) %i : i32
      } do {
      ^bb0(%i: i32):
        pyk.barrier
        %next = arith.addi %i, %two : i32
        scf.yield %next : i32
      }
      func.return
    }
    ```
    becomes
    ```mlir
    func.func @iterations(%n: i16) {
      %zero = arith.constant 0 : i32
      %two = arith.constant 2 : i32
      %bound = arith.extui %n : i16 to i32
      scf.for %i = %zero to %bound step %two : i32 {
        pyk.barrier
      }
      func.return
    }
    ```

    More examples: `test/Dialect/Simd/Transforms/count-loops.mlir`
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def SplitRecordsPass : Pass<"simd-split-records", "::mlir::gpu::GPUModuleOp"> {
  let summary = "makes elements of fields of those of records";
  let description = [{
    Replaces a field of an element of an array of records by an element of the array of
    these fields, which is a view of the same memory. Where threads choose records,
    they then choose elements of one array, which vectors can collect.

    Requires: stage gpu. Guarantees: fields are left that are arrays, and those of records
    that are no elements of an array.

    Example:
    ```mlir
    !point = !pyk.record<"x" : f32 at 0, "y" : f32 at 4, size 8>
    gpu.func @kernel(%a: !pyk.array<?x!point, c>, %i: i64, %new: f32) kernel {
      %point = pyk.element %a + %i : !pyk.array<?x!point, c>
      %y = pyk.field %point "y"
          : !pyk.array<!point, c> to !pyk.array<f32, c>
      pyk.store %new, %y[] : !pyk.array<f32, c>
      pyk.return
    }
    ```
    becomes
    ```mlir
    !point = !pyk.record<"x" : f32 at 0, "y" : f32 at 4, size 8>
    gpu.func @kernel(%a: !pyk.array<?x!point, c>, %i: i64, %new: f32) kernel {
      %point = pyk.element %a + %i : !pyk.array<?x!point, c>
      %all_y = pyk.field %a "y"
          : !pyk.array<?x!point, c> to !pyk.array<?xf32, any>
      %size = arith.constant 8 : i64
      %offset = arith.muli %i, %size : i64
      %y = pyk.element %all_y + %offset : !pyk.array<?xf32, any>
      pyk.store %new, %y[] : !pyk.array<f32, c>
      pyk.return
    }
    ```

    More examples: `test/Dialect/Simd/Transforms/split-records.mlir`
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::pyk::PykDialect"];
}

def SplitComplexPass : Pass<"simd-split-complex", "::mlir::gpu::GPUModuleOp"> {
  let summary = "makes two numbers of each complex one";
  let description = [{
    Replaces values that are complex numbers by two, the real part and the
    imaginary one, also where loops and conditions carry them. An element of an
    array in layout `c` is read and written as two elements of an array of real
    numbers over the same memory. Arrays of the kernel, local and shared, of which
    only elements are accessed, hold all real parts before all imaginary ones:
    neighbours are vectors there.

    Requires: stage gpu without exits. Guarantees: complex numbers are left as
    elements of arrays in other layouts, and where memory is volatile or atomic.

    Example:
    ```mlir
    func.func @imaginary(%c: i1, %x: f32, %y: f32) -> f32 {
      %z = complex.create %x, %y : complex<f32>
      %w = complex.create %y, %x : complex<f32>
      %chosen = arith.select %c, %z, %w : complex<f32>
      %result = complex.im %chosen : complex<f32>
      func.return %result : f32
    }
    ```
    becomes
    ```mlir
    func.func @imaginary(%c: i1, %x: f32, %y: f32) -> f32 {
      %re = arith.select %c, %x, %y : f32
      %im = arith.select %c, %y, %x : f32
      func.return %im : f32
    }
    ```

    More examples: `test/Dialect/Simd/Transforms/split-complex.mlir`
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::complex::ComplexDialect",
    "::mlir::ub::UBDialect", "::pyk::PykDialect"];
}

def ChooseLanesPass : Pass<"simd-choose-lanes", "::mlir::gpu::GPUModuleOp"> {
  let summary = "chooses the axis of the grid that lanes lie along, and their number";
  let description = [{
    Lanes of vectors are threads that are neighbours along x, and as many as the machine
    has. In kernels whose blocks have a known shape (`pyk.block_shape`) there may be
    something better:

    - threads find neighbouring elements along y or z, as with `i, j = cuda.grid(2)` and
      `a[i, j]`: x and that axis get each other's names, and `simd.lane_axis` says which
      one it was;
    - the block has fewer threads on the axis than a vector: `simd.lanes` says how many
      a vector is to hold, so that all of them are of one row.

    A model of the vectors of a block must take at most two thirds of the time, and most
    accesses be to neighbours. The order of threads, and of blocks, changes with the
    axis, and with it what atomic operations return, sums of floats and which of two stores
    to one element is the last. Kernels stay as they are in which threads of a warp meet or call
    code of another language.

    Requires: stage checked. Guarantees: each thread does the same in the same order.

    Example: with `lanes=16`,
    ```mlir
    gpu.func @kernel(%a: !pyk.array<?x32xf32, c>, %x: f32) kernel
        attributes {pyk.block_shape = array<i32: 8, 16, 1>} {
      %row = gpu.thread_id x
      %column = gpu.thread_id y
      %i = arith.index_castui %row : index to i64
      %j = arith.index_castui %column : index to i64
      %width = arith.constant 32 : i64
      %start = arith.muli %i, %width : i64
      %offset = arith.addi %start, %j : i64
      %element = pyk.element %a + %offset : !pyk.array<?x32xf32, c>
      pyk.store %x, %element[] : !pyk.array<f32, c>
      pyk.return
    }
    ```
    becomes
    ```mlir
    gpu.func @kernel(%a: !pyk.array<?x32xf32, c>, %x: f32) kernel
        attributes {pyk.block_shape = array<i32: 16, 8, 1>, simd.lane_axis = 1 : i32} {
      %row = gpu.thread_id y
      %column = gpu.thread_id x
      %i = arith.index_castui %row : index to i64
      %j = arith.index_castui %column : index to i64
      %width = arith.constant 32 : i64
      %start = arith.muli %i, %width : i64
      %offset = arith.addi %start, %j : i64
      %element = pyk.element %a + %offset : !pyk.array<?x32xf32, c>
      pyk.store %x, %element[] : !pyk.array<f32, c>
      pyk.return
    }
    ```

    More examples: `test/Dialect/Simd/Transforms/choose-lanes.mlir`
  }];
  let options = [
    Option<"lanes", "lanes", "unsigned", "16",
           "How many threads a vector holds">];
}

def SinkStoresPass : Pass<"simd-sink-stores", "::mlir::gpu::GPUModuleOp"> {
  let summary = "moves stores to one element out of both arms of conditions";
  let description = [{
    Where both arms of an `scf.if` end with a store to the same element, the
    condition yields what is stored, and the store follows it.

    Requires: accesses without indices. Guarantees: each thread stores the same to
    the same elements.

    Example:
    ```mlir
    func.func @clamp(%a: !pyk.array<?xf32, c>, %i: i64, %x: f32, %y: f32, %c: i1) {
      scf.if %c {
        %e = pyk.element %a + %i : !pyk.array<?xf32, c>
        pyk.store %x, %e[] : !pyk.array<f32, c>
      } else {
        %e = pyk.element %a + %i : !pyk.array<?xf32, c>
        pyk.store %y, %e[] : !pyk.array<f32, c>
      }
      func.return
    }
    ```
    becomes
    ```mlir
    func.func @clamp(%a: !pyk.array<?xf32, c>, %i: i64, %x: f32, %y: f32, %c: i1) {
      %stored = scf.if %c -> (f32) {
        scf.yield %x : f32
      } else {
        scf.yield %y : f32
      }
      %e = pyk.element %a + %i : !pyk.array<?xf32, c>
      pyk.store %stored, %e[] : !pyk.array<f32, c>
      func.return
    }
    ```

    More examples: `test/Dialect/Simd/Transforms/sink-stores.mlir`
  }];
}

def UnrollTripsPass : Pass<"simd-unroll-trips", "::mlir::gpu::GPUModuleOp"> {
  let summary = "unrolls loops with barriers, and loops over local arrays and tuples";
  let description = [{
    In kernels whose blocks have a known shape (`pyk.block_shape`), replaces
    `gpu.block_dim` by constants, and loops in which threads meet, at a barrier or
    in an exchange of a warp, by their iterations, where constants say how many these
    are. So it does with loops of up to 16 iterations that compare their counter with a
    constant, as those over tuples do, or use it in an index of a local array all of
    whose indices are constants then. A bound on the number of vector ops keeps large
    blocks and long loops as they are.

    Requires: stage gpu without exits. Guarantees: each thread does the same in the
    same order.

    Example: with `--canonicalize` behind it,
    ```mlir
    gpu.func @kernel() kernel
        attributes {pyk.block_shape = array<i32: 2, 1, 1>} {
      %threads = gpu.block_dim x
      %n = arith.index_cast %threads : index to i64
      %zero = arith.constant 0 : i64
      %one = arith.constant 1 : i64
      scf.for %i = %zero to %n step %one : i64 {
        pyk.barrier
      }
      pyk.return
    }
    ```
    becomes
    ```mlir
    gpu.func @kernel() kernel
        attributes {pyk.block_shape = array<i32: 2, 1, 1>} {
      pyk.barrier
      pyk.barrier
      pyk.return
    }
    ```

    More examples: `test/Dialect/Simd/Transforms/unroll-trips.mlir`
  }];
  let options = [
    Option<"lanes", "lanes", "unsigned", "16",
           "How many threads a vector holds">];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
    "::mlir::ub::UBDialect"];
}

def VectorizePass : Pass<"simd-vectorize", "::mlir::gpu::GPUModuleOp"> {
  let summary = "lets kernels run whole blocks of threads as vectors";
  let description = [{
    Rewrites each kernel whose blocks have a known shape (`pyk.block_shape`) so that it does
    what all threads of a block do, tile by tile: values that differ by thread
    become compact vectors, conditions masks. Such a kernel has the attribute
    `simd.tile` with the dimensions of its tile. A kernel with barriers is one
    tile. Kernels of which this cannot be done stay as they are, and so do, unless
    `always` is set, those that it would make slower; a remark says why.

    Requires: stage gpu without exits. Guarantees: each thread does the same in the
    same order; what different threads do to memory is in an order that CUDA allows.

    Example: with `lanes=4`, and `--canonicalize` behind it,
    ```mlir
    gpu.func @double(%a: !pyk.array<4xf32, c>) kernel
        attributes {pyk.block_shape = array<i32: 4, 1, 1>} {
      %thread = gpu.thread_id x
      %i = arith.index_castui %thread : index to i64
      %element = pyk.element %a + %i : !pyk.array<4xf32, c>
      %x = pyk.load %element[] : !pyk.array<f32, c>
      %y = arith.addf %x, %x : f32
      pyk.store %y, %element[] : !pyk.array<f32, c>
      pyk.return
    }
    ```
    becomes
    ```mlir
    gpu.func @double(%a: !pyk.array<4xf32, c>) kernel
        attributes {pyk.block_shape = array<i32: 4, 1, 1>,
                    simd.tile = array<i64: 1, 1, 4>} {
      %i = arith.constant dense<[[[0, 1, 2, 3]]]> : vector<1x1x4xi64>
      %x = simd.load contiguous %a + %i
          : !pyk.array<4xf32, c>, vector<1x1x4xi64> -> vector<1x1x4xf32>
      %y = arith.addf %x, %x : vector<1x1x4xf32>
      simd.store contiguous %y, %a + %i
          : vector<1x1x4xf32>, !pyk.array<4xf32, c>, vector<1x1x4xi64>
      pyk.return
    }
    ```

    More examples: `test/Dialect/Simd/Transforms/vectorize.mlir`
  }];
  let options = [
    Option<"lanes", "lanes", "unsigned", "16",
           "How many threads a vector holds">,
    ListOption<"tile", "tile", "int64_t",
               "Rows and strips of a tile, in place of what the plan says">,
    Option<"always", "always", "bool", "false",
           "Also vectorize where that does not pay">,
    Option<"fetchesRows", "fetches-rows", "bool", "false",
           "The processor sees by itself which rows of an array a loop goes down">];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
    "::mlir::ub::UBDialect", "::mlir::vector::VectorDialect",
    "::pyk::simd::SimdDialect"];
}

#endif // PYK_DIALECT_SIMD_TRANSFORMS_PASSES_TD
