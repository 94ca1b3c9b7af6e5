# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""bfloat16: operators, functions, conversions, and where it may stand.

What it can is compared on all bit patterns. The oracles are ml_dtypes, and
rational numbers where that rounds twice.
"""

import bisect
import ctypes
import math
import operator
import sys
from collections import namedtuple
from fractions import Fraction

import numpy as np
import pytest

from pyk import cuda, types
from support.bfloat16_numbers import ALL, OTHERS, bfloat16
from support.short_floats import (
    COUNT,
    as_integers,
    assert_equal,
    assert_near,
    bits_of,
    launch,
)

#: What a sign can stand before: every number, then what 2**128 would be.
SIZES = [Fraction(float(x)) for x in ALL[:0x7F80]] + [Fraction(2) ** 128]


def nearest(value):
    """The bits of the nearest bfloat16 to a rational number, half to even."""
    size = abs(value)
    above = bisect.bisect_left(SIZES, size)
    if above == len(SIZES):
        above -= 1
    elif SIZES[above] != size:
        low, high = size - SIZES[above - 1], SIZES[above] - size
        above -= low < high or (low == high and above % 2 == 1)
    return above | (value < 0) << 15


@np.errstate(all="ignore")
def test_arithmetic_is_rounded_once():
    @cuda.jit
    def k(a, b, out):
        i = cuda.grid(1)
        out[0, i] = a[i] + b[i]
        out[1, i] = a[i] - b[i]
        out[2, i] = a[i] * b[i]
        out[3, i] = a[i] / b[i]
        x = a[i]
        x += b[i]
        x *= b[i]
        x -= b[i]
        x /= b[i]
        out[4, i] = x

    out = np.zeros((5, COUNT), bfloat16)
    launch(k, ALL, OTHERS, out)
    for row, apply in enumerate(
        [operator.add, operator.sub, operator.mul, operator.truediv]
    ):
        assert_equal(out[row], apply(ALL, OTHERS))
    assert_equal(out[4], ((ALL + OTHERS) * OTHERS - OTHERS) / OTHERS)


def test_product_and_sum_are_rounded_each():
    """A fused multiply-add would yield 2**-14."""

    @cuda.jit
    def k(a):
        a[2] = a[0] * a[0] + a[1]

    x = 1 + 2**-7
    a = np.array([x, -(1 + 2**-6), 9], bfloat16)
    k[1, 1](a)
    assert a[2] == 0


@np.errstate(all="ignore")
def test_comparisons():
    @cuda.jit
    def k(a, b, out):
        i = cuda.grid(1)
        x, y = a[i], b[i]
        out[0, i] = x == y
        out[1, i] = x != y
        out[2, i] = x < y
        out[3, i] = x <= y
        out[4, i] = x > y
        out[5, i] = x >= y
        out[6, i] = bool(x)
        out[7, i] = not x

    out = np.zeros((8, COUNT), bool)
    launch(k, ALL, OTHERS, out)
    for row, apply in enumerate("eq ne lt le gt ge".split()):
        expected = getattr(operator, apply)(ALL, OTHERS)
        np.testing.assert_array_equal(out[row], expected)
    np.testing.assert_array_equal(out[6], ALL != 0)
    np.testing.assert_array_equal(out[7], ALL == 0)


@np.errstate(all="ignore")
def test_signs_and_rounding_to_whole_numbers():
    @cuda.jit
    def k(a, short, wide):
        i = cuda.grid(1)
        short[0, i] = -a[i]
        short[1, i] = +a[i]
        short[2, i] = math.floor(a[i])
        short[3, i] = math.ceil(a[i])
        short[4, i] = math.trunc(a[i])
        wide[0, i] = abs(a[i])
        wide[1, i] = math.fabs(a[i])

    short, wide = np.zeros((5, COUNT), bfloat16), np.zeros((2, COUNT), "f4")
    launch(k, ALL, short, wide)
    for row, expected in enumerate(
        [-ALL, ALL, np.floor(ALL), np.ceil(ALL), np.trunc(ALL)]
    ):
        assert_equal(short[row], expected)
    for row in wide:
        assert_equal(row, np.abs(ALL.astype("f4")))


FUNCTIONS = {
    **dict.fromkeys(["sqrt"], 0),
    **dict.fromkeys(["sin", "cos", "tanh", "exp", "log", "log10"], 1),
}


@pytest.mark.parametrize("name", FUNCTIONS)
@np.errstate(all="ignore")
def test_functions_keep_bfloat16(name):
    """The square root is exact; the others may be one off on the last digit."""
    function = getattr(math, name)

    @cuda.jit
    def k(a, out):
        i = cuda.grid(1)
        out[i] = function(a[i])

    out = np.zeros(COUNT, bfloat16)
    launch(k, ALL, out)
    expected = getattr(np, name)(ALL.astype("f8")).astype("f4").astype(bfloat16)
    assert_near(out, expected, off=FUNCTIONS[name])


def test_other_functions_are_those_of_float32():
    @cuda.jit
    def k(a, out, whole):
        out[0] = math.tan(a[0])
        out[1] = math.atan2(a[0], a[1])
        out[2] = a[0] ** 3
        out[3] = a[0] // a[1]
        out[4] = a[0] % a[1]
        out[5] = round(a[0], 1)
        whole[0] = round(a[0])
        whole[1] = int(a[0])

    a = np.array([2.5, -0.75], bfloat16)
    out, whole = np.zeros(6), np.zeros(2, int)
    k[1, 1](a, out, whole)
    np.testing.assert_allclose(
        out,
        [math.tan(2.5), math.atan2(2.5, -0.75), 2.5**3, -4, -0.5, 2.5],
        rtol=1e-6,
    )
    assert whole.tolist() == [2, 2]


@np.errstate(all="ignore")
def test_predicates():
    @cuda.jit
    def k(a, out):
        i = cuda.grid(1)
        out[0, i] = math.isnan(a[i])
        out[1, i] = math.isinf(a[i])
        out[2, i] = math.isfinite(a[i])

    out = np.zeros((3, COUNT), bool)
    launch(k, ALL, out)
    wide = ALL.astype("f4")
    expected = [np.isnan(wide), np.isinf(wide), np.isfinite(wide)]
    np.testing.assert_array_equal(out, expected)


@np.errstate(all="ignore")
def test_min_and_max_ignore_nan():
    @cuda.jit
    def k(a, b, out):
        i = cuda.grid(1)
        out[0, i] = min(a[i], b[i])
        out[1, i] = max(a[i], b[i])

    out = np.zeros((2, COUNT), bfloat16)
    launch(k, ALL, OTHERS, out)
    a, b = ALL.astype("f4"), OTHERS.astype("f4")
    both_zero = (a == 0) & (b == 0)
    for row, expected in zip(out, [np.fmin(a, b), np.fmax(a, b)]):
        assert_equal(row[~both_zero], expected.astype(bfloat16)[~both_zero])


@np.errstate(all="ignore")
def test_conversions_to_other_types():
    @cuda.jit
    def k(a, f16, f32, f64, i8, i16, u16, i64, u64):
        i = cuda.grid(1)
        f16[i] = types.float16(a[i])
        f32[i] = types.float32(a[i])
        f64[i] = types.float64(a[i])
        i8[i] = types.int8(a[i])
        i16[i] = types.int16(a[i])
        u16[i] = types.uint16(a[i])
        i64[i] = types.int64(a[i])
        u64[i] = types.uint64(a[i])

    names = "f2 f4 f8 i1 i2 u2 i8 u8".split()
    found = [np.zeros(COUNT, name) for name in names]
    launch(k, ALL, *found)
    for array in found[:3]:
        assert_equal(array, ALL.astype("f8").astype(array.dtype))
    for array in found[3:]:
        expected = as_integers(map(float, ALL), array.dtype)
        np.testing.assert_array_equal(array, expected)


def numbers_to_convert(dtype):
    """Numbers around those of bfloat16, ties above all, and random ones."""
    random = np.random.default_rng(7)
    if dtype.kind == "f":
        wide = ALL[np.isfinite(ALL.astype("f4"))].astype("f8")[::7]
        ties = (
            wide
            + np.nextafter(wide.astype(bfloat16), bfloat16(1e38)).astype("f8")
        ) / 2
        near = np.concatenate([ties, wide]).astype(dtype)
        near = np.concatenate(
            [
                near,
                np.nextafter(near, dtype.type(0)),
                np.nextafter(near, dtype.type(np.inf)),
            ]
        )
        noise = random.integers(0, 256, 4000 * dtype.itemsize, np.uint8)
        found = np.concatenate([near, noise.view(dtype)])
        return found[np.isfinite(found)]
    limits = np.iinfo(dtype)
    noise = random.integers(limits.min, limits.max, 2000, dtype, endpoint=True)
    noise >>= random.integers(0, 8 * dtype.itemsize, 2000).astype(dtype)
    ties = [
        sign * (((256 + lead) * 2 + 1) << shift) + offset
        for sign in (1, -1)
        for lead in (0, 1, 127)
        for shift in range(54)
        for offset in (-1, 0, 1)
    ]
    ends = [limits.min, limits.max, 0, 1, limits.max - 1]
    inside = [n for n in ties if limits.min <= n <= limits.max]
    return np.concatenate([noise, np.array(ends + inside, dtype)])


@pytest.mark.parametrize("name", "? i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8".split())
@np.errstate(all="ignore")
def test_conversions_from_other_types_round_once(name):
    dtype = np.dtype(name)

    @cuda.jit
    def k(a, stored, cast):
        for i in range(cuda.grid(1), a.size, cuda.gridsize(1)):
            stored[i] = a[i]
            cast[i] = types.bfloat16(a[i])

    if dtype.kind == "b":
        a = np.array([False, True])
    else:
        a = numbers_to_convert(dtype)
    stored, cast = np.zeros(a.size, bfloat16), np.zeros(a.size, bfloat16)
    launch(k, a, stored, cast)
    expected = [nearest(Fraction(x)) for x in a.tolist()]
    # The sign of a zero, and what is too small for a number, have one too.
    sign = np.signbit(a.astype("f8")) if dtype.kind == "f" else np.array(a < 0)
    expected = np.array(expected) | sign.astype(int) << 15
    np.testing.assert_array_equal(bits_of(stored), expected)
    np.testing.assert_array_equal(bits_of(cast), expected)


def test_special_floats_stay_special():
    @cuda.jit
    def k(a, out):
        out[0] = types.bfloat16(a[0])
        out[1] = types.bfloat16(a[1])
        out[2] = types.bfloat16(a[2])
        out[3] = types.bfloat16(a[3])

    # The digits of the last NaN are among those that are dropped.
    nan = np.array([0x7F800001], np.uint32).view(np.float32)[0]
    for dtype in "f4", "f8":
        out = np.zeros(4, bfloat16)
        k[1, 1](np.array([math.inf, -math.inf, math.nan, nan], dtype), out)
        assert out[0] == math.inf and out[1] == -math.inf
        assert np.isnan(out[2]) and np.isnan(out[3])


SCALE = bfloat16(1.5)
TABLE = np.array([1, 2.5, -3], bfloat16)
Pair = namedtuple("Pair", "x y")


@cuda.jit(device=True)
def scaled(x):
    return x * SCALE


def test_arguments_constants_and_device_functions():
    @cuda.jit
    def k(a, x, pair, named):
        a[0] = x
        a[1] = pair[0] + pair[1]
        a[2] = named.x * named.y
        a[3] = scaled(x)
        a[4] = TABLE[1]
        a[5] = bfloat16(3)
        a[6] = types.bfloat16(TABLE.size) / 2

    a = np.zeros(7, bfloat16)
    x = bfloat16(2)
    k[1, 1](a, x, (x, SCALE), Pair(x, x))
    assert a.tolist() == [2, 3.5, 4, 3, 2.5, 3, 1.5]


def test_subnormals_are_passed_and_chosen_as_they_are():
    @cuda.jit
    def k(a, x, pair, n):
        a[0] = x
        a[1] = pair[n]
        a[2] = x if n > 1 else pair[0]

    a = np.zeros(3, bfloat16)
    least = np.array([1, 2, 0x8003], np.uint16).view(bfloat16)
    k[1, 1](a, least[0], (least[1], least[2]), 1)
    assert a.view(np.uint16).tolist() == [1, 0x8003, 2]


@pytest.mark.parametrize("dtype", [types.bfloat16, bfloat16, "bfloat16"])
def test_shared_and_local_arrays(dtype):
    @cuda.jit
    def k(a):
        t = cuda.threadIdx.x
        part = cuda.shared.array(4, dtype)
        own = cuda.local.array(1, dtype)
        own[0] = a[t]
        part[t] = own[0] + own[0]
        cuda.syncthreads()
        a[t] = part[3 - t]

    a = np.array([1, 2, 3, 4], bfloat16)
    k[1, 4](a)
    assert a.tolist() == [8, 6, 4, 2]


def test_records():
    @cuda.jit
    def k(a):
        i = cuda.grid(1)
        a[i].x = a[i].y * a[i].x

    fields = [("n", "i1"), ("x", bfloat16), ("y", "f4")]
    for align in False, True:
        kind = np.dtype(fields, align=align)
        a = np.array([(1, 2, 0.5), (2, 3, 3)], kind)
        k[1, 2](a)
        assert a["x"].tolist() == [1, 9]


def test_device_arrays():
    @cuda.jit
    def k(a, b):
        i = cuda.grid(1)
        b[i] = a[-1 - i]

    a = cuda.to_device(TABLE)
    b = cuda.device_array(3, types.bfloat16)
    assert b.dtype == bfloat16
    k[1, 3](a, b)
    assert b.copy_to_host().tolist() == [-3, 2.5, 1]
    assert b[1] == 2.5 and b[1:].copy_to_host().tolist() == [2.5, 1]
    b[:] = 7
    assert b.copy_to_host().tolist() == [7, 7, 7]


class Tensor:
    """An array of bfloat16 as other libraries hand one out."""

    #: Where DLPack's structure has the kind of number, and that of bfloat16.
    CODE, BFLOAT = 20, 4

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, stream=None):
        capsule = self.array.view(np.uint16).__dlpack__()
        pointer = ctypes.pythonapi.PyCapsule_GetPointer
        pointer.restype = ctypes.c_void_p
        pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
        address = pointer(capsule, b"dltensor")
        ctypes.c_uint8.from_address(address + self.CODE).value = self.BFLOAT
        return capsule

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def test_tensors_of_other_libraries():
    @cuda.jit
    def k(a):
        i = cuda.grid(1)
        a[i, 1] = a[i, 0] + a[i, 2]

    a = np.arange(6).reshape(2, 3).astype(bfloat16)
    k[1, 2](Tensor(a))
    assert a.tolist() == [[0, 2, 2], [3, 8, 5]]


def test_strides_and_layouts():
    @cuda.jit
    def k(a, out):
        out[0] = a.sum()
        out[1] = a[1, 0]

    a = np.arange(12).reshape(3, 4).astype(bfloat16)
    for view in a, a.T, a[::-1, ::2]:
        out = np.zeros(2, bfloat16)
        k[1, 1](view, out)
        assert out[0] == view.astype("f4").sum()
        assert out[1] == view[1, 0]


@pytest.mark.parametrize(
    "signature",
    [
        "void(bfloat16[:], bfloat16)",
        types.void(types.bfloat16[:], types.bfloat16),
        (cuda.bfloat16[::1], cuda.bfloat16),
    ],
)
def test_signatures(signature):
    @cuda.jit(signature)
    def k(a, x):
        a[0] = x + a[1]

    a = np.array([0, 1], bfloat16)
    k[1, 1](a, bfloat16(2))
    assert a[0] == 3
    # Numbers become what is declared.
    k[1, 1](a, 3)
    assert a[0] == 4
    k[1, 1](a, np.float32(0.5))
    assert a[0] == 1.5


def test_a_declared_float_takes_bfloat16():
    @cuda.jit("void(float32[:], float32)")
    def k(a, x):
        a[0] = x

    a = np.zeros(1, np.float32)
    k[1, 1](a, bfloat16(2.5))
    assert a[0] == 2.5


def test_a_declared_array_takes_no_other_dtype():
    @cuda.jit("void(bfloat16[:])")
    def k(a):
        a[0] = 1

    for dtype in np.float16, np.uint16, np.float32:
        with pytest.raises(TypeError, match="bfloat16"):
            k[1, 1](np.zeros(1, dtype))


def test_type_on_the_host():
    assert types.bfloat16 == bfloat16 and types.bfloat16 != "float16"
    assert types.from_dtype(bfloat16) is types.bfloat16
    assert types.bfloat16(1 / 3) == bfloat16(1 / 3)
    assert repr(types.bfloat16[:]) == "array(bfloat16, 1d, A)"
    assert np.zeros(1, types.bfloat16).dtype == bfloat16


def test_without_ml_dtypes(monkeypatch):
    """Kernels have bfloat16 all the same."""

    @cuda.jit
    def k(a, n):
        own = cuda.local.array(1, types.bfloat16)
        own[0] = n
        a[0] = own[0] / types.bfloat16(3)

    monkeypatch.setitem(sys.modules, "ml_dtypes", None)
    a = np.zeros(1, np.float32)
    k[1, 1](a, 1)
    assert a[0] == np.float32(0.333984375)
    with pytest.raises(
        ImportError,
        match="bfloat16 on the host needs the package ml_dtypes; "
        "install it with 'pip install ml_dtypes'",
    ):
        cuda.device_array(1, types.bfloat16)
    assert types.bfloat16 != np.float32


def test_capabilities():
    assert cuda.is_float16_supported()
    assert cuda.is_bfloat16_supported()
    device = cuda.get_current_device()
    assert device.supports_bfloat16 == (device.compute_capability >= (8, 0))


def test_loops_and_branches():
    @cuda.jit
    def k(a, n, out):
        total = types.bfloat16(0)
        for i in range(n):
            if a[i] > 0:
                total += a[i]
            else:
                total = -total
        out[0] = total
        out[1] = a[0] if n > 2 else 1.5

    out = np.zeros(2, bfloat16)
    k[1, 1](TABLE, 3, out)
    assert out.tolist() == [-3.5, 1]


@cuda.jit(device=True)
def halved(x, n):
    return x if n == 0 else halved(x / types.bfloat16(2), n - 1)


def test_recursion_passes_bfloat16():
    @cuda.jit
    def k(out):
        out[0] = halved(types.bfloat16(3), 4)

    out = np.zeros(1, bfloat16)
    k[1, 1](out)
    assert out[0] == 3 / 16


def test_print(capfd):
    @cuda.jit
    def k(a):
        print(a[0], types.bfloat16(0.9375), (a[1],))

    k[1, 1](TABLE)
    cuda.synchronize()
    assert capfd.readouterr().out == "1.000000 0.937500 (2.500000,)\n"
