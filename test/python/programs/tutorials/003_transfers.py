# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every way to memory on the device and back.

Mended: `copy_to_host` is a method of the device's arrays, not a function.
"""

import numba.cuda
import numpy as np


@numba.cuda.jit(device=True)
def mean(a, b):
    return (a + b) / 2


@numba.cuda.jit
def means(first, second, out):
    row, column = numba.cuda.grid(2)
    if row < out.shape[0] and column < out.shape[1]:
        out[row, column] = mean(first[row, column], second[row, column])


first = np.arange(15, dtype=np.float32).reshape(3, 5)
second = np.asfortranarray(first * 3)

device_first = numba.cuda.to_device(first)
device_second = numba.cuda.to_device(second)
by_shape = numba.cuda.device_array((3, 5), dtype=np.float32)
by_likeness = numba.cuda.device_array_like(second)

means[(1, 1), (4, 8)](device_first, device_second, by_shape)
means[(2, 3), (2, 2)](device_first, by_shape, by_likeness)

host_means = by_shape.copy_to_host()
host_quarters = np.empty((3, 5), dtype=np.float32, order="F")
by_likeness.copy_to_host(host_quarters)
