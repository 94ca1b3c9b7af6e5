# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Multiplies two matrices tile by tile through shared memory.

Each block computes one tile of the product. It walks along a row of tiles of
the left matrix and a column of tiles of the right one; each element of a tile
is read from global memory once and then used by a whole row or column of
threads. Extents are no multiples of the tile, so tiles at the edge are filled
up with zeros.
"""

import numpy as np
from numba import cuda

TILE = 16


@cuda.jit
def matmul(a, b, c):
    a_tile = cuda.shared.array((TILE, TILE), dtype=np.float32)
    b_tile = cuda.shared.array((TILE, TILE), dtype=np.float32)
    column, row = cuda.grid(2)
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    depth = a.shape[1]

    total = np.float32(0)
    for start in range(0, depth, TILE):
        # Threads outside the product still load: others need what they bring.
        a_tile[ty, tx] = 0
        if row < a.shape[0] and start + tx < depth:
            a_tile[ty, tx] = a[row, start + tx]
        b_tile[ty, tx] = 0
        if start + ty < depth and column < b.shape[1]:
            b_tile[ty, tx] = b[start + ty, column]
        cuda.syncthreads()  # both tiles are complete

        for k in range(TILE):
            total += a_tile[ty, k] * b_tile[k, tx]
        cuda.syncthreads()  # nobody needs them any more

    if row < c.shape[0] and column < c.shape[1]:
        c[row, column] = total


rows, depth, columns = 67, 45, 83
# Small whole numbers: every sum is exact in float32, whatever its order.
a = np.arange(rows * depth, dtype=np.float32).reshape(rows, depth) % 7 - 3
b = np.arange(depth * columns, dtype=np.float32).reshape(depth, columns) % 5 - 2
c = np.zeros((rows, columns), dtype=np.float32)

blocks = ((columns + TILE - 1) // TILE, (rows + TILE - 1) // TILE)
matmul[blocks, (TILE, TILE)](a, b, c)

assert np.array_equal(c, a @ b)
assert c[0, 0] == 3 and c[66, 82] == 10
print(
    f"{rows}x{depth} times {depth}x{columns}: corners {c[0, 0]} and {c[-1, -1]}"
)
