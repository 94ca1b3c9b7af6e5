// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the families of ops share; functions, and the variables in them.

#ifndef PYK_DIALECT_PY_IR_PYFUNCOPS_TD
#define PYK_DIALECT_PY_IR_PYFUNCOPS_TD

include "pyk/Dialect/Py/IR/PyAttributes.td"
include "pyk/Dialect/Py/IR/PyTypes.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/IR/RegionKindInterface.td"

/// A `py.func` is around the op.
def Py_InFunction : NativeOpTrait<"InFunction"> {
  let cppNamespace = "::pyk::py";
}

class Py_Op<string mnemonic, list<Trait> traits = []>
    : Op<Py_Dialect, mnemonic, !listconcat([Py_InFunction], traits)>;

/// An expression; its summary is its description's first sentence.
class Py_ExpressionOp<string mnemonic, string what, string example,
                      list<Trait> traits = []>
    : Py_Op<mnemonic, traits> {
  let summary = what;
  let description = "Yields the value of the " # what # ".\n\nExample:\n```mlir\n" #
                    example # "\n```";
  let results = (outs AnyType:$result);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

def Py_FuncOp : Op<Py_Dialect, "func", [
    IsolatedFromAbove, Symbol, SingleBlock, NoTerminator, NoRegionArguments]> {
  let summary = "Python function";
  let description = [{
    A function as written. `parameters` names the slots that hold its arguments
    on entry; `defaults` has a constant for each, or a unit where there is none.
    `arguments` holds the types it is specialized on: on a `kernel`, which the
    host launches, and on what code of other languages calls (`pyk.export`) from
    the start, on others once `py-infer-types` has cloned them for a call. A module
    has any number of kernels. `result` is the type it returns,
    once inferred or if the program declares it. `library` marks a function of
    PyK's own library: if it cannot take its arguments, its caller is told, and not
    where in the library. The last `captures` parameters of a nested function are
    variables of the function around it, which no caller names. `variadic` says
    that the last of the others takes a tuple of all arguments that are left.
    `narrow` has its operators typed in 32 bits where Numba would take 64.
    With `fastmath`, divisions, powers and functions of `f32` may be approximate, and
    a true division of two `f32` by zero is no error where errors are reported;
    that says nothing of the functions it calls.

    Constraints:
    - (func_c1) `arguments`, if present, has a type for each parameter.
    - (func_c2) These are types that values have after inference; integers have
      a sign, but for bool.
    - (func_c3) `defaults`, if present, has a constant or a unit for each
      parameter.
    - (func_c4) There are at least `captures` parameters, which is no negative
      number, and one more if it is `variadic`.
    - (func_c5) A `kernel` has `arguments` and no attribute `pyk.export`; what
      has that one has `arguments`.
    - (func_c6) What has the attribute `pyk.foreign`, as code of another language,
      has a `result` and as many parameters as the attribute has pointees.
    - (func_c7) Only modules are around it, and none is in it.

    Example:
    ```mlir
    py.func @increment(["x", "by"]) defaults [unit, #py.int<1 : si64>] {
      %x = py.get "x" : !py.object
      %by = py.get "by" : !py.object
      %sum = py.binary add %x, %by : (!py.object, !py.object) -> !py.object
      py.return %sum : !py.object
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, StrArrayAttr:$parameters,
                       OptionalAttr<ArrayAttr>:$defaults,
                       OptionalAttr<TypeArrayAttr>:$arguments,
                       OptionalAttr<TypeAttr>:$result,
                       DefaultValuedAttr<I64Attr, "0">:$captures,
                       UnitAttr:$variadic, UnitAttr:$kernel,
                       UnitAttr:$device,
                       UnitAttr:$library, UnitAttr:$narrow,
                       UnitAttr:$fastmath);
  let extraClassDeclaration = [{
    /// How many parameters a caller can name: all but captures and the one that
    /// takes what is left.
    int64_t getNamedCount() {
      return static_cast<int64_t>(getParameters().size() - getCaptures()) -
             getVariadic();
    }
    /// Names of the captured variables.
    ::mlir::ArrayAttr getCaptured() {
      return ::mlir::ArrayAttr::get(
          getContext(), getParameters().getValue().take_back(getCaptures()));
    }
    /// True if it is called from outside of the module: launched, or called by
    /// code of other languages.
    bool isEntry();
  }];
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $sym_name `(` $parameters `)` (`defaults` $defaults^)?
    (`captures` $captures^)? (`variadic` $variadic^)? (`kernel` $kernel^)?
    (`arguments` $arguments^)? (`returns` $result^)? (`device` $device^)?
    (`library` $library^)? (`narrow` $narrow^)? (`fastmath` $fastmath^)?
    attr-dict-with-keyword $body
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def Py_ReturnOp : Py_Op<"return"> {
  let summary = "leaves the function with a value";
  let description = [{
    Ends the call, from within any statement. A function that ends without it
    returns None.

    Example:
    ```mlir
    py.return %value : !py.object
    ```
  }];
  let arguments = (ins AnyType:$value);
  let assemblyFormat = "$value attr-dict `:` type($value)";
}

def Py_RaiseOp : Py_Op<"raise"> {
  let summary = "leaves the kernel with an exception";
  let description = [{
    Ends the thread. `error` is the name of the exception's class; class and
    arguments themselves are in a list that the maker of the buffer keeps, at
    `exception`.

    Example:
    ```mlir
    py.raise "ValueError" exception 0
    ```
  }];
  let arguments = (ins StrAttr:$error, I64Attr:$exception);
  let assemblyFormat = "$error `exception` $exception attr-dict";
}

//===----------------------------------------------------------------------===//
// Values and variables
//===----------------------------------------------------------------------===//

def Py_ConstantOp : Py_ExpressionOp<"constant", "constant",
    "%two = py.constant(#py.int<2 : si64>) : !py.object"> {
  let arguments = (ins AnyAttr:$value, OptionalAttr<StrAttr>:$name);
  let assemblyFormat = "`(` $value `)` (`named` $name^)? attr-dict `:` type($result)";
}

def Py_GetOp : Py_ExpressionOp<"get", "local variable",
    "%x = py.get \"x\" : !py.object"> {
  let arguments = (ins StrAttr:$name);
  let assemblyFormat = "$name attr-dict `:` type($result)";
}

def Py_SetOp : Py_Op<"set"> {
  let summary = "assignment to a local variable";
  let description = [{
    Puts `value` into the slot `name`. `type` is what the variable holds from
    here on, once inferred: the value may have to be converted.

    Example:
    ```mlir
    py.set "x", %value : !py.object
    ```
  }];
  let arguments = (ins StrAttr:$name, AnyType:$value,
                       OptionalAttr<TypeAttr>:$type);
  let assemblyFormat = "$name `,` $value attr-dict `:` type($value) (`as` $type^)?";
}

def Py_UnsupportedOp : Py_Op<"unsupported"> {
  let summary = "construct that kernels cannot have";
  let description = [{
    An error if control can reach it; `what` names the construct for the message,
    `remedy` says what to write instead.

    Example:
    ```mlir
    py.unsupported "a 'try' statement" -> !py.object
    ```
  }];
  let arguments = (ins StrAttr:$what, OptionalAttr<StrAttr>:$remedy);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$what (`remedy` $remedy^)? attr-dict `->` type($result)";
}

#endif // PYK_DIALECT_PY_IR_PYFUNCOPS_TD
