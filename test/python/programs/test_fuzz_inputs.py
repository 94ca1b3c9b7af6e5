# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A sample of the damaged inputs of test/fuzz, which see.

The compiler takes or refuses each, within its limits of time and memory, and
messages about kernels show nothing of its insides.
"""

import random
import sys

import pytest

from support.places import FUZZ

sys.path.append(str(FUZZ))

from inputs import long_run, structure

COUNT = 720
#: Seeds of damaged files of stages.
STAGES = 1000, 1030


@pytest.mark.long
def test_damaged_inputs_are_taken_or_refused():
    run = long_run.Run()
    run.chunk(0, COUNT)
    assert run.failures == {}
    kinds = {kind for kind, _ in run.outcomes}
    assert kinds == {"python", "buffer", "mlir"}
    for kind in kinds:
        assert run.outcomes[kind, "refused"] > COUNT / 20
        assert run.outcomes[kind, "compiled"] > COUNT / 100
    assert sum(run.outcomes.values()) == COUNT


def test_what_ends_a_worker_is_named():
    assert long_run.died(-27, "") == "hangs"
    assert "crashes with status -11" in long_run.died(-11, "")
    assert "too much memory" in long_run.died(-6, "std::bad_alloc")


FILE = """\
gpu.module @m {
  gpu.func @k(%p: !llvm.ptr<1>, %n: i64) kernel attributes \
{pyk.block_shape = array<i32: 32, 1, 1>, pyk.uniform, name = "a, }"} {
    %t = gpu.thread_id x
    %c = arith.cmpi slt, %n, %n {a = 3 : i32} : i64
    %e = pyk.element %a + %i : !pyk.array<?x4xf32, c>
    pyk.return
  }
}
"""


def test_dictionaries_of_attributes_are_found():
    found = structure.dictionaries(FILE)
    assert [[e.name for e in entries] for entries in found] == [
        ["pyk.block_shape", "pyk.uniform", "name"],
        ["a"],
    ]
    assert [FILE[e.value : e.end].strip() for e in found[0]] == [
        *("array<i32: 32, 1, 1>", "", '"a, }"')
    ]
    generic = '"a.b"() <{x = 1 : i32, "y.z" = affine_map<(i) -> (i)>}> ({}) {}'
    assert [[e.name for e in d] for d in structure.dictionaries(generic)] == [
        ["x", "y.z"]
    ]


@pytest.mark.parametrize("form", structure.FORMS)
def test_each_form_of_damage_changes_a_file_in_one_place(form):
    changed = set()
    for seed in range(40):
        damage = structure.Damage(FILE, random.Random(seed), FILE)
        done = getattr(damage, form)()
        if form in ("word", "keyword"):
            # FILE has but one case of each.
            continue
        assert done
        changed.add(damage.text)
        assert damage.text.count("\n") == FILE.count("\n")
        assert damage.text.startswith("gpu.module @m {\n")
    assert form in ("word", "keyword") or len(changed - {FILE}) >= 2


def test_dropped_attributes_leave_a_dictionary():
    for seed in range(40):
        damage = structure.Damage(FILE, random.Random(seed), FILE)
        name = damage.drop().removeprefix("drop ")
        left = structure.dictionaries(damage.text)
        names = [e.name for entries in left for e in entries]
        assert name not in names
        assert len(names) == 3


@pytest.mark.long
def test_damaged_stages_are_taken_or_refused():
    """Files of every stage; test/fuzz/runs.md tells of more."""
    run = long_run.Run("inputs.stages")
    run.chunk(*STAGES)
    assert run.failures == {}
    assert {kind for kind, _ in run.outcomes} >= {"py", "pyk", "gpu", "checked"}
    assert any(outcome == "compared" for _, outcome in run.outcomes)
