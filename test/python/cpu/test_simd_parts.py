# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops that run for some rows and strips of a block after the other.

What a whole block keeps from iteration to iteration is in memory then but for
one part. Blocks have barriers, so that they are one tile.
"""

import linecache
from typing import Any

import numpy as np
import pytest

from pyk import cuda
from support.simd_agreement import agree

pytestmark = pytest.mark.on_vectors


def make_product(width: int, height: int, dtype: Any) -> Any:
    @cuda.jit
    def product(a, b, c):
        left = cuda.shared.array((height, width), dtype)
        right = cuda.shared.array((width, width), dtype)
        tx = cuda.threadIdx.x
        ty = cuda.threadIdx.y
        x, y = cuda.grid(2)
        total = dtype(0)
        for t in range(0, a.shape[1], width):
            left[ty, tx] = a[y, t + tx]
            for i in range(ty, width, height):
                right[i, tx] = b[t + i, x]
            cuda.syncthreads()
            for k in range(width):
                total += left[ty, k] * right[k, tx]
            cuda.syncthreads()
        c[y, x] = total

    return product


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int64])
@pytest.mark.parametrize("shape", [(16, 16), (32, 8), (8, 32), (32, 32)])
def test_products_by_tiles(shape, dtype) -> None:
    width, height = shape
    random = np.random.default_rng(3)
    a = random.integers(-9, 9, (64, 96)).astype(dtype)
    b = random.integers(-9, 9, (96, 64)).astype(dtype)
    grid = (64 // width, 64 // height)
    make = lambda: make_product(width, height, dtype)
    *_, c = agree(make, grid, shape, a, b, np.zeros((64, 64), dtype))
    assert c.tolist() == (a @ b).tolist()


@cuda.jit
def attract(x, y, m, out, steps):
    """Several sums, numbers that all threads share, and loops in loops."""
    tile = cuda.shared.array((2, 256), np.float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    xi = x[i]
    yi = y[i]
    fx = np.float32(0)
    fy = np.float32(0)
    turns = 0
    for start in range(0, x.size, 256):
        tile[0, t] = x[start + t]
        tile[1, t] = y[start + t]
        cuda.syncthreads()
        before = fx
        for j in range(0, 256, steps):
            turns += j
            for k in range(2):
                dx = tile[k, j] - xi
                dy = tile[1 - k, j] - yi
                if m > 2:
                    dx = -dx
                fx += dx * (dx * dx + dy * dy) + before
                fy += dy * fx
        cuda.syncthreads()
    out[0, i] = fx
    out[1, i] = fy + turns
    out[2, i] = xi


@pytest.mark.parametrize("m", [1, 3])
@pytest.mark.parametrize("steps", [1, 7, 300])
def test_sums_over_tiles(steps, m) -> None:
    x, y = np.random.default_rng(5).random((2, 512)).astype(np.float32)
    out = np.zeros((3, 512), np.float32)
    agree(lambda: cuda.jit(attract.py_func), (2,), (256,), x, y, m, out, steps)


@cuda.jit
def twice(a, out):
    """A first value that is also used in the loop, and behind it."""
    held = cuda.shared.array(256, np.int32)
    t = cuda.threadIdx.x
    held[t] = a[t]
    cuda.syncthreads()
    first = a[t] * 3
    total = first
    other = first
    for k in range(a.size):
        total += held[k] * first
        other = other * 5 + held[k] - total
    cuda.syncthreads()
    held[t] = total
    cuda.syncthreads()
    out[t] = held[255 - t] + other + first


def test_values_of_before_the_loop() -> None:
    a = np.random.default_rng(7).integers(-99, 99, 256).astype(np.int32)
    agree(lambda: cuda.jit(twice.py_func), (1,), (256,), a, np.zeros_like(a))


@cuda.jit
def stores(a, out):
    """Threads of the block see in each iteration what others have written."""
    held = cuda.shared.array(256, np.int32)
    t = cuda.threadIdx.x
    held[t] = a[t]
    cuda.syncthreads()
    total = a[t]
    other = 1
    for k in range(8):
        total += held[(t + k) % 256]
        other = other * 3 + total
        cuda.syncthreads()
        held[t] = other
        cuda.syncthreads()
    out[t] = total + other


def test_loops_that_write_stay_whole() -> None:
    a = np.random.default_rng(9).integers(-99, 99, 256).astype(np.int32)
    agree(lambda: cuda.jit(stores.py_func), (1,), (256,), a, np.zeros_like(a))


def test_many_loops_share_the_stack() -> None:
    """More than the loops of a kernel may have in memory; some stay whole."""
    loops = "".join(
        f"""
    for k{n} in range(u + {n}):
        a += x
        b += y
        c += z"""
        for n in range(8)
    )
    text = f"""
def kernel(v, out, u):
    held = cuda.shared.array(1024, np.float64)
    i = cuda.grid(1)
    x = v[i]
    y = v[i + 1]
    z = v[i + 2]
    a = x
    b = y
    c = z
    held[cuda.threadIdx.x] = x
    cuda.syncthreads(){loops}
    out[0, i] = a + held[0]
    out[1, i] = b
    out[2, i] = c
"""
    names: dict[str, Any] = {"cuda": cuda, "np": np}
    file = "<many loops>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    exec(compile(text, file, "exec"), names)
    v = np.random.default_rng(11).random(1026)
    make = lambda: cuda.jit(names["kernel"])
    agree(make, (1,), (1024,), v, np.zeros((3, 1024)), 3)
