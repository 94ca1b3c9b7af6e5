# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What math functions with a formula compute, to compare bits of targets.

As a program it computes each function on the current device, of so many
arguments of each type, and writes the results:

    python math_bits.py RESULTS.npz COUNT
"""

import linecache
import sys

import numpy as np

from math_accuracy import BINARY, INTERVALS
from pyk import cuda
from pyk.cuda import libdevice

UNARY = sorted(INTERVALS)
OF_TWO = sorted([*BINARY, "fdim", "fmod", "nextafter", "remainder"])
WITH_EXPONENT = ["ldexp", "scalbn"]
#: Those that libdevice has, too, as approximations of float32.
FAST = ["cos", "exp", "exp10", "log", "log10", "log2", "pow", "sin", "tan"]

THREADS = 128
TEXT = """\
@cuda.jit
def kernel(results, x, y):
    i = cuda.grid(1)
    if i < x.size:
        results[i] = libdevice.{name}({arguments})
"""


def make(name, arguments):
    """A kernel that computes one function."""
    text, file = TEXT.format(name=name, arguments=arguments), f"<{name}>"
    linecache.cache[file] = len(text), None, text.splitlines(True), file
    scope = {"cuda": cuda, "libdevice": libdevice}
    exec(compile(text, file, "exec"), scope)
    return scope["kernel"]


def operands(dtype, count):
    """Numbers with bits that are evenly spread, usual ones, and all pairs of
    special ones; and as many others."""
    info, random = np.finfo(dtype), np.random.default_rng(47)
    bits = np.dtype(f"u{np.dtype(dtype).itemsize}")
    step = 2**info.bits // count
    first = (np.arange(count, dtype=np.uint64) * step).astype(bits)
    second = random.permutation(first ^ bits.type(step // 3))
    large = 800 if dtype == np.float64 else 100
    special = np.array(
        [0.0, 1, 2, 3, 0.5, 1e-3, 1e5, np.inf, np.nan]
        + [info.max, info.tiny, info.smallest_subnormal],
        dtype,
    )
    pairs = np.meshgrid(*[np.concatenate([special, -special])] * 2)
    return [
        np.concatenate(
            [
                one.view(dtype),
                random.normal(size=count).astype(dtype),
                random.uniform(-large, large, count).astype(dtype),
                pairs[axis].ravel(),
            ]
        )
        for axis, one in enumerate([first, second])
    ]


def compute(count):
    """The bits of results by function and type; those of NaNs are one."""
    found = {}
    for dtype in (np.float32, np.float64):
        x, y = operands(dtype, count)
        kinds = [
            (UNARY, "x[i]"),
            (OF_TWO, "x[i], y[i]"),
            (WITH_EXPONENT, "x[i], i * 37 % 4500 - 2250"),
        ]
        names = [(name, takes) for group, takes in kinds for name in group]
        if dtype == np.float32:
            names += [
                (f"fast_{name}", "x[i], y[i]" if name == "pow" else "x[i]")
                for name in FAST
            ]
            names = [(f"{name}f", takes) for name, takes in names]
        for name, arguments in names:
            kernel, results = make(name, arguments), np.empty_like(x)
            kernel[-(-x.size // THREADS), THREADS](results, x, y)
            results[np.isnan(results)] = np.nan
            found[f"{name} {np.dtype(dtype)}"] = results.view(
                f"u{results.itemsize}"
            )
    return found


if __name__ == "__main__":
    np.savez(sys.argv[1], **compute(int(sys.argv[2])))
