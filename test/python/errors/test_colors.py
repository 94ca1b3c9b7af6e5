# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Messages in color: when, and what of them."""

import os
import pty
import subprocess
import sys

import pytest

from pyk._colors import colored, is_wanted

VARIABLES = ("PYTHON_COLORS", "NO_COLOR", "FORCE_COLOR", "TERM")


class Stream:
    """A stream that may be a terminal."""

    def __init__(self, is_terminal):
        self._is_terminal = is_terminal

    def isatty(self):
        return self._is_terminal


@pytest.mark.parametrize(
    ("environment", "is_terminal", "expected"),
    [
        ({}, True, True),
        ({}, False, False),
        ({"TERM": "dumb"}, True, False),
        ({"NO_COLOR": "1"}, True, False),
        ({"NO_COLOR": ""}, True, True),
        ({"FORCE_COLOR": "1"}, False, True),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, True, False),
        ({"PYTHON_COLORS": "1", "NO_COLOR": "1"}, False, True),
        ({"PYTHON_COLORS": "0", "FORCE_COLOR": "1"}, True, False),
    ],
)
def test_when(monkeypatch, environment, is_terminal, expected):
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert is_wanted(Stream(is_terminal)) == expected


def test_streams_that_are_none(monkeypatch):
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    assert not is_wanted(None)
    with open(os.devnull) as file:
        pass
    assert not is_wanted(file)


PROGRAM = """
from numba import cuda
import numpy as np
@cuda.jit
def k(a):
    a[0] = 1  # error: no
    a[1] = a.shap

k[1, 1](np.zeros(2))
"""

MESSAGE = """\
{bold}{path}:7:12: {end}{red}error: {end}{bold}array(float64, 1d, C) has no \
attribute 'shap'{end}
        a[1] = a.shap
{green}               ^~~~~~{end}
{bold}{path}:7:12: {end}{cyan}note: {end}{bold}did you mean 'shape'?{end}
"""


def test_what(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in VARIABLES
    }
    ours, theirs = pty.openpty()
    subprocess.run(
        [sys.executable, "-m", "pyk", path],
        stderr=theirs,
        check=False,
        env=environment | {"TERM": "xterm"},
    )
    os.close(theirs)
    text = b""
    while not text.endswith(b"'shape'?\x1b[0m\r\n"):
        text += os.read(ours, 1000)
    os.close(ours)
    assert text.decode().replace("\r\n", "\n") == MESSAGE.format(
        path=path,
        bold="\x1b[1m",
        red="\x1b[1;31m",
        cyan="\x1b[1;36m",
        green="\x1b[1;32m",
        end="\x1b[0m",
    )


def test_notes_and_other_lines():
    assert colored("note: here\n    x = 'a: error: b'\n\nx: y") == (
        "\x1b[1;36mnote: \x1b[0m\x1b[1mhere\x1b[0m\n"
        "    x = 'a: error: b'\n\nx: y"
    )
