# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the extension reads of the arguments of kernels that exist."""

import enum
import sys
from collections import namedtuple

import numpy as np
import pytest

from pyk import _core, cuda
from pyk._argument_types import type_of
from support.short_floats import BFLOAT16

EXTREMES = [
    *(True, False, 0, -1, 2**63 - 1, -(2**63), 2**63, 2**64 - 1),
    *(-0.0, 1.5, float("inf"), sys.float_info.min, 5e-324),
    *(2 - 3j, complex(-0.0, -0.0), complex(float("nan"), float("inf"))),
    *(np.bool_(True), np.bool_(False)),
    *(
        dtype.type(value)
        for dtype in map(np.dtype, "bhilqBHILQ")
        for value in (np.iinfo(dtype).min, np.iinfo(dtype).max)
    ),
    *(
        dtype.type(value)
        for dtype in map(np.dtype, "efd")
        for value in (np.finfo(dtype).max, -np.finfo(dtype).smallest_subnormal)
    ),
    *(np.complex64(-1.25 + 3j), np.complex128(1 / 3 - 2j)),
    *(dtype(value) for dtype in BFLOAT16 for value in (-1.5, 3e38)),
    *(np.datetime64(-5, "s"), np.timedelta64(2**62, "ns")),
    *(np.datetime64("NaT", "D"), np.timedelta64(-1)),
]


@pytest.mark.parametrize("value", EXTREMES, ids=repr)
def test_numbers_arrive_as_they_are(value):
    @cuda.jit
    def k(out, x):
        out[0] = x

    dtype = np.asarray(value).dtype
    for _ in range(3):
        out = np.zeros(1, dtype)
        k[1, 1](out, value)
        assert out.tobytes() == np.array([value], dtype).tobytes()
    assert k._count() == 1


Pair = namedtuple("Pair", "left right")
Other = namedtuple("Other", "right left")
Small = enum.Enum("Small", {"ONE": 1, "HALF": 0.5, "TWO": (1, 2)})


def of_other_types():
    """Values of types that only codes of more than kind and width tell."""
    number = np.dtype([("x", "f4"), ("n", "i4")])
    wide = np.dtype([("x", "f4"), ("n", "i8")])
    renamed = np.dtype([("y", "f4"), ("n", "i4")])
    memory = np.zeros(200, np.int8)
    start = -memory.ctypes.data % 16
    arrays = []
    for dtype in (number, wide, renamed, np.dtype("S4"), np.dtype("U1")):
        matrix = np.zeros((3, 4), dtype)
        frozen = matrix.copy()
        frozen.flags.writeable = False
        arrays += [matrix, matrix.T, matrix[:, ::2], matrix[0], frozen]
        arrays += [frozen.T, frozen[:, ::2], matrix.reshape(3, 2, 2)]
        arrays += [
            memory[start + offset :][: 3 * dtype.itemsize].view(dtype)
            for offset in (1, 2, 4, 8)
        ]
    arrays += [np.zeros(3, f"{kind}8[{u}]") for kind in "mM" for u in "smhD"]
    arrays += [np.zeros(3, dtype) for dtype in ("m8", *BFLOAT16)]
    scalars = [array[1] for array in (np.zeros(3, number), np.zeros(3, wide))]
    scalars += [frozen.view(np.int32).view(number)[0, 0]]
    scalars += [np.timedelta64(1, u) for u in "smhD"]
    scalars += [np.datetime64(1, u) for u in "smhD"]
    scalars += [dtype(1) for dtype in (*BFLOAT16, np.float16)]
    scalars += [1j, np.complex64(1)]
    tuples = [(), (1,), (1, 2), ((1,), 2), ((1, 2),), (1, (2,)), (1, (2,), ())]
    tuples += [Pair(1, 2), Other(1, 2), Pair(1, 2.5), (Pair(1, 2), 3)]
    return arrays + scalars + tuples + list(Small)


@pytest.mark.parametrize("is_variadic", [False, True])
def test_types_are_told_apart_as_the_compiler_does(compiled, is_variadic):
    @cuda.jit
    def plain(value):
        pass

    @cuda.jit
    def variadic(*values):
        pass

    kernel = variadic if is_variadic else plain
    values = of_other_types()
    for value in values:
        kernel[1, 1](value)
    expected = dict.fromkeys(type_of(value, "value") for value in values)
    if is_variadic:
        expected = dict.fromkeys(f"tuple<{own}>" for own in expected)
    assert compiled == [(own,) for own in expected]
    # And the second time without compilation.
    for value in values:
        kernel[1, 1](value)
    assert len(compiled) == len(expected)


def test_dtypes_of_device_arrays_are_told_apart(compiled):
    """By units of times, too."""

    @cuda.jit
    def kernel(value):
        pass

    dtypes = [f"{kind}8[{unit}]" for kind in "mM" for unit in "smhD"]
    dtypes += ["m8", "f4,i4", "f4,i8", *"?bhilBHILefdFD", *BFLOAT16]
    arrays = [cuda.to_device(np.zeros(3, dtype)) for dtype in dtypes]
    for array in arrays:
        kernel[1, 1](array)
    assert len({*compiled}) == len(compiled) == len(arrays)
    for array in arrays:
        kernel[1, 1](array)
    assert len(compiled) == len(arrays)


def test_arguments_by_name_are_refused_by_kernels_that_exist():
    @cuda.jit
    def k(out, *numbers):
        out[0] += 1

    out = np.zeros(1)
    k[1, 1](out)
    k[1, 1](out)
    with pytest.raises(TypeError, match="positional arguments only but got"):
        k[1, 1](out, number=3)
    assert out[0] == 2
    k[1, 1](out, **{})
    assert out[0] == 3


def test_an_argument_that_cannot_be_leaves_no_exception():
    @cuda.jit
    def k(out, value):
        out[0] = 1

    out = np.zeros(1)
    k[1, 1](out, 1)
    for wrong in (2**64, -(2**63) - 1, np.zeros(1, "V4")[0], np.zeros(1, "O")):
        with pytest.raises(ValueError, match=r"'value\[1\]'") as caught:
            k[1, 1](out, (1, wrong))
        assert caught.value.__context__ is None
    k[1, 1](out, 1)


def test_the_most_of_a_configuration():
    @cuda.jit
    def k():
        pass

    most = 2**31 - 1
    for shape in ((most, 1, 1), (1, most, 1), (1, 1, most)):
        assert k[shape, 1].griddim == shape
        assert k[1, shape].blockdim == shape
    assert k[1, 1, 0, most].sharedmem == most
    for wrong in (2**31, 2**64 + 1, -(2**64)):
        for axis in range(3):
            shape = [1, 1, 1]
            shape[axis] = wrong
            with pytest.raises(ValueError, match=f"but got {wrong}(;|$)"):
                k[tuple(shape), 1]
        with pytest.raises(ValueError, match=f"bytes but got {wrong}$"):
            k[1, 1, 0, wrong]


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_narrow_threads_along_each_axis(axis):
    @cuda.jit(typing="narrow")
    def k():
        pass

    most = _core.limits()["narrow"] - 1
    grid, block = [1, 1, 1], [1, 1, 1]
    grid[axis], block[axis] = most // 2, 2
    assert k[tuple(grid), tuple(block)].griddim == tuple(grid)
    grid[axis] += 1
    for configure in (lambda *shape: k[shape], k.configure):
        with pytest.raises(ValueError, match=f"threads along {'xyz'[axis]}"):
            configure(tuple(grid), tuple(block))


def test_what_the_extension_takes_for_facts():
    @cuda.jit
    def k(a, n):
        a[n] = n

    a = np.zeros(4)
    k[1, 1](a, 1)
    (function,) = k._variants.functions.values()
    one = (1, 1, 1)
    assert _core.failing(function, (a, 1), one, one) == []
    assert "scalars" in _core.failing(function, (a, 2**31), one, one)
    for wrong in ((a, {}), (a,), ()):
        with pytest.raises(TypeError, match="failing expects arguments"):
            _core.failing(function, wrong, one, one)
