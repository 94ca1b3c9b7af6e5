# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the compiler calls to search arrays and ranges; tuples and slices."""

# Kernels have no annotations.
# mypy: ignore-errors

import numpy as np

from pyk._library._registry import helper, public

# ===-------------------------------------------------------------------===
# `x in values`.
# ===-------------------------------------------------------------------===


@helper
def is_inside(numbers, x):
    """Whether `x` is in a range."""
    start, stop, step = numbers.start, numbers.stop, numbers.step
    if step > 0:
        if not start <= x < stop:
            return False
        distance = np.uint64(x) - np.uint64(start)
        return distance % np.uint64(step) == np.uint64(0)
    if not stop < x <= start:
        return False
    distance = np.uint64(start) - np.uint64(x)
    return distance % (np.uint64(0) - np.uint64(step)) == np.uint64(0)


@public("pyk.contains")
def contains(values, x):
    """Whether an element of an array or a range is equal to `x`."""
    if isinstance(values, range):
        if isinstance(x, np.floating):
            return x == int(x) and is_inside(values, int(x))
        return is_inside(values, int(x))
    elif values.ndim == 0:
        return values[()] == x
    elif values.ndim == 1:
        for value in values:
            if value == x:
                return True
        return False
    else:
        for row in values:
            if contains(row, x):
                return True
        return False


# ===-------------------------------------------------------------------===
# Tuples and slices.
# ===-------------------------------------------------------------------===


@public("pyk.tuple")
def tuple_of(items=()):
    """The items of a tuple of any kind."""
    return (*items,)


@helper
def clamp(bound, length, low, high):
    """A bound of a slice of `length` elements, from `low` to `high`."""
    if bound < 0:
        bound += length
    return min(max(bound, low), high)


@public("slice.indices")
def indices(part, length):
    """Start, stop and step of the elements that a slice has of `length`."""
    step = part.step
    if step < 0:
        low, high = -1, length - 1
    else:
        low, high = 0, length
    start = clamp(part.start, length, low, high)
    return start, clamp(part.stop, length, low, high), step
