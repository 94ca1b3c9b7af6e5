# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Indices far beyond an array, whose offsets leave 32 or 64 bits, name no
element of it: reads give 0, and writes are dropped.
"""

import numpy as np
import pytest

from pyk import cuda
from support import simd_agreement
from view_kernels import make

pytestmark = [
    pytest.mark.on_the_cpu(reason="a GPU is lost after that"),
    pytest.mark.filterwarnings(
        "ignore::pyk.cuda.errors.OutOfBoundsWarning",
    ),
]

WAYS = ["reference", "simd"]

POINT = np.dtype([("x", np.int32), ("v", np.int16, (3,))], align=True)


def run(body, way, *arrays, **names):
    """What a kernel with `body` leaves in its arrays a, b."""
    parameters = ", ".join("ab"[: len(arrays)])
    found, _ = simd_agreement.run(
        way, lambda: make(body, parameters, **names), 1, 1, *arrays
    )
    return found


def numbers(*shape):
    return np.arange(1, 1 + np.prod(shape)).reshape(shape)


# What is stored in `a` of shape (3, 2), in which nothing must change. Products
# with the extents 2 and 3 are 0 or small modulo 2**32 and 2**64.
STORES = [
    "a[2**40, 2**40] = 7",
    "a[2**32 + 1, 1] = 7",
    "a[0, 2**32] = 7",
    "a[2**31, 0] = 7",
    "a[2**63 - 1, 2] = 7",
    "for i in range(3):\n    a[2**63 - 1, i] = 7",
    "a[2**62, 0] = 7",
    "a[2**63 - 1, 2**63 - 1] = 7",
    "a[-2**32, 0] = 7",
    "a[-2**62, -2**62] = 7",
    "cuda.atomic.add(a, (2**33, 0), 7)",
    "cuda.atomic.max(a, (0, 2**33), 700)",
    "cuda.atomic.cas(a, (2**32, 0), 1, 7)",
    "a[2**40][1] = 7",
    "a[2**40, :] = 7",
    "a[:, 2**40] = 7",
    "a[2**63 - 1, 1:] = 7",
    "a[2**40:2**41, 2**40] = 7",
    "a[1:, :][2**32, 0] = 7",
    "a[::2][2**32, 1] = 7",
    "a[::2][2**63 - 1, 1] = 7",
    "a[:, ::2**61][0, 8] = 7",
    "a[::2**62][4, 0] = 7",
    "a.T[0, 2**32] = 7",
    "a.T[2**62, 2**32] = 7",
    "a.reshape(6)[2**32] = 7",
    "a.reshape(2, 3)[2**32, 0] = 7",
    "a.reshape(3, 2)[2**63, 0] = 7",
    "a[:, None, :][2**32, 0, 0] = 7",
    "a.view(np.int32)[2**62, 0] = 7",
    "a.view(np.int32)[2**31, 0] = 7",
    "r = a\nif a[0, 0] > 5:\n    r = a[::2]\nr[2**40, 0] = 7",
    "for i in range(2**32, 2**32 + 3):\n    a[i, 0] = 7",
    "for i in range(3):\n    a[i + 2**32, 0] = 7",
    "for i in range(3):\n    a[i * 2**62, i * 2**62 + 2**33] = 7",
]


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("body", STORES)
def test_stores_beyond_an_array(body, way, order):
    if order == "F" and ("reshape" in body or ".view" in body):
        pytest.skip("takes an array of layout C")
    a = np.asarray(numbers(3, 2), order=order)
    if ".view" in body:
        a = np.ascontiguousarray(a)
    (found,) = run(body, way, a)
    assert found.tolist() == a.tolist()


@pytest.mark.parametrize("way", WAYS)
def test_loads_beyond_an_array(way):
    body = """
b[0] = a[2**40, 2**40]
b[1] = a[2**63 - 1, 2]
b[2] = a[2**62, 0]
b[3] = a[::2][2**63 - 1, 0]
b[4] = a.T[0, 2**32]
b[5] = a.reshape(2, 3)[2**32, 1]
b[6] = cuda.atomic.add(a, (2**32, 1), 1)
"""
    a, b = run(body, way, numbers(3, 2), np.full(7, -1))
    assert a.tolist() == numbers(3, 2).tolist()
    assert b.tolist() == [0] * 7


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("space", ["local", "shared"])
def test_arrays_of_the_kernel(space, way):
    body = f"""
own = cuda.{space}.array((3, 2), np.int64)
for i in range(3):
    for j in range(2):
        own[i, j] = 1 + 2 * i + j
own[2**32, 0] = 7
own[2**30, 0] = 7
own[2**31, 2**31] = 7
own[2**40, 2**40] += 7
own[-2**40, 1] = 7
own[2**63 - 1, 2] = 7
for i in range(3):
    own[2**63 - 1, i] = 7
    own[2**62 * (i + 1), 0] = 7
for i in range(3):
    for j in range(2):
        a[i, j] = own[i, j]
a[0, 0] += own[2**40, 2**40] + own[2**31, 0]
"""
    (found,) = run(body, way, np.zeros((3, 2), np.int64))
    assert found.tolist() == numbers(3, 2).tolist()


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    "index",
    [
        2**32,
        2**40,
        2**60,
        2**61,
        2**62,
        2**63 - 1,
        -(2**32),
        -(2**62),
        -(2**63),
    ],
)
def test_indices_that_are_arguments(index, way):
    def make_kernel():
        @cuda.jit
        def kernel(a, cube, texts, points, i):
            a[i, 0] = 7
            a[i, i] = 7
            a[::2][i, 1] = 7
            a[:, ::-1][i, 1] = 7
            a.reshape(2, 3)[i, 1] = 7
            cube[i, i, i] = 7
            cube[0, i, 0] = 7
            cube[i, 1][0] = 7
            texts[i] = "new"
            texts[i][0]
            points[i].x = 7
            points[i].v[1] = 7
            points[0].v[i] = 7

        return kernel

    given = [
        numbers(3, 2),
        numbers(2, 2, 2),
        np.array(["one", "two"], "U3"),
        np.ones(3, POINT),
    ]
    found, _ = simd_agreement.run(way, make_kernel, 1, 1, *given, index)
    for one, other in zip(found, given, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("way", WAYS)
def test_offsets_beyond_64_bits(way):
    """Elements of 12 and of 16 bytes whose offset is 0 modulo 2**64."""

    def make_kernel():
        @cuda.jit
        def kernel(texts, numbers, same):
            same[0] = texts[2**62] == texts[0]
            same[1] = texts[2**62] == ""
            texts[2**62] = "new"
            numbers[::2][2**62] = 7
            numbers[::-1][-(2**62)] = 7
            numbers.reshape(2, 4)[2**62, 0] = 7

        return kernel

    texts = np.array(["one", "two"], "U3")
    (texts_found, found, same), _ = simd_agreement.run(
        way, make_kernel, 1, 1, texts, numbers(8), np.zeros(2, bool)
    )
    assert texts_found.tolist() == texts.tolist()
    assert found.tolist() == numbers(8).tolist()
    assert same.tolist() == [False, True]


def test_lanes_beyond_an_array():
    """Some threads of a vector are inside, and some far outside."""

    def make_kernel():
        @cuda.jit
        def kernel(a, indices, out):
            i = cuda.grid(1)
            out[i] = a[indices[i], 1]
            a[indices[i], 0] = -i

        return kernel

    indices = np.arange(64) % 4
    indices[1::4] += 2**32
    indices[2::4] += 2**63 - 4
    expected = numbers(4, 2)
    expected[0, 0], expected[3, 0] = -60, -63
    for way in WAYS:
        (a, _, out), _ = simd_agreement.run(
            way, make_kernel, 1, 64, numbers(4, 2), indices, np.ones(64)
        )
        assert out.tolist() == [2, 0, 0, 8] * 16
        assert a[:, 1].tolist() == [2, 4, 6, 8]
        assert a[1:3, 0].tolist() == [3, 5]


def test_reshapes_that_overflow():
    kernel = make("b[0] = a.reshape(n, 4)[n - 1, 3]", "a, b, n")
    checked = cuda.jit(debug=True, opt=False)(kernel.py_func)
    for size in (2**62 + 1, 2**62, 2**48, 3):
        with pytest.raises(ValueError, match="cannot reshape 4 elements"):
            checked[1, 1](numbers(4), np.zeros(1), size)
    b = np.zeros(1)
    checked[1, 1](numbers(4), b, 1)
    assert b[0] == 4


@pytest.mark.parametrize("way", WAYS)
def test_huge_arrays_are_still_read(way):
    """Broadcast by strides of 0, whose indices are large and right."""
    row = np.arange(3.0)
    a = np.lib.stride_tricks.as_strided(row, (2**40, 3), (0, 8))

    def make_kernel():
        @cuda.jit
        def kernel(row, a, out, i):
            out[0] = a[i, 1] + a[2**40 - 1, 2] + a[-1, 1]

        return kernel

    kernel_out = np.zeros(1)
    make_kernel()[1, 1](row, a, kernel_out, 2**39)
    assert kernel_out[0] == 4
