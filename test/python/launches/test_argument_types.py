# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The type of a launch argument."""

import contextlib
import enum
import re
import sys
import time
from collections import namedtuple

import numpy as np
import pytest

from pyk import cuda
from pyk._argument_types import type_of

Pair = namedtuple("Pair", "left right")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (True, "i1"),
        (7, "si64"),
        (-(2**63), "si64"),
        (2**63 - 1, "si64"),
        (2**63, "ui64"),
        (2**64 - 1, "ui64"),
        (1.5, "f64"),
        (None, "none"),
        (
            enum.IntEnum("E", "A").A,
            f'!py.enum<"{__name__}.E", si64, integer = true>',
        ),
        (enum.Enum("F", {"A": 1.5}).A, f'!py.enum<"{__name__}.F", f64>'),
        ((), "tuple<>"),
        ((1, (2.5, None)), "tuple<si64, tuple<f64, none>>"),
        (
            Pair(1, (True,)),
            f'!py.named_tuple<"{__name__}.Pair", ["left", "right"], '
            "tuple<si64, tuple<i1>>>",
        ),
        (np.bool_(True), "i1"),
        (np.int8(1), "si8"),
        (np.int16(1), "si16"),
        (np.int32(1), "si32"),
        (np.int64(1), "si64"),
        (np.longlong(1), "si64"),
        (np.uint8(1), "ui8"),
        (np.uint16(1), "ui16"),
        (np.uint32(1), "ui32"),
        (np.uint64(1), "ui64"),
        (np.float16(1), "f16"),
        (np.float32(1), "f32"),
        (np.float64(1), "f64"),
        (1j, "complex<f64>"),
        (np.complex64(1), "complex<f32>"),
        (np.complex128(1), "complex<f64>"),
        (np.datetime64(1, "M"), "!py.time<datetime, M>"),
        (np.timedelta64(1, "m"), "!py.time<timedelta, m>"),
        (np.timedelta64(1), "!py.time<timedelta, generic>"),
    ],
)
def test_scalar(value, expected):
    assert type_of(value, "x") == expected


MATRIX = np.zeros((3, 4), np.float32)


@pytest.mark.parametrize(
    ("array", "expected"),
    [
        (np.zeros(3, np.int8), "!pyk.array<?xsi8, c>"),
        (np.zeros(3, bool), "!pyk.array<?xi1, c>"),
        (np.zeros(3)[::2], "!pyk.array<?xf64, any>"),
        (np.zeros(0), "!pyk.array<?xf64, c>"),
        (np.zeros(()), "!pyk.array<f64, c>"),
        (MATRIX, "!pyk.array<?x?xf32, c>"),
        (MATRIX.T, "!pyk.array<?x?xf32, f>"),
        (MATRIX[:, 1:], "!pyk.array<?x?xf32, any>"),
        (MATRIX[::-1], "!pyk.array<?x?xf32, any>"),
        (MATRIX[:, :1], "!pyk.array<?x?xf32, any>"),
        (MATRIX[:1], "!pyk.array<?x?xf32, c>"),
        (
            np.broadcast_to(MATRIX[0], (2, 4)),
            "!pyk.array<?x?xf32, any, readonly>",
        ),
        (np.zeros((1, 1), np.uint64), "!pyk.array<?x?xui64, c>"),
        (np.zeros((2, 2, 2), np.float16), "!pyk.array<?x?x?xf16, c>"),
        (np.zeros(2, np.complex64), "!pyk.array<?xcomplex<f32>, c>"),
        (np.zeros(2, "M8[as]"), "!pyk.array<?x!py.time<datetime, as>, c>"),
        (np.zeros(2, "S3"), "!pyk.array<?x!py.chars<bytes, 3>, c>"),
        (np.zeros(2, "U3"), "!pyk.array<?x!py.chars<str, 3>, c>"),
        (MATRIX.view(np.recarray), "!pyk.array<?x?xf32, c>"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_array(array, expected):
    assert type_of(array, "x") == expected


def test_read_only_array():
    array = np.zeros(3)
    array.flags.writeable = False
    assert type_of(array, "x") == "!pyk.array<?xf64, c, readonly>"


@pytest.mark.parametrize("value", [2**64, -(2**63) - 1])
def test_int_beyond_64_bits(value):
    message = "argument 'n' is an int that does not fit 64 bits"
    with pytest.raises(ValueError, match=message):
        type_of(value, "n")


@pytest.mark.parametrize(
    ("value", "error"),
    [
        ("text", NotImplementedError),
        ([1], NotImplementedError),
        ({1}, NotImplementedError),
        ({1: 2}, ValueError),
        (time.gmtime(0), ValueError),
        (range(3), ValueError),
        (len, ValueError),
        (np.longdouble(1), ValueError),
        (np.clongdouble(1), ValueError),
        (np.ma.zeros(3), ValueError),
    ],
    ids=repr,
)
def test_what_cannot_be_an_argument(value, error):
    with pytest.raises(
        error,
        match=r"Cannot determine PyK type of argument 'x' of <class '.*'>: "
        "expects a NumPy array",
    ):
        type_of(value, "x")


@pytest.mark.parametrize(
    ("value", "error", "remedy"),
    [
        ([1, 2], NotImplementedError, "pass np.array(...) of it, or a tuple"),
        ({1}, NotImplementedError, "pass np.array(...) of its items"),
        ({1: 2}, ValueError, "pass arrays of its keys and values"),
        ("add", NotImplementedError, "pass an int or a member of an enum"),
    ],
)
def test_what_to_pass_instead(value, error, remedy):
    with pytest.raises(error, match=re.escape(remedy)):
        type_of(value, "x")


@pytest.mark.parametrize("dtype", ["c32", "O", "V4", "f4,O", []])
def test_array_of_another_dtype(dtype):
    with pytest.raises(
        ValueError,
        match="Cannot determine PyK type of argument 'x': an array of dtype",
    ):
        type_of(np.zeros(2, dtype), "x")


def test_array_in_another_byte_order():
    array = np.zeros(3, np.dtype(np.float32).newbyteorder())
    with pytest.raises(ValueError, match=r"pass x\.astype\('float32'\)"):
        type_of(array, "x")


def test_array_that_is_not_aligned():
    array = np.zeros(17, np.int8)[1:].view(np.float64)
    assert type_of(array, "x") == "!pyk.array<?xf64, c, align 1>"


POINT = np.dtype([("x", "f4"), ("y", "f8")])
POINT_TEXT = '!pyk.record<"x" : f32 at 0, "y" : f64 at 4, size 12>'


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (np.zeros(3, POINT), f"!pyk.array<?x{POINT_TEXT}, c>"),
        (np.zeros(3, POINT)[::2], f"!pyk.array<?x{POINT_TEXT}, any>"),
        (np.zeros((), POINT), f"!pyk.array<{POINT_TEXT}, c>"),
        (np.zeros(3, POINT)[1], f"!pyk.array<{POINT_TEXT}, c>"),
        (np.rec.array(np.zeros(3, POINT))[1], f"!pyk.array<{POINT_TEXT}, c>"),
        # Numbers that lie at multiples of 4, for all that NumPy knows.
        (np.zeros(3, POINT)["y"], "!pyk.array<?xf64, any, align 4>"),
        (
            np.zeros(37, np.int8)[1:].view(POINT),
            f"!pyk.array<?x{POINT_TEXT}, c, align 1>",
        ),
        (
            np.zeros(
                1, [("a", [("b", "?", (2, 3))]), ("text", "U2"), ('"', "i2")]
            ),
            '!pyk.array<?x!pyk.record<"a" : !pyk.record<"b" : 2x3xi1 at 0, '
            'size 6> at 0, "text" : !py.chars<str, 2> at 6, '
            '"\\22" : si16 at 14, size 16>, c>',
        ),
        (
            np.zeros(1, [("raw", "V4"), ("\u00e4", "u1")]),
            '!pyk.array<?x!pyk.record<"raw" : none at 0, '
            '"\\C3\\A4" : ui8 at 4, size 5>, c>',
        ),
    ],
    ids=str,
)
def test_records(value, expected):
    assert type_of(value, "x") == expected


@pytest.mark.parametrize(
    ("dtype", "problem"),
    [
        (
            ">f8",
            "dtype '>f8', whose byte order is not this machine's; pass "
            "x.astype('float64') if it is only read, else create it "
            "with that dtype",
        ),
        (
            ">U3",
            "dtype '>U3', whose byte order is not this machine's; pass "
            "x.astype('U3') if it is only read, else create it with that "
            "dtype",
        ),
        (
            [("n", "i4"), ("v", ">i2", 3)],
            "field 'v' of dtype '>i2', whose byte order is not this "
            "machine's; pass x.astype(x.dtype.newbyteorder('=')) if it is "
            "only read, else create it with that dtype",
        ),
        (
            [("p", [("a", "S2"), ("b", ">c8")])],
            "field 'p.b' of dtype '>c8', whose byte order is not this "
            "machine's; pass x.astype(x.dtype.newbyteorder('=')) if it is "
            "only read, else create it with that dtype",
        ),
    ],
)
def test_another_byte_order(dtype, problem):
    x = np.ones(1, dtype)
    for value in (x, x[0]) if x.dtype.names else (x,):
        with pytest.raises(ValueError) as caught:
            type_of(value, "x")
        assert str(caught.value) == f"array argument 'x' has {problem}"
    remedy = problem.partition("pass ")[2].partition(" if ")[0]
    type_of(eval(remedy, {"x": x}), "x")


def test_record_at_an_odd_place():
    record = np.zeros(25, np.int8)[1:].view(POINT)[1]
    assert type_of(record, "x") == f"!pyk.array<{POINT_TEXT}, c, align 1>"


def test_read_only_record():
    array = np.zeros(2, POINT)
    array.flags.writeable = False
    assert type_of(array[0], "x") == f"!pyk.array<{POINT_TEXT}, c, readonly>"


def test_record_of_objects():
    with pytest.raises(ValueError, match="an array of dtype"):
        type_of(np.zeros(2, "f4,O")[0], "x")


def nested(depth):
    value = 7
    for _ in range(depth):
        value = (value,)
    return value


@cuda.jit
def nothing(a, t=0):
    pass


def test_too_many_dimensions():
    nothing[1, 1](np.zeros((1,) * 32))
    for make in (np.asarray, cuda.to_device):
        array = make(np.zeros((1,) * 33))
        with pytest.raises(
            ValueError,
            match="^array argument 'a' has 33 dimensions; expects at most 32$",
        ):
            nothing[1, 1](array)


def test_deeply_nested_tuples():
    nothing[1, 1](0, nested(50))
    for depth in (500, 5000):
        with pytest.raises(
            ValueError,
            match="^argument 't' is a tuple that is nested too deeply$",
        ):
            nothing[1, 1](nested(1), nested(depth))


# The program itself may be at the end of its stack.
def test_the_stack_of_the_program():
    def call(depth):
        if depth:
            return call(depth - 1)
        return nothing[1, 1](0, (1, (2, 3)))

    for depth in range(sys.getrecursionlimit() - 60, sys.getrecursionlimit()):
        with contextlib.suppress(RecursionError):
            call(depth)
