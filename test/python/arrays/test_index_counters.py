# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Indices that combine loop counters and thread indices.

The loops are short, so that they may be unrolled, or have a trip count that is
an argument. In the sum that an address is, no counter may take the place of
another one, in whichever dimension it stands.
"""

import itertools

import numpy as np
import pytest

from support.scalars import compile_text

#: Loops around the access: their counters and ranges.
LOOPS = {
    "short": ("range(3)", "range(3)", "range(3)"),
    "around zero": ("range(-1, 2)", "range(0, 3, 2)", "(0, 2)"),
    "one short": ("range(n)", "range(3)", "range(n)"),
    "long": ("range(n)", "range(n)", "range(1, n)"),
}
#: Indices by the number of dimensions. None is below 0.
INDICES = {
    1: [
        *("x + p", "x + p + q", "x + p + q + r", "x + p - q + r"),
        "x + 2 * p + q",
    ],
    2: [
        *("y + p, x + q", "y + q, x + p", "y + p, x + p", "y + p, x"),
        *("y, x + q", "y + p + q, x + r", "y + p, x + q - r"),
        *("y + p - r, x + q + r", "y * 2 + p, x * 2 + q"),
        "y + p, x + 2 * p + q",
    ],
    3: [
        *("z + p, y + q, x + r", "z + r, y + q, x + p", "z + q, y + p, x + r"),
        *("z + p, y, x + r", "z, y + q, x + r", "z + p, y + q, x"),
        *("z + p, y + p, x", "z + p, y + p, x + p", "z + q, y + q, x + p"),
        "z + p, y + q + r, x",
    ],
}
TEXT = """
def k(a, out, n):
    x, y, z = cuda.grid(3)
    if x < out.shape[3] and y < out.shape[2] and z < out.shape[1]:
        x, y, z = x + 3, y + 3, z + 3
        for p in {}:
            for q in {}:
                for r in {}:
                    weight = 100 * p + 10 * q + r + 7
                    {}
"""
TRIPS, THREADS, EXTENT = 3, (3, 4, 4), 16


def accesses(loops, index):
    """Of each thread and iteration: the thread's place, the index, the weight.

    Python computes what the kernel of `TEXT` does.
    """
    code = compile(f"({index},)", "<index>", "eval")
    ranges = [eval(text, {"n": TRIPS}) for text in loops]
    for place in np.ndindex(THREADS):
        z, y, x = (number + 3 for number in place)
        for p, q, r in itertools.product(*ranges):
            names = {"x": x, "y": y, "z": z, "p": p, "q": q, "r": r}
            yield place, eval(code, names), 100 * p + 10 * q + r + 7


def compile_accesses(loops, rank, statement):
    """The kernel that has `statement` for each index of arrays of a rank."""
    lines = [
        statement.format(k=k, index=index)
        for k, index in enumerate(INDICES[rank])
    ]
    return compile_text(TEXT.format(*loops, "; ".join(lines)))


@pytest.mark.parametrize("rank", INDICES)
@pytest.mark.parametrize("loops", LOOPS.values(), ids=LOOPS)
def test_loads(loops, rank):
    load = "out[{k}, z - 3, y - 3, x - 3] += a[{index}] * weight"
    kernel = compile_accesses(loops, rank, load)
    for order in "CF":
        # No two elements are alike, and sums of them are exact.
        numbers = np.arange(float(EXTENT**rank))
        a = numbers.reshape((EXTENT,) * rank, order=order)
        out = np.zeros((len(INDICES[rank]), *THREADS))
        kernel[1, THREADS[::-1]](a, out, TRIPS)
        for index, found in zip(INDICES[rank], out, strict=True):
            expected = np.zeros(THREADS)
            for place, element, weight in accesses(loops, index):
                expected[place] += a[element] * weight
            np.testing.assert_array_equal(found, expected, index)


@pytest.mark.parametrize("rank", INDICES)
@pytest.mark.parametrize("loops", LOOPS.values(), ids=LOOPS)
def test_updates(loops, rank):
    """Each element gets what the threads and iterations that reach it add."""
    add = "cuda.atomic.add(a, ({k}, {index}), weight)"
    kernel = compile_accesses(loops, rank, add)
    expected = np.zeros((len(INDICES[rank]), *[EXTENT] * rank))
    for k, index in enumerate(INDICES[rank]):
        for _, element, weight in accesses(loops, index):
            expected[k][element] += weight
    found = np.zeros_like(expected)
    kernel[1, THREADS[::-1]](found, np.zeros((1, *THREADS)), TRIPS)
    np.testing.assert_array_equal(found, expected)
