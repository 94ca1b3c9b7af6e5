# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Strings, arrays and other values that kernels find by name."""

from collections import namedtuple

import numpy as np
import pytest

import pyk
from pyk import cuda
from pyk.cuda._host_function import HostFunction
from support.one_thread import agree, run

NAME = "blue"


@HostFunction
def pick(name, x):
    if name == "double":
        return x * 2
    if name >= "z" or "hal" in name:
        return x / 2
    return x + 0.0


#: One that a branch may depend on.
FLAG = True


def test_bits_of_a_bool_and_an_integer():
    def k(out):
        either = FLAG | 2
        if either:
            out[0] = either
        differ = 4 ^ FLAG
        if differ:
            out[1] = differ
        both = FLAG & 6
        out[2] = 7 if both else 8
        out[3] = FLAG ^ FLAG

    agree(k)


def test_strings_are_constants():
    def k(out, x):
        out[0] = pick("double", x)
        out[1] = pick("half", x)
        out[2] = pick(NAME, x)
        out[3] = NAME == "blue"
        out[4] = NAME != "blue"
        out[5] = "b" < NAME < "c"
        out[6] = "lu" in NAME and "x" not in NAME
        out[7] = (NAME, 1) == ("blue", 1)
        out[8] = "ä" > "z"
        mode = None
        if x > 2:
            mode = "fast"
        out[9] = mode == "fast"

    for x in [1.0, 3.0]:
        agree(k, x)


@pytest.mark.parametrize(
    "text",
    ["bool", "int16", "uint64", "float32", "complex64", "<i4", "f8", "?", "int"]
    + ["u1", "=c16", "float", "complex", "f2"],
)
def test_a_string_is_a_dtype(text):
    def k(out):
        a = cuda.local.array(2, text)
        b = cuda.shared.array(shape=2, dtype=text)
        a[1] = b[1] = 1
        out[0] = a.itemsize
        out[1] = b.view("uint8").size

    size = np.dtype(text).itemsize
    assert list(run(k)[:2]) == [size, 2 * size]


@pytest.mark.parametrize(
    "table",
    [
        np.asfortranarray(np.arange(24).reshape(2, 3, 4)),
        np.arange(24.0).reshape(4, 3, 2).T,
        np.arange(48, dtype=np.int16).reshape(2, 6, 4)[::-1, ::-2],
        np.broadcast_to(np.arange(4), (2, 3, 4)),
        np.arange(24, dtype=">i2").reshape(2, 3, 4),
        (np.arange(24) + 0.5).astype(">f8").reshape(2, 3, 4),
        np.asfortranarray(np.arange(24, dtype=">u4").reshape(2, 3, 4)),
    ],
    ids=[
        *("Fortran", "transposed", "gaps", "broadcast", "big-endian integers"),
        *("big-endian floats", "big-endian Fortran"),
    ],
)
def test_captured_arrays_of_each_order(table):
    @cuda.jit
    def k(out):
        i = cuda.grid(1)
        if i < out.size:
            x, y, z = i // 12, i // 4 % 3, i % 4
            out[i] = table[x, y, z]

    out = np.zeros(24)
    k[1, 32](out)
    assert out.tolist() == table.ravel().tolist()


@pytest.mark.parametrize(
    "sizes",
    [
        (5000, 5000, 1, 1),
        (1, 5000, 2, 5000),
        (8192, 1, 1, 1),
        (1, 1, 1, 8192),
        (9000, 100, 1, 1),
        (8189, 1, 1, 1),
        (8000, 190, 1, 1),
    ],
    ids=lambda sizes: "+".join(map(str, sizes)),
)
def test_constants_at_the_limit_of_constant_memory(sizes):
    """A GPU has 65,536 bytes of it, for all arrays of a module together."""
    tables = tuple(np.arange(size) + 0.5 + i for i, size in enumerate(sizes))
    first, second, third, last = tables

    @cuda.jit
    def k(out, i):
        a = cuda.const.array_like(first)
        b = cuda.const.array_like(second)
        c = cuda.const.array_like(third)
        d = cuda.const.array_like(last)
        out[0] = a[i % first.size]
        out[1] = b[i % second.size]
        out[2] = c[i % third.size]
        out[3] = d[i % last.size]

    for i in (0, 4999, 8191):
        out = np.zeros(4)
        k[1, 1](out, i)
        assert out.tolist() == [table[i % table.size] for table in tables]


class Larger(np.ndarray):
    """Tells of more elements than there are."""

    shape = property(lambda self: (10**9,))


def test_captured_arrays_of_own_classes():
    captured = np.arange(3.0).view(Larger)

    @cuda.jit
    def k(a):
        a[0] = captured[2] + captured.size

    a = np.zeros(1)
    k[1, 1](a)
    assert a[0] == 5


def test_captured_values_of_too_many_parts():
    many = np.zeros((1,) * 33)
    deep = 7
    for _ in range(5000):
        deep = (deep,)

    @cuda.jit
    def first(a):
        a[0] = many[0]

    @cuda.jit
    def second(a):
        a[0] = len(deep)

    for kernel, message in (
        (first, "'many' is of type numpy.ndarray of 33 dimensions, which a"),
        (second, "'deep' is of type tuple that is nested too deeply, which a"),
    ):
        with pytest.raises(pyk.CompileError, match=message):
            kernel[1, 1](np.zeros(1))


Step = namedtuple("Step", "a b c")
STEP, NESTED = Step(2, 4, 8), Step(Step(1, 2, 3), 3.5, (5, 6))
NUMBERS = np.array([1.5, 2.5, 3.5])
ROWS = np.array([[1, 2], [3, 4]])
TRIPLE = (5, 6, 7)


def unpack_all(out):
    a, b, c = STEP
    out[0] = a * 100 + b * 10 + c
    first, second, (x, y) = NESTED
    out[1] = first.b + second + x * y
    p, q, r = NUMBERS
    out[2] = p + 10 * q + 100 * r
    row, other = ROWS
    out[3] = row[1] * 10 + other[0]
    first, *rest = STEP
    out[4] = first + rest[1]
    whole = STEP
    a, b, c = whole
    out[5] = a - b * c
    (a, b, c), d = TRIPLE, 1
    out[6] = a + b + c + d


def test_unpacking_of_constants():
    out = np.zeros(8)
    cuda.jit(unpack_all)[1, 1](out)
    assert out.tolist() == [248, 35.5, 376.5, 23, 10, -30, 19, 0]


def test_unpacking_of_captured_constants():
    step, numbers = Step(1, 2.5, 3), np.array([4, 5], np.int16)

    @cuda.jit
    def k(out):
        for i in range(3):
            a, b, c = step
            x, y = numbers
            out[i] = a + b + c + x * y + i

    out = np.zeros(3)
    k[1, 1](out)
    assert out.tolist() == [26.5, 27.5, 28.5]
