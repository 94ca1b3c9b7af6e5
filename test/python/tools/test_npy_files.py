# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`pyk-run` reads and writes .npy files as NumPy does."""

import subprocess

import numpy as np
import pytest
from numpy.lib import format as npy

from pyk import _dtypes
from support.programs import TOOLS

KERNEL = """
pyk.func @nothing(%a: !pyk.array<{shape}{element}, c>) attributes {{kernel}} {{
  pyk.return
}}
"""

TYPES = {f"i{8 * n}": (f"i{8 * n}", f"<i{n}") for n in (1, 2, 4, 8)}
TYPES |= {f"u{8 * n}": (f"i{8 * n}", f"<u{n}") for n in (1, 2, 4, 8)}
TYPES |= {f"f{8 * n}": (f"f{8 * n}", f"<f{n}") for n in (2, 4, 8)}
TYPES["bool"] = ("i1", "?")


def copy_file(tmp_path, name, array):
    """Lets pyk-run read in.npy and write out.npy."""
    (tmp_path / "kernel.mlir").write_text(
        KERNEL.format(shape="?x" * array.ndim, element=TYPES[name][0])
    )
    return run(tmp_path, name, array)


def run(tmp_path, name, array):
    """The same of the kernel in kernel.mlir."""
    shape = "x".join(map(str, array.shape))
    return subprocess.run(
        [
            TOOLS / "pyk-run",
            tmp_path / "kernel.mlir",
            "--grid=1",
            "--block=1",
            f"--arg={name}[{shape}]=@{tmp_path}/in.npy",
            f"--save=0:{tmp_path}/out.npy",
        ],
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("name", TYPES)
@pytest.mark.parametrize("shape", [(), (0,), (5,), (3, 4), (2, 1, 3)])
def test_round_trip(tmp_path, name, shape):
    array = (np.arange(np.prod(shape, dtype=int)).reshape(shape) - 1).astype(
        TYPES[name][1]
    )
    np.save(tmp_path / "in.npy", array)
    result = copy_file(tmp_path, name, array)
    assert (result.returncode, result.stderr) == (0, "")
    saved = np.load(tmp_path / "out.npy")
    assert saved.dtype == array.dtype
    assert saved.shape == array.shape
    assert np.array_equal(saved, array)


@pytest.mark.parametrize(
    ("name", "dtype"),
    [
        ("fp8_e5m2", "float8_e5m2"),
        ("fp8_e4m3", "float8_e4m3fn"),
        ("fp8_e8m0", "float8_e8m0fnu"),
        ("bf16", "bfloat16"),
    ],
)
def test_files_of_ml_dtypes(tmp_path, name, dtype):
    ml_dtypes = pytest.importorskip("ml_dtypes")
    array = np.array([0.5, 1, 4], getattr(ml_dtypes, dtype))
    np.save(tmp_path / "in.npy", array)
    (tmp_path / "kernel.mlir").write_text(
        f"""
        py.func @nothing(["a"]) kernel arguments [
            !pyk.array<?x{_dtypes.element(array.dtype)}, c>] {{
        }}
        """
    )
    result = run(tmp_path, name, array)
    assert (result.returncode, result.stderr) == (0, "")
    saved = np.load(tmp_path / "out.npy")
    assert saved.tobytes() == array.tobytes()


@pytest.mark.parametrize("version", [(1, 0), (2, 0), (3, 0)])
def test_versions_of_the_format(tmp_path, version):
    array = np.arange(6, dtype=np.int16).reshape(2, 3)
    with open(tmp_path / "in.npy", "wb") as file:
        npy.write_array(file, array, version=version)
    assert copy_file(tmp_path, "i16", array).returncode == 0
    assert np.array_equal(np.load(tmp_path / "out.npy"), array)


def test_other_byte_order_is_refused(tmp_path):
    array = np.arange(6, dtype=">i4")
    np.save(tmp_path / "in.npy", array)
    result = copy_file(tmp_path, "i32", array)
    assert result.returncode == 1
    assert "expects elements of type i32 ('<i4') but got '>i4'" in result.stderr


def test_records_are_refused(tmp_path):
    array = np.zeros(6, dtype=[("x", np.int32)])
    np.save(tmp_path / "in.npy", array)
    result = copy_file(tmp_path, "i32", array)
    assert result.returncode == 1
    assert "expects elements of type i32 ('<i4') but got '[('" in result.stderr
