# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`fastmath=True`: instructions that approximate, and what stays exact."""

import math
import re

import numpy as np
import pytest

from pyk import cuda
from pyk.cuda import libdevice
from pyk.types import bfloat16, float16, float32, float64
from support import assembly

FUNCTIONS = {
    "cos": (math.cos, {"cos.approx.ftz.f32"}),
    "exp": (math.exp, {"mul.rn.ftz.f32", "ex2.approx.ftz.f32"}),
    "log": (math.log, {"lg2.approx.ftz.f32", "mul.rn.ftz.f32"}),
    "log10": (math.log10, {"lg2.approx.ftz.f32", "mul.rn.ftz.f32"}),
    "log2": (math.log2, {"lg2.approx.ftz.f32"}),
    "sin": (math.sin, {"sin.approx.ftz.f32"}),
    "sqrt": (math.sqrt, {"sqrt.approx.ftz.f32"}),
    "tan": (
        math.tan,
        {"sin.approx.ftz.f32", "cos.approx.ftz.f32", "div.approx.ftz.f32"},
    ),
    "tanh": (math.tanh, {"tanh.approx.f32"}),
}


def instructions(function, types, **options):
    """The instructions on floats of the PTX of a kernel."""
    ptx, _ = cuda.compile_ptx(function, types, cc=(9, 0), **options)
    return set(re.findall(r"^\t(\w+(?:\.\w+)*\.f(?:32|64))\b", ptx, re.M))


def unary(function):
    def kernel(out, x):
        out[0] = function(x)

    return kernel


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_are_instructions(name):
    function, expected = FUNCTIONS[name]
    kernel = unary(function)
    types = (float32[::1], float32)
    assert instructions(kernel, types, fastmath=True) == expected
    assert instructions(kernel, types) != expected


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_of_float64_are_exact(name):
    kernel = unary(FUNCTIONS[name][0])
    types = (float64[::1], float64)
    fast = instructions(kernel, types, fastmath=True)
    # libdevice computes in float32 here and there.
    assert {one.replace(".ftz", "") for one in fast} == {
        one.replace(".ftz", "") for one in instructions(kernel, types)
    }


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_on_the_cpu(name):
    function, _ = FUNCTIONS[name]
    kernel = cuda.jit(fastmath=True)(unary(function))
    out = np.zeros(1, np.float32)
    for x in (0.1, 0.75, 1.0, 1.4):
        kernel[1, 1](out, np.float32(x))
        assert out[0] == pytest.approx(function(np.float32(x)), rel=1e-5)


#: What each approximates, of one number or of two.
APPROXIMATIONS = {
    "cosf": (math.cos, 1),
    "exp10f": (lambda x: 10**x, 1),
    "expf": (math.exp, 1),
    "fdividef": (lambda x, y: x / y, 2),
    "log10f": (math.log10, 1),
    "log2f": (math.log2, 1),
    "logf": (math.log, 1),
    "powf": (pow, 2),
    "sinf": (math.sin, 1),
    "tanf": (math.tan, 1),
    "tanhf": (math.tanh, 1),
}


@pytest.mark.parametrize("name", APPROXIMATIONS)
def test_values_of_approximations(name):
    function, count = APPROXIMATIONS[name]
    approximate = getattr(libdevice, f"fast_{name}")

    @cuda.jit
    def one(out, x, y):
        out[0] = approximate(x)

    @cuda.jit
    def two(out, x, y):
        out[0] = approximate(x, y)

    out = np.zeros(1, np.float32)
    for x, y in (0.3, 2.5), (1.25, 0.7), (2.9, -1.5):
        (one, two)[count - 1][1, 1](out, np.float32(x), np.float32(y))
        expected = function(*map(float, np.float32((x, y)[:count])))
        # NVIDIA's bound of `tanh.approx` is 2**-11, those of others are less.
        close = 2**-10 if name == "tanhf" else 2e-6
        assert out[0] == pytest.approx(expected, rel=close, abs=1e-6)


def divide(out, x, y):
    out[0] = x / y


def raise_to(out, x, y):
    out[0] = x**y


def invert_root(out, x, y):
    out[0] = np.float32(1) / math.sqrt(x) + y


def floor(out, x, y):
    out[0] = x // y


TYPES = (float32[::1], float32, float32)


def test_operators_are_instructions():
    assert instructions(divide, TYPES, fastmath=True) == {"div.approx.ftz.f32"}
    assert instructions(divide, TYPES) == {"div.rn.f32"}
    assert instructions(raise_to, TYPES, fastmath=True) == {
        "lg2.approx.ftz.f32",
        "mul.rn.ftz.f32",
        "ex2.approx.ftz.f32",
    }
    assert instructions(invert_root, TYPES, fastmath=True) == {
        "rsqrt.approx.ftz.f32",
        "add.rn.ftz.f32",
    }


def test_floor_division_is_exact():
    fast = instructions(floor, TYPES, fastmath=True)
    # libdevice approximates and corrects.
    assert {one.replace(".ftz", "") for one in fast} == {
        one.replace(".ftz", "") for one in instructions(floor, TYPES)
    }
    kernel = cuda.jit(fastmath=True)(floor)
    out = np.zeros(1, np.float32)
    for quotient in range(1, 200):
        divisor = np.float32(0.7)
        kernel[1, 1](out, np.float32(quotient) * divisor, divisor)
        exact = np.floor_divide(np.float32(quotient) * divisor, divisor)
        assert out[0] == exact


def test_whole_exponents_take_negative_numbers():
    @cuda.jit(fastmath=True)
    def kernel(out, x, n):
        out[0] = x**n
        out[1] = x**3

    out = np.zeros(2, np.float32)
    kernel[1, 1](out, np.float32(-2), np.int32(3))
    assert out.tolist() == [-8, -8]
    (ptx,) = kernel.inspect_asm().values()
    assert "lg2.approx" not in ptx


def test_option_is_of_the_function_that_divides():
    @cuda.jit(device=True)
    def exactly(x, y):
        return x / y

    @cuda.jit(device=True, fastmath=True)
    def roughly(x, y):
        return x / y

    def calls_exact(out, x, y):
        out[0] = exactly(x, y)

    def calls_rough(out, x, y):
        out[0] = roughly(x, y)

    # The kernel alone decides of denormals.
    assert instructions(calls_exact, TYPES, fastmath=True) == {"div.rn.ftz.f32"}
    assert instructions(calls_rough, TYPES) == {"div.approx.f32"}


def test_device_function_compiled_alone():
    def half(x):
        return x / np.float32(3)

    for abi in ("c", "numba"):
        fast = instructions(
            half, (float32,), device=True, abi=abi, fastmath=True
        )
        assert any(".ftz.f32" in name for name in fast)
        exact = instructions(half, (float32,), device=True, abi=abi)
        assert exact == {"div.rn.f32"}


def test_special_values_stay():
    @cuda.jit(fastmath=True)
    def kernel(out, x):
        i = cuda.grid(1)
        y = x[i] / np.float32(2)
        out[i] = math.isnan(y) + 2 * math.isinf(y)

    x = np.array([1, np.nan, np.inf, -np.inf, 0], np.float32)
    out = np.zeros(5, np.int32)
    kernel[1, 5](out, x)
    assert out.tolist() == [0, 1, 2, 2, 0]


def compare(out, x, y):
    out[0] = x < y


def remainder(out, x, y):
    out[0] = x // y + x % y


def log(out, x, y):
    out[0] = math.log(x) + math.tanh(y)


def least(out, x, y):
    cuda.atomic.min(out, 0, max(x, y))


@pytest.mark.skipif(not assembly.find_ptxas(), reason=assembly.NO_PTXAS)
@pytest.mark.parametrize("cc", [(7, 5), (8, 0), (9, 0), (10, 0), (12, 0)])
@pytest.mark.parametrize("kind", [bfloat16, float16, float32])
def test_ptxas(cc, kind):
    for function in (divide, raise_to, compare, remainder, log, least):
        ptx, _ = cuda.compile_ptx(
            function, (kind[::1], kind, kind), cc=cc, fastmath=True
        )
        chip = "sm_{}{}".format(*cc)
        assert assembly.assemble(assembly.find_ptxas(), chip, ptx) is None


def test_short_subnormal_numbers_are_kept():
    """Only float32 is flushed."""

    @cuda.jit(fastmath=True)
    def kernel(out, x):
        i = cuda.grid(1)
        if i < x.size:
            out[i] = x[i] + x[i] * np.float16(2)

    x = (np.arange(-64, 64) * 2.0**-24).astype(np.float16)
    out = np.zeros_like(x)
    kernel[1, 128](out, x)
    assert out.tolist() == (3 * x).tolist()
