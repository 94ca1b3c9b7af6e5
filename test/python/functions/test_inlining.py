# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`pyk-inline-calls`: kernels compute the same without their calls.

Stage gpu of a program is run as it is, and with the bodies of device functions
in place of calls.
"""

import os
import subprocess
import sys

import pytest

from support.programs import TOOLS

PROGRAM = """
import numpy as np

from pyk import cuda
from pyk.types import float64


@cuda.jit(device=True)
def first_multiple(matrix, of):
    for row in range(matrix.shape[0]):
        for column in range(matrix.shape[1]):
            if matrix[row, column] % of == 0:
                return row, column
    return -1, -1


@cuda.jit
def find(matrix, found):
    i = cuda.grid(1)
    for turn in range(2):
        row, column = first_multiple(matrix, i + 11 + turn)
        found[i, 2 * turn] = row
        found[i, 2 * turn + 1] = column


@cuda.jit(device=True)
def is_even(n):
    if n == 0:
        return True
    return is_odd(less_one(n))


@cuda.jit(device=True)
def is_odd(n):
    if n == 0:
        return False
    return is_even(less_one(n))


@cuda.jit(device=True)
def less_one(n):
    while n > 0:
        return n - 1
    return n


@cuda.jit
def parities(a):
    i = cuda.grid(1)
    a[i] = is_even(i) + 10 * less_one(i)


@cuda.jit(device=True)
def exchange(x):
    room = cuda.shared.array(4, float64)
    before = room[3 - cuda.threadIdx.x]
    cuda.syncthreads()
    room[cuda.threadIdx.x] = x
    cuda.syncthreads()
    return before + room[3 - cuda.threadIdx.x]


@cuda.jit
def swap(a):
    i = cuda.threadIdx.x
    exchange(a[i])
    a[i] = exchange(a[i] * 10)


@cuda.jit(device=True)
def checked(x):
    if x < 0:
        raise ValueError("below zero")
    return x


@cuda.jit(device=True)
def root(x):
    if x == 9.0:
        return 3.0
    print("root of", x)
    return checked(x) ** 0.5


@cuda.jit(debug=True)
def roots(a):
    i = cuda.grid(1)
    a[i] = -1.0
    a[i] = root(float(i) * 9 - 9)


find[1, 4](np.ones((3, 4), np.int64), np.zeros((4, 4), np.int64))
parities[1, 4](np.zeros(4, np.int64))
swap[1, 4](np.zeros(4))
roots.compile("void(float64[:])")
"""


def run(tool, *arguments, **options):
    return subprocess.run(
        [TOOLS / tool, *map(str, arguments)],
        capture_output=True,
        text=True,
        **options,
    )


@pytest.fixture(scope="module")
def stages(tmp_path_factory):
    """The folder with stage gpu of each kernel, called and inlined."""
    folder = tmp_path_factory.mktemp("stages")
    program = folder / "program.py"
    program.write_text(PROGRAM)
    subprocess.run(
        [sys.executable, "-m", "pyk", f"--dump-stages={folder}", program],
        check=True,
        capture_output=True,
        env=dict(os.environ),
    )
    for kernel in ("find", "parities", "swap", "roots"):
        result = run(
            "pyk-opt",
            folder / kernel / "3-gpu.mlir",
            "--pyk-inline-calls",
            "-o",
            folder / kernel / "inlined.mlir",
            check=True,
        )
        assert result.stderr == ""
    return folder


@pytest.fixture(params=["3-gpu.mlir", "inlined.mlir"])
def launch(request, stages):
    """Runs a kernel on four threads."""

    def launch(kernel, *arguments, printed=0):
        return run(
            "pyk-run",
            stages / kernel / request.param,
            "--grid=1",
            "--block=4",
            *(f"--arg={argument}" for argument in arguments),
            f"--print={printed}",
        )

    return launch


@pytest.mark.parametrize(
    ("kernel", "calls"),
    [("find", 0), ("parities", 3), ("swap", 0), ("roots", 0)],
)
def test_only_recursive_functions_are_called(stages, kernel, calls):
    text = (stages / kernel / "inlined.mlir").read_text()
    assert text.count("call @") == calls
    assert (stages / kernel / "3-gpu.mlir").read_text().count("call @") > calls


@pytest.mark.parametrize("kernel", ["find", "parities", "swap", "roots"])
def test_ptx_has_the_kernel(stages, kernel):
    inlined = stages / kernel / "inlined.mlir"
    result = run("pyk-run", inlined, "--emit=ptx", check=True)
    assert f".visible .entry {kernel}(" in result.stdout


# A return leaves both loops of its function, and not the one around the call.
def test_returns_from_nested_loops(launch):
    values = ",".join(map(str, range(3, 15)))
    result = launch("find", f"i64[3x4]={values}", "i64[4x4]=zeros", printed=1)
    assert result.stdout == (
        "1: i64[4x4] =\n"
        "[[2, 0, 2, 1],\n"
        " [2, 1, 2, 2],\n"
        " [2, 2, 2, 3],\n"
        " [2, 3, -1, -1]]\n"
    )


# Two functions that call each other, and one that all call.
def test_recursion(launch):
    result = launch("parities", "i64[4]=zeros")
    assert result.stdout == "0: i64[4] = [1, 0, 11, 20]\n"


# What a call leaves in the shared array of its function, the next one finds.
def test_shared_array_is_one_for_all_calls(launch):
    result = launch("swap", "f64[4]=iota")
    assert result.stdout == "0: f64[4] = [33.0, 22.0, 11.0, 0.0]\n"


# The message names the function, and the line of the `raise`.
def test_failure_names_its_function_and_line(launch):
    result = launch("roots", "f64[4]=zeros")
    line = PROGRAM[: PROGRAM.index("raise")].count("\n") + 1
    assert result.returncode == 1
    assert "ValueError: In function 'checked'" in result.stderr
    assert f"program.py, line {line}, tid=[0, 0, 0]" in result.stderr
    printed = sorted(result.stdout.splitlines())
    assert printed == [
        "root of -9.000000",
        "root of 0.000000",
        "root of 18.000000",
    ]
