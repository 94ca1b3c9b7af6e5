# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The functions of `cuda.bf16`.

Each takes its arguments for bfloat16, or for the type that its name says, as an
assignment would. What is rounded in a direction is rounded to nearest first,
and then corrected where that went the other way.
"""

# Kernels have no annotations.
# mypy: ignore-errors

import math

from pyk._library._registry import helper, like, public, round_half_even
from pyk.cuda._intrinsic import Intrinsic
from pyk.types import (
    bfloat16,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
)

bits_of = Intrinsic("cuda.bf16.bfloat16_as_uint16")
from_bits = Intrinsic("cuda.bf16.uint16_as_bfloat16")
fma = Intrinsic("cuda.bf16.hfma")

# ===-------------------------------------------------------------------===
# Functions of one number.
# ===-------------------------------------------------------------------===


def _unary(name, summary, function):
    def one(x):
        return bfloat16(function(bfloat16(x)))

    one.__doc__ = f"{summary}, as a bfloat16."
    public(f"cuda.bf16.{name}")(one)


def _unary_of_float32(name, summary, function):
    """Of what has no function of bfloat16."""

    def one(x):
        return bfloat16(function(float32(bfloat16(x))))

    one.__doc__ = f"{summary}, as a bfloat16."
    public(f"cuda.bf16.{name}")(one)


@helper
def reciprocal(x):
    return float32(1) / x


@helper
def reciprocal_root(x):
    return float32(1) / math.sqrt(x)


@helper
def exp10(x):
    return math.pow(float32(10), x)


@helper
def negative(x):
    return -x


_unary("htrunc", "Whole part", math.trunc)
_unary("hceil", "Smallest whole number that is not below", math.ceil)
_unary("hfloor", "Largest whole number that is not above", math.floor)
_unary("hrint", "Nearest whole number, half to even", round_half_even)
_unary("hsqrt", "Square root", math.sqrt)
_unary("hlog", "Natural logarithm", math.log)
_unary("hlog10", "Logarithm to base 10", math.log10)
_unary("hcos", "Cosine", math.cos)
_unary("hsin", "Sine", math.sin)
_unary("htanh", "Hyperbolic tangent", math.tanh)
_unary("htanh_approx", "Hyperbolic tangent, as `htanh`", math.tanh)
_unary("hexp", "e to a power", math.exp)
_unary("habs", "Absolute value", math.fabs)
_unary("hneg", "The argument with the other sign", negative)
_unary_of_float32("hlog2", "Logarithm to base 2", math.log2)
_unary_of_float32("hexp2", "2 to a power", Intrinsic("math.exp2"))
_unary_of_float32("hexp10", "10 to a power", exp10)
_unary_of_float32("hrsqrt", "1 over the square root", reciprocal_root)
_unary_of_float32("hrcp", "1 over the argument", reciprocal)


@public("cuda.bf16.hisnan")
def hisnan(x):
    """Whether a bfloat16 is not a number."""
    return math.isnan(bfloat16(x))


@public("cuda.bf16.hisinf")
def hisinf(x):
    """1 for infinity, -1 for minus infinity, otherwise 0, as an int32."""
    x = bfloat16(x)
    if not math.isinf(x):
        return int32(0)
    return int32(1) if x > 0 else int32(-1)


# ===-------------------------------------------------------------------===
# Arithmetic.
# ===-------------------------------------------------------------------===


@helper
def saturate(x):
    return min(max(x, bfloat16(0)), bfloat16(1))


@public("cuda.bf16.hadd", "cuda.bf16.hadd_rn")
def hadd(x, y):
    """Sum, as a bfloat16."""
    return bfloat16(x) + bfloat16(y)


@public("cuda.bf16.hsub", "cuda.bf16.hsub_rn")
def hsub(x, y):
    """Difference, as a bfloat16."""
    return bfloat16(x) - bfloat16(y)


@public("cuda.bf16.hmul", "cuda.bf16.hmul_rn")
def hmul(x, y):
    """Product, as a bfloat16."""
    return bfloat16(x) * bfloat16(y)


@public("cuda.bf16.hdiv")
def hdiv(x, y):
    """Quotient, as a bfloat16."""
    return bfloat16(x) / bfloat16(y)


@public("cuda.bf16.hadd_sat")
def hadd_sat(x, y):
    """Sum from 0 to 1, as a bfloat16; 0 for NaN."""
    return saturate(bfloat16(x) + bfloat16(y))


@public("cuda.bf16.hsub_sat")
def hsub_sat(x, y):
    """Difference from 0 to 1, as a bfloat16; 0 for NaN."""
    return saturate(bfloat16(x) - bfloat16(y))


@public("cuda.bf16.hmul_sat")
def hmul_sat(x, y):
    """Product from 0 to 1, as a bfloat16; 0 for NaN."""
    return saturate(bfloat16(x) * bfloat16(y))


@public("cuda.bf16.hfma_sat")
def hfma_sat(x, y, z):
    """Product and sum, rounded once, from 0 to 1; 0 for NaN."""
    return saturate(fma(x, y, z))


@public("cuda.bf16.hfma_relu")
def hfma_relu(x, y, z):
    """Product and sum, rounded once, or 0 if that is negative."""
    return hmax_nan(fma(x, y, z), bfloat16(0))


# ===-------------------------------------------------------------------===
# Comparisons.
# ===-------------------------------------------------------------------===


@public("cuda.bf16.heq")
def heq(x, y):
    """Whether two bfloat16 are equal; false for NaN."""
    return bfloat16(x) == bfloat16(y)


@public("cuda.bf16.hne")
def hne(x, y):
    """Whether two bfloat16 are not equal; false for NaN."""
    x, y = bfloat16(x), bfloat16(y)
    return x < y or x > y


@public("cuda.bf16.hgt")
def hgt(x, y):
    """Whether a bfloat16 is greater; false for NaN."""
    return bfloat16(x) > bfloat16(y)


@public("cuda.bf16.hge")
def hge(x, y):
    """Whether a bfloat16 is greater or equal; false for NaN."""
    return bfloat16(x) >= bfloat16(y)


@public("cuda.bf16.hlt")
def hlt(x, y):
    """Whether a bfloat16 is less; false for NaN."""
    return bfloat16(x) < bfloat16(y)


@public("cuda.bf16.hle")
def hle(x, y):
    """Whether a bfloat16 is less or equal; false for NaN."""
    return bfloat16(x) <= bfloat16(y)


@public("cuda.bf16.hequ")
def hequ(x, y):
    """Whether two bfloat16 are equal; true for NaN."""
    return not hne(x, y)


@public("cuda.bf16.hneu")
def hneu(x, y):
    """Whether two bfloat16 are not equal; true for NaN."""
    return not heq(x, y)


@public("cuda.bf16.hgtu")
def hgtu(x, y):
    """Whether a bfloat16 is greater; true for NaN."""
    return not hle(x, y)


@public("cuda.bf16.hgeu")
def hgeu(x, y):
    """Whether a bfloat16 is greater or equal; true for NaN."""
    return not hlt(x, y)


@public("cuda.bf16.hltu")
def hltu(x, y):
    """Whether a bfloat16 is less; true for NaN."""
    return not hge(x, y)


@public("cuda.bf16.hleu")
def hleu(x, y):
    """Whether a bfloat16 is less or equal; true for NaN."""
    return not hgt(x, y)


@public("cuda.bf16.hmax")
def hmax(x, y):
    """The greater bfloat16; ignores NaN."""
    return max(bfloat16(x), bfloat16(y))


@public("cuda.bf16.hmin")
def hmin(x, y):
    """The smaller bfloat16; ignores NaN."""
    return min(bfloat16(x), bfloat16(y))


@public("cuda.bf16.hmax_nan")
def hmax_nan(x, y):
    """The greater bfloat16, or NaN if one is."""
    x, y = bfloat16(x), bfloat16(y)
    if math.isnan(x) or math.isnan(y):
        return x + y
    return max(x, y)


@public("cuda.bf16.hmin_nan")
def hmin_nan(x, y):
    """The smaller bfloat16, or NaN if one is."""
    x, y = bfloat16(x), bfloat16(y)
    if math.isnan(x) or math.isnan(y):
        return x + y
    return min(x, y)


# ===-------------------------------------------------------------------===
# Conversions.
# ===-------------------------------------------------------------------===


@helper
def nearest(x):
    return bfloat16(x)


@helper
def below(x):
    """The bfloat16 before `x`; before a zero, the largest negative one."""
    return from_bits(bits_of(x) - 1 if x > 0 else bits_of(x) + 1)


@helper
def above(x):
    """The bfloat16 after `x`; after a zero, the smallest positive one."""
    return from_bits(bits_of(x) - 1 if x < 0 else bits_of(x) + 1)


@helper
def down(x):
    found = bfloat16(x)
    return below(found) if found > x else found


@helper
def up(x):
    found = bfloat16(x)
    return above(found) if found < x else found


@helper
def toward_zero(x):
    return down(x) if x > 0 else up(x)


#: How a number becomes a bfloat16, by the letters that say how it is rounded.
_ROUNDING = {
    "rn": ("nearest", nearest),
    "rz": ("towards 0", toward_zero),
    "rd": ("down", down),
    "ru": ("up", up),
}

#: How a bfloat16 becomes a whole number.
_TO_WHOLE = {
    "rn": round_half_even,
    "rz": math.trunc,
    "rd": math.floor,
    "ru": math.ceil,
}


@helper
def marked(x):
    """An integer as a float64 between the same two neighbours in bfloat16.

    What does not fit is marked by a bit behind those that decide.
    """
    found = float64(x)
    if abs(found) < 2.0**53:
        return found
    rest = x & like(4095, x)
    return float64(x - rest + like(2048 if rest else 0, x))


def _register_from_float(name, kind, way, function):
    def convert(x):
        return function(kind(x))

    convert.__doc__ = f"A {kind} as a bfloat16, rounded {way}."
    public(f"cuda.bf16.{name}")(convert)


def _register_from_integer(kind, mode):
    way, function = _ROUNDING[mode]

    def convert(x):
        return function(marked(kind(x)))

    def convert_to_nearest(x):
        return bfloat16(kind(x))

    chosen = convert_to_nearest if mode == "rn" else convert
    chosen.__doc__ = f"A {kind} as a bfloat16, rounded {way}."
    public(f"cuda.bf16.{kind}_to_bfloat16_{mode}")(chosen)


def _register_to_integer(kind, mode):
    whole = _TO_WHOLE[mode]
    way = _ROUNDING[mode][0]

    def convert(x):
        return kind(whole(bfloat16(x)))

    convert.__doc__ = (
        f"A bfloat16 rounded {way} to a {kind}, or its end; 0 for NaN."
    )
    public(f"cuda.bf16.bfloat16_to_{kind}_{mode}")(convert)


_register_from_float("float32_to_bfloat16", float32, "nearest", nearest)
_register_from_float("float64_to_bfloat16", float64, "nearest", nearest)
for _mode, (_way, _function) in _ROUNDING.items():
    _name = f"float32_to_bfloat16_{_mode}"
    _register_from_float(_name, float32, _way, _function)
for _kind in (int16, uint16, int32, uint32, int64, uint64):
    for _mode in _ROUNDING:
        _register_from_integer(_kind, _mode)
        _register_to_integer(_kind, _mode)
for _kind in (int8, uint8):
    _register_to_integer(_kind, "rz")


@public("cuda.bf16.bfloat16_to_float32")
def bfloat16_to_float32(x):
    """A bfloat16 as a float32, exactly."""
    return float32(bfloat16(x))
