# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The PTX machine: a library in the place of the CUDA driver that executes PTX.

It is built with PyK's tests (test/lib/StandInDriver), and no wheel has it.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import os
from collections.abc import Iterator
from pathlib import Path

from pyk import _core
from pyk._errors import CudaSupportError

#: The runtime's number of the backend.
_CUDA = 1

#: Where a build puts it, beside the Python package.
LIBRARY = (
    Path(_core.__file__).resolve().parents[2] / "lib/libpyk-standin-cuda.so"
)

#: Its path, once this process uses it without PYK_LIBCUDA.
_used: Path | None = None


def is_built() -> bool:
    """Whether this build of PyK has it."""
    return LIBRARY.exists()


def use() -> None:
    """Makes it the CUDA driver of this process, and not of those it starts.

    Nothing may have asked for a device before. A library that PYK_LIBCUDA names
    stays the driver.
    """
    global _used
    if os.environ.get("PYK_LIBCUDA"):
        return
    if not is_built():
        raise CudaSupportError(
            "choosing a device: this PyK has no PTX machine, which is built "
            "with its tests; use target cpu or cuda, or run PyK from a build "
            "of its sources"
        )
    os.environ["PYK_LIBCUDA"] = str(LIBRARY)
    try:
        _core.device_count(_CUDA)
    finally:
        del os.environ["PYK_LIBCUDA"]
    _used = LIBRARY


def offer() -> bool:
    """Makes it the CUDA driver of this process if there is no GPU.

    Whether it has done so. Nothing may have asked for a device before.
    """
    if os.environ.get("PYK_LIBCUDA") or not is_built() or _finds_gpu():
        return False
    use()
    return True


def _finds_gpu() -> bool:
    """Asks NVIDIA's driver, if there is one."""
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return False
    count = ctypes.c_int(0)
    return (
        driver.cuInit(0) == 0
        and driver.cuDeviceGetCount(ctypes.byref(count)) == 0
        and count.value > 0
    )


def is_used() -> bool:
    """Whether the CUDA driver of this process is it."""
    return _path().name == LIBRARY.name


def _path() -> Path:
    return _used or Path(os.environ.get("PYK_LIBCUDA", ""))


@functools.cache
def _library() -> ctypes.CDLL:
    return ctypes.CDLL(str(_path()))


def set_seed(seed: int) -> int:
    """Runs threads of later launches in a random order, unless `seed` is 0.

    Returns the seed of before.
    """
    set_seed_of_machine = _library().standin_set_seed
    set_seed_of_machine.restype = ctypes.c_uint64
    return int(set_seed_of_machine(ctypes.c_uint64(seed)))


@contextlib.contextmanager
def silent() -> Iterator[None]:
    """Within it, what kernels print and why they fail is not written."""
    _library().standin_set_silent(1)
    try:
        yield
    finally:
        _library().standin_set_silent(0)
