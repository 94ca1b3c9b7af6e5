// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes on the py dialect.

#ifndef PYK_DIALECT_PY_TRANSFORMS_PASSES_TD
#define PYK_DIALECT_PY_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def InferTypesPass : Pass<"py-infer-types", "::mlir::ModuleOp"> {
  let summary = "infers the types that Numba would infer";
  let description = [{
    An abstract interpreter: starting from each kernel and exported function and
    its argument types it walks the structured code in source order with an environment from variables
    to the assignments that reach, one for each way out of a statement, until a
    walk changes nothing. Types accumulate by unification. Branches on constants
    are decided before, as Numba prunes them, and dead arms are not typed. Each
    called function is cloned once for each tuple of argument types and literals.
    A loop over `literal_unroll(...)`, or over a tuple whose items differ in type,
    is replaced by one copy of its body for each item.
    Types are written into the ops in place; a conflict between two assignments
    is an error only where the variable is read afterwards.

    Requires: a `py.func` that is a kernel or exported. Guarantees: every value
    that can be computed at run time has a type, every call of a Python
    function has a `target`, and functions that no kernel and no exported
    function reaches are gone.

    Example:
    ```mlir
    py.func @scale(["a", "n"]) kernel arguments [f32, si16] {
      %a = py.get "a" : !py.object
      %n = py.get "n" : !py.object
      %y = py.binary mul %a, %n : (!py.object, !py.object) -> !py.object
      py.set "y", %y : !py.object
    }
    ```
    becomes
    ```mlir
    py.func @scale(["a", "n"]) kernel arguments [f32, si16] returns none {
      %a = py.get "a" : f32
      %n = py.get "n" : si16
      %y = py.binary mul %a, %n : (f32, si16) -> f32
      py.set "y", %y : f32 as f32
    }
    ```

    More examples: `test/Dialect/Py/Transforms/infer-types.mlir`
  }];
  let options = [Option<
      "allowResult", "allow-result", "bool", /*default=*/"false",
      "Let kernels return values, of which only the types are of interest">];
  let dependentDialects = ["::pyk::py::PyDialect", "::pyk::PykDialect"];
}

#endif // PYK_DIALECT_PY_TRANSFORMS_PASSES_TD
