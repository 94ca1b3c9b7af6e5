# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Assignments within expressions: `:=` and calls of functions with `nonlocal`,
with the same function run by Python as oracle."""

import itertools

import numpy as np
import pytest

from pyk import CompileError, cuda


def within_and(n, x, out):
    y = -1.0
    if n > 0 and (y := x * 2) > 3:
        out[0] = y
    out[1] = y


def within_or(n, x, out):
    y = 0.5
    out[0] = n > 2 or (y := n * x) > 1
    out[1] = y


def in_both_arms(n, x, out):
    out[0] = (y := n + 1) if x > 1 else (y := x * 10)
    out[1] = y


def in_one_arm(n, x, out):
    k = 5
    out[0] = (k := n) if x > 1 else k
    out[1] = k
    out[2] = k if x > 2 else (k := 9)
    out[3] = k


def in_a_condition(n, x, out):
    k = j = 0
    while k < 10 and (j := k + n) < 8:
        k += 2
    else:
        out[2] = j
    out[0] = k
    out[1] = j


def in_a_chain(n, x, out):
    k = 7
    out[0] = 1 < n < (k := x)
    out[1] = k


def within_one_another(n, x, out):
    k = 0
    out[0] = x > 1 and (n > 1 or (k := 4) > 1) and (k := k + 1) > 0
    out[1] = k


def perhaps_none(n, x, out):
    k = None
    if x > 1 and (k := n) > 1:
        out[0] = k + 1
    out[1] = -1 if k is None else k


def at_a_break(n, x, out):
    for j in range(6):
        if j > n and (k := j * j) > x:
            out[0] = k
            break


def known(n, x, out):
    k = 1
    if True and (k := n):
        out[0] = k
    if False and (k := 7):
        out[1] = k
    out[2] = k


def nonlocal_result(n, x, out):
    k = n

    def add(y, by=3):
        nonlocal k
        k += by
        return k * y

    out[0] = add(2)
    out[1] = add(by=1, y=x) - add(1)
    out[2] = k


def nonlocal_returns_early(n, x, out):
    k = n

    def f():
        nonlocal k
        if x > 1:
            return 1
        k = 3.5
        for j in range(n):
            k += j
        return 2

    out[0] = f()
    out[1] = k


def nonlocal_perhaps_none(n, x, out):
    k = 0

    def f():
        nonlocal k
        k = n
        if x > 1:
            return x

    r = f()
    out[0] = 0 if r is None else r
    out[1] = k


def nonlocal_swap(n, x, out):
    a, b = n, x

    def swap():
        nonlocal a, b
        a, b = b, a

    swap()
    out[0] = a
    out[1] = b


def nonlocal_of_the_middle(n, x, out):
    def count():
        k = n

        def up():
            nonlocal k
            k += 1
            return k

        return up() + up()

    out[0] = count()


def nonlocal_of_the_outermost(n, x, out):
    k = n

    def double():
        def inner():
            nonlocal k
            k = k * 2

        inner()
        inner()

    double()
    out[0] = k


def nonlocal_calls_itself(n, x, out):
    k = 0

    def down(m):
        nonlocal k
        k += m
        if m > 0:
            down(m - 1)

    down(n)
    out[0] = k


def nonlocal_in_conditions(n, x, out):
    k = 0

    def up():
        nonlocal k
        k += 1
        return k

    while up() < n:
        out[0] += 1
    out[1] = x > 1 and up() > 2
    out[2] = k


def nonlocal_that_shadows(n, x, out):
    k = n

    def outer():
        k = x

        def set(k):
            return k + 1

        return set(k)

    def up():
        nonlocal k
        k += 1

    out[0] = outer()
    up()
    out[1] = k


def nonlocal_in_a_function_like_a_parameter(n, x, out):
    k = 1

    def x():
        nonlocal k
        k = n

    x()
    out[0] = k


@pytest.mark.parametrize(
    "function",
    [
        within_and,
        within_or,
        in_both_arms,
        in_one_arm,
        in_a_condition,
        in_a_chain,
        within_one_another,
        perhaps_none,
        at_a_break,
        known,
        nonlocal_result,
        nonlocal_returns_early,
        nonlocal_perhaps_none,
        nonlocal_swap,
        nonlocal_of_the_middle,
        nonlocal_of_the_outermost,
        nonlocal_calls_itself,
        nonlocal_in_conditions,
        nonlocal_that_shadows,
        nonlocal_in_a_function_like_a_parameter,
    ],
    ids=lambda function: function.__name__,
)
def test_as_python(function):
    kernel = cuda.jit(function)
    for n, x in itertools.product((0, 1, 2, 3, 6), (0.5, 1.5, 2.5, 7.0)):
        out, expected = np.zeros(5), np.zeros(5)
        kernel[1, 1](n, x, out)
        function(n, x, expected)
        np.testing.assert_array_equal(out, expected, f"n = {n}, x = {x}")


def passed_on(n, out):
    k = 0

    def up():
        nonlocal k
        k += 1

    f = up
    f()


def in_a_lambda(n, out):
    k = 0

    def up():
        nonlocal k
        k += 1
        return k

    f = lambda: up()  # noqa: E731
    out[0] = f()


def of_two_names(n, out):
    k = 0
    if n > 1:

        def up():
            nonlocal k
            k += 1

    else:

        def up():
            nonlocal k
            k += 2

    up()


def make_of_the_host():
    count = 0

    def of_the_host(n, out):
        nonlocal count
        count = n

    return of_the_host


@pytest.mark.parametrize(
    "function, message",
    [
        (
            passed_on,
            "nested function 'up', which assigns a variable that is "
            "'nonlocal', other than called by its name cannot be used",
        ),
        (
            in_a_lambda,
            "a call of 'up', which assigns a variable that is 'nonlocal', "
            "within another function cannot be used",
        ),
        (
            of_two_names,
            "more than one 'up' of which one assigns a variable that is "
            "'nonlocal' cannot be used",
        ),
        (
            make_of_the_host(),
            "an assignment to a variable of the function around the kernel "
            "cannot be used",
        ),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_message(function, message):
    with pytest.raises(CompileError) as caught:
        cuda.jit(function)[1, 1](3, np.zeros(2))
    assert message in str(caught.value)
