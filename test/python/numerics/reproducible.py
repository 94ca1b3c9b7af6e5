# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that store the same bits on all targets, if they are reproducible.

As a program it runs each on the current device and writes the results:

    python reproducible.py RESULTS.npz
"""

import cmath
import math
import sys

import numpy as np

from pyk import cuda
from pyk.cuda import fp16, libdevice

COUNT = 1000
THREADS = 128


@cuda.jit(device=True, fastmath=True)
def scaled(x, y):
    """Inexact with fastmath and fused operations."""
    return x / (y + np.float32(1)) + x * y + math.sqrt(x) * math.exp(y)


@cuda.jit(reproducible=True, fastmath=True)
def floats(results, x, y):
    i = cuda.grid(1)
    if i < x.size:
        results[0, i] = math.sin(x[i]) * math.log(y[i]) - x[i] * y[i]
        results[1, i] = x[i] ** y[i] + math.tanh(x[i] * y[i] + 1)
        results[2, i] = scaled(x[i], y[i])
        results[3, i] = x[i] % y[i]
        # Below the smallest number with all digits.
        results[4, i] = x[i] * type(x[i])(1e-40)
        results[5, i] = libdevice.fast_sinf(np.float32(x[i]))
        results[6, i] = math.atan2(x[i], y[i]) + math.hypot(x[i], y[i])


@cuda.jit(reproducible=True)
def rare(results, x, y):
    i = cuda.grid(1)
    if i < x.size:
        results[0, i] = math.gamma(x[i]) + math.lgamma(y[i])
        results[1, i] = libdevice.erfcx(x[i]) * libdevice.normcdf(y[i])
        results[2, i] = libdevice.erfinv(x[i]) - libdevice.normcdfinv(y[i])
        results[3, i] = libdevice.j0(x[i]) + libdevice.yn(i % 9, y[i])
        sine, cosine = libdevice.sincospi(x[i])
        results[4, i] = sine + cosine * libdevice.rcbrt(y[i])
        fraction, exponent = math.frexp(x[i])
        results[5, i] = fraction + exponent


@cuda.jit(reproducible=True)
def nans(results, bits, x, y):
    i = cuda.grid(1)
    if i < x.size:
        product = x[i] * y[i]
        results[0, i] = product - product
        results[1, i] = -(x[i] - x[i]) / (y[i] - y[i])
        results[2, i] = x[i]
        results[3, i] = math.copysign(x[i], y[i] - y[i])
        results[4, i] = math.sqrt(x[i])
        results[5, i] = max(x[i] - x[i], y[i])
        bits[i] = (product - product).view(bits.dtype)


@cuda.jit(reproducible=True)
def complexes(results, x, y):
    i = cuda.grid(1)
    if i < x.size:
        z = complex(x[i], y[i])
        results[0, i] = z * z + 1 / z
        results[1, i] = cmath.exp(z)
        results[2, i] = cmath.sqrt(z) ** z


@cuda.jit(reproducible=True)
def halves(results, x, y):
    i = cuda.grid(1)
    if i < x.size:
        a, b = np.float16(x[i]), np.float16(y[i])
        results[0, i] = a * b + a
        results[1, i] = fp16.hexp(a)
        results[2, i] = fp16.hsin(a) / b


@cuda.jit(reproducible=True)
def extremes(results, bits, x):
    """Zeros of both signs, in any order, and a NaN as the bits of a half."""
    i = cuda.grid(1)
    if i < x.size:
        zero = math.copysign(type(x[i])(0), x[i])
        cuda.atomic.max(results, 0, zero)
        cuda.atomic.min(results, 1, zero)
        cuda.atomic.nanmax(results, 2, zero)
        cuda.atomic.nanmin(results, 3, zero)
        # One thread alone finds the other zero.
        if i < 2:
            cuda.atomic.nanmax(results, 4 + i, -zero)
            cuda.atomic.nanmin(results, 6 + i, -zero)
        bits[i] = libdevice.float2half_rn(np.float32(x[i]))


@cuda.jit(reproducible=True)
def shared(results, x):
    """Sums of a block in an order of their own, and by shuffles."""
    sums = cuda.shared.array(THREADS, np.float32)
    i, t = cuda.grid(1), cuda.threadIdx.x
    value = np.float32(x[i]) if i < x.size else np.float32(0)
    sums[t] = value
    cuda.syncthreads()
    half = THREADS // 2
    while half:
        if t < half:
            sums[t] += sums[t + half]
        cuda.syncthreads()
        half //= 2
    for distance in (16, 8, 4, 2, 1):
        value += cuda.shfl_down_sync(-1, value, distance)
    cuda.atomic.max(results, 0, value)
    if t == 0:
        results[1 + cuda.blockIdx.x] = sums[0]


def operands(dtype):
    """Numbers of all sizes, and pairs of special ones."""
    random = np.random.default_rng(5)
    info = np.finfo(dtype)
    special = [0.0, -0.0, 1, -2, 0.5, np.inf, -np.inf, np.nan, info.max]
    special += [-np.nan, info.tiny, info.smallest_subnormal, 1e5, -1e-3]
    x, y = np.meshgrid(np.array(special, dtype), np.array(special, dtype))
    # A NaN with a payload, and one that signals.
    whole = np.dtype(f"u{info.bits // 8}")
    quiet = np.array(np.nan, dtype).view(whole)
    strange = np.array([quiet + whole.type(77)], whole).view(dtype)
    rest = COUNT - x.size - 1
    return (
        np.concatenate([x.ravel(), strange, random.normal(0, 9, rest)]),
        np.concatenate([y.ravel(), strange, random.normal(1, 3, rest)]),
    )


def compute():
    """The bits of all results, by name."""
    results = {}
    blocks = -(-COUNT // THREADS)

    def keep(name, values):
        bits = np.dtype(f"u{min(values.itemsize, 8)}")
        results[name] = values.view(bits)

    for dtype in (np.float32, np.float64):
        name = np.dtype(dtype).name
        x, y = (one.astype(dtype) for one in operands(dtype))
        of_floats = np.zeros((7, COUNT), dtype)
        floats[blocks, THREADS](of_floats, x, y)
        keep(f"floats {name}", of_floats)
        of_rare = np.zeros((6, COUNT), dtype)
        rare[blocks, THREADS](of_rare, x, y)
        keep(f"rare {name}", of_rare)
        of_nans = np.zeros((6, COUNT), dtype)
        bits = np.zeros(COUNT, f"i{x.itemsize}")
        nans[blocks, THREADS](of_nans, bits, x, y)
        keep(f"nans {name}", of_nans)
        keep(f"bits {name}", bits)
        width = np.complex64 if dtype == np.float32 else np.complex128
        of_complexes = np.zeros((3, COUNT), width)
        complexes[blocks, THREADS](of_complexes, x, y)
        keep(f"complexes {name}", of_complexes)
        of_halves = np.zeros((3, COUNT), np.float16)
        halves[blocks, THREADS](of_halves, x, y)
        keep(f"halves {name}", of_halves)
        start = [-np.inf, np.inf, np.nan, np.nan, 0.0, -0.0, 0.0, -0.0]
        of_extremes = np.array(start, dtype)
        bits = np.zeros(COUNT, np.int16)
        extremes[blocks, THREADS](of_extremes, bits, x)
        keep(f"extremes {name}", of_extremes)
        keep(f"bits of halves {name}", bits)
        sums = np.zeros(1 + blocks, np.float32)
        shared[blocks, THREADS](sums, random_numbers(dtype))
        keep(f"shared {name}", sums)
    return results


def random_numbers(dtype):
    return np.random.default_rng(6).normal(0, 1, COUNT).astype(dtype)


if __name__ == "__main__":
    np.savez(sys.argv[1], **compute())
