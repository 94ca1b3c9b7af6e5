# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`opt` and `lineinfo`, which change code and not what it computes."""

import re

import numpy as np
import pytest

from pyk import cuda


@cuda.jit(device=True)
def squared(x):
    return x * x


def add_squares(a, count):
    i = cuda.grid(1)
    total = 0.0
    for k in range(count):
        total += squared(a[i] + k)
    a[i] = total


SIGNATURE = "void(float64[:], int64)"
FIRST_LINE = add_squares.__code__.co_firstlineno


def ptx_of(**options):
    (text,) = cuda.jit(SIGNATURE, **options)(add_squares).inspect_asm().values()
    return text


@pytest.mark.parametrize("opt", [0, 1, 2, 3, True, False, None])
def test_result_does_not_depend_on_opt(opt):
    a = np.arange(4.0)
    cuda.jit(opt=opt, fma=False)(add_squares)[1, 4](a, 3)
    assert a.tolist() == [5, 14, 29, 50]


def test_opt_decides_how_much_is_optimized():
    most = ptx_of()
    assert ptx_of(opt=True) == ptx_of(opt=3) == ptx_of(opt=None) == most
    least = ptx_of(opt=False)
    assert ptx_of(opt=0) == least
    # Loops are unrolled where LLVM is asked for more than the least.
    assert least.count("mul.rn.f64") == 1 < most.count("mul.rn.f64")


def test_lines_are_those_of_the_program():
    lines = re.findall(r"^\t\.loc\t1 (\d+) \d+$", ptx_of(lineinfo=True), re.M)
    offsets = {int(line) - FIRST_LINE for line in lines if line != "0"}
    # The body, but for what is no instruction, and the function that it calls.
    called = squared.py_func.__code__.co_firstlineno + 2 - FIRST_LINE
    assert {1, 3, 4, 5, called} <= offsets
    assert offsets <= {*range(6), called, called - 1}


def test_file_is_that_of_the_program():
    files = re.findall(r'^\t\.file\t(\d+) "(.*)"', ptx_of(lineinfo=True), re.M)
    assert files == [("1", __file__)]


def test_lines_change_no_instruction():
    def instructions(text):
        body = text[text.index(".visible .entry") :]
        kept = re.sub(r"^(\t\.(loc|file|section)\b.*|\$L__\w+:)$", "", body,
                      flags=re.M)  # fmt: skip
        return [line for line in kept.splitlines() if line.strip()]

    plain = ptx_of()
    assert ".loc" not in plain and ".file" not in plain
    assert len(instructions(ptx_of(lineinfo=True))) == len(instructions(plain))
