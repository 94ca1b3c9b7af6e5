# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""NumPy's functions that compare, choose and work on bits."""

# Kernels have no annotations.
# mypy: ignore-errors

from pyk._library._registry import common, common_number, like, public
from pyk._library._universal import binary, unary

# ===-------------------------------------------------------------------===
# Choices.
# ===-------------------------------------------------------------------===


@binary
def maximum(x, y):
    """The larger one; NaN if one is NaN."""
    x, y = common(x, y)
    return x if x >= y or x != x else y


@binary
def minimum(x, y):
    """The smaller one; NaN if one is NaN."""
    x, y = common(x, y)
    return x if x <= y or x != x else y


@binary
def fmax(x, y):
    """The larger one; ignores NaN."""
    x, y = common(x, y)
    return x if x >= y or y != y else y


@binary
def fmin(x, y):
    """The smaller one; ignores NaN."""
    x, y = common(x, y)
    return x if x <= y or y != y else y


# ===-------------------------------------------------------------------===
# Bits and truth.
# ===-------------------------------------------------------------------===


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
    """`x < y`."""
    return x < y


@binary
def less_equal(x, y):
    """`x <= y`."""
    return x <= y


@binary
def greater(x, y):
    """`x > y`."""
    return x > y


@binary
def greater_equal(x, y):
    """`x >= y`."""
    return x >= y


# ===-------------------------------------------------------------------===
# Functions that NumPy does not call universal.
# ===-------------------------------------------------------------------===


@public("numpy.where")
def where(condition, x, y):
    """The second argument where the first is true, else the third."""
    return x if condition else y


@public("numpy.clip")
def clip(x, low, high):
    """The nearest number from `low` to `high`; NaN if one is NaN."""
    x, low, high = common(x, low, high)
    return minimum(maximum(x, low), high)


@public("numpy.round", "numpy.around", "numpy.round_")
def round_to(x, decimals=0):
    """Nearest number with that many decimals, half to even."""
    return round(x, decimals)
