// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic that upstream dialects leave undefined for some operands, or do
// not have. Each op has one result for every operand.

#ifndef PYK_DIALECT_PYK_IR_PYKNUMERICOPS_TD
#define PYK_DIALECT_PYK_IR_PYKNUMERICOPS_TD

include "pyk/Dialect/Pyk/IR/PykOpBase.td"

/// What arithmetic is done on: bools are converted first.
def Pyk_Integer : AnyTypeOf<[I8, I16, I32, I64], "integer of 8 to 64 bits">;

/// Two operands and a result of one type; `unsigned` says how integers are read.
class Pyk_BinaryOp<string mnemonic, Type type, list<Trait> traits = []>
    : Pyk_Op<mnemonic, !listconcat([Pure, SameOperandsAndResultType,
                                    Pyk_GoneBy<"gpu">], traits)> {
  let arguments = (ins type:$lhs, type:$rhs, UnitAttr:$is_unsigned);
  let results = (outs type:$result);
  let assemblyFormat =
    "(`unsigned` $is_unsigned^)? $lhs `,` $rhs attr-dict `:` type($result)";
}

def Pyk_FloorDivOp : Pyk_BinaryOp<"floor_div", AnyTypeOf<[Pyk_Integer, AnyFloat]>> {
  let summary = "quotient rounded towards minus infinity";
  let description = [{
    Python's `//`. Integers: 0 if `rhs` is 0; the smallest number divided by -1
    wraps to itself. Floats: infinite or NaN for a zero `rhs` as the quotient
    would be; otherwise the floor of the exact quotient as CPython computes it.

    Example:
    ```mlir
    %q = pyk.floor_div %a, %b : i64
    ```
  }];
  let hasFolder = 1;
}

def Pyk_FloorModOp : Pyk_BinaryOp<"floor_mod", AnyTypeOf<[Pyk_Integer, AnyFloat]>> {
  let summary = "remainder with the sign of the divisor";
  let description = [{
    Python's `%`. Integers: 0 if `rhs` is 0. Floats: NaN if `rhs` is 0, and a
    zero result has the sign of `rhs`.

    Example:
    ```mlir
    %r = pyk.floor_mod unsigned %a, %b : i64
    ```
  }];
  let hasFolder = 1;
}

def Pyk_ShiftLeftOp : Pyk_BinaryOp<"shift_left", Pyk_Integer> {
  let summary = "shift towards the more significant bits";
  let description = [{
    Python's `<<` in the width of the operands. `rhs` is read as unsigned; a
    shift by the width or more yields 0.

    Example:
    ```mlir
    %s = pyk.shift_left %a, %b : i64
    ```
  }];
  let hasFolder = 1;
}

def Pyk_ShiftRightOp : Pyk_BinaryOp<"shift_right", Pyk_Integer> {
  let summary = "shift towards the less significant bits";
  let description = [{
    Python's `>>`. `rhs` is read as unsigned; a shift by the width or more yields
    0, or -1 for a negative `lhs` that is not `unsigned`.

    Example:
    ```mlir
    %s = pyk.shift_right unsigned %a, %b : i64
    ```
  }];
  let hasFolder = 1;
}

def Pyk_PowerOp : Pyk_BinaryOp<"power", Pyk_Integer> {
  let summary = "power of integers";
  let description = [{
    Python's `**` on integers, exact modulo the width. A negative `rhs` (where
    not `unsigned`) yields 1 for a `lhs` of 1, 1 or -1 for a `lhs` of -1, and
    otherwise 0.

    Example:
    ```mlir
    %p = pyk.power %a, %b : i64
    ```
  }];
  let hasFolder = 1;
}

def Pyk_FloatToIntOp : Pyk_Op<"float_to_int", !listconcat([Pure],
                                                    ElementwiseMappable.traits)> {
  let summary = "float truncated to an integer";
  let description = [{
    Rounds `operand` towards zero. What does not fit becomes the nearest number
    that does, and NaN becomes 0. Of vectors it converts each element.

    Example:
    ```mlir
    %i = pyk.float_to_int unsigned %x : f32 to i64
    ```
  }];
  let arguments = (ins AnyTypeOf<[AnyFloat, VectorOfAnyRankOf<[AnyFloat]>]>:$operand,
                       UnitAttr:$is_unsigned);
  let results = (outs AnyTypeOf<[Pyk_Integer, VectorOfAnyRankOf<[Pyk_Integer]>]>:$result);
  let assemblyFormat = [{
    (`unsigned` $is_unsigned^)? $operand attr-dict `:` type($operand) `to` type($result)
  }];
}

def Pyk_LibdeviceNumber : AnyTypeOf<[I16, I32, I64, F32, F64]>;
def Pyk_LibdeviceType : AnyTypeOf<[
    Pyk_LibdeviceNumber, VectorOfAnyRankOf<[Pyk_LibdeviceNumber]>]>;

def Pyk_LibdeviceOp : Pyk_Op<"libdevice", [Pure]> {
  let summary = "function of NVIDIA's library of math functions";
  let description = [{
    Calls `function` of libdevice with `operands`, and yields what it returns,
    then what it writes through pointers. The types say which of the functions
    that NVIDIA has for it is meant: `hypot` of f32 is `__nv_hypotf`. On the CPU
    it is the function of the host that means the same. For what the `math`
    dialect has no op for. Of vectors it computes each element.

    Constraints:
    - (libdevice_c1) `function` is a row of Libdevice.td.
    - (libdevice_c2) Operands and results have the types of an overload of it.
    - (libdevice_c3) All are vectors of one shape, or none is a vector.

    Example:
    ```mlir
    %h = pyk.libdevice "hypot"(%x, %y) : (f32, f32) -> f32
    %s, %c = pyk.libdevice "sincos"(%x) : (f32) -> (f32, f32)
    ```
  }];
  let arguments = (ins StrAttr:$function,
                       Variadic<Pyk_LibdeviceType>:$operands);
  let results = (outs Variadic<Pyk_LibdeviceType>:$results);
  let assemblyFormat = [{
    $function `(` $operands `)` attr-dict `:`
    functional-type($operands, $results)
  }];
  let hasVerifier = 1;
}

def Pyk_ExtendFloat8Op : Pyk_Op<"extend_float8", [Pure, Pyk_GoneBy<"gpu">]> {
  let summary = "float of 8 bits as an f32";
  let description = [{
    The number that the bits of `operand` stand for in `format`, exactly: `e5m2`
    has infinities as IEEE's floats, of `e4m3` only the bits 127 and 255 are no
    number, and `e8m0` is a power of two, the number of which is 127 more than
    the exponent; 255 is no number.

    Example:
    ```mlir
    %x = pyk.extend_float8 e4m3 %bits : f32
    ```
  }];
  let arguments = (ins Pyk_Float8FormatAttr:$format, I8:$operand);
  let results = (outs F32:$result);
  let assemblyFormat = "$format $operand attr-dict `:` type($result)";
}

def Pyk_RoundToFloat8Op
    : Pyk_Op<"round_to_float8", [Pure, Pyk_GoneBy<"gpu">]> {
  let summary = "float rounded to 8 bits";
  let description = [{
    The bits of the number of `format` next to `operand`, rounded once, as
    `rounding` says. What is larger than all numbers becomes the largest
    (`saturate`), or infinity, where `format` has it, or else no number
    (`exceed`). An `e8m0` has no sign and no zero: it is made of the magnitude,
    and at least 2 ** -127.

    Constraints:
    - (round_to_float8_c1) `rounding` is `up` or `toward_zero` for `e8m0`, else
      `nearest`.

    Example:
    ```mlir
    %bits = pyk.round_to_float8 e4m3 saturate nearest %x : f32
    ```
  }];
  let arguments = (ins Pyk_Float8FormatAttr:$format,
                       Pyk_Float8OverflowAttr:$overflow,
                       Pyk_Float8RoundingAttr:$rounding,
                       AnyTypeOf<[F32, F64]>:$operand);
  let results = (outs I8:$result);
  let assemblyFormat = [{
    $format $overflow $rounding $operand attr-dict `:` type($operand)
  }];
  let hasVerifier = 1;
}

def Pyk_Dot4Op : Pyk_Op<"dot4", [Pure, SameOperandsAndResultType]> {
  let summary = "products of four bytes, added up";
  let description = [{
    Multiplies the four bytes of `lhs` with those of `rhs`, in order, and adds the
    products to `addend`, modulo the width. All are `unsigned` or all have signs.

    Example:
    ```mlir
    %sum = pyk.dot4 %a, %b, %c : i32
    ```
  }];
  let arguments = (ins I32:$lhs, I32:$rhs, I32:$addend, UnitAttr:$is_unsigned);
  let results = (outs I32:$result);
  let assemblyFormat = [{
    (`unsigned` $is_unsigned^)? $lhs `,` $rhs `,` $addend attr-dict `:` type($result)
  }];
}

def Pyk_WrapIndexOp : Pyk_Op<"wrap_index", [
    Pure, SameOperandsAndResultType, Pyk_GoneBy<"gpu">]> {
  let summary = "index counted from the end where it is negative";
  let description = [{
    Yields `index + extent` if `index` is negative, else `index`. It checks no
    bound.

    Example:
    ```mlir
    %j = pyk.wrap_index %i of %n : i64
    ```
  }];
  let arguments = (ins Pyk_Integer:$index, Pyk_Integer:$extent);
  let results = (outs Pyk_Integer:$result);
  let assemblyFormat = "$index `of` $extent attr-dict `:` type($result)";
  let hasFolder = 1;
}

#endif // PYK_DIALECT_PYK_IR_PYKNUMERICOPS_TD
