# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""GPU Puzzles: a checkout of a fork with solutions in GPU_puzzlers.py.

The puzzles' own harness draws pictures; what it checks is done here: each
kernel gives what the puzzle's NumPy function gives.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from checks import case, load, main

#: Solutions that are right by luck on some machines, and why.
UNSOUND = {
    "Sum (Full)": "its last block adds shared elements that no thread wrote",
    "Matmul (Full)": "no barrier stands between reading a tile and writing "
    "the next one",
}


@dataclass
class Coord:
    x: int
    y: int


@dataclass
class CudaProblem:
    """A puzzle, with the fields of the program's class."""

    name: str
    fn: Any
    inputs: list[Any]
    out: Any
    args: list[Any] = field(default_factory=list)
    blockspergrid: Coord = field(default_factory=lambda: Coord(1, 1))
    threadsperblock: Coord = field(default_factory=lambda: Coord(1, 1))
    spec: Any = None

    def show(self, **options: object) -> None:
        pass

    def check(self) -> None:
        if self.name in UNSOUND:
            print(f"  excluded {self.name}: {UNSOUND[self.name]}")
            return
        from numba import cuda

        kernel = cuda.jit(self.fn(cuda))
        blocks, threads = self.blockspergrid, self.threadsperblock
        try:
            kernel[(blocks.x, blocks.y), (threads.x, threads.y)](
                self.out, *self.inputs, *self.args
            )
            np.testing.assert_allclose(self.out, self.spec(*self.inputs))
        except Exception as error:
            words = f"{type(error).__name__}: {error}"
            wrong.append(f"{self.name}: {words.strip().splitlines()[0]}")
        else:
            right.append(self.name)


right: list[str] = []
wrong: list[str] = []


@case
def puzzles(checkout: Path) -> None:
    lib = ModuleType("lib")
    lib.__dict__.update(CudaProblem=CudaProblem, Coord=Coord)
    sys.modules["lib"] = lib
    load(checkout / "GPU_puzzlers.py", "GPU_puzzlers")
    print(f"  {len(right)} puzzles right, {len(wrong)} wrong")
    assert right and not wrong, "; ".join(wrong)


main()
