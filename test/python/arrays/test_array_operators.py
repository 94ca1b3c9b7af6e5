# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`a += x` of whole arrays, and arrays without dimensions in the place of their
elements, with NumPy as oracle."""

import numpy as np
import pytest

from pyk import CompileError, cuda

SOURCES = {
    name: f"def k(a, x):\n    a {name}= x\n"
    for name in ("+", "-", "*", "/", "//", "%", "**", "&", "|", "^", "<<", ">>")
}
INTEGERS = ("&", "|", "^", "<<", ">>")


def compile_operator(name, tmp_path):
    path = tmp_path / "program.py"
    path.write_text(SOURCES[name])
    names = {}
    exec(compile(SOURCES[name], str(path), "exec"), names)  # noqa: S102
    return names["k"]


ARRAYS = [
    np.arange(1.0, 7.0),
    np.arange(1, 7, dtype=np.float32).reshape(2, 3),
    np.arange(1, 7).reshape(3, 2).T,
    np.arange(1, 13, dtype=np.int16)[::2],
    np.array([3, 200, 255], np.uint8),
    np.array(5.0),
    np.zeros(0, np.int64),
    np.array([1 + 2j, 3]),
]


@pytest.mark.parametrize("name", SOURCES)
@pytest.mark.parametrize("a", ARRAYS, ids=lambda a: f"{a.dtype}{a.shape}")
def test_numbers_in_place(name, a, tmp_path):
    function = compile_operator(name, tmp_path)
    for x in (3, 2.5):
        expected, found = a.copy(), a.copy()
        try:
            with np.errstate(all="ignore"):
                function(expected, x)
        except TypeError:
            with pytest.raises(CompileError, match=r"operator '.*=' cannot"):
                cuda.jit(function)[1, 1](found, x)
            continue
        cuda.jit(function)[1, 1](found, x)
        if a.dtype.kind in "fc" and name in ("**", "/", "//"):
            np.testing.assert_allclose(found, expected, rtol=1e-6)
        else:
            np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("name", SOURCES)
def test_arrays_in_place(name, tmp_path):
    function = compile_operator(name, tmp_path)
    kind = int if name in INTEGERS else float
    for shape, other in (
        [(6,), (6,)],
        [(2, 3), (3,)],
        [(2, 3), (2, 1)],
        [(2, 3), ()],
        [(2, 3, 2), (3, 1)],
    ):
        a = np.arange(1, 1 + np.prod(shape)).reshape(shape).astype(kind)
        x = np.arange(1, 1 + np.prod(other, dtype=int)).reshape(other)
        expected, found = a.copy(), a.copy()
        function(expected, x.astype(kind))
        cuda.jit(function)[1, 1](found, x.astype(kind))
        np.testing.assert_allclose(found, expected)


def test_places():
    def k(a, m):
        local = cuda.local.array(3, np.float64)
        for n in range(3):
            local[n] = n
        local += a[:3]
        local *= 2
        a[:3] = local
        row = m[1]
        row -= 1
        m[0] /= 4
        b = a[3:]
        b += b

    a, m = np.arange(6.0), np.arange(6.0).reshape(2, 3)
    cuda.jit(k)[1, 1](a, m)
    assert a.tolist() == [0, 4, 8, 6, 8, 10]
    assert m.tolist() == [[0, 0.25, 0.5], [2, 3, 4]]


@pytest.mark.parametrize(
    "a, x",
    [
        (np.zeros(3, int), 2.5),
        (np.zeros(3), 1j),
        (np.zeros(3), np.zeros((2, 3))),
        (np.zeros(3), np.datetime64(1, "D")),
    ],
    ids=["float", "complex", "rank", "time"],
)
def test_refused(a, x):
    def k(a, x):
        a += x

    with pytest.raises(CompileError, match=r"operator '\+=' cannot take"):
        cuda.jit(k)[1, 1](a, x)


def test_read_only():
    def k(a):
        a += 1

    a = np.zeros(3)
    a.setflags(write=False)
    with pytest.raises(CompileError, match="that can be written"):
        cuda.jit(k)[1, 1](a)


def test_extents_that_do_not_fit():
    def k(a, x):
        a += x

    with pytest.raises(ValueError, match="cannot assign 2 elements to 3"):
        cuda.jit(k, debug=True, opt=False)[1, 1](np.zeros(3), np.zeros(2))


def test_selections_that_are_an_element():
    def k(a, m):
        a[0, ...] += 4
        a[..., 1] *= 2
        m[0, ...] += 1
        m[1, 2, ...] /= 2

    def make():
        return np.arange(3.0), np.arange(6.0).reshape(2, 3)

    found, expected = make(), make()
    k(*expected)
    cuda.jit(k)[1, 1](*found)
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_array_equal(a, b)


def test_arrays_without_dimensions():
    def k(out, z, i, a):
        out[0] = z + 1
        out[1] = 2 / z
        out[2] = -z
        out[3] = z == 2.5
        out[4] = z < i
        out[5] = a[i]
        out[6] = a[i - 1] * z
        a[i] = z
        out[7] = z in (1.5, 2.5)
        z *= 2
        out[8] = z[()]

    found, expected = np.zeros(9), np.zeros(9)
    for out, kernel in ((found, cuda.jit(k)[1, 1]), (expected, k)):
        a = np.arange(4.0)
        kernel(out, np.array(2.5), np.array(3), a)
        assert a[3] == 2.5
    np.testing.assert_array_equal(found, expected)


def test_elements_of_nditer():
    def k(out, m, where):
        for x in np.nditer(m):
            out[0] += x * 2 if x > 1 else 1
        for i in np.nditer(where):
            out[i] = m[0, i]

    found, expected = np.zeros(4), np.zeros(4)
    m, where = np.arange(6.0).reshape(2, 3), np.array([1, 2])
    k(expected, m, where)
    cuda.jit(k)[1, 1](found, m, where)
    np.testing.assert_array_equal(found, expected)
