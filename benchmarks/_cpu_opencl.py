# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""As much of OpenCL as `_cpu_worker.py` needs, by ctypes."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np

Extent = int | tuple[int, ...]

# Of <CL/cl.h>.
_ALL_DEVICES = 0xFFFFFFFF
_DRIVER_VERSION = 0x102D
_DEVICE_VERSION = 0x102F
_BUILD_LOG = 0x1183
_INVALID_KERNEL_NAME = -46
_READ_WRITE_COPY = 1 << 0 | 1 << 5
_HANDLES = ("Context", "CommandQueue", "ProgramWithSource", "Kernel", "Buffer")


class OpenCLError(Exception):
    """A function of OpenCL returned an error."""

    def __init__(self, function: str, code: int, log: str = "") -> None:
        super().__init__(f"cl{function} returned {code}{log and f': {log}'}")
        self.code = code


class OpenCL:
    """The first device of the only platform, and the kernels of a source."""

    def __init__(self, source: str, options: str) -> None:
        self._library = ctypes.CDLL("libOpenCL.so.1")
        for name in _HANDLES:
            getattr(self._library, f"clCreate{name}").restype = ctypes.c_void_p
        platform, self._device = ctypes.c_void_p(), ctypes.c_void_p()
        self._call("GetPlatformIDs", 1, ctypes.byref(platform), None)
        self._call(
            *("GetDeviceIDs", platform, ctypes.c_uint64(_ALL_DEVICES), 1),
            *(ctypes.byref(self._device), None),
        )
        devices = ctypes.byref(self._device)
        self._context = self._create("Context", None, 1, devices, None, None)
        self._queue = self._create(
            "CommandQueue", self._context, self._device, ctypes.c_uint64(0)
        )
        text = ctypes.c_char_p(source.encode())
        self._program = self._create(
            "ProgramWithSource", self._context, 1, ctypes.byref(text), None
        )
        try:
            self._call(
                *("BuildProgram", self._program, 1, devices),
                *(options.encode(), None, None),
            )
        except OpenCLError as error:
            log = self._build_log()
            raise OpenCLError("BuildProgram", error.code, log) from None
        self._buffers: list[tuple[ctypes.c_void_p, np.ndarray]] = []

    @property
    def version(self) -> str:
        """What the device says of itself and of its driver."""
        said = []
        for parameter in (_DEVICE_VERSION, _DRIVER_VERSION):
            text = ctypes.create_string_buffer(1024)
            self._call(
                *("GetDeviceInfo", self._device, parameter),
                *(ctypes.c_size_t(len(text)), text, None),
            )
            said.append(text.value.decode())
        return ", driver ".join(said)

    def prepare(
        self,
        name: str,
        blocks: Extent,
        threads: Extent,
        arguments: list[Any],
    ) -> Callable[[], None]:
        """What launches a kernel and waits for its end.

        KeyError where the source has no such kernel.
        """
        try:
            kernel = self._create("Kernel", self._program, name.encode())
        except OpenCLError as error:
            if error.code == _INVALID_KERNEL_NAME:
                raise KeyError(name) from None
            raise
        for place, argument in enumerate(arguments):
            given = self._given(argument)
            size = ctypes.c_size_t(ctypes.sizeof(given))
            self._call("SetKernelArg", kernel, place, size, ctypes.byref(given))
        local = threads if isinstance(threads, tuple) else (threads,)
        grid = blocks if isinstance(blocks, tuple) else (blocks,)
        sizes = ctypes.c_size_t * len(local)
        shape = [a * b for a, b in zip(grid, local, strict=True)]
        launch = (
            *(self._queue, kernel, len(local), None),
            *(sizes(*shape), sizes(*local), 0, None, None),
        )

        def run() -> None:
            self._call("EnqueueNDRangeKernel", *launch)
            self._call("Finish", self._queue)

        return run

    def to_host(self) -> None:
        """Writes what is on the device into the arrays that were given."""
        for buffer, array in self._buffers:
            self._call(
                *("EnqueueReadBuffer", self._queue, buffer, 1),
                *(ctypes.c_size_t(0), ctypes.c_size_t(array.nbytes)),
                *(ctypes.c_void_p(array.ctypes.data), 0, None, None),
            )

    def release(self) -> None:
        for buffer, _ in self._buffers:
            self._call("ReleaseMemObject", buffer)
        self._buffers = []

    def _given(self, argument: Any) -> Any:
        if not isinstance(argument, np.ndarray):
            return np.ctypeslib.as_ctypes_type(argument.dtype)(argument.item())
        # The runtime's own memory, as PyK's device arrays are.
        buffer = self._create(
            *("Buffer", self._context, ctypes.c_uint64(_READ_WRITE_COPY)),
            ctypes.c_size_t(argument.nbytes),
            ctypes.c_void_p(argument.ctypes.data),
        )
        self._buffers.append((buffer, argument))
        return buffer

    def _create(self, name: str, *arguments: Any) -> ctypes.c_void_p:
        code = ctypes.c_int()
        function = getattr(self._library, f"clCreate{name}")
        handle = function(*arguments, ctypes.byref(code))
        if code.value:
            raise OpenCLError(f"Create{name}", code.value)
        return ctypes.c_void_p(handle)

    def _call(self, name: str, *arguments: Any) -> None:
        code = getattr(self._library, f"cl{name}")(*arguments)
        if code:
            raise OpenCLError(name, code)

    def _build_log(self) -> str:
        log = ctypes.create_string_buffer(1 << 16)
        self._call(
            *("GetProgramBuildInfo", self._program, self._device, _BUILD_LOG),
            *(ctypes.c_size_t(len(log)), log, None),
        )
        return log.value.decode()
