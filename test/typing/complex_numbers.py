# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What numba-cuda makes of functions of complex numbers, as
complex_numbers.json.

Every function of one number on every scalar type but bfloat16, and those of two
on every pair of which one is complex. The answers are the peer's alone; null is
an error. Run it in an environment with `numba-cuda`.
"""

import itertools

import peer

TYPES = [
    *("bool", "int8", "int16", "int32", "int64"),
    *("uint8", "uint16", "uint32", "uint64"),
    *("float16", "float32", "float64", "complex64", "complex128"),
]
TWO = [
    *("cmath.log(x, y)", "(x, y) == (y, x)", "math.atan2(x, y)"),
    *("np.less(x, y)", "np.greater_equal(x, y)", "np.equal(x, y)"),
    *("np.maximum(x, y)", "np.fmin(x, y)", "np.array_equal(x, y)"),
]
ONE = [
    *("complex(x, 1)", "complex(x, x)", "x.real", "x.imag", "x.conjugate()"),
    *("np.complex64(x)", "np.complex128(x)", "np.float32(x)", "np.int8(x)"),
    *("math.sqrt(x)", "math.isnan(x)", "np.conj(x)", "np.real(x)"),
    *("np.imag(x)", "np.angle(x)", "np.abs(x)", "np.sqrt(x)", "np.exp(x)"),
    *("np.isfinite(x)", "cmath.rect(x, x)", "np.log2(x)", "np.sinc(x)"),
    *("np.isscalar(x)", "np.any(x)", "np.all(x)", "np.count_nonzero(x)"),
    *(
        f"cmath.{name}(x)"
        for name in (
            *("sqrt", "exp", "log", "log10", "sin", "cos", "tan", "asin"),
            *("acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh"),
            *("atanh", "phase", "polar", "isnan", "isinf", "isfinite"),
        )
    ),
]
HEADER = "import cmath\nimport math\nimport numpy as np\n"


def questions():
    """Every form with the types of its arguments."""
    for form, a, b in itertools.product(TWO, TYPES, TYPES):
        if "complex" in a + b:
            yield form, [a, b]
    for form, a in itertools.product(ONE, TYPES):
        yield form, [a]


if __name__ == "__main__":
    peer.write(__file__, HEADER, questions())
