# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs cases of one module of numba-cuda's suite, for suite.py.

Reads names of cases, one on each line, or lists them all if there are none;
writes one line of JSON for each event.
"""

from __future__ import annotations

import functools
import importlib
import json
import os
import re
import sys
import unittest
from typing import Any, TextIO

import numba_stand_ins


@functools.cache
def events() -> TextIO:
    """What suite.py reads. Standard output is that of the tests."""
    return os.fdopen(int(sys.argv[2]), "w", buffering=1)


def emit(**event: object) -> None:
    events().write(json.dumps(event) + "\n")


def cases(suite: Any) -> list[unittest.TestCase]:
    if isinstance(suite, unittest.TestSuite):
        return [case for part in suite for case in cases(part)]
    return [suite]


def name_of(case: unittest.TestCase) -> str:
    return ".".join(case.id().split(".")[-2:])


class Result(unittest.TestResult):
    """Tells about each case as soon as it has ended, as unittest counts it."""

    #: What befell a class or the module, before its cases.
    whole: dict[str, tuple[str, str]]

    def __init__(self) -> None:
        super().__init__()
        self.whole = {}
        self.ended: set[str] = set()

    def startTest(self, test: Any) -> None:
        super().startTest(test)
        self.outcome = ("passed", "")
        emit(start=name_of(test))

    def stopTest(self, test: Any) -> None:
        super().stopTest(test)
        outcome, why = self.outcome
        self.ended.add(name_of(test))
        emit(end=name_of(test), outcome=outcome, why=why)

    def _set(self, test: Any, outcome: str, why: str) -> None:
        if isinstance(test, unittest.TestCase):
            # What goes wrong later, as in tearDown, does not mend the case.
            if self.outcome[0] in ("passed", "expected failure"):
                self.outcome = (outcome, why)
            return
        # unittest's own holder of an error: "setUpClass (module.Class)".
        place = re.search(r"\((.*)\)", str(test))
        self.whole[place[1] if place else ""] = (outcome, why)

    def _wrong(self, test: Any, outcome: str, error: Any) -> None:
        kind, value, _ = error
        if kind.__name__ == "Skipped":
            # pytest's way to skip.
            self._set(test, "skipped", str(value))
            return
        words = f"{kind.__name__}: {value}"
        told = getattr(value, "stderr", None)
        if isinstance(told, bytes):
            words += "\n" + told.decode(errors="replace")
        self._set(test, outcome, words)

    def addError(self, test: Any, error: Any) -> None:
        self._wrong(test, "error", error)

    def addFailure(self, test: Any, error: Any) -> None:
        self._wrong(test, "failed", error)

    def addSubTest(self, test: Any, subtest: Any, error: Any) -> None:
        if error is not None:
            failed = issubclass(error[0], test.failureException)
            self._wrong(test, "failed" if failed else "error", error)

    def addSkip(self, test: Any, reason: str) -> None:
        self._set(test, "skipped", reason)

    def addExpectedFailure(self, test: Any, error: Any) -> None:
        self._set(test, "expected failure", "")

    def addUnexpectedSuccess(self, test: Any) -> None:
        self._set(test, "failed", "passes where a failure is expected")

    def rest(self, case: unittest.TestCase) -> tuple[str, str]:
        """What befell a case that did not even start."""
        kind = type(case)
        place = f"{kind.__module__}.{kind.__qualname__}"
        for whole in (place, kind.__module__):
            if whole in self.whole:
                return self.whole[whole]
        return ("error", "did not run")


def load(module: str) -> list[unittest.TestCase]:
    try:
        imported = importlib.import_module(module)
    except unittest.SkipTest as error:
        emit(whole="skipped", why=str(error))
        return []
    except BaseException as error:
        outcome = "skipped" if type(error).__name__ == "Skipped" else "error"
        emit(whole=outcome, why=f"{type(error).__name__}: {error}")
        return []
    loaded = unittest.defaultTestLoader.loadTestsFromModule(imported)
    return cases(loaded)


def main() -> None:
    found = load(sys.argv[1])
    numba_stand_ins.loading = False
    wanted = set(sys.stdin.read().split())
    if not wanted:
        for case in found:
            emit(list=name_of(case))
        return
    result = Result()
    chosen = [case for case in found if name_of(case) in wanted]
    unittest.TestSuite(chosen).run(result)
    for case in chosen:
        name = name_of(case)
        if name not in result.ended:
            outcome, why = result.rest(case)
            emit(end=name, outcome=outcome, why=why)


# A process that a test starts may load this file, too.
if __name__ == "__main__":
    main()
