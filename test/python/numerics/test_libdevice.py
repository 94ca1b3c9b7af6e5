# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`cuda.libdevice`: every function is called, and its values are compared.

What the host computes in place of each is tested beside the table
(test/unit/Target/CPU); this is about names, types and several results.
"""

import math
from fractions import Fraction

import numpy as np
import pytest

from pyk import _core, cuda
from pyk.cuda import libdevice
from pyk.cuda.errors import TypingError

TYPES = dict(_core.libdevice_functions())
DTYPES = {"h": "i2", "i": "i4", "l": "i8", "f": "f4", "d": "f8"}


def parts(name):
    """Dtypes of the arguments and of the results."""
    result, *parameters = TYPES[name]
    results = [result] * (result != "v")
    results += [letter.lower() for letter in parameters if letter.isupper()]
    arguments = [letter for letter in parameters if letter.islower()]
    return [DTYPES[x] for x in arguments], [DTYPES[x] for x in results]


def call(name, *values):
    """What the function yields of `values`, as NumPy's numbers."""
    arguments, results = parts(name)
    assert len(values) == len(arguments)
    given = [f"a{i}" for i in range(len(arguments))]
    out = [f"r{i}" for i in range(len(results))]
    text = (
        f"def k({', '.join(out + given)}):\n"
        f"    yielded = libdevice.{name}"
        f"({', '.join(f'{a}[0]' for a in given)})\n"
        f"    {', '.join(f'{r}[0]' for r in out)} = yielded\n"
    )
    scope = {"libdevice": libdevice}
    exec(text, scope)
    memory = [np.zeros(1, dtype) for dtype in results]
    inputs = [
        np.array([value]).astype(dtype)
        for value, dtype in zip(values, arguments, strict=True)
    ]
    cuda.jit(scope["k"])[1, 1](*memory, *inputs)
    found = tuple(a[0] for a in memory)
    return found if len(found) > 1 else found[0]


def near(value, dtype="f8"):
    return pytest.approx(value, rel=4 * float(np.finfo(dtype).eps))


#: Of one argument: what Python computes, at a place in the domain of all.
UNARY = {
    "acos": (math.acos, 0.3),
    "acosh": (math.acosh, 1.7),
    "asin": (math.asin, 0.3),
    "asinh": (math.asinh, 0.3),
    "atan": (math.atan, 0.3),
    "atanh": (math.atanh, 0.3),
    "cbrt": (np.cbrt, 0.3),
    "ceil": (math.ceil, 0.3),
    "cos": (math.cos, 0.3),
    "cosh": (math.cosh, 0.3),
    "cospi": (lambda x: math.cos(math.pi * x), 0.25),
    "erf": (math.erf, 0.3),
    "erfc": (math.erfc, 0.3),
    "erfcinv": (lambda y: 1.6449763571331870 / math.sqrt(2), 0.1),
    "erfcx": (lambda x: math.exp(x * x) * math.erfc(x), 0.5),
    "exp": (math.exp, 0.3),
    "exp10": (lambda x: 10**x, 0.3),
    "exp2": (lambda x: 2**x, 0.3),
    "expm1": (math.expm1, 0.3),
    "fabs": (abs, -0.3),
    "floor": (math.floor, -0.3),
    "lgamma": (math.lgamma, 0.3),
    "log": (math.log, 0.3),
    "log10": (math.log10, 0.3),
    "log1p": (math.log1p, 0.3),
    "log2": (math.log2, 0.3),
    "logb": (lambda x: -2, 0.3),
    "nearbyint": (round, 2.5),
    "normcdf": (lambda x: math.erfc(-x / math.sqrt(2)) / 2, 0.3),
    "rcbrt": (lambda x: 1 / np.cbrt(x), 0.3),
    "rint": (round, 3.5),
    "round": (lambda x: 3, 2.5),
    "rsqrt": (lambda x: 1 / math.sqrt(x), 0.3),
    "sin": (math.sin, 0.3),
    "sinh": (math.sinh, 0.3),
    "sinpi": (lambda x: math.sin(math.pi * x), 0.25),
    "sqrt": (math.sqrt, 0.3),
    "tan": (math.tan, 0.3),
    "tanh": (math.tanh, 0.3),
    "tgamma": (math.gamma, 0.3),
    "trunc": (math.trunc, -2.7),
}


@pytest.mark.parametrize("name", UNARY)
def test_function_of_one_number(name):
    function, x = UNARY[name]
    if name == "erfcinv":
        assert math.erfc(call(name, x)) == near(x)
        assert math.erfc(float(call("erfcinvf", x))) == near(x, "f4")
        return
    assert call(name, x) == near(float(function(x)))
    single = float(np.float32(x))
    assert call(f"{name}f", x) == near(float(function(single)), "f4")


#: Calls whose results are whole numbers, or exact.
EXACT = [
    ("abs", (-5,), 5),
    ("llabs", (-(2**40),), 2**40),
    ("brev", (1,), -(2**31)),
    ("brevll", (1,), -(2**63)),
    ("byte_perm", (0x33221100, 0x77665544, 0x0123), 0x00112233),
    ("clz", (1,), 31),
    ("clzll", (1,), 63),
    ("ffs", (8,), 4),
    ("ffsll", (2**40,), 41),
    ("popc", (-1,), 32),
    ("popcll", (-1,), 64),
    ("hadd", (-3, 0), -2),
    ("rhadd", (-3, 0), -1),
    ("uhadd", (-1, -1), -1),
    ("urhadd", (-1, 0), -(2**31)),
    ("max", (-1, 1), 1),
    ("umax", (-1, 1), -1),
    ("llmin", (-(2**40), 1), -(2**40)),
    ("ullmin", (-(2**40), 1), 1),
    ("mul24", (0xFFFFFF, 3), -3),
    ("umul24", (0x1FFFFFF, 2), 0x1FFFFFE),
    ("mulhi", (-(2**31), 2), -1),
    ("umulhi", (-1, 2), 1),
    ("mul64hi", (-(2**63), 2), -1),
    ("umul64hi", (-1, 2), 1),
    ("sad", (3, 5, 10), 12),
    ("usad", (-1, 0, 1), 0),
    ("copysign", (2.5, -0.0), -2.5),
    ("fdim", (5.0, 3.0), 2),
    ("fdimf", (3.0, 5.0), 0),
    ("fma", (3.0, 4.0, 0.5), 12.5),
    ("fmax", (math.nan, 2.0), 2),
    ("fminf", (-1.0, 2.0), -1),
    ("fmod", (-7.5, 2.0), -1.5),
    ("hypotf", (3.0, 4.0), 5),
    ("ldexp", (0.75, 3), 6),
    ("scalbnf", (0.75, 3), 6),
    ("nextafter", (1.0, 2.0), 1 + 2**-52),
    ("pow", (2.0, 10.0), 1024),
    ("powi", (2.0, -3), 0.125),
    ("remainder", (7.0, 4.0), -1),
    ("atan2", (0.0, -0.0), math.pi),
    ("ilogb", (0.3,), -2),
    ("signbitd", (-0.0,), 1),
    ("finitef", (math.inf,), 0),
    ("isnand", (math.nan,), 1),
    ("isinff", (-math.inf,), 1),
    ("saturatef", (1.5,), 1),
    ("llround", (2.5,), 3),
    ("llrint", (2.5,), 2),
    ("double2hiint", (-2.0,), -(2**30)),
    ("hiloint2double", (0x3FF00000, 0), 1),
    ("float_as_int", (1.0,), 0x3F800000),
    ("int_as_float", (0x40000000,), 2),
    ("double_as_longlong", (2.0,), 2**62),
    ("longlong_as_double", (2**62,), 2),
    ("float2half_rn", (1.5,), 0x3E00),
    ("half2float", (0x3E00,), 1.5),
    ("double2int_rd", (-2.2,), -3),
    ("double2uint_rz", (4e9,), 4000000000 - 2**32),
    ("float2ll_ru", (2.5,), 3),
    ("frexp", (6.0,), (0.75, 3)),
    ("frexpf", (0.3125,), (0.625, -1)),
    ("modf", (-2.75,), (-0.75, -2)),
    ("remquo", (7.0, 2.0), (-1, 4)),
    ("sincospi", (0.5,), (1, 0)),
]


@pytest.mark.parametrize(
    ("name", "values", "expected"), EXACT, ids=[row[0] for row in EXACT]
)
def test_exact_results(name, values, expected):
    assert call(name, *values) == expected


def test_sines_and_cosines_together():
    sine, cosine = call("sincos", 0.3)
    assert (sine, cosine) == (near(math.sin(0.3)), near(math.cos(0.3)))
    sine, cosine = call("fast_sincosf", 0.3)
    assert (sine, cosine) == (
        near(math.sin(0.3), "f4"),
        near(math.cos(0.3), "f4"),
    )


#: What each operation yields exactly.
OPERATIONS = {
    "add": lambda x, y: x + y,
    "mul": lambda x, y: x * y,
    "div": lambda x, y: x / y,
}


def bracket(exact, dtype):
    """The floats of `dtype` below and above a number that none is."""
    nearest = np.dtype(dtype).type(float(exact))
    down, up = (np.nextafter(nearest, dtype(end)) for end in (-np.inf, np.inf))
    below = nearest if Fraction(float(nearest)) < exact else down
    above = nearest if Fraction(float(nearest)) > exact else up
    return below, above


@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize(
    ("letter", "dtype"), [("d", np.float64), ("f", np.float32)]
)
def test_directions_of_rounding(letter, dtype, operation):
    for x, y in [(0.1, 0.3), (-0.1, 0.7), (1e10, 1 / 3)]:
        x, y = dtype(x), dtype(y)
        exact = OPERATIONS[operation](Fraction(float(x)), Fraction(float(y)))
        below, above = bracket(exact, dtype)
        name = letter + operation
        assert call(f"{name}_rd", x, y) == below
        assert call(f"{name}_ru", x, y) == above
        assert call(f"{name}_rz", x, y) == (below if exact > 0 else above)
        assert call(f"{name}_rn", x, y) in (below, above)


# All are compiled, for all targets, and run.
@pytest.mark.parametrize("name", TYPES)
def test_every_function(name):
    arguments, results = parts(name)
    found = call(name, *[1 for _ in arguments])
    assert np.ndim(found) == (len(results) > 1)
    assert not np.isnan(np.asarray(found, float)).any()


def test_names():
    assert set(libdevice.__all__) == set(TYPES)
    assert (
        repr(libdevice.sinf) == "<cuda.libdevice.sinf, for use inside kernels>"
    )
    with pytest.raises(AttributeError):
        libdevice.nosuch  # noqa: B018


def test_arguments_that_it_does_not_take():
    @cuda.jit
    def count(a):
        a[0] = libdevice.atan2(a[0])

    @cuda.jit
    def kind(a):
        a[0] = libdevice.sin(1j)

    with pytest.raises(TypingError, match="'cuda.libdevice.atan2' takes 2 arg"):
        count[1, 1](np.zeros(1))
    with pytest.raises(TypingError, match="expects a real number but got"):
        kind[1, 1](np.zeros(1))
