# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What launching a kernel that exists costs in Python.

Empty kernels with device arrays or scalars as arguments, launched one after
the other as `kernel[1, 1](...)`: on the CPU target, where the launch also runs
the kernel's one thread, and through the CUDA backend on the stand-in for the
driver, which runs nothing. So the numbers are PyK's own part of a launch.
Beside them stand those that were published of numba-cuda and numba-cuda-mlir:
of other machines and with a real driver, whose part of a launch is in them.
"""

from __future__ import annotations

import argparse
import json
import linecache
import os
import subprocess
import sys
import time
from typing import Any

from _report import ROOT, Published, Samples, parser_of, print_table, save

STANDIN = ROOT / "build/dev/lib/libpyk-standin-cuda.so"

# Rows: kind of argument, and how many.
CASES = [
    *(("array", count) for count in (0, 1, 4, 16)),
    *(("scalar", count) for count in (16, 256)),
]

PUBLISHED = Published(
    source="the benchmarks of the numba-cuda-mlir repository, 2026",
    machine=(
        "a Ryzen 9950X with an RTX PRO 6000, driver 580.95, CUDA 13.0, "
        "Python 3.12"
    ),
    figures={
        "numba-cuda": {
            "0 arrays": 4.09,
            "1 array": 5.87,
            "16 arrays": 30.5,
            "16 scalars": 15.5,
            "256 scalars": 179.4,
        },
        "numba-cuda-mlir": {
            "0 arrays": 3.86,
            "1 array": 2.98,
            "16 arrays": 12.5,
            "16 scalars": 4.36,
            "256 scalars": 10.2,
        },
    },
)

# Launches in one sample.
BATCH = 2000


def kernel_of(count: int) -> Any:
    """An empty kernel with `count` parameters."""
    from pyk import cuda

    names = ", ".join(f"a{number}" for number in range(count))
    text = f"def kernel({names}):\n    pass\n"
    file = f"<{count} parameters>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    scope: dict[str, Any] = {}
    exec(compile(text, file, "exec"), scope)
    return cuda.jit(scope["kernel"])


def measure_here(runs: int) -> dict[str, Samples]:
    """Microseconds of a launch, in this process."""
    import numpy as np

    from pyk import cuda

    rows = {}
    for kind, count in CASES:
        kernel = kernel_of(count)
        arguments: list[Any] = list(range(count))
        if kind == "array":
            arguments = [
                cuda.to_device(np.zeros(1, np.float32)) for _ in arguments
            ]
        kernel[1, 1](*arguments)
        samples = []
        for _ in range(runs):
            start = time.perf_counter()
            for _ in range(BATCH):
                kernel[1, 1](*arguments)
            elapsed = time.perf_counter() - start
            samples.append(elapsed / BATCH * 1e6)
        cuda.synchronize()
        rows[f"{count} {kind}{'s' * (count != 1)}"] = samples
    return rows


def measure_elsewhere(runs: int, **environment: str) -> dict[str, Samples]:
    """The same in a process with other settings."""
    result = subprocess.run(
        [sys.executable, __file__, "--inner", f"--runs={runs}"],
        env={**os.environ, **environment},
        check=True,
        capture_output=True,
        text=True,
    )
    rows: dict[str, Samples] = json.loads(result.stdout)
    return rows


def main() -> int:
    """Measures, prints, and saves if asked to."""
    parser = parser_of("launch", __doc__)
    parser.add_argument("--inner", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inner:
        json.dump(measure_here(options.runs), sys.stdout)
        return 0

    groups = {
        "CPU target": measure_elsewhere(options.runs, PYK_TARGET="cpu"),
        "CUDA backend, stand-in driver": measure_elsewhere(
            options.runs,
            PYK_TARGET="cuda",
            PYK_LIBCUDA=str(STANDIN),
            PYK_STANDIN="execute=0",
        ),
    }
    print_table(groups, "us", PUBLISHED)
    if options.save:
        path = save("launch", groups, "us", PUBLISHED)
        print(f"\nsaved {path.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
