# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times the kernels of `ptx` on a GPU, beside nvcc's, numba-cuda's and CuPy's.

Each measures in a process of its own, since PyK takes Numba's name:

    _ptx_times.py PEER RUNS SIDE

CuPy also launches what nvcc compiles. Its own are not these kernels but what a
user of arrays writes instead, where that is one call.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from _ptx_kernels import CASES, CUDA_SOURCE, WAYS, Way
from _report import Groups, Samples

# Blocks, threads, arguments.
Launch = tuple[Any, Any, list[Any]]

#: Elements of a matrix along each axis; vectors have as many in all. The
#: smaller ones are for devices on which PyK takes too long with larger ones.
SIDES = (4096, 512, 64)
RUNS = 20


def vector(size: int) -> np.ndarray:
    return np.random.default_rng(14).random(size, np.float32)


def along(size: int, *arguments: Any) -> Launch:
    """A thread for each of `size` elements."""
    return -(-size // 256), 256, list(arguments)


def across(height: int, width: int, *arguments: Any) -> Launch:
    """A thread for each element of a matrix."""
    return (-(-width // 32), -(-height // 8)), (32, 8), list(arguments)


def launch_of(name: str, side: int) -> Launch:
    """What the kernel is launched with; `side` is a multiple of 64."""
    n = side * side
    a, b, c = (vector(n) for _ in range(3))
    plane, other = a.reshape(side, side), b.reshape(side, side)
    depth = round(n ** (1 / 3))
    cube = vector(depth**3).reshape(depth, depth, depth)
    part = side // 4
    small = [vector(part * part).reshape(part, part) for _ in range(3)]
    bodies = side * 4
    ones = np.float32(1)
    rows = n // 16
    # Each thread has several elements.
    strided = min(1056, n // 4096), 256
    integers = np.random.default_rng(14).integers(0, 256, n).astype(np.int32)
    image = integers.astype(np.uint8).reshape(side, side)
    return {
        "vadd": lambda: along(n, a, b, c),
        "saxpy": lambda: along(n, ones, a, b),
        "saxpy_stride": lambda: (*strided, [ones, a, b]),
        "jacobi": lambda: across(side, side, plane, other),
        "stencil3d": lambda: (
            (-(-depth // 32), -(-depth // 4), -(-depth // 2)),
            (32, 4, 2),
            [cube, np.zeros_like(cube)],
        ),
        "matmul": lambda: across(part, part, *small),
        "matmul_tiled": lambda: (
            (part // 16, part // 16),
            (16, 16),
            list(small),
        ),
        "transpose": lambda: (
            (side // 32, side // 32),
            (32, 8),
            [plane, other],
        ),
        "reduce": lambda: along(n, a, vector(n // 256)),
        "reduce_stride": lambda: (*strided, [a, vector(1)]),
        "reduce_warp": lambda: (*strided, [a, vector(1)]),
        "histogram": lambda: (*strided, [integers, np.zeros(256, np.int32)]),
        "scan": lambda: along(n, a, b),
        "mandelbrot": lambda: across(
            side,
            side,
            *(np.float32(-2), np.float32(-1.25)),
            *(np.float32(2.5 / side), np.float32(2.5 / side)),
            *(np.zeros((side, side), np.int32), np.int32(256)),
        ),
        "nbody": lambda: along(bodies, *(vector(bodies) for _ in range(7))),
        "blackscholes": lambda: along(
            n,
            *(a + ones, b + ones, c + ones, np.zeros_like(a), np.zeros_like(a)),
            *(np.float32(0.02), np.float32(0.3)),
        ),
        "spmv": lambda: along(
            rows,
            np.arange(0, n + 1, 16, dtype=np.int32),
            integers * np.int32(rows // 256),
            *(a, vector(rows), vector(rows)),
        ),
        "softmax": lambda: (side, 256, [plane, other]),
        "bitonic": lambda: along(n, a, np.int32(n // 4), np.int32(n // 2)),
        "fft_step": lambda: along(n // 2, a, b, np.int32(n // 4)),
        "montecarlo": lambda: along(rows, integers[:rows], np.int32(256)),
        "conv1d": lambda: along(n, a, b),
        "gray": lambda: across(
            side, side, np.stack([image] * 3, 2), np.zeros_like(image)
        ),
        "life": lambda: across(
            side,
            side,
            integers.reshape(side, side) % np.int32(2),
            np.zeros((side, side), np.int32),
        ),
        "collatz": lambda: along(n, integers),
    }[name]()


def sample(cuda: Any, runs: int, launch: Callable[[], object]) -> Samples:
    """Milliseconds between two events; the first run compiles.

    `cuda` has events as Numba has them.
    """
    samples = []
    for run in range(runs + 1):
        start, end = cuda.event(), cuda.event()
        start.record()
        launch()
        end.record()
        end.synchronize()
        if run:
            samples.append(cuda.event_elapsed_time(start, end))
    return samples


def time_numba(way: Way, runs: int, side: int) -> dict[str, Samples]:
    """PyK if it is installed as Numba, otherwise Numba."""
    from numba import cuda

    times = {}
    for name, kernel in way.load().items():
        blocks, threads, arguments = launch_of(name, side)
        given = [cuda.to_device(one) if one.ndim else one for one in arguments]
        times[name] = sample(
            cuda,
            runs,
            lambda ready=kernel[blocks, threads], given=given: ready(*given),
        )
    return times


class CupyEvents:
    """CuPy's events under Numba's names."""

    def __init__(self, cupy: Any) -> None:
        self.event = cupy.cuda.Event
        self.event_elapsed_time = cupy.cuda.get_elapsed_time


def time_nvcc(way: Way, runs: int, side: int) -> dict[str, Samples]:
    """What nvcc makes of the kernels in CUDA C++, launched by CuPy."""
    import _toolchain
    import cupy

    chip = f"sm_{cupy.cuda.Device().compute_capability}"
    with tempfile.TemporaryDirectory(prefix="pyk-") as folder:
        path = Path(folder, "kernels.ptx")
        path.write_text(_toolchain.ptx_of(CUDA_SOURCE, way.nvcc_options, chip))
        module = cupy.RawModule(path=str(path))
        kernels = {name: module.get_function(name) for name in CASES}
    times = {}
    for name, kernel in kernels.items():
        blocks, threads, arguments = launch_of(name, side)
        extents = map(np.int32, CASES[name].extents(*arguments))
        given = [
            *(cupy.asarray(one) if one.ndim else one for one in arguments),
            *extents,
        ]
        shapes = [
            shape if isinstance(shape, tuple) else (shape,)
            for shape in (blocks, threads)
        ]
        times[name] = sample(
            CupyEvents(cupy),
            runs,
            lambda kernel=kernel, shapes=shapes, given=given: kernel(
                *shapes, tuple(given)
            ),
        )
    return times


def time_cupy(_: Way, runs: int, side: int) -> dict[str, Samples]:
    """Calls of CuPy's that do what a kernel does."""
    import cupy

    calls: dict[str, Callable[..., object]] = {
        "vadd": lambda a, b, c: cupy.add(a, b, out=c),
        "saxpy": lambda a, x, y: cupy.add(a * x, y, out=y),
        "matmul": lambda a, b, c: cupy.matmul(a, b, out=c),
        "transpose": lambda a, out: cupy.copyto(out, a.T),
        "reduce_stride": lambda x, out: cupy.sum(x, out=out[0]),
        "histogram": lambda x, bins: cupy.bincount(x, minlength=bins.size),
    }
    times = {}
    for name, call in calls.items():
        _, _, arguments = launch_of(name, side)
        given = [cupy.asarray(one) if one.ndim else one for one in arguments]
        times[name] = sample(
            CupyEvents(cupy),
            runs,
            lambda call=call, given=given: call(*given),
        )
    return times


def time_pyk(way: Way, runs: int, side: int) -> dict[str, Samples]:
    import pyk

    pyk.install_as_numba()
    return time_numba(way, runs, side)


#: In the order in which they are measured, PyK first.
PEERS: dict[str, tuple[Callable[[Way, int, int], dict[str, Samples]], Way]] = {
    "PyK, plain": (time_pyk, WAYS["plain"]),
    "nvcc": (time_nvcc, WAYS["plain"]),
    "numba-cuda": (time_numba, WAYS["plain"]),
    "CuPy": (time_cupy, WAYS["plain"]),
    "PyK, narrow": (time_pyk, WAYS["narrow"]),
    "PyK, fastmath": (time_pyk, WAYS["fastmath"]),
    "nvcc, fastmath": (time_nvcc, WAYS["fastmath"]),
}


def measure_peer(
    peer: str, runs: int, side: int, limit: float | None
) -> dict[str, Samples] | str | None:
    """The times of a peer by kernel, or why there are none.

    None if it takes longer than `limit` seconds.
    """
    try:
        result = subprocess.run(
            [sys.executable, __file__, peer, str(runs), str(side)],
            capture_output=True,
            text=True,
            timeout=limit,
        )
    except subprocess.TimeoutExpired:
        return None
    if result.returncode:
        return "".join(result.stderr.strip().splitlines()[-1:])
    times: dict[str, Samples] = json.loads(result.stdout)
    return times


def compare(ours: dict[str, Samples], theirs: dict[str, Samples]) -> float:
    """Our times through theirs: the geometric mean over what both have."""
    return statistics.geometric_mean(
        statistics.median(ours[name]) / statistics.median(theirs[name])
        for name in ours.keys() & theirs.keys()
    )


def measure(
    runs: int, limit: float | None = None, sides: Sequence[int] = SIDES
) -> Groups:
    """By kernel, then by peer.

    Prints of each peer, when it is measured, its times beside PyK's, or why it
    is left out; one that takes longer than `limit` seconds is. Every peer gets
    matrices of the first of `sides` with which PyK needs no more than that, or
    else of the last.
    """
    groups: Groups = {name: {} for name in CASES}
    ours: dict[str, Samples] = {}
    first = next(iter(PEERS))
    rest = [*sides]
    for peer in PEERS:
        while (
            (times := measure_peer(peer, runs, rest[0], limit)) is None
            and peer == first
            and len(rest) > 1
        ):
            slow = rest.pop(0)
            print(
                f"matrices of {rest[0]} x {rest[0]} elements: {first} takes "
                f"longer than {limit:g} s with {slow} x {slow}",
                flush=True,
            )
        if times is None:
            times = f"it takes longer than {limit:g} s"
        if isinstance(times, str):
            print(f"{peer} is left out: {times}", flush=True)
            continue
        for name, samples in times.items():
            groups[name][peer] = samples
        shown = [
            f"{name} {statistics.median(samples):.4g}"
            for name, samples in times.items()
        ]
        print(f"{peer}, ms: {', '.join(shown)}", flush=True)
        if peer == first:
            ours = times
        elif ours:
            ratio = compare(ours, times)
            print(f"{first} / {peer}: {ratio:.3f}", flush=True)
    return groups


if __name__ == "__main__":
    timer, its_way = PEERS[sys.argv[1]]
    json.dump(timer(its_way, *map(int, sys.argv[2:])), sys.stdout)
