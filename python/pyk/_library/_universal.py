# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What makes a function of numbers one of NumPy's universal functions.

`unary` and `binary` register what kernels call, which also takes an array for
the results: `np.add(a, b, out)` loops over it and stretches the arguments to
its shape.
"""

# Kernels have no annotations.
# mypy: ignore-errors

import numpy as np

from pyk._library._registry import helper, public


@helper
def item(x):
    """The element of an array without dimensions; others as they are."""
    if isinstance(x, np.ndarray):
        if x.ndim == 0:
            return x[()]
    return x


@helper
def part(x, i, out):
    """What `x` has for row `i` of `out`."""
    if isinstance(x, np.ndarray):
        if x.ndim == out.ndim:
            return x[i if x.shape[0] != 1 else 0]
    return item(x)


def unary(function, name=""):
    """Registers a function of one number."""
    name = name or function.__name__
    scalar = helper(function)

    @helper
    def each(x, out):
        if out.ndim == 0:
            out[()] = scalar(item(x))
            return
        for i in range(out.shape[0]):
            if out.ndim == 1:
                out[i] = scalar(part(x, i, out))
            else:
                each(part(x, i, out), out[i])

    def ufunc(x, out=None):
        if isinstance(out, np.ndarray):
            each(x, out)
            return out
        return scalar(item(x))

    ufunc.__doc__ = function.__doc__
    public(f"numpy.{name}")(ufunc)
    return scalar


def binary(function, name=""):
    """Registers a function of two numbers."""
    name = name or function.__name__
    scalar = helper(function)

    @helper
    def each(x, y, out):
        if out.ndim == 0:
            out[()] = scalar(item(x), item(y))
            return
        for i in range(out.shape[0]):
            if out.ndim == 1:
                out[i] = scalar(part(x, i, out), part(y, i, out))
            else:
                each(part(x, i, out), part(y, i, out), out[i])

    def ufunc(x, y, out=None):
        if isinstance(out, np.ndarray):
            each(x, y, out)
            return out
        return scalar(item(x), item(y))

    ufunc.__doc__ = function.__doc__
    public(f"numpy.{name}")(ufunc)
    return scalar
