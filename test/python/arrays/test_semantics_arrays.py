# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Array arguments of every shape and layout, and what may not be stored."""

import itertools

import numpy as np
import pytest

import pyk
from pyk import cuda


@cuda.jit
def copy(a, out):
    i = cuda.grid(1)
    if i < a.size:
        out[i] = a[i]


def views(rank):
    """Views of arrays whose strides are of every sort."""
    base = np.arange(5040.0)
    shape = (4, 5, 6)[:rank]
    size = int(np.prod(shape))
    yield base[:size].reshape(shape)
    yield base[:size].reshape(shape, order="F")
    yield base[: 2 * size : 2].reshape(shape)[::-1]
    wide = base[: size * 3**rank].reshape([3 * n for n in shape])
    yield wide[(slice(None, None, 3),) * rank]
    yield wide[(slice(None, None, -3),) * rank]
    for order in itertools.permutations(range(rank)):
        flipped = base[:size].reshape([shape[i] for i in order])
        yield flipped.transpose(np.argsort(order))
    yield np.broadcast_to(base[: shape[-1]], shape)


@pytest.mark.parametrize("rank", [1, 2, 3])
def test_elements_of_strided_views(rank):
    @cuda.jit
    def one(a, out):
        i = cuda.grid(1)
        if i < a.shape[0]:
            out[i] = a[i] + 10000 * a[-1 - i]

    @cuda.jit
    def two(a, out):
        i, j = cuda.grid(2)
        if i < a.shape[0] and j < a.shape[1]:
            place = i, j
            out[i, -1 - j] = a[place] + 10000 * a[-1 - i, j]

    @cuda.jit
    def three(a, out):
        i, j, l = cuda.grid(3)
        if i < a.shape[0] and j < a.shape[1] and l < a.shape[2]:
            out[i, j, -1 - l] = a[i, j, l] + 10000 * a[-1 - i, j, -1 - l]

    kernel = [one, two, three][rank - 1]
    for a in views(rank):
        for out in views(rank):
            target = out.copy("K")
            kernel[1, (8,) * rank](a, target)
            expected = [
                lambda: a + 10000 * a[::-1],
                lambda: (a + 10000 * a[::-1])[:, ::-1],
                lambda: (a + 10000 * a[::-1, :, ::-1])[:, :, ::-1],
            ][rank - 1]()
            np.testing.assert_array_equal(target, expected)


def test_properties_of_arrays():
    @cuda.jit
    def k(a, out):
        shape = a.shape
        for n in range(len(shape)):
            out[n] = shape[n] * 1000 + a.strides[n]
        out[3] = a.size + a.ndim * 10000 + len(a) * 1000000

    for a in views(3):
        out = np.zeros(4, np.int64)
        k[1, 1](a, out)
        expected = [n * 1000 + s for n, s in zip(a.shape, a.strides)]
        expected.append(a.size + 30000 + len(a) * 1000000)
        assert out.tolist() == expected


def test_no_elements():
    out = np.full(3, 7.0)
    copy[1, 32](np.zeros(0), out)
    copy[1, 32](np.zeros(0), np.zeros(0))
    assert out.tolist() == [7, 7, 7]


def test_arrays_that_overlap():
    @cuda.jit
    def k(a, b, n):
        i = cuda.grid(1)
        if i == 0:
            for j in range(n):
                b[j] = a[j] * 2
                a[j] += b[j]

    a = np.arange(1.0, 11)
    k[1, 1](a[:-1], a[1:], 9)
    expected = np.arange(1.0, 11)
    for j in range(9):
        expected[j + 1] = expected[j] * 2
        expected[j] += expected[j + 1]
    np.testing.assert_array_equal(a, expected)
    a = np.arange(4.0)
    k[1, 1](a, a, 4)
    assert a.tolist() == [0, 4, 8, 12]


@pytest.mark.parametrize("source", [np.int64, np.float64])
def test_stores_into_bool(source):
    out = np.zeros(5, np.bool_)
    copy[1, 5](np.array([0, 1, 2, 256, -(2**40)], source), out)
    assert out.view(np.uint8).tolist() == [0, 1, 1, 1, 1]


def test_bool_of_any_bits_is_true():
    a = np.array([0, 1, 2, 128, 255], np.uint8).view(np.bool_)
    out = np.zeros(5, np.int64)
    copy[1, 5](a, out)
    assert out.tolist() == [0, 1, 1, 1, 1]


def test_stores_truncate():
    out = np.zeros(4, np.int8)
    copy[1, 4](np.array([300, -129, 255, 2**40 + 5]), out)
    assert out.tolist() == [44, 127, -1, 5]


def read_only():
    array = np.arange(4.0)
    array.flags.writeable = False
    yield array
    yield np.broadcast_to(np.float64(3), (4,))
    yield np.frombuffer(bytes(32), np.float64)


@pytest.mark.parametrize("number", range(3))
def test_store_into_a_read_only_array_is_an_error(number):
    out = list(read_only())[number]
    before = out.tolist()
    with pytest.raises(
        pyk.CompileError,
        match=r"expects an array that can be written but got readonly "
        r"array\(float64, 1d, [CA]\)",
    ):
        copy[1, 4](np.full(4, 7.0), out)
    assert out.tolist() == before


@pytest.mark.parametrize("number", range(3))
def test_load_from_a_read_only_array(number):
    source = list(read_only())[number]
    out = np.full(4, 7.0)
    copy[1, 4](source, out)
    assert out.tolist() == source.tolist()


def test_declared_array_is_writeable():
    @cuda.jit("void(float64[:], float64[:])")
    def declared(a, b):
        b[0] = a[0]

    frozen = np.ones(1)
    frozen.flags.writeable = False
    with pytest.raises(TypeError, match="is declared for"):
        declared[1, 1](frozen, np.zeros(1))


TRUTHS = {
    "if": "if a: b[0] = 1",
    "while": "while a: b[0] = 1",
    "conditional": "b[0] = 1 if a else 2",
    "and": "b[0] = a and 1",
    "tested or": "if b[0] or a: b[0] = 1",
    "not": "b[0] = not a",
    "bool": "b[0] = bool(a)",
}


@pytest.mark.parametrize("name", TRUTHS)
def test_truth_of_an_array_is_an_error(name, tmp_path):
    path = tmp_path / "truth.py"
    path.write_text(
        "from pyk import cuda\n@cuda.jit\ndef k(a, b):\n    " + TRUTHS[name]
    )
    scope = {}
    exec(compile(path.read_text(), path, "exec"), scope)
    b = np.zeros(1)
    with pytest.raises(pyk.CompileError):
        scope["k"][1, 1](np.zeros(1), b)
    assert b[0] == 0


# Decision 6: what NumPy has for dimensions of one element is not seen.
@pytest.mark.parametrize(
    ("array", "expected"),
    [
        (np.zeros((4, 6)), (48, 8)),
        (np.zeros((4, 6), order="F"), (8, 32)),
        (np.zeros((4, 6))[::2, ::3], (96, 24)),
        (np.zeros((4, 6))[1:2, 1:2], (8, 8)),
        (np.zeros((4, 6))[:, :0], (0, 8)),
    ],
)
def test_strides_are_those_of_the_layout(array, expected):
    @cuda.jit
    def strides(a, out):
        out[0], out[1] = a.strides

    out = np.zeros(2, np.int64)
    strides[1, 1](array, out)
    assert tuple(out) == expected
