# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What calls of universal functions take, and where results are."""

import itertools
import warnings

import numpy as np
import pytest

from pyk import cuda, vectorize
from universal_functions import ADD, add


@pytest.fixture(params=["cuda", "cpu"])
def any_add(request):
    return ADD[request.param]


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


#: Parts of an array of 6 by 6: those of one group have one shape. What is
#: broadcast is an input only.
PARTS = [
    {
        "whole": lambda a: a,
        "transposed": lambda a: a.T,
        "broadcast row": lambda a: a[:1],
        "broadcast column": lambda a: a[:, :1],
    },
    {
        "first": lambda a: a[:4, :4],
        "transposed": lambda a: a.T[:4, :4],
        "right": lambda a: a[:4, 1:5],
        "below": lambda a: a[1:5, :4],
        "last": lambda a: a[2:, 2:],
    },
    {
        "even": lambda a: a[::2],
        "odd": lambda a: a[1::2],
        "upper": lambda a: a[:3],
        "lower": lambda a: a[3:],
        "middle": lambda a: a[2:5],
        "columns": lambda a: a.T[:3],
        "even columns": lambda a: a.T[::2],
    },
]


@pytest.mark.parametrize("parts", PARTS, ids=range(len(PARTS)))
def test_each_overlap_of_an_output(any_add, parts):
    """All inputs count as they were before the call."""
    host = np.arange(36, dtype=np.float32).reshape(6, 6)
    makes = (np.array, cuda.to_device) if any_add is add else (np.array,)
    for source, target, make in itertools.product(parts, parts, makes):
        if "broadcast" in target:
            continue
        get, put = parts[source], parts[target]
        expected = host.copy()
        put(expected)[...] = get(host) + 2 * put(host)
        a, b = make(host), make(host)
        any_add(get(a), any_add(put(a), put(a)), out=put(a))
        any_add(any_add(put(b), put(b)), get(b), put(b))
        for found in a, b:
            np.testing.assert_array_equal(np.asarray(found), expected)


def test_output_that_overlaps_inputs_with_gaps(any_add):
    host = np.arange(60, dtype=np.float32).reshape(3, 4, 5)
    for make in (np.array, cuda.to_device) if any_add is add else (np.array,):
        a = make(host)
        any_add(a[:, :-1, ::2], a[:, 1:, ::2], out=a[:, 1:, ::2])
        expected = host.copy()
        expected[:, 1:, ::2] += host[:, :-1, ::2]
        found = a if make is np.array else a.copy_to_host()
        np.testing.assert_array_equal(found, expected)


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


# Options of NumPy's functions.

host_add = ADD["cpu"]
WHERE_CASES = [
    ((6,), (6,), (6,)),
    ((3, 4), (4,), (3, 4)),
    ((3, 4), (3, 1), (4,)),
    ((2, 3, 4), (), (3, 1)),
    ((2, 3, 4), (4,), ()),
    ((), (), (5,)),
    ((0, 3), (3,), (3,)),
]


@pytest.mark.parametrize(("one", "other", "mask"), WHERE_CASES)
def test_where(one, other, mask):
    random = np.random.default_rng(0)
    a, b = random.normal(size=one), random.normal(size=other)
    where = np.asarray(random.integers(2, size=mask), bool)
    shape = np.broadcast_shapes(one, other, mask)
    for layout in (np.array, np.asfortranarray):
        out = layout(np.full(shape, 9.0))
        expected = np.add(a, b, out=out.copy(), where=where)
        assert host_add(a, b, out=out, where=where) is out
        np.testing.assert_array_equal(out, expected)
    assert host_add(a, b, where=where).shape == shape


def test_where_of_numbers_and_of_what_is_written():
    out = np.zeros(3)
    host_add(1.0, 2.0, out, where=True)
    assert out.tolist() == [3, 3, 3]
    host_add(5.0, 2.0, out, where=False)
    host_add(5.0, 2.0, out, where=[True, False, True])
    assert out.tolist() == [7, 3, 7]
    # The mask is the array that is written.
    xor = vectorize(["b1(b1, b1)"])(lambda a, b: a != b)
    mask = np.array([True, True, False])
    xor(True, True, out=mask[::-1], where=mask)
    assert mask.tolist() == [True, False, False]


def test_where_keeps_functions_from_elements():
    @vectorize(["i8(i8, i8)"])
    def quotient(a, b):
        return a // b

    a, b = np.arange(8), np.array([0, 1, 2, 0] * 2)
    out = np.full(8, -1)
    quotient(a, b, out=out, where=b != 0)
    assert out.tolist() == [-1, 1, 1, -1, -1, 5, 3, -1]


DTYPES = [None, np.int16, np.int32, np.float32, np.float64, np.int64]
CASTINGS = ["no", "equiv", "safe", "same_kind", "unsafe"]


def outcome(call):
    """What a call yields, or that it is an error."""
    with warnings.catch_warnings():
        # Of NumPy, about parts that get lost.
        warnings.simplefilter("ignore")
        try:
            found = call()
        except TypeError:
            return None
    return found.dtype, found.tolist()


@pytest.mark.parametrize(
    ("dtype", "casting"), [*itertools.product(DTYPES, CASTINGS)]
)
def test_dtype_and_casting_are_numpys(dtype, casting):
    # NumPy's sum has more types than ours, which are these.
    ours = {np.dtype(code) for code in (np.int32, np.float32, np.float64)}
    operands = [np.array([1, -2, 3], code) for code in ours]
    outs = [None, *(np.zeros(3, code) for code in (*ours, np.int16))]
    for a, b, out in itertools.product(operands, operands, outs):
        keywords = {"dtype": dtype, "casting": casting, "out": out}
        expected = outcome(lambda k=keywords, x=a, y=b: np.add(x, y, **k))
        if dtype is not None and np.dtype(dtype) not in ours:
            expected = None
        found = outcome(lambda k=keywords, x=a, y=b: host_add(x, y, **k))
        assert found == expected, (a.dtype, b.dtype, keywords)


def test_dtype_of_functions_without_signatures():
    @vectorize
    def product(a, b):
        return a * b

    a = np.array([1 << 20, 3], np.int32)
    assert product(a, a, dtype=np.int64).tolist() == [1 << 40, 9]
    assert product(a, 0.5, dtype="f4").dtype == np.float32
    with pytest.raises(TypeError) as caught:
        product(a, 0.5, dtype=np.int32)
    assert str(caught.value) == (
        "'product' has no types that yield int32 and to which (int32, float) "
        "can be cast by the rule 'same_kind'"
    )


def test_options_that_cannot_be():
    a = np.ones(3)
    with pytest.raises(TypeError) as caught:
        host_add(a, a, where=[1, 0, 1])
    assert str(caught.value) == (
        "where expects an array of bool but got one of int64"
    )
    with pytest.raises(ValueError) as refused:
        host_add(a, a, casting="some")
    assert str(refused.value) == (
        "casting must be one of 'no', 'equiv', 'safe', 'same_kind', 'unsafe' "
        "but got 'some'"
    )
    with pytest.raises(TypeError, match="cannot be cast at all"):
        host_add(a, np.ones(3, np.float32), casting="no")
    with pytest.raises(TypeError, match="argument 'where'; it takes out and"):
        add(a, a, where=True)


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
        any_add(1, 2, order="C")
    known = (
        "out and stream" if any_add is add else "out, where, dtype and casting"
    )
    assert str(caught.value) == (
        f"add() got an unexpected keyword argument 'order'; it takes {known}"
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
