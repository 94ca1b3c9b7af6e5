# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The functions of cmath, compared with CPython's.

Where CPython raises an error there is nothing to compare with; the result is
then infinite or NaN.
"""

import cmath
import math
from fractions import Fraction

import numpy as np
import pytest

from pyk import cuda

INF, NAN = math.inf, math.nan
PARTS = [
    *(0.0, 1.0, 0.5, 2.5, 0.8, 0.6, 3.0, 700.0, 745.0, 1 + 1e-9, 1e-9),
    *(5e-324, 1e-310, 1e-160, 1e17, 3e200, 1e308, 1.7e308, INF),
]
SIGNED = [*PARTS, *(-part for part in PARTS), NAN]
NUMBERS = np.array([complex(a, b) for a in SIGNED for b in SIGNED])
FUNCTIONS = [
    *("sqrt", "exp", "log", "log10", "sin", "cos", "tan", "asin", "acos"),
    *("atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh"),
]


def expected(function, number):
    try:
        return function(number)
    except (ValueError, OverflowError):
        return None


def same(found, wanted, tolerance, least):
    """Whether one part is what is wanted."""
    if math.isnan(wanted):
        return math.isnan(found)
    if found == wanted:
        return found != 0 or (
            math.copysign(1, found) == math.copysign(1, wanted)
        )
    if math.isinf(wanted):
        return False
    return abs(found - wanted) <= tolerance * max(abs(wanted), least)


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
@pytest.mark.parametrize("name", FUNCTIONS)
@np.errstate(all="ignore")
def test_function(name, dtype):
    function = getattr(cmath, name)

    @cuda.jit
    def k(z, out):
        i = cuda.grid(1)
        if i < z.size:
            out[i] = function(z[i])

    numbers = NUMBERS.astype(dtype)
    out = np.zeros(numbers.size, dtype)
    k[12, 128](numbers, out)
    info = np.finfo(dtype)
    wrong = []
    for operand, found in zip(numbers, out, strict=True):
        operand, found = complex(operand), complex(found)
        wanted = expected(function, operand)
        if wanted is None:
            assert not cmath.isfinite(found), (operand, found)
            continue
        # CPython's logarithm loses digits where the length is nearly 1.
        length = math.hypot(operand.real, operand.imag)
        unit = "log" in name and abs(length - 1) < 1e-8
        least = 1.0 if unit else float(info.tiny)
        wanted = complex(dtype(wanted))
        limits = (4 * float(info.eps), least)
        if not (
            same(found.real, wanted.real, *limits)
            and same(found.imag, wanted.imag, *limits)
        ):
            wrong.append((operand, found, wanted))
    assert not wrong, wrong[:5]


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
def test_logarithm_of_numbers_of_length_1(dtype):
    """Better than CPython's: the length is not rounded."""

    @cuda.jit
    def k(z, out):
        i = cuda.grid(1)
        if i < z.size:
            out[i] = cmath.log(z[i])

    part = dtype().real.dtype.type
    # The first has squares that add up to 1 but for rounding, the others ones
    # below 1/2, which lose a bit when 1 is subtracted.
    less = np.random.default_rng(3).uniform(1e-6, 1e-3, 63)
    z = np.concatenate([[0.8 - 0.6j], np.sqrt(0.5) * (1 + 1j) * (1 - less)])
    z = z.astype(dtype)
    out = np.zeros_like(z)
    k[1, 64](z, out)
    for number, found in zip(z, out, strict=True):
        x, y = (Fraction(float(p)) for p in (number.real, number.imag))
        wanted = part(math.log1p(x * x + y * y - 1) / 2)
        assert abs(found.real - wanted) <= 2 * np.spacing(abs(wanted))


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
@np.errstate(over="ignore")
def test_phase_polar_and_rect(dtype):
    @cuda.jit
    def k(z, phase, size, angle, back):
        i = cuda.grid(1)
        if i < z.size:
            phase[i] = cmath.phase(z[i])
            size[i], angle[i] = cmath.polar(z[i])
            back[i] = cmath.rect(size[i], angle[i])

    z = NUMBERS[np.isfinite(NUMBERS)].astype(dtype)
    z = z[abs(z) < 1e30]
    phase, size, angle = np.zeros((3, z.size), z.real.dtype)
    back = np.zeros(z.size, dtype)
    k[12, 128](z, phase, size, angle, back)
    tolerance = 2 * np.finfo(dtype).eps
    np.testing.assert_allclose(phase, np.angle(z), rtol=tolerance)
    np.testing.assert_array_equal(angle, phase)
    np.testing.assert_allclose(size, abs(z), rtol=tolerance)
    assert (abs(back - z) <= 4 * tolerance * abs(z)).all()


def test_rect_where_there_is_no_angle():
    """A size of 0 and an infinite one need none."""

    @cuda.jit
    def k(size, angle, out):
        i = cuda.grid(1)
        if i < size.size:
            out[i] = cmath.rect(size[i], angle[i])

    sizes = [0.0, -0.0, 1.0, -2.0, INF, -INF, NAN]
    size, angle = (part.ravel() for part in np.meshgrid(sizes, sizes))
    out = np.zeros(size.size, complex)
    k[1, 64](size, angle, out)
    for r, phi, found in zip(size, angle, out, strict=True):
        wanted = expected(lambda z: cmath.rect(z.real, z.imag), complex(r, phi))
        if wanted is None:
            assert not cmath.isfinite(found), (r, phi, found)
            continue
        assert same(found.real, wanted.real, 1e-15, 1.0), (r, phi, found)
        assert same(found.imag, wanted.imag, 1e-15, 1.0), (r, phi, found)


def test_logarithm_to_a_base():
    @cuda.jit
    def k(z, base, out):
        out[0] = cmath.log(z, base)
        out[1] = cmath.log(z, 10)

    out = np.zeros(2, complex)
    k[1, 1](2 - 3j, 1 + 1j, out)
    wanted = [cmath.log(2 - 3j, 1 + 1j), cmath.log(2 - 3j, 10)]
    np.testing.assert_allclose(out, wanted, rtol=1e-15)


@pytest.mark.parametrize("source", "?bhilBHILefdFD")
def test_real_arguments(source):
    """Programs call `cmath.isfinite` with real numbers."""

    @cuda.jit
    def k(x, flags, out):
        i = cuda.grid(1)
        if i < x.size:
            flags[0, i] = cmath.isfinite(x[i])
            flags[1, i] = cmath.isinf(x[i])
            flags[2, i] = cmath.isnan(x[i])
            out[0, i] = cmath.sqrt(x[i])
            out[1, i] = cmath.phase(x[i])
            out[2, i] = cmath.rect(x[i], x[i])
            out[3, i] = cmath.asin(x[i])

    numbers = [0, 1, 2, 100]
    if source in "efdFD":
        numbers += [-2.5, INF, -INF, NAN]
    x = np.array(numbers, source)
    flags = np.zeros((3, x.size), bool)
    out = np.zeros((4, x.size), complex)
    if source in "FD":
        message = "'cmath.rect' expects a real"
        with pytest.raises(cuda.errors.TypingError, match=message):
            k[1, 8](x, flags, out)
        return
    k[1, 8](x, flags, out)
    wanted = [np.isfinite(x), np.isinf(x), np.isnan(x)]
    np.testing.assert_array_equal(flags, wanted)
    finite = np.isfinite(x)
    for row, function in enumerate(
        [cmath.sqrt, cmath.phase, lambda r: cmath.rect(r, r), cmath.asin]
    ):
        wanted = [function(float(number)) for number in x[finite]]
        np.testing.assert_allclose(out[row, finite], wanted, rtol=2e-6)


def test_constants():
    @cuda.jit
    def k(out):
        out[0] = cmath.pi
        out[1] = cmath.infj
        out[2] = cmath.nanj
        out[3] = cmath.tau * cmath.e

    out = np.zeros(4, complex)
    k[1, 1](out)
    wanted = [cmath.pi, cmath.infj, cmath.nanj, cmath.tau * cmath.e]
    np.testing.assert_array_equal(out, wanted)
