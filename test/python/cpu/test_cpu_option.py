# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How kernels run on the CPU: `--cpu`, PYK_CPU and PYK_CPU_LEVEL."""

import json
import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

from pyk import _core, _options
from pyk.cuda import _compile
from support import simd_agreement
from support.places import TESTS

PROGRAM = """\
import numpy as np
from numba import cuda

@cuda.jit
def fill(a):
    a[cuda.grid(1)] = 7

a = np.zeros(2, np.int32)
fill[1, 2](a)
print(a)
"""


@pytest.mark.parametrize("way", _options.CPUS)
@pytest.mark.parametrize("given", ["option", "variable"])
def test_ways(way: str, given: str, tmp_path: Path) -> None:
    done = run(tmp_path, way, given)
    assert (done.returncode, done.stdout, done.stderr) == (0, "[7 7]\n", "")


@pytest.mark.parametrize(
    ("given", "status", "message"),
    [
        (
            "option",
            2,
            "pyk-run: error: option --cpu expects one of auto, reference, "
            "reversed, simd but got 'fast'",
        ),
        (
            "variable",
            1,
            "ValueError: option cpu expects auto or reference or reversed or "
            "simd but got 'fast'",
        ),
    ],
)
def test_unknown_way(
    given: str, status: int, message: str, tmp_path: Path
) -> None:
    done = run(tmp_path, "fast", given)
    assert done.returncode == status
    assert done.stderr.splitlines()[-1] == message


ORDER = """\
import numpy as np
from numba import cuda

@cuda.jit
def loop(order, count):
    x, y = cuda.grid(2)
    order[y, x] = cuda.atomic.add(count, 0, 1)

@cuda.jit
def meet(order, count):
    x, y = cuda.grid(2)
    order[y, x] = cuda.atomic.add(count, 0, 1)
    cuda.syncthreads()
    cuda.atomic.add(order, (y, x), 100 * cuda.atomic.add(count, 1, 1))

@cuda.jit
def last_lane(order, count):
    x, y = cuda.grid(2)
    order[y, x] = cuda.shfl_sync(0xffffffff, cuda.atomic.add(count, 0, 1), 31)

for kernel in (loop, meet, last_lane):
    order = np.zeros((4, 16), np.int64)
    kernel[(2, 1), (8, 4)](order, np.zeros(2, np.int64))
    print(order.tolist())
"""


@pytest.mark.on_the_cpu(reason="it orders threads by itself")
def test_reversed_order(tmp_path: Path) -> None:
    """Threads and blocks come from the last one to the first."""
    done = run(tmp_path, "reversed", "option", ORDER, PYK_CPU_THREADS="1")
    assert done.stderr == ""
    loop, meet, last_lane = map(json.loads, done.stdout.splitlines())
    expected = [
        [(1 - x // 8) * 32 + (3 - y) * 8 + 7 - x % 8 for x in range(16)]
        for y in range(4)
    ]
    assert loop == expected
    assert meet == [[101 * number for number in row] for row in expected]
    assert last_lane == [[32] * 8 + [0] * 8] * 4


def test_compiler_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """The option reaches the compiler, which alone knows the words."""
    from pyk import cuda

    given = []

    def listen(**inputs: object) -> object:
        given.append(inputs["options"])
        return compile_before(**inputs)

    compile_before = _core.compile
    monkeypatch.setattr(_core, "compile", listen)
    monkeypatch.setattr(_compile.options, "cpu", "reference")

    @cuda.jit("void(int32[:])")
    def nothing(a):
        pass

    assert [options["cpu"] for options in given] == ["reference"]


LEVELS = {
    "x86_64": ["native", "x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4"],
    "aarch64": ["native", "armv8-a"],
}.get(platform.machine(), ["native"])

VECTORS = """\
import numpy as np
from pyk import _options, cuda
from support.simd_agreement import run

def make():
    @cuda.jit
    def axpy(y, x, a):
        i = cuda.grid(1)
        if i < y.size:
            y[i] += a * x[i]
    return axpy

x = np.arange(1000, dtype=np.float32)
(y, x), shapes = run("simd", make, (8,), (128,), x.copy(), x, np.float32(2))
assert (y == 3 * x).all()
print(shapes == {(128, 1, 1)})
"""


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.on_the_cpu(reason="it has no levels")
def test_levels(level: str, tmp_path: Path) -> None:
    """A level that the processor lacks means what that has of it."""
    done = run_at(level, tmp_path)
    assert done.stderr == ""
    if level in ("x86-64", "x86-64-v2"):
        assert done.stdout == "False\n"
    else:
        assert done.stdout == f"{simd_agreement.has_vectors()}\n"


@pytest.mark.on_the_cpu(reason="it has no levels")
def test_unknown_level(tmp_path: Path) -> None:
    done = run_at("avx2", tmp_path)
    names = f"{', '.join(LEVELS[:-1])} or {LEVELS[-1]}"
    assert done.stderr.splitlines()[-1].endswith(
        "error: reading the environment variable PYK_CPU_LEVEL: 'avx2' is not "
        f"{names}; set it to the instructions that code for the CPU may use, "
        "or unset it"
    )


def run_at(level: str, folder: Path) -> subprocess.CompletedProcess[str]:
    file = folder / "program.py"
    file.write_text(VECTORS)
    path = f"{TESTS / 'python'}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"
    return subprocess.run(
        [sys.executable, file],
        env={**os.environ, "PYK_CPU_LEVEL": level, "PYTHONPATH": path},
        capture_output=True,
        text=True,
    )


def run(
    folder: Path,
    way: str,
    given: str,
    program: str = PROGRAM,
    **variables: str,
) -> subprocess.CompletedProcess[str]:
    (folder / "program.py").write_text(program)
    environment = {**os.environ, "PYK_TARGET": "cpu", **variables}
    words = [f"--cpu={way}"] if given == "option" else []
    if given == "variable":
        environment["PYK_CPU"] = way
    return subprocess.run(
        [sys.executable, "-m", "pyk", *words, "program.py"],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        env=environment,
    )
