# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a kernel as vectors and as threads, and compares what it leaves."""

import functools
import os
import platform
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from pyk import _options, cuda
from pyk.cuda._dispatcher import Dispatcher
from support.guarded_memory import GuardedCopies

Shape = tuple[int, ...]


def blocks_of(kernel: Dispatcher) -> set[Any]:
    """The shapes that variants of `kernel` are for; None is any."""
    return {block for *_, block in kernel._variants.functions}


@functools.cache
def has_vectors() -> bool:
    """Whether the processor has vectors of 4 lanes, and may use them."""
    if platform.machine() != "x86_64":
        return platform.machine() == "aarch64"
    if os.environ.get("PYK_CPU_LEVEL") in ("x86-64", "x86-64-v2"):
        return False
    return {"avx2", "fma"} <= set(Path("/proc/cpuinfo").read_text().split())


def run(
    way: str, make: Callable[[], Any], grid: Shape, block: Shape, *args: Any
) -> tuple[list[np.ndarray], set[Any]]:
    """What a kernel leaves in its arrays, and the shapes of its variants.

    It leaves what is around the arrays as it was. As vectors it is launched on
    arrays that end where memory can no longer be accessed.
    """
    old, _options.options.cpu = _options.options.cpu, way
    try:
        kernel = make()
        copies = GuardedCopies(args, at_page=way == "simd")
        kernel[grid, block](*copies.arguments)
        names = [f"argument {number}" for number in range(len(args))]
        assert copies.overwritten(names) is None
        arrays = [a for a in copies.arguments if isinstance(a, np.ndarray)]
        return arrays, blocks_of(kernel)
    finally:
        _options.options.cpu = old


@functools.cache
def shared(function: Callable[..., Any]) -> Dispatcher:
    """The kernel of `function` for all cases that run it one thread after the
    other: what is compiled for that is the same for blocks of any shape.
    """
    return cuda.jit(function)


def agree(
    make: Callable[[], Any],
    grid: Shape,
    block: Shape,
    *args: Any,
    reference: Callable[[], Any] | None = None,
) -> list[np.ndarray]:
    """What a kernel leaves in its arrays as vectors, and so as threads.

    `reference` makes the kernel that runs as threads, where that is another
    than the one of `make`.
    """
    expected, shapes = run("reference", reference or make, grid, block, *args)
    assert shapes == {None}
    found, shapes = run("simd", make, grid, block, *args)
    assert shapes == {(*block, 1, 1)[:3]}
    for one, other in zip(found, expected, strict=True):
        assert one.tobytes() == other.tobytes()
    return found
