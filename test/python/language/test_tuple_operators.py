# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tuples under `in`, order and `==`, and stored in parts of arrays.

Python and NumPy are the oracles.
"""

import itertools
import math

import numpy as np
import pytest

import pyk
from pyk import cuda

VALUES = [-1, 0, 1, 2.5]


def test_in():
    @cuda.jit
    def k(x, y, out):
        out[0] = x in (1, 2)
        out[1] = x not in (1, 2.5, y)
        out[2] = x in [y, x]
        out[3] = x in ()
        out[4] = (x, y) in ((1, 0), (0, 2.5))
        out[5] = "a" in ("b", "a")
        out[6] = x in (math.nan, math.inf)

    for x, y in itertools.product(VALUES, VALUES):
        out = np.full(7, 9.0)
        k[1, 1](x, y, out)
        expected = [
            x in (1, 2),
            x not in (1, 2.5, y),
            True,
            False,
            (x, y) in ((1, 0), (0, 2.5)),
            True,
            False,
        ]
        np.testing.assert_array_equal(out, expected, f"{x}, {y}")


def test_order():
    @cuda.jit
    def k(x, y, out):
        a, b = (x, y), (1, 0.5)
        out[0] = a < b
        out[1] = a <= b
        out[2] = a > b
        out[3] = a >= b
        out[4] = (x,) < (x, y)
        out[5] = (x, y, 1) > (x, y)
        out[6] = ((x, 1), y) < ((1, 1), 0)
        out[7] = () < (x,)
        out[8] = a == (x, y, 0)
        out[9] = a != (x,)

    for x, y in itertools.product([*VALUES, math.nan], [0.5, *VALUES]):
        out = np.full(10, 9.0)
        k[1, 1](x, y, out)
        a, b = (x, y), (1, 0.5)
        expected = [
            a < b,
            a <= b,
            a > b,
            a >= b,
            # Two NaN are not equal here, as in Numba; Python looks at identity.
            x == x and (x,) < (x, y),
            x == x and (x, y, 1) > (x, y),
            ((x, 1), y) < ((1, 1), 0),
            True,
            False,
            True,
        ]
        np.testing.assert_array_equal(out, expected, f"{x}, {y}")


def test_tuples_assigned_at_once():
    """A constant tuple beside another one is a whole value."""

    @cuda.jit
    def k(x, out):
        a, b = (x, 2), (1, 0.5)
        out[0] = b[1] + a[0]
        c, (d, e) = (3, 4), (5, 6)
        out[1] = c[1] * 100 + d * 10 + e

    out = np.zeros(2)
    k[1, 1](7, out)
    np.testing.assert_array_equal(out, [7.5, 456])


def test_lists_that_are_only_iterated_over():
    @cuda.jit
    def k(n, out):
        for step in [1, 2, n]:
            out[0] = out[0] * 10 + step
        for dx, dy in [(0, 1), (n, 0)]:
            out[1] += dx - 2 * dy

    out = np.zeros(2)
    k[1, 1](5, out)
    np.testing.assert_array_equal(out, [125, 3])


@pytest.mark.parametrize("dtype", [np.float32, np.int8, np.complex128])
def test_stored_in_parts(dtype):
    @cuda.jit(device=True)
    def color(x):
        return x, x + 1, x * 2

    @cuda.jit
    def k(a, b, x):
        a[0] = color(x)
        a[1, ::2] = (7, 8.5)
        a[2][1:] = 4, x
        b[:] = (1, 2, 3)
        b[::-1] = color(x)
        shared = cuda.shared.array(2, np.int16)
        shared[:] = 5, 6.9
        a[3, 0], a[3, 1] = shared[0], shared[1]

    a, b = np.zeros((4, 3), dtype), np.zeros(3, dtype)
    k[1, 1](a, b, 10)
    expected = np.zeros((4, 3), dtype)
    expected[:] = [10, 11, 20], [7, 0, dtype(8.5)], [0, 4, 10], [5, 6, 0]
    np.testing.assert_array_equal(a, expected)
    np.testing.assert_array_equal(b, [20, 11, 10])


def test_length_is_checked():
    @cuda.jit(debug=True, opt=False)
    def k(a):
        a[1:3] = (1, 2, 3)

    with pytest.raises(ValueError, match="cannot assign 3 elements to 2"):
        k[1, 1](np.zeros(5))


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("a[0] = 1 in (1, b'a')", "operator 'in' cannot take int64 and tuple"),
        ("a[0] = 1 in 3", "operator 'in' cannot take int64 and int64"),
        ("a[0] = (1, 2j) < (1, 3j)", "operator '<' cannot take tuple(int64, c"),
        (
            "a[0] = (1, 'a') < (1, 2)",
            "operator '<' cannot take tuple(int64, str",
        ),
        ("a[:] = (1, (2, 3))", "expects a tuple of numbers to store in"),
        ("a[:] = (1, 2j)", "cannot convert complex128 to float64"),
        ("a[:, None] = (1, 2)", "expects a number or an array to store in"),
        (
            "b = cuda.local.array(2, np.int8)\n    b[:] = 1, 2, 3",
            "cannot store a tuple of 3 items in array(int8, 1d, C), "
            "which has 2",
        ),
        (
            "b = cuda.local.array(4, np.int8)\n    b[:] = 1, 2, 3",
            "cannot store a tuple of 3 items in array(int8, 1d, C), "
            "which has 4",
        ),
    ],
)
def test_refused(statement, message, tmp_path):
    path = tmp_path / "program.py"
    path.write_text(f"def k(a):\n    {statement}\n")
    names = {"np": np, "cuda": cuda}
    exec(compile(path.read_text(), str(path), "exec"), names)  # noqa: S102
    with pytest.raises(pyk.CompileError) as caught:
        cuda.jit(names["k"])[1, 1](np.zeros(3))
    assert type(caught.value).__name__ == "TypingError"
    assert message in str(caught.value)
