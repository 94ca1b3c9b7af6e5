// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a thread tells the host.

#ifndef PYK_DIALECT_PYK_IR_PYKHOSTOPS_TD
#define PYK_DIALECT_PYK_IR_PYKHOSTOPS_TD

include "mlir/Dialect/LLVMIR/LLVMTypes.td"
include "pyk/Dialect/Pyk/IR/PykOpBase.td"

def Pyk_PrintOp : Pyk_Op<"print", [MemoryEffects<[MemWrite]>]> {
  let summary = "writes text to the host's standard output";
  let description = [{
    Writes `format` with `values` in place of its directives, one for each:

    | directive | value | is written as |
    | --- | --- | --- |
    | `%lld` | `i64` | a signed number |
    | `%llu` | `i64` | an unsigned number |
    | `%f` | `f64` | a number with six decimals |
    | `%+f` | `f64` | the same, with a sign in any case |
    | `%s` | `i1` | `True` or `False` |
    | `%%` | none | `%` |

    The text of one op is written as a whole. When it appears, and in what order
    that of several threads does, is the target's business; the host sees all of
    it once the launch has ended.

    Constraints:
    - (print_c1) `format` has the directives above and no others, and there is a
      value of the type that each wants.
    - (print_c2) `format` has no null character.

    Example:
    ```mlir
    pyk.print "row %lld: %f\0A"(%i, %x) : i64, f64
    ```
  }];
  let arguments = (ins StrAttr:$format, Variadic<AnyType>:$values);
  let assemblyFormat =
    "$format (`(` $values^ `)`)? attr-dict (`:` type($values)^)?";
  let hasVerifier = 1;
}

def Pyk_CheckOp : Pyk_Op<"check", [
    MemoryEffects<[MemRead, MemWrite, MemWrite<Pyk_ControlExit>]>,
    Pyk_Lanes<"Control">]> {
  let summary = "ends the thread unless a condition holds";
  let description = [{
    Goes on if `condition` is true. Otherwise the thread leaves the kernel, whatever
    functions it is in; other threads go on, and barriers do not wait for it. Of
    the threads of a launch that fail with a `failure`, one records it, with
    `values` and its own place, for the host to raise.

    Constraints:
    - (check_c1) There are 2 values at most, and none without a `failure`.

    Example:
    ```mlir
    pyk.check %inside else #pyk.failure<"IndexError", "index {0} of {1}",
        "scale" at "a.py" : 12> (%i, %n)
    ```
  }];
  let arguments = (ins I1:$condition, OptionalAttr<Pyk_FailureAttr>:$failure,
                       Variadic<I64>:$values);
  let assemblyFormat = [{
    $condition (`else` qualified($failure)^)? (`(` $values^ `)`)? attr-dict
  }];
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def Pyk_OutsideOp : Pyk_Op<"outside", [MemoryEffects<[MemWrite]>]> {
  let summary = "tells the host of an access outside of an array's memory";
  let description = [{
    Tells the host, by `text`, that the thread whose linear index in its block is
    `thread` would have left the memory of an array at `indices`, which `{0}` to
    `{2}` stand for. The host warns of each `line` of a `file` once a process. Only
    the CPU has it; a pass of the CPU target makes it.

    Constraints:
    - (outside_c1) There are 3 indices at most.
    - (outside_c2) `text` and `file` have no null character and no end of a line.

    Example:
    ```mlir
    pyk.outside "reads x at {0}" at "a.py" : 12 thread %t (%i)
    ```
  }];
  let arguments = (ins StrAttr:$text, StrAttr:$file, I32Attr:$line, I32:$thread,
                       Variadic<I64>:$indices);
  let assemblyFormat = [{
    $text `at` $file `:` $line `thread` $thread (`(` $indices^ `)`)? attr-dict
  }];
  let hasVerifier = 1;
}

def Pyk_OutsideLanesOp : Pyk_Op<"outside_lanes", [
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "reports an access of several threads outside of an array's memory";
  let description = [{
    Does what `pyk.outside` does, for each lane of `vectors` vectors of `lanes`
    lanes. `values` points to numbers of 64 bits, in this order:

    - if it is `masked`, a mask for each vector, whose bits are lanes: only lanes
      in it are reported;
    - the linear index of the thread in its block, in the first of `forms`;
    - the indices, in the other `forms`.

    | form | numbers in memory |
    | --- | --- |
    | 1 | one: all lanes have the same |
    | 2 | one, that of the first lane: each next lane has one more |
    | 3 | one for each lane |

    One call for all threads: a loop over lanes behind each access would be
    most of the code of a kernel that has many accesses.

    Constraints:
    - (outside_lanes_c1) There is a form for the thread and for 3 indices at most,
      each of 1 to 3.
    - (outside_lanes_c2) There are 1 to 64 lanes and 1 to 1024 vectors.
    - (outside_lanes_c3) `text` and `file` have no null character and no end of a
      line.

    Example:
    ```mlir
    pyk.outside_lanes "reads x at {0}" at "a.py" : 12 in 2 x 16 lanes masked
      forms [2, 3] of %values : !llvm.ptr
    ```
  }];
  let arguments = (ins StrAttr:$text, StrAttr:$file, I32Attr:$line,
                       I64Attr:$vectors, I64Attr:$lanes, UnitAttr:$masked,
                       DenseI32ArrayAttr:$forms, LLVM_AnyPointer:$values);
  let assemblyFormat = [{
    $text `at` $file `:` $line `in` $vectors `x` $lanes `lanes`
    (`masked` $masked^)? `forms` $forms `of` $values attr-dict `:` type($values)
  }];
  let hasVerifier = 1;
}

def Pyk_BreakpointOp : Pyk_Op<"breakpoint", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "stops the thread for a debugger";
  let description = [{
    Without a debugger, the launch ends with an error.

    Example:
    ```mlir
    pyk.breakpoint
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def Pyk_DebugValueOp : Pyk_Op<"debug_value", [
    MemoryEffects<[MemWrite<Pyk_Debugger>]>]> {
  let summary = "tells debuggers what a variable holds from here on";
  let description = [{
    The variable `name` of the program has the type `type`, whose integers have a
    sign as the program's have, and holds `value`. `argument` is its position among
    the parameters of the function, from 1. Made for `debug-info=full` only.

    Constraints:
    - (debug_value_c1) `type` is that of a number or of an array of numbers, and
      so is `value`, whose integers have no sign.

    Example:
    ```mlir
    pyk.debug_value "count", ui32 = %n argument 2 : i32
    ```
  }];
  let arguments = (ins StrAttr:$name, TypeAttr:$type, AnyType:$value,
                       OptionalAttr<I64Attr>:$argument);
  let assemblyFormat = [{
    $name `,` $type `=` $value (`argument` $argument^)? attr-dict
    `:` type($value)
  }];
  let hasVerifier = 1;
}

#endif // PYK_DIALECT_PYK_IR_PYKHOSTOPS_TD
