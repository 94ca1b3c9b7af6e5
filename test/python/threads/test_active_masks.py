# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which threads of a warp run together, as `cuda.activemask` tells."""

import numpy as np
import pytest

from pyk import cuda

ALL = 0xFFFFFFFF


def test_active_mask():
    @cuda.jit
    def kernel(out):
        out[cuda.threadIdx.x] = cuda.activemask()

    out = np.zeros(72, np.uint32)
    kernel[1, 72](out)
    assert out.tolist() == [ALL] * 64 + [0xFF] * 8


# Numba's test of it: half of the warp is in the branch.
def test_active_mask_in_a_branch():
    @cuda.jit
    def kernel(out):
        i = cuda.grid(1)
        if i % 2 == 0:
            out[i] = cuda.activemask()

    out = np.zeros(32, np.uint32)
    kernel[1, 32](out)
    assert out.tolist() == [0x55555555, 0] * 16


# Those of one branch, of the other, and all of them behind it.
def test_active_masks_of_both_branches():
    @cuda.jit
    def kernel(out):
        i = cuda.threadIdx.x
        if i < 10:
            out[0, i] = cuda.activemask()
        else:
            out[0, i] = cuda.activemask()
        out[1, i] = cuda.activemask()

    out = np.zeros((2, 32), np.uint32)
    kernel[1, 32](out)
    assert out.tolist() == [[0x3FF] * 10 + [0xFFFFFC00] * 22, [ALL] * 32]


# Each iteration of a loop has those that are still in it.
@pytest.mark.parametrize("device_function", [False, True])
def test_active_masks_in_a_loop(device_function):
    @cuda.jit(device=True)
    def ask_again():
        return cuda.activemask()

    @cuda.jit
    def kernel(out):
        i = cuda.threadIdx.x
        for turn in range(i):
            if device_function:
                out[turn, i] = ask_again()
            else:
                out[turn, i] = cuda.activemask()

    out = np.zeros((32, 32), np.uint32)
    kernel[1, 32](out)
    for turn in range(32):
        mask = ALL << turn + 1 & ALL
        assert out[turn].tolist() == [0] * (turn + 1) + [mask] * (31 - turn)


# Some have returned, some are at the barrier of the block or of others.
def test_active_mask_without_those_that_wait():
    @cuda.jit
    def kernel(out):
        i = cuda.threadIdx.x
        if i >= 24:
            return
        if i < 8:
            out[i] = cuda.activemask()
            cuda.syncwarp(0xFFFF)
        elif i < 16:
            cuda.syncwarp(0xFFFF)
            out[i] = cuda.activemask()
        cuda.syncthreads()
        out[i] += cuda.activemask() << 32

    out = np.zeros(32, np.int64)
    kernel[1, 32](out)
    after = 0xFFFFFF << 32
    assert out.tolist() == (
        [after | 0xFF] * 8 + [after | 0xFF00] * 8 + [after] * 8 + [0] * 8
    )


# One lane adds for all that come to the same place.
def test_adding_for_an_active_group():
    @cuda.jit
    def kernel(out, counter):
        i = cuda.grid(1)
        if i % 3 == 0:
            group = cuda.activemask()
            place = cuda.popc(group & cuda.lanemask_lt())
            first = cuda.ffs(group) - 1
            start = 0
            if place == 0:
                start = cuda.atomic.add(counter, 0, cuda.popc(group))
            start = cuda.shfl_sync(group, start, first)
            out[start + place] = i

    out, counter = np.zeros(100, np.int64), np.zeros(1, np.int64)
    kernel[3, 100](out, counter)
    assert counter[0] == 100
    assert sorted(out.tolist()) == list(range(0, 300, 3))


@pytest.mark.parametrize("cc", [(7, 5), (9, 0)])
def test_instruction_of_the_active_mask(cc):
    def kernel(out):
        out[0] = cuda.activemask()
        out[1] = cuda.activemask()

    ptx, _ = cuda.compile_ptx(kernel, "void(u4[:])", cc=cc)
    assert ptx.count("activemask.b32") == 2


def test_lanes_that_ask_again_and_again_leave_none_behind():
    @cuda.jit
    def kernel(out, flag):
        i = cuda.threadIdx.x
        mask = 0
        if i < 16:
            while cuda.atomic.add(flag, 0, 0) == 0:
                mask = cuda.activemask()
        else:
            mask = cuda.activemask()
            cuda.atomic.exch(flag, 0, 1)
        out[i] = mask

    out = np.zeros(32, np.uint32)
    kernel[1, 32](out, np.zeros(1, np.int32))
    assert out.tolist() == [0xFFFF] * 16 + [0xFFFF0000] * 16
