# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What tests hand to `ptxas`, and how.

`conftest.py` notes every kernel that a test compiles for the CPU;
`test_ptxas.py` runs last and has their PTX assembled, each module in a call of
its own: fifty in one call, as a program, took `ptxas` minutes. What it accepts
is written down in the build folder, so that it sees each text once.
"""

import hashlib
import itertools
import json
import os
import re
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pyk import _core, _toolkit
from support.programs import TOOLS

CHIPS = ["sm_80", "sm_90", "sm_100"]
#: The same for `parametrize`; the newer ones only where there is time.
EVERY_CHIP = [
    CHIPS[0],
    *(pytest.param(chip, marks=pytest.mark.long) for chip in CHIPS[1:]),
]
NO_PTXAS = "no ptxas: the CUDA toolkit is not installed"


def find_ptxas() -> str | None:
    """The assembler of the CUDA toolkit, if there is one."""
    return _toolkit.find("ptxas")


@dataclass(frozen=True)
class PythonKernel:
    """What `_core.compile` was given: an `ast` buffer and its options."""

    source: bytes
    options: tuple[tuple[str, bool | str], ...]

    def ptx(self, chip: str) -> str:
        options = {**dict(self.options), "chip": chip}
        if options.get("report-errors"):
            # What `debug=True` is on a GPU.
            options |= {"debug-info": "full", "opt": "0"}
        kernel = _core.compile(
            source=self.source, target="cuda", emit="ptx", options=options
        )
        return kernel.emitted

    def __str__(self) -> str:
        unit = json.loads(self.source)
        kernels = []
        for entry in unit["entries"]:
            function = unit["functions"][entry["function"]]
            types = ", ".join(entry["arguments"])
            kernels.append(
                f"{function['name']}({types}) at "
                f"{function['file']}:{function['line']}"
            )
        return " and ".join(kernels)


@dataclass(frozen=True)
class FileKernel:
    """A kernel of a file in MLIR."""

    path: Path
    name: str

    def ptx(self, chip: str) -> str:
        result = subprocess.run(
            [
                *(TOOLS / "pyk-run", self.path, f"--kernel={self.name}"),
                *("--emit=ptx", f"--chip={chip}"),
            ],
            capture_output=True,
            text=True,
            check=False,
        )
        if result.returncode != 0:
            raise RuntimeError(result.stderr)
        return result.stdout

    def __str__(self) -> str:
        return f"@{self.name} at {self.path}"


Kernel = PythonKernel | FileKernel

#: The kernels that were compiled for the CPU, each with the test that was the
#: first to do so.
recorded: dict[Kernel, str] = {}
#: Whether only some cases of each test function run; `conftest.py` knows.
is_short = False
#: Functions whose kernels are all assembled, as the mark `all_cases` says.
whole: set[str] = set()


def choose(kernels: dict[Kernel, str], most: int | None) -> dict[Kernel, str]:
    """At most `most` kernels of each test function: the least hashes.

    All of the functions in `whole`, and all kernels if `most` is None.
    """
    functions: dict[str, list[tuple[bytes, Kernel]]] = {}
    counts: Counter[str] = Counter()
    for kernel, test in kernels.items():
        counts[test] += 1
        rank = hashlib.sha256(f"{test} {counts[test]}".encode()).digest()
        group = functions.setdefault(test.partition("[")[0], [])
        group.append((rank, kernel))
    chosen = {
        kernel
        for name, group in functions.items()
        for _, kernel in sorted(group, key=lambda one: one[0])[
            : None if name in whole else most
        ]
    }
    return {kernel: kernels[kernel] for kernel in kernels if kernel in chosen}


def recording(compile: Callable[..., Any]) -> Callable[..., Any]:
    """`compile`, which is that of `_core`, with a note of each kernel."""

    def compile_and_record(**options: Any) -> Any:
        kernel = compile(**options)
        is_buffer = isinstance(options["source"], bytes)
        if is_buffer and options.get("target") == "cpu":
            # "path::name (call)"
            test = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")[0]
            given = options.get("options", {})
            key = PythonKernel(options["source"], tuple(sorted(given.items())))
            recorded.setdefault(key, test)
        return kernel

    return compile_and_record


def kernels_of_file(path: Path) -> Iterator[FileKernel]:
    """The kernels of a file in stage py or pyk that the host launches."""
    for function in re.split(r"^(?=pyk?\.func )", path.read_text(), flags=re.M):
        head = re.match(
            r"pyk?\.func @(\w+)\([^{]*?(?:attributes {kernel|arguments \[)",
            function,
        )
        if head is not None and "pyk.child" not in function.split("{\n")[0]:
            yield FileKernel(path, head[1])


def threads() -> ThreadPoolExecutor:
    """One for each processor: the compiler does not hold Python's lock."""
    return ThreadPoolExecutor(len(os.sched_getaffinity(0)))


#: An empty file for each text that `ptxas` has accepted, which whoever accepts
#: it again makes younger; those that nobody asked for in a week go.
ACCEPTED = TOOLS.parent / "ptxas-accepted"
WEEK = 7 * 24 * 3600


@cache
def version_of(ptxas: str) -> str:
    """What an assembler says it is."""
    return subprocess.run(
        [ptxas, "--version"], capture_output=True, text=True, check=True
    ).stdout


@cache
def prepare(folder: Path) -> None:
    """Makes the folder of what was accepted, and drops what is old there."""
    folder.mkdir(parents=True, exist_ok=True)
    begin = time.time() - WEEK
    for file in folder.iterdir():
        # Another process may do the same.
        with suppress(FileNotFoundError):
            if file.stat().st_mtime < begin:
                file.unlink()


def assemble(ptxas: str, chip: str, text: str, *options: str) -> str | None:
    """Assembles a module; what `ptxas` says if it refuses."""
    options = (*options, *_toolkit.options_for(text), f"-arch={chip}")
    prepare(ACCEPTED)
    asked = "\0".join([version_of(ptxas), *options, text])
    accepted = ACCEPTED / hashlib.sha256(asked.encode()).hexdigest()
    with suppress(FileNotFoundError):
        os.utime(accepted)
        return None
    result = subprocess.run(
        [ptxas, *options, "-", "-o", os.devnull],
        input=text,
        capture_output=True,
        text=True,
        check=False,
    )
    if result.returncode == 0:
        accepted.touch()
        return None
    said = (result.stdout + result.stderr).strip()
    return said or f"exit status {result.returncode}"


def find_refused(
    ptxas: str, chip: str, kernels: dict[Kernel, str], folder: Path
) -> list[str]:
    """A line or more for each kernel that has no PTX or that is refused.

    `kernels` has the name of the test that each is from. What is refused stays
    in `folder` for whoever reads the message.
    """
    seen: set[str] = set()
    numbers = itertools.count()

    def complaint(kernel: Kernel) -> str | None:
        try:
            text = kernel.ptx(chip)
        except Exception as error:
            return f"no PTX of {kernel} for {chip}: {error}"
        if text in seen:
            return None
        seen.add(text)
        said = assemble(ptxas, chip, text)
        if said is None:
            return None
        (folder / f"{next(numbers)}.ptx").write_text(text)
        return f"ptxas refuses {kernel} for {chip}: {said}"

    with threads() as pool:
        return [
            f"{test}: {said}"
            for test, said in zip(
                kernels.values(), pool.map(complaint, kernels), strict=True
            )
            if said is not None
        ]


def check(
    ptxas: str, chip: str, kernels: dict[Kernel, str], folder: Path
) -> None:
    """Fails with a message for each kernel that is not accepted."""
    lines = find_refused(ptxas, chip, kernels, folder)
    if lines:
        total = f"{len(lines)} of {len(kernels)} kernels for {chip}:\n"
        pytest.fail(total + "\n".join(lines), pytrace=False)
