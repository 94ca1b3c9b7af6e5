# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of Python and NumPy, written in the language of kernels.

Each is compiled with the kernel that uses it, for the types that it is called
with, as a device function of a program is. Names are canonical: `numpy.sum`,
`builtins.divmod`, and `ndarray.sum` for a method of arrays.
"""

from pyk._library import (
    _arrays,
    _bits,
    _choices,
    _float8,
    _foreign,
    _iteration,
    _limits,
    _nan,
    _numbers,
    _operators,
    _search,
    _short_floats,
    _ufuncs,
    _warps,
)
from pyk._library._registry import FUNCTIONS, METHODS

__all__ = [
    "FUNCTIONS",
    "METHODS",
    "_arrays",
    "_bits",
    "_choices",
    "_float8",
    "_foreign",
    "_iteration",
    "_limits",
    "_nan",
    "_numbers",
    "_operators",
    "_search",
    "_short_floats",
    "_ufuncs",
    "_warps",
]
