# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a kernel as threads and as vectors, and compares what it leaves.

As a program it judges seeds, from the first to before the last one, and prints
a line for each; a third word says in how many of the tiles that a block may
have: `one`, `two` or `all`.
"""

import contextlib
import linecache
import math
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import runs

from pyk import _options, cuda
from pyk.cuda import _devices
from pyk.cuda._dispatcher import Dispatcher
from pyk.cuda.cudadrv.driver import CudaAPIError

from . import grammar

sys.path.append(str(Path(__file__).parents[2] / "python"))

from support import ptx_machine  # noqa: E402
from support.guarded_memory import GuardedCopies  # noqa: E402

BLOCKS = 3
#: The arrays among the parameters, and those that no thread changes.
NAMES = ["a", "g", "p", "o", "m", "h", "b0", "b1", "b2"]
READ_ONLY = ["a", "g", "p"]

#: Functions whose bits libdevice need not have, which PTX calls if it is there.
INEXACT = re.compile(r"math\.(exp|sin|tanh)\b")

#: Rows and strips of tiles.
TILES = ["1x1", "2x1", "1x2", "4x1", "1x4", "2x2", "8x1", "4x2", "16x1"]


def define(text: str, file: str) -> Dispatcher:
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    scope: dict = {"cuda": cuda, "math": math, "np": np}
    exec(compile(text, file, "exec"), scope)
    return scope["kernel"]


def arguments_of(
    kernel: grammar.Kernel, block: tuple[int, ...], seed: int
) -> list[Any]:
    """What a kernel is launched with, in the order of its parameters."""
    random = np.random.default_rng(seed)
    count = math.prod(block) * BLOCKS
    return [
        random.integers(-5, 30, 4096).astype(kernel.elements),
        random.normal(0, 3, 4096).astype(np.float32),
        random.integers(-2, 9, 8),
        np.zeros((count, 2), np.int64),
        np.zeros((count, 5)),
        np.zeros(BLOCKS * 8, np.int32),
        *(np.zeros(count, dtype) for dtype in kernel.narrow),
        int(random.integers(0, 9)),
        int(random.integers(0, 4)),
        int(count - random.choice([0, 5, 17])),
    ]


def run(
    kernel: Dispatcher, block: tuple[int, ...], arguments: list[Any], seed: int
) -> tuple[list[np.ndarray], str | None]:
    """The arrays that the kernel leaves, and what is wrong with one of them."""
    copies = GuardedCopies(arguments, at_page=seed % 2 == 1)
    wrong = None
    try:
        kernel[BLOCKS, block](*copies.arguments)
    except CudaAPIError as error:
        wrong = f"the launch fails: {error}"
    arrays = copies.arguments[: len(NAMES)]
    wrong = wrong or copies.overwritten([*NAMES, "u", "w", "limit"])
    for name, before, after in zip(NAMES, arguments, arrays):
        if name in READ_ONLY and before.tobytes() != after.tobytes():
            wrong = wrong or f"array {name} changes"
    return arrays, wrong


def bits(array: np.ndarray) -> bytes:
    """The bits of an array, all NaNs alike."""
    if array.dtype.kind == "f":
        array = np.where(np.isnan(array), np.nan, array)
    return array.tobytes()


@contextlib.contextmanager
def compiled_as(way: str, level: str, tile: str) -> Iterator[None]:
    """Kernels that are made within run as `way`, in tiles of `tile`.

    They are compiled for this level of processors; for the PTX machine, which
    `ptx` is, it is the seed of a schedule.
    """
    if way == "ptx":
        with ptx_machine.on_it(int(level)):
            yield
        return
    assert _devices.current().is_cpu
    options = _options.options
    old = options.cpu, options.cpu_level, options.tile
    options.cpu, options.cpu_level, options.tile = way, level, tile
    try:
        yield
    finally:
        options.cpu, options.cpu_level, options.tile = old


def is_open(text: str, shape: tuple[int, ...]) -> bool:
    """Whether CUDA leaves open what a kernel computes in blocks of this shape.

    That is what lanes give to a shuffle that a warp does not have, or that are
    not in its mask.
    """
    is_whole = math.prod(shape) % 32 == 0
    return "shfl" in text and not (is_whole and "_sync(lanes" not in text)


def is_executed(seed: int, tiles: str = "two") -> bool:
    """Whether a run executes the kernel of a seed in a way to be judged."""
    return runs.runs_on_cpu() or any(
        not is_open(written.text, shape)
        for tile in plans_of(seed, tiles)
        for written in [grammar.kernel(seed, tile != "any")]
        for shape in written.shapes
    )


def plans_of(seed: int, tiles: str = "two") -> list[str]:
    """The plan's own tile, and one of those that it may not have taken."""
    both = ["any", TILES[seed % len(TILES)]]
    return {
        "one": [both[seed % 2]],
        "two": both,
        "all": ["any", *TILES],
    }[tiles]


def judge(seed: int, tiles: str = "two") -> tuple[str | None, list[int]]:
    """What is wrong, if anything, and how many shapes ran as vectors.

    These for each of the plans. Where threads meet, a block has one tile.
    """
    vectors = []
    levels = runs.levels()
    on_cpu = [("reference", levels[0]), *(("simd", level) for level in levels)]
    on_ptx = [("reference", levels[0]), ("ptx", str(seed))]
    for tile in plans_of(seed, tiles):
        written = grammar.kernel(seed, tile != "any")
        exact = INEXACT.sub("math.floor", written.text)
        forms = [(written.text, way) for way in on_cpu if runs.runs_on_cpu()]
        forms += [(exact, way) for way in on_ptx if runs.runs_on_ptx()]
        expected: list[list[np.ndarray]] = []
        for text, (way, level) in forms:
            if way == "reference":
                expected = []
            with compiled_as(way, level, tile):
                name = f"<blocks {seed} {way} {level} {tile}>"
                kernel = define(text, name)
                for number, shape in enumerate(written.shapes):
                    if way == "ptx" and is_open(text, shape):
                        continue
                    arguments = arguments_of(written, shape, seed)
                    arrays, wrong = run(kernel, shape, arguments, seed)
                    if way == "reference":
                        expected.append(arrays)
                    for array, one, other in zip(
                        NAMES, expected[number], arrays
                    ):
                        if not wrong and bits(one) != bits(other):
                            wrong = f"array {array} differs"
                    if wrong:
                        return (
                            f"{wrong} in blocks of {shape}, tiles of {tile}, "
                            f"run as {way} for {level}"
                        ), vectors
            if way == "simd":
                variants = kernel._variants.functions
                vectors.append(sum(block is not None for *_, block in variants))
    return None, vectors


def main() -> int:
    if runs.runs_on_ptx():
        ptx_machine.use()
    status = 0
    tiles = sys.argv[3] if sys.argv[3:] else "two"
    for seed in range(int(sys.argv[1]), int(sys.argv[2])):
        if not is_executed(seed, tiles):
            continue
        print(f"seed {seed}", flush=True)
        wrong, vectors = judge(seed, tiles)
        print(f"vectors {sum(vectors)}", flush=True)
        if wrong:
            print(f"wrong {wrong}", flush=True)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
