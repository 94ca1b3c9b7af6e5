# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of floats whose results are exact or rounded correctly, for numbers
of every exponent: they are those of NumPy and C, to the bit."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from math_bits import ONE, THREADS, TWO, make, operands

COUNT = 2**14


def apply(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of `math` for arrays; NaN where it takes no such numbers."""

    def one(*numbers: float) -> float:
        try:
            return function(*numbers)
        except (ValueError, OverflowError):
            return math.nan

    return lambda *arrays: np.array(
        [one(*numbers) for numbers in zip(*(a.tolist() for a in arrays))],
        arrays[0].dtype,
    )


def away(x: np.ndarray) -> np.ndarray:
    """To integers, halves away from 0."""
    whole = np.trunc(x)
    return whole + np.copysign(np.abs(x - whole) >= 0.5, x).astype(x.dtype)


OF_ONE = {
    "ceil": np.ceil,
    "fabs": np.fabs,
    "floor": np.floor,
    "rint": np.rint,
    "round": away,
    "sqrt": np.sqrt,
    "trunc": np.trunc,
    "logb": lambda x: np.where(
        (x == 0) | ~np.isfinite(x), np.log2(np.abs(x)), np.frexp(x)[1] - 1.0
    ),
}
OF_TWO = {
    "copysign": np.copysign,
    "fdim": lambda x, y: np.where(x <= y, 0, x - y),
    "fmax": np.fmax,
    "fmin": np.fmin,
    "fmod": np.fmod,
    "nextafter": np.nextafter,
    "remainder": apply(math.remainder),
}


def check(
    name: str,
    found: np.ndarray,
    expected: np.ndarray,
    x: np.ndarray,
    y: np.ndarray,
) -> None:
    """Zeros have a sign, NaNs have none."""
    bits = f"u{found.itemsize}"
    differ = found.view(bits) != expected.view(bits)
    differ &= ~(np.isnan(found) & np.isnan(expected))
    if name in ("fmax", "fmin"):
        # Of two zeros either is right.
        differ &= ~((x == 0) & (y == 0) & (found == 0))
    assert not differ.any(), [
        (a, b, f, e)
        for a, b, f, e in zip(
            x[differ], y[differ], found[differ], expected[differ]
        )
    ][:5]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", [*OF_ONE, *OF_TWO])
def test_function(name: str, dtype: type[np.floating[Any]]) -> None:
    x, y = operands(dtype, COUNT)
    if name in OF_ONE:
        # The low bits of x are 0.
        x = y = np.concatenate([x, y])
    with np.errstate(all="ignore"):
        expected = (
            OF_ONE[name](x) if name in OF_ONE else OF_TWO[name](x, y)
        ).astype(dtype)
    found = np.full_like(x, -99)
    suffix = "f" if dtype == np.float32 else ""
    kernel = make(name + suffix, ONE if name in OF_ONE else TWO)
    kernel[-(-x.size // THREADS), THREADS](found, x, y)
    check(name, found, expected, x, y)
