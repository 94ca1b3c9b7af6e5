# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ndindex, ndenumerate, nditer and flat, compared with NumPy's own."""

import numpy as np
import pytest

from pyk import cuda

SHAPES = [(), (5,), (0,), (2, 3), (3, 0), (2, 1, 3), (2, 3, 1, 2)]


@cuda.jit
def visit(a, number, seen):
    count = 0
    for index, x in np.ndenumerate(a):
        seen[index] += x
        number[index] = count
        count += 1


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("layout", ["C", "F", "strided"])
def test_ndenumerate(shape, layout):
    """Whatever the strides, indices come in order, each with its element."""
    size = int(np.prod(shape))
    a = np.arange(1.0, size + 1).reshape(shape)
    if layout == "F":
        a = a.copy("F")
    elif layout == "strided" and shape:
        a = np.repeat(a, 2, axis=-1)[..., ::2]
    number = np.full(shape, -1)
    seen = np.zeros(shape)
    visit[1, 1](a, number, seen)
    np.testing.assert_array_equal(number, np.arange(size).reshape(shape))
    np.testing.assert_array_equal(seen, a)


def test_ndindex_of_a_tuple_and_of_numbers():
    @cuda.jit
    def k(n, out):
        position = 0
        for i, j in np.ndindex((2, n)):
            out[position] = 10 * i + j
            position += 1
        for index in np.ndindex(n, 2):
            out[position] = 10 * index[0] + index[1]
            position += 1

    out = np.zeros(12, int)
    k[1, 1](3, out)
    wanted = [
        10 * i + j for shape in [(2, 3), (3, 2)] for i, j in np.ndindex(shape)
    ]
    assert out.tolist() == wanted


@pytest.mark.parametrize("extents", [(0, 3), (3, 0), (-1, 3), (-2, -2)])
def test_ndindex_of_nothing(extents):
    @cuda.jit
    def k(m, n, out):
        for _ in np.ndindex(m, n):
            out[0] += 1

    out = np.zeros(1, int)
    k[1, 1](*extents, out)
    assert out[0] == 0


def test_ndindex_of_no_dimension():
    """There is one index, the empty one."""

    @cuda.jit
    def k(cell, out):
        for index in np.ndindex(()):
            out[0] += cell[index]
        for index in np.ndindex():
            out[0] += 10 * cell[index]

    out = np.zeros(1)
    k[1, 1](np.array(7.0), out)
    assert out[0] == 77


def test_exits_and_nesting():
    @cuda.jit
    def k(a, out):
        for i, j in np.ndindex(a.shape):
            if a[i, j] < 0:
                continue
            if a[i, j] > 6:
                break
            out[0] += a[i, j]
        for number, (index, x) in enumerate(np.ndenumerate(a)):
            out[1] += number * index[1] * x
        for x, index in zip(a.T.flat, np.ndindex(4)):
            out[2] = 10 * out[2] + x * index[0]

    a = np.array([[1, -2, 3], [4, 8, 5]])
    out = np.zeros(3, int)
    k[1, 1](a, out)
    second = sum(n * i[1] * x for n, (i, x) in enumerate(np.ndenumerate(a)))
    third = 0
    for x, (i,) in zip(a.T.flat, np.ndindex(4), strict=False):
        third = 10 * third + x * i
    assert out.tolist() == [8, second, third]


@pytest.mark.parametrize("order", ["C", "F"])
def test_flat_of_any_layout(order):
    @cuda.jit
    def k(a, out):
        position = 0
        for x in a.T.flat:
            out[position] = x
            position += 1
        out[position] = a.T.flat[4]
        out[position + 1] = a.T.flat[-1]
        a.T.flat[1] = 100

    a = np.arange(6.0).reshape(2, 3).copy(order)
    out = np.zeros(8)
    wanted = [*a.T.flat, a.T.flat[4], a.T.flat[5]]
    k[1, 1](a, out)
    assert out.tolist() == wanted
    assert a.T.flat[1] == 100


@cuda.jit
def scale(a):
    for x in np.nditer(a):
        x[()] = x.item() * 2 + x[()]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("order", ["C", "F"])
def test_nditer_writes(shape, order):
    a = np.arange(1.0, np.prod(shape) + 1).reshape(shape).copy(order)
    wanted = a * 3
    scale[1, 1](a)
    np.testing.assert_array_equal(a, wanted)


@cuda.jit
def pair_up(a, b, out):
    position = 0
    for x, y in np.nditer((a, b)):
        out[position] = 10 * x[()] + y[()]
        position += 1
    out[-1] = position


@pytest.mark.parametrize(
    "orders", [("C", "C"), ("F", "F"), ("C", "F")], ids="".join
)
def test_nditer_of_two_arrays(orders):
    """Numba's order: that of the layout that more arrays have."""
    a = np.arange(6).reshape(2, 3).copy(orders[0])
    b = np.arange(6)[::-1].reshape(2, 3).copy(orders[1])
    out = np.zeros(7, int)
    pair_up[1, 1](a, b, out)
    order = "F" if orders == ("F", "F") else "C"
    wanted = [10 * x + y for x, y in np.nditer((a, b), order=order)]
    assert out.tolist() == [*wanted, 6]


@pytest.mark.parametrize(
    "shapes", [((2, 3), (3,)), ((3,), (2, 1)), ((1, 1), (2, 3)), ((2, 3), ())]
)
def test_nditer_stretches(shapes):
    a, b = (np.arange(int(np.prod(s))).reshape(s) for s in shapes)
    out = np.zeros(7, int)
    pair_up[1, 1](a, b, out)
    assert out.tolist() == [*(10 * a + b).ravel(), 6]


# Only arrays of all dimensions have a say in the order.
def test_nditer_of_fewer_dimensions_in_another_order():
    a = np.arange(12).reshape(2, 2, 3)[:, ::-1]
    b = np.arange(6).reshape(2, 3).copy("F")
    out = np.zeros(13, int)
    pair_up[1, 1](a, b, out)
    assert out.tolist() == [*(10 * a + b).ravel(), 12]


def test_nditer_of_shapes_that_differ():
    @cuda.jit(debug=True, opt=False)
    def k(a, b):
        for x, y in np.nditer((a, b)):
            x[()] = y[()]

    with pytest.raises(ValueError, match="cannot run over 3 and 2 elements"):
        k[1, 1](np.zeros(3), np.zeros(2))


def test_flat_index_out_of_bounds():
    @cuda.jit(debug=True, opt=False)
    def k(a, out):
        out[0] = a.T.flat[6]

    with pytest.raises(IndexError, match="index 6 is out of bounds for 'flat'"):
        k[1, 1](np.zeros((2, 3)), np.zeros(1))
