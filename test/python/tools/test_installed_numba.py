# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyK under the name of Numba where a Numba is installed, a small stand-in.

test/beside_numba has the true one.
"""

import pytest

#: A Numba that is installed: what a compiler imports when it is first used.
NUMBA = {
    "__init__.py": """
from numba.core import dispatcher, types
from numba import core

only_theirs = "of Numba"

def jit(*args, **options):
    print("compiles", args, options)
    return dispatcher.Dispatcher

njit = jit
""",
    "core/__init__.py": "",
    "core/config.py": "own = True\nOPT = 2",
    "core/errors.py": """
class NumbaError(Exception):
    def __init__(self, msg, loc=None):
        self.loc = loc
        super().__init__(msg)

class TypingError(NumbaError):
    pass

class NumbaTypeError(TypingError):
    pass

class OnlyTheirs(NumbaError):
    pass
""",
    "core/types.py": """
class Type(str):
    def __call__(self, *args):
        return (str(self), *map(str, args[:1]), *args[1:])

float64, int32 = Type("float64"), Type("int32")
Array = Tuple = Optional = lambda *args: args
list_type = "a list"
""",
    "core/dispatcher.py": """
class Dispatcher:
    signatures = ["own"]

    def __init__(self, function):
        self.function = function

    def __call__(self, *args):
        # As Numba does.
        from numba.core.config import own
        from .errors import NumbaTypeError
        import numba.types
        if not args[0]:
            raise NumbaTypeError("of Numba")
        return self.function(*args), own, numba.types.list_type
""",
}


@pytest.fixture
def stand_in(tmp_path):
    """Puts a Numba next to the program that is run."""
    for name, text in NUMBA.items():
        path = tmp_path / "numba" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)


def test_host_function_with_numba(printed, stand_in):
    assert (
        printed("""
import sys
import pyk
pyk.install_as_numba()
import numba
from numba import cuda, float64, int32, jit, njit, types
import numpy as np

@njit(float64(int32, float64[::1]), fastmath=True)
def twice(x, a):
    return 2 * x

# It is loaded when it is needed.
assert "numba.core.dispatcher" not in sys.modules
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
print(a[0], list(prange(2)))
""")
        == """\
compiles (('float64', 'int32', ('float64', 1, 'C')),) {'fastmath': True}
(6, True, 'a list') ['own']
PyK in the place of Numba.
6.0 [0, 1]
"""
    )


def test_names_that_only_numba_has(printed, stand_in):
    assert (
        printed("""
import pyk
pyk.install_as_numba()
import numba
numba.config.OPT = 7
from numba.core import dispatcher, errors
from numba.core.dispatcher import Dispatcher
import numba.core.dispatcher as again
print(numba.only_theirs, numba.types.list_type, errors.OnlyTheirs.__name__)
assert dispatcher is again and again.Dispatcher is Dispatcher
assert numba.core.dispatcher is again
assert dispatcher.__name__ == dispatcher.__spec__.name
from pyk._numba import _genuine
print(_genuine.load("numba.core.config").OPT)
numba.config.OPT = 1
print(_genuine.load("numba.core.config").OPT)
for name in ("numba.nothing", "numba.core.nothing", "numba.types.nothing"):
    try:
        exec(f"import {name}")
    except ModuleNotFoundError as error:
        print(error)
print(hasattr(numba, "nothing"), hasattr(numba.types, "nothing"))
""")
        == """\
of Numba a list OnlyTheirs
7
1
PyK, in the place of numba, has no module 'numba.nothing'
PyK, in the place of numba, has no module 'numba.core.nothing'
PyK, in the place of numba, has no module 'numba.types.nothing'
False False
"""
    )


def test_errors_of_both(printed, stand_in):
    assert (
        printed("""
import pickle
import pyk
pyk.install_as_numba()
from numba import cuda, njit
from numba.core import errors
from numba.core.errors import NumbaError, TypingError

@njit
def f(x):
    return x

@cuda.jit
def k(a):
    a.nothing = 1

def launch():
    import numpy as np
    k[1, 1](np.zeros(1))

for fail in (lambda: f(0), launch):
    try:
        fail()
    except TypingError as error:
        assert isinstance(error, NumbaError)
        print(type(error).__module__, type(error).__name__)
try:
    f(0)
except errors.NumbaTypeError as error:
    copy = pickle.loads(pickle.dumps(error))
    print(type(copy) is type(error), copy, copy.loc)
""")
        == """\
compiles () {}
numba.core.errors NumbaTypeError
pyk.cuda.errors TypingError
True of Numba None
"""
    )


def test_threads_that_load_numba(printed, stand_in):
    assert (
        printed("""
import sys, threading
import pyk
pyk.install_as_numba()
sys.setswitchinterval(1e-5)
from numba import cuda, njit

functions = [njit(lambda x: x + 1) for _ in range(8)]
found = []
stop = False

def call(function):
    found.append(function(1))

def look():
    while not stop:
        import numba.core.types
        from numba import types
        assert numba.cuda is cuda and types is pyk.types
        from numba.core.dispatcher import Dispatcher

threads = [threading.Thread(target=call, args=[f]) for f in functions]
watcher = threading.Thread(target=look)
watcher.start()
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
stop = True
watcher.join()
print(len(found), set(found))
""").splitlines()[-1]
        == "8 {(2, True, 'a list')}"
    )
