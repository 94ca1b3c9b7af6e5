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
from numba import guvectorize, vectorize
from numba.core import errors
from numba.core.errors import NumbaPerformanceWarning, TypingError
from numba.cuda import grid, float64
from numba.cuda.cudadrv.devicearray import DeviceNDArray, is_cuda_ndarray
from numba.cuda.cudadrv.devices import get_context
from numba.cuda.cudadrv.error import NvvmSupportError
assert numba.cuda is pyk.cuda is cuda is nb.cuda is d
assert numba.cuda.random is pyk.cuda.random
assert numba.types is types is pyk.types
assert vectorize is pyk.vectorize and guvectorize is pyk.guvectorize
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
from pyk._frontend._build import build

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
import numba
from numba import cuda
for program in (
    "from numba import stencil",
    "from numba import nonsense",
    "from numba.experimental import jitclass",
    "from numba.cuda import ffi",
    "import numba.cuda.ffi",
    "import numba.cuda.nonsense",
    "from numba.cuda import nonsense",
    "from numba.core import ir",
    "numba.stencil",
    "cuda.ffi",
    "cuda.inline_ptx",
    "cuda.nonsense",
):
    try:
        exec(program)
    except (ImportError, AttributeError) as error:
        print(type(error).__name__, error, sep=": ")
print(hasattr(numba, "stencil"), getattr(cuda, "ffi", None))
""")
        == """\
ImportError: 'numba.stencil' is not yet in PyK
ImportError: PyK, in the place of numba, has no 'numba.nonsense'
ModuleNotFoundError: 'numba.experimental' is not yet in PyK
ImportError: 'cuda.ffi' is not yet in PyK
ModuleNotFoundError: 'cuda.ffi' is not yet in PyK
ModuleNotFoundError: PyK, in the place of numba, has no module \
'numba.cuda.nonsense'
ImportError: PyK, in the place of numba, has no 'numba.cuda.nonsense'
ImportError: PyK, in the place of numba, has no 'numba.core.ir'
AttributeError: 'numba.stencil' is not yet in PyK
AttributeError: 'cuda.ffi' is not yet in PyK
AttributeError: 'cuda.inline_ptx' is not in PyK (declare a function of PTX \
with cuda.declare_device(..., link=[...]), and with cpu= what the CPU runs \
instead)
AttributeError: PyK, in the place of numba, has no 'numba.cuda.nonsense'
False None
"""
    )


def test_names_that_programs_import(run):
    assert (
        run("""
import pyk
pyk.install_as_numba()
import numba
import numpy as np
from numba import config, cuda, literal_unroll, njit, pndindex, typeof
from numba.core import types
from numba.core.types import Array, Float, Integer
from numba.cuda.compiler import compile_ptx
from numba.cuda.dispatcher import CUDADispatcher
from numba.extending import models, overload, register_jitable, typeof_impl

config.DISABLE_PERFORMANCE_WARNINGS = 1
assert not config.CUDA_NRT_STATS and not config.CUDA_ENABLE_NRT
assert numba.config.NUMBA_NUM_THREADS >= 1 and numba.config.OPT == 3
assert compile_ptx is cuda.compile_ptx
assert list(pndindex(1, 2)) == [(0, 0), (0, 1)]
assert isinstance(types.float32, Float) and isinstance(types.int8, Integer)
assert (types.uint16.bitwidth, types.uint16.signed) == (16, False)
assert isinstance(typeof(np.zeros((2, 3))), Array)
assert typeof(cuda.to_device([1, 2])) == types.int64[::1]
for value in ("text", [1]):
    try:
        typeof(value)
    except (NotImplementedError, ValueError) as error:
        print(str(error).partition(":")[0])
for extend in (
    lambda: overload(len)(len),
    lambda: typeof_impl.register(int),
    lambda: models.StructModel,
):
    try:
        extend()
    except NotImplementedError as error:
        print(str(error).partition(",")[0])

@register_jitable
def twice(x):
    return 2 * x

@register_jitable(inline="always")
def total(items):
    result = 0
    for item in literal_unroll(items):
        result += item
    return result

@cuda.jit
def k(a):
    a[0] = twice(total((1, 2, 3)))

assert isinstance(k, CUDADispatcher)
a = np.zeros(1)
k[1, 1](a)
print(a[0], twice(4))
""")
        == """\
Cannot determine PyK type of argument 'value' of <class 'str'>
Cannot determine PyK type of argument 'value' of <class 'list'>
numba.extending.overload extends Numba's compiler
numba.extending.typeof_impl extends Numba's compiler
numba.extending.models extends Numba's compiler
12.0 8
"""
    )


def test_host_function_without_numba(run):
    assert (
        run("""
import pickle, sys, warnings
import pyk
pyk.install_as_numba()
from numba import cuda, jit, njit, prange
# No finder finds one.
sys.path[:] = []

@njit
def twice(x):
    return 2 * x

@jit(nopython=True)
def total(n):
    result = 0
    for i in prange(n):
        result += twice(i)
    return result

with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    print(total(4), twice(1), hasattr(twice, "signatures"))
    print(pickle.loads(pickle.dumps(total))(5))
for warning in caught:
    print(warning.category.__name__, warning.lineno, warning.message)
""")
        == "12 2 False\n20\nNumbaPerformanceWarning 22 'total' of numba.jit "
        "runs on the host as plain Python, which is slow: Numba is not "
        "installed\n"
    )


#: What PyK needs of the Numba that is installed.
NUMBA = {
    "__init__.py": """
import functools
from numba.core import dispatcher
from numba import types

prange = type("prange", (), {"__module__": "numba.misc.special"})
prange.__new__ = lambda cls, *bounds: range(*bounds)
from_dtype = lambda dtype: Type(dtype.name)

class Type(str):
    def __call__(self, *args):
        return (str(self), *map(str, args[:1]), *args[1:])

def jit(*args, **options):
    print("compiles", args, options)
    return dispatcher.Dispatcher

njit = jit
""",
    "types.py": """
none = "none"
Array = Tuple = Optional = lambda *args: args
NumberClass = Dispatcher = repr
""",
    "extending.py": """
import functools
from numba import types

typeof_impl = functools.singledispatch(lambda value, context: None)
""",
    "core/__init__.py": "",
    "core/config.py": "own = True",
    "core/dispatcher.py": """
class Dispatcher:
    signatures = ["own"]

    def __init__(self, function):
        self.function = function

    def _compile_for_args(self, *args):
        # As Numba does.
        from numba.core.config import own
        import numba.types
        return self.function(*args), own, numba.types.none

    def __call__(self, *args):
        return self._compile_for_args(*args)
""",
}


def test_host_function_with_numba(run, tmp_path):
    for name, text in NUMBA.items():
        path = tmp_path / "numba" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    assert (
        run("""
import sys
import pyk
pyk.install_as_numba()
import numba
from numba import cuda, float64, int32, jit, njit, types
import numpy as np

@njit(float64(int32, float64[::1]), fastmath=True)
def twice(x, a):
    return 2 * x

assert "numba.extending" not in sys.modules or numba.extending.overload
print(twice(3, 0), twice.signatures)
# What the names mean is as before.
import numba.core.config, numba.core.types
assert numba.core.types is types is pyk.types and numba.cuda is pyk.cuda
assert numba.core.config.ENABLE_CUDASIM == 0
print(numba.__doc__)

from numba import prange

@cuda.jit
def k(a):
    for i in prange(3):
        a[0] += twice(i, a)

a = np.zeros(1)
k[1, 1](a)
print(a[0], list(prange(2)), prange)
""")
        == """\
compiles (('float64', 'int32', ('float64', 1, 'C')),) {'fastmath': True}
(6, True, 'none') ['own']
PyK in the place of Numba.
6.0 [0, 1] <class 'numba.misc.special.prange'>
"""
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
