# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Processes that have hardly more memory than `import pyk` takes."""

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """\
import os, re, resource, sys
import numpy as np
from pyk import cuda
from pyk.cuda.cudadrv.error import CudaSupportError

@cuda.jit
def k(a):
    i = cuda.grid(1)
    if i < a.size:
        a[i] += 1

def size():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[0]) * resource.getpagesize()

def launch(room):
    # Its end is that of the child.
    limit = (size() + room, resource.RLIM_INFINITY)
    resource.setrlimit(resource.RLIMIT_AS, limit)
    a = np.zeros(1000)
    failed = False
    try:
        k[10, 100](a)
    except (MemoryError, CudaSupportError) as error:
        # With a little more, Python itself or the stack of another OS thread
        # may have no room.
        if str(error) and not re.search(
            "the compiler ran out of memory|the system refused worker thread",
            str(error),
        ):
            print(repr(error), file=sys.stderr, flush=True)
            os._exit(2)
        failed = True
        resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY,) * 2)
        k[10, 100](a)
    os._exit(REFUSED * failed if (a == 1).all() else 3)

# Not the status of a process that an exception ends.
REFUSED = 10
found = []
for room in range(1, 161, 4):
    child = os.fork()
    if child == 0:
        launch(room << 20)
    found.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
print(*found)
"""


@pytest.mark.on_the_cpu(reason="a driver needs address space, too")
def test_compiling_needs_memory(tmp_path: Path) -> None:
    """One error, after which the kernel compiles if there is more."""
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    done = subprocess.run(
        [sys.executable, str(path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = [int(word) for word in done.stdout.split()]
    assert set(found) == {10, 0}, (found, done.stderr)
    # What the context takes, and enough for all.
    assert found[:8] == [10] * 8
    assert found[-4:] == [0] * 4
