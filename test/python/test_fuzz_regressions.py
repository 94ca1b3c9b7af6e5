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


def test_slice_whose_numbers_are_all_one():
    """One value is the first, the count and the step of the slice."""

    @cuda.jit
    def k(out):
        local = cuda.local.array((2, 1), np.int64)
        for i in range(2):
            local[i, 0] = 7 + i
        out[0] = local[1:3:1, 0][0]

    out = np.zeros(1)
    k[1, 1](out)
    assert out[0] == 8
