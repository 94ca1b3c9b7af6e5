# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The names of `numba.cuda.bf16`: functions of bfloat16 numbers, for kernels.

>>> import numpy as np
>>> from pyk import cuda
>>> from pyk.cuda import bf16
>>> @cuda.jit
... def k(out):
...     out[0] = bf16.hfma(bf16.bfloat16(1.5), 2, 0.25)
>>> out = np.zeros(1, dtype=np.float32)
>>> k[1, 1](out)
>>> out
array([3.25], dtype=float32)
"""

from pyk._intrinsic import Intrinsic
from pyk.types import bfloat16

#: How conversions are rounded.
MODES = ("rn", "rz", "rd", "ru")

_INTEGERS = ("int16", "uint16", "int32", "uint32", "int64", "uint64")

#: What `cuda.fp16` has, too.
FUNCTIONS = (
    *("htrunc", "hceil", "hfloor", "hrint", "hsqrt", "hrsqrt", "hrcp", "hlog"),
    *("hlog2", "hlog10", "hcos", "hsin", "htanh", "htanh_approx", "hexp"),
    *("hexp2", "hexp10", "hisnan", "hisinf"),
    # Arithmetic.
    *("habs", "hneg", "hadd", "hadd_rn", "hadd_sat", "hsub", "hsub_rn"),
    *("hsub_sat", "hmul", "hmul_rn", "hmul_sat", "hdiv", "hfma", "hfma_sat"),
    "hfma_relu",
    # Comparisons.
    *("heq", "hne", "hge", "hgt", "hle", "hlt"),
    *("hequ", "hneu", "hgeu", "hgtu", "hleu", "hltu"),
    *("hmax", "hmin", "hmax_nan", "hmin_nan"),
)

_NAMES = (
    *FUNCTIONS,
    # Conversions.
    *("float32_to_bfloat16", "float64_to_bfloat16", "bfloat16_to_float32"),
    *(f"float32_to_bfloat16_{mode}" for mode in MODES),
    *(f"{kind}_to_bfloat16_{mode}" for kind in _INTEGERS for mode in MODES),
    *(f"bfloat16_to_{kind}_{mode}" for kind in _INTEGERS for mode in MODES),
    *("bfloat16_to_int8_rz", "bfloat16_to_uint8_rz"),
    # Bits.
    *("bfloat16_as_int16", "bfloat16_as_uint16"),
    *("int16_as_bfloat16", "uint16_as_bfloat16"),
)

globals().update({name: Intrinsic(f"cuda.bf16.{name}") for name in _NAMES})

__all__ = ["bfloat16", *_NAMES]
