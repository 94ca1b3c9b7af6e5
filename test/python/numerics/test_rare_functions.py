# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Special values and orders of the rarer functions of `cuda.libdevice`.

test_math_accuracy.py has what lies between; test_math_bits.py compares PTX.
"""

import ctypes
import ctypes.util
import math

import mpmath
import numpy as np
import pytest

from math_accuracy import call
from pyk import cuda
from pyk.cuda import libdevice

pytestmark = pytest.mark.on_the_cpu(reason="its functions are libdevice's")

NAN = math.nan

#: Arguments and results, the same for float32 and float64.
SPECIAL_VALUES = {
    "cospi": "0.5 0  -1.5 0  1 -1  -0.0 1  1e18 1  inf nan",
    "erfcinv": "0 inf  -0.0 inf  2 -inf  1 0  -1 nan  3 nan  inf nan",
    "erfcx": "0 1  -0.0 1  inf 0  -inf inf  -30 inf",
    "erfinv": "0 0  -0.0 -0.0  1 inf  -1 -inf  1.5 nan  -inf nan",
    "j0": "0 1  -0.0 1  inf 0  -inf 0",
    "j1": "0 0  -0.0 -0.0  inf 0",
    "lgamma": "0 inf  -0.0 inf  -1 inf  -100 inf  1 0  2 0  inf inf  -inf inf",
    "normcdf": "0 0.5  -0.0 0.5  inf 1  -inf 0  -50 0  50 1",
    "normcdfinv": "0 -inf  -0.0 -inf  1 inf  0.5 0  -1 nan  2 nan  inf nan",
    "rcbrt": "0 inf  -0.0 -inf  inf 0  -inf -0.0  8 0.5  -64 -0.25",
    "sinpi": "0 0  -0.0 -0.0  3 0  -3 -0.0  2.5 1  -0.5 -1  -inf nan",
    "tgamma": "0 inf  -0.0 -inf  -1 nan  -100 nan  inf inf  -inf nan  1 1  2 1"
    "  5 24  11 3628800  200 inf  -200.5 -0.0  -201.5 0",
    "y0": "0 -inf  -0.0 -inf  -1 nan  inf 0  -inf nan",
    "y1": "0 -inf  -0.0 -inf  -1 nan  inf 0  -inf nan",
}


@pytest.mark.parametrize("way", ["reference", "auto"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("function", SPECIAL_VALUES)
def test_special_values(function, dtype, way):
    numbers = np.array([*SPECIAL_VALUES[function].split(), NAN, NAN], dtype)
    arguments, expected = numbers[::2].copy(), numbers[1::2]
    found = call(function, way, arguments)
    assert [*map(repr, found.tolist())] == [*map(repr, expected.tolist())]


@pytest.mark.parametrize("order", [2, 3, 7, 20, 100])
@pytest.mark.parametrize("function", ["jn", "yn"])
def test_orders(function, order):
    x = np.concatenate(
        [[0.01, 1, 3.3125, order, order + 0.5], np.geomspace(0.3, 1e4, 60)]
    )
    bessel = getattr(libdevice, function)

    @cuda.jit
    def kernel(results, x, order):
        i = cuda.grid(1)
        if i < x.size:
            results[i] = bessel(order, x[i])

    found = np.zeros_like(x)
    kernel[1, 128](found, x, order)
    with mpmath.workprec(120):
        exact = mpmath.besselj if function == "jn" else mpmath.bessely
        expected = np.array([float(exact(order, float(one))) for one in x])
    # Zeros lie beyond the order: there errors are those of the amplitude.
    amplitude = np.where(x > order, np.sqrt(2 / (np.pi * x)), 0)
    size = np.maximum(np.abs(expected), amplitude)
    unit = np.finfo(float).eps * size + 5e-324
    with np.errstate(invalid="ignore"):
        is_near = np.abs(found - expected) <= 1.4 * (order + 3) * unit
    assert np.all(is_near | (found == expected))
    # Odd orders are odd functions.
    kernel[1, 128](mirrored := np.zeros_like(x), -x, order)
    if function == "jn":
        assert np.array_equal(mirrored, found * (-1) ** order)
    else:
        assert np.isnan(mirrored).all()


@pytest.mark.parametrize("function", ["jn", "yn"])
def test_lanes_of_different_orders(function):
    """Orders 0 and 1 are j0 and so on; negative ones are NaN, as in CUDA."""
    bessel = getattr(libdevice, function)
    zero, one = (getattr(libdevice, function[0] + name) for name in "01")

    @cuda.jit
    def kernel(results, orders, x):
        i = cuda.grid(1)
        results[0, i] = bessel(orders[i], x[i])
        results[1, i] = zero(x[i])
        results[2, i] = one(x[i])
        results[3, i] = bessel(2, x[i])

    orders = np.tile(np.array([0, 1, 2, -1, 0, -(2**31), 1, 2], np.int32), 8)
    x = np.linspace(0.5, 40, 64)
    x[::5] *= 1e10
    found = np.zeros((4, 64))
    kernel[1, 64](found, orders, x)
    for order in range(3):
        here = orders == order
        assert np.array_equal(found[0, here], found[1 + order, here])
    assert np.isnan(found[0, orders < 0]).all()
    assert np.isfinite(found[0, orders >= 0]).all()


@pytest.mark.parametrize("f", ["", "f"])
def test_quotients_are_those_of_libm(f):
    libm = ctypes.CDLL(ctypes.util.find_library("m"))
    c_type, dtype = (
        (ctypes.c_float, np.float32) if f else (ctypes.c_double, np.float64)
    )
    exact = getattr(libm, f"remquo{f}")
    exact.restype = c_type
    exact.argtypes = [c_type, c_type, ctypes.POINTER(ctypes.c_int)]
    remquo = getattr(libdevice, f"remquo{f}")

    @cuda.jit
    def kernel(rests, quotients, x, y):
        i = cuda.grid(1)
        if i < x.size:
            rests[i], quotients[i] = remquo(x[i], y[i])

    info = np.finfo(dtype)
    numbers = [0, 0.3, 1, 1.5, 2, 2.5, 3, 5, 7, 12, 1e6, 1e30, np.inf, np.nan]
    numbers += [info.max, info.max / 3, info.tiny, info.smallest_subnormal * 5]
    signed = np.array([*numbers, *(-one for one in map(dtype, numbers))], dtype)
    x, y = (one.ravel().copy() for one in np.meshgrid(signed, signed))
    rests, quotients = np.zeros_like(x), np.zeros(x.size, np.int32)
    kernel[-(-x.size // 128), 128](rests, quotients, x, y)
    for i, (a, b) in enumerate(zip(x, y, strict=True)):
        quotient = ctypes.c_int(0)
        rest = exact(float(a), float(b), ctypes.byref(quotient))
        assert repr(float(rests[i])) == repr(rest), (a, b)
        # Of the quotient the last three bits and the sign count.
        if not math.isnan(rest):
            low = abs(int(quotients[i])) & 7
            assert low == abs(quotient.value) & 7, (a, b)
            if low:
                assert (quotients[i] < 0) == (quotient.value < 0), (a, b)


def test_whole_powers():
    @cuda.jit
    def kernel(results, x, exponents):
        i = cuda.grid(1)
        if i < x.size:
            results[i] = libdevice.powi(x[i], exponents[i])

    exponents = np.array([0, 1, 2, 3, -1, -3, 1000, -1000, 2**31 - 1, -(2**31)])
    bases = np.array([0.0, -0.0, 1, -1, 2, -2, 0.3, 1e3, np.inf, -np.inf])
    x, n = (one.ravel().copy() for one in np.meshgrid(bases, exponents))
    found = np.zeros_like(x)
    kernel[1, 128](found, x, n.astype(np.int32))
    with np.errstate(all="ignore"):
        expected = np.power(x, n.astype(float))
    np.testing.assert_allclose(found, expected, rtol=2.3e-16)
    assert np.array_equal(np.signbit(found), np.signbit(expected))
