// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes to stage simd, and from it to vectors of the machine.

#ifndef PYK_DIALECT_SIMD_TRANSFORMS_PASSES_TD
#define PYK_DIALECT_SIMD_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def StructureExitsPass : Pass<"simd-structure-exits", "::mlir::gpu::GPUModuleOp"> {
  let summary = "turns exits into conditions";
  let description = [{
    Replaces `pyk.if`, `pyk.for`, `pyk.loop` and `pyk.scope` in kernels by the
    conditions and loops of `scf`: what stands behind an exit runs under the
    condition that no thread has taken it, and loops go on as long as none has
    left them. Under vectors these conditions are masks.

    Requires: stage gpu. Guarantees: each thread does the same in the same order.

    Example: `test/Dialect/Simd/Transforms/structure-exits.mlir`
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
    "::mlir::ub::UBDialect"];
}

def CountLoopsPass : Pass<"simd-count-loops", "::mlir::gpu::GPUModuleOp"> {
  let summary = "makes counting loops of conditions on counters";
  let description = [{
    Replaces `scf.while` whose condition is that a value is less than a bound, and
    which adds to it in each turn, by `scf.for`, where the step is known to be more than
    0 and the sum not to wrap. What the condition is made of and is the same in all
    turns is computed before the loop.

    Requires: stage gpu without exits. Guarantees: each thread does the same in the
    same order.

    Example: `test/Dialect/Simd/Transforms/count-loops.mlir`
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

    Example: `test/Dialect/Simd/Transforms/split-records.mlir`
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

    Example: `test/Dialect/Simd/Transforms/split-complex.mlir`
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::complex::ComplexDialect",
    "::mlir::ub::UBDialect", "::pyk::PykDialect"];
}

def UnrollTripsPass : Pass<"simd-unroll-trips", "::mlir::gpu::GPUModuleOp"> {
  let summary = "writes each turn of loops with barriers whose number is known";
  let description = [{
    In kernels whose blocks have a known shape (`pyk.block_shape`), replaces
    `gpu.block_dim` by constants, and loops in which threads meet, at a barrier or
    in an exchange of a warp, by their turns, where constants say how many these
    are. A bound on the number of vector ops keeps large blocks and long loops as
    they are.

    Requires: stage gpu without exits. Guarantees: each thread does the same in the
    same order.

    Example: `test/Dialect/Simd/Transforms/unroll-trips.mlir`
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

    Example: `test/Dialect/Simd/Transforms/vectorize.mlir`
  }];
  let options = [
    Option<"lanes", "lanes", "unsigned", "16",
           "How many threads a vector holds">,
    ListOption<"tile", "tile", "int64_t",
               "Rows and strips of a tile, in place of what the plan says">,
    Option<"always", "always", "bool", "false",
           "Also vectorize where that does not pay">];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
    "::mlir::ub::UBDialect", "::mlir::vector::VectorDialect",
    "::pyk::simd::SimdDialect"];
}

def SplitLoopsPass : Pass<"simd-split-loops", "::mlir::gpu::GPUModuleOp"> {
  let summary = "runs loops for as many rows and strips as there are registers for";
  let description = [{
    Replaces a counted loop that keeps more vectors from turn to turn than the
    machine has registers by several, one after the other, each for some rows and
    strips of the tile. Threads neither meet in such a loop nor write to memory, so
    that none sees in what order they run.

    Requires: stage simd. Guarantees: each thread does the same in the same order.

    Example: `test/Dialect/Simd/Transforms/split-loops.mlir`
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
    is in memory, unless it is had from what all threads share by a few ops.

    Requires: stage simd. Guarantees: each thread does the same in the same order.

    Example: `test/Dialect/Simd/Transforms/split-phases.mlir`
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

    Example: `test/Dialect/Simd/Transforms/unroll.mlir`
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::math::MathDialect", "::mlir::NVVM::NVVMDialect",
    "::mlir::scf::SCFDialect", "::mlir::ub::UBDialect"];
}

#endif // PYK_DIALECT_SIMD_TRANSFORMS_PASSES_TD
