# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shared arrays in registers: vectors agree with the reference."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pyk import cuda
from support.simd_agreement import agree

pytestmark = pytest.mark.on_vectors

# Threads of the largest blocks whose iterations are written out: more code
# fits into vectors that are twice as long.
LARGE = 1024 if "avx512f" in Path("/proc/cpuinfo").read_text() else 512

DTYPES = ["f4", "f8", "i1", "u8", "f2", "bool"]


@pytest.fixture
def rng() -> np.random.Generator:
    """Of the same numbers whichever tests run."""
    return np.random.default_rng(13)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("threads", [32, 64, 100, 256])
def test_elements_at_constant_places(
    threads: int, dtype: str, rng: np.random.Generator
) -> None:
    kind = np.dtype(dtype)

    def make() -> Any:
        @cuda.jit
        def places(a, out):
            shared = cuda.shared.array(256, kind)
            t = cuda.threadIdx.x
            n = cuda.blockDim.x
            shared[t] = a[t]
            cuda.syncthreads()
            out[0, t] = shared[n - 1 - t]
            out[1, t] = shared[(t + 5) % n]
            out[2, t] = shared[t ^ 1] if t ^ 1 < n else a[0]
            out[3, t] = shared[t * 3 % n]
            out[4, t] = shared[t // 2]
            out[5, t] = shared[n // 2]
            if 3 < t < 21:
                out[6, t] = shared[t - 3]
            cuda.syncthreads()
            # Stores to other places than those of the lanes.
            if t > 0:
                shared[t - 1] = a[t]
            cuda.syncthreads()
            if t % 3 == 0 and t // 3 * 2 < n:
                shared[t // 3 * 2] = a[n - 1 - t]
            if t == 7:
                shared[3] = a[0]
            cuda.syncthreads()
            out[7, t] = shared[t]

        return places

    a = (rng.random(threads) * 100 - 20).astype(kind)
    start = np.zeros((8, threads), kind)
    _, found = agree(make, (1,), (threads,), a, start)
    t = np.arange(threads)
    np.testing.assert_array_equal(found[0], a[::-1])
    np.testing.assert_array_equal(found[1], a[(t + 5) % threads])
    np.testing.assert_array_equal(found[3], a[t * 3 % threads])
    np.testing.assert_array_equal(found[4], a[t // 2])
    shared = np.append(a[1:], a[-1:])
    every = t[(t % 3 == 0) & (t // 3 * 2 < threads)]
    shared[every // 3 * 2] = a[threads - 1 - every]
    shared[3] = a[0]
    np.testing.assert_array_equal(found[7], shared)


@pytest.mark.parametrize("threads", [32, 128, 512, 1024])
def test_sort_by_exchanges(threads: int, rng: np.random.Generator) -> None:
    def make() -> Any:
        @cuda.jit
        def bitonic(a):
            shared = cuda.shared.array(1024, np.int32)
            t = cuda.threadIdx.x
            i = cuda.grid(1)
            shared[t] = a[i]
            cuda.syncthreads()
            k = 2
            while k <= cuda.blockDim.x:
                j = k >> 1
                while j > 0:
                    other = t ^ j
                    if other > t:
                        up = (t & k) == 0
                        if (shared[t] > shared[other]) == up:
                            kept = shared[t]
                            shared[t] = shared[other]
                            shared[other] = kept
                    cuda.syncthreads()
                    j >>= 1
                k <<= 1
            a[i] = shared[t]

        return bitonic

    a = rng.integers(-1000, 1000, 2 * threads).astype(np.int32)
    (found,) = agree(make, (2,), (threads,), a)
    expected = np.sort(a.reshape(2, threads), 1).ravel()
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("block", [(64,), (256,), (LARGE,), (16, 16)], ids=str)
@pytest.mark.parametrize("guard", ["", "if i >= a.size: return"])
def test_sums_by_halves(
    block: tuple[int, ...], guard: str, rng: np.random.Generator
) -> None:
    def make() -> Any:
        leaves = guard != ""

        @cuda.jit
        def total(a, out):
            shared = cuda.shared.array(1024, np.float64)
            n = cuda.blockDim.x * cuda.blockDim.y
            t = cuda.threadIdx.x + cuda.blockDim.x * cuda.threadIdx.y
            i = cuda.blockIdx.x * n + t
            if leaves:
                shared[t] = 0
                if i >= a.size:
                    return
            shared[t] = a[i] if i < a.size else 0.0
            cuda.syncthreads()
            s = n // 2
            while s > 0:
                if t < s:
                    shared[t] += shared[t + s]
                cuda.syncthreads()
                s >>= 1
            if t == 0:
                out[cuda.blockIdx.x] = shared[0]

        return total

    a = rng.integers(0, 1000, 3000).astype(np.float64)
    threads = int(np.prod(block))
    grid = -(-a.size // threads)
    _, found = agree(make, (grid,), block, a, np.zeros(grid))
    padded = np.append(a, np.zeros(grid * threads - a.size))
    np.testing.assert_array_equal(found, padded.reshape(grid, threads).sum(1))


def test_two_buffers_by_iterations(rng: np.random.Generator) -> None:
    def make() -> Any:
        @cuda.jit
        def scan(a, out):
            sums = cuda.shared.array((2, 128), np.float32)
            t = cuda.threadIdx.x
            now = 0
            sums[0, t] = a[t]
            cuda.syncthreads()
            distance = 1
            while distance < cuda.blockDim.x:
                if t >= distance:
                    other = sums[now, t - distance]
                    sums[1 - now, t] = sums[now, t] + other
                else:
                    sums[1 - now, t] = sums[now, t]
                now = 1 - now
                cuda.syncthreads()
                distance *= 2
            out[t] = sums[now, t]

        return scan

    a = rng.integers(0, 100, 128).astype(np.float32)
    _, found = agree(make, (1,), (128,), a, np.zeros_like(a))
    np.testing.assert_array_equal(found, np.cumsum(a))


def test_turns_that_name_constants_first(rng: np.random.Generator) -> None:
    """Such ops are turned round in place."""

    def make() -> Any:
        @cuda.jit
        def turns(a, out):
            shared = cuda.shared.array(80, np.int64)
            t = cuda.threadIdx.x
            shared[t] = a[t]
            value = 0
            for k in range(4):
                out[k, t] = k + a[t]
                cuda.syncthreads()
                value = k + value + shared[(k + t) % 64]
                value += cuda.shfl_xor_sync(-1, value, k)
                out[4 + k, t] = value if k < t else k * value
                out[8 + k, t] = math.sin(np.float32(k + t)) * 1000
            if t // 2 * 2 == t:
                out[12, t] = math.hypot(float(t), 3.0) * 1e9

        return turns

    a = rng.integers(0, 100, 64)
    _, found = agree(make, (1,), (64,), a, np.zeros((13, 64), np.int64))
    np.testing.assert_array_equal(found[3], a + 3)


def test_turns_that_threads_decide(rng: np.random.Generator) -> None:
    """A number of iterations that is known for no thread, or too large."""

    def make() -> Any:
        @cuda.jit
        def turns(a, n, out):
            shared = cuda.shared.array(64, np.int64)
            t = cuda.threadIdx.x
            shared[t] = a[t]
            cuda.syncthreads()
            for k in range(n):
                other = shared[(t + k) % 64]
                cuda.syncthreads()
                shared[t] += other
                cuda.syncthreads()
            for k in range(300):
                other = shared[63 - t]
                cuda.syncthreads()
                shared[t] = other ^ k
                cuda.syncthreads()
            for k in range(5, 5):
                shared[t] = 0
                cuda.syncthreads()
            for k in range(9, 0, -4):
                shared[t] += k
                cuda.syncthreads()
            out[t] = shared[t]

        return turns

    a = rng.integers(0, 100, 64)
    _, found = agree(make, (1,), (64,), a, 5, np.zeros_like(a))
    shared = a.copy()
    for k in range(5):
        shared = shared + np.roll(shared, -k)
    for k in range(300):
        shared = shared[::-1] ^ k
    np.testing.assert_array_equal(found, shared + 9 + 5 + 1)
