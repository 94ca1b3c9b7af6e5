# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What numba-cuda makes of functions of numbers and arrays, as functions.json.

The answers are the peer's alone; null is an error. Run it in an environment
with `numba-cuda`.
"""

import itertools

import peer

HEADER = "import math, operator\nimport numpy as np\n"
NUMBERS = [
    "bool",
    *(f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)),
    *(f"float{bits}" for bits in (16, 32, 64)),
]
ARRAYS = [f"array({number}, 1, C)" for number in NUMBERS]
MATRICES = [f"array({number}, 2, F)" for number in NUMBERS]
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
OF_BOTH = ["isscalar", "any", "all", "count_nonzero"]
OF_ARRAYS = [
    *("nansum(x)", "nanprod(x)", "nanmean(x)", "nanvar(x)", "nanstd(x)"),
    *("argmax(x, 0)", "average(x, axis=0)", "average(x)"),
    *("sum(x, dtype=np.float32)", "sum(x, dtype=np.int64)"),
    *("finfo(x.dtype).eps", "iinfo(x.dtype).max", "iscomplexobj(x)"),
]

EXPRESSIONS = {
    **{f"np.{name}(x)": [NUMBERS] for name in UNARY},
    **{f"np.{name}(x, y)": [NUMBERS, NUMBERS] for name in BINARY},
    **{f"math.{name}(x)": [NUMBERS] for name in ("gamma", "lgamma", "frexp")},
    "math.modf(x)": [NUMBERS],
    **{f"math.{name}(x, y)": [NUMBERS, NUMBERS] for name in MATH_BINARY},
    "sum((x, x))": [NUMBERS],
    "max((x, y))": [NUMBERS, NUMBERS],
    **{f"x.{name}()": [ARRAYS] for name in METHODS},
    **{f"np.{name}(x)": [ARRAYS] for name in METHODS},
    **{f"{name}(x)": [ARRAYS] for name in ("sum", "min", "max")},
    **{f"np.{name}(x)": [NUMBERS + ARRAYS] for name in OF_BOTH},
    "np.sinc(x)": [NUMBERS],
    "np.array_equal(x, y)": [NUMBERS, NUMBERS],
    **{f"np.{name}": [ARRAYS] for name in OF_ARRAYS},
    "np.trace(x)": [MATRICES],
    "np.trace(x, 1)": [MATRICES],
}


def questions():
    """Every form with the types of its arguments."""
    for form, kinds in EXPRESSIONS.items():
        for types in itertools.product(*kinds):
            yield form, types


if __name__ == "__main__":
    peer.write(__file__, HEADER, questions())
