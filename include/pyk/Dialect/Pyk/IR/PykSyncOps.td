// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where threads wait for each other.

#ifndef PYK_DIALECT_PYK_IR_PYKSYNCOPS_TD
#define PYK_DIALECT_PYK_IR_PYKSYNCOPS_TD

include "pyk/Dialect/Pyk/IR/PykOpBase.td"

/// What other threads wrote may be there after it, and they see what was written
/// before.
def Pyk_MemoryOrder : MemoryEffects<[
    MemRead<Pyk_GlobalMemory>, MemWrite<Pyk_GlobalMemory>,
    MemRead<Pyk_SharedMemory>, MemWrite<Pyk_SharedMemory>]>;

def Pyk_BarrierOp : Pyk_Op<"barrier", [
    Pyk_MemoryOrder, Pyk_Lanes<"Collective", "LaneShape::getOfBlock()">]> {
  let summary = "waits for the threads of the block";
  let description = [{
    A thread goes on when every thread of its block that has not left the kernel
    has reached a barrier as often; what they wrote before is then visible to it.
    Threads that have left do not count. That threads of a block meet at
    the same barrier is the program's business.

    With a `vote`, threads are told of each other: for how many `predicate`
    holds (`count`), or, as 1 or 0, whether it does for `all` or for `any`.
    Threads that have left do not vote. CUDA's `__syncthreads`,
    `__syncthreads_count`, `__syncthreads_and` and `__syncthreads_or`.

    Example:
    ```mlir
    pyk.barrier
    %positive = pyk.barrier vote count %is_positive -> i32
    ```
  }];
  let arguments = (ins OptionalAttr<Pyk_BarrierVoteAttr>:$vote,
                       Optional<I1>:$predicate);
  let results = (outs Optional<I32>:$result);
  let assemblyFormat =
      "(`vote` $vote^ $predicate `->` type($result))? attr-dict";
  let hasVerifier = 1;
}

def Pyk_GridGroupOp : Pyk_Op<"grid_group", [
    Pyk_MemoryOrder, Pyk_Lanes<"Uniform">]> {
  let summary = "asks for a grid whose blocks all run at a time";
  let description = [{
    A launch of a kernel with this op, or with `pyk.grid_barrier`, is
    cooperative: it succeeds only if all blocks of its grid can run at a time. The
    thread does nothing.

    Example:
    ```mlir
    pyk.grid_group
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def Pyk_GridBarrierOp : Pyk_Op<"grid_barrier", [
    Pyk_MemoryOrder, Pyk_Lanes<"Collective">]> {
  let summary = "waits for the threads of the grid";
  let description = [{
    A thread goes on when every thread of the grid has come to such a barrier as
    often; what they wrote before is then visible to it. All threads of a block
    come to it together, as to `pyk.barrier`, and no block may have ended. CUDA's
    `grid_group::sync`.

    Example:
    ```mlir
    pyk.grid_barrier
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def Pyk_FenceOp : Pyk_Op<"fence", [Pyk_MemoryOrder]> {
  let summary = "orders the thread's accesses to memory";
  let description = [{
    What the thread wrote before is visible to the threads of `scope` before
    anything that it writes after, and it reads nothing earlier that stands
    after. CUDA's `__threadfence_block`, `__threadfence` and
    `__threadfence_system`.

    Example:
    ```mlir
    pyk.fence device
    ```
  }];
  let arguments = (ins Pyk_ScopeAttr:$scope);
  let assemblyFormat = "$scope attr-dict";
}

def Pyk_SpinHintOp : Pyk_Op<"spin_hint", [Pyk_MemoryOrder]> {
  let summary = "says that the thread waits for memory to change";
  let description = [{
    Stands in a loop that may wait for a write of another thread, and lets the
    other threads run. A program may say for how many `nanoseconds` its thread has
    nothing to do, up to a million; it may go on earlier.

    Example:
    ```mlir
    pyk.spin_hint
    pyk.spin_hint for %n
    ```
  }];
  let arguments = (ins Optional<I32>:$nanoseconds);
  let assemblyFormat = "(`for` $nanoseconds^)? attr-dict";
  let builders = [OpBuilder<(ins), [{ build($_builder, $_state, ::mlir::Value()); }]>];
}

def Pyk_ClockOp : Pyk_Op<"clock", [
    MemoryEffects<[MemRead<Pyk_Time>, MemWrite<Pyk_Time>]>,
    Pyk_Lanes<"Serial">]> {
  let summary = "what a clock shows";
  let description = [{
    The `cycles` of the multiprocessor that runs the thread, or of the processor, or
    the `nanoseconds` of a clock that all threads share. Neither says when it
    began, and a GPU's nanoseconds may advance in steps of a thousand. Two readings
    of one thread are in the order of the program.

    Example:
    ```mlir
    %t = pyk.clock cycles : i64
    ```
  }];
  let arguments = (ins Pyk_ClockUnitAttr:$unit);
  let results = (outs I64:$result);
  let assemblyFormat = "$unit attr-dict `:` type($result)";
}

def Pyk_Shuffled
    : AnyTypeOf<[I1, I8, I16, I32, I64, F16, BF16, F32, F64,
                 Complex<AnyTypeOf<[F32, F64]>>]>;

def Pyk_ShuffleOp : Pyk_Op<"shuffle", [
    Pyk_MemoryOrder, Pyk_Lanes<"Collective">,
    AllTypesMatch<["value", "result"]>]> {
  let summary = "value of another thread of the warp";
  let description = [{
    Waits for the threads of the warp in `mask`, whose bits are lanes and of
    which the executing thread is one, and yields the `value` of one of them: of
    the lane `offset` (`index`), of the lane that is `offset` before (`up`) or
    behind (`down`) its own, or of that whose number differs in the bits of
    `offset` (`xor`). All of them take `offset` modulo 32. Where that lane is not
    in the warp, the thread keeps its own value. What a lane gives that is not in
    `mask`, or has ended, is not defined.

    `width`, a power of 2 up to 32, divides the warp into segments of so many lanes,
    each of which is what the warp is above: `index` counts from the segment's first
    lane. Only `xor` reaches lanes of segments before its own. CUDA's `__shfl_sync`
    and its like.

    Example:
    ```mlir
    %sum = pyk.shuffle xor %part, %offset mask %all : f32
    %first = pyk.shuffle index %part, %zero mask %all width %eight : f32
    ```
  }];
  let arguments = (ins Pyk_ShuffleKindAttr:$kind, I32:$mask,
                   Pyk_Shuffled:$value, I32:$offset, Optional<I32>:$width);
  let results = (outs Pyk_Shuffled:$result);
  let assemblyFormat = [{
    $kind $value `,` $offset `mask` $mask (`width` $width^)? attr-dict `:`
    type($value)
  }];
}

def Pyk_VoteOp : Pyk_Op<"vote", [Pyk_MemoryOrder, Pyk_Lanes<"Collective">]> {
  let summary = "whether threads of the warp agree";
  let description = [{
    Waits for the threads of the warp in `mask`, whose bits are lanes and of
    which the executing thread is one, and yields to each of them whether
    `predicate` holds for `all`, for `any`, or for all or none of them
    (`equal`). Threads that have ended do not count. CUDA's `__all_sync` and its
    like.

    Example:
    ```mlir
    %all_positive = pyk.vote all %is_positive mask %mask
    ```
  }];
  let arguments = (ins Pyk_VoteKindAttr:$kind, I32:$mask, I1:$predicate);
  let results = (outs I1:$result);
  let assemblyFormat = "$kind $predicate `mask` $mask attr-dict";
}

def Pyk_BallotOp : Pyk_Op<"ballot", [
    Pyk_MemoryOrder, Pyk_Lanes<"Collective">]> {
  let summary = "for which threads of the warp something holds";
  let description = [{
    Waits for the threads of the warp in `mask`, whose bits are lanes and of
    which the executing thread is one, and yields the lanes of those for which
    `predicate` holds, as bits. Those of other threads and of threads that have
    ended are 0. CUDA's `__ballot_sync`.

    Example:
    ```mlir
    %positive = pyk.ballot %is_positive mask %mask
    ```
  }];
  let arguments = (ins I32:$mask, I1:$predicate);
  let results = (outs I32:$result);
  let assemblyFormat = "$predicate `mask` $mask attr-dict";
}

def Pyk_WarpBarrierOp : Pyk_Op<"warp_barrier", [
    Pyk_MemoryOrder, Pyk_Lanes<"Collective">]> {
  let summary = "waits for threads of the warp";
  let description = [{
    A thread goes on when each thread of its warp in `mask`, whose bits are
    lanes and of which it is one, has come to a barrier with that mask or has
    ended; what they wrote before is then visible to it. Without a mask it waits
    for the whole warp. CUDA's `__syncwarp`.

    Example:
    ```mlir
    pyk.warp_barrier mask %half
    pyk.warp_barrier
    ```
  }];
  let arguments = (ins Optional<I32>:$mask);
  let assemblyFormat = "(`mask` $mask^)? attr-dict";
}

def Pyk_ActiveMaskOp : Pyk_Op<"active_mask", [
    Pyk_MemoryOrder, Pyk_Lanes<"Collective">]> {
  let summary = "the lanes that run together";
  let description = [{
    Yields as bits the lanes of the warp that execute this operation together,
    of which the thread's own is one. On the CPU a thread waits here until no
    other thread of its warp can run on, and those that have come to the same
    operation get each other. CUDA's `__activemask`.

    Example:
    ```mlir
    %lanes = pyk.active_mask
    ```
  }];
  let results = (outs I32:$result);
  let assemblyFormat = "attr-dict";
}

class Pyk_Match<string mnemonic> : Pyk_Op<mnemonic, [
    Pyk_MemoryOrder, Pyk_Lanes<"Collective">]> {
  let arguments = (ins I32:$mask, AnyTypeOf<[I32, I64, F32, F64]>:$value);
  let assemblyFormat = "$value `mask` $mask attr-dict `:` type($value)";
}

def Pyk_MatchAnyOp : Pyk_Match<"match_any"> {
  let summary = "the lanes that have the same value";
  let description = [{
    Waits for the threads of the warp in `mask`, as `pyk.shuffle` does, and yields
    to each the lanes of those whose `value` has the bits of its own. CUDA's
    `__match_any_sync`.

    Example:
    ```mlir
    %same = pyk.match_any %key mask %lanes : i32
    ```
  }];
  let results = (outs I32:$result);
}

def Pyk_MatchAllOp : Pyk_Match<"match_all"> {
  let summary = "whether all lanes have the same value";
  let description = [{
    Waits for the threads of the warp in `mask`, as `pyk.shuffle` does, and yields
    their lanes and true if all have a `value` of the same bits, or else 0 and
    false. CUDA's `__match_all_sync`.

    Example:
    ```mlir
    %lanes, %is_same = pyk.match_all %key mask %all : f32
    ```
  }];
  let results = (outs I32:$lanes, I1:$is_same);
}

#endif // PYK_DIALECT_PYK_IR_PYKSYNCOPS_TD
