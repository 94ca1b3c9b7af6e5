# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products of bytes, added up."""

import numpy as np
import pytest

from pyk import cuda, types

RANDOM = np.random.default_rng(4)


def words(kind):
    """Random words, and those whose bytes are at their ends."""
    found = RANDOM.integers(0, 2**32, 1000, np.uint32)
    found[:6] = [0, 0x80808080, 0x7F7F7F7F, 0xFFFFFFFF, 0x01020304, 0xFF00FF00]
    return found.view(kind)


@pytest.mark.parametrize(
    ("kind", "byte"), [(np.int32, np.int8), (np.uint32, np.uint8)]
)
def test_products_and_sum(kind, byte):
    @cuda.jit
    def k(a, b, c, out):
        i = cuda.grid(1)
        if i < a.size:
            out[i] = cuda.dp4a(a[i], b[i], c[i])

    a, b, c = words(kind), words(kind)[::-1].copy(), words(kind)
    b[:6] = a[:6]
    out = np.zeros_like(a)
    k[5, 256](a, b, c, out)
    products = a.view(byte).astype(np.int64) * b.view(byte)
    expected = products.reshape(-1, 4).sum(axis=1) + c
    np.testing.assert_array_equal(out, expected.astype(kind))


def test_literals_and_the_type_of_the_result():
    @cuda.jit
    def k(out):
        out[0] = cuda.dp4a(0x01020304, 0x01010101, 5)
        # 255 * 255 and not -1 * -1.
        out[1] = cuda.dp4a(np.uint32(0xFF), np.uint32(0xFF), 0)
        out[2] = cuda.dp4a(np.int32(0xFF), np.int32(0xFF), 0)

    out = np.zeros(3, np.int64)
    k[1, 1](out)
    assert out.tolist() == [15, 255 * 255, 1]


@pytest.mark.parametrize(
    ("kind", "name"), [(types.int32, "s32.s32"), (types.uint32, "u32.u32")]
)
def test_instruction(kind, name):
    def k(a, out):
        out[0] = cuda.dp4a(a[0], a[1], a[2])

    ptx, _ = cuda.compile_ptx(k, (kind[::1], kind[::1]), cc=(9, 0))
    assert f"dp4a.{name}" in ptx
