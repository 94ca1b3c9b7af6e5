# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Host memory that devices reach: pinned, mapped and managed arrays.

All are NumPy arrays whose memory the runtime allocated. Pinned memory is
copied beside the host; mapped and managed arrays are also arguments of
kernels, without a copy.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from pyk._boundary import public
from pyk.cuda import _devices
from pyk.cuda._layout import (
    AnyArray,
    checked_bytes,
    checked_dtype,
    checked_shape,
    checked_strides,
    is_contiguous,
    shadow,
    strides_of_copy,
)

#: The runtime's kinds of memory.
DEVICE, PINNED, MAPPED, MANAGED = range(4)

#: Ranges of memory that the program has pinned itself: first byte and end.
_registered: dict[int, int] = {}


class HostArray(np.ndarray[tuple[int, ...], np.dtype[Any]]):
    """A NumPy array in memory that the runtime allocated."""

    #: The buffer, and the device address of its first byte minus the host's.
    _pyk_buffer: Any = None
    _pyk_offset: int = 0

    def __array_wrap__(
        self, array: Any, context: Any = None, return_scalar: bool = False
    ) -> Any:
        # What is computed from it lies in ordinary memory.
        plain = np.asarray(array).view(np.ndarray)
        return plain[()] if return_scalar or plain.ndim == 0 else plain

    def __array_finalize__(self, obj: Any) -> None:
        self._pyk_buffer = getattr(obj, "_pyk_buffer", None)
        self._pyk_offset = getattr(obj, "_pyk_offset", 0)


def is_pinned(array: AnyArray) -> bool:
    """Whether copies from and to `array` run beside the host."""
    if isinstance(array, HostArray):
        return _lies_in_buffer(array)
    if not _registered:
        return False
    first = int(array.ctypes.data)
    return any(
        start <= first and first + array.nbytes <= end
        for start, end in _registered.items()
    )


def _lies_in_buffer(array: HostArray) -> bool:
    """Whether it still shows the buffer's memory: a copy of it does not."""
    buffer = array._pyk_buffer
    if buffer is None:
        return False
    first = int(array.ctypes.data) - buffer.host_address
    last = buffer.bytes - (array.nbytes and array.itemsize)
    return bool(0 <= first <= last)


def device_view(array: HostArray) -> tuple[int, Any] | None:
    """Where kernels find a mapped or managed array, and its owner.

    None if they do not: a pinned array is copied like any other.
    """
    if not _lies_in_buffer(array) or not array._pyk_buffer.device_address:
        return None
    return int(array.ctypes.data) + array._pyk_offset, array._pyk_buffer


def _host_array(
    kind: int, shape: Any, dtype: Any, strides: Any, order: Any
) -> HostArray:
    device = _devices.current()
    dtype = checked_dtype(dtype)
    shape = checked_shape(shape)
    strides = checked_strides(shape, strides)
    needed = checked_bytes(shape, dtype, strides)
    buffer = device._core.allocate(needed, kind)
    memory: Any = (ctypes.c_char * needed).from_address(buffer.host_address)
    found: HostArray = HostArray(
        shape, dtype, memory, strides=strides, order=order
    )
    found._pyk_buffer = buffer
    if buffer.device_address:
        found._pyk_offset = buffer.device_address - buffer.host_address
    return found


@public
def pinned_array(
    shape: Any, dtype: Any = np.float64, strides: Any = None, order: Any = "C"
) -> HostArray:
    """A NumPy array in page-locked memory, whose elements are not set.

    >>> from pyk import cuda
    >>> a = cuda.pinned_array(3)
    >>> a[:] = 7
    >>> cuda.to_device(a).copy_to_host()
    array([7., 7., 7.])
    """
    return _host_array(PINNED, shape, dtype, strides, order)


def _like(kind: int, array: Any) -> HostArray:
    array = shadow(array)
    strides = strides_of_copy(array)
    return _host_array(kind, array.shape, array.dtype, strides, "C")


@public
def pinned_array_like(ary: AnyArray) -> HostArray:
    """A pinned array of the shape, dtype and order of `ary`."""
    return _like(PINNED, ary)


@public
def mapped_array(
    shape: Any,
    dtype: Any = np.float64,
    strides: Any = None,
    order: Any = "C",
    stream: object = 0,
    portable: bool = False,
    wc: bool = False,
) -> HostArray:
    """A NumPy array that kernels use where it is."""
    return _host_array(MAPPED, shape, dtype, strides, order)


@public
def mapped_array_like(
    ary: AnyArray,
    stream: object = 0,
    portable: bool = False,
    wc: bool = False,
) -> HostArray:
    """A mapped array of the shape, dtype and order of `ary`."""
    return _like(MAPPED, ary)


@public
def managed_array(
    shape: Any,
    dtype: Any = np.float64,
    strides: Any = None,
    order: Any = "C",
    stream: object = 0,
    attach_global: bool = True,
) -> HostArray:
    """A NumPy array whose memory moves between host and device by itself."""
    return _host_array(MANAGED, shape, dtype, strides, order)


@contextmanager
def pinned(*arylist: AnyArray) -> Iterator[None]:
    """Pins the memory of arrays within a `with` statement."""
    device = _devices.current()
    buffers = []
    starts = []
    try:
        for array in arylist:
            if not is_contiguous(array):
                raise ValueError("pinned expects contiguous arrays")
            start = int(array.ctypes.data)
            if array.nbytes:
                buffers.append(
                    device._core.register(start, array.nbytes, PINNED)
                )
                _registered[start] = start + array.nbytes
                starts.append(start)
        yield
    finally:
        # Copies that were queued need the memory pinned until they end.
        device._core.synchronize()
        for start in starts:
            _registered.pop(start, None)
        del buffers


@contextmanager
def mapped(*arylist: AnyArray, stream: object = 0) -> Iterator[Any]:
    """Device arrays of the memory of host arrays, within a `with` statement."""
    from pyk.cuda._arrays import DeviceNDArray, forget_memory
    from pyk.cuda._transfers import array_at

    device = _devices.current()
    found = []
    for array in arylist:
        if not is_contiguous(array):
            raise ValueError("mapped expects contiguous arrays")
        buffer = device._core.register(
            int(array.ctypes.data), array.nbytes, MAPPED
        )
        shadow = array_at(
            buffer.device_address, array.shape, array.dtype, array.strides
        )
        found.append(DeviceNDArray(shadow, (buffer, array), device, stream))
    yield found[0] if len(found) == 1 else found
    device._core.synchronize()
    for entry in found:
        forget_memory(entry._owner)
