# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of `math`, `operator`, builtins and NumPy on numbers.

What is compared is Python's or NumPy's own result, on numbers that something
may go wrong with; `test_typing.py` compares the types.
"""

import math
import operator

import numpy as np
import pytest

from pyk import cuda
from support.scalars import FLOATS, TYPES, compile_text, values


def distance(found, expected):
    """How many floats lie between; 0 between two NaN."""
    integer = {"f4": np.int32, "f8": np.int64}[found.dtype.str[1:]]
    expected = expected.astype(found.dtype)

    def order(array):
        bits = array.view(integer).astype(object)
        least = np.iinfo(integer).min
        return np.where(bits < 0, least - bits, bits)

    gap = np.abs(order(found) - order(expected))
    gap[np.isnan(found) & np.isnan(expected)] = 0
    return gap


def apply(expression, *arrays, dtype):
    """An expression of `a`, `b`, ... on each row of the arguments."""
    names = "abc"[: len(arrays)]
    out = np.full(len(arrays[0]), 77, dtype)
    items = {name: f"{name}[i]" for name in names}
    text = (
        f"def k({', '.join(names)}, out):\n"
        "    i = cuda.grid(1)\n"
        "    if i < out.size:\n"
    )
    for name, item in items.items():
        text += f"        {name}_ = {item}\n"
    body = expression
    for name in names:
        body = body.replace(f"${name}", f"{name}_")
    text += f"        out[i] = {body}\n"
    compile_text(text)[out.size // 256 + 1, 256](*arrays, out)
    return out


def pairs(dtype):
    """All pairs of nasty values."""
    nasty = values(dtype)
    a, b = np.meshgrid(nasty, nasty)
    return a.ravel(), b.ravel()


def reference(function, *columns):
    """A function of `math` on floats; what it raises is NaN or infinity."""

    def one(*row):
        try:
            return function(*map(float, row))
        except ValueError:
            return math.nan
        except OverflowError:
            return math.inf

    return np.array([one(*row) for row in zip(*columns, strict=True)])


#: Of one argument, with what may differ, in floats of the result's type.
MATH_UNARY = {
    "gamma": 8,
    "lgamma": 16,
    "cbrt": 2,
    "sqrt": 0,
    "exp": 2,
    "sin": 2,
    "erf": 2,
}


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("name", MATH_UNARY)
def test_function_of_one_number(name, dtype):
    a = values(dtype)
    if name in ("gamma", "lgamma"):
        # At 0 and below Python raises what C gives a value.
        a = np.concatenate([a[(a > 0) | np.isnan(a)], [-0.5, -1.5, 5, 20]])
        a = a[(a != -np.inf)].astype(dtype)
    expected = (
        np.cbrt(a.astype("f8"))
        if name == "cbrt"
        else reference(getattr(math, name), a)
    )
    found = apply(f"math.{name}($a)", a, dtype=dtype)
    with np.errstate(over="ignore"):
        assert distance(found, expected).max() <= MATH_UNARY[name]


@np.errstate(all="ignore")
@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize(
    ("name", "bound"),
    [("hypot", 1), ("nextafter", 0), ("remainder", 0), ("fmod", 0)],
)
def test_function_of_two_numbers(name, bound, dtype):
    a, b = pairs(dtype)
    if name == "nextafter":
        expected = np.nextafter(a, b)
    elif name == "hypot":
        expected = np.hypot(a, b)
    else:
        expected = reference(getattr(math, name), a, b)
    found = apply(f"math.{name}($a, $b)", a, b, dtype=dtype)
    assert distance(found, expected).max() <= bound


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_scaling_by_a_power_of_two(dtype):
    """Of subnormal numbers too, and by exponents that 32 bits do not hold."""
    a, b = np.meshgrid(
        values(dtype),
        np.array(
            [0, 1, -1, 30, -30, 1074, -1074, 2100, -2100, 2**32, -(2**40)]
        ),
    )
    a, b = a.ravel(), b.ravel()
    with np.errstate(all="ignore"):
        expected = np.ldexp(a, np.clip(b, -10000, 10000))
    found = apply("math.ldexp($a, $b)", a, b, dtype=dtype)
    assert distance(found, expected).max() == 0
    found = apply("np.ldexp($a, $b)", a, b, dtype=dtype)
    assert distance(found, expected).max() == 0


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_parts_of_a_float(dtype):
    a = values(dtype)
    mantissa, exponent = np.frexp(a)
    found = apply("math.frexp($a)[0]", a, dtype=dtype)
    assert distance(found, mantissa).max() == 0
    finite = np.isfinite(a)
    found = apply("math.frexp($a)[1]", a, dtype="i4")
    np.testing.assert_array_equal(found[finite], exponent[finite])
    for position, expected in enumerate(np.modf(a)):
        found = apply(f"math.modf($a)[{position}]", a, dtype=dtype)
        assert distance(found, expected).max() == 0, position


@pytest.mark.parametrize("dtype", ["i1", "i4", "i8", "u1", "u8", "b1"])
def test_whole_numbers(dtype):
    a, b = pairs(dtype)
    columns = [array.astype(object) for array in (a, b)]

    def wrapped(numbers):
        return np.array([int(n) % 2**64 for n in numbers], np.uint64)

    gcd = [math.gcd(*row) for row in zip(*columns, strict=True)]
    # Only what 64 bits hold.
    lcm = [math.lcm(*row) for row in zip(*columns, strict=True)]
    fits = np.array([n < 2**63 for n in lcm])
    root = [math.isqrt(max(int(n), 0)) for n in columns[0]]
    for text, expected in [
        ("math.gcd($a, $b)", gcd),
        ("math.lcm($a, $b)", lcm),
        ("math.isqrt($a)", root),
    ]:
        arguments = (a, b) if "$b" in text else (a,)
        found = apply(text, *arguments, dtype="u8" if dtype == "u8" else "i8")
        np.testing.assert_array_equal(
            wrapped(found)[fits], wrapped(expected)[fits], text
        )


@pytest.mark.skipif(not hasattr(math, "fma"), reason="new in Python 3.13")
def test_fused_multiply_add():
    a, b = pairs("f8")
    found = apply("math.fma($a, $b, $c)", a, b, np.ones(a.size), dtype="f8")
    with np.errstate(all="ignore"):
        # The product of two floats and 1.
        expected = np.where(np.abs(a * b) > 2.0**60, a * b, a * b + 1)
    small = (np.abs(a) <= 3) & (np.abs(b) <= 3)
    assert distance(found[small], expected[small]).max() == 0


def test_quotient_and_remainder():
    a, b = (array[array != 0] for array in pairs("i4"))
    size = min(a.size, b.size)
    a, b = a[:size], b[:size]
    for position, expected in enumerate(np.divmod(a.astype("i8"), b)):
        found = apply(f"divmod($a, $b)[{position}]", a, b, dtype="i8")
        np.testing.assert_array_equal(found, expected)


def test_items_of_tuples_and_arrays():
    a = np.array([3, -1, 2, 0], np.int32)
    text = (
        "def k(a, out):\n"
        "    t = (a[0], a[1], a[2])\n"
        "    out[0] = sum(t)\n"
        "    out[1] = sum(a)\n"
        "    out[2] = sum(a, 10)\n"
        "    out[3] = min(t)\n"
        "    out[4] = max(t)\n"
        "    out[5] = min(a)\n"
        "    out[6] = max(a)\n"
        "    out[7] = any(a) + 2 * all(a) + 4 * any(t) + 8 * all(t)\n"
        "    out[8] = max((1, 2.5, a[2]))\n"
    )
    out = np.zeros(9)
    compile_text(text)[1, 1](a, out)
    assert out.tolist() == [4, 4, 14, -1, 3, -1, 3, 1 + 4 + 8, 2.5]


def test_types_are_asked_while_compiling():
    """A branch that is not taken need not be right."""
    text = (
        "def k(a, n, x, out):\n"
        "    out[0] = isinstance(a, np.ndarray)\n"
        "    out[1] = isinstance(n, int) + 2 * isinstance(n, float)\n"
        "    out[2] = isinstance(x, (int, float))\n"
        "    out[3] = isinstance(x, np.float64)\n"
        "    out[4] = isinstance((n, x), tuple)\n"
        "    if isinstance(n, np.ndarray):\n"
        "        out[5] = n[0]\n"
        "    else:\n"
        "        out[5] = n\n"
    )
    out = np.zeros(6)
    compile_text(text)[1, 1](out.copy(), 7, 1.5, out)
    assert out.tolist() == [1, 1, 1, 1, 1, 7]


OPERATORS = [
    *("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "lshift"),
    *("rshift", "and_", "or_", "xor", "eq", "ne", "lt", "le", "gt", "ge"),
]


@pytest.mark.parametrize("name", OPERATORS)
def test_operator_module(name):
    a, b = np.array([7, -7, 5]), np.array([2, 3, 4])
    expected = getattr(operator, name)(a.astype(object), b.astype(object))
    found = apply(f"operator.{name}($a, $b)", a, b, dtype="f8")
    np.testing.assert_array_equal(found, expected.astype("f8"))


#: NumPy's functions that have the same result to the last bit.
EXACT_UNARY = [
    *("floor", "ceil", "trunc", "rint", "negative", "positive", "absolute"),
    *("square", "reciprocal", "sign", "fabs", "sqrt", "isnan", "isinf"),
    *("isfinite", "signbit", "logical_not", "invert"),
]
CLOSE_UNARY = [
    *("sin", "cos", "tan", "arcsin", "arccos", "arctan", "sinh", "cosh"),
    *("tanh", "arcsinh", "arccosh", "arctanh", "exp", "exp2", "expm1", "log"),
    *("log2", "log10", "log1p", "cbrt", "deg2rad", "radians", "rad2deg"),
    "degrees",
]
EXACT_BINARY = [
    *("add", "subtract", "multiply", "divide", "floor_divide", "remainder"),
    *("fmod", "maximum", "minimum", "fmax", "fmin", "copysign", "nextafter"),
    *("bitwise_and", "bitwise_or", "bitwise_xor", "logical_and", "logical_or"),
    *("logical_xor", "equal", "not_equal", "less", "less_equal", "greater"),
    *("greater_equal", "heaviside", "gcd", "lcm"),
]
CLOSE_BINARY = ["arctan2", "hypot", "logaddexp", "logaddexp2", "power"]


@np.errstate(all="ignore")
def compare_ufunc(name, bound, *arrays):
    """Like NumPy: in the type that it gives, or in a float that holds it."""
    function = getattr(np, name)
    try:
        expected = function(*arrays)
    except TypeError:
        return False
    names = ", ".join(f"${letter}" for letter in "ab"[: len(arrays)])
    kind = expected.dtype.str[1:]
    target = {"f2": "f4"}.get(kind, kind)
    found = apply(f"np.{name}({names})", *arrays, dtype=target)
    label = f"{name} of {[array.dtype for array in arrays]}"
    if target not in FLOATS:
        np.testing.assert_array_equal(found, expected, label)
        return True
    if kind == "f2":
        found, expected = found.astype("f2"), expected.astype("f2")
        if bound:
            np.testing.assert_allclose(
                found.astype("f4"), expected.astype("f4"), 2e-3, 1e-3, True,
                label,
            )  # fmt: skip
        else:
            np.testing.assert_array_equal(found, expected, label)
        return True
    gap = distance(found, expected)
    assert gap.max() <= bound, (
        label,
        [array[gap.argmax()] for array in arrays],
        found[gap.argmax()],
        expected[gap.argmax()],
    )
    return True


@pytest.mark.parametrize("name", EXACT_UNARY)
def test_exact_ufunc_of_one_number(name):
    compared = 0
    for dtype in TYPES:
        a = values(dtype)
        if name == "reciprocal" and dtype not in FLOATS:
            a = a[a != 0]
        compared += compare_ufunc(name, 0, a)
    assert compared


@pytest.mark.parametrize("name", CLOSE_UNARY)
def test_ufunc_of_one_number(name):
    for dtype in ("i1", "i4", "u8", "f4", "f8"):
        a = values(dtype)
        if name in ("sin", "cos", "tan"):
            a = a[np.abs(a.astype("f8")) < 1e6]
        compare_ufunc(name, 4, a)


@pytest.mark.parametrize("name", EXACT_BINARY)
def test_exact_ufunc_of_two_numbers(name):
    compared = 0
    for dtype in ("b1", "i1", "i4", "i8", "u1", "u8", "f4", "f8"):
        a, b = pairs(dtype)
        if (
            name in ("floor_divide", "remainder", "fmod")
            and dtype not in FLOATS
        ):
            least = a == np.iinfo(dtype).min if dtype != "b1" else b == 0
            keep = (b != 0) & ~(least & (b == -1))
            a, b = a[keep], b[keep]
        if dtype == "b1" and name in ("floor_divide", "remainder"):
            continue
        if name in ("divide", "nextafter") and dtype in ("b1", "i1", "u1"):
            # NumPy has float64 and float16, the peer float32.
            continue
        if name in ("floor_divide", "remainder") and dtype in FLOATS:
            # NumPy has another sign of zero, or NaN, in some corners.
            keep = np.isfinite(a) & np.isfinite(b) & (b != 0)
            keep &= np.abs(a) < 1e5
            keep &= np.abs(b) > 0.1
            a, b = a[keep], b[keep]
        if name in ("gcd", "lcm") and dtype not in FLOATS:
            keep = (np.abs(a) < 2**31) & (np.abs(b) < 2**31)
            a, b = a[keep].astype("i8"), b[keep].astype("i8")
        compared += compare_ufunc(name, 0, a, b)
    assert compared


@pytest.mark.parametrize("name", CLOSE_BINARY)
def test_ufunc_of_two_numbers(name):
    for dtype in ("f4", "f8"):
        a, b = pairs(dtype)
        compare_ufunc(name, 4, a, b)
    if name == "power":
        base, exponent = np.meshgrid(np.arange(-4, 5), np.arange(7))
        for dtype in ("i1", "i4", "i8", "u8"):
            a = base.ravel().astype(dtype)
            compare_ufunc(name, 0, a, exponent.ravel().astype(dtype))


def test_shifts_keep_their_type():
    a, b = np.meshgrid(values("i4"), np.arange(32, dtype=np.int32))
    compare_ufunc("left_shift", 0, a.ravel(), b.ravel())
    compare_ufunc("right_shift", 0, a.ravel(), b.ravel())


def test_choices():
    a = np.array([-2, 0.5, 3, np.nan, np.inf])
    np.testing.assert_array_equal(
        apply("np.clip($a, 0, 1)", a, dtype="f8"), np.clip(a, 0, 1)
    )
    np.testing.assert_array_equal(
        apply("np.where($a > 0, $a, 7)", a, dtype="f8"), np.where(a > 0, a, 7)
    )
    np.testing.assert_array_equal(
        apply("np.round($a)", a, dtype="f8"), np.round(a)
    )


@cuda.jit
def add_rows(a, b, out):
    np.add(a, b, out)


@cuda.jit
def take_sines(a, out):
    np.sin(a, out=out)


def test_results_in_an_array():
    """Each thread runs over the whole array; arguments are stretched."""
    a = np.arange(6.0).reshape(2, 3)
    out = np.zeros((2, 3))
    take_sines[1, 1](a, out)
    np.testing.assert_allclose(out, np.sin(a), 1e-15)
    for b in (np.float64(2), np.arange(3.0), np.arange(2.0)[:, None], a[::-1]):
        out = np.zeros((2, 3))
        add_rows[1, 1](a, b, out)
        np.testing.assert_array_equal(out, a + b)
    whole = np.zeros(4, np.int32)
    add_rows[1, 1](np.arange(4, dtype=np.int32), 2.75, whole)
    assert whole.tolist() == [2, 3, 4, 5]


@pytest.mark.parametrize(
    ("operator", "value"),
    [
        *(("+", 2.5), ("-", 1), ("*", 3), ("/", 2), ("//", 2), ("%", 3)),
        *(("**", 2), ("<<", 1), (">>", 1), ("&", 6), ("|", 8), ("^", 3)),
    ],
)
def test_operator_in_place_on_a_part(operator, value):
    """Of one dimension and of two; a row is stretched."""
    dtype = "i4" if operator in ("<<", ">>", "&", "|", "^") else "f8"
    lines = [
        f"a[1:, ::2] {operator}= {value}",
        f"a[0, 1:] {operator}= {value}",
        f"a[...] {operator}= b",
    ]
    a = np.arange(12, dtype=dtype).reshape(3, 4) + 1
    b = np.array([1, 2, 3, 1], dtype)
    wanted = a.copy()
    exec("\n".join(lines), {"a": wanted, "b": b})
    text = "def k(a, b):\n" + "".join(f"    {line}\n" for line in lines)
    compile_text(text)[1, 1](a, b)
    np.testing.assert_allclose(a, wanted)
