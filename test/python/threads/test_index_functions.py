# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Index functions at the limits of launches.

The compiler knows the range of each. What is computed from one must be right to
the last thread, with the largest blocks, and the largest grids along y and z;
along x a grid has more than 65,536 blocks.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from support.scalars import compile_text

INDICES = [
    *(
        f"cuda.{name}.{axis}"
        for name in ("threadIdx", "blockIdx", "blockDim", "gridDim")
        for axis in "xyz"
    ),
    *("cuda.grid(1)", "cuda.gridsize(1)", "cuda.laneid"),
    *(
        f"cuda.{name}(3)[{n}]"
        for name in ("grid", "gridsize")
        for n in range(3)
    ),
]
LIMITS = [31, 32, 63, 64, 1023, 1024, 65535, 65536, 2**31 - 1]
FORMS = [
    "{index}",
    *(
        form.replace("limit", str(limit))
        for limit in LIMITS
        for form in ("{index} < limit", "{index} // limit", "{index} & limit")
    ),
]
LAUNCHES = [
    ((1, 1, 1), (1024, 1, 1)),
    ((1, 1, 1), (1, 1024, 1)),
    ((2, 1, 1), (1, 2, 64)),
    ((3, 2, 5), (7, 5, 3)),
    ((70000, 1, 1), (1, 1, 1)),
    ((1, 65535, 1), (1, 1, 2)),
    ((1, 1, 65535), (2, 1, 1)),
]


def kernel() -> Any:
    """A kernel in which one thread, chosen by arguments, stores all forms."""
    stores = [
        f"out[{row}] = {form.format(index=index)}"
        for row, (index, form) in enumerate(product(INDICES, FORMS))
    ]
    head = """def k(out, block, thread):
    i = cuda.blockIdx
    t = cuda.threadIdx
    if (i.x, i.y, i.z) == block and (t.x, t.y, t.z) == thread:"""
    return compile_text("\n        ".join([head, *stores]))


def values_of(
    grid: tuple[int, ...],
    threads: tuple[int, ...],
    block: tuple[int, ...],
    thread: tuple[int, ...],
) -> list[int]:
    """The value of each of INDICES for one thread."""
    places = [b * t + i for b, t, i in zip(block, threads, thread)]
    sizes = [g * t for g, t in zip(grid, threads)]
    in_block = thread[0] + threads[0] * (thread[1] + threads[1] * thread[2])
    return [
        *(*thread, *block, *threads, *grid),
        *(places[0], sizes[0], in_block % 32),
        *(*places, *sizes),
    ]


@pytest.mark.parametrize(("grid", "threads"), LAUNCHES, ids=str)
def test_first_and_last_thread(
    grid: tuple[int, ...], threads: tuple[int, ...]
) -> None:
    first = (0, 0, 0), (0, 0, 0)
    last = tuple(n - 1 for n in grid), tuple(n - 1 for n in threads)
    for block, thread in first, last:
        out = np.full(len(INDICES) * len(FORMS), -99)
        kernel()[grid, threads](out, block, thread)
        found = iter(out.tolist())
        values = values_of(grid, threads, block, thread)
        for name, index in zip(INDICES, values):
            for form in FORMS:
                expected = eval(form.format(index=index))  # noqa: S307
                assert next(found) == expected, (name, form, block, thread)
