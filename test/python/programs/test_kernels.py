# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels compiled and run on the CPU target, with NumPy as the oracle."""

import math

import numpy as np
import pytest

import pyk
from pyk import cuda

INTEGERS = [
    *(np.int8, np.int16, np.int32, np.int64),
    *(np.uint8, np.uint16, np.uint32, np.uint64),
]
FLOATS = [np.float16, np.float32, np.float64]


@cuda.jit
def add(a, b, c):
    i = cuda.grid(1)
    if i < c.size:
        c[i] = a[i] + b[i]


@pytest.mark.parametrize("size", [1, 31, 32, 1000])
@pytest.mark.parametrize("dtype", [np.int32, np.float32, np.float64])
def test_vector_add(size, dtype):
    a = np.arange(size, dtype=dtype)
    b = a[::-1].copy()
    c = np.full(size, -1, dtype)
    add[(size + 63) // 64, 64](a, b, c)
    np.testing.assert_array_equal(c, a + b)


def test_threads_beyond_the_array_do_nothing():
    c = np.zeros(100)
    add[4, 32](np.ones(100), np.ones(100), c[:70])
    assert c.tolist() == [2] * 70 + [0] * 30


def test_read_only_input():
    a = np.arange(4.0)
    a.flags.writeable = False
    c = np.zeros(4)
    add[1, 32](a, a, c)
    assert c.tolist() == [0, 2, 4, 6]


def arrange(matrix, layout):
    """A copy of a matrix in the given layout."""
    if layout == "C":
        return matrix.copy()
    if layout == "F":
        return np.asfortranarray(matrix)
    wide = np.zeros((2 * matrix.shape[0], 3 * matrix.shape[1]), matrix.dtype)
    wide[::2, ::-3] = matrix
    return wide[::2, ::-3]


@pytest.mark.parametrize("target", ["C", "F", "A"])
@pytest.mark.parametrize("source", ["C", "F", "A"])
def test_two_dimensions_in_every_layout(source, target):
    @cuda.jit
    def transpose(a, out):
        i, j = cuda.grid(2)
        if i < a.shape[0] and j < a.shape[1]:
            out[j, i] = a[i, j]

    matrix = np.arange(35, dtype=np.float32).reshape(5, 7)
    out = arrange(np.zeros((7, 5), np.float32), target)
    transpose[(2, 2), (4, 4)](arrange(matrix, source), out)
    np.testing.assert_array_equal(out, matrix.T)


def test_three_dimensions_and_thread_indices():
    @cuda.jit
    def k(out):
        i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
        j = cuda.blockIdx.y * cuda.blockDim.y + cuda.threadIdx.y
        l = cuda.blockIdx.z * cuda.blockDim.z + cuda.threadIdx.z
        out[i, j, l] = 100 * i + 10 * j + l
        out[0, 0, 0] = cuda.gridDim.x + cuda.gridDim.y + cuda.gridDim.z

    out = np.zeros((4, 6, 2), np.int64)
    k[(2, 3, 1), (2, 2, 2)](out)
    i, j, l = np.indices(out.shape)
    expected = 100 * i + 10 * j + l
    expected[0, 0, 0] = 6
    np.testing.assert_array_equal(out, expected)


@cuda.jit
def store(a, x):
    a[0] = x


@pytest.mark.parametrize("dtype", [np.bool_, *INTEGERS, *FLOATS])
def test_scalar_argument_of_every_dtype(dtype):
    value = dtype(1) if dtype is np.bool_ else dtype(101)
    if dtype in INTEGERS:
        value = np.iinfo(dtype).min
        value = dtype(value if value else np.iinfo(dtype).max)
    a = np.zeros(1, dtype)
    store[1, 1](a, value)
    assert a[0] == value


@pytest.mark.parametrize("value", [True, -(2**63), 2**64 - 1, 0.1])
def test_python_scalar_argument(value):
    dtype = np.uint64 if value == 2**64 - 1 else np.asarray(value).dtype
    a = np.zeros(1, dtype)
    store[1, 1](a, value)
    assert a[0] == value


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.int32])
def test_store_into_a_narrow_integer_wraps(dtype):
    a = np.zeros(1, dtype)
    store[1, 1](a, 2**40 + 200)
    assert a[0] == np.array(2**40 + 200).astype(dtype)


def test_grid_stride_loop():
    @cuda.jit
    def k(a):
        start = cuda.grid(1)
        step = cuda.gridsize(1)
        for i in range(start, a.size, step):
            a[i] += i

    a = np.zeros(1000)
    k[2, 32](a)
    np.testing.assert_array_equal(a, np.arange(1000))


def test_break_and_continue():
    @cuda.jit
    def k(a, n):
        total = 0
        for i in range(n):
            if i % 3 == 0:
                continue
            if i > 20:
                break
            total += i
        a[0] = total
        while True:
            n -= 1
            if n < 5:
                break
        a[1] = n

    for n in (10, 50):
        expected = sum(i for i in range(min(n, 21)) if i % 3)
        a = np.zeros(2, np.int64)
        k[1, 1](a, n)
        assert a.tolist() == [expected, 4]


def test_nested_loops_return_early():
    @cuda.jit
    def k(a, wanted):
        for i in range(10):
            for j in range(10):
                if i * j == wanted:
                    a[0] = i
                    a[1] = j
                    return
        a[0] = -1

    a = np.zeros(2, np.int64)
    k[1, 1](a, 42)
    assert a.tolist() == [6, 7]
    k[1, 1](a, 11)
    assert a[0] == -1


@cuda.jit(device=True)
def polar(x, y):
    return math.sqrt(x * x + y * y), math.atan2(y, x)


@cuda.jit(device=True)
def scaled(value, factor=2):
    if value < 0:
        return -value * factor
    return value * factor


def test_device_functions():
    @cuda.jit
    def k(x, y, r, phi):
        i = cuda.grid(1)
        if i < x.size:
            length, angle = polar(x[i], y[i])
            r[i] = scaled(length) + scaled(-1.0, factor=3)
            phi[i] = angle

    rng = np.random.default_rng(1)
    x, y = rng.standard_normal((2, 50))
    r, phi = np.zeros((2, 50))
    k[2, 32](x, y, r, phi)
    np.testing.assert_allclose(r, 2 * np.hypot(x, y) + 3, rtol=1e-14)
    np.testing.assert_allclose(phi, np.arctan2(y, x), rtol=1e-14)


def test_device_function_of_two_types():
    @cuda.jit(device=True)
    def half(x):
        return x / 2

    @cuda.jit
    def k(a, b):
        a[0] = half(a[0])
        b[0] = half(b[0])

    a, b = np.array([3]), np.array([3.5], np.float32)
    k[1, 1](a, b)
    assert (a[0], b[0]) == (1, np.float32(1.75))


def test_constants_of_every_kind():
    table = np.array([2.5, 3.5, 4.5])
    offsets = (1, 2.5)
    scale = np.float32(0.1)

    @cuda.jit
    def k(a):
        for i in range(table.shape[0]):
            a[i] = table[i] * scale + offsets[1]
        a[3] = offsets[0] + math.pi

    a = np.zeros(4)
    k[1, 1](a)
    expected = [*(table * np.float64(scale) + 2.5), 1 + math.pi]
    np.testing.assert_allclose(a, expected, rtol=1e-15)


FUNCTIONS = [
    *("sin", "cos", "tan", "exp", "log", "sqrt", "fabs", "floor", "ceil"),
    *("atan", "sinh", "cosh", "tanh", "log2", "log10", "log1p", "expm1"),
    *("erf", "asinh", "trunc"),
]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_math_function(name, dtype):
    function = getattr(math, name)

    @cuda.jit
    def k(a, out):
        i = cuda.grid(1)
        if i < a.size:
            out[i] = function(a[i])

    a = np.linspace(0.1, 3.7, 40).astype(dtype)
    out = np.zeros(40, dtype)
    k[2, 32](a, out)
    expected = [function(float(x)) for x in a]
    rtol = 2e-6 if dtype is np.float32 else 1e-14
    np.testing.assert_allclose(out, expected, rtol=rtol)


@pytest.mark.parametrize("operator", ["//", "%"])
def test_division_floors(operator):
    if operator == "//":

        @cuda.jit
        def k(a, b, out):
            i = cuda.grid(1)
            if i < out.size:
                out[i] = a[i] // b[i]

    else:

        @cuda.jit
        def k(a, b, out):
            i = cuda.grid(1)
            if i < out.size:
                out[i] = a[i] % b[i]

    a = np.array([7, -7, 7, -7, 0, 2**62])
    b = np.array([2, 2, -2, -2, 5, -3])
    for kind in (np.int64, np.int32, np.float64):
        x, y = a.astype(kind), b.astype(kind)
        out = np.zeros(6, kind)
        k[1, 32](x, y, out)
        expected = x // y if operator == "//" else x % y
        np.testing.assert_array_equal(out, expected)


def test_negative_index_counts_from_the_end():
    @cuda.jit
    def k(a, i):
        a[i] = a[-1] + 1

    a = np.arange(5)
    k[1, 1](a, -2)
    assert a.tolist() == [0, 1, 2, 5, 4]


def test_none_argument_is_pruned():
    @cuda.jit
    def k(a, weights):
        if weights is None:
            a[0] = 1
        else:
            a[0] = weights[0]

    a = np.zeros(1)
    k[1, 1](a, None)
    assert a[0] == 1
    k[1, 1](a, np.array([2.5]))
    assert a[0] == 2.5


def test_many_arguments():
    @cuda.jit
    def k(a, b, c, d, e, f, g, h, i, j, l, m, n, o, p, q, r, s):
        a[0] = b + c + d + e + f + g + h + i + j + l + m + n + o + p + q + r + s

    a = np.zeros(1)
    k[1, 1](a, *range(17))
    assert a[0] == sum(range(17))


def test_unresolved_name_is_an_error_where_it_is_used():
    @cuda.jit
    def k(a):
        a[0] = nowhere  # noqa: F821

    with pytest.raises(pyk.CompileError, match="nowhere") as caught:
        k[1, 1](np.zeros(1))
    assert caught.value.filename == __file__
    assert caught.value.lineno == k.py_func.__code__.co_firstlineno + 2


def test_too_many_threads_is_an_error():
    with pytest.raises(ValueError, match="1024"):
        store[1, 1025](np.zeros(1), 1)


def test_constructs_that_are_not_compiled_name_themselves():
    @cuda.jit
    def k(a):
        try:
            a[0] = 1
        finally:
            pass

    with pytest.raises(pyk.CompileError, match="'try' statement"):
        k[1, 1](np.zeros(1))
