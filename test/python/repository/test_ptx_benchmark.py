# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernels of `scripts/dev bench ptx`: what they compute, what they cost."""

import os
import re
import shutil
import subprocess
import sys
from dataclasses import astuple
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import cuda_threads
import ptx_kernels
import pyk
from support.places import BENCHMARKS
from support.stand_in_driver import LIBRARY

_chart = pytest.importorskip("_chart", reason="needs benchmarks")
_ptx_kernels = pytest.importorskip("_ptx_kernels")
ptx = pytest.importorskip("ptx")
_ptx_times = pytest.importorskip("_ptx_times")
_toolchain = pytest.importorskip("_toolchain")

CASES = _ptx_kernels.CASES
KEYS = {name: case.keys for name, case in CASES.items()}
WAYS = _ptx_kernels.WAYS


@pytest.fixture(autouse=True)
def numba_is_pyk() -> None:
    pyk.install_as_numba()


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", CASES)
def test_values(name: str, way: str) -> None:
    getattr(ptx_kernels, name)(WAYS[way].load()[name])


@pytest.fixture(scope="module")
def cuda_kernels(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    compiler = shutil.which("g++")
    if compiler is None:
        pytest.skip("needs g++")
    folder = tmp_path_factory.mktemp("kernels")
    return cuda_threads.build(compiler, _ptx_kernels.CUDA_SOURCE, folder)


@pytest.mark.parametrize("name", CASES)
def test_values_of_cuda(name: str, cuda_kernels: dict[str, Any]) -> None:
    """The kernels in CUDA C++ compute the same, or counts tell nothing."""

    class WithExtents:
        def __getitem__(self, shapes: Any) -> Any:
            launch = cuda_kernels[name][shapes]
            extents = CASES[name].extents
            return lambda *arguments: launch(
                *arguments, *map(np.int32, extents(*arguments))
            )

    getattr(ptx_kernels, name)(WithExtents())


def test_plain_kernels_are_spelled_as_they_are() -> None:
    text = _ptx_kernels.PYTHON_SOURCE.read_text()
    spelled = WAYS["plain"].spell(text)
    assert spelled.count("assume='launch'") == text.count("\n@cuda.jit")
    assert re.sub(r", assume='launch'|\(assume='launch'\)", "", spelled) == text


def test_spelling_of_narrow_kernels() -> None:
    text = "@cuda.jit\n@cuda.jit(device=True)\nnp.float32(-6.0) * np.float32(j)"
    assert WAYS["narrow"].spell(text) == (
        "@cuda.jit(assume='launch', typing='narrow')\n"
        "@cuda.jit(device=True, assume='launch', typing='narrow')\n"
        "-6.0 * np.float32(j)"
    )
    assert "fastmath=True)" in WAYS["fastmath"].spell(text)


@pytest.mark.parametrize(
    ("registers", "shared", "warps"),
    [(40, 0, 48), (41, 0, 40), (64, 0, 32), (32, 0, 64), (32, 32768, 48)],
)
def test_resident_warps(registers: int, shared: int, warps: int) -> None:
    """Registers are given out eight for each thread of a warp at a time."""
    assert _toolchain.resident_warps(registers, shared) == warps


def test_figures(capsys: pytest.CaptureFixture[str]) -> None:
    """Each kernel counts where it has to, and a missed bar is marked."""
    code = _toolchain.Code
    theirs = code(100, 10.0, 50, 16, 0, 64)
    with_loop = code(400, 5.0, 25, 16, 0, 64)
    # A loop of a subroutine is not one of the kernel.
    without_loop = code(107, None, 1, 16, 0, 64)
    ours = {
        name: with_loop if case.keys else without_loop
        for name, case in CASES.items()
    }
    comparison = ptx.Comparison(
        WAYS["narrow"],
        dict.fromkeys(CASES, theirs),
        ours,
        dict.fromkeys(CASES, [3.0, 2.0]),
    )
    assert astuple(comparison.figures()) == pytest.approx(
        (1.07, 0.5, 0.5, 1.0, 4.0)
    )
    assert comparison.ratio("vadd", "hot_loop") is None
    ptx.print_figures({"narrow": comparison})
    line = capsys.readouterr().out.splitlines()[-1]
    assert line.split()[4:] == [
        *("1.07", "(1.08)", "0.50", "(1.12)", "0.50", "1.00", "(1.01)"),
        *("4.00!", "(1.35)", "2.0"),
    ]


def test_chart() -> None:
    """A dot for each ratio, those of 1 on the black line."""
    text = _chart.draw(
        "a < b", ["one", "two"], {"k": [1.0, 2.0], "l": [None, 1.0]}
    )
    parts = list(ElementTree.fromstring(text))
    (line,) = (part for part in parts if part.get("stroke") == "black")
    x = line.attrib["d"].partition("V")[0][1:].split()[0]
    dots = [part for part in parts if part.get("class")]
    assert [dot.get("cx") == x for dot in dots] == [True, False, True]
    assert parts[1].text == "a < b"


def test_missing_tool_is_named(tmp_path: Path) -> None:
    """As on a machine without a toolkit: one line, and no traceback."""
    inner = (
        f"import runpy, sys; sys.path.insert(0, {str(BENCHMARKS)!r})\n"
        "from pyk import _toolkit; _toolkit.find = lambda name: None\n"
        f"sys.argv = ['ptx']; runpy.run_path({str(BENCHMARKS)!r} + '/ptx.py', "
        "run_name='__main__')"
    )
    result = subprocess.run(
        [sys.executable, "-c", inner],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
    )
    assert result.returncode == 1
    assert result.stderr == (
        "ptx: needs nvcc, which was not found: set CUDA_HOME to a CUDA "
        "toolkit, or put nvcc on PATH\n"
    )


@pytest.mark.parametrize("target", ["cpu", "cuda"])
def test_times_need_a_gpu(target: str) -> None:
    result = subprocess.run(
        [sys.executable, BENCHMARKS / "ptx.py", "--time"],
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join(sys.path),
            "PYK_TARGET": target,
            "PYK_LIBCUDA": "/nowhere",
        },
        capture_output=True,
        text=True,
    )
    assert result.returncode == 1
    assert result.stderr == "ptx: --time needs a GPU, and PyK finds none\n"


def test_launches_that_are_timed() -> None:
    """Small ones; each sample is of one launch, the first of which compiles."""
    times = _ptx_times.time_numba(WAYS["narrow"], runs=2, side=64)
    assert [*times] == [*CASES]
    assert {len(samples) for samples in times.values()} == {2}
    assert min(map(min, times.values())) > 0


def test_peer_that_fails_is_left_out(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(_ptx_times, "PEERS", {"nobody": None})
    assert _ptx_times.measure(1) == {name: {} for name in CASES}
    assert capsys.readouterr().out == "nobody is left out: KeyError: 'nobody'\n"


def test_peer_that_takes_too_long_has_no_times() -> None:
    assert _ptx_times.measure_peer("PyK, plain", 1, 64, limit=0.01) is None


def fake_measure_peer(
    monkeypatch: pytest.MonkeyPatch, seconds: dict[tuple[str, int], float]
) -> list[tuple[str, int]]:
    """Replaces `measure_peer`: a peer takes `seconds` with a side.

    Returns the peers and sides that are measured.
    """
    asked = []

    def measure_peer(
        peer: str, runs: int, side: int, limit: float | None
    ) -> Any:
        asked.append((peer, side))
        assert limit is not None
        if seconds.get((peer, side), 0) > limit:
            return None
        return {"vadd": [1.0] * runs}

    monkeypatch.setattr(_ptx_times, "measure_peer", measure_peer)
    return asked


def test_matrices_are_smaller_where_pyk_takes_too_long(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    slow = {("PyK, plain", 4096): 99.0, ("nvcc", 512): 99.0}
    asked = fake_measure_peer(monkeypatch, slow)
    groups = _ptx_times.measure(2, 60)
    assert asked == [
        ("PyK, plain", 4096),
        *((peer, 512) for peer in _ptx_times.PEERS),
    ]
    assert [*groups["vadd"]] == [
        peer for peer in _ptx_times.PEERS if peer != "nvcc"
    ]
    lines = capsys.readouterr().out.splitlines()
    assert lines[:3] == [
        "matrices of 512 x 512 elements: PyK, plain takes longer than 60 s "
        "with 4096 x 4096",
        "PyK, plain, ms: vadd 1",
        "nvcc is left out: it takes longer than 60 s",
    ]


def test_pyk_is_left_out_where_no_matrices_are_small_enough(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    slow = {("PyK, plain", side): 99.0 for side in (4096, 512)}
    asked = fake_measure_peer(monkeypatch, slow)
    groups = _ptx_times.measure(2, 60, (4096, 512))
    assert asked[:3] == [*slow, ("nvcc", 512)]
    assert "PyK, plain" not in groups["vadd"]
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == "PyK, plain is left out: it takes longer than 60 s"


def test_what_is_saved_is_of_the_largest_matrices(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[tuple[int, ...]] = []

    def measure(_: int, limit: float | None, sides: Any) -> Any:
        asked.append(tuple(sides))
        return {}

    monkeypatch.setattr(_ptx_times, "measure", measure)
    monkeypatch.setattr(ptx.cuda, "is_available", lambda: True)
    monkeypatch.setattr(
        ptx.cuda, "get_current_device", lambda: SimpleNamespace(is_cpu=False)
    )
    for is_saved in True, False:
        with pytest.raises(SystemExit, match="nothing could be measured"):
            ptx.time_on_gpu(60, is_saved)
    assert asked == [(4096,), _ptx_times.SIDES]


def test_peers_are_printed_beside_pyk_when_they_are_there(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found: dict[str, Any] = {
        "PyK, plain": {"vadd": [2.0, 9.0, 3.0], "scan": [8.0]},
        "nvcc": {"vadd": [6.0], "scan": [4.0]},
        "CuPy": {"vadd": [1.5]},
    }

    def measure_peer(
        peer: str, runs: int, side: int, limit: float | None
    ) -> Any:
        assert (runs, side, limit) == (3, 4096, 60)
        return found.get(peer, "not there")

    monkeypatch.setattr(_ptx_times, "measure_peer", measure_peer)
    groups = _ptx_times.measure(3, 60)
    assert groups["vadd"]["nvcc"] == [6.0]
    assert [*groups["scan"]] == ["PyK, plain", "nvcc"]
    lines = capsys.readouterr().out.splitlines()
    assert lines[:3] == [
        "PyK, plain, ms: vadd 3, scan 8",
        "nvcc, ms: vadd 6, scan 4",
        "PyK, plain / nvcc: 1.000",
    ]
    assert "numba-cuda is left out: not there" in lines
    assert "PyK, plain / CuPy: 2.000" in lines


def test_launches_and_copies_beside_the_driver() -> None:
    """On the stand-in, which runs nothing: every call is one that it takes."""
    result = subprocess.run(
        [sys.executable, BENCHMARKS / "device.py", "--runs=1"],
        env={
            **os.environ,
            "PYK_TARGET": "cuda",
            "PYK_LIBCUDA": str(LIBRARY),
        },
        capture_output=True,
        text=True,
    )
    assert result.stderr == ""
    assert result.returncode == 0
    lines = [line.split() for line in result.stdout.splitlines()]
    assert sum("driver" in line for line in lines) == 3 + 2 * 6
    assert sum("PyK" in line for line in lines) == 3 + 2 * 6


@pytest.mark.parametrize("side", _ptx_times.SIDES)
def test_threads_of_strides_have_several_elements(side: int) -> None:
    for name in "saxpy_stride", "reduce_stride", "reduce_warp", "histogram":
        blocks, threads, _ = _ptx_times.launch_of(name, side)
        assert side * side / (blocks * threads) >= 15


def test_launches_have_the_parameters_of_cuda() -> None:
    text = _ptx_kernels.CUDA_SOURCE.read_text()
    parameters = cuda_threads.parameters_of(text)
    for name, case in CASES.items():
        _, _, arguments = _ptx_times.launch_of(name, 64)
        arguments += map(np.int32, case.extents(*arguments))
        assert len(arguments) == len(parameters[name])
        for parameter, argument in zip(parameters[name], arguments):
            cuda_threads.convert(parameter, argument)


@cache
def nvcc_codes(options: tuple[str, ...]) -> dict[str, Any]:
    return _toolchain.count(
        _toolchain.ptx_of(_ptx_kernels.CUDA_SOURCE, options), KEYS
    )


@cache
def pyk_code(name: str, way: str) -> Any:
    ptx = WAYS[way].load()[name]._ptx(CASES[name].signature, _toolchain.CHIP)
    return _toolchain.count(ptx, KEYS)[name]


# PyK's number through nvcc's. Each limit is what was measured and a little
# more, because another nvcc counts a little differently. Whoever makes the code
# better writes a lower one.
LIMITS = [
    ("vadd", "plain", "instructions", 1.05),
    ("vadd", "narrow", "instructions", 1.05),
    ("vadd", "plain", "registers", 1.0),
    ("jacobi", "plain", "instructions", 1.10),
    ("jacobi", "narrow", "instructions", 1.10),
    ("stencil3d", "plain", "instructions", 1.10),
    ("stencil3d", "narrow", "instructions", 1.10),
    ("transpose", "plain", "instructions", 1.10),
    ("transpose", "narrow", "instructions", 1.0),
    ("conv1d", "plain", "instructions", 1.05),
    ("gray", "plain", "instructions", 1.05),
    ("life", "plain", "instructions", 1.0),
    ("life", "narrow", "instructions", 0.80),
    ("matmul", "plain", "instructions", 0.65),
    ("matmul", "plain", "hot_loop", 1.15),
    ("matmul", "narrow", "instructions", 0.65),
    ("matmul", "narrow", "hot_loop", 1.15),
    ("matmul_tiled", "plain", "hot_loop", 1.15),
    ("matmul_tiled", "plain", "registers", 1.0),
    ("matmul_tiled", "narrow", "hot_loop", 1.20),
    ("saxpy_stride", "plain", "hot_loop", 1.0),
    ("saxpy_stride", "narrow", "hot_loop", 1.0),
    ("reduce_stride", "plain", "hot_loop", 1.0),
    ("reduce_stride", "narrow", "hot_loop", 1.0),
    ("reduce_stride", "plain", "registers", 1.25),
    ("reduce_stride", "narrow", "registers", 1.25),
    ("histogram", "plain", "instructions", 1.15),
    ("histogram", "narrow", "instructions", 1.15),
    ("histogram", "plain", "hot_loop", 1.35),
    ("histogram", "plain", "registers", 1.0),
    ("spmv", "plain", "hot_loop", 1.55),
    ("spmv", "narrow", "hot_loop", 1.50),
    ("mandelbrot", "plain", "hot_loop", 1.15),
    ("mandelbrot", "narrow", "hot_loop", 0.95),
    ("nbody", "narrow", "hot_loop", 1.0),
    ("nbody", "fastmath", "hot_loop", 1.10),
    ("blackscholes", "plain", "instructions", 1.05),
    ("blackscholes", "fastmath", "instructions", 1.15),
]


@pytest.mark.parametrize(("name", "way", "measure", "limit"), LIMITS)
def test_count(name: str, way: str, measure: str, limit: float) -> None:
    try:
        _toolchain.versions()
    except _toolchain.MissingToolError as error:
        pytest.skip(str(error))
    ours = pyk_code(name, way)
    theirs = nvcc_codes(WAYS[way].nvcc_options)[name]
    assert ours.spill_bytes == 0
    assert getattr(ours, measure) / getattr(theirs, measure) <= limit
