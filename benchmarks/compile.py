# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How long a user waits for the first result, and which stage takes how long.

Measures the process that runs the vector add, from its start to its end, and
the compilation of three kernels by stage: the smallest one, the tiled matrix
product, which has shared memory, barriers and a loop, and one of 300 lines.
README.md, beside this file, says how.
"""

from __future__ import annotations

import contextlib
import io
import json
import runpy
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from _report import ROOT, Samples, parser_of, print_table, save

import pyk
from pyk import _core
from pyk._frontend import _build

PYK_RUN = ROOT / "build/dev/bin/pyk-run"

VECTOR_ADD = ROOT / "examples/01-vector-add.py"
KERNELS = {
    "vector add": (VECTOR_ADD, "add"),
    "tiled matmul": (ROOT / "examples/03-tiled-matmul.py", "matmul"),
    "300 lines": (ROOT / "benchmarks/kernels/lattice_boltzmann.py", "step"),
}

#: What `_core.compile` is given.
Request = dict[str, Any]


def timed(action: Callable[[], object]) -> float:
    """Milliseconds that `action` takes."""
    start = time.perf_counter()
    action()
    return (time.perf_counter() - start) * 1e3


def repeat(runs: int, action: Callable[[], object]) -> Samples:
    """One run that does not count, then those that do."""
    action()
    return [timed(action) for _ in range(runs)]


def measure_process(runs: int, *command: str | Path) -> Samples:
    """How long a process of `command` takes."""
    return repeat(
        runs,
        lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL),
    )


def run_and_record(program: Path, name: str) -> tuple[Any, Request]:
    """The kernel `name` of `program` and what its last launch had compiled."""
    requests: list[Request] = []
    compile_it = _core.compile

    def record(**request: Any) -> Any:
        requests.append(request)
        return compile_it(**request)

    _core.compile = record
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            kernel = runpy.run_path(str(program), run_name="__main__")[name]
    finally:
        _core.compile = compile_it
    for request in reversed(requests):
        unit = json.loads(request["source"])
        entry = unit["functions"][unit["entries"][0]["function"]]
        if entry["name"] == name:
            return kernel, request
    raise LookupError(f"{program} does not launch {name}")


def measure_stages(
    runs: int, program: Path, name: str, target: str
) -> dict[str, Samples]:
    """Each stage of compiling the kernel `name` of `program`, and their sum.

    It is compiled as its launch on the CPU has it, with all that is known of
    the arguments.
    """
    kernel, request = run_and_record(program, name)
    types = json.loads(request["source"])["entries"][0]["arguments"]
    stages: dict[str, Samples] = {}
    for run in range(runs + 1):
        start = time.perf_counter()
        _build.build(kernel, types, {})
        read = time.perf_counter()
        compiled = _core.compile(**{**request, "target": target})
        done = time.perf_counter()
        if run == 0:
            continue
        stages.setdefault("ast", []).append((read - start) * 1e3)
        for stage, milliseconds in json.loads(compiled.times).items():
            stages.setdefault(stage, []).append(milliseconds)
        stages.setdefault("all", []).append((done - start) * 1e3)
    return stages


def measure(runs: int) -> dict[str, dict[str, Samples]]:
    """All measurements: by group, then by row."""
    pyk.install_as_numba()
    groups = {
        "process, start to end": {
            "python3 -c 'import numpy'": measure_process(
                runs, sys.executable, "-c", "import numpy"
            ),
            f"pyk-run {VECTOR_ADD.relative_to(ROOT)}": measure_process(
                runs, PYK_RUN, VECTOR_ADD
            ),
        }
    }
    for title, (program, name) in KERNELS.items():
        for target in ("cuda", "cpu"):
            groups[f"compile {title} for {target}"] = measure_stages(
                runs, program, name, target
            )
    return groups


def main() -> int:
    """Measures, prints, and saves if asked to."""
    parser = parser_of("compile", __doc__)
    options = parser.parse_args()

    groups = measure(options.runs)
    print_table(groups, "ms")
    if options.save:
        print(f"\nsaved {save('compile', groups, 'ms').relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
