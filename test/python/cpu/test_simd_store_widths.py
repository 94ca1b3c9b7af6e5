# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Stores of parts of a vector write their elements and no byte beside them.

What is stored has more bits than the element that takes it, and which lanes
store is known to the compiler.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from pyk import cuda
from support.simd_agreement import Shape, blocks_of

pytestmark = pytest.mark.on_vectors

#: Bytes in front of each output and behind it.
MARGIN = 64
CANARY = 0xA5
#: By type of what is computed, the types of the arrays that take it.
OUTPUTS = {
    "i8": ("i1", "u2", "i4", "u1"),
    "i4": ("u1", "i2", "i1", "f2"),
    "i2": ("i1", "u1", "i2", "?"),
    "f8": ("i1", "i2", "i4", "f4"),
    "f4": ("u1", "i2", "f2", "?"),
}


def with_margins(dtype: str, count: int) -> tuple[np.ndarray, np.ndarray]:
    """All bytes of an allocation, and the array within its margins."""
    size = count * np.dtype(dtype).itemsize
    whole = np.full(size + 2 * MARGIN, CANARY, np.uint8)
    return whole, whole[MARGIN : MARGIN + size].view(dtype)


def check(
    kernel: Any,
    block: Shape,
    kind: str,
    stores: Callable[[np.ndarray], np.ndarray] = lambda threads: threads >= 0,
) -> None:
    """Launches `kernel` on one block and looks at each byte that it left.

    `stores` says of thread numbers which of them store.
    """
    count = int(np.prod(block))
    # Values that fit an int8, of which no byte is that of a margin.
    source = (np.arange(4 * count) % 100 + 1).astype(kind).reshape(4, count)
    dtypes = OUTPUTS[kind]
    arrays = [with_margins(dtype, count) for dtype in dtypes]
    kernel[1, block](source, *(array for _, array in arrays))
    assert blocks_of(kernel) & {(*block, 1, 1)[:3], None}
    on = stores(np.arange(count))
    for row, dtype, (whole, _) in zip(source, dtypes, arrays, strict=True):
        expected, array = with_margins(dtype, count)
        array[on] = row[on].astype(dtype)
        np.testing.assert_array_equal(whole, expected, err_msg=dtype)


@pytest.mark.parametrize("kind", OUTPUTS)
def test_last_vectors_of_blocks(kind: str) -> None:
    """A barrier keeps blocks apart, so their last vectors are partial."""

    @cuda.jit
    def store(source, a, b, c, d):
        t = cuda.threadIdx.x
        cuda.syncthreads()
        a[t] = source[0, t]
        b[t] = source[1, t]
        c[t] = source[2, t]
        d[t] = source[3, t]

    for threads in (9, 16, 17, 18, 33, 41, 65):
        check(store, (threads,), kind)


@pytest.mark.parametrize("kind", OUTPUTS)
def test_blocks_of_rows(kind: str) -> None:
    """Vectors have parts of several rows, or lanes along y."""

    @cuda.jit
    def store(source, a, b, c, d):
        row = cuda.threadIdx.y + cuda.blockDim.y * cuda.threadIdx.z
        t = cuda.threadIdx.x + cuda.blockDim.x * row
        cuda.syncthreads()
        a[t] = source[0, t]
        b[t] = source[1, t]
        c[t] = source[2, t]
        d[t] = source[3, t]

    for block in ((17, 2), (3, 11), (9, 9), (33, 3), (5, 5, 5)):
        check(store, block, kind)


@pytest.mark.parametrize("kind", OUTPUTS)
def test_threads_that_constants_choose(kind: str) -> None:
    """Of each guard exactly one lane of a vector may be left."""

    @cuda.jit
    def leaves(source, a, b, c, d):
        t = cuda.threadIdx.x
        if t >= 17:
            return
        a[t] = source[0, t]
        b[t] = source[1, t]
        c[t] = source[2, t]
        d[t] = source[3, t]

    @cuda.jit
    def first(source, a, b, c, d):
        t = cuda.threadIdx.x
        if t < 33:
            a[t] = source[0, t]
            b[t] = source[1, t]
            c[t] = source[2, t]
            d[t] = source[3, t]

    @cuda.jit
    def last(source, a, b, c, d):
        t = cuda.threadIdx.x
        if t >= cuda.blockDim.x - 1:
            a[t] = source[0, t]
            b[t] = source[1, t]
            c[t] = source[2, t]
            d[t] = source[3, t]

    @cuda.jit
    def one(source, a, b, c, d):
        t = cuda.threadIdx.x
        if t == 21:
            a[t] = source[0, t]
            b[t] = source[1, t]
            c[t] = source[2, t]
            d[t] = source[3, t]

    @cuda.jit
    def behind(source, a, b, c, d):
        t = cuda.threadIdx.x
        if t > 30:
            a[t] = source[0, t]
            b[t] = source[1, t]
            c[t] = source[2, t]
            d[t] = source[3, t]

    for kernel, block, stores in (
        (leaves, (48,), lambda t: t < 17),
        (first, (64,), lambda t: t < 33),
        (last, (64,), lambda t: t == 63),
        (last, (49,), lambda t: t == 48),
        (one, (32,), lambda t: t == 21),
        (behind, (32,), lambda t: t == 31),
    ):
        check(kernel, block, kind, stores)


@pytest.mark.parametrize("kind", OUTPUTS)
def test_neighbours_of_threads(kind: str) -> None:
    """Shared and local arrays behind each other keep what they have."""

    @cuda.jit
    def shift(source, a, b, c, d):
        t = cuda.threadIdx.x
        s = cuda.shared.array(40, np.int8)
        h = cuda.shared.array(40, np.int16)
        row = cuda.local.array(5, np.int8)
        for i in range(5):
            row[i] = 1
        s[t] = 77
        h[t] = 77
        if t == 0:
            s[33] = 55
            h[33] = 55
        cuda.syncthreads()
        if t < 32:
            s[t + 1] = source[0, t + 1]
            h[t + 1] = source[1, t + 1]
        if t >= 32:
            row[1] = source[2, t]
        cuda.syncthreads()
        row[0] = s[t] == source[0, t] or t == 0
        row[3] = h[t] == source[1, t] or t == 0
        row[4] = s[33] == 55 and h[33] == 55
        if row[0] + row[2] + row[3] + row[4] == 4:
            a[t] = source[0, t]
            b[t] = source[1, t]
            c[t] = source[2, t]
            d[t] = source[3, t]

    check(shift, (33,), kind)
