# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A folder of sys.path in which `numba` is PyK, for processes that are started.

`multiprocessing` hands sys.path on to the processes that it starts, and what
uses it as well. They import the program before anything of PyK's runs there.
"""

from __future__ import annotations

import os
import sys

#: Holds a package `numba`, which makes room for PyK.
FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "_on_path")


def put_alias_on_path() -> None:
    """Makes `numba` mean PyK in processes that are started from now on."""
    if FOLDER not in sys.path:
        # Behind the folder of the program, which is expected to be the first.
        sys.path.insert(1, FOLDER)
