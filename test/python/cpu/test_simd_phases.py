# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What large blocks do between barriers, which is written as a loop over parts.

Functions make the phases long enough to be split. Whatever lives across a
barrier is kept or computed anew, and comes out as with threads.
"""

import math
import time
from typing import Any

import numpy as np
import pytest

from pyk import cuda
from support.simd_agreement import agree

pytestmark = pytest.mark.on_vectors

#: Of 8 vectors and more; of no whole vectors; of rows.
SHAPES = [(64,), (256,), (500,), (1024,), (100, 3), (32, 32), (24, 10)]


def threads_of(shape: tuple[int, ...]) -> int:
    return int(np.prod(shape))


def keep(a, out, limit):
    """Keeps numbers of all kinds over barriers, and a mask."""
    shared = cuda.shared.array(1024, np.float32)
    t = cuda.threadIdx.x + cuda.threadIdx.y * cuda.blockDim.x
    threads = cuda.blockDim.x * cuda.blockDim.y
    i = cuda.blockIdx.x * threads + t
    x = a[i]
    wide = math.exp(np.float64(x))
    count = np.int64(t) * 3
    small = np.float16(x)
    whole = np.int32(x * 100)
    pair = complex(x, t)
    is_on = math.sin(x) < limit
    shared[t] = math.log(x + 2)
    cuda.syncthreads()
    other = shared[(t + 7) % threads]
    if is_on:
        other += math.cos(x)
    cuda.syncthreads()
    if not is_on:
        shared[t] = math.exp(other)
    cuda.syncthreads()
    out[i, 0] = shared[threads - 1 - t] + other
    out[i, 1] = wide + count
    out[i, 2] = small + whole
    out[i, 3] = (pair * pair).real
    out[i, 4] = is_on


@pytest.mark.parametrize("shape", SHAPES)
def test_what_threads_keep(shape: tuple[int, ...]) -> None:
    threads = threads_of(shape)
    a = np.random.default_rng(1).random(2 * threads).astype(np.float32)
    out = np.zeros((2 * threads, 5))
    make = lambda: cuda.jit(keep)
    _, out = agree(make, (2,), shape, a, out, np.float32(0.5))
    blocks = a.astype(float).reshape(2, threads)
    other = np.roll(np.log(blocks + 2), -7, axis=1)
    on = np.sin(blocks) < 0.5
    other += np.where(on, np.cos(blocks), 0)
    shared = np.where(on, np.log(blocks + 2), np.exp(other))
    expected = (shared[:, ::-1] + other).ravel()
    np.testing.assert_allclose(out[:, 0], expected, rtol=1e-5)
    np.testing.assert_array_equal(out[:, 4], on.ravel())


def vote(a, out, n):
    """Conditions of all threads, which a part cannot answer alone."""
    shared = cuda.shared.array(1024, np.float32)
    t = cuda.threadIdx.x + cuda.threadIdx.y * cuda.blockDim.x
    threads = cuda.blockDim.x * cuda.blockDim.y
    i = cuda.blockIdx.x * threads + t
    x = math.exp(a[i]) if i < n else np.float32(0)
    turns = 0
    while cuda.syncthreads_or(x > 1.5):
        if x > 1.5:
            x = math.sqrt(x) * math.cos(x / 9)
        turns += 1
    shared[t] = x
    positive = cuda.syncthreads_count(math.sin(x) > 0.5)
    for k in range(3):
        x += shared[(t + k) % threads] * math.exp(-x)
        cuda.syncthreads()
        shared[t] = x
        cuda.syncthreads()
    if i < n:
        out[i] = x + positive + 1000 * turns


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("lacks", [0, 1, 40])
def test_votes_and_loops(shape: tuple[int, ...], lacks: int) -> None:
    count = 3 * threads_of(shape)
    a = np.random.default_rng(2).normal(0, 1, count).astype(np.float32)
    out = np.full(count, -1.0)
    *_, out = agree(lambda: cuda.jit(vote), (3,), shape, a, out, count - lacks)
    assert (out[: count - lacks] > 1).all()
    assert (out[count - lacks :] == -1).all()


def gather(a, places, out):
    """Threads leave loops one by one, and access what is not there."""
    shared = cuda.shared.array(300, np.float32)
    t = cuda.threadIdx.x + cuda.threadIdx.y * cuda.blockDim.x
    threads = cuda.blockDim.x * cuda.blockDim.y
    for k in range(t, 300, threads):
        shared[k] = math.exp(-a[k] * a[k])
    cuda.syncthreads()
    total = np.float32(0)
    k = t % 11
    while k < 20:
        total += math.log(shared[(k * 37) % 300] + 1) * a[places[t] + k]
        k += 1 + t % 3
    cuda.syncthreads()
    if t % 5 != 2:
        out[t] = total
        if t < 300:
            shared[t * 7 % 300] = total if t < 42 else math.exp(total / 99)
    cuda.syncthreads()
    out[t] += shared[t % 300]


@pytest.mark.parametrize("shape", [(256,), (500,), (32, 16)])
@pytest.mark.filterwarnings("ignore")
def test_loops_of_threads(shape: tuple[int, ...]) -> None:
    rng = np.random.default_rng(3)
    threads = threads_of(shape)
    a = rng.random(600).astype(np.float32)
    places = rng.integers(-30, 620, threads)
    out = np.zeros(threads)
    make = lambda: cuda.jit(gather)
    *_, out = agree(make, (1,), shape, a, places, out)
    assert np.count_nonzero(out) == threads


def nest(a, out):
    """Loops by parts in loops and conditions that are written whole."""
    shared = cuda.shared.array(1024, np.float32)
    t = cuda.threadIdx.x + cuda.threadIdx.y * cuda.blockDim.x
    threads = cuda.blockDim.x * cuda.blockDim.y
    shared[t] = a[t]
    cuda.syncthreads()
    x, y, z = a[t], a[t + 1], a[t + 2]
    total = np.float32(0)
    for row in range(3):
        high, low = np.float32(0), np.float32(0)
        for k in range(40):
            high += shared[(row * 40 + k) % threads] * x - y
            low += shared[k % threads] * y - z
        total += math.exp(-abs(high)) + low
        z += math.sin(total)
    cuda.syncthreads()
    out[t] = total + z


@pytest.mark.parametrize("shape", [(128,), (256,), (16, 16), (32, 16)])
def test_loops_in_loops(shape: tuple[int, ...]) -> None:
    threads = threads_of(shape)
    a = np.random.default_rng(5).random(threads + 2).astype(np.float32)
    agree(lambda: cuda.jit(nest), (1,), shape, a, np.zeros(threads))


def skip_some(g, p, out, u, w, limit):
    """All rows share what threads of a few load before they skip the rest."""
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    tz = cuda.threadIdx.z
    threads = cuda.blockDim.x * cuda.blockDim.y * cuda.blockDim.z
    own = (tz * cuda.blockDim.y + ty) * cuda.blockDim.x + tx
    i = cuda.blockIdx.x * threads + own
    cuda.syncthreads()
    count = tx
    found = np.float32(1)
    if own >= limit:
        return
    for _ in range(4):
        if (w & count) % 5 == 0:
            found = g[w % ((tx & 3) + 1)]
            if (i & count | tx) % 3 == 2:
                continue
            out[i, 0] += u + count
            count += w << (ty % ((tx & 3) + 1) + p[cuda.blockIdx.x & 7] & 7)
    out[i, 1] = found


@pytest.mark.parametrize("shape", [(3, 3, 9), (9, 9), (16, 12), (33, 6)])
@pytest.mark.parametrize("limit", [1, 9, 50])
@pytest.mark.parametrize("w", [1, 2, 3])
def test_what_few_threads_find_for_all_rows(
    shape: tuple[int, ...], limit: int, w: int
) -> None:
    g = np.random.default_rng(1).normal(0, 3, 8).astype(np.float32)
    p = np.array([4, 0, 5, 5, 1, 8, -2, 2])
    out = np.zeros((8 * threads_of(shape), 2))
    make = lambda: cuda.jit(skip_some)
    *_, out = agree(make, (8,), shape, g, p, out, 3, w, limit)
    assert np.count_nonzero(out[:, 1]) == 8 * limit


def test_large_blocks_compile_in_no_time() -> None:
    """Straight code for 1,024 threads took seconds."""

    def sort(a):
        keys = cuda.shared.array(1024, np.float32)
        t = cuda.threadIdx.x
        keys[t] = a[t]
        cuda.syncthreads()
        size = 2
        while size <= cuda.blockDim.x:
            step = size // 2
            while step > 0:
                other = t ^ step
                if other > t and (keys[t] > keys[other]) == ((t & size) == 0):
                    keys[t], keys[other] = keys[other], keys[t]
                cuda.syncthreads()
                step //= 2
            size *= 2
        a[t] = keys[t]

    a = np.random.default_rng(4).random(1024).astype(np.float32)
    kernel: Any = cuda.jit(sort)
    expected = np.sort(a)
    start = time.process_time()
    kernel[1, 1024](a)
    assert time.process_time() - start < 1
    np.testing.assert_array_equal(a, expected)
