# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds the cube roots of 1 with complex numbers, from every point of a plane.

Newton's method takes z to z - (z ** 3 - 1) / (3 * z ** 2), again and again.
From most points it ends at the nearest of the three roots; between their realms
lies a border that is a fractal.
"""

import cmath

import numpy as np
from numba import cuda

THIRD = 2 * cmath.pi / 3


@cuda.jit(device=True)
def newton(z):
    return z - (z**3 - 1) / (3 * z**2)


@cuda.jit
def find_roots(corner, step, roots):
    column, row = cuda.grid(2)
    height, width = roots.shape
    if row >= height or column >= width:
        return
    z = corner + complex(column * step.real, -row * step.imag)
    for _ in range(40):
        z = newton(z)
    # The roots are 1 and its turns by a third of a circle.
    roots[row, column] = round(cmath.phase(z) / THIRD)


corner, step = -1.55 + 1.45j, 0.04 + 0.145j
roots = np.zeros((21, 79), dtype=np.int8)
find_roots[(5, 3), (16, 8)](corner, step, roots)

# The same with NumPy, all points in step.
z = corner + np.arange(79) * step.real - 1j * np.arange(21)[:, None] * step.imag
with np.errstate(all="ignore"):
    for _ in range(40):
        z = z - (z**3 - 1) / (3 * z**2)
expected = np.round(np.angle(z) / THIRD).astype(np.int8)

# Where one rounding decides, another root may be found.
assert np.mean(roots == expected) > 0.99
assert roots[10, 78] == 0
assert (roots[:10] == -roots[:-11:-1]).mean() > 0.99

for line in roots:
    print("".join(".#o"[n] for n in line))
print(f"{roots.size} starts end at {np.unique(roots).size} roots")
