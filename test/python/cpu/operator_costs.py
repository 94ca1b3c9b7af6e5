# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A table of operators and intrinsics, and what each costs on the CPU.

Of each, by types, a kernel of one line is compiled as vectors and as threads,
for a level of processors, and the instructions for one element are counted in
the hottest loop of both (`support/machine_code.py`). No kernel is run.

    python test/python/cpu/operator_costs.py [LEVEL [PART-OF-A-NAME]]

prints the table, the slowest first.
"""

import linecache
import math
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np

from pyk import _core, _options, cuda
from pyk.cuda import libdevice

# Run as a program, it has only its own folder.
sys.path.append(str(Path(__file__).parents[1]))

from support import machine_code

#: Levels of processors that have vectors.
LEVELS = ("x86-64-v3", "x86-64-v4")

#: Instructions of vectors for one of threads, at most.
MOST = 1.3

BF16 = ml_dtypes.bfloat16
HALF, SINGLE, DOUBLE = np.float16, np.float32, np.float64
FLOATS = (SINGLE, DOUBLE)
ALL_FLOATS = (HALF, SINGLE, DOUBLE)
SHORT_FLOATS = (HALF, BF16)
LONGS = (np.int32, np.int64)
WHOLE = (np.int32, np.uint32, np.int64, np.uint64)
SMALL = (np.int8, np.uint8, np.int16, np.uint16)
INTEGERS = (*SMALL, *WHOLE)
BOOL = np.bool_
SAME = None


@dataclass(frozen=True)
class Row:
    """An expression of `v` and `w`, elements of arrays, and `m`, an argument,
    which are of one type; and the type of the array that it is stored to."""

    expression: str
    types: tuple[Any, ...]
    stored: Any = SAME


#: `T` is the type of the elements.
ROWS = [
    # Arithmetic.
    *(Row(f"v {op} w", (*ALL_FLOATS, BF16)) for op in "+-*/"),
    *(Row(f"v {op} w", INTEGERS) for op in "+-*"),
    Row("v / w", LONGS, DOUBLE),
    Row("v * w + v", (*ALL_FLOATS, BF16)),
    Row("v * T(2) + T(1)", ALL_FLOATS),
    Row("-v", (*ALL_FLOATS, *WHOLE)),
    Row("abs(v)", (*ALL_FLOATS, *LONGS)),
    # Division.
    Row("v // w", (*ALL_FLOATS, *INTEGERS)),
    Row("v % w", (*ALL_FLOATS, *INTEGERS)),
    Row("v // m", FLOATS),
    Row("v % m", FLOATS),
    # Above 0, or threads have a loop of their own for 0.
    Row("v // T((m & T(63)) + T(1))", WHOLE),
    Row("v % T((m & T(63)) + T(1))", WHOLE),
    Row("v // T(7)", (*FLOATS, *INTEGERS)),
    Row("v % T(7)", (*FLOATS, *INTEGERS)),
    Row("v // 7", LONGS),
    Row("v % 7", LONGS),
    Row("v // T(-7)", LONGS),
    Row("v % T(-7)", LONGS),
    Row("v // T(8)", LONGS),
    Row("v % T(8)", LONGS),
    Row("i // 7", (np.int64,)),
    Row("i % 7", (np.int64,)),
    Row("i // ((m & 63) + 1)", (np.int64,)),
    Row("i % ((m & 63) + 1)", (np.int64,)),
    Row("divmod(v, T(7))[0] + divmod(v, T(7))[1]", (*FLOATS, *LONGS)),
    Row("divmod(v, w)[0] + divmod(v, w)[1]", (*FLOATS, *LONGS)),
    # Bits.
    *(Row(f"v {op} w", WHOLE) for op in ("&", "|", "^")),
    *(Row(f"v {op} w", WHOLE) for op in ("<<", ">>")),
    *(Row(f"v {op} T(3)", WHOLE) for op in ("<<", ">>")),
    Row("~v", WHOLE),
    Row("v ** 2", (*FLOATS, *LONGS)),
    # Comparisons and choices.
    *(
        Row(f"v {op} w", (*ALL_FLOATS, np.int32, np.uint64), BOOL)
        for op in ("<", "==", "!=")
    ),
    Row("v if v > w else w", (*ALL_FLOATS, *LONGS)),
    Row("v != v", FLOATS, BOOL),
    Row("not v", (*FLOATS, np.int32), BOOL),
    # Extremes.
    *(
        Row(f"{name}(v, w)", (*ALL_FLOATS, BF16, *INTEGERS))
        for name in ("max", "min")
    ),
    Row("max(v, T(1))", FLOATS),
    Row("min(max(v, T(0)), T(1))", (*ALL_FLOATS, *LONGS)),
    Row("max(v, w, v * w)", FLOATS),
    *(
        Row(f"np.{name}(v, w)", FLOATS)
        for name in ("fmax", "fmin", "maximum", "minimum")
    ),
    # Classes.
    *(
        Row(f"math.{name}(v)", (*FLOATS, HALF), BOOL)
        for name in ("isnan", "isinf", "isfinite")
    ),
    *(
        Row(f"np.{name}(v)", (SINGLE,), BOOL)
        for name in ("isnan", "isinf", "isfinite", "signbit")
    ),
    Row("T(0) if math.isnan(v) else v", FLOATS),
    # Rounding and conversions.
    Row("round(v)", FLOATS, np.int64),
    Row("round(v)", FLOATS),
    *(Row(f"math.{name}(v)", FLOATS) for name in ("floor", "ceil", "trunc")),
    *(Row(f"np.{name}(v)", ALL_FLOATS) for name in ("rint", "floor", "ceil")),
    Row("np.trunc(v)", FLOATS),
    Row("int(v)", ALL_FLOATS, np.int64),
    Row("int(v)", FLOATS),
    *(Row("v", ALL_FLOATS, into) for into in INTEGERS),
    *(Row("v", (*WHOLE, np.int8, np.uint8), into) for into in FLOATS),
    Row("v", (np.int32, np.int8, DOUBLE, SINGLE), HALF),
    Row("v", (np.int32, DOUBLE, SINGLE, HALF), BF16),
    Row("v", (HALF, BF16), SINGLE),
    Row("v", (HALF, BF16), DOUBLE),
    Row("v", (DOUBLE,), SINGLE),
    # Signs make no difference.
    *(Row("v", LONGS, into) for into in (np.int8, np.int16)),
    Row("v", (np.int64,), np.int32),
    # Functions.
    *(
        Row(f"math.{name}(v)", FLOATS)
        for name in (
            *("sqrt", "exp", "expm1", "log", "log2", "log10", "log1p"),
            *("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh"),
            *("tanh", "asinh", "acosh", "atanh", "erf", "erfc", "fabs"),
            *("degrees", "radians"),
        )
    ),
    *(
        Row(f"math.{name}(v, w)", FLOATS)
        for name in (
            *("fmod", "remainder", "pow", "atan2", "hypot", "copysign"),
            "nextafter",
        )
    ),
    Row("math.ldexp(v, 3)", FLOATS),
    *(Row(f"np.{name}(v)", (HALF,)) for name in ("sqrt", "exp", "sin")),
    Row("math.modf(v)[0]", FLOATS),
    *(Row(f"cuda.{name}(v)", FLOATS) for name in ("cbrt",)),
    Row("cuda.fma(v, w, v)", FLOATS),
    *(Row(f"cuda.{name}(v)", LONGS) for name in ("popc", "brev", "clz")),
    Row("cuda.ffs(v)", LONGS),
    Row("cuda.selp(v > w, v, w)", (*FLOATS, *LONGS)),
    *(
        Row(f"libdevice.{name}(v)", (DOUBLE,))
        for name in ("exp10", "exp2", "rsqrt", "cbrt")
    ),
]

TEMPLATE = """\
@cuda.jit
def k(a, b, o, m):
    i = cuda.grid(1)
    if i < o.size:
        v = a[i]
        w = b[i]
        o[i] = {}
"""


@dataclass(frozen=True)
class Case:
    expression: str
    type: Any
    stored: Any

    @property
    def type_names(self) -> str:
        name, into = (str(np.dtype(t).name) for t in (self.type, self.stored))
        return name if self.stored == self.type else f"{name} as {into}"

    @property
    def name(self) -> str:
        return f"{self.expression} of {self.type_names}"


def cases() -> Iterator[Case]:
    for row in ROWS:
        for type in row.types:
            yield Case(row.expression, type, row.stored or type)


class _Given(Exception):
    """What `_core.compile` was given."""


def make_kernel(case: Case) -> Any:
    """The kernel of a case."""
    text = TEMPLATE.format(case.expression)
    name = f"<{case.name}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    scope = {
        "cuda": cuda,
        "libdevice": libdevice,
        "math": math,
        "np": np,
        "T": case.type,
    }
    exec(compile(text, name, "exec"), scope)
    return scope["k"]


def _inputs(case: Case) -> dict[str, Any]:
    """What the first launch of a case's kernel compiles."""
    kernel = make_kernel(case)
    a, o = np.zeros(4096, case.type), np.zeros(4096, case.stored)
    real, given = _core.compile, {}

    def listen(**inputs: Any) -> Any:
        given.update(inputs)
        raise _Given

    _core.compile = listen
    try:
        kernel[16, 256](a, a.copy(), o, case.type(3))
    except _Given:
        pass
    finally:
        _core.compile = real
    assert given, case
    return given


@dataclass
class Cost:
    """Instructions for one element, and how many calls of them there are."""

    instructions: float
    calls: float
    has_inner: bool


def costs(chosen: list[Case], level: str) -> dict[Case, dict[str, Cost]]:
    """What each case costs as `vectors` and as `threads`."""
    codes: dict[str, bytes] = {}
    with _options_of_the_table():
        for number, case in enumerate(chosen):
            inputs = _inputs(case)
            options = inputs["options"] | {"cpu-level": level}
            for way, changed in (
                ("vectors", {"cpu": "simd"}),
                ("threads", {"cpu": "reference"}),
            ):
                inputs["options"] = options | changed
                artifact = _core.compile(**inputs).artifact
                codes[f"{number}.{way}"] = machine_code.code_of(artifact)
    found: dict[Case, dict[str, Cost]] = {}
    for name, code in machine_code.disassemble(codes).items():
        place, way = name.split(".")
        case = chosen[int(place)]
        loop = machine_code.hottest_loop(code, way == "vectors")
        assert loop is not None, f"{case.name}: nothing stores as {way}"
        elements = loop.stored / np.dtype(case.stored).itemsize
        found.setdefault(case, {})[way] = Cost(
            loop.cost() / elements, loop.calls() / elements, loop.has_inner
        )
    return found


class _options_of_the_table:
    """Kernels as launches of a program have them by default."""

    def __enter__(self) -> None:
        self.old = vars(_options.options).copy()
        vars(_options.options).update(
            cpu="auto", assume=None, bounds="memory", typing="numba"
        )

    def __exit__(self, *_: object) -> None:
        vars(_options.options).update(self.old)


def complaint(found: dict[str, Cost]) -> str | None:
    """What is wrong with a case as vectors."""
    vectors, threads = found["vectors"], found["threads"]
    if vectors.calls:
        return f"{vectors.calls:.2f} calls for an element"
    if vectors.has_inner:
        return "a loop over lanes"
    ratio = vectors.instructions / threads.instructions
    if ratio > MOST:
        return f"{ratio:.2f} times the instructions of threads"
    return None


def main() -> None:
    _options.options.target = "cpu"
    level = sys.argv[1] if len(sys.argv) > 1 else LEVELS[-1]
    part = sys.argv[2] if len(sys.argv) > 2 else ""
    chosen = [case for case in cases() if part in case.name]
    found = costs(chosen, level)

    def ratio(case: Case) -> float:
        ways = found[case]
        return ways["vectors"].instructions / ways["threads"].instructions

    for case in sorted(found, key=ratio, reverse=True):
        vectors, threads = found[case]["vectors"], found[case]["threads"]
        print(
            f"{case.name:48} {vectors.instructions:8.2f}"
            f" {threads.instructions:8.2f} {ratio(case):6.2f}"
            f"  {complaint(found[case]) or ''}"
        )


if __name__ == "__main__":
    main()
