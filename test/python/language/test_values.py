# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tuples, enumerations, None and strings in kernels, with Python as oracle.

What a kernel writes into an array is what the same function writes in Python.
"""

import math
from collections import namedtuple
from enum import Enum, IntEnum
from typing import NamedTuple

import numpy as np
import pytest

import pyk
from pyk import cuda
from pyk.cuda._host_function import HostFunction

Point = namedtuple("Point", "x y")
Size = namedtuple("Size", "height width depth", defaults=(7,))


class Mass(NamedTuple):
    kilos: float
    count: int = 3


class Color(Enum):
    RED = 1
    GREEN = 2


class Weight(Enum):
    LIGHT = 1.5
    HEAVY = 2.5


class Planet(Enum):
    EARTH = (5.9, 6.4)
    VENUS = (4.9, 6.1)


class Shape(IntEnum):
    NONE = 0
    CIRCLE = 2
    SQUARE = 5


class Other(IntEnum):
    TWO = 2


ORIGIN = Point(3, 4)
CORNER = Point(1, 1)
#: What no function here writes.
UNWRITTEN = -0.375


def run(function, *arguments, size=12):
    """What a kernel writes into an array."""
    found = np.full(size, UNWRITTEN)
    cuda.jit(function)[1, 1](found, *arguments)
    return found


def agree(function, *arguments, size=12):
    """Runs `function` as a kernel and as Python, and compares the arrays."""
    expected = np.full(size, UNWRITTEN)
    function(expected, *arguments)
    assert (expected != UNWRITTEN).any()
    np.testing.assert_allclose(run(function, *arguments, size=size), expected)


# Tuples as arguments.


def test_tuples_of_anything_can_be_passed():
    def k(out, t):
        out[0] = len(t)
        out[1] = t[0] + t[1]
        out[2] = t[2][1]
        (p, q), r = t[3]
        out[3] = p * 100 + q * 10 + r
        out[4] = len(t[4])
        out[5] = t[5] is None

    agree(k, (1, 2.5, np.arange(3.0), ((3, 4), 5), (), None))


def test_a_tuple_of_one_type_can_be_iterated_and_indexed():
    def k(out, t, n):
        for x in t:
            out[0] += x
        out[1] = t[n]
        out[2] = max(t)
        out[3] = t[1:][0]

    agree(k, (1, 2, 3), 2)
    agree(k, (np.float32(1.5), np.float32(2)), 1)


def test_tuples_of_different_structure_are_told_apart():
    def k(out, t, u):
        out[0] = len(t)
        out[1] = len(u)

    kernel = cuda.jit(k)
    found = np.zeros(2)
    for pair in [
        ((1, 2), ()),
        ((1,), (2,)),
        ((), (1, 2)),
        (((1, 2),), ()),
        ((1.0, 2), ()),
        ((1, 2), ()),
    ]:
        kernel[1, 1](found, *pair)
        assert list(found) == [len(pair[0]), len(pair[1])]
    assert kernel._count() == 5


def test_arrays_in_tuples_are_the_arrays_themselves():
    def k(arrays, point):
        i = cuda.grid(1)
        if i < len(arrays[0]):
            arrays[0][i] = arrays[1][0][i] + point.y[i] * point.x

    total, ones, twos = np.zeros(40), np.ones(40), np.full(40, 2.0)
    device = cuda.to_device(ones)
    cuda.jit(k)[2, 32]((total, (device,)), Point(3, twos))
    np.testing.assert_array_equal(total, np.full(40, 7.0))


def test_records_in_tuples():
    kind = np.dtype([("x", "f4"), ("n", "i8")])

    def k(out, t):
        out[0] = t[0].n
        t[1][2].x = 4
        out[1] = t[1][2].x

    records = np.zeros(3, kind)
    records["n"] = 5
    assert list(run(k, (records[0], records))[:2]) == [5, 4]
    assert records[2]["x"] == 4


def test_a_tuple_longer_than_most_argument_lists():
    def k(out, t, n):
        for x in t:
            out[0] += x
        out[1] = n

    agree(k, tuple(range(50)), 7)


def test_the_rest_of_the_arguments_is_a_tuple():
    def k(out, first=5, *rest):
        out[0] = first
        out[1] = len(rest)
        for x in rest:
            out[2] += x

    kernel = cuda.jit(k)
    for arguments in [(), (1,), (1, 2), (1, 2, 3), (1, 2, 3)]:
        found, expected = np.zeros(4), np.zeros(4)
        kernel[1, 1](found, *arguments)
        k(expected, *arguments)
        np.testing.assert_array_equal(found, expected)
    assert kernel._count() == 3


def test_the_rest_of_the_arguments_in_a_signature():
    def k(out, *rest):
        out[0] = rest[0] + rest[1]

    kernel = cuda.jit("void(float64[:], int32, float32)")(k)
    found = np.zeros(1)
    kernel[1, 1](found, 3, 0.5)
    assert found[0] == 3.5
    with pytest.raises(TypeError, match="is declared for"):
        kernel[1, 1](found, 3)
    with pytest.raises(TypeError, match="has 0 types for the 1 parameters"):
        cuda.jit("void()")(k)


@pytest.mark.parametrize(
    ("argument", "place", "error"),
    [
        ((1, "text"), "t[1]", NotImplementedError),
        (((), ([1],)), "t[1][0]", NotImplementedError),
        (Point(1, (2, {})), "t.y[1]", ValueError),
    ],
)
def test_what_cannot_be_in_a_tuple(argument, place, error):
    with pytest.raises(error) as caught:
        run(lambda out, t: None, argument)
    message = f"Cannot determine PyK type of argument '{place}' of <class "
    assert str(caught.value).startswith(message)


def test_a_tuple_within_tuples_without_end():
    nested = ()
    for _ in range(100_000):
        nested = (nested,)
    with pytest.raises(ValueError, match="'t' is a tuple that is nested too"):
        run(lambda out, t: None, nested)


# Named tuples.


def test_named_tuples_can_be_passed():
    def k(out, p, n):
        out[0] = p.x
        out[1] = p.y.kilos + p.y[1]
        x, y = p
        out[2] = x
        out[3] = y.count
        out[4] = len(p)
        out[5] = isinstance(p, tuple)
        out[6] = isinstance(p, Point)
        out[7] = isinstance(p.y, Point)
        out[8] = p.y == (2.0, n)
        out[9] = (p.y + (1, 2.5))[3]
        out[10] = 1 if p else 0

    agree(k, Point(1, Mass(2.0, 9)), 9)


@HostFunction
def make(a, b):
    return Point(a, y=b)


@HostFunction
def weigh(p):
    return p.x * 10 + p.y


def test_named_tuples_are_made_in_kernels():
    def k(out, n):
        p = Point(1, n)
        s = Size(width=2, height=n)
        m = Mass(1.5)
        out[0] = p.x + p.y
        out[1] = s.height * 100 + s.width * 10 + s.depth
        out[2] = m.kilos + m.count
        q = make(n, 2)
        if n > 3:
            q = Point(1.5, 1)
        out[3] = weigh(q)
        out[4] = weigh(ORIGIN) + ORIGIN.y
        t = (1, 2)
        out[5] = weigh(Point(*t))
        out[6] = (n, 2) == make(n, 2)

    for n in [2, 5]:
        agree(k, n)


def test_a_named_tuple_is_an_index_as_any_tuple():
    def k(out):
        a = cuda.local.array((2, 2), np.float32)
        a[CORNER] = 3
        out[0] = a[1, 1]

    assert run(k)[0] == 3


def test_classes_of_named_tuples_are_told_apart():
    def k(out, p):
        out[0] = p.x

    other = namedtuple("Point", "y x")
    kernel = cuda.jit(k)
    found = np.zeros(1)
    for point, x in [(Point(1, 2), 1), (other(1, 2), 2), (Point(1, 2), 1)]:
        kernel[1, 1](found, point)
        assert found[0] == x


# Enumerations.


@pytest.mark.parametrize(
    "pair",
    [
        (Color.RED, Color.RED),
        (Color.RED, Color.GREEN),
        (Weight.LIGHT, Weight.HEAVY),
        (Planet.EARTH, Planet.EARTH),
        (Planet.EARTH, Planet.VENUS),
        (Shape.CIRCLE, Other.TWO),
        (Shape.CIRCLE, 2),
    ],
)
def test_members_are_compared(pair):
    def k(out, a, b):
        out[0] = a == b
        out[1] = a != b

    agree(k, *pair)

    def identical(out, a, b):
        out[0] = a is b
        out[1] = a is not b

    if isinstance(pair[1], Enum):
        agree(identical, *pair)


@HostFunction
def choose(first):
    return Color.RED if first else Color.GREEN


@HostFunction
def value_of(member):
    return member.value


def test_members_are_values():
    def k(out, first):
        out[0] = choose(first) == Color.RED
        out[1] = choose(not first) is Color.GREEN
        out[2] = Color["GREEN"] == Color.RED
        out[3] = value_of(Color.GREEN) + value_of(Weight.HEAVY)
        pair = (Color.RED, 5)
        out[4] = pair[0] == Color.RED
        out[5] = pair == (Color.GREEN, 5)
        if pair[0]:
            out[6] = 1

    for first in [True, False]:
        agree(k, first)


def test_members_of_an_integer_enumeration_are_integers():
    def k(out, shape, n):
        out[0] = shape + 1
        out[1] = Shape.SQUARE * Shape.CIRCLE
        out[shape] = 3
        out[3] = math.sqrt(shape)
        for i in range(shape):
            out[4] += i
        out[5] = shape > Shape.CIRCLE
        out[6] = -Shape.SQUARE + int(shape) + np.float32(shape)
        mixed = shape if n > 1 else 7
        out[7] = mixed
        out[8] = (4, 5, 6)[Shape.CIRCLE]
        if Shape.NONE:
            out[9] = 1
        out[10] = isinstance(shape, int)
        out[11] = bool(shape) + shape.value

    for n in [1, 2]:
        agree(k, Shape.CIRCLE, n)


def test_an_enumeration_of_text_cannot_be_used():
    class Name(Enum):
        BLUE = "blue"

    with pytest.raises(ValueError, match="of <enum 'Name'>: expects"):
        run(lambda out, name: None, Name.BLUE)


# None on some paths.


@HostFunction
def half(x):
    if x > 1:
        return x / 2


@HostFunction
def given(x=None):
    return 5 if x is None else x


@HostFunction
def find(a, x):
    for i in range(a.size):
        if a[i] == x:
            return i
    return None


def test_a_variable_may_be_none():
    def k(out, n):
        x = None
        if n > 2:
            x = n
        out[0] = x is None
        if x is not None:
            out[1] = x + 1
        out[2] = given() + given(3) + given(x)
        for i in range(4):
            x = None if i == n else i
        out[3] = x is None
        out[4] = 1 if x else 2

    for n in [1, 3, 4]:
        agree(k, n)


def test_a_function_may_return_none():
    def k(out, a, n):
        h = half(n)
        if h is None:
            out[0] = 9
        else:
            out[0] = h
        i = find(a, n)
        if i is not None:
            out[1] = a[i] + i
        out[2] = h == 2.0
        out[3] = h != 2.0
        out[4] = h == half(4)
        out[5] = half(0) == half(1)
        out[6] = isinstance(h, float)
        pair = (h, n)
        first, second = pair
        out[7] = first is None
        out[8] = pair == (2.0, 4)

    for n in [1, 4, 8]:
        agree(k, np.arange(6.0), n)


def test_an_array_may_be_none():
    def k(out, a, n):
        row = a[0] if n > 1 else None
        if row is None:
            out[0] = 1
        else:
            out[0] = row[n] + len(row)
            for x in row:
                out[1] += x

    for n in [1, 2]:
        agree(k, np.arange(12.0).reshape(3, 4), n)


def test_an_argument_may_be_none():
    def k(out, a=None):
        out[0] = a is None
        if a is not None:
            out[1] = a[1]

    agree(k)
    agree(k, None)
    agree(k, np.arange(3.0))


def test_none_that_is_used_ends_the_thread():
    def k(out, n):
        out[0] = 1
        out[1] = half(n) + 1
        out[2] = 2

    assert list(run(k, 4)[:3]) == [1, 3, 2]
    assert list(run(k, 1)[:3]) == [1, UNWRITTEN, UNWRITTEN]
    found = np.zeros(3)
    with pytest.raises(TypeError, match="expected float64 but got None"):
        cuda.jit(debug=True)(k)[1, 1](found, 1)
    cuda.jit(debug=True)(k)[1, 1](found, 4)
    assert list(found) == [1, 3, 2]


# Functions that call each other.


@HostFunction
def is_even(n):
    if n > 0:
        return is_odd(n - 1)
    return True


@HostFunction
def is_odd(n):
    return n > 0 and is_even(n - 1)


@HostFunction
def first_of_three(n):
    if n > 0:
        return second_of_three(n - 1) + 1
    return 0.5


@HostFunction
def second_of_three(n):
    return third_of_three(n) * 2


@HostFunction
def third_of_three(n):
    if n % 2:
        return first_of_three(n - 1)
    return second_of_three(n - 1) if n > 0 else 1


def test_functions_call_each_other():
    def k(out):
        for i in range(out.size):
            out[i] = is_even(i) + 10 * is_odd(i) + 100 * first_of_three(i)

    agree(k)


@HostFunction
def lost(n):
    return found_again(n - 1)


@HostFunction
def found_again(n):
    return lost(n)


def test_functions_that_never_return():
    message = "cannot infer what 'lost' returns: every path to a return calls"
    with pytest.raises(pyk.CompileError, match=message):
        run(lambda out: lost(3))


def test_nested_functions_call_themselves():
    def k(out, n):
        def factorial(i):
            return 1 if i < 2 else i * factorial(i - 1)

        scale = 2.0

        def halve(i, times=1):
            if i <= n:
                return i * scale
            return halve(i / 2, times + 1) + times

        out[0] = factorial(5)
        out[1] = halve(40)
        scale = 3.0
        out[2] = halve(40)

    agree(k, 6)


# Strings.

NAME = "blue"


@HostFunction
def pick(name, x):
    if name == "double":
        return x * 2
    if name >= "z" or "hal" in name:
        return x / 2
    return x + 0.0


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
    for _ in range(500):
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
