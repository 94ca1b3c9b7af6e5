# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that run as vectors agree with the reference in each bit.

Each kernel runs in both ways for blocks of many shapes: of one thread, of less
than a vector, of ragged rows, of several tiles.
"""

import itertools
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from pyk import cuda
from support.simd_agreement import Shape, agree

pytestmark = pytest.mark.on_vectors

ROWS: list[Shape] = [(1,), (7,), (32,), (33,), (100,), (256,)]
PLANES: list[Shape] = [(16, 16), (4, 8), (33, 3), (1, 32), (32, 32), (5, 5)]
CUBES: list[Shape] = [(8, 8, 4), (3, 2, 2), (4, 1, 16), (1, 1, 64)]


@pytest.fixture
def rng() -> np.random.Generator:
    """Of the same numbers whichever tests run."""
    return np.random.default_rng(7)


RECORD = np.dtype([("x", np.float32), ("y", np.int16, 3)])


@pytest.fixture(params=ROWS, ids=str)
def block(request: pytest.FixtureRequest) -> Iterator[Shape]:
    yield request.param


def grid_for(size: int, block: Shape) -> Shape:
    return (-(-size // block[0]),)


# Memory.


def test_guarded_elements(block: Shape, rng: np.random.Generator) -> None:
    def make() -> Any:
        @cuda.jit
        def axpy(a, x, y):
            i = cuda.grid(1)
            if i < y.size:
                y[i] += a * x[i]

        return axpy

    x, y = rng.random((2, 300)).astype(np.float32)
    _, found = agree(make, grid_for(300, block), block, np.float32(3), x, y)
    np.testing.assert_allclose(found, y + 3 * x, rtol=1e-6)


@pytest.mark.parametrize(
    "dtype", ["bool", "i1", "u2", "i4", "u8", "f2", "f4", "f8"]
)
def test_types(dtype: str, block: Shape, rng: np.random.Generator) -> None:
    def make() -> Any:
        @cuda.jit
        def reverse(a, out):
            i = cuda.grid(1)
            if i < a.size and i % 3 != 1:
                out[i] = a[a.size - 1 - i]

        return reverse

    a = (rng.random(200) * 100).astype(dtype)
    out = np.zeros_like(a)
    _, found = agree(make, grid_for(200, block), block, a, out)
    kept = np.arange(200) % 3 != 1
    np.testing.assert_array_equal(found[kept], a[::-1][kept])
    assert not found[~kept].any()


@pytest.mark.parametrize("step", [1, 2, -1, -3])
def test_views(step: int, block: Shape, rng: np.random.Generator) -> None:
    def make() -> Any:
        @cuda.jit
        def add(a, b, out):
            i = cuda.grid(1)
            if i < out.size:
                out[i] = a[i] + b[-1 - i]

        return add

    a, b = rng.random((2, 360))[:, ::step]
    *_, found = agree(
        make, grid_for(len(a), block), block, a, b, np.zeros(len(a))
    )
    np.testing.assert_array_equal(found, a + b[::-1])


def test_one_element_for_all(block: Shape) -> None:
    def make() -> Any:
        @cuda.jit
        def last(out):
            i = cuda.grid(1)
            if i % 2 == 0:
                out[0] = i
            out[1] = 7
            cuda.atomic.add(out, 2, i)

        return last

    (found,) = agree(make, (1,), block, np.zeros(3, np.int64))
    n = block[0]
    assert found.tolist() == [(n - 1) // 2 * 2, 7, n * (n - 1) // 2]


@pytest.mark.parametrize("block", PLANES, ids=str)
def test_planes(block: Shape, rng: np.random.Generator) -> None:
    def make() -> Any:
        @cuda.jit
        def matmul(a, b, c):
            j, i = cuda.grid(2)
            if i < c.shape[0] and j < c.shape[1]:
                total = np.float32(0)
                for k in range(a.shape[1]):
                    total += a[i, k] * b[k, j]
                c[i, j] = total

        return matmul

    a, b = rng.random((2, 40, 40)).astype(np.float32)
    grid = (-(-40 // block[0]), -(-40 // block[1]))
    *_, c = agree(make, grid, block, a, b, np.zeros_like(a))
    np.testing.assert_allclose(c, a @ b, rtol=1e-5)


@pytest.mark.parametrize("block", CUBES, ids=str)
def test_cubes(block: Shape) -> None:
    def make() -> Any:
        @cuda.jit
        def place(out):
            x, y, z = cuda.grid(3)
            if x < out.shape[0] and y < out.shape[1] and z < out.shape[2]:
                out[x, y, z] = (x * 100 + y) * 100 + z

        return place

    shape = (9, 10, 11)
    grid = tuple(-(-n // b) for n, b in zip(shape, block, strict=True))
    (found,) = agree(make, grid, block, np.zeros(shape, np.int32))
    x, y, z = np.indices(shape)
    np.testing.assert_array_equal(found, (x * 100 + y) * 100 + z)


def test_records(block: Shape, rng: np.random.Generator) -> None:
    def make() -> Any:
        @cuda.jit
        def reverse(a, out):
            shared = cuda.shared.array(256, RECORD)
            t = cuda.threadIdx.x
            if t < a.size:
                shared[t] = a[t]
            cuda.syncthreads()
            if t < a.size:
                out[a.size - 1 - t] = shared[t]

        return reverse

    a = np.zeros(min(block[0], 200), RECORD)
    a["x"], a["y"] = rng.random(a.size), np.arange(3 * a.size).reshape(-1, 3)
    _, found = agree(make, (1,), block, a, np.zeros_like(a))
    np.testing.assert_array_equal(found, a[::-1])


# Control flow.


def test_loops_that_threads_leave(block: Shape) -> None:
    def make() -> Any:
        @cuda.jit
        def collatz(out):
            i = cuda.grid(1)
            if i >= out.size:
                return
            n, steps = i + 1, 0
            while n != 1:
                n = n // 2 if n % 2 == 0 else 3 * n + 1
                steps += 1
                if steps == 90:
                    break
            out[i] = steps

        return collatz

    def steps(n: int) -> int:
        count = 0
        while n != 1 and count < 90:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            count += 1
        return count

    (found,) = agree(make, grid_for(90, block), block, np.zeros(90, np.int64))
    assert found.tolist() == [steps(n) for n in range(1, 91)]


def test_exits_from_nested_loops(
    block: Shape, rng: np.random.Generator
) -> None:
    def make() -> Any:
        @cuda.jit
        def search(a, out):
            i = cuda.grid(1)
            found = -1
            for row in range(i % 4, a.shape[0], i % 3 + 1):
                for column in range(a.shape[1]):
                    if a[row, column] == i % 7:
                        continue
                    if a[row, column] > 90:
                        found = row * 100 + column
                        break
                    if a[row, column] == 50 and i % 2:
                        out[i] = -2
                        return
                if found >= 0:
                    break
            else:
                found = -3
            out[i] = found

        return search

    a = rng.integers(0, 95, (12, 30))
    expected = []
    for i in range(block[0]):
        result = -3
        for row, column in itertools.product(
            range(i % 4, 12, i % 3 + 1), range(30)
        ):
            x = a[row, column]
            if x == i % 7:
                continue
            if x > 90:
                result = row * 100 + column
                break
            if x == 50 and i % 2:
                result = -2
                break
        expected.append(result)
    _, found = agree(make, (1,), block, a, np.zeros(block[0], np.int64))
    assert found.tolist() == expected


def test_divisors_of_threads_that_are_off(
    block: Shape, rng: np.random.Generator
) -> None:
    def make() -> Any:
        @cuda.jit
        def divide(a, b, out):
            i = cuda.grid(1)
            if i < a.size and b[i] != 0:
                out[i] = a[i] // b[i] + a[i] % b[i]

        return divide

    a = rng.integers(-1000, 1000, 120)
    b = rng.integers(-3, 4, 120)
    *_, found = agree(
        make, grid_for(120, block), block, a, b, np.zeros(120, np.int64)
    )
    safe = np.where(b == 0, 1, b)
    expected = np.where(b == 0, 0, a // safe + a % safe)
    np.testing.assert_array_equal(found, expected)


DIVIDED = {
    "remainder": ("u4", "if d > 0:\n        out[i] = a[i] % d"),
    "signed remainder": ("i8", "if d > 0:\n        out[i] = a[i] % d"),
    "quotient": ("i4", "if d > 0:\n        out[i] = a[i] // d"),
    "number by place": ("i8", "if i > 0:\n        out[i] = 1000 % i"),
    "condition": ("i8", "if d > 0 and a[i] % d == 1:\n        out[i] = 1"),
    "loop": ("i8", "for j in range(d):\n        out[i] += a[i] % d"),
    "greatest common divisor": (
        "u4",
        "x = a[i]\n    while d != 0:\n        x, d = d, x % d\n    out[i] = x",
    ),
}


@pytest.mark.parametrize(("dtype", "body"), DIVIDED.values(), ids=DIVIDED)
def test_divisors_that_are_known_not_to_be_zero(dtype: str, body: str) -> None:
    """Nothing guards the division but the condition, which masks have."""

    def make() -> Any:
        scope: dict[str, Any] = {"cuda": cuda}
        exec(
            "@cuda.jit\ndef divide(a, b, out):\n"
            f"    i = cuda.grid(1)\n    d = b[i]\n    {body}\n",
            scope,
        )
        return scope["divide"]

    a = np.arange(1, 97, dtype=dtype)
    agree(make, (3,), (32,), a, (a % 4).astype(dtype), np.zeros(96, np.int64))


def test_functions_and_conversions(
    block: Shape, rng: np.random.Generator
) -> None:
    def make() -> Any:
        @cuda.jit(device=True)
        def both(x, limit):
            if x > limit:
                return math.exp(-x), 1
            return math.sin(x), 2

        @cuda.jit
        def compute(a, out, kinds):
            i = cuda.grid(1)
            if i < a.size:
                value, kind = both(a[i], 2.0)
                out[i] = value + math.floor(a[i])
                kinds[i] = kind + int(a[i] * 1e3)

        return compute

    a = rng.random(150) * 5
    _, out, kinds = agree(
        make,
        grid_for(150, block),
        block,
        a,
        np.zeros(150),
        np.zeros(150, np.int32),
    )
    value = np.where(a > 2, np.exp(-a), np.sin(a)) + np.floor(a)
    np.testing.assert_allclose(out, value, rtol=1e-14)
    assert (
        kinds.tolist()
        == (np.where(a > 2, 1, 2) + (a * 1e3).astype(int)).tolist()
    )


# What went wrong once.


def test_strips_without_threads_that_are_on(rng: np.random.Generator) -> None:
    def make() -> Any:
        @cuda.jit
        def add(a, o):
            t = cuda.threadIdx.x
            if t < 16 and a[t] > 0:
                for q in range(3):
                    o[t] += a[t] + q

        return add

    a = rng.integers(-5, 30, 64)
    for threads in (32, 48, 64):
        _, found = agree(make, (1,), (threads,), a, np.zeros(64, np.int64))
        expected = np.where(a > 0, 3 * a + 3, 0)
        expected[16:] = 0
        assert found.tolist() == expected.tolist()


def test_addresses_behind_threads_that_have_left() -> None:
    def make() -> Any:
        @cuda.jit
        def find(a, o, n, m):
            i = cuda.grid(1)
            j = i
            while j < n and a[j] != m:
                j += 1
            if j < n:
                o[i] = a[j] + j

        return find

    a = np.array([1, 5, 2, 2, 2, 1, 3, 5, 2, 1, 5, 0, 0, 0, 0, 0] * 2)
    _, found = agree(make, (1,), (16,), a, np.zeros(32, np.int64), 16, 5)
    expected = [6] * 2 + [12] * 6 + [15] * 3 + [0] * 21
    assert found.tolist() == expected


def test_same_value_on_both_ways(rng: np.random.Generator) -> None:
    def make() -> Any:
        @cuda.jit
        def last(a, o):
            i = cuda.grid(1)
            k = 0
            for k in range(5):
                if a[i, k] > 2:
                    break
            o[i] = k

        return last

    a = rng.integers(0, 4, (32, 5))
    _, found = agree(make, (1,), (32,), a, np.zeros(32, np.int64))
    big = a > 2
    assert found.tolist() == np.where(big.any(1), big.argmax(1), 4).tolist()


def test_indices_that_cancel() -> None:
    def make() -> Any:
        @cuda.jit
        def halves(a, o):
            i = cuda.grid(1)
            n = (i - cuda.threadIdx.x) // 16
            s = 0
            while n > 0:
                s += a[n]
                n -= 2
            o[i] = s

        return halves

    a = np.arange(100)
    _, found = agree(make, (3,), (32,), a, np.zeros(96, np.int64))
    assert found.tolist() == [0] * 32 + [2] * 32 + [6] * 32


def test_windows_that_move_along(rng: np.random.Generator) -> None:
    def make() -> Any:
        @cuda.jit
        def smooth(a, coef, out):
            i = cuda.grid(1)
            if i >= 2 and i < a.size - 2:
                s = 0.0
                w = 0.0
                for d in range(3):
                    for j in range(i - 2, i + 3):
                        s += a[j] * coef[d, j - i + 2]
                        w += coef[d, j - i + 2]
                out[i] = s / w

        return smooth

    a, coef = rng.random(100), rng.random((3, 5))
    *_, found = agree(make, (4,), (32,), a, coef, np.zeros(100))
    expected = np.convolve(a, coef.sum(0)[::-1], "valid") / coef.sum()
    np.testing.assert_allclose(found[2:-2], expected)


def test_loops_of_columns_under_masks_of_rows() -> None:
    def make() -> Any:
        @cuda.jit
        def count(a, o):
            tx = cuda.threadIdx.x
            ty = cuda.threadIdx.y
            c = 0
            if a[ty] > 2:
                for r in range(3):
                    for j in range(tx):
                        c += j + r
            o[ty, tx] = c

        return count

    a = np.array([0, 5, 1, 7])
    _, found = agree(make, (1,), (16, 4), a, np.zeros((4, 16), np.int64))
    sums = [sum(j + r for r in range(3) for j in range(tx)) for tx in range(16)]
    assert found.tolist() == [[0] * 16, sums, [0] * 16, sums]


def test_indices_that_move_in_loops_of_rows(rng: np.random.Generator) -> None:
    def make() -> Any:
        @cuda.jit
        def step(a, o, u):
            tx = cuda.threadIdx.x
            ty = cuda.threadIdx.y
            q = np.uint64(tx)
            n = 0
            last = 0
            while n < (tx & 3) + 2:
                n += 2
                last = a[q]
                for _ in range(ty, ty + u):
                    q += np.uint64(1)
            o[ty, tx] = last

        return step

    a = rng.integers(0, 1000, 100)
    _, found = agree(make, (1,), (16, 4), a, np.zeros((4, 16), np.int64), 3)
    turns = (np.arange(16) % 4 + 2 + 1) // 2
    expected = a[np.arange(16) + 3 * (turns - 1)]
    assert found.tolist() == [expected.tolist()] * 4


def test_indices_that_move_behind_loops_that_rows_leave() -> None:
    def make() -> Any:
        @cuda.jit
        def step(o, u):
            tx = cuda.threadIdx.x
            ty = cuda.threadIdx.y
            c = 1
            for _ in range(4):
                if ty % 5 == 1:
                    continue
                if u > 3:
                    break
                c -= tx
            o[ty, tx] = c

        return step

    for u in (2, 4):
        found, *_ = agree(make, (1,), (7, 3), np.zeros((3, 7), np.int64), u)
        turns = [[0 if u > 3 or ty == 1 else 4] for ty in range(3)]
        assert found.tolist() == (1 - np.arange(7) * turns).tolist()


@pytest.mark.parametrize("signature", ["void(f8[:, :], f8[:, :])", None])
def test_neighbours_before_index_0(
    signature: str | None, rng: np.random.Generator
) -> None:
    def make() -> Any:
        def step(a, o):
            i, j = cuda.grid(2)
            if j >= 1 and i >= 1 and j < o.shape[0] and i < o.shape[1]:
                o[j, i] = a[j, i - 1] + 10 * a[j - 1, i]

        return cuda.jit(signature)(step) if signature else cuda.jit(step)

    a = rng.integers(0, 100, (32, 32)).astype(np.float64)
    _, found = agree(make, (2, 2), (16, 16), a, np.zeros((32, 32)))
    assert (found[1:, 1:] == a[1:, :-1] + 10 * a[:-1, 1:]).all()
    assert not found[0].any() and not found[:, 0].any()


POINT = np.dtype(
    [("x", np.float32), ("at", [("i", np.int16), ("j", np.int16)])]
)


def test_fields_of_records(block: Shape, rng: np.random.Generator) -> None:
    """Each thread reads and writes fields of a record of its own."""

    def make() -> Any:
        @cuda.jit
        def mix(a, out):
            i = cuda.grid(1)
            if i < a.size:
                point = a[a.size - 1 - i]
                out[i].x = point.x + a[i].x
                out[i].at.j = point.at.i - point.at.j

        return mix

    a = np.zeros(200, POINT)
    a["x"] = rng.random(200)
    a["at"]["i"], a["at"]["j"] = np.arange(200), np.arange(200)[::-1] * 3
    out = np.array([(5, (6, 7))] * 200, POINT)
    _, found = agree(make, grid_for(200, block), block, a, out)
    back = a[::-1]
    np.testing.assert_array_equal(found["x"], back["x"] + a["x"])
    np.testing.assert_array_equal(found["at"]["i"], 6)
    np.testing.assert_array_equal(
        found["at"]["j"], back["at"]["i"] - back["at"]["j"]
    )
