# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How fast kernels run on the CPU beside what else there is for one.

PyK runs kernels as users of Numba CUDA write them. OpenMP loops in C++, ISPC,
OpenCL and Numba's parallel target do the same work, each in a process of its
own; they take turns. README.md, beside this file, says what the numbers mean.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import _chart
import _cpu_report
import numpy as np
from _cpu_cases import (
    CASES,
    KERNELS,
    PROGRAMS,
    SIZES,
    WARPS,
    Arguments,
    Case,
)
from _cpu_peers import (
    BUILD,
    PEERS,
    ROOFS,
    THREADS,
    AbsentError,
    Process,
    Program,
    pyk,
    roofs,
)
from _cpu_report import OURS, UNCHECKED, Results, Row, Times, Warps
from _report import ROOT, Groups, Samples, cpu_name, save

from pyk import _options

# What `--kernels` calls the two kernels of WARPS.
WARP_PAIR = "warps"
CHOICES = (*KERNELS, WARP_PAIR, *PROGRAMS)

# A peer that takes longer, in milliseconds, takes part in so many rounds.
SLOW = 500
SLOW_ROUNDS = 3


@dataclass
class Measured:
    """All that a run has found out."""

    versions: dict[str, str] = field(default_factory=dict)
    # Peers that are not here, and kernels that a peer got wrong: why.
    absent: dict[str, str] = field(default_factory=dict)
    failures: dict[str, str] = field(default_factory=dict)
    rows: list[Row] = field(default_factory=list)
    # Medians of turns.
    samples: Groups = field(default_factory=dict)

    def fails(self, name: str, size: int, peer: str, error: str) -> None:
        self.failures[f"{name}, {size}, {peer}"] = error
        tell(f"{name} {size}: {peer} fails: {error}")

    def results(self) -> Results:
        return Results(
            [row for row in self.rows if row.name in KERNELS],
            [row for row in self.rows if row.name in PROGRAMS],
            Warps.of(self.rows, THREADS),
        )


def tell(*words: object) -> None:
    """What is not a result."""
    print(*words, file=sys.stderr, flush=True)


def programs_of(
    names: Sequence[str], cpu: str, measured: Measured
) -> dict[str, Program]:
    """What is to be started: PyK with checks and without, roofs, and peers."""
    found = {OURS: pyk(cpu), UNCHECKED: pyk(cpu, "off")}
    for name in ("roof", *names):
        try:
            ways = roofs() if name == "roof" else PEERS[name]()
        except AbsentError as error:
            measured.absent[name] = str(error)
            tell(f"{name} is left out: {error}")
            continue
        # Roofs are called by their ways alone.
        prefix = "" if name == "roof" else name
        found |= {prefix + way: program for way, program in ways.items()}
    return found


def start(
    programs: dict[str, Program], measured: Measured
) -> dict[str, Process]:
    processes = {}
    for name, program in programs.items():
        try:
            processes[name] = Process(name, program)
        except AbsentError as error:
            measured.absent[name] = str(error)
            tell(f"{name} is left out: {error}")
            continue
        if processes[name].version:
            measured.versions[name] = processes[name].version
    return processes


def write(folder: Path, values: Arguments) -> list[str]:
    """Files for all processes; yields their names without the suffix."""
    folder.mkdir()
    for name, value in values.items():
        np.save(folder / f"{name}.npy", value)
    return list(values)


def load(
    name: str,
    case: Case,
    size: int,
    folder: Path,
    processes: dict[str, Process],
    measured: Measured,
) -> tuple[list[str], Times]:
    """Runs the kernel once in each process that has it, and looks at results.

    Yields the processes whose results are right, and how many operations the
    kernel and the arithmetic roof have.
    """
    arguments = case.arguments(size)
    expected = case.expected(arguments)
    operations = {"kernel": case.flops(arguments, expected)}
    request = {
        "name": name,
        "folder": str(folder),
        "arguments": write(folder / "arguments", arguments),
        "expected": write(folder / "expected", expected),
    }
    right = []
    for peer, process in processes.items():
        if peer in ROOFS and name not in KERNELS:
            continue
        process.restart()
        answer = process.ask("load", **request)
        if answer.get("error"):
            measured.fails(name, size, peer, answer["error"])
        elif not answer.get("absent"):
            right.append(peer)
            operations["roof"] = answer.get(
                "operations", operations.get("roof", 0)
            )
    return right, operations


def take_turns(
    right: list[str], processes: dict[str, Process], rounds: int
) -> tuple[dict[str, Samples], dict[str, str]]:
    """In an order that changes from round to round.

    Yields medians of turns, the shortest run of the arithmetic roof, and why a
    peer took no more turns.
    """
    samples: dict[str, Samples] = {peer: [] for peer in right}
    errors: dict[str, str] = {}
    order = random.Random(16)
    for turn in range(rounds):
        order.shuffle(right)
        for peer in right:
            if peer in errors:
                continue
            if turn >= SLOW_ROUNDS and min(samples[peer]) > SLOW:
                continue
            answer = processes[peer].ask("time")
            if "error" in answer:
                errors[peer] = answer["error"]
            else:
                which = "shortest" if peer == "arithmetic" else "median"
                samples[peer].append(answer[which])
    return {peer: samples[peer] for peer in right if peer not in errors}, errors


def roofs_of(medians: Times, operations: Times) -> Times:
    """In milliseconds, by what the time is for."""
    found = {}
    memory = [medians[way] for way in ("memory", "bypass") if way in medians]
    if memory:
        found["memory"] = min(memory)
    if "arithmetic" in medians and operations["kernel"]:
        turns = operations["kernel"] / operations["roof"]
        found["arithmetic"] = medians["arithmetic"] * turns
    return found


def measure(
    name: str,
    label: str,
    processes: dict[str, Process],
    rounds: int,
    earlier: dict[str, dict[str, Times]],
    measured: Measured,
) -> None:
    case = CASES[name]
    size = case.sizes[label]
    with tempfile.TemporaryDirectory(prefix="pyk-") as folder:
        right, operations = load(
            name, case, size, Path(folder), processes, measured
        )
    samples, errors = take_turns(right, processes, rounds)
    for peer, error in errors.items():
        measured.fails(name, size, peer, error)
    for process in processes.values():
        process.ask("release")
    medians = {
        peer: statistics.median(taken) for peer, taken in samples.items()
    }
    if "arithmetic" in samples:
        # Unlike memory's, its rate is the same in all minutes.
        medians["arithmetic"] = min(samples["arithmetic"])
    times = {peer: t for peer, t in medians.items() if peer not in ROOFS}
    figures = earlier.get(name, {}).get(label, {})
    row = Row(
        *(name, label, size, times),
        _cpu_report.scaled(figures, times),
        roofs_of(medians, operations),
    )
    measured.rows.append(row)
    measured.samples[f"{name}, {label}"] = samples
    ratio = "" if row.ratio is None else f": {row.ratio:.2f} of {row.best}"
    tell(f"{name} {size}{ratio}")


def report(measured: Measured) -> str:
    """All tables, in Markdown."""
    results = measured.results()
    parts = []
    if results.kernels:
        parts += [
            "Milliseconds, strict / fast arithmetic; ~ is an earlier figure, "
            "scaled by C++ clang.",
            _cpu_report.markdown(results.kernels, "kernel"),
            _cpu_report.summary(results.kernels, "kernels"),
        ]
    if results.warps:
        parts += [
            "Nanoseconds of one core a warp, PyK:",
            _cpu_report.warps_markdown(results.warps),
        ]
    if results.programs:
        parts += [
            "Milliseconds, strict / fast arithmetic:",
            _cpu_report.markdown(results.programs, "program"),
            _cpu_report.summary(results.programs, "programs"),
        ]
    parts.append(_cpu_report.bars_markdown(results))
    for what, reasons in (
        ("Left out", measured.absent),
        ("Wrong or failed, so not timed", measured.failures),
    ):
        if reasons:
            lines = [f"- {name}: {why}" for name, why in reasons.items()]
            parts.append("\n".join([f"{what}:", "", *lines]))
    return "\n\n".join(parts) + "\n"


def draw(results: Results) -> str:
    """By kernel and program, a dot for each size."""
    rows = [*results.kernels, *results.programs]
    ratios = {(row.name, row.label): row.ratio for row in rows}
    names = dict.fromkeys(row.name for row in rows)
    return _chart.draw(
        "Time on the CPU: PyK / best peer",
        SIZES,
        {
            name: [ratios.get((name, label)) for label in SIZES]
            for name in names
        },
    )


def save_all(measured: Measured, cpu: str, text: str) -> None:
    """All samples, the tables and a chart, beside each other."""
    results = measured.results()
    command = " ".join(["scripts/dev bench cpu", *sys.argv[1:]])
    details: dict[str, object] = {
        "command": command,
        "cpu": cpu,
        "threads": THREADS,
        "versions": measured.versions,
        "absent": measured.absent,
        "failures": measured.failures,
        "sizes": {row.name: CASES[row.name].sizes for row in measured.rows},
        "roofs": {f"{r.name}, {r.label}": r.roofs for r in results.kernels},
        "earlier, scaled": {
            f"{r.name}, {r.label}": r.earlier for r in results.kernels
        },
        "PyK / best": {
            f"{r.name}, {r.label}": r.ratio
            for r in (*results.kernels, *results.programs)
        },
        "bars": {
            bar.what: {"bar": bar.limit, "now": figure}
            for bar, figure in _cpu_report.bar_figures(results)
        },
    }
    path = save("cpu", measured.samples, "ms", details=details)
    date = path.stem.removeprefix("cpu-")
    machine = f"{cpu_name()}, {THREADS} of {os.cpu_count()} cores"
    head = (
        f"# `{command}`\n\n{date}, {machine}; the figures are in {path.name}."
    )
    path.with_suffix(".md").write_text(f"{head}\n\n{text}")
    path.with_suffix(".svg").write_text(draw(results))
    for suffix in (".json", ".md", ".svg"):
        print(f"saved {path.with_suffix(suffix).relative_to(ROOT)}")


def some_of(choices: Sequence[str]) -> Callable[[str], list[str]]:
    """What reads an option: names joined by commas."""

    def names(text: str) -> list[str]:
        given = text.split(",")
        for name in given:
            if name not in choices:
                raise argparse.ArgumentTypeError(
                    f"expects {', '.join(choices)}, or several joined by "
                    f"commas, but got '{name}'"
                )
        return given

    return names


def parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="scripts/dev bench cpu", description=__doc__
    )
    for option, choices, what in (
        ("kernels", CHOICES, "what to run"),
        ("sizes", SIZES, "of each"),
        ("peers", tuple(PEERS), "beside PyK"),
    ):
        parser.add_argument(
            f"--{option}",
            type=some_of(choices),
            default=list(choices),
            metavar="A,B",
            help=f"{what}; all unless given: {', '.join(choices)}",
        )
    parser.add_argument(
        "--rounds",
        type=int,
        default=7,
        metavar="N",
        help="how often each has its turn; the median counts",
    )
    parser.add_argument(
        "--cpu",
        choices=_options.CPUS,
        default="auto",
        help="how PyK runs kernels on the CPU",
    )
    parser.add_argument(
        "--save", action="store_true", help="keep the result in results/"
    )
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error("--rounds expects at least 1")
    return options


def main() -> int:
    """Measures, prints, and saves if asked to."""
    options = parse_options()
    names = [
        name
        for choice in options.kernels
        for name in (WARPS if choice == WARP_PAIR else [choice])
    ]
    BUILD.mkdir(parents=True, exist_ok=True)
    measured = Measured()
    programs = programs_of(options.peers, options.cpu, measured)
    processes = start(programs, measured)
    earlier = {
        name: {
            label: {
                peer: figure
                for peer, figure in figures.items()
                if peer.removesuffix("-fast") in (*options.peers, "model")
            }
            for label, figures in sizes.items()
        }
        for name, sizes in _cpu_report.earlier_figures().items()
    }
    try:
        for name in names:
            for label in options.sizes:
                measure(
                    *(name, label, processes, options.rounds),
                    *(earlier, measured),
                )
    finally:
        for process in processes.values():
            process.close()
    text = report(measured)
    print(text)
    if options.save:
        save_all(measured, options.cpu, text)
    return 1 if measured.failures else 0


if __name__ == "__main__":
    sys.exit(main())
