# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mistakes in loops over tuples of several types: one error each."""

import re

import numpy as np
import pytest

from pyk import CompileError, cuda
from pyk.cuda import literal_unroll

MIX = (1, 2.5, np.int8(3))
ARRAYS = (np.arange(3.0), np.arange(6, dtype=np.int16).reshape(2, 3))


def message(function, *arguments):
    with pytest.raises(CompileError) as caught:
        cuda.jit(function)[1, 1](np.zeros(8), *arguments)
    return str(caught.value)


def list_of(o):
    for x in literal_unroll([1, 2]):
        o[0] += x


def array_of(o):
    for x in literal_unroll(o):
        o[0] += x


def int_of(o, n):
    for x in literal_unroll(n):
        o[0] += x


def unknown_range(o, n):
    for x in literal_unroll(range(n)):
        o[0] += x


def changing_range(o, n):
    m = 2
    while m < n:
        for x in literal_unroll(range(m)):
            m += x


def no_loop(o):
    t = literal_unroll((1, 2.5))
    o[0] = t[0]


def unused(o):
    literal_unroll((1, 2.5))


def kept(o):
    t = zip(literal_unroll((1, 2.5)))
    for x in t:
        o[0] += x[0]


def no_argument(o):
    for x in literal_unroll():
        o[0] += x


def beside_an_array(o):
    for x, y in zip(literal_unroll((1, 2)), o):
        o[0] += x * y


def too_many(o):
    for x in literal_unroll(range(100000)):
        o[0] += x


def too_many_breaks(o):
    for x in literal_unroll(range(300)):
        if o[0] == x:
            break


def index_that_varies(o, n):
    o[0] = MIX[n]


@pytest.mark.parametrize(
    ("function", "arguments", "expected"),
    [
        (list_of, (), "a list cannot be used in a kernel"),
        (array_of, (), "'numba.literal_unroll' expects a tuple, or a range of"),
        (int_of, (3,), "'numba.literal_unroll' expects a tuple, or a range of"),
        (unknown_range, (3,), "a range of constants, but got range of int64"),
        (changing_range, (3,), "a range of constants, but got range of int64"),
        (no_loop, (), "'numba.literal_unroll' is for what a loop runs over"),
        (unused, (), "'numba.literal_unroll' is for what a loop runs over"),
        (kept, (), "'numba.literal_unroll' is for what a loop runs over"),
        (no_argument, (), "'numba.literal_unroll' takes 1 argument"),
        (beside_an_array, (), "beside 'numba.literal_unroll' to be a tuple"),
        (too_many, (), "for each of 100000 items: a body"),
        (too_many_breaks, (), "with 'break', is compiled 200 times at most"),
        (index_that_varies, (1,), "expects a constant index for tuple(int64"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_mistakes(function, arguments, expected):
    text = message(function, *arguments)
    first = text.splitlines()[0]
    assert expected in first
    line = function.__code__.co_firstlineno
    place = re.match(rf"{re.escape(__file__)}:(\d+):", first)
    assert line < int(place[1]) <= line + 3
    assert text.count("error:") == 1


def test_the_remedy_of_a_varying_index():
    assert "for i in literal_unroll(range(3))" in message(index_that_varies, 1)


def wrong_twice(o):
    for x in literal_unroll((1, 2.5, o)):
        o[0] = x[0]


@cuda.jit(device=True)
def without_items(x):
    return x[0]


def wrong_in_a_function(o):
    for x in literal_unroll((1, 2.5)):
        o[0] = without_items(x)


def truth_of_arrays(o, t):
    for x in literal_unroll(t):
        if x:
            o[0] = 1


def test_a_mistake_of_several_items_is_one_error():
    text = message(wrong_twice)
    assert text.count("error:") == 1
    assert "to index but got int64" in text
    assert "this is item 0 of what the loop runs over, of type int64" in text
    text = message(wrong_in_a_function)
    assert text.count("error:") == 1
    assert "this is item 0" in text
    text = message(truth_of_arrays, ARRAYS)
    assert text.count("error:") == 1


def test_a_mistake_of_one_item_names_it():
    def kernel(o):
        for x in literal_unroll((1, 2.5)):
            o[x] = 1

    text = message(kernel)
    assert "this is item 1 of what the loop runs over, of type float64" in text


def test_tuple_of_the_iteration_before_is_read_too_early():
    @cuda.jit
    def k(out, n):
        for r in range(n):
            if r > 0:
                for _ in t:  # noqa: F821
                    for _ in (1, (2.5,)):
                        out[0] += 1
            t = (out[1], 2)

    with pytest.raises(CompileError, match="'t' is read before it is assigned"):
        k[1, 1](np.zeros(4), 3)
