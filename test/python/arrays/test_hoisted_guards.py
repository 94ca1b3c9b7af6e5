# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops over ranges that data decide, parts of which are outside of arrays.

`hoist-guards.mlir` has what is compared before such a loop; here are the ranges
that fit in both, one or no version. What is outside reads 0.
"""

import warnings

import numpy as np
import pytest

from pyk import cuda

pytestmark = pytest.mark.on_the_cpu(reason="a GPU does such accesses")

SIZE = 40


@cuda.jit
def add_ranges(starts, ends, a, columns, out):
    row = cuda.grid(1)
    if row < out.size:
        total = 0
        for k in range(starts[row], ends[row]):
            total += (k + 100) * a[columns[k]]
        out[row] = total


@cuda.jit
def fill_ranges(starts, ends, by, a):
    row = cuda.grid(1)
    if row < starts.size:
        for k in range(starts[row], ends[row], 2):
            a[k + by] = row + 1


def inside(array, index):
    """The element at an index of Python's, or None."""
    return array[index] if -len(array) <= index < len(array) else None


# Empty, reversed, up to the end, past it, from the end, before the begin.
RANGES = [
    *((0, 0), (3, 3), (5, 2), (0, SIZE), (SIZE - 1, SIZE)),
    *((7, 19), (SIZE - 3, SIZE + 2), (SIZE, SIZE + 4), (-3, 5)),
    *((-SIZE, SIZE), (-5, -1), (-SIZE - 4, 3), (2**31 - 3, 2**31 - 1)),
    *((-(2**31), 3 - 2**31), (SIZE + 9, -(2**31))),
]


@pytest.fixture(params=["auto", "reference"])
def cpu(request, monkeypatch):
    from pyk import _options

    monkeypatch.setattr(_options.options, "cpu", request.param)


@pytest.mark.parametrize("index", [np.int32, np.int64])
def test_sums(cpu, index):
    starts, ends = np.array(RANGES, index).T.copy()
    a = np.arange(1, 12, dtype=np.int64)
    columns = np.random.default_rng(1).integers(-14, 15, SIZE).astype(index)
    expected = []
    for start, end in RANGES:
        total = 0
        for k in range(start, end):
            column = inside(columns, k)
            # The index that is read outside is 0.
            element = inside(a, 0 if column is None else int(column))
            total += (k + 100) * (0 if element is None else int(element))
        expected.append(total)
    out = np.zeros(len(RANGES), np.int64)
    with warnings.catch_warnings(record=True):
        warnings.simplefilter("always")
        add_ranges[1, 32](starts, ends, a, columns, out)
    assert out.tolist() == expected


@pytest.mark.parametrize("by", [0, 1, -2, SIZE])
def test_stores(cpu, by):
    # Each alone: their order is nobody's business.
    for row in RANGES:
        starts, ends = np.array([row], np.int32).T.copy()
        expected = np.zeros(SIZE, np.int64)
        for k in range(row[0], row[1], 2):
            if -SIZE <= k + by < SIZE:
                expected[k + by] = 1
        a = np.zeros(SIZE, np.int64)
        with warnings.catch_warnings(record=True):
            warnings.simplefilter("always")
            fill_ranges[1, 32](starts, ends, by, a)
        assert a.tolist() == expected.tolist(), row
