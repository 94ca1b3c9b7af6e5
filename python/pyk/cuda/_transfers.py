# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Copies between host and device, of arrays that lie in memory in any way.

Both sides are NumPy arrays; that of the device has a device address, which
nobody may read. What lies together is copied in one piece; other elements of
the device are read with all that is between them, and written row by row.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from pyk._core import Stream
from pyk.cuda._devices import Device
from pyk.cuda._layout import (
    AnyArray,
    byte_count,
    checked_dtype,
    checked_shape,
    is_contiguous,
    span,
)
from pyk.cuda._memory import is_pinned
from pyk.cuda._streams import core_stream

#: The runtime's number of this direction.
_TO_DEVICE = 0


def array_at(
    address: int,
    shape: Any,
    dtype: Any,
    strides: Any = None,
    order: Any = "C",
) -> AnyArray:
    """A NumPy array at an address, which need not be one of the host's."""
    dtype = checked_dtype(dtype)
    shape = checked_shape(shape)
    if strides is None:
        found: AnyArray = np.ndarray(
            shape,
            dtype,
            bytes_at(address, byte_count(shape, dtype)),
            order=order,
        )
        return found
    low, high = span(shape, dtype, strides)
    memory = bytes_at(address + low, high - low)
    found = np.ndarray(shape, dtype, memory, offset=-low, strides=strides)
    return found


def bytes_at(address: int, count: int) -> Any:
    """Memory, for NumPy."""
    return (ctypes.c_char * count).from_address(address)


def check_compatible(first: AnyArray, second: Any) -> None:
    """Raises unless elements can be copied between two arrays as they lie."""
    if not isinstance(second, np.ndarray):
        raise TypeError(f"expects a NumPy array but got {type(second)}")
    if first.dtype != second.dtype:
        raise different("dtype", first.dtype, second.dtype)
    one, other = first.squeeze(), second.squeeze()
    if one.shape != other.shape:
        raise different("shape", first.shape, second.shape)
    if first.size and one.strides != other.strides:
        raise different("strides", first.strides, second.strides)


_SAME = {
    "dtype": "convert one by astype, or make it as np.empty(d.shape, d.dtype)",
    "shape": "reshape one, or make it as np.empty(d.shape, d.dtype)",
    "strides": "copy one by np.ascontiguousarray or np.asfortranarray",
}


def different(what: str, first: object, second: object) -> Exception:
    """What to raise for a copy between arrays that differ in `what`."""
    kind = TypeError if what == "dtype" else ValueError
    return kind(
        f"incompatible {what}: {first} vs. {second}; a copy needs arrays of "
        f"the same {what}: {_SAME[what]}"
    )


def same_layout(first: AnyArray, second: AnyArray) -> bool:
    """Whether a copy of contiguous memory is a copy of the elements."""
    return is_contiguous(first) and (
        first.squeeze().strides == second.squeeze().strides
    )


def address_of(array: AnyArray) -> int:
    """Of the first element."""
    return int(array.ctypes.data)


def copy_out(
    source: AnyArray, target: AnyArray, device: Device, stream: object
) -> None:
    """Copies from the device into an array of the host."""
    if not target.flags.writeable:
        raise ValueError("a copy to the host expects a writeable array")
    if source.size == 0:
        return
    if not same_layout(source, target):
        target[...] = to_host(source, device, stream).reshape(target.shape)
        return
    core = core_stream(stream, device)
    waits = not (stream and is_pinned(target))
    core.copy_to_host(
        address_of(target), address_of(source), source.nbytes, waits
    )


def to_host(source: AnyArray, device: Device, stream: object) -> AnyArray:
    """A new array of the host with the elements of one of the device."""
    if source.size == 0:
        return np.empty_like(source)
    core = core_stream(stream, device)
    if is_contiguous(source):
        found: AnyArray = np.empty_like(source)
        core.copy_to_host(
            address_of(found), address_of(source), source.nbytes, True
        )
        return found
    # All memory between the first element and the last.
    low, high = span(source.shape, source.dtype, source.strides)
    memory = np.empty(high - low, np.uint8)
    core.copy_to_host(
        address_of(memory), address_of(source) + low, high - low, True
    )
    spread: AnyArray = np.ndarray(
        source.shape, source.dtype, memory, offset=-low, strides=source.strides
    )
    copied: AnyArray = spread.copy()
    return copied


def copy_to_device(
    source: AnyArray, target: AnyArray, device: Device, stream: object
) -> None:
    """Copies an array of the host to one of the device of the same shape."""
    if target.size == 0:
        return
    core = core_stream(stream, device)
    if same_layout(target, source):
        waits = not (stream and is_pinned(source))
        core.copy_to_device(
            address_of(target), address_of(source), target.nbytes, waits
        )
        return
    if is_contiguous(target):
        order: Any = "C" if target.flags.c_contiguous else "F"
        copy_to_device(np.array(source, order=order), target, device, stream)
        return
    # The same elements in the order in which they lie.
    strides = enumerate(target.strides)
    back = tuple(axis for axis, stride in strides if stride < 0)
    source = np.ascontiguousarray(np.flip(source, back))
    _copy_rows(source, np.flip(target, back), core)


def _copy_rows(source: AnyArray, target: AnyArray, core: Stream) -> None:
    """Copies to elements that do not lie together, row by row.

    Elements of `target` are never touched: it is only cut into views.
    """
    if target.ndim > 2 or (
        target.ndim == 2 and target.strides[1] != target.itemsize
    ):
        for index in range(len(target)):
            _copy_rows(source[index], target[index], core)
        return
    row_bytes = target.itemsize
    if target.ndim == 2:
        row_bytes *= target.shape[1]
    pitch = target.strides[0]
    if len(target) > 1 and pitch < row_bytes:
        # Rows that overlap are no rows of a copy: one after the other.
        for index in range(len(target)):
            _copy_rows(
                source[index : index + 1], target[index : index + 1], core
            )
        return
    core.copy_rows(
        _TO_DEVICE,
        address_of(target),
        address_of(source),
        max(pitch, row_bytes),
        row_bytes,
        row_bytes,
        target.shape[0],
        True,
    )
