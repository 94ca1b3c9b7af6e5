# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shapes, strides and dtypes that programs ask for, checked.

Every maker of arrays in device or pinned memory goes by these, so that a
mistake is the same error everywhere and no array reaches beyond its memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

AnyArray = np.ndarray[tuple[int, ...], np.dtype[Any]]


def is_contiguous(array: AnyArray) -> bool:
    """Whether the elements lie together, in either order."""
    return bool(array.flags.c_contiguous or array.flags.f_contiguous)


def shadow(array: Any) -> AnyArray:
    """What has the dtype, shape and strides of a host or device array."""
    return array._meta() if hasattr(array, "_meta") else np.asarray(array)


def strides_of_copy(array: AnyArray) -> tuple[int, ...] | None:
    """The strides that NumPy gives to a copy of `array`, in its order."""
    return np.empty_like(array).strides if array.size else None


def array_interface(array: AnyArray, address: int) -> dict[str, Any]:
    """`__cuda_array_interface__` of such an array at a device address.

    It names no stream: whoever uses the array need not wait for one.
    """
    return {
        "shape": array.shape,
        "strides": None if array.flags.c_contiguous else array.strides,
        "data": (address if array.size else 0, not array.flags.writeable),
        "typestr": array.dtype.str,
        "descr": array.dtype.descr,
        "stream": None,
        "version": 3,
    }


def checked_dtype(dtype: Any) -> np.dtype[Any]:
    """`dtype` as NumPy has it; Python objects cannot be on a device."""
    found: np.dtype[Any] = np.dtype(dtype)
    if found.hasobject:
        raise ValueError(
            f"an array for a device cannot hold Python objects (dtype {found})"
        )
    return found


def checked_shape(shape: Any) -> tuple[int, ...]:
    """A shape as a tuple of ints."""
    if isinstance(shape, np.ndarray):
        if shape.dtype.kind not in "iu":
            raise TypeError(
                f"expects a shape of ints but got an array of {shape.dtype}"
            )
        shape = shape.tolist()
    sizes = shape if isinstance(shape, (tuple, list)) else (shape,)
    found = []
    for size in sizes:
        if not hasattr(size, "__index__"):
            raise TypeError(f"expects a shape of ints but got {shape!r}")
        found.append(int(size))
        if found[-1] < 0:
            raise ValueError(f"expects a shape of ints >= 0 but got {shape!r}")
    return tuple(found)


def checked_strides(
    shape: tuple[int, ...], strides: Any
) -> tuple[int, ...] | None:
    """Strides, in bytes, as a tuple of ints, one for each dimension."""
    if strides is None:
        return None
    steps = strides if isinstance(strides, (tuple, list)) else (strides,)
    if len(steps) != len(shape) or not all(
        hasattr(step, "__index__") and int(step) >= 0 for step in steps
    ):
        raise ValueError(
            f"expects strides of {len(shape)} ints >= 0, in bytes, but got "
            f"{strides!r}"
        )
    return tuple(int(step) for step in steps)


def byte_count(shape: Sequence[int], dtype: np.dtype[Any]) -> int:
    """Bytes of an array whose elements lie together."""
    count = dtype.itemsize
    for size in shape:
        count *= size
    return count


def span(
    shape: Sequence[int], dtype: np.dtype[Any], strides: Sequence[int]
) -> tuple[int, int]:
    """Where, from the first element, the memory of an array begins and ends."""
    if 0 in shape:
        return 0, 0
    low = high = 0
    for extent, stride in zip(shape, strides, strict=True):
        reach = (extent - 1) * stride
        low += min(reach, 0)
        high += max(reach, 0)
    return low, high + dtype.itemsize


def without_repetition(array: AnyArray) -> AnyArray:
    """A view of `array` that has one element where it has many by stride 0."""
    if 0 not in array.strides:
        return array
    return array[
        tuple(
            slice(0, 1) if stride == 0 else slice(None)
            for stride in array.strides
        )
    ]


def checked_bytes(
    shape: tuple[int, ...],
    dtype: np.dtype[Any],
    strides: tuple[int, ...] | None,
) -> int:
    """How many bytes a new array needs."""
    if strides is None:
        needed = byte_count(shape, dtype)
    else:
        needed = span(shape, dtype, strides)[1]
    if needed >= 2**63:
        raise ValueError(
            f"an array of shape {shape} and dtype {dtype} is larger than any "
            "memory"
        )
    return needed
