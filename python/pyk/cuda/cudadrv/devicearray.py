# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Device arrays, at the place where programs look for their class."""

from typing import Any

import numpy as np

from pyk import _missing
from pyk.cuda._arrays import (
    NOT_CONTIGUOUS,
    DeviceNDArray,
    DeviceRecord,
    as_cuda_array,
)
from pyk.cuda._creation import to_device

__getattr__ = _missing.getter(__name__)

__all__ = [
    "DeviceNDArray",
    "DeviceRecord",
    "array_core",
    "auto_device",
    "errmsg_contiguous_buffer",
    "is_contiguous",
    "is_cuda_ndarray",
]

errmsg_contiguous_buffer = NOT_CONTIGUOUS


def is_cuda_ndarray(obj: Any) -> bool:
    """Whether `obj` is an array of this library on a device."""
    return isinstance(obj, DeviceNDArray)


def auto_device(
    obj: Any, stream: object = 0, copy: bool = True, user_explicit: bool = False
) -> tuple[Any, bool]:
    """An array on the device for `obj`, and whether it is a new one."""
    if is_cuda_ndarray(obj):
        return obj, False
    if hasattr(obj, "__cuda_array_interface__"):
        return as_cuda_array(obj), False
    return to_device(np.asarray(obj), stream, copy), True


def array_core(ary: Any) -> Any:
    """The part of a broadcast array that is in memory once.

    >>> import numpy as np
    >>> array_core(np.broadcast_to(np.arange(3), (4, 3))).shape
    (3,)
    """
    if not ary.strides or not ary.size:
        return ary
    whole = slice(None)
    return ary[tuple(whole if stride else 0 for stride in ary.strides)]


def is_contiguous(ary: Any) -> bool:
    """Whether elements follow each other in C order, each counted once.

    Dimensions of one element and those that are broadcast have no say.
    """
    expected = ary.dtype.itemsize
    for extent, stride in zip(ary.shape[::-1], ary.strides[::-1], strict=True):
        if extent > 1 and stride:
            if stride != expected:
                return False
            expected *= extent
    return True
