# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One line for each long run, as runs.md has them."""

import datetime
import os
import subprocess
from collections.abc import Iterable
from pathlib import Path

LOG = Path(__file__).parent / "runs.md"
#: Seeds of failures that a line names.
NAMED = 12


def levels() -> list[str]:
    """The levels of processors that a long run compiles vectors for."""
    level = os.environ.get("PYK_CPU_LEVEL", "native")
    return os.environ.get("FUZZ_LEVELS", level).split(",")


def runs_on_cpu() -> bool:
    """Whether a long run executes programs on the CPU."""
    return os.environ.get("FUZZ_PTX") != "only"


def runs_on_ptx() -> bool:
    """Whether a long run executes programs on the PTX machine."""
    return "FUZZ_PTX" in os.environ


def outcome(judged: int, failures: Iterable[int]) -> str:
    """What came of a run: how many were judged, and the seeds that failed."""
    seeds = sorted(failures)
    text = f"{judged} judged, {len(seeds)} failures"
    if seeds:
        more = ", ..." if len(seeds) > NAMED else ""
        text += ": " + ", ".join(map(str, seeds[:NAMED])) + more
    return text


def commit() -> str:
    """The commit that ran, with a + if the tree has changes."""
    described = subprocess.run(
        ["git", "describe", "--always", "--dirty=+", "--exclude=*"],
        cwd=LOG.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    return described.stdout.strip() or "unknown"


def line(what: str, seed: int, count: int, came_of_it: str) -> str:
    """A line of the table in runs.md."""
    cells = [
        datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
        commit(),
        what,
        f"{seed} to {seed + count - 1}",
        ", ".join(
            (levels() if runs_on_cpu() else []) + ["PTX"] * runs_on_ptx()
        ),
        came_of_it,
    ]
    return f"| {' | '.join(cells)} |"


def append(text: str) -> None:
    """Adds a line to runs.md."""
    with LOG.open("a", encoding="utf-8") as log:
        log.write(text + "\n")
