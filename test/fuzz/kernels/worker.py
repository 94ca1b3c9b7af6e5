# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Judges the programs of some seeds: `python -m kernels.worker FIRST LAST`.

Writes a line of JSON when it begins a program and one with the verdict, so
that whoever reads them knows which program a crash is of.
"""

import json
import resource
import sys
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


def ptx_failure(ptxas, buffer, chip):
    """What is wrong with the PTX of a program, if anything."""
    try:
        text = judges.assembly(buffer, chip)
    except Exception as error:
        return f"no PTX: {error}"
    said = assembly.assemble(ptxas, chip, text)
    return said and f"ptxas refuses: {said}"


def main(first, last, chip):
    """Judges a range of seeds."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    ptxas = assembly.find_ptxas()
    assembled = 0
    for seed in range(first, last):
        say(begin=seed)
        verdict = verdict_of(seed)
        if verdict.buffer is not None and not verdict.refused and ptxas:
            assembled += 1
            verdict.failure = verdict.failure or ptx_failure(
                ptxas, verdict.buffer, chip
            )
        say(
            seed=seed,
            failure=verdict.failure,
            refused=verdict.refused,
            features=sorted(verdict.features),
        )
    say(assembled=assembled)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
