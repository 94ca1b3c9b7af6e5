# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that cannot be typed, each with what the message has to say.

An entry is a name, the body of a kernel `k(a, b, n)` where `a` and `b` are 1-D
float32 and 2-D int64 arrays and `n` is an int, and a part of the message.
`HELPERS` stands above every kernel.
"""

from error_cases import arrays, calls, records, text, times, types

HELPERS = """
from collections import namedtuple
from enum import Enum
from numba import cuda, float32, int32
import cmath, math, random, time
import numpy as np

TABLE = {1: 2}
WEIGHTS = np.array([1.0, 2.0])
SIZES = (2, 3)
ONE = 1
POINT = np.dtype([("x", "f4"), ("mass", "i4"), ("name", "V3"), ("v", "f4", 2)])
POINTS = np.zeros(2, POINT)
BIG = 2**70
NAMED = np.zeros(2, [("name", "S3"), ("text", "U3")])
DAY = np.datetime64("2005-02-01")
HOUR = np.timedelta64(1, "h")

def plain(x):
    return x

class Box:
    def __init__(self, x):
        self.x = x

BOX = Box(1)

@cuda.jit(device=True)
def add(x, y, scale=1):
    return (x + y) * scale

class Color(Enum):
    RED = 1

class Shade(Enum):
    DARK = 1

Point = namedtuple("Point", "x mass")

@cuda.jit(device=True)
def growing(x):
    if x > 0:
        return x, growing(x - 1)

@cuda.jit(device=True)
def endless(x):
    return endless(x)

@cuda.jit(device=True)
def two_types(x):
    if x > 0:
        return (x, x)
    return x
"""

CASES = [
    *calls.CASES,
    *arrays.CASES,
    *types.CASES,
    *records.CASES,
    *times.CASES,
    *text.CASES,
]
