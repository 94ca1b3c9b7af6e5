# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Floats of 8 bits: types, and conversions to their bits, for kernels.

The names are those of `numba.cuda._internal.cuda_fp8`.

>>> import numpy as np
>>> from pyk import cuda
>>> from pyk.cuda import fp8
>>> @cuda.jit
... def k(out):
...     out[0] = fp8.fp8_e4m3(3.3)
...     out[1] = fp8.cvt_float_to_fp8(
...         1e9, fp8.saturation_t.NOSAT, fp8.fp8_interpretation_t.E5M2
...     )
>>> out = np.zeros(2)
>>> k[1, 1](out)
>>> out
array([  3.25, 124.  ])
"""

from enum import IntEnum

from pyk._intrinsic import Intrinsic
from pyk.types import fp8_e4m3, fp8_e5m2, fp8_e8m0


class saturation_t(IntEnum):
    """What a number becomes that is too large."""

    #: Infinity, or not a number where there is none.
    NOSAT = 0
    #: The largest number.
    SATFINITE = 1


class fp8_interpretation_t(IntEnum):
    """How the 8 bits are divided."""

    E4M3 = 0
    E5M2 = 1


class round_t(IntEnum):
    """How an exponent is rounded: two of CUDA's `cudaRoundMode`."""

    ZERO = 1
    POS_INF = 2


_NAMES = (
    *("cvt_float_to_fp8", "cvt_double_to_fp8", "cvt_bfloat16raw_to_fp8"),
    *("cvt_float_to_e8m0", "cvt_double_to_e8m0", "cvt_bfloat16raw_to_e8m0"),
    "cvt_e8m0_to_bf16raw",
)

globals().update({name: Intrinsic(f"cuda.fp8.{name}") for name in _NAMES})

__all__ = [
    "fp8_e4m3",
    "fp8_e5m2",
    "fp8_e8m0",
    "fp8_interpretation_t",
    "round_t",
    "saturation_t",
    *_NAMES,
]
