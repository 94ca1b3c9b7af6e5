# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays as loops over all of their elements find them.

Shapes are those of NumPy's broadcasting. Of the dimensions of a loop, those
that can be one for all arrays become one: then no index has to be divided.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pyk.cuda import _arrays
from pyk.cuda._arrays import DeviceNDArray
from pyk.cuda._layout import AnyArray
from pyk.cuda._memory import check_host

Shape = tuple[int, ...]


def as_array(value: Any, what: str) -> Any:
    """What computes with `value`, `what` for messages: an array or a number."""
    if isinstance(value, (DeviceNDArray, np.generic)):
        return value
    if isinstance(value, np.ndarray):
        check_host(value, what)
        if type(value) is np.ndarray and value.ndim:
            return value
        return np.asarray(value)[()] if value.ndim == 0 else np.asarray(value)
    if _arrays.is_cuda_array(value):
        return _arrays.as_cuda_array(value)
    return np.asarray(value)[()]


def meta(array: Any) -> AnyArray:
    """Dtype, shape, strides and address of an array."""
    found: AnyArray = (
        array._meta() if isinstance(array, DeviceNDArray) else array
    )
    return found


def as_mask(where: Any) -> AnyArray:
    """The array of bool that is passed as `where`."""
    found: AnyArray = np.asarray(where)
    if found.dtype != bool:
        raise TypeError(
            f"where expects an array of bool but got one of {found.dtype}"
        )
    return found


def common_shape(name: str, shapes: Sequence[Shape]) -> Shape:
    """What shapes become together; `name` is the function's."""
    first = shapes[0] if shapes else ()
    if all(shape == first for shape in shapes):
        return first
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        raise ValueError(
            f"{name}: operands could not be broadcast together with shapes "
            f"{' '.join(map(str, shapes))}"
        ) from None


def broadcast_strides(own_shape: Shape, strides: Shape, shape: Shape) -> Shape:
    """Bytes between neighbours in the larger shape of a loop."""
    missing = len(shape) - len(own_shape)
    own = [
        0 if extent == 1 else stride
        for extent, stride in zip(own_shape, strides, strict=True)
    ]
    return (0,) * missing + tuple(own)


def merge(shape: Shape, strides: Sequence[Shape]) -> tuple[Shape, list[Shape]]:
    """A shape of as few dimensions as can be, and strides of arrays in it.

    The order of elements may be another one, the same for all arrays. There is
    at least one dimension.
    """
    axes = [axis for axis, extent in enumerate(shape) if extent != 1]
    # The last one varies fastest.
    axes.sort(key=lambda axis: [-abs(own[axis]) for own in strides])
    extents: list[int] = []
    merged: list[list[int]] = [[] for _ in strides]
    for axis in axes:
        extent = shape[axis]
        if extents and all(
            to[-1] == own[axis] * extent
            for to, own in zip(merged, strides, strict=True)
        ):
            extents[-1] *= extent
            for to, own in zip(merged, strides, strict=True):
                to[-1] = own[axis]
            continue
        extents.append(extent)
        for to, own in zip(merged, strides, strict=True):
            to.append(own[axis])
    if not extents:
        return (1,), [(0,) for _ in strides]
    return tuple(extents), [tuple(own) for own in merged]


def view(array: Any, shape: Shape, strides: Shape) -> Any:
    """An array of the same memory and class."""
    found = meta(array)
    if found.shape == shape and found.strides == strides:
        return array
    seen = np.lib.stride_tricks.as_strided(found, shape, strides)
    return array._view(seen) if isinstance(array, DeviceNDArray) else seen


def overlaps(source: AnyArray, target: AnyArray) -> bool:
    """Whether storing into `target` may change other elements of `source`
    than those that stand in the same place.
    """
    if not np.may_share_memory(source, target):
        return False
    return (
        source.ctypes.data != target.ctypes.data
        or source.shape != target.shape
        or source.strides != target.strides
        or source.dtype != target.dtype
    )
