# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What Python in kernels can do: the rows of the page language/status.md.

A row is the body of a kernel `k(out, f, i, m)` of one thread: `out` is an array
of eight float64 zeros, `f` one of four float64 numbers, `i` of four int64 and
`m` one of 2 by 3 float64. Python itself, run on the same arrays, says what has
to be in `out` afterwards, unless the row does (`expected`). A row with `refused`
has to be refused with that message.

`peer` says what Numba CUDA 0.30.4 makes of it where that is not the same.
"""

import numpy as np

from . import arrays, kernel_api, modules, numpy_functions, statements, values

__all__ = ["ARGUMENTS", "FEATURES", "HELPERS"]

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
from pyk.cuda import literal_unroll

SCALE = 3
SATFINITE = 1
NAME = "blue"
PART = slice(1, 3)
TABLE = np.array([1.0, 2.0, 4.0])
THERE = cuda.to_device(TABLE)
Point = namedtuple("Point", "x y")

class Color(IntEnum):
    RED = 1
    BLUE = 2

class Shade(Enum):
    DARK = 10
    LIGHT = 20

def plus(a, b):
    return a + b

def twice(a, out):
    for n in range(a.size):
        out[n] = 2 * a[n]

class Tone(Enum):
    LOW = "low"
    HIGH = "high"

class Key(str, Enum):
    UP = "up"
    DOWN = "down"

WORDS = np.array(["one", "two"])
named = np.dtype([("name", "S4"), ("text", "U3")])
pair = np.dtype([("x", np.float64), ("n", np.int32)])

foreign = cuda.declare_device(
    "foreign", "float64(float64, float64)", link="foreign.ptx", cpu=plus
)

@cuda.jit(device=True, link=["foreign.ptx"])
def linked(a, b):
    return foreign(a, b)

@cuda.jit
def fill(a, x):
    a[cuda.grid(1)] = x

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

FEATURES = [
    *modules.FEATURES,
    *kernel_api.FEATURES,
    *arrays.FEATURES,
    *numpy_functions.FEATURES,
    *statements.FEATURES,
    *values.FEATURES,
]
