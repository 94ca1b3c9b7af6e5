# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A sample of the random kernels of test/fuzz/blocks, which see.

Their threads part ways, and leave the same bits as vectors and one after the
other.
"""

import sys

import pytest

from pyk.cuda._dispatcher import Dispatcher
from support.places import FUZZ

sys.path.append(str(FUZZ))

from blocks import grammar
from blocks import judge as judges

pytestmark = [pytest.mark.on_vectors, pytest.mark.long]

COUNT = 10
#: Of blocks, for each kernel.
SHAPES = 3

#: How many shapes of blocks ran as vectors of the kernels judged so far, by
#: seed: by the compiler's plan, and in other tiles.
counted: dict[int, list[int]] = {}


@pytest.mark.parametrize("seed", range(COUNT))
def test_vectors_leave_what_threads_do(seed: int) -> None:
    text = grammar.kernel(seed).text
    wrong, counted[seed] = judges.judge(seed)
    assert wrong is None, text


def test_most_blocks_are_vectors() -> None:
    if not counted:
        pytest.skip("needs the tests before it")
    planned, others = map(sum, zip(*counted.values(), strict=True))
    # The plan leaves many blocks of few threads, or of odd shapes, to threads.
    assert planned > 0.5 * SHAPES * len(counted)
    assert others > 0.15 * SHAPES * len(counted)


LEVELS = ["native", "x86-64-v3"]


@pytest.mark.parametrize("wrong_level", LEVELS)
def test_wrong_vectors_are_found(
    monkeypatch: pytest.MonkeyPatch, wrong_level: str
) -> None:
    def define(text: str, file: str) -> Dispatcher:
        if file == f"<blocks 0 simd {wrong_level} {wrong_tile}>":
            text = text.replace("3 * c1", "4 * c1")
        return right(text, file)

    monkeypatch.setenv("FUZZ_LEVELS", ",".join(LEVELS))
    right = judges.define
    monkeypatch.setattr(judges, "define", define)
    for wrong_tile in judges.plans_of(0):
        wrong, _ = judges.judge(0)
        assert wrong and wrong.startswith("array o differs in blocks of (")
        assert wrong.endswith(
            f", tiles of {wrong_tile}, run as simd for {wrong_level}"
        )
