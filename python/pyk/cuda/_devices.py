# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Devices: which there are, which one this thread uses, what they can do.

A process uses the devices of one backend: those of the GPU driver if there is
one, else the CPU as the only device, unless `--target` or PYK_TARGET says so.
Each thread has a current device, at first device 0.
"""

from __future__ import annotations

import contextlib
import functools
import operator
import threading
import weakref
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, TypeVar

from pyk import _core, _missing, _ptx_machine
from pyk._boundary import public
from pyk._errors import CudaDriverError, CudaSupportError
from pyk._options import PTX_MACHINE, TARGETS, options

F = TypeVar("F", bound=Callable[..., Any])

#: The runtime's numbers of backends.
CPU, CUDA = 0, 1
#: The runtime's number of what "no stream" means.
_DEFAULT_STREAM = 0


class MemoryInfo(NamedTuple):
    """Device memory, in bytes."""

    free: int
    total: int


#: Called with a device that is reset, before and after.
on_reset: list[Callable[[Device], None]] = []


class Device:
    """A device; its attributes have CUDA's names.

    >>> from pyk import cuda
    >>> cuda.get_current_device().WARP_SIZE
    32
    """

    def __init__(self, core: _core.Device) -> None:
        self._core = core
        self.id = core.index
        self._stream: _core.Stream | None = None
        #: Held while a thread makes or selects the default stream, so that it
        #: keeps none of before a reset.
        self._lock = threading.RLock()
        #: How often it was reset.
        self.resets = 0
        self._context = Context(self)

    def __reduce__(self) -> str | tuple[Any, ...]:
        # There is one object of each; in another process, another one.
        return _device, (self.id,)

    def __repr__(self) -> str:
        return f"<PyK device {self.id} '{self.name}'>"

    def __str__(self) -> str:
        return self.name

    @property
    def _default_stream(self) -> _core.Stream:
        """What "no stream" means on this device."""
        with self._lock:
            if self._stream is None:
                self._stream = _core.Stream.default(self._core, _DEFAULT_STREAM)
            return self._stream

    @property
    def name(self) -> str:
        """What the driver, or for a CPU the system, calls it."""
        return self._core.name

    @property
    def uuid(self) -> str:
        """`GPU-` or `CPU-` and 32 hexadecimal digits in groups."""
        return self._core.uuid

    @property
    def compute_capability(self) -> tuple[int, int]:
        """Major and minor number; the CPU has that of what it executes."""
        core = self._core
        return (
            core.attribute("COMPUTE_CAPABILITY_MAJOR"),
            core.attribute("COMPUTE_CAPABILITY_MINOR"),
        )

    @property
    def supports_float16(self) -> bool:
        """Whether kernels may use float16: always."""
        return True

    @property
    def supports_bfloat16(self) -> bool:
        """Whether kernels may use bfloat16: from compute capability 8.0."""
        return self.compute_capability >= (8, 0)

    @property
    def is_cpu(self) -> bool:
        """Whether its memory is the host's."""
        return self._core.backend == CPU

    @property
    def chip(self) -> str:
        """What PTX for it is made for, such as `sm_90`."""
        major, minor = self.compute_capability
        return f"sm_{major}{minor}"

    def __getattr__(self, name: str) -> int:
        if name.isupper():
            with contextlib.suppress(LookupError, NotImplementedError):
                value = self._core.attribute(name)
                # Like any other attribute from now on.
                setattr(self, name, value)
                return value
        raise _missing.attribute_error(self, name)

    def get_primary_context(self) -> Context:
        """The context that all work on the device shares."""
        return self._context

    @public
    def reset(self) -> None:
        """Frees everything on the device; what was made there is dead."""
        self._forget()
        try:
            self._core.reset()
        finally:
            # Once more: other threads may have made things meanwhile.
            self._forget()

    def _forget(self) -> None:
        """Makes what is on the device unusable."""
        # Counted first, for those who look whether it was reset meanwhile.
        with self._lock:
            self.resets += 1
            self._stream = None
            _core.forget_streams()
        for forget in on_reset:
            forget(self)


class Deallocations:
    """Memory of a device that was dropped: it is freed after work that uses it.

    So nothing has to wait here for a program to free it.
    """

    def __init__(self, context: Context) -> None:
        self._context = context

    @public
    def clear(self) -> None:
        """Waits until all of it is free."""
        self._context.synchronize()


class Context:
    """A device as a place to work in; PyK has one for each device."""

    __getattr__ = _missing.attribute_of

    def __init__(self, device: Device) -> None:
        self._device = weakref.ref(device)

    @property
    def device(self) -> Device:
        """The device."""
        device = self._device()
        assert device is not None
        return device

    @property
    def handle(self) -> int:
        """The CUcontext, as an int; 0 on the CPU."""
        return self.device._core.context()

    @public
    def get_memory_info(self) -> MemoryInfo:
        """Free and total bytes of the device's memory."""
        return MemoryInfo(*self.device._core.memory_info())

    @public
    def synchronize(self) -> None:
        """Waits for all work on the device."""
        self.device._core.synchronize()

    @property
    def deallocations(self) -> Deallocations:
        """What is to be freed on the device."""
        return Deallocations(self)

    @public
    def reset(self) -> None:
        """The same as `Device.reset`."""
        self.device.reset()

    @public
    def push(self) -> None:
        """Makes the device this thread's current one, until `pop`."""
        _state.pushed.append(current())
        _select(self.device)

    @public
    def pop(self) -> None:
        """Makes the device current that was so before the last `push`."""
        if not _state.pushed:
            raise CudaDriverError("pop expects a push before it")
        _select(_state.pushed.pop())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Context) and self.device is other.device

    def __hash__(self) -> int:
        return hash(self.device.id)


class _ThreadState(threading.local):
    device: Device | None = None

    def __init__(self) -> None:
        #: What was current before each `push` without its `pop`.
        self.pushed: list[Device] = []
        #: The same of each `with` that has not ended.
        self.outer: list[Device] = []


_state = _ThreadState()
_lock = threading.Lock()
_devices: list[Device] | None = None


def _backend() -> tuple[int, int]:
    """The backend of this process and how many devices it has."""
    target = options.target
    if target not in TARGETS:
        raise ValueError(
            f"PYK_TARGET expects one of {', '.join(TARGETS)} but got {target!r}"
        )
    if target == PTX_MACHINE:
        _ptx_machine.use()
        target = "cuda"
    # Comparisons have it as a device beside the program's.
    if options.compare and target in ("auto", "cpu") and _ptx_machine.offer():
        target = "cpu"
    if target == "cpu":
        return CPU, _core.device_count(CPU)
    try:
        count = _core.device_count(CUDA)
    except CudaSupportError:
        if target == "cuda":
            raise
        count = 0
    if count:
        return CUDA, count
    if target == "cuda":
        raise CudaSupportError(
            "choosing a device: the driver sees no GPU; run on the CPU with "
            "--target=cpu or PYK_TARGET=cpu"
        )
    return CPU, _core.device_count(CPU)


def devices() -> list[Device]:
    """All devices, by their numbers."""
    global _devices
    if _devices is None:
        with _lock:
            if _devices is None:
                backend, count = _backend()
                _devices = [
                    Device(_core.Device.get(backend, index))
                    for index in range(count)
                ]
    return _devices


def all_resets() -> int:
    """How often devices were reset, which ends what threads have selected."""
    return sum(device.resets for device in devices())


def _select(device: Device) -> None:
    _state.device = device
    # With one device there is nothing to check.
    checked = device if len(devices()) > 1 else None
    with device._lock:
        _core.select_stream(device._default_stream, checked)


def activate() -> Device:
    """The thread's device, made the one of its launches."""
    device = _state.device or devices()[0]
    _select(device)
    return device


def current() -> Device:
    """The thread's device; device 0 if it has selected none."""
    return _state.device or activate()


@functools.cache
def first_of(backend: int) -> Device:
    """Device 0 of a backend, which need not be that of the process."""
    found = devices()[0]
    if found._core.backend == backend:
        return found
    return Device(_core.Device.get(backend, 0))


@contextlib.contextmanager
def on(device: Device) -> Iterator[Device]:
    """Makes `device` this thread's device for a while."""
    previous = current()
    _select(device)
    try:
        yield device
    finally:
        _select(previous)


def on_cpu() -> contextlib.AbstractContextManager[Device]:
    """Makes the CPU this thread's device, whatever there is besides."""
    previous = current()
    return on(previous if previous.is_cpu else first_of(CPU))


def _device(number: object) -> Device:
    try:
        index = operator.index(number)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(
            f"the number of a device is an int but got {number!r}"
        ) from None
    found = devices()
    if not 0 <= index < len(found):
        what = "device 0" if len(found) == 1 else f"0 to {len(found) - 1}"
        raise IndexError(
            f"no device {index}: this process has {what}; "
            "cuda.list_devices() shows them"
        )
    return found[index]


class _ManagedDevice:
    """A device in the list: current within a `with` statement."""

    def __init__(self, device: Device) -> None:
        self._device = device

    def __getattr__(self, name: str) -> Any:
        if name == "_device":
            # It is being copied.
            raise AttributeError(name)
        return getattr(self._device, name)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, _ManagedDevice) and self._device is other._device
        )

    def __hash__(self) -> int:
        return hash(self._device)

    def __repr__(self) -> str:
        return f"<Managed Device {self._device.id}>"

    def __enter__(self) -> Context:
        # Of this thread: others may have entered the same object.
        _state.outer.append(current())
        _select(self._device)
        return self._device.get_primary_context()

    def __exit__(self, *exception: object) -> None:
        _select(_state.outer.pop())


class DeviceList(Sequence[Any]):
    """`cuda.gpus`: the devices, looked for when they are first needed.

    >>> from pyk import cuda
    >>> with cuda.gpus[0]:
    ...     a = cuda.to_device([1.0, 2.0])
    """

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [_ManagedDevice(device) for device in devices()[index]]
        if hasattr(index, "__index__") and -len(self) <= index < 0:
            index += len(self)
        return _ManagedDevice(_device(index))

    def __len__(self) -> int:
        return len(devices())

    def __iter__(self) -> Iterator[Any]:
        return map(_ManagedDevice, devices())

    def __str__(self) -> str:
        return ", ".join(str(device) for device in devices())

    @property
    def lst(self) -> list[Any]:
        """The same as a list."""
        return list(self)

    @property
    def current(self) -> Any:
        """The thread's device, or None if it has not used one yet."""
        device = _state.device
        return None if device is None else _ManagedDevice(device)


gpus = DeviceList()


@public
def list_devices() -> DeviceList:
    """All devices.

    >>> len(list_devices())
    1
    """
    return gpus


@public
def select_device(device_id: int) -> Device:
    """Makes a device this thread's current one.

    >>> select_device(0).id
    0
    """
    device = _device(device_id)
    _select(device)
    return device


@public
def get_current_device() -> Device:
    """The thread's current device."""
    return current()


@public
def is_float16_supported() -> bool:
    """Whether kernels on the current device may use float16: always."""
    return current().supports_float16


@public
def is_bfloat16_supported() -> bool:
    """Whether kernels on the current device may use bfloat16.

    >>> is_bfloat16_supported()
    True
    """
    return current().supports_bfloat16


@public
def is_fp8_supported() -> bool:
    """Whether kernels may use floats of 8 bits: always."""
    return True


@public
def current_context(devnum: int | None = None) -> Context:
    """The context of the current device, or of device `devnum`."""
    if devnum is None:
        return current().get_primary_context()
    return select_device(devnum).get_primary_context()


def require_context(function: F) -> F:
    """Makes sure that this thread has a device when `function` is called."""

    @functools.wraps(function)
    def checked(*args: Any, **keywords: Any) -> Any:
        current()
        return function(*args, **keywords)

    return checked  # type: ignore[return-value]


@public
def close() -> None:
    """Frees everything on all devices; arrays, streams and events are dead."""
    for device in _devices or ():
        device.reset()
    _state.device = None


@public
def synchronize() -> None:
    """Waits for all work on the current device."""
    current()._core.synchronize()


@public
def profile_start() -> None:
    """Tells a profiler that watches the process to record from now on.

    Without one, and on the CPU, nothing happens.
    """
    current()._core.set_profiling(True)


@public
def profile_stop() -> None:
    """Tells a profiler that watches the process to record no longer."""
    current()._core.set_profiling(False)


@contextlib.contextmanager
def profiling() -> Iterator[None]:
    """Has a profiler record what the block does; for `with`."""
    profile_start()
    try:
        yield
    finally:
        profile_stop()


@contextlib.contextmanager
def defer_cleanup() -> Iterator[None]:
    """For `with`: freeing memory does not interrupt the block.

    It does not without, either: memory is freed after the work that uses it,
    and no thread waits for that.
    """
    current()
    yield


def is_available() -> bool:
    """Whether kernels can run, which needs no GPU.

    >>> is_available()
    True
    """
    return cuda_error() is None


def cuda_error() -> Exception | None:
    """Why kernels cannot run, or None if they can."""
    try:
        devices()
    except (CudaSupportError, CudaDriverError) as error:
        return error
    return None


@public
def detect() -> bool:
    """Prints the devices; whether there is one.

    >>> detect()  # doctest: +ELLIPSIS
    Found 1 device...
    """
    found = devices()
    print(f"Found {len(found)} device{'s' * (len(found) != 1)}")
    for device in found:
        major, minor = device.compute_capability
        kind = "CPU" if device.is_cpu else "GPU"
        print(f"id {device.id}    {device.name:>40}    [{kind}]")
        print(f"{'compute capability:':>34} {major}.{minor}")
        if not device.is_cpu:
            print(f"{'pci device id:':>34} {device.PCI_DEVICE_ID}")
            print(f"{'pci bus id:':>34} {device.PCI_BUS_ID}")
        print(f"{'UUID:':>34} {device.uuid}")
    return bool(found)
