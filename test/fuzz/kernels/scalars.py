# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What operators, casts and functions give on scalars, one at a time.

A value is a NumPy scalar of the type that the typing tables say. Integers are
computed by Python and wrapped; floats by NumPy in the width of their type.
"""

import ast
import math
from fractions import Fraction

import numpy as np
from model.conversions import least
from model.operators import OPERATORS, SHIFTS, wide
from model.types import COMPLEXES, FLOATS, INTEGERS, PARTS, UNSIGNED, bits

KINDS = {"bool": np.bool_} | {
    name: getattr(np, name) for name in [*INTEGERS, *FLOATS, *COMPLEXES]
}
NAMES = {kind: name for name, kind in KINDS.items()}


def kind_of(value):
    """The name of a scalar's type."""
    return NAMES[type(value)]


def wrapped(number, kind):
    """A Python int in the bits of an integer type."""
    width = bits(kind)
    number &= 2**width - 1
    if kind not in UNSIGNED and number >> (width - 1):
        number -= 2**width
    return KINDS[kind](number)


def saturated(value, kind):
    """A float as an integer: truncated, clamped, NaN as 0."""
    info = np.iinfo(kind)
    number = float(value)
    if math.isnan(number):
        return KINDS[kind](0)
    if number >= info.max:
        return KINDS[kind](info.max)
    if number <= info.min:
        return KINDS[kind](info.min)
    return KINDS[kind](int(number))


def convert(value, kind):
    """A scalar as another type."""
    source = kind_of(value)
    if source == kind:
        return value
    if kind == "bool":
        return np.bool_(value != 0)
    if kind in COMPLEXES and source not in COMPLEXES:
        return KINDS[kind](convert(value, PARTS[kind]))
    if kind in COMPLEXES:
        return KINDS[kind](value)
    if source in FLOATS:
        if kind in FLOATS:
            return KINDS[kind](value)
        return saturated(value, kind)
    if kind in INTEGERS:
        return wrapped(int(value), kind)
    if kind == "float16":
        # An integer is at most 65504 or becomes infinite: float64 holds it.
        return np.float16(float(int(value)))
    return value.astype(kind)


def literal(value):
    """A Python constant as the scalar that it is typed as."""
    if isinstance(value, bool):
        return np.bool_(value)
    if isinstance(value, float):
        return np.float64(value)
    if isinstance(value, complex):
        return np.complex128(value)
    return np.int64(value) if -(2**63) <= value < 2**63 else np.uint64(value)


def integer_power(base, exponent):
    """Exact modulo 2**64; the whole part of what is below 1."""
    if exponent >= 0:
        return pow(base, exponent, 2**64)
    return {1: 1, -1: 1 - 2 * (exponent & 1)}.get(base, 0)


def floor_divide(a, b):
    """`a // b` and `a % b` of two floats of one type, as CPython has them."""
    one = type(a)(1)
    remainder = np.fmod(a, b)
    if b == 0:
        return a / b, remainder
    quotient = (a - remainder) / b
    if remainder != 0:
        if (b < 0) != (remainder < 0):
            remainder += b
            quotient -= one
    else:
        remainder = np.copysign(remainder, b)
    if quotient != 0:
        floor = np.floor(quotient)
        if quotient - floor > 0.5:
            floor += one
        return floor, remainder
    return np.copysign(quotient * type(a)(0), a / b), remainder


def on_integers(op, a, b, kind):
    """An operator whose result is an integer, in 64 bits."""
    if op in SHIFTS:
        a, count = int(wrapped(int(a), kind)), min(int(b) & (2**64 - 1), 64)
        return wrapped(OPERATORS[op](a, count), kind)
    a, b = (int(wrapped(int(x), kind)) for x in (a, b))
    if op in (ast.FloorDiv, ast.Mod) and b == 0:
        return KINDS[kind](0)
    if op is ast.Pow:
        return wrapped(integer_power(a, b), kind)
    return wrapped(OPERATORS[op](a, b), kind)


def on_floats(op, a, b, kind):
    """An operator whose result is a float, in the width of that float."""
    a, b = convert(a, kind), convert(b, kind)
    if op is ast.FloorDiv:
        return floor_divide(a, b)[0]
    if op is ast.Mod:
        return floor_divide(a, b)[1]
    if op is ast.Pow:
        return KINDS[kind](np.float_power(a, b))
    return OPERATORS[op](a, b)


def made(real, imaginary, kind):
    """A complex number of its parts."""
    return KINDS[kind](complex(real, imaginary))


#: Binary exponents at which no part of a quotient can over- or underflow.
MODERATE = {"complex64": 60, "complex128": 500}


def is_moderate(a, kind):
    """Whether a complex number is so far from both ends of its type."""
    size = float(max(abs(a.real), abs(a.imag)))
    return (
        bool(np.isfinite(a))
        and 2.0 ** -MODERATE[kind] < size < 2.0 ** MODERATE[kind]
    )


def has_quotient(a, b, kind):
    """Whether a / b is said: in the open, or by the rules of infinities."""
    a, b = convert(a, kind), convert(b, kind)
    moderate = is_moderate(a, kind) and is_moderate(b, kind)
    return moderate or b == 0 or not (np.isfinite(a) and np.isfinite(b))


def quotient(a, b, kind):
    """a / b, rounded once where no operand is at an end of its type."""
    if not (is_moderate(a, kind) and is_moderate(b, kind)):
        return a / b
    ar, ai, br, bi = (
        Fraction(float(part)) for part in (a.real, a.imag, b.real, b.imag)
    )
    size = br * br + bi * bi
    real, imaginary = (ar * br + ai * bi) / size, (ai * br - ar * bi) / size
    return made(float(real), float(imaginary), kind)


def on_complex(op, a, b, kind):
    """An operator whose result is complex, by its definition on the parts."""
    a, b = convert(a, kind), convert(b, kind)
    if op is ast.Div:
        return quotient(a, b, kind)
    if op is ast.Mult:
        return made(
            a.real * b.real - a.imag * b.imag,
            a.real * b.imag + a.imag * b.real,
            kind,
        )
    operate = OPERATORS[op]
    return made(operate(a.real, b.real), operate(a.imag, b.imag), kind)


def binary(op, a, b, kind):
    """A binary operator whose result has the type `kind`."""
    if kind in COMPLEXES:
        return on_complex(op, a, b, kind)
    if kind == "bool":
        return np.bool_(OPERATORS[op](bool(a), bool(b)))
    if kind in INTEGERS:
        return on_integers(op, a, b, kind)
    return on_floats(op, a, b, kind)


def unary(op, a):
    """A sign, an inversion or `not`."""
    kind = kind_of(a)
    if op is ast.Not:
        return np.bool_(a == 0)
    if op is ast.Invert and kind == "bool":
        return np.bool_(not a)
    if kind in COMPLEXES and op is ast.USub:
        return made(-a.real, -a.imag, kind)
    if kind in FLOATS + COMPLEXES:
        return -a if op is ast.USub else a
    # An integer is negated and inverted in its own width.
    own = wide(kind) if kind == "bool" else kind
    return wrapped(int(wrapped(OPERATORS[op](int(a)), own)), wide(kind))


def compare(op, a, b):
    """A comparison: integers by their numbers, else in a float type."""
    kinds = kind_of(a), kind_of(b)
    if set(kinds) & set(COMPLEXES):
        kind = least(COMPLEXES, *kinds)
        a, b = convert(a, kind), convert(b, kind)
    elif set(kinds) & set(FLOATS):
        kind = least(FLOATS, *kinds)
        a, b = convert(a, kind), convert(b, kind)
    else:
        a, b = int(a), int(b)
    return np.bool_(OPERATORS[op](a, b))


def fused(a, b, c):
    """a * b + c, rounded once, in the type of the operands."""
    if not (np.isfinite(a) and np.isfinite(b)):
        return a * b + c
    if not np.isfinite(c):
        return c  # though a * b may be too large
    exact = Fraction(float(a)) * Fraction(float(b)) + Fraction(float(c))
    if exact == 0:
        return a * b + c
    try:
        near = float(exact)
    except OverflowError:
        return type(a)(math.inf if exact > 0 else -math.inf)
    if type(a) is np.float64 or Fraction(near) == exact:
        return type(a)(near)
    # Round to odd, so that rounding to float32 is the only rounding.
    if np.float64(near).view(np.int64) % 2 == 0:
        near = math.nextafter(
            near, math.inf if exact > Fraction(near) else -math.inf
        )
    return type(a)(near)


def absolute(a):
    """abs(a); of a bool it is an int8."""
    kind = kind_of(a)
    if kind in FLOATS:
        return abs(a)
    return wrapped(abs(int(a)), "int8" if kind == "bool" else kind)


def extreme(least_one, values, kind):
    """min or max in the common type; NaN loses."""
    result, *others = (convert(value, kind) for value in values)
    for value in others:
        if kind in FLOATS:
            result = (np.fmin if least_one else np.fmax)(result, value)
        elif (value < result) == least_one and value != result:
            result = value
    return result


def whole(a):
    """round(a): half to even, as an int64; a uint64 wraps around."""
    if kind_of(a) in FLOATS:
        return saturated(np.rint(a), "int64")
    return np.asarray(a).astype(np.int64)[()]


#: Functions of `math` with one result, by name. Arguments have the type of the
#: result, or are float64 where that is bool.
EXACT_MATH = {
    "sqrt": np.sqrt, "floor": np.floor, "ceil": np.ceil, "trunc": np.trunc,
    "fabs": np.fabs, "copysign": np.copysign, "fmod": np.fmod,
    "isnan": np.isnan, "isinf": np.isinf, "isfinite": np.isfinite,
}  # fmt: skip
#: Those that are right to some units in the last place only.
ROUNDED_MATH = {
    "sin": np.sin, "cos": np.cos, "tan": np.tan, "exp": np.exp,
    "exp2": np.exp2, "expm1": np.expm1, "log": np.log, "log2": np.log2,
    "log10": np.log10, "log1p": np.log1p, "asin": np.arcsin,
    "acos": np.arccos, "atan": np.arctan, "sinh": np.sinh, "cosh": np.cosh,
    "tanh": np.tanh, "asinh": np.arcsinh, "acosh": np.arccosh,
    "atanh": np.arctanh, "atan2": np.arctan2, "degrees": np.degrees,
    "radians": np.radians,
    "erf": lambda x: type(x)(math.erf(x)),
    "erfc": lambda x: type(x)(math.erfc(x)),
    "pow": np.float_power, "hypot": np.hypot,
}  # fmt: skip
