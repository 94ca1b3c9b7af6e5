# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Judges the programs of some seeds: `python -m kernels.worker FIRST LAST`.

Writes a line of JSON when it begins a program and one with the verdict, so
that whoever reads them knows which program a crash is of. ptxas gets all PTX in
few calls at the end.
"""

import json
import resource
import sys
import tempfile
import traceback
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2] / "python"))

import assembly  # noqa: E402

from . import grammar, judges  # noqa: E402

MEMORY = 4 << 30


def say(**message):
    """One line to the driver."""
    print(json.dumps(message), flush=True)


def verdict_of(seed):
    """The verdict on the program of a seed; an exception is a failure."""
    program = grammar.program(seed)
    try:
        return judges.judge(
            program.text,
            program.arguments,
            program.grid,
            program.block,
            f"<program {seed}>",
        )
    except Exception:
        return judges.Verdict(f"exception: {traceback.format_exc()}")


def main(first, last, chip):
    """Judges a range of seeds."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    ptxas = assembly.find_ptxas()
    texts = {}
    for seed in range(first, last):
        say(begin=seed)
        verdict = verdict_of(seed)
        if verdict.buffer is not None and not verdict.refused and ptxas:
            try:
                texts[judges.assembly(verdict.buffer, chip)] = seed
            except Exception as error:
                verdict.failure = verdict.failure or f"no PTX: {error}"
        say(
            seed=seed,
            failure=verdict.failure,
            refused=verdict.refused,
            features=sorted(verdict.features),
        )
    with tempfile.TemporaryDirectory() as folder:
        found = (
            assembly.assemble(ptxas, chip, texts, Path(folder)) if ptxas else ()
        )
        for text, said in found:
            say(seed=texts[text], failure=f"ptxas refuses: {said}")
    say(assembled=len(texts) if ptxas else 0)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
