# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What random programs and damaged inputs have found, made small."""

import math

import numpy as np

from pyk import cuda


def test_angle_of_two_constant_zeros():
    """It is that of C and Python, and no NaN, for each pair of signs."""

    @cuda.jit
    def k(out):
        out[0] = math.atan2(0.0, 0.0)
        out[1] = math.atan2(-0.0, 0.0)
        out[2] = math.atan2(0.0, -0.0)
        out[3] = math.atan2(-0.0, -0.0)

    out = np.zeros(4)
    k[1, 1](out)
    assert out.tolist() == [0.0, -0.0, math.pi, -math.pi]
    assert np.signbit(out).tolist() == [False, True, False, True]
