# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reductions of arrays, each by the thread that asks for it.

Elements are visited in the order of their indices, as Numba does it, so a sum
of floats is rounded as a loop over them would round it.
"""

# Kernels have no annotations.
# mypy: ignore-errors

import math

import numpy as np

from pyk._library._choices import greater, less
from pyk._library._registry import helper, like, public, refuse

_INEXACT = (np.floating, np.complexfloating)
_TIMES = (np.datetime64, np.timedelta64)
_SCALARS = (bool, bytes, str, np.integer, *_INEXACT, *_TIMES)


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
    if less(x, least) or (x != x and least == least):
        least = x
        where = position
    return least, where, position + 1


@helper
def find_most(found, x):
    most, where, position = found
    if greater(x, most) or (x != x and most == most):
        most = x
        where = position
    return most, where, position + 1


@helper
def as_inexact(x):
    """A number as a float, if it is not complex."""
    return x if isinstance(x, np.complexfloating) else math.fabs(x)


@helper
def wide(x):
    """A number in 64 bits."""
    return 0 + x if isinstance(x, _INEXACT) else +x


@helper
def check_axis(a, axis):
    """Refuses an axis, but that of the one dimension of an array."""
    if axis is not None:
        if isinstance(a, np.ndarray) and a.ndim > 1:
            refuse(
                "an 'axis' of an array of several dimensions",
                "loop over the other axis, and take a row or a column each "
                "time, as in np.sum(a[:, j])",
            )
        axis >> 0
        (_,) = a.shape
        (0,)[axis]


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
def sum(a, axis=None, dtype=()):
    """Sum, in 64 bits for integers, or in a type."""
    check_axis(a, axis)
    if isinstance(dtype, tuple):
        return fold(add, +a.dtype(0), a)
    isinstance(a.dtype(0), dtype)  # refuses what is no class
    return dtype(fold(lambda total, x: total + dtype(x), +dtype(0), a))


@public("ndarray.prod", "numpy.prod")
def prod(a):
    """Product, in 64 bits for integers."""
    return fold(multiply, +a.dtype(1), a)


@public("ndarray.mean", "numpy.mean")
def mean(a):
    """Mean, a float64 or complex128; floats are added in their own type."""
    return fold(add, as_inexact(a.dtype(0)), a) / a.size


@public("numpy.average")
def average(a, axis=None, weights=None):
    """Mean; the weights are an array of the same shape."""
    check_axis(a, axis)
    if weights is None:
        return mean(a)
    total = as_inexact(a.dtype(0)) * weights.dtype(0)
    for x, weight in zip(a.flat, weights.flat):
        total += x * weight
    return total / sum(weights)


@public("ndarray.var", "numpy.var")
def var(a):
    """Variance, a float64."""
    center = mean(a)
    squares = fold(lambda total, x: total + square(x - center), 0.0, a)
    return squares / a.size


@public("ndarray.std", "numpy.std")
def std(a):
    """Standard deviation, a float64."""
    return math.sqrt(var(a))


@public("ndarray.min", "numpy.min", "numpy.amin")
def min(a):
    """Least element; NaN if one is NaN, 0 of an empty array."""
    return fold(find_least, (first(a), 0, 0), a)[0]


@public("ndarray.max", "numpy.max", "numpy.amax")
def max(a):
    """Largest element; NaN if one is NaN, 0 of an empty array."""
    return fold(find_most, (first(a), 0, 0), a)[0]


@public("ndarray.argmin", "numpy.argmin")
def argmin(a, axis=None):
    """Number of the least element, or of the first NaN."""
    check_axis(a, axis)
    return fold(find_least, (first(a), 0, 0), a)[1]


@public("ndarray.argmax", "numpy.argmax")
def argmax(a, axis=None):
    """Number of the largest element, or of the first NaN."""
    check_axis(a, axis)
    return fold(find_most, (first(a), 0, 0), a)[1]


@public("ndarray.ptp", "numpy.ptp")
def ptp(a):
    """Difference of largest and least element."""
    return like(max(a) - min(a), a.dtype(0))


@public("numpy.count_nonzero")
def count_nonzero(a, axis=None):
    """Number of elements that are not 0; 1 or 0 of a number."""
    check_axis(a, axis)
    if isinstance(a, np.ndarray):
        return fold(count, 0, a)
    abs(a)  # refuses what is no number
    return count(0, a)


@public("ndarray.any", "numpy.any")
def any(a):
    """Whether an element, or a number, is not 0."""
    return count_nonzero(a) != 0


@public("ndarray.all", "numpy.all")
def all(a):
    """Whether no element, or a number, is 0."""
    if isinstance(a, np.ndarray):
        return fold(count, 0, a) == a.size
    return any(a)


@public("numpy.dot", "numpy.inner")
def dot(a, b):
    """Sum of the products of two arrays of one dimension."""
    check_vectors(a, b)
    total = a.dtype(0) * b.dtype(0)
    for x, y in zip(a, b):
        total += x * y
    return total


@helper
def check_vectors(a, b):
    """Refuses arrays of several dimensions."""
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        if a.ndim > 1 or b.ndim > 1:
            refuse(
                "a product of arrays of several dimensions",
                "let each thread compute one element, as in c[i, j] = "
                "np.dot(a[i], b[:, j])",
            )


@helper
def conjugate(x):
    return x.conjugate() if isinstance(x, np.complexfloating) else x


@public("numpy.vdot")
def vdot(a, b):
    """Sum of the products of two arrays of one dimension; the numbers of the
    first are conjugated.
    """
    check_vectors(a, b)
    total = a.dtype(0) * b.dtype(0)
    for x, y in zip(a, b):
        total += conjugate(x) * y
    return total


@public("numpy.trace")
def trace(a, offset=0):
    """Sum along a diagonal of a matrix, in 64 bits; `offset` is that of its
    columns.
    """
    total = wide(a.dtype(0))
    offset = np.int64(offset >> 0)  # the operator refuses floats
    row = -offset if offset < 0 else 0
    column = offset if offset > 0 else 0
    rows, columns = a.shape
    while row < rows and column < columns:
        total += a[row, column]
        row += 1
        column += 1
    return total


@public("numpy.size")
def size(a):
    """Number of elements."""
    return a.size


@public("numpy.shape")
def shape(a):
    """Extents."""
    return a.shape


@public("numpy.asarray")
def asarray(a, dtype=None):
    """The array itself; a dtype must be its own."""
    a.ndim  # noqa: B018, refuses what is no array
    if dtype is None:
        return a
    # Arrays of two dtypes have no type in common.
    return a.view(dtype) if a.size < 0 else a


@public("numpy.flip")
def flip(m):
    """An array of at most two dimensions, backwards."""
    if m.ndim == 0:
        return m[()]
    if m.ndim == 1:
        return m[::-1]
    return m[::-1, ::-1]


@public("numpy.ndim")
def ndim(a):
    """Number of dimensions; 0 of a number."""
    if isinstance(a, tuple):
        return 1 + ndim(a[0])
    return a.ndim if isinstance(a, np.ndarray) else 0


@public("numpy.copyto")
def copyto(dst, src):
    """Stores values, stretched to the target's shape."""
    dst[...] = src


@public("numpy.isscalar")
def isscalar(element):
    """Whether the argument is a number, a time or a string."""
    return isinstance(element, _SCALARS)


@public("numpy.array_equal")
def array_equal(a1, a2):
    """Whether two numbers are equal, or the shapes and elements of arrays."""
    if not isinstance(a1, np.ndarray):
        return a1 == a2
    if a1.shape != a2.shape:
        return False
    for x, y in zip(a1.flat, a2.flat):
        if x != y:
            return False
    return True


@public("numpy.iscomplexobj")
def iscomplexobj(x):
    """Whether a number or an array's elements are complex."""
    if isinstance(x, np.ndarray):
        return iscomplexobj(x.dtype(0))
    if isinstance(x, tuple):
        return iscomplexobj(x[0])
    if x is None:
        return False
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
    count = len(bins)
    if count > 0 and bins[0] > bins[-1]:
        return count - find_place(bins[::-1], x, not right)
    return find_place(bins, x, not right)


@public("numpy.searchsorted")
def searchsorted(a, v, side="left"):
    """Number of the first element that is not less, in a sorted array; that is
    greater, if `side` is "right".
    """
    return find_place(a, v, side == "right")


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
    high = len(array)
    while low < high:
        middle = low + (high - low) // 2  # a sum may not fit
        if is_before(array[middle], value, is_behind):
            low = middle + 1
        else:
            high = middle
    return low
