# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Negative indices under conditions that do not, or do, exclude them.

A wrap that ranges drop wrongly reads another element, so each kernel meets
indices on both sides of 0 and of its guard; Python says what it must give.
"""

import numpy as np
import pytest

from pyk import cuda

SIZE = 9
# Indices that Python accepts, from the end and from the start.
INDICES = np.arange(-SIZE, SIZE)
LIMITS = {32: np.iinfo(np.int32), 64: np.iinfo(np.int64)}


def then_arm(a, i, n):
    if i >= n:
        return a[i]
    return -a[i]


def conjunction(a, i, n):
    if i > n and i < a.size - 1:
        return a[i - 1] + 10 * a[i] + 100 * a[i + 1]
    return a[i]


def disjunction(a, i, n):
    if i < n or i >= a.size:
        return -a[i]
    return a[i]


def negation(a, i, n):
    if not (i > n or i == -1):
        return -a[i]
    return a[i]


def nested(a, i, n):
    if i < 4:
        if i > n:
            return a[i]
        return -a[i]
    return a[i] * 3


def halves(a, i, n):
    total = 0
    s = i
    while s > n:
        total = total * 2 + a[s]
        s >>= 1
        if s == 0 or s == -1:
            break
    return total + 1000 * a[s]


def down(a, i, n):
    total = 0
    k = i
    while k >= n:
        total = total * 2 + a[k]
        if k == -9:
            break
        k -= 1
    return total


def counted(a, i, n):
    total = 0
    for k in range(i, 4):
        if k == 2:
            break
        total = total * 3 + a[k] + a[k - n - 8 if k > 0 else 0]
    return total


def around(a, i, n):
    total = 0
    for d in range(-10, 11):
        total = total * 3 % 1000003 + a[(i + d) % a.size]
    return total


def around_below(a, i, n):
    m = (i + n) % -a.size
    return a[m] * 10 + (m < 0)


def either(a, i, n):
    k = i if i > n else -i - 1
    return a[k]


def unequal(a, i, n):
    if i != 0 and i != n:
        return a[-i - 1]
    return -a[i]


FORMS = [
    then_arm, conjunction, disjunction, negation, nested, halves, down,
    counted, around, around_below, either, unequal,
]  # fmt: skip


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.__name__)
@pytest.mark.parametrize("typing", ["numba", "narrow"])
@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.int64])
def test_guards_keep_negative_indices(form, typing, dtype):
    device = cuda.jit(form, device=True, typing=typing)

    @cuda.jit(typing=typing)
    def k(a, indices, n, out):
        t = cuda.grid(1)
        if t < indices.size:
            out[t] = device(a, indices[t], n)

    a = np.arange(1, SIZE + 1)
    for n in (-3, -1, 0, 2):
        out = np.zeros(INDICES.size, np.int64)
        k[1, 32](a, INDICES.astype(dtype), n, out)
        expected = [form(a, i, n) for i in INDICES.tolist()]
        assert out.tolist() == expected, n


@pytest.mark.parametrize("width", [32, 64])
@pytest.mark.parametrize("typing", ["numba", "narrow"])
def test_sums_at_the_ends_of_their_type(width, typing):
    """Where the sum wraps it is negative, although its summand is not."""

    @cuda.jit(typing=typing)
    def k(x, n, out):
        t = cuda.threadIdx.x
        v = x[t]
        out[t, 0] = v >= 0 and v <= n and v + x.dtype.type(1) < 0
        out[t, 1] = v >= 0 and v < n and v + x.dtype.type(1) < 0
        out[t, 2] = v < 0 and v - x.dtype.type(1) > 0

    info = LIMITS[width]
    kind = info.dtype.type
    x = np.array([0, info.max - 1, info.max, info.min, -1], info.dtype)
    out = np.full((x.size, 3), 7, np.int8)
    k[1, x.size](x, kind(info.max), out)
    # Numba's typing computes in 64 bits at least.
    wraps = width == 64 or typing == "narrow"
    assert out[:, 0].tolist() == (wraps & (x == info.max)).tolist()
    assert not out[:, 1].any()
    assert out[:, 2].tolist() == (wraps & (x == info.min)).tolist()
