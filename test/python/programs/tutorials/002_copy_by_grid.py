# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""As many threads as elements: the kernel needs no guard."""

import numpy as np
from numba import cuda

input = np.asarray(range(10))
output = np.zeros(len(input))


@cuda.jit
def foo(input_array, output_array):
    i = cuda.grid(1)
    output_array[i] = input_array[i]


foo[1, len(input)](input, output)

output
