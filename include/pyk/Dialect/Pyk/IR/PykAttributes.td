// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes: the interface between a compiled kernel and whoever launches it,
// and the parts of a record.

#ifndef PYK_DIALECT_PYK_IR_PYKATTRIBUTES_TD
#define PYK_DIALECT_PYK_IR_PYKATTRIBUTES_TD

include "pyk/Dialect/Pyk/IR/PykEnums.td"
include "mlir/IR/AttrTypeBase.td"

class Pyk_Attr<string name, string mnemonic_>
    : AttrDef<Pyk_Dialect, name> {
  let mnemonic = mnemonic_;
}

def Pyk_ParameterAttr : Pyk_Attr<"Parameter", "parameter"> {
  let summary = "what one parameter of a compiled kernel carries";
  let description = [{
    `data` is the address of the first element of the array that was passed as
    Python argument `argument`; `extent` the number of elements in one
    `dimension` of it (i64); `stride` the distance between neighbours in that
    dimension in bytes (i64, signed); `scalar` the argument's value, in
    its own type (a bool in one byte); `failure` the address of the launch's
    record of the first thread that failed (`pyk_rt_failure`), which belongs to no
    argument. Of the memory that an array is part of, `memory_first` is the least
    offset from the array's first element at which there is a whole element, and
    `memory_count` how many such offsets follow each other (i64), counted in steps
    of `dimension` bytes. `argument` and `dimension` are 0 where they have no meaning.

    Example:
    ```mlir
    #pyk.parameter<extent, 0, 1>
    ```
  }];
  let parameters = (ins EnumParameter<Pyk_ParameterKindEnum>:$kind,
                        "unsigned":$argument,
                        DefaultValuedParameter<"unsigned", "0">:$dimension);
  let assemblyFormat = "`<` $kind `,` $argument (`,` $dimension^)? `>`";
}

def Pyk_AbiAttr : Pyk_Attr<"Abi", "abi"> {
  let summary = "parameters of a compiled kernel, in order";
  let description = [{
    Says how the parameters of a lowered kernel follow from the arguments of
    the Python call, so that the runtime needs to know nothing else.

    Example:
    ```mlir
    #pyk.abi<[<data, 0>, <extent, 0, 0>, <scalar, 1>]>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"ParameterAttr">:$parameters);
  // The declarative format cannot read an empty list.
  let hasCustomAssemblyFormat = 1;
}

def Pyk_FieldAttr : Pyk_Attr<"Field", "field"> {
  let summary = "field of a record";
  let description = [{
    The field `name` of a record lies `offset` bytes behind its beginning. It is a
    `type`: a number or a record, or `none` for what kernels cannot use, such as
    text. A field that is an array of them has the extents `shape`.

    Example:
    ```mlir
    #pyk.field<"matrix" : 2x3xf32 at 8>
    ```
  }];
  let parameters = (ins StringRefParameter<>:$name, "int64_t":$offset,
                        ArrayRefParameter<"int64_t">:$shape,
                        "::mlir::Type":$type);
  // The declarative format has no dimensions.
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    /// The syntax of a field without the punctuation of an attribute.
    static FieldAttr parseBare(::mlir::AsmParser &parser);
    void printBare(::mlir::AsmPrinter &printer) const;
  }];
}

def Pyk_FailureAttr : Pyk_Attr<"Failure", "failure"> {
  let summary = "why a thread ends before its time";
  let description = [{
    The exception that the host raises for it: its class `error` and a `message`,
    in which `{0}` and `{1}` stand for the values that the thread has recorded.
    `function`, `file` and `line` are the place in the program. An exception that
    the program itself raises has a number, `exception`, in the list of those of
    the buffer that it came from; else the number is negative.

    Example:
    ```mlir
    #pyk.failure<"IndexError", "index {0} of {1}", "scale" at "a.py" : 12>
    ```
  }];
  let parameters = (ins StringRefParameter<>:$error,
                        StringRefParameter<>:$message,
                        StringRefParameter<>:$function,
                        StringRefParameter<>:$file, "unsigned":$line,
                        DefaultValuedParameter<"int64_t", "-1">:$exception);
  let assemblyFormat = [{
    `<` $error `,` $message `,` $function `at` $file `:` $line
    (`exception` $exception^)? `>`
  }];
}

def Pyk_FactsAttr : Pyk_Attr<"Facts", "facts"> {
  let summary = "what a kernel takes for granted of an argument";
  let description = [{
    Stands on arguments of a kernel in stage pyk, and from there on as a list of all
    arguments on the kernel; `none` for one of which nothing is assumed. Launches see to
    it.

    - `small`, of an integer: it is 0 at least and less than 2**31. Of an array: so
      are its extents, the number of its elements and the bytes from its first to
      its last.
    - `disjoint`, of an array: no memory of it that the kernel writes is reached
      through another argument, and none that the kernel writes through another
      argument is its own.
    - `written`, of an array: the kernel writes to it. It is no assumption, but what
      `disjoint` of others asks for.
    - `narrow`, of an array: its extents and the number of its elements are less
      than 2**31 - 2**16, since a program of narrow typing counts them in 32 bits. No
      kernel does without, so a launch that breaks it is refused.
    - `aligned`, of an array: the address of its first element is a multiple of 16.
    - `unit`, of an array of layout `any`: the stride of its last dimension is the
      size of an element.

    Example:
    ```mlir
    #pyk.facts<small|disjoint>
    ```
  }];
  let parameters = (ins EnumParameter<Pyk_LaunchFactEnum>:$value);
  let assemblyFormat = "`<` $value `>`";
}

def Pyk_SizeTermAttr : Pyk_Attr<"SizeTerm", "size_term"> {
  let summary = "step of the computation of a launch's shared memory";
  let description = [{
    A list of terms stands on a kernel that has shared arrays of sizes which the
    launch knows. They work on a stack of integers of 64 bits, from the first to
    the last:

    - `constant` pushes `value`; `signed` and `unsigned` the integer that was passed
      as `argument`, of `value` bytes; `extent` the elements of the array
      `argument` along `dimension`; `block` the threads of a block along the axis
      `dimension`;
    - `add`, `sub`, `mul`, `floor_div`, `floor_mod`, `min` and `max` replace the two
      topmost numbers by their result, as Python has it;
    - `length` refuses the launch if the topmost number is negative;
    - `place` takes the topmost number: an array of so many bytes begins at the
      next multiple of `value` bytes. `line` of the program makes it; 0 if
      there is none.

    A launch whose numbers leave 64 bits or that divides by 0 is refused.

    Example:
    ```mlir
    #pyk.size_term<kind = signed, argument = 1, value = 8>
    ```
  }];
  let parameters = (ins EnumParameter<Pyk_SizeTermKindEnum>:$kind,
                        DefaultValuedParameter<"unsigned", "0">:$argument,
                        DefaultValuedParameter<"unsigned", "0">:$dimension,
                        DefaultValuedParameter<"int64_t", "0">:$value,
                        DefaultValuedParameter<"unsigned", "0">:$line);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Pyk_BoundTermAttr : Pyk_Attr<"BoundTerm", "bound_term"> {
  let summary = "step of the proof that a launch's accesses stay in memory";
  let description = [{
    A list of terms stands on a kernel whose accesses are not all checked while it
    runs. Each term is a range of integers of 64 bits that a launch computes from
    its arguments and the shapes of its grid and blocks, and is named by its
    position. A range may be empty: what has it never runs.

    - `constant` is `value`; `scalar` the integer of `value` bytes that was passed
      as argument `first`; `extent` and `stride` those of the array `first` along
      dimension `second`; `block_dim` and `grid_dim` those along the axis `first`,
      and `thread` and `block` all indices along it; `any` all integers of `value`
      bits;
    - `add`, `sub`, `mul`, `div` and `rem` (rounded to 0), `floor_rem` (rounded
      down), `min`, `max`, `and`, `or`, `shl` and `shr` are all results for numbers of the terms `first` and
      `second`; `or` holds for exclusive or, too. With a `value` of 1 they are those
      of numbers without a sign, and all integers if one of the terms has negative
      ones;
    - `difference` is `sub` where that is known to be at least `value`;
    - `signed` is the term `first` if that fits `value` bits, else all such
      integers; `unsigned` reads the `value` bits of a number as one without sign;
    - `either` is what one of both terms is; `cut_above` and `cut_below` are what of
      the first is not above the largest, or not below the least of the second,
      moved by `value`; `when` is the first unless the second is empty;
    - `counter` is what a loop counts, from the term `first` to below the term
      `second` in steps of the term `third`; `stable` is the term `first`, which
      holds for what a loop carries at first, if the term `second`, which is what
      one iteration makes of it, lies within; else all integers;
    - `inside` fails the launch unless all numbers of the term `first` are offsets
      of elements in the memory of the array argument `second`, counted in steps of
      `value` bytes; `within` unless they are at least 0 and below `value`.

    Example:
    ```mlir
    #pyk.bound_term<kind = inside, first = 3, second = 1, value = 4>
    ```
  }];
  let parameters = (ins EnumParameter<Pyk_BoundTermKindEnum>:$kind,
                        DefaultValuedParameter<"unsigned", "0">:$first,
                        DefaultValuedParameter<"unsigned", "0">:$second,
                        DefaultValuedParameter<"unsigned", "0">:$third,
                        DefaultValuedParameter<"int64_t", "0">:$value);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Pyk_ExportAttr : Pyk_Attr<"Export", "export"> {
  let summary = "how a device function is called by code of other languages";
  let description = [{
    With the convention `c` a call passes the arguments and gets the result, as C
    does; with `numba` it passes the address of the result before them and gets 0,
    or 1 if the thread has failed. Of an array, which is a pointer,
    the address is passed. The name is that in PTX; without one it
    is made from the function's own.

    Example:
    ```mlir
    #pyk.export<c, "add_f32">
    ```
  }];
  let parameters = (ins EnumParameter<Pyk_ConventionEnum>:$convention,
                        StringRefParameter<"", "\"\"">:$name);
  let assemblyFormat = "`<` $convention (`,` $name^)? `>`";
}

def Pyk_ForeignAttr : Pyk_Attr<"Foreign", "foreign"> {
  let summary = "code of another language that stands for a device function";
  let description = [{
    Code called `name`, with a convention as in `#pyk.export`. Of an argument that
    is an array it gets the address, and `pointees` has the type of the elements;
    of another one it has `none`. `address`, unless 0, is where the CPU has it, in
    the process that compiles; `cooperative` code waits for all of the grid.

    Example:
    ```mlir
    #pyk.foreign<numba, "dot", [f32, f32, none]>
    ```
  }];
  let parameters = (ins EnumParameter<Pyk_ConventionEnum>:$convention,
                        StringRefParameter<>:$name,
                        OptionalArrayRefParameter<"::mlir::Type">:$pointees,
                        DefaultValuedParameter<"int64_t", "0">:$address,
                        DefaultValuedParameter<"bool", "false">:$cooperative);
  let assemblyFormat = [{
    `<` $convention `,` $name `,` `[` (`]`) : ($pointees^ `]`)?
    (`,` `at` `=` $address^)? (`,` `cooperative` `=` $cooperative^)? `>`
  }];
}

#endif // PYK_DIALECT_PYK_IR_PYKATTRIBUTES_TD
