// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Access to elements that other threads access at the same time.

#ifndef PYK_DIALECT_PYK_IR_PYKATOMICOPS_TD
#define PYK_DIALECT_PYK_IR_PYKATOMICOPS_TD

include "pyk/Dialect/Pyk/IR/PykOpBase.td"

/// What one operation of the machine can replace, or a loop of them.
def Pyk_AtomicElement : AnyTypeOf<[I32, I64, F16, BF16, F32, F64],
                                  "integer of 32 or 64 bits or float">;

/// The type of `name` is that of the elements.
class Pyk_HoldsElement<string name>
    : TypesMatchWith<name # " has the element type of the array", "array", name,
                     "::llvm::cast<::pyk::ArrayType>($_self).getElementType()">;

def Pyk_AtomicOp : Pyk_AccessOp<"atomic", [
    Pyk_HoldsElement<"value">, Pyk_HoldsElement<"result">]> {
  let summary = "replaces an element in one step";
  let description = [{
    Stores in the element of `array` at `indices` what `kind` makes of it and
    `value`, and yields what it held before. No other access of a thread of the
    device comes between.

    | kind | stores, of an element `x` |
    | --- | --- |
    | `add` | `x + value`; integers wrap |
    | `and`, `or`, `xor` | the bits |
    | `inc` | 0 if `x >= value`, else `x + 1` |
    | `dec` | `value` if `x == 0` or `x > value`, else `x - 1` |
    | `max`, `min` | `value` if it is greater, or less; so NaN changes nothing and is not replaced |
    | `nanmax`, `nanmin` | the same, but `value` replaces NaN |
    | `exch` | `value` |

    `unsigned` says how `max` and `min` compare integers; `inc` and `dec` compare
    them as unsigned, whatever is said, and of integers `nanmax` and `nanmin` are
    `max` and `min`. `scope` are the threads for which it is one step, those of
    the device if nothing is said.

    `order` says how the thread's accesses to other elements are ordered for
    these threads; if nothing is said, not at all (`relaxed`). What it reads after an
    `acquire` is as new as what that has found; what it wrote before a `release`
    is seen by who finds what that has stored; `acq_rel` is both. All that are
    `seq_cst` have one order for all threads.

    Constraints:
    - (atomic_c1) The elements are integers of 32 or 64 bits or floats; for
      `and`, `or`, `xor`, `inc` and `dec` integers.
    - (atomic_c2) `indices` has one entry for each dimension of `array`.
    - (atomic_c3) `array` is not read-only.

    Example:
    ```mlir
    %old = pyk.atomic add %x, %a[%i] : !pyk.array<?xf32, c>
    %n = pyk.atomic add order acq_rel scope block %one, %done[]
        : !pyk.array<i32, c>
    ```
  }];
  let arguments = (ins Pyk_AtomicKindAttr:$kind, UnitAttr:$is_unsigned,
                       DefaultValuedAttr<Pyk_OrderAttr,
                                         "::pyk::Order::Relaxed">:$order,
                       DefaultValuedAttr<Pyk_ScopeAttr,
                                         "::pyk::Scope::Device">:$scope,
                       Pyk_AtomicElement:$value,
                       Pyk_ArrayType:$array,
                       Variadic<I64>:$indices);
  let results = (outs Pyk_AtomicElement:$result);
  let assemblyFormat = [{
    $kind (`unsigned` $is_unsigned^)? (`order` $order^)? (`scope` $scope^)?
    $value `,` $array `[` $indices `]` attr-dict `:` qualified(type($array))
  }];
}

def Pyk_AtomicCasOp : Pyk_AccessOp<"atomic_cas", [
    Pyk_HoldsElement<"expected">, Pyk_HoldsElement<"value">,
    Pyk_HoldsElement<"result">]> {
  let summary = "replaces an element in one step if it is what is expected";
  let description = [{
    Stores `value` in the element of `array` at `indices` if that has the bits of
    `expected`, and yields what it held before; else as `pyk.atomic`.

    Constraints:
    - (atomic_cas_c1) The elements are integers of 32 or 64 bits or floats.
    - (atomic_cas_c2) `indices` has one entry for each dimension of `array`.
    - (atomic_cas_c3) `array` is not read-only.

    Example:
    ```mlir
    %old = pyk.atomic_cas %free, %taken, %locks[%i] : !pyk.array<?xi32, c>
    %was = pyk.atomic_cas order acquire %free, %taken, %lock[]
        : !pyk.array<i32, c>
    ```
  }];
  let arguments = (ins DefaultValuedAttr<Pyk_OrderAttr,
                                         "::pyk::Order::Relaxed">:$order,
                       DefaultValuedAttr<Pyk_ScopeAttr,
                                         "::pyk::Scope::Device">:$scope,
                       Pyk_AtomicElement:$expected, Pyk_AtomicElement:$value,
                       Pyk_ArrayType:$array,
                       Variadic<I64>:$indices);
  let results = (outs Pyk_AtomicElement:$result);
  let assemblyFormat = [{
    (`order` $order^)? (`scope` $scope^)? $expected `,` $value `,`
    $array `[` $indices `]` attr-dict `:` qualified(type($array))
  }];
}

#endif // PYK_DIALECT_PYK_IR_PYKATOMICOPS_TD
