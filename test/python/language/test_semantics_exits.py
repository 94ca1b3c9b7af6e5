# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops that are left early, dead ends, and where threads are."""

import numpy as np
import pytest

from pyk import cuda
from test_semantics_control import agree, three


def test_while_true_that_only_returns():
    @cuda.jit
    def k(out):
        t = cuda.grid(1)
        while True:
            out[t] += 1
            if out[t] > t:
                return

    agree(k, 1, 5, np.zeros(5))


def test_loops_that_iterations_once():
    @cuda.jit
    def k(out):
        t = cuda.grid(1)
        for i in range(4):
            out[t] += i + 1
            break
        for i in range(t, 4):
            out[t] += 10
            if t > i - 2:
                continue
            else:
                break
        while t < 3:
            out[t] += 100
            if t:
                break
            return
        for i in range(t):
            if t > 2:
                out[t] += 1000
                return
            else:
                break
        while True:
            out[t] += 10000
            return

    agree(k, 1, 6, np.zeros(6))


def test_what_continue_takes_to_the_next_iteration():
    @cuda.jit
    def k(out):
        x = 1
        for i in range(5):
            out[i] = x
            if i == 2:
                x = 2.5
                continue
            x = 3
        while x > 2:
            out[5] += x
            if x == 3:
                x = 2.25
                continue
            x = 1

    agree(k, 1, 1, np.zeros(6))


def test_every_path_returns():
    @cuda.jit
    def k(out):
        t = cuda.grid(1)
        if t > 4:
            if t > 5:
                return
        else:
            if t > 3:
                return
        out[t] = 1
        if t > 2:
            return
        elif t > 1:
            out[t] = 2
            return
        else:
            for i in range(3):
                out[t] += i
                if out[t] > 1:
                    return
            return
        out[t] = 3

    agree(k, 1, 7, np.zeros(7))


def test_values_leave_a_loop_within_a_branch():
    @cuda.jit
    def k(out):
        t = cuda.grid(1)
        x = 1
        if t > 0:
            for i in range(3):
                x += t
                if t > 7:
                    break
        out[t, 0] = x
        y = 1
        for j in range(2):
            for i in range(t):
                y += t
                if y > 20:
                    break
                elif y > 7:
                    continue
                y += 1
        out[t, 1] = y
        z = 1
        if t != 3:
            while z < 50:
                z += t + 1
                if z % 7 == 0:
                    break
        out[t, 2] = z

    agree(k, 1, 10, np.zeros((10, 3), np.int64))


def test_carried_value_meets_a_constant():
    @cuda.jit
    def k(out):
        t = cuda.grid(1)
        x = 1
        for i in range(5):
            if t == i:
                y = 7
            else:
                y = x
            out[t] = out[t] * 3 + y
            x += t
            if x > 7:
                break

    agree(k, 1, 10, np.zeros(10, np.int64))


def test_loop_left_early_that_carries_a_float():
    @cuda.jit
    def k(out):
        t = cuda.grid(1)
        f = 1.5
        for i in range(-2, 3):
            if i < 1 >= i:
                out[t, 0] += 1
            elif i != +i or f > t:
                break
            else:
                f = f * 2
            if (t if i > 1 else 3) == 3:
                out[t, 1] += i
        out[t, 2] = f

    agree(k, 1, 8, np.zeros((8, 3)))


def test_loop_left_early_with_computed_bounds():
    """The bounds are results of loops and branches themselves."""

    @cuda.jit
    def k(out):
        t = cuda.grid(1)
        place = t * 40
        for i in range(t - 3, t ** (t % 4) - 4, -3):
            if not t:
                break
            out[place] = i
            place += 1
        low = 0
        for i in range(t):
            low += i
        high = low + 2 if t % 2 else low + 4
        for i in range(low, high):
            for j in range(i, high + low % 3):
                out[place] = i * 100 + j
                place += 1
                if j == t:
                    break
            if i > 6:
                return
        out[place] = -1

    agree(k, 1, 10, np.zeros(400, np.int64))


@cuda.jit(device=True)
def nested_exits(t, n):
    found = 0
    for i in range(n):
        for j in range(n):
            for l in range(n):
                found += 1
                if (i + j + l) % 5 == t:
                    break
                if found > 40:
                    return found, i, -1.5
            if j > t:
                continue
            if found % 11 == 0:
                return i, j, 0.5
        found += i
    return found, n, t


def test_tuples_out_of_nested_loops():
    @cuda.jit
    def k(out):
        t, n = cuda.grid(2)
        a, b, c = nested_exits(t, n)
        out[t, n, 0] = a
        out[t, n, 1] = b
        out[t, n, 2] = c
        if n > 2:
            pair = nested_exits(n, t)
            out[t, n, 3] = pair[0] - pair[-1]

    agree(k, 1, (6, 6), np.zeros((6, 6, 4)))


@pytest.mark.parametrize(
    ("grid", "block"),
    [
        (1, 1),
        (3, 31),
        (2, 33),
        (1, 1000),
        ((2, 3), (5, 7)),
        ((3, 1, 2), (3, 5, 2)),
        ((1, 2, 2), (1, 1, 64)),
    ],
)
def test_positions(grid, block):
    @cuda.jit
    def k(out, extents):
        x, y, z = cuda.grid(3)
        w, h, d = cuda.gridsize(3)
        n = (x * h + y) * d + z
        out[n, 0] += x * 10000 + y * 100 + z
        out[n, 1] = cuda.threadIdx.x + cuda.threadIdx.y * 64
        out[n, 2] = cuda.blockIdx.z * 9 + cuda.blockIdx.y * 3 + cuda.blockIdx.x
        out[n, 3] = cuda.threadIdx.z * cuda.blockDim.z
        i, j = cuda.grid(2)
        out[n, 4] = i - j + cuda.grid(1)
        extents[0] = cuda.blockDim.x + cuda.blockDim.y * 2000
        extents[1] = cuda.gridDim.x + cuda.gridDim.y * 10 + cuda.gridDim.z * 100
        extents[2] = w + 1000 * h + 1000000 * d + cuda.gridsize(1)

    size = int(np.prod(three(grid)) * np.prod(three(block)))
    agree(k, grid, block, np.zeros((size, 5), np.int64), np.zeros(3, np.int64))


def test_many_blocks():
    @cuda.jit
    def k(out):
        if cuda.threadIdx.x == 1:
            out[cuda.blockIdx.x] = cuda.grid(1)

    out = np.zeros(100_000, np.int64)
    k[out.size, 2](out)
    np.testing.assert_array_equal(out, np.arange(out.size) * 2 + 1)
