// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes on the pyk dialect.

#ifndef PYK_DIALECT_PYK_TRANSFORMS_PASSES_TD
#define PYK_DIALECT_PYK_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"
include "pyk/Dialect/Pyk/Transforms/ExplainPasses.td"
include "pyk/Dialect/Pyk/Transforms/HostPasses.td"
include "pyk/Pipelines/CompileOptions.td"

def AssumeLaunchPass : Pass<"pyk-assume-launch", "::mlir::ModuleOp"> {
  let summary = "lets kernels take for granted what launches check";
  let description = [{
    Puts `#pyk.facts` on the arguments of kernels: `small` on an integer that
    decides where arrays are accessed, how often a loop runs or what is compared,
    and on arrays; `disjoint` on an array whose memory no other thread can have
    written when the kernel reads it, on one that it writes only if its threads never
    wait for each other, and on one to which it only adds, atomically; `aligned` on a
    contiguous array of which a thread reads or writes neighbours, parts of complex
    numbers and records among them, in one access; `unit` on one of layout `any`.
    `assume` says which of them are wanted: of `scalars`, `sizes`, `disjoint`,
    `aligned`, `strides` and `inside` any, joined by commas; `launch` is all, `none`
    is none. `block`, a shape as 16x16x1, becomes the attribute `pyk.block_shape` of
    all kernels. `check-memory` becomes the attribute `pyk.guarded` of all functions,
    and with `inside` kernels get an empty list of `pyk.bounds`: launches may prove
    what would be checked otherwise.

    Arrays that the program's text holds by address may be those of any argument,
    functions without a body may do anything, and a loop that waits may wait for
    another kernel: where there are such, nothing is disjoint.

    Requires: stage pyk. Guarantees: nothing else changes.

    Example: `test/Dialect/Pyk/Transforms/assume-launch.mlir`
  }];
  let options = [AssumeOption, BlockOption, CheckMemoryOption];
}

def ExtendLifetimesPass : Pass<"pyk-extend-lifetimes", "::mlir::ModuleOp"> {
  let summary = "lets local memory live as long as values that hold it";
  let description = [{
    A local `pyk.alloc` that a device function may return becomes a parameter of
    it, and each call is given a `pyk.alloc` of its caller. Where a loop carries
    what an allocation within it gave in an earlier turn, and that is used after
    the allocation, the allocation becomes several slots, of which each turn takes
    one that none of the values lies in.

    Memory that functions return which call each other in a circle would have to
    outlive every frame: that is an error.

    Requires: stage pyk. Guarantees: no function returns memory of its own frame,
    and an allocation gives memory that no value in use lies in.

    Example: `test/Dialect/Pyk/Transforms/extend-lifetimes.mlir`
  }];
  let dependentDialects = ["::pyk::PykDialect", "::mlir::arith::ArithDialect"];
}

def PlaceSharedArraysPass : Pass<"pyk-place-shared-arrays",
                                 "::mlir::ModuleOp"> {
  let summary = "gives shared arrays of sizes that launches know their places";
  let description = [{
    Computes the extents of each `pyk.launch_shared` of a kernel from its arguments
    and the shape of the block, and makes it a `pyk.dynamic_shared` behind the ones
    before it. The same computation is written on the kernel as
    `#pyk.size_term`s, by which launches know how much memory to add. What a
    `pyk.dynamic_shared` of the program itself gives lies behind all of them.

    A device function gets such arrays as arguments, from the kernels that reach
    it: one array for all calls that agree on its size. An extent that does not
    follow from what a launch knows is an error.

    Requires: stage pyk. Guarantees: no `pyk.launch_shared` is left.

    Example: `test/Dialect/Pyk/Transforms/place-shared-arrays.mlir`
  }];
  let dependentDialects = ["::pyk::PykDialect", "::mlir::arith::ArithDialect"];
}

def MarkSpinsPass : Pass<"pyk-mark-spins", "::mlir::ModuleOp"> {
  let summary = "marks loops that wait for other threads";
  let description = [{
    Finds loops whose exits depend on elements of global or shared arrays that
    the loop does not write itself but another thread may: the kernel stores to
    the array, or nothing but memory decides when the loop ends. Those reads, also
    in functions called, become `volatile`, so that no optimization hoists them,
    and the loop gets a `pyk.spin_hint`, which lets the other threads run. A loop
    that counts turns as it waits needs none if it has a barrier in each turn.

    A loop writes an element itself if each turn writes to the index that it
    reads, or if what it reads and what it writes move along. Barriers that keep
    a loop apart from all stores to a shared array end the wait before it begins.
    A loop that counts is marked only if it reads one element again and again.
    A function that calls itself is a loop whose turns are its calls; one that has
    something left to do after them is like one that counts.

    Requires: stage pyk. Guarantees: nothing else changes.

    Example: `test/Dialect/Pyk/Transforms/mark-spins.mlir`
  }];
  let dependentDialects = ["::pyk::PykDialect"];
}

def SpeculateConditionsPass : Pass<"pyk-speculate-conditions"> {
  let summary = "computes cheap conditions that may not be needed";
  let description = [{
    Replaces an `scf.if` that only computes conditions, as `0 < x < w - 1 and y > 0`
    is written, by what its arms compute and selects, if that is a handful of
    integer arithmetic and comparisons. Loads, divisions, arithmetic of floats and
    whatever has effects stay behind their condition, and with them all that is
    computed there.

    Requires: nothing. Guarantees: nothing.

    Example: `test/Dialect/Pyk/Transforms/speculate-conditions.mlir`
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def SplitLoopsPass : Pass<"pyk-split-loops"> {
  let summary = "splits loops that may begin below 0";
  let description = [{
    Makes two loops of one that counts by 1 from a number which may be negative, if
    the body tests its counter for that, as negative indices need: up to 0, and from
    there on. `pyk-fold-ranges` then knows the outcome of the test in both. Bodies
    with loops, calls or what threads do together stay as they are, and large ones.
    LLVM is told not to unroll the first loop.

    Requires: indices are arithmetic (`pyk-expand-numerics` has run).
    Guarantees: each thread does the same in the same order.

    Example: `test/Dialect/Pyk/Transforms/split-loops.mlir`
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect"];
}

def UnrollStridesPass : Pass<"pyk-unroll-strides"> {
  let summary = "unrolls loops whose step only the launch knows";
  let description = [{
    Makes two loops of one that counts by a step which is no constant: the first
    does four turns at a time, as long as there are four, the second what is left.
    Nothing is divided: the counter is compared with the bound less three steps.
    Both count in 32 bits without sign, which must hold all numbers of the loop:
    the start is known to be 0 or more, and the bound to be less than 2^31.

    Of large bodies, and of those with atomic operations, loops, calls or what
    threads do together, there are no copies: the second loop does all turns. It
    carries the elements at its counter, or at a fixed distance from it, and
    steps them, which leaves nothing to compute of their addresses.

    Requires: stage gpu. Guarantees: each thread does the same in the same order.

    Example: `test/Dialect/Pyk/Transforms/unroll-strides.mlir`
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def FlattenExitsPass : Pass<"pyk-flatten-exits"> {
  let summary = "turns loops with exits into branches";
  let description = [{
    Rewrites `pyk.if`, `pyk.for`, `pyk.loop`, `pyk.scope` and their exits into
    blocks and `cf` branches; a `pyk.return` outside of scopes becomes the return
    of the function.

    Requires: no `scf` op is left (run `convert-scf-to-cf` before).
    Guarantees: no region of the pyk dialect is left within a function.

    Example: `test/Dialect/Pyk/Transforms/flatten-exits.mlir`
  }];
  let dependentDialects = ["::mlir::cf::ControlFlowDialect",
                           "::mlir::arith::ArithDialect"];
}

def ExpandChecksPass : Pass<"pyk-expand-checks", "::mlir::gpu::GPUModuleOp"> {
  let summary = "turns checks into branches out of the kernel";
  let description = [{
    Rewrites each `pyk.check` into a branch that, where the condition does not hold,
    records the failure and returns. A device function that may fail gets the
    record's address as another parameter and says by another result whether it has
    failed; its callers then return, too. The attribute `pyk.failures` of the module
    lists what can be recorded, in the order of its codes.

    Requires: functions of blocks and branches (`pyk-flatten-exits` has run); a
    kernel whose last parameter is of kind `failure`, if any check has one.
    Guarantees: no `pyk.check` is left.

    Example: `test/Dialect/Pyk/Transforms/expand-checks.mlir`
  }];
  let dependentDialects = [
    "::mlir::cf::ControlFlowDialect", "::mlir::arith::ArithDialect",
    "::mlir::func::FuncDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::NVVM::NVVMDialect", "::mlir::ub::UBDialect"];
}

def BoundLoopsPass : Pass<"pyk-bound-loops"> {
  let summary = "replaces counting loops whose counter may wrap";
  let description = [{
    Turns an `scf.for` whose step is not the constant 1 into a `pyk.for`, which
    ends also where adding the step to the counter would leave the range of its
    type.

    Requires: nothing. Guarantees: `convert-scf-to-cf` may lower what is left
    without a loop that never ends.

    Example: `test/Dialect/Pyk/Transforms/bound-loops.mlir`
  }];
  let dependentDialects = ["::pyk::PykDialect"];
}

def ExpandAtomicsPass : Pass<"pyk-expand-atomics"> {
  let summary = "expands atomic operations that no target has";
  let description = [{
    Replaces `pyk.atomic max` and `min` of floats, which leave NaN alone, by
    loops around `pyk.atomic_cas`.

    Requires: stage gpu, since `pyk-mark-spins` must not see these loops.
    Guarantees: LLVM has an instruction for each atomic operation that is left.

    Example: `test/Dialect/Pyk/Transforms/expand-atomics.mlir`
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def ExpandAddressesPass : Pass<"pyk-expand-addresses"> {
  let summary = "computes addresses of elements by arithmetic";
  let description = [{
    Gives each access to an array with dimensions the `pyk.element` that it
    accesses, and computes its offset from the indices by `arith`: for layouts `c`
    and `f` the number of elements in front of it, for `any` the bytes. A
    `pyk.view` that is one element becomes a `pyk.element`, too.

    An index that is out of range means the address that it computes, as in CUDA,
    so no sum or product claims not to wrap; but if indices are never negative and
    the array has less than 2**31 elements, 32 bits hold all numbers that lead to
    one in its memory, and these claim to fit.

    A constant that is added to the index of neighbours, or subtracted from it, is
    added last, in 64 bits, where the index cannot wrap: what is in front of it is
    the same for all of them. So are the rows that the counter of a loop with few
    turns leads to.

    Requires: nothing. Guarantees: no access has indices.

    Example: `test/Dialect/Pyk/Transforms/expand-addresses.mlir`
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::pyk::PykDialect"];
}

def ExpandNumericsPass : Pass<"pyk-expand-numerics"> {
  let summary = "expands arithmetic with defined results into arith";
  let description = [{
    Replaces `pyk.floor_div`, `pyk.floor_mod`, shifts, `pyk.power`,
    `pyk.wrap_index`, `pyk.slice_bounds` and all functions of complex numbers by
    `arith`, `math` and `scf` ops that have the same one result for all operands
    and undefined ones for none.

    Requires: stage pyk. Guarantees: of the numeric ops of pyk only
    `pyk.float_to_int` is left, since upstream has none that saturates; of
    `complex` only what makes numbers and takes them apart. Arithmetic on bf16
    is done in f32, and only conversions and `math.fma` are left of it.

    Example: `test/Dialect/Pyk/Transforms/expand-numerics.mlir`
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::complex::ComplexDialect",
    "::mlir::math::MathDialect", "::mlir::scf::SCFDialect"];
}

def FoldRangesPass : Pass<"pyk-fold-ranges"> {
  let summary = "drops arithmetic that known ranges make superfluous";
  let description = [{
    Finds the range of each integer, by MLIR's `InferIntRangeInterface`, and what
    follows: comparisons that are always true, and with them selects between an
    index and the same counted from the end; remainders that change nothing.

    Of what is left, sums, differences, products, quotients, remainders, selects
    and comparisons in 64 bits are done in 32 where their operands and results are
    in [-2**31, 2**31), and those in 32 bits say where they cannot wrap. Numbers
    that loops of more than three turns count in 64 bits stay so, with what is
    computed from them. Extensions of what is not negative become unsigned.

    Ranges know the conditions around an op, those that a thread passed on its way
    because it would have returned or left the loop otherwise, what loops carry from
    turn to turn, and what functions give back that do not call themselves.

    Requires: nothing. Guarantees: no op is left with less precise results.

    Example: `test/Dialect/Pyk/Transforms/fold-ranges.mlir`
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def FuseMultiplyAddPass : Pass<"pyk-fuse-multiply-add"> {
  let summary = "fuses products and sums into multiply-adds";
  let description = [{
    Replaces an `arith.mulf` that carries `contract`, and the sums and differences
    that are all its uses and carry it, too, by one `math.fma` for each of them.
    Of two products that one sum could take, it takes the left. A product that has
    any other use stays.

    Requires: nothing. Guarantees: no op carries `contract`, so that no target
    fuses anything else.

    Example: `test/Dialect/Pyk/Transforms/fuse-multiply-add.mlir`
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
}

def SelectKernelPass : Pass<"pyk-select-kernel", "::mlir::ModuleOp"> {
  let summary = "erases all kernels but one";
  let description = [{
    Erases every kernel but the one called `kernel`. Without a name it only
    checks that there is one.

    Requires: stage pyk. Guarantees: the module has one kernel.

    Example: `test/Dialect/Pyk/Transforms/select-kernel.mlir`
  }];
  let options = [
    Option<"kernel", "kernel", "std::string", /*default=*/"\"\"",
           "Name of the kernel to keep">];
}

def VerifyStagePass : Pass<"pyk-verify-stage"> {
  let summary = "checks that the module is what a stage promises";
  let description = [{
    Refuses ops that the contract of `stage` excludes, so that an op that a
    conversion forgot is reported where it was forgotten.

    Requires: nothing. Guarantees: nothing changes.

    Example: `test/Dialect/Pyk/Transforms/verify-stage.mlir`
  }];
  let options = [
    Option<"stage", "stage", "std::string", /*default=*/"\"gpu\"",
           "Stage whose contract must hold: pyk, gpu or nvvm">];
}

def HoistGuardsPass : Pass<"pyk-hoist-guards", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Asks once for all turns of a loop whether accesses are inside";
  let description = [{
    Of what `pyk-guard-accesses` has put around accesses, takes these out of the
    way of threads:

    - of a loop that counts, in whose turns an offset is the counter and
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

    Example: `test/Dialect/Pyk/Transforms/hoist-guards.mlir`
  }];
}

#endif // PYK_DIALECT_PYK_TRANSFORMS_PASSES_TD
