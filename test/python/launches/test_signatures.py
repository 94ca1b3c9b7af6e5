# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Launches of declared kernels: which signature is meant, and what is read."""

import itertools
import warnings

import numpy as np
import pytest

from pyk import _options, _signatures, cuda, types
from pyk.cuda.errors import NumbaTypeSafetyWarning

NAMES = (
    *("bool_", "int8", "int16", "int32", "int64"),
    *("uint8", "uint16", "uint32", "uint64"),
    *("float16", "float32", "float64", "complex64", "complex128"),
)

#: How Numba converts the type of a row to that of a column: not at all (=), as
#: a promotion, safely, unsafely, or never (-).
CONVERSIONS = """
=sssssssssssss
u=pppuuuusssss
uu=ppuuuuussss
uuu=puuuuuusus
uuuu=uuuuuusus
uusss=pppussss
uuussu=ppuusus
uuuusuu=puusus
uuuuuuuu=uusus
uuuuuuuuu=ppss
uuuuuuuuuu=pss
uuuuuuuuuuu=us
------------=p
------------u=
""".split()


def chosen(signatures, values):
    """The place of the signature that a launch takes; None if unclear."""
    declared = [
        types.Signature(None, tuple(getattr(types, name) for name in names))
        for names in signatures
    ]
    arguments = [_signatures.Argument("x", value, value) for value in values]
    try:
        found, _ = _signatures.match("k", declared, False, arguments)
    except TypeError:
        return None
    return declared.index(found)


def test_conversions_as_in_numba():
    for own, row in zip(NAMES, CONVERSIONS, strict=True):
        for declared, expected in zip(NAMES, row, strict=True):
            found = _signatures._distance(
                getattr(types, declared), getattr(np, own)(1)
            )
            assert "=psu-"[found] == expected, (own, declared)


def test_integers_of_a_size_are_one_type():
    """NumPy has two types of 64 bits on most systems."""
    for own, declared in (np.longlong, "int64"), (np.ulonglong, "uint64"):
        assert chosen([("float64",), (declared,)], [own(5)]) == 1
        assert chosen([(declared,), ("float64",)], [own(5)]) == 0


def test_less_loss_wins_wherever_it_is():
    value = np.int32(1)
    columns = dict(zip(NAMES, CONVERSIONS[3], strict=True))
    for first, second in itertools.permutations(NAMES[:12], 2):
        ranks = ["=psu".index(columns[name]) for name in (first, second)]
        expected = None if ranks[0] == ranks[1] else ranks.index(min(ranks))
        if columns[(first, second)[expected or 0]] == "u":
            continue
        assert chosen([(first,), (second,)], [value]) == expected
        # The same before and behind an argument that decides nothing.
        pairs = [("int32", first), ("int32", second)]
        assert chosen(pairs, [value, value]) == expected


@pytest.mark.parametrize(
    ("signatures", "values", "expected"),
    [
        # One unsafe conversion is worse than any number of safe ones, and one
        # safe conversion than any number of promotions.
        (
            [("int64", "int64", "int64"), ("float64", "float64", "int16")],
            [np.int16(1), np.int32(1), np.int32(1)],
            0,
        ),
        (
            [("int64", "uint16"), ("float64", "float64")],
            [np.int32(1), np.int32(1)],
            1,
        ),
        (
            [("float64", "int16"), ("int32", "int32")],
            [np.int16(1), np.int16(1)],
            1,
        ),
        # Equally far, each in another argument.
        (
            [("int32", "int64"), ("int64", "int32")],
            [np.int32(1), np.int32(1)],
            None,
        ),
        ([("int32",), ("int64", "int64")], [np.int8(1)], 0),
        ([("float32",), ("float64",)], [1j], None),
        ([("float32",), ("complex64",)], [1j], 1),
    ],
)
def test_several_arguments(signatures, values, expected):
    assert chosen(signatures, values) == expected


def test_bfloat16():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    value = ml_dtypes.bfloat16(1)
    assert chosen([("float16",), ("float32",)], [value]) == 1
    assert chosen([("bfloat16",), ("float32",)], [value]) == 0
    assert chosen([("bfloat16",), ("float16",)], [np.uint8(1)]) == 0


def test_arrays_and_tuples():
    any_layout, rows, columns = (
        types.float32[:, :],
        types.float32[:, ::1],
        types.float32[::1, :],
    )
    signatures = [types.void(one) for one in (any_layout, rows, columns)]

    def meant(value, signatures=signatures):
        argument = _signatures.Argument("x", value, value)
        return _signatures.match("k", signatures, False, [argument])[0].args[0]

    matrix = np.zeros((4, 6), np.float32)
    assert meant(matrix) == rows
    assert meant(matrix.T) == columns
    assert meant(matrix[::2, ::2]) == any_layout
    assert meant(matrix, signatures[::2]) == any_layout
    # An array of one row is of both layouts; the first is its own.
    assert meant(matrix[:1]) == rows
    assert meant(matrix[:1], signatures[2:]) == columns
    pairs = [
        types.void(types.UniTuple(types.float32, 2)),
        types.void(types.UniTuple(types.float64, 2)),
    ]
    assert meant((np.int16(1), np.float32(1)), pairs[:1]).types[0] == "float32"
    assert meant((1, 1.5), pairs) == pairs[1].args[0]


# Each stored what the first signature made of it.
def test_by_value():
    @cuda.jit(["(float64[::1], int32)", "(float64[::1], float64)"])
    def store(a, x):
        a[0] = x

    a = np.zeros(1)
    store[1, 1](a, 2**40)
    assert a[0] == 2**40

    @cuda.jit(["(float64[::1], float32)", "(float64[::1], float64)"])
    def keep(a, x):
        a[0] = x

    keep[1, 1](a, 1 + 2**-25)
    assert a[0] == 1 + 2**-25
    keep[1, 1](a, np.float32(1 + 2**-25))
    assert a[0] == 1
    with pytest.raises(TypeError, match="^Ambiguous overloading for kernel"):
        keep[1, 1](a, np.int16(7))


def test_ambiguous():
    @cuda.jit(["(int64[::1], int8)", "(int64[::1], int32)"])
    def k(a, x):
        a[0] = x

    a = np.zeros(1, np.int64)
    with pytest.raises(TypeError) as caught:
        k[1, 1](a, np.int64(300))
    assert str(caught.value) == (
        "Ambiguous overloading for kernel 'k': (array(int64, 1d, C), int64) "
        "fits (array(int64, 1d, C), int8) -> none and (array(int64, 1d, C), "
        "int32) -> none equally well; convert arguments to the types of the "
        "one that you mean"
    )
    k[1, 1](a, np.int16(300))
    assert a[0] == 300


def test_no_match():
    @cuda.jit(["(float64[::1], float64)", "(float64[::1], int32)"])
    def k(a, x):
        a[0] = x

    with pytest.raises(TypeError) as caught:
        k[1, 1](np.zeros(1), 1j)
    assert str(caught.value) == (
        "No matching definition: kernel 'k' is declared for (array(float64, "
        "1d, C), float64) -> none, (array(float64, 1d, C), int32) -> none, not "
        "for argument 'x' of type complex128"
    )

    # The nearest is taken, and then it does not take a fraction.
    @cuda.jit([types.void(types.int32), types.void(types.int32, types.int32)])
    def whole(*numbers):
        pass

    with pytest.raises(
        TypeError,
        match=r"for \(int32\) -> none, not for argument 'numbers\[0\]' of "
        "type float64$",
    ):
        whole[1, 1](1.5)


# Memory that is read as another type.


@cuda.jit("void(int32[:], int32)")
def add(a, n):
    i = cuda.grid(1)
    if i < a.size:
        a[i] += n


def launched(kernel, *arguments):
    """Launches; the text of the one warning."""
    with pytest.warns(NumbaTypeSafetyWarning) as found:
        kernel[1, 32](*arguments)
    assert [warning.filename for warning in found] == [__file__]
    return str(found[0].message)


def test_wider_integers():
    a = np.arange(5)
    assert launched(add, a, 3) == (
        "the memory of argument 'a' of kernel 'add', array(int64, 1d, C), is "
        "read as the array(int32, 1d, A) that is declared; pass an array of "
        "that dtype, or declare the kernel for this one"
    )
    assert a.tolist() == [3, 4, 5, 6, 7]
    launched(add, a[::-2], 10)
    assert a.tolist() == [13, 4, 15, 6, 17]
    launched(add, np.ones(4, np.uint32), 1)
    there = cuda.to_device(a)
    launched(add, there, 1)
    assert there.copy_to_host().tolist() == [14, 5, 16, 7, 18]
    # Numba changes the lower halves alone, too.
    a[:] = -1
    launched(add, a, 1)
    assert a.tolist() == [-(2**32)] * 5


def test_packed_elements_are_read_one_after_another():
    @cuda.jit("void(int32[::1], int32[:])")
    def copy(a, out):
        i = cuda.grid(1)
        if i < a.size:
            out[i] = a[i]

    out = np.zeros(4, np.int32)
    launched(copy, np.arange(1, 5), out)
    assert out.tolist() == [1, 0, 2, 0]


def test_bools_as_integers():
    @cuda.jit("void(uint8[:], int64[:])")
    def copy(a, out):
        i = cuda.grid(1)
        if i < a.size:
            out[i] = a[i]

    out = np.zeros(3, np.int64)
    launched(copy, np.array([True, False, True]), out)
    assert out.tolist() == [1, 0, 1]


@cuda.jit("void(int64[:])")
def clear(a):
    i = cuda.grid(1)
    if i < a.size:
        a[i] = 0


def test_elements_that_reach_out_of_their_own():
    whole = np.arange(1, 9, dtype=np.int32)
    launched(clear, whole[::2])
    assert whole.tolist() == [0] * 8
    whole[:] = range(1, 9)
    for outside in (whole, whole[1::2], whole[7:], whole[7::-2]):
        with pytest.raises(TypeError) as caught:
            clear[1, 32](outside)
        assert str(caught.value).endswith(
            "; pass a.astype('int64') if it is only read, else create it with "
            "that dtype"
        )
    assert whole.tolist() == [1, 2, 3, 4, 5, 6, 7, 8]
    launched(clear, whole[:0])


def test_what_is_read_otherwise_keeps_its_form():
    for other in (
        np.zeros((2, 2), np.int64),
        np.zeros(2, [("x", "i8")]),
        np.broadcast_to(np.int64(1), 3),
        cuda.to_device(np.zeros((2, 2), np.int64)),
        3,
    ):
        with pytest.raises(TypeError, match="not for argument 'a' of type"):
            add[1, 1](other, 1)

    @cuda.jit(["void(int32[:])"])
    def listed(a):
        pass

    with pytest.raises(TypeError, match="^No matching definition: kernel 'li"):
        listed[1, 1](np.zeros(3, np.int64))


@pytest.mark.parametrize(
    ("declared", "own"),
    [
        ("int64", "float64"),
        ("int32", "float64"),
        ("float32", "int32"),
        ("float32", "float64"),
        ("float64", "complex128"),
        ("int64", "datetime64[s]"),
        ("bool_", "int8"),
    ],
)
def test_other_numbers(monkeypatch, declared, own):
    @cuda.jit(types.void(getattr(types, declared)[:], types.int8[:]))
    def same(a, out):
        i = cuda.grid(1)
        if i < a.size:
            out[i] = a[i] == a[0]

    a, out = np.ones(3, own), np.zeros(3, np.int8)
    with pytest.raises(
        TypeError,
        match=rf"; pass a.astype\('{declared.rstrip('_')}'\) if it is only "
        "read, else create it with that dtype, or set "
        "PYK_REINTERPRET=1 to have its memory read so, as in Numba$",
    ):
        same[1, 32](a, out)
    monkeypatch.setattr(_options.options, "reinterpret", True)
    launched(same, a, out)
    assert out.tolist() == [1, 1, 1]


def test_reinterpretation_from_the_environment(monkeypatch):
    assert not _options.from_environment().reinterpret
    monkeypatch.setenv("PYK_REINTERPRET", "1")
    assert _options.from_environment().reinterpret


def test_once_for_each_place():
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("default")
        for _ in range(3):
            add[1, 1](np.zeros(1, np.int64), 1)
        add[1, 1](np.zeros(1, np.int64), 1)
    assert len(found) == 2
