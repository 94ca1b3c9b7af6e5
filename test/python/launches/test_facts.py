# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What kernels take for granted of launches, and what becomes of others."""

import json
import os
import pickle
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from pyk import _core, cuda
from pyk.cuda import _compile
from pyk.cuda._dispatcher import Dispatcher


def add_shifted(a, b, out, n, shift):
    i = cuda.grid(1)
    if i < n:
        out[i] = a[i + shift] + b[i]


def launch(kernel: Dispatcher, n: int, shift: int) -> list[float]:
    """The result on arrays that share no memory."""
    out = np.zeros(8)
    kernel[1, 32](np.arange(8.0), np.full(8, 10.0), out, n, shift)
    return out.tolist()


def variants(kernel: Dispatcher) -> list[tuple[str, ...]]:
    """What each compilation of `kernel` takes for granted, in their order."""
    # Those for blocks of one shape beside those for any count once.
    return [
        *dict.fromkeys(kinds for _, _, kinds, _ in kernel._variants.modules)
    ]


EVERYTHING = (
    "scalars", "sizes", "disjoint", "aligned", "strides", "inside"
)  # fmt: skip


def without(*kinds: str) -> tuple[str, ...]:
    return tuple(kind for kind in EVERYTHING if kind not in kinds)


@pytest.fixture(autouse=True)
def assume_what_is_usual(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_compile.options, "assume", None)
    monkeypatch.delenv("PYK_ASSUME", raising=False)


def test_launches_that_keep_all_share_one_variant() -> None:
    kernel = cuda.jit(add_shifted)
    assert launch(kernel, 6, 2) == [12, 13, 14, 15, 16, 17, 0, 0]
    assert launch(kernel, 3, 5) == [15, 16, 17, 0, 0, 0, 0, 0]
    assert variants(kernel) == [EVERYTHING]


def test_negative_numbers_count_from_the_end_all_the_same() -> None:
    kernel = cuda.jit(add_shifted)
    # Before and after the narrow variant is there, and in turns.
    for _ in range(2):
        assert launch(kernel, 3, -1) == [17, 10, 11, 0, 0, 0, 0, 0]
        assert launch(kernel, 3, 1) == [11, 12, 13, 0, 0, 0, 0, 0]
    assert variants(kernel) == [EVERYTHING, without("scalars")]


def test_numbers_of_64_bits_are_not_cut() -> None:
    @cuda.jit
    def kernel(out, n):
        i = cuda.grid(1)
        if i < n:
            out[i] = n

    out = np.zeros(2, np.int64)
    kernel[1, 2](out, 2**31 - 1)
    assert variants(kernel) == [EVERYTHING]
    kernel[1, 2](out, 2**31)
    assert out.tolist() == [2**31, 2**31]
    kernel[1, 2](out, 2**32 + 1)
    assert out.tolist() == [2**32 + 1, 2**32 + 1]
    assert variants(kernel) == [EVERYTHING, without("scalars")]


@pytest.mark.parametrize("dtype", [np.int32, np.uint32, np.uint64])
def test_numbers_of_numpy(dtype: type[np.integer[Any]]) -> None:
    kernel = cuda.jit(add_shifted)
    out = np.zeros(8)
    top = dtype(2**31 - 1)
    kernel[1, 2](np.arange(8.0), np.zeros(8), out, top, dtype(3))
    assert out.tolist() == [3, 4, 0, 0, 0, 0, 0, 0]
    assert variants(kernel) == [EVERYTHING]
    if dtype is np.int32:
        above = dtype(-1)
    else:
        above = dtype(2**31)
    kernel[1, 2](np.arange(8.0), np.zeros(8), out, above, dtype(5))
    expected = [3, 4] if dtype is np.int32 else [5, 6]
    assert out.tolist() == [*expected, 0, 0, 0, 0, 0, 0]
    assert variants(kernel) == [EVERYTHING, without("scalars")]


def test_arrays_that_share_memory() -> None:
    kernel = cuda.jit(add_shifted)
    a = cuda.to_device(np.arange(8.0))
    # Each thread reads what no other one writes.
    kernel[1, 32](a, a, a, 3, 4)
    assert a.copy_to_host().tolist() == [4, 6, 8, 3, 4, 5, 6, 7]
    assert variants(kernel) == [EVERYTHING, without("disjoint")]
    # Parts of one array that do not overlap, in either direction.
    a = cuda.to_device(np.arange(16.0))
    kernel[1, 32](a[4:8], a[8:], a[:4], 4, 0)
    assert a[:4].copy_to_host().tolist() == [12, 14, 16, 18]
    # Reading one array twice is no matter.
    out = cuda.to_device(np.zeros(8))
    kernel[1, 32](a, a, out, 8, 0)
    assert variants(kernel) == [EVERYTHING, without("disjoint")]
    assert out.copy_to_host().tolist() == (2 * a[:8].copy_to_host()).tolist()


copied = pytest.mark.on_the_cpu(reason="a GPU gets copies of host arrays")


def test_overlaps_of_views() -> None:
    @cuda.jit
    def kernel(out, a):
        i = cuda.grid(1)
        if i < out.size:
            out[i] = a[i] + 1

    def assumes_disjoint(out: Any, a: Any) -> bool:
        expected = a[: out.size] + 1
        device = cuda.current_context().device
        function = kernel._variants.load(
            kernel._parameters.key([out, a]), device
        )
        broken = _core.failing(function, (out, a), (1, 1, 1), (1, 1, 1))
        # Nothing but in-place work, so that the order of threads is none.
        kernel[1, 32](out, a)
        assert out.tolist() == expected.tolist()
        assert set(broken) <= {"disjoint"}
        return not broken

    base = np.arange(24.0)
    assert not assumes_disjoint(base, base)
    assert not assumes_disjoint(base[:1], base[:1])
    assert assumes_disjoint(base[:4], base[4:8])
    assert assumes_disjoint(base[4:8], base[:4])
    # Negative strides reach backwards.
    assert assumes_disjoint(base[3::-1], base[4:8])
    assert not assumes_disjoint(base[4:0:-1], base[4:0:-1])
    # Arrays without elements reach nothing.
    assert assumes_disjoint(base[:0], base[:4])
    # Rows that lie between each other share no element but might.
    assert not assumes_disjoint(base[::2], base[1::2])


def test_long_arrays() -> None:
    @cuda.jit
    def kernel(out, a, k):
        out[0] = a.size
        out[1] = a[k]

    out = np.zeros(2)
    kernel[1, 1](out, np.broadcast_to(np.array([7.0]), 2**31 - 1), 5)
    assert out.tolist() == [2**31 - 1, 7]
    assert variants(kernel) == [without("strides")]
    kernel[1, 1](out, np.broadcast_to(np.array([8.0]), 2**31), 5)
    assert out.tolist() == [2**31, 8]
    kernel[1, 1](out, np.broadcast_to(np.array([9.0]), (2**40)), 2**39)
    assert out.tolist() == [2**40, 9]
    assert variants(kernel)[:2] == [
        without("strides"),
        without("sizes", "strides"),
    ]


def test_large_grids() -> None:
    @cuda.jit
    def kernel(out):
        i = cuda.grid(1)
        if i >= out[0]:
            out[1] = i
            out[2] = cuda.gridsize(1)
            out[3] = cuda.blockIdx.x * 1024

    blocks = 2**21 - 1
    out = np.array([blocks - 1, 0, 0, 0])
    kernel[blocks, 1](out)
    assert out[1:].tolist() == [blocks - 1, blocks, (blocks - 1) * 1024]
    assert variants(kernel) == [EVERYTHING]
    blocks += 2
    out = np.array([blocks - 1, 0, 0, 0])
    kernel[blocks, 1](out)
    assert out[1:].tolist() == [blocks - 1, blocks, (blocks - 1) * 1024]
    assert variants(kernel) == [EVERYTHING, without("sizes")]


def test_threads_that_talk_by_an_array() -> None:
    """An array that is written is nobody's own while threads wait."""

    @cuda.jit
    def turn(a, rounds):
        i = cuda.threadIdx.x
        for _ in range(rounds):
            neighbour = a[(i + 1) % a.size]
            cuda.syncthreads()
            a[i] = neighbour
            cuda.syncthreads()

    a = np.arange(64.0)
    turn[1, 64](a, 5)
    assert a.tolist() == np.roll(np.arange(64.0), -5).tolist()


def test_what_is_not_used_for_indices_is_not_assumed() -> None:
    @cuda.jit
    def kernel(out, seed):
        out[0] = seed * 0.5

    out = np.zeros(1)
    kernel[1, 1](out, -3)
    assert out[0] == -1.5
    assert variants(kernel) == [EVERYTHING]


def test_tuples_and_none_keep_their_places() -> None:
    @cuda.jit
    def kernel(nothing, pair, out, shift):
        i = cuda.grid(1)
        if i < 2:
            out[i] = pair[0][i + shift] + pair[1]

    out = np.zeros(2)
    pair = (np.arange(4.0), 10)
    kernel[1, 2](None, pair, out, 1)
    assert out.tolist() == [11, 12]
    kernel[1, 2](None, pair, out, -1)
    assert out.tolist() == [13, 10]
    kernel[1, 2](None, pair, pair[0][:2], 2)
    assert pair[0].tolist() == [12, 13, 2, 3]
    assert variants(kernel) == [
        EVERYTHING,
        without("scalars"),
        without("disjoint"),
    ]


def add_pairs(a, out):
    i = 2 * cuda.grid(1)
    if i + 1 < out.size:
        out[i] = a[i] + a[i + 1]
        out[i + 1] = a[i] - a[i + 1]


@copied
def test_arrays_at_any_address() -> None:
    memory = np.zeros(32, np.float32)
    # The first element at a multiple of 16.
    start = -memory.ctypes.data // 4 % 4
    a, out = memory[start : start + 8], memory[start + 8 : start + 16]
    a[:] = range(8)
    kernel = cuda.jit(add_pairs)
    kernel[1, 4](a, out)
    expected = [1, -1, 5, -1, 9, -1, 13, -1]
    assert out.tolist() == expected
    assert variants(kernel) == [EVERYTHING]
    kernel[1, 4](a[4:], out[:4])
    assert out.tolist() == [9, -1, 13, -1, *expected[4:]]
    assert variants(kernel) == [EVERYTHING]
    # Either array.
    kernel[1, 4](a[1:5], out[:4])
    assert out.tolist() == [3, -1, 7, -1, *expected[4:]]
    kernel[1, 4](a, out[1:5])
    assert out.tolist() == [3, 1, -1, 5, -1, *expected[5:]]
    assert variants(kernel) == [EVERYTHING, without("aligned")]


@copied
def test_complex_numbers_and_records_at_any_address() -> None:
    @cuda.jit
    def square(numbers, points):
        i = cuda.grid(1)
        if i < numbers.size:
            numbers[i] *= numbers[i]
            points[i].x, points[i].y = points[i].y, points[i].x

    fields = np.dtype([("x", np.float64), ("y", np.float64)])
    for offset in (0, 8):
        memory = np.zeros(128, np.uint8)
        start = -memory.ctypes.data % 16 + offset
        numbers = memory[start : start + 16].view(np.complex64)
        points = memory[start + 32 : start + 64].view(fields)
        numbers[:] = [1 + 2j, 3j]
        points[:] = [(1, 2), (3, 4)]
        square[1, 2](numbers, points)
        assert numbers.tolist() == [-3 + 4j, -9]
        assert points.tolist() == [(2, 1), (4, 3)]
    assert variants(square) == [EVERYTHING, without("aligned")]


@copied
def test_what_nothing_is_wide_in_may_be_anywhere() -> None:
    kernel = cuda.jit(add_shifted)
    memory = np.arange(32.0)
    out = np.zeros(9)
    kernel[1, 8](memory[1:9], memory[8:], out[1:], 4, 2)
    assert out.tolist() == [0, 11, 13, 15, 17, 0, 0, 0, 0]
    assert variants(kernel) == [EVERYTHING]


def test_accesses_are_wide_where_arrays_are_aligned() -> None:
    def count(function: Any, signature: str, assume: str) -> tuple[int, int]:
        ptx, _ = cuda.compile_ptx(function, signature, assume=assume)
        wide = [line for line in ptx.splitlines() if ".global" in line]
        wide = [line for line in wide if line.lstrip().startswith(("ld", "st"))]
        return len(wide), sum(".v2" in line or ".v4" in line for line in wide)

    def scale(a, out):
        i = cuda.grid(1)
        if 4 * i + 3 < out.size:
            for k in range(4):
                out[4 * i + k] = a[4 * i + k] * np.float32(2)

    def multiply(a, out):
        i = cuda.grid(1)
        if i < out.size:
            out[i] *= a[i]

    def smooth(a, weights, out):
        i = cuda.grid(1)
        if i < out.size:
            total = np.float32(0)
            for k in range(8):
                total += a[i + k] * weights[k]
            out[i] = total

    floats = "void(float32[::1], float32[::1])"
    assert count(add_pairs, floats, "launch") == (2, 2)
    assert count(add_pairs, floats, "scalars,sizes,disjoint") == (4, 0)
    assert count(scale, floats, "launch") == (2, 2)
    # Where memory may be shared, each store may change what is read next.
    assert count(scale, floats, "aligned") == (8, 0)
    for kind in ("complex64", "complex128"):
        signature = f"void({kind}[::1], {kind}[::1])"
        assert count(multiply, signature, "launch") == (3, 3)
        assert count(multiply, signature, "none") == (6, 0)
    three = "void(float32[::1], float32[::1], float32[::1])"
    # Eight of `a`, two of the weights.
    assert count(smooth, three, "launch") == (11, 2)


def add_rows(a, out):
    i, j = cuda.grid(2)
    if i < out.shape[0] and j < out.shape[1]:
        out[i, j] = a[i, j] + a[i, -1]


def test_rows_without_gaps() -> None:
    kernel = cuda.jit(add_rows)
    a = np.arange(24.0).reshape(4, 6)
    out = np.zeros((4, 6))

    def run(part: Any, into: Any) -> None:
        into[:] = -1
        kernel[(2, 2), (2, 3)](part, into)
        np.testing.assert_array_equal(into, part + part[:, -1:])

    run(a[:, 2:], out[:, :4])
    run(a[1:3, 1:], out[2:, :5])
    assert variants(kernel) == [EVERYTHING]
    # Gaps in one array, in the other, and rows that run backward.
    run(a[:, ::2], out[:, :3])
    run(a[:, 2:5], out[:, ::2])
    run(a[:, ::-1][:, 1:], out[:, 1:])
    run(a[:, 2:], out[:, :4])
    assert variants(kernel) == [EVERYTHING, without("strides")]


def test_records_and_complex_numbers_in_rows() -> None:
    @cuda.jit
    def copy(a, b, out):
        i, j = cuda.grid(2)
        out[i, j] = a[i, j].x + b[i, j].imag

    a = np.zeros((2, 4), [("n", np.int8), ("x", np.float64)])
    a["x"] = np.arange(8).reshape(2, 4)
    b = np.arange(8).reshape(2, 4) * 1j
    for step in (1, -1):
        out = np.zeros((2, 4))
        copy[(1, 1), (2, 3)](a[:, 1:][:, ::step], b[:, 1:], out[:, 1:])
        expected = a["x"][:, 1:][:, ::step] + b[:, 1:].imag
        np.testing.assert_array_equal(out[:, 1:], expected)
    assert variants(copy) == [EVERYTHING, without("strides")]


def test_strides_that_are_declared_as_any() -> None:
    kernel = cuda.jit("void(float64[:], float64[:], float64[:], i4, i4)")(
        add_shifted
    )
    assert launch(kernel, 3, 1) == [11, 12, 13, 0, 0, 0, 0, 0]
    assert variants(kernel) == [EVERYTHING]
    out = np.zeros(4)
    kernel[1, 8](np.arange(20.0)[::2], np.full(8, 10.0), out, 3, 0)
    assert out.tolist() == [10, 12, 14, 0]
    assert variants(kernel) == [EVERYTHING, without("strides")]


def test_one_dimension_with_gaps_is_compiled_once() -> None:
    kernel = cuda.jit(add_shifted)
    out = np.zeros(4)
    kernel[1, 8](np.arange(20.0)[::2], np.full(8, 10.0), out, 3, 0)
    assert out.tolist() == [10, 12, 14, 0]
    assert variants(kernel) == [without("strides")]


def test_strides_are_constants_in_code() -> None:
    def parameters(assume: str) -> int:
        ptx, _ = cuda.compile_ptx(
            add_rows, "void(float64[:, :], float64[:, :])", assume=assume
        )
        return ptx.count(".param .u64") + ptx.count(".param .u32")

    assert parameters("none") - parameters("strides") == 2


def test_declared_kernels_have_variants_too() -> None:
    kernel = cuda.jit("void(float64[::1], float64[::1], float64[::1], i4, i4)")(
        add_shifted
    )
    assert launch(kernel, 3, 1) == [11, 12, 13, 0, 0, 0, 0, 0]
    assert variants(kernel) == [EVERYTHING]
    assert launch(kernel, 3, -1) == [17, 10, 11, 0, 0, 0, 0, 0]
    assert variants(kernel) == [EVERYTHING, without("scalars")]


def test_option_of_jit() -> None:
    kernel = cuda.jit(assume="disjoint,scalars")(add_shifted)
    assert launch(kernel, 3, -1) == [17, 10, 11, 0, 0, 0, 0, 0]
    assert variants(kernel) == [("scalars", "disjoint"), ("disjoint",)]
    kernel = pickle.loads(pickle.dumps(cuda.jit(assume="none")(add_shifted)))
    assert launch(kernel, 3, -1) == [17, 10, 11, 0, 0, 0, 0, 0]
    assert variants(kernel) == [()]
    with pytest.raises(
        ValueError,
        match="^assume expects none, launch, scalars, sizes, disjoint, "
        "aligned, strides, inside, or several joined by commas, but got 'all'$",
    ):
        cuda.jit(assume="all")


SIGNATURE = "void(float32[::1], float32[::1], float32[::1], i4, i4)"


def test_code_that_others_launch_assumes_nothing() -> None:
    ptx, _ = cuda.compile_ptx(add_shifted, SIGNATURE)
    assert "takes for granted" not in ptx
    assert "ld.global.nc" not in ptx
    asked, _ = cuda.compile_ptx(add_shifted, SIGNATURE, assume="launch")
    assert asked.startswith(
        "// add_shifted takes for granted of its launches: argument 0: small, "
        "disjoint; argument 1: small, disjoint; argument 2: small, disjoint; "
        "argument 3: small; argument 4: small; grid: small\n"
    )
    assert asked.count("ld.global.nc") == 2


def test_manifest() -> None:
    source = """
pyk.func @k(%a: !pyk.array<?xf32, c>, %b: !pyk.array<?xf32, c>, %i: i64)
    attributes {kernel} {
  %x = pyk.load %a[%i] : !pyk.array<?xf32, c>
  pyk.store %x, %b[%i] : !pyk.array<?xf32, c>
  pyk.return
}"""
    module = _core.compile(source=source, target="cpu")
    (kernel,) = json.loads(module.manifest)["kernels"]
    assert not {"assumes", "grid_limit"} & set(kernel)
    for target in ("cpu", "cuda"):
        text = source.replace(
            "c>, %b", "c> {pyk.facts = #pyk.facts<disjoint>}, %b"
        )
        text = text.replace(
            "c>, %i: i64",
            "c> {pyk.facts = #pyk.facts<small|disjoint|written>}, "
            "%i: i64 {pyk.facts = #pyk.facts<small>}",
        ).replace("{kernel}", "{kernel, pyk.small_grid}")
        module = _core.compile(source=text, target=target)
        (kernel,) = json.loads(module.manifest)["kernels"]
        assert kernel["grid_limit"] == 2**21
        assert kernel["assumes"] == [
            {"argument": 0, "facts": ["disjoint"]},
            {"argument": 1, "facts": ["small", "disjoint", "written"]},
            {"argument": 2, "facts": ["small"]},
        ]


def test_times_count_variants() -> None:
    program = """\
import numpy as np
from numba import cuda

@cuda.jit
def fill(a, k):
    a[k] = 7

for k in (0, -1, 1, -2):
    fill[1, 1](np.zeros(2), k)
"""
    # One for blocks of any shape.
    done = run(program, "--time", "--cpu=auto")
    compiled = [line for line in done.stderr.splitlines() if "compile" in line]
    assert [line.split(":")[0] for line in compiled] == [
        "compile  fill",
        "compile  fill, assuming sizes, disjoint, aligned, strides, inside",
    ]
    assert all("(1 time," in line for line in compiled)
    done = run(program, "--time", "--assume=none")
    assert done.stderr.count("compile") == 1


def test_option_of_the_command_line() -> None:
    program = """\
import numpy as np
from numba import cuda

@cuda.jit
def copy(a, b):
    b[cuda.grid(1)] = a[cuda.grid(1)]

copy[1, 2](np.zeros(2), np.zeros(2))
"""
    assert "ld.global.nc" not in run(program, "--emit=ptx").stdout
    assert (
        "ld.global.nc" in run(program, "--emit=ptx", "--assume=launch").stdout
    )
    reproduced = run(program, "--reproduce", "--assume=scalars,disjoint").stderr
    assert "assume=scalars,disjoint" in reproduced
    done = run(program, "--assume=all")
    assert (done.returncode, done.stderr.splitlines()[-1]) == (
        2,
        "pyk-run: error: option --assume expects none, launch, scalars, sizes, "
        "disjoint, aligned, strides, inside, or several joined by commas, but "
        "got 'all'",
    )
    done = run(program, PYK_ASSUME="all")
    assert done.stderr.splitlines()[-1] == (
        "ValueError: assume expects none, launch, scalars, sizes, disjoint, "
        "aligned, strides, inside, or several joined by commas, but got 'all'"
    )


def run(program: str, *words: str, **environment: str) -> Any:
    return subprocess.run(
        [sys.executable, "-m", "pyk", *words, "-"],
        input=program,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYK_TARGET": "cpu", **environment},
    )


def test_slices_of_arrays_apart_are_copied_in_one_order() -> None:
    """The test for overlaps is gone, and what else the kernel reads is known
    not to change.
    """

    def copy(out, a, b):
        i = cuda.grid(1)
        if i < a.shape[0]:
            out[i] = a[i]
            out[i, :1] += b[i]

    signature = "void(float32[:, ::1], float32[:, ::1], float32[::1])"
    asked, _ = cuda.compile_ptx(copy, signature, assume="launch")
    plain, _ = cuda.compile_ptx(copy, signature)
    assert asked.count("\tst.global") < plain.count("\tst.global")
    assert "ld.global.nc" in asked
    assert "ld.global.nc" not in plain

    kernel = cuda.jit(copy)
    rows = np.arange(24, dtype=np.float32).reshape(6, 4)
    out, b = np.zeros_like(rows), np.full(6, 100, np.float32)
    expected = rows.copy()
    expected[:, 0] += 100
    kernel[1, 8](out, rows, b)
    assert (out == expected).all()
    assert variants(kernel) == [EVERYTHING]
    # Each row into the next: as if all were read before, for one thread.
    moved = rows.copy()
    kernel[1, 1](moved[1:], moved, b)
    assert variants(kernel) == [EVERYTHING, without("disjoint")]
    expected = rows.copy()
    expected[1] = rows[0]
    expected[1, 0] += 100
    assert (moved == expected).all()
