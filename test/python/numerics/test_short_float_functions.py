# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The functions of `cuda.bf16` and `cuda.fp16`, on all bits where it is cheap.

The oracles are ml_dtypes, NumPy, and rational numbers for what is rounded in a
direction.
"""

import itertools
import operator
import re
from fractions import Fraction

import numpy as np
import pytest

from pyk import cuda, types
from pyk.cuda import bf16, fp16
from support.short_floats import (
    COUNT,
    MODES,
    Ladder,
    all_numbers,
    as_integers,
    assert_equal,
    assert_near,
    launch,
    other_numbers,
)

#: Names that CUDA C++ has for types, in those of its functions.
NAMES_IN_C = {
    "float16": "half",
    "float32": "float",
    "float64": "double",
    "int8": "char",
    "int16": "short",
    "int32": "int",
    "int64": "ll",
    "uint8": "uchar",
    "uint16": "ushort",
    "uint32": "uint",
    "uint64": "ull",
}


class Short:
    """A short float type, its numbers, and the module of its functions."""

    def __init__(self, name, dtype, module, digits, end):
        self.name, self.dtype, self.module = name, dtype, module
        #: How many digits a number has, with the one before the point.
        self.digits = digits
        self.ladder = Ladder(dtype, end)
        self.all = all_numbers(dtype)
        self.others = other_numbers(self.all)
        self.thirds = np.random.default_rng(17).permutation(self.all)
        with np.errstate(all="ignore"):
            self.wide, self.other_wide = (
                x.astype("f8") for x in (self.all, self.others)
            )

    def get(self, name, *kinds):
        """A function by its name in `cuda.bf16`, with blanks for types."""
        if self.module is fp16:
            name = "__" + name.replace("_to_", "2")
            kinds = [NAMES_IN_C[kind] for kind in kinds]
        return getattr(self.module, name.format(*kinds))

    def zeros(self, *shape):
        return np.zeros(shape, self.dtype)

    def rounded(self, numbers):
        """Arrays of rational numbers, rounded in each of the modes."""
        rounded = [self.ladder.round(Fraction(x)) for x in numbers.tolist()]
        return {mode: [found[mode] for found in rounded] for mode in MODES}


@pytest.fixture(scope="module", params=["bf16", "fp16"])
def short(request):
    if request.param == "fp16":
        return Short("float16", np.float16, fp16, digits=11, end=2**16)
    dtype = pytest.importorskip("ml_dtypes").bfloat16
    return Short("bfloat16", dtype, bf16, digits=8, end=2**128)


@np.errstate(all="ignore")
def test_exact_functions(short):
    module = short.module

    @cuda.jit
    def k(a, out):
        i = cuda.grid(1)
        out[0, i] = module.htrunc(a[i])
        out[1, i] = module.hceil(a[i])
        out[2, i] = module.hfloor(a[i])
        out[3, i] = module.hrint(a[i])
        out[4, i] = module.hsqrt(a[i])
        out[5, i] = module.hrcp(a[i])
        out[6, i] = module.habs(a[i])
        out[7, i] = module.hneg(a[i])

    a, out = short.all, short.zeros(8, COUNT)
    launch(k, a, out)
    for row, expected in zip(
        out,
        [
            *(np.trunc(a), np.ceil(a), np.floor(a), np.rint(a)),
            *(np.sqrt(a), short.dtype(1) / a, np.abs(a), -a),
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
def test_functions(short, name):
    """One off on the last digit, where float32 is."""
    function = getattr(short.module, name)

    @cuda.jit
    def k(a, out):
        i = cuda.grid(1)
        out[i] = function(a[i])

    out = short.zeros(COUNT)
    launch(k, short.all, out)
    expected = FUNCTIONS[name](short.wide).astype("f4").astype(short.dtype)
    assert_near(out, expected, off=1)


def clamped(array):
    """From 0, which has no sign, to 1; 0 for NaN."""
    found = np.clip(np.nan_to_num(array.astype("f4"), nan=0), 0, 1)
    return np.abs(found).astype(array.dtype)


@np.errstate(all="ignore")
def test_arithmetic(short):
    module = short.module

    @cuda.jit
    def k(a, b, out):
        i = cuda.grid(1)
        x, y = a[i], b[i]
        out[0, i] = module.hadd(x, y)
        out[1, i] = module.hsub(x, y)
        out[2, i] = module.hmul(x, y)
        out[3, i] = module.hdiv(x, y)
        out[4, i] = module.hadd_rn(x, y)
        out[5, i] = module.hsub_rn(x, y)
        out[6, i] = module.hmul_rn(x, y)
        out[7, i] = module.hadd_sat(x, y)
        out[8, i] = module.hsub_sat(x, y)
        out[9, i] = module.hmul_sat(x, y)

    a, b, out = short.all, short.others, short.zeros(10, COUNT)
    launch(k, a, b, out)
    plain = [a + b, a - b, a * b]
    for row, expected in zip(
        out, [*plain, a / b, *plain, *map(clamped, plain)], strict=True
    ):
        assert_equal(row, expected)


def hard_summands(short):
    """Numbers whose product and sum is a tie, or is not by a little."""
    digits, half = short.digits, short.digits // 2
    factors = [
        # Products that are ties, after an even number and after an odd one.
        (1 + 2.0**-half, 1 + 2.0 ** (half - digits)),
        (1 + 2.0 ** (1 - digits), 1.5),
        # A quarter of the last digit is over.
        (1 + 2.0**-half, 1 + 2.0 ** (half - digits - 1)),
    ]
    # Those that are too small for the type are zero.
    least = short.ladder.numbers[short.ladder.numbers > 0][0]
    summands = [0, least, 1e-30, 2**-40, 2**-20, 2**-9, 2.0 ** (-1 - digits)]
    for (a, b), c, sign, side in itertools.product(
        factors, summands, (1, -1), (1, -1)
    ):
        yield sign * a, b, sign * side * c


@np.errstate(all="ignore")
def test_fma_is_rounded_once(short):
    module = short.module

    @cuda.jit
    def k(a, b, c, out):
        i = cuda.grid(1)
        out[0, i] = module.hfma(a[i], b[i], c[i])
        out[1, i] = module.hfma_sat(a[i], b[i], c[i])
        out[2, i] = module.hfma_relu(a[i], b[i], c[i])

    a, b, c = short.all.copy(), short.others.copy(), short.thirds.copy()
    hard = np.array(list(hard_summands(short)))
    a[: len(hard)], b[: len(hard)], c[: len(hard)] = hard.T
    # Sums of like size, which cancel.
    c[1000:9000] = -(a[1000:9000] * b[1000:9000])
    out = short.zeros(3, COUNT)
    launch(k, a, b, c, out)
    wide = [x.astype("f8") for x in (a, b, c)]
    plain = wide[0] * wide[1] + wide[2]
    finite = np.isfinite(plain)
    assert_equal(out[0][~finite], plain[~finite].astype(short.dtype))
    for i in np.flatnonzero(finite):
        x, y, z = (Fraction(float(array[i])) for array in wide)
        exact = x * y + z
        expected = short.ladder.round(exact)["rn"]
        assert float(out[0, i]) == expected, (x, y, z)
        if exact:
            assert np.signbit(out[0, i]) == (exact < 0)
    assert_equal(out[1], clamped(out[0]))
    one = out[0].astype("f4")
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
def test_comparisons(short, name):
    ordered = getattr(short.module, name)
    unordered = getattr(short.module, f"{name}u")

    @cuda.jit
    def k(a, b, out):
        i = cuda.grid(1)
        out[0, i] = ordered(a[i], b[i])
        out[1, i] = unordered(a[i], b[i])

    out = np.zeros((2, COUNT), bool)
    launch(k, short.all, short.others, out)
    a, b = short.wide, short.other_wide
    expected = COMPARISONS[name](a, b)
    np.testing.assert_array_equal(out[0], expected)
    np.testing.assert_array_equal(out[1], expected | np.isnan(a) | np.isnan(b))


@np.errstate(all="ignore")
def test_extremes_and_classes(short):
    module = short.module

    @cuda.jit
    def k(a, b, out, classes):
        i = cuda.grid(1)
        out[0, i] = module.hmax(a[i], b[i])
        out[1, i] = module.hmin(a[i], b[i])
        out[2, i] = module.hmax_nan(a[i], b[i])
        out[3, i] = module.hmin_nan(a[i], b[i])
        classes[0, i] = module.hisnan(a[i])
        classes[1, i] = module.hisinf(a[i])

    out, classes = short.zeros(4, COUNT), np.zeros((2, COUNT), int)
    launch(k, short.all, short.others, out, classes)
    a, b = short.wide, short.other_wide
    for row, function in zip(out, [np.fmax, np.fmin, np.maximum, np.minimum]):
        np.testing.assert_array_equal(row.astype("f8"), function(a, b))
    np.testing.assert_array_equal(classes[0], np.isnan(a))
    infinite = np.where(np.isinf(a), np.sign(a), 0)
    np.testing.assert_array_equal(classes[1], infinite)


def test_bits(short):
    to_signed, to_unsigned = (
        short.get("{}_as_{}", short.name, kind) for kind in ("int16", "uint16")
    )
    from_signed, from_unsigned = (
        short.get("{}_as_{}", kind, short.name) for kind in ("int16", "uint16")
    )

    @cuda.jit
    def k(a, signed, unsigned, back):
        i = cuda.grid(1)
        signed[i] = to_signed(a[i])
        unsigned[i] = to_unsigned(a[i])
        back[0, i] = from_signed(signed[i])
        back[1, i] = from_unsigned(unsigned[i])

    signed, unsigned = np.zeros(COUNT, np.int16), np.zeros(COUNT, np.uint16)
    back = short.zeros(2, COUNT)
    launch(k, short.all, signed, unsigned, back)
    number = ~np.isnan(short.wide)
    expected = short.all.view(np.uint16)[number]
    for bits in signed.view(np.uint16), unsigned, *back.view(np.uint16):
        np.testing.assert_array_equal(bits[number], expected)


WHOLE = {"rn": np.rint, "rz": np.trunc, "rd": np.floor, "ru": np.ceil}
INTEGERS = ["int16", "uint16", "int32", "uint32", "int64", "uint64"]


@pytest.mark.parametrize("kind", [*INTEGERS, "int8", "uint8"])
@np.errstate(all="ignore")
def test_conversions_to_integers(short, kind):
    modes = MODES if kind in INTEGERS else ["rz"]
    for mode in modes:
        function = short.get(f"{{}}_to_{{}}_{mode}", short.name, kind)

        @cuda.jit
        def k(a, out):
            i = cuda.grid(1)
            out[i] = function(a[i])

        out = np.zeros(COUNT, kind)
        launch(k, short.all, out)
        expected = as_integers(WHOLE[mode](short.wide).tolist(), kind)
        np.testing.assert_array_equal(out, expected)


@pytest.mark.parametrize("kind", INTEGERS)
def test_conversions_from_integers(short, kind):
    limits = np.iinfo(kind)
    random = np.random.default_rng(3)
    noise = random.integers(limits.min, limits.max, 500, kind, endpoint=True)
    noise >>= random.integers(0, limits.bits, 500).astype(kind)
    # The ends of a range of numbers, and whether what is over is a tie.
    least = 2 ** (short.digits - 1)
    near = [
        sign * ((whole * 4 + quarters) << shift) + offset
        for sign in (1, -1)
        for whole in (least, least + 1, 2 * least - 1)
        for quarters in range(4)
        for shift in range(0, 63 - short.digits)
        for offset in (-1, 0, 1)
    ]
    near = [n for n in near if limits.min <= n <= limits.max]
    ends = [limits.min, limits.max, limits.max - 1, 0, 1]
    a = np.concatenate([noise, np.array(near + ends, kind)])
    rn, rz, rd, ru = (
        short.get(f"{{}}_to_{{}}_{mode}", kind, short.name) for mode in MODES
    )

    @cuda.jit
    def k(a, out):
        for i in range(cuda.grid(1), a.size, cuda.gridsize(1)):
            out[0, i] = rn(a[i])
            out[1, i] = rz(a[i])
            out[2, i] = rd(a[i])
            out[3, i] = ru(a[i])

    out = short.zeros(4, a.size)
    launch(k, a, out)
    expected = short.rounded(a)
    for row, mode in zip(out, MODES, strict=True):
        np.testing.assert_array_equal(row.astype("f8"), expected[mode], mode)


def near_ladder(short, dtype):
    """Each 37th number, ties between it and the next one, and their likes."""
    numbers = short.ladder.numbers
    top = (numbers[-1] + float(short.ladder.end)) / 2
    ties = [*(numbers[:-1:37] + numbers[1::37]) / 2, top, -top]
    near = np.concatenate([numbers[::37], ties]).astype(dtype)
    return np.concatenate(
        [near, *(np.nextafter(near, dtype(end)) for end in (np.inf, -np.inf))]
    )


def check_conversions(short, a, found, modes):
    """Rows of what floats became, each rounded in a mode."""
    finite = np.isfinite(a)
    expected = short.rounded(a[finite])
    for row, mode in zip(found, modes, strict=True):
        assert_equal(row[~finite], a[~finite].astype(short.dtype))
        np.testing.assert_array_equal(
            row[finite].astype("f8"), expected[mode], mode
        )
        # What is rounded to zero keeps its sign.
        np.testing.assert_array_equal(
            np.signbit(row[finite]), np.signbit(a[finite])
        )


@np.errstate(all="ignore")
def test_conversions_from_float32(short):
    random = np.random.default_rng(5)
    noise = random.integers(0, 2**32, 3000, np.uint32).view("f4")
    special = [np.inf, -np.inf, np.nan, 0, -0.0, 3.4e38, -3.4e38]
    a = np.concatenate(
        [near_ladder(short, np.float32), noise, np.array(special, "f4")]
    )
    rn, rz, rd, ru = (
        short.get(f"{{}}_to_{{}}_{mode}", "float32", short.name)
        for mode in MODES
    )
    plain = short.get("{}_to_{}", "float32", short.name)
    back = short.get("{}_to_{}", short.name, "float32")

    @cuda.jit
    def k(a, out, wide):
        for i in range(cuda.grid(1), a.size, cuda.gridsize(1)):
            out[0, i] = rn(a[i])
            out[1, i] = rz(a[i])
            out[2, i] = rd(a[i])
            out[3, i] = ru(a[i])
            out[4, i] = plain(a[i])
            wide[i] = back(out[4, i])

    out, wide = short.zeros(5, a.size), np.zeros(a.size, "f4")
    launch(k, a, out, wide)
    check_conversions(short, a, out, [*MODES, "rn"])
    assert_equal(wide, out[4].astype("f4"))


@np.errstate(all="ignore")
def test_conversions_from_float64_are_rounded_once(short):
    special = [np.inf, -np.inf, np.nan, 0, -0.0, 1e300, -1e300, 1e-300]
    a = np.concatenate([near_ladder(short, np.float64), special])
    function = short.get("{}_to_{}", "float64", short.name)

    @cuda.jit
    def k(a, out):
        for i in range(cuda.grid(1), a.size, cuda.gridsize(1)):
            out[i] = function(a[i])

    out = short.zeros(a.size)
    launch(k, a, out)
    check_conversions(short, a, [out], ["rn"])


def test_arguments_are_taken_for_the_type(short):
    module, kind = short.module, short.dtype
    from_integer = short.get("{}_to_{}_rn", "int16", short.name)

    @cuda.jit
    def k(out):
        out[0] = module.hadd(1.003, 2)
        out[1] = module.hsub(1.003, True)
        out[2] = module.hsqrt(np.float32(2))
        out[3] = from_integer(65537)

    out = np.zeros(4)
    k[1, 1](out)
    x = kind(1.003)
    assert out.tolist() == [x + kind(2), x - kind(1), np.sqrt(kind(2)), 1]


def test_modules_of_cuda():
    @cuda.jit
    def k(out):
        out[0] = cuda.bf16.hsqrt(3)
        out[1] = cuda.bf16.bfloat16(3.14)
        out[2] = cuda.fp16.hsqrt(3)
        out[3] = cuda.fp16.__hsqrt(3)
        out[4] = cuda.fp16.__half(3.14)

    out = np.zeros(5)
    k[1, 1](out)
    assert out.tolist() == [1.734375, 3.140625, *[1.732421875] * 2, 3.140625]


OF_ONE = [
    *("htrunc", "hceil", "hfloor", "hrint", "hsqrt", "hrcp", "habs", "hneg"),
    *(*FUNCTIONS, "hisnan", "hisinf"),
]
OF_THREE = ["hfma", "hfma_sat", "hfma_relu"]


@pytest.mark.parametrize("name", bf16.FUNCTIONS)
def test_both_names_of_halves(name):
    one, other = getattr(fp16, name), getattr(fp16, f"__{name}")
    count = 1 if name in OF_ONE else 3 if name in OF_THREE else 2

    @cuda.jit
    def k(a, out):
        i = cuda.grid(1)
        x, y, z = a[i], a[i - 1], a[i - 2]
        if count == 1:
            out[0, i], out[1, i] = one(x), other(x)
        elif count == 2:
            out[0, i], out[1, i] = one(x, y), other(x, y)
        else:
            out[0, i], out[1, i] = one(x, y, z), other(x, y, z)

    a = np.array([0.3, -1.7, 2.5, 2.5, 0, 700, np.inf, np.nan], np.float16)
    out = np.zeros((2, a.size), np.float16)
    # Numbers that no function yields.
    out[0], out[1] = 7000, 7008
    k[1, a.size](a, out)
    assert 7000 not in out[0]
    assert_equal(out[0], out[1])


@pytest.mark.parametrize(
    "function, kind, instruction",
    [
        (fp16.hfma, types.float16, "fma.rn.f16 "),
        (fp16.__hfma, types.float16, "fma.rn.f16 "),
        (bf16.hfma, types.bfloat16, "fma.rn.bf16 "),
    ],
)
def test_fma_is_an_instruction(function, kind, instruction):
    def f(a):
        a[0] = function(a[0], a[1], a[2])

    ptx, _ = cuda.compile_ptx(f, (kind[::1],), cc=(9, 0))
    assert instruction in ptx.replace("\t", " ")


@pytest.mark.parametrize("module, imported", [(bf16, []), (fp16, ["float16"])])
def test_names(module, imported):
    names = {
        name
        for name in dir(module)
        if name.lstrip("_")[:1].islower() and not name.endswith("__")
    }
    assert names == {*module.__all__, *imported}
    assert len(module.__all__) == len(set(module.__all__))


def test_types():
    assert bf16.bfloat16 is types.bfloat16
    assert fp16.__half is types.float16


@pytest.mark.parametrize(
    "module, name",
    [(bf16, "hadd"), (fp16, "hadd"), (fp16, "__hadd"), (fp16, "__float2half")],
)
def test_only_kernels_can_call_them(module, name):
    whole_name = f"{module.__name__.removeprefix('pyk.')}.{name}"
    with pytest.raises(
        RuntimeError,
        match=rf"{re.escape(whole_name)} can only be used inside a kernel",
    ):
        getattr(module, name)(1, 2)
