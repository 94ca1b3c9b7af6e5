# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reductions of arrays against NumPy, for every type, rank and layout."""

import math

import numpy as np
import pytest

from pyk import cuda
from support.scalars import FLOATS, SIGNED, TYPES, compile_text

REDUCTIONS = [
    *("sum", "prod", "mean", "var", "std", "min", "max", "argmin", "argmax"),
    *("any", "all", "count_nonzero", "ptp"),
]


def kernel(expression):
    return compile_text(f"def k(a, out):\n    out[0] = {expression}\n")


def sample(dtype, shape=(2, 3, 4)):
    random = np.random.default_rng(7)
    if dtype == "b1":
        return random.integers(0, 2, shape).astype(bool)
    least = -5 if dtype in FLOATS or dtype in SIGNED else 0
    return random.integers(least, 6, shape).astype(dtype)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("name", REDUCTIONS)
def test_reduction(name, dtype):
    if (name, dtype) == ("ptp", "b1"):
        pytest.skip("NumPy refuses it")
    reduce = kernel(f"np.{name}(a)")
    whole = sample(dtype)
    if name == "prod" and dtype != "b1":
        # A float16 holds little.
        whole = np.clip(whole, 1, 2)
    for a in (
        whole,
        whole[0, 0],
        whole[:, ::2, ::-1],
        whole.transpose(2, 0, 1),
        np.asfortranarray(whole[0]),
        np.zeros((0, 3), dtype) if name in ("sum", "prod", "any") else whole,
    ):
        out = np.full(1, 77.0)
        reduce[1, 1](a, out)
        with np.errstate(all="ignore"):
            exact = a if dtype not in FLOATS else a.astype("f8")
            expected = getattr(np, name)(exact)
        tolerance = {"f2": 1e-2, "f4": 1e-5}.get(dtype, 1e-13)
        np.testing.assert_allclose(out[0], float(expected), tolerance)


@pytest.mark.parametrize("name", REDUCTIONS[:-2])
def test_method(name):
    a, out = sample("f8"), np.full(1, 77.0)
    kernel(f"a.{name}()")[1, 1](a, out)
    np.testing.assert_allclose(out[0], getattr(a, name)(), 1e-13)


def test_not_a_number_is_least_and_largest():
    a = np.array([1, np.nan, -3, np.nan, 9])
    for name, expected in [
        ("min", math.nan),
        ("max", math.nan),
        ("argmin", 1),
        ("argmax", 1),
    ]:
        out = np.zeros(1)
        kernel(f"a.{name}()")[1, 1](a, out)
        np.testing.assert_array_equal(out[0], expected)


@pytest.mark.parametrize("dtype", ["f4", "f8", "i4"])
@pytest.mark.parametrize(
    "name", ["sum", "prod", "mean", "var", "std", "min", "max"]
)
def test_reduction_without_nan(name, dtype):
    whole = sample(dtype)
    if name == "prod":
        whole = np.clip(whole, 1, 2)
    if dtype != "i4":
        whole[::2, 1, 1:] = math.nan
    reduce = kernel(f"np.nan{name}(a)")
    for a in (whole, whole[0, 1], whole.T, whole[0, 0, 0:1].reshape(())):
        out = np.full(1, 77.0)
        reduce[1, 1](a, out)
        expected = getattr(np, f"nan{name}")(a.astype("f8"))
        np.testing.assert_allclose(out[0], expected, 1e-5)


def test_nothing_but_nan():
    out = np.zeros(2)
    compile_text(
        "def k(a, out):\n"
        "    out[0] = np.nanmin(a)\n"
        "    out[1] = np.nanmean(a)\n"
    )[1, 1](np.full(3, math.nan), out)
    assert np.isnan(out).all()


def test_first_of_equals():
    a, out = np.array([2, 5, 5, 2, 2]), np.zeros(2)
    compile_text(
        "def k(a, out):\n    out[0] = a.argmin()\n    out[1] = a.argmax()\n"
    )[1, 1](a, out)
    assert out.tolist() == [0, 1]


def test_nothing_to_reduce():
    """An extreme of no elements is 0: a kernel cannot raise."""
    out = np.ones(4)
    compile_text(
        "def k(a, out):\n"
        "    out[0] = a.min()\n"
        "    out[1] = a.max()\n"
        "    out[2] = a.argmin()\n"
        "    out[3] = a.sum()\n"
    )[1, 1](np.zeros(0), out)
    assert out.tolist() == [0, 0, 0, 0]


def test_floats_are_added_in_order():
    """Numba's loop, not NumPy's tree."""
    a = np.random.default_rng(1).random(1000).astype(np.float32)
    total = np.float32(0)
    for x in a:
        total += x
    out = np.zeros(1)
    kernel("a.sum()")[1, 1](a, out)
    assert out[0] == total != a.sum()


def test_dimension_less_array():
    out = np.zeros(1)
    kernel("a.sum() + a.max() + a.argmax()")[1, 1](np.array(4.0), out)
    assert out[0] == 8


def test_reduction_of_a_shared_tile():
    @cuda.jit
    def k(a, out):
        tile = cuda.shared.array((2, 3), np.float32)
        i = cuda.threadIdx.x
        if i < 6:
            tile[i // 3, i % 3] = a[i]
        cuda.syncthreads()
        if i == 0:
            out[0] = tile.sum()
            out[1] = tile[1].max()
            out[2] = np.dot(tile[0], tile[1])

    a, out = np.arange(6, dtype=np.float32), np.zeros(3)
    k[1, 32](a, out)
    assert out.tolist() == [15, 5, 14]


def test_other_functions_of_arrays():
    text = (
        "def k(a, b, out):\n"
        "    out[0] = np.trace(a)\n"
        "    out[1] = np.size(a) + 10 * np.ndim(a) + 100 * np.shape(a)[1]\n"
        "    out[2] = np.ndim(out[0])\n"
        "    out[3] = np.searchsorted(b, 3)\n"
        "    out[4] = np.searchsorted(b, 99)\n"
        "    out[5] = np.dot(b, b)\n"
        "    np.copyto(a, 7)\n"
    )
    a, b, out = np.arange(6.0).reshape(2, 3), np.array([1, 3, 5]), np.zeros(6)
    compile_text(text)[1, 1](a, b, out)
    assert out.tolist() == [4, 6 + 20 + 300, 0, 1, 3, 35]
    assert (a == 7).all()
