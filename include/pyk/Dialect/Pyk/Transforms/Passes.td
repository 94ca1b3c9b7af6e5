// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes on the pyk dialect.

#ifndef PYK_DIALECT_PYK_TRANSFORMS_PASSES_TD
#define PYK_DIALECT_PYK_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"
include "pyk/Dialect/Pyk/Transforms/ArithmeticPasses.td"
include "pyk/Dialect/Pyk/Transforms/ControlPasses.td"
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

    Example: with `assume=scalars,disjoint`,
    ```mlir
    pyk.func @shift(%a: !pyk.array<?xf32, c>, %b: !pyk.array<?xf32, c>,
                    %by: i64) attributes {kernel} {
      %i = pyk.grid x : i64
      %j = arith.addi %i, %by : i64
      %x = pyk.load %a[%j] : !pyk.array<?xf32, c>
      pyk.store %x, %b[%i] : !pyk.array<?xf32, c>
      pyk.return
    }
    ```
    becomes
    ```mlir
    pyk.func @shift(
        %a: !pyk.array<?xf32, c> {pyk.facts = #pyk.facts<disjoint>},
        %b: !pyk.array<?xf32, c> {pyk.facts = #pyk.facts<disjoint|written>},
        %by: i64 {pyk.facts = #pyk.facts<small>}) attributes {kernel} {
      %i = pyk.grid x : i64
      %j = arith.addi %i, %by : i64
      %x = pyk.load %a[%j] : !pyk.array<?xf32, c>
      pyk.store %x, %b[%i] : !pyk.array<?xf32, c>
      pyk.return
    }
    ```

    More examples: `test/Dialect/Pyk/Transforms/assume-launch.mlir`
  }];
  let options = [AssumeOption, BlockOption, CheckMemoryOption];
}

def ExtendLifetimesPass : Pass<"pyk-extend-lifetimes", "::mlir::ModuleOp"> {
  let summary = "lets local memory live as long as values that hold it";
  let description = [{
    A local `pyk.alloc` that a device function may return becomes a parameter of
    it, and each call is given a `pyk.alloc` of its caller. Where a loop carries
    what an allocation within it gave in an earlier iteration, and that is used after
    the allocation, the allocation becomes several slots, of which each iteration
    takes one that none of the values lies in.

    Memory that functions return which call each other in a circle would have to
    outlive every frame: that is an error.

    Requires: stage pyk. Guarantees: no function returns memory of its own frame,
    and an allocation gives memory that no value in use lies in.

    Example:
    ```mlir
    pyk.func @pair() -> !pyk.array<2xf32, c, local> {
      %a = pyk.alloc : !pyk.array<2xf32, c, local>
      pyk.return %a : !pyk.array<2xf32, c, local>
    }
    pyk.func @kernel() attributes {kernel} {
      %a = pyk.call @pair() : () -> !pyk.array<2xf32, c, local>
      pyk.return
    }
    ```
    becomes
    ```mlir
    pyk.func @pair(%memory: !pyk.array<2xf32, c, local>)
        -> !pyk.array<2xf32, c, local> {
      pyk.return %memory : !pyk.array<2xf32, c, local>
    }
    pyk.func @kernel() attributes {kernel} {
      %memory = pyk.alloc : !pyk.array<2xf32, c, local>
      %a = pyk.call @pair(%memory)
          : (!pyk.array<2xf32, c, local>) -> !pyk.array<2xf32, c, local>
      pyk.return
    }
    ```

    More examples: `test/Dialect/Pyk/Transforms/extend-lifetimes.mlir`
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

    Example: with `--canonicalize` behind it,
    ```mlir
    pyk.func @kernel(%n: i64, %x: f32) attributes {kernel} {
      %a = pyk.launch_shared %n : !pyk.array<?xf32, c, shared>
      pyk.store %x, %a[%n] : !pyk.array<?xf32, c, shared>
      pyk.return
    }
    ```
    becomes
    ```mlir
    pyk.func @kernel(%n: i64, %x: f32) attributes {
        kernel, pyk.shared_sizes = [
          #pyk.size_term<kind = constant, value = 4>,
          #pyk.size_term<kind = signed, value = 8>,
          #pyk.size_term<kind = length>,
          #pyk.size_term<kind = mul>,
          #pyk.size_term<kind = place, value = 16, line = 2>,
          #pyk.size_term<kind = constant>,
          #pyk.size_term<kind = place, value = 16>]} {
      %start = arith.constant 0 : i64
      %a = pyk.dynamic_shared at %start[%n] : !pyk.array<?xf32, c, shared>
      pyk.store %x, %a[%n] : !pyk.array<?xf32, c, shared>
      pyk.return
    }
    ```

    More examples: `test/Dialect/Pyk/Transforms/place-shared-arrays.mlir`
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
    that counts iterations as it waits needs none if it has a barrier in each
    iteration.

    A loop writes an element itself if each iteration writes to the index that it
    reads, or if what it reads and what it writes move along. An element that only
    its own thread stores to, because the read and each store have the index of
    the thread as the index of the same dimension, is not waited for. Barriers that keep
    a loop apart from all stores to a shared array end the wait before it begins.
    A loop that counts is marked only if it reads one element again and again.
    A function that calls itself is a loop whose iterations are its calls; one that
    has something left to do after them is like one that counts.

    Requires: stage pyk. Guarantees: nothing else changes.

    Example:
    ```mlir
    pyk.func @wait(%flag: !pyk.array<i32, c>) {
      %zero = arith.constant 0 : i32
      scf.while : () -> () {
        %value = pyk.load %flag[] : !pyk.array<i32, c>
        %unset = arith.cmpi eq, %value, %zero : i32
        scf.condition(%unset)
      } do {
        scf.yield
      }
      pyk.return
    }
    ```
    becomes
    ```mlir
    pyk.func @wait(%flag: !pyk.array<i32, c>) {
      %zero = arith.constant 0 : i32
      scf.while : () -> () {
        %value = pyk.load volatile %flag[] : !pyk.array<i32, c>
        %unset = arith.cmpi eq, %value, %zero : i32
        scf.condition(%unset)
      } do {
        pyk.spin_hint
        scf.yield
      }
      pyk.return
    }
    ```

    More examples: `test/Dialect/Pyk/Transforms/mark-spins.mlir`
  }];
  let dependentDialects = ["::pyk::PykDialect"];
}

def SelectKernelPass : Pass<"pyk-select-kernel", "::mlir::ModuleOp"> {
  let summary = "erases all kernels but one";
  let description = [{
    Erases every kernel but the one called `kernel`, and those that kernels
    launch (`pyk.child`) if nothing launches them any more. Without a name it
    checks that there is one to choose.

    Requires: stage pyk. Guarantees: the module has one kernel that hosts launch.

    Example: with `kernel=second`,
    ```mlir
    pyk.func @first() attributes {kernel} {
      pyk.return
    }
    pyk.func @second() attributes {kernel} {
      pyk.return
    }
    ```
    becomes
    ```mlir
    pyk.func @second() attributes {kernel} {
      pyk.return
    }
    ```

    More examples: `test/Dialect/Pyk/Transforms/select-kernel.mlir`
  }];
  let options = [
    Option<"kernel", "kernel", "std::string", /*default=*/"\"\"",
           "Name of the kernel to keep">];
}

def VerifyStagePass : Pass<"pyk-verify-stage"> {
  let summary = "checks that the module is what a stage promises";
  let description = [{
    Refuses ops that the contract of `stage` excludes, so that an op that a
    conversion forgot is reported where it was forgotten. Refuses modules in modules,
    except a `gpu.module` in the outermost one, and ops outside of functions that are
    no symbols.

    Requires: nothing. Guarantees: nothing changes.

    Example: with `stage=gpu`,
    ```mlir
    gpu.func @kernel() kernel {
      %i = pyk.grid x : i64
      pyk.return
    }
    ```
    is refused:
    ```text
    error: 'pyk.grid' op cannot stand in stage gpu
    ```

    More examples: `test/Dialect/Pyk/Transforms/verify-stage.mlir`
  }];
  let options = [
    Option<"stage", "stage", "std::string", /*default=*/"\"gpu\"",
           "Stage whose contract must hold: pyk, gpu or nvvm">];
}

#endif // PYK_DIALECT_PYK_TRANSFORMS_PASSES_TD
