# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Floats of 8 bits, with ml_dtypes and rational numbers as judges."""

import math
from fractions import Fraction

import numpy as np
import pytest

from pyk import CompileError, cuda, types
from pyk.cuda import fp8

CODES = np.arange(256, dtype=np.uint8)
SIGNED = ["e5m2", "e4m3"]
FORMATS = [*SIGNED, "e8m0"]
#: Bits of mantissa, bias, the largest number and what is beyond it.
LAYOUTS = {"e5m2": (2, 15, 0x7B, 0x7C), "e4m3": (3, 7, 0x7E, 0x7F)}


def value_of(name, code):
    """What the bits stand for."""
    if name == "e8m0":
        return 2.0 ** (code - 127) if code != 255 else math.nan
    mantissa, bias, largest, _ = LAYOUTS[name]
    magnitude = code & 0x7F
    exponent, digits = magnitude >> mantissa, magnitude & (2**mantissa - 1)
    if magnitude > largest:
        is_infinite = name == "e5m2" and digits == 0
        found = math.inf if is_infinite else math.nan
    elif exponent == 0:
        found = digits * 2.0 ** (1 - bias - mantissa)
    else:
        found = (2**mantissa + digits) * 2.0 ** (exponent - bias - mantissa)
    return -found if code & 0x80 else found


def rounded(name, x, saturate):
    """The code of the nearest number, half to even, by exact arithmetic."""
    _, _, largest, beyond = LAYOUTS[name]
    if math.isnan(x):
        return 0x7F
    sign = 0x80 if math.copysign(1, x) < 0 else 0
    if math.isinf(x):
        return sign | (largest if saturate else beyond)
    exact = abs(Fraction(x))
    ladder = [Fraction(value_of(name, code)) for code in range(largest + 1)]
    # The number that would be next.
    ladder.append(2 * ladder[-1] - ladder[-2])
    above = next((n for n, step in enumerate(ladder) if step >= exact), None)
    if above is None:
        code = len(ladder) - 1
    else:
        code = above
        if above and ladder[above] != exact:
            low = exact - ladder[above - 1]
            high = ladder[above] - exact
            is_low = low < high or (low == high and above % 2 == 1)
            code = above - 1 if is_low else above
    if code > largest:
        code = largest if saturate else beyond
    return sign | code


def floats(kind):
    """Numbers of each size, the ends of each format, and ties."""
    random = np.random.default_rng(8)
    ties = []
    for name in SIGNED:
        finite = [value_of(name, c) for c in range(LAYOUTS[name][2] + 1)]
        finite.append(2 * finite[-1] - finite[-2])
        finite = np.array(finite)
        middle = (finite[1:] + finite[:-1]) / 2
        near = [
            np.nextafter(kind(x), kind(side))
            for x in middle
            for side in (0, 9e9)
        ]
        ties += [*finite, *middle, *near]
    spread = random.normal(size=2000) * 2.0 ** random.integers(-20, 20, 2000)
    special = [0.0, -0.0, np.inf, -np.inf, np.nan, 1e30, -1e30, 1e-30, 1e-40]
    ties = np.array(ties)
    return np.concatenate([spread, ties, -ties, special]).astype(kind)


def launch(kernel, *arguments):
    kernel[-(-arguments[0].size // 128), 128](*arguments)


@pytest.mark.parametrize("name", FORMATS)
def test_every_code(name):
    """To each kind of number, and back to the same bits."""
    kind = getattr(fp8, f"fp8_{name}")

    @cuda.jit
    def k(codes, wide, half, single, brain, back):
        i = cuda.grid(1)
        if i < codes.size:
            x = codes.view(kind)[i]
            wide[i] = x
            half[i] = types.float16(x)
            single[i] = types.float32(x)
            brain[i] = types.bfloat16(x)
            back.view(kind)[i] = types.float32(x)

    expected = np.array([value_of(name, int(code)) for code in CODES])
    wide, single = np.zeros(256), np.zeros(256, np.float32)
    half, brain = np.zeros(256, np.float16), np.zeros(256)
    back = np.zeros(256, np.uint8)
    launch(k, CODES, wide, half, single, brain, back)
    np.testing.assert_array_equal(wide, expected)
    np.testing.assert_array_equal(single, expected.astype(np.float32))
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal(half, expected.astype(np.float16))
    np.testing.assert_array_equal(brain, expected)
    number = np.isfinite(expected)
    np.testing.assert_array_equal(
        np.signbit(wide[number]), np.signbit(expected[number])
    )
    np.testing.assert_array_equal(back[number], CODES[number])


#: What the codes of fp4_e2m1 stand for, without the sign.
OF_FOUR_BITS = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6])


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_four_bits(kind):
    """Every code as a number, and numbers as the nearest code, half to even."""
    ml_dtypes = pytest.importorskip("ml_dtypes")
    small = ml_dtypes.float4_e2m1fn

    @cuda.jit
    def k(codes, wide, numbers, rounded):
        i = cuda.grid(1)
        if i < codes.size:
            wide[i] = codes[i]
        if i < numbers.size:
            rounded[i] = numbers[i]

    codes = np.arange(16, dtype=np.uint8)
    values = np.concatenate([OF_FOUR_BITS, -OF_FOUR_BITS])
    middle = (OF_FOUR_BITS[1:] + OF_FOUR_BITS[:-1]) / 2
    near = [np.nextafter(kind(x), kind(y)) for x in middle for y in (0, 9)]
    numbers = np.array([*values, *middle, *-middle, *near, 1e9, -1e9], kind)
    wide, rounded = np.zeros(16, kind), np.zeros(numbers.size, small)
    k[1, 64](codes.view(small), wide, numbers, rounded)
    np.testing.assert_array_equal(wide, values)
    np.testing.assert_array_equal(np.signbit(wide), codes >= 8)
    ladder = [Fraction(x) for x in OF_FOUR_BITS]
    expected = []
    for x in np.minimum(np.abs(numbers), 6):
        gaps = [abs(Fraction(float(x)) - step) for step in ladder]
        nearest = [code for code in range(8) if gaps[code] == min(gaps)]
        expected.append(min(nearest, key=lambda code: code % 2))
    signs = 8 * np.signbit(numbers)
    np.testing.assert_array_equal(
        rounded.view(np.uint8), np.array(expected) + signs
    )


def test_four_bits_elsewhere():
    """In constants and conditions, and as no operand."""
    ml_dtypes = pytest.importorskip("ml_dtypes")
    table = np.array([0.5, -6, 3], ml_dtypes.float4_e2m1fn)
    one = table[2]

    @cuda.jit
    def k(out):
        known = cuda.const.array_like(table)
        out[0] = known[1]
        out[1] = types.fp4_e2m1(2.6)
        out[2] = one
        out[3] = 1 if types.fp4_e2m1(0.1) else 2

    out = np.zeros(4)
    k[1, 1](out)
    assert out.tolist() == [-6, 3, 3, 2]

    @cuda.jit
    def product(out):
        out[0] = types.fp4_e2m1(1) * types.fp4_e2m1(2)

    with pytest.raises(CompileError, match="fp4_e2m1"):
        product[1, 1](out)


@pytest.mark.parametrize("name", SIGNED)
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_rounding(name, kind):
    target = getattr(fp8, f"fp8_{name}")
    convert = (
        fp8.cvt_float_to_fp8 if kind == np.float32 else fp8.cvt_double_to_fp8
    )
    layout = getattr(fp8.fp8_interpretation_t, name.upper())

    @cuda.jit
    def k(a, out):
        i = cuda.grid(1)
        if i < a.size:
            out[0, i] = convert(a[i], fp8.saturation_t.SATFINITE, layout)
            out[1, i] = convert(a[i], fp8.saturation_t.NOSAT, layout)
            out.view(target)[2, i] = a[i]

    a = floats(kind)
    out = np.zeros((3, a.size), np.uint8)
    launch(k, a, out)
    saturated = [rounded(name, float(x), True) for x in a]
    plain = [rounded(name, float(x), False) for x in a]
    np.testing.assert_array_equal(out[0], saturated)
    np.testing.assert_array_equal(out[1], plain)
    np.testing.assert_array_equal(out[2], saturated)


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_exponents(kind):
    convert = (
        fp8.cvt_float_to_e8m0 if kind == np.float32 else fp8.cvt_double_to_e8m0
    )

    @cuda.jit
    def k(a, out):
        i = cuda.grid(1)
        if i < a.size:
            saturated, plain = (
                fp8.saturation_t.SATFINITE,
                fp8.saturation_t.NOSAT,
            )
            out[0, i] = convert(a[i], saturated, fp8.round_t.POS_INF)
            out[1, i] = convert(a[i], plain, fp8.round_t.POS_INF)
            out[2, i] = convert(a[i], saturated, fp8.round_t.ZERO)
            out[3, i] = convert(a[i], plain, fp8.round_t.ZERO)
            out.view(fp8.fp8_e8m0)[4, i] = a[i]

    powers = 2.0 ** np.arange(-149, 128)
    with np.errstate(over="ignore"):
        near = [
            f(kind(x))
            for x in powers
            for f in (
                lambda x: x,
                lambda x: np.nextafter(x, kind(np.inf)),
                lambda x: np.nextafter(x, kind(0)),
            )
        ]
    a = np.array([*near, 0, np.inf, np.nan, 3, -5, np.finfo(kind).max], kind)
    out = np.zeros((5, a.size), np.uint8)
    launch(k, a, out)

    def code_of(x, is_up, saturate):
        if math.isnan(x):
            return 255
        most = 254 if saturate else 255
        if math.isinf(x):
            return most
        if x == 0:
            return 0
        fraction, exponent = math.frexp(abs(x))
        code = exponent - 1 + 127 + (is_up and fraction != 0.5)
        return min(max(code, 0), most)

    for row, is_up, saturate in zip(
        out,
        (True, True, False, False, True),
        (True, False, True, False, True),
        strict=True,
    ):
        expected = [code_of(float(x), is_up, saturate) for x in a]
        np.testing.assert_array_equal(row, expected)


def test_integers_and_other_floats():
    @cuda.jit
    def k(out):
        out[0] = fp8.fp8_e5m2(np.int8(-3))
        out[1] = fp8.fp8_e4m3(np.uint64(200))
        out[2] = fp8.fp8_e8m0(5)
        out[3] = fp8.fp8_e4m3(types.bfloat16(1.1))
        out[4] = fp8.fp8_e5m2(np.float16(1.1))
        out[5] = fp8.fp8_e4m3(True)
        out[6] = int(fp8.fp8_e4m3(-2.75)) + float(fp8.fp8_e5m2(0.5))
        out[7] = np.uint8(fp8.fp8_e5m2(1e9))

    out = np.zeros(8)
    k[1, 1](out)
    assert out.tolist() == [-3, 192, 8, 1.125, 1, 1, -1.5, 255]


def test_truth_choice_and_functions():
    @cuda.jit(device=True)
    def halved(x):
        return fp8.fp8_e4m3(types.float32(x) / 2)

    @cuda.jit
    def k(a, out):
        i = cuda.grid(1)
        x = fp8.fp8_e4m3(a[i])
        y = halved(x) if x else fp8.fp8_e4m3(7)
        out[i] = y
        if not bool(fp8.fp8_e4m3(0.0001)):
            out[i] = types.float32(y) + 100

    a, out = np.array([0.0, 3.0, -0.0, 8.0]), np.zeros(4)
    k[1, 4](a, out)
    assert out.tolist() == [107, 101.5, 107, 104]


def test_arrays_of_a_thread_and_of_a_block():
    @cuda.jit
    def k(out):
        own = cuda.local.array(4, fp8.fp8_e5m2)
        both = cuda.shared.array(32, types.fp8_e4m3)
        t = cuda.threadIdx.x
        own[:] = 1.6
        own[1] = own[0]
        both[t] = t
        cuda.syncthreads()
        out[t] = types.float32(both[31 - t]) + types.float32(own[1])

    out = np.zeros(32)
    k[1, 32](out)
    expected = [
        value_of("e4m3", rounded("e4m3", 31.0 - t, True)) + 1.5
        for t in range(32)
    ]
    assert out.tolist() == expected


def test_bits_of_a_bfloat16():
    @cuda.jit
    def k(codes, out):
        i = cuda.grid(1)
        raw = fp8.cvt_e8m0_to_bf16raw(codes[i])
        out[0, i] = raw.x
        out[1, i] = fp8.cvt_bfloat16raw_to_e8m0(
            raw, fp8.saturation_t.NOSAT, fp8.round_t.POS_INF
        )
        out[2, i] = fp8.cvt_bfloat16raw_to_fp8(
            raw, fp8.saturation_t.SATFINITE, fp8.fp8_interpretation_t.E4M3
        )

    out = np.zeros((3, 256), np.uint16)
    k[2, 128](CODES, out)
    values = [value_of("e8m0", int(code)) for code in CODES]
    expected = np.array(values, np.float32).view(np.uint32) >> 16
    np.testing.assert_array_equal(out[0, :255], expected[:255])
    assert out[0, 255] & 0x7FFF > 0x7F80
    np.testing.assert_array_equal(out[1], CODES)
    np.testing.assert_array_equal(
        out[2], [rounded("e4m3", value, True) for value in values]
    )


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("e5m2", "float8_e5m2"),
        ("e4m3", "float8_e4m3fn"),
        ("e8m0", "float8_e8m0fnu"),
    ],
)
def test_arrays_of_ml_dtypes(name, other):
    ml_dtypes = pytest.importorskip("ml_dtypes")
    dtype = getattr(ml_dtypes, other)
    kind = getattr(types, f"fp8_{name}")
    assert kind.dtype == dtype

    @cuda.jit
    def k(a, b, out):
        i = cuda.grid(1)
        if i < a.size:
            out[i] = types.float32(a[i]) * 2
            b[i] = dtype(out[i])

    a = np.array([1, 2, 0.5, 64], dtype)
    b, out = np.zeros_like(a), np.zeros(4, np.float32)
    k[1, 32](cuda.to_device(a), b, out)
    np.testing.assert_array_equal(out, [2, 4, 1, 128])
    np.testing.assert_array_equal(b.astype(np.float32), out)
    # Arrays of other bytes are others.
    out[:] = 0
    with pytest.raises(CompileError):
        k[1, 32](a, np.zeros(4, complex), out)


@pytest.mark.parametrize(
    ("name", "numbers"),
    [
        ("float8_e5m2", [1.75, -0.5, 57344]),
        ("float8_e4m3fn", [1.875, -0.5, 448]),
        ("float8_e8m0fnu", [0.25, 2, 1024]),
    ],
)
def test_known_while_compiling(name, numbers):
    ml_dtypes = pytest.importorskip("ml_dtypes")
    dtype = getattr(ml_dtypes, name)
    table, one = np.array(numbers, dtype), dtype(numbers[0])

    @cuda.jit
    def k(out, copy):
        found = cuda.const.array_like(table)
        i = cuda.grid(1)
        if i < found.size:
            out[i] = found[i]
            copy[i] = table[i]
            out[found.size] = types.float32(one)

    out, copy = np.zeros(len(numbers) + 1), np.zeros(len(numbers), dtype)
    k[1, 32](out, copy)
    assert out.tolist() == [*numbers, numbers[0]]
    assert copy.astype(float).tolist() == numbers


def test_named_by_text():
    @cuda.jit
    def k(out):
        near = cuda.shared.array(4, "fp8_e5m2")
        far = cuda.local.array(4, "float8_e4m3fn")
        near[0] = far[0] = 1.3
        out[0], out[1] = near[0], far[0]

    out = np.zeros(2)
    k[1, 1](out)
    assert out.tolist() == [1.25, 1.25]


def test_a_signature():
    @cuda.jit("void(float32[:], fp8_e4m3[:])")
    def k(a, out):
        i = cuda.grid(1)
        if i < a.size:
            out[i] = a[i]

    ml_dtypes = pytest.importorskip("ml_dtypes")
    out = np.zeros(3, ml_dtypes.float8_e4m3fn)
    k[1, 32](np.array([1, 2.2, 1e9], np.float32), out)
    assert out.astype(np.float32).tolist() == [1, 2.25, 448]


def test_support():
    assert cuda.is_fp8_supported()
    assert fp8.fp8_e4m3 is types.fp8_e4m3
    assert repr(types.fp8_e5m2[:]) == "array(fp8_e5m2, 1d, A)"
    with pytest.raises(RuntimeError, match="can only be used inside a kernel"):
        fp8.cvt_float_to_fp8(1, 0, 0)
