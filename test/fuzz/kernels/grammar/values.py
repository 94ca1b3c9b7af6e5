# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The types of programs, and numbers of each at its edges."""

import numpy as np

SIGNED = ["int8", "int16", "int32", "int64"]
UNSIGNED = ["uint8", "uint16", "uint32", "uint64"]
FLOATS = ["float16", "float32", "float64"]
COMPLEXES = ["complex64", "complex128"]
REALS = ["bool", *SIGNED, *UNSIGNED, *FLOATS]
TYPES = [*REALS, *COMPLEXES]
CLASS = (
    dict.fromkeys(SIGNED, "s")
    | dict.fromkeys(UNSIGNED, "u")
    | dict.fromkeys(FLOATS, "f")
    | dict.fromkeys(COMPLEXES, "c")
    | {"bool": "b"}
)
CASTS = {name: f"np.{name}" for name in TYPES} | {"bool": "np.bool_"}
SLOTS = 6
#: Types narrower than those in which programs compute.
NARROW = ["int8", "uint8", "bool", "int16", "uint16", "float16"]
#: Constants that leave the memory of every array as an index, also after the
#: extent is added to a negative one.
FAR = [2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**32 + 1, 2**33, 2**40 + 1, 2**60]
FAR += [2**62, 2**63 - 1, 2**63, 2**64 - 2**20]
FAR += [-(2**31), -(2**32), -(2**32) - 1, -(2**40), -(2**62), -(2**63)]
#: Counts of shifts, most of which leave nothing.
COUNTS = [0, 1, 5, 31, 32, 40, 63, 64, 65, 2**31, 2**32, 2**32 + 1, 2**32 + 63]
COUNTS += [2**63 - 1, 2**63, 2**64 - 1]
ATOMICS = ["add", "sub", "max", "min", "and_", "or_", "xor"]
#: Types that atomic operations take, bitwise ones among them.
COUNTED = ["int32", "uint32", "int64", "uint64"]


def nasty(kind, count, source):
    """Numbers of a type, many of them at its edges."""
    if kind == "bool":
        return np.array([source.random() < 0.5 for _ in range(count)])
    if kind in COMPLEXES:
        part = FLOATS[COMPLEXES.index(kind) + 1]
        return nasty(part, 2 * count, source).view(kind)
    if kind in FLOATS:
        info = np.finfo(kind)
        edges = [
            *(0.0, -0.0, 0.5, -1.5, 3.0, -7.25, 1e4, -100.0, 1 / 3, 2.5, 63.0),
            *(info.max, -info.max, info.tiny, info.eps, -1.0, 1.0, 255.5),
            *(info.smallest_subnormal, np.inf, -np.inf, np.nan),
        ]
        if kind != "float16":
            edges += [2.0**31, -(2.0**63), 2.0**64, 1e10]
        chosen = [
            source.choice(edges)
            if source.random() < 0.5
            else source.uniform(-20, 20)
            for _ in range(count)
        ]
        return np.array(chosen, kind)
    info = np.iinfo(kind)
    edges = [0, 1, 2, 3, 7, 31, 63, 64, 127, 128, 255, -1, -2, -7, -64]
    edges += [info.max, info.min, info.max - 1, info.min + 1, 2**31, 2**53 + 1]
    edges = [n for n in edges if info.min <= n <= info.max]
    return np.array([source.choice(edges) for _ in range(count)], kind)
