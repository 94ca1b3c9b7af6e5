# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A sample of the random kernels of test/fuzz, which see.

They do what the typing tables and an evaluator on NumPy scalars say. The PTX of
each goes to ptxas with that of other tests.
"""

import ast
import sys
from collections import Counter

import numpy as np
import pytest

from support.places import FUZZ

sys.path.append(str(FUZZ))

from kernels import features, grammar, judges, reducer, scalars

pytestmark = pytest.mark.long

BATCH = 15
COUNT = 180

#: What the programs judged so far have executed.
counted = Counter()


@pytest.mark.parametrize("first", range(0, COUNT, BATCH))
def test_kernels_do_what_the_tables_say(first):
    for seed in range(first, first + BATCH):
        program = grammar.program(seed)
        verdict = judges.judge(
            *(program.text, program.arguments, program.grid, program.block),
            name=f"<random kernel {seed}>",
        )
        assert verdict.failure is None, f"seed {seed}\n{program.text}"
        counted.update(verdict.features)
        counted["refused"] += verdict.refused


def test_sample_has_every_construct_and_type():
    """Nobody passes by writing less."""
    if not counted:
        pytest.skip("needs the tests before it")
    missing = features.families(features.FEATURES) - features.families(counted)
    assert not missing
    assert counted["refused"] < COUNT / 5


def test_wrong_result_is_found_and_made_small(monkeypatch):
    """An evaluator that adds wrongly is not agreed with."""
    right = scalars.binary

    def wrong(op, a, b, kind):
        result = right(op, a, b, kind)
        return result + scalars.KINDS[kind](op is ast.BitXor)

    monkeypatch.setattr(scalars, "binary", wrong)
    arguments = [("outs", np.zeros((1, 1), np.int64)), ("s5", np.int8(3))]
    text = grammar.HEAD + (
        "@cuda.jit\n"
        "def k(outs, s5):\n"
        "    t = cuda.grid(1)\n"
        "    s0 = 5\n"
        "    if s5 < 4:\n"
        "        outs[t, 0] = (s5 ^ s0) - 7\n"
    )

    def fails(text):
        return judges.judge(text, arguments, 1, 1).failure is not None

    assert "is np.int64(-1), expected np.int64(0)" in str(
        judges.judge(text, arguments, 1, 1).failure
    )
    assert reducer.reduce(text, fails).endswith("    outs[t, 0] = s5 ^ s0")


#: Programs on which the judges did not agree.
DISAGREED = {
    "a uint64 that is rounded to an int64": "outs[0, 0] = round(1 << 63)\n",
    "a captured variable of another type behind its last use": (
        "def h():\n"
        "    return s5\n"
        "if outs[0, 0] == 0:\n"
        "    s1, *s5 = (1, h(), 2)\n"
        "outs[0, 0] = round(np.float32(2.5))\n"
    ),
    "a float that is an index of an atomic operation": (
        "cuda.atomic.add(outs, (0, np.subtract(s5, np.uint64(3))), 1)\n"
    ),
}


@pytest.mark.parametrize("name", DISAGREED)
def test_judges_agree(name):
    text = grammar.HEAD + "@cuda.jit\ndef k(outs, s5):\n"
    text += "".join(f"    {line}\n" for line in DISAGREED[name].splitlines())
    arguments = [("outs", np.zeros((1, 1), np.int64)), ("s5", np.int8(3))]
    verdict = judges.judge(text, arguments, 1, 1)
    assert verdict.failure is None
    assert not verdict.refused
