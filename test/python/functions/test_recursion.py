# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions that call each other, or themselves, with Python as oracle."""

import pytest

import pyk
from pyk.cuda._host_function import HostFunction
from support.one_thread import agree, run


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
