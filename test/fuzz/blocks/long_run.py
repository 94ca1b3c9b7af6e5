# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The long run on kernels whose threads part ways: `scripts/fuzz blocks`.

A process judges some seeds. If it crashes, or takes too long, the seed that it
judged is a failure, and another process goes on behind it.
"""

import subprocess
import sys
import time
from pathlib import Path

import runs

from . import grammar

CHUNK = 50
#: For a chunk.
SECONDS = 600
HERE = Path(__file__).parent.parent


class Run:
    """The state of a long run."""

    def __init__(self, words: list[str]) -> None:
        #: What the judge is told beside seeds.
        self.words = words
        self.failures: dict[int, str] = {}
        self.judged = 0
        self.vectors = 0

    def some(self, first: int, last: int) -> int:
        """What one process does; where the next has to go on."""
        judge = subprocess.Popen(
            [
                *(sys.executable, "-m", "blocks.judge"),
                *(str(first), str(last), *self.words),
            ],
            cwd=HERE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            said, complaint = judge.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            judge.kill()
            said, complaint = judge.communicate()
            complaint = "hangs"
        current = first
        for line in said.splitlines():
            kind, _, rest = line.partition(" ")
            if kind == "seed":
                current = int(rest)
            elif kind == "vectors":
                self.vectors += int(rest)
                self.judged += 1
            elif kind == "wrong":
                self.failures[current] = rest
        if judge.returncode in (0, 1) and not complaint:
            return last
        self.failures[current] = f"{judge.returncode}: {complaint[-500:]}"
        return current + 1


def main(count: int, seed: int, folder: Path, tiles: str) -> tuple[int, str]:
    """Judges `count` kernels.

    The status, which is 1 if anything is wrong, and what came of it.
    """
    run = Run([tiles])
    start, reported = time.monotonic(), 0
    folder.mkdir(parents=True, exist_ok=True)
    first, end = seed, seed + count
    while first < end:
        first = run.some(first, min(first + CHUNK, end))
        for number, failure in list(run.failures.items())[reported:]:
            print(f"seed {number}: {failure}", flush=True)
            text = grammar.kernel(number).text
            (folder / f"block-{number}.py").write_text(text)
        reported = len(run.failures)
        elapsed = time.monotonic() - start
        print(
            f"{run.judged} kernels in {elapsed:.0f} s, {run.vectors} blocks of "
            f"vectors, {reported} failures",
            flush=True,
        )
    return bool(run.failures), runs.outcome(run.judged, run.failures)
