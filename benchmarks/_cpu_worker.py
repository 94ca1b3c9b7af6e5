# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One peer of `scripts/dev bench cpu`, in a process of its own.

    _cpu_worker.py pyk
    _cpu_worker.py numba strict|fast
    _cpu_worker.py library FILE
    _cpu_worker.py opencl OPTIONS
    _cpu_worker.py roof FILE memory|bypass|arithmetic

Reads requests from standard input, a line of JSON each, and answers with a
line on standard output. `load` runs a kernel once and compares its results with
NumPy's; `time` takes a turn and yields its median and its shortest run, in
milliseconds.
"""

from __future__ import annotations

import ctypes
import json
import os
import runpy
import statistics
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from _cpu_cases import CASES, Arguments, error_of

KERNELS = Path(__file__).parent / "kernels"

Run = Callable[[], object]

# Of a turn, in seconds; runs in a turn.
TURN = 0.06
MOST_RUNS = 40


class Form(Protocol):
    """The kernels in the form of one peer."""

    version: str
    # Whether a reduction yields one total.
    has_total: bool

    def prepare(
        self, name: str, arguments: Arguments, results: list[str]
    ) -> Run:
        """What runs the kernel to its end; KeyError where there is none.

        `results` are the names of the arguments that are written.
        """

    def to_host(self) -> None:
        """Brings results back to the arrays of `prepare`."""

    def release(self) -> None:
        """Lets go of what `prepare` has made."""


class InPlace:
    """What works on NumPy's arrays."""

    has_total = True

    def to_host(self) -> None:
        pass

    def release(self) -> None:
        pass


class PyK:
    """Kernels of `kernels/cpu.py`; arrays are on the device."""

    has_total = False

    def __init__(self) -> None:
        import pyk

        pyk.install_as_numba()
        from pyk import cuda

        self.version = f"PyK {pyk.__version__}"
        self._cuda = cuda
        self._kernels = runpy.run_path(str(KERNELS / "cpu.py"))
        self._results: list[tuple[Any, np.ndarray]] = []

    def prepare(
        self, name: str, arguments: Arguments, results: list[str]
    ) -> Run:
        function = self._kernels[name]
        launch = CASES[name].launch
        if launch:
            function = function[launch(arguments)]
        given = {
            key: self._cuda.to_device(argument)
            if isinstance(argument, np.ndarray)
            else argument
            for key, argument in arguments.items()
        }
        self._results = [(given[key], arguments[key]) for key in results]
        synchronize = self._cuda.synchronize

        def run() -> None:
            function(*given.values())
            synchronize()

        return run

    def to_host(self) -> None:
        for array, host in self._results:
            array.copy_to_host(host)

    def release(self) -> None:
        self._results = []


class Numba(InPlace):
    """Functions of `kernels/cpu_numba.py`."""

    def __init__(self, way: str) -> None:
        import numba

        self.version = f"Numba {numba.__version__}"
        if way == "fast":
            numba.njit = partial(numba.njit, fastmath=True)
        self._functions = runpy.run_path(str(KERNELS / "cpu_numba.py"))

    def prepare(
        self, name: str, arguments: Arguments, results: list[str]
    ) -> Run:
        return partial(self._functions[name], *arguments.values())


class Library(InPlace):
    """Functions of a shared library."""

    version = ""

    def __init__(self, file: str) -> None:
        self._library = ctypes.CDLL(file)

    def prepare(
        self, name: str, arguments: Arguments, results: list[str]
    ) -> Run:
        try:
            function = getattr(self._library, name)
        except AttributeError:
            raise KeyError(name) from None
        return partial(function, *map(as_c, with_extents(name, arguments)))


class OpenCL:
    """Kernels of `kernels/cpu.cl`."""

    has_total = False

    def __init__(self, options: str) -> None:
        import _cpu_opencl

        source = (KERNELS / "cpu.cl").read_text()
        self._opencl = _cpu_opencl.OpenCL(source, options)
        self.version = self._opencl.version
        self.to_host = self._opencl.to_host
        self.release = self._opencl.release

    def prepare(
        self, name: str, arguments: Arguments, results: list[str]
    ) -> Run:
        launch = CASES[name].launch
        if launch is None:
            raise KeyError(name)
        given = with_extents(name, arguments)
        return self._opencl.prepare(name, *launch(arguments), given)


class Roof(InPlace):
    """Streams the arrays of a kernel, or multiplies and adds."""

    version = ""

    def __init__(self, file: str, way: str) -> None:
        self._library = ctypes.CDLL(file)
        self._library.multiplyAdd.restype = ctypes.c_double
        self._way = way

    def prepare(
        self, name: str, arguments: Arguments, results: list[str]
    ) -> Run:
        if self._way == "arithmetic":
            return self._library.multiplyAdd
        arrays = {
            key: argument
            for key, argument in arguments.items()
            if isinstance(argument, np.ndarray)
        }
        written = set(results)
        read = (set(arrays) - written) | set(CASES[name].updated)

        def of_length(length: int, keys: set[str]) -> tuple[int, Any]:
            """How many there are, and where."""
            found = [
                array.ctypes.data
                for key, array in arrays.items()
                if key in keys and array.nbytes == length
            ]
            return len(found), (ctypes.c_void_p * len(found))(*found)

        passes = [
            partial(
                self._library.stream,
                *of_length(length, read),
                *of_length(length, written),
                *(ctypes.c_long(length), int(self._way == "bypass")),
            )
            for length in {array.nbytes for array in arrays.values()}
        ]

        def run() -> None:
            for one in passes:
                one()

        return run

    def operations(self) -> float:
        """How many a run of `multiplyAdd` does."""
        return float(self._library.multiplyAdd())


FORMS: dict[str, Callable[..., Form]] = {
    "pyk": PyK,
    "numba": Numba,
    "library": Library,
    "opencl": OpenCL,
    "roof": Roof,
}


def with_extents(name: str, arguments: Arguments) -> list[Any]:
    extents = CASES[name].extents(arguments)
    if not extents:
        raise KeyError(name)
    return [*arguments.values(), *map(np.int32, extents)]


def as_c(argument: Any) -> Any:
    if isinstance(argument, np.ndarray):
        return ctypes.c_void_p(argument.ctypes.data)
    return np.ctypeslib.as_ctypes_type(argument.dtype)(argument.item())


def aligned(array: np.ndarray) -> np.ndarray:
    """A copy at a cache line, as device memory is; NumPy's arrays are not."""
    memory = np.empty(array.nbytes + 64, np.uint8)
    start = -memory.ctypes.data % 64
    copy = memory[start : start + array.nbytes].view(array.dtype)
    copy = copy.reshape(array.shape)
    copy[...] = array
    return copy


def load_arguments(folder: Path, names: list[str]) -> Arguments:
    """Arrays of this process, and scalars."""
    loaded = {name: np.load(folder / f"{name}.npy") for name in names}
    return {
        name: aligned(value) if value.ndim else value[()]
        for name, value in loaded.items()
    }


def take_turn(run: Run, last: float) -> list[float]:
    """Milliseconds of each run. One before them, unless it takes too long."""
    if last < TURN:
        run()
    samples: list[float] = []
    end = time.perf_counter() + TURN
    while not samples or (
        time.perf_counter() < end and len(samples) < MOST_RUNS
    ):
        start = time.perf_counter_ns()
        run()
        samples.append((time.perf_counter_ns() - start) * 1e-6)
    return samples


class Worker:
    """Answers requests, by the name of the method."""

    def __init__(self, form: Form) -> None:
        self._form = form
        self._run: Run = lambda: None
        # Kept, since libraries only know where the arrays are.
        self._arguments: Arguments = {}
        self._last = 0.0

    def load(
        self, name: str, folder: str, arguments: list[str], expected: list[str]
    ) -> dict[str, Any]:
        """Runs a kernel once; None as an error is good."""
        given = load_arguments(Path(folder, "arguments"), arguments)
        self._arguments = given
        try:
            self._run = self._form.prepare(name, given, expected)
        except KeyError:
            return {"absent": True}
        start = time.perf_counter()
        self._run()
        self._last = time.perf_counter() - start
        if isinstance(self._form, Roof):
            return {"operations": self._form.operations()}
        self._form.to_host()
        wanted = {
            key: np.load(Path(folder, "expected", f"{key}.npy"))
            for key in expected
        }
        error = error_of(CASES[name], given, wanted, self._form.has_total)
        return {"error": error}

    def time(self) -> dict[str, Any]:
        samples = take_turn(self._run, self._last)
        self._last = min(samples) * 1e-3
        return {
            "median": statistics.median(samples),
            "shortest": min(samples),
        }

    def release(self) -> dict[str, Any]:
        self._run = lambda: None
        self._form.release()
        self._arguments = {}
        return {}


def main() -> None:
    # What a peer prints must not be taken for an answer.
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    kind, *settings = sys.argv[1:]
    form = FORMS[kind](*settings)
    worker = Worker(form)
    answers.write(json.dumps({"version": form.version}) + "\n")
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer = getattr(worker, request.pop("do"))(**request)
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        answers.write(json.dumps(answer) + "\n")


if __name__ == "__main__":
    main()
