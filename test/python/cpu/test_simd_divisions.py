# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Vectors divide integers of 64 bits as threads do, and as Python does.

What is known of the operands decides the way: in 32 bits, by a product or a
quotient of doubles, or by products of 32 bits. Each way meets multiples of
the divisor, their neighbours, and the ends of the range for which it holds.
"""

import numpy as np
import pytest

from pyk import cuda
from support.simd_agreement import run

pytestmark = pytest.mark.on_vectors

#: Bits of a dividend with a sign: those of 32-bit numbers, of which double has
#: all quotients, one more than that, and all.
BITS = (31, 32, 50, 51, 63)
DIVISORS = (3, 5, 7, 10, 641, 1_000_003, 2**31 - 1, 2**45 + 7, 2**50 - 27)


def dividends(bits: int, divisor: int) -> np.ndarray:
    """Numbers of so many bits and a sign: at multiples of the divisor, and at
    the ends."""
    rng = np.random.default_rng(bits)
    low, high = -(2**bits), 2**bits - 1
    multiples = rng.integers(low // divisor, high // divisor, 400) * divisor
    last = high // divisor * divisor
    numbers = [
        *(int(m) + d for m in multiples for d in (-1, 0, 1)),
        *(e + d for e in (0, low, high, last, -last) for d in (-1, 0, 1)),
        *(sign * 2**bit + d for bit in range(bits) for sign in (1, -1)
          for d in (-1, 0, 1)),
    ]  # fmt: skip
    return np.array([n for n in numbers if low <= n <= high], np.int64)


@pytest.mark.parametrize("divisor", DIVISORS)
@pytest.mark.parametrize("bits", BITS)
def test_by_constants(bits: int, divisor: int) -> None:
    shift = 63 - bits
    down = -divisor

    def make():
        @cuda.jit
        def divide(q, r, s, t, u, v, a):
            i = cuda.grid(1)
            if i < a.size:
                # A shift says how many bits there are.
                x = a[i] >> shift
                q[i], r[i] = x // divisor, x % divisor
                s[i], t[i] = x // down, x % down
                if x >= 0:
                    u[i], v[i] = x // divisor, x % divisor

        return divide

    x = dividends(bits, divisor)
    a = x << shift
    outputs = [np.zeros_like(a) for _ in range(6)]
    blocks = (a.size + 127) // 128
    threads, _ = run("reference", make, (blocks,), (128,), *outputs, a)
    vectors, _ = run("simd", make, (blocks,), (128,), *outputs, a)
    exact = [int(n) for n in x]
    expected = [
        [n // divisor for n in exact],
        [n % divisor for n in exact],
        [n // down for n in exact],
        [n % down for n in exact],
        [n // divisor if n >= 0 else 0 for n in exact],
        [n % divisor if n >= 0 else 0 for n in exact],
    ]
    for name, way in (("threads", threads), ("vectors", vectors)):
        for one, found, right in zip("qrstuv", way[:6], expected, strict=True):
            assert found.tolist() == right, (name, one)


@pytest.mark.parametrize("bits", BITS)
def test_by_variables(bits: int) -> None:
    shift = 63 - bits

    def make():
        @cuda.jit
        def divide(q, r, a, b):
            i = cuda.grid(1)
            if i < a.size:
                x, y = a[i] >> shift, b[i] >> shift
                q[i], r[i] = x // y, x % y

        return divide

    # Divisors of which all bits are kept.
    chosen = [d for d in DIVISORS if d < 2**bits]
    pairs = [(n, s * d) for d in chosen for s in (1, -1)
             for n in dividends(bits, d).tolist()]  # fmt: skip
    x = np.array([n for n, _ in pairs])
    y = np.array([d for _, d in pairs])
    q, r = np.zeros_like(x), np.zeros_like(x)
    blocks = (x.size + 127) // 128
    for way in ("reference", "simd"):
        found, _ = run(
            way, make, (blocks,), (128,), q, r, x << shift, y << shift
        )
        assert found[0].tolist() == [n // d for n, d in pairs], way
        assert found[1].tolist() == [n % d for n, d in pairs], way


@pytest.mark.parametrize("divisor", [d for d in DIVISORS if d > 3])
@pytest.mark.parametrize("bits", [b for b in BITS if b < 63])
def test_unsigned(bits: int, divisor: int) -> None:
    shift = 64 - bits

    def make():
        @cuda.jit
        def divide(q, r, s, t, a, b):
            i = cuda.grid(1)
            if i < a.size:
                x, y = a[i] >> np.uint64(shift), b[i] >> np.uint64(shift)
                q[i], r[i] = x // np.uint64(divisor), x % np.uint64(divisor)
                s[i], t[i] = x // y, x % y

        return divide

    x = dividends(bits, divisor)
    x = x[x >= 0].astype(np.uint64)
    y = np.maximum(x[::-1], np.uint64(1))
    zeros = [np.zeros_like(x) for _ in range(4)]
    left = np.uint64(shift)
    expected = [
        [int(n) // divisor for n in x],
        [int(n) % divisor for n in x],
        [int(n) // int(d) for n, d in zip(x, y, strict=True)],
        [int(n) % int(d) for n, d in zip(x, y, strict=True)],
    ]
    blocks = (x.size + 127) // 128
    for way in ("reference", "simd"):
        found, _ = run(
            way, make, (blocks,), (128,), *zeros, x << left, y << left
        )
        assert [array.tolist() for array in found[:4]] == expected, way


def test_indices_divided_by_constants() -> None:
    """An index is no negative number, and one of 32 bits in small launches."""

    def make():
        @cuda.jit
        def split(rows, columns, both):
            i = cuda.grid(1)
            if i < rows.size:
                rows[i], columns[i] = i // 7, i % 7
                row, column = divmod(i, 7)
                both[i] = row * 1000 + column

        return split

    count = 1000
    zeros = [np.zeros(count, np.int64) for _ in range(3)]
    i = np.arange(count)
    for way in ("reference", "simd"):
        found, _ = run(way, make, (8,), (128,), *zeros)
        assert np.array_equal(found[0], i // 7), way
        assert np.array_equal(found[1], i % 7), way
        assert np.array_equal(found[2], i // 7 * 1000 + i % 7), way
