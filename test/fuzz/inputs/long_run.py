# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The long run on damaged inputs: `scripts/fuzz inputs`.

A worker takes many inputs. One that ends it (a crash; 5 s of processor time; 2
GB) is known by its seed, and another worker goes on behind it.
"""

import json
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import runs

CHUNK = 2000
HERE = Path(__file__).parent.parent
#: Kilobytes that a worker may have grown by for each input, on average.
GROWTH = 100


def died(status, said):
    """How a worker ended."""
    if -status in (signal.SIGPROF, signal.SIGXCPU):
        return "hangs"
    if "bad_alloc" in said or "out of memory" in said.lower():
        return f"takes too much memory: {said[-500:]}"
    return f"crashes with status {status}: {said[-500:]}"


class Run:
    """The state of a long run; `worker` is the module that judges."""

    def __init__(self, worker="inputs.worker"):
        self.worker = worker
        self.outcomes = Counter()
        self.failures = {}

    def chunk(self, first, last):
        """Judges inputs, behind each that ends a worker too."""
        while first < last:
            first = self.some(first, last)

    def some(self, first, last):
        """What one worker does; where the next has to go on."""
        worker = subprocess.Popen(
            [sys.executable, "-m", self.worker, str(first), str(last)],
            cwd=HERE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        said, complaint = worker.communicate()
        current, memory, note, is_launched = first, [], "", False
        for line in said.splitlines():
            message = json.loads(line)
            if "begin" in message:
                current, note = message["begin"], ""
            is_launched = message.get("launched", False)
            note = message.get("note", note)
            if "outcome" not in message:
                continue
            self.outcomes[message["kind"], message["outcome"]] += 1
            memory.append(message["memory"])
            if message["wrong"]:
                self.failures[message["seed"]] = message["wrong"]
        half = memory[len(memory) // 2 :]
        if len(half) > 500 and half[-1] - half[0] > GROWTH * len(half):
            self.failures[first] = f"grows by {half[-1] - half[0]} KB"
        if worker.returncode == 0:
            return last
        failure = died(worker.returncode, complaint)
        if is_launched and failure == "hangs":
            # A damaged kernel may well loop for ever.
            self.outcomes["launch", "without end"] += 1
        else:
            self.failures[current] = f"{note}: {failure}" if note else failure
        return current + 1


def main(count, seed, folder, worker="inputs.worker"):
    """Judges `count` inputs.

    The status, which is 1 if anything is wrong, and what came of it.
    """
    run, start, reported = Run(worker), time.monotonic(), 0
    folder.mkdir(parents=True, exist_ok=True)
    for first in range(seed, seed + count, CHUNK):
        run.chunk(first, min(first + CHUNK, seed + count))
        for number, failure in list(run.failures.items())[reported:]:
            print(f"seed {number}: {failure}", flush=True)
            (folder / f"input-{number}.txt").write_text(failure + "\n")
        reported = len(run.failures)
        elapsed = time.monotonic() - start
        total = sum(run.outcomes.values())
        print(f"{total} inputs in {elapsed:.0f} s, {reported} failures")
    for (kind, outcome), number in sorted(run.outcomes.items()):
        print(f"{kind:8} {outcome:12} {number}")
    judged = sum(run.outcomes.values())
    return bool(run.failures), runs.outcome(judged, run.failures)
