# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The long run: `scripts/fuzz kernels`.

Workers judge the programs, some hundred each, so that a crash or a hang costs
one worker and is known to be of one program. Failing programs are made small
and stored with their seed.
"""

import json
import re
import selectors
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import runs

from . import features, grammar, judges, reducer

# What the judges put on the path.
from support import ptx_machine  # isort: skip

CHUNK = 100
#: Programs that may be expected to have done everything.
ENOUGH = 5000
#: Seconds that one program may take, on a busy machine.
PATIENCE = 120
HERE = Path(__file__).parent.parent


def lines(first, last, chip):
    """What a worker says; at its end how it died, if it did."""
    worker = subprocess.Popen(
        [sys.executable, "-m", "kernels.worker", str(first), str(last), chip],
        cwd=HERE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    selector = selectors.DefaultSelector()
    selector.register(worker.stdout, selectors.EVENT_READ)
    while True:
        if not selector.select(PATIENCE):
            worker.kill()
            worker.wait()
            yield {"died": "hangs"}
            return
        line = worker.stdout.readline()
        if not line:
            break
        yield json.loads(line)
    said = worker.stderr.read()
    if worker.wait() != 0:
        yield {
            "died": f"crashes with status {worker.returncode}: {said[-500:]}"
        }


class Run:
    """The state of a long run."""

    def __init__(self, folder, chip):
        self.folder, self.chip = Path(folder), chip
        self.counted, self.families = Counter(), Counter()
        self.judged = self.refused = self.assembled = 0
        self.failures = {}

    def chunk(self, first, last):
        """Judges seeds; goes on behind one that ends its worker."""
        while first < last:
            current = first
            first = last
            for message in lines(current, last, self.chip):
                if "begin" in message:
                    current = message["begin"]
                elif "died" in message:
                    self.fail(current, message["died"])
                    first = current + 1
                elif "assembled" in message:
                    self.assembled += message["assembled"]
                else:
                    self.take(message)

    def take(self, message):
        """One verdict."""
        if "features" in message and not message["skipped"]:
            self.judged += 1
            self.refused += message["refused"]
            self.counted.update(message["features"])
            self.families.update(features.families(message["features"]))
        if message["failure"]:
            self.fail(message["seed"], message["failure"])

    def fail(self, seed, failure):
        """Stores a failing program, small if it does not end its process."""
        self.failures[seed] = failure
        program = grammar.program(seed)
        text = program.text
        first = failure.splitlines()[0]
        print(f"seed {seed}: {first}", flush=True)
        if not failure.startswith(("crashes", "hangs", "ptxas", "not judged")):
            text = smaller(program, seed, failure)
        self.folder.mkdir(parents=True, exist_ok=True)
        note = "".join(f"# {line}\n" for line in failure.splitlines())
        arguments = "".join(
            f"# {name} = {value!r}\n".replace("\n ", "\n#  ")
            for name, value in program.arguments
            if not name.startswith(("out", "rough"))
        )
        (self.folder / f"seed-{seed}.py").write_text(
            f"# Seed {seed}, launched [{program.grid}, {program.shape}].\n"
            + note + arguments + text
        )  # fmt: skip


def verdict_on(program, text, seed):
    """The first line of a failure, or None; an exception is one."""
    try:
        return judges.judge(
            *(text, program.arguments, program.grid, program.shape),
            name="<reduced>",
            ways=judges.ways_of(seed),
            at_page=program.at_page,
            is_second=program.is_second,
        ).failure
    except Exception as error:
        return f"exception: {error!r}"


def kind_of(failure):
    """What must stay as it is while a program is made smaller."""
    if failure.startswith(("does not compile", "compiles, but")):
        # The sentence, whatever the places, numbers and names in it.
        sentence = failure.splitlines()[0].partition("error:")
        return re.sub(r"\w*\d\w*", "", sentence[2] or sentence[0])
    for kind in ("exception", "not judged"):
        if failure.startswith(kind):
            return kind
    return failure.partition("[")[0]  # the array that differs


def smaller(program, seed, failure):
    """The text of a program, reduced as long as it fails alike."""
    wanted = kind_of(failure)

    def still_fails(text):
        found = verdict_on(program, text, seed)
        return found is not None and kind_of(found) == wanted

    return reducer.reduce(program.text, still_fails)


def main(count, seed, folder, chip):
    """Judges `count` programs.

    The status, which is 1 if anything is wrong, and what came of it.
    """
    if runs.runs_on_ptx():
        ptx_machine.use()
    run = Run(folder, chip)
    start = time.monotonic()
    for first in range(seed, seed + count, CHUNK):
        run.chunk(first, min(first + CHUNK, seed + count))
        elapsed = time.monotonic() - start
        print(
            f"{run.judged} judged in {elapsed:.0f} s, {run.refused} of them "
            f"refused by all, {run.assembled} assembled, "
            f"{len(run.failures)} failures",
            flush=True,
        )
    lacking = report(run) if count >= ENOUGH else []
    outcome = runs.outcome(run.judged, run.failures)
    return bool(lacking or run.failures), outcome


def report(run):
    """What programs have done; the features of which there was too little."""
    run.folder.mkdir(parents=True, exist_ok=True)
    table = run.folder / "features.txt"
    lines = [
        f"{run.counted[name]:8} {run.counted[name] / run.judged:8.2%} {name}\n"
        for name in sorted(
            features.FEATURES, key=lambda name: (run.counted[name], name)
        )
    ]
    table.write_text("".join(lines))
    missing = features.missing(run.counted)
    rare = features.rare(run.families, run.judged)
    print(
        f"{len(features.FEATURES)} features, {len(missing)} never occurred, "
        f"{len(rare)} whatever their type in less than "
        f"{features.LEAST:.0%} of the programs: {table}"
    )
    if missing:
        print("never:", ", ".join(missing))
    if rare:
        print("rare:", ", ".join(rare))
    return missing + rare
