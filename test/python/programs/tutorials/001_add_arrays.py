# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A million sums, with `import numba` alone and the kernel's own guard.

All arrays of the launch lie on the device, and one comes back.
"""

import numba
import numpy as np


@numba.cuda.jit
def add_arrays_cuda(x, y, out):
    idx = numba.cuda.grid(1)
    if idx < out.size:
        out[idx] = x[idx] + y[idx]


host_x = np.arange(1000000, dtype=np.float32)
host_y = np.arange(1000000, dtype=np.float32) * 2

device_x = numba.cuda.to_device(host_x)
device_y = numba.cuda.to_device(host_y)
device_out = numba.cuda.device_array_like(host_x)

threads_per_block = 128
blocks_per_grid = (host_x.size + (threads_per_block - 1)) // threads_per_block

add_arrays_cuda[blocks_per_grid, threads_per_block](
    device_x, device_y, device_out
)

host_out = device_out.copy_to_host()

print(host_out[:10])
