# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The PTX machine as a second device, next to the CPU.

The stand-in for the CUDA driver executes the PTX of what is launched `on_it`.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import os
from collections.abc import Iterator
from pathlib import Path

from pyk import _core, _options
from pyk.cuda import _devices

LIBRARY = (
    Path(_core.__file__).resolve().parents[2] / "lib/libpyk-standin-cuda.so"
)


def use() -> None:
    """Makes the stand-in the CUDA driver, and the CPU the process's device.

    Nothing may have asked for a device before.
    """
    os.environ["PYK_LIBCUDA"] = str(LIBRARY)
    _options.options.target = "cpu"
    assert _devices.current().is_cpu


@functools.cache
def _standin() -> ctypes.CDLL:
    return ctypes.CDLL(os.environ["PYK_LIBCUDA"])


@contextlib.contextmanager
def on_it(seed: int) -> Iterator[_devices.Device]:
    """Launches run on the PTX machine, in a random order unless `seed` is 0.

    The kernels must be made within: one that has run on the CPU stays there. A
    failure loses what is on the device, and leaves it usable.
    """
    device = _devices.first_of(_devices.CUDA)
    _standin().standin_set_seed(ctypes.c_uint64(seed))
    try:
        with _devices.on(device):
            yield device
            device._core.synchronize()
    except BaseException:
        device.reset()
        raise
