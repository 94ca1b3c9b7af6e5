# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Indices that are out of bounds, and lengths that do not fit."""

from pathlib import Path

import numpy as np
import pytest

from pyk import cuda
from pyk.cuda.errors import CudaAPIError
from support.programs import run_program

WEIGHTS = np.arange(4.0)


def checked(function):
    return cuda.jit(boundscheck=True)(function)


@checked
def store(a, i):
    a[i] = 1


@pytest.mark.parametrize("dtype", [np.int8, np.uint16, np.int32, np.int64])
def test_one_dimension(dtype: type) -> None:
    a = np.zeros(4)
    store[1, 1](a, dtype(3))
    assert a.tolist() == [0, 0, 0, 1]
    with pytest.raises(
        IndexError,
        match=r"^In function 'store', file .*test_boundscheck.py, line \d+, "
        r"tid=\[0, 0, 0\] ctaid=\[0, 0, 0\]: "
        r"index 4 is out of bounds for axis 0 of 'a' with size 4$",
    ):
        store[1, 1](a, dtype(4))


def test_negative_indices_count_from_the_end() -> None:
    a = np.zeros(4)
    store[1, 1](a, -4)
    assert a[0] == 1
    with pytest.raises(IndexError, match="index -5 is out of bounds for axis"):
        store[1, 1](a, -5)


def test_the_access_does_not_happen() -> None:
    a = np.zeros(8)
    with pytest.raises(IndexError, match="index 4"):
        store[1, 1](a[:4], 4)
    assert not a.any()


def test_forgotten_guard() -> None:
    @checked
    def k(a, b):
        i = cuda.grid(1)
        b[i] = a[i] + 1

    a, b = np.arange(5.0), np.zeros(8)[:5]
    with pytest.raises(IndexError) as caught:
        k[2, 4](a, b)
    assert str(caught.value).endswith("of 'a' with size 5")
    assert "ctaid=[0, 0, 1]" in str(caught.value)
    assert b.tolist() == [1, 2, 3, 4, 5]
    assert not b.base[5:].any()


def test_axes_rows_and_views() -> None:
    @checked
    def element(a, i, j):
        a[i, j] += 1

    @checked
    def row(a, i, j):
        part = a[i]
        part[j] += 1

    @checked
    def part(a, i, j):
        a[1:3][i][j] += 1

    a = np.zeros((3, 4))
    for kernel in (element, row):
        kernel[1, 1](a, 2, 3)
        with pytest.raises(IndexError, match="index 3 .* axis 0 of 'a'"):
            kernel[1, 1](a, 3, 0)
    part[1, 1](a, 1, 3)
    assert a[2, 3] == 3
    with pytest.raises(IndexError, match="index 4 .* axis 1 of 'a' .* 4"):
        element[1, 1](a, 0, 4)
    with pytest.raises(IndexError, match="index 4 .* axis 0 of 'part'"):
        row[1, 1](a, 0, 4)
    with pytest.raises(IndexError, match="index 2 .* of the array with size 2"):
        part[1, 1](a, 2, 0)
    assert a.sum() == 3


def test_all_memories() -> None:
    @checked
    def k(out, which, i):
        tile = cuda.shared.array((2, 3), np.float64)
        own = cuda.local.array(5, np.float64)
        scratch = cuda.shared.array(0, np.float64)
        table = cuda.const.array_like(WEIGHTS)
        for j in range(5):
            own[j] = j
        tile[1, 2] = 7
        scratch[0] = 9
        if which == 0:
            out[0] = tile[1, i]
        elif which == 1:
            out[0] = own[i]
        elif which == 2:
            out[0] = scratch[i]
        else:
            out[0] = table[i]

    out = np.zeros(1)
    for which, last, value, name in [
        (0, 2, 7, "'tile' with size 3"),
        (1, 4, 4, "'own' with size 5"),
        (2, 0, 9, "'scratch' with size 1"),
        (3, 3, 3, "'table' with size 4"),
    ]:
        k[1, 1, 0, 8](out, which, last)
        assert out[0] == value
        with pytest.raises(IndexError, match=f"index {last + 1} .* {name}"):
            k[1, 1, 0, 8](out, which, last + 1)


def test_device_functions_and_barriers() -> None:
    @cuda.jit(device=True)
    def take(values, i):
        return values[i]

    @checked
    def k(a, out):
        i = cuda.threadIdx.x
        tile = cuda.shared.array(8, np.float64)
        tile[i] = take(a, i)
        cuda.syncthreads()
        out[i] = tile[7 - i]

    out = np.zeros(8)
    k[1, 8](np.arange(8.0), out)
    assert out.tolist() == [7, 6, 5, 4, 3, 2, 1, 0]
    with pytest.raises(IndexError, match="In function 'take', .* of 'values'"):
        k[1, 8](np.arange(5.0), out)


def test_lengths() -> None:
    @checked
    def unpack(a, n):
        x, y = a[:n]
        a[0] = x + y

    @checked
    def assign(a, n):
        a[:n] = a[4:7]

    @checked
    def step(a, n):
        a[::n] = 1

    @checked
    def reshape(a, n):
        a[0] = a.reshape(n, 2)[0, 1]

    @checked
    def item(a, n):
        a[0] = a[:n].item()

    a = np.arange(8.0)
    unpack[1, 1](a, 2)
    assert a[0] == 1
    assign[1, 1](a, 3)
    assert a.tolist() == [4, 5, 6, 3, 4, 5, 6, 7]
    step[1, 1](a, 4)
    assert a.tolist() == [1, 5, 6, 3, 1, 5, 6, 7]
    reshape[1, 1](a, 4)
    assert a[0] == 5
    item[1, 1](a, 1)
    for kernel, n, text in [
        (unpack, 3, "expected 2 values to unpack but got 3"),
        (assign, 2, "cannot assign 3 elements to 2 along axis 0"),
        (step, 0, "slice step cannot be zero"),
        (reshape, 3, "cannot reshape 8 elements into 6"),
        (item, 2, "expected one element but got 2"),
    ]:
        with pytest.raises(ValueError, match=text):
            kernel[1, 1](a, n)


def test_tuples() -> None:
    @checked
    def k(a, i):
        a[0] = (1, 2, 3)[i]

    a = np.zeros(1)
    k[1, 1](a, -1)
    assert a[0] == 3
    with pytest.raises(IndexError, match="index 3 is out of range for a tuple"):
        k[1, 1](a, 3)


def test_debug_checks_too_unless_told_otherwise() -> None:
    def k(a, i):
        a[i] = 1

    a = cuda.to_device(np.zeros(4))
    with pytest.raises(IndexError):
        cuda.jit(debug=True)(k)[1, 1](a[:3], 3)
    cuda.jit(debug=True, boundscheck=False)(k)[1, 1](a[:3], 3)
    cuda.jit(k)[1, 1](a[:2], 2)
    assert a.copy_to_host().tolist() == [0, 0, 1, 1]


def test_loops_that_wait_still_end() -> None:
    @checked
    def k(flags, out):
        i = cuda.grid(1)
        if i == 0:
            while flags[1] == 0:
                pass
            out[0] = 5
        else:
            flags[1] = 1

    out = np.zeros(1)
    k[1, 2](np.zeros(2, np.int32), out)
    assert out[0] == 5


PROGRAM = """
import numpy as np
from numba import cuda

@cuda.jit
def k(a):
    a[cuda.grid(1)] = 1

a = cuda.to_device(np.zeros(8))
try:
    k[1, 8](a[:5])
    print("done", a.copy_to_host().sum())
except IndexError as error:
    print(error)
"""


@pytest.mark.parametrize("given", ["option", "environment", "0", "nothing"])
def test_for_a_whole_program(given: str, tmp_path: Path) -> None:
    options = ["--check-bounds"] if given == "option" else []
    environment = {}
    if given in ("environment", "0"):
        environment["PYK_BOUNDSCHECK"] = "1" if given != "0" else "0"
    run = run_program(tmp_path, PROGRAM, "-m", "pyk", *options, **environment)
    assert run.stderr == ""
    if given in ("option", "environment"):
        assert "is out of bounds for axis 0 of 'a' with size 5" in run.stdout
    else:
        assert run.stdout == "done 8.0\n"


@pytest.mark.on_the_cpu(reason="a GPU is lost after that")
def test_end_of_a_large_device_array() -> None:
    """Without checks, memory of its own ends where an access is noticed."""

    @cuda.jit(boundscheck=False)
    def k(a, i):
        a[i] = 1

    size = (32 << 20) // 8
    a = cuda.device_array(size)
    k[1, 1](a, size - 1)
    with pytest.raises(CudaAPIError, match=r"\[700\].*not the program's"):
        k[1, 1](a, size)
