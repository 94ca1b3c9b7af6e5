// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Access to elements that other threads access at the same time.

#ifndef PYK_DIALECT_PYK_IR_PYKATOMICOPS_TD
#define PYK_DIALECT_PYK_IR_PYKATOMICOPS_TD

include "pyk/Dialect/Pyk/IR/PykOpBase.td"

/// What one operation of the machine can replace.
def Pyk_AtomicElement : AnyTypeOf<[I32, I64, F32, F64],
                                  "number of 32 or 64 bits">;

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
    device comes between; accesses to other elements are not ordered by it.

    | kind | stores, of an element `x` |
    | --- | --- |
    | `add` | `x + value`; integers wrap |
    | `and`, `or`, `xor` | the bits |
    | `inc` | 0 if `x >= value`, else `x + 1` |
    | `dec` | `value` if `x == 0` or `x > value`, else `x - 1` |
    | `max`, `min` | `value` if it is greater, or less; so NaN changes nothing and is not replaced |
    | `nanmax`, `nanmin` | the same, but `value` replaces NaN |
    | `exch` | `value` |

    `unsigned` says how integers are compared.

    Constraints:
    - (atomic_c1) The elements are integers or floats of 32 or 64 bits; for
      `and`, `or`, `xor`, `inc` and `dec` integers.
    - (atomic_c2) `indices` has one entry for each dimension of `array`.
    - (atomic_c3) `array` is not read-only.

    Example:
    ```mlir
    %old = pyk.atomic add %x, %a[%i] : !pyk.array<?xf32, c>
    ```
  }];
  let arguments = (ins Pyk_AtomicKindAttr:$kind, UnitAttr:$is_unsigned,
                       Pyk_AtomicElement:$value,
                       Pyk_ArrayType:$array,
                       Variadic<I64>:$indices);
  let results = (outs Pyk_AtomicElement:$result);
  let assemblyFormat = [{
    $kind (`unsigned` $is_unsigned^)? $value `,` $array `[` $indices `]`
    attr-dict `:` qualified(type($array))
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
    - (atomic_cas_c1) The elements are integers or floats of 32 or 64 bits.
    - (atomic_cas_c2) `indices` has one entry for each dimension of `array`.
    - (atomic_cas_c3) `array` is not read-only.

    Example:
    ```mlir
    %old = pyk.atomic_cas %free, %taken, %locks[%i] : !pyk.array<?xi32, c>
    ```
  }];
  let arguments = (ins Pyk_AtomicElement:$expected, Pyk_AtomicElement:$value,
                       Pyk_ArrayType:$array,
                       Variadic<I64>:$indices);
  let results = (outs Pyk_AtomicElement:$result);
  let assemblyFormat = [{
    $expected `,` $value `,` $array `[` $indices `]` attr-dict `:`
    qualified(type($array))
  }];
}

#endif // PYK_DIALECT_PYK_IR_PYKATOMICOPS_TD
