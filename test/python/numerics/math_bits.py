# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What functions that need no libdevice compute, to compare bits of targets.

As a program it computes each function on the current device and writes hashes
of the results, of NARROW arguments of 32 bits and WIDE of 64:

    python math_bits.py HASHES.npz NARROW WIDE
"""

import hashlib
import linecache
import sys

import numpy as np

from math_accuracy import BINARY, INTERVALS, RARE_INTERVALS
from pyk import cuda
from pyk.cuda import libdevice

UNARY = sorted({*INTERVALS, *RARE_INTERVALS})
OF_ORDER = ["jn", "yn"]
OF_TWO = sorted([*BINARY, "fdim", "fmod", "nextafter", "remainder"])
WITH_EXPONENT = ["ldexp", "powi", "scalbn"]
#: Those that yield two values, of so many arguments.
OF_TWO_RESULTS = {"sincos": 1, "sincospi": 1, "modf": 1, "frexp": 1}
OF_TWO_RESULTS["remquo"] = 2
#: Those of float32 that libdevice also approximates.
FAST = ["cos", "exp", "exp10", "log", "log10", "log2", "pow", "sin", "tan"]

THREADS = 128
TEXT = """\
@cuda.jit(reproducible={reproducible})
def kernel(results, x, y):
    i = cuda.grid(1)
    if i < x.size:
        results[i] = libdevice.{name}({arguments}){place}
"""


def make(name, arguments):
    """A kernel that computes one function, or one of its results: name[0]."""
    function, bracket, number = name.partition("[")
    text = TEXT.format(
        name=function,
        arguments=arguments,
        place=bracket + number,
        # A GPU approximates these otherwise.
        reproducible=name.startswith("fast_"),
    )
    file = f"<{name}>"
    linecache.cache[file] = len(text), None, text.splitlines(True), file
    scope = {"cuda": cuda, "libdevice": libdevice}
    exec(compile(text, file, "exec"), scope)
    return scope["kernel"]


def operands(dtype, count):
    """Numbers with bits that are evenly spread, usual ones, and all pairs of
    special ones; and as many others. `count` is a power of 2."""
    info, random = np.finfo(dtype), np.random.default_rng(47)
    bits = np.dtype(f"u{np.dtype(dtype).itemsize}")
    step = 2**info.bits // count
    first = (np.arange(count, dtype=np.uint64) * step).astype(bits)
    second = random.permutation(first ^ bits.type(step // 3))
    large = 800 if dtype == np.float64 else 100
    usual = min(count, 2**14)
    special = np.array(
        [0.0, 1, 2, 3, 0.5, 1.5, 2.5, 1e-3, 1e5, np.inf, np.nan]
        + [info.max, info.tiny, info.smallest_subnormal]
        # The numbers nearest to a multiple of a right angle.
        + [16367173.0 * 2.0**72, 6381956970095103.0 * 2.0**797][
            : info.bits // 32
        ],
        dtype,
    )
    pairs = np.meshgrid(*[np.concatenate([special, -special])] * 2)
    return [
        np.concatenate(
            [
                one.view(dtype),
                random.normal(size=usual).astype(dtype),
                random.uniform(-large, large, usual).astype(dtype),
                pairs[axis].ravel(),
            ]
        )
        for axis, one in enumerate([first, second])
    ]


ROUNDED, TO_SIDES = ["rd", "rn", "ru", "rz"], ["rd", "ru", "rz"]
ONE, TWO, THREE = "x[i]", "x[i], y[i]", "x[i], y[i], x[i]"


def functions(dtype):
    """Names of libdevice's functions of floats, what they take, and whether
    they yield floats."""
    narrow = dtype == np.float32
    f, kind, name = ("f", "f", "float") if narrow else ("", "d", "double")
    exponent = "x[i], i * 37 % 4500 - 2250"
    for names, takes in (
        (UNARY, ONE),
        (OF_TWO, TWO),
        (WITH_EXPONENT, exponent),
        (OF_ORDER, "i * 37 % 40 - 3, x[i]"),
        ([f"fast_{one}" for one in FAST if narrow and one != "pow"], ONE),
        (["fast_pow"] if narrow else [], TWO),
        (
            ["logb", "ceil", "fabs", "floor", "rint", "round", "sqrt", "trunc"],
            ONE,
        ),
        (["copysign", "fmax", "fmin"], TWO),
    ):
        yield from ((f"{one}{f}", takes, True) for one in names)
    for one, count in OF_TWO_RESULTS.items():
        for number in range(2):
            is_real = number == 0 or one not in ("frexp", "remquo")
            yield f"{one}{f}[{number}]", (ONE, TWO)[count - 1], is_real
    if narrow:
        yield from ((f"fast_sincosf[{i}]", ONE, True) for i in range(2))
    yield from ((f"{kind}sqrt_{mode}", ONE, True) for mode in TO_SIDES)
    for mode in ROUNDED:
        yield f"{kind}rcp_{mode}", ONE, True
        yield f"fma{f}_{mode}", THREE, True
        operations = ["add", "div", "mul", *(["sub"] if narrow else [])]
        yield from ((f"{kind}{op}_{mode}", TWO, True) for op in operations)
        for to in "int", "uint", "ll", "ull":
            yield f"{name}2{to}_{mode}", ONE, False
    if narrow:
        yield from [(one, ONE, True) for one in ("saturatef", "frsqrt_rn")]
        yield from [("float2half_rn", ONE, False), ("finitef", ONE, False)]
    else:
        yield from ((f"double2float_{mode}", ONE, True) for mode in ROUNDED)
        yield from (
            (one, ONE, False)
            for one in ("double2hiint", "double2loint", "isfinited")
        )
    for one in f"isinf{kind}", f"isnan{kind}", f"signbit{kind}":
        yield one, ONE, False
    for one in "ilogb", "llrint", "llround":
        yield f"{one}{f}", ONE, False


def functions_of_integers(dtype):
    """The same of integers."""
    short = dtype == np.int32
    sizes = (
        ["abs", "brev", "clz", "ffs", "popc"],
        ["mulhi", "umulhi", "max", "min", "umax", "umin"],
        ["int2float", "uint2float"],
    )
    if not short:
        sizes = (
            ["llabs", "brevll", "clzll", "ffsll", "popcll"],
            ["mul64hi", "umul64hi", "llmax", "llmin", "ullmax", "ullmin"],
            ["ll2float", "ull2float", "ll2double", "ull2double"],
        )
    yield from ((one, ONE, False) for one in sizes[0])
    yield from ((one, TWO, False) for one in sizes[1])
    for one in sizes[2]:
        yield from ((f"{one}_{mode}", ONE, True) for mode in ROUNDED)
    if short:
        for sign in "", "u":
            for one in "hadd", "rhadd", "mul24":
                yield f"{sign}{one}", TWO, False
            yield f"{sign}sad", THREE, False
            yield f"{sign}int2double_rn", ONE, True
        yield "byte_perm", THREE, False
        yield "hiloint2double", TWO, True
        yield "half2float", "x[i] & 0xffff", True


def compute(narrow, wide):
    """The bits of results by function and type, of so many arguments of 32 and
    64 bits; those of NaNs are one."""
    for dtype in (np.float32, np.float64, np.int32, np.int64):
        count = narrow if np.dtype(dtype).itemsize == 4 else wide
        if is_real := np.dtype(dtype).kind == "f":
            x, y = operands(dtype, count)
        else:
            size = np.dtype(dtype).itemsize
            x, y = (one.view(dtype) for one in operands(f"f{size}", count))
        for name, takes, yields_floats in (
            functions(dtype) if is_real else functions_of_integers(dtype)
        ):
            kernel = make(name, takes)
            results = np.empty(
                x.size, np.float64 if yields_floats else np.int64
            )
            if is_real and yields_floats:
                results = np.empty_like(x)
            kernel[-(-x.size // THREADS), THREADS](results, x, y)
            # What PTX leaves open: the sign of 0, and the bits of a short NaN.
            if name == "saturatef":
                results += 0
            if name == "float2half_rn":
                results[np.isnan(x)] = 0
            if yields_floats:
                results[np.isnan(results)] = np.nan
            yield (
                f"{name} {np.dtype(dtype)}",
                results.view(f"u{results.itemsize}"),
            )


#: Results that have one hash.
TOGETHER = 1024


def hash_parts(results):
    """A number of 64 bits for each TOGETHER results."""
    parts = (
        results[i : i + TOGETHER] for i in range(0, results.size, TOGETHER)
    )
    hashes = [hashlib.blake2b(part.tobytes(), digest_size=8) for part in parts]
    return np.frombuffer(b"".join(one.digest() for one in hashes), np.uint64)


if __name__ == "__main__":
    hashes = {
        name: hash_parts(results)
        for name, results in compute(*map(int, sys.argv[2:]))
    }
    np.savez(sys.argv[1], **hashes)
