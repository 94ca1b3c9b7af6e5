# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rows of threads that go through several blocks, neighbours along x."""

from pathlib import Path

import numpy as np
import pytest

from pyk import cuda
from support.programs import run_program
from support.simd_agreement import agree

pytestmark = pytest.mark.on_vectors

SHAPES = [(8, 8), (16, 16), (32, 8), (5, 6), (64, 1), (4, 4, 4), (200, 2)]
GRIDS = [(1, 1), (2, 3), (7, 5), (600, 1), (3, 2, 2)]


def number(out):
    """The place of each thread in the launch, in the order of CUDA."""
    x, y, z = cuda.grid(3)
    nx, ny, nz = cuda.gridsize(3)
    n = (z * ny + y) * nx + x
    if n < out.size:
        out[n] = n * 3 + cuda.blockIdx.x * 1000 + cuda.threadIdx.y


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("grid", GRIDS)
def test_each_thread_runs_once(shape, grid) -> None:
    gx, gy, gz = (*grid, 1)[:3]
    bx, by, bz = (*shape, 1)[:3]
    out = np.full(gx * bx * gy * by * gz * bz + 3, -1, np.int64)
    block = (bx, by, bz)
    (out,) = agree(lambda: cuda.jit(number), (gx, gy, gz), block, out)
    places = np.arange(len(out) - 3)
    x = places % (gx * bx)
    y = places // (gx * bx) % (gy * by)
    expected = places * 3 + x // bx * 1000 + y % by
    assert out[:-3].tolist() == expected.tolist()
    assert out[-3:].tolist() == [-1, -1, -1]


@cuda.jit(device=True)
def mean(a, y, x):
    total = a[y, x - 1] + a[y, x + 1] + a[y - 1, x] + a[y + 1, x]
    return np.float32(0.25) * total


def relax(a, out):
    x, y = cuda.grid(2)
    if 0 < x < a.shape[1] - 1 and 0 < y < a.shape[0] - 1:
        out[y, x] = mean(a, y, x)


def gather(a, out):
    """Blocks at other blocks' places, and a loop of few iterations."""
    x = cuda.threadIdx.x
    y = cuda.threadIdx.y + cuda.blockIdx.y * cuda.blockDim.y
    other = cuda.gridDim.x - 1 - cuda.blockIdx.x
    column = other * cuda.blockDim.x + x
    total = 0
    for k in range(3):
        total += a[(y + k) % a.shape[0], (column * 7 + k) % a.shape[1]]
    if y < out.shape[0] and column < out.shape[1]:
        out[y, column] = total


@pytest.mark.parametrize("shape", [(16, 16), (32, 8), (7, 9), (40, 3)])
@pytest.mark.parametrize("extents", [(33, 700), (70, 90), (1, 5000)])
@pytest.mark.parametrize("body", [relax, gather])
def test_blocks_agree_with_the_reference(body, extents, shape) -> None:
    a = np.random.default_rng(1).random(extents).astype(np.float32)
    grid = (-(-extents[1] // shape[0]), -(-extents[0] // shape[1]))
    agree(lambda: cuda.jit(body), grid, shape, a, np.zeros_like(a))


WARNS = """
@cuda.jit
def fill(out):
    x, y = cuda.grid(2)
    out[y + (cuda.blockIdx.x == 3) * 100, x] = 1

fill[(6, 2), (8, 4)](np.zeros((8, 48), np.int32))
"""


def test_warnings_name_the_block(tmp_path: Path) -> None:
    program = "import numpy as np\nfrom pyk import cuda\n" + WARNS
    told = run_program(tmp_path, program).stderr
    assert "(thread [0, 0, 0] of block [3, 0, 0] and 63 more threads)" in told
