# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels with signatures: what is compiled, and how arrays reach them."""

import numpy as np
import pytest

import pyk
from pyk import cuda, types
from pyk.cuda import _compile
from support.scalars import TYPES, compile_text


@pytest.mark.on_the_cpu(reason="a GPU's code is made at once")
def test_signature_is_checked_at_once(compiled):
    with pytest.raises(pyk.CompileError, match="str"):

        @cuda.jit("void(float32[:])")
        def wrong(a):
            a[0] = "text"

    assert compiled == []


# As in Numba, what a global is when a kernel is declared is what it remains.
@pytest.mark.parametrize("threads", [1, 64])
def test_declared_kernel_is_compiled_once(threads, monkeypatch):
    monkeypatch.setattr(_compile.options, "cpu", "auto")
    monkeypatch.setitem(globals(), "STEP", 2)

    @cuda.jit("void(float32[::1])")
    def k(a):
        i = cuda.grid(1)
        if i < a.size:
            a[i] += STEP  # noqa: F821

    monkeypatch.setitem(globals(), "STEP", 3)
    a = np.arange(100, dtype=np.float32)
    for _ in range(2):
        k[100 // threads + 1, threads](a)
    assert (a == np.arange(100) + 4).all()
    assert len(k._variants.modules) == 1


def test_signature_is_compiled_once_and_casts(compiled, monkeypatch):
    monkeypatch.setattr(_compile.options, "assume", None)

    @cuda.jit("void(float32[:], int32, float64)")
    def k(a, n, x):
        a[0] = n + x

    a = np.zeros(3, np.float32)
    k[1, 1](a, 7, 2)
    assert a[0] == 9
    assert compiled == [("!pyk.array<?xf32, any>", "si32", "f64")]
    k[1, 1](a[1:], np.int32(8), 2.5)
    assert a[1] == 10.5
    assert len(compiled) == 1
    # Once more for arrays with gaps, which kernels do not take for granted.
    for _ in range(2):
        k[1, 1](a[::2], 1, 2)
        assert a[0] == 3
        assert compiled[1:] == compiled[:1]
    declared = (
        "kernel 'k' is declared for (array(float32, 1d, A), int32, float64) "
        "-> none, not for "
    )
    with pytest.raises(TypeError) as caught:
        k[1, 1](np.zeros(3), 7, 2)
    assert str(caught.value) == (
        f"{declared}argument 'a' of type array(float64, 1d, C); pass "
        "a.astype('float32') if it is only read, else create it with that "
        "dtype, or set PYK_REINTERPRET=1 to have its memory read so, as in "
        "Numba"
    )
    a.flags.writeable = False
    with pytest.raises(TypeError) as caught:
        k[1, 1](a, 7.5, 2)
    assert str(caught.value) == (
        f"{declared}argument 'a' of type readonly array(float32, 1d, C), "
        "argument 'n' of type float64"
    )


NUMBERS = [
    *(3, True, 2.5, -1),
    *(np.dtype(code).type(5) for code in TYPES),
    *(np.complex64(1 + 2j), np.complex128(1 - 2j), 1.5 + 1j),
]


def fits(number, dtype):
    """Whether a launch converts `number` to what a signature declares.

    No fraction and no imaginary part is lost; integers may be cut.
    """
    kinds = {"f": "biuf", "c": "biufc"}.get(dtype.kind, "biu")
    return np.asarray(number).dtype.kind in kinds


@pytest.mark.parametrize("code", [*TYPES, "c8", "c16"])
def test_numbers_become_those_of_the_signature(code):
    """Alone and in tuples, whatever number is given."""
    dtype = np.dtype(code)
    scalar = types.from_dtype(dtype)
    pair = types.Tuple((scalar, types.int16))
    # The declared type, the argument made of a number, and the expression that
    # reads the number and the constant 7.
    places = [
        (scalar, lambda number: number, "(x, 7)"),
        (pair, lambda number: (number, np.int8(7)), "x"),
        (
            types.Tuple((types.float32, pair)),
            lambda number: (2, (number, 7)),
            "x[1]",
        ),
        (
            types.Tuple((types.int8, types.float64, scalar)),
            lambda number: (1, np.float32(6), number),
            "(x[2], x[0] + int(x[1]))",
        ),
    ]
    for declared, give, text in places:
        program = f"def k(x, out, seven): out[0], seven[0] = {text}"
        signature = types.void(declared, scalar[::1], types.int64[::1])
        kernel = cuda.jit(signature)(compile_text(program).py_func)
        for number in NUMBERS:
            out, seven = np.zeros(1, dtype), np.zeros(1, np.int64)
            if not fits(number, dtype):
                with pytest.raises(TypeError, match="is declared for"):
                    kernel[1, 1](give(number), out, seven)
                continue
            kernel[1, 1](give(number), out, seven)
            assert out[0] == np.asarray(number).astype(dtype)
            assert seven[0] == 7


SCALARS = ["i2", "i4", "i8", "u4", "f4", "f8", "c16"]
EXTREMES = [
    *(np.dtype(code).type(np.iinfo(code).max) for code in SCALARS[:4]),
    *(np.int16(-7), np.int64(3_000_000_000), 3_000_000_000, 7, -1, 0.1),
    *(np.float32(1e30), 1e300, np.float64(2**53 + 2), 1.5 + 1e300j),
]


@pytest.mark.parametrize("first", SCALARS)
def test_a_signature_that_loses_nothing_is_best(first):
    """Of two, in either order, where one alone holds all numbers of a type."""
    for second in SCALARS:
        if second == first:
            continue

        @cuda.jit(
            [
                types.void(types.from_dtype(np.dtype(code)), types.c16[::1])
                for code in (first, second)
            ]
        )
        def kernel(x, out):
            out[0] = x

        for number in EXTREMES:
            given = np.asarray(number).dtype
            # Where both hold all, as in Numba, neither is better.
            if given in (first, second) or (
                np.can_cast(given, first) != np.can_cast(given, second)
            ):
                out = np.zeros(1, np.complex128)
                kernel[1, 1](number, out)
                assert out[0] == np.complex128(number)


# Elements that a program cut out of bytes are copied to where the type says.
def test_unaligned_array_and_signature():
    @cuda.jit("void(float64[:])")
    def k(a):
        i = cuda.grid(1)
        if i < a.size:
            a[i] += i

    part = np.zeros(28, np.int8)[4:].view(np.float64)
    k[1, 32](part)
    assert part.tolist() == [0, 1, 2]


def test_copies_go_back_in_the_order_of_the_arguments():
    @cuda.jit("void(float64[:], float64[:])")
    def k(first, second):
        first[0] = 1
        second[0] = 2
        first[1] = 3

    part = np.zeros(28, np.int8)[4:].view(np.float64)
    k[1, 1](part, part)
    assert part.tolist() == [2, 0, 0]


def test_a_declared_kernel_gets_aligned_elements():
    @cuda.jit("void(float64[:], int64[:])")
    def k(a, out):
        out[0] = a.ctypes.data % 8
        out[1] += 1

    part = np.zeros(28, np.int8)[4:].view(np.float64)
    out = np.full(2, 5)
    for count in (6, 7):
        k[1, 1](part, out)
        assert out.tolist() == [0, count]


def cut_out(array):
    """The same elements where none of their kind lies."""
    memory = np.zeros(array.nbytes + 1, np.int8)
    strides = array.strides
    cut = np.ndarray(array.shape, array.dtype, memory, 1, strides)
    cut[...] = array
    return cut


def test_unaligned_arrays_keep_all_else_where_types_are_declared():
    @cuda.jit("void(float64[::1, :], int64[:])")
    def k(a, out):
        a[1, 2] += 1
        out[0] = a.ctypes.data % 8

    part = cut_out(np.asfortranarray(np.arange(6.0).reshape(2, 3)))
    out = np.ones(1, np.int64)
    k[1, 1](part, out)
    assert (part[1, 2], out[0]) == (6, 0)
    part.flags.writeable = False
    with pytest.raises(TypeError, match=r"readonly array\(float64, 2d, F\)"):
        k[1, 1](part, out)
    assert part[1, 2] == 6


def test_unaligned_arrays_in_declared_tuples():
    array = types.float64[:]

    @cuda.jit(types.void(types.Tuple((array, types.Tuple((array,))))))
    def k(t):
        t[0][0] = t[0].ctypes.data % 8
        t[1][0][1] = t[1][0].ctypes.data % 8

    first, second = cut_out(np.ones(2)), cut_out(np.ones(2))
    k[1, 1]((first, (second,)))
    assert (first.tolist(), second.tolist()) == ([0, 1], [1, 0])


# A device array of another layout than the declared one is no other type.
def test_device_arrays_and_signatures():
    @cuda.jit("void(float32[:], int32)")
    def k(a, n):
        i = cuda.grid(1)
        if i < a.size:
            a[i] += n

    matrix = cuda.to_device(np.zeros((4, 3), np.float32))
    k[1, 32](matrix[1], 1)
    k[1, 32](matrix[:, 2], np.int32(5))
    expected = [[0, 0, 5], [1, 1, 6], [0, 0, 5], [0, 0, 5]]
    assert matrix.copy_to_host().tolist() == expected
    with pytest.raises(TypeError, match="is declared for"):
        k[1, 32](matrix, 1)


# As in Numba, the layout of an array must be the declared one.
@pytest.mark.parametrize("give", [lambda a: a, cuda.In, cuda.to_device])
def test_layout_of_a_signature(give):
    @cuda.jit("void(float64[::1], float64[:])")
    def k(a, out):
        i = cuda.grid(1)
        if i < a.size:
            out[i] = a[i] + 1

    a, out = np.arange(6.0), np.zeros(12)
    k[1, 32](give(a), out[::2])
    assert out.tolist() == [1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0]
    strided = cuda.to_device(a)[::2] if give is cuda.to_device else give(a[::2])
    with pytest.raises(
        TypeError,
        match=r"not for argument 'a' of type array\(float64, 1d, A\)$",
    ):
        k[1, 32](strided, out)


@pytest.mark.on_the_cpu(reason="a GPU's code is made at once")
def test_several_signatures(compiled):
    @cuda.jit(["(int32,)", (types.float64,), types.void(types.f4[:, ::1])])
    def k(a):
        pass

    k[1, 1](1.5)
    k[1, 1](3)
    k[1, 1](np.int32(3))
    k[1, 1](np.zeros((2, 2), np.float32))
    assert compiled == [("f64",), ("si32",), ("!pyk.array<?x?xf32, c>",)]
    with pytest.raises(
        TypeError,
        match=r"not for argument 'a' of type array\(float32, 2d, F\)$",
    ):
        k[1, 1](np.zeros((2, 2), np.float32).T)


def test_wrong_signatures():
    with pytest.raises(TypeError, match="must have void return type"):
        cuda.jit("int32(int32)")(lambda x: x)
    with pytest.raises(TypeError, match="has 2 types for the 1 parameters"):
        cuda.jit("(int32, int32)")(lambda x: x)
    with pytest.raises(
        TypeError,
        match=r"has 1 types for the 2 parameters of '<lambda>' \(x, y",
    ):
        cuda.jit("(int32,)")(lambda x, y, *rest: None)
