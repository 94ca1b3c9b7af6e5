# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Streams and events.

A stream runs its work in order and beside the host, on every device. Work
that names no stream goes to the default stream, which waits for all others
and lets them wait for it; on the CPU it runs on the calling thread.
"""

from __future__ import annotations

import atexit
import operator
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from pyk import _core, _missing
from pyk._boundary import public
from pyk.cuda import _devices

if TYPE_CHECKING:
    import asyncio

# A thread that calls Python while the interpreter ends would end with it.
atexit.register(_core.finish_callbacks)

#: The runtime's numbers of the streams that every device has.
_DEFAULT, _LEGACY, _PER_THREAD = 0, 1, 2


class Stream:
    """An ordered queue of work on a device.

    >>> from pyk import cuda
    >>> stream = cuda.stream()
    >>> a = cuda.to_device([1, 2, 3], stream=stream)
    >>> stream.synchronize()
    """

    __getattr__ = _missing.attribute_of

    __slots__ = ("__weakref__", "_device", "_kind", "_stream")

    def __init__(
        self, stream: _core.Stream, device: _devices.Device, kind: str = ""
    ) -> None:
        self._stream = stream
        self._device = device
        self._kind = kind

    def __repr__(self) -> str:
        kind = self._kind or f"Stream {self.handle:#x}"
        return f"<PyK {kind} on {self._device.name}>"

    def __int__(self) -> int:
        return self.handle

    def __cuda_stream__(self) -> tuple[int, int]:
        return 0, self.handle

    @property
    def handle(self) -> int:
        """The CUstream, as an int."""
        return self._stream.handle

    @public
    def synchronize(self) -> None:
        """Waits for all work in the stream; raises what it failed with."""
        self._stream.synchronize()

    @contextmanager
    def auto_synchronize(self) -> Iterator[Stream]:
        """Waits, at the end of a `with` block, for the work in the stream."""
        yield self
        self.synchronize()

    @public
    def add_callback(
        self,
        callback: Callable[[Stream, int, Any], object],
        arg: object = None,
    ) -> None:
        """Calls `callback(stream, status, arg)` after the work before it.

        `status` is 0, or CUDA_ERROR_UNKNOWN if that work failed. The callback
        runs on another thread and must not use the device.
        """
        if not callable(callback):
            raise TypeError(
                f"add_callback expects a function but got {callback!r}"
            )

        def call(failure: str | None) -> None:
            callback(self, 0 if failure is None else 999, arg)

        self._stream.add_callback(call)

    @public
    def async_done(
        self, loop: asyncio.AbstractEventLoop | None = None
    ) -> asyncio.Future[Any]:
        """An awaitable that is done when all work until now is.

        Its result is the stream, or the exception of the work's failure.
        """
        # Loading it takes a third of the time of `import pyk`.
        import asyncio

        loop = loop or asyncio.get_running_loop()
        future = loop.create_future()

        def resolve(status: int) -> None:
            if future.done():
                return
            if status:
                future.set_exception(
                    RuntimeError(f"work before it failed, status {status}")
                )
            else:
                future.set_result(self)

        self.add_callback(
            lambda stream, status, arg: loop.call_soon_threadsafe(
                resolve, status
            )
        )
        return future


def is_unnamed(stream: object) -> bool:
    """Whether `stream` says only that no stream is named."""
    return stream is None or (isinstance(stream, int) and stream == 0)


def core_stream(stream: object, device: _devices.Device) -> _core.Stream:
    """The runtime's stream for what a program passes as `stream=`."""
    if isinstance(stream, Stream):
        if stream._device is not device:
            raise ValueError(
                f"expects a stream of device {device.id} but got one of "
                f"device {stream._device.id}; select that device first"
            )
        return stream._stream
    if is_unnamed(stream):
        return device._default_stream
    protocol = getattr(stream, "__cuda_stream__", None)
    if protocol is not None:
        _, handle = protocol()
        return _core.Stream.external(device._core, handle)
    remedy = ""
    if isinstance(stream, int):
        remedy = (
            "; bytes of dynamic shared memory come fourth, as in kernel[grid, "
            f"block, 0, {stream}]"
        )
    raise TypeError(
        f"expects a stream made by cuda.stream(), or 0, but got {stream!r}"
        f"{remedy}"
    )


@public
def stream() -> Stream:
    """A new stream on the current device."""
    device = _devices.current()
    return Stream(_core.Stream.create(device._core), device)


def _existing(which: int, kind: str) -> Stream:
    device = _devices.current()
    return Stream(_core.Stream.default(device._core, which), device, kind)


@public
def default_stream() -> Stream:
    """The stream of work that names none."""
    return _existing(_DEFAULT, "default stream")


@public
def legacy_default_stream() -> Stream:
    """The default stream that all threads share."""
    return _existing(_LEGACY, "legacy default stream")


@public
def per_thread_default_stream() -> Stream:
    """The default stream of the calling thread alone."""
    return _existing(_PER_THREAD, "per-thread default stream")


@public
def external_stream(ptr: int) -> Stream:
    """A stream that somebody else made and keeps; `ptr` is its handle."""
    device = _devices.current()
    handle = operator.index(ptr) if hasattr(ptr, "__index__") else -1
    if not 0 <= handle < 2**64:
        raise TypeError(
            "external_stream expects the handle of a stream, an int, but got "
            f"{ptr!r}"
        )
    return Stream(
        _core.Stream.external(device._core, handle), device, "external stream"
    )


class Event:
    """A point in the work of a stream."""

    __getattr__ = _missing.attribute_of

    __slots__ = ("_device", "_event")

    def __init__(self, timing: bool) -> None:
        self._device = _devices.current()
        self._event = _core.Event.create(self._device._core, bool(timing))

    @property
    def handle(self) -> int:
        """The CUevent, as an int."""
        return self._event.handle

    @public
    def record(self, stream: object = 0) -> None:
        """The event happens when all work of `stream` until now has ended."""
        self._event.record(core_stream(stream, self._device))

    @public
    def query(self) -> bool:
        """Whether it has happened; true if it was never recorded."""
        return self._event.query()

    @public
    def synchronize(self) -> None:
        """Waits until it has happened."""
        self._event.synchronize()

    @public
    def wait(self, stream: object = 0) -> None:
        """Later work of `stream` waits until it has happened."""
        core_stream(stream, self._device).wait(self._event)

    @public
    def elapsed_time(self, evtend: Event) -> float:
        """Milliseconds from this event to `evtend`."""
        if not isinstance(evtend, Event):
            raise TypeError(f"elapsed_time expects an event but got {evtend!r}")
        return self._event.elapsed(evtend._event)


@public
def event(timing: bool = True) -> Event:
    """A new event on the current device.

    >>> from pyk import cuda
    >>> start, end = cuda.event(), cuda.event()
    >>> start.record(); end.record(); end.synchronize()
    >>> start.elapsed_time(end) >= 0
    True
    """
    return Event(timing)


@public
def event_elapsed_time(evtstart: Event, evtend: Event) -> float:
    """Milliseconds between two events that have happened."""
    if not isinstance(evtstart, Event):
        raise TypeError(
            f"event_elapsed_time expects events but got {evtstart!r}"
        )
    return evtstart.elapsed_time(evtend)
