# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operators on numbers of which the compiler knows the range.

Loops, masks, remainders, conditions, clamps and types limit a number. The
compiler folds comparisons and remainders that the range decides, and makes
divisions shifts and 64 bits 32. Results are Python's, with constants at either
end of the range, beyond it, and in the middle.
"""

import numpy as np
import pytest

from support.scalars import compile_text

#: The statement that sets `v`, in a loop or from an element `x`, and values of
#: `v`, the least and the greatest among them.
SOURCES = {
    "loop of 3": ("for v in range(3):", range(3)),
    "loop from below 0": ("for v in range(-2, 3):", range(-2, 3)),
    "loop of 40": ("for v in range(40):", range(40)),
    "loop in steps": ("for v in range(0, 33, 8):", range(0, 33, 8)),
    "loop backwards": ("for v in range(20, -5, -3):", range(-4, 21, 3)),
    "mask": ("v = x & 7", range(8)),
    "remainder": ("v = x % 5", range(5)),
    "negative remainder": ("v = x % -5", range(-4, 1)),
    "clamp": ("v = min(max(x, -3), 9)", range(-3, 10)),
    "choice": ("v = 2 if x < 2 else (11 if x > 11 else x)", range(2, 12)),
    "conditions": ("v = x if x >= -6 and not x >= 7 else 0", range(-6, 7)),
    "unsigned type": ("v = np.int64(np.uint8(x))", range(0, 256, 15)),
    "signed type": ("v = np.int64(np.int8(x))", range(-128, 128, 15)),
    "shift": ("v = np.int64(np.uint32(x) >> 28)", range(16)),
    "31 bits": ("v = x & 0x7FFFFFFF", [0, 2, 46341, 2**31 - 1]),
    "int32": (
        "v = np.int64(np.int32(x))",
        [-(2**31), -46341, -1, 0, 65536, 2**31 - 1],
    ),
    "uint32": ("v = np.int64(np.uint32(x))", [0, 1, 65537, 2**32 - 1]),
    "difference": ("v = (x & 3) - (x & 12)", range(-12, 4)),
}
#: An argument.
N = 2**31 + 5
#: Of `v` alone, with a constant, and with one that is not 0.
ALONE = [
    *("-v", "~v", "abs(v)", "v >> 1", "v << 3", "v // 2", "v % 8", "v // 8"),
    *("v * v", "v * 2**31", "v * v * v", "v > 0", "v != 0", "v / 4"),
    *("1 << abs(v) % 32", "2**31 + v", "v - 2**31", "v * (v - 1)", "v * n"),
    *("n - v", "n + v", "n // (abs(v) + 1)", "v % n"),
]
WITH_CONSTANT = [
    *("v < {}", "v <= {}", "v > {}", "v >= {}", "v == {}", "v != {}"),
    *("min(v, {})", "max(v, {})", "v + {}", "{} - v", "v * {}", "v & {}"),
    *("v | {}", "v ^ {}", "abs(v - {})", "v * v - {}"),
    *(
        "(1 if v > {0} else -1) if v != {0} else 0",
        "({0} if v < {0} else v) - v",
    ),
    *("5 if v < {} and v > 0 else 6", "7 if v == 0 or v < {} else 9"),
    "(7 if v == 0 else 8) if v == 0 or v == {} else 9",
]
WITH_DIVISOR = [
    *("v % {}", "v // {}", "(v + 1) % {}", "(v - 1) % {}", "-v % {}"),
    *("(v + {0} - 1) % {0}", "(v - {0}) % {0}", "(v + {0}) // {0}"),
    "{} // (abs(v) + 1)",
]


def expressions(low, high):
    yield from ALONE
    for c in sorted({0, 1, low, (low + high) // 2, high, high + 1}):
        for text in WITH_CONSTANT + WITH_DIVISOR * (c != 0):
            yield text.format(f"({c})")


@pytest.mark.parametrize(("source", "numbers"), SOURCES.values(), ids=SOURCES)
def test_operators(source, numbers):
    texts = [*dict.fromkeys(expressions(numbers[0], numbers[-1]))]
    is_loop = source.startswith("for")
    program = [
        "def k(xs, n, out):",
        "    j = 0",
        "    " + (source if is_loop else "for i in range(xs.size):"),
        "        x = xs[0]" if is_loop else "        x = xs[i]",
        "        " + ("" if is_loop else source),
        *(f"        out[{k}, j] = {text}" for k, text in enumerate(texts)),
        "        j += 1",
    ]
    kernel = compile_text("\n".join(program))
    # Elements in the range and beyond it.
    beyond = [-(2**40), -(2**31), -129, -1, 127, 2**31, 2**40 + 3]
    xs = np.array([*numbers, *range(-12, 12, 3), *beyond])
    values = [*eval(source[9:-1])] if is_loop else []
    for x in [] if is_loop else xs.tolist():
        scope = {"x": x, "np": Conversions}
        exec(source, scope)
        values.append(scope["v"])
    assert (min(values), max(values)) == (numbers[0], numbers[-1])
    out = np.full((len(texts), len(values) + 1), np.nan)
    kernel[1, 1](xs, N, out)
    for text, found in zip(texts, out, strict=True):
        code = compile(text, "<expression>", "eval")
        expected = [to_float(eval(code, {"v": v, "n": N})) for v in values]
        assert found[:-1].tolist() == expected, text
    assert np.isnan(out[:, -1]).all()


def to_float(number):
    """A float of a number, of an integer's 64 bits."""
    is_integer = isinstance(number, int)
    return float((number + 2**63) % 2**64 - 2**63 if is_integer else number)


class Conversions:
    """NumPy's types as kernels convert integers to them: higher bits go."""

    int64 = int
    int32 = staticmethod(lambda x: (x + 2**31) % 2**32 - 2**31)
    uint8 = staticmethod(lambda x: x % 256)
    int8 = staticmethod(lambda x: (x + 128) % 256 - 128)
    uint32 = staticmethod(lambda x: x % 2**32)
