# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Casts, unary operators, min and max on every scalar type; constants."""

import itertools
import math

import numpy as np
import pytest

from pyk import cuda
from support.scalars import FLOATS, TYPES, compile_text, values
from test_semantics_operators import check, launch

NAMES = {
    "b1": "bool_",
    **{f"{k}{n}": f"{w}{8 * n}" for k, w in [("i", "int"), ("u", "uint")]
       for n in (1, 2, 4, 8)},
    **{f"f{n}": f"float{8 * n}" for n in (2, 4, 8)},
}  # fmt: skip


@np.errstate(all="ignore")
def converted(array, target):
    """An array cast as kernels do: saturating, NaN becomes 0."""
    if array.dtype.kind != "f" or target == "b1" or target in FLOATS:
        return array.astype(target)
    info = np.iinfo(target)
    found = [
        0 if math.isnan(x)
        else info.max if x >= info.max
        else info.min if x <= info.min
        else int(x)
        for x in array.tolist()
    ]  # fmt: skip
    return np.array(found, target)


# Each pair of types has instructions of its own.
@pytest.mark.all_cases
@pytest.mark.parametrize("target", TYPES)
@pytest.mark.parametrize("source", TYPES)
def test_cast(source, target):
    a = values(source)
    cast, stored = np.full((2, a.size), 77, target)
    call = "bool" if target == "b1" else f"np.{NAMES[target]}"
    text = (
        "def k(a, cast, stored):\n"
        "    i = cuda.grid(1)\n"
        "    if i < a.size:\n"
        f"        cast[i] = {call}(a[i])\n"
        "        stored[i] = a[i]\n"
    )
    launch(compile_text(text), a, cast, stored)
    np.testing.assert_array_equal(cast, converted(a, target))
    np.testing.assert_array_equal(stored, converted(a, target))


def unary(operator, array):
    """An operator of one operand on an array, and the type it yields."""
    dtype = array.dtype.str[1:]
    wide = {"f": dtype, "u": "u8"}.get(dtype[0], "i8")
    if operator == "not ":
        return array == 0
    if operator == "~":
        if dtype == "b1":
            return ~array
        return (~array).astype(wide)
    if operator == "-":
        return (-(array.astype(wide) if dtype == "b1" else array)).astype(wide)
    if operator == "+":
        return array.astype(wide)
    if operator == "abs":
        return abs(array.astype("i1") if dtype == "b1" else array)
    if operator == "bool":
        return array != 0
    if operator == "int":
        if dtype[0] in "bf":
            return converted(array, "i8")
        return array
    assert operator == "round"
    if dtype[0] != "f":
        return array.astype("i8")
    return converted(np.rint(array), "i8")


UNARY = ["-", "+", "not ", "abs", "bool", "int", "round"]
BITS = TYPES[: -len(FLOATS)]


@np.errstate(all="ignore")
@pytest.mark.parametrize(
    ("operator", "dtype"),
    [*itertools.product(UNARY, TYPES), *itertools.product("~", BITS)],
)
def test_unary_operator(operator, dtype):
    a = values(dtype)
    expected = unary(operator, a)
    text = (
        "def k(a, n, f):\n"
        "    i = cuda.grid(1)\n"
        "    if i < a.size:\n"
        f"        r = {operator}(a[i])\n"
        "        f[i] = r\n"
    )
    if expected.dtype.kind != "f":
        text += "        n[i] = r\n"
    integers, floats = np.full(a.size, 77), np.full(a.size, 77.0)
    launch(compile_text(text), a, integers, floats)
    kind = expected.dtype.str[1:]
    check((integers, floats), expected, kind)


def unified(left, right):
    """The type of a variable that is of either type."""
    if left in FLOATS or right in FLOATS:
        widths = [
            int(t[1]) if t in FLOATS else {"1": 2, "2": 4}.get(t[1], 8)
            for t in (left, right)
        ]
        return f"f{max(widths)}"
    return np.promote_types(left, right).str[1:]


@np.errstate(all="ignore")
@pytest.mark.parametrize("left", TYPES)
@pytest.mark.parametrize("function", ["min", "max"])
def test_smallest_and_largest(function, left):
    """Of two numbers in their common type; a NaN loses."""
    for right in TYPES:
        if (left == "b1") != (right == "b1"):
            continue
        a, b = values(left), values(right)
        text = (
            "def k(a, b, n, f):\n"
            "    i, j = cuda.grid(2)\n"
            "    if i < a.size and j < b.size:\n"
            f"        f[i, j] = {function}(a[i], b[j])\n"
        )
        dtype = unified(left, right)
        shape = a.size, b.size
        integers, floats = np.full(shape, 77), np.full(shape, 77.0)
        if dtype not in FLOATS:
            text += f"        n[i, j] = {function}(a[i], b[j])\n"
        compile_text(text)[(8, 8), (8, 8)](a, b, integers, floats)
        chosen = np.fmin if function == "min" else np.fmax
        expected = chosen(a.astype(dtype)[:, None], b.astype(dtype)[None])
        label = f"{function}({left}, {right})"
        np.testing.assert_array_equal(
            floats, expected.astype(np.float64), label
        )
        if dtype not in FLOATS:
            np.testing.assert_array_equal(
                integers, expected.astype(np.int64), label
            )


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("-9223372036854775808 < 0", 1),
        ("-9223372036854775808 + 0.0", -(2.0**63)),
        ("18446744073709551615 + 0.0", 2.0**64),
        ("2 ** -1", 0.5),
        ("10 ** -3", 0.001),
        ("2 ** 63 + 0.0", 2.0**63),
        ("(1 << 63) + 0.0", 2.0**63),
        ("-2 ** 2", -4),
        ("7 // 0", 0),
        ("7 % 0", 0),
        ("1 / -0.0", -math.inf),
        ("7 // -2 + 7 % -2", -5),
        ("1e400", math.inf),
        ("True + True", 2),
        ("5e-324", 5e-324),
    ],
)
def test_constant_expression(expression, expected):
    """Expressions of literals have the value that Python folds them to."""
    out = np.full(1, 77.0)
    compile_text(f"def k(o):\n    o[0] = {expression}\n")[1, 1](out)
    assert out[0] == expected


@pytest.mark.parametrize(
    "condition",
    [
        *("-2.25 < -2", "-2 > -2.25", "2.5 < 18446744073709551615"),
        *("-2 / 4 == -0.5", "-3 / 2 < -1", "18446744073709551615 / 2 > 1"),
        *("-7 // 2.0 == -4", "-1.0 // 1e300 == -1", "-7 % 2.5 == 0.5"),
        *("7 % -2.5 == -0.5", "6.0 // 0.1 == 59", "(-3) ** 2.0 == 9"),
        *("2 ** -1 == 0.5", "-9223372036854775808 < 0", "1 << 62 > 0"),
        *("(5 > 3) + 1 == 2", "0.1 + 0.2 != 0.3", "not 0.0 == 1"),
        *("1 < 2 < 3 != 4", "9007199254740993 > 9007199254740992"),
        *("True == 1.0", "math.nan != math.nan", "math.inf > 2**63"),
        *("float('nan') != 1.0", "1 != float('nan')", "not float('nan') < 1"),
    ],
)
def test_constant_condition(condition):
    """Branches that are decided at compile time go where Python goes."""
    out = np.zeros(3)
    text = (
        "def k(o):\n"
        f"    if {condition}:\n"
        "        o[0] = 1\n"
        f"    o[1] = 1 if {condition} else 0\n"
        f"    o[2] = {condition}\n"
    )
    compile_text(text)[1, 1](out)
    assert out.tolist() == [1, 1, 1]
    assert eval(condition)


def test_float_of_a_constant_text():
    text = "1e-3"

    @cuda.jit
    def k(out):
        out[0] = float("nan")
        out[1] = float("-inf")
        out[2] = float(text)

    out = np.zeros(3)
    k[1, 1](out)
    np.testing.assert_array_equal(out, [np.nan, -np.inf, 1e-3])
