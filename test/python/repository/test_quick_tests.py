# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`scripts/dev test` runs some cases of each test, and none that takes long."""

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

TESTS = Path(__file__).parents[1]


def collect(quick: str, *files: str, **environment: str) -> Counter[str]:
    """How many cases of each test function pytest would run."""
    result = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "--collect-only"),
            *("-p", "no:cacheprovider", *files),
        ],
        cwd=TESTS,
        env={**os.environ, "PYK_TEST_QUICK": quick, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return Counter(
        line.partition("[")[0]
        for line in result.stdout.splitlines()
        if "::" in line
    )


def test_some_cases_of_each_test_are_quick(monkeypatch) -> None:
    monkeypatch.delenv("PYK_TEST_CASES", raising=False)
    files = ("threads/test_shuffles.py", "arrays/test_memory_proofs.py")
    whole, quick = collect("0", *files), collect("1", *files)
    long = {name for name in whole if name not in quick}
    assert {name.rpartition("::")[2] for name in long} == {
        "test_random_kernels",
        "test_wild_kernels",
    }
    assert max(whole.values()) > 16
    assert quick == {
        name: min(count, 16)
        for name, count in whole.items()
        if name not in long
    }


def test_long_tests_run_some_cases_of_each(monkeypatch) -> None:
    monkeypatch.delenv("PYK_TEST_CASES", raising=False)
    files = ("threads/test_shuffles.py", "arrays/test_memory_proofs.py")
    whole = collect("0", *files)
    some = collect("0", *files, PYK_TEST_CASES="5")
    assert some == {name: min(count, 5) for name, count in whole.items()}


def test_tables_run_whole(monkeypatch) -> None:
    monkeypatch.delenv("PYK_TEST_CASES", raising=False)
    file = "ptx/test_instructions.py"
    whole = collect("0", file)
    assert max(whole.values()) > 100
    assert collect("1", file) == whole
    assert collect("0", file, PYK_TEST_CASES="5") == whole
