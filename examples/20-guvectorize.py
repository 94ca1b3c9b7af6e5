# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a function of matrices one of whole stacks of them.

The core dimensions, here (n,n) and (n), say what the function gets of each
argument. All other dimensions are a loop with a thread for each iteration.
"""

import numpy as np
from numba import cuda, float32, guvectorize


@guvectorize(
    ["(float64[:,:], float64[:], float64[:])"],
    "(n,n),(n)->(n)",
    target="cuda",
    writable_args=(0,),
)
def solve(matrix, right, x):
    n = right.size
    for i in range(n):
        x[i] = right[i]
    for pivot in range(n):
        for row in range(pivot + 1, n):
            factor = matrix[row, pivot] / matrix[pivot, pivot]
            for column in range(pivot, n):
                matrix[row, column] -= factor * matrix[pivot, column]
            x[row] -= factor * x[pivot]
    for row in range(n - 1, -1, -1):
        for column in range(row + 1, n):
            x[row] -= matrix[row, column] * x[column]
        x[row] /= matrix[row, row]


# A thousand sets of equations, and the same right side for each.
rng = np.random.default_rng(11)
matrices = rng.normal(size=(1000, 3, 3)) + 5 * np.eye(3)
right = np.array([1.0, 2.0, 3.0])
x = solve(matrices.copy(), right)
assert x.shape == (1000, 3)
worst = np.abs(matrices @ x[..., np.newaxis] - right[:, np.newaxis]).max()
assert worst < 1e-10


@guvectorize([(float32[:, :], float32[:, :])], "(m,n)->(m,n)", target="cuda")
def doubled(arr, out):
    for i in range(arr.shape[0]):
        for j in range(arr.shape[1]):
            out[i, j] = arr[i, j] * 2


# An input of the host and a result on the device.
arr = np.random.randn(3, 3).astype(np.float32)
out = cuda.device_array_like(arr)
doubled(arr, out)
assert np.array_equal(out.copy_to_host(), arr * 2)
print(f"{len(x)} sets of 3 equations, off by 1e-10 at most: {worst < 1e-10}")
