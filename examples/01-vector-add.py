# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Adds two vectors, one thread for each element.

The smallest complete program: a kernel, NumPy arrays in, a launch, the result
out. The number of elements is no multiple of the block size, so the last block
has threads too many; the `if` keeps them out.
"""

import numpy as np
from numba import cuda


@cuda.jit
def add(x, y, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = x[i] + y[i]


n = 10_001
x = np.arange(n, dtype=np.float32)
y = 2 * x
out = np.zeros_like(x)

threads = 128
blocks = (n + threads - 1) // threads
add[blocks, threads](x, y, out)

assert np.array_equal(out, x + y)
assert out[1] == 3 and out[10_000] == 30_000
print(f"added {n} elements: {out[:4]} ... {out[-1]}")
