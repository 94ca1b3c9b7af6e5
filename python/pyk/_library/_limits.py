# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The limits of types that a program does not name: `np.finfo(a.dtype)`."""

# Kernels have no annotations.
# mypy: ignore-errors

import numpy as np

from pyk import _limits
from pyk._library._registry import helper, public

FLOAT16, FLOAT32, FLOAT64 = map(
    _limits.of_float, (np.float16, np.float32, np.float64)
)
INT8, INT16, INT32, INT64 = map(
    _limits.of_integer, (np.int8, np.int16, np.int32, np.int64)
)
UINT8, UINT16, UINT32, UINT64 = map(
    _limits.of_integer, (np.uint8, np.uint16, np.uint32, np.uint64)
)


@helper
def of_float(x):
    """The limits of the type of a float, or of a complex number's parts."""
    if isinstance(x, np.complexfloating):
        return of_float(x.real)
    elif isinstance(x, np.float16):
        return FLOAT16
    elif isinstance(x, np.float32):
        return FLOAT32
    elif isinstance(x, np.float64):
        return FLOAT64


@helper
def of_signed(x):
    if isinstance(x, np.int8):
        return INT8
    elif isinstance(x, np.int16):
        return INT16
    elif isinstance(x, np.int32):
        return INT32
    elif isinstance(x, np.int64):
        return INT64


@helper
def of_integer(x):
    """The limits of the type of an integer."""
    if isinstance(x, np.uint8):
        return UINT8
    elif isinstance(x, np.uint16):
        return UINT16
    elif isinstance(x, np.uint32):
        return UINT32
    elif isinstance(x, np.uint64):
        return UINT64
    else:
        return of_signed(x)


@public("numpy.finfo")
def finfo(dtype):
    """Limits of a dtype, or of the type of a number: a namedtuple."""
    if isinstance(dtype, (np.floating, np.complexfloating)):
        return of_float(dtype)
    else:
        return of_float(dtype(0))


@public("numpy.iinfo")
def iinfo(dtype):
    """Limits of a dtype, or of the type of an integer: a namedtuple."""
    if isinstance(dtype, np.integer):
        return of_integer(dtype)
    else:
        return of_integer(dtype(0))
