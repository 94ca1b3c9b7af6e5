# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The program of tour.md: the first number above a limit in each row."""

import numpy as np
from numba import cuda


@cuda.jit
def first_above(rows, limit, found):
    row = cuda.grid(1)
    if row >= found.size:
        return
    for column in range(rows.shape[1]):
        if rows[row, column] > limit:
            found[row] = column
            break


rows = np.array([[1, 5, 2], [0, 0, 0], [7, 8, 9]], dtype=np.float32)
found = np.full(3, -1, dtype=np.int32)
first_above[1, 32](rows, 4.0, found)
print(found)
