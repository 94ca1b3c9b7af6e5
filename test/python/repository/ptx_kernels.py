# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What each kernel of `scripts/dev bench ptx` computes, by NumPy.

A function for each kernel, under its name, launches it and looks at the result.
Numbers are small integers wherever that lets float32 be exact.
"""

from typing import Any

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

# Anything that launches as `kernel[blocks, threads](...)`.
Kernel = Any

RANDOM = np.random.default_rng(14)
SMALL = np.float32(1e-6)


def whole(*shape: int) -> np.ndarray:
    """Small whole numbers in float32."""
    return RANDOM.integers(-8, 9, shape).astype(np.float32)


def real(*shape: int) -> np.ndarray:
    return RANDOM.random(shape, np.float32)


def vadd(kernel: Kernel) -> None:
    a, b, c = whole(300), whole(300), whole(300)
    kernel[2, 256](a, b, c)
    assert_array_equal(c, a + b)


def saxpy(kernel: Kernel) -> None:
    x, y = whole(300), whole(300)
    expected = 3 * x + y
    kernel[2, 256](np.float32(3), x, y)
    assert_array_equal(y, expected)


def saxpy_stride(kernel: Kernel) -> None:
    x, y = whole(1000), whole(1000)
    expected = 3 * x + y
    kernel[2, 64](np.float32(3), x, y)
    assert_array_equal(y, expected)


def jacobi(kernel: Kernel) -> None:
    a = whole(11, 21)
    out = np.zeros_like(a)
    kernel[(2, 2), (16, 8)](a, out)
    total = a[1:-1, 1:-1] + a[:-2, 1:-1] + a[2:, 1:-1] + a[1:-1, :-2]
    expected = np.zeros_like(a)
    expected[1:-1, 1:-1] = np.float32(0.2) * (total + a[1:-1, 2:])
    assert_allclose(out, expected, SMALL)


def stencil3d(kernel: Kernel) -> None:
    a = whole(5, 9, 17)
    out = np.zeros_like(a)
    kernel[(3, 3, 2), (8, 4, 4)](a, out)
    inner = slice(1, -1)
    around = a[:-2, inner, inner] + a[2:, inner, inner]
    around += a[inner, :-2, inner] + a[inner, 2:, inner]
    around += a[inner, inner, :-2] + a[inner, inner, 2:]
    expected = np.zeros_like(a)
    expected[inner, inner, inner] = around - 6 * a[inner, inner, inner]
    assert_array_equal(out, expected)


def matmul(kernel: Kernel) -> None:
    a, b, c = whole(9, 21), whole(21, 17), whole(9, 17)
    kernel[(2, 2), (16, 8)](a, b, c)
    assert_array_equal(c, a @ b)


def matmul_tiled(kernel: Kernel) -> None:
    a, b, c = whole(32, 48), whole(48, 16), whole(32, 16)
    kernel[(1, 2), (16, 16)](a, b, c)
    assert_array_equal(c, a @ b)


def transpose(kernel: Kernel) -> None:
    a, out = whole(32, 64), whole(64, 32)
    kernel[(2, 1), (32, 8)](a, out)
    assert_array_equal(out, a.T)


def reduce(kernel: Kernel) -> None:
    x, out = whole(700), whole(3)
    kernel[3, 256](x, out)
    assert_array_equal(out, np.add.reduceat(x, [0, 256, 512]))


def reduce_stride(kernel: Kernel) -> None:
    x, out = whole(1000), np.zeros(1, np.float32)
    kernel[2, 64](x, out)
    assert_array_equal(out, [x.sum()])


reduce_warp = reduce_stride


def histogram(kernel: Kernel) -> None:
    x = RANDOM.integers(0, 256, 2000).astype(np.int32)
    bins = np.zeros(256, np.int32)
    kernel[2, 256](x, bins)
    assert_array_equal(bins, np.bincount(x, minlength=256))


def scan(kernel: Kernel) -> None:
    x, out = whole(700), whole(700)
    kernel[3, 256](x, out)
    parts = np.split(x, [256, 512])
    assert_array_equal(out, np.concatenate([np.cumsum(part) for part in parts]))


def mandelbrot(kernel: Kernel) -> None:
    # Multiples of a quarter and few iterations: all squares are exact.
    left, top, step, most = -2.0, -1.5, 0.25, 4
    out = np.zeros((13, 17), np.int32)
    numbers = np.float32(left), np.float32(top), np.float32(step)
    kernel[(2, 2), (16, 8)](*numbers, np.float32(step), out, np.int32(most))
    expected = np.zeros_like(out)
    for y, x in np.ndindex(out.shape):
        c = complex(left + x * step, top + y * step)
        z = 0j
        while expected[y, x] < most and z.real**2 + z.imag**2 < 4:
            z = z * z + c
            expected[y, x] += 1
    assert_array_equal(out, expected)
    assert {*out.flat} == {1, 2, 3, 4}


def nbody(kernel: Kernel) -> None:
    places = [real(256) for _ in range(3)]
    mass = real(256)
    forces = [np.zeros(256, np.float32) for _ in range(3)]
    kernel[1, 256](*places, mass, *forces)
    ways = [place - place[:, np.newaxis] for place in places]
    cube = np.sqrt(sum(way * way for way in ways) + 0.01) ** 3
    for way, force in zip(ways, forces, strict=True):
        assert_allclose(force, (mass * way / cube).sum(1), 1e-3, 1e-3)


def blackscholes(kernel: Kernel) -> None:
    from math import erf

    price, strike, years = real(100) + 1, real(100) + 1, real(100) + 1
    call, put = real(100), real(100)
    rate, volatility = 0.02, 0.3
    numbers = np.float32(rate), np.float32(volatility)
    kernel[1, 128](price, strike, years, call, put, *numbers)
    spread = volatility * np.sqrt(years)
    d1 = np.log(price / strike) + (rate + volatility**2 / 2) * years
    d1 = d1 / spread
    n1, n2 = (
        np.array([(1 + erf(one / 2**0.5)) / 2 for one in d])
        for d in (d1, d1 - spread)
    )
    owed = strike * np.exp(-rate * years)
    assert_allclose(call, price * n1 - owed * n2, atol=1e-5)
    assert_allclose(put, owed * (1 - n2) - price * (1 - n1), atol=1e-5)


def spmv(kernel: Kernel) -> None:
    dense = whole(50, 40) * (real(50, 40) < 0.2)
    rows, columns = dense.nonzero()
    counts = np.bincount(rows, minlength=50)
    ptr = np.concatenate([[0], counts.cumsum()]).astype(np.int32)
    x, y = whole(40), whole(50)
    kernel[1, 64](ptr, columns.astype(np.int32), dense[rows, columns], x, y)
    assert_array_equal(y, dense @ x)


def softmax(kernel: Kernel) -> None:
    x, out = whole(3, 300), whole(3, 300)
    kernel[3, 256](x, out)
    powers = np.exp(x - x.max(1, keepdims=True))
    assert_allclose(out, powers / powers.sum(1, keepdims=True), 1e-5)


def bitonic(kernel: Kernel) -> None:
    a = whole(256)
    expected = np.sort(a)
    size = 2
    while size <= a.size:
        distance = size // 2
        while distance > 0:
            kernel[2, 128](a, np.int32(distance), np.int32(size))
            distance //= 2
        size *= 2
    assert_array_equal(a, expected)


def fft_step(kernel: Kernel) -> None:
    """All steps together are the Fourier transform."""
    x = whole(64)
    order = [int(f"{i:06b}"[::-1], 2) for i in range(64)]
    re, im = x[order], np.zeros(64, np.float32)
    half = 1
    while half < 64:
        kernel[1, 64](re, im, np.int32(half))
        half *= 2
    assert_allclose(re + 1j * im, np.fft.fft(x), atol=1e-4)


def montecarlo(kernel: Kernel) -> None:
    hits = np.zeros(100, np.int32)
    kernel[1, 128](hits, np.int32(20))
    states = np.arange(100, dtype=np.uint32) * np.uint32(747796405)
    states += np.uint32(1)

    def draw() -> np.ndarray:
        for shift in (13, -17, 5):
            moved = states << shift if shift > 0 else states >> -shift
            np.bitwise_xor(states, moved, out=states)
        return states * 2.0**-32

    expected = sum(
        (draw() ** 2 + draw() ** 2 < 1).astype(int) for _ in range(20)
    )
    assert_array_equal(hits, expected)
    assert 14 < hits.mean() < 17


def conv1d(kernel: Kernel) -> None:
    x, out = whole(300), np.zeros(300, np.float32)
    kernel[2, 256](x, out)
    weights = [0.03, 0.11, 0.22, 0.28, 0.22, 0.11, 0.03]
    expected = np.zeros(300)
    expected[3:-3] = np.convolve(x, weights, "valid")
    assert_allclose(out, expected, atol=1e-5)


def gray(kernel: Kernel) -> None:
    image = RANDOM.integers(0, 256, (9, 17, 3)).astype(np.uint8)
    weights = [0.299, 0.587, 0.114]
    # Rounding must not decide.
    sums = image @ weights
    image[abs(sums - sums.round()) < 1e-3] = 0
    out = np.zeros((9, 17), np.uint8)
    kernel[(2, 2), (16, 8)](image, out)
    assert_array_equal(out, (image @ weights).astype(np.uint8))


def life(kernel: Kernel) -> None:
    cells = RANDOM.integers(0, 2, (9, 17)).astype(np.int32)
    out = np.zeros_like(cells)
    kernel[(2, 2), (16, 8)](cells, out)
    alive = -cells
    for dy in (-1, 0, 1):
        for dx in (-1, 0, 1):
            alive = alive + np.roll(cells, (dy, dx), (0, 1))
    assert_array_equal(out, (alive == 3) | (cells == 1) & (alive == 2))


def collatz(kernel: Kernel) -> None:
    steps = np.zeros(30, np.int32)
    kernel[1, 32](steps)
    assert steps[:10].tolist() == [0, 1, 7, 2, 5, 8, 16, 3, 19, 6]
    assert steps[26] == 111
