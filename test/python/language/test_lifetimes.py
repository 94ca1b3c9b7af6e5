# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays, iterators, tuples and closures that outlive the call or the iteration
of a loop that made them, with the same functions run by Python as oracle: there
a local array is an array of NumPy."""

import types

import numpy as np
import pytest

from pyk import cuda


def as_python(function):
    """The function with all that it calls, on arrays of NumPy."""
    local = types.SimpleNamespace(array=np.zeros)
    scope = dict(globals(), cuda=types.SimpleNamespace(local=local))
    for name, value in globals().items():
        value = getattr(value, "py_func", value)
        if isinstance(value, types.FunctionType):
            scope[name] = types.FunctionType(value.__code__, scope, name)
    return scope[function.__name__]


#: What no function here writes.
UNWRITTEN = -0.375


def agree(function, *arguments, size=8):
    """Runs `function` as a kernel and as Python, and compares the arrays."""
    found, expected = np.full(size, UNWRITTEN), np.full(size, UNWRITTEN)
    as_python(function)(expected, *arguments)
    assert (expected != UNWRITTEN).any()
    cuda.jit(function)[1, 1](found, *arguments)
    np.testing.assert_array_equal(found, expected)


@cuda.jit(device=True)
def fill(start):
    values = cuda.local.array(4, np.float64)
    for i in range(4):
        values[i] = start + i
    return values


def an_array(out, n):
    out[:4] = fill(n)


def a_view(out, n):
    def last(start):
        return fill(start)[1:][::-1]

    out[:3] = last(n)


def a_part_of_a_row(out, n):
    def row(i):
        rows = cuda.local.array((2, 3), np.float64)
        for r in range(2):
            for c in range(3):
                rows[r, c] = 10 * r + c + n
        return rows[i]

    out[:3] = row(0)
    out[3:6] = row(1)


def an_iterator(out, n):
    for x in iter_of(n):
        out[0] = 10 * out[0] + x


@cuda.jit(device=True)
def iter_of(start):
    return iter(fill(start))


@cuda.jit(device=True)
def zipped(start):
    return zip(fill(start), fill(2 * start))


def a_zip(out, n):
    for x, y in zipped(n):
        out[0] += x * y


def an_iterator_that_was_begun(out, n):
    def begun(start):
        numbers = enumerate(fill(start), 3)
        next(numbers)
        return numbers

    for i, x in begun(n):
        out[i] = x


@cuda.jit(device=True)
def pair(start):
    return fill(start), 0


def a_tuple(out, n):
    first, second = pair(n), pair(n + 4)
    out[:4] = first[0]
    out[4:] = second[0]


def a_closure(out, n):
    def make(start):
        values = fill(start)

        def get(i):
            return values[i]

        return get

    first, second = make(n), make(n + 9)
    out[0] = first(1)
    out[1] = second(1)


def by_nonlocal(out, n):
    values = fill(0)

    def replace(start):
        nonlocal values
        values = fill(start)

    first = values
    replace(n)
    out[:4] = values
    out[4:] = first


def through_three_functions(out, n):
    def outer(start):
        a, _ = pair(start)
        return a, pair(start + 4)

    a, (b, _) = outer(n)
    out[:4] = a
    out[4:] = b


def either(out, n):
    def choose(start, given):
        values = fill(start)
        if start > 2:
            return values
        return given

    given = fill(50)
    out[:4] = choose(n, given)
    out[4:] = choose(1, given)


def the_last_turn(out, n):
    p = pair(1)
    q = p
    for j in range(n):
        q = p
        p = pair(10 * j + 5)
    out[:4] = q[0]
    out[4:] = p[0]


@cuda.jit(device=True)
def doubled(given):
    values = cuda.local.array(4, np.float64)
    for i in range(4):
        values[i] = 2 * given[3 - i] + i
    return values


def a_state(out, n):
    state = fill(1)
    for _ in range(n):
        state = doubled(state)
    out[:4] = state


def best_of_all(out, n):
    best = fill(0)
    for j in range(n):
        candidate = fill(j * (5 - j))
        if candidate[0] > best[0]:
            best = candidate
    out[:4] = best


def arrays_of_this_loop(out, n):
    last = cuda.local.array(2, np.float64)
    last[0] = last[1] = 1
    for j in range(n):
        both = cuda.local.array(2, np.float64)
        both[0] = last[1]
        both[1] = last[0] + last[1]
        last = both
    out[:2] = last


def three_turns_back(out, n):
    a = b = c = fill(0)
    for j in range(n):
        a, b, c = b, c, fill(10 * (j + 1))
    out[0], out[1], out[2] = a[0], b[1], c[2]


def of_an_outer_turn(out, n):
    kept = fill(0)
    for j in range(n):
        for i in range(n):
            new = fill(10 * j + i)
            if i == j:
                kept = new
        out[j] = kept[1]


def a_while_loop(out, n):
    values = fill(n)
    while values[0] > 0:
        before = values
        values = fill(values[0] - 1)
        if values[0] == 1:
            break
    out[:4] = before
    out[4:] = values


def a_loop_within_a_callee(out, n):
    def last_two(count):
        a = b = fill(0)
        for j in range(count):
            a, b = b, fill(j)
        return a, b

    kept = last_two(n)
    last_two(n + 3)
    a, b = kept
    out[:4] = a
    out[4:] = b


def iterators_of_turns(out, n):
    old = iter(range(3))
    for _ in range(n):
        new = iter(range(5, 9))
        out[0] += next(new)
        out[1] = 10 * out[1] + next(old)
        old = new


def of_each_level(out, n):
    def sums(level):
        values = fill(level)
        if level > 0:
            below = sums(level - 1)
            for i in range(4):
                values[i] += 10 * below[i]
        return values

    out[:4] = sums(n)


@cuda.jit(device=True)
def circle(level):
    values = fill(level)
    if level > 0:
        other = circle_back(level - 1)
        values[0] = other[0][1]
    return values


@cuda.jit(device=True)
def circle_back(level):
    values = fill(5 * level)
    if level > 0:
        values[1] += circle(level - 1)[0]
    return values, level


def of_functions_in_a_circle(out, n):
    out[:4] = circle(n)


def given_through_levels(out, n):
    def deep(level, values):
        if level == 0:
            return values, iter_of(n)
        values[level] = level
        values, _ = deep(level - 1, values)
        return values, iter_of(level)

    values, it = deep(n, fill(7))
    out[:4] = values
    for x in it:
        out[4] = 10 * out[4] + x


POINT = np.dtype([("x", "f8"), ("y", "f8")])


def a_record(out, n):
    def point(x):
        points = cuda.local.array(3, POINT)
        for i in range(3):
            points[i].x = x + i
            points[i].y = -x
        return points[1]

    p, q = point(n), point(n + 1)
    out[0], out[1], out[2] = p.x, p.y, q.x


PROGRAMS = [
    an_array,
    a_view,
    a_part_of_a_row,
    an_iterator,
    a_zip,
    an_iterator_that_was_begun,
    a_tuple,
    a_closure,
    by_nonlocal,
    through_three_functions,
    either,
    the_last_turn,
    a_state,
    best_of_all,
    arrays_of_this_loop,
    three_turns_back,
    of_an_outer_turn,
    a_while_loop,
    a_loop_within_a_callee,
    iterators_of_turns,
    of_each_level,
    of_functions_in_a_circle,
    given_through_levels,
]


@pytest.mark.parametrize("program", PROGRAMS)
def test_local_memory_lives_as_long_as_it_is_held(program):
    agree(program, 3)


def test_records_outlive_their_function():
    out = np.zeros(8)
    cuda.jit(a_record)[1, 1](out, 3)
    assert out[:3].tolist() == [4, -3, 5]


@cuda.jit(device=True)
def returned_array(level, start):
    values = fill(start)
    if level == 0:
        return values, 0
    return returned_array(level - 1, start)


@cuda.jit(device=True)
def returned_iterator(level):
    if level == 0:
        return iter(range(3))
    return returned_iterator(level - 1)


@cuda.jit(device=True)
def returned_closure(level, start):
    values = fill(start)

    def get(i):
        return values[i]

    if level == 0:
        return get
    return returned_closure(level - 1, start)


def by_nonlocal_in_a_circle(out, n):
    values = fill(0)

    def replace(level):
        nonlocal values
        if level == 0:
            values = fill(n)
        else:
            replace(level - 1)

    replace(n)
    out[0] = values[0]


@cuda.jit(device=True)
def in_a_loop_of_levels(level):
    values = fill(level)
    for i in range(level):
        values = in_a_loop_of_levels(level - 1 - i)
    return values


def use_array(out, n):
    out[0] = returned_array(n, 100.0)[0][2]


def use_iterator(out, n):
    for i in returned_iterator(n):
        out[0] += i


def use_closure(out, n):
    out[0] = returned_closure(n, 100.0)(2)


def use_loop(out, n):
    out[0] = in_a_loop_of_levels(n)[0]


@pytest.mark.parametrize(
    ("program", "function", "place"),
    [
        (use_array, "returned_array", "values = fill(start)"),
        (use_iterator, "returned_iterator", "return iter(range(3))"),
        (use_closure, "returned_closure", "values = fill(start)"),
        (by_nonlocal_in_a_circle, "replace", "values = fill(n)"),
        (use_loop, "in_a_loop_of_levels", "values = fill(level)"),
    ],
)
def test_memory_of_calls_in_a_circle_does_not_leave_them(
    program, function, place
):
    with pytest.raises(
        cuda.errors.LoweringError, match="calls in a circle"
    ) as caught:
        cuda.jit(program)[1, 1](np.zeros(8), 3)
    message = str(caught.value)
    assert f"'{function}' may return local memory" in message.replace(
        "by_nonlocal_in_a_circle.", ""
    )
    assert "what this call returns is returned" in message
    assert "let the first caller pass an array" in message
    assert place in message
