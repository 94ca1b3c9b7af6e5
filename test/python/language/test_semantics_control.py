# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Control flow in kernels, with the same function run by Python as oracle."""

import itertools
from types import SimpleNamespace

import numpy as np
import pytest

from pyk import CompileError, cuda

STEPS = 4


class Thread:
    """What `cuda` is to a function that Python runs as one thread."""

    def __init__(self, grid, block, block_index, index):
        for name, numbers in [
            ("gridDim", grid),
            ("blockDim", block),
            ("blockIdx", block_index),
            ("threadIdx", index),
        ]:
            setattr(self, name, SimpleNamespace(**dict(zip("xyz", numbers))))
        self.position = [
            b * n + t for b, n, t in zip(block_index, block, index)
        ]
        self.total = [g * b for g, b in zip(grid, block)]
        self.local = SimpleNamespace(array=np.zeros)

    def grid(self, rank):
        return self.position[0] if rank == 1 else tuple(self.position[:rank])

    def gridsize(self, rank):
        return self.total[0] if rank == 1 else tuple(self.total[:rank])


def three(shape):
    shape = shape if isinstance(shape, tuple) else (shape,)
    return shape + (1,) * (3 - len(shape))


def simulate(function, grid, block, *arguments):
    """Runs a function of this module in Python, once for each thread."""
    grid, block = three(grid), three(block)
    scope = function.__globals__
    saved = dict(scope)
    for name, value in saved.items():
        scope[name] = getattr(value, "py_func", value)
    try:
        for where in itertools.product(*map(range, grid)):
            for index in itertools.product(*map(range, block)):
                scope["cuda"] = Thread(grid, block, where, index)
                function(*arguments)
    finally:
        scope.update(saved)


def agree(kernel, grid, block, *arguments):
    """Runs a kernel, and its function in Python, and compares arrays."""
    copies = [a.copy() if np.ndim(a) else a for a in arguments]
    kernel[grid, block](*arguments)
    simulate(kernel.py_func, grid, block, *copies)
    for got, expected in zip(arguments, copies):
        np.testing.assert_array_equal(got, expected)
    assert any(np.any(a) for a in arguments if np.ndim(a))


LEAVE = ["pass", "break", "continue", "return"]


@cuda.jit(device=True)
def search(n, inner, outer, early):
    """Two loops that are left in every way."""
    steps = 0
    for i in range(n):
        j = 0
        while j < n:
            j += 1
            steps += 1
            if j == inner:
                if early == 1:
                    break
                elif early == 2:
                    continue
                elif early == 3:
                    return steps * 1000 + i * 10 + j
            steps += 10
        if i == outer:
            if early == 4:
                break
            if early == 5:
                continue
            if early == 6:
                return -steps
        steps += 100
    return steps


def test_loops_left_in_every_way():
    @cuda.jit
    def k(out):
        n, inner = cuda.grid(2)
        for outer in range(out.shape[2]):
            for early in range(out.shape[3]):
                out[n, inner, outer, early] = search(n, inner, outer, early)

    agree(k, (1, 1), (5, 6), np.zeros((5, 6, 5, 7), np.int64))


@pytest.mark.parametrize("second", LEAVE)
@pytest.mark.parametrize("first", LEAVE)
@pytest.mark.parametrize(
    "loop", ["while i < n", "while True", "for i in range(n)"]
)
def test_two_ways_out_of_a_loop(loop, first, second, tmp_path, monkeypatch):
    text = f"""
from pyk import cuda
import numpy as np

def k(out, n, p, q):
    i = 0
    t = cuda.grid(1)
    total = 0
    {loop}:
        i += 1
        if i > n:
            break
        total += 1
        if i % 3 == p:
            if t % 2:
                {first}
            total += 10
        elif i == q:
            total += 100
            {second}
        total += 1000
        out[t, 1] = i
    out[t, 0] = total
    out[t, 2] = i
"""
    path = tmp_path / "program.py"
    path.write_text(text)
    scope = {}
    exec(compile(text, str(path), "exec"), scope)
    kernel = cuda.jit(scope["k"])
    for n, p, q in [(0, 0, 0), (1, 1, 1), (9, 2, 4), (9, 7, 9)]:
        agree(kernel, 1, 4, np.full((4, 3), -1), n, p, q)


def test_loop_variable_after_the_loop():
    @cuda.jit
    def k(out, n):
        i = -5
        for i in range(n):
            pass
        out[0] = i
        for j in range(10, 0, -3):
            if j == n:
                break
        out[1] = j
        for i in range(3, n):
            i = i * 2
        out[2] = i
        for i in range(n):
            for i in range(2):
                out[3] += i
            out[4] += i
        out[5] = i

    for n in (0, 1, 2, 4, 7, 8):
        agree(k, 1, 1, np.full(6, 99), n)


def test_range_in_every_direction():
    @cuda.jit
    def k(out, start, stop, step):
        count = 0
        last = 77
        for i in range(start, stop, step):
            count += 1
            last = i
        out[0] = count
        out[1] = last

    top = 2**63 - 1
    for bounds in [
        *itertools.product((-3, 0, 4), (-4, 0, 5), (-2, -1, 1, 3)),
        (top - 2, top, 2),
        (top - 3, top, 2),
        (-top, -top - 1, -1),
        (-top + 3, -top - 1, -3),
        (-top - 1, top, top),
        (top, -top - 1, -top),
        (0, 10, top),
        (5, 0, -top - 1),
    ]:
        agree(k, 1, 1, np.zeros(2, np.int64), *bounds)


@pytest.mark.parametrize(
    "dtype", [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32]
)
def test_range_of_narrow_arguments(dtype):
    @cuda.jit
    def k(out, n):
        for i in range(n):
            out[i % 300] += i

    top = dtype(min(np.iinfo(dtype).max, 1000))
    out = np.zeros(300, np.int64)
    k[1, 1](out, top)
    expected = np.bincount(np.arange(top) % 300, np.arange(top), 300)
    np.testing.assert_array_equal(out, expected)


def test_variables_defined_on_one_path():
    @cuda.jit
    def k(out, n):
        t = cuda.grid(1)
        if t > 2:
            x = t * 2
            y = 1.5
        if t > 4:
            z = x + y
        else:
            z = 0.25
        for i in range(t):
            last = i * z
        if t:
            out[t] = last
        else:
            out[t] = -1

    agree(k, 1, 9, np.zeros(9), 3)


def test_variable_that_only_other_paths_assign():
    """It is zero, of the type of the first assignment, as in Numba."""

    @cuda.jit
    def k(out, n):
        if n > 10:
            x = 2.5
            y = (3, 4.5)
            z = n
            return
        out[0] = x + 1
        out[1] = y[0] + y[1]
        for i in range(n):
            if i > 10:
                w = np.float32(i)
                break
            if i > 20:
                z = 2.5
                continue
            out[2] += w + 1
        out[3] = z / 2 + 1
        while n < 100:
            n += 60
            if n > 1000:
                v = 5
                break
        else:
            out[4] = v - 1
        out[5] = v - 1

    out = np.zeros(6)
    k[1, 1](out, 3)
    assert out.tolist() == [1, 0, 3, 1, -1, -1]


def test_variable_that_no_path_assigns():
    def assigned_behind_a_return(out):
        if out[0] == 0:
            return
            x = 1
        out[0] = x  # noqa: F821

    def assigned_in_a_dead_branch(out):
        if STEPS == 0:
            x = 1
        out[0] = x

    def assigned_below(out):
        for i in range(3):
            if i > 0:
                out[0] = x  # noqa: F821
            x = i

    for function in (
        assigned_behind_a_return,
        assigned_in_a_dead_branch,
        assigned_below,
    ):
        with pytest.raises(CompileError, match="'x' is read before it is ass"):
            cuda.jit(function)[1, 1](np.zeros(1))


def test_variables_change_type():
    @cuda.jit
    def k(out, n):
        t = cuda.grid(1)
        x = 1
        for i in range(n):
            x = x * 0.5 + i
        y = t
        y = y + 0.5
        y = y > 1
        z = 3
        if t % 2:
            z = 0.75
        w = 0
        while w < n:
            w += 0.5
        out[t, 0] = x
        out[t, 1] = y
        out[t, 2] = z
        out[t, 3] = w
        a = 1
        b = 0.5
        for _ in range(t):
            a, b = b, a
        out[t, 4] = a
        out[t, 5] = b

    for n in (0, 1, 5):
        agree(k, 1, 6, np.zeros((6, 6)), n)


@cuda.jit(device=True)
def collatz(n):
    steps = 0
    while True:
        if n == 1:
            return steps
        if steps > 60:
            break
        steps += 1
        if n % 2:
            n = 3 * n + 1
            continue
        n //= 2
    return -n


@cuda.jit(device=True)
def factors(n):
    for i in range(2, n):
        for j in range(i, n):
            if i * j == n:
                return i, j, 0.5
            if i * j > n:
                break
    return 1, n, 0


@cuda.jit(device=True)
def fibonacci(n):
    if n < 2:
        return n
    return fibonacci(n - 1) + fibonacci(n - 2)


@cuda.jit(device=True)
def ackermann(m, n):
    if m == 0:
        return n + 1
    elif n == 0:
        return ackermann(m - 1, 1)
    return ackermann(m - 1, ackermann(m, n - 1))


@cuda.jit(device=True)
def fill(array, start, step=1, limit=100):
    for i in range(array.shape[0]):
        if start > limit:
            return i
        array[i] = start
        start += step
    return array.shape[0]


def test_device_functions_with_loops():
    @cuda.jit
    def k(out):
        t = cuda.grid(1)
        out[t, 0] = collatz(t + 1)
        i, j, half = factors(t + 2)
        out[t, 1] = i
        out[t, 2] = j + half
        out[t, 3] = fibonacci(t % 12)
        out[t, 4] = ackermann(2, t % 5)
        scratch = cuda.local.array(40, np.int64)
        out[t, 5] = fill(scratch, t, step=t + 1)
        out[t, 6] = fill(scratch, limit=t * 2, start=3)
        out[t, 7] = scratch[0] + scratch[t % 2]

    agree(k, 2, 25, np.zeros((50, 8)))


@cuda.jit(device=True)
def classify(x):
    if x < 0:
        if x < -10:
            return 1
    elif x > 10:
        return 2
    elif x == 0:
        return 3
    else:
        pass
    while x > 5:
        x -= 1
        if x == 7:
            return 4
    return 6


def test_branches_that_fall_through():
    @cuda.jit
    def k(out):
        t = cuda.grid(1)
        out[t] = classify(t - 15)
        out[t] += 10 if t > 5 and t < 9 or not t % 7 else 20 if t else 30
        if t % 2 and (t % 3 or t % 5) and not (t > 20 or t < 3):
            out[t] += 100
        elif 4 < t <= 8 != t:
            out[t] += 200

    agree(k, 1, 32, np.zeros(32, np.int64))


def test_arm_that_does_nothing_beside_an_exit():
    @cuda.jit
    def k(out, n):
        t = cuda.grid(1)
        if t < n:
            pass
        else:
            return
        for i in range(4):
            if i != t:
                "nothing"
            else:
                continue
            out[t] += 10
        out[t] += 1

    agree(k, 2, 4, np.zeros(8), 5)


# What is true while compiling decides nothing of what is not.
def test_constants_beside_what_a_launch_knows():
    flag = 1

    @cuda.jit
    def k(out, n):
        if n > 0 and flag:
            out[0] = 1
        else:
            out[0] = 2
        out[1] = 3 if True and n > 0 else 4
        if n > 0 or not flag:
            out[2] = 5
        else:
            out[2] = 6

    for n, expected in ((1, [1, 3, 5]), (0, [2, 4, 6])):
        out = np.zeros(3)
        k[1, 1](out, n)
        assert out.tolist() == expected
