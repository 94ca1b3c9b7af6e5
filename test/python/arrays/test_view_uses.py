# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What kernels do with views: store, iterate, unpack; and what that costs."""

import numpy as np
import pytest

from pyk import _core, cuda
from pyk._frontend import _build
from pyk.cuda._host_function import HostFunction
from support.assembly import CHIPS
from view_kernels import look, make, pyk_function, sources

# Stores.

STORES = [
    ("a[1] = 7", ()),
    ("a[:, 1] = 2.5", ()),
    ("a[::2, ::-1] = 3", ()),
    ("a[...] = -1", ()),
    ("a[:] = b", (3, 4)),
    ("a[:] = b", (4,)),
    ("a[:] = b", (1, 4)),
    ("a[:] = b", (3, 1)),
    ("a[:] = b", (1, 1)),
    ("a[:] = b", (1,)),
    ("a[1:, 2:] = b[::-1]", (2, 2)),
    ("a[0] = b[:, 1]", (4, 2)),
    ("a[None] = b", (1, 3, 4)),
    ("a[1:1] = b", (1, 4)),
    ("a[0], a[2] = 1, 2", ()),
    ("a[0, 0], a[0, 1] = a[0, 1], a[0, 0]", ()),
    ("a[:, 0], a[1] = b[0], 5", (2, 3)),
    ("a.T[1] = b", (3,)),
    ("a.fill(4)", ()),
    ("a[1:, ::2].fill(4)", ()),
    ("a.reshape(12)[3:5] = 8", ()),
]


@pytest.mark.parametrize(("statement", "shape"), STORES)
@pytest.mark.parametrize("dtype", [np.float64, np.int16])
def test_store(statement, shape, dtype):
    b = np.arange(100.0, 100.0 + np.prod(shape)).reshape(shape)
    a = np.arange(12).reshape(3, 4).astype(dtype)
    expected = a.copy()
    exec(statement, {"a": expected, "b": b})
    make(statement, "a, b")[1, 1](a, b)
    np.testing.assert_array_equal(a, expected)


@pytest.mark.parametrize("rank", [1, 2, 3, 6])
def test_store_in_any_layout(rank):
    """Whole arrays are copied whatever the strides of either are."""
    kernel = make("b[...] = a", "a, b")
    for a in sources(rank):
        for target in sources(rank):
            b = target.copy("K")
            kernel[1, 1](a, b)
            np.testing.assert_array_equal(b, a)


# Iteration and unpacking.


def test_iteration():
    @cuda.jit
    def k(a, out):
        n = 0
        for row in a:
            for x in row[::-1]:
                if x < 0:
                    continue
                if x > 50:
                    break
                out[n] = x
                n += 1
        for x in (1, 2, 3):
            out[n] = x
            n += 1
        for x in a[0, :0]:
            out[n] = x
        for extent in a.shape:
            out[n] = extent
            n += 1

    for order in "CF":
        a = np.array([[1, -2, 60, 4], [5, 6, -7, 99]], float, order=order)
        out = np.zeros(9)
        k[1, 1](a, out)
        assert out.tolist() == [4, 1, 2, 3, 2, 4, 0, 0, 0]


def test_enumerate_and_zip():
    @cuda.jit
    def k(a, b, n, out):
        j = 0
        for i, x in enumerate(a[0]):
            out[j] = 10 * i + x
            j += 1
        for i, row in enumerate(a, 5):
            out[j] = 10 * i + row[1]
            j += 1
        for x, y in zip(a[1], b):
            out[j] = x * y
            j += 1
        for i, (x, y, z) in enumerate(
            zip(range(7, -7, -3), b[::-1], range(np.int32(n)))
        ):
            out[j] = 1000 * i + 100 * x + 10 * y + z
            j += 1
        for x, y in zip(range(n), (2.5, 3.5, 4.5, 5.5)):
            out[j] = x + y
            j += 1
        out[j] = -1

    a, b, n = np.arange(6.0).reshape(2, 3), np.array([7.0, 8.0]), 3
    out = np.zeros(20)
    k[1, 1](a, b, n, out)
    expected = [10 * i + x for i, x in enumerate(a[0])]
    expected += [10 * i + row[1] for i, row in enumerate(a, 5)]
    expected += [x * y for x, y in zip(a[1], b)]
    both = zip(range(7, -7, -3), b[::-1], range(n))
    for i, (x, y, z) in enumerate(both):
        expected.append(1000 * i + 100 * x + 10 * y + z)
    expected += [x + y for x, y in zip(range(n), (2.5, 3.5, 4.5, 5.5))]
    assert out[: len(expected) + 1].tolist() == [*expected, -1]


def test_tuple_of_arrays():
    @cuda.jit
    def k(a, b, n, out):
        own = cuda.local.array(2, np.float64)
        tile = cuda.shared.array(3, np.float64)
        own[:] = 1
        tile[:] = 2
        out[0] = (a, b)[n][1]
        out[1] = (own, tile)[n][1]
        i = 2
        for array in (own, tile, a):
            out[i] = len(array) * array[0]
            i += 1

    a, b, out = np.arange(3.0, 7), np.arange(10.0, 14), np.zeros(5)
    k[1, 1](a, b, 1, out)
    assert out.tolist() == [11, 2, 2, 6, 12]


def test_return_from_iteration():
    @cuda.jit(device=True)
    def find(values, wanted):
        n = 0
        for value in values:
            if value == wanted:
                return n
            n += 1
        return -1

    @cuda.jit
    def k(a, out):
        out[0] = find(a[1], 6)
        out[1] = find(a[:, 1], 9)
        out[2] = find(a[0], 77)

    a, out = np.arange(12.0).reshape(3, 4), np.zeros(3)
    k[1, 1](a, out)
    assert out.tolist() == [2, 2, -1]


def test_unpacking():
    @cuda.jit
    def k(a, out):
        x, y = a[1, :2]
        p, q = a
        out[0] = x
        out[1] = y
        out[2] = p[3]
        out[3] = q[0]
        (out[4], out[5]), out[6] = a[0, 1:3], 7
        rest = a.shape[1:]
        first = a.shape[:-1]
        out[7] = rest[0] * 10 + first[0] + len(a.shape[::-1])

    a, out = np.arange(8.0).reshape(2, 4), np.zeros(8)
    k[1, 1](a, out)
    assert out.tolist() == [4, 5, 3, 4, 1, 2, 7, 44]


# Attributes and methods.

METHODS = [
    "a.T",
    "a.transpose()",
    "a.transpose(2, 0, 1)",
    "a.transpose((1, 0, 2))",
    "a.transpose(0, -1, 1)",
    "a.real",
    "a.T.T",
    "a.T[1]",
    "a[1].T",
    "a.T[::2, 1:, ::-1]",
]
CONTIGUOUS = [
    "a.reshape(24)",
    "a.reshape(-1)",
    "a.reshape((4, 6))",
    "a.reshape(4, -1)",
    "a.reshape((-1, 2, 3))",
    "a.reshape(a.shape[2], a.size // a.shape[2])",
    "a.ravel()",
    "a.flat[5]",
    "a[1].reshape(-1)",
    "a[1:].ravel()",
    "a[1, 2].reshape(2, 1)",
    "a.reshape(24)[3:9].reshape(2, 3)",
    "a[1].T.T.ravel()",
]


@pytest.mark.parametrize("view", METHODS)
def test_method(view):
    for a in sources(3):
        look(view, a)


@pytest.mark.parametrize("view", CONTIGUOUS)
def test_method_of_contiguous_array(view):
    look(view, next(sources(3)))


def test_sizes_of_views():
    @cuda.jit
    def k(a, out):
        v = a[1:, ::2]
        out[0] = v.size
        out[1] = v.ndim
        out[2] = v.itemsize
        out[3] = v.nbytes
        out[4] = len(v)
        out[5] = v.strides[1]
        out[6] = a[2:, 1:2].item()
        out[7] = v.dtype(2.75)

    a, out = np.arange(12, dtype=np.int16).reshape(3, 4), np.zeros(8)
    k[1, 1](a, out)
    assert out.tolist() == [4, 2, 2, 8, 2, 4, 9, 2]


# A name for a part of an array costs nothing.

PAIRS = {
    "row": (
        "row = a[i]\nout[i, j] = row[j] * 2",
        "out[i, j] = a[i, j] * 2",
    ),
    "column": (
        "column = a[:, j]\nout[i, j] = column[i] * 2",
        "out[i, j] = a[i, j] * 2",
    ),
    "store": ("out[i][j] = a[i, j]", "out[i, j] = a[i, j]"),
    "transposed": ("t = a.T\nout[i, j] = t[j, i]", "out[i, j] = a[i, j]"),
    "row of a row": (
        "out[i, j] = a[None, i][0, j]",
        "out[i, j] = a[i, j]",
    ),
    "loop": (
        "s = 0.0\nrow = a[i]\nfor k in range(row.size):\n    s += row[k]\n"
        "out[i, j] = s",
        "s = 0.0\nfor k in range(a.shape[1]):\n    s += a[i, k]\nout[i, j] = s",
    ),
    "iteration": (
        "s = 0.0\nfor x in a[i]:\n    s += x\nout[i, j] = s",
        "s = 0.0\nfor k in range(a.shape[1]):\n    s += a[i, k]\nout[i, j] = s",
    ),
    "function": (
        "out[i, j] = first(a[i]) + a[i, j]",
        "out[i, j] = a[i, 0] + a[i, j]",
    ),
}


def instructions(body, layout):
    """The instructions of a kernel's PTX, without their registers."""
    source = "def kernel(a, out):\n    i, j = cuda.grid(2)\n    "
    source += "\n    ".join(body.split("\n")) + "\n"
    first = cuda.jit(device=True)(
        pyk_function("def f(v):\n    return v[0]\n", {}, "f")
    )
    function = pyk_function(source, {"first": first})
    array = f"!pyk.array<?x?xf32, {layout}>"
    buffer = _build.build(HostFunction(function), [array, array])
    kernel = _core.compile(
        source=buffer,
        target="cuda",
        emit="ptx",
        options={"chip": CHIPS[0]},
    )
    lines = [line.strip() for line in kernel.emitted.splitlines()]
    return sorted(line.split()[0] for line in lines if line.endswith(";"))


@pytest.mark.parametrize("layout", ["c", "f", "any"])
@pytest.mark.parametrize("name", PAIRS)
def test_view_costs_no_instruction(name, layout):
    view, plain = (instructions(body, layout) for body in PAIRS[name])
    assert view == plain
