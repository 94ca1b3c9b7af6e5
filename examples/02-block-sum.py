# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sums an array, one block of threads for each piece of it.

The threads of a block put their elements into shared memory and then halve the
number of partial sums again and again, with a barrier after each step. Threads
beyond the end of the array return before the first barrier: a barrier waits for
the threads that are still there, not for those that have left.
"""

import numpy as np
from numba import cuda

BLOCK = 100


@cuda.jit
def block_sum(values, sums):
    partial = cuda.shared.array(BLOCK, dtype=np.int64)
    thread = cuda.threadIdx.x
    i = cuda.grid(1)
    if i >= values.size:
        return
    partial[thread] = values[i]
    cuda.syncthreads()

    # How many partial sums there are; the last block may have fewer.
    count = values.size - cuda.blockIdx.x * BLOCK
    if count > BLOCK:
        count = BLOCK
    while count > 1:
        # Fold the upper half onto the lower; of an odd count, the element in
        # the middle stays where it is.
        half = (count + 1) // 2
        if thread + half < count:
            partial[thread] += partial[thread + half]
        cuda.syncthreads()
        count = half
    if thread == 0:
        sums[cuda.blockIdx.x] = partial[0]


n = 10_007
values = np.arange(1, n + 1, dtype=np.int32)
blocks = (n + BLOCK - 1) // BLOCK
sums = np.zeros(blocks, dtype=np.int64)

block_sum[blocks, BLOCK](values, sums)

assert sums[0] == 5_050  # 1 + 2 + ... + 100
assert sums[-1] == 70_028  # 10,001 + ... + 10,007, by 7 of 100 threads
assert np.array_equal(sums, np.add.reduceat(values, range(0, n, BLOCK)))
print(f"sum of 1 to {n}: {sums.sum()} from {blocks} blocks")
