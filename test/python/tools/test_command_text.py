# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels of `python -c TEXT`, which stand in no file."""

import subprocess
import sys

TEXT = """
import sys
import numpy as np
from pyk import cuda

@cuda.jit
def double(a):
    i = cuda.grid(1)
    if i < a.size:
        a[i] *= 2

a = np.arange(3.0)
double[1, 32](a)
print(a, sys.argv[1:])
"""


def run(*arguments):
    return subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True
    )


# The text is that of the command line, whatever stands around it.
def test_kernel_in_the_text():
    done = run("-X", "utf8", "-c", TEXT, "-c", "x")
    assert (done.stdout, done.stderr) == ("[0. 2. 4.] ['-c', 'x']\n", "")


# Columns and lines of errors are those of the text.
def test_error_in_the_text():
    done = run("-c", TEXT.replace("*= 2", "= unknown"))
    assert "<string>:10:16: error: name 'unknown' is not defined" in done.stderr
    assert "            a[i] = unknown" in done.stderr
