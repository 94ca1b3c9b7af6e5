# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A function of whole arrays, with an array on the host and one on the device.

Mended: the names that the introduction imports elsewhere.
"""

import numpy as np
from numba import cuda, float32, guvectorize


@guvectorize([(float32[:, :], float32[:, :])], "(m,n)->(m,n)", target="cuda")
def doubled_gufunc(arr, out):
    for i in range(arr.shape[0]):
        for j in range(arr.shape[1]):
            out[i, j] = arr[i, j] * 2


arr = np.random.randn(3, 3).astype(np.float32)
out = cuda.device_array_like(arr)
doubled_gufunc(arr, out)
out = out.copy_to_host()
