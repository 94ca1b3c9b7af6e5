# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The functions of `cuda.bf16`, on all bit patterns where that is cheap.

The oracles are ml_dtypes, NumPy, and rational numbers for what is rounded in a
direction.
"""

import bisect
import math
import operator
from fractions import Fraction

import numpy as np
import pytest

from bfloat16_numbers import (
    ALL,
    COUNT,
    OTHERS,
    as_integers,
    assert_equal,
    assert_near,
    bfloat16,
    launch,
)
from pyk import cuda, types
from pyk.cuda import bf16

WIDE = ALL.astype(np.float64)
THIRDS = np.random.default_rng(17).permutation(ALL)

#: All finite numbers from the smallest on, with the ends that follow them.
LADDER = np.sort(WIDE[np.isfinite(WIDE) & ((WIDE != 0) | ~np.signbit(WIDE))])
RUNGS = [Fraction(x) for x in LADDER.tolist()]


def neighbours(value):
    """The bfloat16 numbers below and above a rational one, or itself twice."""
    above = bisect.bisect_left(RUNGS, value)
    if above < len(RUNGS) and RUNGS[above] == value:
        return LADDER[above], LADDER[above]
    low = LADDER[above - 1] if above > 0 else -math.inf
    high = LADDER[above] if above < len(RUNGS) else math.inf
    return low, high


def rounded(value, mode):
    """A rational number as a bfloat16."""
    low, high = neighbours(value)
    if low == high or mode == "rd":
        return low
    if mode == "ru":
        return high
    if mode == "rz":
        return low if value > 0 else high
    # What would be the next number stands for infinity.
    end = Fraction(2) ** 128
    bottom = Fraction(low) if low > -math.inf else -end
    top = Fraction(high) if high < math.inf else end
    if value - bottom != top - value:
        return low if value - bottom < top - value else high
    bits = np.array([low], bfloat16).view(np.uint16)[0]
    return low if bits % 2 == 0 else high


@np.errstate(all="ignore")
def test_exact_functions():
    @cuda.jit
    def k(a, out):
        i = cuda.grid(1)
        out[0, i] = bf16.htrunc(a[i])
        out[1, i] = bf16.hceil(a[i])
        out[2, i] = bf16.hfloor(a[i])
        out[3, i] = bf16.hrint(a[i])
        out[4, i] = bf16.hsqrt(a[i])
        out[5, i] = bf16.hrcp(a[i])
        out[6, i] = bf16.habs(a[i])
        out[7, i] = bf16.hneg(a[i])

    out = np.zeros((8, COUNT), bfloat16)
    launch(k, ALL, out)
    for row, expected in zip(
        out,
        [
            *(np.trunc(ALL), np.ceil(ALL), np.floor(ALL), np.rint(ALL)),
            *(np.sqrt(ALL), bfloat16(1) / ALL, np.abs(ALL), -ALL),
        ],
        strict=True,
    ):
        assert_equal(row, expected)


FUNCTIONS = {
    "hrsqrt": lambda x: 1 / np.sqrt(x),
    "hlog": np.log,
    "hlog2": np.log2,
    "hlog10": np.log10,
    "hcos": np.cos,
    "hsin": np.sin,
    "htanh": np.tanh,
    "htanh_approx": np.tanh,
    "hexp": np.exp,
    "hexp2": np.exp2,
    "hexp10": lambda x: 10**x,
}


@pytest.mark.parametrize("name", FUNCTIONS)
@np.errstate(all="ignore")
def test_functions(name):
    """One off on the last digit, where float32 is."""
    function = getattr(bf16, name)

    @cuda.jit
    def k(a, out):
        i = cuda.grid(1)
        out[i] = function(a[i])

    out = np.zeros(COUNT, bfloat16)
    launch(k, ALL, out)
    expected = FUNCTIONS[name](WIDE).astype("f4").astype(bfloat16)
    assert_near(out, expected, off=1)


@np.errstate(all="ignore")
def test_arithmetic():
    @cuda.jit
    def k(a, b, out):
        i = cuda.grid(1)
        x, y = a[i], b[i]
        out[0, i] = bf16.hadd(x, y)
        out[1, i] = bf16.hsub(x, y)
        out[2, i] = bf16.hmul(x, y)
        out[3, i] = bf16.hdiv(x, y)
        out[4, i] = bf16.hadd_rn(x, y)
        out[5, i] = bf16.hsub_rn(x, y)
        out[6, i] = bf16.hmul_rn(x, y)
        out[7, i] = bf16.hadd_sat(x, y)
        out[8, i] = bf16.hsub_sat(x, y)
        out[9, i] = bf16.hmul_sat(x, y)

    out = np.zeros((10, COUNT), bfloat16)
    launch(k, ALL, OTHERS, out)
    plus, minus, times = ALL + OTHERS, ALL - OTHERS, ALL * OTHERS
    for row, expected in zip(
        out[:7], [plus, minus, times, ALL / OTHERS, plus, minus, times]
    ):
        assert_equal(row, expected)
    for row, plain in zip(out[7:], [plus, minus, times]):
        clamped = np.clip(np.nan_to_num(plain.astype("f4"), nan=0), 0, 1)
        # A zero has no sign.
        assert_equal(row, np.abs(clamped).astype(bfloat16))


@np.errstate(all="ignore")
def test_fma_is_rounded_once():
    @cuda.jit
    def k(a, b, c, out):
        i = cuda.grid(1)
        out[0, i] = bf16.hfma(a[i], b[i], c[i])
        out[1, i] = bf16.hfma_sat(a[i], b[i], c[i])
        out[2, i] = bf16.hfma_relu(a[i], b[i], c[i])

    # A product that is a tie, and a last summand that decides it.
    a, b, c = ALL.copy(), OTHERS.copy(), THIRDS.copy()
    a[:6] = b[:6] = 1 + 2**-4
    a[:6] = 1 + 2**-3 + 2**-5
    c[:6] = [1e-30, -1e-30, 0, 2**-40, -(2**-40), 2**-9]
    a[6:12], b[6:12], c[6:12] = -a[:6], b[:6], c[:6]
    # Sums of like size, which cancel.
    c[1000:9000] = -(a[1000:9000] * b[1000:9000])
    out = np.zeros((3, COUNT), bfloat16)
    launch(k, a, b, c, out)
    wide = [x.astype("f8") for x in (a, b, c)]
    plain = wide[0] * wide[1] + wide[2]
    finite = np.isfinite(plain)
    assert_equal(out[0][~finite], plain[~finite].astype(bfloat16))
    for i in np.flatnonzero(finite):
        x, y, z = (Fraction(float(array[i])) for array in wide)
        exact = x * y + z
        expected = rounded(exact, "rn")
        assert float(out[0, i]) == expected, (x, y, z)
        if exact:
            assert np.signbit(out[0, i]) == (exact < 0)
    one = out[0].astype("f4")
    np.testing.assert_array_equal(
        out[1].astype("f4"), np.clip(np.nan_to_num(one, nan=0), 0, 1)
    )
    np.testing.assert_array_equal(
        out[2].astype("f4"), np.where(one < 0, 0, one)
    )


COMPARISONS = {
    "heq": operator.eq,
    "hge": operator.ge,
    "hgt": operator.gt,
    "hle": operator.le,
    "hlt": operator.lt,
    "hne": lambda x, y: (x < y) | (x > y),
}


@pytest.mark.parametrize("name", COMPARISONS)
@np.errstate(all="ignore")
def test_comparisons(name):
    ordered, unordered = getattr(bf16, name), getattr(bf16, f"{name}u")

    @cuda.jit
    def k(a, b, out):
        i = cuda.grid(1)
        out[0, i] = ordered(a[i], b[i])
        out[1, i] = unordered(a[i], b[i])

    out = np.zeros((2, COUNT), bool)
    launch(k, ALL, OTHERS, out)
    expected = COMPARISONS[name](WIDE, OTHERS.astype("f8"))
    np.testing.assert_array_equal(out[0], expected)
    isnan = np.isnan(WIDE) | np.isnan(OTHERS.astype("f8"))
    np.testing.assert_array_equal(out[1], expected | isnan)


@np.errstate(all="ignore")
def test_extremes_and_classes():
    @cuda.jit
    def k(a, b, out, classes):
        i = cuda.grid(1)
        out[0, i] = bf16.hmax(a[i], b[i])
        out[1, i] = bf16.hmin(a[i], b[i])
        out[2, i] = bf16.hmax_nan(a[i], b[i])
        out[3, i] = bf16.hmin_nan(a[i], b[i])
        classes[0, i] = bf16.hisnan(a[i])
        classes[1, i] = bf16.hisinf(a[i])

    out, classes = np.zeros((4, COUNT), bfloat16), np.zeros((2, COUNT), int)
    launch(k, ALL, OTHERS, out, classes)
    b = OTHERS.astype("f8")
    for row, function in zip(out, [np.fmax, np.fmin, np.maximum, np.minimum]):
        np.testing.assert_array_equal(row.astype("f8"), function(WIDE, b))
    np.testing.assert_array_equal(classes[0], np.isnan(WIDE))
    infinite = np.where(np.isinf(WIDE), np.sign(WIDE), 0)
    np.testing.assert_array_equal(classes[1], infinite)


def test_bits():
    @cuda.jit
    def k(a, signed, unsigned, back):
        i = cuda.grid(1)
        signed[i] = bf16.bfloat16_as_int16(a[i])
        unsigned[i] = bf16.bfloat16_as_uint16(a[i])
        back[0, i] = bf16.int16_as_bfloat16(signed[i])
        back[1, i] = bf16.uint16_as_bfloat16(unsigned[i])

    signed, unsigned = np.zeros(COUNT, np.int16), np.zeros(COUNT, np.uint16)
    back = np.zeros((2, COUNT), bfloat16)
    launch(k, ALL, signed, unsigned, back)
    number = ~np.isnan(ALL.astype("f4"))
    for bits in signed.view(np.uint16), unsigned, *back.view(np.uint16):
        np.testing.assert_array_equal(bits[number], ALL.view(np.uint16)[number])


MODES = ["rn", "rz", "rd", "ru"]
WHOLE = {"rn": np.rint, "rz": np.trunc, "rd": np.floor, "ru": np.ceil}
INTEGERS = ["int16", "uint16", "int32", "uint32", "int64", "uint64"]


@pytest.mark.parametrize("kind", [*INTEGERS, "int8", "uint8"])
@np.errstate(all="ignore")
def test_conversions_to_integers(kind):
    modes = MODES if kind in INTEGERS else ["rz"]
    for mode in modes:
        function = getattr(bf16, f"bfloat16_to_{kind}_{mode}")

        @cuda.jit
        def k(a, out):
            i = cuda.grid(1)
            out[i] = function(a[i])

        out = np.zeros(COUNT, kind)
        launch(k, ALL, out)
        expected = as_integers(WHOLE[mode](WIDE).tolist(), kind)
        np.testing.assert_array_equal(out, expected)


@pytest.mark.parametrize("kind", INTEGERS)
def test_conversions_from_integers(kind):
    limits = np.iinfo(kind)
    random = np.random.default_rng(3)
    noise = random.integers(limits.min, limits.max, 500, kind, endpoint=True)
    noise >>= random.integers(0, limits.bits, 500).astype(kind)
    near = [
        sign * (((256 + lead) * 2 + tie) << shift) + offset
        for sign in (1, -1)
        for lead in (0, 3)
        for tie in (0, 1)
        for shift in range(0, 55)
        for offset in (-1, 0, 1)
    ]
    near = [n for n in near if limits.min <= n <= limits.max]
    ends = [limits.min, limits.max, limits.max - 1, 0, 1]
    a = np.concatenate([noise, np.array(near + ends, kind)])
    rn, rz, rd, ru = (
        getattr(bf16, f"{kind}_to_bfloat16_{mode}") for mode in MODES
    )

    @cuda.jit
    def k(a, out):
        for i in range(cuda.grid(1), a.size, cuda.gridsize(1)):
            out[0, i] = rn(a[i])
            out[1, i] = rz(a[i])
            out[2, i] = rd(a[i])
            out[3, i] = ru(a[i])

    out = np.zeros((4, a.size), bfloat16)
    launch(k, a, out)
    for row, mode in zip(out, MODES, strict=True):
        expected = [rounded(Fraction(x), mode) for x in a.tolist()]
        np.testing.assert_array_equal(row.astype("f8"), expected, mode)


@np.errstate(all="ignore")
def test_conversions_from_floats():
    random = np.random.default_rng(5)
    near = np.concatenate(
        [
            LADDER[::37],
            (LADDER[:-1:37] + LADDER[1::37][: len(LADDER[:-1:37])]) / 2,
        ]
    ).astype("f4")
    noise = random.integers(0, 2**32, 3000, np.uint32).view("f4")
    special = np.array([np.inf, -np.inf, np.nan, 0, 3.4e38, -3.4e38], "f4")
    a = np.concatenate(
        [near, np.nextafter(near, np.float32(9)), noise, special]
    )

    @cuda.jit
    def k(a, out):
        for i in range(cuda.grid(1), a.size, cuda.gridsize(1)):
            out[0, i] = bf16.float32_to_bfloat16_rn(a[i])
            out[1, i] = bf16.float32_to_bfloat16_rz(a[i])
            out[2, i] = bf16.float32_to_bfloat16_rd(a[i])
            out[3, i] = bf16.float32_to_bfloat16_ru(a[i])
            out[4, i] = bf16.float32_to_bfloat16(a[i])
            out[5, i] = bf16.float64_to_bfloat16(a[i])
            out[6, i] = bf16.bfloat16_to_float32(out[4, i])

    out = np.zeros((7, a.size), bfloat16)
    launch(k, a, out)
    finite = np.isfinite(a)
    for row, mode in zip(out, [*MODES, "rn", "rn", "rn"], strict=True):
        assert_equal(row[~finite], a[~finite].astype(bfloat16))
        expected = [rounded(Fraction(x), mode) for x in a[finite].tolist()]
        np.testing.assert_array_equal(row[finite].astype("f8"), expected, mode)


def test_arguments_are_taken_for_bfloat16():
    @cuda.jit
    def k(out):
        out[0] = bf16.hadd(1.003, 2)
        out[1] = cuda.bf16.hsqrt(np.float32(2))
        out[2] = bf16.int16_to_bfloat16_rn(65537)
        out[3] = bf16.bfloat16(3.14)

    out = np.zeros(4)
    k[1, 1](out)
    assert out.tolist() == [3, 1.4140625, 1, 3.140625]


def test_only_kernels_can_call_them():
    assert bf16.bfloat16 is types.bfloat16
    assert set(bf16.__all__) == {
        name for name in dir(bf16) if name[:1].islower()
    }
    with pytest.raises(
        RuntimeError, match=r"cuda\.bf16\.hadd can only be used inside a kernel"
    ):
        bf16.hadd(1, 2)
