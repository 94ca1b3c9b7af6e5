# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernels that only benchmarks use compute what they should."""

import runpy
from pathlib import Path

import pytest

import pyk

KERNELS = Path(__file__).parents[2] / "benchmarks/kernels"


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
