# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`vectorize`: universal functions of numbers, for all targets."""

import itertools
import math
import warnings

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pyk
from pyk import cuda, types, vectorize
from pyk.types import float32, float64, int8, int32, int64, uint8

TARGETS = ["cuda", "cpu", "parallel"]
SIGNATURES = [
    int32(int32, int32),
    float32(float32, float32),
    float64(float64, float64),
]


def add_of(target):
    @vectorize(SIGNATURES, target=target)
    def add(a, b):
        """One and the other."""
        return a + b

    return add


ADD = {target: add_of(target) for target in TARGETS}
add = ADD["cuda"]


@vectorize(["f8(f8, f8)"], target="cpu")
def minus(a, b):
    return a - b


@pytest.fixture(params=["cuda", "cpu"])
def any_add(request):
    return ADD[request.param]


# Forms of decorators.


def half(x):
    return x / 2


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


@pytest.mark.parametrize("dtype", [*KINDS, np.dtype(ml_dtypes.bfloat16)])
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


def test_scalars(any_add):
    assert type(any_add(1.2, 2.3)) is np.float64
    assert any_add(1.2, 2.3) == 3.5
    assert type(any_add(np.array(3), np.int32(1))) is np.float64
    assert any_add((1.0, 2.0), [3.0, 4.0]).tolist() == [4, 6]


# Results.


def test_output(any_add):
    a = np.arange(6, dtype=np.float32)
    out = np.zeros(6, np.float64)
    assert any_add(a, a, out=out) is out
    assert any_add(a, 1, out=(out,)) is out
    np.testing.assert_array_equal(out, a + 1)
    whole = np.zeros((2, 6), np.float32)
    any_add(a, a, whole)
    np.testing.assert_array_equal(whole, [a + a] * 2)
    any_add(a, a, out=a)
    np.testing.assert_array_equal(a, np.arange(6) * 2)
    single = np.zeros((), np.float32)
    assert any_add(1, 2, out=single) is single
    assert single == 3


def test_output_that_overlaps(any_add):
    a = np.arange(1000, dtype=np.float32)
    any_add(a[:-1], a[1:], out=a[1:])
    expected = np.arange(1000, dtype=np.float32)
    expected[1:] = expected[:-1] + expected[1:]
    np.testing.assert_array_equal(a, expected)
    there = cuda.to_device(np.arange(1000, dtype=np.float32))
    add(there[:-1], there[1:], out=there[1:])
    np.testing.assert_array_equal(there.copy_to_host(), expected)


@pytest.mark.parametrize(
    ("out", "error", "message"),
    [
        (
            np.zeros(3, np.float32),
            ValueError,
            "add: operands could not be broadcast together with shapes (2,) "
            "(3,)",
        ),
        (
            np.zeros(1, np.float32),
            ValueError,
            "out of add() expects shape (2,) but got (1,)",
        ),
        (
            np.zeros(2, np.int64),
            TypeError,
            "add() yields float32, which cannot be stored in an array of int64",
        ),
        (
            [0, 0],
            TypeError,
            "out of add() expects a NumPy array or a device array but got "
            "<class 'list'>",
        ),
        (
            np.broadcast_to(np.float32(0), 2),
            ValueError,
            "out of add() expects an array that can be written",
        ),
        (
            (None, None),
            ValueError,
            "out of add() expects 1 arrays but got 2",
        ),
    ],
)
def test_outputs_that_cannot_be(out, error, message):
    with pytest.raises(error) as caught:
        add(np.ones(2, np.float32), 1, out=out)
    assert str(caught.value) == message


# Devices and streams.


def test_results_stay_on_the_device():
    a = cuda.to_device(np.arange(6, dtype=np.float32).reshape(2, 3))
    result = add(a, 1.5)
    assert isinstance(result, cuda.DeviceNDArray)
    assert result.copy_to_host().tolist() == [[1.5, 2.5, 3.5], [4.5, 5.5, 6.5]]
    mixed = add(a, np.ones(3, np.float32))
    assert isinstance(mixed, cuda.DeviceNDArray)
    assert mixed.copy_to_host()[1].tolist() == [4, 5, 6]
    assert add(a, a, out=a) is a
    assert a.copy_to_host()[0].tolist() == [0, 2, 4]
    host = np.zeros((2, 3), np.float32)
    assert add(a, a, out=host) is host
    assert host[0].tolist() == [0, 4, 8]
    there = cuda.device_array((2, 3), np.float32)
    assert add(host, 1, out=there) is there
    assert there.copy_to_host()[0].tolist() == [1, 5, 9]
    assert add(a.T, 0).copy_to_host().tolist() == a.copy_to_host().T.tolist()


def test_device_arrays_without_dimensions():
    single = cuda.to_device(np.array(2.5))
    result = add(single, single)
    assert result.shape == ()
    assert result.copy_to_host() == 5


def test_stream():
    stream = cuda.stream()
    a = cuda.to_device(np.arange(100_000, dtype=np.float32), stream)
    result = add(a, a, stream=stream)
    result = add(result, a, stream=stream)
    expected = np.arange(100_000, dtype=np.float32) * 3
    np.testing.assert_array_equal(result.copy_to_host(stream=stream), expected)
    host = np.arange(10, dtype=np.float32)
    assert add(host, host, stream=stream)[9] == 18


def test_arrays_of_other_libraries():
    class Other:
        def __init__(self, array):
            self.__cuda_array_interface__ = array.__cuda_array_interface__

    a = cuda.to_device(np.ones(4))
    result = add(Other(a), 1)
    assert result.copy_to_host().tolist() == [2] * 4
    other = Other(a)
    assert add(np.zeros(4), 7.0, out=other) is other
    assert a.copy_to_host().tolist() == [7] * 4


def test_functions_of_the_host_copy_device_arrays():
    result = ADD["cpu"](cuda.to_device(np.ones(3)), 1)
    assert type(result) is np.ndarray
    assert result.tolist() == [2, 2, 2]
    with pytest.raises(TypeError, match="expects a NumPy array but got"):
        ADD["cpu"](1, 2, out=cuda.to_device(np.ones(3)))


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


def test_outer(any_add):
    a, b = np.arange(3.0), np.arange(8.0).reshape(2, 4)
    np.testing.assert_array_equal(any_add.outer(a, b), np.add.outer(a, b))
    np.testing.assert_array_equal(any_add.outer(2.0, b), b + 2)
    np.testing.assert_array_equal(any_add.outer(a, 2.0), a + 2)
    out = np.zeros((3, 3))
    assert any_add.outer(a, a, out=out) is out
    with pytest.raises(ValueError, match="outer expects a function of two"):
        vectorize("f8(f8)")(half).outer(a, b)


# Reductions.


@pytest.mark.parametrize("size", [1, 2, 8, 100, 1025, 40000])
def test_reduce(any_add, size):
    a = np.arange(size, dtype=np.int32)
    total = any_add.reduce(a)
    assert total == a.sum(dtype=np.int32)
    assert type(total) is np.int32
    if any_add is add:
        stream = cuda.stream()
        there = cuda.to_device(a, stream)
        assert add.reduce(there, stream=stream) == total
    # On the host, from the first to the last.
    numbers = np.random.default_rng(0).normal(size=size)
    assert minus.reduce(numbers) == np.subtract.reduce(numbers)


@pytest.mark.parametrize("axis", [0, 1, 2, -1, -3])
def test_reduce_along_an_axis(any_add, axis):
    a = np.random.default_rng(0).integers(9, size=(3, 4, 5)).astype(float)
    np.testing.assert_array_equal(any_add.reduce(a, axis), a.sum(axis))
    np.testing.assert_array_equal(
        minus.reduce(a, axis=axis), np.subtract.reduce(a, axis)
    )
    out = np.zeros(a.sum(axis).shape)
    assert any_add.reduce(a, axis, out) is out
    np.testing.assert_array_equal(out, a.sum(axis))
    assert any_add.reduce(a, axis=None) == a.sum()
    if any_add is add:
        found = add.reduce(cuda.to_device(a), axis)
        np.testing.assert_array_equal(found.copy_to_host(), a.sum(axis))


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_accumulate(any_add, axis):
    a = np.arange(12, dtype=np.float32).reshape(3, 4)
    expected = np.add.accumulate(a, axis)
    found = any_add.accumulate(a, axis)
    np.testing.assert_array_equal(found, expected)
    assert found.dtype == np.float32
    out = np.zeros((3, 4))
    assert any_add.accumulate(a, axis, out=out) is out
    np.testing.assert_array_equal(out, expected)
    np.testing.assert_array_equal(
        minus.accumulate(a, axis), np.subtract.accumulate(a, axis)
    )
    if any_add is add:
        there = add.accumulate(cuda.to_device(a), axis)
        np.testing.assert_array_equal(there.copy_to_host(), expected)


def test_reduce_nothing():
    summed = vectorize(["f8(f8, f8)"], identity=0)(lambda a, b: a + b)
    assert summed.reduce([]) == 0
    assert summed.reduce(np.ones((0, 3))).tolist() == [0, 0, 0]
    assert summed.reduce(np.ones((3, 0))).tolist() == []
    for ufunc in (add, minus):
        with pytest.raises(ValueError) as caught:
            ufunc.reduce(np.ones(0))
        assert str(caught.value) == (
            f"zero-size array to reduction operation {ufunc.__name__} which "
            "has no identity"
        )


def test_reductions_that_cannot_be(any_add):
    with pytest.raises(TypeError, match="cannot reduce on a scalar"):
        any_add.reduce(3.0)
    with pytest.raises(ValueError, match="reduce expects a function of two"):
        vectorize("f8(f8)")(half).reduce([1.0])
    less = vectorize(["b1(f8, f8)"])(lambda a, b: a < b)
    with pytest.raises(TypeError) as caught:
        less.accumulate([1.0, 2.0])
    assert str(caught.value) == (
        "accumulate expects a function whose result is of the type of both "
        "inputs, but '<lambda>' has dd->?"
    )


def test_device_arrays_that_would_be_cast():
    with pytest.raises(TypeError) as caught:
        add.reduce(cuda.to_device(np.ones(3, np.int16)))
    assert str(caught.value) == (
        "reduce of add expects a device array of int32 but got one of int16"
    )
    assert add.reduce(np.ones(3, np.int16)).dtype == np.int32


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


def test_calls_that_do_not_fit(any_add):
    accepts = "add: this ufunc accepts 2 positional arguments (inputs only) or "
    accepts += "3 positional arguments (inputs and outputs). Got "
    for args, count in (((1,), "1 positional argument."), ((1,) * 4, "4 ")):
        with pytest.raises(TypeError) as caught:
            any_add(*args)
        assert str(caught.value).startswith(f"{accepts}{count}")
    with pytest.raises(ValueError, match="as both positional and keyword"):
        any_add(1, 2, np.zeros(1), out=np.zeros(1))
    with pytest.raises(TypeError) as caught:
        any_add(1, 2, where=True)
    stream = " and stream" if any_add is add else ""
    assert str(caught.value) == (
        "add() got an unexpected keyword argument 'where'; it takes out"
        + stream
    )
    with pytest.raises(ValueError) as refused:
        any_add(np.zeros(2), np.zeros(3))
    assert str(refused.value) == (
        "add: operands could not be broadcast together with shapes (2,) (3,)"
    )
    with pytest.raises(TypeError, match=r"\(<U1, int\) cannot be cast"):
        any_add("a", 1)


def test_stream_is_one_of_cuda():
    with pytest.raises(TypeError, match="keyword argument 'stream'"):
        ADD["cpu"](1, 2, stream=cuda.stream())
    with pytest.raises(TypeError, match="expects a stream made by"):
        add(np.ones(2), 2, stream="one")


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
