# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""NumPy's functions that compare, choose and work on bits."""

# Kernels have no annotations.
# mypy: ignore-errors

import numpy as np

from pyk._library._registry import (
    common,
    common_number,
    helper,
    like,
    public,
)
from pyk._library._universal import binary, unary

# ===-------------------------------------------------------------------===
# Comparisons.
# ===-------------------------------------------------------------------===


@helper
def compare_parts(compare, x, y):
    """Compares complex numbers: the real parts, and if these are equal the
    others. None is before or behind NaN.
    """
    x, y = common(x, y)
    if x.real == y.real:
        return compare(x.imag, y.imag)
    return compare(x.real, y.real) and x.imag == x.imag and y.imag == y.imag


@helper
def compare_numbers(compare, x, y):
    if isinstance(x, np.complexfloating):
        return compare_parts(compare, x, y)
    if isinstance(y, np.complexfloating):
        return compare_parts(compare, x, y)
    return compare(x, y)


@binary
def equal(x, y):
    """`x == y`."""
    return x == y


@binary
def not_equal(x, y):
    """`x != y`."""
    return x != y


@binary
def less(x, y):
    """`x < y`; of complex numbers that of the parts."""
    return compare_numbers(lambda a, b: a < b, x, y)


@binary
def less_equal(x, y):
    """`x <= y`; of complex numbers that of the parts."""
    return compare_numbers(lambda a, b: a <= b, x, y)


@binary
def greater(x, y):
    """`x > y`; of complex numbers that of the parts."""
    return compare_numbers(lambda a, b: a > b, x, y)


@binary
def greater_equal(x, y):
    """`x >= y`; of complex numbers that of the parts."""
    return compare_numbers(lambda a, b: a >= b, x, y)


# ===-------------------------------------------------------------------===
# Choices.
# ===-------------------------------------------------------------------===


@binary
def maximum(x, y):
    """The larger one; NaN if one is NaN."""
    x, y = common(x, y)
    return x if greater_equal(x, y) or x != x else y


@binary
def minimum(x, y):
    """The smaller one; NaN if one is NaN."""
    x, y = common(x, y)
    return x if less_equal(x, y) or x != x else y


@binary
def fmax(x, y):
    """The larger one; ignores NaN."""
    x, y = common(x, y)
    return x if greater_equal(x, y) or y != y else y


@binary
def fmin(x, y):
    """The smaller one; ignores NaN."""
    x, y = common(x, y)
    return x if less_equal(x, y) or y != y else y


# ===-------------------------------------------------------------------===
# Bits and truth.
# ===-------------------------------------------------------------------===


#: To add the bits in parts of twice the width, from 1 on: the width and the
#: places of each second part.
_STEPS = tuple(
    (np.uint64(1 << i), np.uint64((1 << 64) // ((1 << (1 << i)) + 1)))
    for i in range(6)
)


@binary
def bitwise_and(x, y):
    """`x & y`."""
    x, y = common(x, y)
    return like(x & y, x)


@binary
def bitwise_or(x, y):
    """`x | y`."""
    x, y = common(x, y)
    return like(x | y, x)


@binary
def bitwise_xor(x, y):
    """`x ^ y`."""
    x, y = common(x, y)
    return like(x ^ y, x)


@binary
def left_shift(x, y):
    """`x << y`."""
    x, y = common_number(x, y)
    return like(x << y, x)


@binary
def right_shift(x, y):
    """`x >> y`."""
    x, y = common_number(x, y)
    return like(x >> y, x)


@unary
def invert(x):
    """The other bits."""
    return like(~x, x)


@unary
def bitwise_count(x):
    """Number of the bits that are 1 in the absolute value, as a uint8."""
    x | x
    bits = np.uint64(x if isinstance(x, np.uint64) else abs(np.int64(x)))
    for step in _STEPS:
        width, mask = step
        bits = (bits & mask) + (bits >> width & mask)
    return np.uint8(bits)


@public("int.bit_count")
def bit_count(x):
    """Number of the bits that are 1 in the absolute value."""
    return like(bitwise_count(x), x)


@binary
def logical_and(x, y):
    """Whether both are true."""
    return bool(x) & bool(y)


@binary
def logical_or(x, y):
    """Whether one is true."""
    return bool(x) | bool(y)


@binary
def logical_xor(x, y):
    """Whether one alone is true."""
    return bool(x) ^ bool(y)


@unary
def logical_not(x):
    """Whether the argument is false."""
    return not x


# ===-------------------------------------------------------------------===
# Functions that NumPy does not call universal.
# ===-------------------------------------------------------------------===


@public("numpy.where")
def where(condition, x, y):
    """The second argument where the first is true, else the third."""
    return x if condition else y


@public("numpy.clip")
def clip(a, a_min, a_max):
    """The nearest number from `low` to `high`; NaN if one is NaN."""
    a, a_min, a_max = common(a, a_min, a_max)
    return minimum(maximum(a, a_min), a_max)


@public("numpy.round", "numpy.around", "numpy.round_")
def round_to(a, decimals=0):
    """Nearest number with that many decimals, half to even."""
    return round(a, decimals)


@helper
def largest(x):
    """The largest finite number of a type of floats."""
    if isinstance(x, np.float16):
        return np.float16(65504)
    if isinstance(x, np.float32):
        return np.finfo(np.float32).max
    return np.finfo(np.float64).max


@helper
def to_number(x, nan, posinf, neginf):
    """A float, or what to take for it if it is not finite."""
    if x != x:
        return like(nan, x)
    if x == np.inf:
        return largest(x) if posinf is None else like(posinf, x)
    if x == -np.inf:
        return -largest(x) if neginf is None else like(neginf, x)
    return x


@public("numpy.nan_to_num")
def nan_to_num(x, copy=True, nan=0.0, posinf=None, neginf=None):
    """The argument, but 0 of NaN and the largest numbers of infinity."""
    if isinstance(x, np.complexfloating):
        return like(
            complex(
                to_number(x.real, nan, posinf, neginf),
                to_number(x.imag, nan, posinf, neginf),
            ),
            x,
        )
    if isinstance(x, np.floating):
        return to_number(x, nan, posinf, neginf)
    if isinstance(x, np.ndarray):
        x.dtype(0) >> 1
        return x
    abs(x)  # refuses what is no number
    return x
