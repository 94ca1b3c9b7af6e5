# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Accesses of which neighbouring rows of a block find neighbours."""

import ml_dtypes
import numpy as np
import pytest

from pyk import cuda
from support.simd_agreement import agree, shared

pytestmark = pytest.mark.on_vectors

TYPES = ["f4", "i4", "f8", "i8", "u2", "i1", "c8", "f2", "bfloat16", "?"]


def scatter(a, out):
    x, y = cuda.grid(2)
    if x < a.shape[1] and y < a.shape[0]:
        out[x, y] = a[y, x]


def gather(a, out):
    x, y = cuda.grid(2)
    if x < a.shape[0] and y < a.shape[1]:
        out[y, x] = a[x, y]


def by_blocks(size, rows, element):
    """By way of a tile in shared memory, whose columns are read."""

    def transpose(a, out):
        tile = cuda.shared.array((size, size + 1), element)
        tx = cuda.threadIdx.x
        ty = cuda.threadIdx.y
        left = cuda.blockIdx.x * size
        top = cuda.blockIdx.y * size
        for j in range(0, size, rows):
            if left + tx < a.shape[1] and top + ty + j < a.shape[0]:
                tile[ty + j, tx] = a[top + ty + j, left + tx]
        cuda.syncthreads()
        for j in range(0, size, rows):
            if top + tx < a.shape[0] and left + ty + j < a.shape[1]:
                out[left + ty + j, top + tx] = tile[tx, ty + j]

    return transpose


def make(shape, dtype):
    element = np.dtype(getattr(ml_dtypes, dtype, dtype))
    numbers = np.random.default_rng(3).integers(-99, 99, shape)
    return numbers.astype(element)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize(
    "block",
    [(16, 16), (32, 8), (32, 32), (8, 4), (48, 6), (16, 2), (16, 4, 2)],
)
@pytest.mark.parametrize("shape", [(64, 96), (61, 83)])
@pytest.mark.parametrize("kernel", [scatter, gather])
def test_transposes(kernel, dtype: str, block, shape) -> None:
    a = make(shape, dtype)
    height, width = shape if kernel is scatter else shape[::-1]
    grid = (-(-width // block[0]), -(-height // block[1]))
    out = np.zeros(shape[::-1], a.dtype)
    _, out = agree(
        *(lambda: cuda.jit(kernel), grid, block, a, out),
        reference=lambda: shared(kernel),
    )
    assert out.tobytes() == np.ascontiguousarray(a.T).tobytes()


@pytest.mark.parametrize("dtype", ["f4", "f8", "i1", "c8", "f2"])
@pytest.mark.parametrize(
    "block", [(16, 16), (32, 32), (32, 8), (8, 8), (64, 4)]
)
@pytest.mark.parametrize("shape", [(64, 128), (70, 90)])
def test_transposes_by_blocks(dtype: str, block, shape) -> None:
    a = make(shape, dtype)
    size, rows = block
    grid = (-(-shape[1] // size), -(-shape[0] // size))
    kernel = by_blocks(size, rows, a.dtype)
    out = np.zeros(shape[::-1], a.dtype)
    _, out = agree(lambda: cuda.jit(kernel), grid, block, a, out)
    assert out.tobytes() == np.ascontiguousarray(a.T).tobytes()


def test_neighbours_in_three_dimensions() -> None:
    """Rows of a tile have one z, wherever their elements are."""

    def turn(a, out):
        x, y, z = cuda.grid(3)
        if x < a.shape[2] and y < a.shape[1] and z < a.shape[0]:
            out[z, x, y] = a[z, y, x] + out[z, x, y]

    a = make((6, 20, 40), "f4")
    out = np.ones((6, 40, 20), "f4")
    for block in (16, 4, 2), (16, 2, 3), (8, 8, 2):
        grid = tuple(-(-n // b) for n, b in zip(a.shape[::-1], block))
        _, got = agree(lambda: cuda.jit(turn), grid, block, a, out)
        assert (got == a.transpose(0, 2, 1) + 1).all()


def test_views() -> None:
    """Elements of a column need not be beside each other; rows may go back."""
    whole = make((130, 260), "f4")
    for a in whole[:, 3:99], whole[::2, ::3], whole[::-1], whole[:, ::-1]:
        for source in a, a.T:
            out = np.zeros(source.shape[::-1], "f4")
            grid = (-(-source.shape[0] // 16), -(-source.shape[1] // 16))
            _, got = agree(
                lambda: cuda.jit(gather), grid, (16, 16), source, out
            )
            assert (got == source.T).all()


def test_some_threads_are_off() -> None:
    """Only what a thread asks for is read and written."""

    def some(a, out):
        x, y = cuda.grid(2)
        if x < a.shape[0] and y < a.shape[1] and (x * y) % 3 != 1:
            out[y, x] = a[x, y]
            out[y, x] += 1

    a = make((64, 48), "f4")
    out = np.full((48, 64), 7, "f4")
    _, got = agree(lambda: cuda.jit(some), (4, 3), (16, 16), a, out)
    y, x = np.indices(got.shape)
    assert (got == np.where(x * y % 3 != 1, a.T + 1, 7)).all()


def test_one_array_is_read_and_written() -> None:
    """All of a tile is read before any of it is written."""

    def swap(a):
        x, y = cuda.grid(2)
        if x < y < a.shape[0]:
            low, high = a[y, x], a[x, y]
            a[y, x] = high
            a[x, y] = low

    a = make((64, 64), "f8")
    (got,) = agree(lambda: cuda.jit(swap), (4, 4), (16, 16), a)
    assert (got == a.T).all()
