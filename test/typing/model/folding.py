# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What CPython folds: operators and subscripts on constants.

It does so before anyone else sees the text, and so does the model; an integer
that would be too large stays an operation.
"""

import ast

from .operators import OPERATORS

FOLDED_BITS = 128


def fold_operator(op, left, right):
    """One operator on constants, unless CPython finds the result too large."""
    if isinstance(left, int) and isinstance(right, int):
        sizes = left.bit_length(), right.bit_length()
        size = {
            ast.Pow: sizes[0] * max(right, 0),
            ast.LShift: sizes[0] + max(right, 0),
            ast.Mult: sum(sizes),
        }
        if size.get(op, 0) > FOLDED_BITS:
            raise OverflowError
    return OPERATORS[op](left, right)


def fold(node):
    """CPython folds operators on constants before anyone else sees them.

    A node keeps what becomes of it: types are kept under that.
    """
    if not hasattr(node, "folded"):
        node.folded = folded(node)
    return node.folded


def folded(node):
    """What becomes of a node."""
    if isinstance(node, ast.Constant):
        return node
    if isinstance(node, ast.Tuple) and isinstance(node.ctx, ast.Load):
        items = [fold(item) for item in node.elts]
        if all(isinstance(item, ast.Constant) for item in items):
            return ast.copy_location(
                ast.Constant(tuple(i.value for i in items)), node
            )
        return node
    try:
        if isinstance(node, ast.UnaryOp) and isinstance(
            fold(node.operand), ast.Constant
        ):
            value = OPERATORS[type(node.op)](fold(node.operand).value)
        elif isinstance(node, ast.BinOp):
            left, right = fold(node.left), fold(node.right)
            if not isinstance(left, ast.Constant) or not isinstance(
                right, ast.Constant
            ):
                return node
            value = fold_operator(type(node.op), left.value, right.value)
        elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
            left, right = fold(node.value), fold(node.slice)
            if not isinstance(left, ast.Constant) or not isinstance(
                right, ast.Constant
            ):
                return node
            value = left.value[right.value]
        else:
            return node
    except Exception:
        return node
    return ast.copy_location(ast.Constant(value), node)
