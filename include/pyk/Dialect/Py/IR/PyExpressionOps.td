// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expressions, and the statements that take values apart.

#ifndef PYK_DIALECT_PY_IR_PYEXPRESSIONOPS_TD
#define PYK_DIALECT_PY_IR_PYEXPRESSIONOPS_TD

include "pyk/Dialect/Py/IR/PyFuncOps.td"

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
  // `target` is the function that searches `rhs` for `lhs`, if one is needed.
  let arguments = (ins Py_CompareOperatorAttr:$kind, AnyType:$lhs, AnyType:$rhs,
                       OptionalAttr<FlatSymbolRefAttr>:$target);
  let assemblyFormat = [{
    `` $kind $lhs `,` $rhs (`target` $target^)? attr-dict `:`
    functional-type(operands, results)
  }];
}

def Py_LogicalOp : Py_ExpressionOp<"logical",
    "short-circuit operator, whose region computes the second operand",
    "%c = py.logical and %a : (!py.object) -> !py.object {\n"
    "  py.yield %b : !py.object\n}", [NoRegionArguments]> {
  // `taken` says whether the second operand runs where that is known at
  // compile time; `slots` maps each variable that it assigns to its type after
  // the op.
  let arguments = (ins Py_LogicalOperatorAttr:$kind, AnyType:$lhs,
                       OptionalAttr<BoolAttr>:$taken,
                       OptionalAttr<DictionaryAttr>:$slots);
  let regions = (region SizedRegion<1>:$rhs);
  let assemblyFormat = [{
    `` $kind $lhs (`taken` $taken^)? (`slots` $slots^)? attr-dict `:`
    functional-type(operands, results) $rhs
  }];
}

def Py_ConditionalOp : Py_ExpressionOp<"conditional", "conditional expression",
    "%v = py.conditional %c : (!py.object) -> !py.object {\n"
    "  py.yield %a : !py.object\n} else {\n  py.yield %b : !py.object\n}",
    [NoRegionArguments]> {
  // `taken` and `slots` are as those of py.if.
  let arguments = (ins AnyType:$condition, OptionalAttr<BoolAttr>:$taken,
                       OptionalAttr<DictionaryAttr>:$slots);
  let regions = (region SizedRegion<1>:$thenRegion, SizedRegion<1>:$elseRegion);
  let assemblyFormat = [{
    $condition (`taken` $taken^)? (`slots` $slots^)? attr-dict `:`
    functional-type(operands, results)
    custom<Regions>($thenRegion, "\"else\"", $elseRegion)
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
  // `starred` has the positions of inputs whose items are given one by one,
  // until inference knows how many they are; `target` is the function that is
  // called, `selection` the dimensions that a method is given, `signature` what
  // an intrinsic converts its arguments to and what it yields then, `alignment`
  // what the address of the array that is made is a multiple of, in bytes.
  let arguments = (ins AnyType:$callee, Variadic<AnyType>:$inputs,
                       OptionalAttr<StrArrayAttr>:$keywords,
                       OptionalAttr<DenseI64ArrayAttr>:$starred,
                       OptionalAttr<FlatSymbolRefAttr>:$target,
                       OptionalAttr<DenseI64ArrayAttr>:$selection,
                       OptionalAttr<TypeAttrOf<FunctionType>>:$signature,
                       OptionalAttr<I64Attr>:$alignment);
  let assemblyFormat = [{
    $callee `(` $inputs `)` (`keywords` $keywords^)? (`starred` $starred^)?
    (`target` $target^)? (`selection` $selection^)?
    (`signature` $signature^)? (`alignment` $alignment^)? attr-dict `:`
    functional-type(operands, results)
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
  // `position` is the item of a tuple or the field of a record that is known
  // while compiling, `selection` the items that a slice takes.
  let arguments = (ins AnyType:$object, AnyType:$index,
                       OptionalAttr<I64Attr>:$position,
                       OptionalAttr<DenseI64ArrayAttr>:$selection);
  let assemblyFormat = [{
    $object `[` $index `]` (`position` $position^)?
    (`selection` $selection^)? attr-dict `:`
    functional-type(operands, results)
  }];
}

def Py_SetSubscriptOp : Py_Op<"set_subscript"> {
  let summary = "assignment to an element or part of a value";
  let description = [{
    Stores `value` in `object` where `index` says, as `object[index] = value`.
    `position` is the field of a record that `index` names, once inferred.

    Example:
    ```mlir
    py.set_subscript %value, %a[%i] : !py.object, !py.object, !py.object
    ```
  }];
  let arguments = (ins AnyType:$value, AnyType:$object, AnyType:$index,
                       OptionalAttr<I64Attr>:$position);
  let assemblyFormat = [{
    $value `,` $object `[` $index `]` (`position` $position^)? attr-dict `:`
    type(operands)
  }];
}

def Py_SetAttributeOp : Py_Op<"set_attribute"> {
  let summary = "assignment to an attribute of a value";
  let description = [{
    Stores `value` in the attribute `name` of `object`, as `object.name = value`:
    a field of a record, or of all records of an array.

    Example:
    ```mlir
    py.set_attribute %value, %point "x" : !py.object, !py.object
    ```
  }];
  let arguments = (ins AnyType:$value, AnyType:$object, StrAttr:$name);
  let assemblyFormat = "$value `,` $object $name attr-dict `:` type(operands)";
}

def Py_SliceOp : Py_ExpressionOp<"slice", "slice",
    "%s = py.slice %low, %high, %step\n"
    "    : (!py.object, !py.object, !py.object) -> !py.object"> {
  let arguments = (ins AnyType:$lower, AnyType:$upper, AnyType:$step);
  let assemblyFormat = [{
    $lower `,` $upper `,` $step attr-dict `:` functional-type(operands, results)
  }];
}

def Py_TupleOp : Py_ExpressionOp<"tuple", "tuple of values",
    "%t = py.tuple(%a, %b) : (!py.object, !py.object) -> !py.object"> {
  // `starred` has the positions of items that are tuples whose items stand there,
  // until inference knows how many they are.
  let arguments = (ins Variadic<AnyType>:$items,
                       OptionalAttr<DenseI64ArrayAttr>:$starred);
  let assemblyFormat = [{
    `(` $items `)` (`starred` $starred^)? attr-dict `:`
    functional-type(operands, results)
  }];
}

def Py_UnwrapOp : Py_Op<"unwrap"> {
  let summary = "value for which another one stands";
  let description = [{
    Yields the value of an optional or of a member of an integer enumeration, and
    a tuple with its items unwrapped. None ends the thread with a TypeError. Type
    inference inserts it where an operation takes such values, but not what may
    stand for them.

    Example:
    ```mlir
    %n = py.unwrap %x : (!py.object) -> !py.object
    ```
  }];
  let arguments = (ins AnyType:$value);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$value attr-dict `:` functional-type(operands, results)";
}

def Py_ClosureOp : Py_ExpressionOp<"closure", "nested function",
    "%f = py.closure @f(%k) : (!py.object) -> !py.object"> {
  // The operands are the defaults of as many of the function's last parameters.
  let arguments = (ins FlatSymbolRefAttr:$function,
                       Variadic<AnyType>:$defaults);
  let assemblyFormat = [{
    $function `(` $defaults `)` attr-dict `:` functional-type(operands, results)
  }];
}

def Py_UnpackOp : Py_Op<"unpack"> {
  let summary = "items of a tuple, as many as an assignment has targets";
  let description = [{
    Yields the items of `value`, as `x, y = value` needs them; another number of
    items than of results is an error of type inference. The result at `starred`
    is a tuple of all that the others leave; inference, which knows how many
    they are, replaces it.

    Constraints:
    - (unpack_c1) `starred` is the position of a result.

    Example:
    ```mlir
    %x, %y = py.unpack %t : (!py.object) -> (!py.object, !py.object)
    ```
  }];
  let arguments = (ins AnyType:$value, OptionalAttr<I64Attr>:$starred);
  let results = (outs Variadic<AnyType>:$items);
  let assemblyFormat = [{
    $value (`starred` $starred^)? attr-dict `:`
    functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

#endif // PYK_DIALECT_PY_IR_PYEXPRESSIONOPS_TD
