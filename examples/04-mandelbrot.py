# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws the Mandelbrot set: a loop that each thread leaves when it wants to.

A point belongs to the set if z -> z * z + c, started at 0, stays bounded. Each
thread iterates for its own point and breaks out of the loop once |z| exceeds 2,
from where the way leads to infinity. Neighbours may need 2 iterations or 64.
"""

import numpy as np
from numba import cuda

LIMIT = 64


@cuda.jit
def mandelbrot(left, top, dx, dy, iterations):
    column, row = cuda.grid(2)
    height, width = iterations.shape
    if row >= height or column >= width:
        return
    cx = left + column * dx
    cy = top - row * dy
    x = 0.0
    y = 0.0
    n = 0
    while n < LIMIT:
        xx = x * x
        yy = y * y
        if xx + yy > 4.0:
            break
        y = 2.0 * x * y + cy
        x = xx - yy + cx
        n += 1
    iterations[row, column] = n


# From -2.125 to 0.5 and from 1.125 to -1.125, the point 0 being at [9, 68].
left, top, dx, dy = -2.125, 1.125, 0.03125, 0.125
iterations = np.zeros((19, 85), dtype=np.int32)
threads = (16, 8)
blocks = ((85 + 15) // 16, (19 + 7) // 8)
mandelbrot[blocks, threads](left, top, dx, dy, iterations)

# The same with NumPy, all points in step.
c = (left + np.arange(85) * dx) + 1j * (top - np.arange(19) * dy)[:, np.newaxis]
z = np.zeros_like(c)
expected = np.zeros_like(iterations)
for _ in range(LIMIT):
    bounded = np.abs(z) <= 2
    expected += bounded
    z = np.where(bounded, z * z + c, z)

assert iterations[9, 68] == LIMIT  # 0 stays at 0
assert iterations[9, 4] == LIMIT  # -2 goes to 2 and stays there
assert iterations[0, 0] == 1  # far outside
# A fused multiply-add rounds once where NumPy rounds twice, and at the border
# of the set one rounding may decide.
assert np.mean(iterations == expected) > 0.98

for line in iterations:
    # One character for each power of two: 1, 2 to 3, 4 to 7, ..., 64.
    print("".join("  .:-=+#"[int(n).bit_length()] for n in line))
print(f"{np.sum(iterations == LIMIT)} of {iterations.size} points stay bounded")
