# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops over local arrays and tuples are unrolled, stores in both arms of a
condition moved behind it: vectors leave what threads do."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from pyk import cuda
from support.simd_agreement import run, shared

pytestmark = pytest.mark.on_vectors


def local_array(o, a, c):
    i = cuda.grid(1)
    if i < o.size:
        v = cuda.local.array(4, np.float32)
        for j in range(4):
            v[j] = a[i] if j == 0 else v[j - 1] * a[i]
        s = np.float32(0)
        for j in range(4):
            s += v[j]
        o[i] = s


def two_dimensions(o, a, c):
    i = cuda.grid(1)
    if i < o.size:
        m = cuda.local.array((3, 3), np.float32)
        for j in range(3):
            for k in range(3):
                m[j, k] = a[i] * (j + 2 * k)
        s = np.float32(0)
        for j in range(3):
            if c[i] > j:
                for k in range(3):
                    s += m[k, j] * m[j, k]
        o[i] = s


def array_in_a_loop(o, a, c):
    i = cuda.grid(1)
    if i < o.size:
        s = np.float32(0)
        for j in range(16):
            v = cuda.local.array(64, np.float32)
            v[j] = a[i] + j
            v[63 - j] = a[i]
            s += v[j] * v[63 - j]
        o[i] = s


def chosen_index(o, a, c):
    i = cuda.grid(1)
    if i < o.size:
        v = cuda.local.array(8, np.float32)
        for j in range(8):
            v[j] = a[i] * j
        o[i] = v[c[i] & 7]


def tuples(o, a, c):
    i = cuda.grid(1)
    if i < o.size:
        v = a[i]
        items = (v, v + v, v * v, v * v * v)
        s = np.float32(0)
        for item in items:
            if item > 1:
                s += item
        for j in range(4):
            if c[i] == j:
                continue
            s -= items[j]
        o[i] = s


def beside_a_barrier(o, a, c):
    t, i = cuda.threadIdx.x, cuda.grid(1)
    s = cuda.shared.array(128, np.float32)
    v = cuda.local.array(3, np.float32)
    for j in range(3):
        v[j] = a[i] + j
    s[t] = v[0] * v[1] + v[2]
    cuda.syncthreads()
    for j in range(3):
        other = s[127 - t]
        cuda.syncthreads()
        s[t] += v[j] * other
        cuda.syncthreads()
    o[i] = s[t]


def three_arms(o, a, c):
    i = cuda.grid(1)
    if i < o.size:
        v = a[i]
        if v > 1:
            o[i] = v
        elif v > 0.5:
            o[i] = v * v
        else:
            o[i] = 0


def several_stores(o, a, c):
    i = cuda.grid(1)
    if i < o.size:
        if a[i] > 1:
            o[i] = a[i]
            c[i] = 1
            o[i] = o[i] + c[i]
        else:
            o[i] = a[i] * 2
            c[i] = 2
            o[i] = o[i] - c[i]


def load_between(o, a, c):
    i = cuda.grid(1)
    if i < o.size:
        if c[i] > 3:
            o[i] = 5
            a[i] = o[i] + 1
        else:
            a[i] = 7
            o[i] = a[i]
        c[i] += 1


def other_elements(o, a, c):
    i = cuda.grid(1)
    if i < o.size:
        if c[i] > 3:
            o[i] = 1
        else:
            o[o.size - 1 - i] = 2


def stores_in_a_loop(o, a, c):
    i = cuda.grid(1)
    if i < o.size:
        for j in range(c[i]):
            if a[i] > j:
                if j == 5:
                    break
                o[i] = j
            else:
                o[i] = -j


KERNELS: list[Callable[..., None]] = [
    local_array,
    two_dimensions,
    array_in_a_loop,
    chosen_index,
    tuples,
    beside_a_barrier,
    three_arms,
    several_stores,
    load_between,
    stores_in_a_loop,
]


def arrays(size: int) -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(size)
    o = np.zeros(size, np.float32)
    a = (rng.random(size) * 4).astype(np.float32)
    return o, a, rng.integers(0, 8, size, np.int32)


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda k: k.__name__)
@pytest.mark.parametrize("size", [128, 1024])
def test_vectors_leave_what_threads_do(
    kernel: Callable[..., None], size: int
) -> None:
    grid, block = (size // 128,), (128,)
    expected, _ = run("reference", lambda: shared(kernel), grid, block,
                      *arrays(size))  # fmt: skip
    found, shapes = run("simd", lambda: cuda.jit(kernel), grid, block,
                        *arrays(size))  # fmt: skip
    assert shapes != {None}
    for mine, theirs in zip(found, expected, strict=True):
        assert np.array_equal(mine, theirs)
    assert expected[0].any()


def test_arms_that_store_elsewhere() -> None:
    """Two threads store to one element, the same number each time."""
    size = 1024
    o, a, c = arrays(size)
    c[:] = np.repeat([1, 5], size // 2)
    args: Any = (o, a, c)

    def kernel() -> Any:
        return cuda.jit(other_elements)

    for way in ("reference", "simd"):
        found, _ = run(way, kernel, (8,), (128,), *args)
        written = (found[0] == 1) | (found[0] == 2)
        assert written[size // 2 :].all(), way
        assert not found[0][: size // 2].any(), way
