# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Floats of 16 bits: all numbers, kernels of a thread for each, and oracles."""

import bisect
import math
from fractions import Fraction
from typing import Any

import numpy as np

#: bfloat16 on the host, or nothing where ml_dtypes is not installed.
BFLOAT16: tuple[Any, ...]
try:
    import ml_dtypes
except ImportError:
    BFLOAT16 = ()
else:
    BFLOAT16 = (ml_dtypes.bfloat16,)

COUNT = 65536

#: How conversions are rounded: nearest, towards zero, down, up.
MODES = ["rn", "rz", "rd", "ru"]


def all_numbers(dtype):
    return np.arange(COUNT, dtype=np.uint16).view(dtype)


def other_numbers(numbers):
    """Each number meets another one, and some meet themselves."""
    others = np.random.default_rng(16).permutation(numbers)
    others[::97] = numbers[::97]
    return others


def launch(kernel, *arguments):
    """A thread for each number."""
    kernel[COUNT // 256, 256](*arguments)


def bits_of(array):
    return array.view(f"u{array.dtype.itemsize}")


def assert_equal(found, expected):
    """Equal bits; one NaN is as good as another."""
    assert_near(found, expected, off=0)


def assert_near(found, expected, off):
    """No further apart than some numbers; one NaN is as good as another."""
    np.testing.assert_array_equal(np.isnan(found), np.isnan(expected))
    number = ~np.isnan(expected)
    a, b = (bits_of(x)[number].astype(object) for x in (found, expected))
    differences = np.abs(a - b)
    assert differences.max(initial=0) <= off


def as_integers(numbers, dtype):
    """What floats convert to: the nearest integer there is, 0 for NaN."""
    limits = np.iinfo(dtype)
    whole = [
        0 if np.isnan(x) else x if np.isinf(x) else int(x) for x in numbers
    ]
    nearest = [min(max(x, limits.min), limits.max) for x in whole]
    return np.array(nearest, dtype)


class Ladder:
    """All finite numbers of a type from the smallest on, with one zero.

    What would be the next number, the end, stands for infinity.
    """

    def __init__(self, dtype, end):
        with np.errstate(invalid="ignore"):
            wide = all_numbers(dtype).astype("f8")
        # Zeros are equal, and adding one takes the other's sign.
        self.numbers = np.unique(wide[np.isfinite(wide)]) + 0.0
        self.fractions = [Fraction(x) for x in self.numbers.tolist()]
        self.end = Fraction(end)
        self.even = bits_of(self.numbers.astype(dtype)) % 2 == 0

    def round(self, value):
        """A rational number, rounded in each of the modes."""
        rungs = self.fractions
        above = bisect.bisect_left(rungs, value)
        if above < len(rungs) and rungs[above] == value:
            return dict.fromkeys(MODES, self.numbers[above])
        low, bottom, even = -math.inf, -self.end, True
        if above > 0:
            low, bottom = self.numbers[above - 1], rungs[above - 1]
            even = self.even[above - 1]
        high, top = math.inf, self.end
        if above < len(rungs):
            high, top = self.numbers[above], rungs[above]
        to_low, to_high = value - bottom, top - value
        is_low = even if to_low == to_high else to_low < to_high
        return {
            "rn": low if is_low else high,
            "rz": low if value > 0 else high,
            "rd": low,
            "ru": high,
        }
