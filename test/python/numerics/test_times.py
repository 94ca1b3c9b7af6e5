# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""datetime64 and timedelta64 in kernels: units, operators, NaT.

NumPy is the judge of every value. Its operators and Numba's agree but in two:
of two timedeltas, Numba's `//` does not round down where one is negative, and
its products with a float32 are those of float32. PyK does as NumPy.
"""

import warnings

import numpy as np
import pytest

from pyk import CompileError, cuda

UNITS = ("Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns", "ps", "fs", "as")

#: Attoseconds of each unit, of the longest year and month.
SIZES = {
    "Y": 366 * 86400 * 10**18,
    "M": 31 * 86400 * 10**18,
    "W": 7 * 86400 * 10**18,
    "D": 86400 * 10**18,
    "h": 3600 * 10**18,
    "m": 60 * 10**18,
    **{unit: 10 ** (18 - 3 * place) for place, unit in enumerate(UNITS[6:])},
}

COUNT = 96

TOO_FINE = "than 64 bits hold"
NOT_CONSTANT = "a month or a year has no fixed number of days"


def counts(unit, other, seed):
    """Numbers of units, NaT among them, of which no sum in `other` wraps."""
    random = np.random.default_rng(seed)
    most = max(1, min(2**61, 2**61 * SIZES[other] // SIZES[unit]))
    # Of each length in bits as many, around the epoch and leap years.
    lengths = random.integers(0, most.bit_length(), COUNT)
    numbers = random.integers(-most, most, COUNT) >> lengths
    numbers[:9] = np.clip([0, 1, -1, 2, -2, 11, 12, 30, -13], -most, most)
    nat = np.iinfo(np.int64).min
    numbers[random.integers(0, COUNT, 8)] = nat
    return numbers


def times(kind, unit, other, seed):
    return counts(unit, other, seed).view(f"{kind}64[{unit}]")


@cuda.jit
def dates_and_spans(x, y, c, d, compared, gaps, moved, spans):
    i = cuda.grid(1)
    if i < x.size:
        compare(x[i], y[i], compared[0], i)
        gaps[i] = x[i] - y[i]
        moved[0, i] = x[i] + d[i]
        moved[1, i] = d[i] + x[i]
        moved[2, i] = x[i] - d[i]
        compare(c[i], d[i], compared[1], i)
        spans[0, i] = c[i] + d[i]
        spans[1, i] = c[i] - d[i]
        spans[2, i] = c[i] % d[i]


@cuda.jit
def dates(x, y, compared, gaps):
    i = cuda.grid(1)
    if i < x.size:
        compare(x[i], y[i], compared, i)
        gaps[i] = x[i] - y[i]


@cuda.jit
def quotients(c, d, ratios, numbers):
    i = cuda.grid(1)
    if i < c.size:
        ratios[i] = c[i] / d[i]
        numbers[i] = c[i] // d[i]


@cuda.jit(device=True)
def compare(x, y, found, i):
    found[0, i] = x == y
    found[1, i] = x != y
    found[2, i] = x < y
    found[3, i] = x <= y
    found[4, i] = x > y
    found[5, i] = x >= y


def compare_by_numpy(x, y):
    return [x == y, x != y, x < y, x <= y, x > y, x >= y]


def meet(x, y):
    """Both as NumPy computes with them; None if there is no such unit.

    NumPy asks for units that differ by less than 2**56, and gives up on years
    and picoseconds, which have days between them.
    """
    finer = max(unit_of(x), unit_of(y), key=UNITS.index)
    x, y = (
        time.astype("M8[D]")
        if time.dtype.kind == "M"
        and unit_of(time) in "YM"
        and finer not in "YMW"
        else time
        for time in (x, y)
    )
    ratio = SIZES[unit_of(x)] / SIZES[unit_of(y)]
    if max(ratio, 1 / ratio) >= 2**63:
        return None
    return [
        scaled(time, finer)
        if max(ratio, 1 / ratio) >= 2**56 and unit_of(time) != finer
        else time
        for time in (x, y)
    ]


def unit_of(times):
    return np.datetime_data(times.dtype)[0]


def scaled(times, unit):
    """Times of a finer unit, of so many of which each unit has one number."""
    factor = SIZES[unit_of(times)] // SIZES[unit]
    numbers = times.view(np.int64) * factor
    numbers[np.isnat(times)] = np.iinfo(np.int64).min
    return numbers.view(times.dtype.kind + f"8[{unit}]")


def launch(kernel, *arguments):
    kernel[1, COUNT](*arguments)


def same(found, expected):
    assert found.dtype == expected.dtype
    bits = np.int64 if expected.dtype.kind in "mM" else expected.dtype
    np.testing.assert_array_equal(found.view(bits), expected.view(bits))


# ===-------------------------------------------------------------------===
# All pairs of units.
# ===-------------------------------------------------------------------===


@pytest.mark.parametrize("unit", UNITS)
@np.errstate(all="ignore")
def test_pairs_of_units(unit):
    """What can be computed is what NumPy computes; the rest is refused."""
    for seed, other in enumerate(UNITS):
        finer = max(unit, other, key=UNITS.index)
        # Weeks come of days.
        finer = (
            max(finer, "D", key=UNITS.index) if "W" in (unit, other) else finer
        )
        x = times("datetime", unit, finer, seed)
        y = times("datetime", other, finer, seed + 50)
        c = times("timedelta", unit, finer, seed + 100)
        d = times("timedelta", other, finer, seed + 150)
        compared = np.zeros((2, 6, COUNT), bool)
        by_numpy = meet(x, y)
        if by_numpy is None:
            with pytest.raises(CompileError, match=TOO_FINE):
                launch(dates, x, y, compared[0], x.view("m8[Y]"))
            continue
        a, b = by_numpy
        gaps = np.zeros_like(a - b)
        if (unit in "YM") == (other in "YM"):
            e, f = meet(c, d)
            moved = np.zeros((3, COUNT), (a + f).dtype)
            spans = np.zeros((3, COUNT), (e + f).dtype)
            launch(dates_and_spans, x, y, c, d, compared, gaps, moved, spans)
            for found, expected in zip(
                moved, (a + f, f + a, a - f), strict=True
            ):
                same(found, expected)
            for found, expected in zip(
                spans, (e + f, e - f, e % f), strict=True
            ):
                same(found, expected)
            np.testing.assert_array_equal(compared[1], compare_by_numpy(e, f))
        else:
            launch(dates, x, y, compared[0], gaps)
            with pytest.raises(CompileError, match=NOT_CONSTANT):
                launch(quotients, c, d, np.zeros(COUNT), np.zeros(COUNT))
        same(gaps, a - b)
        np.testing.assert_array_equal(compared[0], compare_by_numpy(a, b))


@pytest.mark.parametrize("span", UNITS)
def test_dates_of_the_calendar_and_spans(span):
    """A year or a month moves by days, which have no months."""

    @cuda.jit
    def k(x, d, moved):
        i = cuda.grid(1)
        if i < x.size:
            moved[0, i] = x[i] + d[i]
            moved[1, i] = x[i] - d[i]

    for date in UNITS:
        if (date in "YM") == (span in "YM"):
            continue
        finer = max(date, span, "D", key=UNITS.index)
        x = times("datetime", date, finer, 1)
        d = times("timedelta", span, finer, 2)
        by_numpy = meet(x, d)
        if span in "YM" or by_numpy is None:
            message = NOT_CONSTANT if span in "YM" else TOO_FINE
            with pytest.raises(CompileError, match=message):
                launch(k, x, d, np.zeros((2, COUNT), x.dtype))
            continue
        a, b = by_numpy
        moved = np.zeros((2, COUNT), (a + b).dtype)
        launch(k, x, d, moved)
        same(moved[0], a + b)
        same(moved[1], a - b)


@pytest.mark.parametrize("unit", UNITS)
@np.errstate(all="ignore")
def test_quotients(unit):
    """Of the unit, and of the next ones."""
    for other in UNITS[UNITS.index(unit) :][:3]:
        if (unit in "YM") != (other in "YM"):
            continue
        c = times("timedelta", unit, other, 3)
        d = times("timedelta", other, other, 4)
        for left, right in ((c, d), (d, c)):
            ratios, numbers = np.zeros(COUNT), np.zeros(COUNT, np.int64)
            launch(quotients, left, right, ratios, numbers)
            np.testing.assert_array_equal(ratios, left / right)
            same(numbers, left // right)


def test_every_day_of_a_thousand_years():
    @cuda.jit
    def k(months, days, gaps):
        for i in range(cuda.grid(1), days.size, cuda.gridsize(1)):
            gaps[i] = days[i] - months[i]

    days = np.arange("1500-01-01", "2500-01-01", dtype="M8[D]")
    for unit in "YM":
        months = days.astype(f"M8[{unit}]")
        gaps = np.zeros(days.size, "m8[D]")
        k[8, 64](months, days, gaps)
        same(gaps, days - months)
        assert gaps.min() == 0
        assert gaps.max() == np.timedelta64(30 if unit == "M" else 365, "D")


# ===-------------------------------------------------------------------===
# Numbers and times.
# ===-------------------------------------------------------------------===

SPANS = np.array(
    [0, 1, -1, 7, -7, 10**15, -(10**15), 2**62, -(2**63)], np.int64
).view("m8[s]")
INTEGERS = [1, -1, 2, -3, 0, 10**10, -(2**63)]
FLOATS = [1.0, -0.5, 2.5, 0.0, 1e30, -1e300, np.inf, -np.inf, np.nan]


@pytest.mark.parametrize(
    "factors",
    [
        np.array(INTEGERS),
        np.array([1, 2, 200], np.uint8),
        np.array([-3, 0, 7], np.int32),
        np.array([0, 3], np.uint64),
        np.array(FLOATS),
        np.array([0.1, -2.5, np.nan, 3e38], np.float32),
        np.array([0.5, 300, 0], np.float16),
    ],
    ids=lambda factors: factors.dtype.name,
)
@np.errstate(all="ignore")
def test_spans_and_numbers(factors):
    @cuda.jit
    def k(d, n, out):
        i = cuda.grid(1)
        if i < d.size:
            out[0, i] = d[i] * n[i]
            out[1, i] = n[i] * d[i]
            out[2, i] = d[i] / n[i]
            out[3, i] = d[i] // n[i]

    d = np.repeat(SPANS, factors.size)
    n = np.tile(factors, SPANS.size)
    out = np.zeros((4, d.size), d.dtype)
    launch(k, d, n, out)
    if factors.dtype.kind != "f":
        # NumPy has no such operators on uint64.
        n = n.astype(np.int64)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for found, expected in zip(
            out, (d * n, n * d, d / n, d // n), strict=True
        ):
            same(found, expected)


def test_literals_and_signs():
    @cuda.jit
    def k(d, out):
        i = cuda.grid(1)
        if i < d.size:
            out[0, i] = d[i] * 3
            out[1, i] = d[i] * 0.5
            out[2, i] = -d[i]
            out[3, i] = +d[i]
            out[4, i] = abs(d[i])

    out = np.zeros((5, SPANS.size), SPANS.dtype)
    launch(k, SPANS, out)
    for found, expected in zip(
        out, (SPANS * 3, SPANS * 0.5, -SPANS, SPANS, abs(SPANS)), strict=True
    ):
        same(found, expected)


def test_unit_with_a_factor_behind_one_without():
    @cuda.jit
    def k(t, out):
        out[0] = t[0]

    for _ in range(2):
        out = np.zeros(1, "m8[s]")
        k[1, 1](np.array([3], "m8[s]"), out)
        assert out.tolist() == np.array([3], "m8[s]").tolist()
        with pytest.raises(ValueError, match="whose unit has a factor"):
            k[1, 1](np.array([3], "m8[10s]"), out)
