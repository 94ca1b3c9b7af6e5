# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operators on literals, folded as CPython's compiler folds them.

Numba reads bytecode, where `2 ** -1` is 0.5 and `-9223372036854775808` is one
number. The same holds here: an operator whose operands are literals is replaced
by its result before the compiler, whose integers have 64 bits, sees it. CPython
leaves integers of more than 128 bits to run time, where Numba's wrap (`2**70`
is 0 there); here they are exact or an error.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any

# An integer of more bits is not computed, which could take minutes; those of
# fewer may yet be parts of numbers that fit, and a float holds 1,024.
_MAX_BITS = 4096
# So it does a string or a tuple that would be longer.
_MAX_TEXT = 4096
_MAX_ITEMS = 256
# All items of the tuples in a tuple, too.
_MAX_TOTAL = 1024

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


class _TooLong:
    """Stands for an integer that is not computed."""

    def __repr__(self) -> str:
        return f"an int of more than {_MAX_BITS} bits"


TOO_LONG = _TooLong()


def _is_small(op: ast.operator, left: object, right: object) -> bool:
    """Whether a text or tuple has a size that CPython folds."""
    for one, other in (left, right), (right, left):
        if isinstance(one, (str, tuple)):
            # Only what is repeated or joined is folded.
            if not isinstance(op, (ast.Add, ast.Mult)):
                return False
            if not isinstance(other, int):
                return True
            if isinstance(one, str):
                return len(one) * other <= _MAX_TEXT
            is_short = len(one) * other <= _MAX_ITEMS
            return is_short and _count(one) * other <= _MAX_TOTAL
    return True


def _is_too_long(op: ast.operator, left: object, right: object) -> bool:
    """Whether the result is an integer of nearly _MAX_BITS bits or more."""
    if not isinstance(left, int) or not isinstance(right, int):
        return False
    bits = left.bit_length()
    if isinstance(op, ast.Pow):
        # 0, 1 and -1 stay as short as they are.
        return right > 0 and bits > 1 and (bits - 1) * right >= _MAX_BITS
    if isinstance(op, ast.LShift):
        return left != 0 and bits + right > _MAX_BITS
    if isinstance(op, ast.Mult):
        return bits + right.bit_length() > _MAX_BITS
    return False


#: All that `Folder._fold` looks at.
_FOLDABLE = (ast.BinOp, ast.UnaryOp, ast.JoinedStr)

#: What stands for no value, as None is one.
_NONE: Any = object()


def _count(value: object) -> int:
    """The items of a tuple and of those in it."""
    if not isinstance(value, tuple):
        return 0
    return len(value) + sum(map(_count, value))


class Folder:
    """Folds the expressions of one function, each once."""

    def __init__(self) -> None:
        self._folded: dict[ast.expr, ast.expr] = {}

    def fold(self, node: ast.expr) -> ast.expr:
        """`node`, or the literal that it amounts to, at the same place."""
        if not isinstance(node, _FOLDABLE):
            return node
        # A sum of many terms is deep; the innermost operator comes first.
        waiting: list[ast.expr] = [node]
        while waiting[-1] not in self._folded:
            innermost = waiting[-1]
            if not isinstance(innermost, ast.BinOp):
                break
            waiting.append(innermost.left)
        for inner in reversed(waiting):
            if inner not in self._folded:
                self._folded[inner] = self._fold(inner)
        return self._folded[node]

    def _literal(self, node: ast.expr) -> Any:
        """The number, string or tuple of literals that `node` is, or _NONE. A
        bool counts as a number.
        """
        folded = self.fold(node)
        if isinstance(folded, ast.Tuple):
            items = [self._literal(item) for item in folded.elts]
            return _NONE if _NONE in items else tuple(items)
        if not isinstance(folded, ast.Constant):
            return _NONE
        value = folded.value
        is_foldable = isinstance(value, (int, float, complex, str))
        return value if is_foldable or value is None else _NONE

    def _fold(self, node: ast.expr) -> ast.expr:
        if isinstance(node, ast.JoinedStr):
            parts = [self._literal(part) for part in node.values]
            if _NONE in parts:
                return node
            return ast.copy_location(ast.Constant("".join(parts)), node)
        if isinstance(node, ast.UnaryOp):
            op: ast.AST = node.op
            operands = [self._literal(node.operand)]
        elif isinstance(node, ast.BinOp):
            op = node.op
            operands = [self._literal(node.left), self._literal(node.right)]
            if _is_too_long(node.op, *operands):
                return _written(TOO_LONG, node)
            if not _is_small(node.op, *operands):
                return node
        else:
            return node
        if type(op) not in _OPERATORS or _NONE in operands:
            return node
        try:
            value = _OPERATORS[type(op)](*operands)
        except (ArithmeticError, TypeError, ValueError):
            # What Python cannot compute stays an operation.
            return node
        return _written(value, node)


def _written(value: Any, node: ast.expr) -> ast.expr:
    """A value as an expression at the place of `node`."""
    written: ast.expr = ast.Constant(value)
    if isinstance(value, tuple):
        items = [_written(item, node) for item in value]
        written = ast.Tuple(items, ast.Load())
    return ast.copy_location(written, node)
