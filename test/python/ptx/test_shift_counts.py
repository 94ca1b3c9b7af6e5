# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts of shifts in PTX, which reads 32 bits of them and clamps them to the
width: a 64-bit count is clamped before it is truncated.
"""

import re

import pytest

from pyk import cuda, types

TYPES = [
    *(types.int8, types.int16, types.int32, types.int64),
    *(types.uint8, types.uint16, types.uint32, types.uint64),
]

DEFINITION = re.compile(r"^\s*([a-z][\w.]*)\s+(%\w+),\s*(.*);", re.M)


def left(out, x, n):
    out[0] = x << n


def right(out, x, n):
    out[0] = x >> n


def guarded(out, x, n):
    out[0] = x << n if n < 64 else 0


def mask(out, x, n):
    out[0] = x & (1 << n) - 1


def rotated(out, x, n):
    out[0] = x << n | x >> 64 - n


def left_by_constants(out, x, n):
    out[0] = x << 3
    out[1] = x << 63
    out[2] = x << 64
    out[3] = x << 2**32
    out[4] = x << 2**32 + 1


def right_by_constants(out, x, n):
    out[0] = x >> 3
    out[1] = x >> 63
    out[2] = x >> 64
    out[3] = x >> 2**32
    out[4] = x >> 2**32 + 1


def is_bounded(number, definitions):
    """Whether a count is known to fit in 32 bits, by what computes it."""
    if not number.startswith("%"):
        return int(number, 0) < 64
    name, operands = definitions[number]
    if name.startswith("cvt."):
        kinds = name.split(".")
        source = operands[0]
        return kinds[-1] not in ("u64", "s64") or is_bounded(
            source, definitions
        )
    if name.startswith("ld.") or name.startswith("mov."):
        return name.endswith(("32", "16", "8"))
    if name.startswith(("min.u", "and.b")):
        return any(
            operand.lstrip("-").isdigit() and 0 <= int(operand) <= 64
            for operand in operands
        )
    return name.endswith(("32", "16"))


@pytest.mark.parametrize("count", TYPES, ids=str)
@pytest.mark.parametrize("number", TYPES, ids=str)
@pytest.mark.parametrize(
    "function",
    [
        left,
        right,
        guarded,
        mask,
        rotated,
        left_by_constants,
        right_by_constants,
    ],
)
def test_counts_are_clamped_first(function, number, count):
    text, _ = cuda.compile_ptx(
        function, (types.Array(number, 1, "C"), number, count), cc=(8, 0)
    )
    definitions = {
        result: (name, [operand.strip() for operand in operands.split(",")])
        for name, result, operands in DEFINITION.findall(text)
    }
    shifts = [
        operands[1]
        for name, operands in definitions.values()
        if name in ("shl.b64", "shr.u64", "shr.s64", "shl.b32", "shr.u32")
    ]
    for amount in shifts:
        assert is_bounded(amount, definitions), text
    if function in (left, right) and 64 in (number.bitwidth, count.bitwidth):
        assert shifts
