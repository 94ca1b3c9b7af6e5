#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs numba-cuda's own tests with PyK in the place of Numba.

  suite.py CHECKOUT [--timeout=SECONDS] [--verbose] [MODULE...]

CHECKOUT is a folder of numba-cuda's sources; MODULE a test module, such as
test_array, or one of its tests, such as test_lang:TestLang.test_zip.
Without one, all of modules.txt run. `python` has to find PyK.
"""

from __future__ import annotations

import argparse
import fnmatch
import json
import os
import re
import select
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
TESTS = "numba_cuda/numba/cuda/tests"


@dataclass
class Tally:
    """The tests of one module by outcome, with the reasons."""

    passed: list[str] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)
    excluded: dict[str, str] = field(default_factory=dict)


def exclusions(path: Path) -> list[tuple[str, str]]:
    """Patterns of tests, each with the reason why it does not count."""
    found = []
    reason = ""
    for line in path.read_text().splitlines():
        if line.startswith("#") or not line.strip():
            continue
        if line.startswith(" "):
            found += [(pattern, reason) for pattern in line.split()]
        else:
            reason = line.rstrip(":")
    return found


def why_excluded(name: str, rules: list[tuple[str, str]]) -> str | None:
    for pattern, reason in rules:
        if fnmatch.fnmatchcase(name, pattern):
            return reason
    return None


class Worker:
    """A process that runs tests of a module and tells of each."""

    def __init__(self, module: str, tests: Path, names: list[str]) -> None:
        read, write = os.pipe()
        paths = [str(HERE / "stand_ins"), os.environ.get("PYTHONPATH", "")]
        self.process = subprocess.Popen(
            [
                sys.executable,
                str(HERE / "suite_worker.py"),
                f"numba.cuda.tests.cudapy.{module}",
                str(write),
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            pass_fds=[write],
            env={
                **os.environ,
                "PYTHONPATH": os.pathsep.join(filter(None, paths)),
                "PYK_COMPAT_TESTS": str(tests),
            },
        )
        os.close(write)
        self.events = os.fdopen(read, "rb", buffering=0)
        self.rest = b""
        assert self.process.stdin is not None
        self.process.stdin.write("\n".join(names).encode())
        self.process.stdin.close()
        assert self.process.stderr is not None
        os.set_blocking(self.process.stderr.fileno(), False)

    def next(self, timeout: float) -> dict[str, str] | None:
        """The next event; None at the end or after `timeout` seconds."""
        deadline = time.monotonic() + timeout
        while b"\n" not in self.rest:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.events], [], [], left)[0]:
                return None
            block = self.events.read(65536)
            if not block:
                return None
            self.rest += block
        line, self.rest = self.rest.split(b"\n", 1)
        event: dict[str, str] = json.loads(line)
        return event

    def stop(self) -> str:
        """Ends the process; says how it ended."""
        late = False
        try:
            status = self.process.wait(2)
        except subprocess.TimeoutExpired:
            late = True
            self.process.kill()
            status = self.process.wait()
        assert self.process.stderr is not None
        words = (self.process.stderr.read() or b"").decode(errors="replace")
        last = words.strip().splitlines()[-1:] or [""]
        self.process.stderr.close()
        self.events.close()
        if late:
            return "does not end"
        return f"ended with status {status}: {last[0]}"


def run_module(module: str, tests: Path, only: str, timeout: float) -> Tally:
    tally = Tally()
    rules = exclusions(HERE / "exclusions.txt")
    lister = Worker(module, tests, [])
    names = []
    while event := lister.next(timeout):
        names.append(event["list"])
    end = lister.stop()
    if not names:
        tally.failed["(module)"] = end
    todo = []
    for name in names:
        if not fnmatch.fnmatchcase(name, only):
            continue
        reason = why_excluded(f"{module}:{name}", rules)
        if reason is None:
            todo.append(name)
        else:
            tally.excluded[name] = reason
    while todo:
        worker = Worker(module, tests, todo)
        running = ""
        while event := worker.next(timeout):
            if "start" in event:
                running = event["start"]
                continue
            name = event["end"]
            todo.remove(name)
            running = ""
            if event["outcome"] == "passed":
                tally.passed.append(name)
            elif event["outcome"] == "failed":
                tally.failed[name] = event["why"]
            else:
                tally.excluded[name] = event["why"]
        end = worker.stop()
        if todo:
            # What ran takes the blame; the rest runs in a new process.
            name = running or todo[0]
            tally.failed[name] = f"the process {end}"
            todo.remove(name)
    return tally


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkout", type=Path)
    parser.add_argument("modules", nargs="*")
    parser.add_argument("--timeout", type=float, default=60)
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    tests = options.checkout.resolve() / TESTS
    modules = options.modules or (HERE / "modules.txt").read_text().split()
    total = [0, 0, 0]
    reasons: Counter[str] = Counter()
    print(f"{'module':28} passed failed excluded")
    for entry in modules:
        module, _, only = entry.partition(":")
        tally = run_module(module, tests, only or "*", options.timeout)
        counts = [len(tally.passed), len(tally.failed), len(tally.excluded)]
        total = [a + b for a, b in zip(total, counts, strict=True)]
        reasons.update(tally.excluded.values())
        print(f"{module:28} {counts[0]:6} {counts[1]:6} {counts[2]:8}")
        for name, why in tally.failed.items():
            text = why if options.verbose else re.sub(r"\s+", " ", why)[-250:]
            print(f"  failed {name}: {text}")
        sys.stdout.flush()
    print(f"{'all':28} {total[0]:6} {total[1]:6} {total[2]:8}")
    print("excluded, since the test")
    for reason, count in reasons.most_common():
        print(f"{count:6} {reason}")
    return 1 if total[1] else 0


if __name__ == "__main__":
    sys.exit(main())
