# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`cuda.reduce`, in the form of the CPU and in that of GPUs."""

import functools
import operator

import numpy as np
import pytest

from pyk import cuda
from pyk.cuda import _reduction
from support.short_floats import BFLOAT16

SIZES = sorted(
    {0, 1, 3, 1000, 34567, 1049600, 1049728}
    | {2**power + more for power in range(1, 21) for more in (-1, 0, 1)}
)


@pytest.fixture(params=["device's", "tree"], autouse=True)
def form(request, monkeypatch):
    """Kernels for GPUs are right on the CPU, too."""
    if request.param == "tree":
        if not cuda.get_current_device().is_cpu:
            pytest.skip("it is the device's")
        monkeypatch.setattr(_reduction, "takes_parts", lambda device: False)


def make_sum():
    @cuda.reduce
    def total(a, b):
        """One and the other."""
        return a + b

    return total


total = make_sum()
largest = cuda.Reduce(lambda a, b: max(a, b))


@pytest.mark.parametrize("size", SIZES)
def test_every_size(size):
    a = np.arange(size, dtype=np.float64) + 1
    expected = size * (size + 1) / 2
    assert total(a) == expected
    assert total(cuda.to_device(a), init=-3) == expected - 3
    if size:
        assert largest(a[::-1]) == size


def test_result_is_a_scalar_of_the_dtype():
    assert total(np.arange(4, dtype=np.int8)).dtype == np.int8
    assert total(np.ones(300, np.int8)) == 44
    assert type(total(np.ones(3))) is np.float64
    assert total(np.array([], np.uint16), init=7) == np.uint16(7)


NUMBERS = [np.dtype(code) for code in "bhiqBHIQefdFD"]


@pytest.mark.parametrize("dtype", [*NUMBERS, *map(np.dtype, BFLOAT16)])
def test_numbers(dtype):
    a = (np.arange(90) % 3).astype(dtype)
    result = total(a, init=2)
    assert result == 92
    assert result.dtype == dtype


def test_each_step_is_of_the_dtype():
    average = cuda.reduce(lambda a, b: a + 0.5 * b)
    assert average(np.array([1, 1], np.int32), init=1) == 1
    assert cuda.reduce(lambda a, b: a + b)(np.ones(3, bool)) is np.True_


def test_bools_and_times():
    either = cuda.reduce(lambda a, b: a or b)
    a = np.zeros(1000, bool)
    assert either(a) is np.False_
    a[700] = True
    assert either(a) is np.True_
    spans = np.arange(5, dtype="timedelta64[s]")
    assert total(spans, init=np.timedelta64(1, "m")) == np.timedelta64(70, "s")
    days = np.array(["2001-01-01", "2020-02-02"], "datetime64[D]")
    latest = cuda.reduce(lambda a, b: a if a > b else b)
    assert latest(days) == days[1]


def test_init_is_part_of_the_result():
    product = cuda.reduce(lambda a, b: a * b)
    a = np.arange(20, dtype=np.float64) + 1
    assert product(a, init=1) == functools.reduce(operator.mul, a)
    assert product(a) == 0
    assert product(a, init=0.5) == product(a, init=1) / 2


@pytest.mark.parametrize("size", [None, 0, 1, 129, 20000, 50000])
def test_size(size):
    a = np.arange(30000)
    assert total(a, size) == a[:size].sum()
    assert total(cuda.to_device(a), size=size) == a[:size].sum()


@pytest.mark.parametrize("count", [0, 1, 100, 40000])
def test_result_on_the_device(count):
    stream = cuda.stream()
    res = cuda.to_device(np.full(2, -1), stream)
    a = np.arange(count)
    assert total(cuda.to_device(a, stream), res=res, stream=stream) is None
    assert total(a, res=res[1:], init=5) is None
    assert res.copy_to_host().tolist() == [a.sum(), a.sum() + 5]


@pytest.mark.parametrize("count", [1, 100, 40000])
def test_stream(count):
    stream = cuda.stream()
    a = cuda.to_device(np.arange(count), stream)
    assert total(a, stream=stream) == count * (count - 1) // 2
    assert total(np.arange(count), stream=stream) == count * (count - 1) // 2


def test_views_and_read_only_arrays():
    a = np.arange(50000)
    assert total(a[::3]) == a[::3].sum()
    assert total(cuda.to_device(a)[1::2]) == a[1::2].sum()
    a.flags.writeable = False
    assert total(a) == a.sum()
    assert total(np.broadcast_to(np.float32(2), 300)) == 600


def test_arrays_of_other_libraries():
    class Other:
        def __init__(self, array):
            self._array = array
            self.__cuda_array_interface__ = array.__cuda_array_interface__

    res = cuda.to_device(np.zeros(1))
    assert total(Other(cuda.to_device(np.ones(10)))) == 10
    total(np.ones(11), res=Other(res))
    assert res[0] == 11


def test_results_are_the_same_every_time():
    a = np.random.default_rng(1).normal(size=100_000).astype(np.float32)
    first = total(a)
    assert all(total(a) == first for _ in range(20))
    assert first == pytest.approx(a.astype(float).sum(), rel=1e-4)


@cuda.jit(device=True)
def add(a, b):
    return a + b


@cuda.jit("int64(int64, int64)", device=True)
def add_declared(a, b):
    return a + b


def test_functions_that_are_decorated():
    assert cuda.reduce(add)(np.ones(200)) == 200
    assert cuda.reduce(add_declared)(np.full(200, 1.5)) == 200
    assert cuda.reduce(cuda.jit(lambda a, b: a * b))(np.full(3, 2), init=1) == 8

    def with_call(a, b, more=0):
        return add(a, b) + more

    assert cuda.reduce(with_call)(np.ones(200)) == 200


def test_it_is_called_like_its_function():
    assert total.__name__ == "total"
    assert total.__doc__ == "One and the other."


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (3, "got 3"),
        (max, "got <built-in function max>"),
        (lambda x: x, "'<lambda>' is <lambda>(x)"),
        (lambda x, y, z: x, "'<lambda>' is <lambda>(x, y, z)"),
    ],
)
def test_what_is_no_function_of_two(function, message):
    with pytest.raises(TypeError) as caught:
        cuda.reduce(function)
    assert str(caught.value) == (
        f"cuda.reduce expects a function of two elements but {message}"
    )


@pytest.mark.parametrize(
    ("array", "keywords", "message"),
    [
        (
            [1, 2],
            {},
            "cuda.reduce expects a NumPy array or a device array but got "
            "<class 'list'>",
        ),
        (
            np.ones((2, 3)),
            {},
            "cuda.reduce expects an array of 1 dimension but got one of 2; "
            "pass its ravel()",
        ),
        (
            np.array(["a"]),
            {},
            "cuda.reduce expects an array of numbers or times but got one of "
            "dtype <U1",
        ),
        (
            np.zeros(2, [("x", "f4")]),
            {},
            "cuda.reduce expects an array of numbers or times but got one of "
            "dtype [('x', '<f4')]",
        ),
        (
            np.ones(3),
            {"res": np.ones(1)},
            "res of cuda.reduce expects a device array but got <class "
            "'numpy.ndarray'>",
        ),
        (
            np.ones(3),
            {"stream": "1"},
            "expects a stream made by cuda.stream(), or 0, but got '1'",
        ),
    ],
)
def test_what_cannot_be_reduced(array, keywords, message):
    with pytest.raises(TypeError) as caught:
        total(array, **keywords)
    assert str(caught.value) == message


def test_results_that_do_not_fit():
    res = cuda.device_array(1, np.int64)
    with pytest.raises(TypeError) as caught:
        total(np.ones(3), res=res)
    assert str(caught.value) == (
        "res of cuda.reduce expects dtype float64, the array's, but got int64"
    )
    for shape in 0, (1, 1):
        with pytest.raises(ValueError) as refused:
            total(np.ones(3), res=cuda.device_array(shape))
        assert str(refused.value).startswith(
            "res of cuda.reduce expects an array of 1 dimension with an "
            "element but got one of shape"
        )


def test_error_in_the_function_has_its_place():
    wrong = cuda.reduce(lambda a, b: a + "one")
    with pytest.raises(cuda.errors.TypingError) as caught:
        wrong(np.ones(3))
    text = str(caught.value)
    assert "operator '+' cannot take float64 and str" in text
    assert text.startswith(__file__)


@pytest.mark.parametrize(
    ("function", "result"),
    [
        (lambda a, b: None, "none"),
        (lambda a, b: (a, b), "tuple<f64, f64>"),
        (lambda a, b: "text", '!py.static<"text">'),
    ],
)
def test_functions_that_return_no_number(function, result):
    with pytest.raises(TypeError) as caught:
        cuda.reduce(function)(np.ones(3))
    assert str(caught.value) == (
        "cuda.reduce expects '<lambda>' to return a number but for elements of "
        f"float64 it returns {result}"
    )
