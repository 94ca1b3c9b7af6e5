# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What only benchmarks use does what they take it to do."""

import re
import runpy
import subprocess
from pathlib import Path

import pytest

import pyk

ROOT = Path(__file__).parents[2]
KERNELS = ROOT / "benchmarks/kernels"
PYK_OPT = ROOT / "build/dev/bin/pyk-opt"


@pytest.mark.skipif(not KERNELS.is_dir(), reason="a bundle has no benchmarks")
def test_lattice_boltzmann(capsys: pytest.CaptureFixture[str]) -> None:
    """It keeps mass and dye, which the program itself checks, and the force
    moves what is at rest on the average.
    """
    pyk.install_as_numba()
    program = runpy.run_path(
        str(KERNELS / "lattice_boltzmann.py"), run_name="__main__"
    )
    said = capsys.readouterr().out
    assert 1e-4 < float(said.removeprefix("greatest velocity ")) < 1e-2
    source = program["step"].py_func.__code__
    assert len({line for *_, line in source.co_lines() if line}) > 240


@pytest.mark.skipif(not PYK_OPT.exists(), reason="there is no build/dev")
def test_row_of_change(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The test that `change` adds with a row passes for a row that is there."""
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    change = runpy.run_path(str(ROOT / "benchmarks/change.py"))
    text = change["ROW_TEST_TEXT"].replace("cuda.benchmark", "math.sqrt")
    source = tmp_path / "row.mlir"
    source.write_text(text)
    command = re.search(r"RUN: pyk-opt %s (.*) \|", text)
    expected = re.search(r"CHECK: (\S+)", text)
    assert command and expected
    result = subprocess.run(
        [PYK_OPT, source, *command[1].split()], capture_output=True, text=True
    )
    assert result.returncode == 0, result.stderr
    assert expected[1] in result.stdout
