#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Says what the tests have executed on the PTX machine, and checks it.

    ptx_record.py FOLDER

FOLDER has a record of each test of ctest that ran on the machine. Fails if PyK
emits an instruction that no test of single instructions has: add rows for it to
test/python/ptx/instructions, or, if another test covers it, a line to
test/ptx_instructions_elsewhere.txt. Orders, scopes and hints for caches, which
decide when others see an access and not what it does, need no rows.
"""

import sys
from collections import Counter
from pathlib import Path

HERE = Path(__file__).resolve().parent
#: What tests other than those of single instructions cover.
ELSEWHERE = "ptx_instructions_elsewhere.txt"
#: The record of the tests of single instructions.
TABLES = "instructions.txt"

#: Modifiers of accesses and branches that change no result on one thread.
WITHOUT_ROWS = frozenset(
    "relaxed acquire release acq_rel volatile cta gpu sys "
    "nc ca cg cs cv lu wb wt uni".split()
)


def without_order(instruction: str) -> str:
    """An instruction as the tables have it."""
    return ".".join(
        part for part in instruction.split(".") if part not in WITHOUT_ROWS
    )


def read(path: Path) -> tuple[Counter[str], set[str]]:
    """The numbers and the instructions of a record."""
    numbers: Counter[str] = Counter()
    instructions = set()
    for line in path.read_text(encoding="utf-8").splitlines():
        what, _, value = line.partition(" ")
        if what == "instruction":
            instructions.add(without_order(value))
        else:
            numbers[what] += int(value)
    return numbers, instructions


def read_elsewhere() -> tuple[set[str], list[str]]:
    """Instructions that other tests cover, and lines that name no such test."""
    path = HERE / ELSEWHERE
    covered = set()
    wrong = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        instruction, _, test = line.partition(": ")
        covered.add(without_order(instruction))
        file, _, name = test.partition("::")
        text = (HERE / "python" / file).read_text(encoding="utf-8")
        if f"def {name}(" not in text:
            wrong.append(f"{path.name}: no test {test}")
    return covered, wrong


def main() -> int:
    folder = Path(sys.argv[1])
    total: Counter[str] = Counter()
    emitted: set[str] = set()
    if not (folder / TABLES).exists():
        sys.exit(f"ptx_record.py: error: {folder / TABLES} is not there")
    tested = read(folder / TABLES)[1]
    for path in sorted(folder.glob("*.txt")):
        if path.name == TABLES:
            continue
        numbers, instructions = read(path)
        total += numbers
        emitted |= instructions
    covered, problems = read_elsewhere()
    if not total["launches"]:
        problems.append("no launch was executed")
    new = sorted(emitted - tested - covered)
    problems += [f"no test of single instructions has {name}" for name in new]
    problems += [
        f"{name} has rows and needs no line of {ELSEWHERE}"
        for name in sorted(covered & tested)
    ]
    print(
        f"PTX: {total['launches']:,} launches executed, "
        f"{total['lane-steps']:,} instructions of threads, {len(emitted)} "
        f"different ones, of which {len(emitted & tested)} have rows of their "
        "own"
    )
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
