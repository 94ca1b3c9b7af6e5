# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What operators give on scalars.

`OPERATORS` computes them, for conditions and constants that are known while
compiling; `binary_type` and `unary_type` type them, without the promotion that
unification uses: integers compute in 64 bits, floats as narrow as they can.
"""

import ast
import operator

from .conversions import least
from .types import COMPLEXES, FLOATS, SIGNED, UNSIGNED

OPERATORS = {
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
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Invert: operator.invert,
    ast.Not: operator.not_,
}
SHIFTS = (ast.LShift, ast.RShift)
BITWISE = (ast.BitAnd, ast.BitOr, ast.BitXor)
FLOORING = (ast.FloorDiv, ast.Mod)
ORDERED = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)


def wide(scalar):
    """Integers compute in 64 bits, bool as a signed one; floats stay."""
    return (
        "uint64"
        if scalar in UNSIGNED
        else "int64"
        if scalar in [*SIGNED, "bool"]
        else scalar
    )


def binary_type(op, a, b, peer=False):
    """The result of a binary operator on two scalars, or None."""
    if a in COMPLEXES or b in COMPLEXES:
        if op in (*SHIFTS, *BITWISE, *FLOORING):
            return None
        return least(COMPLEXES, a, b)
    if op in SHIFTS:
        return None if a in FLOATS or b in FLOATS else wide(a)
    integral = a not in FLOATS and b not in FLOATS
    if op in BITWISE:
        if a == b == "bool":
            return "bool"
        return (
            ("uint64" if a in UNSIGNED and b in UNSIGNED else "int64")
            if integral
            else None
        )
    if integral:
        if op is ast.Div:
            return "float64"
        if peer and op is ast.Pow and (a, b) == ("bool", "int32"):
            return "float32"
        return "uint64" if a in UNSIGNED and b in UNSIGNED else "int64"
    floats = FLOATS[1:] if op in FLOORING or op is ast.Pow else FLOATS
    if op is ast.Pow and a in FLOATS and b not in FLOATS:
        return least(floats, a)  # an integer exponent never widens
    return least(floats, a, b)


def unary_type(op, a):
    """The result of a unary operator on a scalar, or None."""
    if op is ast.Not:
        return "bool"
    if op is ast.Invert:
        if a in FLOATS + COMPLEXES:
            return None
        return a if a == "bool" else wide(a)
    return wide(a)
