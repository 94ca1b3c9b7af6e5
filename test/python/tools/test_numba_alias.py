# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyK under the name of Numba, each time in a fresh process."""


def test_imports(printed):
    assert (
        printed("""
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
assert vectorize is pyk.vectorize
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


def test_host_function(printed):
    assert (
        printed("""
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


def test_what_is_missing_is_an_error(printed):
    assert (
        printed("""
import pyk
pyk.install_as_numba()
import numba
from numba import cuda
for program in (
    "from numba import stencil",
    "from numba import nonsense",
    "import numba.stencils",
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
ImportError: 'numba.stencil' is for functions on the host, which PyK leaves \
to Numba; install it by 'pip install numba'
ImportError: PyK, in the place of numba, has no 'numba.nonsense'
ModuleNotFoundError: PyK, in the place of numba, has no module \
'numba.stencils'
ImportError: 'cuda.ffi' is not yet in PyK
ModuleNotFoundError: 'cuda.ffi' is not yet in PyK
ModuleNotFoundError: PyK, in the place of numba, has no module \
'numba.cuda.nonsense'
ImportError: PyK, in the place of numba, has no 'numba.cuda.nonsense'
ImportError: PyK, in the place of numba, has no 'numba.core.ir'
AttributeError: 'numba.stencil' is for functions on the host, which PyK leaves \
to Numba; install it by 'pip install numba'
AttributeError: 'cuda.ffi' is not yet in PyK
AttributeError: 'cuda.inline_ptx' is not in PyK (declare a function of PTX \
with cuda.declare_device(..., link=[...]), and with cpu= what the CPU runs \
instead)
AttributeError: PyK, in the place of numba, has no 'numba.cuda.nonsense'
False None
"""
    )


def test_names_that_programs_import(printed):
    assert (
        printed("""
import pyk
pyk.install_as_numba()
import numba
import numpy as np
from numba import config, cuda, literal_unroll, njit, pndindex, typeof
from numba.core import types
from numba.core.types import Array, Float, Integer
from numba.cuda.compiler import compile_ptx
from numba.cuda.dispatcher import CUDADispatcher
from numba.cuda.misc import special
from numba.extending import models, overload, register_jitable, typeof_impl

config.DISABLE_PERFORMANCE_WARNINGS = 1
assert not config.CUDA_NRT_STATS and not config.CUDA_ENABLE_NRT
assert numba.config.NUMBA_NUM_THREADS >= 1 and numba.config.OPT == 3
assert compile_ptx is cuda.compile_ptx
assert special.literal_unroll is cuda.literal_unroll is literal_unroll
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


def test_host_function_without_numba(printed):
    assert (
        printed("""
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


def test_host_without_numba(printed, tmp_path):
    found = printed("""
import sys, warnings
import pyk
pyk.install_as_numba()
# No finder finds one.
sys.path[:] = []
import numba
import numpy as np
from numba import guvectorize, njit, objmode
from numba.experimental import jitclass
from numba.typed import Dict, List

with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")

    @jitclass([("x", numba.float64)])
    class Point:
        def __init__(self, x):
            self.x = x

    @jitclass
    class Empty:
        pass

    numbers = List([1, 2])
    numbers.append(Point(3).x)
    names = Dict.empty(numba.types.int64, numba.float64)
    names["a"] = List.empty_list(numba.int64)
    print(numbers, names, numba.get_num_threads())

    @njit
    def f(x):
        with objmode(y="f8"):
            y = 2 * x
        return y

    print(f(4))

    @guvectorize(["(f8[:], f8[:], f8[:])"], "(n),()->(n)")
    def sorted_by(x, by, out):
        out[:] = np.sort(x) * by[0]

    @guvectorize("(n)->()")
    def greatest(x, out):
        out[0] = max([*x])

    rows = np.array([[3.0, 1, 2], [4, 6, 5]])
    print(sorted_by(rows, [1, 10]).tolist())
    out = np.zeros(2)
    print(greatest(rows, out), out)
    numba.set_num_threads(1)
    numba.set_num_threads(2)
for warning in caught:
    print(warning.category.__name__, warning.lineno, warning.message)
for name in ("cfunc", "stencil", "threading_layer"):
    print(hasattr(numba, name))
try:
    f.inspect_types()
except AttributeError as error:
    print(error)
""")
    assert (
        found.replace(str(tmp_path / "program.py"), "PROGRAM")
        == """\
[1, 2, 3] {'a': []} 1
8
[[1.0, 2.0, 3.0], [40.0, 50.0, 60.0]]
[3. 6.] [3. 6.]
NumbaPerformanceWarning 16 class 'Point' of numba.experimental.jitclass is \
plain Python, which is slow: Numba is not installed
NumbaPerformanceWarning 25 containers of numba.typed are those of Python, \
which are slow: Numba is not installed
NumbaPerformanceWarning 37 'f' of numba.njit runs on the host as plain \
Python, which is slow: Numba is not installed
NumbaPerformanceWarning 39 'sorted_by' of numba.guvectorize runs on the host \
as plain Python, which is slow, as it cannot be a kernel (PROGRAM:41:18: \
error: 'numpy.sort' cannot be used in a kernel): Numba is not installed
NumbaPerformanceWarning 43 'greatest' of numba.guvectorize runs on the host as \
plain Python, which is slow, as it cannot be a kernel (PROGRAM:45:22: error: a \
list cannot be used in a kernel): Numba is not installed
NumbaWarning 52 set_num_threads(2) has no effect, functions of the host run as \
plain Python in one thread: Numba is not installed
False
False
False
'HostDispatcher.inspect_types' is for functions on the host, which PyK leaves \
to Numba; install it by 'pip install numba'
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


def test_modules_beside_an_installed_numba_cuda(printed):
    assert (
        printed(f"""{REDIRECTOR}
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


def test_real_numba_is_respected(printed):
    assert (
        printed("""
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
