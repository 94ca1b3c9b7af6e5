# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Judges the programs of some seeds: `python -m kernels.worker FIRST LAST`.

Writes a line of JSON when it begins a program and one with the verdict, so
that whoever reads them knows which program a crash is of.
"""

import json
import resource
import sys
import traceback

import runs

from . import grammar, judges

# What the judges put on the path.
from support import assembly, ptx_machine  # isort: skip

MEMORY = 4 << 30
#: Of so many programs `ptxas` gets one: it takes longer than all else.
SAMPLED = 4


def say(**message):
    """One line to the driver."""
    print(json.dumps(message), flush=True)


def verdict_on(program, seed):
    """The verdict on the program of a seed; an exception is a failure."""
    try:
        return judges.judge(
            program.text,
            program.arguments,
            program.grid,
            program.shape,
            f"<program {seed}>",
            ways=judges.ways_of(seed),
            at_page=program.at_page,
            is_second=program.is_second,
        )
    except Exception:
        return judges.Verdict(f"exception: {traceback.format_exc()}")


def ptx_failure(ptxas, program, chip):
    """What is wrong with the PTX of a program, if anything."""
    try:
        text = judges.assembly(program.text, program.arguments, chip)
    except Exception as error:
        return f"no PTX: {error}"
    said = assembly.assemble(ptxas, chip, text)
    return said and f"ptxas refuses: {said}"


def main(first, last, chip):
    """Judges a range of seeds."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    if runs.runs_on_ptx():
        ptx_machine.use()
    ptxas = assembly.find_ptxas()
    assembled = 0
    for seed in range(first, last):
        say(begin=seed)
        program = grammar.program(seed)
        verdict = verdict_on(program, seed)
        compiles = not (verdict.refused or verdict.failure)
        # Six in a row, since the writer goes by what 6 leaves of a seed.
        if ptxas and compiles and seed // 6 % SAMPLED == 0:
            assembled += 1
            verdict.failure = ptx_failure(ptxas, program, chip)
        say(
            seed=seed,
            failure=verdict.failure,
            refused=verdict.refused,
            skipped=verdict.skipped,
            launches=verdict.launches,
            features=sorted(verdict.features),
        )
    say(assembled=assembled)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
