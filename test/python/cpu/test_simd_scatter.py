# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Stores of some lanes of a vector, to places that data choose."""

from typing import Any

import numpy as np
import pytest

from pyk import cuda
from support.simd_agreement import agree

pytestmark = pytest.mark.on_vectors

DTYPES = ["?", "i1", "u2", "f2", "i4", "f4", "i8", "f8", "c8", "c16"]
THREADS, BLOCKS = 96, 5


def some(dtype: str, count: int, rng: np.random.Generator) -> np.ndarray:
    return rng.integers(1, 100, count).astype(dtype)


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 1.0])
@pytest.mark.parametrize("dtype", DTYPES)
def test_global_memory(dtype: str, share: float) -> None:
    """Elements of threads that are off keep what they had, in strides too."""

    def make() -> Any:
        @cuda.jit
        def put(a, places, flags, out, whole):
            i = cuda.grid(1)
            strided = whole[::3]
            if flags[i]:
                out[places[i]] = a[i]
            if not flags[i]:
                strided[places[i]] = a[i]

        return put

    rng = np.random.default_rng(8)
    count = THREADS * BLOCKS
    a, old = some(dtype, count, rng), some(dtype, 3 * count, rng)
    places, flags = rng.permutation(count), rng.random(count) < share
    *_, out, whole = agree(
        make, (BLOCKS,), (THREADS,), *(a, places, flags, old[:count], old)
    )
    expected = old[:count].copy()
    expected[places[flags]] = a[flags]
    np.testing.assert_array_equal(out, expected)
    expected = old.copy()
    expected[3 * places[~flags]] = a[~flags]
    np.testing.assert_array_equal(whole, expected)


@pytest.mark.parametrize("dtype", DTYPES)
def test_shared_and_local_memory(dtype: str) -> None:
    """Of both kinds, with two arrays of a type that are off by turns."""
    kind = np.dtype(dtype).type

    def make() -> Any:
        @cuda.jit
        def put(a, places, flags, out):
            left = cuda.shared.array(THREADS, kind)
            right = cuda.shared.array(THREADS, kind)
            own = cuda.local.array(4, kind)
            t, i = cuda.threadIdx.x, cuda.grid(1)
            left[t] = a[i]
            right[t] = a[i]
            for k in range(4):
                own[k] = a[i]
            cuda.syncthreads()
            other = a[cuda.blockIdx.x * THREADS + THREADS - 1 - t]
            if flags[i]:
                left[places[i]] = other
                own[places[i] % 4] = other
            else:
                right[places[i]] = other
            cuda.syncthreads()
            out[0, i], out[1, i] = left[t], right[t]
            for k in range(4):
                out[2 + k, i] = own[k]

        return put

    rng = np.random.default_rng(9)
    shape = BLOCKS, THREADS
    a = some(dtype, BLOCKS * THREADS, rng)
    places = np.stack([rng.permutation(THREADS) for _ in range(BLOCKS)])
    flags = rng.random(shape) < 0.5
    *_, out = agree(
        make,
        (BLOCKS,),
        (THREADS,),
        *(a, places.ravel(), flags.ravel(), np.zeros((6, a.size), dtype)),
    )
    rows = a.reshape(shape)
    expected = np.stack([rows] * 6)
    for block in range(BLOCKS):
        on, to = flags[block], places[block]
        other = rows[block, ::-1]
        expected[0, block, to[on]] = other[on]
        expected[1, block, to[~on]] = other[~on]
        expected[2 + to[on] % 4, block, np.flatnonzero(on)] = other[on]
    np.testing.assert_array_equal(out, expected.reshape(6, -1))
