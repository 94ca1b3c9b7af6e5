// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects that exist at compile time. Numbers of a fixed type, strings, dtypes,
// tuples and arrays of numbers use builtin attributes; the rest is here.

#ifndef PYK_DIALECT_PY_IR_PYATTRIBUTES_TD
#define PYK_DIALECT_PY_IR_PYATTRIBUTES_TD

include "pyk/Dialect/Py/IR/PyEnums.td"
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

def Py_RecordsAttr : Py_Attr<"Records", "records"> {
  let summary = "array of records known at compile time";
  let description = [{
    The `bytes` of an array of `type`, in one dimension more than the array has.

    Example:
    ```mlir
    #py.records<dense<7> : tensor<2x4xi8>,
                <"x" : si32 at 0, size 4>>
    ```
  }];
  let parameters = (ins "::mlir::DenseElementsAttr":$bytes,
                        "::pyk::RecordType":$type);
  let assemblyFormat = "`<` $bytes `,` $type `>`";
  let genVerifyDecl = 1;
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
