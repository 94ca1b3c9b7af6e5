# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Elements that are a few apart, which vectors load with what is between."""

import ctypes
import mmap

import ml_dtypes
import numpy as np
import pytest

from pyk import cuda
from support.simd_agreement import agree

pytestmark = pytest.mark.on_vectors

TYPES = ["f4", "i4", "f8", "i8", "u2", "i1", "c8", "f2", "bfloat16", "?"]


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("step", [2, 3, 4, 5, -1, -2, -3, -4])
@pytest.mark.parametrize("block", [64, 8, 40])
def test_steps(dtype: str, step: int, block: int) -> None:
    start = 0 if step > 0 else -step * 200

    def pick(a, out):
        i = cuda.grid(1)
        if i < out.size:
            out[i] = a[start + step * i]

    element = np.dtype(getattr(ml_dtypes, dtype, dtype))
    a = (np.arange(1001) * 7 % 251 - 100).astype(element)
    out = np.zeros(200, element)
    grid = (-(-200 // block),)
    _, out = agree(lambda: cuda.jit(pick), grid, (block,), a, out)
    assert (out == a[start + step * np.arange(200)]).all()


@pytest.mark.parametrize("width", [2, 3, 4, 5])
@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_points(width: int, dtype: str) -> None:
    """A row of numbers for each thread, as programs hold points."""

    def length(points, out):
        i = cuda.grid(1)
        if i < points.shape[0]:
            total = points[i, 0] * points[i, 0]
            for k in range(1, width):
                total += points[i, k] * points[i, k]
            out[i] = total

    points = np.random.default_rng(4).integers(0, 50, (500, width))
    points = points.astype(dtype)
    out = np.zeros(500, dtype)
    _, out = agree(lambda: cuda.jit(length), (8,), (64,), points, out)
    assert (out == (points**2).sum(1)).all()


def test_rows_of_a_block_and_views() -> None:
    def pick(a, out):
        x, y = cuda.grid(2)
        if x < out.shape[1] and y < out.shape[0]:
            out[y, x] = a[y, 2 * x + 1] - a[y, 2 * x]

    a = np.random.default_rng(4).integers(0, 99, (60, 200)).astype("f4")
    for array in (a, np.asfortranarray(a), a[::3, ::-1], a[:, 1:99]):
        out = np.zeros((array.shape[0], array.shape[1] // 2), "f4")
        _, out = agree(lambda: cuda.jit(pick), (7, 4), (16, 16), array, out)
        assert (out == array[:, 1::2] - array[:, : 2 * out.shape[1] : 2]).all()


RECORD = np.dtype([("x", "f4"), ("tag", "i2"), ("other", "i2"), ("y", "f4")])


def test_fields_of_records() -> None:
    def add(records, out):
        i = cuda.grid(1)
        if i < records.size:
            out[i] = records[i].x + records[i]["y"] + records[i].tag

    records = np.zeros(300, RECORD)
    for name, factor in ("x", 3), ("tag", 5), ("y", 7):
        records[name] = np.arange(300) * factor
    _, out = agree(
        lambda: cuda.jit(add), (5,), (64,), records, np.zeros(300, "f4")
    )
    assert (out == np.arange(300) * 15).all()


def test_some_threads_are_off() -> None:
    """What they would have read is not memory, or nobody's."""

    def pick(a, out, least):
        i = cuda.grid(1)
        if i < out.size:
            out[i] = -1
            if i % 5 >= least:
                out[i] = a[3 * i + 1]

    a = np.arange(600).astype("f4")
    out = np.zeros(200, "f4")
    _, out = agree(lambda: cuda.jit(pick), (4,), (64,), a, out, 2)
    i = np.arange(200)
    assert (out == np.where(i % 5 >= 2, a[3 * i + 1], -1)).all()


@pytest.mark.parametrize("dtype", ["f4", "f8", "c8"])
@pytest.mark.parametrize("step", [2, 3, 4, -1, -2, -3])
def test_nothing_beside_the_elements_is_read(dtype: str, step: int) -> None:
    """Pages in front of them, and behind, cannot be read."""
    page = mmap.PAGESIZE
    memory = mmap.mmap(-1, 3 * page)
    address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    protect = ctypes.CDLL(None, use_errno=True).mprotect
    for edge in 0, 2:
        place = ctypes.c_void_p(address + edge * page)
        assert protect(place, ctypes.c_size_t(page), 0) == 0

    @cuda.jit
    def pick(a, out, start):
        i = cuda.grid(1)
        if i < out.size:
            out[i] = a[start + step * i]

    bytes_of = (ctypes.c_char * page).from_address(address + page)
    whole = np.frombuffer(bytes_of, dtype)
    whole[:] = np.arange(whole.size)
    count = whole.size // abs(step) // 16 * 16
    length = (count - 1) * abs(step) + 1
    for a in whole[:length], whole[-length:]:
        out = np.zeros(count, dtype)
        start = 0 if step > 0 else length - 1
        pick[-(-count // 64), 64](a, out, start)
        assert (out == a[start + step * np.arange(count)]).all()
    for edge in 0, 2:
        place = ctypes.c_void_p(address + edge * page)
        both = mmap.PROT_READ | mmap.PROT_WRITE
        assert protect(place, ctypes.c_size_t(page), both) == 0
