# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Complex numbers in blocks that run as vectors."""

from typing import Any

import numpy as np
import pytest

from pyk import cuda
from support.simd_agreement import agree

pytestmark = pytest.mark.on_vectors

COMPLEX = [np.complex64, np.complex128]


def numbers(count: int, dtype: type) -> np.ndarray:
    real, imag = np.random.default_rng(7).normal(0, 2, (2, count))
    return (real + 1j * imag).astype(dtype)


def test_loops_carry_them() -> None:
    """As the Mandelbrot set is written."""

    def make() -> Any:
        @cuda.jit
        def escape(c, out, limit):
            i = cuda.grid(1)
            if i < c.size:
                z = 0j
                for n in range(limit):
                    z = z * z + c[i]
                    if abs(z) > 2:
                        out[i] = n
                        return
                out[i] = -1

        return escape

    c = numbers(500, np.complex128)
    _, found = agree(make, (4,), (128,), c, np.zeros(500, np.int32), 40)
    z, expected = np.zeros(500, np.complex128), np.full(500, -1)
    for n in range(40):
        going = expected < 0
        z[going] = z[going] ** 2 + c[going]
        expected[going & (abs(z) > 2)] = n
    assert (found == expected).mean() > 0.99


@pytest.mark.parametrize("dtype", COMPLEX)
def test_arrays_of_them(dtype: type) -> None:
    def make() -> Any:
        @cuda.jit
        def multiply(a, b, out):
            j, i = cuda.grid(2)
            if i < out.shape[0] and j < out.shape[1]:
                z = a[i, j] * b[j]
                out[i, j] = z if z.real > 0 else z.conjugate()

        return multiply

    a = numbers(30 * 40, dtype).reshape(30, 40)
    b = numbers(40, dtype)
    *_, found = agree(make, (3, 8), (16, 4), a, b, np.zeros_like(a))
    expected = a * b
    expected = np.where(expected.real > 0, expected, expected.conj())
    np.testing.assert_allclose(found, expected, rtol=1e-5)


@pytest.mark.parametrize("dtype", COMPLEX)
def test_shared_arrays_of_them(dtype: type) -> None:
    """Sums of blocks."""

    def make() -> Any:
        @cuda.jit
        def total(a, out):
            s = cuda.shared.array(64, dtype)
            t = cuda.threadIdx.x
            s[t] = a[cuda.grid(1)]
            cuda.syncthreads()
            n = 32
            while n > 0:
                if t < n:
                    s[t] += s[t + n]
                cuda.syncthreads()
                n //= 2
            if t == 0:
                out[cuda.blockIdx.x] = s[0]

        return total

    a = numbers(256, dtype)
    _, found = agree(make, (4,), (64,), a, np.zeros(4, dtype))
    expected = a.reshape(4, 64).sum(1)
    np.testing.assert_allclose(found, expected, rtol=1e-4)


def test_parts_of_arrays() -> None:
    def make() -> Any:
        @cuda.jit
        def swap(a):
            i = cuda.grid(1)
            if i < a.size:
                a.real[i], a.imag[i] = a[i].imag, a[i].real

        return swap

    a = numbers(100, np.complex128)
    (found,) = agree(make, (4,), (32,), a)
    assert (found == a.imag + 1j * a.real).all()


def test_functions_of_them() -> None:
    def make() -> Any:
        import cmath

        @cuda.jit
        def wave(a, out):
            i = cuda.grid(1)
            if i < a.size:
                out[i] = cmath.exp(a[i] * 1j) / (1 + a[i])

        return wave

    a = numbers(300, np.complex128)
    _, found = agree(make, (5,), (64,), a, np.zeros_like(a))
    np.testing.assert_allclose(found, np.exp(1j * a) / (1 + a), rtol=1e-12)


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
@pytest.mark.parametrize("threads", [32, 64, 100])
def test_lanes_give_each_other_complex_numbers(dtype, threads):
    def make():
        @cuda.jit
        def kernel(out, a):
            i = cuda.grid(1)
            total = a[i]
            for distance in (16, 8, 4, 2, 1):
                total += cuda.shfl_down_sync(0xFFFFFFFF, total, distance)
            first = cuda.shfl_sync(0xFFFFFFFF, a[i], 0, width=8)
            out[i] = total - first

        return kernel

    parts = np.random.default_rng(8).integers(-9, 9, (2, threads))
    a = (parts[0] + 1j * parts[1]).astype(dtype)
    found, _ = agree(make, (1,), (threads,), np.zeros_like(a), a)
    assert found[0] == a[:32].sum() - a[0]
    assert found[8] != 0
