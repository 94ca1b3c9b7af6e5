# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From a decorated function and argument types to a kernel that can run.

Also keeps what `python -m pyk` reports: the text of a stage, the commands
that reproduce a compilation, and times.
"""

from __future__ import annotations

import functools
import os
import re
import shlex
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from pyk import _failures
from pyk._errors import PACKAGE, CompileError
from pyk._frontend import _build
from pyk._functions import Compilable
from pyk._options import ARTIFACT, STAGES, kinds_of, options
from pyk.cuda import _devices, _modules
from pyk.cuda._arrays import DeviceNDArray, as_cuda_array
from pyk.cuda._devices import Device

if TYPE_CHECKING:
    from pyk._core import Module

#: What happened, in order: (what, kernel, milliseconds).
times: list[tuple[str, str, float]] = []

#: The kernels that `emit_modules` is for.
_collector = _modules.Collector()
_lock = threading.Lock()

#: Names that `_unique` gave out.
_taken: set[str] = set()

#: Remarks that were printed.
_told: set[str] = set()

#: Folder for the files that printed commands name, once there is one.
_scratch: str | None = None


def _unique(name: str) -> str:
    """A name for the files of one compilation of the kernel `name`."""
    # A lambda has brackets in its name.
    plain = re.sub(r"\W", "_", name)
    unique = plain
    count = 1
    while unique in _taken:
        count += 1
        unique = f"{plain}-{count}"
    _taken.add(unique)
    return unique


def _save(text: str, name: str, folder: str | None = None) -> str:
    """Writes stage py of a kernel to a file that stays; gives its path.

    It is put beside the stages in `folder`, if there is one.
    """
    global _scratch
    if folder is not None:
        path = os.path.join(folder, "reproduce.mlir")
    else:
        if _scratch is None:
            _scratch = tempfile.mkdtemp(prefix="pyk-")
        path = os.path.join(_scratch, f"{name}.mlir")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


class Source(NamedTuple):
    """A kernel for arguments of some types, with globals as they were."""

    #: What `_core.compile` takes.
    text: bytes
    #: What its functions raise.
    exceptions: list[_failures.ExceptionCall]
    #: Arrays whose addresses are in it.
    held: list[DeviceNDArray]
    #: What it is linked with on a GPU.
    link: list[object]


class _Host(_build.Host):
    """The current device, which PTX alone does not need."""

    def __init__(self) -> None:
        self.held: list[DeviceNDArray] = []

    @property
    def is_cpu(self) -> bool:
        return _devices.current().is_cpu

    def memory_of(self, value: object) -> np.ndarray[Any, Any]:
        array = as_cuda_array(value)
        self.held.append(array)
        return array._meta()


def read(
    function: Compilable,
    arguments: Sequence[str],
    buffer_options: dict[str, Any],
) -> Source:
    """What all variants of a kernel are compiled from."""
    exceptions: list[_failures.ExceptionCall] = []
    host = _Host()
    link: list[object] = list(buffer_options.get("link") or ())
    # What other code calls can tell nobody, whatever options it has.
    is_heard = bool(buffer_options.get("debug")) or "export" in buffer_options
    text = _build.build(
        function,
        arguments,
        buffer_options,
        exceptions if is_heard else None,
        link,
        host,
    )
    return Source(text, exceptions, host.held, link)


def _prepare(
    function: Compilable,
    source: Source,
    buffer_options: dict[str, Any],
    assume: str,
) -> functools.partial[Module]:
    """`_core.compile` with what all compilations of one kernel share."""
    from pyk import _core

    debug = bool(buffer_options.get("debug"))
    given: dict[str, bool | str] = {
        "assume": assume,
        "fma": buffer_options.get("fma") is not False,
        "reproducible": bool(
            buffer_options.get("reproducible", options.reproducible)
        ),
        "check-bounds": bounds_of(buffer_options) == "index",
        "report-errors": debug,
        "cpu": cpu_form(buffer_options),
        "tile": options.tile,
        "opt": str(buffer_options.get("opt", 0 if debug else 3)),
        "debug-info": _describe_program(buffer_options),
    }
    return functools.partial(
        _core.compile,
        source=source.text,
        source_name=f"<{function.py_func.__name__}>",
        options=given,
    )


def cpu_form(buffer_options: dict[str, Any]) -> str:
    """How a kernel runs on the CPU, one of CPUS.

    Comparisons have kernels with a form of their own.
    """
    return str(buffer_options.get("cpu", options.cpu))


def bounds_of(buffer_options: dict[str, Any]) -> str:
    """Which accesses of a kernel are checked, one of BOUNDS."""
    asked = buffer_options.get("boundscheck")
    if asked is not None:
        return "index" if asked else "off"
    return "index" if buffer_options.get("debug") else options.bounds


def _reproducible_text(compile_for: functools.partial[Module]) -> str:
    """Stage py of a kernel, from which the same code can be made.

    It has the lines of the program, which messages of checks name.
    """
    if compile_for.keywords["options"]["debug-info"] == "none":
        compile_for = _with(compile_for, "debug-info", "lines")
    return compile_for(target=None, emit="py").emitted


def _describe_program(buffer_options: dict[str, Any]) -> str:
    """What code for a GPU says of the program."""
    if buffer_options.get("debug"):
        return "full"
    return "lines" if buffer_options.get("lineinfo") else "none"


def _with(
    compile_for: functools.partial[Module], name: str, value: bool | str
) -> functools.partial[Module]:
    """The same with another value of an option."""
    given = {**compile_for.keywords["options"], name: value}
    return functools.partial(compile_for, options=given)


def kinds_to_assume(buffer_options: dict[str, Any]) -> tuple[str, ...]:
    """What a kernel takes for granted of its launches, by default all."""
    asked = buffer_options.get("assume", options.assume)
    return kinds_of("launch" if asked is None else asked)


def _assumed_unchecked(buffer_options: dict[str, Any]) -> str:
    """What code takes for granted that others launch: nothing, by default."""
    asked = buffer_options.get("assume", options.assume)
    return "none" if asked is None else str(asked)


def _for_chip(
    compile_for: functools.partial[Module], chip: str | None
) -> functools.partial[Module]:
    """The same for a chip; None leaves it to the compiler."""
    if chip is None:
        return compile_for
    return _with(compile_for, "chip", chip)


def _for_blocks(
    compile_for: functools.partial[Module], block: tuple[int, int, int] | None
) -> functools.partial[Module]:
    """The same for blocks of a shape; None stands for any.

    PTX runs blocks of any shape all the same, but remarks on it need one.
    """
    if block is None:
        return compile_for
    return _with(compile_for, "block", "x".join(map(str, block)))


def stage_text(
    function: Compilable,
    arguments: Sequence[str],
    buffer_options: dict[str, Any],
    stage: str,
    chip: str | None = None,
) -> str:
    """The text of a stage, of a kernel for arguments of the given types.

    `chip` is what PTX is made for; None leaves it to the compiler.
    """
    assume = _assumed_unchecked(buffer_options)
    source = read(function, arguments, buffer_options)
    compile_for = _prepare(function, source, buffer_options, assume)
    return _for_chip(compile_for, chip)(target=None, emit=stage).emitted


def check(
    function: Compilable,
    arguments: Sequence[str],
    buffer_options: dict[str, Any],
    sources: dict[Any, Source],
) -> None:
    """Raises the errors of `function` without making code of it.

    Its source is put into `sources`, so that what is compiled later has the
    globals of now.
    """
    source = read(function, arguments, buffer_options)
    assume = ",".join(kinds_to_assume(buffer_options)) or "none"
    _prepare(function, source, buffer_options, assume)(target=None, emit="gpu")
    sources[arguments] = source


def is_written() -> bool:
    """Whether the code of each kernel is written out, launched or not."""
    return bool(options.emit or options.dump_stages)


def compile_kernel(
    function: Compilable,
    arguments: Sequence[str],
    buffer_options: dict[str, Any],
    device: Device,
    kinds: tuple[str, ...],
    block: tuple[int, int, int] | None,
    is_first: bool,
    sources: dict[Any, Source],
) -> Module:
    """Compiles `function` for arguments of the given types and a device.

    Its source is that of `sources`, where it is put if there is none yet.
    `kinds` and `block`, the shape of its blocks, are what it takes for granted
    of its launches; what is emitted is emitted of the first variant.
    """
    start = time.perf_counter()
    name = function.py_func.__name__
    source = sources.get(arguments)
    if source is None:
        source = read(function, arguments, buffer_options)
    compile_for = _prepare(
        function, source, buffer_options, ",".join(kinds) or "none"
    )
    unique = _unique(name)
    folder = options.dump_stages
    if folder is not None:
        folder = os.path.join(folder, unique)
    target, chip = ("cpu", None) if device.is_cpu else ("cuda", device.chip)
    compile_here = compile_for
    if device.is_cpu and buffer_options.get("debug"):
        # No debugger looks at code for the CPU, which raises what it raises
        # however much it is optimized.
        compile_here = _with(compile_here, "debug-info", "none")
        level = str(buffer_options.get("opt", 3))
        compile_here = _with(compile_here, "opt", level)
    if device.is_cpu and bounds_of(buffer_options) != "off":
        compile_here = _with(compile_here, "check-memory", True)
    compile_here = _for_blocks(compile_here, block)
    # A stage of the CPU's own is shown as it runs, with checks and for the
    # shape of its blocks.
    if device.is_cpu and _emitted_for() == "cpu":
        compile_for = compile_here
    kernel = _for_chip(compile_here, chip or options.chip)(
        target=target, dump_stages=folder, explain=_explains(target)
    )
    if options.emit is not None and is_first:
        # An artifact is for the device, a stage for whoever reads it.
        compile_for = _with(
            compile_here if options.emit == ARTIFACT else compile_for,
            "assume",
            _assumed_unchecked(buffer_options),
        )
        compile_for = _with(compile_for, "cpu-level", options.cpu_level)
        explain = options.explain and not _explains(target)
        compile_for = _for_blocks(compile_for, block if explain else None)
        # For PTX the user may name another chip than the device's.
        inputs = dict(_for_chip(compile_for, options.chip or chip).keywords)
        inputs["source"] = _portable(source.text)
        # A stage is written of all kernels, wherever they ran.
        loaded_by = target if options.emit == ARTIFACT else None
        with _lock:
            _collector.add(**inputs, target=loaded_by, explain=explain)
    kernel.describe = _failures.describer(kernel.manifest, source.exceptions)
    kernel.held = source.held
    kernel.link = source.link
    sources[arguments] = source
    # The command of what is emitted comes with that.
    if options.reproduce and options.emit is None:
        text = _reproducible_text(compile_here)
        _print_command(kernel, name, _save(text, unique, folder))
    if options.time:
        elapsed = (time.perf_counter() - start) * 1e3
        if not is_first:
            name += _variant_name(kernel, kinds, block)
        times.append(("compile", name, elapsed))
    return kernel


def tell_of_launch(
    function: Compilable,
    buffer_options: dict[str, Any],
    remarks: list[str],
    block: tuple[int, int, int],
    reason: str | None,
) -> None:
    """Prints how a launch runs: the remarks on its code, and the rest.

    `reason` says why the shape of its blocks keeps it from vectors; None if
    that does not.
    """
    code = function.py_func.__code__
    place = f"{code.co_filename}:{code.co_firstlineno}: remark: "
    told = list(remarks)
    if reason is not None:
        told.append(
            f"{place}kernel '{function.py_func.__name__}' does not run blocks "
            f"of {' x '.join(map(str, block))} threads as vectors: {reason}"
        )
    if buffer_options.get("cache"):
        told.append(
            f"{place}cache=True changes nothing: each process compiles its "
            "kernels"
        )
    _tell(told)


def _variant_name(
    kernel: Module, kinds: tuple[str, ...], block: tuple[int, int, int] | None
) -> str:
    """What one variant of a kernel has that others have not."""
    name = f", assuming {', '.join(kinds) or 'nothing'}"
    if kernel.has_block_shape and block is not None:
        name += f", blocks of {' x '.join(map(str, block))}"
    return name


def _emitted_for() -> str | None:
    """The target whose own the emitted stage is, if there is one."""
    return STAGES.get(options.emit or "")


def _explains(target: str) -> bool:
    """Whether to explain what is compiled for `target`, to be launched."""
    return options.explain and _emitted_for() in (None, target)


def _tell(remarks: list[str]) -> None:
    """Prints remarks, those that other variants had too once.

    What is slow in PyK's own kernels nobody can change.
    """
    with _lock:
        for remark in remarks:
            if remark not in _told and not remark.startswith(PACKAGE):
                _told.add(remark)
                print(remark, file=sys.stderr)


def _print_command(module: Module, name: str, path: str) -> None:
    """What makes the same of the file `path` as was made of `<name>`."""
    command = module.reproduce.replace(f"<{name}>", shlex.quote(path), 1)
    print(command, file=sys.stderr)


def emit_modules() -> None:
    """Writes what `--emit` asks for, of all kernels that were compiled.

    Those that are compiled alike are one module.
    """
    from pyk import _core

    if options.emit is None:
        return
    with _lock:
        modules = list(_collector.modules())
    stage = None if options.emit == ARTIFACT else options.emit
    if stage is None:
        _check_artifact(modules)
    for module in modules:
        target = module.pop("target")
        if options.reproduce and stage is not None:
            # The command goes on behind the stage, to PTX if all targets have
            # that.
            target = STAGES[stage] or "cuda"
        compiled = _core.compile(target=target, emit=stage, **module)
        _tell(compiled.remarks)
        options.write(compiled.artifact if stage is None else compiled.emitted)
        if options.reproduce:
            compile_again = functools.partial(_core.compile, **module)
            text = _reproducible_text(compile_again)
            name = module["source_name"].strip("<>")
            _print_command(compiled, name, _save(text, _unique(name)))


def _portable(text: bytes) -> bytes:
    """A buffer without addresses of functions of this process."""
    # Captured arrays have addresses, too, and keep them.
    found = re.sub(rb'("foreign":\{[^{}]*),"address":"[0-9]+"', rb"\1", text)
    if options.emit == ARTIFACT and found != text:
        raise CompileError(
            "pyk-run: error: cannot write an artifact: it would hold the "
            "address of a function of a shared library, which no other process "
            "has; give cuda.declare_device a Python function, cpu=..., instead"
        )
    return found


def _check_artifact(modules: list[dict[str, Any]]) -> None:
    """Refuses what is not one artifact."""
    if len(modules) == 1:
        return
    if not modules:
        problem = "the program compiled no kernel; launch those it should have"
    else:
        problem = (
            f"the program's kernels were compiled in {len(modules)} ways; let "
            "all run on one device, with the same options"
        )
    raise CompileError(f"pyk-run: error: cannot write an artifact: {problem}")


def infer_result(
    function: Compilable,
    arguments: Sequence[str],
    buffer_options: dict[str, Any] | None = None,
) -> str:
    """The type that `function` returns for arguments of the given types."""
    from pyk import _core

    # Whoever compiles it is told of exceptions that nobody will hear of.
    source = _build.build(function, arguments, buffer_options, [], host=_Host())
    name = f"<{function.py_func.__name__}>"
    return _core.infer_result(source=source, source_name=name)


def report_times() -> None:
    """Writes what `--time` asks for to stderr."""
    totals: dict[tuple[str, str], list[float]] = {}
    for what, name, elapsed in times:
        totals.setdefault((what, name), []).append(elapsed)
    for (what, name), values in totals.items():
        count = len(values)
        unit = "time" if count == 1 else "times"
        print(
            f"{what:<8} {name}: {sum(values):.3f} ms ({count} {unit}, "
            f"shortest {min(values):.3f} ms)",
            file=sys.stderr,
        )
