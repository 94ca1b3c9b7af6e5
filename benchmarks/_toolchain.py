# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From CUDA C++ or PTX to what is counted of machine code.

`ptxas` of one toolkit assembles the PTX of both compilers. What disassembles is
not a part of every installation of the toolkit, so it may come from PyPI; a
newer one reads the code of an older `ptxas`.
"""

from __future__ import annotations

import re
import subprocess
import sysconfig
import tempfile
from dataclasses import dataclass
from pathlib import Path

import _sass

from pyk import _toolkit

CHIP = "sm_90"

# Of a multiprocessor of that chip.
_WARPS = 64
_SCHEDULERS = 4
_REGISTERS = 65536
_SHARED_BYTES = 228 * 1024
# What each block has besides.
_SYSTEM_BYTES = 1024

_LANES = 32
# Registers are given to a warp in parts of this size.
_REGISTERS_AT_ONCE = 256


class MissingToolError(Exception):
    """A program that is needed is not there."""


@dataclass(frozen=True)
class Code:
    """What is counted of the machine code of a kernel."""

    instructions: int
    # Of the hot loop for each key operation; None where there is no such loop.
    hot_loop: float | None
    outside_loops: int
    registers: int
    spill_bytes: int
    warps: int


def find(name: str) -> str:
    """The program of the CUDA toolkit, or of a package that has it."""
    found = _toolkit.find(name)
    if found is None:
        packages = Path(sysconfig.get_path("platlib"))
        found = next(map(str, packages.glob(f"nvidia/*/bin/{name}")), None)
    if found is None:
        raise MissingToolError(
            f"needs {name}, which was not found: set CUDA_HOME to a CUDA "
            f"toolkit, or put {name} on PATH"
        )
    return found


def versions() -> dict[str, str]:
    """What the programs say of themselves, in their last line."""
    said = {}
    for name in ("nvcc", "ptxas", "nvdisasm"):
        result = _run(find(name), "--version")
        said[name] = result.stdout.strip().splitlines()[-1]
    return said


def ptx_of(source: Path, options: tuple[str, ...], chip: str = CHIP) -> str:
    """The PTX that nvcc makes of a file in CUDA C++."""
    with tempfile.TemporaryDirectory(prefix="pyk-") as folder:
        path = Path(folder, "kernels.ptx")
        _run(
            *(find("nvcc"), "-O3", "--ptx", f"-arch={chip}", *options),
            *(str(source), "-o", str(path)),
        )
        return path.read_text()


def count(ptx: str, keys: dict[str, tuple[str, ...]]) -> dict[str, Code]:
    """The kernels in `ptx` by name, each with its key operations in `keys`."""
    with tempfile.TemporaryDirectory(prefix="pyk-") as folder:
        path = Path(folder, "kernels.ptx")
        path.write_text(ptx)
        cubin = str(path.with_suffix(".cubin"))
        report = _run(
            *(find("ptxas"), "-O3", "-v", f"-arch={CHIP}"),
            *(str(path), "-o", cubin),
        ).stderr
        text = _run(find("nvdisasm"), "-c", cubin).stdout
    parts = re.split(r"entry function '(\w+)'", report)
    reports = dict(zip(parts[1::2], parts[2::2], strict=True))
    codes = {}
    for name, function in _sass.parse(text).items():
        hot = _sass.hot_loop(function, keys[name])
        registers = _number(r"Used (\d+) registers", reports[name])
        shared = _number(r"(\d+) bytes smem", reports[name])
        codes[name] = Code(
            instructions=len(function),
            hot_loop=hot and hot.per_key,
            outside_loops=_sass.outside_loops(function),
            registers=registers,
            spill_bytes=_number(r"(\d+) bytes spill stores", reports[name])
            + _number(r"(\d+) bytes spill loads", reports[name]),
            warps=resident_warps(registers, shared),
        )
    return codes


def resident_warps(registers: int, shared: int, block: int = 256) -> int:
    """How many warps a multiprocessor holds of blocks of so many threads.

    `registers` are those of a thread, `shared` the bytes of a block.
    """
    of_block = block // _LANES
    parts = -(-registers * _LANES // _REGISTERS_AT_ONCE)
    of_warp = parts * _REGISTERS_AT_ONCE
    by_registers = _REGISTERS // _SCHEDULERS // of_warp * _SCHEDULERS
    by_shared = _SHARED_BYTES // (shared + _SYSTEM_BYTES) * of_block
    return min(_WARPS, by_registers, by_shared) // of_block * of_block


def _number(pattern: str, report: str) -> int:
    found = re.search(pattern, report)
    return int(found[1]) if found else 0


def _run(*command: str) -> subprocess.CompletedProcess[str]:
    """Runs to the end; what a program that fails says is shown whole."""
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode:
        raise RuntimeError(f"{command[0]} fails: {result.stderr}")
    return result
