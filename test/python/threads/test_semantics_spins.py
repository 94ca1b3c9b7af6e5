# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops in which threads wait for what others write, without a barrier.

A kernel that hangs cannot be stopped within a process, so each of these runs in
a process of its own that gives up after some seconds.
"""

import inspect
import os
import subprocess
import sys
import textwrap

import pytest

SECONDS = 30

PREAMBLE = """
import numpy as np
from pyk import cuda
"""


def in_a_process(program):
    """Makes `program` a test that runs the text of its body elsewhere."""

    def test(tmp_path):
        lines = inspect.getsource(program).splitlines()
        start = next(
            i for i, line in enumerate(lines) if line.startswith("def")
        )
        body = textwrap.dedent("\n".join(lines[start + 1 :]))
        path = tmp_path / f"{program.__name__}.py"
        path.write_text(PREAMBLE + body)
        try:
            result = subprocess.run(
                [sys.executable, path],
                capture_output=True,
                text=True,
                timeout=SECONDS,
                env=os.environ,
            )
        except subprocess.TimeoutExpired:
            pytest.fail(f"does not end within {SECONDS} seconds")
        assert result.returncode == 0, result.stderr

    test.__doc__ = program.__doc__
    return test


# ruff: noqa: F821
@in_a_process
def test_flag_at_a_changing_index():
    @cuda.jit
    def k(f, o):
        t = cuda.threadIdx.x
        if t == 36:
            f[7] = 1
        else:
            i = 0
            while f[i] == 0:
                i = (i + 1) % 37
            o[t] = i

    o = np.zeros(40, np.int64)
    k[1, 37](np.zeros(40, np.int32), o)
    assert o.tolist() == [7] * 36 + [0] * 4


@in_a_process
def test_flag_read_by_a_device_function():
    @cuda.jit(device=True)
    def ready(f, i):
        return f[i] != 0

    @cuda.jit
    def k(f, o):
        t = cuda.threadIdx.x
        if t == 36:
            f[7] = 1
        while not ready(f, 7):
            pass
        o[t] = 1

    o = np.zeros(40, np.int64)
    k[1, 37](np.zeros(40, np.int32), o)
    assert o.tolist() == [1] * 37 + [0] * 3


@in_a_process
def test_flags_of_all_threads():
    @cuda.jit
    def k(f, o):
        t = cuda.threadIdx.x
        f[t] = 1
        s = 0
        while s < 37:
            s = 0
            for i in range(37):
                s += f[i]
        o[t] = s

    o = np.zeros(40, np.int64)
    k[1, 37](np.zeros(40, np.int32), o)
    assert o.tolist() == [37] * 37 + [0] * 3


@in_a_process
def test_flag_of_the_next_block_while_counting():
    @cuda.jit
    def k(f, o):
        b = cuda.blockIdx.x
        if b < 39:
            i = 0
            while f[b + 1] == 0:
                i += 1
                if i < 0:
                    return
        cuda.syncthreads()
        if cuda.threadIdx.x == 0:
            o[b] = o[b + 1] + b
            f[b] = 1

    o = np.zeros(41, np.int64)
    k[40, 3](np.zeros(41, np.int32), o)
    assert o.tolist() == [sum(range(b, 40)) for b in range(41)]


@in_a_process
def test_flags_in_shared_memory():
    @cuda.jit
    def k(o):
        f = cuda.shared.array(65, np.int32)
        t = cuda.threadIdx.x
        f[t] = 0
        f[64] = 0
        cuda.syncthreads()
        if t == 63:
            f[t] = 1
        i = t
        while True:
            if f[i] == 0:
                i = i + 1 if i < 63 else t
                continue
            break
        o[t] = i
        f[t] = 1

    o = np.zeros(64, np.int64)
    k[1, 64](o)
    assert (o >= np.arange(64)).all() and (o < 64).all()


@in_a_process
def test_flags_in_dynamic_shared_memory():
    """Arrays of dynamic shared memory are the same bytes."""

    @cuda.jit
    def k(o):
        f = cuda.shared.array(0, np.int32)
        g = cuda.shared.array(0, np.uint8)
        t = cuda.threadIdx.x
        g[4 * t] = 0
        cuda.syncthreads()
        if t == 31:
            g[4 * 5] = 9
        i = 0
        while f[i] & 255 == 0:
            i = (i + 1) % 32
        o[t] = i

    o = np.zeros(32, np.int64)
    k[1, 32, 0, 128](o)
    assert (o == 5).all()


@in_a_process
def test_store_that_follows_the_wait():
    """The store ends the loop, it is no reason to go on."""

    @cuda.jit
    def k(f, o):
        t = cuda.threadIdx.x
        while True:
            if t == 36 or f[t + 1] != 0:
                o[t] = f[t + 1] + 1
                f[t] = o[t]
                break

    o = np.zeros(37, np.int64)
    k[1, 37](np.zeros(38, np.int64), o)
    assert o.tolist() == list(range(37, 0, -1))


@in_a_process
def test_store_in_the_last_iteration():
    @cuda.jit
    def k(f, o):
        t = cuda.threadIdx.x
        done = 0
        while done == 0:
            if t == 36 or f[t + 1] != 0:
                f[t] = f[t + 1] + 1
                done = 1
        o[t] = f[t]

    o = np.zeros(37, np.int64)
    k[1, 37](np.zeros(38, np.int64), o)
    assert o.tolist() == list(range(37, 0, -1))


@pytest.mark.on_the_cpu(reason="a thread of a GPU may be ahead of others")
@in_a_process
def test_store_to_another_element_in_each_iteration():
    @cuda.jit
    def k(f, o):
        t = cuda.threadIdx.x
        s = 0
        while s < 37:
            f[t] = 1
            s = 0
            for i in range(37):
                s += f[i]
        o[t] = s
        while f[0] < 9:
            f[t] = f[t] + (t == 0)
        o[t] += f[0]

    o = np.zeros(37, np.int64)
    k[1, 37](np.zeros(37, np.int64), o)
    assert o.tolist() == [46] * 37


@in_a_process
def test_hand_over_of_a_lock():
    """Each holder hands over by writing elsewhere while it looks."""

    @cuda.jit
    def k(turn, seen, o):
        t = cuda.grid(1)
        while True:
            seen[t] += 1
            if turn[0] == t:
                o[0] = o[0] * 3 % 1009 + t
                turn[0] = t + 1
                return

    o = np.zeros(1, np.int64)
    seen = np.zeros(24, np.int64)
    k[4, 6](np.zeros(1, np.int32), seen, o)
    expected = 0
    for t in range(24):
        expected = expected * 3 % 1009 + t
    assert o[0] == expected and (seen > 0).all()


@in_a_process
def test_wait_in_a_device_function():
    """Here the function waits, and what it waits for is the caller's."""

    @cuda.jit(device=True)
    def any_of(f, n):
        for i in range(n):
            if f[i] != 0:
                return i
        return -1

    @cuda.jit(device=True)
    def wait(f, n):
        found = any_of(f, n)
        while found < 0:
            found = any_of(f, n)
        return found

    @cuda.jit(device=True)
    def tell(f, i):
        f[i] = 1

    @cuda.jit
    def k(f, o):
        t = cuda.threadIdx.x
        if t == 36:
            tell(f, 11)
        else:
            o[t] = wait(f, 37)

    o = np.zeros(37, np.int64)
    k[1, 37](np.zeros(40, np.int32), o)
    assert o.tolist() == [11] * 36 + [0]


@in_a_process
def test_wait_through_an_array_of_the_thread():
    @cuda.jit
    def k(f, o):
        t = cuda.threadIdx.x
        state = cuda.local.array(2, np.int64)
        state[0] = 0
        state[1] = 0
        if t == 36:
            f[5] = 1
        while state[0] == 0:
            state[1] = (state[1] + 1) % 9
            state[0] = f[state[1]]
        o[t] = state[1]

    o = np.zeros(37, np.int64)
    k[1, 37](np.zeros(40, np.int32), o)
    assert o.tolist() == [5] * 37


@in_a_process
def test_wait_with_barriers():
    @cuda.jit
    def k(f, o):
        b = cuda.blockIdx.x
        t = cuda.threadIdx.x
        found = cuda.shared.array(1, np.int64)
        found[0] = 0
        cuda.syncthreads()
        i = 0
        while b < 9 and found[0] == 0:
            cuda.syncthreads()
            if t == 0:
                found[0] = f[b + 1]
            i += 1
            cuda.syncthreads()
        cuda.syncthreads()
        if t == 4:
            o[b] = found[0] + 1
            f[b] = found[0] + 1

    o = np.zeros(10, np.int64)
    k[10, 5](np.zeros(11, np.int64), o)
    assert o.tolist() == list(range(10, 0, -1))


@in_a_process
def test_wait_with_a_bound():
    """The bound is far beyond what a thread needs that lets others run."""

    @cuda.jit
    def k(f, o):
        t = cuda.threadIdx.x
        for i in range(1 << 40):
            if t == 36 or f[t + 1] != 0:
                break
        o[t] = i < 1000000
        f[t] = 1

    o = np.zeros(37, np.int64)
    k[1, 37](np.zeros(38, np.int64), o)
    assert o.tolist() == [1] * 37


@in_a_process
def test_wait_for_one_of_two_arrays():
    @cuda.jit
    def k(f, g, o):
        t = cuda.threadIdx.x
        if t == 36:
            g[3] = 1
        i = 0
        while f[i] == 0:
            if g[i] != 0:
                o[t] = i
                return
            i = (i + 1) % 30
        o[t] = -1

    o = np.zeros(37, np.int64)
    k[1, 37](np.zeros(40, np.int32), np.zeros(40, np.int8), o)
    assert o.tolist() == [3] * 37


@in_a_process
def test_search_that_is_repeated_until_it_finds():
    @cuda.jit
    def k(f, o):
        t = cuda.threadIdx.x
        if t == 36:
            f[3] = 1
        while True:
            found = -1
            for i in range(37):
                if f[i] != 0:
                    found = i
                    break
            if found >= 0:
                break
        n = 0
        while n >= 0:
            for i in range(37):
                if f[i] != 0:
                    o[t] = found + 10 * i
                    return
            n += 1

    o = np.zeros(37, np.int64)
    k[1, 37](np.zeros(40, np.int32), o)
    assert o.tolist() == [33] * 37


@in_a_process
def test_wait_through_an_array_of_the_block():
    @cuda.jit
    def k(f, o):
        seen = cuda.shared.array(40, np.int32)
        t = cuda.threadIdx.x
        seen[t] = 0
        if t == 36:
            f[3, 1] = 5
        while seen[t] == 0:
            seen[t] = f[3, 1]
        o[t] = seen[t]

    o = np.zeros(37, np.int64)
    k[1, 37](np.zeros((8, 5), np.int32), o)
    assert o.tolist() == [5] * 37


@in_a_process
def test_flags_of_each_thread_for_each_other():
    """Each iteration writes at many indices, but not where it reads."""

    @cuda.jit
    def k(f, o):
        t = cuda.threadIdx.x
        s = 0
        while s < 37:
            s = 0
            for i in range(37):
                f[i, t] = 1
                s += f[t, i]
        o[t] = s

    o = np.zeros(37, np.int64)
    k[1, 37](np.zeros((37, 37), np.int32), o)
    assert o.tolist() == [37] * 37


@in_a_process
def test_wait_by_recursion():
    """LLVM makes a loop of it, and would load once."""

    @cuda.jit(device=True)
    def wait(f):
        if f[0] == 0:
            wait(f)

    @cuda.jit
    def k(f, o):
        if cuda.threadIdx.x == 0:
            wait(f)
            o[0] = f[0]
        else:
            f[0] = 7

    f, o = np.zeros(1, np.int32), np.zeros(1)
    k[1, 2](f, o)
    assert o[0] == 7


@pytest.mark.on_the_cpu(reason="a GPU may run thread 1 first")
@in_a_process
def test_wait_by_functions_that_call_each_other():
    @cuda.jit(device=True)
    def here(f, n):
        if f[0] != 0:
            return n
        return there(f, n + 1)

    @cuda.jit(device=True)
    def there(f, n):
        return here(f, n)

    @cuda.jit
    def k(f, o):
        if cuda.threadIdx.x == 0:
            o[0] = 1 + min(here(f, 0), 1)
        else:
            f[0] = 7

    f, o = np.zeros(1, np.int32), np.zeros(1)
    k[1, 2](f, o)
    assert o[0] == 2


@in_a_process
def test_wait_by_recursion_at_changing_indices():
    @cuda.jit(device=True)
    def wait(f, i):
        if f[i] == 0:
            return wait(f, (i + 1) % 5)
        return i

    @cuda.jit
    def k(f, o):
        if cuda.threadIdx.x == 0:
            o[0] = wait(f, 0)
        else:
            f[3] = 7

    f, o = np.zeros(5, np.int32), np.zeros(1)
    k[1, 2](f, o)
    assert o[0] == 3


@in_a_process
def test_flag_of_another_block_by_way_of_shared_memory():
    """The barriers of each iteration are the block's own, the flag is not."""

    @cuda.jit
    def k(total, flags):
        shared = cuda.shared.array(2, np.int32)
        t, block = cuda.threadIdx.x, cuda.gridDim.x - 1 - cuda.blockIdx.x
        if block > 0:
            while True:
                if t == 0:
                    shared[0] = cuda.atomic.add(flags, block - 1, 0)
                cuda.syncthreads()
                if shared[0] != 0:
                    break
                cuda.syncthreads()
        if t == 0:
            total[block] = total[block - 1] + block if block > 0 else 0
            cuda.threadfence()
            flags[block] = 1

    total = np.zeros(4, np.int64)
    k[4, 64](total, np.zeros(4, np.int32))
    assert total.tolist() == [0, 1, 3, 6]


@in_a_process
def test_condition_of_another_block_by_way_of_shared_memory():
    @cuda.jit
    def k(out, flag):
        shared = cuda.shared.array(1, np.int32)
        t = cuda.threadIdx.x
        if cuda.blockIdx.x == 0:
            shared[0] = 0
            cuda.syncthreads()
            while shared[0] == 0:
                cuda.syncthreads()
                if t == 0 and flag[0] == 1:
                    shared[0] = 1
                cuda.syncthreads()
            out[t] = 7
        elif t == 0:
            cuda.atomic.exch(flag, 0, 1)

    out = np.zeros(32, np.int64)
    k[2, 32](out, np.zeros(1, np.int32))
    assert (out == 7).all()
