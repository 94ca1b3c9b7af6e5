# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operators on literals, folded as CPython's compiler folds them.

Numba reads bytecode, where `2 ** -1` is 0.5 and `-9223372036854775808` is one
number. The same holds here: an operator whose operands are literals is replaced
by its result before the compiler, whose integers have 64 bits, sees it.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any

# CPython leaves an integer alone that might have more bits than this.
_MAX_BITS = 128

_OPERATORS: dict[type[ast.AST], Callable[..., Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
    ast.UAdd: operator.pos,
    ast.USub: operator.neg,
    ast.Invert: operator.invert,
}


def _is_small(op: ast.operator, left: object, right: object) -> bool:
    """Whether the result has a size that CPython folds."""
    if not isinstance(left, int) or not isinstance(right, int):
        return True
    bits = left.bit_length()
    if isinstance(op, ast.Pow):
        return right <= 0 or bits * right <= _MAX_BITS
    if isinstance(op, ast.LShift):
        return right < 0 or bits + right <= _MAX_BITS
    if isinstance(op, ast.Mult):
        return bits + right.bit_length() <= _MAX_BITS
    return True


class Folder:
    """Folds the expressions of one function, each once."""

    def __init__(self) -> None:
        self._folded: dict[ast.expr, ast.expr] = {}

    def fold(self, node: ast.expr) -> ast.expr:
        """`node`, or the literal that it amounts to, at the same place."""
        if node not in self._folded:
            self._folded[node] = self._fold(node)
        return self._folded[node]

    def _literal(self, node: ast.expr) -> Any:
        """The number that `node` is, or None. A bool counts as one."""
        folded = self.fold(node)
        if not isinstance(folded, ast.Constant):
            return None
        value = folded.value
        return value if isinstance(value, (int, float, complex)) else None

    def _fold(self, node: ast.expr) -> ast.expr:
        if isinstance(node, ast.UnaryOp):
            op: ast.AST = node.op
            operands = [self._literal(node.operand)]
        elif isinstance(node, ast.BinOp):
            op = node.op
            operands = [self._literal(node.left), self._literal(node.right)]
            if not _is_small(node.op, *operands):
                return node
        else:
            return node
        if type(op) not in _OPERATORS or None in operands:
            return node
        try:
            value = _OPERATORS[type(op)](*operands)
        except (ArithmeticError, TypeError, ValueError):
            # What Python cannot compute stays an operation.
            return node
        return ast.copy_location(ast.Constant(value), node)
