# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""On the CPU no kernel leaves the memory of its arrays."""

import os
import subprocess
import sys
import textwrap
import warnings
from pathlib import Path

import numpy as np
import pytest

from pyk import cuda
from pyk.cuda.errors import OutOfBoundsWarning
from support.programs import run_program

WAYS = ["auto", "reference", "simd"]

pytestmark = pytest.mark.on_the_cpu(reason="a GPU is lost after that")


def run(
    program: str, way: str, tmp_path: Path, **environment: str
) -> tuple[str, str]:
    """What a program prints, and what it is warned of."""
    head = "import numpy as np\nfrom pyk import cuda\n\n"
    text = head + textwrap.dedent(program)
    done = run_program(tmp_path, text, PYK_CPU=way, **environment)
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


SCALE = """
@cuda.jit
def scale(x, out):
    i = cuda.grid(1)
    out[i] = x[i + 3] * 2

x = np.arange(1, 9, dtype=np.float32)
out = np.full(8, -1, np.float32)
after = np.full(64, -1, np.float32)
scale[2, 16](x, out)
scale[2, 16](x, out)
print(out.tolist(), set(after.tolist()))
"""


@pytest.mark.parametrize("way", WAYS)
def test_reads_give_0_and_writes_are_dropped(way: str, tmp_path: Path) -> None:
    out, told = run(SCALE, way, tmp_path)
    assert out == "[8.0, 10.0, 12.0, 14.0, 16.0, 0.0, 0.0, 0.0] {-1.0}\n"
    # One line, which has two accesses: the first thread reads where it writes.
    assert told.count("OutOfBoundsWarning") == 1
    assert (
        "program.py:8: OutOfBoundsWarning: kernel 'scale' reads x[8], outside "
        "of the array's memory; such reads give 0 (thread [5, 0, 0] of block "
        "[0, 0, 0] and 26 more threads)\n  out[i] = x[i + 3] * 2\n"
    ) in told


def test_without_checks_there_are_none(tmp_path: Path) -> None:
    file = tmp_path / "program.py"
    right = SCALE.replace("2, 16", "1, 5")
    file.write_text("import numpy as np\nfrom pyk import cuda\n" + right)

    def count(**environment: str) -> int:
        text = subprocess.run(
            [sys.executable, "-m", "pyk", "--emit=checked", file],
            capture_output=True,
            text=True,
            timeout=300,
            check=True,
            env={**os.environ, **environment},
        ).stdout
        assert "pyk.load" in text
        return text.count("pyk.outside")

    # Those who write for others take nothing for granted.
    assert count() == 2
    assert count(PYK_BOUNDSCHECK="memory") == 2
    assert count(PYK_BOUNDSCHECK="off") == 0
    file.write_text(file.read_text().replace(".jit", ".jit(boundscheck=False)"))
    assert count() == 0


EACH_ACCESS = """
@cuda.jit(device=True)
def pick(a, i):
    return a[i]

@cuda.jit(device=True)
def descend(a, depth, i):
    if depth == 0:
        return a[i]
    return descend(a, depth - 1, i) + 1

@cuda.jit
def far(a, i, out):
    out[0] = a[i]
    a[-i] = 5

@cuda.jit
def own(k, out):
    tile = cuda.shared.array(16, np.int32)
    mine = cuda.local.array(4, np.int32)
    t = cuda.threadIdx.x
    if t < 16:
        tile[t] = t + 1
    for j in range(4):
        mine[j] = 10 * j
    cuda.syncthreads()
    out[t] = tile[t + k] + mine[t % 8]
    mine[t + 100 * k] = 7
    tile[t - 1000 * k] = 7

@cuda.jit
def dynamic(out):
    tile = cuda.shared.array(0, np.float32)
    t = cuda.threadIdx.x
    tile[t] = t + 1
    cuda.syncthreads()
    out[t] = tile[2 * t]

@cuda.jit
def update(counts, old, k):
    t = cuda.threadIdx.x
    old[t] = cuda.atomic.add(counts, t * k, 1)
    cuda.atomic.max(counts, t * 1000, 99)

@cuda.jit
def called(a, out):
    t = cuda.threadIdx.x
    out[t] = pick(a, 2 * t) + descend(a, 2, 3 * t)

@cuda.jit
def chosen(a, b, out):
    t = cuda.threadIdx.x
    c = a if out.size > 5 else b
    out[t] = c[2 * t]

@cuda.jit
def records(r, out):
    t = cuda.threadIdx.x
    out[t] = r[t + 2].y
    r[t * 100].y = 3

@cuda.jit
def numbers(z, out):
    t = cuda.threadIdx.x
    out[t] = z[2 * t]

@cuda.jit
def plane(a, out):
    x, y = cuda.grid(2)
    out[y, x] = a[y + 1, x]

def show(*arrays):
    print(*[a.tolist() for a in arrays])

a = np.arange(1, 9)
out = np.zeros(1, np.int64)
for i in (7, 8, 10**6, 2**40, 2**60, 2**63 - 1):
    far[1, 1](a, i, out)
    show(out)
show(a)
out = np.zeros(16, np.int64)
own[1, 16](3, out)
show(out)
out = np.zeros(8, np.float32)
dynamic[1, 8, 0, 32](out)
show(out)
counts, old = np.zeros(6, np.int32), np.full(8, -1, np.int32)
update[1, 8](counts, old, 1)
show(counts, old)
out = np.full(8, -1)
called[1, 8](np.arange(1, 9), out)
show(out)
out = np.full(8, -1)
chosen[1, 8](np.arange(1, 9), np.arange(20), out)
show(out)
r = np.zeros(4, np.dtype([("x", np.int8), ("y", np.float64)]))
r["y"] = [1, 2, 3, 4]
out = np.full(4, -1.0)
records[1, 4](r, out)
show(out, r["y"])
out = np.full(4, -1 + 0j)
numbers[1, 4](np.arange(1, 5) * 1j, out)
show(out)
for a in (np.arange(12.0).reshape(3, 4), np.arange(12.0).reshape(4, 3).T,
          np.arange(48.0).reshape(6, 8)[::2, ::2].copy(),
          cuda.to_device(np.arange(12.0).reshape(3, 4))):
    out = np.full((3, 4), -1.0)
    plane[1, (4, 3)](a, out)
    show(out)
"""


@pytest.mark.parametrize("way", WAYS)
def test_each_kind_of_access(way: str, tmp_path: Path) -> None:
    out, told = run(EACH_ACCESS, way, tmp_path)
    plane = (
        "[[4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0], [0.0, 0.0, 0.0, 0.0]]"
    )
    assert out.splitlines() == [
        "[8]", "[0]", "[0]", "[0]", "[0]", "[0]",
        # a[-7] and a[-8] are in it.
        "[5, 5, 3, 4, 5, 6, 7, 8]",
        "[4, 15, 26, 37, 8, 9, 10, 11, 12, 23, 34, 45, 16, 0, 0, 0]",
        "[1.0, 3.0, 5.0, 7.0, 0.0, 0.0, 0.0, 0.0]",
        # The first thread's index is 0 both times.
        "[99, 1, 1, 1, 1, 1] [0, 0, 0, 0, 0, 0, 0, 0]",
        "[4, 9, 14, 9, 2, 2, 2, 2]",
        "[1, 3, 5, 7, 0, 0, 0, 0]",
        "[3.0, 4.0, 0.0, 0.0] [3.0, 2.0, 3.0, 4.0]",
        "[1j, 3j, 0j, 0j]",
        plane,
        "[[1.0, 4.0, 7.0, 10.0], [2.0, 5.0, 8.0, 11.0], [3.0, 6.0, 9.0, 0.0]]",
        "[[16.0, 18.0, 20.0, 22.0], [32.0, 34.0, 36.0, 38.0], "
        "[0.0, 0.0, 0.0, 0.0]]",
        plane,
    ]  # fmt: skip
    for text in (
        "kernel 'far' reads a[8],",
        "kernel 'far' writes a[-999992],",
        "kernel 'own' reads mine[4],",
        "kernel 'own' writes mine[300],",
        "kernel 'own' writes tile[-2984],",
        "kernel 'dynamic' reads tile[8],",
        "kernel 'update' updates counts[6],",
        "kernel 'called' reads a[8],",
        "kernel 'numbers' reads z[4],",
        "kernel 'plane' reads a[3, 0],",
    ):
        assert told.count(text) == 1, text


def shift_from(x, out, k):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = x[i + k]


def test_what_stays_in_the_allocation_is_as_on_a_gpu() -> None:
    kernel = cuda.jit(shift_from)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        base = np.arange(100.0)
        for view in (
            base[10:14],
            base.reshape(10, 10)[1, :4],
            cuda.to_device(base)[10:14],
            base[10:90][:4],
        ):
            out = np.zeros(8)
            kernel[1, 8](view, out, 80)
            assert out.tolist() == list(range(90, 98))
            # Below 0 they count from the end of the view first.
            kernel[1, 8](view, out, -10)
            assert out.tolist() == list(range(4, 12))


def test_memory_of_other_libraries_is_that_of_the_argument() -> None:
    kernel = cuda.jit(shift_from)
    data = bytearray(np.arange(8.0).tobytes())
    x = np.frombuffer(data, dtype=np.float64)[2:6]
    out = np.zeros(8)
    # The array over the buffer is the owner that is known.
    with pytest.warns(OutOfBoundsWarning, match=r"reads x\[6\]"):
        kernel[1, 8](x, out, 0)
    assert out.tolist() == [2, 3, 4, 5, 6, 7, 0, 0]


def test_right_launches_keep_code_without_checks() -> None:
    @cuda.jit
    def double(x, out):
        i = cuda.grid(1)
        if i < x.size:
            out[i] = 2 * x[i]

    x, out = np.arange(100.0), np.zeros(100)
    double[4, 32](x, out)
    assert out.tolist() == (2 * x).tolist()
    assert len(double._variants.functions) == 1
    with pytest.warns(OutOfBoundsWarning, match=r"writes out\[50\].*49 more"):
        double[4, 32](x, out[:50].copy())
    checked = len(double._variants.functions)
    assert checked == 2
    out[:] = 0
    double[4, 32](x, out)
    assert out.tolist() == (2 * x).tolist()
    assert len(double._variants.functions) == checked


def test_warnings_that_are_errors_reach_the_program() -> None:
    @cuda.jit
    def strict(x, out):
        out[cuda.grid(1)] = x[cuda.grid(1)] + 1

    out = np.zeros(4)
    with warnings.catch_warnings():
        warnings.simplefilter("error", OutOfBoundsWarning)
        with pytest.raises(OutOfBoundsWarning, match=r"reads x\[4\]"):
            strict[1, 8](np.zeros(4), out)
        assert out.tolist() == [1, 1, 1, 1]
        # It has been said.
        strict[1, 8](np.zeros(4), out)


def test_streams_warn_when_they_are_waited_for() -> None:
    @cuda.jit
    def later(x):
        x[cuda.grid(1) + 2] = 1

    x = cuda.device_array(4)
    stream = cuda.stream()
    with pytest.warns(OutOfBoundsWarning, match=r"writes x\[4\]"):
        later[1, 4, stream](x)
        stream.synchronize()
    assert x.copy_to_host().tolist() == [0, 0, 1, 1]


def test_launches_without_blocks_to_prove() -> None:
    """Guards that keep all threads away are enough, whatever follows."""

    @cuda.jit
    def nothing(x, out, n):
        i = cuda.grid(1)
        if i < n:
            out[0] = x[i - 1 + n]

    out = np.zeros(1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        nothing[1, 32](np.zeros(0), out, 0)
    assert out[0] == 0


def test_arrays_without_elements_have_no_memory() -> None:
    @cuda.jit
    def read(x, out):
        out[cuda.grid(1)] = x[cuda.grid(1)] + 1

    out = np.zeros(4)
    with pytest.warns(OutOfBoundsWarning, match=r"reads x\[0\].*3 more"):
        read[1, 4](np.zeros(0), out)
    assert out.tolist() == [1, 1, 1, 1]


ORIGINS = """
@cuda.jit(device=True)
def pick(a, d):
    if d <= 0:
        return a
    return pick(a[1:], d - 1)

@cuda.jit
def returned(a, d, i, out):
    b = pick(a, d)
    out[0] = b[i]
    b[i] = -1

grid = cuda.to_device(np.arange(128).reshape(64, 2))
column, back = grid[8:12, 0], grid[::-1, 1]

@cuda.jit
def captured(i, out):
    out[0] = column[i]
    out[1] = back[i]

@cuda.jit
def chosen(a, b, i, n, out):
    c = a if n > 3 else b
    out[0] = c[i]

out = np.full(2, -1)
a = np.arange(1, 9)
for i in (4, 5, 2**40):
    returned[1, 1](a, 3, i, out)
    print(out[0], a.tolist())
for i in (3, 63, 64, 2**40):
    captured[1, 1](i, out)
    print(out.tolist())
# The last would end where addresses do.
for i in (3, 8, (2**64 - 8 - a.ctypes.data) // 8):
    chosen[1, 1](a, out, i, 5, out)
    print(out[0])
"""


@pytest.mark.parametrize("way", WAYS)
def test_arrays_that_come_from_elsewhere(way: str, tmp_path: Path) -> None:
    out, told = run(ORIGINS, way, tmp_path)
    assert out.splitlines() == [
        "8 [1, 2, 3, 4, 5, 6, 7, -1]",
        "0 [1, 2, 3, 4, 5, 6, 7, -1]",
        "0 [1, 2, 3, 4, 5, 6, 7, -1]",
        "[22, 121]",
        "[0, 1]",
        "[0, 0]",
        "[0, 0]",
        "4",
        "0",
        "0",
    ]
    assert told.count("OutOfBoundsWarning: kernel 'returned'") == 2
    # Which of two arrays it is, nobody knows.
    assert "kernel 'chosen' reads an array at [8], outside" in told


# Its elements reach further than so many of them that lie together.
def test_array_with_gaps_in_memory_of_others() -> None:
    @cuda.jit
    def k(a, places):
        a[places[cuda.grid(1)]] += 1

    a = np.ndarray(4, np.float64, bytearray(128), strides=(32,))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        k[1, 4](a, np.array([3, 0, 2, 1]))
    assert a.tolist() == [1, 1, 1, 1]


@cuda.jit
def copy_all(a, out):
    i = cuda.grid(1)
    if i < a.size:
        out[i] = a[i]


@cuda.jit
def fill_all(a):
    i = cuda.grid(1)
    if i < a.size:
        a[i] = 7


class Interface:
    """An object that has an array as `base`, as NumPy's own has."""

    def __init__(self, base: np.ndarray, shape: tuple[int, ...]) -> None:
        self.base = base
        self.__array_interface__ = {
            **base.__array_interface__,
            "shape": shape,
        }


def beyond(x: np.ndarray, way: str, count: int) -> np.ndarray:
    """A view of `count` elements from the first one of `x` on."""
    if way == "strided":
        return np.lib.stride_tricks.as_strided(x, (count,), x.strides)
    if way == "strided twice":
        return beyond(beyond(x, "strided", len(x)), "strided", count)
    if way == "of a subclass":
        return beyond(np.asarray(x.view(np.matrix))[0], "strided", count)
    return np.asarray(Interface(x, (count,)))


@pytest.mark.parametrize(
    "way", ["strided", "strided twice", "of a subclass", "interface"]
)
@pytest.mark.parametrize("step", [1, 2])
def test_views_beyond_their_array(way: str, step: int) -> None:
    x = np.arange(1.0, 9.0)[::step]
    if way == "interface" and step == 2:
        pytest.skip("it has the strides of its base")
    view = beyond(x, way, 64)
    inside = list(view[: len(x)])
    out = np.full(64, -1.0)
    with warnings.catch_warnings():
        # It comes once a process.
        warnings.simplefilter("ignore", OutOfBoundsWarning)
        copy_all[1, 64](view, out)
        fill_all[16, 128](beyond(x[:0:-1][::-1], way, 2000))
    assert list(out[: len(x)]) == inside
    assert set(out[len(x) :]) == {0.0}
    assert x[0] == 1
    assert set(x[1:]) == {7.0}


def test_views_within_their_array() -> None:
    """A window or a broadcast view is right, and so is a part behind it."""
    x = np.arange(12.0)
    windows = np.lib.stride_tricks.sliding_window_view(x, 4)
    out = np.zeros(9)

    @cuda.jit
    def total(a, out):
        i = cuda.grid(1)
        if i < a.shape[0]:
            for j in range(a.shape[1]):
                out[i] += a[i, j]

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        total[1, 9](windows, out)
        assert out.tolist() == windows.sum(axis=1).tolist()
        wide = beyond(x[2:4], "strided", 10)
        found = np.zeros(10)
        copy_all[1, 10](wide, found)
        assert found.tolist() == x[2:].tolist()
        copy_all[1, 10](np.broadcast_to(x[3], 10), found)
        assert set(found) == {3.0}
