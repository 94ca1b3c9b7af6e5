# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`gpu-check` without a bundle, and how it tells results apart.

The ctest test `bundle` runs it on one.
"""

import runpy
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "gpu-check"


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
        f"gpu-check: error: '{SCRIPT.parents[1]}' is no bundle; name the "
        "archive of one"
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
