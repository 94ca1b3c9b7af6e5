# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Universal functions that tests of `vectorize` and `guvectorize` share."""

import numpy as np

from pyk import guvectorize, vectorize
from pyk.types import complex64, float32, float64, int32, void

TARGETS = ["cuda", "cpu", "parallel"]
SIGNATURES = [
    int32(int32, int32),
    float32(float32, float32),
    float64(float64, float64),
]


def add_of(target):
    @vectorize(SIGNATURES, target=target)
    def add(a, b):
        """One and the other."""
        return a + b

    return add


ADD = {target: add_of(target) for target in TARGETS}
add = ADD["cuda"]


@vectorize(["f8(f8, f8)"], target="cpu")
def minus(a, b):
    return a - b


def half(x):
    return x / 2


def matmul_of(target):
    @guvectorize(
        [
            void(float32[:, :], float32[:, :], float32[:, :]),
            "void(float64[:, :], float64[:, :], float64[:, :])",
            (complex64[:, :], complex64[:, :], complex64[:, :]),
        ],
        "(m,n),(n,p)->(m,p)",
        target=target,
    )
    def matmul(a, b, c):
        """Rows and columns."""
        m, n = a.shape
        n, p = b.shape
        for i in range(m):
            for j in range(p):
                c[i, j] = 0
                for k in range(n):
                    c[i, j] += a[i, k] * b[k, j]

    return matmul


MATMUL = {target: matmul_of(target) for target in TARGETS}
matmul = MATMUL["cuda"]


def numbers(shape, dtype=np.float32):
    count = int(np.prod(shape))
    return (np.arange(count) % 13).reshape(shape).astype(dtype)
