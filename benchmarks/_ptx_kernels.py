# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `kernels/ptx.py` and `kernels/ptx.cu` are compiled for, and how."""

from __future__ import annotations

import linecache
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from _report import ROOT

from pyk._declarations import parse_signature
from pyk.cuda._dispatcher import Dispatcher
from pyk.types import Signature

PYTHON_SOURCE = ROOT / "benchmarks/kernels/ptx.py"
CUDA_SOURCE = ROOT / "benchmarks/kernels/ptx.cu"


@dataclass(frozen=True)
class Way:
    """A way to compile the kernels, and what nvcc is told beside it."""

    title: str
    # Of `cuda.jit`, beside what launches of a kernel check anyway.
    options: dict[str, Any] = field(default_factory=dict)
    nvcc_options: tuple[str, ...] = ()

    def load(self) -> dict[str, Dispatcher]:
        """The kernels by name; `numba` must be PyK by now."""
        file = f"<{PYTHON_SOURCE.name}: {self.title}>"
        text = self.spell(PYTHON_SOURCE.read_text())
        linecache.cache[file] = (len(text), None, text.splitlines(True), file)
        scope: dict[str, Any] = {"__name__": "kernels.ptx"}
        exec(compile(text, file, "exec"), scope)
        return {name: scope[name] for name in CASES}

    def spell(self, text: str) -> str:
        """The text of the kernels as one writes it for this way.

        The options are given to every decorator, those of device functions,
        too; with narrow typing a constant is a literal.
        """
        if self.options.get("typing") == "narrow":
            text = re.sub(r"\bnp\.float32\((-?\d[\d.e-]*)\)", r"\1", text)
        options = {"assume": "launch", **self.options}
        given = [f"{name}={value!r}" for name, value in options.items()]
        joined = ", ".join(given)
        text = re.sub(
            r"(?m)^@cuda\.jit\((.*)\)$", rf"@cuda.jit(\1, {joined})", text
        )
        return re.sub(r"(?m)^@cuda\.jit$", f"@cuda.jit({joined})", text)


WAYS = {
    "plain": Way("plain typing, np.float32 constants"),
    "narrow": Way("narrow typing, Python literals", {"typing": "narrow"}),
    "fastmath": Way(
        "narrow, fastmath, against -use_fast_math",
        {"typing": "narrow", "fastmath": True},
        ("-use_fast_math",),
    ),
}


@dataclass(frozen=True)
class Case:
    """The types of a kernel's arguments, and what the work of its loop is.

    `extents` are those of the arguments that a kernel in CUDA C++ takes
    besides. `keys` are opcodes of which each turn of the loop as it is written
    has the same number, however often it is unrolled: any of them is a key
    operation. Without them the kernel has no loop that is not unrolled.
    """

    types: str
    extents: Callable[..., tuple[int, ...]]
    keys: tuple[str, ...] = ()

    @property
    def signature(self) -> Signature:
        return parse_signature(f"({self.types},)")


_VECTOR = "float32[::1]"
_MATRIX = "float32[:, ::1]"
_INTEGERS = "int32[::1]"


def _first_size(array: Any, *_: Any) -> tuple[int, ...]:
    return (array.size,)


def _first_shape(array: Any, *_: Any) -> tuple[int, ...]:
    return tuple(array.shape)


def _last_size(*arguments: Any) -> tuple[int, ...]:
    return (arguments[-1].size,)


def _last_shape(*arguments: Any) -> tuple[int, ...]:
    return tuple(arguments[-1].shape)


CASES = {
    "vadd": Case(f"{_VECTOR}, {_VECTOR}, {_VECTOR}", _last_size),
    "saxpy": Case(f"float32, {_VECTOR}, {_VECTOR}", _last_size),
    "saxpy_stride": Case(
        f"float32, {_VECTOR}, {_VECTOR}", _last_size, ("FFMA",)
    ),
    "jacobi": Case(f"{_MATRIX}, {_MATRIX}", _first_shape),
    "stencil3d": Case("float32[:, :, ::1], float32[:, :, ::1]", _first_shape),
    "matmul": Case(
        f"{_MATRIX}, {_MATRIX}, {_MATRIX}",
        lambda a, b, c: (*a.shape, b.shape[1]),
        ("FFMA",),
    ),
    "matmul_tiled": Case(
        f"{_MATRIX}, {_MATRIX}, {_MATRIX}", lambda a, b, c: b.shape, ("FFMA",)
    ),
    "transpose": Case(f"{_MATRIX}, {_MATRIX}", _first_shape),
    "reduce": Case(f"{_VECTOR}, {_VECTOR}", _first_size),
    "reduce_stride": Case(f"{_VECTOR}, {_VECTOR}", _first_size, ("FADD",)),
    "reduce_warp": Case(f"{_VECTOR}, {_VECTOR}", _first_size, ("FADD",)),
    "histogram": Case(f"{_INTEGERS}, {_INTEGERS}", _first_size, ("ATOMS",)),
    "scan": Case(f"{_VECTOR}, {_VECTOR}", _first_size),
    "mandelbrot": Case(
        "float32, float32, float32, float32, int32[:, ::1], int32",
        lambda *arguments: arguments[4].shape,
        ("FSETP",),
    ),
    "nbody": Case(", ".join([_VECTOR] * 7), _first_size, ("MUFU.RSQ",)),
    "blackscholes": Case(
        ", ".join([_VECTOR] * 5 + ["float32"] * 2), _first_size
    ),
    "spmv": Case(
        f"{_INTEGERS}, {_INTEGERS}, {_VECTOR}, {_VECTOR}, {_VECTOR}",
        _last_size,
        ("FFMA",),
    ),
    "softmax": Case(
        f"{_MATRIX}, {_MATRIX}", lambda x, out: x.shape[1:], ("MUFU.EX2",)
    ),
    "bitonic": Case(f"{_VECTOR}, int32, int32", lambda *arguments: ()),
    "fft_step": Case(f"{_VECTOR}, {_VECTOR}, int32", _first_size),
    "montecarlo": Case(f"{_INTEGERS}, int32", _first_size, ("I2FP",)),
    "conv1d": Case(f"{_VECTOR}, {_VECTOR}", _first_size),
    "gray": Case("uint8[:, :, ::1], uint8[:, ::1]", _last_shape),
    "life": Case("int32[:, ::1], int32[:, ::1]", _first_shape),
    "collatz": Case(_INTEGERS, _first_size, ("LOP3",)),
}
