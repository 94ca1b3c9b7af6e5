# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Math functions have the same bits on CPUs and in PTX without libdevice."""

from pathlib import Path

import numpy as np
import pytest

from math_bits import compute, make, operands
from pyk import _ptx_machine
from support.programs import run_without_toolkit

pytestmark = [
    pytest.mark.on_the_cpu(reason="each test says what it runs on"),
    pytest.mark.skipif(
        not _ptx_machine.is_built(),
        reason="the PTX machine is built with the runtime's tests alone",
    ),
]

PROGRAM = Path(__file__).with_name("math_bits.py")
COUNT = 1024
ON_PTX = ["--target=ptx-machine"]


@pytest.fixture(scope="module")
def on_ptx(tmp_path_factory):
    file = tmp_path_factory.mktemp("bits") / "ptx.npz"
    done = run_without_toolkit(*ON_PTX, PROGRAM, file, COUNT)
    assert (done.returncode, done.stderr) == (0, "")
    with np.load(file) as results:
        return dict(results)


@pytest.mark.parametrize("way", ["simd", "reference"])
def test_bits_are_those_of_ptx(on_ptx, way, monkeypatch):
    monkeypatch.setenv("PYK_CPU", way)
    on_cpu = compute(COUNT)
    assert on_cpu.keys() == on_ptx.keys()
    assert len(on_cpu) > 200
    for name, results in on_cpu.items():
        places = np.flatnonzero(results != on_ptx[name])
        assert places.size == 0, (name, places[:5])


def test_inverse_roots_are_rounded_correctly():
    x, y = operands(np.float32, COUNT)
    found = np.empty_like(x)
    make("frsqrt_rn", "x[i]")[-(-x.size // 128), 128](found, x, y)
    with np.errstate(all="ignore"):
        expected = (1 / np.sqrt(x.astype(np.float64))).astype(np.float32)
    assert np.array_equal(found, expected, equal_nan=True)
