# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products and sums that are rounded once: which, and by what rule.

Expected values are exact: computed in more digits than the result has, and
rounded once.
"""

import operator
from fractions import Fraction

import numpy as np
import pytest

from pyk import cuda

COUNT = 4096
TYPES = ["float16", "float32", "float64"]


def fma(a, b, c):
    """a * b + c rounded once, for arrays of one type of float."""
    if a.dtype == np.float64:
        return np.array(
            [
                float(Fraction(x) * Fraction(y) + Fraction(z))
                for x, y, z in zip(a.tolist(), b.tolist(), c.tolist())
            ]
        )
    product = a.astype(np.float64) * b.astype(np.float64)  # exact
    addend = c.astype(np.float64)
    # The sum and what it loses, to be made odd where it loses anything, so that
    # the rounding to the type finds no tie that is none.
    total = product + addend
    part = total - product
    lost = (product - (total - part)) + (addend - part)
    is_even = total.view(np.int64) & 1 == 0
    toward = np.where(lost > 0, np.inf, -np.inf)
    odd = np.nextafter(total, toward)
    return np.where((lost != 0) & is_even, odd, total).astype(a.dtype)


def operands(dtype, count=COUNT, arrays=4):
    rng = np.random.default_rng(1)
    return [rng.uniform(-4, 4, count).astype(dtype) for _ in range(arrays)]


def compile_apply(function, **options):
    device = cuda.jit(device=True, **options)(function)

    @cuda.jit(**options)
    def apply(out, a, b, c, d):
        i = cuda.grid(1)
        if i < out.size:
            out[i] = device(a[i], b[i], c[i], d[i])

    return apply


def run(function, dtype, **options):
    values = operands(dtype)
    out = np.zeros(COUNT, dtype)
    compile_apply(function, **options)[COUNT // 256, 256](out, *values)
    return out, values


@pytest.mark.parametrize("dtype", TYPES)
def test_barrier_changes_no_bit(dtype):
    """The back end moves the product out of the loop over a block's threads."""

    @cuda.jit
    def plain(o, v, s, t):
        i = cuda.grid(1)
        o[i] = s * t + v[i]

    @cuda.jit
    def waiting(o, v, s, t):
        i = cuda.grid(1)
        cuda.syncthreads()
        o[i] = s * t + v[i]

    @cuda.jit(debug=True)
    def checked(o, v, s, t):
        i = cuda.grid(1)
        p = s * t
        assert p > 0
        o[i] = p + v[i]

    count = 65536
    a, b, v, _ = operands(dtype, count)
    s, t = abs(a[0]), abs(b[0])
    expected = fma(np.full(count, s), np.full(count, t), v)
    assert np.count_nonzero(expected != s * t + v) > count / 100
    for kernel in (plain, waiting):
        out = np.zeros_like(v)
        kernel[count // 256, 256](out, v, s, t)
        assert np.array_equal(out, expected)
    # Here the check is another use of the product.
    out = np.zeros_like(v)
    checked[count // 256, 256](out, v, s, t)
    assert np.array_equal(out, s * t + v)


FORMS = {
    "product first": (
        lambda a, b, c, d: a * b + c,
        lambda a, b, c, d: fma(a, b, c),
    ),
    "product last": (
        lambda a, b, c, d: c + a * b,
        lambda a, b, c, d: fma(a, b, c),
    ),
    "two products": (
        lambda a, b, c, d: a * b + c * d,
        lambda a, b, c, d: fma(a, b, c * d),
    ),
    "difference of products": (
        lambda a, b, c, d: a * b - c * d,
        lambda a, b, c, d: fma(a, b, -(c * d)),
    ),
    "minus a product": (
        lambda a, b, c, d: c - a * b,
        lambda a, b, c, d: fma(-a, b, c),
    ),
    "product minus": (
        lambda a, b, c, d: a * b - c,
        lambda a, b, c, d: fma(a, b, -c),
    ),
    "negated product": (
        lambda a, b, c, d: -(a * b) + c,
        lambda a, b, c, d: fma(-a, b, c),
    ),
    "negated sum": (
        lambda a, b, c, d: -(a * b + c),
        lambda a, b, c, d: -fma(a, b, c),
    ),
    "three products": (
        lambda a, b, c, d: a * b + b * c + c * d,
        lambda a, b, c, d: fma(c, d, fma(a, b, b * c)),
    ),
    "polynomial": (
        lambda a, b, c, d: (a * d + b) * d + c,
        lambda a, b, c, d: fma(fma(a, d, b), d, c),
    ),
    "sum of a square and itself": (
        lambda a, b, c, d: a * a + a,
        lambda a, b, c, d: fma(a, a, a),
    ),
    "product of a sum": (
        lambda a, b, c, d: (a + b) * c,
        lambda a, b, c, d: (a + b) * c,
    ),
}


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("form", FORMS)
def test_rule(form, dtype):
    function, expected = FORMS[form]
    out, values = run(function, dtype)
    assert np.array_equal(out, expected(*values))
    # Zeros have their signs.
    assert np.array_equal(np.signbit(out), np.signbit(expected(*values)))


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("form", FORMS)
def test_without_fma_each_operation_is_rounded(form, dtype):
    function, _ = FORMS[form]
    out, values = run(function, dtype, fma=False)
    assert np.array_equal(out, function(*values))


@pytest.mark.parametrize("dtype", TYPES[1:])
@pytest.mark.parametrize("function", [np.multiply, operator.mul])
def test_product_of_a_function_is_rounded(function, dtype):
    """What a function returns is a number of its type."""

    @cuda.jit
    def k(out, a, b, c):
        i = cuda.grid(1)
        out[i] = function(a[i], b[i]) + c[i]

    a, b, _, _ = operands(dtype)
    out = np.ones_like(a)
    k[COUNT // 256, 256](out, a, b, -(a * b))
    assert not out.any()


@pytest.mark.parametrize("fma", [True, False])
def test_functions_that_round_are_never_fused(fma):
    """`hmul_rn` and its kin are there for that."""

    @cuda.jit(fma=fma)
    def k(out, a, b, c):
        i = cuda.grid(1)
        product = cuda.fp16.hmul_rn(a[i], b[i])
        out[0, i] = cuda.fp16.hadd_rn(product, c[i])
        out[1, i] = cuda.fp16.hsub_rn(product, -c[i])
        out[2, i] = product + c[i]
        out[3, i] = cuda.fp16.hadd_rn(a[i] * b[i], c[i])

    a, b, _, _ = operands(np.float16)
    out = np.ones((4, COUNT), np.float16)
    k[COUNT // 256, 256](out, a, b, -(a * b))
    assert not out.any()


def test_product_of_two_sums_is_fused_with_both():
    @cuda.jit
    def k(out, a, b, c):
        i = cuda.grid(1)
        p = a[i] * b[i]
        out[0, i] = p + c[i]
        out[1, i] = c[i] - p

    a, b, c, _ = operands(np.float32)
    out = np.zeros((2, COUNT), np.float32)
    k[COUNT // 256, 256](out, a, b, c)
    assert np.array_equal(out[0], fma(a, b, c))
    assert np.array_equal(out[1], fma(-a, b, c))


def test_product_with_another_use_is_not_fused():
    @cuda.jit
    def k(out, a, b, c):
        i = cuda.grid(1)
        p = a[i] * b[i]
        out[0, i] = p + c[i]
        out[1, i] = p

    a, b, c, _ = operands(np.float32)
    out = np.zeros((2, COUNT), np.float32)
    k[COUNT // 256, 256](out, a, b, c)
    assert np.array_equal(out[0], a * b + c)
    assert np.array_equal(out[1], a * b)


def test_sums_in_loops_and_branches():
    """A product in front of a loop or condition is fused within."""

    @cuda.jit
    def k(out, a, b, c, turns):
        i = cuda.grid(1)
        p = a[i] * b[i]
        total = c[i]
        for _ in range(turns):
            total = p + total
        out[0, i] = total
        q = b[i] * c[i]
        if a[i] > 0:
            out[1, i] = q - a[i]

    a, b, c, _ = operands(np.float32)
    out = np.zeros((2, COUNT), np.float32)
    k[COUNT // 256, 256](out, a, b, c, 5)
    total = c
    for _ in range(5):
        total = fma(a, b, total)
    assert np.array_equal(out[0], total)
    assert np.array_equal(out[1], np.where(a > 0, fma(b, c, -a), 0))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_complex_products(dtype):
    """The parts follow the same rule."""
    wide = np.result_type(dtype, np.complex64)

    @cuda.jit
    def k(out, x, y):
        i = cuda.grid(1)
        out[i] = x[i] * y[i]

    a, b, c, d = operands(dtype, 4096)
    x, y = (a + 1j * b).astype(wide), (c + 1j * d).astype(wide)
    out = np.zeros(4096, wide)
    k[16, 256](out, x, y)
    assert np.array_equal(out.real, fma(a, c, -(b * d)))
    assert np.array_equal(out.imag, fma(a, d, b * c))


def test_bfloat16_is_rounded_after_each_operation():
    bf16 = pytest.importorskip("ml_dtypes").bfloat16

    @cuda.jit
    def k(out, a, b, c):
        i = cuda.grid(1)
        out[i] = a[i] * b[i] + c[i]

    a, b, c, _ = operands(bf16, 4096)
    out = np.zeros(4096, bf16)
    k[16, 256](out, a, b, c)
    assert np.array_equal(out, a * b + c)
