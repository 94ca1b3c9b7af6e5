# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The PTX machine as a second device, next to the CPU.

The stand-in for the CUDA driver executes the PTX of what is launched `on_it`.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

from pyk import _options, _ptx_machine
from pyk.cuda import _devices

LIBRARY = _ptx_machine.LIBRARY


def use() -> None:
    """Makes the stand-in the CUDA driver, and the CPU the process's device.

    Nothing may have asked for a device before.
    """
    os.environ["PYK_LIBCUDA"] = str(LIBRARY)
    _options.options.target = "cpu"
    assert _devices.current().is_cpu


@contextlib.contextmanager
def on_it(seed: int) -> Iterator[_devices.Device]:
    """Launches run on the PTX machine, in a random order unless `seed` is 0.

    The kernels must be made within: one that has run on the CPU stays there. A
    failure loses what is on the device, and leaves it usable.
    """
    device = _devices.first_of(_devices.CUDA)
    _ptx_machine.set_seed(seed)
    try:
        with _devices.on(device):
            yield device
            device._core.synchronize()
    except BaseException:
        device.reset()
        raise
