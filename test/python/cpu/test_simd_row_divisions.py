# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Integer divisions that the threads of a row have in common.

Each row divides scalars, by an instruction that traps. Rows without active
threads may have a divisor of 0, or the least number and -1.
"""

from typing import Any

import numpy as np
import pytest

from pyk import cuda
from support.simd_agreement import agree

pytestmark = pytest.mark.on_vectors


@pytest.mark.parametrize("operator", ["//", "%"])
@pytest.mark.parametrize("dtype", ["i4", "i8", "u4", "u8"])
def test_divisor_of_a_row(dtype: str, operator: str) -> None:
    def make() -> Any:
        scope: dict[str, Any] = {"cuda": cuda}
        exec(
            "@cuda.jit\n"
            "def divide(a, d, out):\n"
            "    x, y = cuda.threadIdx.x, cuda.threadIdx.y\n"
            "    v = d[y]\n"
            "    if v > 0:\n"
            "        if a[x] > 0:\n"
            f"            out[y, x] = a[x] * (1000 {operator} v)\n",
            scope,
        )
        return scope["divide"]

    a, d = np.arange(32, dtype=dtype) % 3, np.arange(8, dtype=dtype)
    *_, found = agree(make, (1,), (32, 8), a, d, np.full((8, 32), 7, np.int64))
    expected = np.full((8, 32), 7)
    for y in range(1, 8):
        quotient = 1000 // y if operator == "//" else 1000 % y
        expected[y, a > 0] = a[a > 0] * quotient
    np.testing.assert_array_equal(found, expected)


def test_row_as_a_divisor() -> None:
    def make() -> Any:
        @cuda.jit
        def divide(a, out):
            x, y = cuda.threadIdx.x, cuda.threadIdx.y
            if y > 0 and a[x] != 0:
                out[y, x] = a[x] + 1000 // y

        return divide

    *_, found = agree(
        make, (1,), (32, 8), np.ones(32, np.int64), np.zeros((8, 32), np.int64)
    )
    assert found[:, 5].tolist() == [0, *(1 + 1000 // y for y in range(1, 8))]


def test_least_number_of_a_row_by_minus_one() -> None:
    def make() -> Any:
        @cuda.jit
        def divide(a, n, d, out):
            x, y = cuda.threadIdx.x, cuda.threadIdx.y
            if d[y] > 0 and a[x] != 0:
                out[y, x] = n[y] // d[y]

        return divide

    least = np.iinfo(np.int64).min
    n = np.array([least, 100, least, 7], np.int64)
    d = np.array([-1, 3, 2, -1], np.int64)
    *_, found = agree(
        make, (1,), (16, 4),
        *(np.ones(16, np.int64), n, d, np.zeros((4, 16), np.int64)),
    )  # fmt: skip
    assert found[:, 3].tolist() == [0, 33, least // 2, 0]
