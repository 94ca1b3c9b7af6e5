# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How good the code for a GPU is beside nvcc's, counted without a GPU.

The kernels of `kernels/ptx.py` and of `kernels/ptx.cu` are the same, in Python
and in CUDA C++. The PTX of both goes through one `ptxas`, and what it makes of
it is counted. README.md, beside this file, says what the numbers mean.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from collections.abc import Collection, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, fields

import _chart
import _ptx_times
import _toolchain
from _ptx_kernels import CASES, CUDA_SOURCE, WAYS, Way
from _report import ROOT, Samples, print_table, save
from _toolchain import CHIP, Code, MissingToolError

import pyk
from pyk import cuda

# By kernel.
Codes = dict[str, Code]

KEYS = {name: case.keys for name, case in CASES.items()}


@dataclass(frozen=True)
class Figures:
    """PyK's numbers through nvcc's: geometric means over the kernels."""

    # Instructions in all, of the kernels without loops.
    total: float
    # For each key operation, of the kernels with loops.
    hot_loop: float
    # Instructions, of the kernels with loops.
    outside_loops: float
    registers: float
    # The largest of all kernels, not a mean.
    worst_total: float


# What is to be reached, and stays so; there is none for what is outside loops.
BARS = {
    "plain": Figures(1.20, 1.20, float("inf"), 1.05, 1.8),
    "narrow": Figures(1.08, 1.12, float("inf"), 1.01, 1.35),
    "fastmath": Figures(1.15, 1.15, float("inf"), 1.05, 1.6),
}


@dataclass(frozen=True)
class Comparison:
    """The kernels, compiled in one way."""

    way: Way
    nvcc: Codes
    pyk: Codes
    # Milliseconds of processor time from the Python function to PTX.
    compile: dict[str, Samples]

    def ratio(self, name: str, measure: str) -> float | None:
        """PyK's number through nvcc's; None where one has none."""
        ours = getattr(self.pyk[name], measure)
        theirs = getattr(self.nvcc[name], measure)
        return ours / theirs if ours and theirs else None

    def figures(self) -> Figures:
        with_loops = [name for name in CASES if KEYS[name]]
        without_loops = [name for name in CASES if not KEYS[name]]

        def mean(names: Iterable[str], measure: str) -> float:
            return statistics.geometric_mean(
                filter(None, [self.ratio(name, measure) for name in names])
            )

        totals = [self.ratio(name, "instructions") for name in CASES]
        return Figures(
            total=mean(without_loops, "instructions"),
            hot_loop=mean(with_loops, "hot_loop"),
            outside_loops=mean(with_loops, "outside_loops"),
            registers=mean(CASES, "registers"),
            worst_total=max(filter(None, totals)),
        )

    def compile_mean(self) -> float:
        return statistics.geometric_mean(map(min, self.compile.values()))


@dataclass(frozen=True)
class Compiled:
    """A kernel of PyK's, and what compiling it took in each round."""

    ptx: str
    samples: Samples


def compile_kernels(rounds: int) -> dict[str, dict[str, Compiled]]:
    """The kernels in all ways, in turn: a noisy minute strikes all alike."""
    loaded = {column: way.load() for column, way in WAYS.items()}
    compiled: dict[str, dict[str, Compiled]] = {column: {} for column in WAYS}
    for _ in range(rounds):
        for name, case in CASES.items():
            for column, kernels in loaded.items():
                start = time.process_time()
                ptx = kernels[name]._ptx(case.signature, CHIP)
                milliseconds = (time.process_time() - start) * 1e3
                compiled[column].setdefault(
                    name, Compiled(ptx, [])
                ).samples.append(milliseconds)
    return compiled


def compare(way: Way, compiled: dict[str, Compiled]) -> Comparison:
    """Counts, of nvcc's code and of PyK's."""

    def count(name: str) -> Code:
        return _toolchain.count(compiled[name].ptx, KEYS)[name]

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        theirs = pool.submit(
            lambda: _toolchain.count(
                _toolchain.ptx_of(CUDA_SOURCE, way.nvcc_options), KEYS
            )
        )
        ours = dict(zip(CASES, pool.map(count, CASES), strict=True))
    samples = {name: one.samples for name, one in compiled.items()}
    return Comparison(way, theirs.result(), ours, samples)


def show(number: float | None) -> str:
    """A count as it is, a number of operations with one decimal."""
    if number is None:
        return "-"
    return str(number) if isinstance(number, int) else f"{number:.1f}"


def print_kernels(comparison: Comparison) -> None:
    """One line for each kernel: nvcc's number and PyK's, for each measure."""
    titles = {
        "instructions": "total",
        "hot_loop": "hot loop",
        "outside_loops": "outside",
        "registers": "registers",
        "warps": "warps/SM",
        "spill_bytes": "spills",
    }
    print(f"\n{comparison.way.title}: nvcc, PyK")
    columns = "".join(f"{title:>13}" for title in titles.values())
    print(f"  {'kernel':<14}{columns}{'compile, ms':>13}")
    for name in CASES:
        line = f"  {name:<14}"
        for measure in titles:
            theirs = getattr(comparison.nvcc[name], measure)
            ours = getattr(comparison.pyk[name], measure)
            line += f"{show(theirs):>8}{show(ours):>5}"
        print(f"{line}{min(comparison.compile[name]):>13.1f}")


def print_figures(comparisons: dict[str, Comparison]) -> None:
    """One line for each way, under the bars; `!` where one is not reached."""
    names = [field.name for field in fields(Figures)]
    titles = "".join(f"{name.replace('_', ' '):>18}" for name in names)
    print(f"\n{'PyK / nvcc (bar)':<42}{titles}{'compile, ms':>13}")
    for column, comparison in comparisons.items():
        line = f"  {comparison.way.title:<40}"
        figures = comparison.figures()
        for name in names:
            number, bar = getattr(figures, name), getattr(BARS[column], name)
            said = f"({bar:.2f})" if bar != float("inf") else ""
            line += f"{number:>10.2f}{'!' if number > bar else ' '}{said:>7}"
        print(f"{line}{comparison.compile_mean():>13.1f}")


def draw(comparisons: Collection[Comparison]) -> str:
    """By kernel, what counts of it in each way."""
    measures = {
        name: "hot_loop" if KEYS[name] else "instructions" for name in CASES
    }
    return _chart.draw(
        "Instructions: PyK / nvcc (with loops: hot loop per key operation)",
        [comparison.way.title for comparison in comparisons],
        {
            name: [one.ratio(name, measure) for one in comparisons]
            for name, measure in measures.items()
        },
    )


def save_all(comparisons: dict[str, Comparison]) -> None:
    """The times with all counts, and a chart beside them."""
    details: dict[str, object] = {
        "chip": CHIP,
        "tools": _toolchain.versions(),
        "codes": {
            column: {
                name: {
                    "nvcc": asdict(comparison.nvcc[name]),
                    "pyk": asdict(comparison.pyk[name]),
                }
                for name in CASES
            }
            for column, comparison in comparisons.items()
        },
        "figures": {
            column: asdict(comparison.figures())
            for column, comparison in comparisons.items()
        },
    }
    samples = {
        column: comparison.compile for column, comparison in comparisons.items()
    }
    path = save("ptx", samples, "ms of processor time", details=details)
    chart = path.with_suffix(".svg")
    chart.write_text(draw(comparisons.values()))
    for file in (path, chart):
        print(f"saved {file.relative_to(ROOT)}")


def time_on_gpu(limit: float | None, is_saved: bool) -> int:
    """Times, prints, and saves if asked to."""
    if not cuda.is_available() or cuda.get_current_device().is_cpu:
        sys.exit("ptx: --time needs a GPU, and PyK finds none")
    # What is kept is always of the largest matrices.
    sides = _ptx_times.SIDES[:1] if is_saved else _ptx_times.SIDES
    groups = _ptx_times.measure(_ptx_times.RUNS, limit, sides)
    if not any(groups.values()):
        sys.exit("ptx: nothing could be measured")
    print_table(groups, "ms")
    if is_saved:
        path = save("ptx-times", groups, "ms")
        print(f"\nsaved {path.relative_to(ROOT)}")
    return 0


def main() -> int:
    """Counts, prints, and saves if asked to."""
    parser = argparse.ArgumentParser(
        prog="scripts/dev bench ptx", description=__doc__
    )
    parser.add_argument(
        "--rounds",
        type=int,
        default=5,
        metavar="N",
        help="how often to compile; the shortest time counts",
    )
    parser.add_argument(
        "--time",
        action="store_true",
        help="time the kernels on this machine's GPU instead, beside those of "
        "nvcc, numba-cuda and CuPy",
    )
    parser.add_argument(
        "--limit",
        type=float,
        metavar="SECONDS",
        help="the longest time that each of them may take with --time; if PyK "
        "takes longer, all are timed with smaller matrices",
    )
    parser.add_argument(
        "--save", action="store_true", help="keep the result in results/"
    )
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error("--rounds expects at least 1")

    if options.time:
        return time_on_gpu(options.limit, options.save)
    try:
        _toolchain.versions()
    except MissingToolError as error:
        sys.exit(f"ptx: {error}")
    pyk.install_as_numba()
    # Before there are threads, whose time would count.
    compiled = compile_kernels(options.rounds)
    comparisons = {
        column: compare(way, compiled[column]) for column, way in WAYS.items()
    }
    for comparison in comparisons.values():
        print_kernels(comparison)
    print_figures(comparisons)
    if options.save:
        print()
        save_all(comparisons)
    return 0


if __name__ == "__main__":
    sys.exit(main())
