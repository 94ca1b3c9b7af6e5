# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `kernels/ptx.py` and `kernels/ptx.cu` are compiled for, and how."""

from __future__ import annotations

import linecache
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from _report import ROOT

if TYPE_CHECKING:
    from pyk._dispatcher import Dispatcher

PYTHON_SOURCE = ROOT / "benchmarks/kernels/ptx.py"
CUDA_SOURCE = ROOT / "benchmarks/kernels/ptx.cu"


@dataclass(frozen=True)
class Way:
    """A way to compile the kernels, and what nvcc is told beside it."""

    title: str
    # Of `cuda.jit`. What a compilation may assume of its launches would be one
    # more of these.
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
        given = [f"{name}={value!r}" for name, value in self.options.items()]
        if not given:
            return text
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

    `keys` are opcodes of which each turn of the loop as it is written has the
    same number, however often it is unrolled: any of them is a key operation.
    Without them the kernel has no loop that is not unrolled.
    """

    types: str
    keys: tuple[str, ...] = ()


_VECTOR = "float32[::1]"
_MATRIX = "float32[:, ::1]"
_INTEGERS = "int32[::1]"

CASES = {
    "vadd": Case(f"{_VECTOR}, {_VECTOR}, {_VECTOR}"),
    "saxpy": Case(f"float32, {_VECTOR}, {_VECTOR}"),
    "saxpy_stride": Case(f"float32, {_VECTOR}, {_VECTOR}", ("FFMA",)),
    "jacobi": Case(f"{_MATRIX}, {_MATRIX}"),
    "stencil3d": Case("float32[:, :, ::1], float32[:, :, ::1]"),
    "matmul": Case(f"{_MATRIX}, {_MATRIX}, {_MATRIX}", ("FFMA",)),
    "matmul_tiled": Case(f"{_MATRIX}, {_MATRIX}, {_MATRIX}", ("FFMA",)),
    "transpose": Case(f"{_MATRIX}, {_MATRIX}"),
    "reduce": Case(f"{_VECTOR}, {_VECTOR}"),
    "reduce_stride": Case(f"{_VECTOR}, {_VECTOR}", ("FADD",)),
    "reduce_warp": Case(f"{_VECTOR}, {_VECTOR}", ("FADD",)),
    "histogram": Case(f"{_INTEGERS}, {_INTEGERS}", ("ATOMS",)),
    "scan": Case(f"{_VECTOR}, {_VECTOR}"),
    "mandelbrot": Case(
        "float32, float32, float32, float32, int32[:, ::1], int32", ("FSETP",)
    ),
    "nbody": Case(", ".join([_VECTOR] * 7), ("MUFU.RSQ",)),
    "blackscholes": Case(", ".join([_VECTOR] * 5 + ["float32"] * 2)),
    "spmv": Case(
        f"{_INTEGERS}, {_INTEGERS}, {_VECTOR}, {_VECTOR}, {_VECTOR}", ("FFMA",)
    ),
    "softmax": Case(f"{_MATRIX}, {_MATRIX}", ("MUFU.EX2",)),
    "bitonic": Case(f"{_VECTOR}, int32, int32"),
    "fft_step": Case(f"{_VECTOR}, {_VECTOR}, int32"),
    "montecarlo": Case(f"{_INTEGERS}, int32", ("I2FP",)),
    "conv1d": Case(f"{_VECTOR}, {_VECTOR}"),
    "gray": Case("uint8[:, :, ::1], uint8[:, ::1]"),
    "life": Case("int32[:, ::1], int32[:, ::1]"),
    "collatz": Case(_INTEGERS, ("LOP3",)),
}
