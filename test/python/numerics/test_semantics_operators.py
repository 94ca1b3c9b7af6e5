# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every binary operator on every pair of scalar types and nasty values.

The oracle is Python's unbounded integers, wrapped, and NumPy's floats. An int
result is stored as int64 for its bits and as float64 for its signedness; a
float result is stored as float64, which shows the width it was computed in.
"""

import itertools

import numpy as np
import pytest

from support.scalars import FLOATS, TYPES, UNSIGNED, compile_text, values

ARITHMETIC = ["+", "-", "*", "/", "//", "%", "**"]
BITWISE = ["<<", ">>", "&", "|", "^"]
COMPARISONS = ["<", "<=", ">", ">=", "==", "!="]


def meet(left, right):
    """The float type of arithmetic on a float and any number."""

    def floating(dtype, width):
        if dtype in FLOATS:
            return int(dtype[1])
        small = {"b1": 2, "i1": 2, "i2": 4, "u1": 4}
        return max(small.get(dtype, 8), width)

    return f"f{max(floating(left, 2), floating(right, 2))}"


def result_type(operator, left, right):
    """The type of a result; None where it is an error."""
    is_float = left in FLOATS or right in FLOATS
    if operator in COMPARISONS:
        return "b1"
    if operator in BITWISE:
        if is_float:
            return None
        if operator in ("<<", ">>"):
            right = left
        elif left == right == "b1":
            return "b1"
    if not is_float:
        if operator == "/":
            return "f8"
        both = left in UNSIGNED and right in UNSIGNED
        return "u8" if both else "i8"
    if operator == "**" and left in FLOATS and right not in FLOATS:
        right = left
    common = meet(left, right)
    if operator in ("//", "%", "**") and common == "f2":
        return "f4"
    return common


def wrap(number, dtype):
    """A Python int as one of 64 bits."""
    number &= 2**64 - 1
    return number - 2**64 if dtype != "u8" and number >> 63 else number


def integer_power(base, exponent):
    if exponent >= 0:
        return pow(base, exponent, 2**64)
    return {1: 1, -1: 1 - 2 * (exponent & 1)}.get(base, 0)


def integer_result(operator, dtype, a, b):
    """One result of an integer operator on Python ints."""
    a = wrap(a, dtype)
    if operator in ("<<", ">>"):
        count = min(b & (2**64 - 1), 64)
        return wrap(a << count if operator == "<<" else a >> count, dtype)
    b = wrap(b, dtype)
    if operator in ("//", "%") and b == 0:
        return 0
    if operator == "**":
        return wrap(integer_power(a, b), dtype)
    function = {
        "+": int.__add__,
        "-": int.__sub__,
        "*": int.__mul__,
        "//": int.__floordiv__,
        "%": int.__mod__,
        "&": int.__and__,
        "|": int.__or__,
        "^": int.__xor__,
    }[operator]
    return wrap(function(a, b), dtype)


def floor_divide(a, b):
    """`a // b` and `a % b` of two floats of one type, as CPython does it."""
    if b == 0:
        return a / b, np.fmod(a, b)
    remainder = np.fmod(a, b)
    quotient = (a - remainder) / b
    if remainder != 0:
        if (b < 0) != (remainder < 0):
            remainder += b
            quotient -= a.dtype.type(1)
    else:
        remainder = np.copysign(remainder, b)
    if quotient != 0:
        floor = np.floor(quotient)
        if quotient - floor > 0.5:
            floor += a.dtype.type(1)
        return floor, remainder
    return np.copysign(quotient * 0, a / b), remainder


def float_result(operator, a, b):
    """One result of a float operator on two floats of one type."""
    if operator == "//":
        return floor_divide(a, b)[0]
    if operator == "%":
        return floor_divide(a, b)[1]
    if operator == "**":
        return np.float64(a) ** np.float64(b)
    function = {
        "+": np.add,
        "-": np.subtract,
        "*": np.multiply,
        "/": np.divide,
    }[operator]
    return function(a, b)


def compared(operator, left, right, a, b):
    """The result of a comparison: exact unless one operand is a float."""
    if left in FLOATS or right in FLOATS:
        a, b = np.array([a, b]) if left == right else (a, b)
        a, b = (np.dtype(meet(left, right)).type(x) for x in (a, b))
    else:
        a, b = int(a), int(b)
    return {
        "<": a < b,
        "<=": a <= b,
        ">": a > b,
        ">=": a >= b,
        "==": a == b,
        "!=": a != b,
    }[operator]


@np.errstate(all="ignore")
def oracle(operator, left, right, lefts=None, rights=None):
    """What the operator yields for every pair of values of two types."""
    lefts = values(left) if lefts is None else lefts
    rights = values(right) if rights is None else rights
    pairs = itertools.product(lefts, rights)
    dtype = result_type(operator, left, right)
    if operator in COMPARISONS:
        found = [compared(operator, left, right, a, b) for a, b in pairs]
    elif dtype in FLOATS:
        kind = np.dtype(dtype).type
        found = [float_result(operator, kind(a), kind(b)) for a, b in pairs]
    else:
        found = [
            integer_result(operator, dtype, int(a), int(b)) for a, b in pairs
        ]
    return np.array(found, dtype).reshape(len(lefts), len(rights))


def launch(kernel, *arrays):
    size = max(array.size for array in arrays)
    kernel[(size + 127) // 128, 128](*arrays)


def measured(operator, left, rights):
    """Results of one operator: a pair of arrays for each right type."""
    names = [f"b{i}, i{i}, f{i}" for i in range(len(rights))]
    lines = [f"def k(a, {', '.join(names)}):", "    t = cuda.grid(1)"]
    arrays = [values(left)]
    for i, right in enumerate(rights):
        columns = len(values(right))
        shape = len(values(left)), columns
        arrays.append(values(right))
        arrays.append(np.full(shape, 77, np.int64))
        arrays.append(np.full(shape, 77, np.float64))
        expression = f"a[t // {columns}] {operator} b{i}[t % {columns}]"
        lines += [
            f"    if t < i{i}.size:",
            f"        r{i} = {expression}",
            f"        f{i}[t // {columns}, t % {columns}] = r{i}",
        ]
        if result_type(operator, left, right) not in FLOATS:
            lines.append(f"        i{i}[t // {columns}, t % {columns}] = r{i}")
    launch(compile_text("\n".join(lines) + "\n"), *arrays)
    return list(zip(arrays[2::3], arrays[3::3]))


def check(got, expected, dtype, rtol=0.0, label=""):
    integers, floats = got
    with np.errstate(all="ignore"):
        as_float = expected.astype(np.float64)
    tiny = np.finfo(dtype).tiny * 4 if rtol else 0
    if rtol:
        limit = np.float64(np.finfo(dtype).max)
        as_float = np.where(abs(as_float) > limit, np.inf, abs(as_float))
        as_float = np.copysign(as_float, expected)
        floats = np.where(
            abs(floats) > limit, np.copysign(np.inf, floats), floats
        )
    np.testing.assert_allclose(floats, as_float, rtol, tiny, err_msg=label)
    if dtype in FLOATS:
        known = ~np.isnan(as_float)
        assert (np.signbit(floats) == np.signbit(as_float))[known].all(), label
    else:
        bits = expected.astype(np.int64)
        np.testing.assert_array_equal(integers, bits, label)


@pytest.mark.parametrize(
    ("operator", "left"),
    [
        *itertools.product(ARITHMETIC + COMPARISONS, TYPES),
        *itertools.product(BITWISE, TYPES[: -len(FLOATS)]),
    ],
)
def test_binary_operator(operator, left):
    rights = [r for r in TYPES if result_type(operator, left, r)]
    for right, got in zip(rights, measured(operator, left, rights)):
        dtype = result_type(operator, left, right)
        rtol = 0.0
        if operator == "**" and dtype in FLOATS:
            rtol = 1e-12 if dtype == "f8" else 2e-5
        expected = oracle(operator, left, right)
        check(got, expected, dtype, rtol, f"{left} {operator} {right}")


LITERALS = {
    "i8": [0, 1, -1, 2, 3, -7, 16, 63, 64, 65, -64, 2**53 + 1, 2**63 - 1],
    "u8": [2**63, 2**64 - 1],
    "f8": [0.0, -0.0, 0.5, 2.0, -3.0, 1e300],
}


@pytest.mark.parametrize("dtype", ["b1", "i4", "u8", "f4"])
@pytest.mark.parametrize("operator", ARITHMETIC + BITWISE + COMPARISONS)
def test_operator_with_a_literal(operator, dtype):
    """Strength reductions of known operands change no result."""
    column = values(dtype)
    lines, arrays, expectations = [], [column], []
    for kind, numbers in LITERALS.items():
        for number, swapped in itertools.product(numbers, [False, True]):
            types = (kind, dtype) if swapped else (dtype, kind)
            result = result_type(operator, *types)
            if result is None:
                continue
            i = len(expectations)
            sides = f"({number!r})", "a[t]"
            lines.append(f"        r{i} = {f' {operator} '.join(sides)}")
            if not swapped:
                lines[-1] = f"        r{i} = a[t] {operator} ({number!r})"
            lines.append(f"        f[{i}, t] = r{i}")
            if result not in FLOATS:
                lines.append(f"        n[{i}, t] = r{i}")
            expectations.append((types, result, number, swapped))
    lines = ["def k(a, n, f):", "    t = cuda.grid(1)"] + [
        "    if t < a.size:",
        *lines,
    ]
    shape = len(expectations), len(column)
    if not expectations:
        return
    integers, floats = np.full(shape, 77), np.full(shape, 77.0)
    launch(compile_text("\n".join(lines) + "\n"), column, integers, floats)
    for i, (types, result, number, swapped) in enumerate(expectations):
        constant = np.array([number], types[0] if swapped else types[1])
        sides = (constant, column) if swapped else (column, constant)
        expected = oracle(operator, *types, *sides).reshape(-1)
        rtol = 0.0
        if operator == "**" and result in FLOATS:
            rtol = 1e-12 if result == "f8" else 2e-5
        label = f"{number} is {'left' if swapped else 'right'} of {operator}"
        check((integers[i], floats[i]), expected, result, rtol, label)
