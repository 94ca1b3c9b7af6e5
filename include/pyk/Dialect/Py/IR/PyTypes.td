// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types of the py dialect.

#ifndef PYK_DIALECT_PY_IR_PYTYPES_TD
#define PYK_DIALECT_PY_IR_PYTYPES_TD

include "pyk/Dialect/Py/IR/PyDialect.td"
include "mlir/IR/AttrTypeBase.td"

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

def Py_StaticType : TypeDef<Py_Dialect, "Static"> {
  let mnemonic = "static";
  let summary = "value that exists at compile time only";
  let description = [{
    The type of a function, dtype, module or string; `value` is the thing itself,
    so such values need no run-time representation.

    Example:
    ```mlir
    !py.static<#py.intrinsic<"math.sqrt">>
    ```
  }];
  let parameters = (ins "::mlir::Attribute":$value);
  let assemblyFormat = "`<` $value `>`";
}

def Py_RangeType : TypeDef<Py_Dialect, "Range"> {
  let mnemonic = "range";
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

#endif // PYK_DIALECT_PY_IR_PYTYPES_TD
