# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reductions of arrays that leave NaN out."""

# Kernels have no annotations.
# mypy: ignore-errors

import math

from pyk._library._arrays import as_inexact, first, fold, square
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
    return x if x < least or least != least else least


@helper
def most_known(most, x):
    return x if x > most or most != most else most


@public("numpy.nansum")
def nansum(array):
    """Sum without NaN."""
    return fold(add_known, +array.dtype(0), array)


@public("numpy.nanprod")
def nanprod(array):
    """Product without NaN."""
    return fold(multiply_known, +array.dtype(1), array)


@public("numpy.nanmean")
def nanmean(array):
    """Mean without NaN, a float64 or complex128."""
    total = fold(add_known, as_inexact(array.dtype(0)), array)
    return total / fold(count_known, 0, array)


@public("numpy.nanvar")
def nanvar(array):
    """Variance without NaN, a float64."""
    center = nanmean(array)
    squares = fold(
        lambda total, x: total + square(x - center) if x == x else total,
        0.0,
        array,
    )
    return squares / fold(count_known, 0, array)


@public("numpy.nanstd")
def nanstd(array):
    """Standard deviation without NaN, a float64."""
    return math.sqrt(nanvar(array))


@public("numpy.nanmin")
def nanmin(array):
    """Least element that is not NaN; NaN if all are, 0 of an empty array."""
    return fold(least_known, first(array), array)


@public("numpy.nanmax")
def nanmax(array):
    """Largest element that is not NaN; NaN if all are, 0 of an empty array."""
    return fold(most_known, first(array), array)
