# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Groups of threads: the grid, whose blocks wait for each other."""

import json
import subprocess
import sys

import numpy as np
import pytest

from pyk import _options, cuda
from pyk.cuda.errors import CudaAPIError
from pyk.types import float64, void
from support.stand_in_driver import output

#: The last is no multiple of a warp.
BLOCKS = [(4, 32), (3, (16, 4)), (7, 19)]


@cuda.jit
def rotate(a, turns):
    """Each element goes to the one before it, across blocks."""
    g = cuda.cg.this_grid()
    i = cuda.blockIdx.x * (cuda.blockDim.x * cuda.blockDim.y)
    i += cuda.threadIdx.y * cuda.blockDim.x + cuda.threadIdx.x
    for _ in range(turns):
        taken = a[(i + 1) % a.size]
        g.sync()
        a[i] = taken
        g.sync()


@pytest.mark.parametrize("grid, block", BLOCKS)
def test_blocks_see_what_others_wrote(grid, block):
    a = np.arange(grid * np.prod(block))
    rotate[grid, block](a, 5)
    np.testing.assert_array_equal(a, np.roll(np.arange(a.size), -5))


def test_device_functions_wait_for_the_grid():
    """A kernel that has no barrier itself is launched as one that has."""

    @cuda.jit(device=True)
    def wait(depth):
        cuda.cg.this_grid().sync()
        return wait(depth - 1) if depth else 7

    @cuda.jit
    def k(a, out):
        i = cuda.grid(1)
        a[i] = i
        wait(2)
        out[i] = a[a.size - 1 - i]

    out = np.zeros(128, np.int64)
    k[4, 32](np.zeros_like(out), out)
    assert out.tolist() == [*range(127, -1, -1)]


def test_grid_of_three_dimensions():
    @cuda.jit
    def k(sums, out):
        x, y, z = cuda.grid(3)
        g = cuda.cg.this_grid()
        cuda.atomic.add(sums, z, x + 10 * y)
        g.sync()
        out[x, y, z] = sums[(z + 1) % sums.size]

    sums = np.zeros(6, np.int64)
    out = np.zeros((4, 6, 6), np.int64)
    k[(2, 3, 2), (2, 2, 3)](sums, out)
    expected = sum(x + 10 * y for x in range(4) for y in range(6))
    assert (out == expected).all()


def test_jacobi_with_the_whole_grid():
    """One launch for all sweeps."""

    @cuda.jit
    def sweep(a, b, turns):
        g = cuda.cg.this_grid()
        i, j = cuda.grid(2)
        inner = 0 < i < a.shape[0] - 1 and 0 < j < a.shape[1] - 1
        for turn in range(turns):
            if inner:
                if turn % 2 == 0:
                    b[i, j] = 0.25 * (
                        a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1]
                    )
                else:
                    a[i, j] = 0.25 * (
                        b[i - 1, j] + b[i + 1, j] + b[i, j - 1] + b[i, j + 1]
                    )
            g.sync()

    expected = np.random.default_rng(3).random((20, 30))
    for block in (4, 15), (8, 8), (7, 5):
        a, b = expected.copy(), expected.copy()
        grid = tuple(-(-n // m) for n, m in zip(a.shape, block, strict=True))
        sweep[grid, block](a, b, 10)
        c = expected.copy()
        for _ in range(10):
            c[1:-1, 1:-1] = 0.25 * (
                c[:-2, 1:-1] + c[2:, 1:-1] + c[1:-1, :-2] + c[1:-1, 2:]
            )
        np.testing.assert_allclose(a, c, rtol=1e-14)


def test_the_group_is_a_value():
    """It can be passed, kept in a variable of a loop, and yields int32."""

    @cuda.jit(device=True)
    def meet(group, out):
        out[1] = group.sync()

    @cuda.jit
    def k(out):
        for _ in range(3):
            g = cuda.cg.this_grid()
            h = g
            meet(h, out)
        out[0] = out.size + cuda.cg.this_grid().sync()

    out = np.full(2, 7)
    k[3, 33](out)
    assert out.tolist() == [2, 0]


@cuda.jit(void(float64[::1]))
def alone(a):
    a[0] = 1


@cuda.jit(void(float64[::1]))
def group_only(a):
    cuda.cg.this_grid()
    a[0] = 1


@cuda.jit(void(float64[::1]))
def with_sync(a):
    cuda.cg.this_grid().sync()
    a[0] = 1


def test_kernels_know_that_they_are_cooperative():
    def is_cooperative(kernel):
        (overload,) = kernel.overloads.values()
        module, *_ = kernel._variants.modules.values()
        (entry,) = json.loads(module.manifest)["kernels"]
        assert entry.get("cooperative", False) is overload.cooperative
        return overload.cooperative

    for kernel in alone, group_only, with_sync:
        a = np.zeros(1)
        kernel[1, 1](a)
        assert a[0] == 1
    assert not is_cooperative(alone)
    assert is_cooperative(group_only)
    assert is_cooperative(with_sync)


@pytest.fixture(params=["auto", "reference"])
def count_twice(request, monkeypatch):
    """Counts blocks before a barrier and behind it, if all are known there."""
    monkeypatch.setattr(_options.options, "cpu", request.param)

    @cuda.jit
    def kernel(counts):
        if cuda.threadIdx.x == 0:
            cuda.atomic.add(counts, 0, 1)
        cuda.cg.this_grid().sync()
        if cuda.threadIdx.x == 0 and counts[0] == cuda.gridDim.x:
            cuda.atomic.add(counts, 1, 1)

    return kernel


@pytest.mark.on_the_cpu(reason="a GPU has no room for more")
def test_as_many_blocks_as_it_says_and_more(count_twice):
    counts = np.zeros(2, np.int32)
    count_twice[1, 1](counts)
    (overload,) = count_twice.overloads.values()
    most = overload.max_cooperative_grid_blocks(512)
    assert most > 0
    assert most == overload.max_cooperative_grid_blocks((16, 32))
    assert most == overload.max_cooperative_grid_blocks((8, 8, 8), 1024)
    assert most == overload.max_cooperative_grid_blocks(
        blockdim=512, dynsmemsize=0
    )
    for blocks in most, most + 3:
        counts[:] = 0
        count_twice[blocks, 512](counts)
        assert counts.tolist() == [blocks, blocks]


@pytest.mark.on_the_cpu(reason="a GPU has no room for so many")
def test_blocks_beyond_those_that_could_wait_by_memory(count_twice):
    counts = np.zeros(2, np.int32)
    count_twice[40_000, 1](counts)
    assert counts.tolist() == [40_000, 40_000]


@pytest.mark.on_the_cpu(reason="the driver has another error")
def test_blocks_for_which_there_is_no_memory(count_twice):
    counts = np.zeros(2, np.int32)
    with pytest.raises(
        CudaAPIError,
        match="a grid waits for all of its blocks, and there is memory for "
        r"\d+ of 512 threads at most; launch fewer blocks",
    ):
        count_twice[2**31 - 1, 512](counts)
    assert counts.tolist() == [0, 0]


@pytest.mark.on_the_cpu(reason="a GPU may hang")
@pytest.mark.parametrize("debug", [False, True])
def test_block_that_does_not_come(debug):
    @cuda.jit(debug=debug)
    def k(a):
        if cuda.blockIdx.x != 1:
            cuda.cg.this_grid().sync()
        a[cuda.blockIdx.x] = 1

    with pytest.raises(
        Exception, match="a block waits for the whole grid, of which other"
    ):
        k[3, 4](np.zeros(3))


@pytest.mark.on_the_cpu(reason="a GPU hangs")
@pytest.mark.parametrize("block", [1, 4])
@pytest.mark.parametrize("is_queued", [False, True])
def test_blocks_that_wait_for_one_that_has_failed(block, is_queued):
    """What made it fail is told, and not that others wait in vain."""

    @cuda.jit(debug=True, opt=False)
    def k(a):
        a[cuda.blockIdx.x * 3] = 1
        cuda.cg.this_grid().sync()

    a = cuda.to_device(np.zeros(4))
    stream = cuda.stream() if is_queued else 0
    with pytest.raises(IndexError, match=r"ctaid=\[0, 0, 2\]"):
        k[3, block, stream](a)
    k[2, block, stream](a)


def test_no_other_groups():
    @cuda.jit
    def k(a):
        cuda.cg.this_grid().size()

    message = "grid_group has no attribute 'size'"
    with pytest.raises(cuda.errors.TypingError, match=message):
        k[1, 1](np.zeros(1))


def test_barriers_of_the_grid_are_code_of_the_kernel():
    """It takes no library, and a word that only cooperative launches have."""
    (overload,) = with_sync.overloads.values()
    ptx = overload.stage("ptx")
    assert ".extern" not in ptx
    assert "%envreg1" in ptx and "%envreg2" in ptx


@pytest.mark.parametrize(
    "options",
    [{"debug": True, "opt": False}, {"lineinfo": True}, {"opt": False}],
)
def test_barriers_of_the_grid_with_debug_information(options):
    @cuda.jit(void(float64[::1]), **options)
    def k(a):
        cuda.cg.this_grid().sync()
        a[0] = 2

    (ptx,) = k.inspect_asm().values()
    assert "%envreg1" in ptx and ".extern" not in ptx


def test_programs_of_numba():
    program = """
import pyk
pyk.install_as_numba()
import numba.cuda.cg
import numpy as np
from numba import cuda
from numba.cuda import cg
from numba.cuda.cg import this_grid

@cuda.jit
def k(a):
    cuda.cg.this_grid().sync()
    cg.this_grid().sync()
    g = numba.cuda.cg.this_grid()
    a[0] += g.sync() + 1 + this_grid().sync()

a = np.zeros(1)
k[1, 1](a)
print(a)
"""
    result = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True
    )
    assert (result.stdout, result.stderr) == ("[1.]\n", "")


@pytest.mark.parametrize("checks", [False, True])
def test_launches_on_a_gpu_are_cooperative(checks):
    """The driver refuses those that have no room, and only those."""
    lines = output(f"""
from pyk.cuda.cudadrv.driver import CudaAPIError

@cuda.jit(boundscheck={checks})
def meet(a):
    cuda.cg.this_grid().sync()
    a[0] = 1

there = cuda.to_device(np.zeros(1))
meet[1, 1](there)
(overload,) = meet.overloads.values()
most = overload.max_cooperative_grid_blocks(256)
meet[most, 256](there)
add[100 * most, 256](there, 1)
try:
    meet[most + 1, 256](there)
except CudaAPIError as error:
    print(most, error)
""")
    assert len(lines) == 1
    assert lines[0].startswith("32 ")
    assert "CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE" in lines[0]
