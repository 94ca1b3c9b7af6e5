# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs, compiled and run by Python, must do the same."""

import linecache
import math
from types import SimpleNamespace

import numpy as np
import pytest

from pyk import cuda
from test_semantics_programs import (
    FLOATS,
    INTEGERS,
    OUTPUTS,
    THREADS,
    Generator,
)


def execute(text, name, **scope):
    """The kernel `k` of a program given as text."""
    linecache.cache[name] = len(text), None, text.splitlines(True), name
    exec(compile(text, name, "exec"), scope)
    return scope["k"]


def by_python(text, name):
    """What Python makes of a program."""
    place = SimpleNamespace(
        jit=lambda device: lambda function: function,
        local=SimpleNamespace(array=lambda size, dtype: [0] * size),
        syncthreads=lambda: None,
    )
    numpy = SimpleNamespace(
        int64=int, int32=int, float64=float, float32=np.float32
    )
    kernel = execute(text, name, cuda=place, np=numpy, math=math)
    integers, floats = ([0] * (THREADS * OUTPUTS) for _ in "if")
    for thread in range(THREADS):
        place.grid = lambda rank: thread
        kernel(INTEGERS, FLOATS, integers, floats)
    return integers, floats


def by_kernel(text, name):
    """What the compiled program makes of the same."""
    kernel = cuda.jit(execute(text, name, cuda=cuda, np=np, math=math))
    integers = np.zeros(THREADS * OUTPUTS, np.int64)
    floats = np.zeros(THREADS * OUTPUTS)
    kernel[2, THREADS // 2](
        np.array(INTEGERS), np.array(FLOATS), integers, floats
    )
    return integers.tolist(), floats.tolist()


@pytest.mark.parametrize("seed", range(0, 300, 10))
def test_random_programs(seed):
    for number in range(seed, seed + 10):
        text = Generator(number).program()
        name = f"<program {number}>"
        assert by_kernel(text, name) == by_python(text, name), text
