# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyK under the name of Numba, each time in a fresh process."""

import subprocess
import sys

import pytest


@pytest.fixture
def run(tmp_path):
    """Gives the standard output of a program, which has to succeed."""

    def run(program):
        path = tmp_path / "program.py"
        path.write_text(program)
        result = subprocess.run(
            [sys.executable, path], capture_output=True, text=True, check=False
        )
        assert result.returncode == 0, result.stderr
        return result.stdout

    return run


def test_imports(run):
    assert (
        run("""
import pyk
pyk.install_as_numba()
pyk.install_as_numba()
import importlib.util
import numba
import numba as nb
import numba.cuda
import numba.cuda as d
import numba.cuda.random
import numba.types
from numba import cuda, float32, int32, jit, njit, prange, types, config
from numba.core import errors
from numba.core.errors import NumbaPerformanceWarning, TypingError
from numba.cuda import grid, float64
from numba.cuda.cudadrv.devicearray import DeviceNDArray, is_cuda_ndarray
from numba.cuda.cudadrv.devices import get_context
assert numba.cuda is pyk.cuda is cuda is nb.cuda is d
assert numba.cuda.random is pyk.cuda.random
assert numba.types is types is pyk.types
assert errors is pyk.cuda.errors
assert issubclass(TypingError, pyk.CompileError)
assert isinstance(cuda.device_array(1), DeviceNDArray)
assert is_cuda_ndarray(cuda.to_device([1])) and not is_cuda_ndarray([1])
assert float32 == types.float32 == pyk.cuda.float32
assert pyk.cuda.double == pyk.cuda.f8 == types.float64
assert tuple(map(int, numba.__version__.split("."))) >= (0, 60)
assert not config.ENABLE_CUDASIM
assert importlib.util.find_spec("numba") is not None
print("done")
""")
        == "done\n"
    )


def test_host_function(run):
    assert (
        run("""
import json
import pyk
pyk.install_as_numba()
from numba import cuda, jit, njit
from pyk._frontend import build

@njit(fastmath=True)
def twice(x):
    return 2 * x

@jit
def thrice(x):
    return 3 * x

@cuda.jit
def k(a):
    a[0] = twice(1) + thrice(2)

assert (twice(4), thrice(4), twice.__name__) == (8, 12, "twice")
functions = json.loads(build(k, []))["functions"].values()
print(sorted(function["name"] for function in functions))
""")
        == "['k', 'thrice', 'twice']\n"
    )


def test_what_is_missing_is_an_error(run):
    assert (
        run("""
import pyk
pyk.install_as_numba()
try:
    from numba import vectorize
except ImportError as error:
    print(error)
""")
        == "cannot import name 'vectorize' from 'numba' (unknown location)\n"
    )


# What an installed numba-cuda does when Python starts.
REDIRECTOR = """
import importlib, sys
class Redirector:
    def find_spec(self, name, path, target=None):
        if "numba.cuda" in name:
            raise AttributeError("the redirector was asked for " + name)
sys.meta_path.insert(0, Redirector())
import pyk
pyk.install_as_numba()
"""


def test_modules_beside_an_installed_numba_cuda(run):
    assert (
        run(f"""{REDIRECTOR}
import numba.cuda.random
from numba.cuda.random import create_xoroshiro128p_states
random = pyk.cuda.random
assert create_xoroshiro128p_states is random.create_xoroshiro128p_states
for name in ("numba.cuda.streams", "numba.np", "numbat"):
    try:
        __import__(name)
    except ModuleNotFoundError as error:
        print(error, error.name)
""")
        == "PyK, in the place of numba, has no module 'numba.cuda.streams' "
        "numba.cuda.streams\n"
        "PyK, in the place of numba, has no module 'numba.np' numba.np\n"
        "No module named 'numbat' numbat\n"
    )


def test_real_numba_is_respected(run):
    assert (
        run("""
import sys, types
sys.modules["numba"] = numba = types.ModuleType("numba")
numba.__file__ = "/there/numba/__init__.py"
import pyk
try:
    pyk.install_as_numba()
except RuntimeError as error:
    print(error)
""")
        == "cannot install PyK as numba: the real numba is already imported "
        "from /there/numba/__init__.py\n"
    )
