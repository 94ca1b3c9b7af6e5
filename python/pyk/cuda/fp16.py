# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The names of `numba.cuda.fp16`: functions of float16 numbers, for kernels.

Functions have two names, `hadd` and CUDA C++'s `__hadd`.

>>> import numpy as np
>>> from pyk import cuda
>>> from pyk.cuda import fp16
>>> @cuda.jit
... def k(out):
...     out[0] = fp16.hfma(1.5, 2, 0.25)
>>> out = np.zeros(1, dtype=np.float16)
>>> k[1, 1](out)
>>> out
array([3.25], dtype=float16)
"""

from pyk._intrinsic import Intrinsic
from pyk.cuda.bf16 import FUNCTIONS, MODES
from pyk.types import float16

_INTEGERS = ("short", "ushort", "int", "uint", "ll", "ull")

_NAMES = (
    *FUNCTIONS,
    *(f"__{name}" for name in FUNCTIONS),
    # Conversions.
    *("__float2half", "__double2half", "__half2float"),
    *(f"__float2half_{mode}" for mode in MODES),
    *(f"__{kind}2half_{mode}" for kind in _INTEGERS for mode in MODES),
    *(f"__half2{kind}_{mode}" for kind in _INTEGERS for mode in MODES),
    *("__half2char_rz", "__half2uchar_rz"),
    # Bits.
    *("__half_as_short", "__half_as_ushort"),
    *("__short_as_half", "__ushort_as_half"),
)

globals().update({name: Intrinsic(f"cuda.fp16.{name}") for name in _NAMES})

#: CUDA C++'s name of the type.
__half = float16

__all__ = ["__half", *_NAMES]
