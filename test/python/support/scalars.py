# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The types of scalars by NumPy's codes, numbers that something may go wrong
with, and kernels that are written as text."""

import functools
import linecache
import math
import operator

import numpy as np

from pyk import cuda

FLOATS = ["f2", "f4", "f8"]
SIGNED = ["i1", "i2", "i4", "i8"]
UNSIGNED = ["u1", "u2", "u4", "u8"]
TYPES = ["b1", *SIGNED, *UNSIGNED, *FLOATS]


def values(dtype):
    """Numbers of a type that something may go wrong with."""
    if dtype == "b1":
        return np.array([False, True])
    if dtype in FLOATS:
        info = np.finfo(dtype)
        magnitudes = [
            *(0.0, 0.5, 1, 1.5, 3, 7.25, 1e4, info.max, info.tiny, info.eps),
            *(info.smallest_subnormal, np.inf),
        ]
        if dtype == "f8":
            magnitudes += [2.0**31, 2.0**53 + 2, 2.0**63, 2.0**64]
        array = np.array(magnitudes, dtype)
        return np.concatenate([array, -array, np.array([np.nan], dtype)])
    info = np.iinfo(dtype)
    candidates = [
        *(0, 1, 2, 3, 7, 10, 31, 32, 63, 64, 65, 100, 127, 128, 200, 255),
        *(-1, -2, -3, -7, -64, -100, info.max, info.max - 1, info.min),
        *(info.min + 1, 2**24 + 1, 2**31, 2**53 + 1, 2**63, -(2**53) - 1),
    ]
    fitting = {n for n in candidates if info.min <= n <= info.max}
    return np.array(sorted(fitting), dtype)


@functools.lru_cache(maxsize=256)
def compile_text(text, *assumed):
    """The kernel `k` of a program given as text.

    Cases of one text share it, so it is compiled once for each signature. What
    a launch lets the compiler assume beyond that, as signs of integers, is
    `assumed`: cases that differ in it have kernels of their own.
    """
    name = f"<semantics {hash(text)}>"
    linecache.cache[name] = len(text), None, text.splitlines(True), name
    scope = {"cuda": cuda, "math": math, "np": np, "operator": operator}
    exec(compile(text, name, "exec"), scope)
    return cuda.jit(scope["k"])
