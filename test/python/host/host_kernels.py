# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels, slow and quick, for the tests of streams and events."""

import os

import numpy as np

from pyk import cuda

# PYK_STANDIN is set where the tests run on the PTX machine, which takes longer
# for each iteration.
SLOW = 2_000_000 if "PYK_STANDIN" in os.environ else 30_000_000


@cuda.jit
def spin(out, n):
    """Takes a tenth of a second or so, then writes `n` + 1."""
    x = out[0]
    for i in range(SLOW):
        x = (x * x + 12345) % 2147483648
    out[out.size - 1] = x
    out[0] = n + 1


@cuda.jit
def wait(gate):
    """Ends when the host has made `gate[0]` another number than 0."""
    while gate[0] == 0:
        pass


@cuda.jit
def double(a):
    i = cuda.grid(1)
    if i < a.size:
        a[i] = a[i] * 2


@cuda.jit
def add(a, x):
    i = cuda.grid(1)
    if i < a.size:
        a[i] = a[i] + x


@cuda.jit
def copy(a, b):
    i = cuda.grid(1)
    if i < a.size:
        b[i] = a[i]


def compile_all():
    """Compiles the kernels, so that launches take no longer than they do."""
    a = cuda.to_device(np.zeros(4, np.int64))
    spin[1, 1](a, 1)
    wait[1, 1](a)
    double[1, 4](a)
    add[1, 4](a, 1)
    copy[1, 4](a, cuda.device_array_like(a))
    cuda.synchronize()


def closed_gate():
    """An array for `wait` in memory of the host, and the same for kernels."""
    gate = cuda.mapped_array(1, np.int64)
    gate[0] = 0
    return gate, cuda.as_cuda_array(gate)


def slow_array():
    return cuda.to_device(np.ones(1, np.int64))


def is_let_go(alive):
    """Whether an owner of memory goes, of which `alive` is a weak reference.

    That is when work that may use the memory has ended and the interpreter runs
    its pending calls.
    """
    cuda.synchronize()
    for _ in range(1000):
        if alive() is None:
            return True
    return False


def goes_at_once(alive):
    """The same where nothing has to be waited for, which the CPU knows."""
    if cuda.get_current_device().is_cpu:
        return alive() is None
    return is_let_go(alive)
