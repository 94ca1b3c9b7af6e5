# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The commands that `--reproduce` prints, and the files that they name.

Each must make the PTX that `--emit=ptx` prints, or what the CPU runs, byte for
byte: whatever a compilation depends on has to be in the text of stage py or in
the command.
"""

import os
import subprocess
import sys

import pytest

from support.places import EXAMPLES
from support.programs import TOOLS


@pytest.fixture
def run(tmp_path):
    """Runs `python -m pyk`, whose temporary files are in tmp_path."""

    def run(*arguments):
        return subprocess.run(
            [sys.executable, "-m", "pyk", *map(str, arguments)],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "TMPDIR": str(tmp_path)},
        )

    return run


def repeat(commands):
    """What the printed commands write to standard output."""
    path = f"{TOOLS}{os.pathsep}{os.environ['PATH']}"
    return "".join(
        subprocess.run(
            command,
            shell=True,
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PATH": path},
        ).stdout
        for command in commands
    )


def commands_of(result):
    lines = result.stderr.splitlines()
    return [line for line in lines if line.startswith("pyk-opt ")]


@pytest.mark.parametrize(
    "example", sorted(EXAMPLES.glob("[0-9]*.py")), ids=lambda path: path.stem
)
def test_command_makes_the_same_ptx(run, tmp_path, example):
    ptx = tmp_path / "ptx"
    result = run(
        *("--emit=ptx", "--chip=sm_90", "--reproduce", "-o", ptx, example)
    )
    commands = commands_of(result)
    assert commands
    assert repeat(commands) == ptx.read_text()


TWO_KERNELS = """
import numpy as np
from numba import cuda

@cuda.jit(fastmath=False)
def scale(a, by):
    a[0] = a[0] * by + by

@cuda.jit
def other(a):
    a[0] = 1

a = np.zeros(1, np.float32)
scale[1, 1](a, 2)
scale[1, 1](a, 2.0)
other[1, 1](a)
"""


def test_commands_name_files_in_the_folder_of_stages(run, tmp_path):
    program = tmp_path / "it's a program.py"
    program.write_text(TWO_KERNELS)
    stages = tmp_path / "all stages"
    result = run(
        "--reproduce", "--cpu=auto", f"--dump-stages={stages}", program
    )
    folders = sorted(path.name for path in stages.iterdir())
    assert folders == ["other", "scale", "scale-2"]
    commands = commands_of(result)
    assert len(commands) == 3
    for command, folder in zip(
        commands, ["scale", "scale-2", "other"], strict=True
    ):
        assert f"{stages}/{folder}/reproduce.mlir" in command
        # A block of one thread is no vector.
        code = (stages / folder / "10-threads.mlir").read_text()
        assert command.endswith(" -o /dev/null")
        printed = repeat([command.removesuffix(" -o /dev/null")])
        # pyk-opt ends its output with a line of its own.
        assert printed == code + "\n"


VECTORS = """
import numpy as np
from pyk import cuda

@cuda.jit
def scale(a, n):
    i = cuda.grid(1)
    if i < n:
        a[i + 1] = a[i] * 2

scale[2, 32](np.ones(64, np.float32), 63)
"""

#: The stage that a launch makes on the CPU.
LAUNCHED = [("simd", "host"), ("reference", "threads")]


@pytest.mark.parametrize(
    ("cpu", "stage", "checks"),
    [
        *((cpu, stage, []) for cpu, stage in LAUNCHED),
        # What raises does not run as vectors.
        ("simd", "threads", ["--check-bounds"]),
    ],
)
def test_command_makes_what_ran(run, tmp_path, cpu, stage, checks):
    program = tmp_path / "program.py"
    program.write_text(VECTORS)
    stages = tmp_path / "stages"
    launch = ("--target=cpu", f"--cpu={cpu}", *checks)
    run(*launch, f"--dump-stages={stages}", program)
    (ran,) = (stages / "scale").glob(f"*-{stage}.mlir")
    (command,) = commands_of(run(*launch, "--reproduce", program))
    printed = repeat([command.removesuffix(" -o /dev/null")])
    assert printed == ran.read_text() + "\n"


@pytest.mark.parametrize(("cpu", "last"), LAUNCHED)
def test_command_of_a_stage_of_the_cpu(run, tmp_path, cpu, last):
    program = tmp_path / "program.py"
    program.write_text(VECTORS)
    launch = ("--target=cpu", f"--cpu={cpu}")
    code = tmp_path / "code"
    run(*launch, f"--emit={last}", "-o", code, program)
    for stage in ("checked", last):
        other = tmp_path / "other"
        (command,) = commands_of(
            run(
                *(*launch, f"--emit={stage}", "-o", other, "--reproduce"),
                program,
            )
        )
        printed = repeat([command.removesuffix(" -o /dev/null")])
        assert printed == code.read_text() + "\n"


def test_files_of_commands_are_not_mixed_up(run, tmp_path):
    program = tmp_path / "program.py"
    program.write_text(TWO_KERNELS)
    ptx = tmp_path / "ptx"
    result = run("--emit=ptx", "--reproduce", "-o", ptx, program)
    assert repeat(commands_of(result)) == ptx.read_text()
    assert ptx.read_text().count(".entry") == 3


OPTIONS = """
import numpy as np
from pyk import cuda

@cuda.jit(lineinfo=True, opt=2)
def twice(a):
    a[cuda.grid(1)] *= 2

twice[1, 4](np.ones(4))
"""


def test_options_for_code(run, tmp_path):
    program = tmp_path / "program.py"
    program.write_text(OPTIONS)
    ptx = tmp_path / "ptx"
    result = run("--emit=ptx", "--reproduce", "-o", ptx, program)
    (command,) = commands_of(result)
    assert "debug-info=lines opt=2" in command
    assert repeat([command]) == ptx.read_text()
    assert ".loc\t1 7 " in ptx.read_text()


CAPTURES = """
import numpy as np
from pyk import cuda

class Table:
    __cuda_array_interface__ = {
        "shape": (3, 4), "typestr": "<f4", "data": (4096, False), "version": 3,
        "strides": (32, 8),
    }

table = Table()

@cuda.jit
def unless_short(a):
    if a.size > 2:
        a[0] = table[1, a.size]

unless_short[1, 1](np.zeros(1))
"""


def test_address_of_a_captured_array(run, tmp_path):
    program = tmp_path / "program.py"
    program.write_text(CAPTURES)
    ptx = tmp_path / "ptx"
    result = run("--emit=ptx", "--reproduce", "-o", ptx, program)
    assert "4128" in ptx.read_text()
    assert repeat(commands_of(result)) == ptx.read_text()
