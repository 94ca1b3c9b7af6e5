# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The limits of a type of numbers that the compiler knows, but the text does
not tell.
"""

# Kernels have no annotations.
# mypy: ignore-errors

import numpy as np

from pyk._library._registry import helper, public


@helper
def float_limits(x):
    """The limits of the type of a float, or of the parts of a complex."""
    if isinstance(x, np.complexfloating):
        return float_limits(x.real)
    if isinstance(x, np.float16):
        return np.finfo(np.float16)
    if isinstance(x, np.float32):
        return np.finfo(np.float32)
    if isinstance(x, np.float64):
        return np.finfo(np.float64)
    return x.eps  # refuses other types


@helper
def integer_limits(x):
    """The limits of the type of an integer."""
    if isinstance(x, np.int8):
        return np.iinfo(np.int8)
    if isinstance(x, np.int16):
        return np.iinfo(np.int16)
    if isinstance(x, np.int32):
        return np.iinfo(np.int32)
    if isinstance(x, np.int64):
        return np.iinfo(np.int64)
    if isinstance(x, np.uint8):
        return np.iinfo(np.uint8)
    if isinstance(x, np.uint16):
        return np.iinfo(np.uint16)
    if isinstance(x, np.uint32):
        return np.iinfo(np.uint32)
    if isinstance(x, np.uint64):
        return np.iinfo(np.uint64)
    return x.max  # refuses other types


_NUMBERS = (np.integer, np.floating, np.complexfloating)


@public("numpy.finfo")
def finfo(dtype):
    """Limits of a type of floats, or of that of what is given."""
    if isinstance(dtype, _NUMBERS):
        return float_limits(dtype)
    if isinstance(dtype, np.ndarray):
        return finfo(dtype.dtype)
    isinstance(0, dtype)  # refuses what is no class
    return float_limits(dtype(0))


@public("numpy.iinfo")
def iinfo(int_type):
    """Limits of a type of integers, or of that of what is given."""
    if isinstance(int_type, _NUMBERS):
        return integer_limits(int_type)
    if isinstance(int_type, np.ndarray):
        return iinfo(int_type.dtype)
    isinstance(0, int_type)  # refuses what is no class
    return integer_limits(int_type(0))
