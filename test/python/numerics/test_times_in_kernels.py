# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where datetime64 and timedelta64 may stand, and functions of them."""

import warnings
from collections import namedtuple

import numpy as np
import pytest

from pyk import CompileError, cuda, types

DAYS = np.arange("2005-02-01", "2005-03-05", dtype="M8[D]")
NAT = np.datetime64("NaT")
WEEK = np.timedelta64(1, "W")
START = np.datetime64("2005-01-01")
STEPS = np.array([1, 7, 30], "m8[D]")
UNITS = ("Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns", "ps", "fs", "as")


def bits(times):
    return np.asarray(times).view(np.int64)


def same(found, expected):
    expected = np.asarray(expected)
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(bits(found), bits(expected))


# ===-------------------------------------------------------------------===
# Arguments, constants and memory.
# ===-------------------------------------------------------------------===


@pytest.mark.parametrize("kind", ["datetime64", "timedelta64"])
@pytest.mark.parametrize("unit", [*UNITS, "generic"])
def test_arguments_of_each_unit(kind, unit):
    @cuda.jit
    def k(a, value, out):
        i = cuda.grid(1)
        if i < a.size:
            out[i] = a[i]
        if i == a.size:
            out[i] = value

    a = np.array([0, -5, 2**62, -(2**63)]).view(f"{kind}[{unit}]")
    out = np.zeros(5, a.dtype)
    k[1, 32](a, a[1], out)
    same(out, [*a, a[1]])
    k[1, 32](a[::-1], a[-1], out)
    same(out, [*a[::-1], a[-1]])


def test_argument_types_are_told_apart():
    """Units of arrays and scalars: each has a specialization of its own."""

    @cuda.jit
    def k(a, d, out):
        out[0] = a[0] + d

    for unit in ("D", "h", "s"):
        for span in ("D", "h", "s"):
            a = np.array([3], f"M8[{unit}]")
            d = np.timedelta64(2, span)
            out = np.zeros(1, (a + d).dtype)
            for _ in range(2):
                k[1, 1](a, d, out)
                same(out, a + d)


def test_generic_spans_take_the_other_unit():
    @cuda.jit
    def k(a, d, out, equal):
        i = cuda.grid(1)
        if i < a.size:
            out[i] = a[i] + d
            equal[i] = out[i] - a[i] == d

    d = np.timedelta64(4)
    out, equal = np.zeros_like(DAYS), np.zeros(DAYS.size, bool)
    k[1, 64](DAYS, d, out, equal)
    same(out, DAYS + d)
    assert equal.all()


def test_constants():
    weeks = np.timedelta64(2, "W")

    @cuda.jit
    def k(a, out):
        i = cuda.grid(1)
        if i < a.size:
            out[0, i] = a[i] + weeks + WEEK
            out[1, i] = START + STEPS[i % 3]
            out[2, i] = a[i] + np.timedelta64(3, "D")
            out[3, i] = np.datetime64("2005-02") + (a[i] - START)
            out[4, i] = np.datetime64("NaT")

    out = np.zeros((5, DAYS.size), DAYS.dtype)
    k[1, 64](DAYS, out)
    same(out[0], DAYS + weeks + WEEK)
    same(out[1], START + np.resize(STEPS, DAYS.size))
    same(out[2], DAYS + np.timedelta64(3, "D"))
    same(out[3], np.datetime64("2005-02") + (DAYS - START))
    assert np.isnat(out[4]).all()


def test_constants_are_compared_when_the_kernel_runs():
    """NaT is no constant that equals itself, nor is a unit part of a time."""
    day, hours = np.timedelta64(1, "D"), np.timedelta64(24, "h")

    @cuda.jit
    def k(out):
        out[0] = 1 if NAT == NAT else 2
        out[1] = 1 if day == hours else 2
        out[2] = 1 if day is None else 2

    out = np.zeros(3)
    k[1, 1](out)
    np.testing.assert_array_equal(out, [2, 1, 2])


@pytest.mark.parametrize("align", [False, True], ids=["packed", "aligned"])
def test_records(align):
    dtype = np.dtype(
        [("tag", "u1"), ("day", "M8[D]"), ("spans", "m8[h]", 2)], align=align
    )

    @cuda.jit
    def k(a, out):
        i = cuda.grid(1)
        if i < a.size:
            a[i].spans[1] = a[i].day - START
            out[i] = a[i]["day"] + a[i].spans[0]
            own = cuda.local.array(1, dtype)
            own[0] = a[i]
            own[0].day = START
            if i == 0:
                a[i] = own[0]

    a = np.zeros(DAYS.size, dtype)
    a["day"] = DAYS
    a["spans"][:, 0] = np.arange(DAYS.size)
    out = np.zeros(DAYS.size, "M8[h]")
    k[1, 64](a, out)
    same(out, DAYS + np.arange(DAYS.size).astype("m8[h]"))
    same(a["spans"][:, 1].copy(), (DAYS - START).astype("m8[h]"))
    same(a["day"].copy(), [START, *DAYS[1:]])


Period = namedtuple("Period", "first length")


def test_tuples_and_device_functions():
    @cuda.jit(device=True)
    def end(period):
        return period.first + period.length

    @cuda.jit(device=True)
    def later(x, by=WEEK):
        return x + by, x

    @cuda.jit
    def k(pair, period, out):
        out[0] = pair[0] + pair[1]
        out[1] = end(period)
        out[2], out[3] = later(period.first)
        out[4] = end(Period(START, WEEK))

    day = np.timedelta64(1, "D")
    out = np.zeros(5, "M8[D]")
    k[1, 1]((START, day), Period(DAYS[0], 2 * day), out)
    same(
        out,
        [
            START + day,
            DAYS[0] + 2 * day,
            DAYS[0] + WEEK,
            DAYS[0],
            START + WEEK,
        ],
    )


def test_shared_and_local_arrays():
    days, hours = np.dtype("m8[D]"), types.NPTimedelta("h")

    @cuda.jit
    def k(a, out):
        block = cuda.shared.array(64, "M8[D]")
        own = cuda.local.array(2, days)
        typed = cuda.local.array(1, hours)
        i = cuda.threadIdx.x
        block[i] = a[i]
        cuda.syncthreads()
        own[0] = block[a.size - 1 - i] - block[i]
        own[1] = abs(own[0])
        typed[0] = own[1]
        out[i] = typed[0]

    out = np.zeros(DAYS.size, "m8[h]")
    k[1, DAYS.size](DAYS, out)
    same(out, abs(DAYS[::-1] - DAYS).astype("m8[h]"))


def test_device_arrays_and_views():
    @cuda.jit
    def k(a, out):
        i = cuda.grid(1)
        if i < a.size:
            number = a.view(np.int64)
            out.view("i8")[i] = number[i] + 1

    device = cuda.to_device(DAYS)
    assert device.dtype == DAYS.dtype
    out = cuda.device_array_like(DAYS)
    k[1, 64](device, out)
    same(out.copy_to_host(), DAYS + np.timedelta64(1, "D"))
    same(device.view(np.int64).copy_to_host(), DAYS.view(np.int64))
    k[1, 64](device[::2], out[: DAYS[::2].size])
    same(
        out.copy_to_host()[: DAYS[::2].size],
        DAYS[::2] + np.timedelta64(1, "D"),
    )


@pytest.mark.parametrize(
    "signature",
    [
        (types.NPDatetime("D")[:], types.NPTimedelta("h"), types.int64),
        "void(NPDatetime('D')[:], NPTimedelta('h'), int64)",
        types.void(
            types.from_dtype(np.dtype("M8[D]"))[:],
            types.from_dtype("m8[h]"),
            types.int64,
        ),
    ],
    ids=["tuple", "text", "dtypes"],
)
def test_signatures(signature):
    @cuda.jit(signature)
    def k(a, d, n):
        a[0] = START
        if a[0] + d * n < START:
            a[0] = START + WEEK

    a = np.zeros(1, "M8[D]")
    k[1, 1](a, np.timedelta64(-1, "h"), 2)
    same(a, [START + WEEK])
    with pytest.raises(TypeError):
        k[1, 1](a, np.timedelta64(-1, "D"), 2)
    with pytest.raises(TypeError):
        k[1, 1](a, 5, 2)
    with pytest.raises(TypeError):
        k[1, 1](a.astype("M8[h]"), np.timedelta64(-1, "h"), 2)


def test_declared_device_function():
    @cuda.jit("NPDatetime('s')(NPDatetime('D'), int32)", device=True)
    def shift(day, hours):
        return day + np.timedelta64(1, "h") * hours

    @cuda.jit
    def k(a, out):
        i = cuda.grid(1)
        if i < a.size:
            out[i] = shift(a[i], i)

    out = np.zeros(DAYS.size, "M8[s]")
    k[1, 64](DAYS, out)
    same(out, (DAYS + np.arange(DAYS.size).astype("m8[h]")).astype("M8[s]"))


def test_types():
    assert types.NPDatetime("D") == np.dtype("M8[D]")
    assert types.from_dtype(np.dtype("m8")) == types.NPTimedelta()
    assert types.NPTimedelta("ms").unit == "ms"
    assert types.NPTimedelta("ms")(5) == np.timedelta64(5, "ms")
    assert types.NPDatetime("D")("2005-02") == np.datetime64("2005-02-01")
    with pytest.raises(
        NotImplementedError,
        match="expects a unit of time without a factor but got '25s'",
    ):
        types.NPTimedelta("25s")


# ===-------------------------------------------------------------------===
# Conversions.
# ===-------------------------------------------------------------------===


def test_stores_convert_to_finer_units():
    @cuda.jit
    def k(a, fine, part):
        i = cuda.grid(1)
        if i < a.size:
            fine[i] = a[i]
        if i == 0:
            part[:2] = a[:2]
            part[2:] = a[3]

    for source, target in (("M", "D"), ("Y", "W"), ("W", "ns"), ("D", "D")):
        a = np.array([0, 3, -20, -(2**63)]).view(f"M8[{source}]")
        fine = np.zeros(4, f"M8[{target}]")
        part = np.zeros(4, f"M8[{target}]")
        k[1, 32](a, fine, part)
        same(fine, a.astype(fine.dtype))
        same(part, a[[0, 1, 3, 3]].astype(fine.dtype))


def test_counts():
    days = types.NPTimedelta("D")

    @cuda.jit
    def k(day, span, instant, out, spans):
        out[0] = int(span)
        out[1] = np.int64(day)
        out[2] = int(instant)
        out[3] = np.int64(span // WEEK)
        spans[0] = days(3)

    out, spans = np.zeros(4, np.int64), np.zeros(1, "m8[D]")
    day, span = np.datetime64(7, "D"), np.timedelta64(-15, "D")
    k[1, 1](day, span, np.datetime64(9, "ns"), out, spans)
    np.testing.assert_array_equal(out, [-15, 7, 9, -3])
    same(spans, np.array([3], "m8[D]"))


# ===-------------------------------------------------------------------===
# Functions.
# ===-------------------------------------------------------------------===

WITH_NAT = np.array(["2001-01-01", "NaT", "1999-05-05", "2001-01-01"], "M8[D]")
PAIRS = [pair.ravel() for pair in np.meshgrid(WITH_NAT, WITH_NAT)]


@pytest.mark.parametrize("kind", ["datetime64", "timedelta64"])
def test_choices(kind):
    @cuda.jit
    def k(x, y, out, tests):
        i = cuda.grid(1)
        if i < x.size:
            out[0, i] = np.maximum(x[i], y[i])
            out[1, i] = np.minimum(x[i], y[i])
            out[2, i] = np.fmax(x[i], y[i])
            out[3, i] = np.fmin(x[i], y[i])
            out[4, i] = max(x[i], y[i])
            out[5, i] = min(x[i], y[i])
            out[6, i] = np.where(x[i] < y[i], x[i], y[i])
            tests[0, i] = np.isnat(x[i])
            tests[1, i] = np.isnan(x[i])
            tests[2, i] = np.isfinite(x[i])
            tests[3, i] = np.less_equal(x[i], y[i])
            tests[4, i] = isinstance(x[i], np.datetime64)
            tests[5, i] = isinstance(x[i], np.timedelta64)
            tests[6, i] = np.isinf(x[i])

    x, y = (pair.view(np.int64).view(f"{kind}[D]") for pair in PAIRS)
    out, tests = np.zeros((7, x.size), x.dtype), np.zeros((7, x.size), bool)
    k[1, 32](x, y, out, tests)
    same(out[0], np.maximum(x, y))
    same(out[1], np.minimum(x, y))
    same(out[2], np.fmax(x, y))
    same(out[3], np.fmin(x, y))
    same(out[4], [max(pair) for pair in zip(x, y, strict=True)])
    same(out[5], [min(pair) for pair in zip(x, y, strict=True)])
    same(out[6], np.where(x < y, x, y))
    for found, expected in zip(
        tests,
        (
            np.isnat(x),
            np.isnan(x),
            np.isfinite(x),
            x <= y,
            x.dtype.kind == "M",
            x.dtype.kind == "m",
            False,
        ),
        strict=True,
    ):
        np.testing.assert_array_equal(found, np.broadcast_to(expected, x.size))


def test_universal_functions():
    @cuda.jit
    def k(x, y, spans, dates, numbers, flags):
        np.subtract(x, y, spans[0])
        np.negative(spans[0], spans[1])
        np.absolute(spans[0], spans[2])
        np.multiply(spans[0], 2, spans[3])
        np.sign(spans[0], spans[4])
        np.remainder(spans[0], WEEK, spans[5])
        np.add(x, spans[2], dates)
        np.divide(spans[0], WEEK, numbers)
        np.isnat(x, flags)

    x, y = PAIRS
    spans = np.zeros((6, x.size), "m8[D]")
    dates, numbers = np.zeros_like(x), np.zeros(x.size)
    flags = np.zeros(x.size, bool)
    k[1, 1](x, y, spans, dates, numbers, flags)
    gaps = x - y
    same(spans[0], gaps)
    same(spans[1], -gaps)
    same(spans[2], abs(gaps))
    same(spans[3], gaps * 2)
    same(spans[4], np.sign(gaps))
    same(spans[5], gaps % WEEK)
    same(dates, x + abs(gaps))
    np.testing.assert_array_equal(numbers, gaps / WEEK)
    np.testing.assert_array_equal(flags, np.isnat(x))


def test_reductions():
    @cuda.jit
    def k(x, spans, dates, places, total):
        dates[0] = x.min()
        dates[1] = np.max(x)
        dates[2] = min(x)
        places[0] = x.argmin()
        places[1] = x.argmax()
        places[2] = np.searchsorted(x, x[2])
        total[0] = spans.sum()

    x = np.array(["2001-01-01", "2003-04-05", "2005-06-07"], "M8[D]")
    spans = x - x[0]
    dates, places = np.zeros(3, x.dtype), np.zeros(3, np.int64)
    total = np.zeros(1, spans.dtype)
    k[1, 1](x, spans, dates, places, total)
    same(dates, [x[0], x[2], x[0]])
    np.testing.assert_array_equal(places, [0, 2, 2])
    same(total, [spans.sum()])
    x[1] = NAT
    spans[1] = np.timedelta64("NaT")
    k[1, 1](x, spans, dates, places, total)
    assert np.isnat(dates[:2]).all()
    np.testing.assert_array_equal(places[:2], [1, 1])
    assert np.isnat(total[0])


def test_optional_and_joined_times():
    no_day = np.datetime64("NaT", "D")

    @cuda.jit
    def k(a, out):
        i = cuda.grid(1)
        if i < a.size:
            latest = None
            if a[i] > START + WEEK * 6:
                latest = a[i]
            day = a[i] if i % 2 else START
            while day < a[i]:
                day += WEEK
            out[0, i] = no_day if latest is None else latest
            out[1, i] = day

    out = np.zeros((2, DAYS.size), "M8[D]")
    k[1, 64](DAYS, out)
    same(out[0], np.where(DAYS > START + WEEK * 6, DAYS, NAT))
    even = START + -(-(DAYS - START) // WEEK) * WEEK
    same(out[1], np.where(np.arange(DAYS.size) % 2, DAYS, even))


# ===-------------------------------------------------------------------===
# What is refused; typing errors are in error_cases/times.py.
# ===-------------------------------------------------------------------===


def test_units_with_a_factor():
    @cuda.jit
    def k(a):
        pass

    with pytest.raises(
        ValueError, match=r"pass a.astype\('timedelta64\[s\]'\)$"
    ):
        k[1, 1](np.timedelta64(3, "25s"))
    # To NumPy, this is the dtype that seconds have.
    for factor in (1000, 25):
        array = np.zeros(3, f"M8[{factor}ms]")
        with pytest.raises(
            ValueError, match=r"'datetime64\[ms\]'\) if it is only"
        ):
            k[1, 1](array)


def test_another_order_of_bytes():
    @cuda.jit
    def k(a):
        pass

    with pytest.raises(ValueError, match="byte order"):
        k[1, 1](np.zeros(3, ">M8[D]"))


def test_constant_of_a_unit_with_a_factor():
    odd = np.timedelta64(3, "25s")

    @cuda.jit
    def k(a):
        a[0] = odd

    with pytest.raises(CompileError, match="of a unit with a factor"):
        k[1, 1](np.zeros(3, "m8[s]"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(CompileError, match="kernel"):
            k[1, 1](np.zeros(3))


@pytest.mark.parametrize("count", [0, -1, 0x0101010101010101])
@pytest.mark.parametrize("length", [1, 3])
def test_tables_whose_bytes_are_all_equal(count, length):
    table = np.full(length, count, "m8[s]")
    square = np.full((length, length), count, "M8[D]")

    @cuda.jit
    def k(spans, days):
        spans[0] = table[length - 1]
        spans[1] = cuda.const.array_like(table)[0]
        days[0] = square[length - 1, 0]

    spans, days = np.zeros(2, "m8[s]"), np.zeros(1, "M8[D]")
    k[1, 1](spans, days)
    assert spans.view(np.int64).tolist() == [count, count]
    assert days.view(np.int64).tolist() == [count]
