// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops of the py dialect: one for each construct of the language.

#ifndef PYK_DIALECT_PY_IR_PYOPS_TD
#define PYK_DIALECT_PY_IR_PYOPS_TD

include "pyk/Dialect/Py/IR/PyAttributes.td"
include "pyk/Dialect/Py/IR/PyTypes.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/IR/RegionKindInterface.td"

class Py_Op<string mnemonic, list<Trait> traits = []>
    : Op<Py_Dialect, mnemonic, traits>;

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

def Py_FuncOp : Py_Op<"func", [
    IsolatedFromAbove, Symbol, SingleBlock, NoTerminator, NoRegionArguments]> {
  let summary = "Python function";
  let description = [{
    A function as written. `parameters` names the slots that hold its arguments
    on entry; `defaults` has a constant for each, or a unit where there is none.
    `arguments` holds the types it is specialized on: on the kernel from the
    start (which is what makes it the kernel), on others once
    `py-infer-types` has cloned them for a call. `result` is the type it returns,
    once inferred.

    Constraints:
    - (func_c1) `arguments`, if present, has a type for each parameter.
    - (func_c2) These are types that values have after inference; integers have
      a sign, but for bool.
    - (func_c3) `defaults`, if present, has a constant or a unit for each
      parameter.

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
                       OptionalAttr<TypeAttr>:$result, UnitAttr:$device);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $sym_name `(` $parameters `)` (`defaults` $defaults^)?
    (`arguments` $arguments^)? (`returns` $result^)? (`device` $device^)?
    attr-dict-with-keyword $body
  }];
  let hasVerifier = 1;
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
    An error if control can reach it; `what` names the construct for the message.

    Example:
    ```mlir
    py.unsupported "a 'try' statement" -> !py.object
    ```
  }];
  let arguments = (ins StrAttr:$what);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$what attr-dict `->` type($result)";
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

def Py_BinaryOp : Py_ExpressionOp<"binary", "operator applied to two values",
    "%s = py.binary add %a, %b : (!py.object, !py.object) -> !py.object"> {
  // `inplace` marks `x += y`, which is no condition that prunes branches.
  let arguments = (ins Py_BinaryOperatorAttr:$kind, AnyType:$lhs, AnyType:$rhs,
                       UnitAttr:$inplace);
  let assemblyFormat = [{
    `` $kind (`inplace` $inplace^)? $lhs `,` $rhs attr-dict `:`
    functional-type(operands, results)
  }];
}

def Py_UnaryOp : Py_ExpressionOp<"unary", "operator applied to one value",
    "%n = py.unary minus %a : (!py.object) -> !py.object"> {
  let arguments = (ins Py_UnaryOperatorAttr:$kind, AnyType:$operand);
  let assemblyFormat =
    "`` $kind $operand attr-dict `:` functional-type(operands, results)";
}

def Py_CompareOp : Py_ExpressionOp<"compare", "comparison of two values",
    "%c = py.compare lt %a, %b : (!py.object, !py.object) -> !py.object"> {
  let arguments = (ins Py_CompareOperatorAttr:$kind, AnyType:$lhs, AnyType:$rhs);
  let assemblyFormat =
    "`` $kind $lhs `,` $rhs attr-dict `:` functional-type(operands, results)";
}

def Py_LogicalOp : Py_ExpressionOp<"logical",
    "short-circuit operator, whose region computes the second operand",
    "%c = py.logical and %a : (!py.object) -> !py.object {\n"
    "  py.yield %b : !py.object\n}", [NoRegionArguments]> {
  // `taken` says whether the second operand runs where that is known at
  // compile time.
  let arguments = (ins Py_LogicalOperatorAttr:$kind, AnyType:$lhs,
                       OptionalAttr<BoolAttr>:$taken);
  let regions = (region SizedRegion<1>:$rhs);
  let assemblyFormat = [{
    `` $kind $lhs (`taken` $taken^)? attr-dict `:`
    functional-type(operands, results) $rhs
  }];
}

def Py_ConditionalOp : Py_ExpressionOp<"conditional", "conditional expression",
    "%v = py.conditional %c : (!py.object) -> !py.object {\n"
    "  py.yield %a : !py.object\n} else {\n  py.yield %b : !py.object\n}",
    [NoRegionArguments]> {
  let arguments = (ins AnyType:$condition, OptionalAttr<BoolAttr>:$taken);
  let regions = (region SizedRegion<1>:$thenRegion, SizedRegion<1>:$elseRegion);
  let assemblyFormat = [{
    $condition (`taken` $taken^)? attr-dict `:` functional-type(operands, results) $thenRegion
    `else` $elseRegion
  }];
}

def Py_YieldOp : Py_Op<"yield", [
    Terminator, ParentOneOf<["LogicalOp", "ConditionalOp", "WhileOp"]>]> {
  let summary = "ends a region that computes a value";
  let description = [{
    Gives `value` to the op around the region.

    Example:
    ```mlir
    py.yield %value : !py.object
    ```
  }];
  let arguments = (ins AnyType:$value);
  let assemblyFormat = "$value attr-dict `:` type($value)";
}

def Py_CallOp : Py_ExpressionOp<"call", "call",
    "%r = py.call %f(%a, %b) keywords [\"by\"]\n"
    "    : (!py.object, !py.object, !py.object) -> !py.object"> {
  let arguments = (ins AnyType:$callee, Variadic<AnyType>:$inputs,
                       OptionalAttr<StrArrayAttr>:$keywords,
                       OptionalAttr<FlatSymbolRefAttr>:$target);
  let assemblyFormat = [{
    $callee `(` $inputs `)` (`keywords` $keywords^)? (`target` $target^)?
    attr-dict `:` functional-type(operands, results)
  }];
}

def Py_AttributeOp : Py_ExpressionOp<"attribute", "attribute of a value",
    "%s = py.attribute %a \"shape\" : (!py.object) -> !py.object"> {
  let arguments = (ins AnyType:$object, StrAttr:$name);
  let assemblyFormat =
    "$object $name attr-dict `:` functional-type(operands, results)";
}

def Py_SubscriptOp : Py_ExpressionOp<"subscript", "element or part of a value",
    "%x = py.subscript %a[%i] : (!py.object, !py.object) -> !py.object"> {
  let arguments = (ins AnyType:$object, AnyType:$index,
                       OptionalAttr<I64Attr>:$position);
  let assemblyFormat = [{
    $object `[` $index `]` (`position` $position^)? attr-dict `:`
    functional-type(operands, results)
  }];
}

def Py_SetSubscriptOp : Py_Op<"set_subscript"> {
  let summary = "assignment to an element or part of a value";
  let description = [{
    Stores `value` in `object` where `index` says, as `object[index] = value`.

    Example:
    ```mlir
    py.set_subscript %value, %a[%i] : !py.object, !py.object, !py.object
    ```
  }];
  let arguments = (ins AnyType:$value, AnyType:$object, AnyType:$index);
  let assemblyFormat =
    "$value `,` $object `[` $index `]` attr-dict `:` type(operands)";
}

def Py_SliceOp : Py_ExpressionOp<"slice", "slice",
    "%s = py.slice %low, %high, %step\n"
    "    : (!py.object, !py.object, !py.object) -> !py.object"> {
  let arguments = (ins AnyType:$lower, AnyType:$upper, AnyType:$step);
  let assemblyFormat =
   "$lower `,` $upper `,` $step attr-dict `:` functional-type(operands, results)";
}

def Py_TupleOp : Py_ExpressionOp<"tuple", "tuple of values",
    "%t = py.tuple(%a, %b) : (!py.object, !py.object) -> !py.object"> {
  let arguments = (ins Variadic<AnyType>:$items);
  let assemblyFormat =
    "`(` $items `)` attr-dict `:` functional-type(operands, results)";
}

def Py_UnpackOp : Py_Op<"unpack"> {
  let summary = "items of a tuple, as many as an assignment has targets";
  let description = [{
    Yields the items of `value`, as `x, y = value` needs them; another number of
    items than of results is an error of type inference.

    Example:
    ```mlir
    %x, %y = py.unpack %t : (!py.object) -> (!py.object, !py.object)
    ```
  }];
  let arguments = (ins AnyType:$value);
  let results = (outs Variadic<AnyType>:$items);
  let assemblyFormat =
    "$value attr-dict `:` functional-type(operands, results)";
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

/// A statement that holds others. `slots` gives the type of each variable
/// that it assigns, where control meets again: on leaving an `if`, on each turn
/// of a loop.
class Py_CompoundOp<string mnemonic>
    : Py_Op<mnemonic, [NoTerminator, SingleBlock, NoRegionArguments]>;

def Py_IfOp : Py_CompoundOp<"if"> {
  let summary = "if statement";
  let description = [{
    `taken` says which arm runs where that is known at compile time; the other
    is dead code. `slots` maps each variable that the statement assigns to its
    type after it.

    Example:
    ```mlir
    py.if %condition : !py.object {
      py.set "x", %a : !py.object
    } else {
      py.set "x", %b : !py.object
    }
    ```
  }];
  let arguments = (ins AnyType:$condition, OptionalAttr<BoolAttr>:$taken,
                       OptionalAttr<DictionaryAttr>:$slots);
  let regions = (region SizedRegion<1>:$thenRegion, SizedRegion<1>:$elseRegion);
  let assemblyFormat = [{
    $condition (`taken` $taken^)? (`slots` $slots^)? attr-dict `:`
    type($condition) $thenRegion `else` $elseRegion
  }];
}

def Py_WhileOp : Py_Op<"while", [NoTerminator, SingleBlock, NoRegionArguments]> {
  let summary = "while statement";
  let description = [{
    `condition` yields whether `body` runs once more; `taken` says so where that
    is known at compile time. `slots` maps each variable that the loop assigns
    to its type at the start of each turn, `after` to that after the loop.

    Example:
    ```mlir
    py.while {
      py.yield %c : !py.object
    } do {
      py.break
    }
    ```
  }];
  let arguments = (ins OptionalAttr<BoolAttr>:$taken,
                       OptionalAttr<DictionaryAttr>:$slots,
                       OptionalAttr<DictionaryAttr>:$after);
  let regions = (region SizedRegion<1>:$condition, SizedRegion<1>:$body);
  let assemblyFormat = [{
    (`taken` $taken^)? (`slots` $slots^)? (`after` $after^)?
    attr-dict-with-keyword $condition `do` $body
  }];
}

def Py_ForOp : Py_Op<"for", [NoTerminator, SingleBlock]> {
  let summary = "for statement";
  let description = [{
    Runs `body` for each element of `iterable`, which is its argument. `slots`
    maps each variable that the loop assigns to its type at the start of each
    turn, `after` to that after the loop.

    Example:
    ```mlir
    py.for in %range : !py.object {
    ^body(%element: !py.object):
      py.set "i", %element : !py.object
    }
    ```
  }];
  let arguments = (ins AnyType:$iterable, OptionalAttr<DictionaryAttr>:$slots,
                       OptionalAttr<DictionaryAttr>:$after);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `in` $iterable (`slots` $slots^)? (`after` $after^)? attr-dict `:`
    type($iterable) $body
  }];
}

def Py_BreakOp : Py_Op<"break"> {
  let summary = "leaves the innermost loop";
  let description = [{
    Ends the innermost `py.for` or `py.while` around it.

    Constraints:
    - (break_c1) Only `py.if` may stand between it and the body of its loop.

    Example:
    ```mlir
    py.break
    ```
  }];
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}

def Py_ContinueOp : Py_Op<"continue"> {
  let summary = "goes on with the next turn of the innermost loop";
  let description = [{
    Ends this turn of the innermost `py.for` or `py.while` around it.

    Constraints:
    - (continue_c1) Only `py.if` may stand between it and the body of its loop.

    Example:
    ```mlir
    py.continue
    ```
  }];
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}

#endif // PYK_DIALECT_PY_IR_PYOPS_TD
