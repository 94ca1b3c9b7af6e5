# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Device arrays.

A device array holds a NumPy array at its device address, for everything that
does not touch elements (rationale/python-layer.md), and the buffer that owns
the memory. On the CPU that address is one of host memory, but a device array
is a copy there too, so that programs behave alike on every device.
"""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Iterator
from typing import Any

import numpy as np

from pyk._boundary import public
from pyk._core import Keeper
from pyk._options import options
from pyk._typeof import typeof
from pyk.cuda import _devices
from pyk.cuda._devices import Device
from pyk.cuda._host_arithmetic import HostArithmetic
from pyk.cuda._interfaces import describe
from pyk.cuda._layout import (
    AnyArray,
    array_interface,
    is_contiguous,
)
from pyk.cuda._memory import HostArray, as_host, check_host
from pyk.cuda._streams import core_stream, external_stream, is_unnamed
from pyk.cuda._transfers import (
    address_of,
    check_compatible,
    copy_out,
    copy_to_device,
    different,
    same_layout,
    to_host,
)

NOT_CONTIGUOUS = (
    "Array contains non-contiguous buffer and cannot be transferred as a "
    "single memory region. Please ensure contiguous buffer with numpy "
    ".ascontiguousarray()"
)


#: Arrays whose memory a reset of their device takes away.
_alive: weakref.WeakSet[DeviceNDArray] = weakref.WeakSet()


def _forget_arrays(device: Device) -> None:
    for array in list(_alive):
        if array._device is device:
            array._array = None


_devices.on_reset.append(_forget_arrays)


def living_arrays(device: Device) -> Iterator[tuple[DeviceNDArray, AnyArray]]:
    """Device arrays whose memory is there, and each as NumPy sees it."""
    for array in list(_alive):
        if array._array is not None and array._device is device:
            yield array, array._array


def forget_memory(owner: object) -> None:
    """Makes all arrays unusable whose memory `owner` kept."""
    for array in list(_alive):
        if array._owner is owner:
            array._array = None
            array._owner = None


class DeviceNDArray(HostArithmetic):
    """An array on a device; indexing gives views and elements.

    >>> from pyk import cuda
    >>> a = cuda.to_device([1, 2, 3])
    >>> a[1:].copy_to_host()
    array([2, 3])
    """

    __slots__ = ("__weakref__", "_array", "_device", "_owner", "stream")

    _array: Any

    def __init__(
        self, array: AnyArray, owner: object, device: Device, stream: object = 0
    ) -> None:
        #: At the device address; None once the memory is gone.
        self._array = array
        #: Keeps the memory.
        self._owner = owner
        self._device = device
        #: The stream on which transfers happen that name none.
        self.stream = stream
        _alive.add(self)

    def _meta(self) -> AnyArray:
        """The array as NumPy sees it; raises if its memory is gone."""
        if self._array is None:
            raise ValueError(
                "this device array was freed, with its device or at the end "
                "of a `with` statement; make a new one"
            )
        found: AnyArray = self._array
        return found

    def _stream_of(self, stream: object) -> object:
        """The stream of a transfer for which `stream` was passed."""
        return self.stream if is_unnamed(stream) else stream

    def _view(self, array: AnyArray) -> DeviceNDArray:
        view = DeviceNDArray(array, self._owner, self._device, self.stream)
        if self._array is None:
            # Another thread has freed it and did not find the view.
            view._array = None
        return view

    def __repr__(self) -> str:
        if self._array is None:
            return "<DeviceNDArray, freed>"
        return f"<DeviceNDArray shape={self.shape} dtype={self.dtype}>"

    def __copy__(self) -> DeviceNDArray:
        """The same memory, as of a view."""
        return type(self)(self._meta(), self._owner, self._device, self.stream)

    def __reduce__(self) -> str | tuple[Any, ...]:
        raise TypeError(
            "cannot pickle a device array, nor deepcopy one: its memory is of "
            "this process alone; take its copy_to_host()"
        )

    # What NumPy's arrays tell of themselves.

    @property
    def shape(self) -> tuple[int, ...]:
        return self._meta().shape

    @property
    def strides(self) -> tuple[int, ...]:
        return self._meta().strides

    @property
    def dtype(self) -> np.dtype[Any]:
        return self._meta().dtype

    @property
    def ndim(self) -> int:
        return self._meta().ndim

    @property
    def size(self) -> int:
        return self._meta().size

    @property
    def nbytes(self) -> int:
        return self._meta().nbytes

    @property
    def flags(self) -> Any:
        return self._meta().flags

    @property
    def T(self) -> DeviceNDArray:  # noqa: N802
        return self._view(self._meta().T)

    #: The type that signatures of kernels have for it.
    _numba_type_ = property(typeof)

    @property
    def device_pointer(self) -> int:
        """The device address of the first element."""
        return int(self._meta().ctypes.data)

    @property
    def device_ctypes_pointer(self) -> ctypes.c_void_p:
        """The same as ctypes has it."""
        return ctypes.c_void_p(self.device_pointer)

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        found = array_interface(self._meta(), self.device_pointer)
        if not is_unnamed(self.stream):
            # The default stream is 1 there: 0 would mean nothing.
            core = core_stream(self.stream, self._device)
            found["stream"] = core.handle or 1
        return found

    def __array__(
        self, dtype: Any = None, copy: bool | None = None
    ) -> AnyArray:
        """For NumPy: the elements, copied to the host in one piece."""
        if copy is False:
            raise ValueError(
                "a device array becomes a NumPy array by a copy only; pass "
                "copy=None"
            )
        host = to_host(self._meta(), self._device, self.stream)
        return host if dtype is None else host.astype(dtype, copy=False)

    def bind(self, stream: object = 0) -> DeviceNDArray:
        """The same array, with another stream for its transfers."""
        core_stream(stream, self._device)
        bound = self._view(self._meta())
        bound.stream = stream
        return bound

    def is_c_contiguous(self) -> bool:
        """Whether the elements lie in C order without gaps."""
        return self._meta().flags.c_contiguous

    def is_f_contiguous(self) -> bool:
        """Whether the elements lie in Fortran order without gaps."""
        return self._meta().flags.f_contiguous

    # Other shapes of the same memory.

    @public
    def reshape(self, *newshape: Any, order: Any = "C") -> DeviceNDArray:
        """The same elements in another shape, in the memory where they are.

        The array must be contiguous, and lie in memory in `order`.
        """
        shape = newshape[0] if len(newshape) == 1 else newshape
        return self._view(
            _in_place(self._without_copy("reshape"), shape, order)
        )

    @public
    def ravel(self, order: Any = "C", stream: object = 0) -> DeviceNDArray:
        """The same elements in one dimension."""
        array = self._without_copy("ravel")
        # Contiguous elements lie in memory as one of these two.
        return self._view(_in_place(array, -1, "A" if order == "K" else order))

    def _without_copy(self, what: str) -> AnyArray:
        """The metadata, if `what` need not move elements."""
        array = self._meta()
        if not is_contiguous(array):
            raise NotImplementedError(
                f"{what} needs a contiguous device array; copy it to one first"
            )
        return array

    @public
    def view(self, dtype: Any) -> DeviceNDArray:
        """The same memory, read as another dtype."""
        return self._view(self._meta().view(dtype))

    @public
    def squeeze(self, axis: Any = None, stream: object = 0) -> DeviceNDArray:
        """Without dimensions of one element."""
        return self._view(self._meta().squeeze(axis))

    @public
    def transpose(self, axes: Any = None) -> DeviceNDArray:
        """With the dimensions in another order."""
        return self._view(self._meta().transpose(axes))

    @public
    def split(
        self, section: int, stream: object = 0
    ) -> Iterator[DeviceNDArray]:
        """Pieces of `section` elements of a 1-D array."""
        if self.ndim != 1:
            raise ValueError(f"split expects a 1-D array but got {self.ndim}-D")
        if section < 1:
            raise ValueError(
                f"split expects pieces of 1 element or more but got {section}"
            )
        for start in range(0, self.size, section):
            yield self[start : start + section]

    # Elements.

    def __len__(self) -> int:
        return len(self._meta())

    def __iter__(self) -> Iterator[Any]:
        return (self[index] for index in range(len(self)))

    @public
    def __getitem__(self, index: Any) -> Any:
        """An element as a NumPy scalar, or a view as a device array."""
        return self._get(index, self.stream)

    @public
    def getitem(self, key: Any, stream: object = 0) -> Any:
        """The same as indexing, on `stream`."""
        return self._get(key, stream)

    def _indexed(self, index: Any) -> AnyArray:
        """A view of the metadata; an element is one of no dimensions."""
        names = self._meta().dtype.names
        if names is not None and isinstance(index, str):
            if index not in names:
                raise ValueError(
                    f"expects one of the fields {', '.join(names)} but got "
                    f"'{index}'"
                )
            field: AnyArray = self._meta()[index]
            return field
        if not _is_basic(index):
            raise NotImplementedError(
                "a device array expects integers, slices, ... and None as "
                f"indices but got {index!r}"
            )
        # With an ellipsis NumPy never reads an element.
        whole = index if isinstance(index, tuple) else (index,)
        if not any(part is Ellipsis for part in whole):
            whole = (*whole, Ellipsis)
        found: AnyArray = self._meta()[whole]
        return found

    def _get(self, index: Any, stream: object) -> Any:
        array = self._indexed(index)
        if array.ndim == 0 and array.dtype.names is not None:
            return record_of(self._view(array))
        if array.ndim == 0 and not _has_ellipsis(index):
            return to_host(array, self._device, stream)[()]
        return self._view(array)

    @public
    def __setitem__(self, index: Any, value: Any) -> None:
        self._set(index, value, self.stream)

    @public
    def setitem(self, key: Any, value: Any, stream: object = 0) -> None:
        """The same as an assignment to an index, on `stream`."""
        self._set(key, value, stream)

    def _set(self, index: Any, value: Any, stream: object) -> None:
        target = self._indexed(index)
        _check_writeable(target)
        there = as_device_array(value)
        if there is not None:
            value = to_host(there._meta(), there._device, stream)
        if np.ndim(value) > target.ndim:
            raise ValueError(
                f"Can't assign {np.ndim(value)}-D array to {target.ndim}-D self"
            )
        host = np.empty(target.shape, target.dtype)
        host[...] = value
        copy_to_device(host, target, self._device, stream)

    # Transfers.

    @public
    def copy_to_host(
        self, ary: AnyArray | None = None, stream: object = 0
    ) -> AnyArray:
        """A copy of the elements, in `ary` if that is given.

        Waits for the copy, unless `ary` is pinned and a stream is named.
        """
        array = self._meta()
        if ary is None:
            return to_host(array, self._device, self._stream_of(stream))
        check_host(ary)
        check_compatible(array, ary)
        copy_out(array, ary, self._device, self._stream_of(stream))
        return ary

    @public
    def copy_to_device(self, ary: Any, stream: object = 0) -> None:
        """Overwrites the elements with those of `ary`.

        Waits for the copy, unless `ary` is pinned or a device array.
        """
        target = self._meta()
        stream = self._stream_of(stream)
        source = as_device_array(ary)
        _check_writeable(target)
        check_contiguous(target)
        if source is not None:
            check_contiguous(source._meta())
            check_compatible(target, source._meta())
            _copy_on_device(source, self, stream)
            return
        check_host(ary)
        host = as_host(ary)
        if host.dtype != target.dtype:
            raise different("dtype", target.dtype, host.dtype)
        if host.squeeze().shape != target.squeeze().shape:
            raise different("shape", target.shape, host.shape)
        copy_to_device(host.reshape(target.shape), target, self._device, stream)


def check_contiguous(array: AnyArray) -> None:
    if array.size and not is_contiguous(array):
        raise ValueError(NOT_CONTIGUOUS)


def _in_place(array: AnyArray, shape: Any, order: Any) -> AnyArray:
    """The elements in another shape, where NumPy need not copy them.

    It would read memory of the device.
    """
    if not isinstance(order, str) or order.upper() not in ("C", "F", "A"):
        raise ValueError(f"order expects 'C', 'F' or 'A' but got {order!r}")
    is_fortran = order in "fF" or (order in "aA" and array.flags.fnc)
    flags = array.flags
    if not (flags.f_contiguous if is_fortran else flags.c_contiguous):
        raise NotImplementedError(
            f"shape {array.shape} becomes another one in order {order!r} only "
            "if elements move; copy them to a new device array for that"
        )
    result: AnyArray = array.reshape(shape, order="F" if is_fortran else "C")
    return result


def _is_basic(index: Any) -> bool:
    """Whether NumPy finds the part without reading elements."""
    parts = index if isinstance(index, tuple) else (index,)
    return all(
        part is None
        or part is Ellipsis
        or isinstance(part, slice)
        or (
            hasattr(part, "__index__")
            # NumPy before 2.4 gives its own bool an `__index__`, too.
            and not isinstance(part, (bool, np.bool_, np.ndarray))
        )
        for part in parts
    )


class DeviceRecord(DeviceNDArray):
    """One record on a device; its fields are read and assigned by name.

    >>> import numpy as np
    >>> from pyk import cuda
    >>> points = cuda.to_device(np.zeros(2, [("x", "f4"), ("y", "f4")]))
    >>> points[1]["y"] = 2.5
    >>> points.copy_to_host()["y"]
    array([0. , 2.5], dtype=float32)
    """

    __slots__ = ()

    def __repr__(self) -> str:
        if self._array is None:
            return "<DeviceRecord, freed>"
        return f"<DeviceRecord dtype={self.dtype}>"

    @public
    def copy_to_host(self, ary: Any = None, stream: object = 0) -> Any:
        """A copy of the record, as a NumPy record, or in `ary`."""
        if ary is None:
            host = to_host(self._meta(), self._device, self._stream_of(stream))
            return host[()]
        found = ary if isinstance(ary, np.ndarray) else np.asarray(ary)
        check_compatible(self._meta(), found)
        copy_out(self._meta(), found, self._device, self._stream_of(stream))
        return ary


def record_of(array: DeviceNDArray) -> DeviceRecord:
    return DeviceRecord(
        array._meta(), array._owner, array._device, array.stream
    )


def _has_ellipsis(index: Any) -> bool:
    parts = index if isinstance(index, tuple) else (index,)
    return any(part is Ellipsis for part in parts)


def _check_writeable(target: AnyArray) -> None:
    if not target.flags.writeable:
        raise ValueError(
            "a device array of memory that its owner lets nobody write (the "
            "read-only flag of its __cuda_array_interface__) cannot be written"
        )


def _copy_on_device(
    source: DeviceNDArray, target: DeviceNDArray, stream: object
) -> None:
    there, here = source._meta(), target._meta()
    if there.size == 0:
        return
    if same_layout(there, here) and source._device is target._device:
        core = core_stream(stream, target._device)
        core.copy_on_device(address_of(here), address_of(there), there.nbytes)
        return
    host = to_host(there, source._device, stream).reshape(here.shape)
    copy_to_device(host, here, target._device, stream)


# Arrays of other libraries.


def is_cuda_array(obj: Any) -> bool:
    """Whether `obj` is an array in device memory."""
    return hasattr(obj, "__cuda_array_interface__")


def as_device_array(obj: Any) -> DeviceNDArray | None:
    """`obj` as a device array, or None if it is none."""
    if isinstance(obj, DeviceNDArray):
        return obj
    # Host arrays that a device reaches are copied like all others.
    if not isinstance(obj, HostArray) and is_cuda_array(obj):
        return as_cuda_array(obj)
    return None


@public
def as_cuda_array(obj: Any, sync: bool = True) -> DeviceNDArray:
    """A device array of the memory of any object on a device, such as CuPy's.

    The object has `__cuda_array_interface__`, whose stream is waited for
    unless `sync` is false or the environment says so.
    """
    if isinstance(obj, DeviceNDArray):
        return obj
    if not is_cuda_array(obj):
        raise TypeError("*obj* doesn't implement the cuda array interface.")
    return from_cuda_array_interface(obj.__cuda_array_interface__, obj, sync)


@public
def from_cuda_array_interface(
    desc: dict[str, Any], owner: object = None, sync: bool = True
) -> DeviceNDArray:
    """A device array of what a `__cuda_array_interface__` describes.

    If that says that the memory is read-only, kernels that write to the array
    are refused, as are copies to it (ValueError).
    """
    array, stream = describe(desc)
    device = _devices.current()
    if owner is not None:
        owner = Keeper(owner, device._core)
    if stream is None:
        return DeviceNDArray(array, owner, device)
    own = external_stream(stream)
    if sync and options.array_interface_sync:
        own.synchronize()
    return DeviceNDArray(array, owner, device, own)
