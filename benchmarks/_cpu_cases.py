# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `scripts/dev bench cpu` computes: sizes, arguments, NumPy's results.

Kernels come in the forms of all peers and have these arguments in this order;
C, OpenCL and ISPC take the extents besides. Programs are what a newcomer
writes, host code included: they exist for PyK and for Numba. Only NumPy is
imported, since each peer's process reads this file with a Python of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

# By name, in the order of the parameters: arrays and NumPy's scalars.
Arguments = dict[str, Any]
Extent = int | tuple[int, ...]

# Threads of a block along one axis; what reduce and scan work on.
BLOCK = 256
# Elements of a block of `histogram`.
CHUNK = 16384
SOFTENING = 1e-3
RATE, VOLATILITY = 0.02, 0.3

MI = 1 << 20
SIZES = ("small", "large")


@dataclass(frozen=True)
class Case:
    """A kernel or a program, at any size."""

    # By label; `tiny` is for tests.
    sizes: dict[str, int]
    arguments: Callable[[int], Arguments]
    # NumPy's results, by the names of the arguments that hold them.
    expected: Callable[[Arguments], dict[str, Any]]
    # What kernels in C, OpenCL and ISPC take besides.
    extents: Callable[[Arguments], tuple[int, ...]] = lambda a: ()
    # Blocks and threads; programs launch by themselves.
    launch: Callable[[Arguments], tuple[Extent, Extent]] | None = None
    # What a multiplication or an addition counts for 1 in; 0 means that only
    # the memory's roof is looked at.
    flops: Callable[[Arguments, dict[str, Any]], float] = lambda a, e: 0
    # Results that are also read.
    updated: tuple[str, ...] = ()
    # The largest difference, relative to the largest expected value.
    tolerance: float = 2e-5
    # Which share of the elements may differ more than that.
    share: float = 0
    # Whether loops over the whole array yield one total in the first element,
    # where threads yield one for each block.
    is_total: bool = False


def error_of(
    case: Case,
    results: dict[str, Any],
    expected: dict[str, Any],
    has_total: bool = False,
) -> str | None:
    """What is wrong with the results, or None."""
    for name, wanted in expected.items():
        got = results[name].astype(np.float64)
        if has_total and case.is_total:
            got, wanted = got[:1], wanted.sum(keepdims=True)
        bound = case.tolerance * np.abs(wanted).max()
        # Not `>`, which is false for NaN.
        share = 1 - np.mean(np.abs(got - wanted) <= bound)
        if share > case.share:
            return f"{share:.2%} of '{name}' differ from NumPy's"
    return None


def random(seed: int = 16) -> np.random.Generator:
    return np.random.default_rng(seed)


def vectors(n: int, *names: str) -> Arguments:
    generator = random()
    return {name: generator.random(n, np.float32) for name in names}


def matrices(n: int, *names: str) -> Arguments:
    flat = vectors(n * n, *names)
    half = np.float32(0.5)
    return {name: a.reshape(n, n) - half for name, a in flat.items()}


def zeros(*shape: int, dtype: Any = np.float32) -> np.ndarray:
    return np.zeros(shape, dtype)


def wide(a: Any) -> Any:
    return a.astype(np.float64)


def along(n: int, threads: int = BLOCK) -> tuple[Extent, Extent]:
    return -(-n // threads), threads


def across(
    shape: tuple[int, ...], threads: tuple[int, int]
) -> tuple[Extent, Extent]:
    """A thread for each element; `x` is the last axis."""
    height, width = shape
    return (-(-width // threads[0]), -(-height // threads[1])), threads


def options(n: int) -> Arguments:
    uniform = vectors(n, "price", "strike", "years")
    return {
        "price": uniform["price"] * np.float32(25) + np.float32(5),
        "strike": uniform["strike"] * np.float32(99) + np.float32(1),
        "years": uniform["years"] * np.float32(9.75) + np.float32(0.25),
    }


def normal(d: Any) -> Any:
    """The cumulative normal distribution, by the usual polynomial."""
    k = 1 / (1 + 0.2316419 * np.abs(d))
    tail = 1.781477937 + k * (-1.821255978 + k * 1.330274429)
    tail = k * (0.31938153 + k * (-0.356563782 + k * tail))
    tail *= 0.3989422804014327 * np.exp(-0.5 * d * d)
    return np.where(d > 0, 1 - tail, tail)


def black_scholes(a: Arguments) -> dict[str, Any]:
    price, strike, years = map(wide, (a["price"], a["strike"], a["years"]))
    spread = VOLATILITY * np.sqrt(years)
    d1 = np.log(price / strike) + (RATE + 0.5 * VOLATILITY**2) * years
    d1 /= spread
    n1, n2 = normal(d1), normal(d1 - spread)
    later = strike * np.exp(-RATE * years)
    both = {
        "call": price * n1 - later * n2,
        "put": later * (1 - n2) - price * (1 - n1),
    }
    return {name: both[name] for name in both if name in a}


def mandelbrot_arguments(n: int) -> Arguments:
    return {
        "x0": np.float32(-2),
        "y0": np.float32(-1.5),
        "step": np.float32(3 / n),
        "counts": zeros(n, n, dtype=np.int32),
        "limit": np.int32(256),
    }


def mandelbrot(a: Arguments) -> dict[str, Any]:
    n = len(a["counts"])
    steps = np.arange(n, dtype=np.float32) * a["step"]
    cr, ci = np.broadcast_arrays(a["x0"] + steps, (a["y0"] + steps)[:, None])
    zr, zi = zeros(n, n), zeros(n, n)
    counts = zeros(n, n, dtype=np.int32)
    inside = np.ones((n, n), bool)
    for _ in range(a["limit"]):
        r2, i2 = zr * zr, zi * zi
        inside &= r2 + i2 <= 4
        counts += inside
        zi = np.where(inside, 2 * zr * zi + ci, zi)
        zr = np.where(inside, r2 - i2 + cr, zr)
    return {"counts": counts}


def nbody_arguments(n: int) -> Arguments:
    a = vectors(n, "x", "y", "z", "mass")
    for axis in "xyz":
        a[axis] = a[axis] * np.float32(2) - np.float32(1)
    a["mass"] /= np.float32(n)
    return a | {name: zeros(n) for name in ("ax", "ay", "az")}


def nbody(a: Arguments) -> dict[str, Any]:
    places = np.stack([wide(a[axis]) for axis in "xyz"])
    pulls = np.zeros_like(places)
    for start in range(0, places.shape[1], BLOCK):
        here = slice(start, start + BLOCK)
        away = places[:, None, :] - places[:, here, None]
        squares = (away**2).sum(0) + SOFTENING
        pulls[:, here] = (away * (a["mass"] / squares**1.5)).sum(2)
    return dict(zip(("ax", "ay", "az"), pulls, strict=True))


def histogram_arguments(n: int) -> Arguments:
    values = random().integers(0, 256, n, np.uint8)
    return {"values": values, "counts": zeros(256, dtype=np.int32)}


def jacobi(a: Arguments) -> dict[str, Any]:
    old, new = wide(a["a"]), wide(a["out"])
    total = old[1:-1, 1:-1] + old[:-2, 1:-1] + old[2:, 1:-1]
    new[1:-1, 1:-1] = 0.2 * (total + old[1:-1, :-2] + old[1:-1, 2:])
    return {"out": new}


def spmv_arguments(rows: int) -> Arguments:
    """From 0 to 32 elements a row, in a band as meshes have them."""
    generator = random()
    lengths = generator.integers(0, 33, rows)
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    columns = np.repeat(np.arange(rows), lengths)
    columns += generator.integers(-4096, 4097, len(columns))
    return {
        "starts": starts,
        "columns": np.clip(columns, 0, rows - 1).astype(np.int32),
        "values": generator.random(starts[-1], np.float32),
        "vector": generator.random(rows, np.float32),
        "out": zeros(rows),
    }


def spmv(a: Arguments) -> dict[str, Any]:
    products = wide(a["values"]) * a["vector"][a["columns"]]
    sums = np.concatenate([[0], np.cumsum(products)])
    return {"out": sums[a["starts"][1:]] - sums[a["starts"][:-1]]}


def matmul(threads: int) -> Case:
    """All three are the same product, each with blocks of its own."""
    return Case(
        {"tiny": 64, "small": 512, "large": 1024},
        lambda n: matrices(n, "a", "b") | {"c": zeros(n, n)},
        lambda a: {"c": wide(a["a"]) @ wide(a["b"])},
        lambda a: (len(a["c"]),),
        lambda a: across(a["c"].shape, (threads, threads)),
        lambda a, e: 2 * float(len(a["c"])) ** 3,
    )


def streaming(
    arguments: Callable[[int], Arguments],
    expected: Callable[[Arguments], dict[str, Any]],
    **more: Any,
) -> Case:
    """A thread for each element of the last argument, or of its rows."""

    def length(a: Arguments) -> int:
        return len(list(a.values())[-1])

    return Case(
        {"tiny": 1000, "small": MI, "large": 16 * MI},
        arguments,
        expected,
        lambda a: (length(a),),
        lambda a: along(length(a)),
        **more,
    )


def in_blocks(
    out: Callable[[int], int], expected: Callable[[Any], Any], **more: Any
) -> Case:
    """A thread for each element of `x`; blocks work on their own."""
    return Case(
        {"tiny": 1024, "small": MI, "large": 16 * MI},
        lambda n: vectors(n, "x") | {"out": zeros(out(n))},
        lambda a: {"out": expected(wide(a["x"]).reshape(-1, BLOCK))},
        lambda a: (len(a["x"]),),
        lambda a: along(len(a["x"])),
        **more,
    )


KERNELS = {
    "vadd": streaming(
        lambda n: vectors(n, "a", "b") | {"c": zeros(n)},
        lambda a: {"c": a["a"] + a["b"]},
    ),
    "saxpy": streaming(
        lambda n: {"alpha": np.float32(0.001), **vectors(n, "x", "y")},
        lambda a: {"y": 0.001 * wide(a["x"]) + a["y"]},
        updated=("y",),
    ),
    "blackscholes": Case(
        {"tiny": 1000, "small": MI // 4, "large": 4 * MI},
        lambda n: {
            **options(n),
            **{"call": zeros(n), "put": zeros(n)},
            **{"rate": np.float32(RATE), "volatility": np.float32(VOLATILITY)},
        },
        black_scholes,
        lambda a: (len(a["call"]),),
        lambda a: along(len(a["call"])),
        # A logarithm and three exponentials of 15 each, and the rest.
        lambda a, e: 90.0 * len(a["call"]),
        # Fast logarithms of OpenCL are that coarse.
        tolerance=5e-4,
    ),
    "mandelbrot": Case(
        {"tiny": 64, "small": 512, "large": 1024},
        mandelbrot_arguments,
        mandelbrot,
        lambda a: (len(a["counts"]),),
        lambda a: across(a["counts"].shape, (16, 16)),
        lambda a, e: 7 * float(e["counts"].sum()),
        # Fused operations move points at the border.
        share=0.02,
    ),
    "nbody": Case(
        {"tiny": 256, "small": 4096, "large": 8192},
        nbody_arguments,
        nbody,
        lambda a: (len(a["x"]),),
        lambda a: along(len(a["x"])),
        lambda a, e: 20 * float(len(a["x"])) ** 2,
        tolerance=2e-4,
    ),
    "matmul": matmul(16),
    "matmul_t16": matmul(16),
    "matmul_t32": matmul(32),
    "transpose": Case(
        {"tiny": 64, "small": 2048, "large": 4096},
        lambda n: matrices(n, "a") | {"out": zeros(n, n)},
        lambda a: {"out": a["a"].T},
        lambda a: (len(a["a"]),),
        lambda a: ((len(a["a"]) // 32,) * 2, (32, 8)),
    ),
    "reduce": in_blocks(
        lambda n: n // BLOCK, lambda x: x.sum(1), is_total=True
    ),
    "histogram": Case(
        {"tiny": 20000, "small": MI, "large": 16 * MI},
        histogram_arguments,
        lambda a: {"counts": np.bincount(a["values"], minlength=256)},
        lambda a: (len(a["values"]),),
        lambda a: (-(-len(a["values"]) // CHUNK), 256),
        tolerance=0,
    ),
    "jacobi": Case(
        {"tiny": 64, "small": 2048, "large": 4096},
        lambda n: matrices(n, "a") | {"out": zeros(n, n)},
        jacobi,
        lambda a: (len(a["a"]),),
        lambda a: across(a["a"].shape, (32, 8)),
    ),
    "scan": in_blocks(lambda n: n, lambda x: x.cumsum(1).reshape(-1)),
    "spmv": Case(
        {"tiny": 500, "small": MI // 16, "large": MI // 2},
        spmv_arguments,
        spmv,
        lambda a: (len(a["out"]),),
        lambda a: along(len(a["out"])),
    ),
}

LANES = 32

# A sum over the lanes of each warp, and the same kernel without the shuffles.
WARPS = {
    "warp_sum": in_blocks(
        lambda n: n // LANES, lambda x: x.reshape(-1, LANES).sum(1)
    ),
    "warp_first": in_blocks(
        lambda n: n // LANES, lambda x: x.reshape(-1, LANES)[:, 0]
    ),
}


def softmax(a: Arguments) -> dict[str, Any]:
    powers = np.exp(wide(a["x"]) - a["x"].max(1, keepdims=True))
    return {"out": powers / powers.sum(1, keepdims=True)}


def life(a: Arguments) -> dict[str, Any]:
    cells = a["cells"]
    around = [(y, x) for y in (-1, 0, 1) for x in (-1, 0, 1) if x or y]
    for _ in range(a["steps"]):
        alive = sum(np.roll(cells, shift, (0, 1)) for shift in around)
        cells = ((alive == 3) | (cells & (alive == 2))).astype(np.int32)
    return {"cells": cells}


def heat(a: Arguments) -> dict[str, Any]:
    old = wide(a["old"])
    for _ in range(a["steps"]):
        new = old.copy()
        total = old[:-2, 1:-1] + old[2:, 1:-1] + old[1:-1, :-2]
        total += old[1:-1, 2:] - 4 * old[1:-1, 1:-1]
        new[1:-1, 1:-1] += 0.1 * total
        old = new
    return {"old": old}


def clusters(n: int) -> Arguments:
    """Points around eight corners, and centres that are a little off."""
    generator = random()
    corners = np.array([(x, y) for x in range(4) for y in range(2)], np.float32)
    of = generator.integers(0, 8, n)
    off = generator.random((n, 2), np.float32) - np.float32(0.5)
    return {
        "points": corners[of] + off * np.float32(0.8),
        "centers": corners + np.float32(0.2),
        "labels": zeros(n, dtype=np.int32),
        "sums": zeros(8, 2),
        "counts": zeros(8, dtype=np.int32),
        "rounds": np.int32(5),
    }


def kmeans(a: Arguments) -> dict[str, Any]:
    points, centers = wide(a["points"]), wide(a["centers"])
    for _ in range(a["rounds"]):
        away = ((points[:, None] - centers) ** 2).sum(2)
        labels = away.argmin(1)
        for label in range(len(centers)):
            centers[label] = points[labels == label].mean(0)
    return {"centers": centers}


# What is timed of the programs has the arrays on the device already.
PROGRAMS = {
    "softmax": Case(
        {"tiny": 16, "small": 512, "large": 4096},
        lambda n: (
            {"x": vectors(n * 1024, "x")["x"].reshape(n, 1024)}
            | {"out": zeros(n, 1024)}
        ),
        softmax,
    ),
    "life": Case(
        {"tiny": 40, "small": 512, "large": 2048},
        lambda n: {
            "cells": random().integers(0, 2, (n, n), np.int32),
            "other": zeros(n, n, dtype=np.int32),
            "steps": np.int32(10),
        },
        life,
    ),
    "kmeans": Case(
        {"tiny": 500, "small": MI // 8, "large": 2 * MI},
        clusters,
        kmeans,
        # Sums of float32 in an order of their own.
        tolerance=1e-3,
    ),
    "heat": Case(
        {"tiny": 40, "small": 512, "large": 2048},
        lambda n: (
            matrices(n, "old") | {"new": zeros(n, n), "steps": np.int32(10)}
        ),
        heat,
    ),
    "price_ufunc": Case(
        {"tiny": 1000, "small": MI // 4, "large": 4 * MI},
        lambda n: options(n) | {"call": zeros(n)},
        black_scholes,
        tolerance=2e-4,
    ),
}

CASES = KERNELS | WARPS | PROGRAMS
