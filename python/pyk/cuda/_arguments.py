# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From whatever a program passes to a kernel to what a launch takes.

A launch takes NumPy arrays (on the CPU), device arrays, and scalars of usual
classes. Everything else is turned into these here, off the fast path: it is
decided of which kind each argument is, then all move.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from pyk import _core, _dtypes
from pyk._argument_types import is_named_tuple, type_of
from pyk.cuda import _arrays
from pyk.cuda._arrays import DeviceNDArray, DeviceRecord
from pyk.cuda._copies import After, HostCopy, share
from pyk.cuda._devices import Device
from pyk.cuda._interfaces import dlpack_device, from_dlpack
from pyk.cuda._memory import HostArray, check_host, device_view
from pyk.cuda._transfers import array_at

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


class Argument:
    """What a launch is given for a parameter: of which kind, before it moves.

    This kind goes as it is: a scalar, memory that the device reaches, and what
    no kernel takes, whose type is refused.
    """

    def __init__(self, value: Any) -> None:
        self.value = value

    def copies(self) -> Iterator[HostCopy]:
        """The host arrays that the launch copies to the device."""
        return iter(())

    def shown(self) -> Any:
        """What has the type of what the launch takes."""
        if isinstance(self.value, DeviceNDArray):
            return self.value._meta()
        return self.value

    def move(self, stream: object, after: After) -> Any:
        """What the launch takes for it.

        What has to be done when the launch is queued is added to `after`.
        """
        return self.value


class PrivateArgument(Argument):
    """An array or a record of the host in which no write is to be seen."""

    def move(self, stream: object, after: After) -> Any:
        return self.value.copy(order="K")


class CopiedArray(Argument):
    """An array of the host, for which a copy on the device stands."""

    def __init__(
        self, array: np.ndarray[Any, Any], copies_in: bool, copies_out: bool
    ) -> None:
        super().__init__(array)
        self._copy = HostCopy(array, copies_in, copies_out)

    def copies(self) -> Iterator[HostCopy]:
        yield self._copy

    def shown(self) -> Any:
        return self._copy.range.shown(self.value)

    def move(self, stream: object, after: After) -> Any:
        return self._copy.range.move(self.value, stream, after)


class KeptTensor(Argument):
    """A tensor of another library, which is kept until the launch has ended."""

    def __init__(self, array: Argument, owner: object) -> None:
        super().__init__(array)
        self._owner = owner

    def copies(self) -> Iterator[HostCopy]:
        copies: Iterator[HostCopy] = self.value.copies()
        return copies

    def shown(self) -> Any:
        return self.value.shown()

    def move(self, stream: object, after: After) -> Any:
        after.append(lambda: self._owner)
        return self.value.move(stream, after)


class TupleOfArguments(Argument):
    """A tuple, each item of which moves as its kind does."""

    def __init__(self, value: tuple[Any, ...], items: list[Argument]) -> None:
        super().__init__(value)
        self._items = items

    def copies(self) -> Iterator[HostCopy]:
        for item in self._items:
            yield from item.copies()

    def shown(self) -> Any:
        return same_tuple(self.value, [item.shown() for item in self._items])

    def move(self, stream: object, after: After) -> Any:
        items = [item.move(stream, after) for item in self._items]
        return same_tuple(self.value, items)


def moved(
    values: Sequence[Any],
    names: Sequence[str],
    device: Device,
    stream: object,
    after: After,
) -> list[Any]:
    """What a launch on `device` takes for `values`, passed for `names`.

    Nothing is copied before all are known to be what kernels take. What has to
    be done when the launch is queued is added to `after`.
    """
    arguments = [
        decide(value, name, device)
        for value, name in zip(values, names, strict=True)
    ]
    copies = [copy for argument in arguments for copy in argument.copies()]
    if copies:
        share(copies)
        for argument, name in zip(arguments, names, strict=True):
            type_of(argument.shown(), name)
    return [argument.move(stream, after) for argument in arguments]


def decide(value: Any, name: str, device: Device) -> Argument:
    """What `value`, passed for `name`, is for a launch on `device`.

    A value that cannot be passed goes as it is; its type is refused later.
    """
    if isinstance(value, ArgHint):
        return _hinted(value, name, device)
    if isinstance(value, DeviceNDArray):
        return Argument(_checked(value, name, device))
    if is_record(value):
        return _host_record(value, device, True, True)
    if isinstance(value, np.ndarray):
        check_host(value, f"argument '{name}'")
        return _host_array(value, device)
    if isinstance(value, (np.generic, type(None), bool)):
        return Argument(value)
    if isinstance(value, tuple):
        return TupleOfArguments(
            value,
            [
                decide(item, f"{name}[{position}]", device)
                for position, item in enumerate(value)
            ],
        )
    if isinstance(value, enum.Enum):
        return Argument(value)
    if isinstance(value, int):
        return Argument(int(value))
    if isinstance(value, float):
        return Argument(float(value))
    if isinstance(value, complex):
        return Argument(complex(value))
    if hasattr(value, "__dlpack__"):
        return _imported(value, name, device)
    if _arrays.is_cuda_array(value):
        return Argument(_arrays.as_cuda_array(value))
    return Argument(value)


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
    if isinstance(value, ArgHint):
        after = after if value.copies_out else After()
        return type(value)(aligned(value.value, after))
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


def _host_array(array: np.ndarray[Any, Any], device: Device) -> Argument:
    if isinstance(array, HostArray):
        view = device_view(array)
        if view is not None:
            address, owner = view
            shadow = array_at(address, array.shape, array.dtype, array.strides)
            shadow.flags.writeable = array.flags.writeable
            return Argument(DeviceNDArray(shadow, owner, device))
    if type(array) is not np.ndarray and not isinstance(
        array, np.ma.MaskedArray
    ):
        array = array.view(np.ndarray)
    if device.is_cpu or isinstance(array, np.ma.MaskedArray):
        return Argument(array)
    return CopiedArray(array, True, array.flags.writeable)


def _host_record(
    record: np.void, device: Device, copies_in: bool, copies_out: bool
) -> Argument:
    """A record in host memory, which the kernel may change."""
    if not device.is_cpu:
        address = _dtypes.address_of_record(record)
        array = array_at(address, (), record.dtype)
        array.flags.writeable = record.flags.writeable
        return KeptTensor(CopiedArray(array, copies_in, copies_out), record)
    return Argument(record) if copies_out else PrivateArgument(record)


def _hinted(hint: ArgHint, name: str, device: Device) -> Argument:
    value = hint.value
    check_host(value, f"argument '{name}'")
    if is_record(value):
        return _host_record(value, device, hint.copies_in, hint.copies_out)
    if not isinstance(value, np.ndarray):
        return decide(value, name, device)
    if not device.is_cpu:
        return CopiedArray(value, hint.copies_in, hint.copies_out)
    return Argument(value) if hint.copies_out else PrivateArgument(value)


def _imported(value: Any, name: str, device: Device) -> Argument:
    """A tensor of another library, without a copy where it is on `device`."""
    kind, index = dlpack_device(value, name)
    if kind in _DLPACK_HOST:
        try:
            host = np.from_dlpack(value)
            # An old tensor cannot say that it may be written, but may.
            is_known = host.flags.writeable or not _is_unversioned(value)
        except Exception:
            # NumPy has no bfloat16; what is wrong is said below.
            is_known = False
        if is_known:
            return decide(host, name, device)
        host, owner = from_dlpack(value, name)
        return KeptTensor(decide(host, name, device), owner)
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
    array, owner = from_dlpack(value, name)
    keeper = _core.Keeper(owner, device._core)
    return Argument(DeviceNDArray(array, keeper, device))


def _is_unversioned(value: Any) -> bool:
    """Whether a tensor is handed out as before version 1 of DLPack."""
    try:
        value.__dlpack__(max_version=(1, 0))
    except TypeError:
        return True
    return False
