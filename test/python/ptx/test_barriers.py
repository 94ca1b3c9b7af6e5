# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which barriers are aligned in PTX.

`bar.sync` requires all threads of a warp. Where they may come by different
paths it is `barrier.sync`.
"""

import re

import numpy as np
import pytest

from pyk import cuda

ALIGNED, ANY = "bar.sync", "barrier.sync"


def behind_a_guard(a, n):
    i = cuda.grid(1)
    if i < a.size:
        a[i] = 1
    cuda.syncthreads()
    if i < a.size:
        a[i] += a[0]


def in_a_uniform_loop(a, n):
    i = cuda.threadIdx.x
    for k in range(n):
        cuda.syncthreads()
        a[i] += a[(i + k) % a.size]


def in_a_branch_of_the_block(a, n):
    if cuda.blockIdx.x > 0 and n > 3:
        a[cuda.threadIdx.x] += 1
        cuda.syncthreads()
        a[cuda.threadIdx.x] += a[0]


def in_a_loop_over_tiles(a, n):
    for tile in range(cuda.blockIdx.x, n, cuda.gridDim.x):
        if max(tile, 3) * cuda.blockDim.x < a.size:
            a[cuda.threadIdx.x] += tile
            cuda.syncthreads()


def in_a_loop_until_all_agree(a, n):
    i = cuda.threadIdx.x
    while cuda.syncthreads_or(a[i] > n):
        a[i] -= 1
        cuda.syncthreads()


def in_both_arms(a, n):
    i = cuda.threadIdx.x
    if i % 2 == 0:
        a[i] = 2
        cuda.syncthreads()
        a[i + n] = 2 + a[i + 1]
    else:
        a[i] = 3
        cuda.syncthreads()
        a[i + n] = 3 - a[i - 1]


def behind_a_return(a, n):
    i = cuda.grid(1)
    if i >= a.size:
        return
    a[i] += 1
    cuda.syncthreads()
    a[i] += a[0]


def in_a_loop_of_each_thread(a, n):
    for k in range(cuda.threadIdx.x):
        a[k] += 1
        cuda.syncthreads()


def in_a_case_of_each_thread(a, n):
    match a[cuda.threadIdx.x] % 4:
        case 0:
            a[cuda.threadIdx.x] = 1
        case 1:
            cuda.syncthreads()
            a[cuda.threadIdx.x] += a[1]
        case 2:
            a[cuda.threadIdx.x] = 7


def behind_a_loop_of_each_thread(a, n):
    """The counter is uniform in the loop, and is not behind it."""
    k = 0
    while k < n:
        if a[k] > cuda.threadIdx.x:
            break
        k += 1
    if k > 3:
        cuda.syncthreads()
        a[cuda.threadIdx.x] += a[0]


def in_a_branch_by_memory(a, n):
    if a[cuda.threadIdx.x] > 0:
        cuda.syncthreads()
        a[cuda.threadIdx.x] += a[0]


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (behind_a_guard, ALIGNED),
        (in_a_uniform_loop, ALIGNED),
        (in_a_branch_of_the_block, ALIGNED),
        (in_a_loop_over_tiles, ALIGNED),
        (in_a_loop_until_all_agree, ALIGNED),
        (in_both_arms, ANY),
        (behind_a_return, ANY),
        (in_a_loop_of_each_thread, ANY),
        (in_a_branch_by_memory, ANY),
        (in_a_case_of_each_thread, ANY),
        (behind_a_loop_of_each_thread, ANY),
    ],
)
@pytest.mark.parametrize("opt", [True, False])
def test_barriers(function, expected, opt):
    ptx, _ = cuda.compile(
        function, "(int64[::1], int64)", device=False, abi="numba", opt=opt
    )
    assert set(re.findall(r"bar\w*\.sync", ptx)) == {expected}


def uniform_counts(a, n):
    i = cuda.threadIdx.x
    a[i] = cuda.syncthreads_count(a[i] > 0)
    a[i] += cuda.syncthreads_and(a[i] > n)
    a[i] += cuda.syncthreads_or(a[i] > n)


def divergent_counts(a, n):
    i = cuda.threadIdx.x
    if a[i] > 3:
        a[i] = cuda.syncthreads_count(a[i] > 5)
        a[i] += cuda.syncthreads_and(a[i] > n)
        a[i] += cuda.syncthreads_or(a[i] > n)


@pytest.mark.parametrize(
    ("function", "expected"),
    [(uniform_counts, "bar.red"), (divergent_counts, "barrier.red")],
)
def test_barriers_that_count(function, expected):
    ptx, _ = cuda.compile(
        function, "(int64[::1], int64)", device=False, abi="numba"
    )
    found = re.findall(r"(bar\w*\.red)\.(\w+)", ptx)
    assert found == [(expected, kind) for kind in ("popc", "and", "or")]


@cuda.jit(device=True)
def meet(a, n):
    cuda.syncthreads()
    return meet(a, n - 1) * meet(a, n - 2) if n > 1 else a[n]


def test_barriers_of_functions_that_are_called():
    """Whoever calls such a function may have branched."""

    def kernel(a, n):
        a[cuda.threadIdx.x] += meet(a, n)

    ptx, _ = cuda.compile(
        kernel, "(int64[::1], int64)", device=False, abi="numba"
    )
    assert ".func" in ptx
    assert set(re.findall(r"bar\w*\.sync", ptx)) == {ANY}


@pytest.mark.parametrize("threads", [32, 50, 128])
def test_barriers_in_both_arms_meet(threads):
    a = np.zeros(2 * threads, np.int64)
    cuda.jit(in_both_arms)[1, threads](a, threads)
    assert a.tolist() == [2, 3] * (threads // 2) + [5, 1] * (threads // 2)
