# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernels that host functions launch, each made for a user's function.

They are written as users write theirs, and reach the function through a
closure, so it is compiled into them (rationale/ufuncs.md).
"""

# Kernels have no annotations.
# mypy: ignore-errors

from __future__ import annotations

from collections.abc import Sequence

from pyk._functions import Compilable
from pyk._intrinsics import (
    blockDim,
    blockIdx,
    grid,
    gridDim,
    gridsize,
    local,
    shared,
    syncthreads,
    threadIdx,
)
from pyk.cuda._dispatcher import Dispatcher
from pyk.cuda._jit import jit

#: How many elements a thread of `reduce_in_order` takes.
PART = 1 << 14

#: Threads of a block of `reduce_as_trees`.
TREE = 128


def step(op: Compilable) -> Dispatcher:
    """A function that reduces two elements to one."""

    def reduce_two(a, b):
        return op(a, b)

    return jit(reduce_two, device=True)


def reduce_in_order(op: Compilable) -> Dispatcher:
    """A kernel that reduces `PART` elements to one in each thread.

    The last thread to work on an array gets `init`, others None.
    """

    def reduce_parts(a, out, init):
        start = grid(1) * PART
        total = local.array(1, a.dtype)
        total[0] = a[start]
        for i in range(start + 1, min(start + PART, a.size)):
            total[0] = op(total[0], a[i])
        if init is not None:
            total[0] = op(total[0], init)
        out[grid(1)] = total[0]

    return jit(reduce_parts)


def reduce_as_trees(op: Compilable) -> Dispatcher:
    """A kernel whose blocks, of `TREE` threads, each reduce a part to one.

    No block may be without an element. `init` is as above.
    """

    def reduce_blocks(a, out, init):
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
            if init is not None:
                totals[0] = op(totals[0], init)
            out[blockIdx.x] = totals[0]

    return jit(reduce_blocks)


# Items of tuples have types of their own, so they are taken one by one, by a
# function for each place that calls the one for the next.


def _map(functions: Sequence[Compilable]) -> Compilable:
    """What calls each function with its item of a tuple, and an index."""
    if not functions:
        return _nothing
    first, *others = functions
    rest = _map(others) if others else None

    def last_of(items, index):
        return (first(items[0], index),)

    def all_of(items, index):
        return (first(items[0], index), *rest(items[1:], index))

    return jit(all_of if others else last_of, device=True)


@jit(device=True)
def _nothing(items, index):
    return ()


@jit(device=True)
def _itself(item, index):
    return item


@jit(device=True)
def _element(array, index):
    return array[index]


@jit(device=True)
def _only_element(array, index):
    return array[()]


def _part(depth: int) -> Compilable:
    """What finds a part of an array by its place among all of the first `depth`
    dimensions.
    """
    if depth == 0:
        return _itself
    if depth == 1:
        return _element
    deeper = _part(depth - 1)

    def part(array, index):
        count = 1
        for extent in array.shape[1:depth]:
            count *= extent
        return deeper(array[index // count], index % count)

    return jit(part, device=True)


def elementwise(
    op: Compilable, is_array: Sequence[bool], is_masked: bool
) -> Dispatcher:
    """A kernel that computes elements of an array of one dimension.

    Of the inputs, those that are no arrays are numbers. If it is masked, a
    second array says which elements are computed.
    """
    items = _map([_element if array else _itself for array in is_array])

    def compute_elements(out, *inputs):
        i = grid(1)
        if i < out.size:
            out[i] = op(*items(inputs, i))

    def compute_masked_elements(out, mask, *inputs):
        i = grid(1)
        if i < out.size and mask[i]:
            out[i] = op(*items(inputs, i))

    return jit(compute_masked_elements if is_masked else compute_elements)


def rowwise(
    op: Compilable,
    is_array: Sequence[bool],
    is_masked: bool,
    ndim: int,
    width: int,
) -> Dispatcher:
    """A kernel that computes elements of an array of `ndim` dimensions.

    A block is `width` threads wide; all of them go through the same rows.
    """
    row_of = _part(ndim - 1)
    rows = _map([row_of if array else _itself for array in is_array])
    items = _map([_element if array else _itself for array in is_array])

    def compute_rows(out, *inputs):
        count = out.shape[-1]
        first = blockIdx.x * blockDim.y + threadIdx.y
        for row in range(first, out.size // count, gridDim.x * blockDim.y):
            target = row_of(out, row)
            sources = rows(inputs, row)
            for i in range(threadIdx.x, count, width):
                target[i] = op(*items(sources, i))

    def compute_masked_rows(out, mask, *inputs):
        count = out.shape[-1]
        first = blockIdx.x * blockDim.y + threadIdx.y
        for row in range(first, out.size // count, gridDim.x * blockDim.y):
            target = row_of(out, row)
            chosen = row_of(mask, row)
            sources = rows(inputs, row)
            for i in range(threadIdx.x, count, width):
                if chosen[i]:
                    target[i] = op(*items(sources, i))

    return jit(compute_masked_rows if is_masked else compute_rows)


def generalized(
    core: Compilable, loop_ndim: int, is_number: Sequence[bool]
) -> Dispatcher:
    """A kernel that calls `core` with a part of each array in each thread.

    The first `loop_ndim` dimensions of arrays are those of the loop. Where the
    part is one element, `core` may want it as a number.
    """
    part = _part(loop_ndim)
    number = part if loop_ndim else _only_element
    parts = _map([number if is_one else part for is_one in is_number])

    def call_for_parts(count, *arrays):
        i = grid(1)
        if i < count:
            core(*parts(arrays, i))

    return jit(call_for_parts)


def fold(op):
    """A function that stores a row, reduced in order, in an element."""

    def fold_row(row, out):
        total = local.array(1, row.dtype)
        total[0] = row[0]
        for i in range(1, row.size):
            total[0] = op(total[0], row[i])
        out[0] = total[0]

    return fold_row


def fold_from(op):
    """The same from a first value on, also of a row without elements."""

    def fold_row_from(row, initial, out):
        total = local.array(1, row.dtype)
        total[0] = initial
        for i in range(row.size):
            total[0] = op(total[0], row[i])
        out[0] = total[0]

    return fold_row_from


def fold_masked(op):
    """The same of the elements that another row chooses."""

    def fold_masked_row(row, mask, initial, out):
        total = local.array(1, row.dtype)
        total[0] = initial
        for i in range(row.size):
            if mask[i]:
                total[0] = op(total[0], row[i])
        out[0] = total[0]

    return fold_masked_row


def at(op: Compilable, nin: int) -> Dispatcher:
    """A kernel that stores what becomes of elements, one after the other.

    `places` are where they lie in `array`, `values` the second operands.
    """

    def change(array, places):
        for k in range(places.size):
            array[places[k]] = op(array[places[k]])

    def change_by(array, places, values):
        for k in range(places.size):
            array[places[k]] = op(array[places[k]], values[k])

    return jit(change if nin == 1 else change_by)


def accumulate(op):
    """A function that stores a row, reduced up to each place, in another."""

    def accumulate_row(row, out):
        total = local.array(1, row.dtype)
        for i in range(row.size):
            total[0] = op(total[0], row[i]) if i > 0 else row[0]
            out[i] = total[0]

    return accumulate_row
