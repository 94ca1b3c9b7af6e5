# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Device arrays, at the place where programs look for their class."""

from typing import Any

from pyk import _missing
from pyk.cuda._arrays import DeviceNDArray, DeviceRecord

__getattr__ = _missing.getter(__name__)

__all__ = ["DeviceNDArray", "DeviceRecord", "is_cuda_ndarray"]


def is_cuda_ndarray(obj: Any) -> bool:
    """Whether `obj` is an array of this library on a device."""
    return isinstance(obj, DeviceNDArray)
