# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls on constants that are answered before anything is compiled."""

import numpy as np
import pytest

import pyk
from pyk import cuda


def test_float_of_a_text():
    @cuda.jit
    def k(a, out):
        best = float("inf")
        for x in a:
            best = min(best, x)
        out[0] = best
        out[1] = float(" -Inf ")
        out[2] = float("1_0.5e1")
        out[3] = float("nan") != float("nan")

    out = np.zeros(4)
    k[1, 1](np.array([3.0, -2.0, 5.0]), out)
    np.testing.assert_array_equal(out, [-2, -np.inf, 105, 1])


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_limits_of_floats(dtype):
    @cuda.jit
    def k(out, bits):
        limits = np.finfo(dtype)
        out[0] = limits.eps
        out[1] = np.finfo(dtype).max
        out[2] = limits.min
        out[3] = limits.tiny
        bits[0] = limits.bits + limits.nmant

    out, bits = np.zeros(4, dtype), np.zeros(1, np.int64)
    k[1, 1](out, bits)
    limits = np.finfo(dtype)
    expected = [limits.eps, limits.max, limits.min, limits.tiny]
    np.testing.assert_array_equal(out, expected)
    assert bits[0] == limits.bits + limits.nmant


@pytest.mark.parametrize("dtype", [np.int8, np.uint32, np.int64, np.uint64])
def test_limits_of_integers(dtype):
    @cuda.jit
    def k(out):
        out[0] = np.iinfo(dtype).max
        out[1] = np.iinfo(dtype).min

    out = np.ones(2, dtype)
    k[1, 1](out)
    np.testing.assert_array_equal(
        out, [np.iinfo(dtype).max, np.iinfo(dtype).min]
    )


def test_limits_keep_the_type():
    """As NumPy has them: `eps` of float32 is a float32."""

    @cuda.jit
    def k(a, out):
        out[0] = a[0] + np.finfo(np.float32).eps * np.float32(0.5)

    out = np.zeros(1)
    k[1, 1](np.ones(1, np.float32), out)
    # In float64 the sum would be above 1.
    assert out[0] == 1


def test_dtype_within_a_kernel():
    @cuda.jit
    def k(out):
        a = cuda.local.array(3, np.dtype("int16"))
        a[:] = (1, 2.7, 70000)
        for i in range(3):
            out[i] = a[i]

    out = np.zeros(3)
    k[1, 1](out)
    np.testing.assert_array_equal(out, [1, 2, 70000 - 65536])


# As in NumPy, and of the widths that ints have.
def test_numbers_without_a_sign_are_no_ints():
    @cuda.jit
    def k(x, out):
        out[0] = isinstance(x, int)
        out[1] = isinstance(x, (float, int))
        out[2] = isinstance(x, np.integer)

    out = np.zeros(3, bool)
    for number in (np.uint64(3), np.uint32(3)):
        k[1, 1](number, out)
        assert out.tolist() == [False, False, True]


def test_class_of_a_dtype():
    @cuda.jit
    def k(a, out):
        kind = a.dtype
        out[0] = kind.type(2.5) * a.dtype.type(3)

    out = np.zeros(1)
    k[1, 1](np.zeros(1, np.float32), out)
    assert out[0] == 7.5
    k[1, 1](np.zeros(1, np.int8), out)
    assert out[0] == 6


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('float("abc")', "float('abc') (could not convert string to float"),
        ("np.finfo(np.int32).eps", "np.finfo(np.int32) (data type"),
        ("np.datetime64('now')", "np.datetime64('now') (a kernel is compiled"),
        ("np.datetime64(a[0])", "np.datetime64(...) of anything but constants"),
        ("np.dtype(a)", "np.dtype(...) of anything but constants"),
    ],
)
def test_refused(text, message, tmp_path):
    path = tmp_path / "program.py"
    path.write_text(f"def k(a):\n    a[0] = {text}\n")
    names = {"np": np}
    exec(compile(path.read_text(), str(path), "exec"), names)  # noqa: S102
    with pytest.raises(pyk.CompileError) as caught:
        cuda.jit(names["k"])[1, 1](np.zeros(1))
    assert type(caught.value).__name__ == "UnsupportedError"
    assert message in str(caught.value)
