# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the same kernels on whatever device PyK has, for `scripts/gpu-check`.

`compare_targets.py FILE` saves what each kernel computes, and what NumPy makes
of the same operands, as NAME and NAME:numpy in an .npz file. The files of two
devices can then be compared.
"""

import linecache
import math
import sys
import warnings

import numpy as np

from pyk import cuda

SEED = 20260101
COUNT = 20_011
THREADS = 128

#: Functions of one float, and the interval of their random operands.
FUNCTIONS = {
    "sqrt": (0, 1e6),
    "exp": (-80, 80),
    "exp2": (-100, 100),
    "expm1": (-30, 30),
    "log": (1e-6, 1e6),
    "log2": (1e-6, 1e6),
    "log10": (1e-6, 1e6),
    "log1p": (-0.99, 1e6),
    "sin": (-100, 100),
    "cos": (-100, 100),
    "tan": (-1.5, 1.5),
    "asin": (-1, 1),
    "acos": (-1, 1),
    "atan": (-100, 100),
    "sinh": (-30, 30),
    "cosh": (-30, 30),
    "tanh": (-5, 5),
    # Not near its zeros, 1 and 2, where Python loses digits.
    "lgamma": (3, 50),
    "asinh": (-1e4, 1e4),
    "acosh": (1, 1e4),
    "atanh": (-0.99, 0.99),
    "floor": (-1e6, 1e6),
    "ceil": (-1e6, 1e6),
    "trunc": (-1e6, 1e6),
}
#: Names of NumPy where they are not those of `math`.
NUMPY_NAMES = {
    "asin": "arcsin",
    "acos": "arccos",
    "atan": "arctan",
    "asinh": "arcsinh",
    "acosh": "arccosh",
    "atanh": "arctanh",
}
OPERATORS = ("+", "-", "*", "/", "//", "%", "&", "|", "^", "<<", ">>")
BITWISE = ("&", "|", "^", "<<", ">>")


def make_kernel(expression, name):
    """A kernel that sets out[i] to an expression of x = a[i] and y = b[i]."""
    text = (
        "def kernel(a, b, out):\n"
        "    i = cuda.grid(1)\n"
        "    if i < out.size:\n"
        "        x = a[i]\n"
        "        y = b[i]\n"
        f"        out[i] = {expression}\n"
    )
    linecache.cache[name] = len(text), None, text.splitlines(True), name
    scope = {"cuda": cuda, "math": math, "np": np}
    exec(compile(text, name, "exec"), scope)
    return cuda.jit(scope["kernel"])


def launch(kernel, a, b, dtype):
    """What the kernel computes."""
    out = np.zeros(COUNT, dtype)
    kernel[(COUNT + THREADS - 1) // THREADS, THREADS](a, b, out)
    return out


def numbers(random, dtype):
    """Operands: random ones, and those at the ends of the type."""
    if np.dtype(dtype).kind == "f":
        values = random.uniform(-1e3, 1e3, COUNT).astype(dtype)
        ends = [0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0]
    else:
        info = np.iinfo(dtype)
        values = random.integers(info.min, info.max, COUNT, dtype, True)
        ends = [info.min, info.max, 0, 1, info.max // 2]
    values[: len(ends) ** 2] = np.repeat(ends, len(ends))
    return values


def functions(random):
    for name, (low, high) in FUNCTIONS.items():
        kernel = make_kernel(f"math.{name}(x)", f"<{name}>")
        for dtype in (np.float32, np.float64):
            # Python's own is 10 units in the last place off.
            if name == "lgamma" and dtype == np.float64:
                continue
            a = random.uniform(low, high, COUNT).astype(dtype)
            numpy_function = (
                np.vectorize(math.lgamma)
                if name == "lgamma"
                else getattr(np, NUMPY_NAMES.get(name, name))
            )
            yield (
                f"{name} {np.dtype(dtype)}",
                launch(kernel, a, a, dtype),
                numpy_function(a.astype(np.float64)).astype(dtype),
            )


def operators(random):
    # Where NumPy and Numba agree on the type of the result, that is 64 bits.
    for dtype in (np.int64, np.uint64, np.float64):
        a = numbers(random, dtype)
        b = numbers(random, dtype)
        b[:49] = np.tile(b[:49:7] if dtype == np.float64 else b[:25:5], 10)[:49]
        for operator in OPERATORS:
            is_float = np.dtype(dtype).kind == "f"
            if is_float and operator in BITWISE:
                continue
            y = b
            if operator in ("<<", ">>"):
                y = b % dtype(64)
            elif operator in ("//", "%", "/") and not is_float:
                y = np.where(b == 0, dtype(1), b)
            wanted = np.float64 if operator == "/" else dtype
            kernel = make_kernel(f"x {operator} y", f"<{operator}>")
            yield (
                f"{operator} {np.dtype(dtype)}",
                launch(kernel, a, y, wanted),
                eval(f"a {operator} y", {"a": a, "y": y}).astype(wanted),
            )


@cuda.jit
def block_sum(a, out):
    shared = cuda.shared.array(128, np.int64)
    thread = cuda.threadIdx.x
    i = cuda.grid(1)
    shared[thread] = a[i] if i < a.size else 0
    cuda.syncthreads()
    width = 64
    while width > 0:
        if thread < width:
            shared[thread] += shared[thread + width]
        cuda.syncthreads()
        width //= 2
    if thread == 0:
        out[cuda.blockIdx.x] = shared[0]


@cuda.jit
def tiled_product(a, b, out):
    tile_a = cuda.shared.array((16, 16), np.float64)
    tile_b = cuda.shared.array((16, 16), np.float64)
    row, column = cuda.grid(2)
    y = cuda.threadIdx.x
    x = cuda.threadIdx.y
    total = 0.0
    for start in range(0, a.shape[1], 16):
        inside = row < a.shape[0] and start + x < a.shape[1]
        tile_a[y, x] = a[row, start + x] if inside else 0.0
        inside = start + y < b.shape[0] and column < b.shape[1]
        tile_b[y, x] = b[start + y, column] if inside else 0.0
        cuda.syncthreads()
        for k in range(16):
            total += tile_a[y, k] * tile_b[k, x]
        cuda.syncthreads()
    if row < out.shape[0] and column < out.shape[1]:
        out[row, column] = total


def blocks(random):
    a = random.integers(-1000, 1000, COUNT)
    count = (COUNT + 127) // 128
    sums = np.zeros(count, np.int64)
    block_sum[count, 128](a, sums)
    padded = np.zeros(count * 128, np.int64)
    padded[:COUNT] = a
    yield "block sum", sums, padded.reshape(count, 128).sum(axis=1)
    # Small whole numbers: the order of additions does not matter.
    a = random.integers(-9, 9, (67, 45)).astype(float)
    b = random.integers(-9, 9, (45, 83)).astype(float)
    out = np.zeros((67, 83))
    tiled_product[(5, 6), (16, 16)](a, b, out)
    yield "tiled product", out, a @ b


def main():
    random = np.random.default_rng(SEED)
    found = {}
    warnings.simplefilter("ignore")
    with np.errstate(all="ignore"):
        for part in (functions, operators, blocks):
            for name, computed, expected in part(random):
                found[name] = computed
                found[f"{name}:numpy"] = expected
    np.savez(sys.argv[1], **found)


if __name__ == "__main__":
    main()
