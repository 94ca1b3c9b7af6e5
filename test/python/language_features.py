# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What Python in kernels can do: the rows of the page language/status.md.

A row is the body of a kernel `k(out, f, i, m)` of one thread: `out` is an array
of eight float64 zeros, `f` one of four float64 numbers, `i` of four int64 and
`m` one of 2 by 3 float64. Python itself, run on the same arrays, says what has
to be in `out` afterwards, unless the row does (`expected`). A row with `refused`
has to be refused with that message.

`peer` says what Numba CUDA 0.30.4 makes of it where that is not the same.
"""

from dataclasses import dataclass

import numpy as np

ARGUMENTS = {
    "out": np.zeros(8),
    "f": np.array([0.5, 1.5, 2.5, -3.5]),
    "i": np.array([1, 2, 3, -4]),
    "m": np.arange(6.0).reshape(2, 3),
}

#: Stands above every kernel.
HELPERS = """
from collections import namedtuple
from enum import Enum, IntEnum
import cmath
import math
import operator
import numpy as np

SCALE = 3
NAME = "blue"
TABLE = np.array([1.0, 2.0, 4.0])
Point = namedtuple("Point", "x y")

class Color(IntEnum):
    RED = 1
    BLUE = 2

class Shade(Enum):
    DARK = 10
    LIGHT = 20

pair = np.dtype([("x", np.float64), ("n", np.int32)])

@cuda.jit(device=True)
def add(x, y=10, scale=1):
    return (x + y) * scale

@cuda.jit(device=True)
def swap(x, y):
    return y, x

@cuda.jit(device=True)
def apply(function, x):
    return function(x)

@cuda.jit(device=True)
def total(*values):
    s = 0.0
    for v in values:
        s += v
    return s

@cuda.jit(device=True)
def factorial(n):
    if n <= 1:
        return 1
    return n * factorial(n - 1)

@cuda.jit(device=True)
def is_even(n):
    if n == 0:
        return True
    return is_odd(n - 1)

@cuda.jit(device=True)
def is_odd(n):
    if n == 0:
        return False
    return is_even(n - 1)

@cuda.jit(device=True)
def half(x):
    if x > 1:
        return x / 2
    return None

@cuda.jit(device=True)
def row_sum(a):
    s = 0.0
    for x in a:
        s += x
    return s
"""


@dataclass(frozen=True)
class Feature:
    section: str
    name: str
    body: str
    peer: str = ""
    expected: tuple = ()
    refused: str = ""


def rows(section, *features):
    """Rows of one section: names and bodies, and perhaps what the peer does."""
    return [Feature(section, *feature) for feature in features]


def refused(section, *features):
    """Rows of what is refused: names, bodies, messages and the peer's."""
    return [
        Feature(section, name, body, peer, refused=message)
        for name, body, message, peer in features
    ]


def calls(section, module, names, arguments, peer=""):
    """A row for each function: it is called with `arguments`."""
    return [
        Feature(
            section,
            f"`{module}.{name}`",
            f"out[0] = {module}.{name}({arguments})",
            peer,
        )
        for name in names.split()
    ]


MATH = "Module `math`"
CMATH = "Module `cmath`"
OPERATOR = "Module `operator`"
BUILTINS = "Builtins"
ARRAYS = "Arrays"
NUMPY = "NumPy's functions on numbers"
REDUCTIONS = "NumPy's functions on arrays"
LANGUAGE = "Statements and expressions"
FUNCTIONS = "Functions"
VALUES = "Tuples, enums, strings and None"
RECORDS = "Records"
TYPES = "Types of numbers"
NOT_PYTHON = "What kernels cannot have"

NO_SCALARS = "not on numbers"
SLOW_ERROR = "an error about its insides"

FEATURES = [
    *calls(
        MATH,
        "math",
        "sqrt exp exp2 expm1 log log2 log10 log1p sin cos tan asin atan sinh "
        "cosh tanh asinh erf erfc gamma lgamma fabs floor ceil trunc radians "
        "degrees isnan isinf isfinite",
        "f[0]",
    ),
    *calls(MATH, "math", "acos atanh", "f[0]"),
    *calls(MATH, "math", "acosh", "f[1]"),
    *calls(
        MATH,
        "math",
        "pow hypot atan2 copysign fmod remainder nextafter",
        "f[1], f[2]",
    ),
    *rows(
        MATH,
        ("`math.ldexp`", "out[0] = math.ldexp(f[1], 3)"),
        ("`math.frexp`", "out[0], out[1] = math.frexp(f[2])"),
        ("`math.modf`", "out[0], out[1] = math.modf(f[2])"),
        (
            "`math.pi`, `e`, `tau`, `inf`, `nan`",
            "out[0] = math.pi + math.e + math.tau\nout[1] = math.inf\n"
            "out[2] = math.nan",
        ),
    ),
    *calls(MATH, "math", "cbrt", "f[2]", "not there"),
    *calls(MATH, "math", "gcd lcm", "i[1], i[2]", "not there"),
    *calls(MATH, "math", "isqrt", "i[2]", "not there"),
    *[
        Feature(
            CMATH,
            f"`cmath.{name}`",
            f"z = cmath.{name}(complex(f[0], f[1]))\n"
            "out[0] = z.real\nout[1] = z.imag",
        )
        for name in (
            "acos acosh asin asinh atan atanh cos cosh exp log log10 sin sinh "
            "sqrt tan tanh"
        ).split()
    ],
    *calls(CMATH, "cmath", "isfinite isinf isnan phase", "complex(f[0], f[1])"),
    *rows(
        CMATH,
        (
            "`cmath.polar`",
            "out[0], out[1] = cmath.polar(complex(f[0], f[1]))",
        ),
        (
            "`cmath.rect`",
            "z = cmath.rect(f[0], f[1])\nout[0] = z.real\nout[1] = z.imag",
        ),
    ),
    *calls(
        OPERATOR,
        "operator",
        "add sub mul truediv floordiv mod pow eq ne lt le gt ge",
        "f[1], f[2]",
    ),
    *calls(OPERATOR, "operator", "and_ or_ xor lshift rshift", "i[1], i[2]"),
    *calls(OPERATOR, "operator", "neg pos", "f[1]"),
    *calls(OPERATOR, "operator", "invert not_", "i[1]"),
    *calls(
        OPERATOR,
        "operator",
        "iadd isub imul itruediv ifloordiv imod ipow",
        "f[1], f[2]",
    ),
    *calls(OPERATOR, "operator", "iand ior ixor ilshift irshift", "i[1], i[2]"),
    *rows(
        BUILTINS,
        ("`abs`", "out[0] = abs(f[3]) + abs(i[3])"),
        ("`bool`", "out[0] = bool(i[0]) + bool(f[0])"),
        (
            "`complex`",
            "z = complex(f[0], f[1]) * complex(f[2])\n"
            "out[0] = z.real\nout[1] = z.imag",
        ),
        ("`divmod`", "out[0], out[1] = divmod(i[3], i[1])"),
        (
            "`enumerate`",
            "for n, x in enumerate(f, 2):\n    out[0] += n * x",
        ),
        ("`float`", "out[0] = float(i[2])"),
        ("`int`", "out[0] = int(f[3])"),
        (
            "`isinstance`",
            "if isinstance(i[0], int):\n    out[0] = 1",
            "",
            (1.0,),
        ),
        ("`len`", "out[0] = len(m) + len((1, 2))"),
        (
            "`max`, `min` of arguments",
            "out[0] = max(i[0], i[2]) + min(1, i[3])",
        ),
        ("`max`, `min` of an array", "out[0] = max(f) + min(f)"),
        ("`max`, `min` of a tuple", "out[0] = max((i[0], 2)) + min((i[0], 2))"),
        ("`pow`", "out[0] = pow(i[1], i[2]) + pow(f[0], 2)"),
        ("`print`", "print(1, f[0], 'text')"),
        (
            "`print` of a tuple",
            "print((1, (f[0], True)))",
        ),
        (
            "`print` of a complex number",
            "print(complex(f[0], f[1]))",
            "no: complex numbers cannot be printed",
        ),
        ("`range`", "for n in range(9, 0, -2):\n    out[0] += n"),
        ("`round`", "out[0] = round(f[2]) + round(f[1])"),
        ("`round` to digits", "out[0] = round(f[3] / 3, 2)"),
        ("`sum` of an array", "out[0] = sum(f)"),
        ("`sum` of a tuple", "out[0] = sum((1, 2, 3))"),
        ("`zip`", "for x, n in zip(f, i):\n    out[0] += x * n"),
        ("`any`, `all`", "out[0] = any(i) + all(i)", "not there"),
    ),
    *rows(
        ARRAYS,
        ("`shape`, `ndim`, `size`", "out[0] = m.shape[1] + m.ndim * m.size"),
        (
            "`strides`, `itemsize`, `nbytes`",
            "out[0] = m.strides[0] + m.itemsize + m.nbytes",
        ),
        (
            "`dtype`",
            "a = cuda.local.array(1, m.dtype)\na[0] = 2\nout[0] = a[0]",
        ),
        ("`T`", "out[0] = m.T[2, 1]"),
        ("`real`, `imag`", "out[0] = f.real[1]"),
        ("`flat`", "for x in m.flat:\n    out[0] += x"),
        ("`reshape`", "out[0] = m.reshape(3, 2)[2, 0]"),
        ("`ravel`", "out[0] = m.ravel()[4]", "only with its run-time memory"),
        ("`transpose`", "out[0] = m.transpose()[1, 0]"),
        ("`view`", "out[0] = f.view(np.int64)[0]"),
        ("`fill`", "out[2:4].fill(7)"),
        ("`item`", "out[0] = f[2:3].item()"),
        ("negative index", "out[0] = f[-1] + m[-1, -2]"),
        ("partial index", "out[0] = m[1][2]"),
        ("slice", "out[0] = f[1:3][1]"),
        ("slice with a step", "out[0] = f[::2][1] + f[::-1][0]"),
        ("ellipsis, `None`", "out[0] = m[..., 1][1] + m[:, None, 2][1, 0]"),
        ("number into a slice", "out[1:5:2] = 4"),
        (
            "array into a slice",
            "out[1:5] = f",
            "only with its run-time memory",
        ),
        ("`+=` to an element", "out[0] += 2\nout[0] *= f[1]"),
        ("`+=` to a slice", "out[:3] += 2\nout[1:3] *= 3", "not there"),
        ("`for` over elements", "for x in f:\n    out[0] += x"),
        ("`for` over rows", "for row in m:\n    out[0] += row[1]"),
        (
            "`np.ndenumerate`",
            "for (r, c), x in np.ndenumerate(m):\n    out[0] += r * c * x",
        ),
        (
            "`np.ndindex`",
            "for r, c in np.ndindex(2, 3):\n    out[0] += m[r, c]",
        ),
        (
            "`np.nditer`",
            "for x in np.nditer(m):\n    out[0] += x.item()",
        ),
        ("unpacking", "x, y = f[:2]\nout[0] = x - y"),
        ("unpacking into elements", "out[0], out[1] = f[1], f[0]"),
        ("row as an argument", "out[0] = row_sum(m[1])"),
        ("captured array", "out[0] = TABLE[2]"),
        ("0-d array", "out[0] = m[1, 2, ...]"),
    ),
    *calls(
        NUMPY,
        "np",
        "sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh arctanh "
        "deg2rad radians rad2deg degrees log log2 log10",
        "f[0]",
    ),
    *calls(NUMPY, "np", "arccosh", "f[1]"),
    *calls(
        NUMPY,
        "np",
        "arctan2 hypot greater greater_equal less less_equal not_equal equal "
        "maximum minimum fmax fmin logical_and logical_or logical_xor",
        "f[0], f[1]",
    ),
    *calls(NUMPY, "np", "logical_not", "f[0]"),
    *calls(
        NUMPY,
        "np",
        "bitwise_and bitwise_or bitwise_xor left_shift right_shift",
        "i[1], i[0]",
    ),
    *calls(NUMPY, "np", "invert bitwise_not", "i[1]"),
    *calls(
        NUMPY,
        "np",
        "sqrt cbrt exp exp2 expm1 log1p square reciprocal absolute fabs abs "
        "negative positive sign floor ceil trunc rint isnan isinf isfinite "
        "signbit",
        "f[1]",
        NO_SCALARS,
    ),
    *calls(
        NUMPY,
        "np",
        "add subtract multiply divide true_divide floor_divide mod power "
        "copysign nextafter fmod logaddexp",
        "f[1], f[2]",
        NO_SCALARS,
    ),
    *rows(
        NUMPY,
        ("`np.ldexp`", "out[0] = np.ldexp(f[1], 3)", NO_SCALARS),
        ("`np.clip`", "out[0] = np.clip(f[3], -1.0, 1.0)", NO_SCALARS),
        ("`np.where`", "out[0] = np.where(f[0] > 1, f[1], f[2])", NO_SCALARS),
        (
            "casts",
            "out[0] = np.int32(f[2]) + np.float32(0.1) + np.uint8(300.0 % 256)",
        ),
        (
            "`np.pi`, `e`, `inf`, `nan`",
            "out[0] = np.pi + np.e\nout[1] = np.inf",
        ),
        (
            "into an array",
            "np.sin(f, out[:4])",
        ),
    ),
    *[
        Feature(REDUCTIONS, f"`a.{name}()`", f"out[0] = f.{name}()")
        for name in "sum prod mean var std any all argmin argmax".split()
    ],
    *[
        Feature(
            REDUCTIONS,
            f"`a.{name}()`",
            f"out[0] = f.{name}()",
            "only with its run-time memory",
        )
        for name in "min max".split()
    ],
    *calls(
        REDUCTIONS,
        "np",
        "sum prod mean var std any all argmin argmax count_nonzero nansum "
        "nanprod nanmean nanvar nanstd",
        "f",
    ),
    *rows(
        REDUCTIONS,
        ("`np.searchsorted`", "out[0] = np.searchsorted(TABLE, 1.5)"),
        ("`np.trace`", "out[0] = np.trace(m[:, :2])"),
        ("`np.size`, `np.shape`", "out[0] = np.size(m) + np.shape(m)[1]"),
    ),
    *rows(
        LANGUAGE,
        (
            "`if`/`elif`/`else`",
            "if f[0] > 1:\n    out[0] = 1\nelif f[0] > 0:\n    out[0] = 2\nelse:\n    out[0] = 3",
        ),
        (
            "`while`, `break`, `continue`",
            "n = 0\nwhile True:\n    n += 1\n    if n % 2:\n        continue\n    if n > 7:\n        break\n    out[0] += n",
        ),
        (
            "`for`/`else`",
            "for n in range(4):\n    if i[n] > 5:\n        break\nelse:\n    out[0] = 1",
        ),
        (
            "`while`/`else`",
            "n = 3\nwhile n > 0:\n    n -= 1\nelse:\n    out[0] = n + 5",
        ),
        ("conditional expression", "out[0] = f[0] if i[0] > 0 else f[1]"),
        ("chained comparison", "out[0] = 0 < i[0] <= i[1] < 9"),
        (
            "`in` and `not in` a tuple",
            "out[0] = i[1] in (1, 2.0)\nout[1] = i[1] not in [i[0], i[2]]",
            "refuses a tuple of several types",
        ),
        (
            "order of tuples",
            "out[0] = (1, f[1]) < (1, 2)\nout[1] = (2,) >= (2, 0)",
        ),
        (
            "`for` over a list in the text",
            "for x, y in [(1, 2), (i[1], 3)]:\n    out[0] += x * y",
        ),
        (
            "a tuple stored in a part of an array",
            "m[1] = (7, f[0], 2)\nm[0, 1:] = 4, 5\nfor n in range(6):\n    out[n] = m[n // 3, n % 3]",
            "refuses a tuple of several types",
        ),
        (
            "`float` of a text",
            'out[0] = float("inf")\nout[1] = max(f[0], float("-inf"))',
        ),
        (
            "`np.finfo`, `np.iinfo` of a constant",
            "out[0] = np.finfo(np.float32).eps\nlimits = np.iinfo(np.int8)\nout[1] = limits.max - limits.min",
        ),
        ("`a.dtype.type`", "out[0] = f.dtype.type(3) / i.dtype.type(2.7)"),
        (
            "`and`, `or`, `not`",
            "out[0] = i[0] and f[1] or f[2]\nout[1] = not i[0]",
        ),
        (":=", "if (n := i[2]) > 2:\n    out[0] = n"),
        ("several targets", "x = y = f[1]\nout[0] = out[1] = x + y"),
        (
            "augmented assignment",
            "x = 3\nx **= 2\nx //= 2\nx <<= 3\nx ^= 5\nout[0] = x",
        ),
        ("swap", "x, y = f[0], f[1]\nx, y = y, x\nout[0] = x - y"),
        ("starred target", "x, *y = (1, 2, 3)\nout[0] = x + y[1]", "refused"),
        ("annotations", "x: float = f[1]\nout[0] = x"),
        (
            "`match` on literals",
            "match i[1]:\n    case 1:\n        out[0] = 1\n    case 2 | 3:\n        out[0] = 5\n    case _:\n        out[0] = 9",
        ),
        ("`pass`, docstring", "'''Nothing.'''\npass"),
        ("early `return`", "out[0] = 1\nif i[0] == 1:\n    return\nout[0] = 2"),
        (
            "nested `return` in a loop",
            "for n in range(4):\n    if n == 2:\n        return\n    out[n] = 1",
        ),
        (
            "variable of two types",
            "x = 0\nif i[0] > 0:\n    x = f[1]\nout[0] = x",
        ),
        ("captured number", "out[0] = SCALE * 2"),
        ("non-ASCII name", "größe = 2\nout[0] = größe"),
        (
            "dead branch",
            "if SCALE == 4:\n    out[0] = undefined_name\nelse:\n    out[0] = 1",
        ),
        ("big literal", "out[0] = 2**62 % 1000"),
    ),
    *rows(
        FUNCTIONS,
        ("device function", "out[0] = add(1, 2)"),
        ("default arguments", "out[0] = add(1)"),
        ("keyword arguments", "out[0] = add(scale=2, x=3)"),
        ("tuple result", "x, y = swap(1, 2)\nout[0] = x"),
        ("recursion", "out[0] = factorial(i[2] + 2)"),
        ("mutual recursion", "out[0] = is_even(i[2])", "refused"),
        (
            "nested function",
            "def inner(x):\n    return x * 2\nout[0] = inner(f[1])",
        ),
        (
            "closure over a local",
            "scale = f[1]\ndef inner(x):\n    return x * scale\nout[0] = inner(2)",
        ),
        (
            "recursion of a nested function",
            "def inner(n):\n    return 1 if n < 2 else n * inner(n - 1)\nout[0] = inner(i[2] + 3)",
            "refused",
        ),
        (
            "keyword call of a nested function",
            "def inner(x, y=1):\n    return x - y\nout[0] = inner(y=2, x=7)",
            SLOW_ERROR,
        ),
        ("`lambda`", "twice = lambda x: x + x\nout[0] = twice(f[1])"),
        ("function as an argument", "out[0] = apply(math.sqrt, f[2])"),
        ("`lambda` as an argument", "out[0] = apply(lambda x: x + 1, f[2])"),
        ("`*args`", "out[0] = total(1.0, 2.0, 3.5)"),
        ("`f(*t)`", "t = (1, 2)\nout[0] = add(*t)"),
        ("type as a function", "kind = np.float64\nout[0] = kind(3)"),
    ),
    *rows(
        VALUES,
        ("tuple index", "t = (1, 2.5, 3)\nout[0] = t[1] + t[-1]"),
        ("run-time index", "t = (1, 2, 3)\nout[0] = t[i[0]]"),
        (
            "tuple slice, `+`, `==`",
            "t = (1, 2, 3)[1:] + (4,)\nout[0] = t[2]\nout[1] = (1, 2) == (1, 2)",
        ),
        ("nested tuple", "t = ((1, 2), 3)\nout[0] = t[0][1]"),
        ("`for` over a tuple", "for x in (1, 2, 3):\n    out[0] += x"),
        ("`IntEnum`", "out[0] = Color.BLUE + 1\nout[1] = i[1] == Color.BLUE"),
        ("string comparison", "if NAME == 'blue':\n    out[0] = 1"),
        (
            "string as an argument",
            "def pick(name, x):\n    return x * 2 if name == 'twice' else x\nout[0] = pick('twice', f[1])",
        ),
        (
            "string as a dtype",
            "a = cuda.local.array(2, 'float32')\na[0] = 3\nout[0] = a[0]",
        ),
        ("`None`", "x = None\nif x is None:\n    out[0] = 1"),
        (
            "namedtuple",
            "p = Point(f[0], y=f[1])\nx, y = p\nout[0] = p.x - y + p[1]",
        ),
        (
            "`Enum`",
            "out[0] = Shade.DARK.value\nout[1] = Shade.DARK == Shade.LIGHT\nout[2] = Shade.DARK is Shade['DARK']",
        ),
        (
            "perhaps `None`",
            "x = half(f[2])\nif x is not None:\n    out[0] = x\ny = half(f[0])\nif y is None:\n    out[1] = 1",
        ),
    ),
    *rows(
        RECORDS,
        (
            "field",
            "r = cuda.local.array(2, pair)\nr[0].x = 2.5\nr[0].n = 3\nout[0] = r[0].x + r[0].n",
            "",
            (5.5,),
        ),
        (
            "field by name",
            "r = cuda.local.array(2, pair)\nr[1]['x'] = 2.5\nout[0] = r[1]['x']",
            "",
            (2.5,),
        ),
        (
            "record is a reference",
            "r = cuda.local.array(2, pair)\ns = r[1]\ns.x = 4\nout[0] = r[1].x",
            "",
            (4.0,),
        ),
        (
            "copy of a record",
            "r = cuda.local.array(2, pair)\nr[0].x = 1\nr[0].n = 2\nr[1] = r[0]\nr[0].x = 5\nout[0] = r[1].x",
            "",
            (1.0,),
        ),
        (
            "fields of an array",
            "r = cuda.local.array(2, pair)\nr[0].x = 1\nr[1].x = 2\nout[0] = row_sum(r.x)",
            "",
            (3.0,),
        ),
    ),
    *[
        Feature(
            TYPES,
            f"`{name}`",
            f"a = cuda.local.array(1, np.{name})\na[0] = 3\n"
            f"out[0] = a[0] * np.{name}(2)",
        )
        for name in (
            "int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 "
            "float64"
        ).split()
    ],
    Feature(
        TYPES,
        "`bfloat16`",
        "a = cuda.local.array(1, cuda.bfloat16)\na[0] = 3\n"
        "out[0] = a[0] * cuda.bfloat16(2)",
        expected=(6,),
    ),
    Feature(
        TYPES,
        "`cuda.bf16`",
        "out[0] = cuda.bf16.hfma(f[1], f[2], 0.125)",
        expected=(3.875,),
    ),
    *rows(
        TYPES,
        (
            "`bool`",
            "a = cuda.local.array(1, np.bool_)\na[0] = i[0] > 0\nout[0] = a[0]",
        ),
        (
            "`complex64`",
            "a = cuda.local.array(1, np.complex64)\na[0] = 1 + 2j\nout[0] = a[0].imag",
        ),
        (
            "`complex128`",
            "a = cuda.local.array(1, np.complex128)\na[0] = 1 + 2j\nout[0] = abs(a[0] * a[0])",
        ),
        (
            "`datetime64`",
            "day = np.datetime64('2005-02', 'D') + np.timedelta64(3, 'D')\n"
            "gap = day - np.datetime64('2005-01')\n"
            "out[0] = gap == np.timedelta64(816, 'h')\n"
            "out[1] = np.isnat(day)",
            "constants as globals only",
        ),
        (
            "`timedelta64`",
            "span = np.timedelta64(36, 'h') * i[1]\n"
            "out[0] = span / np.timedelta64(1, 'D')\n"
            "out[1] = np.int64(span)",
            "constants as globals only",
        ),
        ("power of integers", "out[0] = i[2] ** 3", "through float64"),
        (
            "int64 with uint64",
            "out[0] = i[3] < np.uint64(2**63)",
            "through float64",
        ),
    ),
    *refused(
        NOT_PYTHON,
        (
            "`try`",
            "try:\n    out[0] = 1\nexcept ValueError:\n    pass",
            "'try' statement",
            SLOW_ERROR,
        ),
        ("`with`", "with f:\n    pass", "'with' statement", SLOW_ERROR),
        ("list", "a = [1, 2]", "list", "only with its run-time memory"),
        ("dict", "a = {1: 2}", "dict", SLOW_ERROR),
        ("set", "a = {1, 2}", "set", SLOW_ERROR),
        ("comprehension", "a = [x for x in f]", "comprehension", SLOW_ERROR),
        (
            "generator expression",
            "a = sum(x for x in f)",
            "generator",
            SLOW_ERROR,
        ),
        ("f-string", "a = f'{f[0]}'", "f-string", ""),
        ("class", "class A:\n    pass", "class", ""),
        ("`global`", "global SCALE\nSCALE = 4", "global", ""),
        ("`del`", "x = 1\ndel x", "del", ""),
        ("`import`", "import os", "import", ""),
        ("`yield`", "yield 1", "yield", SLOW_ERROR),
        ("`await`, `async`", "async def g():\n    pass", "async", ""),
        ("array arithmetic", "a = f + f", "operator '+' cannot take", ""),
    ),
]
