# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the loops of the CPU benchmark's kernels do, in vectors of any width.

Each kernel is compiled to stage checked, for the launch of the benchmark;
pyk-opt plans it and writes its vectors for as many lanes as it is told, so that
the same comes out on all machines. Then the accesses to memory of each loop are
counted, and its operations on vectors of floats. Most become one instruction:
for 2 loads, 4 of one element and 8 operations on floats, as in the product of
matrices, AVX2 has 2 vmovups, 4 vbroadcastss and 8 vfmadd231ps.

    python test/python/cpu/hot_loops.py

writes the tables of `test_hot_loops.py` anew; look at what has changed.
"""

import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pyk import _core, _options

# Run as a program, it has only its own folder.
sys.path.append(str(Path(__file__).parents[1]))

from support.places import BENCHMARKS
from support.programs import TOOLS

LANES = (8, 16)

#: What is counted, as the columns are called: loads and stores of neighbours as
#: a vector; those with a mask; vectors of elements here and there; accesses to
#: one element; those to the stack, for threads that take turns; and operations
#: on vectors of floats.
KINDS = (
    *("loads", "stores", "masked", "gather", "scatter"),
    *("load-1", "store-1", "atomic", "stack", "float"),
)

_OPS = {
    "pyk.load": "load-1",
    "pyk.store": "store-1",
    "pyk.atomic": "atomic",
    "llvm.intr.masked.load": "masked",
    "llvm.intr.masked.store": "masked",
    "llvm.intr.masked.gather": "gather",
    "llvm.intr.masked.scatter": "scatter",
}

_OP = re.compile(r"(?:%\S+ = )?\"?(\w+\.[\w.]+)")
_ACCESS = re.compile(r"load|store|gather|scatter|atomic|copy")
_FLOAT = re.compile(r"arith\.\w+f|math\.\w+")


def compile_cases() -> Iterator[tuple[str, str]]:
    """The kernels of the benchmark and their text in stage checked."""
    from _cpu_cases import CASES
    from _cpu_worker import PyK

    real, old = _core.compile, vars(_options.options).copy()
    seen: list[dict[str, Any]] = []

    def listen(**given: Any) -> Any:
        if given["target"] == "cpu":
            seen.append(given)
        return real(**given)

    _core.compile = listen
    vars(_options.options).update(
        cpu="auto", assume=None, bounds="memory", typing="numba"
    )
    try:
        kernels = PyK()
        for name, case in CASES.items():
            arguments = case.arguments(case.sizes["small"])
            kernels.prepare(name, arguments, [])()
    finally:
        _core.compile = real
        vars(_options.options).update(old)
    for given in seen:
        unit = json.loads(given["source"])
        checked = real(
            source=given["source"], emit="checked", options=given["options"]
        )
        yield unit["entries"][0]["function"], checked.emitted


def plan(checked: str, lanes: int) -> tuple[str, str]:
    """What is said of a kernel's plan, and its vectors."""
    result = subprocess.run(
        [
            TOOLS / "pyk-opt",
            f"--pyk-lower-to-simd=lanes={lanes}",
            *("--simd-unroll", "--cse", "--remarks-filter=cpu"),
        ],
        input=checked,
        capture_output=True,
        text=True,
        check=True,
    )
    return result.stderr, result.stdout


def plan_of(remarks: str, text: str) -> str:
    """How a kernel runs, in a line: its tile, or why it has none."""
    (said,) = re.findall(r"\] vectors \| (.*)", remarks)
    reason = re.search(r'Reason="(.*?)"', said)
    if reason:
        return f"threads: {reason[1]}"
    how = re.search(r"runs blocks of (.*?) threads as vectors of (.*)\"", said)
    tile = re.search(r"simd\.tile = array<i64: (.*?)>", text)
    assert how and tile
    rows, strips, _ = tile[1].split(", ")
    return f"{how[1]} in vectors of {how[2]}, {rows} x {strips}"


def kind_of(line: str, promoted: set[str]) -> str | None:
    """What an op is counted as; None if it is not.

    Variables of the stack in `promoted` are registers in the end.
    """
    match = _OP.match(line)
    assert match, line
    name = match[1]
    if name in ("llvm.load", "llvm.store"):
        # A pointer's type has a number unless it is one to the stack.
        if re.search(r"!llvm\.ptr(?!<)", line):
            return None if promoted & {*re.findall(r"%\w+", line)} else "stack"
        what = name.removeprefix("llvm.")
        return f"{what}s" if "vector<" in line else f"{what}-1"
    if name in _OPS:
        return _OPS[name]
    # An access that this file does not know should not go uncounted.
    assert not _ACCESS.search(name), line
    if _FLOAT.fullmatch(name) and "vector<" in line.rpartition(" : ")[2]:
        return "float"
    return None


def count(text: str) -> dict[str, Counter[str]]:
    """How often loops do what, by their places: loop 2.1 is in loop 2.

    "" is what is in no loop. Of a condition that asks whether all threads are
    on, only what they do then counts: the first arm.
    """
    counts: dict[str, Counter[str]] = {}
    loops: Counter[str] = Counter()
    promoted: set[str] = set()
    # Of each region around: its loop, None where it is a second arm.
    around: list[str | None] = [""]
    for line in map(str.strip, text.splitlines()):
        if line.startswith("}"):
            loop = around.pop()
            if line.endswith("{"):
                around.append(None if "else" in line else loop)
        elif line.endswith("{"):
            loop = around[-1]
            if loop is not None and re.search(r"scf\.(for|while) ", line):
                loops[loop] += 1
                loop = f"{loop}.{loops[loop]}".lstrip(".")
            around.append(loop)
        elif line and around[-1] is not None and not line.startswith("^"):
            variable = re.match(r"(%\w+) = llvm\.alloca .* x vector<", line)
            if variable:
                promoted.add(variable[1])
            kind = kind_of(line, promoted)
            if kind:
                counts.setdefault(around[-1], Counter())[kind] += 1
    return counts


def rows(checked: str, lanes: int) -> list[str]:
    """The plan of a kernel, and a row for each loop that does something."""
    remarks, text = plan(checked, lanes)
    how = plan_of(remarks, text)
    if how.startswith("threads:"):
        return [how]
    return [how, *(row(*loop) for loop in sorted(count(text).items()))]


def row(loop: str, numbers: Counter[str]) -> str:
    columns = (f"{numbers[kind] or '.':>{len(kind) + 1}}" for kind in KINDS)
    return f"{loop or '-':8}" + "".join(columns)


def table(lanes: int, kernels: dict[str, str]) -> str:
    """What `test_hot_loops.py` expects."""
    lines = [f"{'loop':8} " + " ".join(KINDS)]
    for name, checked in kernels.items():
        how, *loops = rows(checked, lanes)
        lines += [f"{name}: {how}", *loops]
    return "\n".join(lines) + "\n"


def main() -> None:
    file = Path(__file__).with_name("test_hot_loops.py")
    text = file.read_text()
    _options.options.target = "cpu"
    kernels = dict(compile_cases())
    for lanes in LANES:
        before, head, rest = text.partition(f'OF_{lanes}_LANES = """\\\n')
        assert head, f"{file} has no table for {lanes} lanes"
        text = before + head + table(lanes, kernels)
        text += rest[rest.index('"""') :]
    file.write_text(text)


if __name__ == "__main__":
    sys.path.insert(0, str(BENCHMARKS))
    main()
