# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The arithmetic and the tables of `scripts/dev bench cpu`.

A row is a kernel or a program at one size. PyK's time counts through that of
the best peer, fast arithmetic included, and through its own without checks of
memory; what a run could not measure of a peer
is its earlier figure, scaled by clang's strict code in both.
"""

from __future__ import annotations

import json
import math
import statistics
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from _report import ROOT

EARLIER = ROOT / "benchmarks/cpu-peers-earlier.json"

# Milliseconds by peer.
Times = dict[str, float]

OURS = "pyk"
# The same without checks of memory.
UNCHECKED = "pyk-unchecked"
REFERENCE = "clang"
MODEL = "model"

TITLES = {
    "clang": "C++ clang",
    "gcc": "C++ gcc",
    "ispc": "ISPC",
    "pocl": "PoCL",
    "pocl-7.2": "PoCL 7.2",
    "intel": "Intel OpenCL",
    "numba": "Numba",
}


@dataclass(frozen=True)
class Row:
    """What was measured of a kernel or a program at one size."""

    name: str
    # `small` or `large`, and how many that is.
    label: str
    size: int
    times: Times
    # Scaled figures of peers that this run lacks, and of the model.
    earlier: Times = field(default_factory=dict)
    # By what bounds the kernel.
    roofs: Times = field(default_factory=dict)

    @property
    def ours(self) -> float | None:
        return self.times.get(OURS)

    @property
    def best(self) -> str | None:
        """The fastest peer."""
        peers = self.peers()
        return min(peers, key=lambda peer: peers[peer]) if peers else None

    @property
    def ratio(self) -> float | None:
        """PyK's time through the best peer's."""
        best = self.best
        if self.ours is None or best is None:
            return None
        return self.ours / self.peers()[best]

    @property
    def roof(self) -> str | None:
        """What takes longest of what a kernel cannot do without."""
        roofs = self.roofs
        return max(roofs, key=lambda one: roofs[one]) if roofs else None

    @property
    def checks(self) -> float | None:
        """What checks of memory cost: PyK's time through that without."""
        if self.ours is None or UNCHECKED not in self.times:
            return None
        return self.ours / self.times[UNCHECKED]

    def peers(self) -> Times:
        """All but PyK and the model."""
        both = self.earlier | self.times
        own = (OURS, UNCHECKED, MODEL)
        return {peer: both[peer] for peer in both if peer not in own}

    def share(self, roof: str | None) -> float | None:
        """How much of a roof PyK reaches."""
        if self.ours is None or roof not in self.roofs:
            return None
        return self.roofs[roof] / self.ours


def scaled(figures: Times, times: Times) -> Times:
    """Earlier figures of what `times` lacks, as they would be in this run."""
    if REFERENCE not in times or REFERENCE not in figures:
        return {}
    factor = times[REFERENCE] / figures[REFERENCE]
    return {
        peer: figure * factor
        for peer, figure in figures.items()
        if peer not in times
    }


def earlier_figures() -> dict[str, dict[str, Times]]:
    """By kernel and label."""
    record = json.loads(EARLIER.read_text())
    figures: dict[str, dict[str, Times]] = record["figures"]
    return figures


def ratios(rows: Iterable[Row]) -> list[float]:
    return [row.ratio for row in rows if row.ratio is not None]


def geometric_mean(rows: Iterable[Row]) -> float | None:
    found = ratios(rows)
    return statistics.geometric_mean(found) if found else None


def worst(rows: Iterable[Row]) -> float | None:
    return max(ratios(rows), default=None)


def costs_of_checks(rows: Iterable[Row]) -> list[float]:
    return [row.checks for row in rows if row.checks is not None]


def mean_of_checks(rows: Iterable[Row]) -> float | None:
    found = costs_of_checks(rows)
    return statistics.geometric_mean(found) if found else None


@dataclass(frozen=True)
class Warps:
    """The warp sum beside the same kernel without its shuffles."""

    with_shuffles: Row
    without: Row
    threads: int
    lanes: int = 32

    @staticmethod
    def of(rows: Sequence[Row], threads: int) -> list[Warps]:
        named = {(row.name, row.label): row for row in rows}
        return [
            Warps(row, named["warp_first", label], threads)
            for (name, label), row in named.items()
            if name == "warp_sum" and ("warp_first", label) in named
        ]

    def nanoseconds(self, row: Row) -> float | None:
        """Of one core, for a warp."""
        if row.ours is None:
            return None
        return row.ours * 1e6 * self.threads / (row.size / self.lanes)

    @property
    def shuffles(self) -> float | None:
        """What the five steps add."""
        both = map(self.nanoseconds, (self.with_shuffles, self.without))
        first, second = both
        return None if first is None or second is None else first - second


def digits(number: float) -> str:
    """Three digits that count."""
    if number >= 100:
        return f"{number:.0f}"
    return f"{number:.{2 - math.floor(math.log10(number))}f}" if number else "0"


def count(size: int) -> str:
    """In powers of 1024 where they go into it."""
    for unit, name in ((1 << 20, "Mi"), (1 << 16, "Ki")):
        if size % unit == 0:
            return f"{size // (unit if name == 'Mi' else 1024)} {name}"
    return str(size)


def cell(row: Row, peer: str) -> str:
    """Strict and fast; a tilde before what was not measured in this run."""
    shown = []
    for way in (peer, f"{peer}-fast"):
        if way in row.times:
            shown.append(digits(row.times[way]))
        elif way in row.earlier:
            shown.append(f"~{digits(row.earlier[way])}")
    return " / ".join(shown)


def table(header: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    """In Markdown."""
    rules = ["---"] * len(header)
    return "\n".join(
        f"| {' | '.join(line)} |" for line in (header, rules, *lines)
    )


def columns(rows: Sequence[Row]) -> list[str]:
    """The peers that there is a figure of."""
    return [peer for peer in TITLES if any(cell(row, peer) for row in rows)]


def markdown(rows: Sequence[Row], first: str) -> str:
    """A line for each row; `first` says what they are."""
    peers = columns(rows)
    has_roofs = any(row.roofs for row in rows)
    header = [first, "size", "PyK", *(TITLES[peer] for peer in peers)]
    header += ["best", "PyK / best"]
    has_checks = bool(costs_of_checks(rows))
    if has_checks:
        header.append("checks")
    if has_roofs:
        header += ["roof", "reached"]

    def line(row: Row) -> list[str]:
        cells = [row.name, count(row.size)]
        cells.append("" if row.ours is None else digits(row.ours))
        cells += [cell(row, peer) for peer in peers]
        mark = "" if row.best in row.times else "~"
        cells.append(f"{mark}{row.best}" if row.best else "")
        cells.append("" if row.ratio is None else f"{row.ratio:.2f}")
        if has_checks:
            cells.append("" if row.checks is None else f"{row.checks:.2f}")
        if has_roofs:
            share = row.share(row.roof)
            roof = row.roof
            cells.append(f"{digits(row.roofs[roof])}, {roof}" if roof else "")
            cells.append("" if share is None else f"{share:.0%}")
        return cells

    return table(header, map(line, rows))


def summary(rows: Sequence[Row], name: str) -> str:
    """The figures that stand for all rows."""
    mean, largest = geometric_mean(rows), worst(rows)
    if mean is None or largest is None:
        return f"PyK / best, {name}: nothing to compare"
    (where,) = [row for row in rows if row.ratio == largest][:1]
    return (
        f"PyK / best, {name}: geometric mean {mean:.2f} of {len(ratios(rows))}"
        f", worst {largest:.2f} ({where.name}, {count(where.size)})"
    )


def warps_markdown(warps: Sequence[Warps]) -> str:
    header = ["elements", "with the shuffles", "without", "the shuffles"]
    lines = []
    for one in warps:
        numbers = [
            one.nanoseconds(one.with_shuffles),
            one.nanoseconds(one.without),
            one.shuffles,
        ]
        shown = ["" if n is None else f"{n:.1f}" for n in numbers]
        lines.append([count(one.without.size), *shown])
    return table(header, lines)


@dataclass(frozen=True)
class Results:
    """All rows of a run."""

    kernels: Sequence[Row]
    programs: Sequence[Row]
    warps: Sequence[Warps]


@dataclass(frozen=True)
class Bar:
    """What is to be reached, and stays so."""

    what: str
    limit: float
    figure: Callable[[Results], float | None]
    # Else a figure is to be at most the limit.
    is_least: bool = False

    def is_missed(self, figure: float) -> bool:
        return figure < self.limit if self.is_least else figure > self.limit


def largest(
    names: Iterable[str], measure: Callable[[Row], float | None], *labels: str
) -> Callable[[Results], float | None]:
    """Of these kernels at these sizes, or at all."""

    def figure(results: Results) -> float | None:
        found = [
            measure(row)
            for row in results.kernels
            if row.name in names and (not labels or row.label in labels)
        ]
        return max((one for one in found if one is not None), default=None)

    return figure


def by_ratio(row: Row) -> float | None:
    return row.ratio


def by_arithmetic(row: Row) -> float | None:
    return row.share("arithmetic")


def through(*peers: str) -> Callable[[Row], float | None]:
    """PyK's time through that of the fastest of these."""

    def measure(row: Row) -> float | None:
        both = row.earlier | row.times
        found = [both[peer] for peer in peers if peer in both]
        return row.ours / min(found) if row.ours and found else None

    return measure


def by_shuffles(results: Results) -> float | None:
    found = [one.shuffles for one in results.warps]
    return max((one for one in found if one is not None), default=None)


BARS = (
    Bar(
        "geometric mean of the kernels",
        0.80,
        lambda r: geometric_mean(r.kernels),
    ),
    Bar("worst kernel", 1.5, lambda r: worst(r.kernels)),
    Bar(
        "share of arithmetic, `matmul`, small",
        0.9,
        largest(["matmul"], by_arithmetic, "small"),
        is_least=True,
    ),
    Bar(
        "share of arithmetic, `matmul`, large",
        0.6,
        largest(["matmul"], by_arithmetic, "large"),
        is_least=True,
    ),
    Bar(
        "`mandelbrot` / ISPC",
        0.4,
        largest(["mandelbrot"], through("ispc", "ispc-fast")),
    ),
    Bar(
        "`nbody`, tiled products, `transpose` / model",
        1.1,
        largest(
            ["nbody", "matmul_t16", "matmul_t32", "transpose"], through(MODEL)
        ),
    ),
    Bar(
        "`reduce`, `scan`, small",
        1.3,
        largest(["reduce", "scan"], by_ratio, "small"),
    ),
    Bar(
        "`reduce`, `scan`, large",
        0.8,
        largest(["reduce", "scan"], by_ratio, "large"),
    ),
    Bar("`histogram`, `spmv`", 1.2, largest(["histogram", "spmv"], by_ratio)),
    Bar("five shuffles, ns a warp", 10, by_shuffles),
    Bar(
        "checks / none, geometric mean of the kernels",
        1.05,
        lambda r: mean_of_checks(r.kernels),
    ),
    Bar(
        "checks / none, worst kernel",
        1.3,
        lambda r: max(costs_of_checks(r.kernels), default=None),
    ),
    Bar("worst program", 1.0, lambda r: worst(r.programs)),
)


def bar_figures(results: Results) -> list[tuple[Bar, float]]:
    """Those that this run has a figure for."""
    figures = [(bar, bar.figure(results)) for bar in BARS]
    return [(bar, figure) for bar, figure in figures if figure is not None]


def bars_markdown(results: Results) -> str:
    lines = []
    for bar, figure in bar_figures(results):
        relation = "at least" if bar.is_least else "at most"
        verdict = "missed" if bar.is_missed(figure) else "reached"
        limit = f"{relation} {bar.limit:.2f}"
        lines.append([bar.what, limit, f"{figure:.2f}", verdict])
    return table(["PyK / best peer, or what is named", "bar", "now", ""], lines)
