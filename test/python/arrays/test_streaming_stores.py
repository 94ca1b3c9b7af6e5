# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Results that are too large for the CPU's caches, which are stored past them.

`StreamingStoresTest.cpp` has what is stored so, and when.
"""

import numpy as np
import pytest

from pyk import cuda

# More than caches are expected to keep for four workers.
ELEMENTS = 9 << 20


@cuda.jit
def add(a, b, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = a[i] + b[i]


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int32])
def test_elementwise(dtype):
    a = np.arange(ELEMENTS + 3, dtype=dtype)
    out = cuda.to_device(np.zeros_like(a))
    add[(a.size + 255) // 256, 256](a, a[::-1].copy(), out)
    assert np.array_equal(out.copy_to_host(), a + a[::-1])


def test_lines_are_not_whole():
    """Neighbours of what is written stay as they are."""
    a = np.arange(ELEMENTS, dtype=np.float32)
    out = cuda.to_device(np.full(a.size + 10, -1, np.float32))
    add[(a.size + 255) // 256, 256](a, a, out[5:-5])
    expected = np.full(a.size + 10, -1, np.float32)
    expected[5:-5] = a + a
    assert np.array_equal(out.copy_to_host(), expected)


@cuda.jit
def smooth(a, out):
    x, y = cuda.grid(2)
    if 0 < x < a.shape[1] - 1 and y < a.shape[0]:
        out[y, x] = a[y, x - 1] + a[y, x + 1]


@pytest.mark.parametrize("width", [3072, 3001])
def test_rows_and_launches_that_follow(width):
    """What one launch stores, the next one finds."""
    a = np.arange(3100 * width, dtype=np.float32).reshape(3100, width) % 97
    first, second = cuda.to_device(a), cuda.to_device(a)
    blocks = (width + 31) // 32, (3100 + 7) // 8
    expected = a
    for _ in range(3):
        smooth[blocks, (32, 8)](first, second)
        first, second = second, first
        previous, expected = expected, a.copy()
        expected[:, 1:-1] = previous[:, :-2] + previous[:, 2:]
    assert np.array_equal(first.copy_to_host(), expected)
