# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The functions of `cuda.fp8`, which yield the bits of floats of 8 bits."""

# Kernels have no annotations.
# mypy: ignore-errors

from collections import namedtuple

from pyk._intrinsic import Intrinsic
from pyk._library._registry import helper, public
from pyk.types import float32, float64, uint8

#: CUDA's struct of the bits of a bfloat16.
bfloat16_raw = namedtuple("bfloat16_raw", ["x"])

# The values of enumerations of CUDA.
SATFINITE = 1
E5M2 = 1
ROUND_ZERO = 1

e5m2_saturated = Intrinsic("pyk.to_e5m2_nearest_saturate")
e5m2 = Intrinsic("pyk.to_e5m2_nearest_exceed")
e4m3_saturated = Intrinsic("pyk.to_e4m3_nearest_saturate")
e4m3 = Intrinsic("pyk.to_e4m3_nearest_exceed")
e8m0_up_saturated = Intrinsic("pyk.to_e8m0_up_saturate")
e8m0_up = Intrinsic("pyk.to_e8m0_up_exceed")
e8m0_saturated = Intrinsic("pyk.to_e8m0_towardzero_saturate")
e8m0 = Intrinsic("pyk.to_e8m0_towardzero_exceed")
from_e8m0 = Intrinsic("pyk.from_e8m0")
from_bits = Intrinsic("cuda.bf16.uint16_as_bfloat16")
to_bits = Intrinsic("cuda.bf16.bfloat16_as_uint16")
to_bfloat16 = Intrinsic("cuda.bf16.float32_to_bfloat16")


@helper
def to_fp8(x, saturate, kind):
    is_saturated = int(saturate) == SATFINITE
    if int(kind) == E5M2:
        return e5m2_saturated(x) if is_saturated else e5m2(x)
    return e4m3_saturated(x) if is_saturated else e4m3(x)


@helper
def to_e8m0(x, saturate, rounding):
    is_saturated = int(saturate) == SATFINITE
    if int(rounding) == ROUND_ZERO:
        return e8m0_saturated(x) if is_saturated else e8m0(x)
    return e8m0_up_saturated(x) if is_saturated else e8m0_up(x)


@helper
def from_raw(raw):
    # The fields of an argument are items.
    return float32(from_bits(raw[0]))


@public("cuda.fp8.cvt_float_to_fp8")
def cvt_float_to_fp8(x, saturate, kind):
    """The bits of a float32 as e5m2 or e4m3, a uint8."""
    return to_fp8(float32(x), saturate, kind)


@public("cuda.fp8.cvt_double_to_fp8")
def cvt_double_to_fp8(x, saturate, kind):
    """The bits of a float64 as e5m2 or e4m3, rounded once, a uint8."""
    return to_fp8(float64(x), saturate, kind)


@public("cuda.fp8.cvt_bfloat16raw_to_fp8")
def cvt_bfloat16raw_to_fp8(raw, saturate, kind):
    """The bits of a bfloat16, given by its own, as e5m2 or e4m3, a uint8."""
    return to_fp8(from_raw(raw), saturate, kind)


@public("cuda.fp8.cvt_float_to_e8m0")
def cvt_float_to_e8m0(x, saturate, rounding):
    """The exponent of a float32, rounded up or towards 0, a uint8."""
    return to_e8m0(float32(x), saturate, rounding)


@public("cuda.fp8.cvt_double_to_e8m0")
def cvt_double_to_e8m0(x, saturate, rounding):
    """The exponent of a float64, rounded up or towards 0, a uint8."""
    return to_e8m0(float64(x), saturate, rounding)


@public("cuda.fp8.cvt_bfloat16raw_to_e8m0")
def cvt_bfloat16raw_to_e8m0(raw, saturate, rounding):
    """The exponent of a bfloat16, given by its bits, a uint8."""
    return to_e8m0(from_raw(raw), saturate, rounding)


@public("cuda.fp8.cvt_e8m0_to_bf16raw")
def cvt_e8m0_to_bf16raw(x):
    """The power of two of a uint8, as the bits `x` of a bfloat16."""
    return bfloat16_raw(to_bits(to_bfloat16(from_e8m0(uint8(x)))))
