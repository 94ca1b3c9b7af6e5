# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""All numbers of bfloat16, kernels of a thread for each, and comparison."""

import numpy as np
import pytest

bfloat16 = pytest.importorskip("ml_dtypes").bfloat16

COUNT = 65536
ALL = np.arange(COUNT, dtype=np.uint16).view(bfloat16)
#: Each number meets another one, and some meet themselves.
OTHERS = np.random.default_rng(16).permutation(ALL)
OTHERS[::97] = ALL[::97]


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
