# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`gpu-check` without a bundle, and how it tells results apart.

The ctest test `bundle` runs it on one.
"""

import fnmatch
import os
import runpy
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from support.places import ROOT, TESTS
from support.stand_in_driver import LIBRARY

SCRIPT = ROOT / "scripts/gpu-check"


def refusal(*arguments):
    """What it says on standard error before it ends with status 1."""
    result = subprocess.run(
        [sys.executable, SCRIPT, *arguments], capture_output=True, text=True
    )
    assert result.returncode == 1
    assert result.stdout == ""
    return result.stderr.splitlines()[-1]


def test_checkout_is_no_bundle():
    assert refusal() == (
        f"gpu-check: error: '{ROOT}' is no bundle; name the archive of one"
    )


def test_archive_that_is_none(tmp_path):
    archive = tmp_path / "bundle.tar.gz"
    archive.write_text("text")
    assert refusal(archive).startswith(
        f"gpu-check: error: cannot unpack '{archive}': "
    )


@pytest.mark.parametrize(
    ("found", "expected", "ulps"),
    [
        ([1.0, np.nan, np.inf], [1.0, np.nan, np.inf], 0),
        ([1.0 + 2**-51], [1.0], 2),
        ([1.0, 2.0], [1.0, np.nan], np.inf),
        ([np.nan], [1.0], np.inf),
        ([np.inf], [1e300], np.inf),
        ([1, 2], [1, 2], 0),
        ([1, 2], [1, 3], np.inf),
    ],
)
def test_difference(found, expected, ulps):
    difference = runpy.run_path(str(SCRIPT))["difference"]
    assert difference(np.array(found), np.array(expected)) == ulps


def test_every_file_that_is_not_run_exists():
    """A name that is no longer right would let a file be run."""
    tests = TESTS / "python"
    names = [str(path.relative_to(tests)) for path in tests.glob("*/test_*.py")]
    for pattern in runpy.run_path(str(SCRIPT))["NOT_RUN"]:
        assert fnmatch.filter(names, pattern), pattern


def test_no_file_that_is_run_needs_what_a_bundle_lacks():
    """Such a file would end the run of all when it is imported."""
    files = runpy.run_path(str(SCRIPT))["test_files"](TESTS / "python")
    assert len(files) > 100
    assert [file for file in files if "FUZZ" in file.read_text()] == []


def test_comparison_without_libdevice(tmp_path, monkeypatch):
    """What could not be computed is skipped, with the reason."""
    checker = runpy.run_path(str(SCRIPT))["Checker"](tmp_path, "cuda", tmp_path)

    def run(step, python, program, file, target):
        numbers = {"sqrt float32": [2.0], "sqrt float32:numpy": [2.0]}
        if target == "cpu":
            numbers |= {"exp float32": [1.0], "exp float32:numpy": [1.0]}
        skipped = ["exp float32"] if target == "cuda" else []
        np.savez(file, skipped=np.array(skipped, str), **numbers)
        return subprocess.CompletedProcess([], 0, "")

    monkeypatch.setattr(checker, "run", run)
    outcome = checker.compare()
    assert (outcome.passed, outcome.failed, outcome.skipped) == (1, 0, 1)
    assert outcome.notes == ["SKIPPED, needs libdevice: exp float32"]


def test_kernels_without_libdevice(tmp_path):
    """On a driver, the program names what it cannot compute."""
    file = tmp_path / "found.npz"
    environment = {
        **os.environ,
        "PYK_TARGET": "cuda",
        "PYK_LIBCUDA": str(LIBRARY),
        "CUDA_HOME": str(tmp_path),
    }
    for name in ("PYK_LIBDEVICE", "CUDA_PATH"):
        environment.pop(name, None)
    program = Path(__file__).with_name("compare_targets.py")
    subprocess.run([sys.executable, program, file], env=environment, check=True)
    found = np.load(file)
    skipped = found["skipped"].tolist()
    assert {"exp float32", "% float64"} <= {*skipped}
    assert {"sqrt float32", "+ int64", "block sum"} <= {*found}
    assert not {*skipped} & {*found}
