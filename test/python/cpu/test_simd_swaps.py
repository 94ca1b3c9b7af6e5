# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays that change their places: two buffers by turns, one of several."""

from typing import Any

import numpy as np
import pytest

from pyk import cuda
from pyk.cuda.errors import OutOfBoundsWarning
from support.simd_agreement import agree

pytestmark = pytest.mark.on_vectors

DTYPES = ["i1", "i2", "f4", "i8", "f8"]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("threads", [32, 100, 256])
def test_prefix_sums_in_shared_memory(dtype: str, threads: int) -> None:
    kind = np.dtype(dtype).type

    def make() -> Any:
        @cuda.jit
        def scan(a, out):
            old = cuda.shared.array(threads, kind)
            new = cuda.shared.array(threads, kind)
            t, i = cuda.threadIdx.x, cuda.grid(1)
            old[t] = a[i]
            cuda.syncthreads()
            step = 1
            while step < threads:
                if t >= step:
                    new[t] = old[t] + old[t - step]
                else:
                    new[t] = old[t]
                cuda.syncthreads()
                old, new = new, old
                step *= 2
            out[i] = old[t]

        return scan

    a = np.random.default_rng(5).integers(0, 9, 3 * threads).astype(dtype)
    _, out = agree(make, (3,), (threads,), a, np.zeros_like(a))
    expected = np.cumsum(a.reshape(3, threads), axis=1, dtype=dtype)
    np.testing.assert_array_equal(out, expected.ravel())


@pytest.mark.parametrize("step", [1, 2, -1])
@pytest.mark.parametrize("turns", [0, 1, 6])
def test_heat_in_global_memory(step: int, turns: int) -> None:
    """Buffers that are rows of a matrix, every second element, or backward."""

    def make() -> Any:
        @cuda.jit
        def flow(a, b, turns):
            here, there = a[cuda.blockIdx.x, ::step], b[cuda.blockIdx.x, ::step]
            t = cuda.threadIdx.x
            for _ in range(turns):
                if 0 < t < here.size - 1:
                    there[t] = 0.5 * (here[t - 1] + here[t + 1])
                cuda.syncthreads()
                here, there = there, here

        return flow

    a = np.random.default_rng(6).random((4, 128))
    found = agree(make, (4,), (128,), a, a, turns)
    expected = [a.copy(), a.copy()]
    for _ in range(turns):
        here, there = expected[0][:, ::step], expected[1][:, ::step]
        there[:, 1:-1] = 0.5 * (here[:, :-2] + here[:, 2:])
        expected.reverse()
    if turns % 2:
        expected.reverse()
    np.testing.assert_array_equal(found, expected)


def test_one_of_three() -> None:
    """Which one differs by block; some are longer."""

    def make() -> Any:
        @cuda.jit
        def fill(a, b, c):
            which = cuda.blockIdx.x % 3
            out = a if which == 0 else b if which == 1 else c
            i = cuda.threadIdx.x
            if i < out.size:
                out[i] += cuda.blockIdx.x + 1

        return fill

    arrays = [np.zeros(count) for count in (64, 10, 33)]
    a, b, c = agree(make, (6,), (64,), *arrays)
    np.testing.assert_array_equal(a, np.full(64, 5.0))
    np.testing.assert_array_equal(b, np.full(10, 7.0))
    np.testing.assert_array_equal(c, np.full(33, 9.0))


def test_outside_of_both() -> None:
    """Reads give 0, writes are dropped, and the host is told."""

    def make() -> Any:
        @cuda.jit
        def move(a, b, out):
            for _ in range(3):
                i = cuda.threadIdx.x
                out[i] += a[i + 2_000_000_000]
                b[i - 2_000_000_000] = 7
                b[i] = a[i] + 1
                cuda.syncthreads()
                a, b = b, a

        return move

    a = np.arange(64.0)
    with pytest.warns(OutOfBoundsWarning, match="an array at"):
        a1, b1, out = agree(make, (1,), (64,), a, a, np.zeros_like(a))
    np.testing.assert_array_equal(a1, a + 2)
    np.testing.assert_array_equal(b1, a + 3)
    np.testing.assert_array_equal(out, np.zeros_like(a))
