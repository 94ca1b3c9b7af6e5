# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reduces arrays by functions of two elements.

`cuda.reduce` makes the kernels and the launches. The function has to be
associative and commutative, since elements meet in no order. It takes arrays of
one dimension, of the host or a device; with `res` the result stays there.
"""

import numpy as np
from numba import cuda


@cuda.reduce
def add(a, b):
    return a + b


@cuda.reduce
def farther(a, b):
    return a if abs(a) > abs(b) else b


heights = np.random.default_rng(7).normal(size=(300, 200)).astype(np.float32)
flat = heights.ravel()

total = add(flat)
assert np.isclose(total, heights.sum(dtype=np.float64), atol=0.1)
assert add(flat, size=3, init=10) == 10 + flat[:3].sum()
assert add(flat[:0]) == 0

extreme = farther(flat)
assert abs(extreme) == np.abs(heights).max()

# On a device nothing is copied to the host on the way.
on_device = cuda.to_device(flat)
row_totals = cuda.device_array(300, dtype=np.float32)
for row in range(300):
    add(on_device[row * 200 : (row + 1) * 200], res=row_totals[row:])
best = int(row_totals.copy_to_host().argmax())
assert best == heights.sum(axis=1).argmax()
print(f"{flat.size} heights: {extreme:.3f} is farthest, row {best} is highest")
