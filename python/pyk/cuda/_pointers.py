# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Addresses that launches pass where signatures declare pointers.

An address is one in an array of the device; the kernel gets what lies there,
and what else is in that array counts as memory that it may access.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from pyk import _dtypes, types
from pyk.cuda._arrays import DeviceNDArray, living_arrays
from pyk.cuda._devices import Device
from pyk.cuda._layout import AnyArray
from pyk.cuda._memory import reachable_arrays
from pyk.cuda._transfers import address_of, array_at

#: Addresses of GPUs are below this.
_NO_END = 1 << 48


def as_declared(
    values: Sequence[Any],
    names: Sequence[str],
    signatures: Sequence[types.Signature],
    device: Device,
) -> list[Any]:
    """The arguments `values`, named `names`, with memory for addresses."""
    return [
        _pointed(
            value,
            name,
            [s.args[place] for s in signatures if place < len(s.args)],
            device,
        )
        for place, (value, name) in enumerate(zip(values, names, strict=True))
    ]


def _pointed(
    value: Any, name: str, declared: Sequence[types.Type], device: Device
) -> Any:
    """What a kernel takes for `value`, for which signatures have `declared`."""
    if type(value) is not int and not isinstance(value, np.integer):
        return value
    pointers = {t: None for t in declared if isinstance(t, types.CPointer)}
    if not pointers:
        return value
    pointer = next(iter(pointers))
    address = int(value)
    region = _region_of(address, device)
    if region is None and any(isinstance(t, types.Scalar) for t in declared):
        return value
    if region is None:
        raise ValueError(
            f"argument '{name}' is declared as {pointer}, and {address:#x} "
            "is no address in a device array; pass that of one "
            "(`array.__cuda_array_interface__['data'][0]`), or an array itself"
        )
    if len(pointers) > 1:
        fitting = [t for t in pointers if t.dtype.dtype == region.dtype]
        if not fitting:
            raise TypeError(
                f"argument '{name}' is declared as "
                f"{' and '.join(map(repr, pointers))}, and {address:#x} may be "
                "the address of any of them; pass an array"
            )
        pointer = fitting[0]
    dtype = pointer.dtype.dtype
    found = _array_from(address, dtype, region, device)
    if not _dtypes.is_aligned(found._meta()):
        raise ValueError(
            f"argument '{name}' is declared as {pointer}, and {address:#x} is "
            f"no multiple of {dtype.alignment}"
        )
    return found


class _Region(NamedTuple):
    """Memory of a device that an array lies in."""

    begin: int
    end: int
    #: Of the array; None if nobody knows one.
    dtype: np.dtype[Any] | None
    owner: object


def _arrays_of(device: Device) -> Iterator[tuple[int, AnyArray, object]]:
    """The address of each array on `device`, itself, and its owner."""
    for array, meta in living_arrays(device):
        yield address_of(meta), meta, array._owner
    for address, host in reachable_arrays(device):
        yield address, host, host


def _region_of(address: int, device: Device) -> _Region | None:
    """The largest array that `address` lies in; None if that is none.

    On a GPU it may be memory of others, of which nobody knows the end.
    """
    known: _Region | None = None
    for first, array, owner in _arrays_of(device):
        end = first + array.nbytes
        is_in = array.flags.contiguous and first <= address < end
        if is_in and (known is None or end - first > known.end - known.begin):
            known = _Region(first, end, array.dtype, owner)
    if known is None and not device.is_cpu:
        return _Region(address, _NO_END, None, None)
    return known


def _array_from(
    address: int, dtype: np.dtype[Any], region: _Region, device: Device
) -> DeviceNDArray:
    """What lies in `region` from `address` on."""
    memory = array_at(region.begin, (region.end - region.begin,), np.uint8)
    count = (region.end - address) // dtype.itemsize
    # All of the region counts as what kernels may access.
    found: AnyArray = np.ndarray(
        (count,), dtype, memory, offset=address - region.begin
    )
    return DeviceNDArray(found, region.owner, device)
