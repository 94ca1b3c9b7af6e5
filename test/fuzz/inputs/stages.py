# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Damages files of each stage: `python -m inputs.stages FIRST LAST`.

A file that the compiler takes is compiled as vectors, as threads one after the
other and for a GPU, and what it computes both ways on the CPU must be the same.
Files of later stages go through the passes and translations behind them.
"""

import contextlib
import functools
import random
import re
import resource
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import numpy as np

from pyk import CompileError, _core, cuda
from pyk._frontend import _build
from pyk.cuda import _devices
from pyk.cuda.cudadrv.driver import CudaAPIError

from . import stage_kernels, structure, worker

sys.path.append(str(Path(__file__).parents[2] / "python"))

from support.guarded_memory import GuardedCopies  # noqa: E402

TOOLS = Path(_core.__file__).resolve().parents[2] / "bin"
#: Stages that the compiler itself takes.
TAKEN = ("py", "pyk", "gpu", "checked")
#: What is done with files of later stages: a tool and its options.
PIPELINES = {
    "simd": "pyk-opt --canonicalize --pyk-lower-to-host",
    "nvvm": "pyk-test-translate --pyk-to-ptx",
    "threads": "pyk-test-translate --pyk-to-llvmir",
    "host": "pyk-test-translate --pyk-to-llvmir",
}
STAGES = ["py", "pyk", "gpu", "checked", "simd", "nvvm", "threads", "host"]
#: How often each is damaged: attributes are what passes of the CPU tell each
#: other from stage gpu on.
WEIGHTS = [2, 3, 5, 4, 4, 1, 1, 1]
#: Of processor time, for a tool.
SECONDS = 20
WAYS = ("reference", "simd")
#: Bytes of shared memory that are filled: more than any of the kernels has.
SHARED = 32768


@functools.cache
def files_of(kernel, is_generic):
    """The text of each stage of a kernel, by the stage's name."""
    launch = stage_kernels.LAUNCHES[kernel]
    key = kernel._parameters.key(launch.make_arguments())
    source = _build.build(kernel, key, kernel._buffer_options)
    options = {"check-memory": True, "cpu": "simd", "block": shape_of(launch)}
    files = {}
    with tempfile.TemporaryDirectory() as folder:
        _core.compile(
            source=source, target="cpu", dump_stages=folder, options=options
        )
        for path in Path(folder).glob("*.mlir"):
            files[path.stem.partition("-")[2]] = path.read_text()
    if is_generic:
        return {stage: in_generic_form(text) for stage, text in files.items()}
    return files


def in_generic_form(text):
    """The text with each operation's attributes and types spelled out."""
    command = [TOOLS / "pyk-opt", "--mlir-print-op-generic"]
    done = subprocess.run(
        command, input=text, capture_output=True, text=True, check=True
    )
    return done.stdout


def shape_of(launch):
    return "x".join(map(str, launch.block))


def damaged(seed):
    """(kernel, stage, text, what was done, by which forms) of a seed."""
    source = random.Random(seed)
    kernels = list(stage_kernels.LAUNCHES)
    kernel, other = source.choice(kernels), source.choice(kernels)
    (stage,) = source.choices(STAGES, WEIGHTS)
    is_generic = source.random() < 0.4
    text = files_of(kernel, is_generic)[stage]
    donor = files_of(other, is_generic)[source.choice(STAGES[:5])]
    return kernel, stage, *structure.damage(text, source, donor)


def compiled(text, way, launch):
    """The module of a file; None if it is refused."""
    options = {"check-memory": True, "cpu": way}
    if way == "simd":
        options["block"] = shape_of(launch)
    try:
        return _core.compile(
            source=text, source_name="<file>", target="cpu", options=options
        )
    except CompileError as error:
        if not str(error).strip():
            raise RuntimeError("it is refused without a message") from error
        return None


def launched(module, launch, at_page):
    """(arrays that a module leaves, what it overwrites); None if it fails."""
    copies = GuardedCopies(launch.make_arguments(), at_page)
    names = [f"argument {n}" for n in range(len(copies.arguments))]
    device = _devices.activate()
    try:
        function = module.load(device._core)
        launcher = _core.Dispatcher()._launcher(
            launch.grid, launch.block, None, 0
        )
        launcher._run(function, tuple(copies.arguments))
        device._core.synchronize()
    except (CudaAPIError, TypeError, ValueError, IndexError):
        return None
    arrays = [copies.arguments[n] for n in launch.written]
    return arrays, copies.overwritten(names)


def compare(text, launch, seed, is_checked):
    """What becomes of a file, compiled and run: (outcome, what is wrong).

    One whose accesses nothing checks is only compiled: what it does outside of
    its arrays is undefined.
    """
    with contextlib.suppress(CompileError):
        _core.compile(source=text, source_name="<file>", emit="ptx")
    modules = [compiled(text, way, launch) for way in WAYS]
    if None in modules:
        return "refused", None
    if not is_checked:
        return "compiled", None
    worker.say(launched=True)
    found = [launched(m, launch, seed % 2 == 1) for m in modules]
    if None in found:
        return "compiled", None
    for way, (_, wrong) in zip(WAYS, found, strict=True):
        if wrong:
            return "compared", f"{wrong}, run as {way}"
    for number, one, other in zip(
        launch.written, found[0][0], found[1][0], strict=True
    ):
        if same(one, other):
            continue
        if not is_determinate(modules[0], launch):
            return "undefined", None
        return "compared", f"argument {number} differs"
    return "compared", None


def same(one, other):
    """Whether two arrays are equal; all NaNs are."""
    return np.array_equal(one, other, equal_nan=one.dtype.kind in "fc")


@cuda.jit
def fill_shared(value):
    """Fills the shared memory that later kernels find."""
    everything = cuda.shared.array(0, np.uint8)
    for i in range(everything.size):
        everything[i] = value


def is_determinate(module, launch):
    """Whether what a module leaves is the same whatever it finds in shared
    memory: a damaged kernel may not initialize what it reads there.
    """
    found = []
    for value in (0x11, 0xEE):
        fill_shared[64, 1, 0, SHARED](value)
        found.append(launched(module, launch, False)[0])
    return all(map(same, *found))


def limit():
    """The limits of a tool."""
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run_tool(command, text):
    """What a tool makes of a file: (outcome, what is wrong)."""
    if not command.startswith("pyk-opt"):
        # The translation has only MLIR's own parser.
        outcome, wrong = run_tool("pyk-opt", text)
        if outcome != "lowered":
            return outcome, wrong
    name, *options = command.split()
    done = subprocess.run(
        [TOOLS / name, *options],
        input=text,
        capture_output=True,
        text=True,
        preexec_fn=limit,
    )
    said = done.stderr
    if done.returncode < 0 or "Stack dump" in said or done.returncode > 1:
        return "crashed", f"{command}: {crash_of(done.returncode, said)}"
    if done.returncode == 0:
        return "lowered", None
    if "error:" not in said:
        return "refused", f"{command} fails without a message: {said[-300:]}"
    return "refused", None


def crash_of(status, said):
    """How a tool ended, with the first functions of ours in its stack."""
    places = re.findall(r"(?:pyk|mlir|llvm)::[\w:~<>]+", said)
    lines = [line for line in said.splitlines() if "LLVM ERROR" in line]
    return f"status {status} {' '.join(lines)} {' < '.join(places[:6])}"


def judge(seed):
    """(stage, outcome, text if something is wrong)."""
    kernel, stage, text, done, forms = damaged(seed)
    done = f"stage {stage} of {kernel.__name__}: {done}"
    worker.say(note=done)
    launch = stage_kernels.LAUNCHES[kernel]
    if stage in TAKEN:
        # Stage checked has no checks where extents of arrays prove them.
        is_checked = "drop pyk.guarded" not in done and not (
            stage == "checked" and "shape" in forms
        )
        outcome, wrong = compare(text, launch, seed, is_checked)
    else:
        outcome, wrong = run_tool(PIPELINES[stage], text)
    return stage, outcome, wrong and f"{done}: {wrong}"


def main(first, last):
    warnings.simplefilter("ignore")
    worker.run(judge, first, last)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
