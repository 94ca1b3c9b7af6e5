# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shuffles of every type of number, and those of parts of a warp."""

import functools
import linecache

import numpy as np
import pytest

from pyk import CompileError, cuda
from support import assembly
from support.bfloat16_numbers import bfloat16

ALL = 0xFFFFFFFF
WIDTHS = [1, 2, 4, 8, 16, 32]

TYPES = [
    *(np.dtype(f"{kind}{size}") for kind in "iu" for size in (1, 2, 4, 8)),
    *(np.dtype(name) for name in ("?", "f2", "f4", "f8", "c8", "c16")),
    np.dtype(bfloat16),
]


def source(name, lane, offset, width):
    """Which lane a lane reads, as CUDA defines it."""
    first = lane - lane % width
    match name:
        case "shfl_sync":
            return first + offset % width
        case "shfl_up_sync":
            return lane - offset if lane - offset >= first else lane
        case "shfl_down_sync":
            return lane + offset if lane + offset < first + width else lane
        case _:
            other = lane ^ offset
            return other if other < first + width else lane


NAMES = ["shfl_sync", "shfl_up_sync", "shfl_down_sync", "shfl_xor_sync"]


def make(text):
    """The kernel `k` of a program."""
    file = f"<{' '.join(text.split())}>"
    linecache.cache[file] = len(text), None, text.splitlines(True), file
    scope = {"cuda": cuda, "np": np, "ALL": ALL}
    exec(compile(text, file, "exec"), scope)
    return scope["k"]


def make_shuffle(name, rest=""):
    return make(
        "def k(out, a, offset):\n"
        "    i = cuda.threadIdx.x\n"
        f"    out[i] = cuda.{name}(ALL, a[i], offset{rest})\n"
    )


@functools.cache
def shuffle_kernel(name, rest=""):
    """The same as a kernel; the cases of all offsets share it."""
    return cuda.jit(make_shuffle(name, rest))


def numbers(dtype, count=64):
    """Numbers whose bits differ in every byte; no NaN, which compares badly."""
    if dtype == np.bool_:
        return np.arange(count) % 3 == 1
    size = dtype.itemsize
    bits = np.arange(count * size, dtype=np.uint8).reshape(count, size) * 5
    # A sign, and an exponent that is not all ones.
    part = size // 2 if dtype.kind == "c" else size
    bits[:, part - 1 :: part] &= 0xBF
    return bits.reshape(-1).view(dtype)


@pytest.mark.parametrize("dtype", TYPES, ids=str)
@pytest.mark.parametrize("offset", [0, 1, 7, 31])
@pytest.mark.parametrize("name", NAMES)
def test_types(name, offset, dtype):
    a = numbers(dtype)
    out = np.zeros_like(a)
    shuffle_kernel(name)[1, 64](out, a, offset)
    lanes = [i - i % 32 + source(name, i % 32, offset, 32) for i in range(64)]
    assert out.tobytes() == a[lanes].tobytes()


# By hand: the numbers of four lanes, each taken from the one behind.
@pytest.mark.parametrize(
    ("dtype", "given"),
    [
        ("i1", [-128, 127, -1, 0]),
        ("u1", [255, 128, 1, 0]),
        ("i2", [-32768, 32767, -1, 258]),
        ("u2", [65535, 32768, 1, 258]),
        ("u4", [2**32 - 1, 2**31, 1, 0]),
        ("u8", [2**64 - 1, 2**63, 2**32, 1]),
        ("?", [True, False, False, True]),
        ("f2", [1.5, -0.25, 65504.0, float("inf")]),
        ("c8", [1 + 2j, -0.5j, 3.0, 4 - 1j]),
        ("c16", [1 + 1e-12j, 2.0, -3j, 0.1 + 0.2j]),
        (bfloat16, [1.5, -0.25, 3.0, 2.0**100]),
    ],
    ids=str,
)
def test_values_of_the_next_lane(dtype, given):
    a = np.array(given, dtype)
    out = np.zeros_like(a)
    cuda.jit(
        make(
            "def k(out, a):\n    i = cuda.threadIdx.x\n"
            "    out[i] = cuda.shfl_down_sync(ALL, a[i], 1, 4)\n"
        )
    )[1, 4](out, a)
    assert out.tolist() == np.array([*given[1:], given[3]], dtype).tolist()


# The result has the argument's type: what is added to it wraps as that does.
@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("np.uint64(cuda.shfl_sync(ALL, np.int8(-1), 0))", 2**64 - 1),
        ("np.uint64(cuda.shfl_sync(ALL, np.uint8(255), 0))", 255),
        ("np.uint64(cuda.shfl_sync(ALL, np.int16(-2), 0))", 2**64 - 2),
        ("np.uint64(cuda.shfl_sync(ALL, np.uint32(2**32 - 1), 0))", 2**32 - 1),
        ("cuda.shfl_sync(ALL, i >= 0, 0) + np.uint64(1)", 2),
    ],
)
def test_results_have_the_type_of_the_argument(call, expected):
    out = np.zeros(32, np.uint64)
    cuda.jit(
        make(f"def k(out):\n    i = cuda.threadIdx.x\n    out[i] = {call}\n")
    )[1, 32](out)
    assert out.tolist() == [expected] * 32


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("offset", [0, 1, 3, 8, 17, 31])
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("keyword", ["", "width="])
def test_widths(keyword, name, offset, width):
    a = np.arange(64)
    out = np.zeros_like(a)
    shuffle_kernel(name, f", {keyword}{width}")[1, 64](out, a, offset)
    assert out.tolist() == [
        i - i % 32 + source(name, i % 32, offset, width) for i in range(64)
    ]


def test_width_of_a_variable():
    width = 8

    @cuda.jit
    def kernel(out):
        i = cuda.threadIdx.x
        lanes = width // 2
        out[i, 0] = cuda.shfl_sync(ALL, i, 1, width)
        out[i, 1] = cuda.shfl_sync(ALL, i, 1, width=lanes)

    out = np.zeros((32, 2), np.int64)
    kernel[1, 32](out)
    assert out.tolist() == [[i // 8 * 8 + 1, i // 4 * 4 + 1] for i in range(32)]


def test_sums_of_segments():
    @cuda.jit
    def kernel(out, a):
        i = cuda.threadIdx.x
        total = a[i]
        for offset in (4, 2, 1):
            total += cuda.shfl_xor_sync(ALL, total, offset, width=8)
        out[i] = total

    a = np.arange(64) * (1 - 2j)
    out = np.zeros_like(a)
    kernel[1, 64](out, a)
    assert out.tolist() == np.repeat(a.reshape(8, 8).sum(axis=1), 8).tolist()


# Each half of a branch has a mask of its own; the warp's end has none.
@pytest.mark.parametrize("dtype", ["i1", "u8", "f2", "c16", bfloat16], ids=str)
def test_masks_of_parts_of_warps(dtype):
    @cuda.jit
    def kernel(out, a):
        i = cuda.threadIdx.x
        if i % 32 >= 24:
            return
        if i % 32 < 16:
            out[i] = cuda.shfl_xor_sync(0xFFFF, a[i], 3)
        else:
            out[i] = cuda.shfl_down_sync(0xFF0000, a[i], 2, width=8)

    a = numbers(np.dtype(dtype), 44)
    out = np.zeros_like(a)
    kernel[1, 44](out, a)
    expected = np.zeros_like(a)
    for i in range(44):
        if i % 32 < 16:
            # The block's last lanes are 8 to 11 of its warp.
            expected[i] = a[i ^ 3]
        elif i % 32 < 24:
            expected[i] = a[i + 2 if i % 8 < 6 else i]
    assert out.tobytes() == expected.tobytes()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("width", WIDTHS)
def test_segments_in_instructions(width, name):
    ptx, _ = cuda.compile_ptx(
        make_shuffle(name, f", {width}"), "void(i4[:], i4[:], i4)", cc=(7, 5)
    )
    (line,) = [line for line in ptx.splitlines() if "shfl.sync" in line]
    clamp = (32 - width) << 8 | (0 if name == "shfl_up_sync" else 31)
    assert line.rstrip(";").endswith(f", {clamp}, -1")


WORDS = {
    **dict.fromkeys(["i1", "u1", "i2", "u2", "i4", "u4", "b1", "f2", "f4"], 1),
    **dict.fromkeys(["i8", "u8", "f8", "c8"], 2),
    "c16": 4,
}


# What is short takes one word, complex128 four.
@pytest.mark.parametrize("cc", [(7, 5), (9, 0)])
@pytest.mark.parametrize("dtype", WORDS)
def test_words(dtype, cc):
    ptx, _ = cuda.compile_ptx(
        make_shuffle("shfl_up_sync", ", width=16"),
        f"void({dtype}[:], {dtype}[:], i4)",
        cc=cc,
    )
    assert ptx.count("shfl.sync.up.b32") == WORDS[dtype]
    ptxas = assembly.find_ptxas()
    if ptxas is None:
        pytest.skip(assembly.NO_PTXAS)
    assert assembly.assemble(ptxas, f"sm_{cc[0]}{cc[1]}", ptx) is None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            "ALL, a",
            "'cuda.shfl_down_sync' takes 3 to 4 arguments but 2 were given",
        ),
        (
            "ALL, a[0], 1, 2, 3",
            "'cuda.shfl_down_sync' takes 3 to 4 arguments but 5 were given",
        ),
        (
            "ALL, a[0], width=2",
            "'cuda.shfl_down_sync' is called without argument 'delta'",
        ),
        (
            "ALL, a[0], 1, lanes=2",
            "'cuda.shfl_down_sync' has no parameter 'lanes'",
        ),
        (
            "ALL, a, 1",
            "'cuda.shfl_down_sync' expects a number but got "
            "array(int64, 1d, C)",
        ),
        (
            "1j, a[0], 1",
            "'cuda.shfl_down_sync' expects a real number but got complex128",
        ),
        (
            "ALL, a[0], 1j",
            "'cuda.shfl_down_sync' expects a real number but got complex128",
        ),
        (
            "ALL, a[0], 1, a[0]",
            "'cuda.shfl_down_sync' expects a constant int as width but got "
            "int64",
        ),
        (
            "ALL, a[0], 1, width=8.0",
            "'cuda.shfl_down_sync' expects a constant int as width but got "
            "float64",
        ),
        (
            "ALL, a[0], 1, 0",
            "'cuda.shfl_down_sync' expects a width that is a power of 2 from "
            "1 to 32 but got 0",
        ),
        (
            "ALL, a[0], 1, width=3",
            "'cuda.shfl_down_sync' expects a width that is a power of 2 from "
            "1 to 32 but got 3",
        ),
        (
            "ALL, a[0], 1, 64",
            "'cuda.shfl_down_sync' expects a width that is a power of 2 from "
            "1 to 32 but got 64",
        ),
        (
            "ALL, a[0], 1, -8",
            "'cuda.shfl_down_sync' expects a width that is a power of 2 from "
            "1 to 32 but got -8",
        ),
    ],
)
def test_mistakes(arguments, message):
    kernel = make(f"def k(a):\n    a[0] = cuda.shfl_down_sync({arguments})\n")
    with pytest.raises(CompileError) as caught:
        cuda.jit(kernel)[1, 32](np.zeros(2, np.int64))
    assert str(caught.value).splitlines()[0].endswith(message)
