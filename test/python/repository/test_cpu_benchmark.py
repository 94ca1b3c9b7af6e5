# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernels of `scripts/dev bench cpu` and the arithmetic of its report."""

import argparse
import ast
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

_cpu_cases = pytest.importorskip(
    "_cpu_cases", reason="a bundle has no benchmarks"
)
_cpu_peers = pytest.importorskip("_cpu_peers")
_cpu_report = pytest.importorskip("_cpu_report")
_cpu_worker = pytest.importorskip("_cpu_worker")
cpu = pytest.importorskip("cpu")

CASES = _cpu_cases.CASES
KERNELS = _cpu_peers.KERNELS
Row = _cpu_report.Row


def tiny(name: str) -> tuple[Any, Any]:
    """Arguments and NumPy's results."""
    case = CASES[name]
    arguments = case.arguments(case.sizes["tiny"])
    return arguments, case.expected(arguments)


def error_of(form: Any, name: str) -> str | None:
    arguments, expected = tiny(name)
    run = form.prepare(name, arguments, list(expected))
    run()
    form.to_host()
    form.release()
    error: str | None = _cpu_cases.error_of(
        CASES[name], arguments, expected, form.has_total
    )
    return error


@pytest.fixture(scope="module")
def of_pyk() -> Any:
    return _cpu_worker.PyK()


@pytest.mark.parametrize("name", CASES)
def test_values(name: str, of_pyk: Any) -> None:
    assert error_of(of_pyk, name) is None


@pytest.fixture(scope="module")
def of_cpp(tmp_path_factory: pytest.TempPathFactory) -> Any:
    compiler = shutil.which("g++")
    if compiler is None:
        pytest.skip("needs g++")
    library = tmp_path_factory.mktemp("cpp") / "cpu.so"
    options = ["-std=c++17", "-O1", "-fopenmp", "-shared", "-fPIC"]
    command = [compiler, *options, KERNELS / "cpu.cpp", "-o", library]
    subprocess.run(command, check=True)
    return _cpu_worker.Library(str(library))


@pytest.mark.parametrize("name", _cpu_cases.KERNELS)
def test_values_of_cpp(name: str, of_cpp: Any) -> None:
    """Loops compute the same as threads, or times tell nothing."""
    assert error_of(of_cpp, name) is None


def test_kernels_that_loops_lack(of_cpp: Any) -> None:
    with pytest.raises(KeyError):
        of_cpp.prepare("warp_sum", *tiny("warp_sum"))


@pytest.mark.parametrize(
    ("file", "lacks"),
    [
        ("cpu.py", set()),
        ("cpu_numba.py", {"matmul_t16", "matmul_t32", *_cpu_cases.WARPS}),
    ],
)
def test_parameters_in_python(file: str, lacks: set[str]) -> None:
    tree = ast.parse((KERNELS / file).read_text())
    parameters = {
        part.name: [argument.arg for argument in part.args.args]
        for part in tree.body
        if isinstance(part, ast.FunctionDef)
    }
    assert set(CASES) - set(parameters) == lacks
    for name in set(CASES) - lacks:
        assert parameters[name] == list(tiny(name)[0])


def test_parameters_in_opencl() -> None:
    """Those of Python, then the extents."""
    text = (KERNELS / "cpu.cl").read_text()
    found = dict(re.findall(r"__kernel void ([a-z]\w*)\(([^)]*)\)", text))
    in_tiles = set(re.findall(r"^MATMUL_IN_TILES\((\w+)", text, re.M))
    assert {*found, *in_tiles} == set(_cpu_cases.KERNELS)
    for name, parameters in found.items():
        names = re.findall(r"(\w+)\s*(?:,|$)", parameters)
        arguments, _ = tiny(name)
        extents = CASES[name].extents(arguments)
        assert names[: -len(extents)] == list(arguments)


def test_ispc_has_all_kernels() -> None:
    for file in ("cpu.ispc", "cpu_ispc.cpp"):
        text = (KERNELS / file).read_text()
        for name in _cpu_cases.KERNELS:
            assert re.search(rf"\b(part_of_|SHARED_OUT\(){name}\b", text)


def test_wrong_results_are_seen() -> None:
    case = CASES["vadd"]
    expected = {"c": np.ones(4)}
    right = {"c": np.ones(4, np.float32)}
    assert _cpu_cases.error_of(case, right, expected) is None
    for wrong in (1.1, np.nan):
        results = {"c": np.array([1, 1, wrong, 1], np.float32)}
        error = _cpu_cases.error_of(case, results, expected)
        assert error == "25.00% of 'c' differ from NumPy's"


def test_total_of_loops() -> None:
    """They leave the rest of the partial sums alone, and threads do not."""
    results = {"out": np.array([6, 0, 0], np.float32)}
    expected = {"out": np.array([1, 2, 3])}
    case = CASES["reduce"]
    assert _cpu_cases.error_of(case, results, expected, True) is None
    assert _cpu_cases.error_of(case, results, expected, False)


def row(ours: float, name: str = "vadd", label: str = "small", **peers: Any):
    return Row(name, label, 1 << 20, {"pyk": ours, **peers})


def test_ratios() -> None:
    rows = [
        row(2.0, clang=1.0, gcc=4.0),
        row(2.0, clang=8.0, **{"clang-fast": 4.0}),
        row(32.0, clang=4.0),
        row(5.0),
        Row("vadd", "small", 4, {"clang": 1.0}),
    ]
    assert [one.best for one in rows[:2]] == ["clang", "clang-fast"]
    assert [one.ratio for one in rows] == [2.0, 0.5, 8.0, None, None]
    assert _cpu_report.geometric_mean(rows) == pytest.approx(2.0)
    assert _cpu_report.worst(rows) == 8.0
    assert _cpu_report.summary(rows, "kernels") == (
        "PyK / best, kernels: geometric mean 2.00 of 3, worst 8.00 (vadd, 1 Mi)"
    )
    assert _cpu_report.geometric_mean(rows[3:]) is None
    assert "nothing" in _cpu_report.summary(rows[3:], "kernels")


def test_earlier_figures_stand_in() -> None:
    """Only for what was not measured, and never for PyK; the model is none."""
    figures = {"clang": 2.0, "ispc": 1.0, "pocl": 8.0, "model": 0.5}
    times = {"pyk": 6.0, "clang": 4.0, "pocl": 3.0}
    scaled = _cpu_report.scaled(figures, times)
    assert scaled == {"ispc": 2.0, "model": 1.0}
    one = Row("nbody", "small", 1, times, scaled)
    assert (one.best, one.ratio) == ("ispc", 3.0)
    assert _cpu_report.through("model")(one) == 6.0
    assert _cpu_report.scaled(figures, {"pyk": 6.0}) == {}
    assert _cpu_report.cell(one, "ispc") == "~2.00"


def test_earlier_figures_are_of_these_kernels() -> None:
    figures = _cpu_report.earlier_figures()
    assert set(figures) == set(_cpu_cases.KERNELS)
    peers = {peer + way for peer in _cpu_peers.PEERS for way in ("", "-fast")}
    for sizes in figures.values():
        assert set(sizes) == set(_cpu_cases.SIZES)
        for times in sizes.values():
            assert set(times) <= peers | {"model"}
            assert {"clang", "model"} <= set(times)


def test_roofs() -> None:
    medians = {"memory": 3.0, "bypass": 2.0, "arithmetic": 10.0}
    roofs = cpu.roofs_of(medians, {"kernel": 50.0, "roof": 100.0})
    assert roofs == {"memory": 2.0, "arithmetic": 5.0}
    one = Row("matmul", "small", 512, {"pyk": 20.0}, {}, roofs)
    assert (one.roof, one.share(one.roof)) == ("arithmetic", 0.25)
    assert cpu.roofs_of(medians, {"kernel": 0.0}) == {"memory": 2.0}
    assert cpu.roofs_of({}, {"kernel": 50.0}) == {}


@pytest.mark.parametrize("way", _cpu_peers.ROOFS)
def test_roofs_touch_no_other_memory(way: str, folder: Path) -> None:
    """Results of a size that no vector divides included."""
    try:
        library = _cpu_peers.compile_library(
            "roofs", "clang++-22", "cpu_roofs.cpp"
        )
    except _cpu_peers.AbsentError as error:
        pytest.skip(str(error))
    roof = _cpu_worker.Roof(library, way)
    for name in _cpu_cases.KERNELS:
        arguments, expected = tiny(name)
        padded = {
            key: _cpu_worker.aligned(np.pad(value.ravel(), (0, 64)))
            for key, value in arguments.items()
            if isinstance(value, np.ndarray)
        }
        inner = {key: array[:-64] for key, array in padded.items()}
        roof.prepare(name, inner, list(expected))()
        for array in padded.values():
            assert not array[-64:].any()
    assert roof.operations() > 0


def test_warps() -> None:
    """A launch of 2 ms on two cores is 122 ns of a core for each warp."""
    first, second = row(2.0, "warp_sum"), row(1.0, "warp_first")
    (warps,) = _cpu_report.Warps.of([first, second], threads=2)
    assert warps.nanoseconds(first) == pytest.approx(4e6 / 32768)
    assert warps.shuffles == pytest.approx(2e6 / 32768)
    assert _cpu_report.Warps.of([first], threads=2) == []


def test_bars() -> None:
    kernels = [
        Row("matmul", "small", 512, {"pyk": 2.0, "clang": 4.0}, {}, ARITHMETIC),
        row(3.0, "mandelbrot", ispc=1.0, clang=2.0),
    ]
    results = _cpu_report.Results(kernels, [row(1.0, "life", numba=2.0)], [])
    figures = {
        bar.what: (figure, bar.is_missed(figure))
        for bar, figure in _cpu_report.bar_figures(results)
    }
    assert figures == {
        "geometric mean of the kernels": (pytest.approx(1.5**0.5), True),
        "worst kernel": (3.0, True),
        "share of arithmetic, `matmul`, small": (0.95, False),
        "`mandelbrot` / ISPC": (3.0, True),
        "worst program": (0.5, False),
    }


ARITHMETIC = {"arithmetic": 1.9, "memory": 0.1}


def test_markdown() -> None:
    one = Row(
        *("vadd", "small", 1 << 20, {"pyk": 0.5, "clang": 0.25}),
        *({"ispc-fast": 0.125}, {"memory": 0.1}),
    )
    assert _cpu_report.markdown([one], "kernel").splitlines() == [
        "| kernel | size | PyK | C++ clang | ISPC | best | PyK / best | roof |"
        " reached |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
        "| vadd | 1 Mi | 0.500 | 0.250 | ~0.125 | ~ispc-fast | 4.00 |"
        " 0.100, memory | 20% |",
    ]


def test_checks_are_no_peer() -> None:
    """They have a column and bars of their own."""
    times = {"pyk": 0.6, "pyk-unchecked": 0.5, "clang": 0.75}
    one = Row("vadd", "small", 1 << 20, times)
    other = Row("saxpy", "small", 1 << 20, {"pyk": 1.0, "clang": 1.0})
    assert (one.best, one.ratio) == ("clang", pytest.approx(0.8))
    assert one.checks == pytest.approx(1.2)
    assert other.checks is None
    assert _cpu_report.markdown([one, other], "kernel").splitlines() == [
        "| kernel | size | PyK | C++ clang | best | PyK / best | checks |",
        "| --- | --- | --- | --- | --- | --- | --- |",
        "| vadd | 1 Mi | 0.600 | 0.750 | clang | 0.80 | 1.20 |",
        "| saxpy | 1 Mi | 1.00 | 1.00 | clang | 1.00 |  |",
    ]
    results = _cpu_report.Results([one, other], [], [])
    figures = {
        bar.what: (figure, bar.is_missed(figure))
        for bar, figure in _cpu_report.bar_figures(results)
        if "checks" in bar.what
    }
    assert figures == {
        "checks / none, geometric mean of the kernels": (
            pytest.approx(1.2),
            True,
        ),
        "checks / none, worst kernel": (pytest.approx(1.2), False),
    }


@pytest.mark.parametrize(
    ("number", "shown"),
    [(0.04567, "0.0457"), (1.5, "1.50"), (45.67, "45.7"), (1234.5, "1234")],
)
def test_digits(number: float, shown: str) -> None:
    assert _cpu_report.digits(number) == shown


@pytest.mark.parametrize(
    ("size", "shown"), [(512, "512"), (1 << 18, "256 Ki"), (1 << 24, "16 Mi")]
)
def test_counts(size: int, shown: str) -> None:
    assert _cpu_report.count(size) == shown


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setattr(_cpu_peers, "BUILD", tmp_path)
    monkeypatch.setenv("PYTHONPATH", ":".join(sys.path))
    return tmp_path


def test_iterations(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From a process to a row; the kernel is compiled once."""
    process = _cpu_peers.Process("pyk", _cpu_peers.pyk("reference"))
    assert process.version.startswith("PyK ")
    measured = cpu.Measured()
    cpu.measure("vadd", "tiny", {"pyk": process}, 3, {}, measured)
    process.close()
    (found,) = measured.rows
    assert found.ours is not None and found.ours > 0
    assert len(measured.samples["vadd, tiny"]["pyk"]) == 3
    assert not measured.failures
    assert "| vadd | 1000 |" in cpu.report(measured)


def test_options_are_names_of_what_there_is() -> None:
    names = cpu.some_of(("clang", "intel"))
    assert names("intel,clang") == ["intel", "clang"]
    with pytest.raises(argparse.ArgumentTypeError, match="expects clang, in"):
        names("clang,icc")


def test_peer_that_ends_is_absent(folder: Path) -> None:
    program = _cpu_peers.Program(("library", "/nowhere.so"))
    measured = cpu.Measured()
    assert cpu.start({"nobody": program}, measured) == {}
    assert "/nowhere.so" in measured.absent["nobody"]


def test_peer_that_fails_is_not_timed(folder: Path) -> None:
    """Its results are not NumPy's, which is told, and others have a row."""

    class Wrong:
        def restart(self) -> None:
            pass

        def ask(self, request: str, **details: Any) -> dict[str, Any]:
            if request == "load":
                return {"error": "50.00% of 'c' differ from NumPy's"}
            assert request == "release"
            return {}

    measured = cpu.Measured()
    cpu.measure("vadd", "tiny", {"wrong": Wrong()}, 3, {}, measured)
    assert measured.rows[0].times == {}
    assert "- vadd, 1000, wrong: 50.00% of 'c'" in cpu.report(measured)
