# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What only benchmarks use does what they take it to do."""

import re
import runpy
import subprocess
from pathlib import Path

import pytest

import pyk
from support.places import BENCHMARKS, ROOT

KERNELS = BENCHMARKS / "kernels"
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
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    change = runpy.run_path(str(BENCHMARKS / "change.py"))
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


@pytest.mark.skipif(not PYK_OPT.exists(), reason="there is no build/dev")
@pytest.mark.parametrize("target", ["cpu", "cuda"])
def test_stages_of_compiling(
    target: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`compile` times each stage of what a program launches."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    pyk.install_as_numba()
    benchmark = runpy.run_path(str(BENCHMARKS / "compile.py"))
    program, name = benchmark["KERNELS"]["vector add"]
    stages = benchmark["measure_stages"](2, program, name, target)
    last = {"cpu": "object", "cuda": "ptx"}[target]
    assert {"ast", "py", "pyk", "gpu", last, "all"} <= stages.keys()
    for run in range(2):
        parts = [times[run] for row, times in stages.items() if row != "all"]
        assert 0 < sum(parts) <= stages["all"][run] * 1.01
    with pytest.raises(LookupError, match=r"01-vector-add.py does not launch"):
        benchmark["run_and_record"](program, "n")
