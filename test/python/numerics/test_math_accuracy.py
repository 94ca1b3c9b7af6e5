# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The CPU's math functions against the true results."""

import math
import os
import platform
import subprocess
import sys

import numpy as np
import pytest

from math_accuracy import (
    BINARY,
    COMPLEX,
    INTERVALS,
    RARE_INTERVALS,
    RARE_LIMITS,
    call,
    samples,
    worst,
    worst_of_complex,
    worst_of_rare,
)
from pyk import cuda
from support.places import ROOT

pytestmark = pytest.mark.on_the_cpu(reason="its functions are libdevice's")

FUNCTIONS = sorted([*INTERVALS, *BINARY])
TYPES = pytest.mark.parametrize("dtype", [np.float32, np.float64])


def count(function: str) -> int:
    # mpmath is slow.
    return 500 if function in ("erf", "erfc") else 20_000


@TYPES
@pytest.mark.parametrize("function", FUNCTIONS)
def test_results_are_near(function: str, dtype: type) -> None:
    error, arguments = worst(function, dtype, count(function))
    assert error <= 2, arguments


@TYPES
@pytest.mark.parametrize("function", RARE_INTERVALS)
def test_results_of_rare_functions_are_near(function: str, dtype: type) -> None:
    error = worst_of_rare(function, dtype, 100)
    narrow, wide = RARE_LIMITS[function]
    assert error <= (narrow if dtype == np.float32 else wide)


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
@pytest.mark.parametrize("function", COMPLEX)
def test_results_of_complex_numbers_are_near(
    function: str, dtype: type
) -> None:
    whole, parts = worst_of_complex(function, dtype, 60)
    assert whole <= 4
    assert parts <= 4


@TYPES
@pytest.mark.parametrize("function", [*FUNCTIONS, *RARE_INTERVALS])
@pytest.mark.on_vectors
def test_vectors_are_as_numbers(function: str, dtype: type) -> None:
    for arguments in samples(function, dtype, 2000):
        numbers = call(function, "reference", *arguments)
        vectors = call(function, "simd", *arguments)
        isnan = np.isnan(numbers)
        assert (isnan == np.isnan(vectors)).all()
        assert numbers[~isnan].tobytes() == vectors[~isnan].tobytes()


@pytest.mark.parametrize("function", ["sin", "cos", "tan"])
@pytest.mark.on_vectors
def test_some_lanes_have_large_angles(function: str) -> None:
    """Only they take the formula of large angles."""
    for dtype in (np.float32, np.float64):
        small = np.linspace(-10, 10, 64).astype(dtype)
        large = small.copy()
        large[[3, 17, 18, 63]] = [1e20, -1e10, np.inf, 1e37]
        plain = call(function, "simd", small)
        mixed = call(function, "simd", large)
        same = small == large
        assert (plain[same] == mixed[same]).all()
        numbers = call(function, "reference", large)
        assert np.array_equal(mixed, numbers, equal_nan=True)
        with np.errstate(invalid="ignore"):
            expected = getattr(np, function)(large.astype(np.longdouble))
        np.testing.assert_allclose(
            mixed.astype(np.longdouble),
            expected,
            rtol=float(np.finfo(dtype).eps),
        )


def test_inactive_lanes_have_no_large_angles() -> None:
    """Whatever their elements are."""

    @cuda.jit
    def some(a, out):
        i = cuda.grid(1)
        if a[i] < 100:
            out[i] = math.sin(a[i])

    a = np.full(256, 1e10)
    a[::16] = np.arange(16)
    out = np.zeros(256)
    some[1, 256](a, out)
    np.testing.assert_allclose(out[::16], np.sin(np.arange(16)), rtol=1e-15)
    assert (out.reshape(16, 16)[:, 1:] == 0).all()


@pytest.mark.parametrize("way", ["reference", "auto"])
def test_angles_of_axes_are_exact(way: str) -> None:
    sides = np.array([0.0, -0.0, 1, -1, np.inf, -np.inf, 1e300, -1e300])
    y, x = (side.ravel().copy() for side in np.meshgrid(sides, sides))
    assert call("atan2", way, y, x).tobytes() == np.arctan2(y, x).tobytes()


def test_coefficients_are_those_of_the_script() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "scripts/generate-math-coefficients"],
        capture_output=True,
        text=True,
        check=True,
    )
    header = ROOT / "lib/Target/Math/Coefficients.h"
    assert done.stdout == header.read_text()


PROGRAM = """\
import math
import numpy as np
from pyk import cuda

@cuda.jit
def k(r, x):
    i = cuda.grid(1)
    r[i] = math.exp(x[i])

x = np.linspace(-5, 5, 4096)
r = np.empty_like(x)
k[16, 256](r, x)
print((r == [math.exp(one) for one in x]).all())
"""


@pytest.mark.skipif(platform.machine() != "x86_64", reason="others have them")
def test_processors_without_fused_operations_call_libm() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env={**os.environ, "PYK_CPU_LEVEL": "x86-64-v2"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("True\n", "")
