# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs that tests write and run in a process of their own."""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

from pyk import _core

#: Where the tools of the build are, or those of a bundle.
TOOLS = Path(_core.__file__).parents[2] / "bin"


def run_program(
    folder: Path, program: str, *options: str, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Runs the text of a program, which a file of `folder` gets, by Python with
    these options and variables of the environment."""
    file = folder / "program.py"
    file.write_text(textwrap.dedent(program))
    return subprocess.run(
        [sys.executable, *options, file],
        capture_output=True,
        text=True,
        # Only a program that hangs takes so long.
        timeout=300,
        check=False,
        env={**os.environ, **environment},
    )


def run_without_toolkit(
    *arguments: object, seconds: int | None = 300, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Runs `python -m pyk` where there is no libdevice but one that
    `environment` names. Only a program that hangs takes `seconds`."""
    variables = {**os.environ, "CUDA_HOME": "/nowhere", **environment}
    if "PYK_LIBDEVICE" not in environment:
        variables.pop("PYK_LIBDEVICE", None)
    return subprocess.run(
        [sys.executable, "-m", "pyk", *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=seconds,
        env=variables,
        check=False,
    )


def lines_of(run: subprocess.CompletedProcess[str]) -> list[str]:
    """What a program has printed, which must have done nothing else."""
    assert (run.stderr, run.returncode) == ("", 0)
    return run.stdout.splitlines()
