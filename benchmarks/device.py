# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What launches and copies cost on this machine's GPU, beside the bare driver.

Launches of an empty kernel, one after the other or each with a wait for its
end, and copies between host and device. The driver's own calls are made by
ctypes, whose part a call that does next to nothing shows.
"""

from __future__ import annotations

import ctypes
import os
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from _report import ROOT, Groups, Samples, parser_of, print_table, save

from pyk import cuda

# Calls in one sample of launches.
BATCH = 1000
# Bytes of the arrays that are copied.
SIZES = {"4 KiB": 2**12, "1 MiB": 2**20, "64 MiB": 2**26}

PTX = b"""
.version 7.0
.target sm_75
.address_size 64
.visible .entry nothing() { ret; }
.visible .entry four(.param .u64 a, .param .u64 b, .param .u64 c, .param .u64 d)
{ ret; }
"""


@cuda.jit
def nothing():
    pass


@cuda.jit
def four(a, b, c, d):
    pass


class Driver:
    """The functions of the CUDA driver, on the context that PyK uses too."""

    def __init__(self) -> None:
        name = os.environ.get("PYK_LIBCUDA") or "libcuda.so.1"
        self._library = ctypes.CDLL(name)
        self.call("cuInit", 0)
        device, context = ctypes.c_int(), ctypes.c_void_p()
        self.call("cuDeviceGet", ctypes.byref(device), 0)
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self.call("cuCtxSetCurrent", context)
        self._module = ctypes.c_void_p()
        self.call(
            "cuModuleLoadDataEx", ctypes.byref(self._module), PTX, 0, None, None
        )

    def call(self, name: str, *arguments: Any) -> None:
        self.bind(name, *arguments)()

    def bind(self, name: str, *arguments: Any) -> Callable[[], None]:
        """A call that raises if the driver refuses it."""
        function = getattr(self._library, name)

        def call() -> None:
            status = function(*arguments)
            if status:
                raise RuntimeError(f"{name} fails with {status}")

        return call

    def launch(self, kernel: str, arguments: list[int]) -> Callable[[], None]:
        function = ctypes.c_void_p()
        self.call(
            "cuModuleGetFunction",
            ctypes.byref(function),
            self._module,
            kernel.encode(),
        )
        values = [ctypes.c_uint64(one) for one in arguments]
        pointers = (ctypes.c_void_p * len(values))(
            *[ctypes.addressof(value) for value in values]
        )
        call = self.bind(
            "cuLaunchKernel", function, *[1] * 6, 0, None, pointers, None
        )
        # The pointers are to `values`.
        call.__dict__["values"] = values
        return call


def both(
    first: Callable[[], object], second: Callable[[], object]
) -> Callable[[], None]:
    def call() -> None:
        first()
        second()

    return call


def sample(runs: int, batch: int, call: Callable[[], object]) -> Samples:
    """Microseconds of a call; the first is not counted."""
    call()
    cuda.synchronize()
    samples = []
    for _ in range(runs):
        start = time.perf_counter()
        for _ in range(batch):
            call()
        elapsed = time.perf_counter() - start
        samples.append(elapsed / batch * 1e6)
        cuda.synchronize()
    return samples


def measure_launches(driver: Driver, runs: int) -> Groups:
    arrays = [cuda.to_device(np.zeros(1, np.float32)) for _ in range(4)]
    addresses = [int(array.device_pointer) for array in arrays]
    wait = driver.bind("cuCtxSynchronize")
    bare = driver.launch("nothing", [])
    bare_four = driver.launch("four", addresses)
    version = ctypes.c_int()

    ask = driver.bind("cuDriverGetVersion", ctypes.byref(version))
    launches: dict[str, dict[str, Callable[[], object]]] = {
        "launch": {
            "PyK": lambda: nothing[1, 1](),
            "driver": bare,
            "a call by ctypes": ask,
        },
        "launch with 4 arrays": {
            "PyK": lambda: four[1, 1](*arrays),
            "driver": bare_four,
        },
        "launch and wait": {
            "PyK": both(lambda: nothing[1, 1](), cuda.synchronize),
            "driver": both(bare, wait),
        },
    }
    return {
        group: {row: sample(runs, BATCH, call) for row, call in rows.items()}
        for group, rows in launches.items()
    }


def measure_copies(driver: Driver, runs: int) -> Groups:
    groups: Groups = {}
    wait = driver.bind("cuCtxSynchronize")
    for title, count in SIZES.items():
        there = cuda.device_array(count, np.uint8)
        address = ctypes.c_uint64(there.device_pointer)
        for kind, host in (
            ("pageable", np.ones(count, np.uint8)),
            ("pinned", cuda.pinned_array(count, np.uint8)),
        ):
            here = ctypes.c_void_p(host.ctypes.data)
            size = ctypes.c_size_t(count)
            batch = max(1, 2**20 // count)
            groups[f"copy of {title}, {kind}"] = {
                name: sample(runs, batch, call)
                for name, call in {
                    "to the device, PyK": lambda there=there, host=host: (
                        there.copy_to_device(host)
                    ),
                    "to the device, driver": both(
                        driver.bind(
                            "cuMemcpyHtoDAsync_v2", address, here, size, None
                        ),
                        wait,
                    ),
                    "to the host, PyK": lambda there=there, host=host: (
                        there.copy_to_host(host)
                    ),
                    "to the host, driver": both(
                        driver.bind(
                            "cuMemcpyDtoHAsync_v2", here, address, size, None
                        ),
                        wait,
                    ),
                }.items()
            }
    return groups


def main() -> int:
    """Measures, prints, and saves if asked to."""
    parser = parser_of("device", __doc__)
    options = parser.parse_args()
    if not cuda.is_available() or cuda.get_current_device().is_cpu:
        sys.exit("device: needs a GPU, and PyK finds none")
    # PyK makes the context.
    nothing[1, 1]()
    driver = Driver()
    groups: Groups = {}
    for measure in (measure_launches, measure_copies):
        found = measure(driver, options.runs)
        print_table(found, "us")
        print(flush=True)
        groups |= found
    if options.save:
        path = save("device", groups, "us")
        print(f"saved {path.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
