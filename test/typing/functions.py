# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Asks the peer for the types of functions of numbers and arrays.

Writes `functions.json`: by expression, what the peer infers for each type of
`a` (and of `b`, where the expression has one); null where it refuses.
"""

import itertools
import json
from pathlib import Path

import peer

HEAD = "import math, operator\nimport numpy as np\n"
NUMBERS = [
    "bool",
    *(f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)),
    *(f"float{bits}" for bits in (16, 32, 64)),
]
ARRAYS = [f"array({number}, 1, C)" for number in NUMBERS]
UNARY = [
    *("sin", "cos", "tan", "arcsin", "arccos", "arctan", "sinh", "cosh"),
    *("tanh", "arcsinh", "arccosh", "arctanh", "exp", "exp2", "expm1", "log"),
    *("log2", "log10", "log1p", "sqrt", "cbrt", "fabs", "rint", "deg2rad"),
    *("radians", "rad2deg", "degrees", "floor", "ceil", "trunc", "isnan"),
    *("isinf", "isfinite", "signbit", "negative", "positive", "absolute"),
    *("square", "reciprocal", "sign", "invert", "logical_not"),
]
BINARY = [
    *("arctan2", "hypot", "copysign", "nextafter", "logaddexp", "logaddexp2"),
    *("add", "subtract", "multiply", "divide", "floor_divide", "remainder"),
    *("fmod", "power", "maximum", "minimum", "fmax", "fmin", "gcd", "lcm"),
    *("bitwise_and", "bitwise_or", "bitwise_xor", "left_shift"),
    *("right_shift", "logical_and", "logical_or", "logical_xor", "equal"),
    *("not_equal", "less", "less_equal", "greater", "greater_equal"),
    *("heaviside", "ldexp"),
]
MATH_BINARY = ["hypot", "nextafter", "remainder", "ldexp", "fmod"]
METHODS = [
    *("sum", "prod", "mean", "var", "std", "min", "max", "argmin", "argmax"),
    *("any", "all"),
]

EXPRESSIONS = {
    **{f"np.{name}(a)": [NUMBERS] for name in UNARY},
    **{f"np.{name}(a, b)": [NUMBERS, NUMBERS] for name in BINARY},
    **{f"math.{name}(a)": [NUMBERS] for name in ("gamma", "lgamma", "frexp")},
    "math.modf(a)": [NUMBERS],
    **{f"math.{name}(a, b)": [NUMBERS, NUMBERS] for name in MATH_BINARY},
    "divmod(a, b)": [NUMBERS, NUMBERS],
    "sum((a, a))": [NUMBERS],
    "max((a, b))": [NUMBERS, NUMBERS],
    **{f"a.{name}()": [ARRAYS] for name in METHODS},
    **{f"np.{name}(a)": [ARRAYS] for name in METHODS},
    "np.count_nonzero(a)": [ARRAYS],
    **{f"{name}(a)": [ARRAYS] for name in ("sum", "min", "max")},
}


def ask(text, types):
    names = ", ".join("ab"[: len(types)])
    result, _, _ = peer.infer_source(
        f"{HEAD}def f({names}):\n    return {text}\n", types
    )
    return result


def main():
    answers = {
        text: {
            "; ".join(types): ask(text, types)
            for types in itertools.product(*kinds)
        }
        for text, kinds in EXPRESSIONS.items()
    }
    lines = [
        f'"{text}": ' + json.dumps(given, separators=(",", ":"))
        for text, given in answers.items()
    ]
    path = Path(__file__).with_name("functions.json")
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
