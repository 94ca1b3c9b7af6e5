# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What kernels that keep to 32 bits compute; `test_typing.py` has the types."""

import math
import re

import numpy as np
import pytest

from pyk import _options, cuda


@cuda.jit(device=True)
def scaled(x, factor=0.1):
    return x * factor


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_literals_keep_their_digits(dtype):
    @cuda.jit(typing="narrow")
    def k(a, out):
        i = cuda.grid(1)
        if i < a.size:
            out[i, 0] = a[i] * 0.1
            out[i, 1] = 0.1
            out[i, 2] = 1 + a[i] * math.pi
            out[i, 3] = -0.1 < a[i]

    a = np.array([1.0, -3.0, 0.7], dtype)
    out = np.zeros((3, 4), dtype)
    k[1, 32](a, out)
    kind = a.dtype.type
    expected = [
        a * kind(0.1), np.full(3, 0.1, dtype),
        kind(1) + a * kind(math.pi), -0.1 < a,
    ]  # fmt: skip
    tolerance = {"f4": 1e-6, "f8": 1e-15}[dtype]
    np.testing.assert_allclose(out, np.transpose(expected), tolerance)
    assert (out[:, 1] == kind(0.1)).all()


def test_integers_wrap_at_32_bits():
    @cuda.jit(typing="narrow")
    def k(a, out):
        out[0] = a[0] + 1
        out[1] = a[0] * 2
        out[2] = np.int64(a[0]) + 1
        out[3] = a[0] + 3000000000
        out[4] = 1 << a[1]
        out[5] = -7 // a[1] + a[1] % -4
        out[6] = a[1] ** 3
        out[7] = a[0] >> 40

    a, out = np.array([2**31 - 1, 3], np.int32), np.zeros(8, np.int64)
    k[1, 1](a, out)
    assert out.tolist() == [
        -(2**31), -2, 2**31, 2**31 - 1 + 3000000000, 8, -4, 27, 0,
    ]  # fmt: skip


def test_sums_stay_narrow():
    """The accumulator, the loop and the index of a typical kernel."""

    @cuda.jit(typing="narrow")
    def product(a, b, out):
        row, column = cuda.grid(2)
        if row < out.shape[0] and column < out.shape[1]:
            total = 0.0
            for k in range(a.shape[1]):
                total += a[row, k] * b[k, column]
            out[row, column] = scaled(total) * 10

    random = np.random.default_rng(3)
    a, b = random.random((5, 7)), random.random((7, 4))
    out = np.zeros((5, 4), np.float32)
    product[(1, 1), (8, 8)](a.astype("f4"), b.astype("f4"), out)
    np.testing.assert_allclose(out, a @ b, 1e-5)
    ptx = product_ptx(product, "!pyk.array<?x?xf32, c>")
    assert not re.search(r"\.f64\b", ptx)


def product_ptx(kernel, kind):
    """The PTX of a kernel of three such arrays."""
    from pyk import _core, _frontend

    return _core.compile(
        source=_frontend.build(kernel, [kind] * 3, kernel._buffer_options),
        source_name="<narrow>",
        target="cuda",
        emit="ptx",
        options={"chip": "sm_90"},
    ).emitted


def test_negative_indices_count_from_the_end():
    @cuda.jit(typing="narrow")
    def k(a, out):
        i = cuda.grid(1)
        out[i] = a[i - 3]
        out[-1] = a[-2]

    a, out = np.arange(6), np.zeros(6, np.int64)
    k[1, 5](a, out)
    assert out.tolist() == [3, 4, 5, 0, 1, 4]


def test_more_threads_than_32_bits_count():
    @cuda.jit(typing="narrow")
    def k(a):
        a[0] = 1

    message = (
        "a kernel of narrow typing expects at most 2147483647 threads along x "
        "but got 2147483648"
    )
    with pytest.raises(ValueError, match=message):
        k[2**21, 1024]


def test_typing_of_the_environment(monkeypatch):
    monkeypatch.setattr(_options.options, "typing", "narrow")

    @cuda.jit
    def narrow(out):
        out[0] = out[0] + 1

    @cuda.jit(typing="numba")
    def wide(out):
        out[0] = out[0] + 1

    assert narrow._buffer_options == {"typing": "narrow"}
    assert wide._buffer_options == {}


def test_typing_that_there_is_not():
    with pytest.raises(ValueError, match="typing expects 'numba' or 'narrow'"):
        cuda.jit(typing="wide")


def test_literals_are_instances_of_their_classes():
    def kernel(a, out):
        out[0] = isinstance(1, int) + 2 * isinstance(0.5, float)
        out[1] = isinstance(a[0], float) + 2 * isinstance(1j, complex)

    a = np.zeros(1, np.float32)
    for typing, expected in ("narrow", [3, 3]), ("numba", [3, 2]):
        out = np.zeros(2)
        cuda.jit(typing=typing)(kernel)[1, 1](a, out)
        assert out.tolist() == expected
