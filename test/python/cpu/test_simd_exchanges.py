# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Vectors agree with the reference where threads exchange values."""

from typing import Any

import numpy as np
import pytest

from pyk import cuda
from support.simd_agreement import Shape, agree

pytestmark = pytest.mark.on_vectors


@pytest.fixture
def rng() -> np.random.Generator:
    """Of the same numbers whichever tests run."""
    return np.random.default_rng(7)


# Threads that wait for each other.


@pytest.mark.parametrize("threads", [8, 32, 64, 100, 256])
def test_sums_of_blocks(threads: int, rng: np.random.Generator) -> None:
    def make() -> Any:
        @cuda.jit
        def total(a, out):
            shared = cuda.shared.array(256, np.float32)
            t = cuda.threadIdx.x
            i = cuda.grid(1)
            shared[t] = a[i] if i < a.size else np.float32(0)
            cuda.syncthreads()
            n = cuda.blockDim.x
            while n > 1:
                half = (n + 1) // 2
                if t + half < n:
                    shared[t] += shared[t + half]
                cuda.syncthreads()
                n = half
            if t == 0:
                out[cuda.blockIdx.x] = shared[0]

        return total

    a = rng.random(1000).astype(np.float32)
    grid = -(-1000 // threads)
    _, found = agree(make, (grid,), (threads,), a, np.zeros(grid, np.float32))
    padded = np.append(a, np.zeros(grid * threads - 1000, np.float32))
    np.testing.assert_allclose(
        found, padded.reshape(grid, threads).sum(1), rtol=1e-5
    )


@pytest.mark.parametrize("threads", [32, 100, 256])
def test_histogram_of_blocks(threads: int, rng: np.random.Generator) -> None:
    def make() -> Any:
        @cuda.jit
        def histogram(a, out):
            bins = cuda.shared.array(16, np.int32)
            most = cuda.shared.array(1, np.float32)
            t = cuda.threadIdx.x
            if t < 16:
                bins[t] = 0
            most[0] = 0
            cuda.syncthreads()
            for i in range(t, a.size, cuda.blockDim.x):
                cuda.atomic.add(bins, a[i] % 16, 1)
                cuda.atomic.max(most, 0, a[i])
                cuda.atomic.cas(bins, 3, -1, 7)
            cuda.syncthreads()
            if t < 16:
                cuda.atomic.add(out, t, bins[t])
            out[16] = most[0]

        return histogram

    a = rng.integers(0, 1000, 700).astype(np.int32)
    _, found = agree(make, (1,), (threads,), a, np.zeros(17, np.int32))
    assert found.tolist() == [*np.bincount(a % 16, minlength=16), a.max()]


def test_transpose_by_tiles(rng: np.random.Generator) -> None:
    def make() -> Any:
        @cuda.jit
        def transpose(a, out):
            tile = cuda.shared.array((16, 17), np.int32)
            x, y = cuda.threadIdx.x, cuda.threadIdx.y
            i = cuda.blockIdx.x * 16
            j = cuda.blockIdx.y * 16
            if j + y < a.shape[0] and i + x < a.shape[1]:
                tile[y, x] = a[j + y, i + x]
            cuda.syncthreads()
            if i + y < out.shape[0] and j + x < out.shape[1]:
                out[i + y, j + x] = tile[x, y]

        return transpose

    a = rng.integers(0, 1000, (37, 50)).astype(np.int32)
    _, found = agree(make, (4, 3), (16, 16), a, np.zeros((50, 37), np.int32))
    np.testing.assert_array_equal(found, a.T)


def test_barriers_behind_an_early_return() -> None:
    def make() -> Any:
        @cuda.jit
        def shift(a, out):
            shared = cuda.shared.array(64, np.int64)
            t = cuda.threadIdx.x
            if t >= a.size:
                return
            shared[t] = a[t]
            cuda.syncthreads()
            out[t] = shared[(t + 1) % a.size]

        return shift

    a = np.arange(50)
    _, found = agree(make, (1,), (64,), a, np.zeros(50, np.int64))
    np.testing.assert_array_equal(found, np.roll(a, -1))


def test_turns_until_nothing_changes(rng: np.random.Generator) -> None:
    def make() -> Any:
        @cuda.jit
        def label(walls, labels, turns):
            shared = cuda.shared.array(130, np.int32)
            t = cuda.threadIdx.x
            shared[t + 1] = t if walls[t] == 0 else -1
            if t < 2:
                shared[t * 129] = -1
            cuda.syncthreads()
            changed = True
            while cuda.syncthreads_or(changed):
                own = shared[t + 1]
                best = max(own, shared[t], shared[t + 2])
                changed = own >= 0 and best > own
                cuda.syncthreads()
                if changed:
                    shared[t + 1] = best
                if t == 0:
                    turns[0] += 1
            labels[t] = shared[t + 1]

        return label

    walls = (rng.random(128) < 0.2).astype(np.int32)
    labels, turns = np.zeros(128, np.int32), np.zeros(1, np.int64)
    _, found, turns = agree(make, (1,), (128,), walls, labels, turns)
    expected = np.where(walls == 1, -1, np.arange(128))
    for place in range(126, -1, -1):
        if not walls[place] and not walls[place + 1]:
            expected[place] = expected[place + 1]
    np.testing.assert_array_equal(found, expected)
    assert turns[0] > 2


# Warps.


@pytest.mark.parametrize("block", [(32,), (96,), (256,), (32, 4)], ids=str)
@pytest.mark.parametrize("dtype", ["f4", "i8", "i2", "bool"])
@pytest.mark.parametrize("kind", ["sync", "up_sync", "down_sync", "xor_sync"])
def test_shuffles(
    block: Shape, dtype: str, kind: str, rng: np.random.Generator
) -> None:
    def make() -> Any:
        shuffle = getattr(cuda, f"shfl_{kind}")

        @cuda.jit
        def exchange(a, by, out):
            x, y = cuda.grid(2)
            value = a[y, x]
            out[0, y, x] = shuffle(0xFFFFFFFF, value, 5)
            out[1, y, x] = shuffle(0xFFFFFFFF, value, by)
            out[2, y, x] = shuffle(0xFFFFFFFF, value, x % 7)
            out[3, y, x] = shuffle(-1, value, 3, width=8)
            step = 16
            while step > 0:
                value = shuffle(-1, value, step)
                step //= 2
            out[4, y, x] = value

        return exchange

    shape = (*block[::-1],) if len(block) == 2 else (1, *block)
    a = (rng.random(shape) * 100).astype(dtype)
    _, found = agree(make, (1, 1), block, a, 9, np.zeros((5, *shape), dtype))
    lane = np.arange(shape[1]) % 32
    if kind == "sync":
        source = np.full_like(lane, 5)
    elif kind == "up_sync":
        source = np.where(lane >= 5, lane - 5, lane)
    elif kind == "down_sync":
        source = np.where(lane + 5 < 32, lane + 5, lane)
    else:
        source = lane ^ 5
    place = np.arange(shape[1]) // 32 * 32 + source
    np.testing.assert_array_equal(found[0], a[:, place])


@pytest.mark.parametrize("block", [(32,), (128,), (64, 2)], ids=str)
def test_votes_and_lanes(block: Shape, rng: np.random.Generator) -> None:
    def make() -> Any:
        @cuda.jit
        def vote(a, out):
            x, y = cuda.grid(2)
            mask = 0xFFFFFFFF
            big = a[y, x] > 60
            lanes = cuda.ballot_sync(mask, big)
            out[0, y, x] = lanes
            out[1, y, x] = cuda.all_sync(mask, a[y, x] > 1)
            out[2, y, x] = cuda.any_sync(mask, a[y, x] > 98)
            out[3, y, x] = cuda.eq_sync(mask, y > 5)
            out[4, y, x] = cuda.popc(lanes & cuda.lanemask_lt())
            out[5, y, x] = cuda.laneid + cuda.activemask()
            cuda.syncwarp()

        return vote

    shape = (*block[::-1],) if len(block) == 2 else (1, *block)
    a = rng.integers(0, 100, shape)
    _, found = agree(make, (1, 1), block, a, np.zeros((6, *shape), np.int64))
    warps = (a > 60).reshape(-1, 32)
    bits = (warps << np.arange(32)).sum(1)
    assert (found[0].reshape(-1, 32) & 0xFFFFFFFF == bits[:, None]).all()
    before = np.cumsum(warps, 1) - warps
    np.testing.assert_array_equal(found[4].reshape(-1, 32), before)


# All lanes are there, and each asks those of its own half.
def test_votes_of_half_warps() -> None:
    def make() -> Any:
        @cuda.jit
        def vote(out, a):
            t = cuda.threadIdx.x
            mask = 0xFFFF if t % 32 < 16 else 0xFFFF0000
            out[0, t] = cuda.all_sync(mask, a[t] > 0)
            out[1, t] = cuda.any_sync(mask, a[t] > 1)
            out[2, t] = cuda.eq_sync(mask, a[t] > 0)

        return vote

    a = np.ones(64, np.int32)
    a[20] = 0
    a[[40, 50]] = 2
    out, _ = agree(make, (1,), (64,), np.zeros((3, 64), np.int32), a)
    half = np.arange(64) // 16
    assert out[0].tolist() == (half != 1).tolist()
    assert out[1].tolist() == (half >= 2).tolist()
    assert out[2].tolist() == (half != 1).tolist()


def test_sums_of_warps_and_blocks(rng: np.random.Generator) -> None:
    def make() -> Any:
        @cuda.jit
        def total(a, out):
            parts = cuda.shared.array(32, np.float32)
            t = cuda.threadIdx.x
            i = cuda.grid(1)
            value = a[i] if i < a.size else np.float32(0)
            for step in (16, 8, 4, 2, 1):
                value += cuda.shfl_down_sync(0xFFFFFFFF, value, step)
            if t % 32 == 0:
                parts[t // 32] = value
            cuda.syncthreads()
            value = np.float32(0)
            if t < cuda.blockDim.x // 32:
                value = parts[t]
            for step in (16, 8, 4, 2, 1):
                value += cuda.shfl_xor_sync(0xFFFFFFFF, value, step)
            if t == 0:
                cuda.atomic.add(out, 0, value)

        return total

    a = rng.random(250).astype(np.float32)
    _, found = agree(make, (1,), (256,), a, np.zeros(1, np.float32))
    np.testing.assert_allclose(found[0], a.sum(), rtol=1e-5)
