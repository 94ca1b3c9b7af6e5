# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The environment variables that PyK reads: their names and their words."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from pyk._environment import VARIABLES

PROGRAM = """
from pyk._options import options
print(options.bounds, options.reinterpret)
"""


def run(**environment: str) -> tuple[str, str]:
    """What a program reads from variables, and what it is warned of."""
    rest = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("PYK_")
    }
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        capture_output=True,
        text=True,
        check=True,
        env={**rest, **environment},
    )
    return done.stdout.strip(), done.stderr


@pytest.mark.parametrize("word", ["", "0", "False", "no", "OFF ", "false"])
def test_words_for_no(word: str) -> None:
    found = run(PYK_BOUNDSCHECK=word, PYK_REINTERPRET=word)
    assert found == ("memory False", "")


@pytest.mark.parametrize("word", ["1", "True", "yes", "ON", "true"])
def test_words_for_yes(word: str) -> None:
    found = run(PYK_BOUNDSCHECK=word, PYK_REINTERPRET=word)
    assert found == ("index True", "")


@pytest.mark.parametrize("word", ["index", "memory", "off"])
def test_words_for_checks(word: str) -> None:
    assert run(PYK_BOUNDSCHECK=word) == (f"{word} False", "")


def test_another_word() -> None:
    out, told = run(PYK_BOUNDSCHECK="maybe", PYK_REINTERPRET="2")
    assert out == "memory False"
    assert (
        "<string>:2: NumbaInvalidConfigWarning: PyK ignores "
        "PYK_BOUNDSCHECK='maybe': it expects 0, 1, index, memory or off\n"
    ) in told
    assert "PyK ignores PYK_REINTERPRET='2': it expects 0 or 1\n" in told


def test_a_name_that_is_none() -> None:
    out, told = run(PYK_BOUNDCHECK="1", PYK_XYZ="1", PYKX="1")
    assert out == "memory False"
    assert (
        "PyK has no environment variable PYK_BOUNDCHECK; did you mean "
        "PYK_BOUNDSCHECK?\n"
    ) in told
    assert told.count("Warning") == 1


def test_the_page_has_all() -> None:
    root = Path(__file__).parents[3]
    page = root / "python-dialect-docs/reference/environment.md"
    assert sorted(set(re.findall(r"`(PYK_\w+)`", page.read_text()))) == sorted(
        VARIABLES
    )
