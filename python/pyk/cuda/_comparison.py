# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs each launch in several ways, and raises if the results differ.

`--compare` and PYK_COMPARE ask for it. The program gets the results of its own
launch; the others begin with copies of the memory that the launch was given,
as it was before (rationale/comparison.md).
"""

from __future__ import annotations

import contextlib
import itertools
import os
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from pyk import _core, _ptx_machine, types
from pyk._dtypes import address_of_record
from pyk._errors import (
    CompareError,
    CompileError,
    CudaAPIError,
    CudaDriverError,
    CudaSupportError,
)
from pyk._options import options
from pyk.cuda import _devices
from pyk.cuda._arguments import (
    ArgHint,
    Argument,
    In,
    InOut,
    Out,
    decide,
    is_record,
    same_tuple,
)
from pyk.cuda._arrays import DeviceNDArray, DeviceRecord
from pyk.cuda._copies import bounds
from pyk.cuda._layout import AnyArray
from pyk.cuda._transfers import address_of, array_at

if TYPE_CHECKING:
    from pyk.cuda._dispatcher import Dispatcher

#: Copies begin at addresses that are the same modulo this many bytes.
_ALIGNMENT = 64
#: A launch whose arrays span more is not compared: there are up to four copies
#: at a time.
_MOST_BYTES = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 8
#: CUDA's numbers of errors by which a device refuses to load or to launch a
#: kernel, as for want of memory; others are of a kernel that has run.
_REFUSALS = {1, 2, 200, 201, 209, 218, 222, 701, 720, 801}

#: By what part results of CUDA's functions of float32 may differ from PyK's:
#: some last places, also if they are stored as float64.
_FUNCTION_TOLERANCE = 2.0**-20

#: Held from before a launch until it is compared: another thread of the host
#: would change memory meanwhile, or print.
comparison_lock = threading.RLock()

#: Of the orders in which the PTX machine takes threads.
_seeds = itertools.count(1)

#: What has been said on standard error.
_reported: set[str] = set()


class Way(NamedTuple):
    """A way to run a launch."""

    #: What messages call it.
    name: str
    backend: int
    #: How the CPU runs it, as --cpu says.
    cpu: str = "auto"
    #: Whether the PTX machine takes threads in a random order.
    is_random: bool = False


_ON_CPU = (
    Way("as vectors", _devices.CPU, "auto"),
    Way("one thread after the other", _devices.CPU, "reference"),
    Way("one thread after the other in reverse", _devices.CPU, "reversed"),
)
_ON_MACHINE = (
    Way("as PTX", _devices.CUDA),
    Way("as PTX with threads in a random order", _devices.CUDA, is_random=True),
)
_ON_GPU = (Way("on the GPU", _devices.CUDA),)


def ways(device: _devices.Device) -> list[Way]:
    """The ways in which a launch on `device` runs besides its own."""
    if not device.is_cpu:
        found = list(_ON_CPU)
        if _ptx_machine.is_used():
            found.append(_ON_MACHINE[1])
        return found
    found = [way for way in _ON_CPU if way.cpu != options.cpu]
    if _ptx_machine.is_used():
        found.extend(_ON_MACHINE)
    elif _has_gpu():
        found.extend(_ON_GPU)
    return found


def _has_gpu() -> bool:
    try:
        return _core.device_count(_devices.CUDA) > 0
    except (CudaSupportError, CudaDriverError):
        return False


class _Memory:
    """Memory that a launch was given: arrays that overlap share one.

    Bounds are addresses, of the device if it is memory of a GPU.
    """

    def __init__(self, low: int, high: int, device: _devices.Device | None):
        self.low = low
        self.high = high
        self._device = device
        self.before: np.ndarray[Any, Any] = np.empty(0, np.uint8)

    def read(self) -> np.ndarray[Any, Any]:
        """A copy of it, whose first byte is aligned as its own."""
        copy = _aligned_bytes(self.high - self.low, self.low % _ALIGNMENT)
        if self._device is None:
            copy[:] = array_at(self.low, len(copy), np.uint8)
        elif len(copy):
            self._device._default_stream.copy_to_host(
                address_of(copy), self.low, len(copy), True
            )
        return copy

    def copy(self) -> np.ndarray[Any, Any]:
        """One of what was there before the launch."""
        copy = _aligned_bytes(self.high - self.low, self.low % _ALIGNMENT)
        copy[:] = self.before
        return copy

    def write(self, content: np.ndarray[Any, Any]) -> None:
        """Puts `content` there."""
        if self._device is None:
            array_at(self.low, len(content), np.uint8)[:] = content
        elif len(content):
            self._device._default_stream.copy_to_device(
                self.low, address_of(content), len(content), True
            )

    def placed(
        self, array: AnyArray, content: np.ndarray[Any, Any]
    ) -> AnyArray:
        """What `array` is in `content`, a copy of this memory."""
        place = address_of(array) - self.low + address_of(content)
        found = array_at(place, array.shape, array.dtype, array.strides)
        found.flags.writeable = array.flags.writeable
        return found


def _aligned_bytes(count: int, remainder: int) -> np.ndarray[Any, Any]:
    memory = np.empty(count + 2 * _ALIGNMENT, np.uint8)
    first = (remainder - address_of(memory)) % _ALIGNMENT
    return memory[first : first + count]


class _Array(NamedTuple):
    """An array that a launch was given."""

    name: str
    #: It at its address.
    array: AnyArray
    #: The device in whose memory it is; None is the host's.
    device: _devices.Device | None


class Comparison:
    """One launch, from when its arguments are known to be right."""

    def __init__(
        self,
        kernel: Dispatcher,
        launcher: _core.Launcher,
        names: Sequence[str],
        args: Sequence[object],
        device: _devices.Device,
    ) -> None:
        self._kernel = kernel
        self._launcher = launcher
        self._names = names
        self._args = args
        self._device = device
        self._arrays: list[_Array] = []
        #: The names of those of which a GPU has what its kernel writes alone.
        self._undefined: set[str] = set()
        for value, name in zip(args, names, strict=True):
            self._replaced(value, name, self._note)
        self._captured = [
            _Array("an array that the kernel captures", *self._place_of(array))
            for array in kernel._variants.captured()
        ]
        # Work that is queued may still write it.
        device._core.synchronize()
        self._memories = _share([*self._arrays, *self._captured])
        self._obstacle = self._find_obstacle()
        if not self._obstacle:
            for memory in self._memories:
                memory.before = memory.read()

    def check(self, raised: BaseException | None) -> None:
        """Runs it in other ways; raises CompareError if one differs.

        `raised` is what its own way has raised.
        """
        if self._obstacle:
            name = self._kernel.__name__
            _report(f"kernel '{name}' is not compared: {self._obstacle}")
            return
        self._device._core.synchronize()
        own = [memory.read() for memory in self._memories]
        try:
            for way in ways(self._device):
                # On a GPU, threads may wait for one that has failed for ever.
                if raised is not None and way.backend == _devices.CUDA:
                    continue
                if self._captured and not self._is_same_backend(way):
                    self._leave_out(way, "it captures a device array")
                    continue
                found, raised_here = self._run(way)
                if found is None:
                    continue
                if type(raised_here) is not type(raised):
                    raise self._difference(
                        way,
                        f"it raises {_described(raised)} as launched, but "
                        f"{_described(raised_here)} {way.name}",
                    ) from (raised or raised_here)
                # Which threads ran before one has failed is left open.
                if raised is None:
                    self._compare(way, own, found)
                # Before the next way needs as much memory.
                del found
        finally:
            self._put_back(own)

    def _find_obstacle(self) -> str:
        """Why the launch cannot be compared; empty if it can."""
        count = sum(memory.high - memory.low for memory in self._memories)
        if count > _MOST_BYTES:
            return f"its arrays span {count} bytes of memory"
        given = {self._memory_of(one.array) for one in self._arrays}
        if any(self._memory_of(one.array) in given for one in self._captured):
            return "it is given an array that it captures"
        if any(
            isinstance(kind, types.CPointer)
            for signature in self._kernel._signatures
            for kind in signature.args
        ):
            return "it takes an address"
        return ""

    # The memory.

    def _place_of(
        self, array: DeviceNDArray
    ) -> tuple[AnyArray, _devices.Device | None]:
        device = array._device
        return array._meta(), None if device.is_cpu else device

    def _note(self, name: str, value: Any) -> Any:
        if isinstance(value, DeviceNDArray):
            self._arrays.append(_Array(name, *self._place_of(value)))
        elif is_record(value):
            place = array_at(address_of_record(value), (), value.dtype)
            self._arrays.append(_Array(name, place, None))
        else:
            self._arrays.append(_Array(name, value.view(np.ndarray), None))
        return value

    def _replaced(
        self, value: Any, name: str, replace: Callable[[str, Any], Any]
    ) -> Any:
        """`value` with what `replace` gives for each array and record in it."""
        if isinstance(value, ArgHint):
            if isinstance(value, Out):
                self._undefined.add(name)
            kind = In if isinstance(value, In) else InOut
            return kind(self._replaced(value.value, name, replace))
        if isinstance(value, np.generic) and not is_record(value):
            return value
        if isinstance(value, tuple):
            items = [
                self._replaced(item, f"{name}[{position}]", replace)
                for position, item in enumerate(value)
            ]
            return same_tuple(value, items)
        if isinstance(value, (DeviceNDArray, np.ndarray)) or is_record(value):
            return replace(name, value)
        # A tensor of another library is an array here.
        found: Any = decide(value, name, self._device)
        while isinstance(found, Argument):
            found = found.value
        if isinstance(found, (DeviceNDArray, np.ndarray)):
            return replace(name, found)
        return value

    def _memory_of(self, array: AnyArray) -> int:
        """Where in `_memories` that of an array is."""
        low, high = bounds(array)
        for position, memory in enumerate(self._memories):
            if memory.low <= low and high <= memory.high:
                return position
        raise AssertionError("each array has been noted")

    # Other ways.

    def _is_same_backend(self, way: Way) -> bool:
        return (way.backend == _devices.CPU) == self._device.is_cpu

    def _run(
        self, way: Way
    ) -> tuple[list[np.ndarray[Any, Any]] | None, BaseException | None]:
        """What is in memory then, and what the kernel has raised.

        None if the launch was refused, as by a device that has less memory.
        """
        copies = [memory.copy() for memory in self._memories]
        place = iter(self._arrays)

        def replace(name: str, value: Any) -> Any:
            array = next(place).array
            memory = self._memory_of(array)
            found = self._memories[memory].placed(array, copies[memory])
            is_one = is_record(value) or isinstance(value, DeviceRecord)
            return found[()] if is_one else found

        args = [
            self._replaced(value, name, replace)
            for value, name in zip(self._args, self._names, strict=True)
        ]
        self._put_back([memory.before for memory in self._memories])
        raised: Exception | None = None
        try:
            with _running(way, self._device) as device:
                self._clone(way)[self._configuration()](*args)
                device._core.synchronize()
        except CompileError as error:
            # As where PTX needs a library of a toolkit that is not there.
            self._leave_out(way, str(error).splitlines()[0])
            return None, None
        except CudaAPIError as error:
            if error.code in _REFUSALS:
                self._leave_out(way, error)
                return None, None
            raised = error
        except Exception as error:
            raised = error
        # The kernels that capture memory have it in its own place.
        for array in self._captured:
            memory = self._memory_of(array.array)
            copies[memory] = self._memories[memory].read()
        return copies, raised

    def _leave_out(self, way: Way, reason: object) -> None:
        name = self._kernel.__name__
        _report(f"kernel '{name}' is not run {way.name}: {reason}")

    def _configuration(self) -> tuple[Any, ...]:
        launcher = self._launcher
        return launcher.griddim, launcher.blockdim, 0, launcher.sharedmem

    def _clone(self, way: Way) -> Dispatcher:
        """The kernel as it runs in that way.

        Extensions have done their part before a comparison begins.
        """
        kernel = self._kernel

        def make() -> Dispatcher:
            made = type(kernel)(
                kernel.py_func,
                buffer_options={**kernel._buffer_options, "cpu": way.cpu},
                max_registers=kernel._max_registers,
            )
            # The globals of now may not be those that it was compiled with.
            made._variants.share_sources(kernel._variants)
            made._declare(kernel._signatures, kernel._is_specialized)
            return made

        key = way.backend, way.cpu
        clone: Dispatcher = kernel._variants.other(key, make)
        return clone

    def _put_back(self, contents: Sequence[np.ndarray[Any, Any]]) -> None:
        """Gives memory that kernels capture its contents again."""
        for array in self._captured:
            memory = self._memory_of(array.array)
            self._memories[memory].write(contents[memory])

    # Results.

    def _compare(
        self,
        way: Way,
        own: list[np.ndarray[Any, Any]],
        found: list[np.ndarray[Any, Any]],
    ) -> None:
        for array in (*self._arrays, *self._captured):
            position = self._memory_of(array.array)
            memory = self._memories[position]
            if np.array_equal(own[position], found[position]):
                continue
            first = memory.placed(array.array, own[position])
            second = memory.placed(array.array, found[position])
            before = memory.placed(array.array, memory.before)
            is_same = self._is_same_backend(way)
            tolerance = 0.0 if is_same else _FUNCTION_TOLERANCE
            differs = differing(first, second, before, tolerance)
            if array.name in self._undefined and not self._device.is_cpu:
                differs &= _different_bytes(second, before)
            if not differs.any():
                continue
            index = tuple(int(i) for i in np.argwhere(differs)[0])
            where = f"{array.name}[{', '.join(map(str, index))}]"
            if not index:
                where = array.name
            count = int(differs.sum())
            raise self._difference(
                way,
                f"{where} is {first[index]} as launched, but {second[index]} "
                f"{way.name}; {count} of {first.size} elements of {array.name} "
                "differ",
            )

    def _difference(self, way: Way, what: str) -> CompareError:
        where = "a GPU" if self._device.is_cpu else "the CPU"
        depends = (
            "depends on the order of its threads"
            if self._is_same_backend(way) or way.is_random
            else f"has other results on {where}"
        )
        name = self._kernel.__name__
        return CompareError(f"kernel '{name}' {depends}: {what}")


def _described(raised: BaseException | None) -> str:
    return (
        "nothing" if raised is None else f"{type(raised).__name__} ({raised})"
    )


def _share(arrays: Sequence[_Array]) -> list[_Memory]:
    """The memory of arrays, one for those that overlap."""
    found: list[_Memory] = []
    for one in sorted(arrays, key=lambda one: bounds(one.array)):
        low, high = bounds(one.array)
        if found and low < found[-1].high:
            found[-1].high = max(found[-1].high, high)
        else:
            found.append(_Memory(low, high, one.device))
    return found


@contextlib.contextmanager
def _running(way: Way, program: _devices.Device) -> Iterator[_devices.Device]:
    """Makes the device of a way current, and hides what its kernels print.

    `program` is the device of the program's own launch.
    """
    device = _devices.first_of(way.backend)
    is_machine = way.backend == _devices.CUDA and _ptx_machine.is_used()
    with contextlib.ExitStack() as stack:
        if is_machine:
            seed = next(_seeds) if way.is_random else 0
            stack.callback(_ptx_machine.set_seed, _ptx_machine.set_seed(seed))
            stack.enter_context(_ptx_machine.silent())
        _core.hide_output(True)
        stack.callback(_core.hide_output, False)
        stack.enter_context(_devices.on(device))
        try:
            yield device
        except CudaAPIError as error:
            # A failure of a kernel loses what is on a GPU: here copies alone.
            is_lost = way.backend == _devices.CUDA and (
                error.code not in _REFUSALS
            )
            if is_lost and device is not program:
                device.reset()
            raise


def differing(
    first: AnyArray, second: AnyArray, before: AnyArray, tolerance: float = 0.0
) -> np.ndarray[Any, Any]:
    """Which elements of two results of a launch are not the same.

    Floats may differ by half of their digits, since sums depend on their order,
    by the part `tolerance` of them, and by some last places of the largest
    number that differs or was there before, for differences of such sums.
    """
    found = _different_bytes(first, second)
    if found.any() and first.dtype.type is not np.void:
        # Floats that NumPy lacks have the kind "V", too.
        if first.dtype.kind in "fcV":
            found[found] = _different_floats(
                first[found], second[found], before[found], tolerance
            )
    elif first.dtype.names and found.any():
        part = np.zeros(int(found.sum()), bool)
        for name in first.dtype.names:
            unequal = differing(
                first[found][name],
                second[found][name],
                before[found][name],
                tolerance,
            )
            part |= unequal.any(axis=tuple(range(1, unequal.ndim)))
        found[found] = part
    return found


def _different_bytes(first: AnyArray, second: AnyArray) -> AnyArray:
    size = first.dtype.itemsize
    if size == 0 or first.size == 0:
        return np.zeros(first.shape, bool)
    one, other = (
        np.ascontiguousarray(array).view(np.uint8).reshape(*array.shape, size)
        for array in (first, second)
    )
    unequal: AnyArray = (one != other).any(axis=-1)
    return unequal


def _different_floats(
    first: AnyArray, second: AnyArray, before: AnyArray, tolerance: float
) -> AnyArray:
    if first.dtype.isbuiltin == 1:
        precision = float(np.finfo(first.dtype).eps)
    else:
        # bfloat16 has 8 bits of digits, floats of 8 bits have 3 at least.
        precision = 2.0**-7 if first.dtype.itemsize == 2 else 2.0**-2
    kind = np.complex128 if first.dtype.kind == "c" else np.float64
    one, other, old = (
        np.asarray(array, kind) for array in (first, second, before)
    )
    relative = max(min(precision**0.5, 0.25), tolerance)
    absolute = min(16 * precision, 2.0**-10)
    with np.errstate(all="ignore"):
        sizes = [np.abs(a[np.isfinite(a)]) for a in (one, other, old)]
        largest = max((part.max() for part in sizes if part.size), default=0.0)
        allowed = np.maximum(np.abs(one), np.abs(other)) * relative
        close = np.abs(one - other) <= allowed + absolute * largest
    same = (one == other) | (np.isnan(one) & np.isnan(other))
    close &= np.isfinite(one) & np.isfinite(other)
    unequal: AnyArray = ~(same | close)
    return unequal


def _report(text: str) -> None:
    if text not in _reported:
        _reported.add(text)
        print(f"pyk: comparing: {text}", file=sys.stderr)
