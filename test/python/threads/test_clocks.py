# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Clocks that kernels read, and threads that sleep."""

import time

import numpy as np

from pyk import cuda, types


def ptx_of(kernel, *arguments):
    return cuda.compile_ptx(kernel.py_func, arguments, cc=(9, 0))[0]


@cuda.jit
def work(cycles, times, count):
    i = cuda.grid(1)
    first = cuda.clock()
    begin = cuda.globaltimer()
    x = np.float64(i)
    for n in range(count):
        x = x * 0.5 + n
    cycles[i, 1] = cuda.clock64()
    times[i, 1] = cuda.globaltimer()
    cycles[i, 0] = first
    times[i, 0] = begin
    cycles[i, 2] = np.int64(x)


def test_clocks_advance():
    cycles, times = np.zeros((64, 3), np.int64), np.zeros((64, 2), np.int64)
    before = time.time_ns()
    work[2, 32](cycles, times, 20000)
    after = time.time_ns()
    assert (cycles[:, 0] < cycles[:, 1]).all()
    assert (times[:, 0] < times[:, 1]).all()
    # On the CPU it is the time of day.
    assert before <= times.min()
    assert times.max() <= after


def test_longer_work_takes_more_cycles():
    def median(count):
        cycles, times = np.zeros((32, 3), np.int64), np.zeros((32, 2), np.int64)
        work[1, 32](cycles, times, count)
        return np.median(cycles[:, 1] - cycles[:, 0])

    median(1)
    assert median(100000) > 3 * median(1000)


def test_two_readings_are_not_one():
    @cuda.jit
    def k(out):
        out[0] = cuda.clock()
        out[1] = cuda.clock()
        cuda.clock()

    assert ptx_of(k, types.int64[::1]).count("%clock64") == 3
    out = np.zeros(2, np.int64)
    k[1, 1](out)
    assert out[1] > out[0]


def test_instructions():
    text = ptx_of(work, types.int64[:, ::1], types.int64[:, ::1], types.int64)
    assert text.count("%clock64") == 2
    assert text.count("%globaltimer") == 2

    @cuda.jit
    def sleeper(out, n):
        cuda.nanosleep(n)
        out[0] = 1

    assert "nanosleep.u32" in ptx_of(sleeper, types.int64[::1], types.int64)


def test_a_thread_sleeps_until_another_has_written():
    """Nothing but the sleep lets the other thread run."""

    @cuda.jit
    def k(flag, out):
        if cuda.threadIdx.x == 0:
            while cuda.atomic.add(flag, 0, 0) == 0:
                cuda.nanosleep(100)
            out[0] = flag[0]
        else:
            cuda.nanosleep(1000)
            cuda.atomic.exch(flag, 0, 7)

    flag, out = np.zeros(1, np.int32), np.zeros(1, np.int32)
    k[1, 2](flag, out)
    assert out[0] == 7
