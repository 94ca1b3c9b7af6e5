// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes from stage simd to vectors of the machine.

#ifndef PYK_DIALECT_SIMD_TRANSFORMS_MACHINEPASSES_TD
#define PYK_DIALECT_SIMD_TRANSFORMS_MACHINEPASSES_TD

include "mlir/Pass/PassBase.td"

def SplitLoopsPass : Pass<"simd-split-loops", "::mlir::gpu::GPUModuleOp"> {
  let summary = "runs loops for as many rows and strips as there are registers for";
  let description = [{
    Replaces a counted loop that keeps more vectors from iteration to iteration than
    the machine has registers by several, one after the other, each for some rows and
    strips of the tile. Threads neither meet in such a loop nor write to memory, so
    that none sees in what order they run.

    Requires: stage simd. Guarantees: each thread does the same in the same order.

    Example: with `--canonicalize`, `--cse` and
    `--mlir-elide-elementsattrs-if-larger=8` behind it,
    ```mlir
    gpu.func @kernel(%a: !pyk.array<f32, c>, %n: i64, %x: f32) kernel
        attributes {simd.tile = array<i64: 1, 32, 8>} {
      %zero = arith.constant 0 : i64
      %one = arith.constant 1 : i64
      %first = vector.broadcast %x : f32 to vector<1x32x8xf32>
      %last = scf.for %k = %zero to %n step %one iter_args(%s = %first)
          -> vector<1x32x8xf32> : i64 {
        %t = arith.addf %s, %s : vector<1x32x8xf32>
        scf.yield %t : vector<1x32x8xf32>
      }
      %y = vector.extract %last[0, 31, 7] : f32 from vector<1x32x8xf32>
      pyk.store %y, %a[] : !pyk.array<f32, c>
      pyk.return
    }
    ```
    becomes four loops, each for 8 of the 32 strips:
    ```mlir
    gpu.func @kernel(%a: !pyk.array<f32, c>, %n: i64, %x: f32) kernel
        attributes {simd.tile = array<i64: 1, 32, 8>} {
      %places = arith.constant dense_resource<__elided__> : vector<1x8x8xi64>
      %size = arith.constant 64 : i64
      %four = arith.constant 4 : i64
      %all = arith.constant dense_resource<__elided__> : vector<1x32x8xi64>
      %one = arith.constant 1 : i64
      %zero = arith.constant 0 : i64
      %memory = pyk.alloc : !pyk.array<256xf32, c, local>
      %first = vector.broadcast %x : f32 to vector<1x32x8xf32>
      simd.store contiguous %first, %memory + %all : vector<1x32x8xf32>,
          !pyk.array<256xf32, c, local>, vector<1x32x8xi64>
      scf.for %part = %zero to %four step %one : i64 {
        %start = arith.muli %part, %size : i64
        %starts = vector.broadcast %start : i64 to vector<1x8x8xi64>
        %i = arith.addi %starts, %places : vector<1x8x8xi64>
        %some = simd.load contiguous %memory + %i
            : !pyk.array<256xf32, c, local>, vector<1x8x8xi64>
            -> vector<1x8x8xf32>
        %last = scf.for %k = %zero to %n step %one iter_args(%s = %some)
            -> vector<1x8x8xf32> : i64 {
          %t = arith.addf %s, %s : vector<1x8x8xf32>
          scf.yield %t : vector<1x8x8xf32>
        }
        simd.store contiguous %last, %memory + %i : vector<1x8x8xf32>,
            !pyk.array<256xf32, c, local>, vector<1x8x8xi64>
      } {simd.parts}
      %last = simd.load contiguous %memory + %all
          : !pyk.array<256xf32, c, local>, vector<1x32x8xi64>
          -> vector<1x32x8xf32>
      %y = vector.extract %last[0, 31, 7] : f32 from vector<1x32x8xf32>
      pyk.store %y, %a[] : !pyk.array<f32, c>
      pyk.return
    }
    ```

    More examples: `test/Dialect/Simd/Transforms/split-loops.mlir`
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"];
}

def SplitPhasesPass : Pass<"simd-split-phases", "::mlir::gpu::GPUModuleOp"> {
  let summary = "writes what a large block does between barriers as a loop";
  let description = [{
    Replaces ops between two places where threads meet, if they would be many
    instructions in a tile that is the block, by a loop over parts of the tile: some
    vectors, threads in their order. What threads keep from one such phase to another
    is in memory, unless a few ops compute it from what all threads share. A phase
    stays whole if parts may disagree on a value that all rows or strips share and that is
    needed after it.

    Requires: stage simd. Guarantees: each thread does the same in the same order.

    Example: with `--canonicalize` behind it,
    ```mlir
    gpu.func @kernel(%a: !pyk.array<?xf32, c>) kernel
        attributes {simd.tile = array<i64: 1, 16, 8>} {
      %i = arith.constant dense<0> : vector<1x16x8xi64>
      %x = simd.load %a + %i
          : !pyk.array<?xf32, c>, vector<1x16x8xi64> -> vector<1x16x8xf32>
      %y = math.exp %x : vector<1x16x8xf32>
      simd.store %y, %a + %i
          : vector<1x16x8xf32>, !pyk.array<?xf32, c>, vector<1x16x8xi64>
      pyk.barrier
      pyk.return
    }
    ```
    becomes
    ```mlir
    gpu.func @kernel(%a: !pyk.array<?xf32, c>) kernel
        attributes {simd.tile = array<i64: 1, 16, 8>} {
      %i = arith.constant dense<0> : vector<1x4x8xi64>
      %zero = arith.constant 0 : i64
      %four = arith.constant 4 : i64
      %one = arith.constant 1 : i64
      scf.for %part = %zero to %four step %one : i64 {
        %x = simd.load %a + %i
            : !pyk.array<?xf32, c>, vector<1x4x8xi64> -> vector<1x4x8xf32>
        %y = math.exp %x : vector<1x4x8xf32>
        simd.store %y, %a + %i
            : vector<1x4x8xf32>, !pyk.array<?xf32, c>, vector<1x4x8xi64>
      } {simd.parts}
      pyk.barrier
      pyk.return
    }
    ```

    More examples: `test/Dialect/Simd/Transforms/split-phases.mlir`
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"];
}

def UnrollPass : Pass<"simd-unroll", "::mlir::gpu::GPUModuleOp"> {
  let summary = "makes vectors of the machine of compact ones";
  let description = [{
    Replaces each op on compact vectors by one for each row and strip, on vectors
    of as many elements as there are lanes, or on numbers where there is one. Where
    neighbouring lanes read or write neighbours, only the address of the first is
    computed.

    Requires: stage simd. Guarantees: no op of the dialect simd is left.

    Example: with `--cse` behind it,
    ```mlir
    gpu.func @double(%a: !pyk.array<8xf32, c>) kernel
        attributes {simd.tile = array<i64: 1, 2, 4>} {
      %i = arith.constant dense<[[[0, 1, 2, 3], [4, 5, 6, 7]]]>
          : vector<1x2x4xi64>
      %x = simd.load contiguous %a + %i
          : !pyk.array<8xf32, c>, vector<1x2x4xi64> -> vector<1x2x4xf32>
      %y = arith.addf %x, %x : vector<1x2x4xf32>
      simd.store contiguous %y, %a + %i
          : vector<1x2x4xf32>, !pyk.array<8xf32, c>, vector<1x2x4xi64>
      pyk.return
    }
    ```
    becomes
    ```mlir
    gpu.func @double(%a: !pyk.array<8xf32, c>) kernel
        attributes {simd.tile = array<i64: 1, 2, 4>} {
      %four = arith.constant 4 : i64
      %zero = arith.constant 0 : i64
      %e0 = pyk.element %a + %zero : !pyk.array<8xf32, c>
      %p0 = pyk.to_pointer %e0 : !pyk.array<f32, c> -> !llvm.ptr<1>
      %x0 = llvm.load %p0 {alignment = 4} : !llvm.ptr<1> -> vector<4xf32>
      %e1 = pyk.element %a + %four : !pyk.array<8xf32, c>
      %p1 = pyk.to_pointer %e1 : !pyk.array<f32, c> -> !llvm.ptr<1>
      %x1 = llvm.load %p1 {alignment = 4} : !llvm.ptr<1> -> vector<4xf32>
      %y0 = arith.addf %x0, %x0 : vector<4xf32>
      %y1 = arith.addf %x1, %x1 : vector<4xf32>
      llvm.store %y0, %p0 {alignment = 4} : vector<4xf32>, !llvm.ptr<1>
      llvm.store %y1, %p1 {alignment = 4} : vector<4xf32>, !llvm.ptr<1>
      pyk.return
    }
    ```

    More examples: `test/Dialect/Simd/Transforms/unroll.mlir`
  }];
  let options = [
    Option<"fetchesRows", "fetches-rows", "bool", "false",
           "The processor sees by itself which rows of an array a loop goes down; "
           "else these are fetched ahead">];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::math::MathDialect", "::mlir::NVVM::NVVMDialect",
    "::mlir::scf::SCFDialect", "::mlir::ub::UBDialect"];
}

#endif // PYK_DIALECT_SIMD_TRANSFORMS_MACHINEPASSES_TD
