# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Indices that counters of loops and places of threads make up together.

Each counter that an address has is one of a short loop, which may be unrolled,
or of a loop whose length an argument says. What one counter adds must not take
the place of what another adds, in whichever dimension it stands.
"""

import itertools

import numpy as np
import pytest

from support.scalars import compile_text

#: Loops around the access: their counters and ranges.
LOOPS = {
    "short": {"p": "range(3)", "q": "range(3)", "r": "range(3)"},
    "around zero": {"p": "range(-1, 2)", "q": "range(0, 3, 2)", "r": "(0, 2)"},
    "one short": {"p": "range(n)", "q": "range(3)", "r": "range(n)"},
    "long": {"p": "range(n)", "q": "range(n)", "r": "range(1, n)"},
}
#: One index for each dimension.
INDICES = [
    *("x + p", "x + p + q", "x + p + q + r", "x + p - q + r", "x + 2 * p + q"),
    *("y + p, x + q", "y + q, x + p", "y + p, x + p", "y + p, x", "y, x + q"),
    *("y + p + q, x + r", "y + p, x + q - r", "y + p - r, x + q + r"),
    *("y * 2 + p, x * 2 + q", "y + p, x + 2 * p + q"),
    *("z + p, y + q, x + r", "z + r, y + q, x + p", "z + q, y + p, x + r"),
    *(
        "z + p, y, x + r",
        "z, y + q, x + r",
        "z + p, y + q, x",
        "z + p, y + p, x",
    ),
    *("z + p, y + p, x + p", "z + q, y + q, x + p", "z + p, y + q + r, x"),
]
TEXT = """
def k(a, out, n):
    x, y, z = cuda.grid(3)
    if x < out.shape[2] and y < out.shape[1] and z < out.shape[0]:
        x, y, z = x + 2, y + 2, z + 2
        s = 0.0
        for p in {p}:
            for q in {q}:
                for r in {r}:
                    {access}
        out[z - 2, y - 2, x - 2] = s
"""
EXTENT = 4


def weigh(access):
    return access.replace("WEIGHT", "(100 * p + 10 * q + r + 7)")


def expect(a, loops, index, n):
    """What a load of `a[index]` gives, by Python's numbers."""
    out = np.zeros((EXTENT,) * 3)
    ranges = [eval(loops[name], {"n": n}) for name in "pqr"]
    code = compile(f"a[{index}]", "<index>", "eval")
    for z, y, x in np.ndindex(out.shape):
        for p, q, r in itertools.product(*ranges):
            names = {"x": x + 2, "y": y + 2, "z": z + 2, "p": p, "q": q, "r": r}
            weight = 100 * p + 10 * q + r + 7
            out[z, y, x] += eval(code, {"a": a}, names) * weight
    return out


def numbers(rank, order):
    # No two elements are alike, and sums of them are exact.
    a = np.arange(16.0**rank).reshape((16,) * rank) + 0.5
    return np.array(a, order=order)


@pytest.mark.all_cases
@pytest.mark.parametrize("index", INDICES)
@pytest.mark.parametrize("loops", LOOPS.values(), ids=LOOPS)
def test_loads(loops, index):
    access = weigh(f"s += a[{index}] * WEIGHT")
    kernel = compile_text(TEXT.format(access=access, **loops))
    a = numbers(index.count(",") + 1, "CF"[INDICES.index(index) % 2])
    expected = expect(a, loops, index, 3)
    out = np.zeros((EXTENT,) * 3)
    kernel[1, (EXTENT,) * 3](a, out, 3)
    np.testing.assert_array_equal(out, expected)


@pytest.mark.parametrize("index", INDICES)
@pytest.mark.parametrize("loops", LOOPS.values(), ids=LOOPS)
def test_updates(loops, index):
    """Each element gets what the threads and iterations that reach it add."""
    rank = index.count(",") + 1
    access = weigh(f"cuda.atomic.add(a, ({index}), WEIGHT)")
    kernel = compile_text(TEXT.format(access=access, **loops))
    found = np.zeros((16,) * rank)
    kernel[1, (EXTENT,) * 3](found, np.zeros((EXTENT,) * 3), 3)
    expected = np.zeros((16,) * rank)
    ranges = [eval(loops[name], {"n": 3}) for name in "pqr"]
    code = compile(index, "<index>", "eval")
    for z, y, x in np.ndindex((EXTENT,) * 3):
        for p, q, r in itertools.product(*ranges):
            names = {"x": x + 2, "y": y + 2, "z": z + 2, "p": p, "q": q, "r": r}
            expected[eval(code, names)] += 100 * p + 10 * q + r + 7
    np.testing.assert_array_equal(found, expected)
