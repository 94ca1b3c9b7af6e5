# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What numba-cuda makes of operators on numbers, as operators.json.

Every binary operator, comparison and conversion to a common type on every pair
of scalar types, and every unary one on each. The answers are the peer's alone;
null is an error. Run it in an environment with `numba-cuda`.
"""

import itertools

import peer

TYPES = [
    *("bool", "int8", "int16", "int32", "int64"),
    *("uint8", "uint16", "uint32", "uint64"),
    *("float16", "float32", "float64", "complex64", "complex128", "bfloat16"),
]
BINARY = [
    *("x + y", "x - y", "x * y", "x / y", "x // y", "x % y", "x ** y"),
    *("x << y", "x >> y", "x & y", "x | y", "x ^ y"),
    *("x == y", "x != y", "x < y", "x <= y", "x > y", "x >= y"),
    *("divmod(x, y)", "pow(x, y)", "min(x, y)", "max(x, y)"),
    *("x if c else y", "x and y", "x or y"),
    *("operator.iadd(x, y)", "operator.itruediv(x, y)"),
]
UNARY = [
    *("-x", "+x", "~x", "not x", "abs(x)", "1 if x else 2"),
    *("int(x)", "float(x)", "bool(x)", "complex(x)", "round(x)"),
    *("round(x, 1)", "x + 1", "x * 1.0", "x * 1j", "x ** 2", "2 ** x"),
    *("x ** 0.5", "x == 1", "x == 1j"),
    *(f"types.{name}(x)" for name in ["boolean", *TYPES[1:]]),
]
HEADER = "import operator\nfrom numba.cuda import types\n"


def questions():
    """Every form with the types of its arguments."""
    for form, a, b in itertools.product(BINARY, TYPES, TYPES):
        yield form, [a, b]
    for form, a in itertools.product(UNARY, TYPES):
        yield form, [a]


if __name__ == "__main__":
    peer.write(__file__, HEADER, questions())
