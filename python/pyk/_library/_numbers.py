# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of `math` and builtins that are a few operators."""

# Kernels have no annotations.
# mypy: ignore-errors

import math

import numpy as np

from pyk._library._registry import helper, ilogb, like, public, real
from pyk.types import bfloat16


@public("math.frexp")
def frexp(x):
    """Mantissa from 0.5 to 1 and exponent of 2, as an int32."""
    x = real(x)
    if x == 0 or not math.isfinite(x):
        return x, np.int32(0)
    exponent = ilogb(x) + np.int32(1)
    return math.ldexp(x, -exponent), np.int32(exponent)


@public("math.modf")
def modf(x):
    """Fraction and whole part, both with the sign of the argument."""
    if isinstance(x, (np.float16, bfloat16)):
        return modf(np.float64(x))
    whole = math.trunc(x)
    fraction = x - whole
    if math.isinf(x):
        fraction = like(0, whole)
    return math.copysign(fraction, x), math.copysign(whole, x)


@helper
def divide_until_zero(a, b):
    while b:
        a, b = b, a % b
    return abs(a)


@public("math.gcd")
def gcd(a, b):
    """Greatest number that divides both."""
    # The operator refuses floats.
    either = +(a | b)
    return divide_until_zero(like(a, either), like(b, either))


@public("math.lcm")
def lcm(a, b):
    """Least number that both divide."""
    divisor = gcd(a, b)
    if divisor == 0:
        return divisor
    return abs(+a) // divisor * abs(+b)


@public("math.isqrt")
def isqrt(x):
    """Whole part of the square root; 0 of a negative number."""
    x = +(x | x)
    if x <= 0:
        return like(0, x)
    # The float may be off by one.
    root = like(math.sqrt(x), x)
    while root > x // root:
        root -= like(1, x)
    while root < x // (root + like(1, x)):
        root += like(1, x)
    return root


@public("math.isclose")
def isclose(a, b, rel_tol=1e-09, abs_tol=0.0):
    """Whether two numbers differ by little, relative to the larger one."""
    if a == b:
        return True
    if math.isinf(a) or math.isinf(b):
        return False
    allowed = max(rel_tol * max(math.fabs(a), math.fabs(b)), abs_tol)
    return math.fabs(a - b) <= allowed


@public("builtins.divmod")
def divmod(x, y):
    """Quotient rounded down, and remainder."""
    return x // y, x % y


@helper
def add_items(total, items):
    """`total` and the items of a tuple, which may differ in type."""
    if len(items) == 0:
        return total
    if len(items) < 8:
        return add_items(total + items[0], items[1:])
    # Not too deep a recursion for a long tuple.
    a, b, c, d, e, f, g, h = items[:8]
    return add_items(total + a + b + c + d + e + f + g + h, items[8:])


@public("builtins.sum")
def sum(items, start=0):
    """Sum of the items of a tuple or array."""
    if isinstance(items, tuple):
        return add_items(start, items)
    total = start
    for item in items:
        total += item
    return total


@public("builtins.any")
def any(items):
    """Whether an item of a tuple or array is true."""
    for item in items:
        if item:
            return True
    return False


@public("builtins.all")
def all(items):
    """Whether all items of a tuple or array are true."""
    for item in items:
        if not item:
            return False
    return True


@helper
def first(items):
    """The first item of an array or a range, which has one."""
    return items[0] if isinstance(items, np.ndarray) else items.start


@public("builtins.min")
def min_of(items):
    """Smallest item of an array or a range; ignores NaN."""
    least = first(items)
    for x in items:
        least = min(least, x)
    return least


@public("builtins.max")
def max_of(items):
    """Largest item of an array or a range; ignores NaN."""
    most = first(items)
    for x in items:
        most = max(most, x)
    return most
