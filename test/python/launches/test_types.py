# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numba's types on the host."""

import numpy as np
import pytest

from pyk import types
from pyk._declarations import parse_signature

SCALARS = [
    *("bool", "int8", "int16", "int32", "int64"),
    *("uint8", "uint16", "uint32", "uint64"),
    *("float16", "float32", "float64", "complex64", "complex128"),
]


@pytest.mark.parametrize("name", SCALARS)
def test_scalar_type_is_its_numpy_dtype(name):
    scalar = getattr(types, "boolean" if name == "bool" else name)
    dtype = np.dtype(name)
    assert scalar == dtype
    assert dtype == scalar
    assert scalar == dtype.type
    assert scalar == name
    assert scalar != np.dtype("V4")
    assert np.zeros(2, scalar).dtype == dtype
    assert scalar(1) == dtype.type(1)
    assert type(scalar(1)) is dtype.type
    assert repr(scalar) == name
    assert hash(scalar) == hash(getattr(types, repr(scalar), scalar))


@pytest.mark.parametrize(
    ("alias", "name"),
    [
        *(("b1", "bool"), ("bool_", "bool"), ("i4", "int32")),
        *(("intp", "int64"), ("int_", "int64"), ("uint", "uint64")),
        *(("f2", "float16"), ("float_", "float32"), ("double", "float64")),
        *(("u8", "uint64"), ("c16", "complex128"), ("intc", "int32")),
    ],
)
def test_alias(alias, name):
    assert getattr(types, alias).name == name


@pytest.mark.parametrize(
    ("array", "mlir"),
    [
        (types.float32[:], "!pyk.array<?xf32, any>"),
        (types.float32[::1], "!pyk.array<?xf32, c>"),
        (types.int8[:, ::1], "!pyk.array<?x?xsi8, c>"),
        (types.u4[::1, :], "!pyk.array<?x?xui32, f>"),
        (types.boolean[:, :, :], "!pyk.array<?x?x?xi1, any>"),
        (types.Array(types.f8, 2, "F"), "!pyk.array<?x?xf64, f>"),
    ],
)
def test_array_type(array, mlir):
    assert array.mlir == mlir


def test_wrong_array_types():
    with pytest.raises(TypeError, match="expects ':' or '::1'"):
        types.float32[3]
    with pytest.raises(TypeError, match="expects ':' or '::1'"):
        types.float32[::2]
    with pytest.raises(TypeError, match="the first or the last dimension"):
        types.float32[:, ::1, :]
    with pytest.raises(ValueError, match="expects layout C, F or A"):
        types.Array(types.float32, 1, "X")


#: A record, as its type prints.
PRINTED = repr(types.from_dtype(np.dtype([("x", "f4"), ("y", "i4")])))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("void(float32[:], int32)", "(array(float32, 1d, A), int32) -> none"),
        ("(f4, i8[:, ::1])", "(float32, array(int64, 2d, C)) -> none"),
        ("(long,)", "(int64) -> none"),
        ("(float32)", "(float32) -> none"),
        ("void()", "() -> none"),
        ("Tuple((i4, f4))(i4)", "(int32) -> tuple(int32, float32)"),
        ("void(UniTuple(i8, 2))", "(tuple(int64, int64)) -> none"),
        ("optional(i4)(i4)", "(int32) -> int32 or None"),
        (
            types.Tuple([types.i4[:], types.f4])(),
            "() -> tuple(array(int32, 1d, A), float32)",
        ),
        (types.UniTuple(types.i4, 1)(), "() -> tuple(int32)"),
        (types.Optional(types.i4)(), "() -> int32 or None"),
        ("int32(int32)", "(int32) -> int32"),
        # Names of the module of types, and types as they print.
        ("void(Array(f8, 2, 'F'))", "(array(float64, 2d, F)) -> none"),
        (
            "types.void(types.float32[:], types.int64)",
            "(array(float32, 1d, A), int64) -> none",
        ),
        (
            "void(types.Array(types.f4, ndim=1, layout='C'))",
            "(array(float32, 1d, C)) -> none",
        ),
        (
            "void(array(float64, 1d, C), array(int8, 3d, A))",
            "(array(float64, 1d, C), array(int8, 3d, A)) -> none",
        ),
        ("void(size_t, ssize_t)", "(uint64, int64) -> none"),
        (f"void({PRINTED})", f"({PRINTED}) -> none"),
        (
            f"void(array({PRINTED}, 2d, C))",
            f"(array({PRINTED}, 2d, C)) -> none",
        ),
        (
            "void(Record([('x', {'type': f4, 'offset': 4})], 8, False))",
            "(Record(x[type=float32;offset=4];8;False)) -> none",
        ),
        (
            "void(tuple(int64, float64))",
            "(tuple(int64, float64)) -> none",
        ),
        ((types.int32, types.f8), "(int32, float64) -> none"),
        (types.void(types.int32), "(int32) -> none"),
    ],
)
def test_signature(text, expected):
    assert repr(parse_signature(text)) == expected


@pytest.mark.parametrize(
    ("signature", "message"),
    [
        ("int64", "expects a signature such as"),
        ("float32[:]", "expects a signature such as"),
        ("void(nothing)", "cannot read the signature 'void.nothing.'"),
        ("void(", "cannot read the signature"),
        ("__import__('os')", "cannot read the signature"),
        ((1, 2), "expects types in a signature but got 1"),
        ("void(Tuple((i4, 2)))", "expects types in a tuple but got 2"),
        ("void(array(f4, 2d, X))", "cannot read the signature"),
        ("void(types.nothing)", "cannot read the signature"),
        (3, "expects a signature such as"),
    ],
)
def test_wrong_signature(signature, message):
    with pytest.raises(TypeError, match=message):
        parse_signature(signature)


def test_items_of_a_tuple():
    pair = types.Tuple((types.i4, types.f8))
    assert len(pair) == 2
    assert list(pair) == [types.i4, types.f8]
    assert pair[1] == types.f8
    assert len(types.UniTuple(types.f4, 3)) == 3


# What programs loop over, and what they ask the type of no result.
def test_kinds_of_types():
    assert types.int64 in types.signed_domain <= types.integer_domain
    assert types.uint8 in types.unsigned_domain <= types.integer_domain
    assert types.float32 in types.real_domain <= types.number_domain
    assert types.complex64 in types.complex_domain <= types.number_domain
    assert len(types.number_domain) == 12
    assert isinstance(types.void, types.NoneType)
    assert not isinstance(types.int8, types.NoneType)
