# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A module whose kernels `test_pickling.py` sends to other processes."""

import math

import numpy as np

import pyk
from pyk import cuda
from pyk.cuda import grid
from pyk.cuda._host_function import HostFunction

FACTOR = 3
TABLE = np.array([1.0, 10.0, 100.0])


@cuda.jit(device=True)
def factorial(n):
    return 1 if n < 2 else n * factorial(n - 1)


@HostFunction
def half(x):
    return x / 2


def plain(x):
    x[0] += FACTOR


@pyk.vectorize
def tripled(x):
    return x * FACTOR


def plain_number(x):
    return x * FACTOR


@cuda.jit
def by_name(x):
    i = grid(1)
    if i < x.size:
        x[i] *= FACTOR


def make(factor, twice=None, **options):
    """A kernel that reaches names, cells, defaults and other functions."""

    @cuda.jit(**options)
    def scale(x, n=3):
        i = grid(1)
        if i < x.size:
            table = cuda.const.array_like(TABLE)
            value = half(x[i]) * factor * factorial(n) + table[i]
            x[i] = value + math.sqrt(np.float64(FACTOR * FACTOR))
            if twice is not None:
                x[i] = twice(x[i])

    return scale


def run(kernel):
    """What `make(5)` makes of ones: 0.5 * 5 * 3! + 10**i + 3."""
    x = np.ones(3)
    kernel[1, 4](x)
    return x.tolist()


#: The same of a launch that is configured.
def run_launch(launch):
    x = np.ones(3)
    launch(x)
    return x.tolist()
