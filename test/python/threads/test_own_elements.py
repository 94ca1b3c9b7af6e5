# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops that look at elements that nobody but their own thread stores to.

They do not wait for other threads: nothing makes their reads volatile, and they
run as vectors.
"""

import linecache
import types
from typing import Any

import numpy as np
import pytest

from pyk import cuda
from support.simd_agreement import run

LOOP = """\
    n = 0
    while {read} > 0.5 and n < 10:
        n += 1
    {store} = n
"""
START = "    i = cuda.grid(1)\n"
TWO = "    i, j = cuda.grid(2)\n"

OWN = {
    "index in the grid": (START, "a[i, 0]", "a[i, 1]"),
    "product and sum": (
        "    i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x\n",
        "a[i, 0]",
        "a[i, 0]",
    ),
    "product on the left": (
        "    i = cuda.threadIdx.x + cuda.blockDim.x * cuda.blockIdx.x\n",
        "a[i, 0]",
        "a[i, 0]",
    ),
    "two dimensions": (TWO, "a[i, j]", "a[i, j]"),
    "swapped": (TWO, "a[j, i]", "a[j, i]"),
    "block and thread": (
        "    i, j = cuda.blockIdx.x, cuda.threadIdx.x\n",
        "a[i, j]",
        "a[i, j]",
    ),
    "row": (f"{START}    r = a[i]\n", "r[3]", "a[i, 0]"),
    "rows": (f"{START}    r = a[i, :]\n", "r[3]", "r[0]"),
    "transposed": (f"{START}    b = a.T\n", "b[0, i]", "a[i, 0]"),
    "columns": (f"{START}    b = a[:, 1:3]\n", "b[i, 0]", "a[i, 1]"),
    "function": (START, "f(a, i)", "a[i, 0]"),
    "function of a row": (START, "g(a[i])", "a[i, 0]"),
    "strides": (
        "    for i in range(cuda.grid(1), len(a), cuda.gridsize(1)):\n"
        "        a[i, 1] = 1\n"
        "    i = cuda.grid(1)\n",
        "a[i, 0]",
        "a[i, 0]",
    ),
    "strides by hand": (
        "    i = cuda.grid(1)\n"
        "    s = cuda.blockDim.x * cuda.gridDim.x\n"
        "    while i < len(a):\n"
        "        a[i, 1] = 1\n"
        "        i += s\n"
        "    i = cuda.grid(1)\n",
        "a[i, 0]",
        "a[i, 0]",
    ),
    "shared": (
        "    t = cuda.threadIdx.x\n"
        "    a[cuda.blockIdx.x, t] = 1\n"
        "    s = cuda.shared.array(64, np.float64)\n"
        "    s[t] = 1\n",
        "s[t]",
        "s[t]",
    ),
    "counter that nothing reads": (
        f"{START}    cuda.atomic.add(b, 0, 1)\n",
        "a[i, 0]",
        "a[i, 0]",
    ),
}

OTHERS = {
    "neighbour": (START, "a[i, 0]", "a[i + 1, 0]"),
    "what another thread has": (START, "a[i, 0]", "a[len(a) - 1 - i, 0]"),
    "column": (START, "a[0, i]", "a[i, 0]"),
    "index in the block": (
        "    i = cuda.threadIdx.x\n    a[0, cuda.blockIdx.x] = 0\n",
        "a[i, 0]",
        "a[i, 0]",
    ),
    "one of two dimensions": (TWO, "a[i, 0]", "a[i, j]"),
    "transposed": (TWO, "a[i, j]", "a[j, i]"),
    "number of threads so far": (
        f"{START}    cuda.atomic.add(a, (i, 0), 1)\n",
        "a[i, 0]",
        "a[i, 0]",
    ),
    "flag of all": (
        f"{START}    if b[0] == 0:\n        b[0] = 1\n",
        "a[i, 0]",
        "a[i, 0]",
    ),
    "counter of all": (
        f"{START}    cuda.atomic.add(b, 0, 1)\n"
        "    if b[0] == 2:\n        a[i, 1] = 1\n",
        "a[i, 0]",
        "a[i, 0]",
    ),
    "slices that begin elsewhere": (
        f"{START}    b = a[1:]\n",
        "b[i, 0]",
        "a[i, 0]",
    ),
    "lane": (
        f"{START}    if cuda.laneid == 3:\n        a[i, 1] = 1\n",
        "a[i, 0]",
        "a[i, 0]",
    ),
    "ticket": (
        f"{START}    if cuda.atomic.add(b, 0, 1) == 3:\n        a[i, 1] = 1\n",
        "a[i, 0]",
        "a[i, 0]",
    ),
    "vote": (
        f"{START}    if cuda.any_sync(-1, i == 3):\n        a[i, 1] = 1\n",
        "a[i, 0]",
        "a[i, 0]",
    ),
    "functions of two rows": (
        f"{START}    a[i, 1] = g(a[i - 1])\n",
        "g(a[i])",
        "a[i, 0]",
    ),
    "rows of another shape": (
        f"{START}    c = a.reshape(a.size)\n",
        "c[i]",
        "a[i, 0]",
    ),
    "one of two arrays": (
        f"{START}    c = a if i < 7 else b2\n",
        "c[i, 0]",
        "a[i, 0]",
    ),
    "strides of another number": (
        "    for i in range(cuda.grid(1), len(a), cuda.blockDim.x):\n"
        "        a[i, 1] = 1\n"
        "    i = cuda.grid(1)\n",
        "a[i, 0]",
        "a[i, 0]",
    ),
    "shared by another": (
        "    t = cuda.threadIdx.x\n"
        "    s = cuda.shared.array(64, np.float64)\n"
        "    s[63 - t] = 1\n",
        "s[t]",
        "s[t]",
    ),
}


@cuda.jit(device=True)
def f(a, i):
    return a[i, 0]


@cuda.jit(device=True)
def g(row):
    return row[0]


def make(body: tuple[str, str, str]) -> Any:
    start, read, store = body
    text = f"def k(a, b, b2):\n{start}" + LOOP.format(read=read, store=store)
    file = f"<{text}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    found: dict[str, Any] = {"cuda": cuda, "np": np, "f": f, "g": g}
    exec(compile(text, file, "exec"), found)
    return found["k"]


def is_waiting(body: tuple[str, str, str], a: str = "f8[:,::1]") -> bool:
    ptx, _ = cuda.compile_ptx(make(body), f"{a}, f8[::1], f8[:,::1]")
    assert "ld." in ptx
    return "ld.volatile" in ptx


@pytest.mark.parametrize("case", OWN)
def test_own_elements(case: str) -> None:
    assert not is_waiting(OWN[case])


@pytest.mark.parametrize("case", OTHERS)
def test_elements_of_others(case: str) -> None:
    """Doubt marks: these are reads that another thread may answer."""
    assert is_waiting(OTHERS[case])


def halve(x, y, i, j):
    """In place until it is small, as adaptive steps do it."""
    n = 0
    while x[i, j] > 0.1 and n < 10:
        n += 1
        if y[i, j] > 0:
            x[i, j] *= 0.5
        else:
            y[i, j] += 1
    y[i, j] += n


def test_layouts() -> None:
    """Indices of an array that is not contiguous may be one element."""
    body = OWN["index in the grid"]
    assert is_waiting(body, a="f8[:,:]")
    assert not is_waiting(body, a="f8[::1,:]")


def test_arrays_of_a_foreign_caller() -> None:
    """It may pass each thread another array."""

    def wait(p, n):
        i = cuda.grid(1)
        m = 0
        while p[i] > 0.5 and m < n:
            m += 1
        p[i] = m
        return m

    ptx, _ = cuda.compile_ptx(
        wait, "int32(CPointer(float64), int32)", device=True
    )
    assert "ld.volatile" in ptx


@cuda.jit(device=True)
def fill(a, i, j, depth):
    if depth > 6 or i < 0 or j < 0 or i >= a.shape[0] or j >= a.shape[1]:
        return
    if a[i, j] != 0:
        return
    a[i, j] = 1
    fill(a, i + 1, j, depth + 1)
    fill(a, i - 1, j, depth + 1)
    fill(a, i, j + 1, depth + 1)
    fill(a, i, j - 1, depth + 1)


def test_indices_of_recursion_are_found_once() -> None:
    """Each call hands on an index of four others: 4**16 ways lead back."""

    @cuda.jit
    def k(a, i, j):
        fill(a, i, j, 0)

    scope: dict[str, Any] = {}
    plain = types.FunctionType(fill.py_func.__code__, scope)
    scope["fill"] = plain

    a = np.arange(400).reshape(20, 20) % 7 // 6
    expected = a.copy()
    k[1, 1](a, 3, 9)
    plain(expected, 3, 9, 0)
    np.testing.assert_array_equal(a, expected)


@pytest.mark.on_vectors
@pytest.mark.parametrize("way", ["simd", "reference"])
def test_values(way: str) -> None:
    step = cuda.jit(device=True)(halve)

    def make_kernel() -> Any:
        @cuda.jit
        def k(x, y):
            i, j = cuda.grid(2)
            step(x, y, i, j)

        return k

    x = np.linspace(0, 300, 512).reshape(16, 32)
    y = np.arange(512.0).reshape(16, 32) % 3 - 2
    arrays, blocks = run(way, make_kernel, (2, 4), (8, 8), x, y)
    assert blocks == {(8, 8, 1) if way == "simd" else None}
    for i, j in np.ndindex(x.shape):
        halve(x, y, i, j)
    np.testing.assert_array_equal(arrays[0], x)
    np.testing.assert_array_equal(arrays[1], y)
