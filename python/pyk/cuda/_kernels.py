# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernels that host functions launch, each made for a user's function.

They are written as users write theirs, and reach the function through a
closure, so it is compiled into them (rationale/ufuncs.md).
"""

# Kernels have no annotations.
# mypy: ignore-errors

from __future__ import annotations

from pyk._dispatcher import Dispatcher
from pyk._functions import Compilable
from pyk.cuda._intrinsics import (
    blockIdx,
    grid,
    gridsize,
    local,
    shared,
    syncthreads,
    threadIdx,
)

#: How many elements a thread of `reduce_in_order` takes.
PART = 1 << 14

#: Threads of a block of `reduce_as_trees`.
TREE = 128


def reduce_in_order(op: Compilable) -> Dispatcher:
    """A kernel that reduces `PART` elements to one in each thread."""

    def reduce_parts(a, out, init, is_last):
        start = grid(1) * PART
        total = local.array(1, a.dtype)
        total[0] = a[start]
        for i in range(start + 1, min(start + PART, a.size)):
            total[0] = op(total[0], a[i])
        if is_last:
            total[0] = op(total[0], init)
        out[grid(1)] = total[0]

    return Dispatcher(reduce_parts)


def reduce_as_trees(op: Compilable) -> Dispatcher:
    """A kernel whose blocks, of `TREE` threads, each reduce a part to one.

    No block may be without an element.
    """

    def reduce_blocks(a, out, init, is_last):
        totals = shared.array(TREE, a.dtype)
        own = local.array(1, a.dtype)
        thread = threadIdx.x
        first = grid(1)
        if first < a.size:
            own[0] = a[first]
            step = gridsize(1)
            for i in range(first + step, a.size, step):
                own[0] = op(own[0], a[i])
            totals[thread] = own[0]
        count = min(a.size - (first - thread), TREE)
        width = TREE // 2
        while width > 0:
            syncthreads()
            if thread < width and thread + width < count:
                totals[thread] = op(totals[thread], totals[thread + width])
            width //= 2
        if thread == 0:
            if is_last:
                totals[0] = op(totals[0], init)
            out[blockIdx.x] = totals[0]

    return Dispatcher(reduce_blocks)
