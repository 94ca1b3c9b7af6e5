# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`--cpu` and PYK_CPU: how kernels run on the CPU."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pyk import _compile, _core, _options

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
            "simd but got 'fast'",
        ),
        (
            "variable",
            1,
            "ValueError: option cpu expects auto or reference or simd but got "
            "'fast'",
        ),
    ],
)
def test_unknown_way(
    given: str, status: int, message: str, tmp_path: Path
) -> None:
    done = run(tmp_path, "fast", given)
    assert done.returncode == status
    assert done.stderr.splitlines()[-1] == message


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


def run(folder: Path, way: str, given: str) -> subprocess.CompletedProcess[str]:
    (folder / "program.py").write_text(PROGRAM)
    environment = {**os.environ, "PYK_TARGET": "cpu"}
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
