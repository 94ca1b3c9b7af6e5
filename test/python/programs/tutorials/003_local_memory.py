# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each thread fills scratch arrays that no other thread sees."""

import numba.cuda
import numpy as np

BINS = 5


@numba.cuda.jit
def most_common(values, winners):
    counts = numba.cuda.local.array(BINS, numba.int32)
    row = numba.cuda.grid(1)
    if row >= winners.size:
        return
    for b in range(BINS):
        counts[b] = 0
    for i in range(values.shape[1]):
        counts[values[row, i]] += 1
    winner = 0
    for b in range(1, BINS):
        if counts[b] > counts[winner]:
            winner = b
    winners[row] = winner


@numba.cuda.jit
def fibonacci(a):
    i = numba.cuda.grid(1)
    old = numba.cuda.local.array(shape=(2, 2), dtype=numba.int64)
    new = numba.cuda.local.array(shape=(2, 2), dtype=numba.int64)
    old[0, 0], old[0, 1], old[1, 0], old[1, 1] = 1, 0, 0, 1
    for _ in range(i):
        for row in range(2):
            new[row, 0] = old[row, 0] + old[row, 1]
            new[row, 1] = old[row, 0]
        for row in range(2):
            for column in range(2):
                old[row, column] = new[row, column]
    a[i] = old[0, 1]


rng = np.random.default_rng(5)
values = rng.integers(0, BINS, (33, 101))
winners = np.full(33, -1)
most_common[2, 20](values, winners)

numbers = np.zeros(20, dtype=np.int64)
fibonacci[5, 4](numbers)
