# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`round`, with and without digits, and signs of zeros.

Numba computes `round(x, digits)` in float64, whatever the type of x, as
CPython does where it has no exact conversions. Where that goes astray (an
infinite power of ten, a number without so many digits) the result is Python's.
"""

import math
from fractions import Fraction

import numpy as np
import pytest

from pyk import cuda


@cuda.jit
def round_each(out, x, digits):
    i = cuda.grid(1)
    if i < x.size:
        out[i] = round(x[i], digits[i])


def rounded(x, digits):
    """What Numba's algorithm gives, in Python's floats."""
    x = float(x)
    if math.isinf(x) or math.isnan(x):
        return x
    if digits < -400:
        return math.copysign(0.0, x)
    if digits > 400:
        return x
    power = 1.0
    for bit in range(9):
        size = digits - 22 if digits > 22 else abs(digits)
        if size >> bit & 1:
            square = 10.0
            for _ in range(bit):
                square *= square
            power *= square
    rest = 1e22 if digits > 22 else 1.0
    scaled = x / power if digits < 0 else x * power * rest
    if not abs(scaled) < 2.0**53:
        return x
    whole = math.copysign(float(round(scaled)), scaled)
    if whole == 0:
        return whole
    return whole * power if digits < 0 else whole / rest / power


def launch(x, digits):
    digits = np.broadcast_to(np.asarray(digits), x.shape)
    out = np.zeros(x.shape)
    round_each[(x.size + 255) // 256, 256](out, x, np.array(digits))
    return out


def check(found, expected):
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(np.signbit(found), np.signbit(expected))


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_decimals(dtype):
    """In float32 the product with 1000 would round 0.3425 to a tie."""
    x = (np.arange(10001) / 10000).astype(dtype)
    found = launch(x, 3)
    # Of float16 it is float32.
    wide = np.result_type(dtype, np.float32)
    expected = np.array([rounded(v, 3) for v in x]).astype(wide)
    check(found, expected)
    if dtype == "float32":
        exact = [float(round(Fraction(float(v)), 3)) for v in x]
        check(found, np.array(exact, dtype))
        assert found[3425] == np.float32(0.343)


def test_all_digits():
    rng = np.random.default_rng(3)
    x = rng.uniform(-10, 10, 40000) * 10.0 ** rng.integers(-300, 300, 40000)
    digits = rng.integers(-330, 330, 40000)
    digits[:20000] = rng.integers(-4, 25, 20000)
    x[:20000] = rng.uniform(-1e6, 1e6, 20000)
    found = launch(x, digits)
    check(found, np.array([rounded(v, int(n)) for v, n in zip(x, digits)]))


def test_python_agrees_but_next_to_ties():
    """Numba's product may round to a tie, and the other neighbour win."""
    rng = np.random.default_rng(4)
    x = rng.uniform(-1e6, 1e6, 20000)
    digits = rng.integers(-5, 10, 20000)
    found = launch(x, digits)
    exact = np.array([round(float(v), int(n)) for v, n in zip(x, digits)])
    differs = found != exact
    assert np.count_nonzero(differs) < 200
    # In steps of the last digit.
    distance = abs(found - x) * 10.0**digits
    assert np.all(abs(distance[differs] - 0.5) < 0.1)


SPECIAL = [0.0, -0.0, 1.5, -2.5, 1e300, -1.7e308, 5e-324, math.inf, -math.inf]


@pytest.mark.parametrize("digits", [-(2**63), -400, -310, 330, 400, 2**63 - 1])
def test_digits_that_no_number_has(digits):
    x = np.array([*SPECIAL, math.nan])
    found = launch(x, np.int64(digits))
    # Python refuses to round these up.
    if digits < 0:
        expected = np.where(np.isfinite(x), np.copysign(0, x), x)
    else:
        expected = x
    check(found, expected)


def test_unsigned_digits():
    x = np.array([1.25, -2.375, 1e300])
    for digits in (0, 1, 22, 23, 2**63, 2**64 - 1):
        expected = [rounded(v, digits) for v in x]
        check(launch(x, np.uint64(digits)), np.array(expected))


def test_constant_digits():
    @cuda.jit
    def k(out, x):
        i = cuda.grid(1)
        if i < x.size:
            out[0, i] = round(x[i], 2)
            out[1, i] = round(x[i], -2)
            out[2, i] = round(x[i], 25)
            out[3, i] = round(x[i], -400)
            out[4, i] = np.round(x[i], 1)

    rng = np.random.default_rng(5)
    for dtype in (np.float32, np.float64):
        with np.errstate(over="ignore"):
            x = np.array([*SPECIAL, *rng.uniform(-1e4, 1e4, 1000)]).astype(
                dtype
            )
        out = np.zeros((5, x.size), dtype)
        k[4, 256](out, x)
        for row, digits in zip(out, (2, -2, 25, -400, 1)):
            expected = [rounded(v, digits) for v in x]
            check(row, np.array(expected).astype(dtype))


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int32", "int64", "uint64"])
def test_digits_of_integers(dtype):
    """They become floats first, as in Numba."""
    limits = np.iinfo(dtype)
    x = np.array([0, 1, 5, 15, 25, 99, limits.min, limits.max], dtype)
    found = launch(x, -1)
    wide = np.float32 if x.itemsize == 1 else np.float64
    check(found, np.array([rounded(wide(v), -1) for v in x]).astype(wide))


def test_integers_without_digits():
    """The type is int64, as in Numba, and large ones wrap as in any int64."""

    @cuda.jit
    def k(unsigned, signed, x):
        i = cuda.grid(1)
        unsigned[i] = round(x[i])
        signed[i] = round(x[i])

    x = np.array([0, 2**53 + 1, 2**63 - 1, 2**63, 2**64 - 1], np.uint64)
    unsigned, signed = np.zeros(5, np.uint64), np.zeros(5, np.int64)
    k[1, 5](unsigned, signed, x)
    np.testing.assert_array_equal(unsigned, x)
    np.testing.assert_array_equal(signed, x.astype(np.int64))


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_sign(dtype):
    @cuda.jit
    def k(out, x):
        i = cuda.grid(1)
        out[i] = np.sign(x[i])

    x = np.array([0.0, -0.0, 2, -3, math.inf, -math.inf, math.nan], dtype)
    out = np.full(7, 9, dtype)
    k[1, 7](out, x)
    check(out, np.sign(x))
