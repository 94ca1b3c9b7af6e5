# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The model of test/typing, which types the random kernels of test/fuzz, says
what is recorded of the peer there: of every fifth case, as that is enough."""

import json
import sys
import warnings

from support.places import TYPING

sys.path.append(str(TYPING))

from model import interpret

import operator_types


def test_model_types_operators_as_the_page():
    """The model has no bfloat16."""
    for form, answers in operator_types.load().items():
        if form.startswith(("types.", "operator.")):
            continue
        for types, (expected, _) in answers.items():
            if "bfloat16" not in types:
                source = operator_types.source(form, types)
                source = source.removeprefix(operator_types.HEADER)
                found = interpret(source, [*types, "bool"])[0]
                assert found == expected, (form, types)


def test_model_types_cases_as_recorded():
    warnings.simplefilter("ignore")
    lines = (TYPING / "cases.jsonl").read_text().splitlines()
    for case in map(json.loads, lines[::5]):
        found = interpret(case["source"], case["args"])[0]
        assert found == case["result"], case["id"]


def test_model_types_parts_of_complex_numbers_as_recorded():
    table = json.loads((TYPING / "complex_numbers.json").read_text())
    for form in ("x.real", "x.imag", "x.conjugate()", "np.complex64(x)"):
        source = f"import numpy as np\ndef f(x, c):\n    return {form}\n"
        for types, expected in table[form].items():
            found = interpret(source, [types, "bool"])[0]
            assert found == expected, (form, types)
