# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""NumPy's functions of mathematics on numbers."""

# Kernels have no annotations.
# mypy: ignore-errors

import cmath
import math

import numpy as np

from pyk._intrinsic import Intrinsic
from pyk._library import _numbers
from pyk._library._registry import (
    common,
    common_number,
    common_real,
    helper,
    is_nat,
    like,
    public,
    round_half_even,
)
from pyk._library._universal import binary, unary

# ===-------------------------------------------------------------------===
# Functions of `math`.
# ===-------------------------------------------------------------------===


# Not in every version of Python.
power_of_2 = Intrinsic("math.exp2")
cbrt = Intrinsic("math.cbrt")

_TIMES = (np.datetime64, np.timedelta64)

#: What NumPy computes in a float as `math` does.
_REAL_UNARY = {
    "sin": math.sin,
    "cos": math.cos,
    "tan": math.tan,
    "arcsin": math.asin,
    "arccos": math.acos,
    "arctan": math.atan,
    "sinh": math.sinh,
    "cosh": math.cosh,
    "tanh": math.tanh,
    "arcsinh": math.asinh,
    "arccosh": math.acosh,
    "arctanh": math.atanh,
    "exp": math.exp,
    "log": math.log,
    "log10": math.log10,
    "sqrt": math.sqrt,
    "cbrt": cbrt,
    "fabs": math.fabs,
    "deg2rad": math.radians,
    "radians": math.radians,
    "rad2deg": math.degrees,
    "degrees": math.degrees,
}
_REAL_BINARY = {
    "arctan2": math.atan2,
    "hypot": math.hypot,
    "copysign": math.copysign,
    "nextafter": math.nextafter,
    "float_power": math.pow,
}


def _canonical(function):
    if isinstance(function, Intrinsic):
        return function.name
    return f"{function.__module__}.{function.__name__}"


def _register_real(name, function, register):
    other = getattr(cmath, getattr(function, "__name__", ""), None)

    def one(x):
        return function(common_real(x))

    def one_of_both(x):
        if isinstance(x, np.complexfloating):
            return like(other(x), x)
        return function(common_real(x))

    def two(x, y):
        x, y = common_real(x, y)
        return function(x, y)

    scalar = two if register is binary else one_of_both if other else one
    own = f"as `{_canonical(function)}`, in float32 or float64"
    if other:
        own += f"; of a complex number as `{_canonical(other)}`"
    scalar.__doc__ = own
    register(scalar, name)


for _name, _function in _REAL_UNARY.items():
    _register_real(_name, _function, unary)
for _name, _function in _REAL_BINARY.items():
    _register_real(_name, _function, binary)


@unary
def exp2(x):
    """2 to the power of the argument."""
    if isinstance(x, np.complexfloating):
        power = complex(x.real * _DOUBLING, x.imag * _DOUBLING)
        return like(np.exp(power), x)
    return power_of_2(common_real(x))


@unary
def expm1(x):
    """Exponential less 1."""
    if isinstance(x, np.complexfloating):
        half = math.sin(x.imag / 2)
        real = math.expm1(x.real) * math.cos(x.imag) - 2 * half * half
        return like(complex(real, math.exp(x.real) * math.sin(x.imag)), x)
    return math.expm1(common_real(x))


@unary
def log1p(x):
    """Logarithm of the argument and 1."""
    if isinstance(x, np.complexfloating):
        real = x.real + 1
        size = math.log(math.hypot(real, x.imag))
        return like(complex(size, math.atan2(x.imag, real)), x)
    return math.log1p(common_real(x))


#: The logarithm of 2.
_DOUBLING = 0.6931471805599453
#: 1 divided by it.
_BITS = 1.4426950408889634


@unary
def log2(x):
    """Logarithm to base 2."""
    if isinstance(x, np.complexfloating):
        logarithm = np.log(x)
        return like(complex(logarithm.real * _BITS, logarithm.imag * _BITS), x)
    return math.log2(common_real(x))


@unary
def rint(x):
    """Nearest whole number, half to even, as a float or complex."""
    if isinstance(x, np.complexfloating):
        return like(complex(rint(x.real), rint(x.imag)), x)
    return round_half_even(common_real(x))


@binary
def ldexp(x, y):
    """The first times 2 to the power of the second."""
    return math.ldexp(common_real(x), y)


@binary
def logaddexp(x, y):
    """Logarithm of the sum of the exponentials."""
    x, y = common_real(x, y)
    if x == y:
        return x + math.log(like(2, x))
    most = x if x > y else y
    if x != x or y != y:
        return x + y
    return most + math.log1p(math.exp(-math.fabs(x - y)))


@binary
def logaddexp2(x, y):
    """Logarithm to base 2 of the sum of the powers of 2."""
    x, y = common_real(x, y)
    if x == y:
        return x + like(1, x)
    most = x if x > y else y
    if x != x or y != y:
        return x + y
    power = power_of_2(-math.fabs(x - y))
    return most + math.log1p(power) * like(_BITS, x)


@unary
def isnan(x):
    """Whether the argument is not a number, or no time."""
    if isinstance(x, _TIMES):
        return is_nat(x)
    if isinstance(x, np.complexfloating):
        return cmath.isnan(x)
    return math.isnan(x)


@unary
def isnat(x):
    """Whether the argument, a time, is none."""
    return is_nat(x)


@unary
def isinf(x):
    """Whether the argument is infinite, as no time is."""
    if isinstance(x, _TIMES):
        return False
    if isinstance(x, np.complexfloating):
        return cmath.isinf(x)
    return math.isinf(x)


@unary
def isfinite(x):
    """Whether the argument is finite, or a time."""
    if isinstance(x, _TIMES):
        return not is_nat(x)
    if isinstance(x, np.complexfloating):
        return cmath.isfinite(x)
    return math.isfinite(x)


@unary
def signbit(x):
    """Whether the argument has a minus."""
    x = common_real(x)
    return math.copysign(like(1, x), x) < 0


@unary
def floor(x):
    """Largest whole number that is not above."""
    x = common(x)
    return like(math.floor(x), x) if isinstance(x, np.floating) else x


@unary
def ceil(x):
    """Smallest whole number that is not below."""
    x = common(x)
    return like(math.ceil(x), x) if isinstance(x, np.floating) else x


@unary
def trunc(x):
    """Whole part."""
    x = common(x)
    return like(math.trunc(x), x) if isinstance(x, np.floating) else x


# ===-------------------------------------------------------------------===
# Arithmetic. Of times each operator has rules of its own.
# ===-------------------------------------------------------------------===


@binary
def add(x, y):
    """Sum; of bools, whether one is true."""
    if isinstance(x, _TIMES):
        return x + y
    a, b = common(x, y)
    return like(a + b, a)


@binary
def subtract(x, y):
    """Difference."""
    if isinstance(x, _TIMES):
        return x - y
    a, b = common_number(x, y)
    return like(a - b, a)


@binary
def multiply(x, y):
    """Product; of bools, whether both are true."""
    if isinstance(x, _TIMES):
        return x * y
    if isinstance(y, _TIMES):
        return x * y
    a, b = common(x, y)
    return like(a * b, a)


@binary
def floor_divide(x, y):
    """Quotient, rounded down."""
    if isinstance(x, _TIMES):
        return x // y
    a, b = common_number(x, y)
    return like(a // b, a)


@binary
def remainder(x, y):
    """Remainder with the sign of the divisor."""
    if isinstance(x, _TIMES):
        return x % y
    a, b = common_number(x, y)
    return like(a % b, a)


@binary
def power(x, y):
    """Power."""
    x, y = common_number(x, y)
    return like(x**y, x)


@binary
def divide(x, y):
    """Quotient, as a float."""
    if isinstance(x, _TIMES):
        return x / y
    a, b = common_real(x, y)
    return a / b


@binary
def true_divide(x, y):
    """Quotient, as a float."""
    if isinstance(x, _TIMES):
        return x / y
    a, b = common_real(x, y)
    return a / b


@binary
def fmod(x, y):
    """Remainder with the sign of the first."""
    x, y = common_number(x, y)
    if isinstance(x, np.floating):
        return like(math.fmod(x, y), x)
    rest = x % y
    # Python's has the sign of the divisor.
    if rest != 0 and (x < 0) != (y < 0):
        rest -= y
    return like(rest, x)


@unary
def negative(x):
    """The argument with the other sign."""
    x = common_number(x)
    return like(-x, x)


@unary
def positive(x):
    """The argument."""
    return common_number(x)


@unary
def absolute(x):
    """Absolute value."""
    if isinstance(x, np.complexfloating):
        return abs(x)
    return like(abs(common(x)), common(x))


@unary
def square(x):
    """The argument times itself."""
    x = common_number(x)
    return like(x * x, x)


@unary
def reciprocal(x):
    """1 divided by the argument."""
    x = common_number(x)
    if isinstance(x, (np.floating, np.complexfloating)):
        return like(like(1, x) / x, x)
    return x if x == 1 or x == -1 else like(0, x)


@helper
def unit(x):
    """1 with the sign of an infinite number, 0 of others."""
    return math.copysign(1.0, x) if math.isinf(x) else 0.0


@unary
def sign(x):
    """-1, 0 or 1; NaN of NaN; of size 1 or 0 of a complex number."""
    if isinstance(x, np.complexfloating):
        size = abs(x)
        if math.isinf(x.real) and math.isinf(x.imag):
            return like(np.nan * (1 + 1j), x)
        if math.isinf(size):
            return like(complex(unit(x.real), unit(x.imag)), x)
        return x / like(size, x) if size != 0 else like(0, x)
    if isinstance(x, np.timedelta64):
        # NaT has one, too.
        return like(sign(np.int64(x)), x)
    number = common_number(x)
    if number > 0:
        return like(1, number)
    if number < 0:
        return like(-1, number)
    return like(0, number) if number == 0 else number


@binary
def heaviside(x, y):
    """0 below 0, 1 above, the second at 0."""
    x, y = common_real(x, y)
    if x == 0:
        return y
    if x != x:
        return x
    return like(x > 0, x)


@binary
def gcd(x, y):
    """Greatest number that divides both."""
    x, y = common_number(x, y)
    return like(_numbers.gcd(x, y), x)


@binary
def lcm(x, y):
    """Least number that both divide."""
    x, y = common_number(x, y)
    return like(_numbers.lcm(x, y), x)


# ===-------------------------------------------------------------------===
# Parts of complex numbers.
# ===-------------------------------------------------------------------===


@unary
def conjugate(x):
    """The argument with the other sign of its imaginary part."""
    return common_number(x).conjugate()


@public("ndarray.conj")
def conjugate_array(a):
    """The conjugate of the number in an array without dimensions."""
    return conjugate(a[()])


@public("numpy.real")
def real(val):
    """Real part of a number or of an array's elements."""
    return val.real


@public("numpy.imag")
def imag(val):
    """Imaginary part of a number or of an array's elements."""
    return val.imag


@public("numpy.angle")
def angle(z, deg=False):
    """Angle from the real axis, in radians or degrees, as a float64."""
    phase = cmath.phase(np.complex128(z))
    return math.degrees(phase) if deg else phase


@public("numpy.sinc")
def sinc(x):
    """Sine of pi times the argument, divided by that; 1 at 0; in 64 bits."""
    if x == 0:
        x = 1e-20
    x *= math.pi
    return np.sin(x) / x
