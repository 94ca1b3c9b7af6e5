# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compile times do not grow with the square of the number of lines.

Times are processor times of first launches on the CPU, and compared with each
other and with those of a vector add, so that they hold on any machine.
"""

import itertools
import linecache
import math
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pyk import cuda
from support.simd_agreement import run

#: Twice the lines may take so many times as long: 2, what is not linear yet,
#: and what a machine that others use adds. The square is 4 times as long.
DOUBLING = 3.5
#: Kinds that take more: what follows each return is nested in it.
NOT_LINEAR = ("returns",)

START = "    i = cuda.grid(1)\n    t = cuda.threadIdx.x\n    v = a[i]\n"
SHARED = f"{START}    s = cuda.shared.array(256, np.float64)\n    s[t] = v\n"
LOCAL = f"{START}    s = cuda.local.array(16, np.float64)\n    s[i & 15] = v\n"

#: Processors without AVX-512 have no fast masked gathers: LLVM writes a branch
#: and a load for each lane. Measured there: 146 to 198 times a vector add.
GATHERS = 130 if "avx512f" in Path("/proc/cpuinfo").read_text() else 300

#: How a kernel starts, a line of it, of which `{j}` is the number, and how many
#: times as long as a vector add 400 of them may take.
KINDS: dict[str, tuple[str, str, int]] = {
    "arithmetic": (START, "    v = v * {j}.5 + {j}\n", 40),
    "integers": (START, "    i = (i ^ {j}) * 3 + (i >> 2)\n", 130),
    "loads": (START, "    v = v * {j}.5 + a[i + {j}]\n", 60),
    "remainders": (START, "    v += a[(i + {j}) % 64]\n", 60),
    "stores": (START, "    a[i + {j}] = v * {j}.5\n", 50),
    "gathers": (START, "    v += a[b[i + {j}]]\n", GATHERS),
    "uniform gathers": (START, "    v = v * {j}.5 + a[b[{j}]]\n", 110),
    "guards": (
        START,
        "    if i + {j} < a.size:\n        v += a[i + {j}]\n",
        110,
    ),
    "conditions": (
        START,
        "    if v > {j}:\n        v -= {j}.5\n    else:\n        v *= 1.5\n",
        50,
    ),
    "returns": (START, "    if v > {j}e5:\n        return\n", 100),
    "loops": (
        START,
        "    for q in range(b.size):\n        v = v * 0.5 + {j}\n",
        50,
    ),
    "exp": (START, "    v = math.exp(v * 0.{j}1) + {j}\n", 40),
    "pow": (START, "    v = v ** 1.{j}1 + {j}\n", 40),
    "atomics": (START, "    cuda.atomic.add(a, (i + {j}) & 63, v)\n", 90),
    "calls": (START, "    v = f(v, {j}.5)\n", 40),
    "tuples": (START, "    p = (v, {j})\n    v = p[0] + p[1] * {j}.5\n", 50),
    "barriers": (
        SHARED,
        "    s[t] = s[(t + {j}) & 255] + v\n    cuda.syncthreads()\n",
        60,
    ),
    "reductions": (
        SHARED,
        "    cuda.syncthreads()\n    if t < {m}:\n        s[t] += s[t + {m}]\n",
        70,
    ),
    "local arrays": (LOCAL, "    s[(i + {j}) & 15] = v + s[{m}]\n", 60),
    "prints": (START, "    if i < 0:\n        print(i, {j})\n", 30),
}

VECTOR_ADD = "    i = cuda.grid(1)\n    if i < a.size:\n        a[i] += b[i]\n"

numbers = itertools.count()


@cuda.jit(device=True)
def f(v, w):
    if v > w:
        return v * 0.5
    return v + w


def make(body: str) -> Any:
    """A kernel of this text, which no kernel before it had."""
    number = next(numbers)
    text = f"@cuda.jit\ndef k{number}(a, b):\n{body}"
    file = f"<{number} of test_compile_times>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    found: dict[str, Any] = {"cuda": cuda, "np": np, "math": math, "f": f}
    exec(compile(text, file, "exec"), found)
    return found[f"k{number}"]


def write(kind: str, lines: int) -> str:
    start, line, _ = KINDS[kind]
    text = "".join(line.format(j=j, m=j % 16) for j in range(lines))
    return f"{start}{text}    a[i & 63] = v\n"


def measure(body: str) -> float:
    """How long the first launch takes, in seconds of processor time."""
    a, b = np.ones(4096), np.arange(4096)
    kernel = make(body)
    start = time.process_time()
    kernel[1, 64](a, b)
    return time.process_time() - start


# The kinds that took the square or more, and are fast to compile now.
QUICK = ("loads", "exp", "returns")


@pytest.mark.on_vectors
@pytest.mark.parametrize(
    "kind",
    [
        pytest.param(kind, marks=[] if kind in QUICK else pytest.mark.long)
        for kind in KINDS
    ],
)
def test_many_lines_compile_in_time(kind: str) -> None:
    """The least of several times counts: others use the machine, too."""
    measure(write(kind, 1))
    add = one = two = math.inf
    for _ in range(7):
        add = min(add, measure(VECTOR_ADD))
        one = min(one, measure(write(kind, 200)))
        two = min(two, measure(write(kind, 400)))
        is_linear = two < DOUBLING * one or kind in NOT_LINEAR
        if is_linear and two < KINDS[kind][2] * add:
            return
    assert is_linear
    assert two < KINDS[kind][2] * add


@pytest.mark.on_vectors
@pytest.mark.parametrize("function", ["exp", "sin", "log", "pow", "atan2"])
def test_formulas_of_long_kernels(function: str) -> None:
    """They are called instead of inlined, and are the same in each bit."""
    second = ", 0.7" if function in ("pow", "atan2") else ""
    line = f"v = math.{function}(abs(v) + 0.3{second})\n"
    # Sines of large angles have a formula of their own.
    a, b = np.geomspace(1e-3, 1e20, 256), np.arange(256)
    results = set()
    for body in (
        "".join(f"    {line}" for _ in range(100)),
        f"    for _ in range(100):\n        {line}",
    ):
        for way in ("simd", "reference"):
            text = f"{START}{body}    a[i] = v\n"
            arrays, _ = run(way, lambda: make(text), (4,), (64,), a, b)
            results.add(arrays[0].tobytes())
    assert len(results) == 1


@pytest.mark.on_vectors
def test_long_kernels_run_as_vectors() -> None:
    """Threads one after the other take longer, to compile, too."""
    a, b = np.ones(256), np.arange(256)
    text = write("exp", 400)
    _, blocks = run("simd", lambda: make(text), (4,), (64,), a, b)
    assert blocks == {(64, 1, 1)}


def stage(kind: str, lines: int, name: str, folder: Path) -> str:
    """A stage of a kernel of so many lines, as it runs on the CPU."""
    text = (
        "import numpy as np\nfrom pyk import cuda\n\n\n@cuda.jit\n"
        f"def kernel(a, b):\n{write(kind, lines)}"
        "kernel[1, 64](np.ones(4096), np.arange(4096))\n"
    )
    file, stages = folder / f"{lines}.py", folder / str(lines)
    file.write_text(text)
    subprocess.run(
        [sys.executable, "-m", "pyk", f"--dump-stages={stages}", file],
        check=True,
        timeout=300,
    )
    return next((stages / "kernel").glob(f"*-{name}.mlir")).read_text()


@pytest.mark.on_vectors
def test_many_conditions_have_one_form_each(tmp_path: Path) -> None:
    """Up to 64 have another for tiles of which all threads take it."""
    for lines, forms in [(64, 2), (65, 1)]:
        text = stage("guards", lines, "simd", tmp_path)
        # The first line loads, too.
        assert text.count("simd.load") == 1 + forms * lines, lines


@pytest.mark.on_vectors
def test_iterations_of_many_loops_have_one_lane(tmp_path: Path) -> None:
    """Up to 32 loops over lanes are unrolled by four."""
    for lines, lanes in [(32, 4), (33, 1)]:
        text = stage("atomics", lines, "host", tmp_path)
        assert text.count("atomic") == lanes * lines, lines
