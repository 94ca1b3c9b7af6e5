# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Vectors agree with the reference where lanes look for equal values."""

from typing import Any

import numpy as np
import pytest

from pyk import cuda
from support.simd_agreement import Shape, agree, run

pytestmark = pytest.mark.on_vectors

BLOCKS = [(32,), (20,), (100,), (256,), (16, 16), (8, 6), (32, 3)]


@pytest.fixture
def rng() -> np.random.Generator:
    """Of the same numbers whichever tests run."""
    return np.random.default_rng(13)


def matches(keys: np.ndarray, named: int) -> tuple[np.ndarray, np.ndarray]:
    """What match_any and match_all give to the lanes `named`."""
    bits = keys.view(f"u{keys.itemsize}")
    same, every = np.zeros((2, keys.size), np.uint32)
    for start in range(0, keys.size, 32):
        warp = bits[start : start + 32]
        there = [lane for lane in range(warp.size) if named >> lane & 1]
        for lane in there:
            equal = [other for other in there if warp[other] == warp[lane]]
            same[start + lane] = sum(1 << other for other in equal)
            if len(equal) == len(there):
                every[start + lane] = same[start + lane]
    return same, every


@pytest.mark.parametrize("block", BLOCKS, ids=str)
@pytest.mark.parametrize("dtype", ["i4", "u8", "f4", "f8"])
@pytest.mark.parametrize("named", [0xFFFFFFFF, 0x0F0F8001])
def test_values(
    block: Shape, dtype: str, named: int, rng: np.random.Generator
) -> None:
    def make() -> Any:
        @cuda.jit
        def match(keys, mask, out):
            t = cuda.threadIdx.x + cuda.blockDim.x * cuda.threadIdx.y
            if mask >> (t % 32) & 1:
                out[0, t] = cuda.match_any_sync(mask, keys[t])
                lanes, is_same = cuda.match_all_sync(mask, keys[t])
                out[1, t] = lanes
                out[2, t] = is_same

        return match

    count = int(np.prod(block))
    keys = rng.integers(0, 3, count).astype(dtype)
    keys[32:64] = 2
    if dtype[0] == "f":
        # Bits count, not numbers.
        keys[:4] = [np.nan, 0.0, -0.0, np.nan]
    start = np.full((3, count), 7, np.uint32)
    _, found = agree(make, (1,), block, keys, named, start)
    same, every = matches(keys, named)
    is_named = (named >> (np.arange(count) % 32) & 1).astype(bool)
    np.testing.assert_array_equal(found[0][is_named], same[is_named])
    np.testing.assert_array_equal(found[1][is_named], every[is_named])
    np.testing.assert_array_equal(found[2][is_named], every[is_named] != 0)
    assert (found[:, ~is_named] == 7).all()


@pytest.mark.parametrize("block", BLOCKS, ids=str)
def test_constants_and_threads_that_are_gone(
    block: Shape, rng: np.random.Generator
) -> None:
    def make() -> Any:
        @cuda.jit
        def match(keys, n, out):
            t = cuda.threadIdx.x + cuda.blockDim.x * cuda.threadIdx.y
            if t >= n:
                return
            out[0, t] = cuda.match_any_sync(0xFFFFFFFF, n)
            lanes, is_same = cuda.match_all_sync(0xFFFFFFFF, keys[t])
            out[1, t] = lanes if is_same else 0
            out[2, t] = cuda.match_any_sync(0xFFFFFFFF, keys[t])

        return match

    count = int(np.prod(block))
    keys = rng.integers(0, 2, count)
    for n in {1, count // 2 + 1, count}:
        start = np.zeros((3, count), np.uint32)
        _, found = agree(make, (1,), block, keys, n, start)
        same, every = matches(keys[:n], 0xFFFFFFFF)
        ones, _ = matches(np.ones(n), 0xFFFFFFFF)
        np.testing.assert_array_equal(found[0, :n], ones)
        np.testing.assert_array_equal(found[1, :n], every)
        np.testing.assert_array_equal(found[2, :n], same)


@pytest.mark.parametrize("block", [(32,), (100,), (16, 8)], ids=str)
def test_one_atomic_operation_for_lanes_of_a_key(
    block: Shape, rng: np.random.Generator
) -> None:
    def make() -> Any:
        @cuda.jit
        def count(keys, out, places):
            t = cuda.threadIdx.x + cuda.blockDim.x * cuda.threadIdx.y
            if t < keys.size:
                lanes = cuda.match_any_sync(cuda.activemask(), keys[t])
                leader = cuda.ffs(lanes) - 1
                start = 0
                if cuda.laneid == leader:
                    start = cuda.atomic.add(out, keys[t], cuda.popc(lanes))
                start = cuda.shfl_sync(lanes, start, leader)
                before = cuda.popc(lanes & cuda.lanemask_lt())
                places[t] = start + before

        return count

    threads = int(np.prod(block))
    keys = rng.integers(0, 5, threads - 3)
    out, places = np.zeros(5, np.int32), np.zeros(threads, np.int32)
    # Which warp comes first is nobody's business.
    found, shapes = run("simd", make, (1,), block, keys, out, places)
    assert shapes == {(*block, 1, 1)[:3]}
    _, out, places = found
    np.testing.assert_array_equal(out, np.bincount(keys, minlength=5))
    for key in range(5):
        found = places[: keys.size][keys == key]
        np.testing.assert_array_equal(np.sort(found), np.arange(found.size))
