# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""CUDA's functions of bits, and `cuda.cbrt` and `cuda.selp`."""

import numpy as np
import pytest

from pyk import cuda
from pyk.cuda.errors import TypingError

DTYPES = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"]


def numbers(dtype):
    info = np.iinfo(dtype)
    width = info.bits
    values = [0, 1, 2, 3, 24, info.min, info.max, info.max - 1, 1 << width - 2]
    if info.min:
        values += [-1, -2, -24]
    return np.array(values, dtype), width


def digits(value, width):
    return format(int(value) % (1 << width), f"0{width}b")


def run(function, *inputs, result):
    @cuda.jit
    def k1(out, x):
        i = cuda.grid(1)
        if i < x.size:
            out[i] = function(x[i])

    out = np.zeros(inputs[0].size, result)
    k1[1, 32](out, *inputs)
    return out.tolist()


@pytest.mark.parametrize("dtype", DTYPES)
def test_counts(dtype):
    values, width = numbers(dtype)
    texts = [digits(value, width) for value in values]
    assert run(cuda.popc, values, result="i8") == [
        text.count("1") for text in texts
    ]
    assert run(cuda.clz, values, result="i8") == [
        len(text) - len(text.lstrip("0")) for text in texts
    ]
    assert run(cuda.ffs, values, result="i8") == [
        text[::-1].find("1") + 1 for text in texts
    ]


def test_ones_are_counted_by_one_instruction():
    @cuda.jit("void(int64[:], uint32[:])")
    def k(wide, narrow):
        wide[0] = cuda.popc(wide[0])
        narrow[0] = cuda.popc(narrow[0])

    (ptx,) = k.inspect_asm().values()
    assert ptx.count("popc.b64") == ptx.count("popc.b32") == 1


@pytest.mark.parametrize("dtype", DTYPES)
def test_bits_in_reverse(dtype):
    """Numbers of less than 32 bits become such first, with their sign."""
    values, width = numbers(dtype)
    wide = 64 if width == 64 else 32
    assert run(cuda.brev, values, result="u8") == [
        int(digits(int(value) % (1 << wide), wide)[::-1], 2) for value in values
    ]


def test_types_of_results():
    @cuda.jit
    def k(out, a, b, c):
        out[0] = isinstance(cuda.popc(a[0]), np.uint8)
        out[1] = isinstance(cuda.clz(b[0]), np.int64)
        out[2] = isinstance(cuda.ffs(b[0]), np.uint32)
        out[3] = isinstance(cuda.brev(a[0]), np.uint32)
        out[4] = isinstance(cuda.brev(b[0]), np.uint64)
        out[5] = isinstance(cuda.popc(c[0]), np.int8)
        out[6] = cuda.popc(c[0])

    out = np.zeros(7, np.int8)
    k[1, 1](out, np.zeros(1, "u1"), np.zeros(1, "i8"), np.ones(1, "?"))
    assert out.tolist() == [1] * 7


def test_cube_root():
    single = np.array([27, -8, 0.001], np.float32)
    assert run(cuda.cbrt, single, result="f4") == pytest.approx([3, -2, 0.1])
    double = np.array([27, -8, 1e-30])
    assert run(cuda.cbrt, double, result="f8") == pytest.approx(
        [3, -2, 1e-10], rel=1e-15
    )
    assert run(cuda.cbrt, np.array([64]), result="f8") == [4]


def test_selection():
    @cuda.jit
    def k(out, test):
        i = cuda.grid(1)
        out[i] = cuda.selp(test[i], i * 2.5, -1.0)

    out = np.zeros(4)
    k[1, 4](out, np.array([True, False, True, True]))
    assert out.tolist() == [0, -1, 5, 7.5]


@pytest.mark.parametrize(
    ("function", "name"), [(cuda.popc, "popc"), (cuda.clz, "clz")]
)
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.complex64])
def test_only_integers_have_bits(function, name, dtype):
    @cuda.jit
    def k(a):
        a[0] = function(a[0])

    message = f"'cuda.{name}' cannot take {np.dtype(dtype)}"
    with pytest.raises(TypingError, match=message):
        k[1, 1](np.zeros(1, dtype))
