# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every operator and intrinsic is as short as vectors as it is as threads.

`operator_costs.py` has the table, and prints what each costs. What is new in
the language gets a row there. The results of vectors are those of threads, bit
for bit, for special numbers, too.
"""

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import operator_costs
from operator_costs import LEVELS, Case
from support import machine_code
from support.simd_agreement import run

pytestmark = pytest.mark.on_vectors

_LANES = "vectors have 16 lanes of any type, threads 64 bytes"
_COEFFICIENTS = "coefficients are loaded for each vector, or for four threads"
_CLASSES = "16 lanes are two vectors of double, whose masks are joined"
_SIGN = "the quotient's sign is mended in 64 bits, twice for 16 lanes"
_CONVERSIONS = "without AVX-512, conversions of 64 bits are four instructions"
_CALL = "there is no formula"

#: What costs more as vectors, or calls: expressions, at most ten, for some
#: types, and why.
EXCEPTIONS: dict[str, tuple[set[str], str]] = {
    "v % T(7)": ({"int8", "uint8", "int16"}, _LANES),
    "v": ({"int32 as int16", "int64 as int8"}, _LANES),
    "math.erf(v)": ({"float32"}, _COEFFICIENTS),
    "math.erfc(v)": ({"float32"}, _COEFFICIENTS),
    "math.isinf(v)": ({"float64 as bool"}, _CLASSES),
    "math.isfinite(v)": ({"float64 as bool"}, _CLASSES),
    "v % T(-7)": ({"int32"}, _SIGN),
    "v // T((m & T(63)) + T(1))": ({"int64", "uint64"}, _CONVERSIONS),
    "cuda.ffs(v)": ({"int32", "int64"}, _CALL),
}

CASES = {case.name: case for case in operator_costs.cases()}


def is_exception(case: Case) -> bool:
    types, _ = EXCEPTIONS.get(case.expression, (set(), ""))
    return case.type_names in types


@pytest.mark.skipif(
    machine_code.find_objdump() is None, reason="there is no llvm-objdump"
)
@pytest.mark.parametrize("level", LEVELS)
def test_vectors_are_as_short_as_threads(level: str) -> None:
    found = operator_costs.costs([*CASES.values()], level)
    complaints = {
        case.name: said
        for case, ways in found.items()
        if (said := operator_costs.complaint(ways)) and not is_exception(case)
    }
    assert complaints == {}


def test_exceptions_are_few() -> None:
    assert len(EXCEPTIONS) <= 10
    known = {(case.expression, case.type_names) for case in CASES.values()}
    for expression, (types, _) in EXCEPTIONS.items():
        assert {(expression, one) for one in types} <= known


def special_numbers(dtype: type) -> np.ndarray:
    """Numbers at which formulas may go wrong, and some with random bits."""
    rng = np.random.default_rng(0)
    near: Any
    size = np.dtype(dtype).itemsize
    bits: Any = np.frombuffer(rng.bytes(64 * size), dtype)
    if np.issubdtype(dtype, np.integer):
        ends = np.iinfo(dtype)
        near = np.array([0, 1, 2, 3, 7, 10, 100, 127], dtype)
        return np.concatenate(
            [
                near,
                (-near).astype(dtype),
                np.array([ends.min, ends.max], dtype),
                np.array([ends.min, ends.max], dtype) // dtype(2),
                bits,
            ]
        )
    floats: Any = ml_dtypes.finfo(dtype)  # type: ignore[no-untyped-call]
    with np.errstate(over="ignore"):
        near = np.array(
            [
                *(0, 0.25, 0.5, 0.75, 1, 1.5, 2, 2.5, 3, 7, 1e3, 65504),
                *(2**8 - 1, 2**15, 2**16 - 1, 2**24 - 1, 2**24, 2**31, 2**32),
                *(2**31 - 128, 2**53, 2**62, 2**63, 2**64, 1e18, 1e20, 1e30),
                *(float(floats.max), float(floats.tiny), np.inf, np.nan),
                float(floats.smallest_subnormal),
            ],
            np.float64,
        ).astype(dtype)
        small: Any = (rng.random(32) * 20).astype(dtype)
    return np.concatenate([near, -near, small, -small, bits])


def operands(dtype: type) -> tuple[np.ndarray, np.ndarray]:
    """All pairs of special numbers."""
    numbers = special_numbers(dtype)
    a, b = np.meshgrid(numbers, numbers)
    return a.ravel().copy(), b.ravel().copy()


def assert_same(found: np.ndarray, expected: np.ndarray) -> None:
    """Bit for bit, whatever bits a NaN has."""
    if found.dtype.kind not in "iub":
        nan = np.isnan(expected)
        assert (np.isnan(found) == nan).all()
        found, expected = found[~nan], expected[~nan]
    assert found.tobytes() == expected.tobytes()


@pytest.mark.parametrize("name", CASES)
def test_vectors_compute_as_threads(name: str) -> None:
    case: Case = CASES[name]
    a, b = operands(case.type)
    o = np.zeros(a.shape, case.stored)
    grid, block = (-(-a.size // 256),), (256,)
    divisor = np.dtype(case.type).type(3)

    def make() -> Any:
        return operator_costs.make_kernel(case)

    arguments = (a, b, o, divisor)
    threads, _ = run("reference", make, grid, block, *arguments)
    vectors, shapes = run("simd", make, grid, block, *arguments)
    assert shapes == {(256, 1, 1)}
    assert_same(vectors[2], threads[2])
    # Beyond the last element nothing is stored; inputs stay.
    assert vectors[0].tobytes() == a.tobytes()
    assert vectors[1].tobytes() == b.tobytes()
