# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The `else` of loops, with the same function run by Python as oracle."""

import itertools

import numpy as np
import pytest

from pyk import cuda


def for_breaks(a, out):
    for i in range(a[0]):
        if i == a[1]:
            break
    else:
        out[0] = 5
    out[1] = a[1]


def while_breaks(a, out):
    n = 0
    while n < a[0]:
        n += 1
        if n == a[1]:
            break
    else:
        n = 100
    out[0] = n


def exits_of_outer_loop(a, out):
    for j in range(3):
        for i in range(a[0]):
            if i == a[1]:
                break
        else:
            if j == 1:
                break
            out[3] += 1
            continue
        out[0] += 10
    out[1] = j


def returns(a, out):
    for i in range(a[0]):
        out[0] += i
    else:
        out[1] = 7
        return
    out[2] = 1


def returns_within_loop(a, out):
    while a[0] > 5:
        a[0] -= 1
        if a[0] == a[1]:
            return
    else:
        out[0] = 3
        for k in (1, 2):
            if a[1] == k:
                break
        else:
            out[1] = 9


def nested(a, out):
    for i in range(2, a[0]):
        for j in range(2, i):
            if i % j == 0:
                break
        else:
            out[0] += 1


def endless(a, out):
    while True:
        a[0] -= 1
        if a[0] < a[1]:
            break
    else:
        # Never reached, so never typed.
        out[0] = "text" + 1
    out[1] = a[0]


def never_turns(a, out):
    for x in ():
        out[0] = 1
    else:
        out[1] = 2
    while False:
        out[2] = 1
    else:
        if a[0] == 3:
            return
        out[3] = 4
    out[4] = 1


def never_turns_and_assigns(a, out):
    c = 1
    n = 0
    while n < 0:
        n += 1
    else:
        if abs(a[1]) == 5:
            return
        c = a[0] * 0.5
    d = 1
    for x in ():
        out[0] = 1
    else:
        if a[1] == 1:
            return
        d = a[0] + 0.25
    out[0] = c
    out[1] = d


def variables_of_both_ways(a, out):
    s = 1
    t = 2
    for i in range(a[0]):
        s = 2.5
        if i == a[1]:
            t = 0.5
            break
        t = i
    else:
        s = s * 4
        u = t
    if a[0] == 0:
        out[3] = u
    out[0] = s
    out[1] = t


def assigned_by_condition(a, out):
    while (n := a[0]) > 3:
        a[0] -= 1
        if n == a[1]:
            break
    else:
        out[0] = n * 2
    out[1] = n


def within_else(a, out):
    for i in range(a[0]):
        if i == a[1]:
            break
    else:
        for j in range(4):
            if j == a[1]:
                break
        else:
            while a[0] > 0:
                a[0] -= 3
            else:
                out[0] = a[0]


@pytest.mark.parametrize(
    "function",
    [
        for_breaks,
        while_breaks,
        exits_of_outer_loop,
        returns,
        returns_within_loop,
        nested,
        endless,
        never_turns,
        never_turns_and_assigns,
        variables_of_both_ways,
        assigned_by_condition,
        within_else,
    ],
    ids=lambda function: function.__name__,
)
def test_as_python(function):
    kernel = cuda.jit(function)
    for case in itertools.product((0, 1, 3, 9, 20), (-1, 0, 1, 2, 5)):
        out, expected = np.zeros(5), np.zeros(5)
        kernel[1, 1](np.array(case), out)
        function(np.array(case), expected)
        np.testing.assert_array_equal(out, expected, str(case))


def test_breaks_do_not_widen_what_else_reads():
    """Only the end of the loop reaches `else`: there `s` is an int."""

    @cuda.jit
    def k(out, n):
        s = 1
        for s in range(n[0]):
            break
        else:
            s |= 6
        out[0] = s

    out = np.zeros(1)
    k[1, 1](out, np.zeros(1, np.uint64))
    assert out[0] == 7
    k[1, 1](out, np.ones(1, np.uint64))
    assert out[0] == 0


def test_breaks_may_have_another_type():
    """A variable of one way out need not unify with that of the other."""

    @cuda.jit
    def k(a, out):
        x = a
        while out[0] < 3:
            x = 1
            if out[0] == 1:
                break
            out[0] += 1
            x = a
        else:
            out[1] = x[0]

    out = np.array([2.0, 0])
    k[1, 1](np.array([7.0]), out)
    np.testing.assert_array_equal(out, [3, 7])


def test_raise_in_else():
    @cuda.jit(debug=True)
    def k(a, out):
        for j in range(2):
            for i in range(a[0]):
                out[0] += 1
            else:
                raise ValueError("at the end")
            out[1] = 1

    out = np.zeros(2)
    with pytest.raises(ValueError, match="at the end"):
        k[1, 1](np.array([2]), out)


def test_break_sees_what_else_does_not():
    @cuda.jit
    def k(a, out):
        for i in range(a[0]):
            found = i
            if i == a[1]:
                break
        else:
            found = -1
        out[0] = found

    out = np.zeros(1)
    for a, expected in [((5, 3), 3), ((5, 7), -1), ((0, 0), -1)]:
        k[1, 1](np.array(a), out)
        assert out[0] == expected


def test_variable_that_only_a_break_assigns():
    """No assignment leads to the read, so it is zero, as in Numba."""

    @cuda.jit
    def k(a):
        for i in range(a[0]):
            if i == 3:
                x = 1.5
                break
        else:
            a[1] = x + 4

    a = np.array([2, 9])
    k[1, 1](a)
    assert a.tolist() == [2, 4]
    a = np.array([5, 9])
    k[1, 1](a)
    assert a.tolist() == [5, 9]


def test_a_break_leaves_what_nothing_reads():
    """`x` is a number at the break, where nothing reads it any more."""

    @cuda.jit
    def k(a, out):
        x = a
        while out[0] < 3:
            out[1] += x[0]
            x = 1
            if out[0] == 1:
                break
            out[0] += 1
            x = a
        out[2] = 9

    out = np.zeros(3)
    k[1, 1](np.array([7.0]), out)
    np.testing.assert_array_equal(out, [1, 14, 9])
