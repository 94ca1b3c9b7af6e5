# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Threads that would leave memory are reported together, whatever the tile."""

from pathlib import Path

import pytest

from support.programs import run_program

WAYS = ["reference", "simd"]

pytestmark = pytest.mark.on_the_cpu(reason="a GPU is lost after that")

HEAD = """\
import numpy as np
from pyk import cuda


"""

# The check of exact offsets differs by thread, the address does not.
UNIFORM_ADDRESS = """\
@cuda.jit
def kernel(out, p, q):
    x = cuda.threadIdx.x
    s = cuda.shared.array((64, 1), np.float32)
    s[x, 0] = 1.0
    cuda.syncthreads()
    i = np.uint64(x) + p
    j = q - np.uint64(x)
    {access}
    cuda.syncthreads()
    out[x] += s[x, 0]


out = np.zeros(64, np.float32)
kernel[1, 64](out, np.uint64(10**12), np.uint64(64))
print(out.sum())
"""

# The result of a check that all threads share is used behind a barrier, so that
# the whole block is one tile: 341 vectors of 4 lanes.
LONG_TILE = """\
@cuda.jit
def kernel(a, starts, g, out):
    x = cuda.threadIdx.x
    y = cuda.threadIdx.y
    s = cuda.shared.array((341, 3), np.float64)
    w = g[starts[0]]
    s[y, x] = a[y, x]
    cuda.syncthreads()
    out[y, x] = w + s[340 - y, x]


out = np.zeros((341, 3))
kernel[1, (3, 341)](np.ones((341, 3)), np.array([2000]), np.ones(1023), out)
print(out.sum())
"""

# Of a block of several dimensions only some threads leave an array, by their
# own and by common indices.
SOME_THREADS = """\
@cuda.jit
def kernel(a, rows, columns, out):
    i, j = cuda.grid(2)
    if i < out.shape[0] and j < out.shape[1]:
        out[i, j] = a[rows[i, j], columns[0]]


rows = np.zeros((19, 21), np.int64)
rows[7, 3:5] = 100
rows[8, 20] = 50
out = np.zeros((19, 21))
kernel[(3, 6), (8, 4)](np.ones((6, 6)), rows, np.array([4]), out)
print(out.sum())
"""


def run(program: str, way: str, tmp_path: Path) -> tuple[str, list[str]]:
    """What a program prints, and the warnings."""
    done = run_program(tmp_path, HEAD + program, PYK_CPU=way)
    assert done.returncode == 0, done.stderr
    told = [line for line in done.stderr.splitlines() if "Warning" in line]
    return done.stdout, [line.partition("Warning: ")[2] for line in told]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("access", "printed", "verb", "rest"),
    [
        ("out[x] = s[i, j]", "64.0", "reads", "reads give 0"),
        ("s[i, j] = 7.0", "64.0", "writes", "writes are dropped"),
    ],
)
def test_addresses_that_all_threads_share(
    access: str, printed: str, verb: str, rest: str, way: str, tmp_path: Path
) -> None:
    program = UNIFORM_ADDRESS.format(access=access)
    out, told = run(program, way, tmp_path)
    assert out == f"{printed}\n"
    assert told == [
        f"kernel 'kernel' {verb} s[1000000000000, 64], outside of the array's "
        f"memory; such {rest} (thread [0, 0, 0] of block [0, 0, 0] and 63 more "
        "threads)"
    ]


@pytest.mark.parametrize("way", WAYS)
def test_tiles_of_more_than_255_vectors(way: str, tmp_path: Path) -> None:
    out, told = run(LONG_TILE, way, tmp_path)
    assert out == "1023.0\n"
    assert told == [
        "kernel 'kernel' reads g[2000], outside of the array's memory; such "
        "reads give 0 (thread [0, 0, 0] of block [0, 0, 0] and 1022 more "
        "threads)"
    ]


@pytest.mark.parametrize("way", WAYS)
def test_some_threads_of_several_dimensions(way: str, tmp_path: Path) -> None:
    out, told = run(SOME_THREADS, way, tmp_path)
    assert out == f"{19 * 21 - 3}.0\n"
    assert told == [
        "kernel 'kernel' reads a[100, 4], outside of the array's memory; such "
        "reads give 0 (thread [7, 3, 0] of block [0, 0, 0] and 2 more threads)"
    ]
