// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory under masks, questions about masks, and ops that are done thread by
// thread.

#ifndef PYK_DIALECT_SIMD_IR_SIMDOPS_TD
#define PYK_DIALECT_SIMD_IR_SIMDOPS_TD

include "pyk/Dialect/Pyk/IR/PykTypes.td"
include "pyk/Dialect/Simd/IR/SimdDialect.td"
include "pyk/Support/InFunction.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

/// An op that stands in a function.
class Simd_Op<string mnemonic, list<Trait> traits = []>
    : Op<Simd_Dialect, mnemonic, !listconcat([Pyk_InFunction], traits)>;

/// A compact vector: rows, strips and lanes of a tile.
class Simd_CompactOf<list<Type> elements>
    : VectorOfRankAndType<[3], elements>;
def Simd_Compact : Simd_CompactOf<[AnyType]>;
def Simd_Mask : Simd_CompactOf<[I1]>;

def Simd_LoadOp : Simd_Op<"load", [MemoryEffects<[MemRead]>]> {
  let summary = "reads elements of an array for the threads of a tile";
  let description = [{
    Yields for each thread the element that lies `offset` behind the one whose
    indices are all 0, as `pyk.element` counts. Threads that are not in `mask`
    read nothing, and get anything. If it is `contiguous`, the elements of
    neighbouring lanes are neighbours in memory; with `step` n they are n elements
    apart, so that all may be loaded together with what lies between them. If it is
    `transposed`, those of neighbouring rows are neighbours, of each lane.

    Constraints:
    - (load_c1) The result has the shape of `offset`, and the elements of `array`,
      which are numbers.
    - (load_c2) `mask` has the shape of `offset`.
    - (load_c3) `step` is none of 0 and 1, and not there if it is `contiguous`.
    - (load_c4) It is `transposed` only if it is not `contiguous` and has no `step`.

    Example:
    ```mlir
    %x = simd.load contiguous %a + %offset mask %m : vector<1x2x16xi1>
        : !pyk.array<?xf32, c>, vector<1x2x16xi64> -> vector<1x2x16xf32>
    ```
  }];
  let arguments = (ins Pyk_ArrayType:$array, Simd_CompactOf<[I64]>:$offset,
                       Optional<Simd_Mask>:$mask, UnitAttr:$contiguous,
                       OptionalAttr<I64Attr>:$step, UnitAttr:$transposed);
  let results = (outs Simd_Compact:$result);
  let assemblyFormat = [{
    (`contiguous` $contiguous^)? (`transposed` $transposed^)? (`step` $step^)? $array `+` $offset (`mask` $mask^ `:` type($mask))?
    attr-dict `:` qualified(type($array)) `,` type($offset) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Simd_StoreOp : Simd_Op<"store", [MemoryEffects<[MemWrite]>]> {
  let summary = "writes elements of an array for the threads of a tile";
  let description = [{
    Writes the value of each thread in `mask` to the element that `simd.load`
    would read. Of threads that write to one element the last one counts, rows
    before strips before lanes; if it is `transposed`, any.

    Constraints:
    - (store_c1) `value` has the shape of `offset`, and the elements of `array`,
      which are numbers.
    - (store_c2) `mask` has the shape of `offset`.
    - (store_c3) It is not both `contiguous` and `transposed`.

    Example:
    ```mlir
    simd.store contiguous %x, %a + %offset
        : vector<1x2x16xf32>, !pyk.array<?xf32, c>, vector<1x2x16xi64>
    ```
  }];
  let arguments = (ins Simd_Compact:$value, Pyk_ArrayType:$array,
                       Simd_CompactOf<[I64]>:$offset, Optional<Simd_Mask>:$mask,
                       UnitAttr:$contiguous, UnitAttr:$transposed);
  let assemblyFormat = [{
    (`contiguous` $contiguous^)? (`transposed` $transposed^)? $value `,` $array `+` $offset
    (`mask` $mask^ `:` type($mask))? attr-dict
    `:` type($value) `,` qualified(type($array)) `,` type($offset)
  }];
  let hasVerifier = 1;
}

class Simd_ReduceMaskOp<string mnemonic, string quantifier>
    : Simd_Op<mnemonic, [Pure]> {
  let arguments = (ins Simd_Mask:$mask);
  let results = (outs AnyTypeOf<[I1, Simd_Mask]>:$result);
  let assemblyFormat = "$mask attr-dict `:` type($mask) `->` type($result)";
  let summary = "whether a mask holds " # quantifier;
  let hasVerifier = 1;
}

def Simd_AnyOp : Simd_ReduceMaskOp<"any", "some thread"> {
  let description = [{
    Yields whether some thread is in `mask`: of the whole tile, or for each place
    along the dimensions that the result keeps.

    Constraints:
    - (any_c1) The result is an i1, or has 1 or the dimension of `mask` in each
      place.

    Example:
    ```mlir
    %some = simd.any %m : vector<4x1x16xi1> -> i1
    %columns = simd.any %m : vector<4x1x16xi1> -> vector<1x1x16xi1>
    ```
  }];
}

def Simd_AllOp : Simd_ReduceMaskOp<"all", "all threads"> {
  let description = [{
    As `simd.any`, for all threads.

    Constraints:
    - (all_c1) As any_c1.

    Example:
    ```mlir
    %whole = simd.all %m : vector<4x1x16xi1> -> i1
    ```
  }];
}

def Simd_CountOp : Simd_Op<"count", [Pure]> {
  let summary = "how many threads a mask holds";
  let description = [{
    The number of threads in `mask`, for each place of its dimensions.

    Example:
    ```mlir
    %number = simd.count %m : vector<4x1x16xi1>
    ```
  }];
  let arguments = (ins Simd_Mask:$mask);
  let results = (outs I32:$result);
  let assemblyFormat = "$mask attr-dict `:` type($mask)";
}

def Simd_ShuffleOp : Simd_Op<"shuffle", [
    Pure, AllTypesMatch<["value", "result"]>]> {
  let summary = "values of other threads of the warp";
  let description = [{
    Yields for each thread the `value` of the lane `source` of its warp, from 0 to
    31. Warps are vectors that follow each other, rows before strips; of lanes that
    the last one lacks the value is 0.

    Constraints:
    - (shuffle_c1) `source` has the shape of `value`, of 2 lanes or more that divide a warp.

    Example:
    ```mlir
    %other = simd.shuffle %x from %lanes : vector<1x2x16xf32>, vector<1x2x16xi32>
    ```
  }];
  let arguments = (ins Simd_Compact:$value, Simd_CompactOf<[I32]>:$source);
  let results = (outs Simd_Compact:$result);
  let assemblyFormat =
      "$value `from` $source attr-dict `:` type($value) `,` type($source)";
  let hasVerifier = 1;
}

def Simd_BallotOp : Simd_Op<"ballot", [Pure]> {
  let summary = "the lanes of the warp for which something holds";
  let description = [{
    Yields for each thread, as bits, the lanes of its warp for which `predicate`
    holds. Warps are those of `simd.shuffle`.

    Constraints:
    - (ballot_c1) The result has the shape of `predicate`, of 2 lanes or more that divide a
      warp.

    Example:
    ```mlir
    %lanes = simd.ballot %m : vector<1x2x16xi1> -> vector<1x2x16xi32>
    ```
  }];
  let arguments = (ins Simd_Mask:$predicate);
  let results = (outs Simd_CompactOf<[I32]>:$result);
  let assemblyFormat =
      "$predicate attr-dict `:` type($predicate) `->` type($result)";
  let hasVerifier = 1;
}

def Simd_RunLengthOp : Simd_Op<"run_length", [Pure]> {
  let summary = "how many blocks the kernel runs when it is called";
  let description = [{
    Yields the number of blocks, neighbours along x, that one call of the kernel
    runs. The first is that of `gpu.block_id`. It is at least 1, and at most what
    the kernel's attribute `simd.run` says.

    Example:
    ```mlir
    %blocks = simd.run_length : i32
    ```
  }];
  let results = (outs I32:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

def Simd_EnterBlockOp : Simd_Op<"enter_block", [MemoryEffects<[MemWrite]>]> {
  let summary = "goes from one block to another";
  let description = [{
    Says that what follows is done for the block whose index along x is `x`, one
    of those that the kernel runs when it is called. Failures and warnings name
    it.

    Example:
    ```mlir
    simd.enter_block %x : i32
    ```
  }];
  let arguments = (ins I32:$x);
  let assemblyFormat = "$x attr-dict `:` type($x)";
}

def Simd_SerialOp : Simd_Op<"serial", [
    AttrSizedOperandSegments, RecursiveMemoryEffects,
    SingleBlockImplicitTerminator<"::pyk::simd::YieldOp">]> {
  let summary = "runs its body for one thread after the other";
  let description = [{
    Runs `body` for each thread in `mask`, rows before strips before lanes, with
    the thread's element of each of `inputs`. The results have what it yields;
    those of other threads are anything. It is how ops run that have no form for
    vectors.

    Constraints:
    - (serial_c1) `inputs`, `mask` and the results have the shape of the tile;
      there is one of them.
    - (serial_c2) `body` has an argument of the element type for each of
      `inputs`, and yields the element type of each result.

    Example:
    ```mlir
    %old = simd.serial (%i = %indices : vector<1x1x16xi64>) -> (vector<1x1x16xf32>) {
      %e = pyk.element %a + %i : !pyk.array<?xf32, c>
      %x = pyk.atomic add %one, %e[] : !pyk.array<f32, c>
      simd.yield %x : f32
    }
    ```
  }];
  let arguments = (ins Variadic<Simd_Compact>:$inputs, Optional<Simd_Mask>:$mask);
  let results = (outs Variadic<Simd_Compact>:$results);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Simd_YieldOp : Simd_Op<"yield", [
    Pure, Terminator, ReturnLike, ParentOneOf<["SerialOp"]>]> {
  let summary = "ends what `simd.serial` does for one thread";
  let description = [{
    Gives the results of the thread.

    Example:
    ```mlir
    simd.yield %x : f32
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$operands);
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
  let builders = [OpBuilder<(ins), "/*no operands*/">];
}

#endif // PYK_DIALECT_SIMD_IR_SIMDOPS_TD
