# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A sample of the damaged inputs of test/fuzz, which see.

The compiler takes or refuses each, within its limits of time and memory, and
messages about kernels show nothing of its insides.
"""

import sys

import pytest

from support.places import FUZZ

sys.path.append(str(FUZZ))

from inputs import long_run

COUNT = 600


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
