# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What tests of the command line run."""

import os
import subprocess
import sys

import pytest


@pytest.fixture
def run(tmp_path):
    """Runs `python -m pyk` in a folder with the given program."""

    def run(*arguments, program=None, **environment):
        if program is not None:
            (tmp_path / "program.py").write_text(program)
        return subprocess.run(
            [sys.executable, "-m", "pyk", *arguments],
            capture_output=True,
            text=True,
            check=False,
            cwd=tmp_path,
            env={**os.environ, **environment},
        )

    return run


@pytest.fixture
def printed(tmp_path):
    """Gives the standard output of a program, which has to succeed."""

    def printed(program):
        path = tmp_path / "program.py"
        path.write_text(program)
        result = subprocess.run(
            [sys.executable, path], capture_output=True, text=True, check=False
        )
        assert result.returncode == 0, result.stderr
        return result.stdout

    return printed
