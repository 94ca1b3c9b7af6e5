# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lets any number of threads do the work of any array.

A thread begins at its own place and goes on in strides of the whole grid. So
the shape of the launch is no part of the algorithm: one thread does all, few
do a share each, and of too many some find nothing to do. Neighbouring threads
always are at neighbouring elements.
"""

import numpy as np
from numba import cuda


@cuda.jit
def collatz(lengths):
    for i in range(cuda.grid(1), lengths.size, cuda.gridsize(1)):
        n = i + 1
        length = 0
        while n != 1:
            n = 3 * n + 1 if n % 2 else n // 2
            length += 1
        lengths[i] = length


n = 2_000
shapes = [(1, 1), (3, 50), (16, 256)]
results = []
for blocks, threads in shapes:
    lengths = np.zeros(n, dtype=np.int32)
    collatz[blocks, threads](lengths)
    results.append(lengths)

first = results[0]
assert list(first[:8]) == [0, 1, 7, 2, 5, 8, 16, 3]
assert first[26] == 111  # 27 goes a long way
assert all(np.array_equal(first, other) for other in results[1:])
print(
    f"the longest way to 1 from below {n}: {first.max()} steps "
    f"from {first.argmax() + 1}, by 1, 150 and 4096 threads"
)
