// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dialect itself; its description is what a newcomer reads first.

#ifndef PYK_DIALECT_PY_IR_PYDIALECT_TD
#define PYK_DIALECT_PY_IR_PYDIALECT_TD

include "mlir/IR/OpBase.td"

def Py_Dialect : Dialect {
  let name = "py";
  let cppNamespace = "::pyk::py";
  let summary = "Python functions as their authors wrote them";
  let description = [{
    Python operations on values without types, variables as named slots, and
    structured control flow. Names of the enclosing scopes are constants already.
    The pass `py-infer-types` replaces `!py.object` by the type that Numba
    would infer: `i1` for bool, `si8` to `si64` and `ui8` to `ui64`, `f16` to
    `f64`, `bf16`, `none`, `tuple<...>`, `!pyk.array<...>`, and `!py.static<...>` for
    what exists at compile time only. Conversion to pyk then drops the dialect.

    Regions have no terminator: control falls off the end of a block unless its
    last op is `py.break`, `py.continue` or `py.return`. Regions that compute a
    value end in `py.yield`.

    ```mlir
    py.func @scale(["a", "factor"]) {
      %grid = py.constant(#py.intrinsic<"cuda.grid">) : !py.object
      %one = py.constant(#py.int<1 : si64>) : !py.object
      %i = py.call %grid(%one) : (!py.object, !py.object) -> !py.object
      py.set "i", %i : !py.object
    }
    ```

    The files: `PyDialect.td` (this one); `PyEnums.td` the operators;
    `PyAttributes.td` the compile-time objects; `PyTypes.td` the types;
    `PyOps.td` the ops, by families: `PyFuncOps.td`, `PyExpressionOps.td` and
    `PyControlOps.td`.
  }];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  // Complex constants are attributes of the complex dialect.
  let dependentDialects = ["::mlir::complex::ComplexDialect",
                           "::pyk::PykDialect"];
  let extraClassDeclaration = [{
    void registerTypes();
    void registerAttributes();
  }];
}

#endif // PYK_DIALECT_PY_IR_PYDIALECT_TD
