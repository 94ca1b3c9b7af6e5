// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes of the pyk dialect on numbers, addresses among them.

#ifndef PYK_DIALECT_PYK_TRANSFORMS_ARITHMETICPASSES_TD
#define PYK_DIALECT_PYK_TRANSFORMS_ARITHMETICPASSES_TD

include "mlir/Pass/PassBase.td"

def ExpandAtomicsPass : Pass<"pyk-expand-atomics"> {
  let summary = "expands atomic operations that no target has";
  let description = [{
    Replaces `pyk.atomic max`, `min`, `nanmax` and `nanmin` of floats by loops around
    `pyk.atomic_cas`: LLVM's leave open which of two zeros is the larger.

    Requires: stage gpu, since `pyk-mark-spins` must not see these loops.
    Guarantees: LLVM has an instruction for each atomic operation that is left.

    Example:
    ```mlir
    pyk.func @maximum(%a: !pyk.array<f32, c>, %x: f32) {
      %old = pyk.atomic max %x, %a[] : !pyk.array<f32, c>
      pyk.return
    }
    ```
    becomes
    ```mlir
    pyk.func @maximum(%a: !pyk.array<f32, c>, %x: f32) {
      %first = pyk.load volatile %a[] : !pyk.array<f32, c>
      %old = scf.while (%known = %first) : (f32) -> f32 {
        %replaces = arith.cmpf ogt, %x, %known : f32
        %found = scf.if %replaces -> (f32) {
          %seen = pyk.atomic_cas %known, %x, %a[] : !pyk.array<f32, c>
          scf.yield %seen : f32
        } else {
          scf.yield %known : f32
        }
        %found_bits = arith.bitcast %found : f32 to i32
        %known_bits = arith.bitcast %known : f32 to i32
        %changed = arith.cmpi ne, %found_bits, %known_bits : i32
        scf.condition(%changed) %found : f32
      } do {
      ^bb0(%found: f32):
        scf.yield %found : f32
      }
      pyk.return
    }
    ```

    More examples: `test/Dialect/Pyk/Transforms/expand-atomics.mlir`
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
    iterations leads to.

    Requires: nothing. Guarantees: no access has indices.

    Example:
    ```mlir
    pyk.func @get(%a: !pyk.array<?x?xf32, c>, %i: i64, %j: i64) -> f32 {
      %x = pyk.load %a[%i, %j] : !pyk.array<?x?xf32, c>
      pyk.return %x : f32
    }
    ```
    becomes
    ```mlir
    pyk.func @get(%a: !pyk.array<?x?xf32, c>, %i: i64, %j: i64) -> f32 {
      %columns = pyk.dim %a, 1 : !pyk.array<?x?xf32, c>
      %row = arith.muli %i, %columns : i64
      %offset = arith.addi %row, %j : i64
      %element = pyk.element %a + %offset : !pyk.array<?x?xf32, c>
      %x = pyk.load %element[] : !pyk.array<f32, c>
      pyk.return %x : f32
    }
    ```

    More examples: `test/Dialect/Pyk/Transforms/expand-addresses.mlir`
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

    Example:
    ```mlir
    pyk.func @wrap(%i: i64, %n: i64) -> i64 {
      %j = pyk.wrap_index %i of %n : i64
      pyk.return %j : i64
    }
    ```
    becomes
    ```mlir
    pyk.func @wrap(%i: i64, %n: i64) -> i64 {
      %from_end = arith.addi %i, %n : i64
      %zero = arith.constant 0 : i64
      %negative = arith.cmpi slt, %i, %zero : i64
      %j = arith.select %negative, %from_end, %i : i64
      pyk.return %j : i64
    }
    ```

    More examples: `test/Dialect/Pyk/Transforms/expand-numerics.mlir`
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
    that loops of more than three iterations count in 64 bits stay so, with what is
    computed from them. Extensions of what is not negative become unsigned.

    Ranges know the conditions around an op, those that a thread passed on its way
    because it would have returned or left the loop otherwise, what loops carry from
    iteration to iteration, and what functions give back that do not call themselves.

    Requires: nothing. Guarantees: no op is left with less precise results.

    Example: with `--canonicalize` behind it,
    ```mlir
    pyk.func @place(%n: i64) -> i64 {
      %zero = arith.constant 0 : i64
      %i = pyk.grid x : i64
      %negative = arith.cmpi slt, %i, %zero : i64
      %from_end = arith.addi %i, %n : i64
      %j = arith.select %negative, %from_end, %i : i64
      pyk.return %j : i64
    }
    ```
    becomes
    ```mlir
    pyk.func @place(%n: i64) -> i64 {
      %i = pyk.grid x : i64
      pyk.return %i : i64
    }
    ```

    More examples: `test/Dialect/Pyk/Transforms/fold-ranges.mlir`
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

    Example:
    ```mlir
    pyk.func @axpy(%a: f32, %x: f32, %y: f32) -> f32 {
      %product = arith.mulf %a, %x fastmath<contract> : f32
      %sum = arith.addf %product, %y fastmath<contract> : f32
      pyk.return %sum : f32
    }
    ```
    becomes
    ```mlir
    pyk.func @axpy(%a: f32, %x: f32, %y: f32) -> f32 {
      %sum = math.fma %a, %x, %y : f32
      pyk.return %sum : f32
    }
    ```

    More examples: `test/Dialect/Pyk/Transforms/fuse-multiply-add.mlir`
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
}

def MakeReproduciblePass : Pass<"pyk-make-reproducible"> {
  let summary = "canonicalizes NaNs in reproducible functions";
  let description = [{
    Changes functions that have `pyk.reproducible`. A NaN that is stored, passed to
    an atomic operation, printed or bit-cast becomes the canonical one, which is
    quiet, positive and has no payload. A zero that an atomic maximum or minimum
    takes becomes +0. Calls of libdevice whose bits differ between targets are
    errors, and so are atomic additions of floats, whose sum depends on the order of
    the threads.

    Requires: of numeric ops what `pyk-expand-numerics` leaves. Guarantees: nothing
    else changes.

    Example:
    ```mlir
    pyk.func @store(%a: !pyk.array<?xf32, c>, %i: i64, %x: f32)
        attributes {pyk.reproducible} {
      pyk.store %x, %a[%i] : !pyk.array<?xf32, c>
      pyk.return
    }
    ```
    becomes
    ```mlir
    pyk.func @store(%a: !pyk.array<?xf32, c>, %i: i64, %x: f32)
        attributes {pyk.reproducible} {
      %bits = arith.bitcast %x : f32 to i32
      %all_but_sign = arith.constant 2147483647 : i32
      %magnitude = arith.andi %bits, %all_but_sign : i32
      %infinity = arith.constant 2139095040 : i32
      %is_nan = arith.cmpi ugt, %magnitude, %infinity : i32
      %nan = arith.constant 2143289344 : i32
      %canonical = arith.select %is_nan, %nan, %bits : i32
      %y = arith.bitcast %canonical : i32 to f32
      pyk.store %y, %a[%i] : !pyk.array<?xf32, c>
      pyk.return
    }
    ```

    More examples: `test/Dialect/Pyk/Transforms/make-reproducible.mlir`
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::complex::ComplexDialect"];
}

#endif // PYK_DIALECT_PYK_TRANSFORMS_ARITHMETICPASSES_TD
