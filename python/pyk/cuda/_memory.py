# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Host memory that devices reach: pinned, mapped and managed arrays.

All are NumPy arrays whose memory the runtime allocated. Pinned memory is
copied beside the host; mapped and managed arrays are also arguments of
kernels, without a copy.
"""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from pyk._boundary import public
from pyk.cuda import _devices
from pyk.cuda._layout import (
    AnyArray,
    array_interface,
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


class _Memory(NamedTuple):
    """Memory of the host that a device knows."""

    buffer: Any
    kind: int
    device: _devices.Device
    #: How often the device had been reset when it was made.
    resets: int

    @property
    def is_freed(self) -> bool:
        """Whether a reset of the device has taken it away."""
        return self.resets != self.device.resets


#: Memory that the program has pinned itself, by its first byte.
_registered: dict[int, _Memory] = {}


class HostArray(np.ndarray[tuple[int, ...], np.dtype[Any]]):
    """A NumPy array in memory that the runtime allocated."""

    _pyk_memory: _Memory | None = None

    def __array_wrap__(
        self, array: Any, context: Any = None, return_scalar: bool = False
    ) -> Any:
        # What is computed from it lies in ordinary memory.
        plain = np.asarray(array).view(np.ndarray)
        return plain[()] if return_scalar or plain.ndim == 0 else plain

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        """As of a device array, if kernels use this memory where it is."""
        view = device_view(self)
        if view is None:
            raise AttributeError(
                "only mapped and managed arrays have a "
                "__cuda_array_interface__; copy this one with cuda.to_device"
            )
        check_host(self)
        return array_interface(self, view[0])

    def __array_finalize__(self, obj: Any) -> None:
        self._pyk_memory = getattr(obj, "_pyk_memory", None)


def as_host(obj: Any) -> AnyArray:
    """`obj` as an array of NumPy, or of the runtime's memory if it is one."""
    return obj if isinstance(obj, HostArray) else np.asarray(obj)


#: Mapped and managed arrays.
_reachable: weakref.WeakValueDictionary[int, HostArray] = (
    weakref.WeakValueDictionary()
)


def is_pinned(array: AnyArray) -> bool:
    """Whether copies from and to `array` run beside the host."""
    if isinstance(array, HostArray):
        return _memory_of(array) is not None
    if not _registered:
        return False
    first = int(array.ctypes.data)
    return any(
        start <= first
        and first + array.nbytes <= start + memory.buffer.bytes
        and not memory.is_freed
        for start, memory in _registered.items()
    )


def _memory_of(array: HostArray) -> _Memory | None:
    """The memory that it still shows; a copy of it shows none."""
    memory = array._pyk_memory
    if memory is None:
        return None
    buffer = memory.buffer
    first = int(array.ctypes.data) - buffer.host_address
    last = buffer.bytes - (array.nbytes and array.itemsize)
    return memory if 0 <= first <= last else None


def check_host(array: Any, what: str = "this array") -> None:
    """Raises if `array` is in memory that is gone; `what` is its name."""
    if not isinstance(array, HostArray):
        return
    memory = _memory_of(array)
    if memory is not None and memory.is_freed:
        raise ValueError(
            f"{what} is in pinned, mapped or managed memory that was freed "
            "with its device; make a new one"
        )


def device_view(array: HostArray) -> tuple[int, Any] | None:
    """Where kernels find a mapped or managed array, and its owner.

    None if they do not: a pinned array is copied like any other.
    """
    memory = _memory_of(array)
    if memory is None or memory.kind == PINNED:
        return None
    buffer = memory.buffer
    offset = int(array.ctypes.data) - buffer.host_address
    return buffer.device_address + offset, buffer


def _host_array(
    kind: int, shape: Any, dtype: Any, strides: Any, order: Any
) -> HostArray:
    device = _devices.current()
    dtype = checked_dtype(dtype)
    shape = checked_shape(shape)
    strides = checked_strides(shape, strides)
    needed = checked_bytes(shape, dtype, strides)
    resets = device.resets
    memory = _Memory(device._core.allocate(needed, kind), kind, device, resets)
    address = memory.buffer.host_address
    data: Any = (ctypes.c_char * needed).from_address(address)
    found: HostArray = HostArray(
        shape, dtype, data, strides=strides, order=order
    )
    found._pyk_memory = memory
    if kind != PINNED:
        _reachable[id(found)] = found
    return found


def reachable_arrays(
    device: _devices.Device,
) -> Iterator[tuple[int, HostArray]]:
    """Mapped and managed arrays of `device`, behind their addresses there."""
    for array in list(_reachable.values()):
        memory = array._pyk_memory
        view = device_view(array)
        if view and memory and not memory.is_freed and memory.device is device:
            yield view[0], array


@public
def pinned_array(
    shape: Any, dtype: Any = np.float64, strides: Any = None, order: Any = "C"
) -> HostArray:
    """A NumPy array in page-locked memory: zeros on the CPU.

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


def check_region(array: Any, what: str) -> None:
    """Raises unless `what` can take the memory of an array in one piece."""
    if not isinstance(array, np.ndarray):
        raise TypeError(f"{what} expects NumPy arrays but got {type(array)}")
    if not is_contiguous(array):
        raise ValueError(f"{what} expects contiguous arrays")
    check_host(array)


@contextmanager
def pinned(*arylist: AnyArray) -> Iterator[None]:
    """Pins the memory of arrays within a `with` statement."""
    device = _devices.current()
    starts = []
    try:
        for array in arylist:
            check_region(array, "pinned")
            start = int(array.ctypes.data)
            if array.nbytes:
                resets = device.resets
                buffer = device._core.register(start, array.nbytes, PINNED)
                _registered[start] = _Memory(buffer, PINNED, device, resets)
                starts.append(start)
        yield
    finally:
        # Copies that were queued need the memory pinned until they end.
        try:
            device._core.synchronize()
        finally:
            for start in starts:
                _registered.pop(start, None)
