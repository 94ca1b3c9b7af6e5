# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""lit finds a test by the path of its source as by that in the build."""

import shutil
import subprocess

import pytest

from support.places import ROOT, TESTS

LIT = shutil.which("lit") or "/usr/lib/llvm-22/bin/lit"


@pytest.fixture
def lit():
    if not (ROOT / "build/dev/test/lit.site.cfg.py").exists():
        pytest.skip("there is no build/dev")

    def lit(path):
        return subprocess.run(
            [LIT, "-v", path], cwd=ROOT, capture_output=True, text=True
        )

    return lit


def test_path_of_a_source(lit):
    result = lit("test/Tools/pyk-opt/version.test")
    assert "PASS: PyK :: Tools/pyk-opt/version.test (1 of 1)" in result.stdout
    assert result.returncode == 0


def test_without_a_build(tmp_path):
    (tmp_path / "test").mkdir()
    for name in ("lit.cfg.py", "Tools/pyk-opt/version.test"):
        path = tmp_path / "test" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(TESTS / name, path)
    result = subprocess.run(
        [LIT, "test/Tools"], cwd=tmp_path, capture_output=True, text=True
    )
    assert result.returncode == 2
    assert "expects build/dev; `scripts/dev build` makes it" in result.stderr
