// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes of the pyk dialect on loops, conditions and exits.

#ifndef PYK_DIALECT_PYK_TRANSFORMS_CONTROLPASSES_TD
#define PYK_DIALECT_PYK_TRANSFORMS_CONTROLPASSES_TD

include "mlir/Pass/PassBase.td"

def SpeculateConditionsPass : Pass<"pyk-speculate-conditions"> {
  let summary = "computes cheap conditions that may not be needed";
  let description = [{
    Replaces an `scf.if` that only computes conditions, as `0 < x < w - 1 and y > 0`
    is written, by what its arms compute and selects, if that is a handful of
    integer arithmetic and comparisons. Loads, divisions, arithmetic of floats and
    whatever has effects stay behind their condition, and with them all that is
    computed there.

    Requires: nothing. Guarantees: nothing.

    Example:
    ```mlir
    pyk.func @inside(%x: i32, %y: i32, %n: i32) -> i1 {
      %false = arith.constant false
      %x_inside = arith.cmpi slt, %x, %n : i32
      %both = scf.if %x_inside -> (i1) {
        %y_inside = arith.cmpi slt, %y, %n : i32
        scf.yield %y_inside : i1
      } else {
        scf.yield %false : i1
      }
      pyk.return %both : i1
    }
    ```
    becomes
    ```mlir
    pyk.func @inside(%x: i32, %y: i32, %n: i32) -> i1 {
      %false = arith.constant false
      %x_inside = arith.cmpi slt, %x, %n : i32
      %y_inside = arith.cmpi slt, %y, %n : i32
      %both = arith.select %x_inside, %y_inside, %false : i1
      pyk.return %both : i1
    }
    ```

    More examples: `test/Dialect/Pyk/Transforms/speculate-conditions.mlir`
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

    Example: with `--cse` behind it,
    ```mlir
    pyk.func @fill(%a: !pyk.array<?xf32, c>, %x: f32, %start: i64, %n: i64) {
      %zero = arith.constant 0 : i64
      %one = arith.constant 1 : i64
      scf.for %i = %start to %n step %one : i64 {
        %negative = arith.cmpi slt, %i, %zero : i64
        %wrapped = arith.addi %i, %n : i64
        %j = arith.select %negative, %wrapped, %i : i64
        pyk.store %x, %a[%j] : !pyk.array<?xf32, c>
      }
      pyk.return
    }
    ```
    becomes
    ```mlir
    #no = #llvm.loop_unroll<disable = true>
    pyk.func @fill(%a: !pyk.array<?xf32, c>, %x: f32, %start: i64, %n: i64) {
      %zero = arith.constant 0 : i64
      %one = arith.constant 1 : i64
      %end = arith.minsi %n, %zero : i64
      scf.for %i = %start to %end step %one : i64 {
        %negative = arith.cmpi slt, %i, %zero : i64
        %wrapped = arith.addi %i, %n : i64
        %j = arith.select %negative, %wrapped, %i : i64
        pyk.store %x, %a[%j] : !pyk.array<?xf32, c>
      } {loop_annotation = #llvm.loop_annotation<unroll = #no>}
      %begin = arith.maxsi %start, %zero : i64
      scf.for %i = %begin to %n step %one : i64 {
        %negative = arith.cmpi slt, %i, %zero : i64
        %wrapped = arith.addi %i, %n : i64
        %j = arith.select %negative, %wrapped, %i : i64
        pyk.store %x, %a[%j] : !pyk.array<?xf32, c>
      }
      pyk.return
    }
    ```

    More examples: `test/Dialect/Pyk/Transforms/split-loops.mlir`
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect"];
}

def UnrollStridesPass : Pass<"pyk-unroll-strides"> {
  let summary = "unrolls loops whose step only the launch knows";
  let description = [{
    Makes two loops of one that counts by a step which is no constant: the first
    does four iterations at a time, as long as there are four, the second what is
    left. Nothing is divided: the counter is compared with the bound less three steps.
    Both count in 32 bits without sign, which must hold all numbers of the loop:
    the start is known to be 0 or more, and the bound to be less than 2^31.

    Of large bodies, and of those with atomic operations, loops, calls or what
    threads do together, there are no copies: the second loop does all iterations.
    It carries the elements at its counter, or at a fixed distance from it, and
    steps them, which leaves nothing to compute of their addresses.

    Requires: stage gpu. Guarantees: each thread does the same in the same order.

    Example: with `--canonicalize` behind it,
    ```mlir
    pyk.func @sum(%step: i64, %x: f32) -> f32 {
      %zero = arith.constant 0 : i64
      %n = arith.constant 1000 : i64
      %sum = scf.for %i = %zero to %n step %step iter_args(%s = %x) -> f32
          : i64 {
        %t = arith.addf %s, %x : f32
        scf.yield %t : f32
      }
      pyk.return %sum : f32
    }
    ```
    becomes
    ```mlir
    pyk.func @sum(%step: i64, %x: f32) -> f32 {
      %zero = arith.constant 0 : i32
      %n = arith.constant 1000 : i32
      %four = arith.constant 4 : i64
      %three = arith.constant 3 : i32
      %third = arith.constant 1431655765 : i32
      %most = arith.constant 2147483647 : i64
      %less = arith.minsi %step, %most : i64
      %step_32 = arith.trunci %less : i64 to i32
      %step_64 = arith.extui %step_32 : i32 to i64
      %short = arith.minui %step_32, %third : i32
      %three_steps = arith.muli %short, %three : i32
      %more = arith.maxui %three_steps, %n : i32
      %bound = arith.subi %more, %three_steps : i32
      %four_steps_64 = arith.muli %step_64, %four : i64
      %four_steps = arith.trunci %four_steps_64 : i64 to i32
      %many:2 = scf.while (%i = %zero, %s = %x) : (i32, f32) -> (i32, f32) {
        %goes_on = arith.cmpi ult, %i, %bound : i32
        scf.condition(%goes_on) %i, %s : i32, f32
      } do {
      ^bb0(%i: i32, %s: f32):
        %s1 = arith.addf %s, %x : f32
        %s2 = arith.addf %s1, %x : f32
        %s3 = arith.addf %s2, %x : f32
        %s4 = arith.addf %s3, %x : f32
        %next = arith.addi %i, %four_steps : i32
        scf.yield %next, %s4 : i32, f32
      }
      %all:2 = scf.while (%i = %many#0, %s = %many#1)
          : (i32, f32) -> (i32, f32) {
        %goes_on = arith.cmpi ult, %i, %n : i32
        scf.condition(%goes_on) %i, %s : i32, f32
      } do {
      ^bb0(%i: i32, %s: f32):
        %t = arith.addf %s, %x : f32
        %next = arith.addi %i, %step_32 : i32
        scf.yield %next, %t : i32, f32
      }
      pyk.return %all#1 : f32
    }
    ```

    More examples: `test/Dialect/Pyk/Transforms/unroll-strides.mlir`
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def BoundLoopsPass : Pass<"pyk-bound-loops"> {
  let summary = "replaces counting loops whose counter may wrap";
  let description = [{
    Turns an `scf.for` whose step is not the constant 1 into a `pyk.for`, which
    ends also where adding the step to the counter would leave the range of its
    type. A loop stays where known ranges of bound and step say that it cannot.

    Requires: nothing. Guarantees: `pyk-flatten-exits` may lower what is left
    without a loop that never ends.

    Example:
    ```mlir
    pyk.func @iterations(%start: i32, %stop: i32, %step: i32) {
      scf.for %i = %start to %stop step %step : i32 {
        pyk.barrier
      }
      pyk.return
    }
    ```
    becomes
    ```mlir
    pyk.func @iterations(%start: i32, %stop: i32, %step: i32) {
      pyk.for %i = %start to %stop step %step : i32 {
        pyk.barrier
        pyk.continue
      }
      pyk.return
    }
    ```

    More examples: `test/Dialect/Pyk/Transforms/bound-loops.mlir`
  }];
  let dependentDialects = ["::pyk::PykDialect"];
}

def FlattenExitsPass : Pass<"pyk-flatten-exits"> {
  let summary = "turns loops and conditions into branches";
  let description = [{
    Rewrites `pyk.if`, `pyk.for`, `pyk.loop`, `pyk.scope` and their exits into
    blocks and `cf` branches, and so the ops of `scf`; a `pyk.return` outside of
    scopes becomes the return of the function.

    Requires: nothing. Guarantees: no region of the pyk dialect or of `scf` is
    left within a function.

    Example:
    ```mlir
    pyk.func @sign(%negative: i1, %one: f32, %minus_one: f32) -> f32 {
      pyk.if %negative {
        pyk.return %minus_one : f32
      }
      pyk.return %one : f32
    }
    ```
    becomes
    ```mlir
    pyk.func @sign(%negative: i1, %one: f32, %minus_one: f32) -> f32 {
      cf.cond_br %negative, ^then, ^rest
    ^then:
      cf.br ^end(%minus_one : f32)
    ^rest:
      cf.br ^end(%one : f32)
    ^end(%result: f32):
      pyk.return %result : f32
    }
    ```

    More examples: `test/Dialect/Pyk/Transforms/flatten-exits.mlir`
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

    Example:
    ```mlir
    gpu.func @kernel(%inside: i1, %a: !pyk.array<f32, c>, %x: f32) kernel {
      pyk.check %inside
      pyk.store %x, %a[] : !pyk.array<f32, c>
      gpu.return
    }
    ```
    becomes
    ```mlir
    gpu.func @kernel(%inside: i1, %a: !pyk.array<f32, c>, %x: f32) kernel {
      cf.cond_br %inside, ^rest, ^failed
    ^rest:
      pyk.store %x, %a[] : !pyk.array<f32, c>
      gpu.return
    ^failed:
      gpu.return
    }
    ```

    More examples: `test/Dialect/Pyk/Transforms/expand-checks.mlir`
  }];
  let dependentDialects = [
    "::mlir::cf::ControlFlowDialect", "::mlir::arith::ArithDialect",
    "::mlir::func::FuncDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::NVVM::NVVMDialect", "::mlir::ub::UBDialect"];
}

#endif // PYK_DIALECT_PYK_TRANSFORMS_CONTROLPASSES_TD
