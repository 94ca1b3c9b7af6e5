# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Device functions with signatures: which types their numbers have."""

import numpy as np
import pytest

from pyk import cuda
from pyk.cuda import errors
from pyk.types import float32, int64, void


@cuda.jit("int32(int32, int32)", device=True)
def pack(high, low=1):
    return high << 16 | low & 0xFFFF


@cuda.jit((float32,), device=True)
def half(x):
    return x / 2


@cuda.jit(void(float32[:], int64), device=True)
def put(a, i):
    a[i] = 7


@cuda.jit("float64(int64)", device=True)
def factorial(n):
    return n * factorial(n - 1) if n > 1 else 1


# Numbers are cut off as an assignment to an int32 would.
def test_arguments_are_cast():
    @cuda.jit
    def k(a):
        a[0] = pack(2.75, 1.5)
        a[1] = pack(low=np.float32(-0.5), high=True)
        a[2] = pack(np.uint64(3))

    a = np.zeros(3, np.int64)
    k[1, 1](a)
    assert a.tolist() == [2 << 16 | 1, 1 << 16, 3 << 16 | 1]


# The result wraps at 32 bits, although the kernel adds in 64.
def test_result_is_cast():
    @cuda.jit
    def k(a):
        a[0] = pack(0x7FFF, 0xFFFF) + 1
        a[1] = pack(0xFFFF, 0)

    a = np.zeros(2, np.int64)
    k[1, 1](a)
    assert a.tolist() == [1 << 31, -(1 << 16)]


@cuda.jit("UniTuple(int32, 2)(float64, Tuple((i4, f4)))", device=True)
def both(x, pair):
    return x + pair[0], pair[1]


@cuda.jit("optional(int8)(optional(int16))", device=True)
def least(x):
    if x is None or x > 1:
        return x


# Each item is cast; None stays None.
def test_tuples_and_optionals_are_cast():
    @cuda.jit("void(float64[:], UniTuple(float64, 2))")
    def k(a, t):
        p = both(2.5, (2.5, 7.75))
        a[0] = p[0] / 2 + t[0]
        a[1] = p[1] + t[1]
        for i in range(3):
            x = least(255 + i)
            a[2] = a[2] * 10 if x is None else a[2] * 10 + x
        a[3] = least(None) is None
        a[4] = least(1) is None

    a = np.zeros(5)
    k[1, 1](a, (1, 2))
    # 255 is -1 in eight bits, then come 0 and 1.
    assert a.tolist() == [3, 9, -99, 1, 1]
    with pytest.raises(TypeError, match="not for argument 't' of type tuple"):
        k[1, 1](a, (1, 2, 3))
    with pytest.raises(TypeError, match="not for argument 't' of type tuple"):
        k[1, 1](a, (1, None))


def test_a_kernel_takes_no_optional():
    with pytest.raises(TypeError, match="a kernel cannot take int32 or None"):

        @cuda.jit("void(int32[:], optional(int32))")
        def k(a, x):
            a[0] = 0


# What is halved is a float32, although the launch passes a float64.
def test_result_left_open():
    @cuda.jit
    def k(a, x):
        a[0] = half(x)

    a = np.zeros(1)
    k[1, 1](a, 0.2)
    assert a[0] == np.float32(0.2) / 2


def test_no_result_and_arrays():
    @cuda.jit
    def k(a):
        put(a, 1.5)

    a = np.zeros(3, np.float32)
    k[1, 1](a)
    assert a.tolist() == [0, 7, 0]


# Each level is called by its declared types, at first or from the first on.
def test_recursion():
    @cuda.jit
    def k(a):
        a[0] = factorial(20.5)
        a[1] = factorial(3)

    a = np.zeros(2)
    k[1, 1](a)
    assert a.tolist() == [2432902008176640000, 6]


def test_array_for_a_number():
    @cuda.jit
    def k(a):
        a[0] = half(a)

    with pytest.raises(
        errors.TypingError, match="number to convert to float32"
    ):
        k[1, 1](np.zeros(1))
