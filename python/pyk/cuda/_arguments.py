# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From whatever a program passes to a kernel to what a launch takes.

A launch takes NumPy arrays (on the CPU), device arrays, and scalars of usual
classes. Everything else is turned into these here, off the fast path.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from pyk import _core, _dtypes, types
from pyk._argument_types import is_named_tuple
from pyk.cuda import _arrays, _creation
from pyk.cuda._arrays import DeviceNDArray, DeviceRecord
from pyk.cuda._devices import Device
from pyk.cuda._memory import HostArray, check_host, device_view
from pyk.cuda._transfers import array_at, copy_out, copy_to_device

#: What is done after a launch, in order.
After = list[Callable[[], object]]

#: DLPack's numbers of kinds of devices: the host, and those that it can read.
_DLPACK_HOST = (1, 3, 13)


class ArgHint:
    """An array with the directions in which a launch copies it."""

    copies_in = True
    copies_out = True

    def __init__(self, value: Any) -> None:
        self.value = value


class InOut(ArgHint):
    """An array that the kernel reads and writes; the same as without."""


class In(ArgHint):
    """An array that the kernel reads: what it writes there is dropped."""

    copies_out = False


class Out(ArgHint):
    """An array that the kernel writes: what was there is not copied."""

    copies_in = False


def usual(
    value: Any, name: str, device: Device, stream: object, after: After
) -> Any:
    """What a launch on `device` takes for `value`, passed for `name`.

    What has to be done when the launch is queued is added to `after`. A value
    that cannot be passed is returned as it is; its type is refused later.
    """
    if isinstance(value, ArgHint):
        return _hinted(value, name, device, stream, after)
    if isinstance(value, DeviceNDArray):
        return _checked(value, name, device)
    if is_record(value):
        return _host_record(value, device, stream, after, True, True)
    if isinstance(value, np.ndarray):
        check_host(value, f"argument '{name}'")
        return _host_array(value, device, stream, after)
    if isinstance(value, (np.generic, type(None), bool)):
        return value
    if isinstance(value, tuple):
        return _items(value, name, device, stream, after)
    if isinstance(value, enum.Enum):
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return float(value)
    if isinstance(value, complex):
        return complex(value)
    if hasattr(value, "__dlpack__"):
        return _imported(value, name, device, stream, after)
    if _arrays.is_cuda_array(value):
        return _arrays.as_cuda_array(value)
    return value


def _items(
    value: tuple[Any, ...],
    name: str,
    device: Device,
    stream: object,
    after: After,
) -> tuple[Any, ...]:
    """The same tuple of what a launch takes for each item."""
    items = [
        usual(item, f"{name}[{position}]", device, stream, after)
        for position, item in enumerate(value)
    ]
    return same_tuple(value, items)


def same_tuple(value: tuple[Any, ...], items: list[Any]) -> tuple[Any, ...]:
    """A tuple of `items` of the class of `value`."""
    if not is_named_tuple(type(value)):
        return tuple(items)
    return tuple.__new__(type(value), items)


def is_record(value: Any) -> bool:
    """Whether `value` is a record of the host."""
    return isinstance(value, np.void) and value.dtype.names is not None


def aligned(value: Any, after: After) -> Any:
    """What a kernel takes for `value` if its declared type has no alignment.

    Such a type stands for elements in their natural places, where those of a
    host array that a program cut out of bytes need not be.
    """
    if isinstance(value, tuple):
        return same_tuple(value, [aligned(item, after) for item in value])
    if not isinstance(value, np.ndarray) or _dtypes.is_aligned(value):
        return value
    copy = value.copy(order="K")
    if value.flags.writeable:
        after.append(lambda: np.copyto(value, copy))
    copy.flags.writeable = value.flags.writeable
    return copy


def check_alive(
    values: Sequence[Any], names: Sequence[str], device: Device
) -> None:
    """Raises if memory of `values`, passed for `names`, is gone."""
    for value, name in zip(values, names, strict=True):
        if isinstance(value, DeviceNDArray):
            _checked(value, name, device)
        elif isinstance(value, tuple):
            own = [f"{name}[{position}]" for position in range(len(value))]
            check_alive(value, own, device)


def check_captured(arrays: Sequence[DeviceNDArray], device: Device) -> None:
    """Raises unless a kernel on `device` can use the `arrays` it captures."""
    for array in arrays:
        _check(array, "what the kernel captures", device)


def _check(array: DeviceNDArray, what: str, device: Device) -> None:
    if array._array is None:
        raise ValueError(
            f"{what} is a device array that was freed, with its "
            "device or at the end of a `with` statement"
        )
    if array._device is not device:
        raise ValueError(
            f"{what} is on device {array._device.id} but the "
            f"kernel is launched on device {device.id}"
        )


def _checked(array: DeviceNDArray, name: str, device: Device) -> DeviceNDArray:
    _check(array, f"argument '{name}'", device)
    if isinstance(array, DeviceRecord):
        return DeviceNDArray(array._meta(), array._owner, device)
    return array


def _host_array(
    array: np.ndarray[Any, Any], device: Device, stream: object, after: After
) -> Any:
    if isinstance(array, HostArray):
        view = device_view(array)
        if view is not None:
            address, owner = view
            shadow = array_at(address, array.shape, array.dtype, array.strides)
            shadow.flags.writeable = array.flags.writeable
            return DeviceNDArray(shadow, owner, device)
    if type(array) is not np.ndarray and not isinstance(
        array, np.ma.MaskedArray
    ):
        array = array.view(np.ndarray)
    if device.is_cpu or isinstance(array, np.ma.MaskedArray):
        return array
    return _copied(array, stream, after, True, array.flags.writeable)


def _copied(
    array: np.ndarray[Any, Any],
    stream: object,
    after: After,
    copies_in: bool,
    copies_out: bool,
) -> DeviceNDArray:
    """A device array that stands for `array` during a launch."""
    there = _creation.new_like(array, stream)
    if copies_in:
        copy_to_device(array, there._meta(), there._device, stream)
    if copies_out:
        after.append(
            lambda: copy_out(there._meta(), array, there._device, stream)
        )
    if not array.flags.writeable:
        there._meta().flags.writeable = False
    return there


def _host_record(
    record: np.void,
    device: Device,
    stream: object,
    after: After,
    copies_in: bool,
    copies_out: bool,
) -> Any:
    """A record in host memory, which the kernel may change."""
    if device.is_cpu:
        return record if copies_out else record.copy()
    host = np.array(record)
    copies_out = copies_out and record.flags.writeable
    there = _copied(host, stream, after, copies_in, copies_out)

    def write_back() -> None:
        for name in record.dtype.names or ():
            record[name] = host[name]

    if copies_out:
        after.append(write_back)
    return there


def _hinted(
    hint: ArgHint, name: str, device: Device, stream: object, after: After
) -> Any:
    value = hint.value
    check_host(value, f"argument '{name}'")
    if is_record(value):
        return _host_record(
            value, device, stream, after, hint.copies_in, hint.copies_out
        )
    if not isinstance(value, np.ndarray):
        return usual(value, name, device, stream, after)
    if not device.is_cpu:
        return _copied(value, stream, after, hint.copies_in, hint.copies_out)
    # What the kernel writes into an array of `In` must not be seen.
    return value if hint.copies_out else value.copy(order="K")


def _imported(
    value: Any, name: str, device: Device, stream: object, after: After
) -> Any:
    """A tensor of another library, without a copy where it is on `device`."""
    kind, index = value.__dlpack_device__()
    if kind in _DLPACK_HOST:
        try:
            host = np.from_dlpack(value)
            # An old tensor cannot say that it may be written, but may.
            is_known = host.flags.writeable or not _is_unversioned(value)
        except (BufferError, RuntimeError):
            # NumPy has no bfloat16.
            is_known = False
        if not is_known:
            host, owner = _from_dlpack(value.__dlpack__())
            # Kept until the launch has ended.
            after.append(lambda: owner)
        return usual(host, name, device, stream, after)
    if device.is_cpu:
        raise ValueError(
            f"argument '{name}' of {type(value)} is in the memory of a GPU but "
            "the kernel is launched on the CPU"
        )
    if index != device.id:
        raise ValueError(
            f"argument '{name}' is on device {index} but the kernel is "
            f"launched on device {device.id}"
        )
    array, owner = _from_dlpack(value.__dlpack__())
    return DeviceNDArray(array, _core.Keeper(owner, device._core), device)


def _from_dlpack(capsule: Any) -> tuple[np.ndarray[Any, Any], object]:
    """What another library hands out as an array, and what keeps it."""
    address, shape, strides, name, owner = _core.import_dlpack(capsule)
    dtype = types.bfloat16 if name == "bfloat16" else name
    return array_at(address, shape, dtype, strides), owner


def _is_unversioned(value: Any) -> bool:
    """Whether a tensor is handed out as before version 1 of DLPack."""
    try:
        value.__dlpack__(max_version=(1, 0))
    except TypeError:
        return True
    return False
