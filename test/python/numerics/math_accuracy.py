# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How far the CPU's math functions are from the true results.

As a program it prints the page of what was measured,
python-dialect-docs/reference/math-accuracy.md: float32 functions of one
argument with all arguments, which takes some minutes, all others with a
million.
"""

import cmath
import functools
import linecache
import sys
from collections.abc import Callable, Iterator

import mpmath
import numpy as np

from pyk import _options, cuda
from pyk.cuda._dispatcher import Dispatcher

#: Intervals of arguments of float32 and float64, by function; numbers with any
#: bits, and special ones, come in addition.
INTERVALS = {
    "acos": [(-1, 1)],
    "acosh": [(1, 2), (1, 1e6)],
    "asin": [(-1, 1)],
    "asinh": [(-1, 1), (-1e6, 1e6)],
    "atan": [(-3, 3), (-1e3, 1e3)],
    "atanh": [(-1, 1)],
    "cbrt": [(-8, 8)],
    "cos": [(-4, 4), (-3e5, 3e5)],
    "cosh": [(-2, 2), (-90, 90), (-712, 712)],
    "erf": [(-1.2, 1.2), (-6, 6)],
    "erfc": [(-1.2, 1.2), (-6, 28)],
    "exp": [(-1, 1), (-104, 89), (-750, 720)],
    "exp10": [(-0.5, 0.5), (-46, 39), (-325, 310)],
    "exp2": [(-1, 1), (-150, 129), (-1076, 1025)],
    "expm1": [(-1, 1), (-20, 90), (-40, 711)],
    "log": [(0.5, 2), (0, 1e3)],
    "log10": [(0.5, 2), (0, 1e3)],
    "log1p": [(-1, 1), (-1, 1e9)],
    "log2": [(0.5, 2), (0, 1e3)],
    "rsqrt": [(0, 10)],
    "sin": [(-4, 4), (-3e5, 3e5)],
    "sinh": [(-2, 2), (-90, 90), (-712, 712)],
    "tan": [(-4, 4), (-3e5, 3e5)],
    "tanh": [(-1, 1), (-12, 12), (-25, 25)],
}
BINARY = ["atan2", "hypot", "pow"]

#: Functions of cmath.
COMPLEX = [
    *("acos", "acosh", "asin", "asinh", "atan", "atanh", "cos", "cosh", "exp"),
    *("log", "log10", "sin", "sinh", "sqrt", "tan", "tanh"),
]

#: The same for functions that NumPy lacks: mpmath computes their true results.
RARE_INTERVALS = {
    "cospi": [(-1, 1), (-1e3, 1e3)],
    "erfcinv": [(0, 2), (0, 1e-9)],
    "erfcx": [(-5, 3), (3, 1e4)],
    "erfinv": [(-1, 1), (-1e-3, 1e-3)],
    "j0": [(-8, 8), (8, 60), (1e9, 1e15)],
    "j1": [(-8, 8), (8, 60), (1e9, 1e15)],
    "lgamma": [(0, 5), (5, 300), (-20, 0), (-200, -20)],
    "normcdf": [(-1, 1), (-30, 8)],
    "normcdfinv": [(0, 1), (0, 1e-9)],
    "rcbrt": [(-8, 8), (-1e9, 1e9)],
    "sinpi": [(-1, 1), (-1e3, 1e3)],
    "tgamma": [(0, 30), (-20, 0), (-183, -20)],
    "y0": [(0, 8), (8, 60), (1e9, 1e15)],
    "y1": [(0, 8), (8, 60), (1e9, 1e15)],
}
#: Those of float32 are computed in float64 or longer floats, and rounded,
#: except these, of which all arguments are tried.
RARE_IN_FLOAT32 = ["cospi", "sinpi"]
#: Largest errors, of float32 and float64.
RARE_LIMITS = {
    "cospi": (1.01, 1),
    "erfcinv": (0.6, 2),
    "erfcx": (0.75, 2),
    "erfinv": (0.6, 2),
    "j0": (0.51, 4),
    "j1": (0.51, 4),
    "lgamma": (0.51, 2),
    "normcdf": (0.6, 2),
    "normcdfinv": (0.6, 2),
    "rcbrt": (0.51, 0.51),
    "sinpi": (1.01, 1),
    "tgamma": (0.51, 2),
    "y0": (0.51, 4),
    "y1": (0.51, 6),
}
#: Each takes up to a millisecond of mpmath.
RARE_COUNT = 10_000
COMPLEX_COUNT = 2000
SPECIAL = [
    0.0,
    5e-324,
    1e-323,
    1.5e-323,
    1.4e-45,
    2.8e-45,
    4.2e-45,
    1e-310,
    1e-40,
    1e-20,
    0.5,
    1,
    2,
    3,
    1e30,
    1e300,
    np.inf,
]

#: NumPy's functions, of float64 and longer floats.
ORACLES: dict[str, Callable] = {
    "acos": np.arccos,
    "acosh": np.arccosh,
    "asin": np.arcsin,
    "asinh": np.arcsinh,
    "atan": np.arctan,
    "atan2": np.arctan2,
    "atanh": np.arctanh,
    "cbrt": np.cbrt,
    "cos": np.cos,
    "cosh": np.cosh,
    "exp": np.exp,
    "exp10": lambda x: np.power(x.dtype.type(10), x),
    "exp2": np.exp2,
    "expm1": np.expm1,
    "hypot": np.hypot,
    "log": np.log,
    "log10": np.log10,
    "log1p": np.log1p,
    "log2": np.log2,
    "pow": np.power,
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "sin": np.sin,
    "sinh": np.sinh,
    "tan": np.tan,
    "tanh": np.tanh,
}


@functools.lru_cache(maxsize=256)
def define(name: str, text: str) -> Dispatcher:
    """The kernel `k` of a text, which has the name to itself. Whoever asks for
    it again gets the same one, compiled once for each signature.
    """
    scope = {
        "cmath": cmath,
        "cuda": cuda,
        "float32": np.float32,
        "float64": np.float64,
        "int64": np.int64,
        "INFINITE": np.inf,
    }
    file = f"<{name} of math_accuracy>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    exec(compile(text, file, "exec"), scope)
    return scope["k"]


def symbol(function: str, dtype: type) -> str:
    return function + ("f" if dtype == np.float32 else "")


def call(function: str, way: str, *arguments: np.ndarray) -> np.ndarray:
    """What a kernel computes of `arguments`."""
    names = ", ".join("ab"[: len(arguments)])
    items = ", ".join(f"{name}[i]" for name in "ab"[: len(arguments)])
    name = symbol(function, arguments[0].dtype.type)
    kernel = define(
        f"{name} {way}",
        "@cuda.jit\n"
        f"def k(result, {names}):\n"
        "    i = cuda.grid(1)\n"
        "    if i < result.size:\n"
        f"        result[i] = cuda.libdevice.{name}({items})\n",
    )
    result = np.empty_like(arguments[0])
    old, _options.options.cpu = _options.options.cpu, way
    try:
        kernel[(result.size + 255) // 256, 256](result, *arguments)
    finally:
        _options.options.cpu = old
    return result


def samples(
    function: str, dtype: type, count: int
) -> Iterator[tuple[np.ndarray, ...]]:
    """Arguments of `function`, about `count` of each kind."""
    random = np.random.default_rng(20261124)

    def of_any_bits() -> np.ndarray:
        words = np.uint32 if dtype == np.float32 else np.uint64
        top = np.iinfo(words).max
        return random.integers(0, top, count, words, True).view(dtype)

    def between(low: float, high: float) -> np.ndarray:
        return random.uniform(low, high, count).astype(dtype)

    special = np.array(SPECIAL, np.float64)
    with np.errstate(all="ignore"):
        numbers = np.concatenate([special, -special, [np.nan]]).astype(dtype)
    if function in BINARY:
        yield of_any_bits(), of_any_bits()
        yield between(0, 4), between(-30, 30)
        yield between(-10, 10), np.rint(between(-20, 20))
        yield between(0.99, 1.01), between(-3000, 3000)
        pairs = np.meshgrid(numbers, numbers)
        yield pairs[0].ravel().copy(), pairs[1].ravel().copy()
        return
    yield (of_any_bits(),)
    for interval in (INTERVALS | RARE_INTERVALS)[function]:
        yield (between(*interval),)
    yield (numbers,)


def errors(
    found: np.ndarray, expected: np.ndarray, least: np.ndarray | float = 0
) -> np.ndarray:
    """Distances in units in the last place of the rounded `expected`, which has
    more bits, or of `least` where that is larger; infinite where a special
    value or a sign is another."""
    with np.errstate(all="ignore"):
        rounded = expected.astype(found.dtype)
        size = np.maximum(np.abs(rounded), least).astype(found.dtype)
        unit = np.spacing(size).astype(expected.dtype)
        distance = np.abs(found.astype(expected.dtype) - expected) / unit
        same = (found == rounded) | (np.isnan(found) & np.isnan(rounded))
        known = np.where(np.isfinite(distance), distance, 0)
        result = np.where(same, np.minimum(known, 0.5), distance)
        result[np.isnan(result)] = np.inf
        result[np.isnan(found) != np.isnan(rounded)] = np.inf
        signs = np.signbit(found) != np.signbit(rounded)
        result[signs & ~np.isnan(found)] = np.inf
    return result


def to_long(number: mpmath.mpf) -> np.longdouble:
    high = float(number)
    return np.longdouble(high) + np.longdouble(float(number - high))


def erfcinv(y: mpmath.mpf) -> mpmath.mpf:
    """What erfc is `y` of, by Newton's method."""
    if y > 0.1:
        return mpmath.erfinv(1 - y)
    x = mpmath.sqrt(-mpmath.log(y))
    for _ in range(60):
        slope = 2 / mpmath.sqrt(mpmath.pi) * mpmath.exp(-x * x)
        step = (mpmath.erfc(x) - y) / slope
        x += step
        if abs(step) < 1e-30 * abs(x):
            break
    return x


#: With as many digits as one likes.
RARE_ORACLES: dict[str, Callable] = {
    "cospi": mpmath.cospi,
    "erfcinv": erfcinv,
    "erfcx": lambda x: mpmath.exp(x * x) * mpmath.erfc(x),
    "erfinv": mpmath.erfinv,
    "j0": lambda x: mpmath.besselj(0, x),
    "j1": lambda x: mpmath.besselj(1, x),
    "lgamma": lambda x: mpmath.log(abs(mpmath.gamma(x))),
    "normcdf": lambda x: mpmath.erfc(-x / mpmath.sqrt(2)) / 2,
    "normcdfinv": lambda p: -mpmath.sqrt(2) * erfcinv(2 * p),
    "rcbrt": lambda x: mpmath.sign(x) / mpmath.cbrt(abs(x)),
    "sinpi": mpmath.sinpi,
    "tgamma": mpmath.gamma,
    "y0": lambda x: mpmath.bessely(0, x),
    "y1": lambda x: mpmath.bessely(1, x),
}


def least_size(function: str, x: np.ndarray) -> np.ndarray | float:
    """The size near the zeros of a function, where errors are absolute."""
    if function == "lgamma":
        return np.where(x < -2, 1.0, 0.0)
    if function in ("j0", "j1", "y0", "y1"):
        amplitude = np.sqrt(2 / (np.pi * np.abs(x)))
        return np.where(np.abs(x) > 4.75, amplitude, 0.0)
    return 0


def worst_of_rare(function: str, dtype: type, count: int) -> float:
    """The largest error of a function of RARE_INTERVALS."""
    random = np.random.default_rng(20261126)
    mpmath.mp.prec = 160
    oracle, most = RARE_ORACLES[function], 0.0
    for low, high in RARE_INTERVALS[function]:
        x = random.uniform(low, high, count).astype(dtype)
        if function in ("lgamma", "tgamma"):
            # mpmath raises an error at poles.
            x = x[(x > 0) | (x != np.rint(x))]
        expected = [to_long(oracle(mpmath.mpf(float(value)))) for value in x]
        wide = np.array(expected)
        if function == "sinpi":
            # Zeros have the sign of the argument.
            wide[wide == 0] = np.copysign(0, x[wide == 0])
        found = call(function, "auto", x)
        most = max(most, errors(found, wide, least_size(function, x)).max())
    return most


def expect(function: str, *arguments: np.ndarray) -> np.ndarray:
    """Results with more bits than those of the arguments' type."""
    if oracle := ORACLES.get(function):
        narrow = arguments[0].dtype == np.float32
        dtype = np.float64 if narrow else np.longdouble
        with np.errstate(all="ignore"):
            return oracle(*[argument.astype(dtype) for argument in arguments])
    with np.errstate(invalid="ignore"):
        wide = arguments[0].astype(np.longdouble)
    limits = {"erf": lambda v: np.sign(v), "erfc": lambda v: 1 - np.sign(v)}
    mpmath.mp.prec = 160
    function_of = getattr(mpmath, function)
    result = [
        to_long(function_of(mpmath.mpf(float(v))))
        if abs(v) < 28 and v != 0
        else v
        if v == 0 and function == "erf"
        else limits[function](v)
        for v in wide
    ]
    return np.array(result, np.longdouble)


def worst(
    function: str, dtype: type, count: int, way: str = "auto"
) -> tuple[float, tuple[float, ...]]:
    """The largest error, and the arguments of it."""
    most, place = -1.0, ()
    for arguments in samples(function, dtype, count):
        found = call(function, way, *arguments)
        distances = errors(found, expect(function, *arguments))
        at = int(distances.argmax())
        if distances[at] > most:
            most = float(distances[at])
            place = tuple(float(argument[at]) for argument in arguments)
    return most, place


OF_ALL = """\
@cuda.jit
def k(worst, start, count):
    i = cuda.grid(1)
    most = 0.0
    for j in range(count):
        bits = start + i + j * cuda.gridsize(1)
        x = cuda.libdevice.int_as_float(bits)
        found = cuda.libdevice.{function}f(x)
        wide = cuda.libdevice.{function}(float64(x))
        rounded = float32(wide)
        expected = cuda.libdevice.float_as_int(rounded)
        exponent = max((expected >> 23) & 255, 1)
        error = abs(float64(found) - wide) * cuda.libdevice.longlong_as_double(
            int64(150 + 1023 - exponent) << 52
        )
        if found == rounded or (found != found and rounded != rounded):
            error = 0.0 if exponent == 255 else min(error, 0.5)
        elif exponent == 255 or found != found:
            error = INFINITE
        if found == found and (
            (cuda.libdevice.float_as_int(found) < 0) != (expected < 0)
        ):
            error = INFINITE
        most = max(most, error)
    worst[i] = most
"""


def worst_of_all(function: str) -> float:
    """The largest error of the function of float32, with all arguments, against
    that of float64."""
    kernel = define(f"all {function}", OF_ALL.format(function=function))
    count, blocks = 64, 256
    size = blocks * 256
    worst, most = np.empty(size), 0.0
    for start in range(-(2**31), 2**31, size * count):
        kernel[blocks, 256](worst, np.int32(start), count)
        most = max(most, float(worst.max()))
    return most


def complex_samples(count: int) -> Iterator[np.ndarray]:
    """Arguments of functions of complex numbers, `count` of each kind."""
    random = np.random.default_rng(20261127)

    def pairs(most: float, base: float = 0) -> np.ndarray:
        parts = random.uniform(-most, most, (2, count))
        if base:
            parts = base**parts * random.choice([-1, 1], (2, count))
        return parts[0] + 1j * parts[1]

    for most in 1, 4, 30:
        yield pairs(most)
    # Of all sizes that no function takes out of range.
    yield pairs(1.8, base=10.0)
    # Lengths near 1, and angles of which the parts are as long.
    length = 1 + random.uniform(-1e-3, 1e-3, count)
    yield length * np.exp(1j * random.uniform(-np.pi, np.pi, count))
    yield (1 + 1j + 1e-3 * pairs(1)) / np.sqrt(2)
    # Near the zeros and poles of what repeats.
    turns = random.integers(-8, 9, count) * np.pi / 2
    yield turns + 1e-3 * pairs(1)


def complex_errors(
    function: str, numbers: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """By how many units in the last place the results are off: those of the
    lengths of the true results, and those of each part, the larger."""
    kernel = define(
        f"cmath {function} of {numbers.dtype}",
        "@cuda.jit\n"
        "def k(result, a):\n"
        "    i = cuda.grid(1)\n"
        "    if i < result.size:\n"
        f"        result[i] = cmath.{function}(a[i])\n",
    )
    found = np.empty_like(numbers)
    kernel[(found.size + 127) // 128, 128](found, numbers)
    mpmath.mp.prec = 240
    oracle = COMPLEX_ORACLES.get(function) or getattr(mpmath, function)
    part = found.real.dtype.type
    off = np.empty((2, found.size))

    def unit(number: mpmath.mpf) -> mpmath.mpf:
        return mpmath.mpf(float(np.spacing(part(float(abs(number))))))

    for i, number in enumerate(numbers):
        true = mpmath.mpc(oracle(mpmath.mpc(complex(number))))
        gap = mpmath.mpc(complex(found[i])) - true
        off[0, i] = abs(gap) / unit(abs(true))
        off[1, i] = max(
            abs(gap.real) / unit(true.real), abs(gap.imag) / unit(true.imag)
        )
    return off[0], off[1]


#: Those that mpmath has under no name of one argument.
COMPLEX_ORACLES: dict[str, Callable] = {
    "log10": lambda z: mpmath.log(z) / mpmath.log(10),
}


def worst_of_complex(
    function: str, dtype: type, count: int
) -> tuple[float, float]:
    """The largest errors, of lengths and of parts."""
    found = [
        complex_errors(function, numbers.astype(dtype))
        for numbers in complex_samples(count)
    ]
    whole, parts = np.concatenate(found, axis=1)
    return float(whole.max()), float(parts.max())


def print_page() -> None:
    print(
        """\
# Accuracy of math functions

Functions that have a [formula](../rationale/math.md), on the CPU and in PTX
without libdevice: the largest distance from the true result that was found, in
units in the last place. float32 functions of one argument with all 2^32
arguments, against float64; all others with a million arguments of each kind
that `test/python/numerics/math_accuracy.py` has, against floats of 80 bits, erf
and erfc against mpmath with 100,000. Special values are C's.
Beside it what NVIDIA states of libdevice's, whose results differ from these
within both bounds.

| function | float32 | NVIDIA's | float64 | NVIDIA's |
| --- | --- | --- | --- | --- |"""
    )
    for function in sorted([*INTERVALS, *BINARY]):
        counts = 10**5 if function in ("erf", "erfc") else 10**6
        narrow = (
            worst(function, np.float32, 10**6)[0]
            if function in BINARY
            else worst_of_all(function)
        )
        wide = worst(function, np.float64, counts)[0]
        print(
            f"| {function} | {narrow:.2f} | {STATED[function][1]} "
            f"| {wide:.2f} | {STATED[function][0]} |",
            flush=True,
        )
    print(
        f"""
## Rarer functions

The largest errors against mpmath, at
{RARE_COUNT:,} arguments of each interval that the program has.
`cospi` and `sinpi` of float32 were tried with all arguments, against float64.
The other functions compute in float64 for both types. Near zeros of some
functions the error is absolute, and the unit is that of another number: of 1
for `lgamma` of arguments below -2, and of the amplitude, `sqrt(2 / (pi x))`,
for Bessel functions of arguments above 4.75. `jn` and `yn` of orders 0 and 1
are `j0`, `j1`, `y0` and `y1`; each order above adds up to 1.4 units. Processors
without fused multiply-adds call libm's and the runtime's functions.

| function | float32 | float64 |
| --- | --- | --- |"""
    )
    for function in RARE_INTERVALS:
        narrow = (
            worst_of_all(function)
            if function in RARE_IN_FLOAT32
            else worst_of_rare(function, np.float32, RARE_COUNT)
        )
        wide = worst_of_rare(function, np.float64, RARE_COUNT)
        print(f"| {function} | {narrow:.2f} | {wide:.2f} |", flush=True)
    print_complex()


def print_complex() -> None:
    print(
        f"""
## Functions of complex numbers

Those of `cmath`, computed from the functions above: {COMPLEX_COUNT:,} numbers
of each of the seven kinds that the program has, against mpmath. *Whole* is the
distance of two complex numbers, in units of the last place of the true one's
length; *parts* that of the real or the imaginary part in units of its own last
place, which is more where one is much smaller than the other. Special values
are C's.

| function | complex64, whole | parts | complex128, whole | parts |
| --- | --- | --- | --- | --- |"""
    )
    for function in COMPLEX:
        columns = [
            f"{error:.2f}"
            for dtype in (np.complex64, np.complex128)
            for error in worst_of_complex(function, dtype, COMPLEX_COUNT)
        ]
        print(f"| {function} |", " | ".join(columns), "|", flush=True)


#: What the CUDA C++ Programming Guide states, of float64 and float32, as
#: Libdevice.td has it.
STATED = {
    "acos": (1, 3), "acosh": (2, 4), "asin": (2, 4), "asinh": (2, 3),
    "atan": (2, 2), "atan2": (2, 3), "atanh": (2, 3), "cbrt": (1, 1),
    "cos": (1, 2), "cosh": (1, 2), "erf": (2, 2),
    "erfc": (4, 4), "exp": (1, 2), "exp10": (1, 2), "exp2": (1, 2),
    "expm1": (1, 1), "hypot": (2, 3), "log": (1, 1), "log10": (1, 2),
    "log1p": (1, 1), "log2": (1, 1), "pow": (2, 8), "rsqrt": (1, 2),
    "sin": (1, 2), "sinh": (1, 3), "tan": (2, 4), "tanh": (1, 2),
}  # fmt: skip

if __name__ == "__main__":
    sys.exit(print_page())
