# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Local arrays in blocks that run as vectors: each thread has its own."""

from typing import Any

import numpy as np
import pytest

from pyk import cuda
from support.simd_agreement import agree, run

pytestmark = pytest.mark.on_vectors

SHAPES = [(32,), (100,), (16, 4), (7, 3), (8, 8)]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("dtype", ["f4", "f8", "i8", "i2"])
def test_elements_that_threads_choose(
    shape: tuple[int, ...], dtype: str
) -> None:
    kind = np.dtype(dtype).type

    def make() -> Any:
        @cuda.jit
        def pick(a, out):
            t = cuda.threadIdx.y * cuda.blockDim.x + cuda.threadIdx.x
            i = cuda.blockIdx.x * (cuda.blockDim.x * cuda.blockDim.y) + t
            own = cuda.local.array(8, kind)
            for k in range(8):
                own[k] = a[i + k]
            # A place that is another for each thread.
            own[a[i] % 8] += 100
            if i % 3 == 0:
                own[7 - i % 8] = i % 50
            for k in range(8):
                out[i, k] = own[k]

        return pick

    count = 3 * int(np.prod(shape))
    a = np.random.default_rng(3).integers(0, 20, count + 8)
    _, found = agree(make, (3,), shape, a, np.zeros((count, 8), dtype))
    expected = np.stack([a[k : k + count] for k in range(8)], axis=1)
    places = np.arange(count)
    expected[places, a[:count] % 8] += 100
    third = places[::3]
    expected[third, 7 - third % 8] = third % 50
    assert (found == expected).all()


def test_two_dimensions_and_barriers() -> None:
    """A small matrix a thread, and results of neighbours."""

    def make() -> Any:
        @cuda.jit
        def square(a, out):
            m = cuda.local.array((2, 2), np.float64)
            p = cuda.local.array((2, 2), np.float64)
            s = cuda.shared.array(64, np.float64)
            t = cuda.threadIdx.x
            i = cuda.grid(1)
            for r in range(2):
                for c in range(2):
                    m[r, c] = a[i, r, c]
            for r in range(2):
                for c in range(2):
                    p[r, c] = 0.0
                    for k in range(2):
                        p[r, c] += m[r, k] * m[k, c]
            s[t] = p[0, 0] + p[1, 1]
            cuda.syncthreads()
            out[i] = s[(t + 1) % 64] - p[0, 1]

        return square

    a = np.random.default_rng(3).normal(size=(192, 2, 2))
    _, found = agree(make, (3,), (64,), a, np.zeros(192))
    squares = a @ a
    traces = np.trace(squares, axis1=1, axis2=2).reshape(3, 64)
    expected = np.roll(traces, -1, 1).ravel() - squares[:, 0, 1]
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)


def test_loops_that_threads_leave() -> None:
    """What is written after a thread has left its loop is not its own."""

    def make() -> Any:
        @cuda.jit
        def insertion_sort(a, out):
            i = cuda.grid(1)
            own = cuda.local.array(6, np.int64)
            if i >= out.shape[0]:
                return
            for k in range(6):
                x = a[i, k]
                j = k
                while j > 0 and own[j - 1] > x:
                    own[j] = own[j - 1]
                    j -= 1
                own[j] = x
            for k in range(6):
                out[i, k] = own[k]

        return insertion_sort

    a = np.random.default_rng(3).integers(0, 100, (90, 6))
    _, found = agree(make, (3,), (32,), a, np.zeros_like(a))
    assert (found == np.sort(a, axis=1)).all()


def test_complex_elements() -> None:
    def make() -> Any:
        @cuda.jit
        def reverse(a):
            i = cuda.grid(1)
            own = cuda.local.array(4, np.complex64)
            for k in range(4):
                own[k] = a[i, k]
            for k in range(4):
                a[i, k] = own[3 - k] * 1j

        return reverse

    a = (np.arange(256) + 1j).astype(np.complex64).reshape(64, 4)
    (found,) = agree(make, (2,), (32,), a)
    assert (found == a[:, ::-1] * 1j).all()


def test_large_arrays_are_of_one_thread() -> None:
    """All of a block would not fit on the stack."""

    def make() -> Any:
        @cuda.jit
        def fill(out):
            own = cuda.local.array(5000, np.float64)
            i = cuda.grid(1)
            for k in range(5000):
                own[k] = k + i
            out[i] = own[i] + own[4999]

        return fill

    out = np.zeros(64)
    (found,), shapes = run("simd", make, (1,), (64,), out)
    assert shapes == {None}
    assert (found == 3 * np.arange(64) + 4999).all()
