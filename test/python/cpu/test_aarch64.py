# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels on AArch64, as vectors and as threads, leave what they leave here."""

import math
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import aarch64
from aarch64 import Shape
from pyk import _core, _options, cuda
from support.places import FUZZ

sys.path.append(str(FUZZ))
sys.path.append(str(Path(__file__).parents[1] / "numerics"))

from blocks import grammar
from blocks import judge as judges

import reproducible

pytestmark = pytest.mark.skipif(
    bool(aarch64.missing()), reason=f"no AArch64: {aarch64.missing()}"
)

WAYS = ("simd", "reference")


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(_options.options, "cpu", request.param)
    return request.param


@pytest.fixture
def rng() -> np.random.Generator:
    """Of the same numbers whichever tests run."""
    return np.random.default_rng(16)


def both(
    kernel: Callable[..., None],
    grid: Shape | int,
    block: Shape | int,
    *arguments: Any,
) -> list[np.ndarray]:
    """What a kernel leaves in its arrays, on AArch64 and, bit by bit, here."""
    compiled = aarch64.compile_for(cuda.jit(kernel), grid, block, *arguments)
    found = aarch64.launch(compiled, grid, block, *arguments)
    copies = [a.copy() if isinstance(a, np.ndarray) else a for a in arguments]
    cuda.jit(kernel)[grid, block](*copies)
    arrays = [a for a in copies if isinstance(a, np.ndarray)]
    for one, other in zip(found, arrays, strict=True):
        np.testing.assert_array_equal(one, other)
        # -0.0 is another number than 0.0; NaNs have no sign that counts.
        if one.dtype.kind == "f":
            numbers = ~np.isnan(one)
            signs = np.signbit(one[numbers]), np.signbit(other[numbers])
            np.testing.assert_array_equal(*signs)
    return found


def block_sums(a, sums):
    shared = cuda.shared.array(256, np.float32)
    t = cuda.threadIdx.x + cuda.threadIdx.y * cuda.blockDim.x
    threads = cuda.blockDim.x * cuda.blockDim.y
    i = cuda.blockIdx.x * threads + t
    shared[t] = a[i] if i < a.size else 0
    cuda.syncthreads()
    half = 128
    while half > 0:
        if t < half and t + half < threads:
            shared[t] += shared[t + half]
        cuda.syncthreads()
        half //= 2
    if t == 0:
        sums[cuda.blockIdx.x] = shared[0]


@pytest.mark.parametrize("block", [(32, 8), (16, 4), (50, 1)])
def test_barriers(way: str, block: Shape, rng: np.random.Generator) -> None:
    a = rng.integers(-1000, 1000, 1000).astype(np.float32)
    threads = block[0] * block[1]
    blocks = -(-a.size // threads)
    _, sums = both(block_sums, blocks, block, a, np.zeros(blocks, np.float32))
    parts = np.pad(a, (0, blocks * threads - a.size)).reshape(blocks, threads)
    np.testing.assert_array_equal(sums, parts.sum(axis=1))


def exchanges(a, out):
    i = cuda.grid(1)
    total = a[i]
    distance = 16
    while distance > 0:
        total += cuda.shfl_down_sync(0xFFFFFFFF, total, distance)
        distance //= 2
    out[i, 0] = cuda.shfl_sync(0xFFFFFFFF, total, 0)
    out[i, 1] = cuda.ballot_sync(0xFFFFFFFF, a[i] % 3 == 0) & 0xFFFFFFFF
    out[i, 2] = cuda.popc(cuda.match_any_sync(0xFFFFFFFF, a[i] % 4))


def test_warps(way: str, rng: np.random.Generator) -> None:
    a = rng.integers(0, 100, 192)
    _, out = both(exchanges, 3, 64, a, np.zeros((192, 3), np.int64))
    warps = a.reshape(6, 32)
    expected = np.empty((6, 32, 3), np.int64)
    expected[..., 0] = warps.sum(axis=1)[:, None]
    bits = (warps % 3 == 0).astype(np.int64) << np.arange(32)
    expected[..., 1] = bits.sum(axis=1)[:, None]
    alike = warps[:, :, None] % 4 == warps[:, None, :] % 4
    expected[..., 2] = alike.sum(axis=2)
    np.testing.assert_array_equal(out, expected.reshape(192, 3))


def histogram(a, counts, largest, products):
    bins = cuda.shared.array(16, np.int32)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    if t < 16:
        bins[t] = 0
    cuda.syncthreads()
    if i < a.size:
        cuda.atomic.add(bins, a[i] % 16, 1)
        cuda.atomic.max(largest, 0, a[i])
        cuda.atomic.add(products, a[i] % 4, np.float64(a[i]))
    cuda.syncthreads()
    if t < 16:
        cuda.atomic.add(counts, t, bins[t])


def test_atomics(way: str, rng: np.random.Generator) -> None:
    a = rng.integers(0, 1000, 5000).astype(np.int32)
    arrays = np.zeros(16, np.int32), np.zeros(1, np.int32), np.zeros(4)
    _, counts, largest, products = both(histogram, 40, 128, a, *arrays)
    np.testing.assert_array_equal(counts, np.bincount(a % 16, minlength=16))
    assert largest[0] == a.max()
    expected = np.bincount(a % 4, weights=a, minlength=4)
    np.testing.assert_array_equal(products, expected)


def functions(x, y, out):
    i = cuda.grid(1)
    if i < x.size:
        out[i, 0] = math.sin(x[i])
        out[i, 1] = math.cos(x[i])
        out[i, 2] = math.exp(x[i])
        out[i, 3] = math.log(y[i])
        out[i, 4] = math.tanh(x[i])
        out[i, 5] = math.erf(x[i])
        out[i, 6] = math.sqrt(y[i])
        out[i, 7] = y[i] ** x[i]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_mathematics(
    way: str, dtype: type[np.floating], rng: np.random.Generator
) -> None:
    x = rng.normal(0, 4, 3000).astype(dtype)
    x[:4] = 0.0, -0.0, np.inf, np.nan
    y = rng.uniform(0, 20, 3000).astype(dtype)
    y[:4] = 0.0, 1.0, np.inf, np.nan
    out = np.zeros((3000, 8), dtype)
    *_, out = both(functions, 24, 128, x, y, out)
    with np.errstate(all="ignore"):
        wide, base = x.astype(float), y.astype(float)
        expected = {
            **{0: np.sin(wide), 1: np.cos(wide), 2: np.exp(wide)},
            **{3: np.log(base), 4: np.tanh(wide), 6: np.sqrt(base)},
            7: base**wide,
        }
    epsilon = np.finfo(dtype).eps
    for column, values in expected.items():
        np.testing.assert_allclose(out[:, column], values, rtol=4 * epsilon)


def small_floats(a, b, out):
    i = cuda.grid(1)
    if i < a.size:
        out[i] = a[i] * b[i] + np.float16(0.5)


def test_half_precision(way: str, rng: np.random.Generator) -> None:
    a, b = rng.normal(0, 8, (2, 1000)).astype(np.float16)
    *_, out = both(small_floats, 8, 128, a, b, np.zeros_like(a))
    # Contracted, as the compiler may: rounded once, or twice.
    wide = a.astype(float) * b.astype(float)
    once = (wide + 0.5).astype(np.float16)
    twice = (a * b) + np.float16(0.5)
    assert ((out == once) | (out == twice)).all()


def outside(a, out):
    i = cuda.grid(1)
    out[i] = a[i * 3]
    if i == 5:
        out[1000] = 1


@pytest.mark.filterwarnings("ignore")
def test_accesses_stay_in_memory(way: str) -> None:
    a, out = np.arange(1.0, 101.0), np.full(64, -1.0)
    _, out = both(outside, 2, 32, a, out)
    expected = np.zeros(64)
    expected[:34] = np.arange(1, 101, 3)
    np.testing.assert_array_equal(out, expected)


class There:
    """Launches a kernel on AArch64 as if it were one of this process."""

    def __init__(self, text: str, file: str) -> None:
        self.text, self.file = text, file

    def __getitem__(self, shapes: tuple) -> Callable[..., None]:
        def launch(*arguments: Any) -> None:
            kernel = judges.define(self.text, self.file)
            compiled = aarch64.compile_for(kernel, *shapes, *arguments)
            found = iter(aarch64.launch(compiled, *shapes, *arguments))
            for argument in arguments:
                if isinstance(argument, np.ndarray):
                    argument[...] = next(found)

        return launch


@pytest.mark.parametrize(
    ("way", "seed"),
    [(WAYS[seed % 2], seed) for seed in range(100, 106)],
    indirect=["way"],
)
def test_random_kernels(way: str, seed: int) -> None:
    written = grammar.kernel(seed)
    for shape in written.shapes:
        arguments = judges.arguments_of(written, shape, seed)
        with judges.compiled_as("reference", "native", "any"):
            here = judges.define(written.text, f"<here {seed} {shape}>")
            expected, wrong = judges.run(here, shape, arguments, seed)
        assert wrong is None
        there = There(written.text, f"<{way} {seed} {shape}>")
        found, wrong = judges.run(there, shape, arguments, seed)
        assert wrong is None
        bits = [*map(judges.bits, found)]
        assert bits == [*map(judges.bits, expected)], (shape, written.text)


def test_such_code_does_not_run_here() -> None:
    arguments = np.ones((2, 64))
    compiled = aarch64.compile_for(cuda.jit(outside), 2, 32, *arguments)
    with pytest.raises(RuntimeError, match="architecture 183 as ELF counts"):
        compiled.load(_core.Device.get(0, 0))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(
    "name, rows",
    [("floats", 7), ("rare", 6), ("nans", 6), ("complexes", 3), ("halves", 3)],
)
def test_reproducible_kernels(
    way: str, dtype: type, name: str, rows: int
) -> None:
    """NaNs, too, have the same bits."""
    x, y = (one.astype(dtype) for one in reproducible.operands(dtype))
    complex_type = np.complex64 if dtype == np.float32 else np.complex128
    stored = {"complexes": complex_type, "halves": np.float16}.get(name, dtype)
    arguments = [np.zeros((rows, x.size), stored), x, y]
    if name == "nans":
        arguments.insert(1, np.zeros(x.size, f"i{x.itemsize}"))
    kernel = cuda.jit(reproducible=True)(getattr(reproducible, name).py_func)
    blocks = -(-x.size // reproducible.THREADS)
    compiled = aarch64.compile_for(
        kernel, blocks, reproducible.THREADS, *arguments
    )
    found = aarch64.launch(compiled, blocks, reproducible.THREADS, *arguments)
    kernel[blocks, reproducible.THREADS](*arguments)
    for one, other in zip(found, arguments, strict=True):
        assert one.tobytes() == other.tobytes()
