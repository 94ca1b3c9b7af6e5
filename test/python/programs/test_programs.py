# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whole programs as users write them, against NumPy.

Each runs with three shapes of blocks, of which one is no multiple of a warp.
"""

import cmath
import math

import numpy as np
import pytest

from pyk import cuda

ALL = 0xFFFFFFFF
BLOCKS = [32, 100, 256]
#: Threads of a block, at most.
MOST = 256

pytestmark = pytest.mark.parametrize("block", BLOCKS)


@pytest.fixture
def random() -> np.random.Generator:
    return np.random.default_rng(7)


@cuda.jit(device=True)
def lanes_of_warp():
    """How many threads the calling thread's warp has."""
    first = cuda.threadIdx.x // 32 * 32
    return min(32, cuda.blockDim.x - first)


@cuda.jit(device=True)
def sum_of_warp(value):
    """The sum over the warp, in its first lane."""
    lanes = lanes_of_warp()
    distance = 16
    while distance > 0:
        other = cuda.shfl_down_sync(ALL, value, distance)
        if cuda.laneid + distance < lanes:
            value += other
        distance //= 2
    return value


def test_prefix_sum_by_shuffles(block, random):
    @cuda.jit
    def prefix_sum(a, out, totals):
        of_warps = cuda.shared.array(MOST // 32, np.int64)
        i = cuda.grid(1)
        warp = cuda.threadIdx.x // 32
        value = a[i] if i < a.size else 0
        distance = 1
        while distance < 32:
            other = cuda.shfl_up_sync(ALL, value, distance)
            if cuda.laneid >= distance:
                value += other
            distance *= 2
        if cuda.laneid == lanes_of_warp() - 1:
            of_warps[warp] = value
        cuda.syncthreads()
        for before in range(warp):
            value += of_warps[before]
        if i < a.size:
            out[i] = value
        if cuda.threadIdx.x == cuda.blockDim.x - 1:
            totals[cuda.blockIdx.x] = value

    @cuda.jit
    def add_totals(out, totals):
        i = cuda.grid(1)
        if i < out.size:
            for before in range(cuda.blockIdx.x):
                out[i] += totals[before]

    a = random.integers(-(2**40), 2**40, 1000)
    blocks = -(-a.size // block)
    out, totals = np.zeros_like(a), np.zeros(blocks, a.dtype)
    prefix_sum[blocks, block](a, out, totals)
    add_totals[blocks, block](out, totals)
    np.testing.assert_array_equal(out, np.cumsum(a))


def test_block_reduction(block, random):
    @cuda.jit
    def total(a, out):
        of_warps = cuda.shared.array(MOST // 32, np.float64)
        value = 0.0
        for i in range(cuda.grid(1), a.size, cuda.gridsize(1)):
            value += a[i]
        value = sum_of_warp(value)
        if cuda.laneid == 0:
            of_warps[cuda.threadIdx.x // 32] = value
        cuda.syncthreads()
        if cuda.threadIdx.x == 0:
            for warp in range(1, (cuda.blockDim.x + 31) // 32):
                value += of_warps[warp]
            cuda.atomic.add(out, 0, value)

    a = random.integers(-1000, 1000, 5000).astype(np.float64)
    out = np.zeros(1)
    total[3, block](a, out)
    assert out[0] == a.sum()


def test_histogram_with_shared_atomics(block, random):
    bins = 37

    @cuda.jit
    def histogram(a, out):
        counts = cuda.shared.array(bins, np.int32)
        for i in range(cuda.threadIdx.x, bins, cuda.blockDim.x):
            counts[i] = 0
        cuda.syncthreads()
        for i in range(cuda.grid(1), a.size, cuda.gridsize(1)):
            cuda.atomic.add(counts, int(a[i] * bins), 1)
        cuda.syncthreads()
        for i in range(cuda.threadIdx.x, bins, cuda.blockDim.x):
            cuda.atomic.add(out, i, counts[i])

    a = random.random(4000, np.float32)
    out = np.zeros(bins, np.int32)
    histogram[4, block](a, out)
    expected = np.bincount((a * np.float32(bins)).astype(int), minlength=bins)
    np.testing.assert_array_equal(out, expected)


def test_spin_lock(block, random):
    """Guards what no atomic operation does: a longest and where it is."""

    @cuda.jit
    def find_longest(lengths, longest, where, lock):
        i = cuda.grid(1)
        if i < lengths.size:
            while cuda.atomic.cas(lock, 0, 0, 1) != 0:
                pass
            cuda.threadfence()
            if lengths[i] > longest[0]:
                longest[0] = lengths[i]
                where[0] = i
            cuda.threadfence()
            cuda.atomic.exch(lock, 0, 0)

    lengths = random.permutation(500).astype(np.float64)
    longest, where = np.full(1, -1.0), np.full(1, -1)
    find_longest[-(-500 // block), block](
        lengths, longest, where, np.zeros(1, np.int32)
    )
    assert (longest[0], where[0]) == (lengths.max(), lengths.argmax())


def test_ticket_lock(block):
    """Threads come in the order in which they took their tickets."""

    @cuda.jit
    def line_up(order, count, tickets, served):
        own = cuda.atomic.add(tickets, 0, 1)
        while cuda.atomic.add(served, 0, 0) != own:
            pass
        cuda.threadfence()
        order[own] = count[0]
        count[0] += 1
        cuda.threadfence()
        cuda.atomic.add(served, 0, 1)

    threads = 2 * block
    order, count = np.full(threads, -1), np.zeros(1, np.int64)
    line_up[2, block](
        order, count, np.zeros(1, np.int32), np.zeros(1, np.int32)
    )
    np.testing.assert_array_equal(order, np.arange(threads))
    assert count[0] == threads


def test_append_by_warps(block, random):
    """One atomic addition for all lanes that append."""

    @cuda.jit
    def keep_positive(a, out, size, additions):
        i = cuda.grid(1)
        if i < a.size and a[i] > 0:
            lanes = cuda.activemask()
            leader = cuda.ffs(lanes) - 1
            first = 0
            if cuda.laneid == leader:
                first = cuda.atomic.add(size, 0, cuda.popc(lanes))
                cuda.atomic.add(additions, 0, 1)
            first = cuda.shfl_sync(lanes, first, leader)
            out[first + cuda.popc(lanes & cuda.lanemask_lt())] = a[i]

    a = random.integers(-50, 50, 3000).astype(np.int32)
    out = np.zeros_like(a)
    size, additions = np.zeros(1, np.int32), np.zeros(1, np.int32)
    blocks = -(-a.size // block)
    keep_positive[blocks, block](a, out, size, additions)
    expected = a[a > 0]
    assert size[0] == expected.size
    np.testing.assert_array_equal(np.sort(out[: size[0]]), np.sort(expected))
    assert additions[0] <= blocks * -(-block // 32)


def test_bitonic_sort(block, random):
    @cuda.jit
    def exchange(a, size, distance):
        i = cuda.grid(1)
        other = i ^ distance
        if i < a.size and other > i:
            is_rising = (i & size) == 0
            if (a[i] > a[other]) == is_rising:
                a[i], a[other] = a[other], a[i]

    a = random.random(1024, np.float32)
    expected = np.sort(a)
    on_device = cuda.to_device(a)
    size = 2
    while size <= a.size:
        distance = size // 2
        while distance > 0:
            exchange[-(-a.size // block), block](on_device, size, distance)
            distance //= 2
        size *= 2
    np.testing.assert_array_equal(on_device.copy_to_host(), expected)


def test_sparse_product_by_warps(block, random):
    @cuda.jit
    def multiply(starts, columns, values, x, y):
        warps = (cuda.blockDim.x + 31) // 32
        row = cuda.blockIdx.x * warps + cuda.threadIdx.x // 32
        total = 0.0
        if row < y.size:
            for k in range(
                starts[row] + cuda.laneid, starts[row + 1], lanes_of_warp()
            ):
                total += values[k] * x[columns[k]]
        total = sum_of_warp(total)
        if row < y.size and cuda.laneid == 0:
            y[row] = total

    dense = random.integers(-9, 10, (150, 120)).astype(np.float64)
    dense[random.random(dense.shape) < 0.8] = 0
    dense[17] = 0
    columns = np.nonzero(dense)[1].astype(np.int32)
    starts = np.concatenate([[0], np.cumsum((dense != 0).sum(1))])
    x = random.integers(-9, 10, 120).astype(np.float64)
    y = np.full(150, np.nan)
    warps = -(-block // 32)
    multiply[-(-150 // warps), block](
        starts.astype(np.int32), columns, dense[dense != 0], x, y
    )
    np.testing.assert_array_equal(y, dense @ x)


def test_monte_carlo_pi(block):
    turns = 200

    @cuda.jit
    def count_inside(seeds, counts):
        i = cuda.grid(1)
        if i < seeds.size:
            state = seeds[i]
            count = 0
            for _ in range(turns):
                state = np.uint32(state * 1664525 + 1013904223)
                x = np.float32(state >> 8) / np.float32(1 << 24)
                state = np.uint32(state * 1664525 + 1013904223)
                y = np.float32(state >> 8) / np.float32(1 << 24)
                if x * x + y * y < np.float32(1):
                    count += 1
            counts[i] = count

    seeds = np.arange(1000, dtype=np.uint32) * np.uint32(2654435761)
    counts = np.zeros(seeds.size, np.int32)
    count_inside[-(-seeds.size // block), block](seeds, counts)

    state, expected = seeds.copy(), np.zeros(seeds.size, np.int32)
    for _ in range(turns):
        places = []
        for _ in range(2):
            state = state * np.uint32(1664525) + np.uint32(1013904223)
            places.append((state >> 8).astype(np.float32) / np.float32(2**24))
        x, y = places
        expected += x.astype(float) ** 2 + y.astype(float) ** 2 < 1
    # The kernel rounds to float32, or fuses: a point on the edge may be on its
    # other side.
    assert np.abs(counts - expected).max() <= 1
    assert abs(4 * counts.sum() / (turns * seeds.size) - math.pi) < 0.02


def test_fourier_transform(block, random):
    size, bits = 256, 8

    @cuda.jit
    def transform(a):
        part = cuda.shared.array(size, np.complex64)
        for i in range(cuda.threadIdx.x, size, cuda.blockDim.x):
            part[cuda.brev(np.uint32(i)) >> (32 - bits)] = a[cuda.blockIdx.x, i]
        half = 1
        while half < size:
            cuda.syncthreads()
            for i in range(cuda.threadIdx.x, size // 2, cuda.blockDim.x):
                first = i // half * 2 * half + i % half
                turn = cmath.exp(-1j * math.pi * (i % half) / half)
                even = part[first]
                odd = np.complex64(part[first + half] * turn)
                part[first] = even + odd
                part[first + half] = even - odd
            half *= 2
        cuda.syncthreads()
        for i in range(cuda.threadIdx.x, size, cuda.blockDim.x):
            a[cuda.blockIdx.x, i] = part[i]

    a = (random.random((3, size)) + 1j * random.random((3, size))).astype("c8")
    expected = np.fft.fft(a.astype("c16"))
    transform[3, block](a)
    np.testing.assert_allclose(a, expected, rtol=1e-5, atol=1e-4)


def test_softmax_by_row(block, random):
    @cuda.jit
    def softmax(a):
        part = cuda.shared.array(MOST, np.float32)
        t, row = cuda.threadIdx.x, cuda.blockIdx.x
        largest = np.float32(-math.inf)
        for j in range(t, a.shape[1], cuda.blockDim.x):
            largest = max(largest, a[row, j])
        part[t] = largest
        cuda.syncthreads()
        for i in range(cuda.blockDim.x):
            largest = max(largest, part[i])
        cuda.syncthreads()
        total = np.float32(0)
        for j in range(t, a.shape[1], cuda.blockDim.x):
            a[row, j] = math.exp(a[row, j] - largest)
            total += a[row, j]
        part[t] = total
        cuda.syncthreads()
        total = np.float32(0)
        for i in range(cuda.blockDim.x):
            total += part[i]
        for j in range(t, a.shape[1], cuda.blockDim.x):
            a[row, j] /= total

    a = (random.random((5, 333), np.float32) * 40).astype(np.float32)
    powers = np.exp(a.astype(float) - a.max(1, keepdims=True))
    softmax[5, block](a)
    np.testing.assert_allclose(
        a, powers / powers.sum(1, keepdims=True), rtol=2e-5, atol=1e-12
    )
