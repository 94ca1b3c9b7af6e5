# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""NumPy's functions where a row of the features is not enough: of numbers that
something may go wrong with, of all types of arguments, against NumPy."""

import math

import numpy as np
import pytest

from pyk import CompileError
from support.scalars import (
    FLOATS,
    SIGNED,
    TYPES,
    UNSIGNED,
    compile_text,
    values,
)
from test_semantics_math import apply

COMPLEX = ["c8", "c16"]


def parts(dtype):
    """Complex numbers of nasty parts."""
    nasty = [0.0, -0.0, 1.0, -1.5, 2.0, math.inf, -math.inf, math.nan]
    return np.array([complex(a, b) for a in nasty for b in nasty], dtype)


def is_same(found, expected):
    """Whether numbers are the same, -0.0 another than 0.0; NaN is NaN."""
    pairs = [(found.real, expected.real), (found.imag, expected.imag)]
    return np.all(
        [
            ((a == b) & (np.signbit(a) == np.signbit(b)))
            | (np.isnan(a) & np.isnan(b))
            for a, b in pairs
        ],
        axis=0,
    )


def run(body, *arguments, size=8, dtype="f8"):
    """What the lines of a body store in `out`."""
    names = "abc"[: len(arguments)]
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    out = np.full(size, 77, dtype)
    text = f"def k({', '.join([*names, 'out'])}):\n{lines}"
    signs = [x < 0 for x in arguments if isinstance(x, int)]
    compile_text(text, *signs)[1, 1](*arguments, out)
    return out


COMPARISONS = [
    *("less", "less_equal", "greater", "greater_equal", "equal", "not_equal"),
]
CHOICES = ["maximum", "minimum", "fmax", "fmin"]


@pytest.mark.parametrize("name", [*COMPARISONS, *CHOICES])
@pytest.mark.parametrize("dtype", COMPLEX)
def test_order_of_complex_numbers(name, dtype):
    a, b = (x.ravel() for x in np.meshgrid(parts(dtype), parts(dtype)))
    with np.errstate(invalid="ignore"):
        expected = getattr(np, name)(a, b)
    found = apply(f"np.{name}($a, $b)", a, b, dtype=expected.dtype)
    assert is_same(found, expected).all()
    out = np.zeros_like(expected)
    compile_text(f"def k(a, b, out):\n    np.{name}(a, b, out)\n")[1, 1](
        a, b, out
    )
    assert is_same(out, expected).all()


@pytest.mark.parametrize("dtype", ["b1", "i1", "u8", "f4", "f8"])
@pytest.mark.parametrize("name", [*COMPARISONS, "maximum", "fmin"])
def test_order_of_complex_and_real_numbers(name, dtype):
    real = values(dtype)
    # In a float32 not all are what they are.
    real = real[np.abs(real.astype("f8")) < 100]
    a, b = (x.ravel() for x in np.meshgrid(parts("c8"), real))
    for x, y in [(a, b), (b, a)]:
        with np.errstate(invalid="ignore"):
            expected = getattr(np, name)(x, y)
        found = apply(f"np.{name}($a, $b)", x, y, dtype=expected.dtype)
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("name", ["min", "max", "argmin", "argmax", "ptp"])
def test_least_and_largest_complex_number(name):
    whole = np.array([[1 + 2j, -1j, 1 - 2j], [1 + 2j, 0, -1j]])
    for a in (whole, whole[0], whole.T, whole * (1 + math.nan * 1j)):
        with np.errstate(invalid="ignore"):
            expected = getattr(np, name)(a)
        found = run(f"out[0] = np.{name}(a)", a, dtype="c16")
        np.testing.assert_array_equal(found[0], expected)


@pytest.mark.parametrize("dtype", COMPLEX)
@pytest.mark.parametrize(
    "name", ["log2", "log1p", "exp2", "expm1", "sign", "rint", "isinf"]
)
def test_function_of_complex_numbers(name, dtype):
    a = parts(dtype)
    with np.errstate(all="ignore"):
        expected = getattr(np, name)(a)
    found = apply(f"np.{name}($a)", a, dtype=expected.dtype)
    np.testing.assert_allclose(found, expected, 1e-6)


@pytest.mark.parametrize("dtype", [*SIGNED, *UNSIGNED, *FLOATS, *COMPLEX])
def test_sinc(dtype):
    """In 64 bits, whatever the argument is."""
    a = np.array([0, 1, 2, 3, 100]).astype(dtype)
    if dtype not in [*SIGNED, *UNSIGNED]:
        whole = [0, -0.0, 0.5, -1.25, 3.75, 1e-3, math.inf, math.nan]
        a = np.array(whole, dtype)
    if dtype in COMPLEX:
        a = np.concatenate([a[:-2], a[:-2] * 1j, a[:-2] + 0.5j])
    kind = "c16" if dtype in COMPLEX else "f8"
    with np.errstate(invalid="ignore"):
        expected = np.sinc(a.astype(kind))
    found = apply("np.sinc($a)", a, dtype=kind)
    np.testing.assert_allclose(found, expected, 1e-12, 1e-16)
    assert apply("np.sinc($a)", a, dtype=kind)[0] == 1


@pytest.mark.parametrize("offset", [-5, -2, -1, 0, 1, 2, 3, 4, 9])
@pytest.mark.parametrize("dtype", [*TYPES, *COMPLEX])
def test_trace(dtype, offset):
    whole = (np.arange(24).reshape(4, 6) % 7).astype(dtype)
    for a in (whole, whole.T, whole[::-1, ::2], np.asfortranarray(whole)):
        found = run("out[0] = np.trace(a, b)", a, offset, dtype="c16")
        assert found[0] == np.trace(a.astype("c16"), offset)
    found = run(f"out[0] = np.trace(a, offset={offset})", whole, dtype="c16")
    assert found[0] == np.trace(whole.astype("c16"), offset)


@pytest.mark.parametrize("kind", ["int8", "uint8", "uint64", "int64"])
def test_offset_of_any_integer_type(kind):
    a = np.arange(12.0).reshape(3, 4)
    offset = getattr(np, kind)(2)
    assert run("out[0] = np.trace(a, b)", a, offset)[0] == np.trace(a, 2)


def test_trace_of_nothing():
    for a in (np.zeros((0, 3)), np.zeros((3, 0))):
        assert run("out[0] = 1 + np.trace(a)", a)[0] == 1


def test_trace_in_64_bits():
    """As Numba adds it to an integer."""
    a = np.diag(np.float32([2**24, 1]))
    assert run("out[0] = np.trace(a)", a)[0] == 2**24 + 1


@pytest.mark.parametrize("dtype", FLOATS)
def test_numbers_in_place_of_nan(dtype):
    a = np.array([1.5, -0.0, math.nan, math.inf, -math.inf], dtype)
    for options in (
        "",
        ", nan=7",
        ", True, 2.5",
        ", False, -1, 3, 4",
        ", posinf=9.5",
        ", neginf=-9",
        ", nan=np.inf, posinf=np.nan, neginf=2",
        ", posinf=None, neginf=None",
    ):
        scope = {"np": np, "a": a.copy()}
        expected = eval(f"np.nan_to_num(a{options})", scope)  # noqa: S307
        found = apply(f"np.nan_to_num($a{options})", a, dtype=dtype)
        assert is_same(found, expected).all(), options


@pytest.mark.parametrize("dtype", COMPLEX)
def test_numbers_in_place_of_nan_in_parts(dtype):
    a = parts(dtype)
    for options in ("", ", nan=7.0", ", posinf=3.0, neginf=-4.0"):
        scope = {"np": np, "a": a.copy()}
        expected = eval(f"np.nan_to_num(a{options})", scope)  # noqa: S307
        found = apply(f"np.nan_to_num($a{options})", a, dtype=dtype)
        assert is_same(found, expected).all(), options


@pytest.mark.parametrize("dtype", ["b1", *SIGNED, *UNSIGNED])
def test_integers_are_numbers(dtype):
    a = values(dtype)
    found = apply("np.nan_to_num($a, nan=3)", a, dtype=dtype)
    np.testing.assert_array_equal(found, a)
    if dtype != "b1":
        body = "out[0] = np.nan_to_num(a)[0]\nout[1] = np.nan_to_num(a).size"
        found = run(body, a, dtype="f8")
        assert found[:2].tolist() == [a[0], a.size]


@pytest.mark.parametrize("dtype", ["b1", *SIGNED, *UNSIGNED])
def test_number_of_bits(dtype):
    a = values(dtype)
    expected = np.bitwise_count(a)
    found = apply("np.bitwise_count($a)", a, dtype="u1")
    np.testing.assert_array_equal(found, expected)


def test_scalars():
    body = (
        "out[0] = np.isscalar(a)\n"
        "out[1] = np.isscalar(b)\n"
        "out[2] = np.isscalar('text')\n"
        "out[3] = np.isscalar((1, 2)) or np.isscalar(None)\n"
        "out[4] = np.isscalar(np.datetime64('2020-01-01'))\n"
        "out[5] = np.isscalar(True) and np.isscalar(1j)"
    )
    for number in (np.int8(1), np.float16(1), np.complex64(1), np.True_):
        found = run(body, np.zeros(3), number)
        assert found[:6].tolist() == [0, 1, 1, 0, 1, 1]


def test_number_of_dimensions():
    body = (
        "out[0] = np.ndim(a) + np.ndim(2)\nout[1] = np.ndim(((1, 2), (3, 4)))"
    )
    assert run(body, np.zeros((2, 3)))[:2].tolist() == [2, 2]


def test_arrays_that_are_equal():
    a = np.array([[1.0, 2], [3, 4]])
    for b, expected in [
        (a, 1),
        (a.astype("i4"), 1),
        (a.T, 0),
        (a.T.copy().T, 1),
        (a[:1], 0),
        (a.ravel(), 0),
        (a + [0, math.nan], 0),
    ]:
        assert run("out[0] = np.array_equal(a, b)", a, b)[0] == expected
    assert run("out[0] = np.array_equal(a, 2)", 2.0)[0] == 1
    empty = np.zeros((0, 2))
    assert run("out[0] = np.array_equal(a, a)", empty)[0] == 1


@pytest.mark.parametrize("dtype", [*TYPES, *COMPLEX])
def test_truth_of_numbers(dtype):
    a = np.array([0, 1], dtype)
    body = (
        "for i in range(2):\n"
        "    out[i] = np.any(a[i])\n"
        "    out[2 + i] = np.all(a[i])\n"
        "    out[4 + i] = np.count_nonzero(a[i])"
    )
    assert run(body, a)[:6].tolist() == [0, 1] * 3


@pytest.mark.parametrize("dtype", [*SIGNED, *UNSIGNED, *FLOATS, *COMPLEX])
def test_limits_of_types_of_arguments(dtype):
    a = np.zeros(1, dtype)
    name = "iinfo" if a.dtype.kind in "iu" else "finfo"
    limits = getattr(np, name)(a.dtype)
    body = (
        f"out[0] = np.{name}(a.dtype).max\n"
        f"out[1] = np.{name}(type(a[0])).min\n"
        f"limits = np.{name}(a[0])\n"
        "out[2] = limits.bits"
    )
    found = run(body, a)
    assert found[:3].tolist() == [
        float(limits.max),
        float(limits.min),
        limits.bits,
    ]


def test_weights():
    a = np.array([[1.0, 2], [3, 4]])
    b = np.array([[1, 0], [2, 5]])
    found = run("out[0] = np.average(a, weights=b)", a, b)
    assert found[0] == np.average(a, weights=b)
    found = run("out[0] = np.average(a, None, b)", b, a)
    np.testing.assert_allclose(found[0], np.average(b, weights=a), 1e-15)


def test_axis_of_one_dimension():
    a = np.array([3.0, -1, 7, 0])
    body = (
        "out[0] = np.argmin(a, 0)\n"
        "out[1] = a.argmax(axis=-1)\n"
        "out[2] = np.sum(a, axis=0)\n"
        "out[3] = np.count_nonzero(a, 0)\n"
        "out[4] = np.average(a, axis=0)\n"
        "out[5] = np.argmax(a, None) + np.sum(a, None)"
    )
    assert run(body, a)[:6].tolist() == [1, 2, 9, 3, 2.25, 11]


@pytest.mark.parametrize("call", ["np.sum(a, 1)", "np.argmax(a, -2)"])
def test_axis_that_is_not_there(call):
    with pytest.raises(CompileError, match="cannot take"):
        run(f"out[0] = {call}", np.array([3.0, -1]))


def test_type_of_a_sum():
    """It is rounded in the type that is asked for."""
    a = np.array([2.0**24, 1, 1])
    found = run("out[0] = np.sum(a, dtype=np.float32) / np.float32(3)", a)
    assert found[0] == np.float32(2**24) / np.float32(3)


def test_sums_without_nan_are_signed():
    a = np.array([1, 2], np.uint8)
    body = "out[0] = np.nansum(a) - 5\nout[1] = np.nanprod(a) - 5"
    assert run(body, a)[:2].tolist() == [-2, -3]


def test_product_of_complex_vectors():
    a, b = np.array([1 + 2j, 3j]), np.array([2 - 1j, 1 + 1j])
    body = "out[0] = np.vdot(a, b)\nout[1] = np.dot(a, b)"
    found = run(body, a, b, dtype="c16")
    assert found[:2].tolist() == [np.vdot(a, b), np.dot(a, b)]


def test_places_in_tuples():
    body = (
        "out[0] = np.searchsorted((1, 2, 4), a)\n"
        "out[1] = np.searchsorted((1, 2, 4), a, side='right')\n"
        "out[2] = np.digitize(a, (1, 2, 4))\n"
        "out[3] = np.digitize(a, (4, 2, 1), True)"
    )
    expected = [
        np.searchsorted((1, 2, 4), 2),
        np.searchsorted((1, 2, 4), 2, side="right"),
        np.digitize(2, (1, 2, 4)),
        np.digitize(2, (4, 2, 1), True),
    ]
    assert run(body, 2.0)[:4].tolist() == expected


def test_arrays_without_dimensions():
    """As arguments, and for the result, of functions of numbers."""
    body = (
        "np.cos(a, out)\n"
        "np.add(a, b, c)\n"
        "out[0] = np.sin(a)\n"
        "out[1] = np.maximum(a, b)\n"
        "out[2] = c[()]\n"
        "out[3] = np.flip(a) + a.conj()"
    )
    a, b, c = np.array(0.5), np.array(2), np.zeros(())
    found = run(body, a, b, c)
    assert found[:4].tolist() == [np.sin(0.5), 2, 2.5, 1]
    assert found[4] == np.cos(0.5)
    assert run("np.greater(1.5, a, b)\nout[0] = b[()]", a, b)[0] == 1


def test_arrays_backwards():
    a = np.arange(6.0).reshape(2, 3)
    found = run("np.copyto(out, np.flip(a))", a.ravel(), size=6)
    assert found.tolist() == [5, 4, 3, 2, 1, 0]
    found = run("out[0] = np.flip(a)[0, 0] * 10 + np.flip(a)[1, 1]", a)
    assert found[0] == 51


def test_parameters_have_the_names_of_numpy():
    body = (
        "out[0] = np.sum(a=a) + np.mean(a=a) + np.argmax(a=a)\n"
        "out[1] = np.searchsorted(a=a, v=1.5, side='left')\n"
        "out[2] = np.nanstd(a=a) + np.size(a=a) + np.all(a=a)\n"
        "out[3] = np.angle(z=1j, deg=True) + np.real(val=1j)\n"
        "out[4] = np.clip(a=5, a_min=0, a_max=3)\n"
        "out[5] = np.round(a=1.26, decimals=1)\n"
        "for i, x in np.ndenumerate(arr=a):\n"
        "    out[6] += x\n"
        "np.copyto(dst=out[7:], src=np.asarray(a=a)[:1])"
    )
    found = run(body, np.array([1.0, 2, 6]))
    scope = {"np": np, "a": np.array([1.0, 2, 6]), "out": np.full(8, 77.0)}
    exec(body, scope)  # noqa: S102
    np.testing.assert_allclose(found, scope["out"], 1e-15)
