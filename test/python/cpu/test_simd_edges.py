# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tiles of which some threads do nothing, or something else.

Where a bound is all that a kernel asks about, such a tile goes vector by
vector. Bounds lie at all places of a tile: before, in and behind a vector.
"""

from typing import Any

import numpy as np
import pytest

from pyk import cuda
from support.simd_agreement import Shape, agree

pytestmark = pytest.mark.on_vectors

BLOCKS: list[Shape] = [(8,), (33,), (128,), (256,), (1024,)]
PLANES: list[Shape] = [(16, 16), (4, 32), (33, 2), (64, 4)]
BOUNDS = [0, 1, 15, 16, 17, 100, 128, 200, 255, 256, 300, 1000]

lines = pytest.mark.parametrize("block", BLOCKS, ids=str)
planes = pytest.mark.parametrize("block", PLANES, ids=str)
bounds = pytest.mark.parametrize("bound", BOUNDS)


def grid_for(block: Shape) -> Shape:
    return (-(-1100 // block[0]),)


def size_of(block: Shape) -> int:
    return grid_for(block)[0] * block[0]


@lines
@bounds
def test_nothing_else(block: Shape, bound: int) -> None:
    def make() -> Any:
        @cuda.jit
        def k(a, n):
            i = cuda.grid(1)
            if i < n:
                a[i] = 2 * a[i] + i

        return k

    a = np.arange(size_of(block), dtype=np.float32)
    (found,) = agree(make, grid_for(block), block, a, bound)
    expected = a.copy()
    expected[:bound] = 3 * a[:bound]
    np.testing.assert_array_equal(found, expected)


def of_both_arms() -> Any:
    @cuda.jit
    def k(a, n):
        i = cuda.grid(1)
        if i < n:
            a[i] = 1
        else:
            a[i] = 2

    return k


def of_a_return() -> Any:
    @cuda.jit
    def k(a, n):
        i = cuda.grid(1)
        if i >= n:
            a[i] = 2
            return
        a[i] = 1

    return k


@lines
@bounds
@pytest.mark.parametrize("make", [of_both_arms, of_a_return])
def test_something_else(make: Any, block: Shape, bound: int) -> None:
    a = np.zeros(size_of(block), np.float32)
    (found,) = agree(make, grid_for(block), block, a, bound)
    expected = np.full_like(a, 2)
    expected[:bound] = 1
    np.testing.assert_array_equal(found, expected)


@lines
@bounds
def test_both_sides_and_inner_conditions(block: Shape, bound: int) -> None:
    def make() -> Any:
        @cuda.jit
        def k(a, b, n):
            i = cuda.grid(1)
            if 3 <= i < n:
                if b[i] > 0:
                    a[i] = b[i]
                elif i % 2 == 0:
                    a[i] = -1
                else:
                    cuda.atomic.add(a, i, 5)

        return k

    size = size_of(block)
    b = np.where(np.arange(size) % 3 == 0, np.arange(size), -1)
    (found, _) = agree(make, grid_for(block), block, b * 0, b, bound)
    expected = np.zeros_like(b)
    for i in range(3, bound):
        expected[i] = b[i] if b[i] > 0 else 5 if i % 2 else -1
    np.testing.assert_array_equal(found, expected)


@planes
@pytest.mark.parametrize("rows", [1, 15, 40, 64])
@pytest.mark.parametrize("columns", [1, 16, 47, 64])
def test_two_bounds(block: Shape, rows: int, columns: int) -> None:
    def make() -> Any:
        @cuda.jit
        def k(a, rows, columns):
            i, j = cuda.grid(2)
            if i < columns and j < rows:
                a[j, i] += i - j

        return k

    grid = tuple(-(-132 // width) for width in block)
    a = np.ones((grid[1] * block[1], grid[0] * block[0]))
    (found,) = agree(make, grid, block, a, rows, columns)
    j, i = np.indices(a.shape)
    expected = np.where((i < columns) & (j < rows), 1 + i - j, 1)
    np.testing.assert_array_equal(found, expected)


# Both sides differ alike from thread to thread, until one of them wraps.
def test_comparison_with_a_sum_that_wraps() -> None:
    def make() -> Any:
        @cuda.jit
        def compare(out, n):
            t = cuda.threadIdx.x
            if t > t + n:
                out[0, t] = 1
            else:
                out[1, t] = 1
            if t < t + n:
                out[2, t] = 1

        return compare

    out = np.zeros((3, 64), np.int32)
    (found,) = agree(make, (1,), (64,), out, 2**63 - 10)
    wraps = np.arange(64) >= 10
    assert found.tolist() == [wraps.tolist(), *[(~wraps).tolist()] * 2]


# One answer for all threads, known when it compiles, is no mask.
def test_a_condition_that_a_constant_decides() -> None:
    def make() -> Any:
        @cuda.jit
        def count(a, out, limit):
            i = cuda.threadIdx.x
            n = 0
            while (
                n < a[i]
                and (n if (cuda.threadIdx.y % 7 == 1 and n == i) else i)
                != limit
            ):
                n += 2
            out[i] = n

        return count

    a = np.arange(64) * 7 % 31
    out = np.zeros(64, np.int64)
    _, found = agree(make, (1,), (64,), a, out, 40)
    expected = np.where(np.arange(64) == 40, 0, (a + 1) // 2 * 2)
    assert (found == expected).all()
