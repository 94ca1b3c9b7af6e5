# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reductions of arrays, each by the thread that asks for it.

Elements are visited in the order of their indices, as Numba does it, so a sum
of floats is rounded as a loop over them would round it. A helper that reduces
takes what was found so far, and calls itself for each row of an array of more
than one dimension.
"""

# Kernels have no annotations.
# mypy: ignore-errors

import math

import numpy as np

from pyk._library._registry import helper, like, public


@helper
def add_all(total, array):
    if array.ndim == 0:
        return total + array[()]
    elif array.ndim == 1:
        for x in array:
            total += x
        return total
    else:
        for row in array:
            total = add_all(total, row)
        return total


@helper
def multiply_all(product, array):
    if array.ndim == 0:
        return product * array[()]
    elif array.ndim == 1:
        for x in array:
            product *= x
        return product
    else:
        for row in array:
            product = multiply_all(product, row)
        return product


@helper
def add_squares(total, mean, array):
    if array.ndim == 0:
        return total + (array[()] - mean) ** 2
    elif array.ndim == 1:
        for x in array:
            total += (x - mean) ** 2
        return total
    else:
        for row in array:
            total = add_squares(total, mean, row)
        return total


@helper
def count_true(count, array):
    if array.ndim == 0:
        return count + (1 if array[()] else 0)
    elif array.ndim == 1:
        for x in array:
            if x:
                count += 1
        return count
    else:
        for row in array:
            count = count_true(count, row)
        return count


@helper
def find_least(least, where, position, array):
    """The least element, where it is, and the number of the next one; the first
    NaN is less than anything.
    """
    if array.ndim == 0:
        return least, where, position
    elif array.ndim == 1:
        for x in array:
            if x < least or (x != x and least == least):
                least = x
                where = position
            position += 1
        return least, where, position
    else:
        for row in array:
            least, where, position = find_least(least, where, position, row)
        return least, where, position


@helper
def find_most(most, where, position, array):
    if array.ndim == 0:
        return most, where, position
    elif array.ndim == 1:
        for x in array:
            if x > most or (x != x and most == most):
                most = x
                where = position
            position += 1
        return most, where, position
    else:
        for row in array:
            most, where, position = find_most(most, where, position, row)
        return most, where, position


@helper
def first(array):
    """The first element; 0 of an array that has none."""
    if array.size == 0:
        return array.dtype(0)
    return array.item()


@public("ndarray.sum", "numpy.sum")
def sum(array):
    """Sum, in 64 bits for integers."""
    return add_all(+array.dtype(0), array)


@public("ndarray.prod", "numpy.prod")
def prod(array):
    """Product, in 64 bits for integers."""
    return multiply_all(+array.dtype(1), array)


@public("ndarray.mean", "numpy.mean")
def mean(array):
    """Mean, a float64; floats are added in their own type."""
    return add_all(math.fabs(array.dtype(0)), array) / array.size


@public("ndarray.var", "numpy.var")
def var(array):
    """Variance, a float64."""
    return add_squares(0.0, mean(array), array) / array.size


@public("ndarray.std", "numpy.std")
def std(array):
    """Standard deviation, a float64."""
    return math.sqrt(var(array))


@public("ndarray.min", "numpy.min", "numpy.amin")
def min(array):
    """Least element; NaN if one is NaN, 0 of an empty array."""
    return find_least(first(array), 0, 0, array)[0]


@public("ndarray.max", "numpy.max", "numpy.amax")
def max(array):
    """Largest element; NaN if one is NaN, 0 of an empty array."""
    return find_most(first(array), 0, 0, array)[0]


@public("ndarray.argmin", "numpy.argmin")
def argmin(array):
    """Number of the least element, or of the first NaN."""
    return find_least(first(array), 0, 0, array)[1]


@public("ndarray.argmax", "numpy.argmax")
def argmax(array):
    """Number of the largest element, or of the first NaN."""
    return find_most(first(array), 0, 0, array)[1]


@public("ndarray.ptp", "numpy.ptp")
def ptp(array):
    """Difference of largest and least element."""
    return like(max(array) - min(array), array.dtype(0))


@public("numpy.count_nonzero")
def count_nonzero(array):
    """Number of elements that are not 0."""
    return count_true(0, array)


@public("ndarray.any", "numpy.any")
def any(array):
    """Whether an element is not 0."""
    return count_true(0, array) != 0


@public("ndarray.all", "numpy.all")
def all(array):
    """Whether no element is 0."""
    return count_true(0, array) == array.size


@public("numpy.dot", "numpy.vdot", "numpy.inner")
def dot(x, y):
    """Sum of the products of two arrays of one dimension."""
    total = x.dtype(0) * y.dtype(0)
    for a, b in zip(x, y):
        total += a * b
    return total


@public("numpy.trace")
def trace(array):
    """Sum along the diagonal of a matrix."""
    total = +array.dtype(0)
    rows, columns = array.shape
    for i in range(rows if rows < columns else columns):
        total += array[i, i]
    return total


@public("numpy.size")
def size(array):
    """Number of elements."""
    return array.size


@public("numpy.shape")
def shape(array):
    """Extents."""
    return array.shape


@public("numpy.ndim")
def ndim(array):
    """Number of dimensions; 0 of a number."""
    return array.ndim if isinstance(array, np.ndarray) else 0


@public("numpy.copyto")
def copyto(target, values):
    """Stores values, stretched to the target's shape."""
    target[...] = values


@public("numpy.searchsorted")
def searchsorted(array, value):
    """Number of the first element that is not less, in a sorted array."""
    low = 0
    high = array.size
    while low < high:
        middle = (low + high) // 2
        if array[middle] < value:
            low = middle + 1
        else:
            high = middle
    return low
