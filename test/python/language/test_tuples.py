# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tuples as arguments, and named tuples, in kernels, with Python as oracle."""

from collections import namedtuple
from typing import NamedTuple

import numpy as np
import pytest

from pyk import cuda
from pyk.cuda._host_function import HostFunction
from support.one_thread import agree, run

Point = namedtuple("Point", "x y")
Size = namedtuple("Size", "height width depth", defaults=(7,))


class Mass(NamedTuple):
    kilos: float
    count: int = 3


ORIGIN = Point(3, 4)
CORNER = Point(1, 1)


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
