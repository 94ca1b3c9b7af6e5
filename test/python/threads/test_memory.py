# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shared and local memory, and barriers, on the CPU target."""

import re
import subprocess
import sys

import numpy as np
import pytest

from pyk import cuda, types
from support import simd_agreement

BLOCK = 32


@pytest.mark.parametrize("size", [1, 31, 32, 33, 100])
def test_reduction_in_shared_memory(size):
    @cuda.jit
    def total(a, out):
        buffer = cuda.shared.array(BLOCK, types.float64)
        t = cuda.threadIdx.x
        i = cuda.grid(1)
        buffer[t] = a[i] if i < a.size else 0.0
        cuda.syncthreads()
        step = BLOCK // 2
        while step > 0:
            if t < step:
                buffer[t] += buffer[t + step]
            cuda.syncthreads()
            step //= 2
        if t == 0:
            out[cuda.blockIdx.x] = buffer[0]

    a = np.arange(1.0, 1 + size)
    blocks = -(-size // BLOCK)
    out = np.zeros(blocks)
    total[blocks, BLOCK](a, out)
    assert out.sum() == a.sum()


# Numbers in more than half of what a block has.
LARGE = 6400


def reverse_behind_return(a, out):
    i = cuda.grid(1)
    if i >= a.size:
        return
    s = cuda.shared.array(LARGE, np.float32)
    s[i] = a[i]
    cuda.syncthreads()
    out[i] = s[a.size - 1 - i]


def reverse_in_branch(a, out):
    i = cuda.grid(1)
    if i < a.size:
        s = cuda.shared.array(LARGE, np.float32)
        s[i] = a[i]
        cuda.syncthreads()
        out[i] = s[a.size - 1 - i]


def reverse_in_loop(a, out):
    i = cuda.grid(1)
    for _ in range(2):
        if i < a.size:
            s = cuda.shared.array(LARGE, np.float32)
            s[i] = a[i]
        cuda.syncthreads()
        if i < a.size:
            out[i] = s[a.size - 1 - i]
        cuda.syncthreads()


@pytest.mark.parametrize(
    "function", [reverse_behind_return, reverse_in_branch, reverse_in_loop]
)
@pytest.mark.parametrize("size", [1, 33, 200, 256])
@pytest.mark.parametrize("way", ["reference", "auto"])
def test_shared_array_in_a_branch_is_one(function, size, way):
    a = np.arange(1, 1 + size, dtype=np.float32)
    (_, found), _ = simd_agreement.run(
        way, lambda: cuda.jit(function), 1, 256, a, np.zeros_like(a)
    )
    assert found.tolist() == a[::-1].tolist()


def test_kernels_of_a_program_count_apart(tmp_path):
    names = ["first", "second", "third"]
    text = "import numpy as np\nfrom pyk import cuda\n"
    for name in names:
        text += f"""
@cuda.jit("void(float32[:])")
def {name}(a):
    s = cuda.shared.array({LARGE}, np.float32)
    s[cuda.threadIdx.x] = a[0]
    cuda.syncthreads()
    a[cuda.threadIdx.x] = s[0]
"""
    file = tmp_path / "program.py"
    file.write_text(text)
    done = subprocess.run(
        [sys.executable, "-m", "pyk", "--emit=ptx", file],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    for name in names:
        assert f".entry {name}(" in done.stdout
    assert done.stdout.count(f"[{4 * LARGE}];") == len(names)


def test_tiled_matrix_product():
    tile = 4

    @cuda.jit
    def matmul(a, b, c):
        sa = cuda.shared.array((tile, tile), np.float32)
        sb = cuda.shared.array((tile, tile), np.float32)
        i, j = cuda.grid(2)
        ti, tj = cuda.threadIdx.x, cuda.threadIdx.y
        total = np.float32(0)
        for t in range((a.shape[1] + tile - 1) // tile):
            sa[ti, tj] = 0
            sb[ti, tj] = 0
            if i < a.shape[0] and t * tile + tj < a.shape[1]:
                sa[ti, tj] = a[i, t * tile + tj]
            if t * tile + ti < b.shape[0] and j < b.shape[1]:
                sb[ti, tj] = b[t * tile + ti, j]
            cuda.syncthreads()
            for k in range(tile):
                total += sa[ti, k] * sb[k, tj]
            cuda.syncthreads()
        if i < c.shape[0] and j < c.shape[1]:
            c[i, j] = total

    rng = np.random.default_rng(2)
    a = rng.integers(-5, 5, (6, 9)).astype(np.float32)
    b = rng.integers(-5, 5, (9, 7)).astype(np.float32)
    c = np.zeros((6, 7), np.float32)
    matmul[(2, 2), (tile, tile)](a, b, c)
    np.testing.assert_array_equal(c, a @ b)


def test_dynamic_shared_memory():
    @cuda.jit
    def reverse(a):
        buffer = cuda.shared.array(0, types.int32)
        t = cuda.threadIdx.x
        buffer[t] = a[t]
        cuda.syncthreads()
        a[t] = buffer[cuda.blockDim.x - 1 - t]

    a = np.arange(48, dtype=np.int32)
    reverse[1, 48, 0, 48 * 4](a)
    np.testing.assert_array_equal(a, np.arange(48)[::-1])


@pytest.mark.parametrize("bytes", [8, 16, 64, 128, 256, 4096])
@pytest.mark.parametrize("dtype", [np.uint8, np.float64])
def test_alignment(bytes, dtype):
    @cuda.jit
    def k(out):
        i = cuda.threadIdx.x
        shared = cuda.shared.array((3, 5), dtype, bytes)
        odd = cuda.shared.array(shape=3, dtype=np.uint8)
        other = cuda.shared.array(shape=3, dtype=dtype, alignment=bytes)
        dynamic = cuda.shared.array(0, dtype, alignment=bytes)
        odd[i] = other[i] = dynamic[i] = shared[0, i] = i
        own = cuda.local.array(3, dtype, alignment=bytes)
        own[i] = i
        cuda.syncthreads()
        out[i, 0] = shared.ctypes.data
        out[i, 1] = other.ctypes.data
        out[i, 2] = dynamic.ctypes.data
        out[i, 3] = own.ctypes.data
        for j in range(3):
            out[i, 4] += odd[j] + 10 * (
                other[j] + 10 * (dynamic[j] + 10 * shared[0, j])
            )

    out = np.zeros((3, 5), np.uint64)
    k[1, 3, 0, 3 * np.dtype(dtype).itemsize](out)
    np.testing.assert_array_equal(out[:, :4] % bytes, 0)
    np.testing.assert_array_equal(out[:, 4], 3333)
    # All threads have the same shared memory.
    np.testing.assert_array_equal(out[0, :3], out[2, :3])


def test_alignment_of_none():
    @cuda.jit
    def k(out):
        own = cuda.local.array(3, np.uint8, alignment=None)
        out[0] = own.ctypes.data

    out = np.zeros(1, np.uint64)
    k[1, 1](out)
    assert out[0] % 16 == 0


def test_alignment_that_a_name_stands_for():
    wanted = 1024

    @cuda.jit(device=True)
    def address(alignment):
        tile = cuda.shared.array(3, np.uint8, alignment)
        return tile.ctypes.data

    @cuda.jit
    def k(out):
        line = wanted
        out[0] = address(line)

    out = np.zeros(1, np.uint64)
    k[1, 1](out)
    assert out[0] % 1024 == 0


def test_alignment_of_arrays_that_a_loop_keeps():
    @cuda.jit
    def k(out, n):
        last = cuda.local.array(3, np.uint8, alignment=64)
        for i in range(n):
            new = cuda.local.array(3, np.uint8, alignment=64)
            new[0] = i
            out[i] = new.ctypes.data
            out[n] += last[0] * (i > 0)
            last = new

    out = np.zeros(5, np.uint64)
    k[1, 1](out, 4)
    np.testing.assert_array_equal(out[:4] % 64, 0)
    assert out[4] == 0 + 1 + 2


def test_alignment_in_ptx():
    @cuda.jit("void(uint64[::1])")
    def k(out):
        shared = cuda.shared.array(3, np.uint8, alignment=512)
        own = cuda.local.array(3, np.uint8, alignment=256)
        out[0] = shared.ctypes.data
        out[1] = own.ctypes.data

    (ptx,) = k.inspect_asm().values()
    assert re.search(r"\.shared \.align 512 \.b8 pyk_shared", ptx)
    assert re.search(r"\.local \.align 256 ", ptx)


def test_local_array():
    @cuda.jit
    def k(a):
        window = cuda.local.array(3, types.int64)
        i = cuda.grid(1)
        for j in range(3):
            window[j] = i + j
        a[i] = window[0] * window[1] + window[-1]

    a = np.zeros(8, np.int64)
    k[1, 8](a)
    i = np.arange(8)
    np.testing.assert_array_equal(a, i * (i + 1) + i + 2)
