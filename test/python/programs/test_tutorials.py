# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The programs of five introductions to Numba CUDA, which have to run.

They stand in `tutorials/`, each under the number of its introduction:

- 000: "How to use Numba with CUDA?"
- 001: an article on Numba and CuPy, with a million elements
- 002: "Chapter 5: CUDA Kernels with Numba"
- 003: slides that name what there is, without programs; so ours use each name
- 004: "Target = GPU"

The code is that of the introductions but for what `Mended:` says; the comments
are ours. A program asserts nothing: the test looks at its variables.
"""

import ast
import runpy
import sys
from pathlib import Path
from unittest import mock

import numpy as np
import pytest

import pyk
from support import stand_in_cupy

PROGRAMS = Path(__file__).parent / "tutorials"


@pytest.fixture
def run():
    """Runs a program, `numba` being PyK, and gives its variables."""

    def run(name):
        with mock.patch.dict(sys.modules):
            pyk.install_as_numba()
            return runpy.run_path(str(PROGRAMS / f"{name}.py"))

    return run


def test_every_program_is_tested():
    """A file that no test names would never run."""
    tree = ast.parse(Path(__file__).read_text())
    tested = {
        call.args[0].value
        for call in ast.walk(tree)
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Name)
        and call.func.id == "run"
        and isinstance(call.args[0], ast.Constant)
    }
    assert {path.stem for path in PROGRAMS.glob("*.py")} == tested


def test_vector_add(run, capsys):
    assert run("000_vector_add")["result"].tolist() == [5, 7, 9]
    assert capsys.readouterr().out == "[5 7 9]\n"


def test_add_arrays(run, capsys):
    """The full million; three times a number below 2**20 is exact."""
    variables = run("001_add_arrays")
    out = variables["host_out"]
    assert (out.shape, out.dtype) == ((1_000_000,), np.float32)
    np.testing.assert_array_equal(out, 3 * np.arange(1_000_000))
    assert variables["device_x"].copy_to_host()[-1] == 999_999
    line = "[ 0.  3.  6.  9. 12. 15. 18. 21. 24. 27.]\n"
    assert capsys.readouterr().out == line


def test_nested_launches(run):
    """A kernel that launches another, as the last chapter says."""
    assert run("001_nested_launches")["data"].tolist() == [1.0] * 8


def test_copy(run):
    """Integers become floats on the way."""
    for variables in [run("002_copy_by_block"), run("002_copy_by_grid")]:
        assert variables["output"].dtype == np.float64
        assert variables["output"].tolist() == list(range(10))


def test_add_cupy(run, capsys, monkeypatch):
    """The kernel writes to the other library's memory, not to a copy."""
    monkeypatch.setitem(sys.modules, "cupy", stand_in_cupy)
    variables = run("002_add_cupy")
    assert variables["out"].get().tolist() == list(range(0, 30, 3))
    assert variables["b"].get().tolist() == list(range(0, 20, 2))
    assert capsys.readouterr().out == "[ 0  3  6  9 12 15 18 21 24 27]\n"


def test_positions(run):
    variables = run("003_positions")
    assert len(variables["found"]) == 2
    for grid, block, places, extents in variables["found"]:
        assert extents.tolist() == [*block, *grid]
        absolute = np.moveaxis(np.indices(places.shape[:3]), 0, -1)
        np.testing.assert_array_equal(places[..., :3], absolute % block)
        np.testing.assert_array_equal(places[..., 3:], absolute // block)
    counts = variables["counts"]
    assert [count.size for count in counts] == [15, 7, 120, 14, 48, 48]
    for count in counts:
        np.testing.assert_array_equal(count, count.size)


def test_transfers(run):
    variables = run("003_transfers")
    first = variables["first"]
    np.testing.assert_array_equal(variables["host_means"], 2 * first)
    quarters = variables["host_quarters"]
    np.testing.assert_array_equal(quarters, 1.5 * first)
    assert variables["device_second"].is_f_contiguous()
    assert variables["by_likeness"].is_f_contiguous()
    assert variables["by_shape"].is_c_contiguous()
    # The means did not go back to where their inputs came from.
    np.testing.assert_array_equal(first.ravel(), np.arange(15))
    np.testing.assert_array_equal(variables["second"], 3 * first)


def test_shared_memory(run):
    variables = run("003_shared_memory")
    expected = np.arange(3 * 32).reshape(3, 4, 8).transpose(0, 2, 1)
    np.testing.assert_array_equal(variables["blocks"], expected)
    assert variables["line"].tolist() == [63, *range(63)]


def test_local_memory(run):
    variables = run("003_local_memory")
    expected = [
        np.bincount(row, minlength=5).argmax() for row in variables["values"]
    ]
    assert variables["winners"].tolist() == expected
    numbers = variables["numbers"]
    assert numbers[:8].tolist() == [0, 1, 1, 2, 3, 5, 8, 13]
    np.testing.assert_array_equal(numbers[2:], numbers[1:-1] + numbers[:-2])


def test_constant_memory(run):
    variables = run("003_constant_memory")
    image = variables["image"]
    rows = image[:-2] + 2 * image[1:-1] + image[2:]
    inner = (rows[:, :-2] + 2 * rows[:, 1:-1] + rows[:, 2:]) / 16
    np.testing.assert_array_equal(variables["blurred"], np.pad(inner, 1))
    # The kernel keeps the table that it was compiled with.
    np.testing.assert_array_equal(variables["again"], variables["blurred"])


@pytest.fixture
def doubles():
    """The random numbers of a program that runs next, times two."""
    np.random.seed(4)
    numbers = np.random.randn(3, 3).astype(np.float32)
    np.random.seed(4)
    return 2 * numbers


def test_doubled(run, doubles):
    np.testing.assert_array_equal(run("004_doubled")["arr"], doubles)


def test_doubled_auto_grid(run, doubles):
    arr = run("004_doubled_auto_grid")["arr"]
    np.testing.assert_array_equal(arr, doubles)


def test_doubled_man_copy(run, doubles):
    variables = run("004_doubled_man_copy")
    np.testing.assert_array_equal(variables["out"], doubles)
    np.testing.assert_array_equal(2 * variables["arr"], doubles)


def test_reduce(run, doubles):
    variables = run("004_reduce")
    np.testing.assert_array_equal(2 * variables["arr"], doubles)
    total = variables["reduced_arr"]
    assert total.dtype == np.float32
    np.testing.assert_allclose(2 * total, doubles.sum(dtype=np.float64), 1e-6)


def test_doubled_ufunc(run, doubles):
    variables = run("004_doubled_ufunc")
    np.testing.assert_array_equal(variables["out"], doubles)
    np.testing.assert_array_equal(2 * variables["arr"], doubles)


def test_doubled_gufunc(run, doubles):
    variables = run("004_doubled_gufunc")
    np.testing.assert_array_equal(variables["out"], doubles)
    np.testing.assert_array_equal(2 * variables["arr"], doubles)
