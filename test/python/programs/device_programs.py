# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The blocks and places of threads in programs for the whole device.

Blocks have up to three dimensions, and the last may lack most lanes of a warp.
"""

import math

import pytest

from pyk import cuda

Shape = tuple[int, ...]

#: Full warps; rows of half a warp; a warp and one lane.
BLOCKS = [(128,), (16, 8), (33,)]
#: The same for warps that each have a row: four lanes are left of (5, 4, 5).
WARPS = [(96,), (32, 4), (5, 4, 5)]
#: For what goes by halves, powers of two: less than a warp, one and four.
POWERS = [16, 32, 128]
#: Threads of a block, at most.
MOST = 128

by_blocks = pytest.mark.parametrize("block", BLOCKS, ids=str)
by_warps = pytest.mark.parametrize("block", WARPS, ids=str)
by_powers = pytest.mark.parametrize("threads", POWERS)


def blocks_for(count: int, block: Shape) -> int:
    """How many blocks it takes for a thread to each of `count` elements."""
    return -(-count // math.prod(block))


@cuda.jit(device=True)
def threads_of_block():
    """How many threads a block has."""
    return cuda.blockDim.x * cuda.blockDim.y * cuda.blockDim.z


@cuda.jit(device=True)
def thread_of_block():
    """Which thread of its block calls, as warps count them."""
    row = cuda.threadIdx.z * cuda.blockDim.y + cuda.threadIdx.y
    return row * cuda.blockDim.x + cuda.threadIdx.x


@cuda.jit(device=True)
def thread_of_grid():
    """Which thread of a grid of one dimension calls."""
    return cuda.blockIdx.x * threads_of_block() + thread_of_block()


@cuda.jit(device=True)
def lanes_of_warp():
    """How many lanes the calling thread's warp has."""
    return min(32, threads_of_block() - thread_of_block() // 32 * 32)


@cuda.jit(device=True)
def mask_of_warp():
    """A bit for each lane that the calling thread's warp has."""
    return (1 << lanes_of_warp()) - 1
