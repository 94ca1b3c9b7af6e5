# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Threads that meet: barriers in odd places, shared and local arrays."""

import numpy as np
import pytest

from pyk import cuda

BLOCKS = [1, 2, 31, 32, 33, 256, 1000]


@pytest.mark.parametrize("block", BLOCKS)
def test_barrier_in_a_loop_with_carried_state(block):
    @cuda.jit
    def k(out, rounds):
        line = cuda.shared.array(1024, np.int64)
        t = cuda.threadIdx.x
        n = cuda.blockDim.x
        carried = t
        line[t] = t
        for i in range(rounds):
            cuda.syncthreads()
            neighbour = line[(t + i + 1) % n]
            cuda.syncthreads()
            carried = carried * 3 + neighbour
            line[t] = carried % 1000
        out[cuda.grid(1)] = carried

    out = np.zeros((2, block), np.int64)
    k[2, block](out.reshape(-1), 6)
    carried = np.arange(block)
    line = carried.copy()
    for i in range(6):
        carried = carried * 3 + np.roll(line, -(i + 1))
        line = carried % 1000
    np.testing.assert_array_equal(out, [carried, carried])


@pytest.mark.parametrize("block", BLOCKS)
def test_barrier_after_some_threads_returned(block):
    @cuda.jit
    def k(out, alive):
        line = cuda.shared.array(1024, np.int32)
        t = cuda.threadIdx.x
        line[t] = 7
        cuda.syncthreads()
        if t >= alive:
            out[t] = -1
            return
        line[t] = t
        cuda.syncthreads()
        total = 0
        for i in range(alive):
            total += line[i]
        cuda.syncthreads()
        if t == 0:
            return
        line[t] += 1
        cuda.syncthreads()
        out[t] = total + line[alive - 1]

    for alive in {1, block // 2, block - 1, block} - {0}:
        out = np.zeros(block, np.int64)
        k[1, block](out, alive)
        expected = np.full(block, -1)
        expected[1:alive] = alive * (alive - 1) // 2 + alive
        expected[0] = 0
        np.testing.assert_array_equal(out, expected)


def test_barriers_in_a_uniform_branch():
    @cuda.jit
    def k(out):
        line = cuda.shared.array(64, np.float64)
        t = cuda.threadIdx.x
        line[t] = t
        if cuda.blockIdx.x % 2:
            cuda.syncthreads()
            x = line[63 - t]
            cuda.syncthreads()
        elif cuda.blockIdx.x == 2:
            x = -1.0
        else:
            for i in range(cuda.blockIdx.x):
                cuda.syncthreads()
                if i == 3:
                    break
                x = line[(t + i) % 64]
                cuda.syncthreads()
                line[t] = x
            cuda.syncthreads()
            x = line[t] * 2
        out[cuda.grid(1)] = x

    out = np.zeros((5, 64))
    k[5, 64](out.reshape(-1))
    t = np.arange(64)
    moved = np.roll(np.roll(t, -1), -2) * 2
    np.testing.assert_array_equal(
        out, [t * 2, 63 - t, t * 0 - 1, 63 - t, moved]
    )


def test_barriers_of_divergent_branches_meet():
    """A barrier counts threads, wherever they wait."""

    @cuda.jit
    def k(out):
        line = cuda.shared.array(32, np.int64)
        t = cuda.threadIdx.x
        if t % 2:
            line[t] = t
            cuda.syncthreads()
            out[t] = line[t - 1]
        else:
            line[t] = t * 10
            cuda.syncthreads()
            out[t] = line[t + 1]

    out = np.zeros(32, np.int64)
    k[1, 32](out)
    t = np.arange(32)
    np.testing.assert_array_equal(out, np.where(t % 2, (t - 1) * 10, t + 1))


def test_loops_of_different_length_before_a_barrier():
    @cuda.jit
    def k(out):
        line = cuda.shared.array(100, np.int64)
        t = cuda.threadIdx.x
        total = 0
        i = 0
        while True:
            i += 1
            if i > t:
                break
            if i % 3 == 0:
                continue
            total += i
        line[t] = total
        cuda.syncthreads()
        out[t] = line[99 - t]

    out = np.zeros(100, np.int64)
    k[1, 100](out)
    expected = [
        sum(i for i in range(t + 1) if i % 3) for t in reversed(range(100))
    ]
    assert out.tolist() == expected


@cuda.jit(device=True)
def block_sum(value):
    """The sum of a value over the threads of a block."""
    scratch = cuda.shared.array(1024, np.float64)
    t = cuda.threadIdx.x
    n = cuda.blockDim.x
    scratch[t] = value
    cuda.syncthreads()
    width = 1
    while width < n:
        if t % (2 * width) == 0 and t + width < n:
            scratch[t] += scratch[t + width]
        width *= 2
        cuda.syncthreads()
    result = scratch[0]
    cuda.syncthreads()
    return result


@cuda.jit(device=True)
def mean_and_largest(value):
    largest = cuda.shared.array(1, np.float64)
    n = cuda.blockDim.x
    mean = block_sum(value) / n
    for i in range(n):
        if cuda.threadIdx.x == i and (i == 0 or value > largest[0]):
            largest[0] = value
        cuda.syncthreads()
    return mean, largest[0]


@pytest.mark.parametrize("block", BLOCKS[:-1])
def test_barriers_in_device_functions(block):
    @cuda.jit
    def k(a, out):
        t = cuda.grid(1)
        total = block_sum(a[t])
        squares = block_sum(a[t] * a[t])
        mean, largest = mean_and_largest(a[t])
        out[t, 0] = total
        out[t, 1] = squares
        out[t, 2] = mean
        out[t, 3] = largest

    a = np.arange(3 * block) * 7 % 53 - 20.0
    out = np.zeros((3 * block, 4))
    k[3, block](a, out)
    rows = a.reshape(3, block)
    expected = [
        rows.sum(1),
        (rows**2).sum(1),
        rows.sum(1) / block,
        rows.max(1),
    ]
    expected = np.repeat(np.transpose(expected), block, 0)
    np.testing.assert_array_equal(out, expected)


@cuda.jit(device=True)
def leave_early(line, t, n):
    if t >= n:
        return -1
    cuda.syncthreads()
    return line[n - 1 - t]


def test_device_function_returns_before_its_barrier():
    """Threads that do not wait have left, or wait at a later barrier."""

    @cuda.jit
    def k(out, n):
        line = cuda.shared.array(64, np.int64)
        t = cuda.threadIdx.x
        line[t] = t
        x = leave_early(line, t, n)
        if t >= n:
            cuda.syncthreads()
        out[t] = x

    out = np.zeros(64, np.int64)
    k[1, 64](out, 40)
    assert out.tolist() == [*range(39, -1, -1)] + [-1] * 24


@pytest.mark.parametrize(
    "block", [(3, 5, 7), (1, 31, 2), (33, 2), (10, 10, 10)]
)
def test_three_dimensional_blocks_with_barriers(block):
    @cuda.jit
    def k(out):
        cells = cuda.shared.array((10, 31, 33), np.int32)
        x, y, z = cuda.threadIdx.x, cuda.threadIdx.y, cuda.threadIdx.z
        w, h, d = cuda.blockDim.x, cuda.blockDim.y, cuda.blockDim.z
        cells[z, y, x] = x + 100 * y + 10000 * z
        cuda.syncthreads()
        i, j, l = cuda.grid(3)
        out[i, j, l] = cells[d - 1 - z, h - 1 - y, w - 1 - x]

    w, h, d = (*block, 1)[:3]
    out = np.zeros((2 * w, h, 2 * d), np.int64)
    k[(2, 1, 2), block](out)
    x, y, z = np.indices((w, h, d))
    cell = (w - 1 - x) + 100 * (h - 1 - y) + 10000 * (d - 1 - z)
    np.testing.assert_array_equal(out, np.tile(cell, (2, 1, 2)))


def test_shared_arrays_of_several_types_do_not_overlap():
    @cuda.jit
    def k(out):
        a = cuda.shared.array(33, np.int8)
        b = cuda.shared.array((3, 11), np.float64)
        c = cuda.shared.array(33, np.float16)
        d = cuda.shared.array(1, np.bool_)
        t = cuda.threadIdx.x
        a[t] = -t
        b[t // 11, t % 11] = t * 1.5
        c[t] = t * 0.5
        if t == 32:
            d[0] = True
        cuda.syncthreads()
        u = 32 - t
        out[t, 0] = a[u]
        out[t, 1] = b[u // 11, u % 11]
        out[t, 2] = c[u]
        out[t, 3] = d[0]
        out[t, 4] = a.size + 100 * b.shape[1] + b.ndim * 10000

    out = np.zeros((33, 5))
    k[1, 33](out)
    u = np.arange(33)[::-1]
    ones = np.ones(33)
    expected = np.transpose([-u, u * 1.5, u * 0.5, ones, ones * 21133])
    np.testing.assert_array_equal(out, expected)


def test_dynamic_shared_memory_is_one_piece():
    @cuda.jit
    def k(out):
        words = cuda.shared.array(0, np.int32)
        longs = cuda.shared.array(0, np.int64)
        t = cuda.threadIdx.x
        words[t] = t + 1
        cuda.syncthreads()
        if t < longs.size:
            out[t] = longs[t]
        out[t + 40] = words.size

    out = np.zeros(80, np.int64)
    k[1, 40, 0, 160](out)
    expected = np.arange(1, 41, dtype=np.int32).view(np.int64)
    np.testing.assert_array_equal(out[:20], expected)
    assert out[20:].tolist() == [0] * 20 + [40] * 40


@pytest.mark.parametrize("block", [1, 33, 1000])
def test_local_arrays_belong_to_a_thread(block):
    @cuda.jit
    def k(out):
        scratch = cuda.local.array((50, 3), np.int16)
        flags = cuda.local.array(7, np.bool_)
        t = cuda.threadIdx.x
        for i in range(50):
            for j in range(3):
                scratch[i, j] = t * i + j
        for i in range(7):
            flags[i] = (t + i) % 3 == 0
        cuda.syncthreads()
        total = 0
        for i in range(50):
            total += scratch[i, i % 3] * (i + 1)
        for i in range(7):
            if flags[i]:
                total += 1000000
        out[t] = total

    out = np.zeros(block, np.int64)
    k[1, block](out)
    t = np.arange(block)[:, None]
    i = np.arange(50)
    expected = ((t * i + i % 3).astype(np.int16) * (i + 1)).sum(1)
    expected += 1000000 * ((t + np.arange(7)) % 3 == 0).sum(1)
    np.testing.assert_array_equal(out, expected)


def test_big_local_array_across_barriers():
    @cuda.jit
    def k(out):
        scratch = cuda.local.array(20000, np.float64)
        t = cuda.threadIdx.x
        for i in range(scratch.size):
            scratch[i] = t + i
        cuda.syncthreads()
        out[t] = scratch[0] + scratch[19999] * 3

    out = np.zeros(100)
    k[1, 100](out)
    t = np.arange(100)
    np.testing.assert_array_equal(out, t + (t + 19999) * 3)


def test_many_blocks_with_barriers():
    @cuda.jit
    def k(out):
        cell = cuda.shared.array(1, np.int64)
        if cuda.threadIdx.x == 1:
            cell[0] = cuda.blockIdx.x
        cuda.syncthreads()
        if cuda.threadIdx.x == 0:
            out[cuda.blockIdx.x] = cell[0] * 2

    out = np.zeros(100_000, np.int64)
    k[out.size, 2](out)
    np.testing.assert_array_equal(out, 2 * np.arange(out.size))


def test_constant_table_in_a_device_function():
    table = np.array([[1, -2], [3, 70000], [-5, 6]], np.int32)
    column = np.asfortranarray(np.arange(6.0).reshape(2, 3))

    @cuda.jit(device=True)
    def look_up(i, j):
        cells = cuda.const.array_like(table)
        return cells[i, j] * column[j, i] + table[-1, -1]

    @cuda.jit
    def k(out):
        i, j = cuda.grid(2)
        out[i, j] = look_up(i, j)

    out = np.zeros((3, 2))
    k[1, (3, 2)](out)
    np.testing.assert_array_equal(out, table * column.T + 6)


@pytest.mark.parametrize("block", BLOCKS)
def test_barriers_that_count(block):
    """In a loop: a barrier's count is not the next one's."""

    @cuda.jit
    def k(out, limits):
        t = cuda.threadIdx.x
        for i in range(limits.size):
            is_less = t < limits[i]
            out[0, i, t] = cuda.syncthreads_count(is_less)
            out[1, i, t] = cuda.syncthreads_and(is_less)
            out[2, i, t] = cuda.syncthreads_or(is_less)

    limits = np.array([0, 1, block // 2, block, 7 * block, -3])
    out = np.full((3, limits.size, block), -1, np.int32)
    k[1, block](out, limits)
    counts = np.clip(limits, 0, block)
    for t in range(block):
        assert out[0, :, t].tolist() == counts.tolist()
        assert out[1, :, t].tolist() == (counts == block).tolist()
        assert out[2, :, t].tolist() == (counts > 0).tolist()


def test_barriers_count_what_is_not_zero():
    @cuda.jit
    def k(out, numbers, reals):
        t = cuda.threadIdx.x
        out[t, 0] = cuda.syncthreads_count(numbers[t])
        out[t, 1] = cuda.syncthreads_count(reals[t])

    numbers = np.array([0, -1, 1 << 32, 0, 256], np.int64)
    reals = np.array([0.5, 0, -0.0, np.nan, 3])
    out = np.zeros((5, 2), np.int32)
    k[1, 5](out, numbers, reals)
    assert out.tolist() == [[3, 3]] * 5


def test_threads_that_have_left_do_not_vote():
    @cuda.jit
    def k(out):
        t = cuda.threadIdx.x
        if t % 3 == 0:
            return
        out[t, 0] = cuda.syncthreads_count(True)
        out[t, 1] = cuda.syncthreads_and(t % 3 > 0)
        out[t, 2] = cuda.syncthreads_or(t % 3 == 0)
        # Some say true.
        out[t, 3] = cuda.syncthreads_count(t < 8)
        out[t, 4] = cuda.syncthreads_and(t < 8)
        out[t, 5] = cuda.syncthreads_or(t < 8)

    out = np.full((40, 6), -1, np.int32)
    k[1, 40](out)
    voted = [26, 1, 0, 5, 0, 1]
    for t in range(40):
        assert out[t].tolist() == ([-1] * 6 if t % 3 == 0 else voted)


def test_what_others_wrote_is_there_behind_a_vote():
    @cuda.jit
    def k(out):
        line = cuda.shared.array(64, np.int32)
        t = cuda.threadIdx.x
        line[t] = t + 1
        count = cuda.syncthreads_count(t < 10)
        out[t] = line[(t + 33) % 64] * 100 + count

    out = np.zeros(64, np.int32)
    k[1, 64](out)
    assert out.tolist() == [((t + 33) % 64 + 1) * 100 + 10 for t in range(64)]


def test_votes_are_instructions():
    @cuda.jit("(int32[::1],)")
    def k(out):
        t = cuda.threadIdx.x
        out[0] = cuda.syncthreads_count(out[t])
        out[1] = cuda.syncthreads_and(out[t])
        out[2] = cuda.syncthreads_or(out[t])

    (ptx,) = k.inspect_asm().values()
    for instruction in ("popc.u32", "and.pred", "or.pred"):
        assert f"barrier.sync.red.{instruction}" in ptx or (
            f"bar.red.{instruction}" in ptx
            or f"barrier.red.{instruction}" in ptx
            or f"barrier.cta.red.{instruction}" in ptx
        )
