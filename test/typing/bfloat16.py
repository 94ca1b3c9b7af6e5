# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What numba-cuda makes of bfloat16, as bfloat16.json.

Functions of it, or of every pair of scalar types of which one is bfloat16,
those of `cuda.bf16`, and reductions; operators.py has the operators. The
answers are the peer's alone; null is an error. Run it in an environment with
`numba-cuda`.
"""

import peer

OTHERS = [
    *("bool", "int8", "int16", "int32", "int64"),
    *("uint8", "uint16", "uint32", "uint64"),
    *("float16", "float32", "float64", "complex64", "complex128", "bfloat16"),
]
TWO = [
    *("math.atan2(x, y)", "math.hypot(x, y)", "math.fmod(x, y)"),
    *("math.copysign(x, y)", "math.pow(x, y)", "math.fma(x, y, x)"),
    *("cuda.fma(x, y, x)", "(x, y) == (y, x)"),
]
CASTS = ["boolean", *OTHERS[1:]]
MATH = [
    *("sqrt", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh"),
    *("tanh", "asinh", "acosh", "atanh", "exp", "exp2", "expm1", "log"),
    *("log2", "log10", "log1p", "erf", "erfc", "gamma", "lgamma", "cbrt"),
    *("fabs", "floor", "ceil", "trunc", "radians", "degrees", "isnan"),
    *("isinf", "isfinite", "frexp", "modf"),
]
ONE = [
    "math.ldexp(x, 2)",
    *(f"math.{name}(x)" for name in MATH),
    *(f"np.{name}(x)" for name in ("sqrt", "floor", "absolute", "isnan")),
    *(f"types.bfloat16({name}(1))" for name in ("int", "float", "bool")),
    *(f"types.bfloat16(types.{name}(y))" for name in CASTS),
]
INTEGERS = ["int16", "uint16", "int32", "uint32", "int64", "uint64"]
MODES = ["rn", "rz", "rd", "ru"]
#: Functions of `cuda.bf16`, by their arguments.
FUNCTIONS = {
    "x": [
        *("htrunc", "hceil", "hfloor", "hrint", "hsqrt", "hrsqrt", "hrcp"),
        *("hlog", "hlog2", "hlog10", "hcos", "hsin", "htanh", "htanh_approx"),
        *("hexp", "hexp2", "hexp10", "habs", "hneg", "hisnan", "hisinf"),
        *("bfloat16_to_float32", "bfloat16_as_int16", "bfloat16_as_uint16"),
        *("bfloat16_to_int8_rz", "bfloat16_to_uint8_rz"),
        *(f"bfloat16_to_{kind}_{mode}" for kind in INTEGERS for mode in MODES),
    ],
    "x, x": [
        *("hadd", "hadd_rn", "hadd_sat", "hsub", "hsub_rn", "hsub_sat"),
        *("hmul", "hmul_rn", "hmul_sat", "hdiv", "heq", "hne", "hge", "hgt"),
        *("hle", "hlt", "hequ", "hneu", "hgeu", "hgtu", "hleu", "hltu"),
        *("hmax", "hmin", "hmax_nan", "hmin_nan"),
    ],
    "x, x, x": ["hfma", "hfma_sat", "hfma_relu"],
    "types.float32(y)": [
        "float32_to_bfloat16",
        *(f"float32_to_bfloat16_{mode}" for mode in MODES),
    ],
    "types.float64(y)": ["float64_to_bfloat16"],
    **{
        f"types.{kind}(y)": [f"{kind}_to_bfloat16_{mode}" for mode in MODES]
        for kind in INTEGERS
    },
    "types.int16(y) ": ["int16_as_bfloat16"],
    "types.uint16(y) ": ["uint16_as_bfloat16"],
}
ARRAY = [
    *("x[0]", "x.sum()", "np.sum(x)", "x.prod()", "x.min()", "np.max(x)"),
    *("x.argmax()", "x.mean()", "x.any()"),
]
HEADER = """\
import math
import numpy as np
from numba import cuda
from numba.cuda import bf16, types
"""


def questions():
    """Every form with the types of its arguments."""
    for form in TWO:
        for other in OTHERS:
            yield form, ["bfloat16", other]
            if other != "bfloat16":
                yield form, [other, "bfloat16"]
    calls = [
        f"bf16.{name}({arguments.strip()})"
        for arguments, names in FUNCTIONS.items()
        for name in names
    ]
    for form in ONE + calls:
        yield form, ["bfloat16", "int8"]
    for form in ARRAY:
        yield form, ["array(bfloat16, 1, C)"]


if __name__ == "__main__":
    peer.write(__file__, HEADER, questions())
