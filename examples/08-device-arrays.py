# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Keeps data on the device from one launch to the next.

A kernel takes NumPy arrays, but then each launch copies them there and back.
Here one transfer brings the values, ten launches work on arrays that stay where
they are, and one transfer brings the running totals. What a launch wrote is
there when the next one reads it: the end of a launch is a barrier for all.
"""

import numpy as np
from numba import cuda


@cuda.jit
def add_from_left(old, new, distance):
    i = cuda.grid(1)
    if i < new.size:
        new[i] = old[i]
        if i >= distance:
            new[i] += old[i - distance]


n = 1_003
values = np.arange(n, dtype=np.int64)
old = cuda.to_device(values)
new = cuda.device_array_like(old)  # its elements are whatever was there

threads = 64
blocks = (n + threads - 1) // threads
distance = 1
launches = 0
while distance < n:
    # old[i] is the sum of the last `distance` values up to i; now of twice
    # as many.
    add_from_left[blocks, threads](old, new, distance)
    old, new = new, old
    distance *= 2
    launches += 1

totals = old.copy_to_host()

assert launches == 10
assert np.array_equal(totals, np.cumsum(values))
assert totals[-1] == 502_503  # 0 + 1 + ... + 1,002
assert np.array_equal(values, np.arange(n))  # the device had a copy
print(f"{n} running totals by {launches} launches: ... {totals[-3:]}")
