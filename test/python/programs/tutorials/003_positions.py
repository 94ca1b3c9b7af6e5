# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every name for a position and an extent, in one to three dimensions.

Each kernel is launched with more than one shape.
"""

import numba.cuda
import numpy as np


@numba.cuda.jit
def positions(places, extents):
    x, y, z = numba.cuda.grid(3)
    places[x, y, z, 0] = numba.cuda.threadIdx.x
    places[x, y, z, 1] = numba.cuda.threadIdx.y
    places[x, y, z, 2] = numba.cuda.threadIdx.z
    places[x, y, z, 3] = numba.cuda.blockIdx.x
    places[x, y, z, 4] = numba.cuda.blockIdx.y
    places[x, y, z, 5] = numba.cuda.blockIdx.z
    if x == 0 and y == 0 and z == 0:
        extents[0] = numba.cuda.blockDim.x
        extents[1] = numba.cuda.blockDim.y
        extents[2] = numba.cuda.blockDim.z
        extents[3] = numba.cuda.gridDim.x
        extents[4] = numba.cuda.gridDim.y
        extents[5] = numba.cuda.gridDim.z


@numba.cuda.jit
def absolute_1d(count):
    count[numba.cuda.grid(1)] = numba.cuda.gridsize(1)


@numba.cuda.jit
def absolute_2d(count):
    x, y = numba.cuda.grid(2)
    width, height = numba.cuda.gridsize(2)
    count[x, y] = width * height


@numba.cuda.jit
def absolute_3d(count):
    x, y, z = numba.cuda.grid(3)
    width, height, depth = numba.cuda.gridsize(3)
    count[x, y, z] = width * height * depth


found = []
for grid, block in [((3, 2, 1), (2, 4, 5)), ((1, 3, 4), (6, 1, 2))]:
    shape = tuple(np.multiply(grid, block))
    places = np.full((*shape, 6), -1)
    extents = np.zeros(6, dtype=np.int64)
    positions[grid, block](places, extents)
    found.append((grid, block, places, extents))

counts = []
for kernel, grid, block in [
    (absolute_1d, 3, 5),
    (absolute_1d, 1, 7),
    (absolute_2d, (2, 3), (4, 5)),
    (absolute_2d, (7, 1), (1, 2)),
    (absolute_3d, (2, 1, 3), (2, 2, 2)),
    (absolute_3d, (1, 4, 2), (3, 1, 2)),
]:
    count = np.zeros(np.multiply(grid, block), dtype=np.int64)
    kernel[grid, block](count)
    counts.append(count)
