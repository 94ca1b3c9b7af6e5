# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The model of test/typing, which types the random kernels of test/fuzz, says
what is recorded of the peer there: of every fifth case, as that is enough."""

import json
import sys
import warnings
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "typing"))

from model import interpret

TYPING = Path(__file__).parents[1] / "typing"

#: Operators and methods of complex numbers; the model has few functions.
FORMS = ["x + y", "x / y", "x ** y", "x // y", "x & y", "x == y", "x < y"]
FORMS += ["x if c else y", "-x", "~x", "abs(x)", "bool(x)", "int(x)", "x.real"]
FORMS += ["x.conjugate()", "complex(x)", "np.complex64(x)", "x * 1j"]


def test_model_types_cases_as_recorded():
    warnings.simplefilter("ignore")
    lines = (TYPING / "cases.jsonl").read_text().splitlines()
    for case in map(json.loads, lines[::5]):
        found = interpret(case["source"], case["args"])[0]
        assert found == case["result"], case["id"]


def test_model_types_complex_numbers_as_recorded():
    table = json.loads((TYPING / "complex_numbers.json").read_text())
    for form in FORMS:
        source = f"import numpy as np\ndef f(x, y, c):\n    return {form}\n"
        for types, expected in table[form].items():
            found = interpret(source, [*types.split(), "bool"])[0]
            assert found == expected, (form, types)
