# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Accesses with hints for caches: values, instructions, and mistakes."""

import linecache

import numpy as np
import pytest

import pyk
from pyk import cuda
from support.short_floats import BFLOAT16

LOADS = ("ldca", "ldcg", "ldcs", "ldlu", "ldcv")
STORES = ("stwb", "stcg", "stcs", "stwt")
DTYPES = (
    *("?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8"),
    *BFLOAT16,
)


def make(body):
    text = "def k(out, a, i, s):\n" + "".join(
        f"    {line}\n" for line in body.splitlines()
    )
    name = f"<{body}>"
    linecache.cache[name] = len(text), None, text.splitlines(True), name
    scope = {"cuda": cuda, "np": np}
    exec(compile(text, name, "exec"), scope)
    return cuda.jit(scope["k"])


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("load", LOADS)
def test_loads(load, dtype):
    a = np.arange(-3, 4).astype(dtype)
    out = np.zeros(7, a.dtype)
    kernel = make(
        f"t = cuda.grid(1)\nif t < a.size:\n    out[t] = cuda.{load}(a, t)"
    )
    kernel[1, 32](out, a, 0, 0)
    np.testing.assert_array_equal(out, a)
    ptx = next(iter(kernel.inspect_asm().values()))
    assert f"ld.global.{load[2:]}.b{8 * a.itemsize}" in ptx


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("store", STORES)
def test_stores(store, dtype):
    a = np.arange(-3, 4).astype(dtype)
    out = np.zeros(7, a.dtype)
    kernel = make(
        f"t = cuda.grid(1)\nif t < a.size:\n    cuda.{store}(out, t, a[t])"
    )
    kernel[1, 32](out, a, 0, 0)
    np.testing.assert_array_equal(out, a)
    ptx = next(iter(kernel.inspect_asm().values()))
    assert f"st.global.{store[2:]}.b{8 * a.itemsize}" in ptx


def test_indices():
    """Tuples, what counts from the end, strides, floats."""
    a = np.arange(24.0).reshape(2, 3, 4)
    out = np.zeros((3, 2))
    make(
        "cuda.stcs(out, (0, 0), cuda.ldcs(a, (1, i, -1)))\n"
        "row = a[0, ::2]\n"
        "cuda.stcs(out, (1, -1), cuda.ldlu(row, (1, 1)))\n"
        "cuda.stcg(out[2], 1.7, cuda.ldcg(a[1, 2], 2.9))"
    )[1, 1](out, a, 2, 0)
    assert out.tolist() == [[23, 0], [0, 9], [0, 22]]


def test_values_take_the_type_of_the_array():
    out = np.zeros(2, "i4")
    make("cuda.stwt(out, 0, 2.75)\ncuda.stwb(out, 1, True)")[1, 1](
        out, out, 0, 0
    )
    assert out.tolist() == [2, 1]


def test_parts_and_fields():
    a = np.zeros(3, [("n", "i4"), ("x", "f8")])
    a["n"] = 5, 6, 7
    out = np.zeros(2, "c8")
    make("cuda.stcg(out.imag, 1, cuda.ldca(a.n, i))")[1, 1](out, a, 2, 0)
    assert out.tolist() == [0, 7j]


def test_arrays_chosen_by_a_branch():
    a, out = np.arange(4.0), np.zeros(2)
    kernel = make(
        "own = cuda.local.array(4, np.float64)\n"
        "own[1] = 7\n"
        "x = a if s > 0 else own\n"
        "out[i] = cuda.ldca(x, 1)"
    )
    kernel[1, 1](out, a, 0, 0)
    kernel[1, 1](out, a, 1, 1)
    assert out.tolist() == [7, 1]


def test_volatile_loads_see_what_others_write():
    flag, out = np.zeros(1, "i4"), np.zeros(1)
    make(
        "if cuda.blockIdx.x == 0:\n"
        "    while cuda.ldcv(a, 0) == 0:\n"
        "        pass\n"
        "    out[0] = 3\n"
        "else:\n"
        "    cuda.stcg(a, 0, 1)"
    )[2, 1](out, flag, 0, 0)
    assert out[0] == 3


def test_loops_that_wait():
    """A loop reads again whatever the hint."""
    flag, out = np.zeros(1, "i4"), np.zeros(1)
    kernel = make(
        "if cuda.blockIdx.x == 0:\n"
        "    while cuda.ldcg(a, 0) == 0:\n"
        "        pass\n"
        "    out[0] = 3\n"
        "else:\n"
        "    cuda.stcg(a, 0, 1)"
    )
    kernel[2, 1](out, flag, 0, 0)
    assert out[0] == 3


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("ldca(1, 0)", "'cuda.ldca' expects an array but got int64"),
        ("ldca(a)", "'cuda.ldca' takes 2 arguments but 1 was given"),
        ("stcg(a, 0)", "'cuda.stcg' takes 3 arguments but 2 were given"),
        (
            "ldcs(a, (0, 0))",
            "expects at most 1 index for array(float64, 1d, C) but got 2",
        ),
        (
            "ldcs(out, 0)",
            "'cuda.ldcs' expects the index of an element of "
            "array(float64, 2d, C) but got int64",
        ),
        (
            "ldcs(s, 0)",
            "'cuda.ldcs' cannot work on array(complex64, 1d, C)",
        ),
        (
            "stwt(a, 0, out)",
            "'cuda.stwt' expects a number but got array(float64, 2d, C)",
        ),
        ("stwt(a, 0, 1j)", "cannot convert complex128 to float64"),
        (
            "ldca(cuda.shared.array(2, np.int32), 0)",
            "'cuda.ldca' expects an array in global memory but got "
            "array(int32, 1d, C)",
        ),
    ],
)
def test_mistakes(call, message):
    kernel = make(f"cuda.{call}")
    with pytest.raises(pyk.CompileError) as caught:
        kernel[1, 1](np.zeros((2, 2)), np.zeros(2), 0, np.zeros(2, "c8"))
    assert message in str(caught.value).splitlines()[0]


def test_packed_field():
    packed = np.zeros(2, np.dtype([("flag", "i1"), ("count", "i4")]))
    with pytest.raises(
        pyk.CompileError,
        match="'cuda.ldca' cannot work on fields of packed records",
    ):
        make("out[0] = cuda.ldca(a.count, 0)")[1, 1](packed, packed, 0, 0)


def test_read_only_array():
    a = np.zeros(2)
    a.flags.writeable = False
    with pytest.raises(pyk.CompileError, match="expects an array that can be"):
        make("cuda.stcg(a, 0, 1)")[1, 1](a, a, 0, 0)
