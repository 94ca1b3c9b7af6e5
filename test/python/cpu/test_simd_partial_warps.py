# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Vectors agree with the reference where some lanes of a warp are missing."""

from typing import Any

import numpy as np
import pytest

from pyk import cuda
from support.simd_agreement import Shape, agree

pytestmark = pytest.mark.on_vectors

BLOCKS = [
    (32,),
    (20,),
    (48,),
    (100,),
    (256,),
    (16, 16),
    (8, 6),
    (4, 4),
    (32, 3),
    # Vectors have parts of several rows.
    (24, 2),
    (7, 5),
    (20, 5),
    (12, 10),
]


@pytest.fixture
def rng() -> np.random.Generator:
    """Of the same numbers whichever tests run."""
    return np.random.default_rng(11)


def count_threads(block: Shape) -> int:
    """How many threads a block has."""
    return int(np.prod(block))


@pytest.mark.parametrize("block", BLOCKS, ids=str)
@pytest.mark.parametrize("kind", ["sync", "up_sync", "down_sync", "xor_sync"])
@pytest.mark.parametrize("dtype", ["f4", "i8", "bool"])
def test_shuffles_behind_a_guard(
    block: Shape, kind: str, dtype: str, rng: np.random.Generator
) -> None:
    def make() -> Any:
        shuffle = getattr(cuda, f"shfl_{kind}")

        @cuda.jit
        def exchange(a, by, n, out):
            width = cuda.blockDim.x
            t = cuda.threadIdx.x + width * cuda.threadIdx.y
            if t < n:
                value = a[t]
                out[0, t] = shuffle(0xFFFFFFFF, value, 3)
                out[1, t] = shuffle(0xFFFFFFFF, value, by)
                out[2, t] = shuffle(0xFFFFFFFF, value, t % 5, width=8)
                out[3, t] = shuffle(0xFFFFFFFF, t, 1)

        return exchange

    count = count_threads(block)
    a = (rng.random(count) * 100 + 1).astype(dtype)
    for n in {1, count // 2 + 1, count - 1, count}:
        start = np.zeros((4, count), dtype)
        _, found = agree(make, (1,), block, a, 7, n, start)
        lane = np.arange(n) % 32
        source = {
            "sync": np.full(n, 3),
            "up_sync": np.where(lane >= 3, lane - 3, lane),
            "down_sync": np.where(lane + 3 < 32, lane + 3, lane),
            "xor_sync": lane ^ 3,
        }[kind]
        place = np.arange(n) - lane + source
        known = np.append(a[:n], np.zeros(64, dtype))
        known[n:] = 0
        np.testing.assert_array_equal(found[0, :n], known[place])


@pytest.mark.parametrize("block", BLOCKS, ids=str)
def test_votes_behind_a_guard(block: Shape, rng: np.random.Generator) -> None:
    def make() -> Any:
        @cuda.jit
        def vote(a, n, out):
            t = cuda.threadIdx.x + cuda.blockDim.x * cuda.threadIdx.y
            if t < n:
                everyone = 0xFFFFFFFF
                out[0, t] = cuda.ballot_sync(everyone, a[t] > 50)
                out[1, t] = cuda.all_sync(everyone, a[t] >= 0)
                out[2, t] = cuda.any_sync(everyone, a[t] > 97)
                out[3, t] = cuda.eq_sync(everyone, a[t] < 0)
                out[4, t] = cuda.activemask()
                out[5, t] = cuda.laneid

        return vote

    count = count_threads(block)
    a = rng.integers(0, 100, count)
    for n in {1, count // 2 + 1, count}:
        start = np.full((6, count), -1)
        _, found = agree(make, (1,), block, a, n, start)
        there = np.zeros(-(-count // 32) * 32, bool)
        there[:n] = True
        bits = (there.reshape(-1, 32) << np.arange(32)).sum(1)
        expected = np.repeat(bits, 32)[:n]
        np.testing.assert_array_equal(found[4, :n] & 0xFFFFFFFF, expected)
        assert found[1, :n].all() and found[3, :n].all()


@pytest.mark.parametrize("block", BLOCKS, ids=str)
def test_sums_of_lanes_that_a_ballot_names(
    block: Shape, rng: np.random.Generator
) -> None:
    def make() -> Any:
        @cuda.jit
        def total(a, n, out):
            t = cuda.threadIdx.x + cuda.blockDim.x * cuda.threadIdx.y
            lanes = cuda.ballot_sync(0xFFFFFFFF, t < n)
            if t < n:
                value = a[t]
                for step in (16, 8, 4, 2, 1):
                    other = cuda.shfl_down_sync(lanes, value, step)
                    if t % 32 + step < cuda.popc(lanes):
                        value += other
                out[t] = value
            cuda.syncthreads()
            out[t] += cuda.popc(lanes)

        return total

    count = count_threads(block)
    a = rng.random(count).astype(np.float32)
    n = count - 3
    _, found = agree(make, (1,), block, a, n, np.zeros(count, np.float32))
    last = (n - 1) // 32 * 32
    there = n - last
    np.testing.assert_allclose(found[last] - there, a[last:n].sum(), rtol=1e-5)


@pytest.mark.parametrize("block", [(32,), (64,), (16, 4), (40,)], ids=str)
def test_halves_of_warps(block: Shape, rng: np.random.Generator) -> None:
    def make() -> Any:
        @cuda.jit
        def halves(a, out):
            t = cuda.threadIdx.x + cuda.blockDim.x * cuda.threadIdx.y
            value = a[t]
            if t % 32 < 16:
                value += cuda.shfl_xor_sync(0xFFFF, value, 8)
                cuda.syncwarp(0xFFFF)
                if cuda.all_sync(0xFFFF, value > 5):
                    value += 1000
            else:
                value -= cuda.shfl_sync(0xFFFF0000, value, 16)
                value += cuda.ballot_sync(0xFFFF0000, value > 3)
            out[t] = value

        return halves

    count = count_threads(block)
    a = rng.integers(6, 100, count)
    _, found = agree(make, (1,), block, a, np.zeros(count, np.int64))
    assert (found[:16] >= 1000).all()


# Whole warps are missing, but not parts of them.


@pytest.mark.parametrize("block", [(64,), (256,), (1024,), (32, 4)], ids=str)
@pytest.mark.parametrize("ask", ["t < 32", "t // 32 == 0", "t >> 5 < 1"])
def test_sums_of_blocks_by_their_first_warp(
    block: Shape, ask: str, rng: np.random.Generator
) -> None:
    def make() -> Any:
        text = f"""
@cuda.jit
def total(a, out):
    parts = cuda.shared.array(32, np.float32)
    t = cuda.threadIdx.x + cuda.blockDim.x * cuda.threadIdx.y
    threads = cuda.blockDim.x * cuda.blockDim.y
    i = cuda.blockIdx.x * threads + t
    value = a[i] if i < a.size else np.float32(0)
    for step in (16, 8, 4, 2, 1):
        value += cuda.shfl_down_sync(0xFFFFFFFF, value, step)
    if t % 32 == 0:
        parts[t // 32] = value
    cuda.syncthreads()
    if {ask}:
        value = parts[t] if t < threads // 32 else np.float32(0)
        for step in (16, 8, 4, 2, 1):
            value += cuda.shfl_down_sync(0xFFFFFFFF, value, step)
        if t == 0:
            parts[0] = value
    cuda.syncthreads()
    if i < a.size:
        out[i] = parts[0]
"""
        names: dict[str, Any] = {"cuda": cuda, "np": np}
        exec_kernel(text, names)
        return names["total"]

    a = rng.random(1500).astype(np.float32)
    threads = count_threads(block)
    grid = -(-a.size // threads)
    _, found = agree(make, (grid,), block, a, np.zeros(a.size, np.float32))
    for start in range(0, a.size, threads):
        own = slice(start, start + threads)
        np.testing.assert_allclose(found[own], a[own].sum(), rtol=1e-5)


def exec_kernel(text: str, names: dict[str, Any]) -> None:
    import linecache

    file = f"<kernel {hash(text)}>"
    linecache.cache[file] = (
        len(text),
        None,
        text.splitlines(True),
        file,
    )
    exec(compile(text, file, "exec"), names)


def test_lanes_that_leave_a_loop(rng: np.random.Generator) -> None:
    def make() -> Any:
        @cuda.jit
        def stride(a, out):
            i = cuda.grid(1)
            while i < a.size:
                value = a[i] + cuda.shfl_down_sync(0xFFFFFFFF, a[i], 1)
                out[i] = value
                i += cuda.gridsize(1)

        return stride

    a = rng.random(300).astype(np.float32)
    _, found = agree(make, (2,), (64,), a, np.zeros(300, np.float32))
    after = np.append(a[1:], np.float32(0))
    last = np.arange(300) % 32 == 31
    np.testing.assert_array_equal(found, a + np.where(last, a, after))


def test_places_for_those_that_append(rng: np.random.Generator) -> None:
    def make() -> Any:
        @cuda.jit
        def append(a, count, out):
            i = cuda.grid(1)
            if i < a.size and a[i] > 0:
                lanes = cuda.activemask()
                before = cuda.popc(lanes & cuda.lanemask_lt())
                first = cuda.ffs(lanes) - 1
                start = 0
                if before == 0:
                    start = cuda.atomic.add(count, 0, cuda.popc(lanes))
                start = cuda.shfl_sync(lanes, start, first)
                out[start + before] = a[i]

        return append

    a = rng.integers(-5, 5, 1000).astype(np.int32)
    count = np.zeros(1, np.int32)
    _, count, found = agree(make, (1,), (1024,), a, count, np.zeros_like(a))
    wanted = a[a > 0]
    assert count[0] == wanted.size
    np.testing.assert_array_equal(found[: wanted.size], wanted)


@pytest.mark.parametrize("outer", ["t < 32", "t < 16"])
def test_lanes_that_meet_elsewhere(outer: str) -> None:
    """Both arms exchange, with a mask that names threads of the other."""
    text = f"""
@cuda.jit
def meet(a, out):
    t = cuda.threadIdx.x
    lanes = cuda.ballot_sync(0xFFFFFFFF, t < 16)
    if {outer} and t < 16:
        if t % 2 == 0:
            out[t] = cuda.shfl_sync({{mask}}, a[t], 1)
        else:
            out[t] = cuda.shfl_sync({{mask}}, a[t], 0)
"""
    a = np.arange(1, 33)
    for mask in ("lanes", "0xFFFF"):
        names: dict[str, Any] = {"cuda": cuda, "np": np}
        exec_kernel(text.replace("{mask}", mask), names)
        out = np.zeros_like(a)
        names["meet"][1, 32](a, out)
        assert out.tolist() == [2, 1] * 8 + [0] * 16


@pytest.mark.parametrize("kind", ["barrier", "shuffle"])
def test_masks_that_no_other_exchange_has(
    kind: str, rng: np.random.Generator
) -> None:
    """What halves the lanes of a warp, by the index in the grid."""

    def by_barriers() -> Any:
        @cuda.jit
        def total(a, out):
            shared = cuda.shared.array(32, np.int32)
            i = cuda.grid(1)
            t = cuda.threadIdx.x
            shared[t] = a[i]
            cuda.syncwarp()
            if i < 16:
                shared[t] += shared[t + 16]
                cuda.syncwarp(0xFFFF)
            if i < 8:
                shared[t] += shared[t + 8]
                cuda.syncwarp(0xFF)
            if i < 4:
                shared[t] += shared[t + 4]
                cuda.syncwarp(0xF)
            out[i] = shared[t]

        return total

    def by_shuffles() -> Any:
        @cuda.jit
        def total(a, out):
            i = cuda.grid(1)
            value = a[i]
            if i < 16:
                value += cuda.shfl_xor_sync(0xFFFF, value, 8)
            if i < 8:
                value += cuda.shfl_xor_sync(0xFF, value, 4)
            out[i] = value

        return total

    a = rng.integers(0, 100, 64).astype(np.int32)
    make = by_barriers if kind == "barrier" else by_shuffles
    _, found = agree(make, (2,), (32,), a, np.zeros(64, np.int32))
    expected = a.copy()
    if kind == "barrier":
        for width in (16, 8, 4):
            expected[:width] += expected[width : 2 * width]
    else:
        expected[:16] += expected[np.arange(16) ^ 8]
        expected[:8] += expected[np.arange(8) ^ 4]
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("block", [(5, 4, 5), (3, 3, 3), (2, 2, 2), (6, 1, 7)])
def test_rows_and_planes_within_vectors(block: Shape) -> None:
    """Indices on all axes, behind a guard, where neither divides a vector."""

    def make() -> Any:
        @cuda.jit
        def exchange(a, n, out):
            x, y, z = cuda.threadIdx.x, cuda.threadIdx.y, cuda.threadIdx.z
            t = (z * cuda.blockDim.y + y) * cuda.blockDim.x + x
            out[0, z, y, x] = cuda.shfl_down_sync(0xFFFFFFFF, a[t], 3)
            out[1, z, y, x] = cuda.match_any_sync(0xFFFFFFFF, y)
            out[2, z, y, x] = cuda.shfl_xor_sync(0xFFFFFFFF, z * 10 + x, 1)
            if t < n:
                out[3, z, y, x] = cuda.ballot_sync(0xFFFFFFFF, x > 1)
            if z < 2:
                out[4, z, y, x] = a[t] + y

        return exchange

    count = count_threads(block)
    a = np.arange(count) * 7
    for n in (5, count - 1, count):
        start = np.full((5, *block[::-1]), -1)
        _, found = agree(make, (1,), block, a, n, start)
        own = np.arange(count)
        shifted = np.where(own % 32 < 29, own + 3, own)
        known = np.append(a, np.zeros(3, int))[shifted]
        assert found[0].ravel().tolist() == known.tolist()
        x, y, z = block
        planes = np.indices((z, y, x))
        assert found[4, :2].tolist() == (
            (a.reshape(z, y, x) + planes[1])[:2].tolist()
        )


@pytest.mark.parametrize("block", [(72,), (40,), (24,)])
def test_masks_of_half_vectors_that_wait_on_the_stack(block: Shape) -> None:
    """So many masks that LLVM has no registers for all of them."""

    def make() -> Any:
        @cuda.jit
        def count(a, out, total):
            i = cuda.threadIdx.x
            t = cuda.grid(1)
            first = np.uint16(0.001)
            for _ in range(2):
                b = (a[(first - 200) % 144] >= 0) ^ (i % 2 == 0)
                m = cuda.ballot_sync(0xFFFFFFFF, b)
                out[t, 5] = m
                if b:
                    cuda.atomic.add(total, 1, cuda.popc(m))

        return count

    out, total = np.zeros((2 * block[0], 8), int), np.zeros(2, np.uint32)
    _, found, counted = agree(
        make, (2,), block, np.full(144, -16.4), out, total
    )
    warps = [32] * (block[0] // 32) + [block[0] % 32]
    assert found[-1, 5] == 0x55555555 & (2 ** warps[-1] - 1)
    assert counted.tolist() == [0, 4 * sum((n // 2) ** 2 for n in warps)]
