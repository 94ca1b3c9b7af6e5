# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From a decorated function and argument types to a kernel that can run.

Also keeps what `python -m pyk` reports: the text of a stage, the commands
that reproduce a compilation, and times.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pyk import _frontend
from pyk._errors import CudaSupportError
from pyk._functions import Compilable
from pyk._options import TARGETS, options

if TYPE_CHECKING:
    from pyk._core import Kernel

#: Stages on the way to PTX only; the CPU target does not pass through them.
_CUDA_STAGES = ("nvvm", "llvm", "ptx")

#: What happened, in order: (what, kernel, milliseconds).
times: list[tuple[str, str, float]] = []


def check_target() -> None:
    """Raises if the target is not one that this build can launch on."""
    if options.target not in TARGETS:
        raise ValueError(
            f"PYK_TARGET expects one of {', '.join(TARGETS)} but got "
            f"{options.target!r}"
        )
    if options.target == "cuda":
        raise CudaSupportError(
            "PyK cannot launch on a GPU in this build; use --target=cpu"
        )


def compile_kernel(
    function: Compilable,
    arguments: Sequence[str],
    buffer_options: dict[str, Any],
) -> Kernel:
    """Compiles `function` for arguments of the given types."""
    from pyk import _core

    start = time.perf_counter()
    name = function.py_func.__name__
    source = _frontend.build(function, arguments, buffer_options)

    def compile_for(target: str, emit: str | None) -> Kernel:
        return _core.compile(
            source=source,
            source_name=f"<{name}>",
            target=target,
            chip=options.chip,
            emit=emit,
            dump_stages=options.dump_stages,
            no_fma=buffer_options.get("fma") is False,
        )

    emit = options.emit
    if emit in _CUDA_STAGES:
        options.write(compile_for("cuda", emit).emitted)
        emit = None
    kernel = compile_for("cpu", emit)
    if emit is not None:
        options.write(kernel.emitted)
    if options.reproduce:
        print(kernel.reproduce, file=sys.stderr)
    if options.time:
        elapsed = (time.perf_counter() - start) * 1e3
        times.append(("compile", name, elapsed))
    return kernel


def report_times() -> None:
    """Writes what `--time` asks for to stderr."""
    totals: dict[tuple[str, str], list[float]] = {}
    for what, name, elapsed in times:
        totals.setdefault((what, name), []).append(elapsed)
    for (what, name), values in totals.items():
        count = len(values)
        unit = "time" if count == 1 else "times"
        print(
            f"{what:<8} {name}: {sum(values):.3f} ms ({count} {unit}, "
            f"shortest {min(values):.3f} ms)",
            file=sys.stderr,
        )
