# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What tests hand to `ptxas`, and how.

`conftest.py` notes every kernel that a test compiles for the CPU;
`test_ptxas.py` runs last and has their PTX assembled. What takes time is to
start `ptxas`, so it gets many modules in one call.
"""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pyk import _core

CHIPS = ["sm_80", "sm_90", "sm_100"]
NO_PTXAS = "no ptxas: the CUDA toolkit is not installed"

#: Modules in one call of ptxas.
BATCH = 50

TOOL = Path(_core.__file__).parents[2] / "bin" / "pyk-run"


def find_ptxas() -> str | None:
    """The assembler of the CUDA toolkit, if there is one."""
    roots = [os.environ.get(name) for name in ("CUDA_HOME", "CUDA_PATH")]
    for root in [*filter(None, roots), "/usr/local/cuda"]:
        found = shutil.which("ptxas", path=f"{root}/bin")
        if found is not None:
            return found
    return shutil.which("ptxas")


@dataclass(frozen=True)
class PythonKernel:
    """What `_core.compile` was given: an `ast` buffer and its options."""

    source: bytes
    no_fma: bool
    check_bounds: bool
    report_errors: bool

    def ptx(self, chip: str) -> str:
        kernel = _core.compile(
            source=self.source,
            target="cuda",
            chip=chip,
            emit="ptx",
            no_fma=self.no_fma,
            check_bounds=self.check_bounds,
            report_errors=self.report_errors,
        )
        return kernel.emitted

    def __str__(self) -> str:
        unit = json.loads(self.source)
        function = unit["functions"][unit["kernel"]]
        types = ", ".join(unit["arguments"])
        return (
            f"{function['name']}({types}) at "
            f"{function['file']}:{function['line']}"
        )


@dataclass(frozen=True)
class FileKernel:
    """A kernel of a file in MLIR."""

    path: Path
    name: str

    def ptx(self, chip: str) -> str:
        result = subprocess.run(
            [
                *(TOOL, self.path, f"--kernel={self.name}"),
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


def recording(compile: Callable[..., Any]) -> Callable[..., Any]:
    """`compile`, which is that of `_core`, with a note of each kernel."""

    def compile_and_record(**options: Any) -> Any:
        kernel = compile(**options)
        if options["target"] == "cpu" and isinstance(options["source"], bytes):
            # "path::name (call)"
            test = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")[0]
            key = PythonKernel(
                options["source"],
                *(
                    options.get(name, False)
                    for name in ("no_fma", "check_bounds", "report_errors")
                ),
            )
            recorded.setdefault(key, test)
        return kernel

    return compile_and_record


def kernels_of_file(path: Path) -> Iterator[FileKernel]:
    """The kernels of a file in stage py or pyk."""
    for function in re.split(r"^(?=pyk?\.func )", path.read_text(), flags=re.M):
        head = re.match(
            r"pyk?\.func @(\w+)\([^{]*?(?:attributes {kernel|arguments \[)",
            function,
        )
        if head is not None:
            yield FileKernel(path, head[1])


def threads() -> ThreadPoolExecutor:
    """One for each processor: the compiler does not hold Python's lock."""
    return ThreadPoolExecutor(len(os.sched_getaffinity(0)))


def run_ptxas(
    ptxas: str, chip: str, files: list[Path], output: Path
) -> str | None:
    """Assembles files as one program; what ptxas says if it refuses."""
    result = subprocess.run(
        [ptxas, f"-arch={chip}", *files, "-o", output],
        capture_output=True,
        text=True,
        check=False,
    )
    if result.returncode == 0:
        return None
    said = (result.stdout + result.stderr).strip()
    return said or f"exit status {result.returncode}"


def assemble(
    ptxas: str, chip: str, texts: Iterable[str], folder: Path
) -> Iterator[tuple[str, str]]:
    """Yields each text that `ptxas` refuses, with what it says.

    A call gets several modules. When it fails, each of them gets a call of
    its own: together they may need more than there is of something.
    """
    modules: dict[Path, str] = {}
    for number, text in enumerate(texts):
        # Symbols that a module shares with others of a call must differ, and
        # these are the only ones.
        path = folder / f"{number}.ptx"
        path.write_text(re.sub(r"(\.entry\s+[\w$]+)", rf"\1__{number}", text))
        modules[path] = text
    paths = list(modules)
    # Neighbours come from one test and take equally long: deal them out.
    count = -(-len(paths) // BATCH)
    batches = [paths[first::count] for first in range(count)]

    def refused(batch: list[Path]) -> list[tuple[str, str]]:
        output = batch[0].with_suffix(".cubin")
        found = []
        if run_ptxas(ptxas, chip, batch, output) is not None:
            for path in batch:
                said = run_ptxas(ptxas, chip, [path], output)
                if said is not None:
                    found.append((path, said))
        # What is refused stays for whoever reads the message.
        for path in {*batch, output} - {path for path, _ in found}:
            path.unlink(missing_ok=True)
        return [(modules[path], said) for path, said in found]

    with threads() as pool:
        for found in pool.map(refused, batches):
            yield from found


def find_refused(
    ptxas: str, chip: str, kernels: dict[Kernel, str], folder: Path
) -> list[str]:
    """A line or more for each kernel that has no PTX or that is refused.

    `kernels` has the name of the test that each is from.
    """

    def ptx(kernel: Kernel) -> str | Exception:
        try:
            return kernel.ptx(chip)
        except Exception as error:
            return error

    lines = []
    # The first kernel with this PTX.
    owners: dict[str, Kernel] = {}
    with threads() as pool:
        for kernel, text in zip(kernels, pool.map(ptx, kernels), strict=True):
            if isinstance(text, Exception):
                lines.append(
                    f"{kernels[kernel]}: no PTX of {kernel} for {chip}: {text}"
                )
            else:
                owners.setdefault(text, kernel)
    for text, said in assemble(ptxas, chip, owners, folder):
        kernel = owners[text]
        lines.append(
            f"{kernels[kernel]}: ptxas refuses {kernel} for {chip}: {said}"
        )
    return lines
