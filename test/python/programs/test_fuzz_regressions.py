# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What random programs and damaged inputs have found, made small."""

import math

import numpy as np
import pytest

from pyk import cuda
from pyk.cuda.errors import TypingError


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


def test_remainder_of_nan():
    """0 by an integer is no infinity, and the remainder no number."""

    @cuda.jit
    def k(a, out):
        i = cuda.grid(1)
        out[0, i] = (0.0 / a[i]) % 1
        out[1, i] = math.fmod(0.0 / a[i], 3.0)
        out[2, i] = (0.0 / a[i]) % a[i]

    a, out = np.array([0, 2, -2], np.int8), np.ones((3, 3))
    k[1, 3](a, out)
    assert np.isnan(out).T.tolist() == [3 * [True], 3 * [False], 3 * [False]]
    assert out[:, 1:].any() == False  # noqa: E712


def test_parts_of_a_position():
    @cuda.jit
    def k(out):
        out[0] = cuda.gridDim.x.real + 10 * cuda.threadIdx.y.conjugate()
        out[1] = cuda.blockDim.z.imag

    out = np.ones(2)
    k[3, (1, 2)](out)
    assert out.tolist() in ([3, 0], [13, 0])


def test_method_of_a_number_that_grows():
    """The variable is an int8 in the first iteration, then an int64."""

    @cuda.jit
    def k(a, out):
        s = a[0]
        for _ in range(3):
            s = s.conjugate() + 100
        out[0] = s

    out = np.zeros(1)
    k[1, 1](np.array([7], np.int8), out)
    assert out[0] == 307


def test_local_array_of_two_dimensions_in_place():
    @cuda.jit
    def k(a, out):
        local = cuda.local.array((2, 3), np.int32)
        local[:] = 5
        local[:] += 2
        local[1, 1:] *= a[:2]
        local[:] -= a
        out[:] = local

    out = np.zeros((2, 3))
    k[1, 1](np.array([1, 2, 3]), out)
    assert out.tolist() == [[6, 5, 4], [6, 5, 11]]


def test_part_of_a_local_array_that_is_returned():
    @cuda.jit(device=True)
    def part(x, row):
        if row > 0:
            return x[row]
        return x[0, :]

    @cuda.jit(device=True)
    def half(x):
        return x.T[1][:1]

    @cuda.jit
    def k(out):
        local = cuda.local.array((2, 3), np.int64)
        for i in range(6):
            local[i // 3, i % 3] = i
        out[0] = half(local)[0]
        part(local, 1)[2] = 10
        out[1] = local[1, 2]

    out = np.zeros(2)
    k[1, 1](out)
    assert out.tolist() == [1, 10]


def test_loop_until_a_reduction_of_what_it_sets():
    """The library's functions read the array, not the one that it calls."""

    @cuda.jit
    def k(a, out):
        turns = 0
        while np.all(a):
            a[1] = 0
            turns += 1
        while a[:2].sum() < 10:
            a[0] += 3
            turns += 10
        if np.min(a):
            turns = -1
        out[0] = turns

    a, out = np.ones(3), np.zeros(1)
    k[1, 1](a, out)
    assert a.tolist() == [10, 0, 1]
    assert out[0] == 31


def test_integer_of_no_type_is_assigned():
    """Nothing reads the variable, and still it is said of the integer."""

    @cuda.jit
    def k(out):
        large = 2**70  # noqa: F841
        out[0] = 1

    with pytest.raises(
        TypingError, match="this is of type int of more than 64 bits"
    ):
        k[1, 1](np.zeros(1))
