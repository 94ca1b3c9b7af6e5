# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The same, with both indices from `cuda.grid`."""

import numpy as np
from numba import cuda


@cuda.jit
def doubled_auto_grid(arr):
    x_idx, y_idx = cuda.grid(2)
    arr[x_idx, y_idx] *= 2


arr = np.random.randn(3, 3).astype(np.float32)
doubled_auto_grid[1, (3, 3)](arr)
