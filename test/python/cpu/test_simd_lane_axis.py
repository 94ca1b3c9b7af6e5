# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lanes along the axis on which threads find neighbouring elements."""

from pathlib import Path

import numpy as np
import pytest

from pyk import cuda
from support.programs import run_program
from support.simd_agreement import Shape, agree

pytestmark = pytest.mark.on_vectors

SHAPES = [(16, 16), (8, 32), (32, 8), (8, 8), (4, 4), (2, 17), (1, 64), (3, 5)]
SPACES = [(4, 4, 16), (2, 4, 32), (8, 8, 8), (4, 4, 4), (1, 16, 16), (3, 2, 5)]


def count_blocks(shape: Shape, block: Shape) -> Shape:
    """The grid whose threads are at least as many as `shape` tells."""
    return tuple(-(-n // m) for n, m in zip(shape, block, strict=True))


@pytest.mark.parametrize("block", SHAPES, ids=str)
@pytest.mark.parametrize("shape", [(64, 64), (33, 700), (700, 33)], ids=str)
@pytest.mark.parametrize("dtype", ["f4", "f8", "u1"])
def test_rows_along_x(block: Shape, shape: Shape, dtype: str) -> None:
    def rows(a, out):
        i, j = cuda.grid(2)
        if i < a.shape[0] and j < a.shape[1]:
            place = cuda.blockIdx.x * 1000 + cuda.blockIdx.y
            out[i, j] = a[i, j] * 3 + place + cuda.gridDim.x

    a = np.arange(np.prod(shape)).reshape(shape).astype(dtype) % 50
    out = np.zeros(shape, np.int64)
    grid = count_blocks(shape, block)
    _, out = agree(lambda: cuda.jit(rows), grid, block, a, out)
    i, j = np.indices(shape)
    place = i // block[0] * 1000 + j // block[1] + grid[0]
    assert (out == a.astype(np.int64) * 3 + place).all()


@pytest.mark.parametrize("block", SPACES, ids=str)
@pytest.mark.parametrize("shape", [(20, 30, 70), (70, 10, 33)], ids=str)
def test_planes_along_x(block: Shape, shape: Shape) -> None:
    def planes(a, out):
        i, j, k = cuda.grid(3)
        if i < a.shape[0] and j < a.shape[1] and k < a.shape[2]:
            x, y, z = cuda.blockIdx.x, cuda.blockIdx.y, cuda.blockIdx.z
            out[i, j, k] = a[i, j, k] + x * 10000 + y * 100 + z

    a = np.arange(np.prod(shape)).reshape(shape)
    grid = count_blocks(shape, block)
    _, out = agree(lambda: cuda.jit(planes), grid, block, a, np.zeros_like(a))
    x, y, z = (n // m for n, m in zip(np.indices(shape), block, strict=True))
    assert (out == a + x * 10000 + y * 100 + z).all()


@pytest.mark.parametrize("block", [(16, 16), (8, 8), (8, 32)], ids=str)
def test_shared_tiles(block: Shape) -> None:
    """A product whose threads have their rows along x, between barriers."""
    bx, by = block

    def product(a, b, c):
        mine = cuda.shared.array((bx, by), np.float32)
        i, j = cuda.grid(2)
        tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
        total = np.float32(0)
        for start in range(0, a.shape[1], by):
            mine[tx, ty] = a[i, start + ty]
            cuda.syncthreads()
            for k in range(by):
                total += mine[tx, k] * b[start + k, j]
            cuda.syncthreads()
        c[i, j] = total

    n = 64
    rng = np.random.default_rng(5)
    a, b = (rng.integers(-4, 5, (n, n)).astype(np.float32) for _ in range(2))
    c = np.zeros_like(a)
    grid = count_blocks((n, n), block)
    *_, c = agree(lambda: cuda.jit(product), grid, block, a, b, c)
    assert (c == a @ b).all()


def test_atomics_and_a_choice() -> None:
    """Each thread counts what its neighbours have."""

    def count(a, bins):
        i, j = cuda.grid(2)
        if i < a.shape[0] and j < a.shape[1] and a[i, j] >= 0:
            cuda.atomic.add(bins, a[i, j], 1)

    a = np.random.default_rng(2).integers(-3, 16, (50, 90))
    _, bins = agree(
        lambda: cuda.jit(count), (4, 6), (16, 16), a, np.zeros(16, np.int64)
    )
    assert (bins == np.bincount(a[a >= 0], minlength=16)).all()


def test_warps_stay() -> None:
    """A vote is about threads that are neighbours along x."""

    def vote(a, out):
        i, j = cuda.grid(2)
        ballot = cuda.ballot_sync(0xFFFFFFFF, a[i, j] > 0)
        out[i, j] = ballot

    a = np.random.default_rng(3).integers(0, 2, (32, 32))
    _, out = agree(
        lambda: cuda.jit(vote), (2, 2), (16, 16), a, np.zeros_like(a, np.uint32)
    )
    for i, j in np.ndindex(a.shape):
        x, y = i // 16 * 16, j // 2 * 2
        bits = [a[x + n % 16, y + n // 16] << n for n in range(32)]
        assert out[i, j] == sum(bits)


PROGRAM = """\
import sys
import numpy as np
from pyk import cuda

@cuda.jit
def rows(a, out, n):
    i, j = cuda.grid(2)
    if i < n and j < out.shape[1]:
        out[i, j] = a[i, j]

a = np.ones((20, 40), np.float32)
out = np.zeros((24, 40), np.float32)
rows[(2, 3), (16, 16)](a, out, 24)
cuda.synchronize()
print(int(out.sum()), out[20:].sum())
"""


def test_what_is_outside_is_told_of_its_thread(tmp_path: Path) -> None:
    done = run_program(tmp_path, PROGRAM, PYK_CPU="simd")
    assert done.stdout == "800 0.0\n"
    assert "reads a[20, 0], outside of the array's memory" in done.stderr
    assert "thread [4, 0, 0] of block [1, 0, 0] and 159 more" in done.stderr
