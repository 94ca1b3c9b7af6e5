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

from pyk import _options
from support.places import FUZZ

sys.path.append(str(FUZZ))

from kernels import features, grammar, judges, reducer, scalars

pytestmark = pytest.mark.long

BATCH = 15
#: Seeds that have every construct and type between them; few programs have
#: atomics of a block that count (245) or of shared memory with xor (252), or
#: shuffles down with inactive lanes (293).
SEEDS = [*range(30, 224), 245, 252, 293]

#: What the programs judged so far have executed.
counted = Counter()


@pytest.mark.parametrize("first", range(0, len(SEEDS), BATCH))
def test_kernels_do_what_the_tables_say(first):
    for seed in SEEDS[first : first + BATCH]:
        program = grammar.program(seed)
        verdict = judges.judge(
            *(program.text, program.arguments, program.grid, program.shape),
            name=f"<random kernel {seed}>",
            # Vectors and single threads take turns.
            ways=[judges.WAYS[seed // 6 % 4 // 2]],
            at_page=program.at_page,
            is_second=program.is_second,
        )
        wrong = verdict.failure
        assert wrong is None, f"seed {seed}: {wrong}\n{program.text}"
        counted.update(verdict.features)
        counted["refused"] += verdict.refused


def test_sample_has_every_construct_and_type():
    """Nobody passes by writing less."""
    if not counted:
        pytest.skip("needs the tests before it")
    missing = features.families(features.FEATURES) - features.families(counted)
    assert not missing
    assert counted["refused"] < len(SEEDS) / 5


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


def evaluated(body, arguments, grid, block):
    """The arrays that the evaluator leaves, by the names of arguments."""
    names = ", ".join(arguments)
    text = grammar.HEAD + f"@cuda.jit\ndef k({names}):\n"
    text += "".join(f"    {line}\n" for line in body.splitlines())
    values = judges.copied(arguments.values())
    judges.evaluate(text, values, grid, block)
    return dict(zip(arguments, values, strict=True))


@pytest.mark.parametrize("far", [2**31, 2**32, 2**63 - 1, -(2**32), -(2**63)])
def test_evaluator_drops_what_is_far_outside(far):
    left = evaluated(
        f"out[{far}, 1] = 7\n"
        f"out[0, 0] = out[1, {far}] + 1\n"
        f"out[0, {far}] += 7\n"
        f"out[0, 1] = cuda.atomic.add(out, ({far}, {far}), 7)\n",
        {"out": np.full((2, 2), 5)},
        *(1, 1),
    )
    assert left["out"].tolist() == [[1, 0], [5, 5]]


def test_kernels_run_as_vectors_of_each_level(monkeypatch):
    ran = []
    right = judges.kernel

    def kernel(text, name):
        options = _options.options
        ran.append((options.cpu, options.cpu_level))
        return right(text, name)

    monkeypatch.setattr(judges, "kernel", kernel)
    program = grammar.program(31)
    before = _options.options.cpu, _options.options.cpu_level
    verdict = judges.judge(
        *(program.text, program.arguments, program.grid, program.shape),
        ways=["simd native", "simd x86-64-v3", "reference"],
    )
    assert verdict.failure is None
    levels = [("simd", "native"), ("simd", "x86-64-v3")]
    assert ran == [*levels, ("reference", before[1])]
    assert (_options.options.cpu, _options.options.cpu_level) == before


def test_kernel_is_launched_with_small_integers_before(monkeypatch):
    """And what is wrong with either launch is found."""
    text = grammar.HEAD + (
        "@cuda.jit\ndef k(outs, n, s5):\n"
        "    if n < 0:\n        outs[0, 0] = s5\n"
        "    else:\n        outs[0, 0] = n\n"
    )
    arguments = [("outs", np.zeros((1, 1), np.int64))]
    arguments += [("n", np.int64(-7)), ("s5", np.int8(3))]
    seen = []
    right = judges.launched

    def launched(text, name, launches, *rest):
        seen.append([[*map(int, one[1:])] for one in launches])
        return right(text, name, launches, *rest)

    monkeypatch.setattr(judges, "launched", launched)
    verdict = judges.judge(text, arguments, 1, 1, is_second=True)
    assert verdict.failure is None
    assert seen == [[[1, 3], [-7, 3]]]

    def broken(text, name, launches, *rest):
        right(text, name, launches, *rest)
        launches[wrong][0][0, 0] += 1

    monkeypatch.setattr(judges, "launched", broken)
    for wrong, value in enumerate([1, 3]):
        verdict = judges.judge(text, arguments, 1, 1, is_second=True)
        assert verdict.failure == (
            f"outs[0, 0] is np.int64({value + 1}), expected np.int64({value}) "
            "(run as auto)"
        )


def test_evaluator_has_blocks_of_several_dimensions():
    left = evaluated(
        "x, y, z = cuda.threadIdx.x, cuda.threadIdx.y, cuda.threadIdx.z\n"
        "i = (z * cuda.blockDim.y + y) * cuda.blockDim.x + x\n"
        "out[i] = 100 * x + 10 * y + z\n"
        "if i == 0:\n"
        "    out[6] = cuda.grid(1) + cuda.gridsize(1)\n",
        {"out": np.zeros(7, int)},
        *(1, (1, 3, 2)),
    )
    assert left["out"].tolist() == [0, 10, 20, 1, 11, 21, 1]


@pytest.mark.parametrize("count", [64, 2**32, 2**32 + 1, 2**63, 2**64 - 1])
def test_evaluator_shifts_by_large_counts(count):
    left = evaluated(
        f"out[0] = a << np.uint64({count})\n"
        f"out[1] = a >> np.uint64({count})\n"
        f"out[2] = b >> np.uint64({count})\n",
        {"out": np.ones(3, int), "a": np.int64(-3), "b": np.uint64(2**63)},
        *(1, 1),
    )
    assert left["out"].tolist() == [0, -1, 0]


def test_bytes_that_no_thread_names_are_looked_at(monkeypatch):
    """A kernel that leaves its arrays is found, whatever is in them."""
    text = grammar.HEAD + (
        "@cuda.jit\ndef k(outs):\n    outs[outs.size - 1, 0] = 0\n"
    )

    def launched(text, name, launches, *launch):
        ((array,),) = launches
        whole = array.base
        beside = np.lib.stride_tricks.as_strided(whole[-1:], (2,), (1,))
        beside[1] = 0
        return None

    arguments = [("outs", np.zeros((1, 1), np.int64))]
    assert judges.judge(text, arguments, 1, 1).failure is None
    monkeypatch.setattr(judges, "launched", launched)
    assert judges.judge(text, arguments, 1, 1).failure == (
        "outs: 1 bytes outside of its elements are overwritten, the first at "
        "8 of 8 (run as auto)"
    )
