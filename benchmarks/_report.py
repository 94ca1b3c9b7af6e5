# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How benchmarks show their numbers and keep them."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import platform
import statistics
import subprocess
from dataclasses import asdict, dataclass
from datetime import datetime, timezone
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks/results"

# What each run took.
Samples = list[float]

# By group, then by row.
Groups = dict[str, dict[str, Samples]]


@dataclass
class Published:
    """What others measured and published; not run here."""

    source: str
    machine: str
    # By who was measured, then by row.
    figures: dict[str, dict[str, float]]


def parser_of(name: str, description: str | None) -> argparse.ArgumentParser:
    """The parser of the options that benchmarks have in common."""

    def at_least_one(text: str) -> int:
        number = int(text)
        if number < 1:
            raise argparse.ArgumentTypeError(
                f"expects at least 1 but got {text}"
            )
        return number

    parser = argparse.ArgumentParser(
        prog=f"scripts/dev bench {name}", description=description
    )
    parser.add_argument("--runs", type=at_least_one, default=20, metavar="N")
    parser.add_argument(
        "--save", action="store_true", help="keep the result in results/"
    )
    return parser


def print_table(
    groups: Groups, unit: str, published: Published | None = None
) -> None:
    """One line for each row: median, shortest, longest, and others' figures."""
    others = published.figures if published else {}
    width = max(len(row) for rows in groups.values() for row in rows) + 2
    titles = "".join(f"{name:>18}" for name in others)
    print(
        f"{unit:<{width}}{'median':>10}{'shortest':>10}{'longest':>10}{titles}"
    )
    for group, rows in groups.items():
        print(f"\n{group}")
        for row, samples in rows.items():
            numbers = statistics.median(samples), min(samples), max(samples)
            columns = "".join(f"{number:>10.3f}" for number in numbers)
            for figures in others.values():
                columns += f"{figures.get(row, '-'):>18}"
            print(f"  {row:<{width - 2}}{columns}")
    if published:
        print(f"\n{', '.join(others)}: published in {published.source}")
        print(f"and measured on {published.machine}")


def cpu_name() -> str:
    """The processor as it calls itself."""
    with contextlib.suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.machine()


def save(
    benchmark: str,
    groups: Groups,
    unit: str,
    published: Published | None = None,
    details: dict[str, object] | None = None,
) -> Path:
    """Writes all samples with what is needed to compare them later.

    `details` are what a benchmark has besides, by what they are called.
    """
    now = datetime.now(timezone.utc)
    commit = subprocess.run(
        ["git", "describe", "--always", "--dirty"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    ).stdout.strip()
    record: dict[str, object] = {
        "benchmark": benchmark,
        "date": now.isoformat(timespec="seconds"),
        "commit": commit,
        "machine": {
            "cpu": cpu_name(),
            "cores": os.cpu_count(),
            "system": platform.platform(),
            "python": platform.python_version(),
        },
        "unit": unit,
        "samples": groups,
        **(details or {}),
    }
    if published:
        record["published"] = asdict(published)
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{benchmark}-{now:%Y-%m-%d-%H%M%S}.json"
    path.write_text(json.dumps(record, indent=1) + "\n")
    return path
