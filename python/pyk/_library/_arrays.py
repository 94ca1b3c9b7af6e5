# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reductions of arrays, each by the thread that asks for it.

Elements are visited in the order of their indices, as Numba does it, so a sum
of floats is rounded as a loop over them would round it.
"""

# Kernels have no annotations.
# mypy: ignore-errors

import math

import numpy as np

from pyk._library._registry import helper, like, public


@helper
def fold(step, found, array):
    """What `step` makes of `found` and each element, one after another."""
    if array.ndim == 0:
        return step(found, array[()])
    elif array.ndim == 1:
        for x in array:
            found = step(found, x)
        return found
    else:
        for row in array:
            found = fold(step, found, row)
        return found


@helper
def add(total, x):
    return total + x


@helper
def multiply(product, x):
    return product * x


@helper
def count(number, x):
    return number + (1 if x else 0)


@helper
def find_least(found, x):
    """The least element, where it is, and the number of the next one; the first
    NaN is less than anything.
    """
    least, where, position = found
    if x < least or (x != x and least == least):
        least = x
        where = position
    return least, where, position + 1


@helper
def find_most(found, x):
    most, where, position = found
    if x > most or (x != x and most == most):
        most = x
        where = position
    return most, where, position + 1


@helper
def as_inexact(x):
    """A number as a float, if it is not complex."""
    return x if isinstance(x, np.complexfloating) else math.fabs(x)


@helper
def square(x):
    """The square of a number or of its size."""
    return x.real**2 + x.imag**2 if isinstance(x, np.complexfloating) else x**2


@helper
def first(array):
    """The first element; 0 of an array that has none."""
    if array.size == 0:
        return array.dtype(0)
    return array.item()


@public("ndarray.sum", "numpy.sum")
def sum(array, dtype=None):
    """Sum, in 64 bits for integers, or in a type."""
    if dtype is None:
        return fold(add, +array.dtype(0), array)
    isinstance(array.dtype(0), dtype)  # refuses what is no class
    return dtype(fold(lambda total, x: total + dtype(x), +dtype(0), array))


@public("ndarray.prod", "numpy.prod")
def prod(array):
    """Product, in 64 bits for integers."""
    return fold(multiply, +array.dtype(1), array)


@public("ndarray.mean", "numpy.mean", "numpy.average")
def mean(array):
    """Mean, a float64 or complex128; floats are added in their own type."""
    return fold(add, as_inexact(array.dtype(0)), array) / array.size


@public("ndarray.var", "numpy.var")
def var(array):
    """Variance, a float64."""
    center = mean(array)
    squares = fold(lambda total, x: total + square(x - center), 0.0, array)
    return squares / array.size


@public("ndarray.std", "numpy.std")
def std(array):
    """Standard deviation, a float64."""
    return math.sqrt(var(array))


@public("ndarray.min", "numpy.min", "numpy.amin")
def min(array):
    """Least element; NaN if one is NaN, 0 of an empty array."""
    return fold(find_least, (first(array), 0, 0), array)[0]


@public("ndarray.max", "numpy.max", "numpy.amax")
def max(array):
    """Largest element; NaN if one is NaN, 0 of an empty array."""
    return fold(find_most, (first(array), 0, 0), array)[0]


@public("ndarray.argmin", "numpy.argmin")
def argmin(array):
    """Number of the least element, or of the first NaN."""
    return fold(find_least, (first(array), 0, 0), array)[1]


@public("ndarray.argmax", "numpy.argmax")
def argmax(array):
    """Number of the largest element, or of the first NaN."""
    return fold(find_most, (first(array), 0, 0), array)[1]


@public("ndarray.ptp", "numpy.ptp")
def ptp(array):
    """Difference of largest and least element."""
    return like(max(array) - min(array), array.dtype(0))


@public("numpy.count_nonzero")
def count_nonzero(array):
    """Number of elements that are not 0."""
    return fold(count, 0, array)


@public("ndarray.any", "numpy.any")
def any(array):
    """Whether an element is not 0."""
    return fold(count, 0, array) != 0


@public("ndarray.all", "numpy.all")
def all(array):
    """Whether no element is 0."""
    return fold(count, 0, array) == array.size


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


@public("numpy.asarray")
def asarray(array):
    """The array itself."""
    array.ndim  # noqa: B018, refuses what is no array
    return array


@public("numpy.ndim")
def ndim(array):
    """Number of dimensions; 0 of a number."""
    return array.ndim if isinstance(array, np.ndarray) else 0


@public("numpy.copyto")
def copyto(target, values):
    """Stores values, stretched to the target's shape."""
    target[...] = values


@public("numpy.iscomplexobj")
def iscomplexobj(x):
    """Whether a number or an array's elements are complex."""
    if isinstance(x, np.ndarray):
        return iscomplexobj(x.dtype(0))
    abs(x)  # refuses what is no number
    return isinstance(x, np.complexfloating)


@public("numpy.isrealobj")
def isrealobj(x):
    """Whether neither a number nor an array's elements are complex."""
    return not iscomplexobj(x)


@public("numpy.digitize")
def digitize(x, bins, right=False):
    """Number of the bin of a number, with growing or falling bounds; `right`
    says whether the right bound belongs to it.
    """
    count = bins.size
    if count > 0 and bins[0] > bins[-1]:
        return count - find_place(bins[::-1], x, not right)
    return find_place(bins, x, not right)


@public("numpy.searchsorted")
def searchsorted(array, value, side="left"):
    """Number of the first element that is not less, in a sorted array; that is
    greater, if `side` is "right".
    """
    return find_place(array, value, side == "right")


@helper
def is_before(x, y, is_behind):
    """Whether `y` has its place behind `x`; NaN has it behind all others."""
    if y != y:
        return x == x or is_behind
    return x < y or (is_behind and x == y)


@helper
def find_place(array, value, is_behind):
    """Where to put a number in a sorted array, before or behind its equals."""
    low = 0
    high = array.size
    while low < high:
        middle = (low + high) // 2
        if is_before(array[middle], value, is_behind):
            low = middle + 1
        else:
            high = middle
    return low
