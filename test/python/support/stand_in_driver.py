# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs on a stand-in for the GPU's driver.

Each runs in a process of its own, whose driver is test/lib/StandInDriver: it
keeps memory behind device addresses, checks handles, fails any call, and
executes the PTX of kernels.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from pyk import _core

PACKAGE = Path(_core.__file__).parent
#: In a build folder the package is python/pyk, in an installation
#: lib/python/pyk.
LIBRARY = next(
    file
    for folder in (PACKAGE.parents[1] / "lib", PACKAGE.parents[1])
    if (file := folder / "libpyk-standin-cuda.so").exists()
)

START = """
import atexit, ctypes, gc, os, sys
import numpy as np
from pyk import cuda
standin = ctypes.CDLL(os.environ["PYK_LIBCUDA"])
standin.standin_call.restype = ctypes.c_char_p
standin.standin_misuses.restype = ctypes.c_char_p

@atexit.register
def no_misuse():
    for misuse in standin.standin_misuses().decode().splitlines():
        # close() takes with it what is alive, and what could not be freed.
        if not misuse.startswith("a context was released with "):
            print(misuse, file=sys.stderr)

class Launch(ctypes.Structure):
    _fields_ = [("sizes", ctypes.c_uint32 * 7),
                ("arguments", ctypes.POINTER(ctypes.POINTER(ctypes.c_uint64)))]

standin.standin_memory.restype = ctypes.c_void_p
standin.standin_memory.argtypes = [ctypes.c_uint64]

def calls():
    found = []
    while (name := standin.standin_call(len(found))) is not None:
        found.append(name.decode())
    return found

@cuda.jit
def add(a, n):
    i = cuda.grid(1)
    if i < a.size:
        a[i] += n

@cuda.jit
def nothing():
    pass
"""


def run(program, settings="", **environment):
    """Runs `program` after START on the stand-in with these settings."""
    # The text of a kernel must lie in a file.
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.py"
        path.write_text(START + program)
        return subprocess.run(
            [sys.executable, path],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
            env={
                **os.environ,
                "PYK_TARGET": "cuda",
                "PYK_LIBCUDA": str(LIBRARY),
                "PYK_STANDIN": settings,
                **environment,
            },
        )


def output(program, settings="", **environment):
    """The lines that `program` prints; it must not fail."""
    result = run(program, settings, **environment)
    assert result.stderr == ""
    assert result.returncode == 0
    return result.stdout.splitlines()
