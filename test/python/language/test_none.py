# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""None on some paths of kernels, with Python as oracle."""

import numpy as np
import pytest

from pyk import cuda
from pyk.cuda._host_function import HostFunction
from support.one_thread import UNWRITTEN, agree, run


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
