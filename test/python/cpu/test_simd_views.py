# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Vectors agree with the reference where threads choose parts of arrays."""

from typing import Any

import numpy as np
import pytest

from pyk import cuda
from pyk.cuda import errors, guvectorize, vectorize
from support.simd_agreement import agree, run

pytestmark = pytest.mark.on_vectors


@pytest.fixture
def rng() -> np.random.Generator:
    """Of the same numbers whichever tests run."""
    return np.random.default_rng(17)


@pytest.mark.parametrize("order", ["C", "F", "A"])
@pytest.mark.parametrize("dtype", ["f4", "f8", "i2"])
def test_windows(order: str, dtype: str, rng: np.random.Generator) -> None:
    def make() -> Any:
        @cuda.jit(device=True)
        def weigh(w):
            return w[0, 0] + 2 * w[1, 1] + 3 * w[2, 0] + 4 * w[-1, -1]

        @cuda.jit
        def stencil(a, out):
            j, i = cuda.grid(2)
            if 1 <= i < a.shape[0] - 1 and 1 <= j < a.shape[1] - 1:
                out[i, j] = weigh(a[i - 1 : i + 2, j - 1 : j + 2])

        return stencil

    a = rng.integers(0, 50, (40, 60)).astype(dtype)
    if order == "A":
        a = np.repeat(a, 2, 1)[:, ::2]
    else:
        a = np.asarray(a, order=order)
    _, out = agree(make, (4, 5), (16, 8), a, np.zeros((40, 60), dtype))
    expected = np.zeros((40, 60), dtype)
    expected[1:-1, 1:-1] = (
        a[:-2, :-2] + 2 * a[1:-1, 1:-1] + 3 * a[2:, :-2] + 4 * a[2:, 2:]
    )
    np.testing.assert_array_equal(out, expected)


def test_steps_transposes_and_rows_of_rows(rng: np.random.Generator) -> None:
    def make() -> Any:
        @cuda.jit(device=True)
        def total(row, first):
            sum = 0.0
            for k in range(first, row.size):
                sum += row[k]
            return sum

        @cuda.jit(device=True)
        def last(a, i):
            return total(a[i], 2) + a[i, -1]

        @cuda.jit
        def k(a, out):
            i = cuda.grid(1)
            if i < a.shape[0]:
                out[0, i] = total(a[i, i % 5 :: 3], 0)
                out[1, i] = total(a[i, 20 - i % 7 : 3 : -2], 1)
                out[2, i] = last(a, i)
                out[3, i] = total(a.T[2:12, i], 1)
                out[4, i] = last(a[: i + 1], i)

        return k

    a = rng.random((70, 24))
    _, out = agree(make, (3,), (32,), a, np.zeros((5, 70)))
    for i, row in enumerate(a):
        expected = [
            row[i % 5 :: 3].sum(),
            row[20 - i % 7 : 3 : -2][1:].sum(),
            row[2:].sum() + row[-1],
            row[3:12].sum(),
            row[2:].sum() + row[-1],
        ]
        np.testing.assert_allclose(out[:, i], expected, rtol=1e-13)


def test_stores_in_parts() -> None:
    def make() -> Any:
        @cuda.jit(device=True)
        def fill(part, value):
            for k in range(part.size):
                part[k] = value + k

        @cuda.jit
        def k(out):
            i = cuda.grid(1)
            fill(out[3 * i : 3 * i + 3], 10 * i)

        return k

    (out,) = agree(make, (2,), (32,), np.zeros(192, np.int64))
    expected = 10 * np.arange(64)[:, None] + np.arange(3)
    np.testing.assert_array_equal(out, expected.ravel())


def test_messages_name_elements_of_the_array() -> None:
    def make() -> Any:
        @cuda.jit(device=True)
        def take(part):
            return part[7]

        @cuda.jit(device=True)
        def corner(part):
            return part[2, 1]

        @cuda.jit
        def k(a, b, out):
            i = cuda.grid(1)
            out[i] = take(a[i + 3 : i + 5]) + corner(b[i:, 2:])

        return k

    a, b = np.arange(32), np.ones((33, 4), np.int64)
    with pytest.warns(errors.OutOfBoundsWarning) as told:
        found, _ = run("simd", make, (1,), (32,), a, b, np.zeros(32, np.int64))
    texts = sorted(str(one.message).partition(",")[0] for one in told)
    assert "reads a[32]" in texts[0]
    assert "reads b[33" in texts[1]
    expected = np.where(np.arange(32) < 22, np.arange(32) + 10, 0)
    expected += np.arange(32) < 31
    np.testing.assert_array_equal(found[2], expected)


def test_universal_functions() -> None:
    """Parts and rows of their arrays are chosen by threads."""
    a = np.random.default_rng(3).integers(0, 9, (300, 40)).astype(float)

    @guvectorize(["(float64[:], float64[:])"], "(n)->()", target="cuda")
    def total(row, out):
        out[0] = 0
        for k in range(row.size):
            out[0] += row[k]

    @vectorize(["float64(float64, float64)"], target="cuda")
    def scale(x, y):
        return x * y + 1

    np.testing.assert_allclose(total(a), a.sum(1), rtol=1e-13)
    np.testing.assert_array_equal(scale(a, a[0]), a * a[0] + 1)
    np.testing.assert_array_equal(
        scale(a[:, ::2], a[0, ::2]), a[:, ::2] * a[0, ::2] + 1
    )
