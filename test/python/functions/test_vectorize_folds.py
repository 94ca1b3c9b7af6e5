# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Methods of universal functions that combine elements."""

import itertools

import numpy as np
import pytest

from pyk import cuda, vectorize
from universal_functions import (
    ADD,
    add,
    half,
    minus,
)


@pytest.fixture(params=["cuda", "cpu"])
def any_add(request):
    return ADD[request.param]


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
    assert any_add.reduce(a, axis, None, out) is out
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


# As NumPy's, for the host.

host_add = ADD["cpu"]
NUMBERS = np.random.default_rng(0).integers(1, 9, size=(2, 3, 4)) / 4
AXES = [0, 1, -1, (0,), (0, 2), (2, 0), (-1, 1), (0, 1, 2), (), None]


@pytest.mark.parametrize(
    ("axis", "keepdims"), [*itertools.product(AXES, [False, True])]
)
def test_reductions_are_numpys(axis, keepdims):
    mask = NUMBERS > 1
    for options in (
        {},
        {"initial": 10},
        {"initial": 10, "where": mask},
        {"initial": -1, "where": mask[0, :1]},
        {"initial": 3, "dtype": np.float32},
        {"dtype": np.int32},
    ):
        keywords = {"axis": axis, "keepdims": keepdims, **options}
        arrays = [NUMBERS]
        if "where" not in options:
            arrays += [NUMBERS[::-1, :, ::-1], NUMBERS.T]
        for array in arrays:
            expected = np.add.reduce(array, **keywords)
            found = host_add.reduce(array, **keywords)
            assert type(found) is type(expected)
            assert found.dtype == expected.dtype
            np.testing.assert_array_equal(found, expected)
            out = np.zeros(np.shape(expected), expected.dtype)
            assert host_add.reduce(array, **keywords, out=(out,)) is out
            np.testing.assert_array_equal(out, expected)


@pytest.mark.parametrize("source", [np.float64, np.float32, np.int32])
def test_the_output_counts_for_what_is_computed(source):
    a = np.array([1.75, 2.75, 2**24, 1]).astype(source)
    for dtype in (np.int16, np.int32, np.float32, np.float64):
        out, expected = np.zeros((), dtype), np.zeros((), dtype)
        host_add.reduce(a, out=out)
        np.add.reduce(a, out=expected)
        assert out == expected
        out, expected = np.zeros(4, dtype), np.zeros(4, dtype)
        host_add.accumulate(a, out=out)
        np.add.accumulate(a, out=expected)
        assert out.tolist() == expected.tolist()
    for dtype in (np.int32, np.float32):
        found = host_add.accumulate(a, dtype=dtype)
        expected = np.add.accumulate(a, dtype=dtype)
        assert found.dtype == dtype
        np.testing.assert_array_equal(found, expected)
    with pytest.raises(TypeError, match="has no types that yield int16"):
        host_add.reduce(a, dtype=np.int16)


def test_functions_with_an_identity():
    summed = vectorize(["f8(f8, f8)"], identity=0)(lambda a, b: a + b)
    mask = np.array([True, False, True])
    assert summed.reduce([1.0, 2.0, 3.0], where=mask) == 4
    assert summed.reduce(np.ones((2, 0)), axis=(0, 1)) == 0
    nothing = np.ones((2, 0))
    for initial in (0, 5):
        found = summed.reduce(nothing, 1, initial=initial, keepdims=True)
        np.testing.assert_array_equal(found, [[initial]] * 2)
    # Nothing to begin with, though there is an identity.
    with pytest.raises(ValueError, match="zero-size array to reduction"):
        summed.reduce(np.ones(0), initial=None)
    for ufunc in (minus, np.subtract):
        assert ufunc.reduce([5.0, 3.0], initial=20) == 12
        with pytest.raises(ValueError, match="to use a where mask one has to"):
            ufunc.reduce([1.0, 2.0, 3.0], where=mask)


def test_axes_that_are_not_there():
    for ufunc in (host_add, np.add):
        with pytest.raises(ValueError, match="axis 3 is out of bounds"):
            ufunc.reduce(NUMBERS, 3)
        with pytest.raises(ValueError, match="axis -4 is out of bounds"):
            ufunc.reduce(NUMBERS, (0, -4))
        with pytest.raises(ValueError, match="repeated|duplicate"):
            ufunc.reduce(NUMBERS, (1, -2))


@pytest.mark.parametrize(
    "indices",
    [
        [0, 1, 1, 5, 0],
        np.array([[3, 3], [4, 3]]),
        slice(1, None, 2),
        ([0, 0, 5],),
        [True, False, True, False, False, True],
        -1,
        np.array([], int),
    ],
)
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int32])
def test_at(indices, dtype):
    a = np.arange(6).astype(dtype)
    selected = a[indices]
    values = np.arange(selected.size).reshape(selected.shape).astype(dtype)
    for b in (dtype(3), values, 1.75):
        found, expected = a.copy(), a.copy()
        assert host_add.at(found, indices, b) is None
        np.add.at(expected, indices, b)
        np.testing.assert_array_equal(found, expected)


def test_at_of_any_array():
    found, expected = (np.arange(24.0).reshape(4, 6)[::2, ::-1] for _ in "ab")
    index = np.array([0, 1, 1]), np.array([2, 2, 2])
    host_add.at(found, index, [1, 2, 3])
    np.add.at(expected, index, [1, 2, 3])
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(found.base, expected.base)
    halved = vectorize(["f8(f8)"])(half)
    found = np.full(3, 8.0)
    halved.at(found, [0, 2, 2])
    assert found.tolist() == [4, 8, 2]
    # Each result is stored before the next is computed.
    a, b = (np.ones(1, np.float16) for _ in "ab")
    small = np.float16([1e-3, 1e-3])
    vectorize(["f4(f4, f4)"])(lambda a, b: a + b).at(a, [0, 0], small)
    for _ in range(2):
        b += np.float16(1e-3)
    assert a == b


def test_at_that_cannot_be():
    a = np.zeros(3, np.int32)
    for ufunc in (host_add, np.add):
        with pytest.raises(IndexError, match="index 5 is out of bounds"):
            ufunc.at(a, [5], 1)
        with pytest.raises(ValueError, match="expects 3 arg|second operand"):
            ufunc.at(a, [0])
        with pytest.raises(TypeError, match="expects a NumPy array|array"):
            ufunc.at([1, 2], [0], 1)
    with pytest.raises(ValueError, match="at expects a function of one or two"):
        vectorize(["f8(f8, f8, f8)"])(lambda a, b, c: a).at(a, [0], 1)


def test_what_is_of_the_host():
    whose = r"is for functions of the host, of target='cpu' or 'parallel'"
    for keywords in (
        {"dtype": np.float64},
        {"keepdims": True},
        {"initial": 1},
        {"where": np.ones(3, bool)},
        {"axis": (0,)},
    ):
        with pytest.raises(TypeError, match=whose):
            add.reduce(np.ones(3), **keywords)
    with pytest.raises(
        TypeError, match=rf"dtype= of add.accumulate\(\) {whose}"
    ):
        add.accumulate(np.ones(3), dtype=np.float64)
    with pytest.raises(TypeError, match=rf"add.at\(\) {whose}"):
        add.at(np.ones(3), [0], 1)
    for ufunc in (add, host_add):
        with pytest.raises(
            NotImplementedError, match="is not yet in PyK; call"
        ):
            ufunc.reduceat(np.ones(3), [0])
