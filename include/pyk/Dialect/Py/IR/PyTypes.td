// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types of the py dialect.

#ifndef PYK_DIALECT_PY_IR_PYTYPES_TD
#define PYK_DIALECT_PY_IR_PYTYPES_TD

include "pyk/Dialect/Py/IR/PyEnums.td"
include "pyk/Dialect/Py/IR/PyInterfaces.td"
include "pyk/Dialect/Pyk/IR/PykInterfaces.td"
include "mlir/IR/AttrTypeBase.td"

/// A type of values; `methods` are those of the interface that it has besides
/// what all have.
class Py_ValueType<string name, string short, list<string> methods = [],
                   list<Trait> traits = []>
    : TypeDef<Py_Dialect, name, traits # [
        DeclareTypeInterfaceMethods<Py_PythonTypeInterface, methods>]> {
  let mnemonic = short;
}

/// One of values that arrays have as their elements.
class Py_ElementType<string name, string short, list<string> methods = []>
    : Py_ValueType<name, short, methods,
                   [DeclareTypeInterfaceMethods<Pyk_StoredTypeInterface>]>;

def Py_ObjectType : TypeDef<Py_Dialect, "Object"> {
  let mnemonic = "object";
  let summary = "value whose type is not yet inferred";
  let description = [{
    Every value has this type until `py-infer-types` has run; afterwards only
    values in code that never runs.

    Example:
    ```mlir
    !py.object
    ```
  }];
}

def Py_StaticType : Py_ValueType<
    "Static", "static", ["getYielded", "getClasses", "unifyWith", "canBeOptional"]> {
  let summary = "value that exists at compile time only";
  let description = [{
    The type of a function, dtype, module, string or bytes; `value` is the thing itself,
    so such values need no run-time representation.

    Example:
    ```mlir
    !py.static<#py.intrinsic<"math.sqrt">>
    ```
  }];
  let parameters = (ins "::mlir::Attribute":$value);
  let assemblyFormat = "`<` $value `>`";
}

def Py_NamedTupleType : Py_ValueType<
    "NamedTuple", "named_tuple", ["getInner", "unifyWith"]> {
  let summary = "tuple whose items have names";
  let description = [{
    The type of an instance of a namedtuple: `name` is that of its class, with the
    module, and `fields` are the names of `items`.

    Constraints:
    - (named_tuple_c1) `fields` has a name for each item.

    Example:
    ```mlir
    !py.named_tuple<"geometry.Point", ["x", "y"], tuple<si64, f64>>
    ```
  }];
  let parameters = (ins StringRefParameter<>:$name, "::mlir::ArrayAttr":$fields,
                        "::mlir::TupleType":$items);
  let assemblyFormat = "`<` $name `,` $fields `,` $items `>`";
  let extraClassDeclaration = [{
    /// The position of the item called `name`, if there is one.
    std::optional<unsigned> find(::llvm::StringRef name) const;
  }];
  let genVerifyDecl = 1;
}

def Py_EnumType : Py_ValueType<
    "Enum", "enum", ["getInner", "unifyWith", "canBeOptional"]> {
  let summary = "member of an enumeration";
  let description = [{
    The type of a member of the class `name`, given with its module, whose value
    has type `value`. `integer` says that it can be used as its value, as members
    of an `IntEnum` and a `StrEnum` can.

    Example:
    ```mlir
    !py.enum<"paint.Color", si64, integer = true>
    ```
  }];
  let parameters = (ins StringRefParameter<>:$name, "::mlir::Type":$value,
                        DefaultValuedParameter<"bool", "false">:$integer);
  let assemblyFormat = "`<` $name `,` $value (`,` `integer` `=` $integer^)? `>`";
}

def Py_OptionalType : Py_ValueType<
    "Optional", "optional", ["getInner", "unifyWith"]> {
  let summary = "value that may be None";
  let description = [{
    The type of what is None on one path and a value of type `value` on another.

    Example:
    ```mlir
    !py.optional<f64>
    ```
  }];
  let parameters = (ins "::mlir::Type":$value);
  let assemblyFormat = "`<` $value `>`";
}

def Py_TimeType : Py_ElementType<"Time", "time", ["canBeOptional"]> {
  let summary = "NumPy's datetime64 or timedelta64";
  let description = [{
    A number of units: those since the start of 1970 (`datetime`), or those that
    something lasts (`timedelta`). `generic` is a unit that nothing says. The
    least int64 is NaT, which is no time. Memory holds a `si64`.

    Example:
    ```mlir
    !py.time<timedelta, ms>
    ```
  }];
  let parameters = (ins EnumParameter<Py_TimeKindEnum>:$kind,
                        EnumParameter<Py_TimeUnitEnum>:$unit);
  let assemblyFormat = "`<` $kind `,` $unit `>`";
}

def Py_CharsType : Py_ElementType<
    "Chars", "chars", ["getClasses", "unifyWith", "canBeOptional"]> {
  let summary = "text that is known only when the kernel runs";
  let description = [{
    Up to `length` bytes or characters of a `str`; shorter text has zeros behind
    it, which are no part of it. This is what NumPy's `S` and `U` have as their
    elements, and what a string is that differs by path. Memory holds a record of
    `length` bytes, or of as many `ui32`.

    Constraints:
    - (chars_c1) `length` is 1 or more, and 256 or less: each code is a value of
      its own, and longer text takes seconds to compile.

    Example:
    ```mlir
    !py.chars<str, 3>
    ```
  }];
  let parameters = (ins EnumParameter<Py_CharsKindEnum>:$kind,
                        "unsigned":$length);
  let assemblyFormat = "`<` $kind `,` $length `>`";
  let extraClassDeclaration = [{
    /// The type of one byte or character: `ui8` or `ui32`.
    ::mlir::IntegerType getCodeType() const;
  }];
  let genVerifyDecl = 1;
}

def Py_Float8Type : Py_ElementType<"Float8", "float8", ["canBeOptional"]> {
  let summary = "float of 8 bits";
  let description = [{
    A number that converts to others and is made of them, and has no operators.
    Memory holds a `ui8`.

    Example:
    ```mlir
    !py.float8<e4m3>
    ```
  }];
  let parameters = (ins "::pyk::Float8Format":$format);
  let assemblyFormat = "`<` $format `>`";
}

def Py_ShortVectorType : Py_ElementType<
    "ShortVector", "vector", ["getClasses", "canBeOptional"]> {
  let summary = "CUDA's vector of a few numbers";
  let description = [{
    As many numbers of type `base` as `length` says, called `x`, `y`, `z` and `w`.
    Memory holds a record of them whose address is a multiple of its size, up to
    16 bytes; of three numbers, and of one, a multiple of that of a number.

    Constraints:
    - (vector_c1) `base` is a signed or unsigned integer of 8 to 64 bits, f32 or
      f64.
    - (vector_c2) `length` is 1 to 4.

    Example:
    ```mlir
    !py.vector<f32, 4>
    ```
  }];
  let parameters = (ins "::mlir::Type":$base, "unsigned":$length);
  let assemblyFormat = "`<` $base `,` $length `>`";
  let genVerifyDecl = 1;
}

def Py_RangeType : Py_ValueType<
    "Range", "range", ["getClasses", "getYielded", "unifyWith"]> {
  let summary = "Python's range with elements of an integer type";
  let description = [{
    What `range` yields: start, stop and step of `elementType`.

    Example:
    ```mlir
    !py.range<si64>
    ```
  }];
  let parameters = (ins "::mlir::IntegerType":$elementType);
  let assemblyFormat = "`<` $elementType `>`";
}

def Py_SliceType : Py_ValueType<"Slice", "slice", ["getClasses"]> {
  let summary = "Python's slice with bounds and step of three types";
  let description = [{
    What `lower:upper:step` yields: of each a number of the type that is given, or
    nothing where it is `none`.

    Example:
    ```mlir
    !py.slice<si64, none, none>
    ```
  }];
  let parameters = (ins "::mlir::Type":$lower, "::mlir::Type":$upper,
                        "::mlir::Type":$step);
  let assemblyFormat = "`<` $lower `,` $upper `,` $step `>`";
}

def Py_MethodType : Py_ValueType<"Method", "method", ["getClasses"]> {
  let summary = "method of an array or a number, with that";
  let description = [{
    The type of `a.reshape`, a function that is called with what is left of its
    arguments; `object` is the type of `a`.

    Example:
    ```mlir
    !py.method<!pyk.array<?xf32, c>, "reshape">
    ```
  }];
  let parameters = (ins "::mlir::Type":$object, StringRefParameter<>:$name);
  let assemblyFormat = "`<` $object `,` $name `>`";
}

def Py_ClosureType : Py_ValueType<"Closure", "closure", ["unifyWith"]> {
  let summary = "nested function with what it needs of the one around it";
  let description = [{
    The type of a nested function that has defaults or captures variables;
    `defaults` are the types of those that its last parameters have. Python reads a
    captured variable when the function is called: within the function that
    defines it a closure only has the names of `variables`, and `captures` is
    left out. A call or a return that takes the closure elsewhere adds what the
    variables hold then, of the types `captures`.

    Example:
    ```mlir
    !py.closure<@inner, tuple<si64>, ["x"], tuple<f64>>
    ```
  }];
  let parameters = (ins "::mlir::FlatSymbolRefAttr":$function,
                        "::mlir::TupleType":$defaults,
                        "::mlir::ArrayAttr":$variables,
                        OptionalParameter<"::mlir::TupleType">:$captures);
  let assemblyFormat = "`<` $function `,` $defaults `,` $variables (`,` $captures^)? `>`";
}

def Py_ConfiguredKernelType : Py_ValueType<
    "ConfiguredKernel", "configured_kernel"> {
  let summary = "kernel with the shape of a launch";
  let description = [{
    The type of `kernel[grid, block]` in a kernel. Its value is the shape of the
    launch: three extents of the grid, three of a block, the stream, and the
    bytes of dynamic shared memory.

    Example:
    ```mlir
    !py.configured_kernel<@child>
    ```
  }];
  let parameters = (ins "::mlir::FlatSymbolRefAttr":$kernel);
  let assemblyFormat = "`<` $kernel `>`";
  let extraClassDeclaration = [{
    /// The numbers that the shape of a launch consists of.
    static constexpr unsigned kShapeParts = 8;
  }];
}

def Py_ZipType : Py_ValueType<"Zip", "zip", ["getYielded"]> {
  let summary = "Python's zip of what a loop can run over";
  let description = [{
    What `zip` yields: as many tuples as the shortest of `sources` has elements.

    Example:
    ```mlir
    !py.zip<!pyk.array<?xf32, c>, !py.range<si64>>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"::mlir::Type">:$sources);
  let assemblyFormat = "`<` $sources `>`";
}

def Py_EnumerateType : Py_ValueType<"Enumerate", "enumerate", ["getYielded"]> {
  let summary = "Python's enumerate of what a loop can run over";
  let description = [{
    What `enumerate` yields: the elements of `source`, each with its number.

    Example:
    ```mlir
    !py.enumerate<!pyk.array<?xf32, c>>
    ```
  }];
  let parameters = (ins "::mlir::Type":$source);
  let assemblyFormat = "`<` $source `>`";
}

def Py_IteratorType : Py_ValueType<"Iterator", "iterator", ["getYielded"]> {
  let summary = "elements of which some have been taken";
  let description = [{
    What `iter` yields, and `zip` and `enumerate` if they are kept: the elements of
    `source` from the next one on. Its position is in memory of the thread, which
    all copies of the value share.

    Example:
    ```mlir
    !py.iterator<!pyk.array<?xf32, c>>
    ```
  }];
  let parameters = (ins "::mlir::Type":$source);
  let assemblyFormat = "`<` $source `>`";
}

def Py_NdIndexType : Py_ValueType<"NdIndex", "ndindex", ["getYielded"]> {
  let summary = "NumPy's ndindex: every index of a shape";
  let description = [{
    What `numpy.ndindex` yields: tuples of `rank` numbers, the last of which
    changes first. A shape of rank 0 has one index, which is empty.

    Example:
    ```mlir
    !py.ndindex<2>
    ```
  }];
  let parameters = (ins "unsigned":$rank);
  let assemblyFormat = "`<` $rank `>`";
}

def Py_NdIterType : Py_ValueType<"NdIter", "nditer", ["getYielded"]> {
  let summary = "NumPy's nditer of arrays of one shape";
  let description = [{
    What `numpy.nditer` yields: for each element an array without dimensions that
    is it, or a tuple of them if there are several `arrays`. Extents of 1 are
    stretched. The order is that of indices, the last of which changes first;
    the first does if more of `arrays` have layout F than C.

    Example:
    ```mlir
    !py.nditer<!pyk.array<?x?xf32, c>, !pyk.array<?xf32, any>>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"::mlir::Type">:$arrays);
  let assemblyFormat = "`<` $arrays `>`";
}

def Py_FlatType : Py_ValueType<"Flat", "flat", ["getYielded"]> {
  let summary = "elements of an array that are not one after another";
  let description = [{
    What `array.flat` is where it cannot be an array of one dimension: the elements
    of `array` in the order of their indices, to run over or to index by number.

    Example:
    ```mlir
    !py.flat<!pyk.array<?x?xf32, f>>
    ```
  }];
  let parameters = (ins "::mlir::Type":$array);
  let assemblyFormat = "`<` $array `>`";
}

#endif // PYK_DIALECT_PY_IR_PYTYPES_TD
