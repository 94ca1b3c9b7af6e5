# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays of the host as arrays of a device, for the time of a statement."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from pyk.cuda import _devices
from pyk.cuda._arrays import DeviceNDArray, forget_memory
from pyk.cuda._layout import AnyArray
from pyk.cuda._memory import MAPPED, check_region
from pyk.cuda._streams import core_stream
from pyk.cuda._transfers import array_at


@contextmanager
def mapped(*arylist: AnyArray, stream: object = 0) -> Iterator[Any]:
    """Device arrays of the memory of host arrays, within a `with` statement."""
    device = _devices.current()
    core_stream(stream, device)
    found = []
    try:
        for array in arylist:
            check_region(array, "mapped")
            start, address = int(array.ctypes.data), 0
            buffer = None
            if array.nbytes:
                buffer = device._core.register(start, array.nbytes, MAPPED)
                address = buffer.device_address
            shadow = array_at(address, array.shape, array.dtype, array.strides)
            found.append(DeviceNDArray(shadow, (buffer, array), device, stream))
        yield found[0] if len(found) == 1 else found
    finally:
        try:
            device._core.synchronize()
        finally:
            for entry in found:
                forget_memory(entry._owner)
