# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Vectors agree with the reference where barriers count threads."""

from typing import Any

import numpy as np
import pytest

from pyk import cuda
from support.simd_agreement import Shape, agree

pytestmark = pytest.mark.on_vectors

BLOCKS = [(8,), (33,), (64,), (100,), (16, 4), (5, 4, 3), (256,)]


@pytest.mark.parametrize("block", BLOCKS, ids=str)
def test_votes_of_all_threads(block: Shape) -> None:
    def make() -> Any:
        @cuda.jit
        def votes(out, limits):
            x = cuda.threadIdx.x
            y = cuda.threadIdx.y
            z = cuda.threadIdx.z
            w = cuda.blockDim.x
            t = (z * cuda.blockDim.y + y) * w + x
            limit = limits[cuda.blockIdx.x]
            row = out[cuda.blockIdx.x, t]
            row[0] = cuda.syncthreads_count(t < limit)
            row[1] = cuda.syncthreads_and(t < limit)
            row[2] = cuda.syncthreads_or(t < limit)
            # The same for all rows, for all columns, and for all.
            row[3] = cuda.syncthreads_count(x < 3)
            row[4] = cuda.syncthreads_count(y + z == 1)
            row[5] = cuda.syncthreads_count(limit == 5)
            row[6] = cuda.syncthreads_and(limit == 5)
            row[7] = cuda.syncthreads_or(limit == 5)

        return votes

    threads = int(np.prod(block))
    limits = np.array([0, 1, 5, threads - 1, threads, 2000])
    out = np.zeros((len(limits), threads, 8), np.int32)
    found, _ = agree(make, (len(limits),), block, out, limits)
    (x, y, z) = (*block, 1, 1)[:3]
    yz = sum(1 for i in range(y) for k in range(z) if i + k == 1)
    for row, limit in zip(found, limits, strict=True):
        below = min(limit, threads)
        assert (row == row[0]).all()
        assert row[0].tolist() == [
            *(below, limit >= threads, limit > 0),
            *(min(x, 3) * y * z, x * yz),
            *(threads * (limit == 5), limit == 5, limit == 5),
        ]


@pytest.mark.parametrize("threads", [32, 40, 100])
def test_threads_that_have_left_do_not_vote(threads: int) -> None:
    def make() -> Any:
        @cuda.jit
        def counts(out, n):
            i = cuda.threadIdx.x
            if i >= n:
                return
            out[i, 0] = cuda.syncthreads_count(True)
            out[i, 1] = cuda.syncthreads_and(i < n)
            out[i, 2] = cuda.syncthreads_or(i == n)

        return counts

    n = 27
    found = agree(make, (1,), (threads,), np.zeros((threads, 3), np.int32), n)
    assert found[0][:n].tolist() == [[n, 1, 0]] * n
    assert not found[0][n:].any()


@pytest.mark.parametrize("threads", [32, 96])
def test_a_loop_until_all_have_ended(threads: int) -> None:
    def make() -> Any:
        @cuda.jit
        def collatz(numbers, turns, left):
            i = cuda.grid(1)
            x = numbers[i]
            count = 0
            while cuda.syncthreads_or(x != 1):
                if x != 1:
                    x = x // 2 if x % 2 == 0 else 3 * x + 1
                    count += 1
                left[i] += cuda.syncthreads_count(x != 1)
            turns[i] = count

        return collatz

    numbers = np.random.default_rng(4).integers(1, 100, 9 * threads)
    zeros = np.zeros(len(numbers), np.int64)
    _, turns, left = agree(make, (9,), (threads,), numbers, zeros, zeros)
    for x, taken in zip(numbers, turns, strict=True):
        count = 0
        while x != 1:
            x = x // 2 if x % 2 == 0 else 3 * x + 1
            count += 1
        assert taken == count
    rows = turns.reshape(9, -1), left.reshape(9, -1)
    for row, sums in zip(*rows, strict=True):
        # After each iteration those are left that take more.
        expected = sum((row > turn).sum() for turn in range(1, row.max() + 1))
        assert (sums == expected).all()
