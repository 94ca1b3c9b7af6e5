# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a kernel as threads and as vectors, and compares what it leaves.

As a program it judges seeds, from the first to before the last one, and prints
a line for each; with a third word, `all`, in every tile that a block may have.
"""

import linecache
import math
import sys

import numpy as np

from pyk import _options, cuda
from pyk.cuda._dispatcher import Dispatcher

from . import grammar

BLOCKS = 3

#: Rows and strips of tiles.
TILES = ["1x1", "2x1", "1x2", "4x1", "1x4", "2x2", "8x1", "4x2", "16x1"]


def define(text: str, file: str) -> Dispatcher:
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    scope: dict = {"cuda": cuda, "math": math, "np": np}
    exec(compile(text, file, "exec"), scope)
    return scope["kernel"]


def run(kernel: Dispatcher, block: tuple[int, int], seed: int) -> list[bytes]:
    """The bits that the kernel leaves in its arrays, all NaNs alike."""
    random = np.random.default_rng(seed)
    count = block[0] * block[1] * BLOCKS
    whole = random.integers(-5, 30, 4096)
    real = random.normal(0, 3, 4096).astype(np.float32)
    few = random.integers(-2, 9, 8)
    arrays = [
        np.zeros((count, 2), np.int64),
        np.zeros((count, 5)),
        np.zeros(BLOCKS * 8, np.int32),
    ]
    scalars = random.integers(0, 9), random.integers(0, 4)
    limit = count - random.choice([0, 5, 17])
    kernel[BLOCKS, block](
        *(whole, real, few, *arrays),
        *(int(scalars[0]), int(scalars[1]), int(limit)),
    )
    arrays[1][np.isnan(arrays[1])] = np.nan
    return [array.tobytes() for array in arrays]


def as_way(
    way: str, text: str, seed: int, tile: str = "any"
) -> tuple[Dispatcher, list]:
    _, shapes = grammar.kernel(seed, tile != "any")
    options = _options.options
    old = options.cpu, options.tile
    options.cpu, options.tile = way, tile
    try:
        kernel = define(text, f"<blocks {seed} {way} {tile}>")
        return kernel, [run(kernel, shape, seed) for shape in shapes]
    finally:
        options.cpu, options.tile = old


def plans_of(seed: int) -> list[str]:
    """The plan's own tile, and one of those that it may not have taken."""
    return ["any", TILES[seed % len(TILES)]]


def judge(
    seed: int, plans: list[str] | None = None
) -> tuple[str | None, list[int]]:
    """What is wrong, if anything, and how many shapes ran as vectors.

    These for each of the plans. Where threads meet, a block has one tile.
    """
    vectors = []
    for tile in plans or plans_of(seed):
        text, shapes = grammar.kernel(seed, tile != "any")
        _, expected = as_way("reference", text, seed, tile)
        kernel, found = as_way("simd", text, seed, tile)
        variants = kernel._variants.functions
        vectors.append(sum(block is not None for *_, block in variants))
        for shape, one, other in zip(shapes, expected, found):
            for name, left, right in zip("omh", one, other):
                if left != right:
                    wrong = f"array {name} differs in blocks of {shape}"
                    return f"{wrong}, tiles of {tile}", vectors
    return None, vectors


def main() -> int:
    status = 0
    plans = ["any", *TILES] if sys.argv[3:] == ["all"] else None
    for seed in range(int(sys.argv[1]), int(sys.argv[2])):
        print(f"seed {seed}", flush=True)
        wrong, vectors = judge(seed, plans)
        print(f"vectors {sum(vectors)}", flush=True)
        if wrong:
            print(f"wrong {wrong}", flush=True)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
