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


def test_counts_of_shifts_have_64_bits():
    @cuda.jit(typing="narrow")
    def k(a, count, unsigned_count, out):
        out[0] = a[0] << count[0]
        out[1] = a[0] >> count[0]
        out[2] = a[1] >> count[0]
        out[3] = a[0] << count[1]
        out[4] = a[0] << unsigned_count[0]
        out[5] = a[0] << count[2]

    count = np.array([2**32, 2**32 + 1, 1])
    out = np.full(6, 9)
    k[1, 1](np.array([5, -5], "i4"), count, count[1:2].astype("u8"), out)
    assert out.tolist() == [0, 0, -1, 0, 0, 10]


# A literal takes the type of the other operand if that holds it.
def test_literals_at_the_limits_of_32_bits():
    @cuda.jit(typing="narrow")
    def k(u, i, out):
        out[0] = u[0] - 4294967295
        out[1] = u[0] + 4294967296
        out[2] = u[0] - 2147483648
        out[3] = i[0] - 2147483647
        out[4] = i[0] + -2147483648
        out[5] = i[0] - 2147483648

    out = np.zeros(6, np.int64)
    k[1, 1](np.array([7], "u4"), np.array([-7], "i4"), out)
    expected = [8, 7 + 2**32, 7 + 2**31, 2**31 - 6, 2**31 - 7, -7 - 2**31]
    assert out.tolist() == expected


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
    from pyk import _core
    from pyk._frontend import _build

    return _core.compile(
        source=_build.build(kernel, [kind] * 3, kernel._buffer_options),
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
        "a kernel of narrow typing expects at most 2147418111 threads along x "
        "but got 2147483648"
    )
    with pytest.raises(ValueError, match=message):
        k[2**21, 1024]
    # The most there may be, and one more, on each way to a configuration.
    most = 2**31 - 2**16 - 1
    for grid, block in ((most, 1), (1, most)):
        assert k[grid, block].griddim == (grid, 1, 1)
        assert k.configure(grid, block).blockdim == (block, 1, 1)
    more = "narrow typing .* along [xy] but got 2147418112"
    for grid, block in ((most + 1, 1), (1, most + 1), ((1, most + 1), (2, 1))):
        for configure in (lambda *shape: k[shape], k.configure):
            with pytest.raises(ValueError, match=more):
                configure(grid, block)


def test_sizes():
    @cuda.jit(typing="narrow")
    def k(a, matrix, strided, out):
        out[0] = a.size
        out[1] = matrix.size
        out[2], out[3] = matrix.shape
        out[4] = len(matrix) + len(a[1:-1])
        out[5] = strided.size + len(strided)
        out[6] = len(matrix.flat) + len(matrix.shape)
        out[7] = a[a.size - 7 :: 2].size
        out[8] = matrix.T.shape[0] * 100 + matrix.reshape(a.size).size
        out[9] = a.nbytes + a.strides[0]
        total = 0
        for i in range(a.size - 1, -1, -2):
            total = total * 10 + i
        out[10] = total
        out[11] = matrix[:, 1:].shape[1] - matrix.shape[1] * 2

    a = np.arange(6.0)
    out = np.zeros(12, np.int64)
    k[1, 1](a, a.reshape(2, 3), np.arange(9)[::2], out)
    assert out.tolist() == [6, 6, 2, 3, 6, 10, 8, 1, 306, 56, 531, -4]


def test_sizes_of_no_elements():
    """Products of extents wrap before the last is 0."""

    @cuda.jit(typing="narrow")
    def k(a, out):
        out[0] = a.size
        out[1] = a.shape[0]
        for i in range(a.size):
            out[0] += 100
        for row in a:
            out[2] += 1

    out = np.zeros(3, np.int64)
    k[1, 1](np.zeros((1 << 20, 1 << 20, 0)), out)
    assert out.tolist() == [0, 1 << 20, 1 << 20]


def test_arrays_that_are_too_long():
    @cuda.jit(typing="narrow")
    def k(a, out):
        out[0] = a.size

    def long(*shape):
        one = np.ones(1, np.int8)
        return np.lib.stride_tricks.as_strided(one, shape, (0,) * len(shape))

    out = np.zeros(1, np.int64)
    k[1, 1](long(1), out)
    k[1, 1](long(2**31 - 2**16 - 1), out)
    assert out[0] == 2**31 - 2**16 - 1
    message = (
        "argument 0 has 2\\*\\*31 - 2\\*\\*16 elements or more, but a kernel "
        "of narrow typing counts them in 32 bits"
    )
    with pytest.raises(ValueError, match=message):
        k[1, 1](long(2**31 - 2**16), out)
    k[1, 1](long(2**15, 2**15), out)
    assert out[0] == 2**30
    for shape in ((2**16, 2**15), (2**20, 2**20), (2**40, 1)):
        with pytest.raises(ValueError, match=message):
            k[1, 1](long(*shape), out)
    assert out[0] == 2**30


def test_searches_in_arrays_of_narrow_sizes():
    @cuda.jit(typing="narrow")
    def k(bounds, x, out):
        i = cuda.grid(1)
        if i < len(x):
            out[i] = np.searchsorted(bounds, x[i])

    x = np.array([-1.0, 0.0, 2.5, 9.0, 11.0])
    out = np.zeros(5, np.int32)
    k[1, 32](np.arange(10.0), x, out)
    assert out.tolist() == np.searchsorted(np.arange(10.0), x).tolist()


def test_guards_compare_in_32_bits():
    @cuda.jit(typing="narrow")
    def k(a, b, out):
        x, y = cuda.grid(2)
        h, w = out.shape
        if 0 < x < w - 1 and y < min(h, a.shape[0]):
            out[y, x] = a[y, x + 1] * b[y, x]

    ptx = product_ptx(k, "!pyk.array<?x?xf32, c>")
    assert "setp" in ptx
    assert not re.search(r"setp\.\w+\.[su]64", ptx)


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
