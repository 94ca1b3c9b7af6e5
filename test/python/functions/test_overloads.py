# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Device functions with several signatures: which of them a call means."""

import re
import sys

import numpy as np
import pytest

from pyk import cuda
from pyk.cuda import errors
from pyk.types import (
    NPDatetime,
    Optional,
    float32,
    float64,
    int8,
    int32,
    int64,
    uint8,
)


@cuda.jit([int32(int32), float32(float32)], device=True)
def half(x):
    return x / 2


def call(function, *values):
    """What a kernel gets from `function`."""

    @cuda.jit
    def k(a, values):
        a[0] = function(*values)

    a = np.zeros(1, np.complex128)
    k[1, 1](a, values)
    return a[0]


# A number goes to the type that loses least of it, and the result is cast.
@pytest.mark.parametrize(
    "value, expected",
    [
        (np.int32(5), 2),
        (np.int8(5), 2),
        (np.float32(5), 2.5),
        (np.float16(5), 2.5),
        (np.float32(1) + np.float32(2**-23), 0.5 + 2**-24),
    ],
)
def test_the_best_is_called(value, expected):
    assert call(half, value) == expected


def test_choices_need_no_package(monkeypatch):
    """Of a bfloat16, which only ml_dtypes gives to NumPy, they know enough."""
    monkeypatch.setitem(sys.modules, "ml_dtypes", None)
    assert call(half, np.float32(5)) == 2.5

    @cuda.jit(["void(float64[:], bfloat16)", "void(float64[:], int64)"])
    def k(a, x):
        a[0] = x / 2

    a = np.zeros(1)
    k[1, 1](a, 5)
    assert a[0] == 2.5


# The order of launches is that of calls, for each pair of types.
@pytest.mark.parametrize("own", [np.int8, np.int16, np.float16, np.float32])
def test_calls_are_matched_as_launches_are(own):
    signatures = [int64(int64), float64(float64)]

    @cuda.jit(signatures, device=True)
    def f(x):
        return x / 2

    @cuda.jit([f"void(complex128[:], {one.args[0]})" for one in signatures])
    def k(a, x):
        a[0] = f(x)

    a = np.zeros(1, np.complex128)
    k[1, 1](a, own(5))
    assert call(f, own(5)) == a[0]


@cuda.jit(
    ["int64(int8, int8)", "int64(int8, float64)", "int64(float64, int8)"],
    device=True,
)
def which(x, y=2):
    return x / 4 * 1000 + y / 4 * 10


# All arguments count together; what is left out has the type of its default.
def test_several_arguments():
    assert call(which, np.int8(1), np.int8(1)) == 252
    assert call(which, np.int8(1), 1.5) == 253
    assert call(which, 1.5, np.int8(1)) == 377
    message = (
        "a call of 'which' that fits (int8, float64) -> int64 and "
        "(float64, int8) -> int64 equally well cannot be used in a kernel"
    )
    with pytest.raises(errors.CompileError, match=re.escape(message)) as caught:
        call(which, 1.5, 1.5)
    assert "convert arguments to the types of the one" in str(caught.value)
    assert "'which' is called here with (float64, float64)" in str(caught.value)

    @cuda.jit
    def k(a):
        a[0] = which(y=np.int8(1), x=2.5)
        a[1] = which(np.int8(3))

    a = np.zeros(2)
    k[1, 1](a)
    assert a.tolist() == [627, 755]


def test_no_signature_fits():
    message = "a call of 'half' with arguments that it is not declared for"
    for value in (np.complex64(1), (1, 2)):
        with pytest.raises(errors.CompileError, match=message) as caught:
            call(half, value)
        assert "(int32) -> int32, (float32) -> float32" in str(caught.value)


@cuda.jit(
    [
        "int32(int8[:], int32)",
        "int32(int8[:, :], int32)",
        "int32(float32[:], int32)",
        "int32(float32[::1], int32)",
    ],
    device=True,
)
def put(a, value):
    a[0] = value / 2
    return a.ndim


# Arrays are told apart by dimensions and dtype, in whatever layout they are.
def test_arrays():
    @cuda.jit
    def k(a, flat, square):
        own = cuda.local.array(2, np.float32)
        a[0] = put(flat, 5)
        a[1] = put(flat[::2], 5)
        a[2] = put(square, 3.9)
        a[3] = put(own, 5)
        a[4] = own[0]

    a = np.zeros(5)
    flat, square = np.zeros(4, np.float32), np.zeros((2, 2), np.int8)
    k[1, 1](a, flat, square)
    assert a.tolist() == [1, 1, 2, 1, 2.5]
    assert flat[0] == 2.5 and square.tolist() == [[1, 1], [0, 0]]
    with pytest.raises(errors.CompileError, match="is not declared for"):
        k[1, 1](a, flat.astype(np.int16), square)


@cuda.jit(
    [int64(Optional(int64)), float32(float32), "int64(UniTuple(int8, 2))"],
    device=True,
)
def length(x):
    if x is None:
        return -1
    return x if not isinstance(x, tuple) else x[0] + x[1]


def test_none_and_tuples():
    assert call(length, None) == -1
    assert call(length, np.float32(2.5)) == 2.5
    assert call(length, np.int64(2**40)) == 2**40
    assert call(length, (257, 2)) == 3


SECONDS, DAYS = NPDatetime("s"), NPDatetime("D")


@cuda.jit([int8(SECONDS), int32(DAYS), int64(int64)], device=True)
def size(x):
    return 2**32 + 2**8 + 1


# Times have one unit.
def test_times():
    assert call(size, np.datetime64(1, "s")) == 1
    assert call(size, np.datetime64(1, "D")) == 257
    assert call(size, 5) == 2**32 + 257
    with pytest.raises(errors.CompileError, match="is not declared for"):
        call(size, np.datetime64(1, "h"))


@cuda.jit([uint8(uint8), int64(int64)], device=True)
def factorial(n):
    return n * factorial(n - 1) if n > 1 else 1


# Each level is a call like others.
def test_recursion():
    assert call(factorial, np.int64(20)) == 2432902008176640000
    assert call(factorial, np.uint8(5)) == 120


# Only one of them is in the kernel, and none is called.
def test_nothing_is_asked_in_the_kernel():
    @cuda.jit("void(float32[::1], int32)")
    def k(a, x):
        a[0] = half(x)

    text = k.stages("gpu", "(float32[::1], int32)")
    assert text.count("func.func") == 3
    assert "scf.if" not in text


def test_compiled_for_c():
    ptx, result = cuda.compile(half, (int8,))
    assert result == float64 and ".visible .func" in ptx


# A function of Python that is declared twice is two device functions.
def test_one_function_declared_twice():
    def third(x):
        return x / 3

    single = cuda.jit("float32(float32)", device=True)(third)
    double = cuda.jit("float64(float64)", device=True)(third)
    assert call(single, 1.0) == np.float32(1) / np.float32(3)
    assert call(double, 1.0) == 1 / 3

    @cuda.jit
    def both(a):
        a[0] = single(1.0)
        a[1] = double(1.0)

    a = np.zeros(2)
    both[1, 1](a)
    assert a.tolist() == [np.float32(1) / np.float32(3), 1 / 3]
