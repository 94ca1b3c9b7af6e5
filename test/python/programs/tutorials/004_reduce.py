# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""All elements in one, by a function of two; arrays of one dimension only."""

import numpy as np
from numba import cuda


@cuda.reduce
def reduce_gpu(a, b):
    return a + b


arr = np.random.randn(3, 3).astype(np.float32)
flattened_arr = arr.flatten()
reduced_arr = reduce_gpu(flattened_arr)
