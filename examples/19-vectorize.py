# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes universal functions: one of numbers becomes one of arrays.

No kernel, no index and no launch is written. Arrays are broadcast as by NumPy,
and types chosen as by NumPy; a result is on the device if an argument is.
"""

import math

import numpy as np
from numba import cuda, float32, float64, vectorize


@cuda.jit(device=True)
def bump(r):
    return math.exp(-1 / (1 - r * r)) if r < 1 else 0.0


@vectorize(
    [float32(float32, float32), float64(float64, float64)], target="cuda"
)
def hill(x, y):
    return bump(math.sqrt(x * x + y * y))


@vectorize([float32(float32)], target="cuda")
def doubled(arr):
    arr *= 2
    return arr


# One row and one column: 301 times 201 results.
x = np.linspace(-1.5, 1.5, 301)
y = np.linspace(-1, 1, 201)[:, np.newaxis]
heights = hill(x, y)
assert heights.shape == (201, 301) and heights.dtype == np.float64
assert np.isclose(heights.max(), math.exp(-1))
assert hill(0, 0) == heights.max()
assert hill(x.astype(np.float32), np.float32(0)).dtype == np.float32

arr = np.random.randn(3, 3).astype(np.float32)
out = doubled(arr)
assert np.array_equal(out, arr * 2)

# The result of one is the argument of the next, on the device.
on_device = doubled(doubled(cuda.to_device(arr)))
assert np.array_equal(on_device.copy_to_host(), arr * 4)


# Without signatures: compiled for what it is called with.
@vectorize
def clipped(value, low, high):
    return min(max(value, low), high)


assert list(clipped(np.arange(6), 1, 4)) == [1, 1, 2, 3, 4, 4]
inside = np.count_nonzero(heights)
print(f"{inside} of {heights.size} places are on the hill; {clipped.types}")
