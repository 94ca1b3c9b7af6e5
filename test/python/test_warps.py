# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What threads of a warp give each other."""

import numpy as np
import pytest

from pyk import cuda
from pyk.cuda.errors import CudaAPIError

ALL = 0xFFFFFFFF
LANES = np.arange(64)
#: By number of the first lane of each lane's warp.
FIRST = LANES // 32 * 32

#: What each lane of two warps gets, by function and its last argument.
SOURCES = {
    "shfl_sync": lambda offset: FIRST + offset % 32,
    "shfl_up_sync": lambda offset: np.where(
        LANES - FIRST < offset, LANES, LANES - offset
    ),
    "shfl_down_sync": lambda offset: np.where(
        LANES - FIRST + offset > 31, LANES, LANES + offset
    ),
    "shfl_xor_sync": lambda offset: LANES ^ offset,
}


def shuffle(name, values, offset):
    """What the lanes get of `values`."""
    function = getattr(cuda, name)

    @cuda.jit
    def kernel(out, values, offset):
        i = cuda.threadIdx.x
        out[i] = function(ALL, values[i], offset)

    out = np.zeros_like(values)
    kernel[1, len(values)](out, values, offset)
    return out


@pytest.mark.parametrize("dtype", ["i4", "i8", "f4", "f8"])
@pytest.mark.parametrize("offset", [0, 1, 5, 16, 31])
@pytest.mark.parametrize("name", SOURCES)
def test_lanes_get_what_others_give(name, offset, dtype):
    values = (LANES * 3 + 1).astype(dtype)
    if dtype == "i8":
        values += 1 << 40
    if dtype == "f8":
        values += 1e-12
    got = shuffle(name, values, offset)
    assert got.tolist() == values[SOURCES[name](offset)].tolist()


# The lane that is read is taken modulo the width.
def test_lanes_beyond_the_warp():
    values = LANES.astype("i4")
    assert shuffle("shfl_sync", values, 33).tolist() == (FIRST + 1).tolist()


# Each lane may ask for another one.
def test_lanes_differ_in_what_they_ask_for():
    @cuda.jit
    def reverse(a):
        i = cuda.threadIdx.x
        a[i] = cuda.shfl_sync(ALL, a[i], 31 - cuda.laneid)

    a = np.arange(64.0)
    reverse[1, 64](a)
    assert a.tolist() == [*range(31, -1, -1), *range(63, 31, -1)]


def test_sum_of_a_warp():
    @cuda.jit
    def sums(out, a):
        i = cuda.grid(1)
        total = a[i]
        offset = 16
        while offset > 0:
            total += cuda.shfl_down_sync(ALL, total, offset)
            offset //= 2
        if cuda.laneid == 0:
            out[i // 32] = total

    a = np.arange(10 * 256, dtype="f4")
    out = np.zeros(10 * 8, "f4")
    sums[10, 256](out, a)
    assert out.tolist() == a.reshape(-1, 32).sum(axis=1).tolist()


# Threads of a mask wait for those alone, and not for what has returned.
def test_parts_of_a_warp():
    @cuda.jit
    def kernel(a):
        i = cuda.threadIdx.x
        if i >= 24:
            return
        if i < 8:
            a[i] = cuda.shfl_xor_sync(0xFF, a[i], 1)
        else:
            for _ in range(3):
                a[i] = cuda.shfl_sync(0xFFFF00, a[i] + 1, 8)

    a = np.arange(32)
    kernel[1, 32](a)
    assert a.tolist() == [1, 0, 3, 2, 5, 4, 7, 6, *[11] * 16, *range(24, 32)]


# A block may end within a warp, and have any shape.
def test_warps_of_blocks_of_any_shape():
    @cuda.jit
    def kernel(a):
        x, y = cuda.threadIdx.x, cuda.threadIdx.y
        i = y * cuda.blockDim.x + x
        a[i] = cuda.shfl_sync(ALL, i, 2)

    a = np.zeros(35, np.int64)
    kernel[1, (7, 5)](a)
    assert a.tolist() == [2] * 32 + [34] * 3


# Half of the warp is at the barrier; the next launch is none the worse.
def test_threads_that_wait_in_vain():
    @cuda.jit
    def kernel(a, first):
        i = cuda.threadIdx.x
        if i < first:
            cuda.syncthreads()
        else:
            a[i] = cuda.shfl_sync(ALL, i, 16)

    a = np.zeros(32, np.int64)
    with pytest.raises(
        CudaAPIError,
        match=r"thread \(16, 0, 0\) of block \(0, 0, 0\) waits in a shuffle "
        "for threads of its warp that wait elsewhere; let all threads that a "
        "mask names call the same shuffle with it",
    ):
        kernel[1, 32](a, 16)
        cuda.synchronize()
    kernel[1, 32](a, 0)
    assert a.tolist() == [16] * 32


@pytest.mark.parametrize(
    "name, kind",
    [
        ("shfl_sync", "idx"),
        ("shfl_up_sync", "up"),
        ("shfl_down_sync", "down"),
        ("shfl_xor_sync", "bfly"),
    ],
)
@pytest.mark.parametrize("signature, count", [("f4[:]", 1), ("i8[:]", 2)])
def test_instructions(name, kind, signature, count):
    function = getattr(cuda, name)

    def kernel(a):
        i = cuda.threadIdx.x
        a[i] = function(ALL, a[i], 3)

    ptx, _ = cuda.compile_ptx(kernel, f"void({signature})", cc=(8, 0))
    last = 0 if kind == "up" else 31
    lines = [line for line in ptx.splitlines() if "shfl.sync" in line]
    assert len(lines) == count
    for line in lines:
        assert f"shfl.sync.{kind}.b32" in line
        assert line.rstrip(";").endswith(f"3, {last}, -1")
