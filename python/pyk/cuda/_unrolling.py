# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops over tuples of several types, as Numba has programs write them."""

from typing import TypeVar

_Container = TypeVar("_Container")


def literal_unroll(container: _Container) -> _Container:
    """For a loop over a tuple of several types; the tuple itself.

    In a kernel, the body of the loop is compiled for each item.

    >>> import numpy as np
    >>> from pyk import cuda
    >>> @cuda.jit
    ... def total(out):
    ...     for x in cuda.literal_unroll((1, 2.5, True)):
    ...         out[0] += x
    >>> out = np.zeros(1)
    >>> total[1, 1](out)
    >>> out
    array([4.5])
    """
    return container
