# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Solves quadratic equations with a device function.

A device function is called by kernels and by other device functions. This one
returns early, once for each kind of equation, and returns three values at once,
which its caller unpacks.
"""

import math

import numpy as np
from numba import cuda


@cuda.jit(device=True)
def discriminant(a, b, c):
    return b * b - 4.0 * a * c


@cuda.jit(device=True)
def solve(a, b, c):
    """Real solutions of a x^2 + b x + c = 0: how many, and both in order."""
    if a == 0.0:
        if b == 0.0:
            return 0, 0.0, 0.0
        return 1, -c / b, -c / b
    d = discriminant(a, b, c)
    if d < 0.0:
        return 0, 0.0, 0.0
    root = math.sqrt(d)
    first = (-b - root) / (2.0 * a)
    second = (-b + root) / (2.0 * a)
    if first > second:
        first, second = second, first
    if d == 0.0:
        return 1, first, second
    return 2, first, second


@cuda.jit
def solve_all(equations, counts, solutions):
    i = cuda.grid(1)
    if i >= counts.size:
        return
    a, b, c = equations[i, 0], equations[i, 1], equations[i, 2]
    count, low, high = solve(a, b, c)
    counts[i] = count
    solutions[i, 0] = low
    solutions[i, 1] = high


n = 1_003
equations = np.empty((n, 3))
# Most are (x - p) (x - q) = x^2 - (p + q) x + p q, with known solutions p <= q.
p = np.arange(n) / 4.0
q = p + np.arange(n) % 3
equations[:, 0] = 1.0
equations[:, 1] = -(p + q)
equations[:, 2] = p * q
# The first three are special: no solution, one because it is linear, none.
equations[0] = 1.0, 0.0, 1.0
equations[1] = 0.0, 2.0, -3.0
equations[2] = 0.0, 0.0, 5.0

counts = np.zeros(n, dtype=np.int32)
solutions = np.zeros((n, 2))
threads = 64
solve_all[(n + threads - 1) // threads, threads](equations, counts, solutions)

assert list(counts[:3]) == [0, 1, 0]
assert list(solutions[1]) == [1.5, 1.5]
assert np.array_equal(counts[3:], np.where(p == q, 1, 2)[3:])
assert np.array_equal(solutions[3:], np.column_stack([p, q])[3:])
print(f"{counts.sum()} solutions of {n} equations; the last: {solutions[-1]}")
