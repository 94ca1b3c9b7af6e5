# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Remainders of numbers that are near 0 or near the divisor.

Where ranges say that a dividend is within one divisor, its remainder is a
comparison and a sum instead of a division; where they do not, it must not be.
"""

from __future__ import annotations

import textwrap

import numpy as np
import pytest

from support.scalars import compile_text

# Of an index i below n and of a lane j from 0 to 7.
FORMS = [
    "(i + 1) % n",
    "(i - 1) % n",
    "(i + n - 1) % n",
    "(i + 2) % n",
    "(i - 2) % n",
    "(i + n - 2) % n",
    "(n + i - 3) % n",
    "(i + n) % n",
    "(i - n) % n",
    "(i - n - 1) % n",
    "(i + i) % n",
    "(i + j) % n",
    "(i - j) % n",
    "(i + n - j) % n",
    "(i + n + j) % n",
    "(j - 1) % n",
    "(n - 1 - i) % n",
    "(2 - i) % n",
    "(i - 1) % (n + 1)",
    "(i + 1) % (n + 1)",
    "(i + 1) % (n + n)",
    "((i + 1) % n - 2) % n",
    "((i - 1) % n + 1) % n",
]
# In the last block some threads have no element; some sizes are below 8.
SIZES = [1, 2, 3, 4, 5, 8, 9, 17]

# Where the forms are stored, by what says that i is below n.
PLACES = {
    "a guard": """
        i = cuda.grid(1)
        j = cuda.threadIdx.x & 7
        if i < n:
    """,
    "an extent": """
        i = cuda.grid(1)
        j = cuda.threadIdx.x & 7
        n = out.shape[1] - 1
        if i < n:
    """,
    "a loop": """
        j = cuda.threadIdx.x & 7
        for i in range(j, n, 8):
    """,
}


@pytest.mark.parametrize("kind", [np.int32, np.int64])
@pytest.mark.parametrize("place", PLACES)
def test_remainders(place: str, kind: type[np.generic]) -> None:
    lines = textwrap.dedent(PLACES[place]).strip().splitlines()
    lines += [f"    out[{row}, i] = {form}" for row, form in enumerate(FORMS)]
    text = "def k(out, n):\n" + textwrap.indent("\n".join(lines), "    ")
    kernel = compile_text(text, kind)
    for n in SIZES:
        out = np.full((len(FORMS), n + 1), -99, kind)
        kernel[-(-n // 8), 8](out, kind(n))
        for row, form in enumerate(FORMS):
            expected = [
                eval(form, {"i": i, "j": i % 8, "n": n})  # noqa: S307
                for i in range(n)
            ]
            assert out[row].tolist() == [*expected, -99], (form, n)
