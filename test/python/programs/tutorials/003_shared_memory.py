# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Threads of a block read what others wrote to shared memory.

A barrier stands between both. Each block has memory of its own.
"""

import numba.cuda
import numpy as np

ROWS, COLUMNS = 8, 4


@numba.cuda.jit
def transpose_blocks(a):
    tile = numba.cuda.shared.array((ROWS, COLUMNS), numba.float64)
    row = numba.cuda.threadIdx.x
    column = numba.cuda.threadIdx.y
    block = numba.cuda.blockIdx.x
    tile[row, column] = a[block, row, column]
    numba.cuda.syncthreads()
    place = column * ROWS + row
    a[block, row, column] = tile[place // COLUMNS, place % COLUMNS]


@numba.cuda.jit
def rotate(a):
    line = numba.cuda.shared.array(shape=64, dtype=numba.int32)
    i = numba.cuda.threadIdx.x
    line[i] = a[i]
    numba.cuda.syncthreads()
    a[i] = line[i - 1]


blocks = np.arange(3 * ROWS * COLUMNS, dtype=np.float64)
blocks = blocks.reshape(3, ROWS, COLUMNS)
transpose_blocks[3, (ROWS, COLUMNS)](blocks)

line = np.arange(64, dtype=np.int32)
rotate[1, 64](line)
