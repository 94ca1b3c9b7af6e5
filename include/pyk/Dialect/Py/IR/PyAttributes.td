// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects that exist at compile time. Numbers of a fixed type, strings, dtypes,
// tuples and arrays of numbers use builtin attributes; the rest is here.

#ifndef PYK_DIALECT_PY_IR_PYATTRIBUTES_TD
#define PYK_DIALECT_PY_IR_PYATTRIBUTES_TD

include "pyk/Dialect/Py/IR/PyTypes.td"
include "mlir/IR/AttrTypeBase.td"

class Py_Attr<string name, string mnemonic_> : AttrDef<Py_Dialect, name> {
  let mnemonic = mnemonic_;
}

/// An attribute that is one piece of text.
class Py_NamedAttr<string name, string mnemonic, string what, string example>
    : Py_Attr<name, mnemonic> {
  let summary = what;
  let description = "The " # what # ".\n\nExample:\n```mlir\n" # example #
                    "\n```";
  let parameters = (ins StringRefParameter<>:$name);
  let assemblyFormat = "`<` $name `>`";
}

def Py_IntAttr : Py_Attr<"Int", "int"> {
  let summary = "Python integer";
  let description = [{
    An integer literal, or an `int` that a name stood for: a value of type
    int64 (uint64 from 2^63 on) that is also known where a constant is required.

    Example:
    ```mlir
    #py.int<42 : si64>
    ```
  }];
  let parameters = (ins "::mlir::IntegerAttr":$value);
  let assemblyFormat = "`<` $value `>`";
}

def Py_StoredArrayAttr : Py_Attr<"StoredArray", "stored_array"> {
  let summary = "array known at compile time, as memory holds it";
  let description = [{
    The `bytes` of an array of `type`, in one dimension more than the array has:
    of records, and of what is not a number of MLIR.

    Constraints:
    - (stored_array_c1) `bytes` has as many `i8` for each element as memory holds.

    Example:
    ```mlir
    #py.stored_array<dense<7> : tensor<2x4xi8>,
                     !pyk.record<"x" : si32 at 0, size 4>>
    ```
  }];
  let parameters = (ins "::mlir::DenseElementsAttr":$bytes,
                        "::mlir::Type":$type);
  let assemblyFormat = "`<` $bytes `,` $type `>`";
  let extraClassDeclaration = [{
    /// The type of the array.
    ::pyk::ArrayType getArrayType() const;
  }];
  let genVerifyDecl = 1;
}

def Py_DeviceArrayAttr : Py_Attr<"DeviceArray", "device_array"> {
  let summary = "array in device memory that a name stands for";
  let description = [{
    The array of `type` at `address`, with `strides` in bytes: its memory, whatever
    is in it when the kernel runs.

    Constraints:
    - (device_array_c1) `type` is in global memory and has a static shape.
    - (device_array_c2) There is a stride for each dimension if the layout is `any`,
      else none.

    Example:
    ```mlir
    #py.device_array<4096, <3x4xf32, any>, strides [32, 8]>
    ```
  }];
  let parameters = (ins "uint64_t":$address, "::pyk::ArrayType":$type,
                        OptionalArrayRefParameter<"int64_t">:$strides);
  let assemblyFormat =
    "`<` $address `,` $type (`,` `strides` ` ` `[` $strides^ `]`)? `>`";
  let genVerifyDecl = 1;
}

def Py_StoredAttr : Py_Attr<"Stored", "stored"> {
  let summary = "value known at compile time, as memory holds it";
  let description = [{
    The `value` that memory holds for one of `type`, which is not a number of MLIR
    and is stored as one: a time, or a float of 8 bits.

    Constraints:
    - (stored_c1) Values of `type` are stored as one of the type of `value`.

    Example:
    ```mlir
    #py.stored<7 : si64, !py.time<timedelta, D>>
    ```
  }];
  let parameters = (ins "::mlir::IntegerAttr":$value, "::mlir::Type":$type);
  let assemblyFormat = "`<` $value `,` $type `>`";
  let genVerifyDecl = 1;
}

def Py_NamedTupleAttr : Py_Attr<"NamedTuple", "named_tuple"> {
  let summary = "namedtuple known at compile time";
  let description = [{
    The `items` of an instance of the class `name`; `fields` are their names.

    Example:
    ```mlir
    #py.named_tuple<"geometry.Point", ["x", "y"], [true, #py.none]>
    ```
  }];
  let parameters = (ins StringRefParameter<>:$name, "::mlir::ArrayAttr":$fields,
                        "::mlir::ArrayAttr":$items);
  let assemblyFormat = "`<` $name `,` $fields `,` $items `>`";
}

def Py_NamedTupleClassAttr : Py_Attr<"NamedTupleClass", "named_tuple_class"> {
  let summary = "class that collections.namedtuple makes";
  let description = [{
    The class `name`, whose call makes a tuple of items with the names `fields`;
    `defaults` has a constant for each, or a unit where there is none.

    Example:
    ```mlir
    #py.named_tuple_class<"geometry.Point", ["x", "y"], [unit, #py.none]>
    ```
  }];
  let parameters = (ins StringRefParameter<>:$name, "::mlir::ArrayAttr":$fields,
                        "::mlir::ArrayAttr":$defaults);
  let assemblyFormat = "`<` $name `,` $fields `,` $defaults `>`";
}

def Py_EnumMemberAttr : Py_Attr<"EnumMember", "enum_member"> {
  let summary = "member of an enumeration";
  let description = [{
    The member of the class `name` whose value is `value`; with `integer`, it can
    be used as that.

    Example:
    ```mlir
    #py.enum_member<"paint.Color", #py.int<2 : si64>, integer = true>
    ```
  }];
  let parameters = (ins StringRefParameter<>:$name, "::mlir::Attribute":$value,
                        DefaultValuedParameter<"bool", "false">:$integer);
  let assemblyFormat = "`<` $name `,` $value (`,` `integer` `=` $integer^)? `>`";
}

def Py_NoneAttr : Py_Attr<"None", "none"> {
  let summary = "Python's None";
  let description = "The one value of type `none`.\n\nExample:\n```mlir\n#py.none\n```";
}

def Py_EllipsisAttr : Py_Attr<"Ellipsis", "ellipsis"> {
  let summary = "Python's Ellipsis";
  let description = [{
    The `...` of an index: as many whole dimensions as the index leaves unnamed.

    Example:
    ```mlir
    #py.ellipsis
    ```
  }];
}

def Py_BytesAttr : Py_NamedAttr<"Bytes", "bytes", "Python bytes",
    "#py.bytes<\"a\\00b\">">;
def Py_IntrinsicAttr : Py_NamedAttr<"Intrinsic", "intrinsic",
    "function or value that the compiler knows, by its canonical Python name",
    "#py.intrinsic<\"math.sqrt\">">;
def Py_ModuleAttr : Py_NamedAttr<"Module", "module", "Python module",
    "#py.module<\"numpy\">">;
def Py_UnresolvedAttr : Py_NamedAttr<"Unresolved", "unresolved",
    "name that nothing defines", "#py.unresolved<\"foo\">">;
def Py_ObjectAttr : Py_NamedAttr<"Object", "object",
    "object that has no meaning in a kernel, by the name of its type",
    "#py.object<\"dict\">">;

#endif // PYK_DIALECT_PY_IR_PYATTRIBUTES_TD
