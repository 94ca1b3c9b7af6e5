# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small kernels whose stages are damaged, each with a launch.

Together they have what attributes and types speak of: block shapes, layouts,
shared and local arrays, exchanges of warps, atomic operations, calls.
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from pyk import cuda

N = 70


class Launch(NamedTuple):
    """What a kernel is launched with."""

    block: tuple[int, int, int]
    make_arguments: Callable[[], list[Any]]
    #: Which arguments it writes.
    written: list[int]
    grid: tuple[int, int, int] = (1, 1, 1)


def numbers(dtype: str, *shape: int) -> np.ndarray:
    return (np.arange(math.prod(shape)) % 23 + 1).astype(dtype).reshape(shape)


@cuda.jit
def scale(a, out, factor):
    i = cuda.grid(1)
    if i < a.size:
        out[i] = a[i] * factor + math.sqrt(a[i])


@cuda.jit
def narrow(a, out):
    i = cuda.threadIdx.x
    cuda.syncthreads()
    out[i] = a[i] * 3 - i


@cuda.jit
def transpose(a, out):
    tile = cuda.shared.array((8, 9), np.float32)
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    tile[y, x] = a[y, x]
    cuda.syncthreads()
    out[y, x] = tile[x, y] + np.float32(x)


@cuda.jit
def total(a, out):
    value = a[cuda.threadIdx.x]
    for step in (16, 8, 4, 2, 1):
        value += cuda.shfl_down_sync(-1, value, step)
    if cuda.laneid == 0:
        cuda.atomic.add(out, 0, value)


@cuda.jit
def histogram(a, out):
    counts = cuda.shared.array(8, np.int32)
    i = cuda.threadIdx.x
    if i < 8:
        counts[i] = 0
    cuda.syncthreads()
    cuda.atomic.add(counts, a[i] & 7, 1)
    cuda.syncthreads()
    if i < 8:
        out[i] = counts[i]


@cuda.jit
def stencil(a, out):
    x, y = cuda.grid(2)
    if 0 < x < a.shape[1] - 1 and 0 < y < a.shape[0] - 1:
        out[y, x] = a[y - 1, x] + a[y + 1, x] + a[y, x - 1] + a[y, x + 1]


@cuda.jit
def window(a, out):
    i = cuda.grid(1)
    last = cuda.local.array(4, np.float64)
    for k in range(4):
        last[k] = a[(i + k) % a.size]
    result = 0.0
    while last[0] < 30:
        result += last[int(last[0]) & 3]
        last[0] += 7
    out[i] = result


@cuda.jit(device=True)
def power(x, n):
    result = 1
    while n > 0:
        if n & 1:
            result *= x
        x *= x
        n >>= 1
    return result


@cuda.jit
def powers(a, out):
    i = cuda.grid(1)
    if i >= out.size:
        return
    if a[i] % 3 == 0:
        out[i] = power(a[i], 5)
    else:
        out[i] = divmod(a[i], 4)[0] << 2


@cuda.jit
def columns(a, out):
    i = cuda.threadIdx.x
    best = a[0, i]
    for k in range(1, a.shape[0]):
        best = max(best, a[k, i])
    out[i] = best


@cuda.jit
def complexes(a, out):
    i = cuda.grid(1)
    z = complex(a[i], 1)
    for _ in range(3):
        z = z * z * 0.25
    out[i] = z


@cuda.jit
def votes(a, out):
    i = cuda.threadIdx.x
    even = a[i] % 2 == 0
    mask = cuda.ballot_sync(-1, even)
    out[i] = cuda.popc(mask) + cuda.any_sync(-1, even) * 100
    if even:
        out[i] += cuda.shfl_sync(mask, a[i], cuda.ffs(mask) - 1)


RECORD = np.dtype([("key", np.int16), ("value", np.float64)], align=True)


@cuda.jit
def fields(records, out):
    i = cuda.grid(1)
    record = records[i]
    out[i] = record.value * record.key
    records[i].key = i


def of(dtype: str, to: str) -> list[Any]:
    return [numbers(dtype, N), np.zeros(N, to)]


def records() -> np.ndarray:
    made = np.zeros(N, RECORD)
    made["key"] = np.arange(N)
    made["value"] = 0.5
    return made


#: By the name of the kernel.
LAUNCHES = {
    scale: Launch((32, 1, 1), lambda: [*of("f4", "f4"), 2.5], [1], (3, 1, 1)),
    narrow: Launch((17, 1, 1), lambda: of("i4", "u1"), [1]),
    transpose: Launch(
        (8, 8, 1),
        lambda: [numbers("f4", 8, 8), np.zeros((8, 8), "f4", order="F")],
        [1],
    ),
    total: Launch(
        (64, 1, 1), lambda: [numbers("i8", N), np.zeros(1, "i8")], [1]
    ),
    histogram: Launch((64, 1, 1), lambda: of("i4", "i4"), [1]),
    stencil: Launch(
        (16, 4, 1),
        lambda: [numbers("f8", 9, 20), np.zeros((9, 20))],
        [1],
        (2, 3, 1),
    ),
    window: Launch((35, 1, 1), lambda: of("i4", "f8"), [1], (2, 1, 1)),
    powers: Launch((64, 1, 1), lambda: of("i8", "i8"), [1], (2, 1, 1)),
    columns: Launch(
        (33, 1, 1), lambda: [numbers("f2", 5, 33), np.zeros(33, "f2")], [1]
    ),
    complexes: Launch((35, 1, 1), lambda: of("f4", "c8"), [1], (2, 1, 1)),
    votes: Launch((32, 1, 1), lambda: of("i4", "i8"), [1]),
    fields: Launch(
        (35, 1, 1), lambda: [records(), np.zeros(N)], [0, 1], (2, 1, 1)
    ),
}
