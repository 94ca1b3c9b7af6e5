// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where threads wait for each other.

#ifndef PYK_DIALECT_PYK_IR_PYKSYNCOPS_TD
#define PYK_DIALECT_PYK_IR_PYKSYNCOPS_TD

include "pyk/Dialect/Pyk/IR/PykControlOps.td"
include "pyk/Dialect/Pyk/IR/PykEnums.td"

/// What other threads wrote may be there after it, and they see what was written
/// before.
def Pyk_MemoryOrder : MemoryEffects<[
    MemRead<Pyk_GlobalMemory>, MemWrite<Pyk_GlobalMemory>,
    MemRead<Pyk_SharedMemory>, MemWrite<Pyk_SharedMemory>]>;

def Pyk_BarrierOp : Pyk_Op<"barrier", [
    Pyk_MemoryOrder, Pyk_Lanes<"Collective">]> {
  let summary = "waits for the threads of the block";
  let description = [{
    A thread goes on when every thread of its block that has not left the kernel
    has reached a barrier as often; what they wrote before is then visible to it.
    Threads that have left do not count. That threads of a block meet at
    the same barrier is the program's business.

    Example:
    ```mlir
    pyk.barrier
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
    other threads run.

    Example:
    ```mlir
    pyk.spin_hint
    ```
  }];
  let assemblyFormat = "attr-dict";
}

#endif // PYK_DIALECT_PYK_IR_PYKSYNCOPS_TD
