# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each operator on the result of each other one.

The compiler combines operators that meet: products and sums, negations,
comparisons, shifts, remainders. What it makes of two may depend on whether
their operands are the same, so each pair stands once with operands that differ
and once for each two that are one.
"""

import itertools

import numpy as np
import pytest

from support.scalars import compile_text

COMMON = [
    *("-{a}", "abs({a})", "{a} ** 2", "3 - {a}", "{a} * -2", "{a} + {b}"),
    *("{a} - {b}", "{a} * {b}", "{a} // {b}", "{a} % {b}", "min({a}, {b})"),
    *("max({a}, {b})", "({a} if {a} < {b} else {b})", "({a} == {b}) * 1"),
]
OPERATORS = {
    "f": [*COMMON, "{a} / {b}", "{a} * 0.5", "{a} / 4"],
    "i": [
        *(*COMMON, "{a} & {b}", "{a} | {b}", "{a} ^ {b}", "~{a}", "{a} << 2"),
        *("{a} >> 1", "{a} & 3", "{a} % 4", "{a} // 4"),
    ],
}
COMMUTATIVE = {f"{{a}} {sign} {{b}}" for sign in "+*&|^"}
#: The operands of the inner operator, and the other one of the outer.
OPERANDS = ["xyz", "xyx", "xyy", "xxy", "xxx"]
#: All results are exact, except some quotients.
NUMBERS = [0, 1, 2, 3, 4, -1, -2, -3, -8]
SAMPLES = [*itertools.product(NUMBERS, NUMBERS, [1, 3, -2, 8])]


def expressions(outer, operators):
    """All of `outer` on what another operator gives."""
    for inner in operators:
        if inner == "{a} / {b}" and ("//" in outer or "%" in outer):
            # Where a quotient is rounded, its floor may be another.
            continue
        for a, b, c in OPERANDS:
            if "{b}" not in inner + outer and (b, c) != ("y", "z"):
                continue
            first = "(" + inner.format(a=a, b=b) + ")"
            yield outer.format(a=first, b=c)
            if "{b}" in outer and outer not in COMMUTATIVE:
                yield outer.format(a=c, b=first)


def expect(text, number):
    """What Python gives for each sample; NaN for divisions by 0."""
    code = compile(text, "<expression>", "eval")
    found = []
    for sample in SAMPLES:
        names = dict(zip("xyz", map(number, sample), strict=True))
        try:
            found.append(eval(code, {}, names))
        except ZeroDivisionError:
            found.append(np.nan)
    return np.array(found, np.float64)


@pytest.mark.all_cases(assembled=False)
@pytest.mark.parametrize(
    ("code", "outer"),
    [(code, outer) for code in ("i4", "f8") for outer in OPERATORS[code[0]]],
)
def test_pair(code, outer):
    kind = code[0]
    texts = [*dict.fromkeys(expressions(outer, OPERATORS[kind]))]
    lines = [f"        out[{k}, i] = {text}" for k, text in enumerate(texts)]
    program = """
def k(xs, ys, zs, out):
    i = cuda.grid(1)
    if i < out.shape[1]:
        x, y, z = xs[i], ys[i], zs[i]
"""
    kernel = compile_text(program + "\n".join(lines))
    operands = np.array(SAMPLES, code).T.copy()
    out = np.zeros((len(texts), len(SAMPLES)))
    kernel[-(-len(SAMPLES) // 64), 64](*operands, out)
    for text, found in zip(texts, out, strict=True):
        expected = expect(text, int if kind == "i" else float)
        known = ~np.isnan(expected)
        found, expected = found[known], expected[known]
        if " / " in text:
            np.testing.assert_allclose(
                found, expected, 1e-15, 1e-14, err_msg=text
            )
            continue
        np.testing.assert_array_equal(found, expected, text)
        # Which of two zeros is less is not said.
        if kind == "f" and "min" not in text and "max" not in text:
            signs = np.signbit(found), np.signbit(expected)
            np.testing.assert_array_equal(*signs, text)
