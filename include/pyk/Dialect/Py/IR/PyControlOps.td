// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statements that hold others, and those that leave loops.

#ifndef PYK_DIALECT_PY_IR_PYCONTROLOPS_TD
#define PYK_DIALECT_PY_IR_PYCONTROLOPS_TD

include "pyk/Dialect/Py/IR/PyFuncOps.td"

/// A statement that holds others. `slots` gives the type of each variable
/// that it assigns, where control meets again: on leaving an `if`, on each iteration
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
    type($condition) custom<Regions>($thenRegion, "\"else\"", $elseRegion)
  }];
}

def Py_WhileOp : Py_Op<"while", [NoTerminator, SingleBlock, NoRegionArguments]> {
  let summary = "while statement";
  let description = [{
    `condition` yields whether `body` runs once more; `taken` says so where that
    is known at compile time. `slots` maps each variable that the loop assigns
    to its type at the start of each iteration, `after` to that after the statement.
    `orelse` runs when the condition has ended the loop, not after a
    `py.break`; `elseSlots` gives the types at its start.

    Constraints:
    - (while_c1) `condition` ends in `py.yield`; `body` does not.

    Example:
    ```mlir
    py.while {
      py.yield %c : !py.object
    } do {
      py.break
    } else {
      py.set "x", %a : !py.object
    }
    ```
  }];
  let arguments = (ins OptionalAttr<BoolAttr>:$taken,
                       OptionalAttr<DictionaryAttr>:$slots,
                       OptionalAttr<DictionaryAttr>:$elseSlots,
                       OptionalAttr<DictionaryAttr>:$after);
  let regions = (region SizedRegion<1>:$condition, SizedRegion<1>:$body,
                        MaxSizedRegion<1>:$orelse);
  let assemblyFormat = [{
    (`taken` $taken^)? (`slots` $slots^)? (`elseSlots` $elseSlots^)?
    (`after` $after^)? attr-dict-with-keyword
    custom<Regions>($condition, "\"do\"", $body, "\"else\"", $orelse)
  }];
  let hasRegionVerifier = 1;
}

def Py_ForOp : Py_Op<"for", [NoTerminator, SingleBlock]> {
  let summary = "for statement";
  let description = [{
    Runs `body` for each element of `iterable`, which is its argument. `slots`
    maps each variable that the loop assigns to its type at the start of each
    iteration, `after` to that after the statement. `orelse` runs after the last
    element, not after a `py.break`; `elseSlots` gives the types at its start.

    With `item`, the loop is what inference has made of one item of another loop:
    it runs over a tuple of that item alone, and nothing comes around to its start.
    `item` is the item's position.

    Constraints:
    - (for_c1) `body` has one argument, `orelse` none.
    - (for_c2) With `item`, a type that `iterable` has is that of a tuple of one item.

    Example:
    ```mlir
    py.for in %range : !py.object {
    ^body(%element: !py.object):
      py.set "i", %element : !py.object
    }
    ```
  }];
  let arguments = (ins AnyType:$iterable, OptionalAttr<I64Attr>:$item,
                       OptionalAttr<DictionaryAttr>:$slots,
                       OptionalAttr<DictionaryAttr>:$elseSlots,
                       OptionalAttr<DictionaryAttr>:$after);
  let regions = (region SizedRegion<1>:$body, MaxSizedRegion<1>:$orelse);
  let assemblyFormat = [{
    `in` $iterable (`item` $item^)? (`slots` $slots^)?
    (`elseSlots` $elseSlots^)? (`after` $after^)? attr-dict `:`
    type($iterable) custom<Regions>($body, "\"else\"", $orelse)
  }];
  let hasRegionVerifier = 1;
}

def Py_BreakOp : Py_Op<"break"> {
  let summary = "leaves the innermost loop";
  let description = [{
    Ends the innermost `py.for` or `py.while` around it.

    Constraints:
    - (break_c1) Only `py.if` and the `orelse` of loops may stand between it and the
      body of its loop.

    Example:
    ```mlir
    py.break
    ```
  }];
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}

def Py_ContinueOp : Py_Op<"continue"> {
  let summary = "goes on with the next iteration of the innermost loop";
  let description = [{
    Ends the iteration of the innermost `py.for` or `py.while` around it.

    Constraints:
    - (continue_c1) Only `py.if` and the `orelse` of loops may stand between it and the
      body of its loop.

    Example:
    ```mlir
    py.continue
    ```
  }];
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}

#endif // PYK_DIALECT_PY_IR_PYCONTROLOPS_TD
