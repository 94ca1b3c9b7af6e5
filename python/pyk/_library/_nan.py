# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reductions of arrays that leave NaN out."""

# Kernels have no annotations.
# mypy: ignore-errors

import math

import numpy as np

from pyk._library._arrays import as_inexact, first, fold, square
from pyk._library._choices import greater, less
from pyk._library._registry import helper, public


@helper
def add_known(total, x):
    return total + x if x == x else total


@helper
def multiply_known(product, x):
    return product * x if x == x else product


@helper
def count_known(number, x):
    return number + (1 if x == x else 0)


@helper
def least_known(least, x):
    return x if less(x, least) or least != least else least


@helper
def most_known(most, x):
    return x if greater(x, most) or most != most else most


@helper
def start(x):
    """A number, as an int64 if it is an integer."""
    return np.int64(x) if isinstance(x, np.integer) else +x


@public("numpy.nansum")
def nansum(a):
    """Sum without NaN, an int64 for integers."""
    return fold(add_known, start(a.dtype(0)), a)


@public("numpy.nanprod")
def nanprod(a):
    """Product without NaN, an int64 for integers."""
    return fold(multiply_known, start(a.dtype(1)), a)


@public("numpy.nanmean")
def nanmean(a):
    """Mean without NaN, a float64 or complex128."""
    total = fold(add_known, as_inexact(a.dtype(0)), a)
    return total / fold(count_known, 0, a)


@public("numpy.nanvar")
def nanvar(a):
    """Variance without NaN, a float64."""
    center = nanmean(a)
    squares = fold(
        lambda total, x: total + square(x - center) if x == x else total,
        0.0,
        a,
    )
    return squares / fold(count_known, 0, a)


@public("numpy.nanstd")
def nanstd(a):
    """Standard deviation without NaN, a float64."""
    return math.sqrt(nanvar(a))


@public("numpy.nanmin")
def nanmin(a):
    """Least element that is not NaN; NaN if all are, 0 of an empty array."""
    return fold(least_known, first(a), a)


@public("numpy.nanmax")
def nanmax(a):
    """Largest element that is not NaN; NaN if all are, 0 of an empty array."""
    return fold(most_known, first(a), a)
