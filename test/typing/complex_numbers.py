# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What numba-cuda makes of complex numbers, as complex.json.

Every operator on every pair of scalar types of which one is complex, and every
function of one number on every scalar type. The answers are the peer's alone;
null is an error. Run it in an environment with `numba-cuda`.
"""

import json
import pathlib

import peer

FILE = pathlib.Path(__file__).with_suffix(".json")

COMPLEX = ["complex64", "complex128"]
REAL = [
    *("bool", "int8", "int16", "int32", "int64"),
    *("uint8", "uint16", "uint32", "uint64"),
    *("float16", "float32", "float64"),
]
TWO = [
    *("x + y", "x - y", "x * y", "x / y", "x // y", "x % y", "x ** y"),
    *("x << y", "x & y", "x == y", "x != y", "x < y", "x >= y"),
    *("x if c else y", "x and y", "pow(x, y)", "min(x, y)", "cmath.log(x, y)"),
    *("(x, y) == (y, x)", "math.atan2(x, y)"),
]
ONE = [
    *("-x", "+x", "~x", "not x", "abs(x)", "int(x)", "float(x)", "bool(x)"),
    *("round(x)", "complex(x)", "complex(x, 1)", "complex(x, x)"),
    *("x.real", "x.imag", "x.conjugate()", "1 if x else 2"),
    *("x * 1j", "x + 2", "x ** 2", "2 ** x", "x ** 0.5", "x == 1j"),
    *("np.complex64(x)", "np.complex128(x)", "np.float32(x)", "np.int8(x)"),
    *("math.sqrt(x)", "math.isnan(x)", "np.conj(x)", "np.real(x)"),
    *("np.imag(x)", "np.angle(x)", "np.abs(x)", "np.sqrt(x)", "np.exp(x)"),
    *("np.isfinite(x)", "cmath.rect(x, x)"),
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


def source(form):
    """A function that returns `form`."""
    return f"{HEADER}def f(x, y, c):\n    return {form}\n"


def questions():
    """Every form with the types of its arguments."""
    for form in TWO:
        for a in [*REAL, *COMPLEX]:
            for b in [*REAL, *COMPLEX]:
                if a in COMPLEX or b in COMPLEX:
                    yield form, a, b
    for form in ONE:
        for a in [*REAL, *COMPLEX]:
            yield form, a, "int8"


def main():
    """Ask and write."""
    answers = {}
    for form, a, b in questions():
        found = peer.infer_source(source(form), [a, b, "bool"])[0]
        answers.setdefault(form, {})[f"{a} {b}"] = found
    lines = (
        f"{json.dumps(form)}: {json.dumps(row)}"
        for form, row in answers.items()
    )
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
