# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The programs of a CUDA toolkit, of which PyK itself needs none.

They tell what becomes of PTX: how many registers a kernel takes, and which
machine code it is.
"""

from __future__ import annotations

import os
import re
import shutil
import struct
import subprocess
import tempfile
from dataclasses import dataclass

_CUBIN = "kernel.cubin"

#: A function that PTX only declares, but for the one that prints.
_UNDEFINED = re.compile(r"\.extern \.func[^;]*?\b(?!vprintf\b)(\w+)\n\(")


def find(name: str) -> str | None:
    """A program, looked for as `pyk-run --emit=cubin` does."""
    roots = [os.environ.get(name) for name in ("CUDA_HOME", "CUDA_PATH")]
    for root in [*filter(None, roots), "/usr/local/cuda"]:
        found = shutil.which(name, path=os.path.join(root, "bin"))
        if found is not None:
            return found
    return shutil.which(name)


def options_for(ptx: str) -> list[str]:
    """How `ptxas` takes PTX of which a driver links the rest."""
    return [] if _UNDEFINED.search(ptx) is None else ["-c"]


@dataclass(frozen=True)
class Needs:
    """What a kernel needs of a GPU, as `ptxas` reports it."""

    registers_per_thread: int
    local_bytes_per_thread: int
    constant_bytes: int


def _run(name: str, why: str, arguments: list[str]) -> str:
    """What a program prints; RuntimeError if it is not there or fails.

    `why` says what it is needed for.
    """
    program = find(name)
    if program is None:
        raise RuntimeError(
            f"{name} was not found, and {why} needs it: set CUDA_HOME to a "
            f"CUDA toolkit, or put {name} on PATH"
        )
    result = subprocess.run(
        [program, *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if result.returncode:
        said = (result.stderr or result.stdout).strip()
        raise RuntimeError(f"{name} fails: {said}")
    return result.stdout + result.stderr


def compile_cuda(path: str, chip: str, why: str) -> bytes:
    """The PTX of a file of CUDA C++, to be linked."""
    with tempfile.TemporaryDirectory(prefix="pyk-") as folder:
        out = os.path.join(folder, "linked.ptx")
        options = ["-ptx", "-rdc=true", f"-arch={chip}"]
        _run("nvcc", why, [*options, path, "-o", out])
        with open(out, "rb") as file:
            return file.read()


def needs_of(ptx: str, chip: str, max_registers: int, why: str) -> Needs:
    """What the one kernel in `ptx` needs."""
    with tempfile.TemporaryDirectory(prefix="pyk-") as folder:
        said = _assemble(ptx, chip, max_registers, why, folder)
        with open(os.path.join(folder, _CUBIN), "rb") as file:
            sections = _sections(file.read())

    def number(pattern: str) -> int:
        found = re.search(pattern, said)
        return int(found[1]) if found else 0

    return Needs(
        number(r"Used (\d+) registers"),
        number(r"(\d+) bytes stack frame"),
        # The bank of a program's own constants. For some chips ptxas is silent
        # about banks.
        sections.get(".nv.constant3", 0),
    )


def _sections(cubin: bytes) -> dict[str, int]:
    """The sizes of the sections of an ELF file of 64 bits, by name."""
    (start,) = struct.unpack_from("<Q", cubin, 0x28)
    size, count, names = struct.unpack_from("<3H", cubin, 0x3A)
    headers = [
        # Of the name the place among all names; where it is; how long.
        struct.unpack_from("<I20xQQ", cubin, start + size * index)
        for index in range(count)
    ]
    text = cubin[headers[names][1] :]
    return {
        text[name : text.index(b"\0", name)].decode(): length
        for name, _, length in headers
    }


def _assemble(
    ptx: str, chip: str, max_registers: int, why: str, folder: str
) -> str:
    """Makes `_CUBIN` in `folder`; gives what `ptxas` reports."""
    source = os.path.join(folder, "kernel.ptx")
    with open(source, "w", encoding="utf-8") as file:
        file.write(ptx)
    limit = [f"--maxrregcount={max_registers}"] if max_registers else []
    cubin = os.path.join(folder, _CUBIN)
    linked = options_for(ptx)
    arguments = ["-v", f"-arch={chip}", *linked, *limit, source, "-o", cubin]
    return _run("ptxas", why, arguments)


def disassemble(
    ptx: str, chip: str, max_registers: int, why: str, options: list[str]
) -> str:
    """What `nvdisasm` with `options` says of the machine code of `ptx`."""
    if find("nvdisasm") is None:
        # Said first: the package of ptxas may not have it.
        return _run("nvdisasm", why, [])
    with tempfile.TemporaryDirectory(prefix="pyk-") as folder:
        _assemble(ptx, chip, max_registers, why, folder)
        cubin = os.path.join(folder, _CUBIN)
        return _run("nvdisasm", why, [*options, cubin])
