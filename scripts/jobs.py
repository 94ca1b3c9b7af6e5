# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs commands several at a time, each with a limit, within a budget.

Each command writes to a file and is a process group of its own. One that does
not end in time is killed with all its descendants, in whatever group they are;
the others run on. No command outlives the budget, and those for which nothing
of it is left are not started.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

#: How often commands that run are looked at, in seconds.
INTERVAL = 0.05
#: Least time for which a command is worth starting, in seconds.
LEAST = 1.0
#: How long a killed process may take to be gone, in seconds: one that hangs in
#: a driver may never be.
GRACE = 0.2
#: The status of a command that cannot be started, as shells have it.
NOT_STARTED = 127
#: The variable by which all descendants of a command are known.
MARK = "GPU_CHECK_JOB"

_numbers = itertools.count()


class Budget:
    """The time that all commands together may take; `seconds` may be None."""

    def __init__(self, seconds: float | None, start: float) -> None:
        self.seconds = seconds
        self._start = start

    def elapsed(self) -> float:
        return time.monotonic() - self._start

    def left(self, reserve: float = 0) -> float:
        """Seconds that may be spent, if `reserve` has to be left of them."""
        if self.seconds is None:
            return float("inf")
        return self.seconds - reserve - self.elapsed()


@dataclass
class Job:
    """A command, and what became of it."""

    name: str
    command: list[str]
    #: What it prints is appended here.
    log: Path
    #: Longest time that it may take, in seconds.
    limit: float
    environment: dict[str, str] = field(default_factory=dict)
    #: Its exit status, negative for a signal; None if it was killed for taking
    #: too long, or has not run.
    status: int | None = None
    has_run: bool = False
    #: Whether it was killed because the budget left it less than its limit.
    is_cut: bool = False
    seconds: float = 0.0
    #: What it has printed.
    output: str = ""

    @property
    def is_reached(self) -> bool:
        """Whether the budget has let it run as long as it may."""
        return self.has_run and not self.is_cut

    def problem(self) -> str:
        """How it has failed; empty if it has not."""
        if self.status == 0:
            return ""
        if self.is_cut:
            return f"cut off after {self.seconds:.0f} s"
        if self.status is None:
            return f"no end after {self.seconds:.0f} s"
        if self.status < 0:
            with contextlib.suppress(ValueError):
                return f"ends by {signal.Signals(-self.status).name}"
        return f"ends with status {self.status}"


@dataclass
class _Running:
    job: Job
    process: subprocess.Popen[bytes]
    mark: str
    offset: int
    start: float
    limit: float


def run_jobs(
    jobs: Iterable[Job],
    budget: Budget,
    folder: Path,
    at_once: int = 1,
    reserve: float = 0,
    finished: Callable[[Job], None] = lambda job: None,
) -> None:
    """Starts `jobs` in order, in `folder`, and calls `finished` for each.

    At most `at_once` run at a time. `reserve` seconds are left of the budget.
    """
    waiting = list(jobs)[::-1]
    running: list[_Running] = []
    try:
        while running or (waiting and budget.left(reserve) >= LEAST):
            while (
                waiting
                and len(running) < at_once
                and budget.left(reserve) >= LEAST
            ):
                job = waiting.pop()
                try:
                    running.append(_start(job, folder, budget.left(reserve)))
                except OSError as error:
                    job.has_run, job.status = True, NOT_STARTED
                    job.output = str(error)
                    finished(job)
            ended = [one for one in running if _has_ended(one)]
            running = [one for one in running if one not in ended]
            for one in ended:
                finished(one.job)
            if not ended:
                time.sleep(INTERVAL)
    finally:
        for one in running:
            _kill(one)


def _start(job: Job, folder: Path, left: float) -> _Running:
    job.log.parent.mkdir(parents=True, exist_ok=True)
    mark = f"{os.getpid()}.{next(_numbers)}"
    with open(job.log, "ab") as log:
        log.write(f"$ {' '.join(job.command)}\n".encode())
        log.flush()
        offset = log.tell()
        process = subprocess.Popen(
            job.command,
            cwd=folder,
            env={**job.environment, MARK: mark},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    limit = min(job.limit, left)
    return _Running(job, process, mark, offset, time.monotonic(), limit)


def _has_ended(running: _Running) -> bool:
    """Whether the command has ended, or is killed now; keeps its results."""
    job = running.job
    job.status = running.process.poll()
    job.seconds = time.monotonic() - running.start
    if job.status is None and job.seconds < running.limit:
        return False
    # What it has started must not outlive it either.
    _kill(running)
    job.has_run = True
    with open(job.log, "rb") as log:
        log.seek(running.offset)
        job.output = log.read().decode(errors="replace")
    if job.status is None:
        job.is_cut = running.limit < job.limit
        with open(job.log, "a") as log:
            print(f"\n{job.problem()}", file=log)
    return True


def _kill(running: _Running) -> None:
    """Kills a command with its group and all that descends from it."""
    with contextlib.suppress(OSError):
        os.killpg(running.process.pid, signal.SIGKILL)
    # Descendants with groups of their own, or whose parent is gone. While they
    # are killed they may start others.
    for _ in range(10):
        victims = _descendants(running.mark)
        for victim in victims:
            with contextlib.suppress(OSError):
                os.kill(victim, signal.SIGKILL)
        if not victims:
            break
    with contextlib.suppress(subprocess.TimeoutExpired):
        running.process.wait(GRACE)


def _descendants(mark: str) -> list[int]:
    """The processes that have inherited the mark of a command."""
    entry = f"{MARK}={mark}".encode()
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):
            if entry in path.read_bytes().split(b"\0"):
                found.append(int(path.parent.name))
    return found
