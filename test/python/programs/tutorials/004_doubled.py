# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A host array changed in place, by one block of two dimensions."""

import numpy as np
from numba import cuda


@cuda.jit
def doubled(arr):
    x_idx = cuda.threadIdx.x
    y_idx = cuda.threadIdx.y
    arr[x_idx, y_idx] *= 2


arr = np.random.randn(3, 3).astype(np.float32)
doubled[1, (3, 3)](arr)
