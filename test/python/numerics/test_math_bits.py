# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Math functions have the same bits on CPUs and in PTX without libdevice."""

import numpy as np
import pytest

from math_bits import make, operands
from math_table import WAYS, compare, compute_hashes
from pyk import _ptx_machine

pytestmark = [
    pytest.mark.on_the_cpu(reason="each test says what it runs on"),
    pytest.mark.skipif(
        not _ptx_machine.is_built(),
        reason="the PTX machine is built with the runtime's tests alone",
    ),
]

COUNT = 1024


@pytest.fixture(scope="module")
def on_ptx():
    return compute_hashes(WAYS["PTX"], COUNT, COUNT)


@pytest.mark.parametrize("way", ["vectors", "threads"])
def test_bits_are_those_of_ptx(on_ptx, way):
    """`math_table.py` does so with more arguments."""
    assert len(on_ptx) > 300
    assert compare(on_ptx, compute_hashes(WAYS[way], COUNT, COUNT)) == []


def test_differences_are_named():
    expected = {"sin": np.array([1, 2, 3]), "cos": np.array([4, 5])}
    found = {"sin": np.array([1, 7, 8]), "cos": np.array([4, 5])}
    assert compare(expected, found) == [
        "sin: 2 of 3 parts differ, first the results from 1024 to 2047"
    ]
    del found["cos"]
    assert compare(expected, found) == ["only one has ['cos']"]


def test_inverse_roots_are_rounded_correctly():
    x, y = operands(np.float32, COUNT)
    found = np.empty_like(x)
    make("frsqrt_rn", "x[i]")[-(-x.size // 128), 128](found, x, y)
    with np.errstate(all="ignore"):
        expected = (1 / np.sqrt(x.astype(np.float64))).astype(np.float32)
    assert np.array_equal(found, expected, equal_nan=True)
