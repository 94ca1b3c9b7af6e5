# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""New device arrays: of the memory that a program asks for, or of a copy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pyk._boundary import public
from pyk.cuda import _devices
from pyk.cuda._arrays import (
    DeviceNDArray,
    as_device_array,
    check_contiguous,
    record_of,
)
from pyk.cuda._layout import (
    AnyArray,
    checked_bytes,
    checked_dtype,
    checked_shape,
    checked_strides,
    shadow,
    strides_of_copy,
)
from pyk.cuda._memory import DEVICE, as_host, check_host
from pyk.cuda._streams import core_stream
from pyk.cuda._transfers import array_at, copy_to_device


def _new(
    needed: int,
    shape: Any,
    dtype: Any,
    strides: Any,
    order: Any,
    stream: object,
) -> DeviceNDArray:
    """A device array in `needed` bytes."""
    device = _devices.current()
    core_stream(stream, device)
    resets = device.resets
    buffer = device._core.allocate(needed, DEVICE)
    shadow = array_at(buffer.device_address, shape, dtype, strides, order)
    made = DeviceNDArray(shadow, buffer, device, stream)
    if device.resets != resets:
        # By another thread, which did not find it.
        made._array = None
    return made


def new_like(array: AnyArray, stream: object) -> DeviceNDArray:
    """A device array of the dtype, shape and order of `array`."""
    strides = strides_of_copy(array)
    return _new(array.nbytes, array.shape, array.dtype, strides, "C", stream)


@public
def to_device(
    obj: Any,
    stream: object = 0,
    copy: bool = True,
    to: DeviceNDArray | None = None,
) -> DeviceNDArray:
    """A device array with the elements of `obj`, or `to` filled with them.

    >>> from pyk import cuda
    >>> cuda.to_device([1.0, 2.0]).copy_to_host()
    array([1., 2.])
    """
    if to is None:
        found = as_device_array(obj)
        if found is not None:
            return found
        check_host(obj)
        host = as_host(obj)
        if 0 in host.strides and host.size:
            # What is broadcast is copied once more.
            host = host.copy()
        check_contiguous(host)
        to = new_like(host, stream)
        if copy:
            copy_to_device(host, to._meta(), to._device, stream)
        return record_of(to) if isinstance(obj, np.void) else to
    if not isinstance(to, DeviceNDArray):
        raise TypeError(f"to= expects a device array but got {type(to)}")
    if copy:
        to.copy_to_device(obj, stream)
    return to


@public
def device_array(
    shape: Any,
    dtype: Any = np.float64,
    strides: Sequence[int] | None = None,
    order: Any = "C",
    stream: object = 0,
) -> DeviceNDArray:
    """A new device array: zeros on the CPU, on a GPU any values.

    >>> from pyk import cuda
    >>> cuda.device_array((2, 3)).shape
    (2, 3)
    """
    sizes = checked_shape(shape)
    dtype = checked_dtype(dtype)
    steps = checked_strides(sizes, strides)
    needed = checked_bytes(sizes, dtype, steps)
    return _new(needed, sizes, dtype, steps, order, stream)


@public
def device_array_like(ary: Any, stream: object = 0) -> DeviceNDArray:
    """A new device array of the shape, dtype and order of `ary`."""
    return new_like(shadow(ary), stream)
