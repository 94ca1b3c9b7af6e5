# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numbers that the lanes of a warp reduce to one, against NumPy."""

import numpy as np
import pytest

from pyk import cuda

OPERATIONS = {
    "add": np.add,
    "min": np.minimum,
    "max": np.maximum,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
}


def reduced(name, values, mask, threads):
    """What each lane of `mask` gets, and 77 for others."""
    function = getattr(cuda, f"reduce_{name}_sync")

    @cuda.jit
    def kernel(out, values, mask):
        i = cuda.grid(1)
        if (mask >> cuda.laneid) & 1:
            out[i] = function(mask, values[i])

    out = np.full_like(values, 77)
    kernel[len(values) // threads, threads](out, values, np.uint32(mask))
    return out


def expected(name, values, mask, threads):
    out = np.full_like(values, 77)
    for begin in range(0, len(values), threads):
        for warp in range(begin, begin + threads, 32):
            end = min(warp + 32, begin + threads)
            lanes = [i for i in range(warp, end) if (mask >> (i - warp)) & 1]
            if lanes:
                out[lanes] = OPERATIONS[name].reduce(values[lanes])
    return out


@pytest.mark.parametrize("mask", [0xFFFFFFFF, 0x1, 0x80000001, 0x0FF0AA00])
@pytest.mark.parametrize("threads", [32, 40, 128])
@pytest.mark.parametrize("name", OPERATIONS)
def test_integers(name, threads, mask):
    rng = np.random.default_rng(5)
    for dtype in (np.int32, np.uint32, np.int64):
        values = rng.integers(0, 2**31 - 1, 2 * threads).astype(dtype)
        if dtype != np.uint32:
            values -= 2**30
        found = reduced(name, values, mask, threads)
        with np.errstate(over="ignore"):
            wanted = expected(name, values, mask, threads)
        assert found.tolist() == wanted.tolist()


@pytest.mark.parametrize("name", ["add", "min", "max"])
def test_floats(name):
    values = np.random.default_rng(6).integers(-99, 99, 64).astype(np.float64)
    found = reduced(name, values, 0xFFFFFFFF, 64)
    assert found.tolist() == expected(name, values, 0xFFFFFFFF, 64).tolist()


def test_lanes_that_have_ended_count_for_nothing():
    @cuda.jit
    def kernel(out):
        i = cuda.threadIdx.x
        if i % 3 == 0:
            return
        out[i] = cuda.reduce_add_sync(0xFFFFFFFF, i)

    out = np.zeros(32, np.int64)
    kernel[1, 32](out)
    total = sum(i for i in range(32) if i % 3)
    assert out.tolist() == [total if i % 3 else 0 for i in range(32)]


def test_one_lane_is_chosen():
    @cuda.jit
    def kernel(out):
        i = cuda.threadIdx.x
        out[i] = 2 if cuda.elect_sync(0xFFFFFFFF) else 0
        if cuda.laneid >= 7:
            if cuda.elect_sync(0xFFFFFF80):
                out[i] += 1

    out = np.zeros(80, np.int32)
    kernel[1, 80](out)
    assert np.flatnonzero(out).tolist() == [0, 7, 32, 39, 64, 71]
    assert out.sum() == 9


@pytest.mark.parametrize("name", ["min", "max"])
@pytest.mark.parametrize("lane", [0, 1, 17, 31])
def test_a_nan_is_the_result(lane, name):
    values = np.arange(32.0)
    values[lane] = np.nan
    assert np.isnan(reduced(name, values, 0xFFFFFFFF, 32)).all()
