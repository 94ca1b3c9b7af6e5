# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops in which threads of a block begin at steps from each other.

The iterations that all threads take are written without masks; the last ones
are not. Both have to agree with threads one by one, and with Python.
"""

from typing import Any

import numpy as np
import pytest

from pyk import cuda
from support.simd_agreement import Shape, agree

pytestmark = pytest.mark.on_vectors

#: Ends of loops: none, few, more iterations than one for all.
ENDS = [-5, 0, 1, 63, 64, 65, 128, 300]


@pytest.mark.parametrize("step", [1, 5, 63, 64, 65, 200])
@pytest.mark.parametrize("dtype", ["i4", "i8"])
def test_steps(step: int, dtype: str) -> None:
    """Steps of less than, as much as, and more than the block's width."""

    def make() -> Any:
        @cuda.jit
        def count(ends, by, out, last):
            t = cuda.threadIdx.x
            for e in range(ends.size):
                turns = 0
                for i in range(t, ends[e], by[0]):
                    turns += 1
                    last[e, t] = i
                out[e, t] = turns

        return count

    ends = np.array(ENDS, dtype)
    out = np.zeros((len(ENDS), 64), np.int32)
    by = np.array([step], dtype)
    _, _, turns, last = agree(
        make, (1,), (64,), ends, by, out, np.full_like(out, -1)
    )
    for e, end in enumerate(ENDS):
        for t in range(64):
            expected = range(t, end, step)
            assert turns[e, t] == len(expected)
            assert last[e, t] == (expected[-1] if expected else -1)


@pytest.mark.parametrize("block", [(32,), (64,), (100,), (8, 8), (16, 4)])
@pytest.mark.parametrize("size", [0, 1, 31, 64, 100, 1000])
def test_strides_of_blocks(block: Shape, size: int) -> None:
    """A sum by the width of the block, and what is written on the way."""

    def make() -> Any:
        @cuda.jit
        def walk(x, out, sums):
            t = cuda.threadIdx.x
            y = cuda.threadIdx.y
            total = np.float32(0)
            for i in range(3 + t, x.size, cuda.blockDim.x):
                if i % 3:
                    total += x[i]
                out[y, i] = total
            sums[y, t] = total

        return walk

    x = np.arange(size, dtype=np.float32)
    width, rows = (*block, 1)[:2]
    out = np.zeros((rows, size), np.float32)
    sums = np.zeros((rows, width), np.float32)
    _, out, sums = agree(make, (1,), block, x, out, sums)
    for t in range(width):
        part = [v if v % 3 else 0 for v in range(3 + t, size, width)]
        assert (out[:, 3 + t :: width] == np.cumsum(part)).all()
        assert (sums[:, t] == sum(part)).all()


@pytest.mark.parametrize("size", [0, 5, 255, 256, 1000, 4099])
def test_strides_of_grids(size: int) -> None:
    """As `range` and as `while`, with exits and conditions inside."""

    def make() -> Any:
        @cuda.jit
        def both(x, first, second):
            for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
                if x[i] < 0:
                    continue
                first[i] = x[i] + 1
            i = cuda.grid(1)
            stride = cuda.blockDim.x * cuda.gridDim.x
            while i < x.size:
                if x[i] == 77:
                    break
                second[i] = 2 * x[i]
                i += stride

        return both

    x = np.arange(size, dtype=np.int64)
    x[::7] *= -1
    first, second = np.zeros_like(x), np.zeros_like(x)
    _, first, second = agree(make, (4,), (64,), x, first, second)
    assert (first == np.where(x < 0, 0, x + 1)).all()
    stops = np.flatnonzero(x == 77)
    expected = 2 * x
    if stops.size:
        expected[stops[0] :: 256] = 0
    assert (second == expected).all()


def test_downwards_and_scaled() -> None:
    """Threads begin far from each other, and the last one is the first."""

    def make() -> Any:
        @cuda.jit
        def walk(n, out):
            t = cuda.threadIdx.x
            for i in range(100 - 3 * t, n, 7):
                out[t, i + 100] = i
            for i in range(5 * t, n, 7):
                out[t, i + 300] = -i

        return walk

    out = np.zeros((64, 500), np.int64)
    (found,) = agree(make, (1,), (64,), 120, out)
    expected = np.zeros_like(out)
    for t in range(64):
        for i in range(100 - 3 * t, 120, 7):
            expected[t, i + 100] = i
        for i in range(5 * t, 120, 7):
            expected[t, i + 300] = -i
    assert (found == expected).all()


@pytest.mark.parametrize("end", [2**63 - 1, 2**63 - 5, -(2**63) + 40])
def test_ends_of_numbers(end: int) -> None:
    """Counters that would leave the range of their type at the end."""

    def make() -> Any:
        @cuda.jit
        def count(begin, end, step, out):
            t = cuda.threadIdx.x
            turns = 0
            for _ in range(begin + t, end, step):
                turns += 1
            out[t] = turns

        return count

    begin, step = max(end - 100, -(2**63)), 33
    (turns,) = agree(
        make, (1,), (64,), begin, end, step, np.zeros(64, np.int64)
    )
    assert turns.tolist() == [
        len(range(begin + t, end, step)) for t in range(64)
    ]


def test_counter_behind_loop() -> None:
    """What a `while` loop counted to is asked for."""

    def make() -> Any:
        @cuda.jit
        def count(n, out):
            i = cuda.threadIdx.x
            while i < n:
                i += 10
            out[cuda.threadIdx.x] = i

        return count

    (found,) = agree(make, (1,), (64,), 35, np.zeros(64, np.int64))
    expected = []
    for t in range(64):
        while t < 35:
            t += 10
        expected.append(t)
    assert found.tolist() == expected


def test_shared_counts() -> None:
    """Atomic updates of shared memory by all threads, a few, and none."""

    def make() -> Any:
        @cuda.jit
        def histogram(x, counts):
            bins = cuda.shared.array(16, np.int32)
            t = cuda.threadIdx.x
            if t < 16:
                bins[t] = 0
            cuda.syncthreads()
            for i in range(t, x.size, cuda.blockDim.x):
                cuda.atomic.add(bins, x[i], 1)
            cuda.syncthreads()
            if t < 16:
                counts[t] = bins[t]

        return histogram

    x = (np.arange(1003) * 7 % 16).astype(np.uint8)
    _, counts = agree(make, (1,), (256,), x, np.zeros(16, np.int32))
    assert (counts == np.bincount(x, minlength=16)).all()


@pytest.mark.parametrize("block", [(32,), (100,), (16, 8)])
def test_counts_until_exit(block: Shape) -> None:
    """What threads have counted that leave a loop, by two exits."""

    def make() -> Any:
        @cuda.jit
        def escape(limit, short, wide, rest):
            x, y = cuda.grid(2)
            value = np.float32(x) + np.float32(0.5) * np.float32(y)
            count = 0
            turns = 3
            while count < limit:
                if value > 40:
                    break
                value = value * np.float32(1.25) + 1
                if value > 35 and value < 38:
                    return
                count += 1
                turns -= 2
            short[y, x] = count
            wide[y, x] = count + turns
            rest[y, x] = value

        return escape

    width, height = (*block, 1)[:2]
    short = np.full((height, width), -1, np.int16)
    wide = np.full((height, width), -1, np.int64)
    rest = np.full((height, width), -1, np.float32)
    found = agree(make, (1,), block, 6, short, wide, rest)
    for y in range(height):
        for x in range(width):
            value = np.float32(x) + np.float32(0.5) * np.float32(y)
            count, left = 0, False
            while count < 6 and value <= 40 and not left:
                # No rounding: few digits.
                value = value * np.float32(1.25) + np.float32(1)
                left = bool(35 < value < 38)
                count += not left
            expected = (-1, -1, -1) if left else (count, 3 - count, value)
            assert tuple(array[y, x] for array in found) == expected
