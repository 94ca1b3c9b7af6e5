# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Iterators and ranges as values, with the same function run by Python as
oracle."""

import itertools

import numpy as np
import pytest

from pyk import cuda
from support.one_thread import agree


def loop_after_break(out, a):
    it = iter(a)
    for x in it:
        if x > 1:
            break
    for x in it:
        out[0] += x
    for x in it:
        out[1] = 9


def next_within_loop(out, a):
    it = iter(a)
    for x in it:
        out[0] = out[0] * 10 + x - next(it)


def ranges(out, a):
    it = iter(range(10, 0, -3))
    out[0] = next(it)
    for x in it:
        out[1] = out[1] * 10 + x


def zips(out, a):
    z = zip(a, range(5, 9))
    x, n = next(z)
    out[0] = x + n
    for x, n in z:
        out[1] += x * n


def enumerates(out, a):
    e = enumerate(a, 5)
    for n, x in e:
        if n == 6:
            break
    for n, x in e:
        out[0] += n * x


def pairs_of_one_iterator(out, a):
    it = iter(a)
    for x, y in zip(it, it):
        out[0] = out[0] * 100 + x * 10 + y


def zip_of_iterators(out, a):
    it = iter(a)
    next(it)
    for x, n in zip(it, iter((1, 2, 3, 4, 5))):
        out[0] += x * n


def one_iterator_at_two_depths(out, a):
    it = iter(range(6))
    for x, (n, y) in zip(it, enumerate(it)):
        out[0] = out[0] * 100 + x * 10 + y
    it = iter(range(6))
    for x, (y, z) in zip(it, zip(it, it)):
        out[1] = out[1] * 1000 + x * 100 + y * 10 + z
    it = iter(range(6))
    kept = zip(it, range(9))
    for (x, y), z in zip(kept, it):
        out[2] = out[2] * 1000 + x * 100 + y * 10 + z


def one_iterator_of_two_names(out, a):
    it = iter(range(6))
    other = it if a[0] > 0 else iter(range(3))
    for x, y in zip(it, other):
        out[0] = out[0] * 100 + x * 10 + y

    def pair(p, q):
        for x, y in zip(p, q):
            return x * 10 + y

    it = iter(range(6))
    out[1] = pair(it, it)
    out[2] = next(it)


def left_when_zip_ends(out, a):
    it = iter(a)
    for x, _ in zip(it, range(1)):
        out[0] += x
    out[1] = next(it)
    it = iter(a)
    for _, x in zip(range(1), it):
        out[2] += x
    out[3] = next(it)


def unpacked(out, a):
    it = iter(a)
    p, q = zip(a[:2], it)
    out[0] = p[1] * 10 + q[1]
    out[1] = next(it)
    p, q = enumerate(iter(a[2:]))
    out[2] = p[1] * 10 + q[1]
    it = iter(a)
    p, q = zip(it, it)
    out[3] = q[0] * 10 + q[1]
    p, q = iter(a[:2])
    out[4] = p - q


def in_a_function(out, a):
    def take(it):
        return next(it) * 2

    it = iter((1.5, 2.5, 3.5))
    out[0] = take(it)
    out[1] = take(it)
    out[2] = next(it)


def made_in_a_loop(out, a):
    for n in range(3):
        it = iter(a)
        for _ in range(n):
            next(it)
        out[n] = next(it)


def chosen(out, a):
    it = iter(a)
    other = iter(a[1:])
    for n in range(3):
        out[n] = next(it if n != 1 else other)


def rows(out, a):
    it = iter(a.reshape(2, 2))
    out[0] = next(it)[1]
    out[1] = next(it)[0]


def of_an_iterator(out, a):
    it = iter(a)
    same = iter(it)
    out[0] = next(it)
    out[1] = next(same)


def with_else(out, a):
    it = iter(a)
    for x in it:
        if x == 7:
            break
    else:
        out[0] = 1
    for x in it:
        out[1] = 1
    else:
        out[2] = 1


@pytest.mark.parametrize(
    "function",
    [
        loop_after_break,
        next_within_loop,
        ranges,
        zips,
        enumerates,
        pairs_of_one_iterator,
        zip_of_iterators,
        one_iterator_at_two_depths,
        one_iterator_of_two_names,
        left_when_zip_ends,
        unpacked,
        in_a_function,
        made_in_a_loop,
        chosen,
        rows,
        of_an_iterator,
        with_else,
    ],
    ids=lambda function: function.__name__,
)
def test_as_python(function):
    agree(function, np.array([1.0, 2.0, 3.0, 4.0]))


def past_the_end(out, a):
    it = iter(a)
    for _ in range(5):
        out[0] += next(it)


def test_next_past_the_end_ends_the_thread():
    out = np.zeros(1)
    cuda.jit(past_the_end)[1, 1](out, np.array([1.0, 2.0]))
    assert out[0] == 3
    with pytest.raises(StopIteration, match="In function 'past_the_end'"):
        cuda.jit(past_the_end, debug=True, opt=False)[1, 1](
            out, np.array([1.0, 2.0])
        )


BOUNDS = [
    *itertools.product((-7, 0, 3), (-5, 0, 1, 8), (-3, -2, -1, 1, 2, 5)),
    (-(2**63), 2**63 - 1, 3),
    (2**63 - 1, -(2**63), -(2**62)),
    (2**63 - 1, -(2**63), -(2**63)),
]


def test_parts_of_ranges():
    def k(out, bounds):
        for n in range(bounds.shape[0]):
            r = range(bounds[n, 0], bounds[n, 1], bounds[n, 2])
            out[n, 0] = r.start
            out[n, 1] = r.stop
            out[n, 2] = r.step
            out[n, 3] = 1 if r else 0
            for x in range(-9, 10):
                out[n, 13 + x] = x in r
            out[n, 23] = bounds[n, 1] in r
            out[n, 24] = bounds[n, 0] in r

    bounds = np.array(BOUNDS)
    found, expected = (np.zeros((len(BOUNDS), 25), np.int64) for _ in "12")
    k(expected, _Plain(bounds))
    cuda.jit(k)[1, 1](found, bounds)
    np.testing.assert_array_equal(found, expected)


class _Plain:
    """An array whose elements are Python's ints, which do not wrap."""

    def __init__(self, array):
        self.shape = array.shape
        self._array = array

    def __getitem__(self, index):
        return int(self._array[index])


def test_lengths_of_ranges():
    def k(out, bounds):
        for n in range(bounds.shape[0]):
            r = range(bounds[n, 0], bounds[n, 1], bounds[n, 2])
            out[n, 0] = len(r)
            if r:
                out[n, 1] = min(r)
                out[n, 2] = max(r)
            out[n, 3] = sum(r)
            out[n, 4] = 1.5 in r
            out[n, 5] = np.float64(bounds[n, 0]) + 2.0 in r

    bounds = np.array(BOUNDS[:-3])
    found, expected = (np.zeros((len(bounds), 6), np.int64) for _ in "12")
    k(expected, bounds)
    cuda.jit(k)[1, 1](found, bounds)
    np.testing.assert_array_equal(found, expected)


def test_unsigned_ranges():
    @cuda.jit
    def k(out, n):
        r = range(n)
        out[0] = -1 in r
        out[1] = n in r
        out[2] = n - np.uint64(1) in r
        out[3] = r.stop == n
        out[4] = len(r) == n

    out = np.zeros(5, np.int64)
    k[1, 1](out, np.uint64(2**64 - 1))
    assert out.tolist() == [0, 0, 1, 1, 1]


def test_unpacking():
    def k(out, n):
        a, b, c = range(n, n + 6, 2)
        out[0] = a * 100 + b * 10 + c
        (a, b), (c, d) = zip((1, 2), (3, 4))
        out[1] = a * 1000 + b * 100 + c * 10 + d
        a, b = enumerate((5, 6))
        out[2] = a[1] * 10 + b[0]

    agree(k, 3)


def test_unpacking_another_number():
    def k(out, n):
        a, b = range(n)
        out[0] = b

    with pytest.raises(ValueError, match="expected 2 values to unpack but got"):
        cuda.jit(k, debug=True, opt=False)[1, 1](np.zeros(1), 3)


def test_unpacking_an_iterator_that_ends():
    def k(out, a):
        it = iter(a)
        out[0] = 1
        x, y, z = it
        out[0] = 2

    out = np.zeros(1)
    cuda.jit(k)[1, 1](out, np.zeros(2))
    assert out[0] == 1
    with pytest.raises(ValueError, match="not enough values to unpack"):
        cuda.jit(k, debug=True, opt=False)[1, 1](out, np.zeros(2))


def test_slices():
    def k(out, bounds, length):
        for n in range(bounds.shape[0]):
            s = slice(bounds[n, 0], bounds[n, 1], bounds[n, 2])
            a, b, c = s.indices(length)
            out[n, 0] = a
            out[n, 1] = b
            out[n, 2] = c
            a, b, c = slice(None, None, bounds[n, 2]).indices(length)
            out[n, 3] = a
            out[n, 4] = b
            out[n, 5] = s.start + s.stop + s.step

    bounds = np.array(BOUNDS[:-3])
    for length in (0, 1, 5):
        found, expected = (np.zeros((len(bounds), 6), int) for _ in "12")
        k(expected, bounds, length)
        cuda.jit(k)[1, 1](found, bounds, length)
        np.testing.assert_array_equal(found, expected)


def test_bounds_that_a_slice_does_not_have():
    """They are numbers, as in Numba, so that a range can be made of them."""

    @cuda.jit
    def k(out, step):
        s = slice(4)
        for n in range(s.start, s.stop, s.step):
            out[n] = 1
        down = slice(None, None, step)
        out[4] = down.start == 2**63 - 1
        out[5] = down.stop == -(2**63)

    out = np.zeros(6)
    k[1, 1](out, -2)
    assert out.tolist() == [1] * 6


def test_items_of_tuples():
    def k(out, n):
        t = (1, n, 2.5, n)
        out[0] = t.index(n)
        out[1] = t.index(2.5)
        out[2] = ((1, 2), (n, 4)).index((3, 4))
        out[3] = tuple(t)[1]
        out[4] = len(tuple())
        out[5] = n

    agree(k, 3)


def test_item_that_is_not_there():
    def k(out, n):
        out[0] = 1
        out[1] = (1, 2, n).index(5)
        out[0] = 2

    out = np.zeros(2)
    cuda.jit(k)[1, 1](out, 3)
    assert out.tolist() == [1, 0]
    with pytest.raises(ValueError, match="x not in tuple"):
        cuda.jit(k, debug=True, opt=False)[1, 1](out, 3)
