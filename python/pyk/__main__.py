# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`python -m pyk [options] program.py [arguments]`, and what is installed.

Runs a Numba CUDA program with PyK; `-` is one on standard input, `-m` names a
module. A wheel has
this in the place of the tools pyk-run and pyk-opt. Exit status: that of the
program, 1 if a kernel does not compile or the program fails, 2 for a usage
error.
"""

from __future__ import annotations

import atexit
import errno
import os
import sys
from collections.abc import Callable
from io import RawIOBase

import pyk
from pyk import _core
from pyk._errors import CompileError
from pyk._options import (
    ARTIFACT,
    CPU_LEVELS,
    CPUS,
    STAGES,
    TARGETS,
    kinds_of,
    options,
)
from pyk._program import report, run, run_module
from pyk.cuda._compile import emit_modules, report_times

USAGE = """\
usage: python -m pyk [options] program.py|- [arguments]
       python -m pyk [options] -m module [arguments]

Runs a Python program whose GPU kernels PyK compiles; `numba` means PyK in it.
Options stand before the program; what follows it belongs to it.

  {targets:<22}  device to run on
  --emit=STAGE            write what all kernels became to standard output,
                          and the program's own output to standard error;
                          stages: {stages}
  -o FILE                 write that to FILE instead
  --chip=sm_90            compute capability to make PTX for
  {cpus:<22}  how kernels run on the CPU
  --cpu-level=LEVEL       least processor that --emit writes code for:
                          {levels}
  --assume=KINDS          what kernels take for granted, for launches to check:
                          none, launch, or of {kinds} any
                          joined by commas; by default launch, and none for
                          --emit
  --dump-stages=DIR       write every stage of each kernel to DIR/KERNEL
  --check-bounds          let indices that are out of bounds raise IndexError
  --explain               say how kernels run, and what is slow in them, on
                          standard error; of what --emit writes if that is
                          for another device
  --compare               run each launch as vectors, one thread after the
                          other, in reverse and, where the PTX machine is
                          built, as PTX; raise an error if results differ
  --time                  report compile and launch times on standard error
  --reproduce             print a pyk-opt command for each kernel that makes
                          the code that ran, or that of --emit, on standard
                          error
  --reproducible          compute the same bits on all targets
  --version, -V; --help, -h
"""

#: Options that take a value, and what it may be.
_VALUES: dict[str, tuple[str, ...] | None] = {
    "--target": TARGETS,
    "--emit": (*STAGES, ARTIFACT),
    "-o": None,
    "--chip": None,
    "--assume": None,
    "--cpu": CPUS,
    "--cpu-level": CPU_LEVELS,
    "--dump-stages": None,
    "-m": None,
}


#: Options without a value.
_FLAGS = (
    "--check-bounds",
    "--explain",
    "--compare",
    "--time",
    "--reproduce",
    "--reproducible",
    "--version",
    "--help",
)

#: Options that say what becomes of kernels, of which --compare has many.
_WITHOUT_COMPARISON = {
    "--dump-stages",
    "--emit",
    "--explain",
    "--reproduce",
    "--time",
}

#: Other names of options.
_ALIASES = {"-V": "--version", "-h": "--help"}

#: Options that pyk-run has for .mlir files alone.
_MLIR_ONLY = (
    "--kernel",
    "--grid",
    "--block",
    "--shared-bytes",
    "--arg",
    "--print",
    "--print-all",
    "--save",
    "--repeat",
    "--no-fma",
)


class UsageError(Exception):
    """A command line that cannot be."""


def _unknown_option(name: str) -> UsageError:
    if name in _MLIR_ONLY:
        return UsageError(
            f"option {name} is for .mlir files only; a program launches its "
            "own kernels"
        )
    # Only what goes wrong needs it.
    import difflib

    known = [*_VALUES, *_FLAGS]
    near = difflib.get_close_matches(name, known, 1, 0.8)
    hint = f"; did you mean '{near[0]}'?" if near else ""
    return UsageError(f"unknown option '{name}'{hint}")


def _check_value(name: str, value: str) -> None:
    if not value:
        raise UsageError(f"option {name} expects a value")
    if (name, value) == ("--emit", "cubin"):
        raise UsageError("option --emit=cubin is for .mlir files only")
    choices = _VALUES[name]
    if choices is not None and value not in choices:
        raise UsageError(
            f"option {name} expects one of {', '.join(choices)} but got "
            f"'{value}'"
        )


def _parse(arguments: list[str]) -> tuple[dict[str, str], list[str]]:
    """Splits options from the program and its arguments."""
    found: dict[str, str] = {}
    rest = list(arguments)
    while rest and rest[0].startswith("-") and rest[0] != "-":
        argument = rest.pop(0)
        if argument == "--":
            break
        name, equals, value = argument.partition("=")
        name = _ALIASES.get(name, name)
        if name in _VALUES:
            if not equals:
                if not rest:
                    raise UsageError(f"option {name} expects a value")
                value = rest.pop(0)
            _check_value(name, value)
        elif name not in _FLAGS:
            raise _unknown_option(name)
        elif equals:
            raise UsageError(
                f"option {name} expects no value but got '{value}'"
            )
        found[name] = value
        if name == "-m":
            break
    return found, rest


def _open_output(path: str | None) -> RawIOBase:
    """Where emitted text goes: `path`, or what was standard output."""
    if path is not None:
        try:
            return open(path, "wb", buffering=0)
        except OSError as error:
            raise UsageError(
                f"cannot write '{path}': {error.strerror}"
            ) from None
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
        emitted = os.dup(1)
    except OSError as error:
        raise _cannot_write(None, error) from None
    # At the level of file descriptors, so that what kernels print moves too.
    os.dup2(2, 1)
    return open(emitted, "wb", buffering=0)


def _cannot_write(path: str | None, error: OSError) -> CompileError:
    where = "standard output" if path is None else f"'{path}'"
    return CompileError(
        f"pyk-run: error: cannot write {where}: {error.strerror}"
    )


def _writer(path: str | None) -> Callable[[str | bytes], None]:
    """What writes emitted text, or an artifact."""
    output = _open_output(path)

    def write(what: str | bytes) -> None:
        if isinstance(what, str):
            what = what.rstrip("\n").encode() + b"\n"
        rest = memoryview(what)
        try:
            # Unbuffered, so that nothing can fail later.
            while rest:
                rest = rest[output.write(rest) :]
        except OSError as error:
            raise _cannot_write(path, error) from None

    return write


def _print(text: str) -> None:
    """Writes `text` to standard output, which nothing has been written to."""
    rest = memoryview(text.encode() + b"\n")
    try:
        while rest:
            rest = rest[os.write(1, rest) :]
    except OSError as error:
        raise _cannot_write(None, error) from None


def _check_chip(chip: str) -> None:
    try:
        _core.check_chip(chip)
    except ValueError as error:
        raise UsageError(f"option --chip {error}") from None


def _make_folder(path: str) -> None:
    """Makes the folder of --dump-stages, before work is lost for want of it."""
    try:
        os.makedirs(path, exist_ok=True)
        if not os.access(path, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except OSError as error:
        raise UsageError(
            "option --dump-stages expects a folder to write to but got "
            f"'{path}': {error.strerror}"
        ) from None


def _read(path: str) -> bytes:
    """The text of the program."""
    try:
        if path == "-" and sys.stdin is not None:
            return sys.stdin.buffer.read()
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise UsageError(f"cannot read '{path}': {error.strerror}") from None


def _program_of(words: list[str]) -> bytes:
    """The text of the program whose command line `words` is."""
    if not words:
        raise UsageError("expects a program; see --help")
    path = words[0]
    if path.endswith(".mlir"):
        raise UsageError(
            f"expects a Python program but got '{path}'; pyk-run runs a "
            "kernel in MLIR"
        )
    return _read(path)


def _check_assume(words: str) -> None:
    try:
        kinds_of(words)
    except ValueError as error:
        raise UsageError(f"option --{error}") from None


def _configure(found: dict[str, str]) -> None:
    options.target = found.get("--target", options.target)
    options.cpu = found.get("--cpu", options.cpu)
    options.cpu_level = found.get("--cpu-level", options.cpu_level)
    options.assume = found.get("--assume", options.assume)
    if "--assume" in found:
        _check_assume(found["--assume"])
    options.chip = found.get("--chip")
    if options.chip is not None:
        _check_chip(options.chip)
    options.dump_stages = found.get("--dump-stages")
    if options.dump_stages is not None:
        _make_folder(options.dump_stages)
    if "--check-bounds" in found:
        options.bounds = "index"
    options.explain = "--explain" in found
    options.time = "--time" in found
    options.reproduce = "--reproduce" in found
    if "--reproducible" in found:
        options.reproducible = True
    options.emit = found.get("--emit")
    if "-o" in found and options.emit is None:
        raise UsageError("option -o expects --emit=STAGE as well")
    if "--cpu-level" in found and options.emit is None:
        raise UsageError("option --cpu-level expects --emit=STAGE as well")
    if options.emit == ARTIFACT and "-o" not in found and os.isatty(1):
        raise UsageError(
            "option --emit=artifact writes bytes that a terminal cannot show; "
            "use -o FILE as well"
        )
    if options.emit is not None:
        options.write = _writer(found.get("-o"))
    if "--compare" in found:
        others = _WITHOUT_COMPARISON & found.keys()
        if others:
            raise UsageError(f"option --compare does not go with {min(others)}")
        options.compare = True
    elif _WITHOUT_COMPARISON & found.keys():
        # PYK_COMPARE is for all programs, these options for this one.
        options.compare = False
    _core.observe_launches(options.time or options.compare)
    if options.time:
        atexit.register(report_times)


def main(arguments: list[str]) -> int:
    """Runs the command line; gives the exit status."""
    try:
        found, rest = _parse(arguments)
        if "--help" in found:
            targets = f"--target={'|'.join(TARGETS)}"
            stages = ", ".join((*STAGES, ARTIFACT))
            cpus = f"--cpu={'|'.join(CPUS)}"
            usage = USAGE.format(
                targets=targets,
                stages=stages,
                cpus=cpus,
                levels=" or ".join(CPU_LEVELS),
                kinds=", ".join(kinds_of("launch")),
            )
            _print(usage.rstrip())
            return 0
        if "--version" in found:
            _print(f"pyk {pyk.__version__}")
            return 0
        source = None if "-m" in found else _program_of(rest)
        _configure(found)
    except UsageError as error:
        report(f"pyk-run: error: {error}")
        return 2
    except CompileError as error:
        report(str(error))
        return 1
    try:
        if source is None:
            status = run_module(found["-m"], rest)
        else:
            status = run(rest[0], source, rest[1:])
    except SystemExit as exit:
        if _emit() and exit.code in (None, 0):
            return 1
        raise
    return _emit() or status


def _emit() -> int:
    """Writes what --emit asks for; gives the exit status."""
    try:
        emit_modules()
    except CompileError as error:
        report(str(error))
        return 1
    return 0


def pyk_run() -> int:
    """What `pyk-run` of a wheel does: a Python program, or a kernel in MLIR."""
    words = sys.argv[1:]
    return main(words) if _core.is_python(words) else _core.pyk_run(words)


def pyk_opt() -> int:
    """What `pyk-opt` of a wheel does."""
    return _core.pyk_opt(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
