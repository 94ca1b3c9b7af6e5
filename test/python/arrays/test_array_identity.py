# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What kernels ask of whole arrays: `is`, `in`, addresses and dtypes; and
stores of a number wherever an array says."""

import numpy as np
import pytest

from pyk import CompileError, cuda
from pyk.cuda.cudadrv.driver import CudaAPIError


def test_identity():
    @cuda.jit
    def k(out, a, b, m):
        out[0] = a is a
        out[1] = a is b
        out[2] = a[1:] is a[1:]
        out[3] = a[1:] is a[:-1]
        out[4] = a[::2] is a[:2]
        out[5] = a is m
        out[6] = a is not m
        c = a if out[0] else b
        out[7] = c is a
        local = cuda.local.array(3, np.float64)
        other = cuda.local.array(3, np.float64)
        out[8] = local is local
        out[9] = local is other
        out[10] = a[:, None] is a[:, None]
        out[11] = m is m

    out = np.zeros(12, np.int64)
    a = np.zeros(3)
    k[1, 1](out, a, np.zeros(3), np.zeros((2, 2), np.int8))
    assert out.tolist() == [1, 0, 1, 0, 0, 0, 1, 1, 1, 0, 1, 1]


def test_identity_of_views_with_other_strides():
    """They begin at one address and have one shape."""

    @cuda.jit
    def k(out, a, m):
        out[0] = a[::3] is a[::3]
        out[1] = a[::3] is a[:4:2]
        out[2] = a[::3] is not a[:4:2]
        out[3] = m[:2, 0] is m[0, :2]
        out[4] = m[::2, :1] is m[:2, :1]

    out = np.full(5, -1)
    k[1, 1](out, np.zeros(6), np.zeros((3, 4)))
    assert out.tolist() == [1, 0, 1, 0, 0]


def test_addresses():
    @cuda.jit
    def k(out, a, m):
        out[0] = a.ctypes.data
        out[1] = a[1:].ctypes.data
        out[2] = a[::-1].ctypes.data
        out[3] = m.T[1, 1:].ctypes.data
        s = cuda.shared.array(4, np.float32)
        s[0] = 1
        out[4] = s.ctypes.data != 0

    out = np.zeros(5, np.uint64)
    a = cuda.to_device(np.zeros(3))
    m = cuda.to_device(np.zeros((2, 3), np.float32))
    k[1, 1](out, a, m)
    address = a.__cuda_array_interface__["data"][0]
    other = m.__cuda_array_interface__["data"][0]
    assert out.tolist() == [address, address + 8, address + 16, other + 16, 1]


@pytest.mark.parametrize(
    "a",
    [
        np.arange(6.0),
        np.arange(6).reshape(2, 3),
        np.arange(6).reshape(3, 2).T,
        np.array(4),
        np.zeros(0),
        np.array([1j, 4]),
        np.array([np.nan]),
        np.array([True, False]),
        np.array([4, -1], np.int8),
    ],
    ids=lambda a: f"{a.dtype}{a.shape}",
)
def test_search(a):
    def k(out, a, x):
        out[0] = x in a
        out[1] = x not in a

    for x in (4, 4.0, 1j, np.nan, True, -1, np.int8(-1)):
        found, expected = np.zeros(2), np.zeros(2)
        k(expected, a, x)
        cuda.jit(k)[1, 1](found, a, x)
        np.testing.assert_array_equal(found, expected, f"{x!r}")


def test_search_of_dates():
    @cuda.jit
    def k(out, a, x):
        out[0] = x in a

    out = np.zeros(1)
    days = np.array(["2020-01-01", "2020-01-02"], "M8[D]")
    k[1, 1](out, days, np.datetime64("2020-01-02"))
    assert out[0] == 1


def store(a, index, value):
    a[index] = value


def store_in_column(a, index, value):
    a[index, 1] = value


def store_in_row(a, index, value):
    a[-1, index] = value


def store_in_rows(a, index, value):
    a[1:, index] = value


def store_in_all(a, index, value):
    a[..., index] = value


@pytest.mark.parametrize(
    "function",
    [store, store_in_column, store_in_row, store_in_rows, store_in_all],
    ids=lambda function: function.__name__,
)
@pytest.mark.parametrize(
    "index",
    [
        np.array([2, 0, -1]),
        np.array([1, 1], np.int8),
        np.array([2, 0], np.uint32),
        np.array([], np.int64),
        np.array([True, False, True]),
        np.array([5, 2, 5, 0])[1::2],
    ],
    ids=str,
)
def test_stores(function, index):
    for dtype in (np.float64, np.int16, np.complex64):
        found, expected = np.zeros((3, 3), dtype), np.zeros((3, 3), dtype)
        function(expected, index, 7)
        cuda.jit(function)[1, 1](found, index, 7)
        np.testing.assert_array_equal(found, expected)


def test_store_in_one_dimension():
    found, expected = np.zeros(4), np.zeros(4)
    for a in (found, expected):
        kernel = store if a is expected else cuda.jit(store)[1, 1]
        kernel(a, np.array([3, 1]), 2.5)
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize(
    "value, index, message",
    [
        (1j, np.array([0]), "cannot convert complex128 to float64"),
        (np.zeros(2), np.array([0, 1]), "expects a number to store where an"),
        (1.0, np.array([0.5]), "an array cannot be an index"),
        (1.0, np.zeros((2, 2), int), "an array cannot be an index"),
    ],
    ids=["complex", "array", "floats", "two dimensions"],
)
def test_stores_that_are_refused(value, index, message):
    with pytest.raises(CompileError, match=message):
        cuda.jit(store)[1, 1](np.zeros(3), index, value)


def test_dtypes():
    @cuda.jit
    def k(out, a, b, z):
        out[0] = a.dtype == b.dtype
        out[1] = a.dtype == np.float32
        out[2] = np.dtype("f4") == a.dtype
        out[3] = a.dtype != "float32"
        out[4] = b.dtype is np.int64
        out[5] = b.dtype == int
        out[6] = a.dtype == float
        out[7] = a.dtype in (np.float16, np.float32)
        out[8] = a.dtype.kind == "f" and b.dtype.kind == "i"
        out[9] = a.dtype.name == "float32"
        out[10] = type(b[0]) is int
        out[11] = type(a[0]) is type(b[0])
        out[12] = np.finfo(a.dtype).eps == np.finfo(np.float32).eps
        out[13] = np.finfo(z.dtype).max == np.finfo(np.float64).max
        out[14] = np.iinfo(b.dtype).max == 2**63 - 1
        out[15] = np.iinfo(np.uint8(b[0])).max
        out[16] = np.finfo(np.float16(1)).bits
        out[17] = a.dtype in ("f8", "f4")
        out[18] = (a.dtype, 1) == ("float32", 1)
        out[19] = ("f4", "i8").index(b.dtype)

    out = np.zeros(20, np.int64)
    k[1, 1](out, np.zeros(1, "f4"), np.zeros(1, "i8"), np.zeros(1, "c16"))
    expected = [0, 1, 1, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1, 1, 255, 16]
    expected += [1, 1, 1]
    assert out.tolist() == expected


@pytest.mark.parametrize("dtype", ["i1", "i2", "i4", "i8"])
@pytest.mark.parametrize("sign", ["i", "u"])
def test_limits_of_integers(sign, dtype):
    @cuda.jit
    def k(a, out):
        limits = np.iinfo(a.dtype)
        out[0] = limits.max
        out[1] = limits.min
        out[2] = limits.bits

    a = np.zeros(1, sign + dtype[1])
    out = np.zeros(3, a.dtype)
    k[1, 1](a, out)
    limits = np.iinfo(a.dtype)
    assert out.tolist() == [limits.max, limits.min, limits.bits]


@pytest.mark.on_the_cpu(reason="a GPU is lost after that")
def test_breakpoint_without_a_debugger():
    @cuda.jit
    def k(out):
        out[0] = 1
        breakpoint()
        out[0] = 2

    out = np.zeros(1)
    with pytest.raises(CudaAPIError, match="reached a breakpoint") as caught:
        k[1, 1](out)
    assert "remove breakpoint()" in str(caught.value)
    # The process, and the device, go on.
    cuda.jit(store)[1, 1](out, np.array([0]), 5.0)
    assert out[0] == 5
