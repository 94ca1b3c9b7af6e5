# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One block walks over arrays of any length in strides of its own size.

Inputs lie on the device; the result is a host array, which the launch copies
there and back.
"""

import numpy as np
from numba import cuda


@cuda.jit
def vector_add(a, b, result):
    idx = cuda.threadIdx.x
    stride = cuda.blockDim.x

    for i in range(idx, len(a), stride):
        result[i] = a[i] + b[i]


a = np.array([1, 2, 3])
b = np.array([4, 5, 6])

device_a = cuda.to_device(a)
device_b = cuda.to_device(b)
result = np.zeros_like(a)

block_size = 32
grid_size = (len(a) + (block_size - 1)) // block_size

vector_add[grid_size, block_size](device_a, device_b, result)

cuda.synchronize()

print(result)
