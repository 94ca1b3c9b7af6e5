# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of CUDA's textbooks for the whole device, against NumPy.

`test_programs.py` has shorter ways to do the same. Here, blocks have up to
three dimensions, and the last may lack most lanes of a warp; masks name the
lanes that there are; arrays end in the middle of a block; and a lock is held
inside the loop that waits for it, so that no lane waits for its own warp.
"""

import math

import numpy as np
import pytest

from device_programs import (
    Shape,
    blocks_for,
    by_blocks,
    by_warps,
    lanes_of_warp,
    mask_of_warp,
    thread_of_block,
    thread_of_grid,
    threads_of_block,
)
from pyk import cuda


@pytest.fixture
def rng() -> np.random.Generator:
    """Of the same numbers whichever tests run."""
    return np.random.default_rng(19)


# Sums.


@cuda.jit(device=True)
def prefix_sum_of_warp(value):
    """The sum of the values of this lane and of those before it."""
    mask = mask_of_warp()
    distance = 1
    while distance < 32:
        before = cuda.shfl_up_sync(mask, value, distance)
        if cuda.laneid >= distance:
            value += before
        distance *= 2
    return value


@cuda.jit
def add_up_blocks(a, out, totals):
    """Prefix sums within each block, and what each block adds up to."""
    of_warps = cuda.shared.array(32, np.int64)
    t = thread_of_block()
    warps = (threads_of_block() + 31) // 32
    i = thread_of_grid()
    value = prefix_sum_of_warp(a[i] if i < a.size else 0)
    if cuda.laneid == lanes_of_warp() - 1:
        of_warps[t // 32] = value
    cuda.syncthreads()
    if t < 32:
        total = prefix_sum_of_warp(of_warps[t] if t < warps else 0)
        if t < warps:
            of_warps[t] = total
    cuda.syncthreads()
    if t >= 32:
        value += of_warps[t // 32 - 1]
    if i < out.size:
        out[i] = value
    if t == threads_of_block() - 1:
        totals[cuda.blockIdx.x] = value


@cuda.jit
def add_blocks_before(out, totals):
    i = thread_of_grid()
    if i < out.size and cuda.blockIdx.x > 0:
        out[i] += totals[cuda.blockIdx.x - 1]


def add_up(a, block):
    """Prefix sums of an array on the device, those of blocks the same way."""
    blocks = blocks_for(a.size, block)
    out = cuda.device_array_like(a)
    totals = cuda.device_array(blocks, a.dtype)
    add_up_blocks[blocks, block](a, out, totals)
    if blocks > 1:
        add_blocks_before[blocks, block](out, add_up(totals, block))
    return out


@by_blocks
@pytest.mark.parametrize("size", [1, 999, 5003])
def test_prefix_sum(size: int, block: Shape, rng: np.random.Generator) -> None:
    """Warps, blocks of warps, and blocks of blocks."""
    a = rng.integers(-(2**40), 2**40, size)
    found = add_up(cuda.to_device(a), block).copy_to_host()
    np.testing.assert_array_equal(found, np.cumsum(a))


@cuda.jit(device=True)
def sum_of_block(value, sums):
    """The sum over any number of threads, for each of them."""
    t = thread_of_block()
    sums[t] = value
    cuda.syncthreads()
    count = threads_of_block()
    while count > 1:
        half = (count + 1) // 2
        if t + half < count:
            sums[t] += sums[t + half]
        cuda.syncthreads()
        count = half
    return sums[0]


@cuda.jit
def sum_at_once(a, totals, arrived, out):
    """The block that comes last adds up what all others have left."""
    sums = cuda.shared.array(0, np.float64)
    is_last = cuda.shared.array(1, np.bool_)
    threads, blocks = threads_of_block(), cuda.gridDim.x
    value = 0.0
    for i in range(thread_of_grid(), a.size, threads * blocks):
        value += a[i]
    value = sum_of_block(value, sums)
    if thread_of_block() == 0:
        totals[cuda.blockIdx.x] = value
        cuda.threadfence()
        is_last[0] = cuda.atomic.inc(arrived, 0, blocks - 1) == blocks - 1
    cuda.syncthreads()
    if is_last[0]:
        cuda.threadfence()
        value = 0.0
        for k in range(thread_of_block(), blocks, threads):
            value += totals[k]
        value = sum_of_block(value, sums)
        if thread_of_block() == 0:
            out[0] = value


@by_blocks
@pytest.mark.parametrize("size", [5, 3001])
def test_block_reduction(
    size: int, block: Shape, rng: np.random.Generator
) -> None:
    a = rng.random(size, np.float32) - np.float32(0.25)
    blocks, arrived = 7, np.zeros(1, np.uint32)
    for _ in range(2):
        totals, out = np.full(blocks, np.nan), np.full(1, np.nan)
        sum_at_once[blocks, block, 0, 8 * math.prod(block)](
            a, totals, arrived, out
        )
        # Sums of float32 in float64, in another order.
        np.testing.assert_allclose(out[0], a.sum(dtype="f8"), rtol=1e-13)
        assert arrived[0] == 0


@cuda.jit
def count_colors(image, counts):
    """A histogram of each channel of an image, by blocks of any shape."""
    bins = cuda.shared.array((3, 256), np.int32)
    threads = threads_of_block()
    for i in range(thread_of_block(), 3 * 256, threads):
        bins[i // 256, i % 256] = 0
    cuda.syncthreads()
    first_x, first_y = cuda.grid(2)
    step_x, step_y = cuda.gridsize(2)
    for y in range(first_y, image.shape[0], step_y):
        for x in range(first_x, image.shape[1], step_x):
            for channel in range(3):
                cuda.atomic.add(bins, (channel, image[y, x, channel]), 1)
    cuda.syncthreads()
    for i in range(thread_of_block(), 3 * 256, threads):
        channel, color = divmod(i, 256)
        if bins[channel, color] > 0:
            cuda.atomic.add(counts, (channel, color), bins[channel, color])


@by_blocks
@pytest.mark.parametrize("shape", [(3, 5), (61, 137)], ids=str)
def test_histogram(
    shape: Shape, block: Shape, rng: np.random.Generator
) -> None:
    image = rng.binomial(255, (0.1, 0.5, 0.99), (*shape, 3)).astype(np.uint8)
    counts = np.zeros((3, 256), np.int32)
    count_colors[(2, 3), block](image, counts)
    for channel in range(3):
        expected = np.bincount(image[:, :, channel].ravel(), minlength=256)
        np.testing.assert_array_equal(counts[channel], expected)


# Locks.

statistics = np.dtype(
    [
        ("count", np.int32),
        ("where", np.int32),
        ("largest", np.int64),
        ("mean", np.float64),
        ("squares", np.float64),
    ],
    align=True,
)


@cuda.jit
def group(keys, values, table, locks):
    """Statistics of the values of each key, of which each has a lock."""
    i = thread_of_grid()
    if i < keys.size:
        key = keys[i]
        waits = True
        while waits:
            if cuda.atomic.cas(locks, key, 0, 1) == 0:
                cuda.threadfence()
                row = table[key]
                row.count += 1
                distance = values[i] - row.mean
                row.mean += distance / row.count
                row.squares += distance * (values[i] - row.mean)
                if values[i] > row.largest:
                    row.largest = values[i]
                    row.where = i
                cuda.threadfence()
                cuda.atomic.exch(locks, key, 0)
                waits = False


@by_blocks
@pytest.mark.parametrize(("size", "count"), [(301, 1), (1501, 13)])
def test_spin_lock(
    size: int, count: int, block: Shape, rng: np.random.Generator
) -> None:
    """Guards what no atomic operation does: mean, variance and argmax."""
    keys = rng.integers(0, count, size).astype(np.int32)
    values = rng.permutation(size)
    table = np.zeros(count, statistics)
    table["largest"] = -1
    locks = np.zeros(count, np.int32)
    group[blocks_for(size, block), block](keys, values, table, locks)
    assert not locks.any()
    for key, row in enumerate(table):
        places = np.flatnonzero(keys == key)
        own = values[places]
        assert row["count"] == own.size
        assert row["largest"] == own.max()
        assert row["where"] == places[own.argmax()]
        # Rounded once for each value, in any order of them.
        np.testing.assert_allclose(row["mean"], own.mean(), rtol=1e-12)
        np.testing.assert_allclose(
            row["squares"] / own.size, own.var(), rtol=1e-11
        )


@cuda.jit
def write_log(lengths, log, used, order, tickets, served):
    """An entry of each thread, of as many elements as it likes."""
    i = thread_of_grid()
    if i < lengths.size:
        ticket = cuda.atomic.add(tickets, 0, 1)
        waits = True
        while waits:
            if cuda.atomic.add(served, 0, 0) == ticket:
                cuda.threadfence()
                start = used[0]
                for k in range(lengths[i]):
                    log[start + k] = i
                used[0] = start + lengths[i]
                order[ticket] = i
                cuda.threadfence()
                cuda.atomic.add(served, 0, 1)
                waits = False


@by_blocks
@pytest.mark.parametrize("size", [3, 501])
def test_ticket_lock(size: int, block: Shape, rng: np.random.Generator) -> None:
    """Threads have their turns in the order of their tickets."""
    lengths = rng.integers(0, 7, size)
    log = np.full(lengths.sum(), -1)
    used, order = np.zeros(1, np.int64), np.full(size, -1)
    tickets, served = np.zeros(1, np.int32), np.zeros(1, np.int32)
    write_log[blocks_for(size, block), block](
        lengths, log, used, order, tickets, served
    )
    np.testing.assert_array_equal(np.sort(order), np.arange(size))
    np.testing.assert_array_equal(log, np.repeat(order, lengths[order]))
    assert (used[0], tickets[0], served[0]) == (log.size, size, size)


# The whole grid.


@cuda.jit
def relax(a, b, source, changes, enough, turns):
    """Jacobi's iteration, until an iteration changes no element by `enough`."""
    grid = cuda.cg.this_grid()
    first_x, first_y = cuda.grid(2)
    step_x, step_y = cuda.gridsize(2)
    turn = 0
    while turn < changes.size:
        largest = 0.0
        for y in range(first_y + 1, a.shape[0] - 1, step_y):
            for x in range(first_x + 1, a.shape[1] - 1, step_x):
                value = a[y - 1, x] + a[y + 1, x] + a[y, x - 1] + a[y, x + 1]
                value = 0.25 * (value + source[y, x])
                largest = max(largest, abs(value - a[y, x]))
                b[y, x] = value
        cuda.atomic.max(changes, turn, largest)
        grid.sync()
        a, b = b, a
        turn += 1
        if changes[turn - 1] < enough:
            break
    if thread_of_block() == 0 and cuda.blockIdx.x + cuda.blockIdx.y == 0:
        turns[0] = turn


@by_blocks
@pytest.mark.parametrize("shape", [(9, 7), (21, 30)], ids=str)
def test_jacobi(shape: Shape, block: Shape, rng: np.random.Generator) -> None:
    """One launch for all iterations, whose number the grid decides."""
    source = rng.random(shape)
    a = rng.random(shape)
    b, expected = a.copy(), a.copy()
    changes, turns = np.zeros(1000), np.zeros(1, np.int32)
    found = [a, b]
    relax[(2, 3), block](a, b, source, changes, 5e-3, turns)

    expected_changes: list[float] = []
    while not expected_changes or expected_changes[-1] >= 5e-3:
        after = expected.copy()
        after[1:-1, 1:-1] = 0.25 * (
            expected[:-2, 1:-1]
            + expected[2:, 1:-1]
            + expected[1:-1, :-2]
            + expected[1:-1, 2:]
            + source[1:-1, 1:-1]
        )
        expected_changes.append(abs(after - expected).max())
        expected = after
    count = len(expected_changes)
    assert 5 < count < changes.size
    assert turns[0] == count
    # A product and a sum may be rounded once, or each.
    np.testing.assert_allclose(found[count % 2], expected, rtol=1e-13)
    np.testing.assert_allclose(changes[:count], expected_changes, rtol=1e-11)
    assert not changes[count:].any()


# Warps.


@cuda.jit(device=True)
def take_place(count, additions, lanes):
    """A place for each of `lanes`, which all call, by one addition."""
    leader = cuda.ffs(lanes) - 1
    first = 0
    if cuda.laneid == leader:
        first = cuda.atomic.add(count, 0, cuda.popc(lanes))
        cuda.atomic.add(additions, 0, 1)
    first = cuda.shfl_sync(lanes, first, leader)
    return first + cuda.popc(lanes & cuda.lanemask_lt())


@cuda.jit
def find(a, limit, high, low, counts, additions):
    """Where elements are above the limit, and where below its negative.

    The lanes of the former come from a vote of the warp, those of the latter
    are whichever are there at the time.
    """
    mask = mask_of_warp()
    threads = threads_of_block()
    start = cuda.blockIdx.x * threads
    while start < a.size:
        i = start + thread_of_block()
        is_high = i < a.size and a[i] > limit
        lanes = cuda.ballot_sync(mask, is_high)
        if is_high:
            high[take_place(counts[:1], additions[:1], lanes)] = i
        elif i < a.size and a[i] < -limit:
            lanes = cuda.activemask()
            low[take_place(counts[1:], additions[1:], lanes)] = i
        start += cuda.gridDim.x * threads


@by_blocks
@pytest.mark.parametrize("limit", [0.0, 0.9])
@pytest.mark.parametrize("size", [7, 3001])
def test_append(
    size: int, limit: float, block: Shape, rng: np.random.Generator
) -> None:
    """One atomic addition of each warp, whatever order they come in."""
    a = rng.random(size, np.float32) * 2 - 1
    high, low = np.full(size, -1), np.full(size, -1)
    counts, additions = np.zeros(2, np.int32), np.zeros(2, np.int32)
    find[5, block](a, np.float32(limit), high, low, counts, additions)
    for found, count, expected in (
        (high, counts[0], np.flatnonzero(a > np.float32(limit))),
        (low, counts[1], np.flatnonzero(a < -np.float32(limit))),
    ):
        assert count == expected.size
        np.testing.assert_array_equal(np.sort(found[:count]), expected)
        assert (found[count:] == -1).all()
    threads = math.prod(block)
    places = np.flatnonzero(a > np.float32(limit))
    warps = set(zip(places // threads, places % threads // 32, strict=True))
    assert additions[0] == len(warps)
    assert additions[1] <= counts[1]


@cuda.jit(device=True)
def sum_of_warp(value):
    """The sum over the lanes that there are, in the first of them."""
    mask, lanes = mask_of_warp(), lanes_of_warp()
    distance = 16
    while distance > 0:
        other = cuda.shfl_down_sync(mask, value, distance)
        if cuda.laneid + distance < lanes:
            value += other
        distance //= 2
    return value


@cuda.jit
def multiply_sparse(alpha, starts, columns, values, x, beta, y):
    """y becomes alpha A x + beta y; a warp takes every n-th row."""
    warps = (threads_of_block() + 31) // 32
    first = cuda.blockIdx.x * warps + thread_of_block() // 32
    for row in range(first, y.size, cuda.gridDim.x * warps):
        total = np.float32(0)
        for k in range(
            starts[row] + cuda.laneid, starts[row + 1], lanes_of_warp()
        ):
            total += values[k] * x[columns[k]]
        total = sum_of_warp(total)
        if cuda.laneid == 0:
            y[row] = alpha * total + beta * y[row]


@by_warps
@pytest.mark.parametrize("shape", [(3, 500), (211, 97)], ids=str)
def test_sparse_product(
    shape: Shape, block: Shape, rng: np.random.Generator
) -> None:
    """Rows of any length, some of them empty."""
    dense = rng.random(shape, np.float32)
    dense[rng.random(shape) < rng.random((shape[0], 1))] = 0
    dense[::7] = 0
    kept = dense != 0
    starts = np.concatenate([[0], np.cumsum(kept.sum(1))]).astype(np.int32)
    columns = np.nonzero(kept)[1].astype(np.int32)
    x, y = rng.random(shape[1], np.float32), rng.random(shape[0], np.float32)
    alpha, beta = np.float32(1.5), np.float32(-0.5)
    expected = 1.5 * (dense.astype("f8") @ x) - 0.5 * y
    multiply_sparse[4, block](alpha, starts, columns, dense[kept], x, beta, y)
    # Sums of up to 500 positive numbers in float32, 32 of them at a time.
    np.testing.assert_allclose(y, expected, rtol=5e-6, atol=1e-6)
