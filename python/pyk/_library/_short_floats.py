# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The functions of `cuda.bf16` and of `cuda.fp16`.

Each takes its arguments for the short float type of its module, or for the type
that its name says, as an assignment would. What is rounded in a direction is
rounded to nearest first, and then corrected where that went the other way.
"""

# Kernels have no annotations.
# mypy: ignore-errors

import math
from collections import namedtuple

from pyk._intrinsic import Intrinsic
from pyk._library._registry import (
    LibraryFunction,
    helper,
    like,
    public,
    round_half_even,
)
from pyk.types import (
    bfloat16,
    float16,
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

#: A short float type and what its module calls what it has.
Short = namedtuple(
    "Short", ["kind", "module", "prefixes", "to_short", "from_short", "as_bits"]
)

#: CUDA C++'s names of types in its functions of halves.
_IN_C = {
    "int8": "char",
    "int16": "short",
    "int32": "int",
    "int64": "ll",
    "uint8": "uchar",
    "uint16": "ushort",
    "uint32": "uint",
    "uint64": "ull",
    "float32": "float",
    "float64": "double",
}


def _name_in_c(kind):
    return _IN_C[str(kind)]


_SHORTS = (
    Short(
        kind=bfloat16,
        module="bf16",
        prefixes=("",),
        to_short=lambda kind: f"{kind}_to_bfloat16",
        from_short=lambda kind: f"bfloat16_to_{kind}",
        as_bits=lambda kind: (f"bfloat16_as_{kind}", f"{kind}_as_bfloat16"),
    ),
    Short(
        kind=float16,
        module="fp16",
        prefixes=("", "__"),
        to_short=lambda kind: f"__{_name_in_c(kind)}2half",
        from_short=lambda kind: f"__half2{_name_in_c(kind)}",
        as_bits=lambda kind: (
            f"__half_as_{_name_in_c(kind)}",
            f"__{_name_in_c(kind)}_as_half",
        ),
    ),
)


def _register(short, *names):
    """Registers a function under names of its module."""
    return public(*(f"cuda.{short.module}.{name}" for name in names))


def _register_function(short, *names):
    """The same, under the names with each prefix of functions."""
    every = [prefix + name for name in names for prefix in short.prefixes]
    return _register(short, *every)


# ===-------------------------------------------------------------------===
# Functions of one number.
# ===-------------------------------------------------------------------===


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


_UNARY = {
    "htrunc": ("Whole part", math.trunc),
    "hceil": ("Smallest whole number that is not below", math.ceil),
    "hfloor": ("Largest whole number that is not above", math.floor),
    "hrint": ("Nearest whole number, half to even", round_half_even),
    "hsqrt": ("Square root", math.sqrt),
    "hlog": ("Natural logarithm", math.log),
    "hlog10": ("Logarithm to base 10", math.log10),
    "hcos": ("Cosine", math.cos),
    "hsin": ("Sine", math.sin),
    "htanh": ("Hyperbolic tangent", math.tanh),
    "htanh_approx": ("Hyperbolic tangent, as `htanh`", math.tanh),
    "hexp": ("e to a power", math.exp),
    "habs": ("Absolute value", math.fabs),
    "hneg": ("The argument with the other sign", negative),
}

#: Those that are computed in float32.
_UNARY_OF_FLOAT32 = {
    "hlog2": ("Logarithm to base 2", math.log2),
    "hexp2": ("2 to a power", Intrinsic("math.exp2")),
    "hexp10": ("10 to a power", exp10),
    "hrsqrt": ("1 over the square root", reciprocal_root),
    "hrcp": ("1 over the argument", reciprocal),
}


def _define_unary(short, name, summary, function):
    kind = short.kind

    def one(x):
        return kind(function(kind(x)))

    one.__doc__ = f"{summary}, as a {kind}."
    _register_function(short, name)(one)


def _define_unary_of_float32(short, name, summary, function):
    kind = short.kind

    def one(x):
        return kind(function(float32(kind(x))))

    one.__doc__ = f"{summary}, as a {kind}."
    _register_function(short, name)(one)


def _define_tests(short):
    kind = short.kind

    @_register_function(short, "hisnan")
    def hisnan(x):
        """Whether it is not a number."""
        return math.isnan(kind(x))

    @_register_function(short, "hisinf")
    def hisinf(x):
        """1 for infinity, -1 for minus infinity, otherwise 0, as an int32."""
        x = kind(x)
        if not math.isinf(x):
            return int32(0)
        return int32(1) if x > 0 else int32(-1)


# ===-------------------------------------------------------------------===
# Arithmetic.
# ===-------------------------------------------------------------------===


def _define_arithmetic(short):
    kind = short.kind

    @_register_function(short, "hadd", "hadd_rn")
    def hadd(x, y):
        """Sum, in the module's type."""
        return kind(x) + kind(y)

    @_register_function(short, "hsub", "hsub_rn")
    def hsub(x, y):
        """Difference, in the module's type."""
        return kind(x) - kind(y)

    @_register_function(short, "hmul", "hmul_rn")
    def hmul(x, y):
        """Product, in the module's type."""
        return kind(x) * kind(y)

    @_register_function(short, "hdiv")
    def hdiv(x, y):
        """Quotient, in the module's type."""
        return kind(x) / kind(y)


def _define_saturated(short, fma, hmax_nan):
    kind = short.kind

    def saturate(x):
        return min(max(x, kind(0)), kind(1))

    saturate = LibraryFunction(saturate, f"pyk.{short.module}.saturate")

    @_register_function(short, "hadd_sat")
    def hadd_sat(x, y):
        """Sum from 0 to 1, in the module's type; 0 for NaN."""
        return saturate(kind(x) + kind(y))

    @_register_function(short, "hsub_sat")
    def hsub_sat(x, y):
        """Difference from 0 to 1, in the module's type; 0 for NaN."""
        return saturate(kind(x) - kind(y))

    @_register_function(short, "hmul_sat")
    def hmul_sat(x, y):
        """Product from 0 to 1, in the module's type; 0 for NaN."""
        return saturate(kind(x) * kind(y))

    @_register_function(short, "hfma_sat")
    def hfma_sat(x, y, z):
        """Product and sum, rounded once, from 0 to 1; 0 for NaN."""
        return saturate(fma(x, y, z))

    @_register_function(short, "hfma_relu")
    def hfma_relu(x, y, z):
        """Product and sum, rounded once, or 0 if that is negative."""
        return hmax_nan(fma(x, y, z), kind(0))


# ===-------------------------------------------------------------------===
# Comparisons.
# ===-------------------------------------------------------------------===


def _define_ordered(short):
    """Comparisons that are false for NaN."""
    kind = short.kind

    @_register_function(short, "heq")
    def heq(x, y):
        """Whether two are equal; false for NaN."""
        return kind(x) == kind(y)

    @_register_function(short, "hne")
    def hne(x, y):
        """Whether two are not equal; false for NaN."""
        x, y = kind(x), kind(y)
        return x < y or x > y

    @_register_function(short, "hgt")
    def hgt(x, y):
        """Whether the first is greater; false for NaN."""
        return kind(x) > kind(y)

    @_register_function(short, "hge")
    def hge(x, y):
        """Whether the first is greater or equal; false for NaN."""
        return kind(x) >= kind(y)

    @_register_function(short, "hlt")
    def hlt(x, y):
        """Whether the first is less; false for NaN."""
        return kind(x) < kind(y)

    @_register_function(short, "hle")
    def hle(x, y):
        """Whether the first is less or equal; false for NaN."""
        return kind(x) <= kind(y)

    return {
        "hequ": ("Whether two are equal", hne),
        "hneu": ("Whether two are not equal", heq),
        "hgtu": ("Whether the first is greater", hle),
        "hgeu": ("Whether the first is greater or equal", hlt),
        "hltu": ("Whether the first is less", hge),
        "hleu": ("Whether the first is less or equal", hgt),
    }


def _define_unordered(short, name, summary, opposite):
    """A comparison that is true for NaN."""

    def compare(x, y):
        return not opposite(x, y)

    compare.__doc__ = f"{summary}; true for NaN."
    _register_function(short, name)(compare)


def _define_choices(short):
    kind = short.kind

    @_register_function(short, "hmax")
    def hmax(x, y):
        """The greater of two; ignores NaN."""
        return max(kind(x), kind(y))

    @_register_function(short, "hmin")
    def hmin(x, y):
        """The smaller of two; ignores NaN."""
        return min(kind(x), kind(y))

    @_register_function(short, "hmax_nan")
    def hmax_nan(x, y):
        """The greater of two, or NaN if one is."""
        x, y = kind(x), kind(y)
        if math.isnan(x) or math.isnan(y):
            return x + y
        return max(x, y)

    @_register_function(short, "hmin_nan")
    def hmin_nan(x, y):
        """The smaller of two, or NaN if one is."""
        x, y = kind(x), kind(y)
        if math.isnan(x) or math.isnan(y):
            return x + y
        return min(x, y)

    return hmax_nan


# ===-------------------------------------------------------------------===
# Conversions.
# ===-------------------------------------------------------------------===


@helper
def marked(x):
    """An integer as a float64 between the same two neighbours in a short type.

    What does not fit is marked by a bit behind those that decide.
    """
    found = float64(x)
    if abs(found) < 2.0**53:
        return found
    rest = x & like(4095, x)
    return float64(x - rest + like(2048 if rest else 0, x))


def _get_rounding(short):
    """How a number gets the type, by the letters that say how it is rounded."""
    kind = short.kind
    to_bits, to_number = (
        Intrinsic(f"cuda.{short.module}.{name}")
        for name in short.as_bits(uint16)
    )

    def own(function):
        name = function.__code__.co_name
        return LibraryFunction(function, f"pyk.{short.module}.{name}")

    @own
    def below(x):
        # Before a zero, the largest negative one.
        return to_number(to_bits(x) - 1 if x > 0 else to_bits(x) + 1)

    @own
    def above(x):
        # After a zero, the smallest positive one.
        return to_number(to_bits(x) - 1 if x < 0 else to_bits(x) + 1)

    @own
    def nearest(x):
        return kind(x)

    @own
    def down(x):
        found = kind(x)
        return below(found) if found > x else found

    @own
    def up(x):
        found = kind(x)
        return above(found) if found < x else found

    @own
    def toward_zero(x):
        return down(x) if x > 0 else up(x)

    return {
        "rn": ("nearest", nearest),
        "rz": ("towards 0", toward_zero),
        "rd": ("down", down),
        "ru": ("up", up),
    }


#: How a short float becomes a whole number.
_TO_WHOLE = {
    "rn": ("nearest", round_half_even),
    "rz": ("towards 0", math.trunc),
    "rd": ("down", math.floor),
    "ru": ("up", math.ceil),
}


def _define_from_float(short, source, suffix, way, function):
    def convert(x):
        return function(source(x))

    convert.__doc__ = f"A {source} as a {short.kind}, rounded {way}."
    _register(short, short.to_short(source) + suffix)(convert)


def _define_from_integer(short, source, mode, way, function):
    kind = short.kind

    def convert(x):
        return function(marked(source(x)))

    def convert_to_nearest(x):
        return kind(source(x))

    chosen = convert_to_nearest if mode == "rn" else convert
    chosen.__doc__ = f"A {source} as a {kind}, rounded {way}."
    _register(short, f"{short.to_short(source)}_{mode}")(chosen)


def _define_to_integer(short, target, mode):
    kind = short.kind
    way, whole = _TO_WHOLE[mode]

    def convert(x):
        return target(whole(kind(x)))

    convert.__doc__ = (
        f"A {kind} rounded {way} to a {target}, or its end; 0 for NaN."
    )
    _register(short, f"{short.from_short(target)}_{mode}")(convert)


def _define_conversions(short):
    kind = short.kind
    rounding = _get_rounding(short)
    for source in (float32, float64):
        _define_from_float(short, source, "", *rounding["rn"])
    for mode, (way, function) in rounding.items():
        _define_from_float(short, float32, f"_{mode}", way, function)
        for integer in (int16, uint16, int32, uint32, int64, uint64):
            _define_from_integer(short, integer, mode, way, function)
            _define_to_integer(short, integer, mode)
    for integer in (int8, uint8):
        _define_to_integer(short, integer, "rz")

    @_register(short, short.from_short(float32))
    def to_float32(x):
        """As a float32, exactly."""
        return float32(kind(x))


def _define(short):
    for name, (summary, function) in _UNARY.items():
        _define_unary(short, name, summary, function)
    for name, (summary, function) in _UNARY_OF_FLOAT32.items():
        _define_unary_of_float32(short, name, summary, function)
    _define_tests(short)
    _define_arithmetic(short)
    fma = Intrinsic(f"cuda.{short.module}.hfma")
    _define_saturated(short, fma, _define_choices(short))
    for name, (summary, opposite) in _define_ordered(short).items():
        _define_unordered(short, name, summary, opposite)
    _define_conversions(short)


for _short in _SHORTS:
    _define(_short)
