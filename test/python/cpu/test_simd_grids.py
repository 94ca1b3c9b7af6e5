# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Vectors agree with the reference where blocks wait for the grid."""

import linecache
from typing import Any

import numpy as np
import pytest

from pyk import cuda
from pyk.cuda import errors
from support.simd_agreement import Shape, agree, run

pytestmark = pytest.mark.on_vectors


def relax() -> Any:
    @cuda.jit
    def kernel(a, b, steps):
        grid = cuda.cg.this_grid()
        x, y = cuda.grid(2)
        inside = 0 < y < a.shape[0] - 1 and 0 < x < a.shape[1] - 1
        for _ in range(steps):
            if inside:
                around = a[y - 1, x] + a[y + 1, x] + a[y, x - 1] + a[y, x + 1]
                b[y, x] = around / 4
            grid.sync()
            if inside:
                a[y, x] = b[y, x]
            grid.sync()

    return kernel


def relaxed(a: np.ndarray, steps: int) -> np.ndarray:
    """What the kernel leaves in `a`."""
    a = a.copy()
    for _ in range(steps):
        around = a[:-2, 1:-1] + a[2:, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:]
        a[1:-1, 1:-1] = around / 4
    return a


@pytest.mark.parametrize("block", [(32, 8), (16, 16), (9, 5), (1, 8)], ids=str)
@pytest.mark.parametrize("extents", [(64, 64), (30, 45)], ids=str)
def test_relaxation(block: Shape, extents: Shape) -> None:
    a = np.random.default_rng(5).random(extents)
    grid = -(-extents[1] // block[0]), -(-extents[0] // block[1])
    found, _ = agree(relax, grid, block, a, np.zeros(extents), 7)
    np.testing.assert_array_equal(found, relaxed(a, 7))


def test_more_blocks_than_could_wait_by_memory() -> None:
    extents = 512, 256
    a = np.random.default_rng(6).random(extents)
    found, _ = agree(relax, (8, 64), (32, 8), a, np.zeros(extents), 3)
    np.testing.assert_array_equal(found, relaxed(a, 3))


def test_barriers_of_blocks_between_those_of_the_grid() -> None:
    def make() -> Any:
        @cuda.jit
        def total(a, parts, out):
            grid = cuda.cg.this_grid()
            shared = cuda.shared.array(64, np.int64)
            t, block = cuda.threadIdx.x, cuda.blockIdx.x
            shared[t] = a[cuda.grid(1)]
            cuda.syncthreads()
            step = 32
            while step > 0:
                if t < step:
                    shared[t] += shared[t + step]
                cuda.syncthreads()
                step //= 2
            if t == 0:
                parts[block] = shared[0]
            grid.sync()
            shared[t] = parts[t] if t < cuda.gridDim.x else 0
            cuda.syncthreads()
            if t == block:
                for i in range(cuda.gridDim.x):
                    out[block] += shared[i]
            cuda.atomic.add(out, 63, 1)

        return total

    a = np.arange(640)
    parts, out = np.zeros(10, np.int64), np.zeros(64, np.int64)
    *_, found = agree(make, (10,), (64,), a, parts, out)
    assert (found[:10] == a.sum()).all()
    assert found[63] == 640


def test_threads_that_are_gone() -> None:
    def make() -> Any:
        @cuda.jit
        def turn(a, out):
            grid = cuda.cg.this_grid()
            i = cuda.grid(1)
            if cuda.threadIdx.x >= 20:
                return
            a[i] = i
            grid.sync()
            out[i] = a[(i + 32) % a.size]

        return turn

    a, out = np.zeros(128, np.int32), np.zeros(128, np.int32)
    _, found = agree(make, (4,), (32,), a, out)
    lanes = np.arange(128) % 32 < 20
    expected = np.where(lanes, (np.arange(128) + 32) % 128, 0)
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("way", ["reference", "simd"])
def test_a_block_that_ends_fails_the_launch(way: str) -> None:
    def make() -> Any:
        @cuda.jit
        def leave(out):
            grid = cuda.cg.this_grid()
            if cuda.blockIdx.x == 1:
                return
            grid.sync()
            out[cuda.grid(1)] = 1

        return leave

    with pytest.raises(errors.CudaAPIError, match="grid"):
        run(way, make, (4,), (32,), np.zeros(128))


@pytest.mark.parametrize("count", [8, 12])
def test_many_values_from_one_barrier_to_the_next(count: int) -> None:
    """All that a block of 1024 threads keeps lies on the stack of a fiber."""
    names = [f"v{k}" for k in range(count)]
    lines = [
        "@cuda.jit",
        "def kernel(b):",
        "    grid = cuda.cg.this_grid()",
        "    i = cuda.grid(1)",
        *(f"    {name} = b[{k}, i]" for k, name in enumerate(names)),
        "    grid.sync()",
        *(
            f"    b[{(k + 1) % count}, i] = {name}"
            for k, name in enumerate(names)
        ),
    ]

    def make() -> Any:
        text = "\n".join(lines)
        file = f"<many values {count}>"
        linecache.cache[file] = len(text), None, text.splitlines(True), file
        scope: dict[str, Any] = {"cuda": cuda}
        exec(compile(text, file, "exec"), scope)
        return scope["kernel"]

    b = np.random.default_rng(7).random((count, 4096))
    (found,) = agree(make, (4,), (1024,), b)
    np.testing.assert_array_equal(found, np.roll(b, 1, 0))
