# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Complex numbers: operators, parts, conversions, and where they may stand.

The oracle is NumPy, whose operators have a result where Python's raise.
"""

import cmath
import math

import numpy as np
import pytest

from pyk import cuda, types

COMPLEX = [np.complex64, np.complex128]
INF, NAN = math.inf, math.nan
PARTS = [
    *(0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.0, 1e-310, 1e-160, 3e200),
    *(1.7e308, -1.7e308, INF, -INF, NAN),
]
NUMBERS = np.array([complex(a, b) for a in PARTS for b in PARTS])


def launch(kernel, *arguments):
    kernel[4, 64](*arguments)


def pairs(dtype):
    """Every pair of a part of the numbers."""
    some = NUMBERS[::3].astype(dtype)
    left, right = np.meshgrid(some, some)
    return left.ravel(), right.ravel()


def is_clear(*numbers):
    """Where no operand has a NaN: the sign of what comes of one is open."""
    return ~np.any([np.isnan(number) for number in numbers], axis=0)


def assert_same(found, expected, tolerance, clear=True):
    """Equal parts: NaNs, infinities and signs of zeros, too."""
    for part in ("real", "imag"):
        a, b = getattr(found, part), getattr(expected, part)
        np.testing.assert_array_equal(np.isnan(a), np.isnan(b))
        np.testing.assert_allclose(
            a, b, rtol=tolerance, atol=np.finfo(a.dtype).tiny
        )
        zero = (a == 0) & (b == 0) & clear
        np.testing.assert_array_equal(
            np.signbit(a[zero]), np.signbit(b[zero]), part
        )


@pytest.mark.parametrize("dtype", COMPLEX)
@np.errstate(all="ignore")
def test_sum_and_difference(dtype):
    @cuda.jit
    def k(a, b, plus, minus, negated):
        for i in range(cuda.grid(1), a.size, cuda.gridsize(1)):
            plus[i] = a[i] + b[i]
            minus[i] = a[i] - b[i]
            negated[i] = -a[i]

    a, b = pairs(dtype)
    out = np.zeros((3, a.size), dtype)
    launch(k, a, b, *out)
    for found, expected in zip(out, (a + b, a - b, -a), strict=True):
        assert_same(found, expected, 0, is_clear(a, b))


@pytest.mark.parametrize("dtype", COMPLEX)
def test_product(dtype):
    @cuda.jit
    def k(a, b, out):
        i = cuda.grid(1)
        if i < a.size:
            out[i] = a[i] * b[i]

    random = np.random.default_rng(1)
    a, b = (random.normal(size=(2, 200, 2)) @ [1, 1j]).astype(dtype)
    out = np.zeros(200, dtype)
    launch(k, a, b, out)
    # One rounding less, as a * b + c has.
    bound = 2 * np.finfo(dtype).eps * abs(a) * abs(b)
    assert (abs(out - a * b) <= bound).all()
    with np.errstate(all="ignore"):
        huge = np.array([complex(INF, 1), complex(1e300, 1e300), 2j], dtype)
        launch(k, huge, huge, out)
        assert_same(out[:3], huge * huge, 0)


@pytest.mark.parametrize("dtype", COMPLEX)
@np.errstate(all="ignore")
def test_quotient(dtype):
    @cuda.jit
    def k(a, b, out):
        for i in range(cuda.grid(1), a.size, cuda.gridsize(1)):
            out[i] = a[i] / b[i]

    a, b = pairs(dtype)
    out = np.zeros(a.size, dtype)
    launch(k, a, b, out)
    expected = a / b
    # NumPy multiplies by a reciprocal, which overflows; CPython divides.
    tiny = (abs(b) < 1e-300) & (b != 0)
    divided = [
        x / y for x, y in zip(a.tolist(), b.tolist()) if y and abs(y) < 1e-300
    ]
    expected[tiny] = divided
    tolerance = 4 * np.finfo(dtype).eps
    assert_same(out, expected, tolerance, is_clear(a, b))


def test_quotient_is_exact_where_it_can_be():
    @cuda.jit
    def k(out):
        out[0] = (5 + 10j) / (1 + 2j)
        out[1] = (8e307 + 8e307j) / (8e307 + 8e307j)
        out[2] = (1e-320 + 1e-320j) / (1e-320 + 1e-320j)

    out = np.zeros(3, np.complex128)
    k[1, 1](out)
    np.testing.assert_array_equal(out, [5, 1, 1])


@pytest.mark.parametrize("dtype", COMPLEX)
def test_power(dtype):
    exponents = [
        *(0, 1, 2, 3, -1, -2, 7, 100, 101, -100, 0.5, -1.5, 2.5, 1j, -2j),
        *(1 + 2j, 3 - 0.5j, 0.25 - 3j),
    ]

    @cuda.jit
    def k(a, b, out):
        for i in range(cuda.grid(1), a.size, cuda.gridsize(1)):
            for j in range(b.size):
                out[i, j] = a[i] ** b[j]

    a = np.array([1, -1, 1j, -1j, 0.5 + 0.5j, -2.5 + 1j, 1.01 - 0.3j], dtype)
    b = np.array(exponents, dtype)
    out = np.zeros((a.size, b.size), dtype)
    launch(k, a, b, out)
    expected = np.array([[complex(x) ** complex(y) for y in b] for x in a])
    size = abs(expected)
    assert not np.isfinite(out[size > np.finfo(dtype).max]).any()
    # The power that a negative one is the reciprocal of has to fit, too.
    fits = (size < np.finfo(dtype).max / 4) & (size > np.finfo(dtype).tiny)
    scale = 200 * np.finfo(dtype).eps * size
    assert (abs(out - expected) <= scale)[fits].all()


def test_power_of_zero():
    @cuda.jit
    def k(zero, b, out):
        for i in range(b.size):
            out[i] = zero ** b[i]

    b = np.array([0, 2, 0.5, -1, 1j, 1 + 1j, -2.5])
    out = np.zeros(b.size, complex)
    k[1, 1](0j, b, out)
    with np.errstate(all="ignore"):
        assert_same(out, np.zeros(1, complex) ** b, 0)


def test_literal_exponent():
    @cuda.jit
    def k(z, out):
        out[0] = z**0
        out[1] = z**1
        out[2] = z**2
        out[3] = z**5
        out[4] = z**-3
        out[5] = pow(z, 2)
        out[6] = z**0.5

    z = 0.75 - 1.25j
    out = np.zeros(7, complex)
    k[1, 1](z, out)
    exponents = np.array([0, 1, 2, 5, -3, 2, 0.5])
    np.testing.assert_allclose(out, z**exponents, rtol=1e-15)


@pytest.mark.parametrize("dtype", COMPLEX)
@np.errstate(over="ignore")
def test_comparisons_and_truth(dtype):
    @cuda.jit
    def k(a, b, out):
        for i in range(cuda.grid(1), a.size, cuda.gridsize(1)):
            out[0, i] = a[i] == b[i]
            out[1, i] = a[i] != b[i]
            out[2, i] = bool(a[i])
            out[3, i] = not a[i]
            out[4, i] = a[i] == 1
            out[5, i] = 2 if a[i] else 0
            out[6, i] = (a[i] and 1) != 0

    a, b = pairs(dtype)
    out = np.zeros((7, a.size), bool)
    launch(k, a, b, out)
    expected = [a == b, a != b, a != 0, a == 0, a == 1, a != 0, a != 0]
    np.testing.assert_array_equal(out, expected)


@pytest.mark.parametrize("dtype", COMPLEX)
@np.errstate(over="ignore")
def test_parts(dtype):
    @cuda.jit
    def k(a, real, imag, conjugate, size, doubled):
        i = cuda.grid(1)
        if i < a.size:
            real[i] = a[i].real
            imag[i] = a[i].imag
            conjugate[i] = a[i].conjugate()
            size[i] = abs(a[i])
            doubled[i] = complex(a[i].real, a[i].imag) + a[i]

    a = NUMBERS.astype(dtype)
    part = a.real.dtype
    out = [np.zeros(a.size, t) for t in (part, part, dtype, part, dtype)]
    launch(k, a, *out)
    expected = [a.real, a.imag, a.conjugate(), abs(a), a + a]
    for found, wanted in zip(out, expected, strict=True):
        np.testing.assert_array_max_ulp(found.real, wanted.real, 1)
        np.testing.assert_array_max_ulp(found.imag, wanted.imag, 1)


def test_parts_of_real_numbers():
    @cuda.jit
    def k(i, x, out):
        out[0] = i.real
        out[1] = i.imag
        out[2] = i.conjugate()
        out[3] = x.real
        out[4] = x.imag
        out[5] = x.conjugate()

    out = np.zeros(6)
    k[1, 1](-7, np.float32(2.5), out)
    np.testing.assert_array_equal(out, [-7, 0, -7, 2.5, 0, 2.5])


@pytest.mark.parametrize("target", COMPLEX)
@pytest.mark.parametrize("source", "?bhilBHILefdFD")
def test_conversion(source, target):
    values = np.array([0, 1, 100, 3.75], source)

    @cuda.jit
    def k(a, cast, stored, made):
        i = cuda.grid(1)
        if i < a.size:
            cast[i] = target(a[i])
            stored[i] = a[i]
            made[i] = complex(a[i])

    out = np.zeros((3, 4), target)
    k[1, 4](values, *out)
    np.testing.assert_array_equal(out, [values.astype(target)] * 3)


def test_what_arithmetic_widens_to():
    """A product with float64 is complex128, one with float32 complex64."""

    @cuda.jit
    def k(z, narrow, wide, out):
        out[0] = z * narrow
        out[1] = z * wide
        out[2] = z + 1j
        out[3] = complex(narrow)
        out[4] = complex(narrow, narrow)

    z, narrow = np.complex64(0.1 + 0.3j), np.float32(0.7)
    out = np.zeros(5, complex)
    k[1, 1](z, narrow, 0.7, out)
    expected = [z * narrow, complex(z) * 0.7, complex(z) + 1j]
    expected += [complex(narrow), complex(narrow, narrow)]
    np.testing.assert_allclose(out[1:], expected[1:], rtol=1e-16)
    np.testing.assert_allclose(out[0], expected[0], rtol=1e-7)
    assert np.complex64(out[0]) == out[0]


@pytest.mark.parametrize("value", [3 - 4j, np.complex64(1j), np.complex128(2)])
def test_scalar_argument(value):
    @cuda.jit
    def k(before, z, after, out):
        out[0] = z
        out[1] = before + after

    out = np.zeros(2, complex)
    for _ in range(2):
        k[1, 1](0.5, value, np.int8(3), out)
        np.testing.assert_array_equal(out, [value, 3.5])


def test_arrays_of_every_layout():
    @cuda.jit
    def k(c, f, strided, readonly, out):
        i, j = cuda.grid(2)
        if i < c.shape[0] and j < c.shape[1]:
            out[i, j] = c[i, j] + f[i, j] * strided[i, j] - readonly[i, j]
            strided[i, j] += 1j

    random = np.random.default_rng(2)
    c, f, wide, fixed = random.normal(size=(4, 3, 4, 2)) @ [1, 1j]
    strided = np.zeros((6, 8), complex)[::2, ::-2]
    strided[:] = wide
    fixed.flags.writeable = False
    out = np.zeros((3, 4), complex)
    k[(1, 1), (4, 4)](c, np.asfortranarray(f), strided, fixed, out)
    np.testing.assert_allclose(out, c + f * wide - fixed, rtol=1e-14)
    np.testing.assert_array_equal(strided, wide + 1j)


def test_address_between_multiples_of_the_size():
    """NumPy aligns a complex128 to 8 bytes."""

    @cuda.jit
    def k(a):
        i = cuda.grid(1)
        if i < a.size:
            a[i] *= 2

    memory = np.zeros(9)
    for first in (0, 1):
        a = memory[first : first + 8].view(complex)
        a[:] = [1, 2j, 3, 4 - 1j]
        k[1, 4](a)
        np.testing.assert_array_equal(a, [2, 4j, 6, 8 - 2j])


WEIGHTS = np.array([[1 + 1j, 2], [0.5j, -1]])
SPLAT = np.full(3, 2 - 1j, np.complex64)
TURN = 1j


def test_shared_local_and_constant_arrays():
    @cuda.jit
    def k(a, out):
        tile = cuda.shared.array(4, np.complex64)
        own = cuda.local.array((2, 2), types.complex128)
        weights = cuda.const.array_like(WEIGHTS)
        i = cuda.threadIdx.x
        tile[i] = a[i]
        cuda.syncthreads()
        for row in range(2):
            for column in range(2):
                own[row, column] = weights[row, column] * tile[3 - i]
        out[i] = own[0, 0] + own[0, 1] - own[1, 0] + SPLAT[i % 3] * own[1, 1]

    a = np.array([1, 2j, -1, 0.5 + 0.5j], np.complex64)
    out = np.zeros(4, complex)
    k[1, 4](a, out)
    back = a[::-1].astype(complex)
    expected = back * (1 + 1j + 2 - 0.5j) - (2 - 1j) * back
    np.testing.assert_allclose(out, expected, rtol=1e-15)


def test_dynamic_shared_memory():
    @cuda.jit
    def k(out):
        tile = cuda.shared.array(0, types.complex128)
        i = cuda.threadIdx.x
        tile[i] = complex(i, -i)
        cuda.syncthreads()
        out[i] = tile[tile.size - 1 - i]

    out = np.zeros(4, complex)
    k[1, 4, 0, 4 * 16](out)
    np.testing.assert_array_equal(out, [3 - 3j, 2 - 2j, 1 - 1j, 0])


def test_functions_tuples_globals_and_closures():
    shift = np.complex64(0.5)

    @cuda.jit(device=True)
    def both(z, scale=2j):
        return z * scale, z.conjugate()

    @cuda.jit
    def k(a, out):
        i = cuda.grid(1)
        first, second = both(a[i] + shift)
        found = (first * TURN, second, 1 + 2j)
        for item in found:
            out[i] += item
        out[i] += both(a[i], 1)[0]

    a = np.array([1, 2j, -1 + 1j])
    out = np.zeros(3, complex)
    k[1, 3](a, out)
    moved = a + shift
    expected = moved * 2j * 1j + moved.conjugate() + (1 + 2j) + a
    np.testing.assert_allclose(out, expected, rtol=1e-15)


def test_variables_that_become_complex():
    @cuda.jit
    def k(n, out):
        total = 0
        z = 1.0
        for i in range(n):
            total += complex(i, 1)
            if i == 2:
                z = 1j
        while abs(total) > 10:
            total = total / 2
        out[0] = total
        out[1] = z
        out[2] = total if n > 100 else n

    out = np.zeros(3, complex)
    k[1, 1](6, out)
    np.testing.assert_array_equal(out, [(15 + 6j) / 2, 1j, 6])


def test_conditions_on_constants():
    @cuda.jit
    def k(out):
        if TURN:
            out[0] = 1
        if TURN == 1j:
            out[1] = 1
        if TURN != 1:
            out[2] = 1
        if TURN == 0:
            out[3] = 1

    out = np.zeros(4)
    k[1, 1](out)
    np.testing.assert_array_equal(out, [1, 1, 1, 0])


def test_views_and_fill():
    @cuda.jit
    def k(a, out):
        out[0, :] = a[::2]
        out[1].fill(2j)
        out[2, :] = 1
        part = a[1:3]
        out[0, 0] = part[1] + a.item() + a.itemsize

    a = np.arange(6) * (1 + 1j)
    out = np.zeros((3, 3), complex)
    k[1, 1](a, out)
    np.testing.assert_array_equal(
        out, [[2 + 2j + 16, a[2], a[4]], [2j] * 3, [1] * 3]
    )


@pytest.mark.parametrize(
    "signature",
    [
        "void(complex64[:], c8, complex128[::1])",
        (types.complex64[:], types.complex64, types.complex128[::1]),
    ],
)
def test_signature(signature):
    @cuda.jit(signature)
    def k(a, z, out):
        i = cuda.grid(1)
        if i < a.size:
            out[i] = a[i] + z

    a = np.array([1, 2j, 3], np.complex64)
    out = np.zeros(3, complex)
    k[1, 4](a, 0.5 + 0.25j, out)
    np.testing.assert_array_equal(out, a + (0.5 + 0.25j))
    k[1, 4](a, 2, out)
    np.testing.assert_array_equal(out, a + 2)


def test_horner_is_the_same_as_numpy():
    @cuda.jit
    def k(coefficients, points, out):
        i = cuda.grid(1)
        if i < points.size:
            value = 0j
            for c in coefficients:
                value = value * points[i] + c
            out[i] = value

    random = np.random.default_rng(3)
    coefficients, points = random.normal(size=(2, 12, 2)) @ [1, 1j]
    out = np.zeros(12, complex)
    k[1, 32](coefficients, points, out)
    np.testing.assert_allclose(
        out, np.polyval(coefficients, points), rtol=1e-12
    )


def test_abs_does_not_overflow():
    @cuda.jit
    def k(z, out):
        out[0] = abs(z)
        out[1] = abs(cmath.sqrt(z))

    out = np.zeros(2)
    k[1, 1](3e300 + 4e300j, out)
    np.testing.assert_allclose(out, [5e300, math.sqrt(5) * 1e150], rtol=1e-15)
    k[1, 1](3e-310 + 4e-310j, out)
    np.testing.assert_allclose(out, [5e-310, abs(cmath.sqrt(3e-310 + 4e-310j))])


def test_parts_of_arrays_are_views():
    @cuda.jit(device=True)
    def scale(part, factor):
        for i in range(part.shape[0]):
            for j in range(part.shape[1]):
                part[i, j] *= factor

    @cuda.jit
    def k(a, b, line, out):
        scale(a.real, 2)
        scale(b.T.imag, -1)
        out[0] = line.real[1] + line.imag[-1]
        out[1] = line[::2].imag[1]
        line.imag[0] = 7
        line.real[1:] = 0.5
        out[2] = a.real.size + a.imag.ndim
        own = cuda.local.array(2, np.complex64)
        own.real[0] = 3
        own.imag[0] = own.real[0] + 1
        out[3] = abs(own[0])

    a = np.arange(6).reshape(2, 3) * (1 + 1j)
    b = np.asfortranarray(a).astype(np.complex64)
    line = np.array([1 + 2j, 3 + 4j, 5 + 6j])
    out = np.zeros(4)
    k[1, 1](a, b, line, out)
    wanted = np.arange(6).reshape(2, 3)
    np.testing.assert_array_equal(a, wanted * (2 + 1j))
    np.testing.assert_array_equal(b, wanted * (1 - 1j))
    np.testing.assert_array_equal(line, [1 + 7j, 0.5 + 4j, 0.5 + 6j])
    np.testing.assert_array_equal(out, [9, 6, 8, 5])


def test_real_part_of_a_real_array_is_the_array():
    @cuda.jit
    def k(a):
        a.real[0] = 5

    a = np.zeros(2)
    k[1, 1](a)
    np.testing.assert_array_equal(a, [5, 0])


def test_fields_of_records():
    @cuda.jit
    def k(a, out):
        i = cuda.grid(1)
        if i < a.size:
            a[i].wave = a[i].wave * a[i].gain
            a.phase[i] = a[i]["wave"].imag
            out[i] = a.wave.real[i]

    dtype = np.dtype([("gain", "f4"), ("wave", "c16"), ("phase", "f8")])
    a = np.zeros(3, dtype)
    a["gain"] = [1, 2, 3]
    a["wave"] = [1 + 1j, 2 - 2j, 0.5j]
    out = np.zeros(3)
    k[1, 4](a, out)
    np.testing.assert_array_equal(a["wave"], [1 + 1j, 4 - 4j, 1.5j])
    np.testing.assert_array_equal(a["phase"], [1, -4, 1.5])
    np.testing.assert_array_equal(out, [1, 4, 0])


@pytest.mark.parametrize("dtype", COMPLEX)
def test_numpy_functions(dtype):
    @cuda.jit
    def k(a, b, out, part, flags):
        i = cuda.grid(1)
        if i < a.size:
            out[0, i] = np.conj(a[i])
            out[1, i] = np.sqrt(a[i])
            out[2, i] = np.exp(a[i])
            out[3, i] = np.add(a[i], b[i])
            out[4, i] = np.multiply(a[i], b[i])
            out[5, i] = np.divide(a[i], b[i])
            out[6, i] = np.arcsin(a[i])
            out[7, i] = np.square(a[i])
            out[8, i] = np.power(a[i], b[i])
            out[9, i] = np.log10(a[i])
            part[0, i] = np.abs(a[i])
            part[1, i] = np.real(a[i])
            part[2, i] = np.imag(a[i])
            part[3, i] = np.angle(a[i])
            flags[0, i] = np.isfinite(a[i])
            flags[1, i] = np.isnan(a[i])

    a = np.array([1 + 2j, -0.5j, 3, -1 - 1j], dtype)
    b = np.array([2 - 1j, 1 + 1j, 0.5j, -2], dtype)
    out, part = np.zeros((10, 4), complex), np.zeros((4, 4))
    flags = np.zeros((2, 4), bool)
    k[1, 4](a, b, out, part, flags)
    expected = [np.conj(a), np.sqrt(a), np.exp(a), a + b, a * b, a / b]
    expected += [np.arcsin(a), a * a, a**b, np.log10(a)]
    tolerance = 16 * np.finfo(dtype).eps
    np.testing.assert_allclose(out, expected, rtol=tolerance, atol=tolerance)
    expected = [abs(a), a.real, a.imag, np.angle(a)]
    np.testing.assert_allclose(part, expected, rtol=tolerance)
    np.testing.assert_array_equal(flags, [[True] * 4, [False] * 4])
