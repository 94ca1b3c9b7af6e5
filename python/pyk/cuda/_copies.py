# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Copies of host arrays for one launch on a GPU.

A launch copies each range of host memory once: arrays that overlap share one
copy, in which each has the offset and the strides that it has on the host. So
a kernel that gets one array twice, or two views of one array, finds them as on
the CPU, where it gets the host's memory itself. Of the elements in between,
none is written back.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

import numpy as np

from pyk._dtypes import is_aligned
from pyk.cuda._arrays import DeviceNDArray
from pyk.cuda._creation import device_array
from pyk.cuda._layout import (
    AnyArray,
    is_contiguous,
    span,
    without_repetition,
)
from pyk.cuda._memory import is_pinned
from pyk.cuda._streams import core_stream
from pyk.cuda._transfers import address_of, array_at, copy_out


class After(list[Callable[[], object]]):
    """What is done after a launch, in order."""

    #: The device addresses of arrays that the kernel does not write.
    unwritten: Collection[int] = ()


#: The largest alignment that a kernel may assume of an array, in bytes. Arrays
#: in a shared copy have the same offsets as on the host, modulo this.
_ALIGNMENT = 16

#: An address for arrays of which only the types are needed.
_ANYWHERE = 4096


def bounds(array: AnyArray) -> tuple[int, int]:
    """The addresses at which the memory of `array` begins and ends."""
    first = address_of(array)
    low, high = span(array.shape, array.dtype, array.strides)
    return first + low, first + high


class HostRange:
    """A range of host memory with a copy on the device."""

    def __init__(self, low: int) -> None:
        self.low = self.high = low
        self._arrays: list[AnyArray] = []
        #: Those whose elements are copied back.
        self._written: list[AnyArray] = []
        self._copies_in = False
        self._there: DeviceNDArray | None = None

    def add(self, array: AnyArray, copies_in: bool, copies_out: bool) -> None:
        """Extends the range to `array`, which begins in it."""
        self.high = max(self.high, bounds(array)[1])
        self._arrays.append(array)
        self._copies_in |= copies_in
        if copies_out:
            self._written.append(array)

    def _start(self) -> int:
        """The offset of the range in its copy.

        An aligned array alone begins where new device arrays do, at an address
        that fits any kernel.
        """
        is_any = len(self._arrays) == 1 and is_aligned(self._arrays[0])
        return 0 if is_any else self.low % _ALIGNMENT

    def placed(self, array: AnyArray, address: int) -> AnyArray:
        """`array` in a copy that begins at `address`."""
        offset = self._start() + address_of(array) - self.low
        there = array_at(
            address + offset, array.shape, array.dtype, array.strides
        )
        there.flags.writeable = array.flags.writeable
        return there

    def shown(self, array: AnyArray) -> AnyArray:
        """What has the type that `array` has on the device.

        One of Python objects, which has none there, is refused as on the CPU.
        """
        return array if array.dtype.hasobject else self.placed(array, _ANYWHERE)

    def move(
        self, array: AnyArray, stream: object, after: After
    ) -> DeviceNDArray:
        """`array` on the device; the first call copies the range."""
        if self._there is None:
            self._there = self._copy(stream)
            if self._written:
                after.append(lambda: self._copy_back(stream, after.unwritten))
        return self._placed_there(array)

    def _placed_there(self, array: AnyArray) -> DeviceNDArray:
        there = self._there
        assert there is not None
        return there._view(self.placed(array, address_of(there._meta())))

    def _copy(self, stream: object) -> DeviceNDArray:
        count = self.high - self.low
        there = device_array(self._start() + count, np.uint8, stream=stream)
        if self._copies_in and count:
            waits = not (stream and all(map(is_pinned, self._arrays)))
            core_stream(stream, there._device).copy_to_device(
                address_of(there._meta()) + self._start(),
                self.low,
                count,
                waits,
            )
        return there

    def _copy_back(self, stream: object, unwritten: Collection[int]) -> None:
        """Copies what the kernel may have written to the host.

        `unwritten` has the addresses of arrays in which that is nothing.
        Elements of several arrays are copied once.
        """
        written: dict[object, AnyArray] = {}
        for array in self._written:
            layout = address_of(array), array.shape, array.strides
            written.setdefault((layout, array.dtype), array)
        whole: list[tuple[int, int]] = []
        for array in sorted(
            written.values(),
            key=lambda one: (is_contiguous(one), one.nbytes),
            reverse=True,
        ):
            low, high = bounds(array)
            if any(begin <= low and high <= end for begin, end in whole):
                continue
            there = self._placed_there(array)
            if address_of(there._meta()) in unwritten:
                continue
            copy_out(
                without_repetition(there._meta()),
                without_repetition(array),
                there._device,
                stream,
            )
            if is_contiguous(array):
                whole.append((low, high))


class HostCopy:
    """A host array that a launch copies, in the range that it belongs to."""

    def __init__(
        self, array: AnyArray, copies_in: bool, copies_out: bool
    ) -> None:
        self.array = array
        #: Whether the kernel's writes are dropped, so that no other argument
        #: may show them.
        self.is_private = not copies_out and array.flags.writeable
        self._directions = copies_in, copies_out and array.flags.writeable
        self._range: HostRange | None = None

    @property
    def range(self) -> HostRange:
        """Its range, alone unless `share` has found others."""
        if self._range is None:
            self.join(HostRange(bounds(self.array)[0]))
        assert self._range is not None
        return self._range

    def join(self, host_range: HostRange) -> None:
        host_range.add(self.array, *self._directions)
        self._range = host_range


def share(copies: Iterable[HostCopy]) -> None:
    """Gives one range to arrays that overlap, before any is moved."""
    last: HostRange | None = None
    public = [one for one in copies if not one.is_private]
    for one in sorted(public, key=lambda one: bounds(one.array)):
        low = bounds(one.array)[0]
        if last is None or low >= last.high:
            last = HostRange(low)
        one.join(last)
