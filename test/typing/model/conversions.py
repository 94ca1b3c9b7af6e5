# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Conversions between scalars, and the overloads they choose.

A step is exact, promoting, safe or unsafe; a chain of steps is as bad as its
worst. An overload is chosen by counting the bad steps of its arguments.
"""

from .types import COMPLEXES, FLOATS, SCALARS, SIGNED, UNSIGNED

EXACT, PROMOTE, SAFE, UNSAFE = range(4)

# The lossless steps; every chain of them is lossless too. Any other pair of
# scalars converts unsafely.
_STEPS = {
    (a, b): PROMOTE
    for row in (SIGNED, UNSIGNED, FLOATS, COMPLEXES)
    for a, b in zip(row, row[1:], strict=False)
}
_STEPS |= dict.fromkeys(
    [
        ("bool", "int8"),
        ("bool", "uint8"),
        ("uint8", "int16"),
        ("uint16", "int32"),
        ("uint32", "int64"),
        ("int8", "float16"),
        ("int16", "float32"),
        ("int32", "float64"),
        ("int64", "float64"),
        ("uint64", "float64"),
        ("float32", "complex64"),
        ("float64", "complex128"),
    ],
    SAFE,
)


def _close(steps):
    table = {(kind, kind): EXACT for kind in SCALARS} | steps
    for middle in SCALARS:
        for a in SCALARS:
            for b in SCALARS:
                if (a, middle) in table and (middle, b) in table:
                    worst = max(table[a, middle], table[middle, b])
                    table[a, b] = min(worst, table.get((a, b), UNSAFE))
    return table


LOSSLESS = _close(_STEPS)


def conversion(source, target):
    """How bad it is to convert one scalar to another."""
    return LOSSLESS.get((source, target), UNSAFE)


def select(overloads, arguments, limit=UNSAFE):
    """The first with the fewest unsafe, then safe, then promoting steps."""
    best = None
    for formals in overloads:
        if len(formals) != len(arguments):
            continue
        steps = [
            conversion(a, b) for a, b in zip(arguments, formals, strict=True)
        ]
        if max(steps) > limit:
            continue
        rating = [steps.count(step) for step in (UNSAFE, SAFE, PROMOTE)]
        if best is None or rating < best[0]:
            best = rating, formals
    return best and best[1]


def least(candidates, *operands):
    """The first candidate that holds every operand without loss."""
    for candidate in candidates:
        if all((operand, candidate) in LOSSLESS for operand in operands):
            return candidate
    return None
