# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Device arrays of the CPU target.

The device's memory is the host's, but a device array is still a copy: writes
of a kernel become visible in a host array through `copy_to_host` only, as on
a GPU, so programs behave alike on both.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

AnyArray = np.ndarray[tuple[int, ...], np.dtype[Any]]


class DeviceNDArray:
    """An array on the device.

    >>> from pyk import cuda
    >>> a = cuda.to_device([1, 2, 3])
    >>> a[1:].copy_to_host()
    array([2, 3])
    """

    def __init__(self, array: AnyArray) -> None:
        #: The memory, as kernels get it.
        self.array = array

    def __repr__(self) -> str:
        return f"<DeviceNDArray shape={self.shape} dtype={self.dtype}>"

    @property
    def shape(self) -> tuple[int, ...]:
        return self.array.shape

    @property
    def strides(self) -> tuple[int, ...]:
        return self.array.strides

    @property
    def dtype(self) -> np.dtype[Any]:
        return self.array.dtype

    @property
    def ndim(self) -> int:
        return self.array.ndim

    @property
    def size(self) -> int:
        return self.array.size

    @property
    def nbytes(self) -> int:
        return self.array.nbytes

    @property
    def T(self) -> DeviceNDArray:  # noqa: N802
        return DeviceNDArray(self.array.T)

    def __len__(self) -> int:
        return len(self.array)

    def __getitem__(self, index: Any) -> Any:
        """An element as a NumPy scalar, or a view as a device array."""
        found = self.array[index]
        return DeviceNDArray(found) if isinstance(found, np.ndarray) else found

    def __setitem__(self, index: Any, value: Any) -> None:
        self.array[index] = _host(value)

    def is_c_contiguous(self) -> bool:
        """Whether the elements lie in C order without gaps."""
        return self.array.flags.c_contiguous

    def is_f_contiguous(self) -> bool:
        """Whether the elements lie in Fortran order without gaps."""
        return self.array.flags.f_contiguous

    def reshape(self, *shape: Any, order: Any = "C") -> DeviceNDArray:
        """The same elements in another shape."""
        return DeviceNDArray(self.array.reshape(*shape, order=order))

    def ravel(self, order: Any = "C", stream: object = 0) -> DeviceNDArray:
        """The same elements in one dimension."""
        return DeviceNDArray(self.array.ravel(order))

    def copy_to_host(
        self, ary: AnyArray | None = None, stream: object = 0
    ) -> AnyArray:
        """A copy of the elements, in `ary` if that is given."""
        if ary is None:
            ary = np.empty_like(self.array)
        _copy(self.array, ary)
        return ary

    def copy_to_device(self, ary: Any, stream: object = 0) -> None:
        """Overwrites the elements with those of `ary`."""
        _copy(np.asarray(_host(ary)), self.array)


def _host(value: Any) -> Any:
    return value.array if isinstance(value, DeviceNDArray) else value


def _copy(source: AnyArray, target: AnyArray) -> None:
    if source.shape != target.shape:
        raise ValueError(
            f"a copy expects shape {target.shape} but got {source.shape}"
        )
    if source.dtype != target.dtype:
        raise TypeError(
            f"a copy expects dtype {target.dtype} but got {source.dtype}"
        )
    np.copyto(target, source)


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
    if to is not None:
        to.copy_to_device(obj)
        return to
    host = np.asarray(_host(obj))
    if not copy:
        return device_array_like(host)
    return DeviceNDArray(host.copy(order="K"))


def device_array(
    shape: int | Sequence[int],
    dtype: Any = np.float64,
    strides: Sequence[int] | None = None,
    order: Any = "C",
    stream: object = 0,
) -> DeviceNDArray:
    """A new device array. Its elements are zero, which is not promised.

    >>> from pyk import cuda
    >>> cuda.device_array((2, 3)).shape
    (2, 3)
    """
    if strides is not None:
        raise NotImplementedError(
            "device_array does not take strides yet; expects order='C' or 'F'"
        )
    return DeviceNDArray(np.zeros(shape, dtype, order))


def device_array_like(ary: Any, stream: object = 0) -> DeviceNDArray:
    """A new device array of the shape, dtype and order of `ary`."""
    return DeviceNDArray(np.zeros_like(_host(ary)))
