# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A thread's place from its block's, and host arrays of two dtypes.

Mended: the guard asked for the size of an array that has another name.
"""

import numpy as np
from numba import cuda


@cuda.jit
def foo(input_array, output_array):
    thread_id = cuda.threadIdx.x
    block_id = cuda.blockIdx.x
    block_width = cuda.blockDim.x
    i = thread_id + block_id * block_width
    if i < input_array.size:
        output_array[i] = input_array[i]


input = np.asarray(range(10))
output = np.zeros(len(input))


block_threads = 32
grid_blocks = (input.size + (block_threads - 1)) // block_threads

foo[grid_blocks, block_threads](input, output)
