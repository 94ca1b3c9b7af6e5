# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What numba-cuda makes of values, loops, arrays, variables and calls, as
statements.json.

The answers are the peer's alone; null is an error. Run it in an environment
with `numba-cuda`.
"""

import json
import pathlib
from dataclasses import dataclass

#: Stands above every function.
HEADER = """\
import numpy as np
from numba import cuda
from numba.cuda import types

SIZE = 3
SCALE = 2.5
HALF = np.float32(0.5)
SHAPE = (2, 3)
TABLE = np.array([1, 2], np.int16)
WORDS = np.array([b"ab", b"c"])

@cuda.jit(device=True)
def same(value):
    return value

@cuda.jit(device=True)
def twice(value, other=None):
    if other is None:
        return value + value
    return value + other

@cuda.jit(device=True)
def root(value):
    if value > 0:
        return value ** 0.5

@cuda.jit(device=True)
def factorial(n):
    if n < 2:
        return 1
    return n * factorial(n - 1)

@cuda.jit("float32(float32)", device=True)
def declared(value):
    return value * 2
"""


@dataclass(frozen=True)
class Row:
    section: str
    what: str
    #: The body of a function of `x` and `y`.
    body: str
    #: The types of these, as cases have them.
    types: str = ""


def rows(section, *given):
    """Rows of one section: what, a body, and perhaps types."""
    return [Row(section, *row) for row in given]


VALUES = "Types of values"
LOOPS = "Types in loops"
ARRAYS = "Types of elements and views"
VARIABLES = "Types of variables"
CALLS = "Types of calls"

ROWS = [
    *rows(
        VALUES,
        ("an int", "return 1"),
        ("one of 64 bits", "return 9223372036854775808"),
        ("a float", "return 0.5"),
        ("a complex number", "return 2j"),
        ("`True`", "return True"),
        ("`None`", "return None"),
        ("a tuple", "return 1, 0.5"),
        ("a global int", "return SIZE"),
        ("a global float", "return SCALE"),
        ("a global NumPy scalar", "return HALF"),
        ("a global tuple", "return SHAPE"),
        ("an item of a global array", "return TABLE[0]"),
        ("`int8.bit_count()`", "return x.bit_count()", "int8"),
        ("`uint64.bit_count()`", "return x.bit_count()", "uint64"),
        ("`bool.bit_count()`", "return x.bit_count()", "bool"),
        ("a thread's index", "return cuda.threadIdx.x"),
        ("`cuda.grid(1)`", "return cuda.grid(1)"),
        ("`cuda.grid(2)`", "return cuda.grid(2)"),
        ("`cuda.gridsize(1)`", "return cuda.gridsize(1)"),
        (
            "an index made by hand",
            "return cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x",
        ),
        ("`cuda.laneid`", "return cuda.laneid"),
        ("the length of a string", 'return len("a" if c else "bc")'),
        ("the number of a character", 'return ord("a" if c else "b")'),
        ("an item of bytes", 'return b"ab"[x]'),
        ("a loop over bytes", 'for b in b"ab":\n    pass\nreturn b'),
        ("a byte of an array of text", "return WORDS[x][0]"),
        ("the length of text in an array", "return len(WORDS[x])"),
        ("a comparison of texts", 'return WORDS[x] < b"b"'),
    ),
    *rows(
        LOOPS,
        ("`range(int8)`", "for i in range(x):\n    pass\nreturn i", "int8"),
        ("`range(int32)`", "for i in range(x):\n    pass\nreturn i", "int32"),
        ("`range(int64)`", "for i in range(x):\n    pass\nreturn i", "int64"),
        ("`range(uint32)`", "for i in range(x):\n    pass\nreturn i", "uint32"),
        ("`range(uint64)`", "for i in range(x):\n    pass\nreturn i", "uint64"),
        ("`range` of a literal", "for i in range(8):\n    pass\nreturn i"),
        (
            "`range` from a literal",
            "for i in range(1, x):\n    pass\nreturn i",
            "int32",
        ),
        (
            "`range` of two types",
            "for i in range(x, y):\n    pass\nreturn i",
            "int32, uint32",
        ),
        ("`range(bool)`", "for i in range(x):\n    pass\nreturn i", "bool"),
        (
            "`range(float32)`",
            "for i in range(x):\n    pass\nreturn i",
            "float32",
        ),
        (
            "a sum from 0 of float32",
            "s = 0\nfor v in x:\n    s += v\nreturn s",
            "array(float32, 1, C)",
        ),
        (
            "a sum from 0.0 of float32",
            "s = 0.0\nfor v in x:\n    s += v\nreturn s",
            "array(float32, 1, C)",
        ),
        (
            "a sum from `np.float32(0)`",
            "s = np.float32(0)\nfor v in x:\n    s += v\nreturn s",
            "array(float32, 1, C)",
        ),
        (
            "a sum from 0 of int32",
            "s = 0\nfor v in x:\n    s += v\nreturn s",
            "array(int32, 1, C)",
        ),
        (
            "a sum from 0 of uint64",
            "s = 0\nfor v in x:\n    s += v\nreturn s",
            "array(uint64, 1, C)",
        ),
        (
            "`n = n // 2` of int32",
            "while x > 0:\n    x = x // 2\nreturn x",
            "int32",
        ),
        (
            "`n = n // 2` of uint64",
            "while x > 0:\n    x = x // 2\nreturn x",
            "uint64",
        ),
        (
            "`x = x * 0.5` of an int",
            "v = 1\nfor i in range(x):\n    v = v * 0.5\nreturn v",
            "int64",
        ),
        (
            "`enumerate`",
            "for i, v in enumerate(x):\n    return i, v\nreturn 0, x[0]",
            "array(float32, 1, C)",
        ),
        (
            "`zip`",
            "for v, w in zip(x, y):\n    return v, w\nreturn x[0], y[0]",
            "array(float32, 1, C), array(int8, 1, C)",
        ),
    ),
    *rows(
        LOOPS,
        ("`len(range(int64))`", "return len(range(x))", "int64"),
        ("`len(range(int32))`", "return len(range(x))", "int32"),
        ("`len(range(uint64))`", "return len(range(x))", "uint64"),
        ("`range(int32).start`", "return range(x).start", "int32"),
        ("`range(uint8).stop`", "return range(x).stop", "uint8"),
        ("`range(1, int32).step`", "return range(1, x).step", "int32"),
        ("`int64 in range`", "return x in range(x)", "int64"),
        ("`float64 in range`", "return x in range(y)", "float64, int32"),
        ("`min(range(int32))`", "return min(range(x))", "int32"),
        ("`max(range(uint64))`", "return max(range(1, x))", "uint64"),
        ("`sum(range(int32))`", "return sum(range(x))", "int32"),
        ("`sum(range, float64)`", "return sum(range(x), 1.5)", "int32"),
        ("a range taken apart", "a, b = range(x)\nreturn a", "int32"),
        (
            "`next` of an array",
            "return next(iter(x))",
            "array(float32, 1, C)",
        ),
        ("`next` of a range", "return next(iter(range(x)))", "int32"),
        ("`next` of a range itself", "return next(range(x))", "int32"),
        ("`next` of a tuple", "return next(iter((x, x)))", "int8"),
        (
            "`next` of `zip`",
            "return next(zip(x, y))",
            "array(float32, 1, C), array(int8, 1, C)",
        ),
        (
            "`next` of `enumerate`",
            "return next(enumerate(x, y))",
            "array(float32, 1, C), int32",
        ),
        ("`index` of a tuple", "return (x, x).index(y)", "int32, float64"),
        ("`slice.start`", "return slice(1, x).start", "int32"),
        ("`slice.stop`", "return slice(x).stop", "int32"),
        ("`slice.step`", "return slice(x).step", "int32"),
        ("`slice.indices`", "return slice(1, x).indices(y)", "int32, int8"),
        ("`tuple` of a tuple", "return tuple((x, y))", "int8, float32"),
        ("`tuple` of an array", "return tuple(x)", "array(float32, 1, C)"),
    ),
    *rows(
        ARRAYS,
        ("`in` of an array", "return y in x", "array(float32, 1, C), int8"),
        ("`in` of two dimensions", "return y in x", "array(int8, 2, C), bool"),
        ("`len` of `flat`", "return len(x.T.flat)", "array(float32, 2, C)"),
        ("`is` of arrays", "return x is x", "array(float32, 1, C)"),
        (
            "`is` of two types of arrays",
            "return x is y",
            "array(float32, 1, C), array(int8, 1, C)",
        ),
        (
            "`==` of dtypes",
            "return x.dtype == y.dtype",
            "array(float32, 1, C), array(int8, 1, C)",
        ),
        (
            "`is` of dtypes",
            "return x.dtype is y.dtype",
            "array(float32, 1, C), array(int8, 1, C)",
        ),
        (
            "`is` of a dtype and a class",
            "return x.dtype is np.float32",
            "array(float32, 1, C)",
        ),
        ("`is` of classes", "return type(x) is type(y)", "int8, float32"),
        (
            "`np.finfo(dtype).eps`",
            "return np.finfo(x.dtype).eps",
            "array(float32, 1, C)",
        ),
        (
            "`np.finfo` of complex numbers",
            "return np.finfo(x.dtype).max",
            "array(complex64, 1, C)",
        ),
        ("`np.finfo(...).bits`", "return np.finfo(x).bits", "float32"),
        (
            "`np.iinfo(dtype).max`",
            "return np.iinfo(x.dtype).max",
            "array(uint8, 1, C)",
        ),
        ("`ctypes.data`", "return x.ctypes.data", "array(float32, 1, C)"),
        ("an element", "return x[0]", "array(float16, 1, C)"),
        ("a row", "return (x[0], 1)", "array(float32, 2, C)"),
        ("a row of layout F", "return (x[0], 1)", "array(float32, 2, F)"),
        ("a column", "return (x[:, 0], 1)", "array(float32, 2, C)"),
        ("a column of layout F", "return (x[:, 0], 1)", "array(float32, 2, F)"),
        ("a slice", "return (x[1:], 1)", "array(float32, 1, C)"),
        ("a slice with a step", "return (x[::2], 1)", "array(float32, 1, C)"),
        ("a new axis", "return (x[None], 1)", "array(float32, 1, C)"),
        ("`.T`", "return (x.T, 1)", "array(float32, 2, C)"),
        ("`.shape`", "return x.shape", "array(float32, 2, C)"),
        ("`.size`", "return x.size", "array(float32, 2, C)"),
        ("`.ndim`", "return x.ndim", "array(float32, 2, C)"),
        ("`len`", "return len(x)", "array(float32, 2, C)"),
        ("too many indices", "return x[0, 0]", "array(float32, 1, C)"),
        ("a float as an index", "return x[0.5]", "array(float32, 1, C)"),
        (
            "a bool as an index",
            "return x[y]",
            "array(float32, 1, C), bool",
        ),
        (
            "an item of a local array",
            "a = cuda.local.array(4, np.uint8)\nreturn a[0]",
        ),
        (
            "an item of a shared array",
            "a = cuda.shared.array((2, 2), types.float32)\nreturn a[0, 0]",
        ),
    ),
    *rows(
        VARIABLES,
        *(
            (
                f"{a} or {b}",
                "if c:\n    v = x\nelse:\n    v = y\nreturn v",
                f"{a}, {b}",
            )
            for a, b in (
                ("int32", "int64"),
                ("int32", "uint32"),
                ("int64", "uint64"),
                ("int32", "float32"),
                ("int8", "float32"),
                ("bool", "int32"),
                ("float32", "float64"),
                ("float64", "complex64"),
                ("none", "int32"),
                ("tuple(int32, int32)", "tuple(int64, int64)"),
                ("tuple(int32, int32)", "tuple(int64, int64, int64)"),
            )
        ),
        (
            "arrays of two layouts",
            "if c:\n    v = x\nelse:\n    v = y\nreturn v[0]",
            "array(float32, 1, C), array(float32, 1, A)",
        ),
        (
            "arrays of two types",
            "if c:\n    v = x\nelse:\n    v = y\nreturn v[0]",
            "array(float32, 1, C), array(float64, 1, C)",
        ),
        (
            "a literal or a float32",
            "if c:\n    v = 1\nelse:\n    v = x\nreturn v",
            "float32",
        ),
        (
            "assigned once more",
            "v = 1\nv = 0.5\nv = x\nreturn v",
            "float32",
        ),
        (
            "assigned on one path",
            "if c:\n    v = x\nreturn v",
            "float32",
        ),
        (
            "a branch that a None prunes",
            "if x is None:\n    v = 1\nelse:\n    v = (x, 1)\nreturn v",
            "none",
        ),
    ),
    *rows(
        CALLS,
        ("a function of its argument", "return same(x)", "float32"),
        ("of a literal", "return same(1)"),
        ("with a default", "return twice(x)", "int8"),
        ("with all arguments", "return twice(x, y)", "int8, float32"),
        ("that returns on some paths", "return root(x)", "float32"),
        ("that calls itself", "return factorial(x)", "int32"),
        ("with declared types", "return declared(x)", "float64"),
        ("a lambda", "return (lambda v: v * 2)(x)", "float32"),
    ),
]


def source(row):
    """A function of `x`, `y` and `c` with the body of a row."""
    body = row.body.replace("\n", "\n    ")
    return f"{HEADER}\ndef f(x, y, c):\n    {body}\n"


def arguments(row):
    """The types of `x`, `y` and `c`; what a body does not use is an int32."""
    depth, given = 0, [""]
    for character in row.types:
        depth += (character == "(") - (character == ")")
        if character == "," and depth == 0:
            given.append("")
        else:
            given[-1] += character
    given = [kind.strip() for kind in given if kind]
    return [*given, "int32", "int32"][:2] + ["bool"]


def main():
    """Ask and write."""
    import peer

    lines = []
    for row in ROWS:
        found = peer.infer_source(source(row), arguments(row))[0]
        key = f"{row.section}: {row.what}"
        lines.append(f"{json.dumps(key)}: {json.dumps(found)}")
    file = pathlib.Path(__file__).with_suffix(".json")
    file.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
