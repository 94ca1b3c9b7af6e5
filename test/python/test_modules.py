# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Several kernels in one module: what `--emit` writes, and merged buffers."""

import json
import os
import re
import subprocess
import sys

import numpy as np
import pytest

from pyk import _core, _modules, cuda
from pyk._frontend import build, encode
from pyk.cuda import _devices

PROGRAM = """
import numpy as np
from numba import cuda, float32, int64, void

N = 2

@cuda.jit(device=True)
def times(x):
    return x * N

@cuda.jit([void(float32[:]), void(int64[:])])
def scale(a):
    a[0] = times(a[0])

N = 5

@cuda.jit(void(int64[:]))
def other(a):
    a[0] = times(a[0])

x = np.array([3], np.int64)
scale[1, 1](x)
other[1, 1](x)
print(x[0])
"""


def emit(tmp_path, stage, program=PROGRAM):
    """What a program prints, and what `--emit` writes of it."""
    path = tmp_path / "program.py"
    path.write_text(program)
    output = tmp_path / "output"
    result = subprocess.run(
        [sys.executable, "-m", "pyk", f"--emit={stage}", "-o", output, path],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ,
    )
    return result.stdout, output.read_text()


@pytest.mark.parametrize(
    ("stage", "pattern"),
    [
        ("py", r"py\.func @\S+ kernel "),
        ("pyk", r"attributes \{kernel"),
        ("gpu", r"gpu\.func @\w+"),
        ("nvvm", "nvvm.kernel"),
        ("llvm", "define ptx_kernel void"),
        ("ptx", r"\.visible \.entry (\w+)\("),
    ],
)
def test_kernels_of_a_program_are_one_module(tmp_path, stage, pattern):
    printed, text = emit(tmp_path, stage)
    assert printed == "30\n"
    # One for each signature.
    assert len(re.findall(pattern, text)) == 3
    if stage == "ptx":
        assert text.count(".version") == 1
        assert re.findall(pattern, text) == ["other", "scale", "scale_0"]


def test_other_options_are_another_module(tmp_path):
    program = PROGRAM.replace("void(int64[:]))", "void(int64[:]), debug=True)")
    _, text = emit(tmp_path, "ptx", program)
    assert text.count(".version") == 2
    assert text.count(".entry") == 3


def merged(*kernels):
    """The buffer of kernels, each with the types of its arguments."""
    first, *others = [
        json.loads(build(kernel, types)) for kernel, *types in kernels
    ]
    for other in others:
        _modules.merge(first, other)
    return first


@cuda.jit(device=True)
def helper(x):
    return x + 1


@cuda.jit
def one(a):
    a[0] = helper(a[0])


@cuda.jit
def two(a, b):
    a[0] = helper(b)
    one(a)


ARRAY = "!pyk.array<?xsi64, c>"


def test_equal_functions_are_there_once():
    unit = merged((one, ARRAY), (one, "!pyk.array<?xf32, c>"), (one, ARRAY))
    assert list(unit["functions"]) == ["one", "helper"]
    assert [entry["function"] for entry in unit["entries"]] == ["one", "one"]
    module = _core.compile(source=encode(unit), target="cuda")
    assert module.kernels == ["one", "one_0"]


# A kernel that another one calls is a device function there.
def test_called_kernel_is_another_function():
    unit = merged((one, ARRAY), (two, ARRAY, "si64"))
    assert list(unit["functions"]) == ["one", "helper", "two", "one.1"]
    module = _core.compile(source=encode(unit), target="cuda")
    assert module.kernels == ["one", "two"]


def test_kernel_to_load_is_named():
    unit = merged((one, ARRAY), (two, ARRAY, "si64"))
    module = _core.compile(source=encode(unit), target="cpu")
    device = _devices.current()._core
    assert module.load(device, kernel="two").info()["static_shared_bytes"] == 0
    with pytest.raises(ValueError, match="one kernel but got 'one', 'two'"):
        module.load(device)
    with pytest.raises(ValueError, match="a kernel 'six' but got 'one', 'two'"):
        module.load(device, kernel="six")


def test_each_kernel_runs_alone():
    a = np.array([1], np.int64)
    one[1, 1](a)
    two[1, 1](a, 5)
    assert a[0] == 7
