# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What Numba has for the host, by the Numba that is installed."""

from collections import namedtuple

import numba
import numpy as np
import pytest
from numba import (
    cuda,
    float64,
    guvectorize,
    int32,
    int64,
    jit,
    literal_unroll,
    njit,
    objmode,
    prange,
    types,
    vectorize,
)
from numba.core.errors import TypingError
from numba.extending import register_jitable
from numba.typed import Dict, List

import pyk


def test_numba_is_numba():
    """The functions below are compiled, not plain Python."""
    assert numba.cuda is pyk.cuda
    assert total((1.0,), np.ones(2)) == 3
    assert len(total.signatures) == 1
    assert total.signatures[0][1] == total.nopython_signatures[0].args[1]
    assert "define" in next(iter(total.inspect_llvm().values()))
    assert total.inspect_types is not None


@njit
def total(items, a):
    return items[0] + a.sum()


def test_arguments():
    assert total((15, 15), np.ones(4)) == 19

    @njit
    def first(items):
        return items[0]

    assert first([1.5, 2.0]) == 1.5
    assert first((2, "two")) == 2
    assert first("text") == "t"
    assert first(np.zeros(2, [("a", "f8")]))["a"] == 0

    @njit
    def name_of(pair):
        return pair.b

    Pair = namedtuple("Pair", "a b")
    assert name_of(Pair(1, 2.5)) == 2.5

    @njit
    def absolute(z):
        return abs(z) + z.real

    assert absolute(3 + 4j) == 8

    @njit
    def is_none(x):
        return x is None

    assert is_none(None) and not is_none(1)


def test_functions_as_arguments_and_globals():
    @njit
    def apply(f, x):
        return f(x)

    assert apply(halved, 5) == 2.5

    @njit
    def both(x):
        return halved(x) + tripled(x)

    assert both(2) == 7


@njit
def halved(x):
    return x / 2


@register_jitable
def tripled(x):
    return 3 * x


def test_results():
    @njit
    def three():
        return 1, 2.5, np.ones(2)

    one, two, ones = three()
    assert (one, two, ones.tolist()) == (1, 2.5, [1, 1])

    @njit
    def numbers(n):
        found = [0.5]
        for i in range(n):
            found.append(i)
        return found

    assert numbers(2) == [0.5, 0, 1]

    @njit
    def maybe(x):
        return None if x < 0 else x

    assert (maybe(-1), maybe(2)) == (None, 2)


def test_parallel_loops():
    @njit(parallel=True)
    def squares(n):
        result = 0
        for i in prange(n):
            result += i * i
        return result

    @njit(parallel=True)
    def lengths(n):
        result = 0
        for i in numba.prange(n):
            result += i
        return result

    assert (squares(10), lengths(5)) == (285, 10)
    numba.set_num_threads(1)
    assert numba.get_num_threads() == 1
    assert numba.threading_layer() in ("omp", "tbb", "workqueue")


def test_options(tmp_path):
    @njit(fastmath={"nnan"}, error_model="numpy", boundscheck=True)
    def inverse(x):
        return x / 0.0

    assert inverse(1.0) == np.inf

    @jit("f8(f8)", nopython=True)
    def doubled(x):
        return 2 * x

    assert doubled(2) == 4.0

    @njit(float64(int32, types.Array(float64, 1, "C")))
    def item(i, a):
        return a[i]

    assert item(1, np.array([1.0, 2.0])) == 2
    assert item.signatures == [item.signatures[0]]


def test_numpy():
    @njit
    def solve(a, b):
        return np.linalg.solve(a, b)

    assert solve(2 * np.eye(2), np.ones(2)).tolist() == [0.5, 0.5]

    @njit
    def draw():
        np.random.seed(1)
        return np.random.normal(0, 1, 3)

    np.random.seed(1)
    np.testing.assert_array_equal(draw(), np.random.normal(0, 1, 3))


def test_casts_and_types_in_functions():
    @njit
    def cast(x):
        return int64(x), types.uint8(300), numba.float32(x)

    assert cast(2.7) == (2, 44, np.float32(2.7))


def test_containers():
    names = Dict.empty(key_type=types.unicode_type, value_type=float64[:])
    names["x"] = np.ones(2)
    assert names["x"].tolist() == [1, 1]
    inferred = Dict()
    inferred["a"] = 1
    assert inferred["a"] == 1
    numbers = List.empty_list(int64)
    numbers.append(3)
    assert list(numbers) == [3]

    @njit
    def inside():
        found = {1: 2.0}
        found[3] = 4.0
        typed = numba.typed.Dict.empty(types.int64, types.float64[:])
        typed[1] = np.ones(1)
        return found[3] + typed[1][0]

    assert inside() == 5


def test_iterators_and_unrolling():
    @njit
    def weighted(a, b):
        result = 0
        for i, (x, y) in enumerate(zip(a, b)):
            result += x * y * i
        return result

    assert weighted(np.ones(3), np.ones(3)) == 3

    @njit
    def mixed():
        result = 0
        for item in literal_unroll((1, 2.5, True)):
            result += item
        return result

    assert mixed() == 4.5


def test_object_mode():
    @njit
    def through_python(x):
        with objmode(y="f8"):
            y = float(str(x))
        return y

    assert through_python(1.5) == 1.5


def test_classes():
    from numba.experimental import jitclass

    @jitclass([("a", float64[:]), ("n", numba.int32)])
    class Counter:
        scale: float64

        def __init__(self, n):
            self.n = n
            self.scale = 2.0
            self.a = np.ones(n)

        def total(self):
            return self.scale * self.a.sum()

    counter = Counter(3)
    assert (counter.total(), counter.n) == (6, 3)


def test_c_functions_and_stencils():
    @numba.cfunc(float64(float64, int64))
    def power(x, n):
        return x**n

    assert power.ctypes(2.0, 3) == 8

    @numba.stencil
    def neighbours(a):
        return a[-1] + a[1]

    assert neighbours(np.arange(5.0)).tolist() == [0, 2, 4, 6, 0]


def test_universal_functions():
    @vectorize(["f8(f8,f8)"], target="parallel")
    def added(a, b):
        return a + b

    @vectorize
    def multiplied(a, b):
        return a * b

    @njit
    def called(a):
        return multiplied(added(a, 1.0), 2.0)

    assert added(np.ones(2), 1).tolist() == [2, 2]
    assert multiplied(np.ones(2), 3).tolist() == [3, 3]
    assert called(np.ones(2)).tolist() == [4, 4]

    # What no kernel has.
    @guvectorize([(float64[:], float64[:])], "(n)->(n)")
    def ranked(a, out):
        order = np.arange(a.size)
        out[:] = np.sort(a) * order

    assert type(ranked).__module__.startswith("numba.")
    assert ranked(np.array([[3.0, 1, 2]])).tolist() == [[0, 2, 6]]


def test_errors():
    @njit
    def nothing(a):
        return a.nothing

    @cuda.jit
    def kernel(a):
        a[0] = a.nothing

    for fail in (
        lambda: nothing(np.ones(1)),
        lambda: kernel[1, 1](np.ones(1)),
    ):
        with pytest.raises(TypingError):
            fail()
        with pytest.raises(numba.core.errors.NumbaError):
            fail()

    @njit
    def negative(x):
        if x < 0:
            raise ValueError("negative")
        return x

    with pytest.raises(ValueError, match="negative"):
        negative(-1)


def test_types_of_values():
    assert numba.typeof(1.5) is types.float64
    assert str(numba.typeof("text")) == "unicode_type"
    assert numba.np.numpy_support.from_dtype(np.dtype("f4")) is not None


def test_one_function_for_both():
    @cuda.jit
    def kernel(a):
        i = cuda.grid(1)
        if i < a.size:
            a[i] = halved(a[i])

    a = np.array([2.0, 4.0, 7.0])
    kernel[1, 32](a[:2])
    assert a.tolist() == [1, 2, 7]
    assert halved(7) == 3.5
