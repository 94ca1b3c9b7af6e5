# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A function of one element that is called with arrays, as NumPy's are.

Mended: the names that the introduction imports elsewhere.
"""

import numpy as np
from numba import float32, vectorize


@vectorize([float32(float32)], target="cuda")
def doubled_ufunc(arr):
    arr *= 2
    return arr


arr = np.random.randn(3, 3).astype(np.float32)
out = doubled_ufunc(arr)
