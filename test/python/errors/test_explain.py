# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`--explain`: what programs are told of how fast their kernels run."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """\
import sys
import numpy as np
from numba import cuda

@cuda.jit
def scale(a, x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] = x[i] * a

@cuda.jit
def columns(a, b):
    i, j = cuda.grid(2)
    if i < a.shape[0] and j < a.shape[1]:
        b[i, j] = a[i, j] + a[i, j]

x = np.ones(64, np.float32)
scale[1, 64](2.0, x)
assert (x == 2).all()
if "twice" in sys.argv:
    scale[2, 32](2.0, x)
    scale[2, 32](2, x)
a = np.ones((64, 2), np.float32)
b = np.zeros((64, 2), np.float32)
columns[1, (64, 2)](a, b)
assert (b == 2).all()
print("done")
"""


def explain(
    folder: Path, *arguments: str, program: str = PROGRAM, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Runs a program with `--explain`."""
    (folder / "program.py").write_text(program)
    before = [word for word in arguments if word.startswith("-")]
    behind = [word for word in arguments if not word.startswith("-")]
    return subprocess.run(
        [sys.executable, "-m", "pyk", "--explain"]
        + [*before, "program.py", *behind],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        env={**os.environ, "PYK_TARGET": "cpu", **environment},
    )


def remarks(text: str) -> list[str]:
    """Places and sentences, with numbers of lanes and tiles as N."""
    found = re.findall(r"program\.py:(\d+:\d+): remark: (.*)", text)
    tiles = re.compile(r"vectors of \d+( along \w)?, .* at a time")
    return [f"{place} {tiles.sub('vectors', text)}" for place, text in found]


@pytest.mark.on_vectors
def test_cpu(tmp_path: Path) -> None:
    done = explain(tmp_path, PYK_CPU="auto")
    assert (done.returncode, done.stdout) == (0, "done\n")
    swap = (
        "vectors collect the elements one by one; swap what threadIdx.x and "
        "threadIdx.y stand for"
    )
    assert remarks(done.stderr) == [
        "6:1 kernel 'scale' runs blocks of 64 x 1 x 1 threads as vectors",
        "9:16 this is computed in float64: an argument is a float64; "
        "np.float32(...) of it keeps to float32",
        "12:1 kernel 'columns' runs blocks of 64 x 2 x 1 threads as vectors",
        f"15:9 neighbouring threads write different rows of b: {swap}",
        # Said once of both.
        f"15:19 neighbouring threads read different rows of a: {swap}",
    ]
    quote = "            x[i] = x[i] * a\n                   ^~~~~~~~\n"
    assert quote in done.stderr


@pytest.mark.on_vectors
def test_lanes_along_y(tmp_path: Path) -> None:
    """Blocks with room for a vector there need no swap, on the CPU."""
    program = PROGRAM.replace("(64, 2)", "(16, 32)")
    done = explain(tmp_path, PYK_CPU="auto", program=program)
    assert (done.returncode, done.stdout) == (0, "done\n")
    (found,) = [line for line in remarks(done.stderr) if "columns" in line]
    assert "runs blocks of 16 x 32 x 1 threads as vectors" in found
    assert re.search(r"vectors of \d+ along y, .* at a time", done.stderr)
    assert "one by one" not in done.stderr


@pytest.mark.on_vectors
def test_variants(tmp_path: Path) -> None:
    """Another shape of blocks, or type, is told of only what is new."""
    done = explain(tmp_path, "twice", PYK_CPU="auto")
    scale = [line for line in remarks(done.stderr) if "columns" not in line]
    assert scale[:4] == [
        "6:1 kernel 'scale' runs blocks of 64 x 1 x 1 threads as vectors",
        "9:16 this is computed in float64: an argument is a float64; "
        "np.float32(...) of it keeps to float32",
        "6:1 kernel 'scale' runs blocks of 32 x 1 x 1 threads as vectors",
        "9:16 this is computed in float64: an integer of 32 or 64 bits makes "
        "it so; np.float32(...) of it keeps to float32",
    ]


def test_ptx(tmp_path: Path) -> None:
    """With `--emit=ptx` it is about that, wherever kernels run."""
    done = explain(tmp_path, "--emit=ptx")
    assert done.returncode == 0
    assert ".entry scale" in done.stdout
    cost = (
        "a warp touches up to 32 sectors of memory where 4 would do; swap what "
        "threadIdx.x and threadIdx.y stand for"
    )
    assert remarks(done.stderr) == [
        "6:1 kernel 'scale': 2 of 2 accesses to memory are what a warp does "
        "best",
        "9:16 this is computed in float64: an argument is a float64; "
        "np.float32(...) of it keeps to float32",
        "12:1 kernel 'columns': 0 of 2 accesses to memory are what a warp does "
        "best",
        f"15:9 neighbouring threads write different rows of b: {cost}",
        f"15:19 neighbouring threads read different rows of a: {cost}",
    ]


@pytest.mark.parametrize(
    ("block", "reason"),
    [
        ("(16, 16)", "bank conflict (8-way)"),
        ("(32, 8)", "bank conflict (16-way)"),
        ("(8, 32)", "bank conflict (4-way)"),
    ],
)
def test_bank_conflicts(block: str, reason: str, tmp_path: Path) -> None:
    """The lanes of a warp are threads of blocks of the launched shape."""
    program = f"""\
import numpy as np
from numba import cuda
@cuda.jit
def k(a):
    tile = cuda.shared.array((32, 16), np.float32)
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    tile[x, y % 16] = a[y % 32, x]
    cuda.syncthreads()
    a[y % 32, x] = tile[x, y % 16]
k[1, {block}](np.zeros((32, 32), np.float32))
"""
    done = explain(tmp_path, "--emit=ptx", program=program)
    assert done.returncode == 0, done.stderr
    found = [line for line in remarks(done.stderr) if "tile" in line]
    assert [line.split(": ")[1].split(";")[0] for line in found] == [reason] * 2
    assert ".reqntid" not in done.stdout


@pytest.mark.on_vectors
def test_slices_of_different_arrays(tmp_path: Path) -> None:
    """What copies of overlapping slices would cost is not reported, and checks
    of copies between different arrays are left to launches."""
    program = """\
import numpy as np
from numba import cuda
@cuda.jit
def k(a, b):
    i = cuda.grid(1)
    if i < a.shape[0]:
        a[i, :] = b[i, :]
a, b = np.zeros((64, 3)), np.random.default_rng(1).uniform(size=(64, 3))
k[1, 64](a, b)
assert (a == b).all()
k[1, 64](a[:, 1:], a[:, :2])
assert (a[:, 1:] == b[:, :2]).all() and (a[:, 0] == b[:, 0]).all()
"""
    done = explain(tmp_path, "--cpu=simd", program=program)
    assert done.returncode == 0, done.stderr
    advice = (
        "vectors collect the elements one by one; let threadIdx.x choose the "
        "last index"
    )
    first = [line for line in remarks(done.stderr) if "7:9" in line]
    assert first[:2] == [
        f"7:9 neighbouring threads read different rows of b: {advice}",
        f"7:9 neighbouring threads write different rows of a: {advice}",
    ]
    assert "no known pattern" not in done.stderr
    assert "launches cannot bound" not in done.stderr
    done = explain(tmp_path, "--emit=ptx", program=program)
    assert "0 of 2 accesses" in done.stderr


@pytest.mark.on_vectors
def test_own_stage(tmp_path: Path) -> None:
    """A stage of the CPU is what runs there: nothing is told twice."""
    done = explain(tmp_path, "--emit=simd", PYK_CPU="auto")
    runs = [line for line in remarks(done.stderr) if "runs blocks" in line]
    assert len(runs) == 2
    assert "each thread checks" not in done.stderr


@pytest.mark.on_vectors
@pytest.mark.parametrize(
    ("way", "body", "remark"),
    [
        (
            "reference",
            "x[i] = i",
            "6:1 kernel 'k' does not run as vectors: the reference was asked "
            "for",
        ),
        (
            "auto",
            "print(i)",
            "8:5 kernel 'k' does not run as vectors: it prints; leave that out "
            "where speed counts",
        ),
        (
            "auto",
            "x[i] = down(i)",
            "8:12 kernel 'k' does not run as vectors: it calls a function that "
            "is not inlined; a loop in the place of recursion would do",
        ),
        (
            "auto",
            "x[i] = y[x[i]]",
            "8:12 each thread checks that what it reads of y is in its memory: "
            "data say which element it is",
        ),
        (
            "auto",
            "cuda.atomic.add(x, 0, i)",
            "8:5 neighbouring threads update one element of x: they do so one "
            "by one; add up what the threads of a warp or block have first",
        ),
    ],
)
def test_reasons(way: str, body: str, remark: str, tmp_path: Path) -> None:
    program = f"""\
import numpy as np
from numba import cuda
@cuda.jit(device=True)
def down(i): return 0 if i < 1 else down(i - 1)
@cuda.jit
def k(x, y):
    i = cuda.grid(1)
    {body}
k[1, 32](np.zeros(32, np.int64), np.zeros(32, np.int64))
"""
    done = explain(tmp_path, program=program, PYK_CPU=way)
    assert done.returncode == 0
    assert remark in remarks(done.stderr)


SHAPES = """\
import numpy as np
from numba import cuda
@cuda.jit({signature})
def k(x):
    x[cuda.threadIdx.x] = 1
{launches}
"""


def of_shapes(text: str) -> list[str]:
    """Remarks on how `SHAPES` runs."""
    return [
        re.sub(r"vectors of .*", "vectors", line)
        for line in re.findall(r"program\.py:[\d:]+ remark: kernel (.*)", text)
    ]


@pytest.mark.on_vectors
@pytest.mark.parametrize("signature", ["", '"(float64[::1],)"'])
def test_many_shapes(signature: str, tmp_path: Path) -> None:
    """Kernels that have had many shapes of blocks are for all of them."""
    launches = "for threads in range(32, 42): k[1, threads](np.zeros(64))"
    program = SHAPES.format(signature=signature, launches=launches)
    done = explain(tmp_path, program=program, PYK_CPU="auto")
    reason = (
        "it has had 8 other shapes of blocks, the most that it is compiled "
        "for; launch it with fewer shapes"
    )
    assert of_shapes(done.stderr) == [
        *(
            f"'k' runs blocks of {threads} x 1 x 1 threads as vectors"
            for threads in range(32, 40)
        ),
        *(
            f"'k' does not run blocks of {threads} x 1 x 1 threads as vectors: "
            f"{reason}"
            for threads in (40, 41)
        ),
    ]


@pytest.mark.on_vectors
def test_small_blocks(tmp_path: Path) -> None:
    launches = "k[1, 7](np.zeros(64)); k[1, 8](np.zeros(64))"
    program = SHAPES.format(signature="", launches=launches)
    done = explain(tmp_path, program=program, PYK_CPU="auto")
    assert of_shapes(done.stderr) == [
        "'k' does not run blocks of 7 x 1 x 1 threads as vectors: that takes 8 "
        "threads or more; launch larger blocks",
        "'k' runs blocks of 8 x 1 x 1 threads as vectors",
    ]


@pytest.mark.on_vectors
def test_compiled_without_a_launch(tmp_path: Path) -> None:
    """A signature compiles code that no launch may take."""
    program = SHAPES.format(
        signature='"(float64[::1],)"',
        launches="print('defined'); k[1, 32](np.zeros(64))",
    )
    done = explain(tmp_path, program=program, PYK_CPU="auto")
    assert of_shapes(done.stderr) == [
        "'k' runs blocks of 32 x 1 x 1 threads as vectors"
    ]
    program = SHAPES.format(signature='"(float64[::1],)"', launches="")
    done = explain(tmp_path, program=program, PYK_CPU="auto")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.on_vectors
@pytest.mark.parametrize("way", ["auto", "reference"])
def test_shape_is_not_the_reason(way: str, tmp_path: Path) -> None:
    """What vectors run for no shape is said once, without one."""
    launches = "for threads in range(32, 42): k[1, threads](np.zeros(64))"
    program = SHAPES.format(signature="", launches=launches)
    if way == "auto":
        program = program.replace("= 1\n", "= 1; print(1)\n")
    done = explain(tmp_path, program=program, PYK_CPU=way)
    (found,) = of_shapes(done.stderr)
    assert found.startswith("'k' does not run as vectors: ")


@pytest.mark.on_vectors
@pytest.mark.parametrize(
    ("body", "waits"),
    [
        ("for step in range(10):", False),
        ("while check and it < 10 and x[1] != 5:", True),
        ("while check and it < 10:", False),
        ("while check:", False),
    ],
)
def test_loops_that_wait(body: str, waits: bool, tmp_path: Path) -> None:
    program = f"""\
import numpy as np
from numba import cuda
@cuda.jit
def k(x):
    i = cuda.grid(1)
    y = 1.0
    check = True
    it = 0
    {body}
        it += 1
        z = 0.5 * (y + x[i] / y)
        check = abs(z - y) > 1e-9
        y = z
    x[i] = y
x = np.full(32, 2.0)
k[1, 32](x)
assert np.allclose(x, np.sqrt(2))
"""
    done = explain(tmp_path, program=program, PYK_CPU="auto")
    assert done.returncode == 0, done.stderr
    (found,) = [line for line in remarks(done.stderr) if "'k'" in line]
    assert ("its threads wait for each other's stores" in found) == waits
    assert ("as vectors" in found) and ("runs blocks" in found) != waits


def test_functions_and_library(tmp_path: Path) -> None:
    """Of a GPU, functions that are called are told of; of PyK's own kernels
    nobody is."""
    program = """\
import numpy as np
from numba import cuda, vectorize
@cuda.jit(device=True, inline="never")
def third(x, i): return x[3 * i] if i else third(x, i - 1)
@cuda.jit
def k(x):
    x[cuda.threadIdx.x] = third(x, cuda.threadIdx.x)
@vectorize(["float32(float32)"], target="cuda")
def double(x): return x + x
k[1, 32](np.zeros(96, np.float32))
assert double(np.ones(9, np.float32)).sum() == 18
"""
    done = explain(tmp_path, "--emit=ptx", program=program)
    assert done.returncode == 0, done.stderr
    found = remarks(done.stderr)
    assert any(
        line.startswith("4:25 neighbouring threads read") for line in found
    )
    assert "_kernels.py" not in done.stderr


def test_silence(tmp_path: Path) -> None:
    """Nobody is told who does not ask."""
    (tmp_path / "program.py").write_text(PROGRAM)
    done = subprocess.run(
        [sys.executable, "-m", "pyk", "program.py"],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert (done.stdout, done.stderr) == ("done\n", "")


def test_that_a_cache_changes_nothing(tmp_path: Path) -> None:
    program = PROGRAM.replace("@cuda.jit\n", "@cuda.jit(cache=True)\n")
    told = explain(tmp_path, program=program).stderr
    line = (
        "remark: cache=True changes nothing: each process compiles its kernels"
    )
    assert re.findall(rf"program.py:(\d+): {line}", told) == ["5", "11"]
