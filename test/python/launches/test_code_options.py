# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`opt` and `lineinfo`, which change code and not what it computes."""

import re

import numpy as np
import pytest

from pyk import cuda
from pyk.types import float64


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
    lines = re.findall(r"^\t\.loc\t1 (\d+) ", ptx_of(lineinfo=True), re.M)
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
        start = text.index(".visible .entry")
        body = text[start : text.index("\n}\n", start)]
        # Labels are numbered anew.
        return [
            line.split()[0]
            for line in body.splitlines()
            if line.strip() and not re.match(r"\t\.loc|\$L__", line)
        ]

    plain = ptx_of()
    assert ".loc" not in plain and ".file" not in plain
    assert instructions(ptx_of(lineinfo=True)) == instructions(plain)


@cuda.jit(device=True)
def outer(x):
    return squared(x) + squared(x + 1)


@cuda.jit("void(float64[:])", lineinfo=True)
def calls(a):
    a[0] = outer(a[0]) * outer(a[1])


def test_lines_name_the_calls_that_were_inlined():
    (text,) = calls.inspect_asm().values()
    names = {
        label: bytes(map(int, numbers.split(",")))[:-1].decode()
        for label, numbers in re.findall(r"(\$L__\w+):\n\t\.b8 (.*)\n", text)
    }
    places = re.findall(
        r"\t\.loc\t1 (\d+) \d+, function_name (\S+), "
        r"inlined_at 1 (\d+) (\d+)\n",
        text,
    )
    in_squared, in_outer = (
        function.py_func.__code__.co_firstlineno + 2
        for function in (squared, outer)
    )
    in_calls = calls.py_func.__code__.co_firstlineno + 2
    found = {
        (int(line), names[label], int(caller), int(column))
        for line, label, caller, column in places
    }
    # Each call by its column: two of `squared` in `outer`, two of `outer`.
    assert {one[:3] for one in found} == {
        (in_squared, "squared", in_outer),
        (in_outer, "outer", in_calls),
    }
    assert len(found) == 4


@pytest.mark.parametrize("cc", [(7, 5), (9, 0), (12, 1)])
def test_frames_need_ptx_7_2(cc):
    def kernel(a):
        a[0] = squared(a[0])

    text, _ = cuda.compile_ptx(kernel, (float64[:],), cc=cc, lineinfo=True)
    assert "inlined_at" in text
    (version,) = re.findall(r"^\.version (\S+)$", text, re.M)
    assert tuple(map(int, version.split("."))) >= (7, 2)
