# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""CUDA's functions of the bits of integers, and others of single numbers.

As Numba types them, but for what is 64 bits wide and signed: there `brev` would
lose the upper half.
"""

# Kernels have no annotations.
# mypy: ignore-errors

import numpy as np

from pyk._intrinsic import Intrinsic
from pyk._library._registry import helper, public
from pyk.types import bfloat16

# Each for 32 and for 64 bits.
libdevice = Intrinsic(
    "cuda.libdevice",
    *("ffs", "ffsll", "brev", "brevll"),
    *("cbrtf", "cbrt"),
)

_NARROW = (
    np.int8,
    np.uint8,
    np.int16,
    np.uint16,
    np.int32,
    np.uint32,
    np.bool_,
)


@helper
def bits_of(x):
    """The bits of an integer as an unsigned number of 32 or 64, to which a
    narrower one is converted.
    """
    if isinstance(x, _NARROW):
        return np.uint32(x)
    return np.uint64(x | x)  # refuses floats


@helper
def find_one(bits):
    if isinstance(bits, np.uint64):
        return libdevice.ffsll(bits)
    return libdevice.ffs(bits)


@helper
def reverse(bits):
    if isinstance(bits, np.uint64):
        return np.uint64(libdevice.brevll(bits))
    return np.uint32(libdevice.brev(bits))


@public("cuda.ffs")
def ffs(x):
    """Position of the lowest bit that is 1, from 1, or 0; as a uint32."""
    return np.uint32(find_one(bits_of(x)))


@public("cuda.brev")
def brev(x):
    """The bits in reverse order, as a uint32, of 64 bits as a uint64."""
    return reverse(bits_of(x))


@public("cuda.cbrt")
def cbrt(x):
    """Cube root."""
    if isinstance(x, (np.float16, np.float32, bfloat16)):
        return libdevice.cbrtf(x)
    return libdevice.cbrt(x)


@public("cuda.selp")
def selp(test, a, b):
    """`a` if the test is true, otherwise `b`."""
    return a if test else b
