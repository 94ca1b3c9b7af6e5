# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs tests of one module of numba-cuda's suite, for suite.py.

Reads names of tests, one on each line, or lists them all if there are none;
writes one line of JSON for each event.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import unittest
from typing import Any

import numba_stand_ins

#: What suite.py reads. Standard output is that of the tests.
EVENTS = os.fdopen(int(sys.argv[2]), "w", buffering=1)


def emit(**event: object) -> None:
    EVENTS.write(json.dumps(event) + "\n")


def cases(suite: Any) -> list[unittest.TestCase]:
    if isinstance(suite, unittest.TestSuite):
        return [case for part in suite for case in cases(part)]
    return [suite]


def name_of(case: unittest.TestCase) -> str:
    return ".".join(case.id().split(".")[-2:])


class Result(unittest.TestResult):
    """Tells about each test as soon as it has ended."""

    def startTest(self, test: Any) -> None:
        super().startTest(test)
        self.outcome = ("passed", "")
        emit(start=name_of(test))

    def stopTest(self, test: Any) -> None:
        super().stopTest(test)
        outcome, why = self.outcome
        emit(end=name_of(test), outcome=outcome, why=why)

    def _fail(self, error: Any) -> None:
        kind, value, _ = error
        if kind.__name__ == "Skipped":
            # pytest's way to skip.
            self.outcome = ("excluded", f"skips itself: {value}")
            return
        words = f"{kind.__name__}: {value}"
        told = getattr(value, "stderr", None)
        if told:
            words += "\n" + told.decode(errors="replace")
        self.outcome = ("failed", words)

    def addError(self, test: Any, error: Any) -> None:
        self._fail(error)

    addFailure = addError

    def addSubTest(self, test: Any, subtest: Any, error: Any) -> None:
        if error is not None:
            self._fail(error)

    def addSkip(self, test: Any, reason: str) -> None:
        self.outcome = ("excluded", f"skips itself: {reason}")

    def addUnexpectedSuccess(self, test: Any) -> None:
        # Numba fails here and says so; PyK need not.
        self.outcome = ("passed", "")


def main() -> None:
    module = sys.argv[1]
    loader = unittest.defaultTestLoader
    found = cases(loader.loadTestsFromModule(importlib.import_module(module)))
    numba_stand_ins.loading = False
    wanted = sys.stdin.read().split()
    if not wanted:
        for case in found:
            emit(list=name_of(case))
        return
    result = Result()
    for case in found:
        if name_of(case) in wanted:
            case.run(result)


main()
