# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays of another library, taken as they lie on the device.

Mended: the loop asked for the shape of an array that has another name.
"""

import cupy
from numba import cuda


@cuda.jit
def add(x_array, y_array, output_array):
    start = cuda.grid(1)
    stride = cuda.gridsize(1)
    for i in range(start, x_array.shape[0], stride):
        output_array[i] = x_array[i] + y_array[i]


a = cupy.arange(10)
b = a * 2
out = cupy.zeros_like(a)

add[1, 32](a, b, out)

print(out)
