# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lets heat spread through a box: a seven-point stencil in three dimensions.

Each thread updates one cell from its six neighbours. `x` runs along the last
axis, whose cells are neighbours in memory. Cells on the surface keep their
temperature.
"""

import numpy as np
from numba import cuda


@cuda.jit
def step(old, new, rate):
    x, y, z = cuda.grid(3)
    depth, height, width = old.shape
    if z >= depth or y >= height or x >= width:
        return
    here = old[z, y, x]
    if 0 < z < depth - 1 and 0 < y < height - 1 and 0 < x < width - 1:
        around = old[z - 1, y, x] + old[z + 1, y, x]
        around += old[z, y - 1, x] + old[z, y + 1, x]
        around += old[z, y, x - 1] + old[z, y, x + 1]
        here += rate * (around - 6.0 * here)
    new[z, y, x] = here


shape = (13, 21, 37)
old = np.zeros(shape)
old[6, 10, 18] = 4_096.0
new = np.zeros(shape)
expected = old.copy()

# A rate of 1/8 and few steps: all values are exact.
rate = 0.125
threads = (8, 4, 4)
blocks = ((37 + 7) // 8, (21 + 3) // 4, (13 + 3) // 4)
for _ in range(4):
    step[blocks, threads](old, new, rate)
    old, new = new, old

    # The same with NumPy.
    e = expected
    around = e[:-2, 1:-1, 1:-1] + e[2:, 1:-1, 1:-1]
    around += e[1:-1, :-2, 1:-1] + e[1:-1, 2:, 1:-1]
    around += e[1:-1, 1:-1, :-2] + e[1:-1, 1:-1, 2:]
    e[1:-1, 1:-1, 1:-1] += rate * (around - 6.0 * e[1:-1, 1:-1, 1:-1])

assert np.array_equal(old, expected)
assert old.sum() == 4_096  # none of the heat has reached the surface
assert old[6, 10, 18] == 250 and old[6, 10, 22] == 1
print(
    f"after 4 steps: {old[6, 10, 18]} in the middle, {old[6, 10, 22]} far out"
)
