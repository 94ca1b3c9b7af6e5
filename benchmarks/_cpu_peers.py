# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The peers of `scripts/dev bench cpu`: installed, compiled, and asked.

A peer that cannot be had is absent, with its reason; the others run without
it. Each has up to two programs: strict, and with what its compiler calls fast
arithmetic.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
import venv
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from _report import ROOT

KERNELS = ROOT / "benchmarks/kernels"
WORKER = ROOT / "benchmarks/_cpu_worker.py"
REQUIREMENTS = ROOT / "benchmarks/cpu-requirements.txt"
# What is made here: libraries, an environment of Python, caches, messages.
BUILD = ROOT / "build/bench-cpu"
ENVIRONMENT = BUILD / "venv"

THREADS = len(os.sched_getaffinity(0))
# Threads that wait in a loop would take time from the next peer.
OPENMP = {
    "KMP_BLOCKTIME": "1",
    "OMP_NUM_THREADS": str(THREADS),
    "OMP_PLACES": "cores",
    "OMP_PROC_BIND": "close",
}
CXX_OPTIONS = ("-std=c++17", "-O3", "-march=native", "-fopenmp")
STRICT = ("-ffp-contract=fast", "-fno-math-errno")
FAST_OPENCL = "-cl-fast-relaxed-math -cl-mad-enable"


class AbsentError(Exception):
    """A peer cannot be had here."""


@dataclass(frozen=True)
class Program:
    """How a peer's process is started."""

    # What `_cpu_worker.py` is told.
    arguments: tuple[str, ...]
    environment: dict[str, str] = field(default_factory=dict)
    python: str = sys.executable


# By what is appended to the name of the peer: nothing, or `-fast`.
Programs = dict[str, Program]


def run(*command: str | Path, reason: str) -> str:
    """What it prints; AbsentError with its last line if it fails."""
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode:
        said = (result.stderr or result.stdout).strip().splitlines() or [""]
        raise AbsentError(f"{reason}: {said[-1]}")
    return result.stdout


def install(*packages: str) -> None:
    """Installs what is missing of these Debian packages."""
    if not shutil.which("dpkg-query"):
        # Elsewhere they are the user's business.
        return
    query = ["dpkg-query", "-W", "-f=${db:Status-Status} ${Package}\n"]
    known = subprocess.run([*query, *packages], capture_output=True, text=True)
    installed = {
        line.split()[1]
        for line in known.stdout.splitlines()
        if line.startswith("installed ")
    }
    missing = [name for name in packages if name not in installed]
    if not missing:
        return
    print(f"installs Debian packages: {' '.join(missing)}", file=sys.stderr)
    as_root = [] if os.geteuid() == 0 else ["sudo"]
    apt = [*as_root, "apt-get", "-q", "-o", "DPkg::Lock::Timeout=600"]
    command = [*apt, "install", "-y", "--no-install-recommends", *missing]
    try:
        run(*command, reason="apt-get fails")
    except (AbsentError, FileNotFoundError):
        # Lists of packages may be old, or not there yet.
        run(*apt, "update", reason="apt-get cannot update its lists")
        run(*command, reason=f"apt-get cannot install {' '.join(missing)}")


def install_requirements() -> None:
    """Makes the environment, unless it has what is asked for."""
    stamp = ENVIRONMENT / "installed.txt"
    wanted = REQUIREMENTS.read_text()
    if stamp.exists() and stamp.read_text() == wanted:
        return
    print(f"installs {REQUIREMENTS.relative_to(ROOT)}", file=sys.stderr)
    venv.create(ENVIRONMENT, clear=True, symlinks=True, with_pip=True)
    run(
        *(ENVIRONMENT / "bin/python3", "-m", "pip", "install", "--quiet"),
        *("--disable-pip-version-check", "--no-input", "--requirement"),
        REQUIREMENTS,
        reason="pip cannot install the peers",
    )
    stamp.write_text(wanted)


def compile_library(
    name: str, compiler: str, source: str, *options: str | Path
) -> str:
    """The shared library of a source in `kernels/`."""
    if not shutil.which(compiler):
        raise AbsentError(f"{compiler} was not found")
    library = BUILD / f"{name}.so"
    # Options come last, since libraries and objects are among them.
    run(
        *(compiler, *CXX_OPTIONS, "-shared", "-fPIC", KERNELS / source),
        *("-o", library, *options),
        reason=f"{compiler} cannot compile {source}",
    )
    return str(library)


def clang() -> Programs:
    install("clang-22", "libomp-22-dev")
    ways = {
        "": STRICT,
        "-fast": ("-ffast-math", "-fveclib=libmvec", "-lmvec"),
    }
    return {
        way: Program(
            (
                "library",
                compile_library(
                    f"clang{way}", "clang++-22", "cpu.cpp", *options
                ),
            ),
            OPENMP,
        )
        for way, options in ways.items()
    }


def gcc() -> Programs:
    ways = {"": ("-fno-math-errno",), "-fast": ("-ffast-math", "-lmvec")}
    return {
        way: Program(
            (
                "library",
                compile_library(f"gcc{way}", "g++", "cpu.cpp", *options),
            ),
            OPENMP,
        )
        for way, options in ways.items()
    }


def ispc() -> Programs:
    if not shutil.which("ispc"):
        raise AbsentError("ispc was not found; neither Debian nor PyPI has it")
    install("clang-22", "libomp-22-dev")
    ways = {"": (), "-fast": ("--opt=fast-math", "--math-lib=fast")}
    programs = {}
    for way, options in ways.items():
        vectors = BUILD / f"ispc{way}.o"
        run(
            *("ispc", "-O3", "--pic", "--target=host", *options),
            *(KERNELS / "cpu.ispc", "-o", vectors),
            reason="ispc cannot compile cpu.ispc",
        )
        library = compile_library(
            f"ispc{way}", "clang++-22", "cpu_ispc.cpp", *STRICT, vectors
        )
        programs[way] = Program(("library", library), OPENMP)
    return programs


def opencl(icd: Path, **environment: str) -> Programs:
    """Strict and fast, of the platform whose file this is."""
    install("ocl-icd-libopencl1")
    given = {"OCL_ICD_VENDORS": str(icd), **environment}
    return {
        "": Program(("opencl", ""), given),
        "-fast": Program(("opencl", FAST_OPENCL), given),
    }


def pocl() -> Programs:
    install("pocl-opencl-icd")
    icd = Path("/etc/OpenCL/vendors/pocl.icd")
    if not icd.exists():
        raise AbsentError(f"{icd} was not found")
    return opencl(
        icd,
        POCL_AFFINITY="1",
        POCL_CACHE_DIR=str(BUILD / "pocl-cache"),
        POCL_MAX_PTHREAD_COUNT=str(THREADS),
    )


def newer_pocl() -> Programs:
    raise AbsentError("Debian 12 has PoCL 3.1")


def intel() -> Programs:
    install_requirements()
    icd = BUILD / "intel.icd"
    icd.write_text(f"{ENVIRONMENT}/lib/libintelocl.so\n")
    return opencl(icd)


def numba() -> Programs:
    install_requirements()
    environment = OPENMP | {
        "NUMBA_NUM_THREADS": str(THREADS),
        "NUMBA_THREADING_LAYER": "omp",
    }
    python = str(ENVIRONMENT / "bin/python3")
    return {
        "": Program(("numba", "strict"), environment, python),
        "-fast": Program(("numba", "fast"), environment, python),
    }


# In the order of the table's columns.
PEERS: dict[str, Callable[[], Programs]] = {
    "clang": clang,
    "gcc": gcc,
    "ispc": ispc,
    "pocl": pocl,
    "pocl-7.2": newer_pocl,
    "intel": intel,
    "numba": numba,
}


def pyk(cpu: str, bounds: str = "memory") -> Program:
    environment = {
        "PYK_TARGET": "cpu",
        "PYK_CPU": cpu,
        "PYK_BOUNDSCHECK": bounds,
    }
    return Program(("pyk",), environment)


# Not a peer, but what bounds all.
ROOFS = ("memory", "bypass", "arithmetic")


def roofs() -> Programs:
    install("clang-22", "libomp-22-dev")
    library = compile_library(
        "roofs", "clang++-22", "cpu_roofs.cpp", "-ffp-contract=fast"
    )
    return {way: Program(("roof", library, way), OPENMP) for way in ROOFS}


class Process:
    """A peer's process, which answers requests."""

    def __init__(self, name: str, program: Program) -> None:
        self.name = name
        self._program = program
        self._start()

    def _start(self) -> None:
        self._messages = BUILD / f"{self.name}.log"
        with self._messages.open("w") as messages:
            self._process = subprocess.Popen(
                [self._program.python, WORKER, *self._program.arguments],
                env={**os.environ, **self._program.environment},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=messages,
                text=True,
            )
        answer = self._read()
        if "error" in answer:
            raise AbsentError(answer["error"])
        self.version: str = answer["version"]

    def ask(self, request: str, **details: Any) -> dict[str, Any]:
        """The answer, which has `error` if the process ended instead."""
        assert self._process.stdin
        try:
            self._process.stdin.write(
                json.dumps({"do": request, **details}) + "\n"
            )
            self._process.stdin.flush()
        except BrokenPipeError:
            return {"error": "the process had ended"}
        return self._read()

    def restart(self) -> None:
        """Another process, if this one has ended: kernels may be its end."""
        if self._process.poll() is not None:
            self._start()

    def close(self) -> None:
        assert self._process.stdin
        # One that has ended does not read what is left.
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.close()
        self._process.wait()

    def _read(self) -> dict[str, Any]:
        assert self._process.stdout
        line = self._process.stdout.readline()
        if line:
            answer: dict[str, Any] = json.loads(line)
            return answer
        code = self._process.wait()
        said = self._messages.read_text().strip().splitlines() or [""]
        return {"error": f"the process ended with {code}: {said[-1]}"}
