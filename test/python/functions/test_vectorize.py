# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`vectorize`: universal functions of numbers, for all targets."""

import itertools
import math
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pyk
from pyk import cuda, types, vectorize
from pyk.types import float32, int8, int64, uint8
from support.short_floats import BFLOAT16
from universal_functions import (
    ADD,
    TARGETS,
    add,
    half,
)


@pytest.fixture(params=["cuda", "cpu"])
def any_add(request):
    return ADD[request.param]


# Forms of decorators.


@pytest.mark.parametrize(
    "signatures",
    [
        [float32(float32)],
        (float32(float32),),
        float32(float32),
        "float32(float32)",
        ["f4(f4)"],
        [(float32,)],
        (float32,),
        ["(float32,)"],
    ],
)
@pytest.mark.parametrize("target", TARGETS)
def test_signatures(signatures, target):
    ufunc = vectorize(signatures, target=target)(half)
    (name,) = ufunc.types
    declared = "float32(" in str(signatures) or "f4" in str(signatures)
    declared = declared or "-> float32" in str(signatures)
    assert name == ("f->f" if declared else "f->d")
    result = ufunc(np.arange(4, dtype=np.float32))
    assert result.tolist() == [0, 0.5, 1, 1.5]
    assert result.dtype.char == name[-1]


@pytest.mark.parametrize(
    "make", [vectorize, vectorize(), vectorize(target="cuda"), cuda.vectorize]
)
def test_no_signatures(make):
    ufunc = make(half)
    assert ufunc.types == []
    assert ufunc(np.arange(4, dtype=np.int8)).tolist() == [0, 0.5, 1, 1.5]
    assert ufunc(3) == 1.5
    assert ufunc(np.float32(3)).dtype == np.float64
    assert ufunc.types == ["b->d", "l->d", "f->d"]
    ufunc(np.ones(2, np.float32))
    assert ufunc.ntypes == 3


def test_names():
    assert pyk.cuda.vectorize("f8(f8)")(half)._is_of_cuda
    assert not vectorize("f8(f8)")(half)._is_of_cuda
    assert pyk.vectorize is vectorize


def test_attributes():
    assert add.__name__ == "add"
    assert add.__doc__ == "One and the other."
    assert add.types == ["ii->i", "ff->f", "dd->d"]
    assert (add.nin, add.nout, add.nargs, add.ntypes) == (2, 1, 3, 3)
    assert add.signature is None
    assert add.identity is None
    assert vectorize(identity=0)(half).identity == 0
    assert repr(add) == "<PyK universal function 'add'>"


# Types.


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int32])
def test_result_is_of_the_declared_type(any_add, dtype):
    a = np.arange(1001).astype(dtype)
    result = any_add(a, a)
    assert result.dtype == dtype
    np.testing.assert_array_equal(result, a + a)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (np.int8(3), np.int16(4), np.int32),
        (np.int32(3), np.float32(4), np.float64),
        (np.int16(3), np.float32(4), np.float32),
        (np.bool_(True), np.bool_(True), np.int32),
        (np.int64(3), 1, np.float64),
        (True, True, np.int32),
        (3, 4, np.float64),
        (3, 4.5, np.float64),
        (1.5, 2.5, np.float64),
        (np.float32(3), 4.5, np.float32),
        (np.float32(3), 4, np.float32),
        (np.int32(3), 4, np.int32),
        (np.int32(3), 4.5, np.float64),
        (np.float16(3), 1, np.float32),
        ([1, 2], np.int8(1), np.float64),
        ([1.0, 2.0], 2, np.float64),
    ],
)
def test_types_are_resolved_as_by_numpy(any_add, first, second, expected):
    result = any_add(first, second)
    assert result.dtype == expected
    np.testing.assert_array_equal(result, np.add(first, second, dtype=float))


def test_exact_types_go_before_order_on_devices():
    for target, expected in (("cuda", np.float32), ("cpu", np.float64)):
        same = vectorize(["f8(f8)", "f4(f4)"], target=target)(lambda x: x)
        assert same(np.float32(1)).dtype == expected
        assert same(np.ones(2, np.float32)).dtype == expected
        assert same(np.int8(1)).dtype == np.float64
        assert same(1).dtype == np.float64


def test_numbers_of_python_alone():
    whole = vectorize(["i4(i4)"], target="cuda")(lambda x: x)
    assert whole(10) == np.int32(10)
    whole = vectorize(["i4(i4)"], target="cpu")(lambda x: x)
    with pytest.raises(TypeError, match=r"\(int\) cannot be cast"):
        whole(10)


def test_numbers_that_do_not_fit():
    small = vectorize([uint8(uint8, uint8)])(lambda a, b: a + b)
    a = np.full(3, 200, np.uint8)
    assert small(a, 100).tolist() == [44, 44, 44]
    with pytest.raises(OverflowError, match="300 out of bounds for uint8"):
        small(a, 300)
    with pytest.raises(TypeError) as caught:
        small(a, np.int16(1))
    assert str(caught.value) == (
        "'<lambda>' takes (uint8, uint8), to which (uint8, int16) cannot be "
        "cast without loss"
    )
    with pytest.raises(TypeError, match=r"to which \(uint8, float\) cannot"):
        small(a, 1.5)


def test_result_is_cast_to_the_declared_type():
    whole = vectorize([int8(float32)])(lambda x: x * 2)
    assert whole(np.float32([1.5, 60])).tolist() == [3, 120]
    assert whole(np.int8(1)).dtype == np.int8


KINDS = [np.dtype(code) for code in "?bhilBHILefdFD"]


@pytest.mark.parametrize("dtype", [*KINDS, *map(np.dtype, BFLOAT16)])
@pytest.mark.parametrize("target", ["cuda", "cpu"])
def test_all_numbers(dtype, target):
    declared = types.from_dtype(dtype)

    @vectorize([declared(declared, declared)], target=target)
    def second(a, b):
        return b if a == a else a

    a = np.arange(40).astype(dtype)
    result = second(a, a[::-1])
    assert result.dtype == dtype
    np.testing.assert_array_equal(result, a[::-1])
    assert second(a[3], a[4]) == a[4]


def test_times():
    @vectorize
    def later(day, span):
        return day + span

    days = np.array(["2020-02-28", "NaT"], "datetime64[D]")
    result = later(days, np.timedelta64(2, "D"))
    np.testing.assert_array_equal(result, days + np.timedelta64(2, "D"))


NAMES = {"i": "i4", "f": "f4", "d": "f8", "l": "i8", "h": "i2"}
NUMBERS = st.sampled_from(
    [np.dtype(c).type(2) for c in "?bhilBHILefd"] + [2, 2.5]
)


@settings(max_examples=60, deadline=None)
@given(NUMBERS, NUMBERS, st.permutations("ifdlh"))
def test_any_types_in_any_order(first, second, order):
    """The first that NumPy casts to without loss."""
    signatures = [f"{c}({c}, {c})" for c in map(NAMES.get, order)]
    ufunc = vectorize(signatures, target="cpu")(lambda a, b: a + b)
    numbers = first, second
    if all(isinstance(x, (int, float)) for x in numbers):
        numbers = tuple(map(np.asarray, numbers))
    fitting = [
        np.dtype(c)
        for c in order
        if all(np.result_type(x, c) == c for x in numbers)
    ]
    if fitting:
        assert ufunc(first, second).dtype == fitting[0]
        return
    with pytest.raises(TypeError, match="cannot be cast without loss"):
        ufunc(first, second)


# Shapes and layouts.

SHAPES = [(), (1,), (7,), (3, 4), (2, 3, 4), (2, 1, 3, 2), (5, 0)]
LAYOUTS = {
    "c": lambda a: a,
    "f": np.asfortranarray,
    "transposed": lambda a: a.T,
    "stepped": lambda a: np.repeat(a, 2, -1)[..., ::2] if a.ndim else a,
    "reversed": lambda a: a[::-1] if a.ndim else a,
    "padded": lambda a: np.pad(a, 1)[(..., *[slice(1, -1)] * a.ndim)],
}


@pytest.mark.parametrize("layouts", [*itertools.product(LAYOUTS, LAYOUTS)])
@pytest.mark.parametrize("shape", SHAPES)
def test_layouts(any_add, shape, layouts):
    a = np.arange(math.prod(shape), dtype=np.float32).reshape(shape)
    first, second = (LAYOUTS[layout](a) for layout in layouts)
    if first.shape != second.shape:
        second = second.T
    expected = first + second
    np.testing.assert_array_equal(any_add(first, second), expected)
    out = LAYOUTS[layouts[1]](np.zeros(expected.shape, np.float32))
    if out.shape == expected.shape:
        assert any_add(first, second, out) is out
        np.testing.assert_array_equal(out, expected)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ((3, 4), (4,)),
        ((3, 4), (3, 1)),
        ((3, 1), (1, 4)),
        ((3, 4), ()),
        ((1,), (5, 1, 2)),
        ((100, 3, 1), (1, 3, 100)),
        ((0, 3), (3,)),
        ((2, 3, 4, 5), (3, 1, 5)),
        ((1, 1), (1,)),
    ],
)
def test_broadcasting(any_add, one, other):
    a = np.random.default_rng(0).normal(size=one)
    b = np.random.default_rng(1).normal(size=other)
    np.testing.assert_array_equal(any_add(a, b), a + b)
    np.testing.assert_array_equal(any_add(b, a), a + b)
    if any_add is add:
        result = add(cuda.to_device(a), cuda.to_device(b))
        np.testing.assert_array_equal(result.copy_to_host(), a + b)


def test_large_arrays(any_add):
    a = np.random.default_rng(0).normal(size=(3, 1000, 1001))
    a = a.astype(np.float32)
    np.testing.assert_array_equal(any_add(a, a), a + a)
    np.testing.assert_array_equal(any_add(a, a[:, :1]), a + a[:, :1])
    np.testing.assert_array_equal(any_add(a.T, a[0, 0, 0]), a.T + a[0, 0, 0])


def test_targets_of_the_host_are_one():
    a = np.arange(3.0)
    assert ADD["parallel"](a, a).tolist() == ADD["cpu"](a, a).tolist()


def test_order_of_results():
    a = np.ones((3, 4), np.float32, "F")
    assert add(a, a).flags.f_contiguous
    assert add(a, np.ascontiguousarray(a)).flags.c_contiguous
    assert add(a, 1).flags.f_contiguous
    there, stream = cuda.to_device(a), cuda.stream()
    result = add(there, there, stream=stream)
    assert result.is_f_contiguous() and not result.is_c_contiguous()
    assert result.stream is stream
    assert add(there, np.ascontiguousarray(a)).is_c_contiguous()
    assert add(there, np.ones(4, np.float32)).is_c_contiguous()


def test_scalars(any_add):
    assert type(any_add(1.2, 2.3)) is np.float64
    assert any_add(1.2, 2.3) == 3.5
    assert type(any_add(np.array(3), np.int32(1))) is np.float64
    assert any_add((1.0, 2.0), [3.0, 4.0]).tolist() == [4, 6]


# Functions.


@cuda.jit(device=True)
def helper(x, scale):
    return math.sin(x) * scale


def test_calls_of_device_functions(any_add):
    @vectorize(["f8(f8, f8)"], target="cuda" if any_add is add else "cpu")
    def scaled(x, scale):
        return helper(x, scale) if x > 0 else -scale

    x = np.linspace(-1, 1, 11)
    expected = np.where(x > 0, np.sin(x) * 3, -3)
    np.testing.assert_allclose(scaled(x, 3), expected, rtol=1e-14)


def test_parameters_are_variables():
    @vectorize([float32(float32)], target="cuda")
    def doubled(arr):
        arr *= 2
        return arr

    a = np.ones((3, 3), np.float32)
    assert doubled(a).tolist() == [[2] * 3] * 3
    assert a[0, 0] == 1


def test_many_inputs():
    @vectorize([int64(*[int64] * 9)])
    def total(a, b, c, d, e, f, g, h, i):
        return a + b + c + d + e + f + g + h + i

    a = np.arange(5)
    np.testing.assert_array_equal(total(a, *range(8)), a + 28)
    np.testing.assert_array_equal(total(*[a] * 9), a * 9)
    np.testing.assert_array_equal(total(*[a[::-1]] * 8, 1), a[::-1] * 8 + 1)


def test_no_inputs():
    seven = vectorize(["f4()"])(lambda: 7)
    assert seven() == 7
    out = np.zeros(3, np.float32)
    assert seven(out).tolist() == [7, 7, 7]


# What is refused.


@pytest.mark.parametrize(
    ("signature", "function", "message"),
    [
        (
            "f8(f8, f8)",
            half,
            "signature (float64, float64) -> float64 has 2 types for the 1 "
            "parameters of 'half'",
        ),
        (
            "f8(f8[:])",
            half,
            "vectorize expects a signature of numbers for 'half' but got "
            "(array(float64, 1d, A)) -> float64",
        ),
        (
            "(f8,)",
            lambda x: None,
            "vectorize expects '<lambda>' to return a number but for (float64) "
            "-> none it returns none",
        ),
        (
            "(f8,)",
            lambda x: (x, x),
            "vectorize expects '<lambda>' to return a number but for (float64) "
            "-> none it returns tuple<f64, f64>",
        ),
        (
            "f8(f8)",
            lambda *x: x[0],
            "vectorize expects plain parameters but '<lambda>' has '*x'",
        ),
        (
            5,
            half,
            "vectorize expects a signature or a list of them but got 5",
        ),
        (
            "f8(f8)",
            math.sin,
            "vectorize expects a Python function but got <built-in function "
            "sin>",
        ),
    ],
)
def test_functions_that_do_not_fit(signature, function, message):
    with pytest.raises(TypeError) as caught:
        vectorize(signature)(function)
    assert str(caught.value) == message


def test_errors_have_their_place():
    with pytest.raises(cuda.errors.TypingError) as caught:
        vectorize("f8(f8)")(lambda x: x + "one")
    assert str(caught.value).startswith(__file__)
    assert "operator '+' cannot take float64 and str" in str(caught.value)


def test_options():
    with pytest.warns(RuntimeWarning, match="cuda target is redundant") as seen:
        cuda.vectorize("f8(f8)", nopython=True)
    assert seen[0].filename == __file__
    with pytest.warns(RuntimeWarning, match="cuda target is redundant") as seen:
        vectorize("f8(f8)", target="cuda", nopython=True)
    assert seen[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        vectorize("f8(f8)", nopython=True, cache=True, fastmath=True)(half)
        vectorize("f8(f8)", target="parallel", error_model="numpy")(half)
        vectorize("f8(f8)", target="cuda", cache=False)(half)
        vectorize("f8(f8)", forceobj=False, identity="reorderable")(half)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"target": "gpu"}, ValueError, "Unsupported target: 'gpu'"),
        ({"what": 1}, KeyError, "Unrecognized options: 'what'"),
        (
            {"target": "cuda", "what": 1},
            KeyError,
            "Unrecognized options. cuda vectorize target does not support",
        ),
        (
            {"target": "cuda", "cache": True},
            TypeError,
            "caching is not supported",
        ),
        ({"forceobj": True}, NotImplementedError, "has no object mode"),
        ({"nopython": False}, NotImplementedError, "has no object mode"),
        (
            {"error_model": "python"},
            NotImplementedError,
            "error_model of vectorize expects 'numpy' but got 'python'",
        ),
        ({"identity": 2}, ValueError, "expects None, 0, 1 or 'reorderable'"),
    ],
)
def test_options_that_are_refused(options, error, message):
    with pytest.raises(error) as caught:
        vectorize("f8(f8)", **options)(half)
    assert message in str(caught.value)
