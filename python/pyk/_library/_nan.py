# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reductions of arrays that leave NaN out."""

# Kernels have no annotations.
# mypy: ignore-errors

import math

from pyk._library._arrays import first
from pyk._library._registry import helper, public


@helper
def add_known(total, array):
    if array.ndim == 0:
        return total + array[()] if array[()] == array[()] else total
    elif array.ndim == 1:
        for x in array:
            if x == x:
                total += x
        return total
    else:
        for row in array:
            total = add_known(total, row)
        return total


@helper
def multiply_known(product, array):
    if array.ndim == 0:
        return product * array[()] if array[()] == array[()] else product
    elif array.ndim == 1:
        for x in array:
            if x == x:
                product *= x
        return product
    else:
        for row in array:
            product = multiply_known(product, row)
        return product


@helper
def count_known(count, array):
    if array.ndim == 0:
        return count + (1 if array[()] == array[()] else 0)
    elif array.ndim == 1:
        for x in array:
            if x == x:
                count += 1
        return count
    else:
        for row in array:
            count = count_known(count, row)
        return count


@helper
def add_known_squares(total, mean, array):
    if array.ndim == 0:
        square = (array[()] - mean) ** 2
        return total + square if square == square else total
    elif array.ndim == 1:
        for x in array:
            if x == x:
                total += (x - mean) ** 2
        return total
    else:
        for row in array:
            total = add_known_squares(total, mean, row)
        return total


@helper
def least_known(least, array):
    if array.ndim == 0:
        return least
    elif array.ndim == 1:
        for x in array:
            if x < least or least != least:
                least = x
        return least
    else:
        for row in array:
            least = least_known(least, row)
        return least


@helper
def most_known(most, array):
    if array.ndim == 0:
        return most
    elif array.ndim == 1:
        for x in array:
            if x > most or most != most:
                most = x
        return most
    else:
        for row in array:
            most = most_known(most, row)
        return most


@public("numpy.nansum")
def nansum(array):
    """Sum without NaN."""
    return add_known(+array.dtype(0), array)


@public("numpy.nanprod")
def nanprod(array):
    """Product without NaN."""
    return multiply_known(+array.dtype(1), array)


@public("numpy.nanmean")
def nanmean(array):
    """Mean without NaN, a float64."""
    return add_known(math.fabs(array.dtype(0)), array) / count_known(0, array)


@public("numpy.nanvar")
def nanvar(array):
    """Variance without NaN, a float64."""
    squares = add_known_squares(0.0, nanmean(array), array)
    return squares / count_known(0, array)


@public("numpy.nanstd")
def nanstd(array):
    """Standard deviation without NaN, a float64."""
    return math.sqrt(nanvar(array))


@public("numpy.nanmin")
def nanmin(array):
    """Least element that is not NaN; NaN if all are, 0 of an empty array."""
    return least_known(first(array), array)


@public("numpy.nanmax")
def nanmax(array):
    """Largest element that is not NaN; NaN if all are, 0 of an empty array."""
    return most_known(first(array), array)
