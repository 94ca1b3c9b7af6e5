# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A kernel launches another one."""

import numpy as np
from numba import cuda


@cuda.jit
def child(a):
    a[cuda.grid(1)] += 1


@cuda.jit
def parent(a):
    half = a.size // 2
    if cuda.grid(1) == 0:
        child[1, half](a)
        child[1, half](a[half:])


data = np.zeros(8)
parent[1, 32](data)
