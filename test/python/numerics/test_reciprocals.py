# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reciprocals of floats, which vectors of 16 get by multiply-adds.

`ReciprocalsTest.cpp` has the proof that they round correctly.
"""

import numpy as np
import pytest

from pyk import cuda


@cuda.jit
def invert(x, out):
    i = cuda.grid(1)
    if i < x.size:
        out[i] = np.float32(1) / x[i]


def check(bits):
    x = bits.view(np.float32)
    out = np.full_like(x, -7)
    invert[(x.size + 127) // 128, 128](x, out)
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        expected = np.float32(1) / x
    isnan = np.isnan(expected)
    assert np.array_equal(np.isnan(out), isnan)
    differ = (out.view(np.uint32) != expected.view(np.uint32)) & ~isnan
    assert not differ.any(), [float(value).hex() for value in x[differ][:5]]


def test_every_mantissa():
    check(np.arange(0x3F800000, 0x40000000, dtype=np.uint32))


# Of results that are subnormal, and of those that are not but nearly.
@pytest.mark.parametrize("exponent", [251, 252, 253, 254])
def test_small_results(exponent):
    start = exponent << 23
    check(np.arange(start, start + (1 << 23), 5, dtype=np.uint32))
    check(
        np.arange(start + (1 << 23) - 4096, start + (1 << 23), dtype="uint32")
    )


def test_subnormal_numbers():
    check(np.arange(0, 1 << 24, 3, dtype=np.uint32))
    # Around 2^-128, whose reciprocal is too large.
    check(np.arange(0x1FFF00, 0x200100, dtype=np.uint32))


def test_any_bits():
    random = np.random.default_rng(9)
    check(random.integers(0, 1 << 32, 1 << 22, dtype=np.uint32))


@pytest.mark.parametrize(
    "value", [0.0, -0.0, np.inf, -np.inf, np.nan, 2.0**-149, -(2.0**127)]
)
def test_one_that_is_divided(value):
    """Among others of its vector, which stay as they are."""
    x = np.arange(1, 65, dtype=np.float32) * np.float32(-0.7)
    x[21] = value
    check(x.view(np.uint32))
